"""print(game): the table as everybody may see it, in every phase, and nothing of what is hidden."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest
from conftest import GAMES, SCENES, Tree, play_round, step, variants
from hypothesis import given
from hypothesis import strategies as st


def drawn(table: Any) -> list[str]:
    return str(table).split("\n")


def test_choose(nimmt: ModuleType) -> None:
    game = nimmt.Game(["Ann", "Béla", "Cy"], seed=66)
    game.choose(1, 10)
    assert drawn(game) == [
        "round 1, turn 1: cards are chosen",
        "row 0   88*5",
        "row 1   59",
        "row 2   73",
        "row 3   14",
        "seat 0  Ann   heads   0  score    0  must choose a card",
        "seat 1  Béla  heads   0  score    0  has chosen",
        "seat 2  Cy    heads   0  score    0  must choose a card",
    ]


def test_take(nimmt: ModuleType) -> None:
    game = nimmt.Game(3, seed=66)
    game.play((18, 10, 7))
    assert drawn(game)[0] == "round 1, turn 1: a row is owed"
    assert drawn(game)[5:] == [
        "seat 0  heads   0  score    0  has played 18",
        "seat 1  heads   0  score    0  has played 10",
        "seat 2  heads   0  score    0  must take row 0 or 1 or 2 or 3 for card 7",
    ]
    game.take(2, 3)
    assert drawn(game)[0] == "round 1, turn 2: cards are chosen"
    assert drawn(game)[4] == "row 3    7     10*3   18"
    assert drawn(game)[7] == "seat 2  heads   1  score    0  must choose a card"


def test_tie(nimmt: ModuleType) -> None:
    """P4: the owner of the card joins one of two rows, and takes neither."""
    assert drawn(GAMES["tie"](nimmt))[5:] == [
        "seat 0  heads   0  score    0  must join row 0 or 1 for card 50",
        "seat 1  heads   0  score    0  has played 97",
        "seat 2  heads   0  score    0  has played 99",
    ]


def test_draft(nimmt: ModuleType) -> None:
    game = nimmt.Game(2, seed=1, rules=nimmt.Rules("tactic", draft=True, first_picker=1))
    game.pick(1, 11)
    assert drawn(game) == [
        "round 1, the draft",
        "pool     1      2      3      4      5*2    6      7      8      9     10*3",
        "pool    12     13     14     15*2   16     17     18     19     20*3   21",
        "pool    22*5   23     24",
        "seat 0  heads   0  score    0  must pick a card",
        "seat 1  heads   0  score    0",
    ]


def test_joined(nimmt: ModuleType) -> None:
    """H7: who joins between rounds is at the table, and has nothing to do yet."""
    game = GAMES["joined"](nimmt)
    assert drawn(game)[0] == "round 1 is over"
    assert drawn(game)[-1] == f"seat 4  heads   0  score {game.scores[4]:4}  joins"
    assert len(drawn(game)) == 10
    game.deal()
    assert drawn(game)[-1] == f"seat 4  heads   0  score {game.scores[4]:4}  must choose a card"


def test_over(nimmt: ModuleType) -> None:
    game = GAMES["over"](nimmt)
    lines = drawn(game)
    assert lines[0] == f"round {game.round} is over, and the game with it"
    for seat, line in enumerate(lines[5:]):
        heads, score, rank = game.heads[seat], game.scores[seat], game.ranks[seat]
        assert line == f"seat {seat}  heads {heads:3}  score {score:4}  rank {rank}"


def test_round(nimmt: ModuleType) -> None:
    """A round alone has neither a number nor scores."""
    table = nimmt.Round.from_rows([[1, 2, 3, 4, 5], [55], [60, 66], [104]], hands=[[10], [70]])
    assert drawn(table) == [
        "turn 10: cards are chosen",
        "row 0    1      2      3      4      5*2",
        "row 1   55*7",
        "row 2   60*3   66*5",
        "row 3  104",
        "seat 0  heads   0  must choose a card",
        "seat 1  heads   0  must choose a card",
    ]
    table.play((10, 70))
    assert drawn(table) == [
        "the round is over",
        "row 0   10*3",
        "row 1   55*7",
        "row 2   60*3   66*5   70*3",
        "row 3  104",
        "seat 0  heads   6",
        "seat 1  heads   0",
    ]
    assert drawn(nimmt.Round.draft(2))[0] == "the draft"


def test_referee(nimmt: ModuleType) -> None:
    """Real cards: the rows as they are laid out; a card that was read lies face down until all are placed."""
    table = nimmt.Referee(["Ann", "Bo"])
    table.lay(55)
    table.lay(30, row=2)
    seats = ["seat 0  Ann  heads   0  score    0", "seat 1  Bo   heads   0  score    0"]
    assert drawn(table) == ["round 1 is laid out", "row 0   55*7", "row 1", "row 2   30*3", "row 3", *seats]
    table.deal((55, 10, 30, 99))
    table.read(0, 41)
    assert drawn(table)[0] == "round 1, turn 1: cards are chosen"
    assert drawn(table)[5:] == [seats[0] + "  has chosen", seats[1] + "  must choose a card"]
    table.read(1, 5)
    assert drawn(table)[5:] == [seat + "  has chosen" for seat in seats]
    table.place()
    assert drawn(table)[5:] == [
        seats[0] + "  has played 41",
        seats[1] + "  must take row 0 or 1 or 2 or 3 for card 5",
    ]


def test_referee_between_rounds(nimmt: ModuleType) -> None:
    """The rows of the last round, until the next one is laid out."""
    table = nimmt.Referee.from_rows([[10], [20], [30], [40]], players=2, turn=10)
    table.read(0, 41)
    table.read(1, 21)
    table.place()
    assert drawn(table)[:3] == ["round 1 is over", "row 0   10*3", "row 1   20*3   21"]
    table.lay(7)
    assert drawn(table)[:3] == ["round 2 is laid out", "row 0    7", "row 1"]


@pytest.mark.parametrize("scene", SCENES)
def test_same_on_both_backends(trees: tuple[Tree, Tree], scene: str) -> None:
    texts = []
    for tree in trees:
        with tree as nimmt:
            table = SCENES[scene](nimmt)
            lines = [str(table)]
            if hasattr(table, "deal"):  # a game
                play_round(table, random.Random(5))
                lines.append(str(table))
            texts.append("\n".join(lines))
    assert texts[0] == texts[1]
    assert not [line for line in texts[0].split("\n") if line != line.rstrip() or not line]


def other_hands(state: bytes, rng: random.Random) -> bytes:
    """The same table with other hidden cards: other hands of the same size, other cards lying face down."""
    changed, players, highest, choosing = bytearray(state), state[0], state[1], state[3] == 0
    unseen = [card for card in range(1, highest + 1) if not state[51 + (card - 1) // 8] >> (card - 1) % 8 & 1]
    rng.shuffle(unseen)
    for seat in range(players):
        at = 64 + 10 * seat
        size = len([card for card in state[at : at + 10] if card])
        hand = sorted([unseen.pop() for _ in range(size)])
        changed[at : at + size] = bytes(hand)
        if choosing and state[31 + seat]:
            changed[31 + seat] = rng.choice(hand)
    return bytes(changed)


@given(seed=st.integers(0, 2**64 - 1), players=st.integers(2, 10), moves=st.integers(0, 120), name=st.data())
def test_hidden_cards_do_not_change_the_drawing(
    nimmt: ModuleType, seed: int, players: int, moves: int, name: st.DataObject
) -> None:
    rules = variants(nimmt)[name.draw(st.sampled_from(["base", "professional", "professional, right"]))]
    rng = random.Random(seed)
    game = nimmt.Game(players, seed, rules)
    for _ in range(moves):
        if game.phase == "scored":
            break
        step(game, rng)
    if game.phase == "scored":
        return
    state = bytes(game._state)
    other = other_hands(state, rng)
    tables = [nimmt.Round.from_bytes(data) for data in (state, other)]
    assert str(tables[0]) == str(tables[1])
    games = [nimmt.Game.from_round(table, rules=rules, seed=seed) for table in tables]
    assert str(games[0]) == str(games[1]) == str(game)
    if players < 6 and game.turn < 5:
        assert state != other  # the hands are others, but for chance
