"""rollouts: the same on both backends and as the public calls make them, from what the seat knows alone."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from conftest import GAMES, ROUNDS, Tree, last_turn, step, variants
from sim.helpers import mixed, part

FOUR = ("random", "nearest", "lowest", "highest")


def positions(nimmt: ModuleType, players: int) -> Iterator[tuple[Any, int]]:
    """Games of every variant in every turn, also where rows are owed, and a seat that must act."""
    for rules in variants(nimmt).values():
        rng, game = random.Random(players), nimmt.Game(players, seed=players, rules=rules)
        while game.round == 1 and not game.is_over and game.phase != "scored":
            if game.phase in ("choose", "take") and rng.random() < (0.5 if game.phase == "take" else 1 / players):
                yield game, rng.choice(game.to_act)
            step(game, rng)


@pytest.mark.parametrize("players", [2, 3, 4, 6, 10])
def test_both_backends_agree(trees: tuple[Tree, Tree], players: int) -> None:
    found: list[list[Any]] = []
    for tree in trees:
        with tree as nimmt:
            policies = mixed(players, 1)
            results = [
                part("sim").rollouts(game.view(seat), 3, policies, seed=5, take=take)
                for take, (game, seat) in zip(("random", "cheapest") * 999, positions(nimmt, players))
            ]
            found.append([tuple(result) for result in results])
    assert found[0] == found[1]
    assert {result[1] for result in found[0]} == {"choose", "take"}
    assert len(found[0]) > 30


@pytest.mark.parametrize("players", [2, 4, 7])
def test_it_is_what_the_public_calls_make(nimmt: ModuleType, players: int) -> None:
    """A world is nimmt.worlds.sample of Stream(seed, world, 0, 2); a move is made in it, and Round.playout goes on."""
    checked, policies = 0, mixed(players)
    numbers = [nimmt.bots.POLICIES.index(name) for name in policies]
    for game, seat in positions(nimmt, players):
        view = game.view(seat)
        if any(view.has_chosen):
            continue  # there nimmt.worlds.sample draws which card lies face down, and rollouts let the policies choose
        result = part("sim").rollouts(game, 4, policies, seed=8, seat=seat)
        sums: dict[int, list[int]] = {}
        for world in range(4):
            stream = nimmt.Stream(8, world, 0, 2)
            dealt = nimmt.worlds.sample(view, stream)
            for move in view.legal:
                after, draws = dealt.copy(), nimmt.Stream(0)
                draws.state[:] = stream.state
                (after.take if view.phase == "take" else after.choose)(seat, move)
                after.playout(numbers, draws)
                taken = [now - before for now, before in zip(after.heads, view.heads, strict=True)]
                sums[move] = [a + b for a, b in zip(sums.get(move, [0] * players), taken, strict=True)]
        assert [move.move for move in result.moves] == list(view.legal)
        for move in result.moves:
            assert [4 * mean for mean in move.heads_by_seat] == sums[move.move]
            assert move.heads == move.heads_by_seat[seat]
            checked += 1
    assert checked > 50


def test_a_result(nimmt: ModuleType) -> None:
    sim = part("sim")
    result = sim.rollouts(nimmt.Game(4, seed=7).view(0), 50, FOUR, seed=3)
    assert (result.seat, result.phase, result.policies, result.worlds, result.seed) == (0, "choose", FOUR, 50, 3)
    assert [move.move for move in result.moves] == [2, 3, 8, 10, 14, 25, 31, 41, 67, 79]
    assert result.best == min(result.moves, key=lambda move: move.heads).move
    assert str(result).splitlines()[0].split() == ["card", "heads", "to", "the", "end", "of", "the", "round"]
    assert len(str(result).splitlines()) == 11
    assert pickle.loads(pickle.dumps(result)) == result
    with pytest.raises(AttributeError):
        result.seed = 4
    assert sim.rollouts(nimmt.Game(4, seed=7).view(0), 50, FOUR).seed != 3


def test_mean_and_error(nimmt: ModuleType) -> None:
    """Those of the worlds one by one, which the first worlds of a seed give."""
    rollouts, view = part("sim").rollouts, nimmt.Game(3, seed=7).view(1)
    totals = [0.0]
    for worlds in range(1, 31):
        totals.append(worlds * rollouts(view, worlds, FOUR[:3], seed=3).moves[4].heads)
    heads = [round(after - before) for before, after in zip(totals, totals[1:], strict=False)]
    mean = sum(heads) / 30
    error = (sum((taken - mean) ** 2 for taken in heads) / 29 / 30) ** 0.5
    move = rollouts(view, 30, FOUR[:3], seed=3).moves[4]
    assert (move.heads, move.heads_error) == (pytest.approx(mean), pytest.approx(error))
    assert rollouts(view, 1, FOUR[:3], seed=3).moves[4].heads_error is None


def test_calls_do_not_show(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    rollouts, view = part("sim").rollouts, nimmt.Game(4, seed=7).view(0)
    whole = rollouts(view, 23, FOUR, seed=3)
    monkeypatch.setattr(part("sim.rollouts"), "PLAYOUTS_A_CALL", 70)
    assert rollouts(view, 23, FOUR, seed=3) == whole


def test_no_more_than_the_seat_knows(nimmt: ModuleType) -> None:
    """Views, games and rounds give the same, whatever the others hold and have chosen."""
    rollouts = part("sim").rollouts
    for scene in ("choose", "chosen", "take"):
        game = GAMES[scene](nimmt)
        seat = 0
        view = game.view(seat)
        for k in range(3):
            same = nimmt.worlds.sample(view, nimmt.Stream(k))
            other = nimmt.Game.from_round(same, view.scores, view.rules, seed=9)
            results = [rollouts(view, 9, FOUR, 1)]
            results += [rollouts(each, 9, FOUR, 1, seat=seat) for each in (view, game, same, other)]
            assert [result == results[0] for result in results] == [True] * 5


def test_hands_that_all_know(nimmt: ModuleType) -> None:
    """In a logic draft no card is hidden: policies that draw nothing play the same round in every world."""
    game = nimmt.Game(4, seed=7, rules=nimmt.LOGIC)
    rng = random.Random(2)
    while game.phase != "choose":
        step(game, rng)
    policies = ("lowest", "nearest", "nearest", "highest")
    result = part("sim").rollouts(game, 6, policies, seed=1, seat=2)
    assert {move.heads_error for move in result.moves} == {0.0}
    after = nimmt.Round.from_rows(game.rows, hands=[game.hand(seat) for seat in range(4)], rules=nimmt.LOGIC)
    after.choose(2, game.hand(2)[3])
    after.playout([1, 3, 3, 2], nimmt.Stream(1))
    assert result.moves[3].heads_by_seat == after.heads
    base = part("sim").rollouts(nimmt.Game(4, seed=7), 6, policies, seed=1, seat=2)
    assert max(move.heads_error for move in base.moves) > 0


def test_the_last_card(nimmt: ModuleType) -> None:
    game, cards = last_turn(nimmt, (0, 0, 0, 0), (1, 0, 0, 0))
    result = part("sim").rollouts(game, 5, ["lowest"] * 4, seed=1, seat=0)
    assert [move.move for move in result.moves] == [cards[0]]
    assert result.best == cards[0]


def test_rows(nimmt: ModuleType) -> None:
    """Seat 0 owes a row: the four rows are compared, and one that costs seven heads more does cost more."""
    game = nimmt.Game(4, seed=7)
    game.play((2, 17, 28, 13))
    result = part("sim").rollouts(game, 40, FOUR, seed=1, seat=0)
    assert (result.phase, [move.move for move in result.moves]) == ("take", [0, 1, 2, 3])
    rows = [sum(nimmt.bull_heads(card) for card in row) for row in game.rows]
    assert all(move.heads >= rows[move.move] for move in result.moves)
    tie = GAMES["tie"](nimmt)
    compared = part("sim").rollouts(tie, 4, ["lowest"] * 3, seed=1, seat=0)
    assert [move.move for move in compared.moves] == list(tie.owed.rows)


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("choose", {}, "NimmtError", r"give seat=, whose moves are compared: 0\.\.3"),
    ("choose", {"seat": 4}, "IllegalMove", r"there is no seat 4: seats are 0\.\.3"),
    ("choose", {"seat": True}, "TypeError", "seat must be an integer, not bool"),
    ("choose", {"seat": 0, "worlds": 0}, "NimmtError", r"worlds must be 1\.\.4294967296, not 0"),
    ("choose", {"seat": 0, "worlds": 2**32 + 1}, "NimmtError", "worlds must be 1"),
    ("choose", {"seat": 0, "worlds": 2.0}, "TypeError", "worlds must be an integer, not float"),
    ("choose", {"seat": 0, "policies": FOUR[:3]}, "NimmtError", "4 players need 4 policies, not 3"),
    ("choose", {"seat": 0, "policies": ("best",) * 4}, "NimmtError", "there is no policy 'best'"),
    ("choose", {"seat": 0, "policies": "random"}, "TypeError", "policies must be a sequence, not str"),
    ("choose", {"seat": 0, "seed": -1}, "NimmtError", "seed must be"),
    ("choose", {"seat": 0, "take": "caller"}, "NimmtError", "take must be"),
    ("take", {"seat": 1}, "WrongPhase", "seat 1 cannot choose or take now: seat 0 must take a row first"),
    ("draft", {"seat": 1}, "WrongPhase", 'in phase "choose" or "take", not in "draft"'),
    ("scored", {"seat": 1}, "WrongPhase", 'not in "scored"'),
    ("unknown", {"seat": 1}, "NimmtError", "the hands of this round are unknown"),
    ("draft round", {"seat": 1}, "WrongPhase", "the draft is not over"),
]


@pytest.mark.parametrize(("scene", "change", "error", "message"), REFUSED)
def test_refused(nimmt: ModuleType, scene: str, change: dict[str, Any], error: str, message: str) -> None:
    arguments = {"position": (GAMES | ROUNDS)[scene](nimmt), "worlds": 5, "policies": FOUR, "seed": 1} | change
    with pytest.raises(TypeError if error == "TypeError" else getattr(nimmt, error), match=message):
        part("sim").rollouts(**arguments)


def test_refused_views(nimmt: ModuleType) -> None:
    game, rollouts = nimmt.Game(4, seed=7), part("sim").rollouts
    with pytest.raises(nimmt.NimmtError, match="the view of a spectator"):
        rollouts(game.view(), 5, FOUR)
    with pytest.raises(nimmt.NimmtError, match="this is the view of seat 2, not of seat 1"):
        rollouts(game.view(2), 5, FOUR, seat=1)
    with pytest.raises(TypeError, match="position must be a View, a Game or a Round, not bytes"):
        rollouts(game.save(), 5, FOUR, seat=1)
    over = nimmt.Round.deal(2, nimmt.Stream(1))
    over.playout([0, 0], nimmt.Stream(1))
    with pytest.raises(nimmt.WrongPhase, match="seat 0 cannot choose or take now: the round is over"):
        rollouts(over, 5, FOUR[:2], seat=0)
