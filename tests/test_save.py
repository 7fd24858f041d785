"""Saves: small, canonical, whole at every step, across backends; damaged ones are refused and never break the rules.

tests/golden/saves.txt has saves of this format; every later release must read them. `python tests/test_save.py` writes
it again, which is right only with a new version number of the format.
"""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import CI, GAMES, HERE, Tree, last_turn, one_round, play_round, play_to, step, tree_of, variants

GOLDEN = HERE / "golden" / "saves.txt"


def same_game(a: Any, b: Any) -> None:
    """What a loaded game must tell as the one that was saved did."""
    assert a == b
    assert (a.players, a.rules, a.seed, a.game, a.round, a.turn) == (
        b.players,
        b.rules,
        b.seed,
        b.game,
        b.round,
        b.turn,
    )
    assert (a.phase, a.to_act, a.owed, a.rows) == (b.phase, b.to_act, b.owed, b.rows)
    assert (a.heads, a.scores, a.ranks, a.winners) == (b.heads, b.scores, b.ranks, b.winners)
    for seat in range(a.players):
        assert (a.hand(seat), a.chosen(seat), a.legal(seat)) == (b.hand(seat), b.chosen(seat), b.legal(seat))
        assert a.view(seat) == b.view(seat)
    assert a.view() == b.view()


@pytest.mark.parametrize("variant", ["base", "logic", "professional, left"])
def test_every_step_of_a_game(variant: str, nimmt: ModuleType) -> None:
    """Each single choice, pick and row, for all numbers of players."""
    for players in range(2, 11) if CI else (2, 3, 10):
        rng = random.Random(players)
        game = nimmt.Game(players, seed=players, rules=variants(nimmt)[variant], game=7)
        while game.round < 3 and not game.is_over:
            data = game.save()
            assert type(data) is bytes
            assert len(data) == 204 + 3 * game.players <= nimmt.SAVE_MAX == 400
            loaded = nimmt.Game.load(data)
            same_game(loaded, game)
            assert loaded.save() == data
            move = rng.random()
            assert str(step(game, random.Random(move))) == str(step(loaded, random.Random(move)))


def test_a_thousand_games(nimmt: ModuleType) -> None:
    """Trap C07: at every step that all take together."""
    names = list(variants(nimmt).values())
    for number in range(1000 if CI else 60):
        rules = names[number % len(names)]
        game = nimmt.Game(2 + number % 9, number, rules)
        if rules.draft:
            play_to(game, random.Random(1), "choose")
        while game.phase not in ("scored", "over"):
            data = game.save()
            loaded = nimmt.Game.load(data)
            assert loaded.save() == data
            assert (loaded.phase, loaded.to_act) == (game.phase, game.to_act)
            if game.owed:
                game.take(game.owed.seat, game.cheapest())
            else:
                game.play([game.hand(seat)[(number + seat) % len(game.hand(seat))] for seat in range(game.players)])
        assert nimmt.Game.load(game.save()) == game


def test_a_load_goes_on_as_the_game_would(nimmt: ModuleType) -> None:
    """The next deals too: they come from the seed, the number of the game and of the round, which are in the save."""
    game = nimmt.Game(3, seed=2**64 - 1, rules=nimmt.Rules(limit=300), game=2**63)
    play_round(game, random.Random(1))
    loaded = nimmt.Game.load(game.save())
    for one in (game, loaded):
        one.deal()
        play_round(one, random.Random(2))
        one.deal()
    same_game(loaded, game)
    first = nimmt.Game(3, seed=2**64 - 1, game=2**63)
    assert loaded.rows != first.rows


def test_canonical(nimmt: ModuleType) -> None:
    """Equal games give equal bytes, whatever way they came to be; each difference shows."""
    a, b = nimmt.Game(4, seed=7), nimmt.Game(["w", "x", "y", "z"], seed=7, history=False)
    for seat in (3, 1):
        a.choose(seat, a.hand(seat)[0])
    a.choose(2, a.hand(2)[3])
    for seat, at in ((1, 0), (2, 5), (2, 3), (0, 1)):
        b.choose(seat, sorted((*b.hand(seat), *[card for card in [b.chosen(seat)] if card]))[at])
    assert a != b
    b.withdraw(0)
    b.choose(3, b.hand(3)[0])
    assert a == b
    assert a.save() == b.save()
    assert b"w" not in a.save()[:6] and nimmt.Game.load(b.save()).names is None
    others = [
        nimmt.Game(4, seed=8),
        nimmt.Game(4, seed=7, game=1),
        nimmt.Game(5, seed=7),
        nimmt.Game(4, seed=7, rules=nimmt.Rules(limit=67)),
        nimmt.Game(4, seed=7, rules=nimmt.Rules(end="exceed")),
        nimmt.Game(4, seed=7, rules=nimmt.Rules(rounds=1)),
        nimmt.Game(4, seed=7, rules=nimmt.Rules(rounds=65535)),
        nimmt.Game(4, seed=7, rules=nimmt.Rules(cheapest="most")),
        nimmt.Game(4, seed=7, rules=nimmt.Rules(first_picker=3)),
        nimmt.Game(4, seed=7, rules=nimmt.Rules(tie="left")),
        nimmt.Game(4, seed=7, rules=nimmt.PROFESSIONAL),
        nimmt.Game(4, seed=7, rules=nimmt.TACTIC),
        nimmt.Game(4, seed=7, rules=nimmt.LOGIC),
        nimmt.Game(4, seed=7),
    ]
    assert len({game.save() for game in others}) == len(others)
    for game in others:
        assert nimmt.Game.load(game.save()).rules == game.rules
    assert others[0] != "a game" and others[0] != None  # noqa: E711 - the operator is what is tested


def test_names_are_not_saved(nimmt: ModuleType) -> None:
    game = nimmt.Game(["Ann", "Béla"], seed=1)
    data = game.save()
    assert b"Ann" not in data
    assert nimmt.Game.load(data).names is None
    assert nimmt.Game.load(data, ["Ann", "Béla"]).names == game.names == ("Ann", "Béla")
    assert nimmt.Game.load(bytearray(data)) == game


def test_copies(nimmt: ModuleType) -> None:
    """Equal, with names and history, and independent."""
    for name, make in GAMES.items():
        game = make(nimmt)
        before, text = game.save(), game.record()
        for other in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert type(other) is nimmt.Game
            same_game(other, game)
            assert other.record() == text
            assert other.names == game.names
            if name != "over":
                step(other, random.Random(1))
                assert other.save() != before
                assert other.record() != text
            assert (game.save(), game.record()) == (before, text)
    for table in (
        nimmt.Round.deal(3, nimmt.Stream(1)),
        nimmt.Round.draft(2, 1),
        nimmt.Round.from_rows([[1], [2], [3], [4]], 2),
    ):
        before = table.to_bytes()
        for other in (table.copy(), copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
            assert type(other) is nimmt.Round
            assert other == table and other.to_bytes() == before
            step(other, random.Random(1))
            assert other != table and table.to_bytes() == before
    names = copy.deepcopy({"a": game, "b": game})
    assert names["a"] is names["b"]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol: int, nimmt: ModuleType) -> None:
    game = GAMES["take"](nimmt)
    rules = nimmt.Rules(deck="tactic", draft=True, first_picker=3, limit=70)
    stream = nimmt.Stream(7, 1, 2)
    stream.next()
    turn = nimmt.resolve([[1], [2], [3], [4]], [5, 6])
    values = [game, game.view(0), game.view(), *game.copy().take(0, 1), turn, rules, nimmt.BASE]
    for value in values:
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is type(value)
        assert copy.deepcopy(value) == value
    if protocol > 1:  # as for every class with __slots__
        for one in (pickle.loads(pickle.dumps(stream, protocol)), copy.copy(stream)):
            assert one.state == stream.state
    error = pickle.loads(pickle.dumps(nimmt.IllegalMove("no"), protocol))
    assert type(error) is nimmt.IllegalMove and str(error) == "no"


def test_values(nimmt: ModuleType) -> None:
    """Games and rounds change, so they have no hash; rules have one; repr tells no card."""
    game = nimmt.Game(2, seed=1)
    for one in (game, nimmt.Round.draft(2)):
        with pytest.raises(TypeError):
            hash(one)
    assert repr(game) == "<Game of 2: round 1, turn 1, choose, scores (0, 0)>"
    assert repr(nimmt.Round.draft(2, 1)) == "<Round of 2: draft, turn 0, to act (1,)>"
    for name, rules in variants(nimmt).items():
        again = eval(repr(rules), {"Rules": nimmt.Rules})
        assert again == rules and hash(again) == hash(rules), name
    assert len(set(variants(nimmt).values())) == 7
    assert nimmt.Rules() == nimmt.BASE != nimmt.TACTIC


SCRIPT = """
import pickle, sys, nimmt
for line in sys.stdin.read().split():
    game = pickle.loads(bytes.fromhex(line))
    values = game.save(), pickle.dumps(game, 2), game.record().encode()
    print(nimmt.backend, type(game).__module__, *[value.hex() for value in values])
"""


def test_pickles_cross_over(trees: tuple[Tree, Tree]) -> None:
    """A process with the other backend loads them: the same save, the same record, the same pickle."""
    for tree, other in (trees, trees[::-1]):
        with tree as nimmt:
            games = [make(nimmt) for make in GAMES.values()]
            given = "\n".join(pickle.dumps(game, 2).hex() for game in games)
            expected = [
                (game.save().hex(), pickle.dumps(game, 2).hex(), game.record().encode().hex()) for game in games
            ]
            path = str(Path(str(nimmt.__file__)).parent.parent)
        env = dict(os.environ, NIMMT_BACKEND=other.backend, PYTHONPATH=path)
        command = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(command, input=given, capture_output=True, text=True, env=env, timeout=120, check=True)
        told = [line.split() for line in done.stdout.splitlines()]
        assert [tuple(line[2:]) for line in told] == expected
        assert {tuple(line[:2]) for line in told} == {(other.backend, "nimmt.game")}


def test_saves_cross_over(trees: tuple[Tree, Tree]) -> None:
    """In this process, too: the same bytes at every step of the same game, and the one continues the other's."""
    for variant in ("base", "professional", "logic"):
        games = []
        for tree in trees:
            with tree as nimmt:
                games.append(nimmt.Game(4, seed=3, rules=variants(nimmt)[variant]))
        rng = random.Random(4)
        for _ in range(150):
            move, data = rng.random(), []
            for i, tree in enumerate(trees):
                with tree as nimmt:
                    if not games[i].is_over:
                        step(games[i], random.Random(move))
                    data.append(games[i].save())
            assert data[0] == data[1]
            for i, tree in enumerate(trees):
                with tree as nimmt:
                    games[i] = nimmt.Game.load(data[1 - i])


def golden_saves(nimmt: ModuleType) -> str:
    return "".join(f"{name}: {data.hex()}\n" for name, data in saves(nimmt).items())


def test_golden_saves(nimmt: ModuleType) -> None:
    """The saves of this format, forever: read and written alike."""
    for line in GOLDEN.read_text(encoding="ascii").splitlines():
        name, _, text = line.partition(": ")
        data = bytes.fromhex(text)
        assert data[2] == 1
        assert nimmt.Game.load(data).save() == data
        assert saves(nimmt)[name] == data, name
    assert GOLDEN.read_text(encoding="ascii") == golden_saves(nimmt)


# Damaged saves


def with_crc(data: bytes | bytearray) -> bytes:
    """Return a save with its checksum put right (and its length, which is not told)."""
    return bytes(data[:-4]) + zlib.crc32(bytes(data[:-4])).to_bytes(4, "little")


def saves(nimmt: ModuleType) -> dict[str, bytes]:
    """Saves of games in every phase and variant, small ones first."""
    named = {scene: make(nimmt) for scene, make in GAMES.items()}
    ten = nimmt.Game(10, seed=3, rules=variants(nimmt)["professional, left"], game=5)
    for _ in range(44):
        step(ten, random.Random(2))
    named["ten"] = ten
    named["logic"] = nimmt.Game(2, seed=1, rules=nimmt.Rules(deck="tactic", draft=True, rounds=3))
    play_round(named["logic"], random.Random(1))
    return {name: game.save() for name, game in named.items()}


def lawful(nimmt: ModuleType, data: bytes) -> bool:
    """Load bytes: BadRecord (False), or a game that keeps the rules to its next round and gives back the same bytes."""
    try:
        game = nimmt.Game.load(data)
    except nimmt.BadRecord:
        return False
    assert game.save() == data
    one_round(nimmt, game)
    return True


def test_saves_that_are_cut(nimmt: ModuleType) -> None:
    for data in saves(nimmt).values():
        for length in range(len(data)):
            with pytest.raises(nimmt.BadRecord):
                nimmt.Game.load(data[:length])
            if length > 10:
                cut = bytearray(data[:length])
                cut[4:6] = length.to_bytes(2, "little")  # told to be so short, with the right checksum
                with pytest.raises(nimmt.BadRecord):
                    nimmt.Game.load(with_crc(cut))
        longer = bytearray(data[:-4] + b"\0" + data[-4:])
        longer[4:6] = len(longer).to_bytes(2, "little")
        for more in (data + b"\0", data + data, with_crc(longer)):
            with pytest.raises(nimmt.BadRecord):
                nimmt.Game.load(more)


def test_saves_with_a_bit_flipped(nimmt: ModuleType) -> None:
    """The checksum finds every one of them."""
    for data in saves(nimmt).values():
        for bit in range(8 * len(data)):
            flipped = bytearray(data)
            flipped[bit // 8] ^= 1 << bit % 8
            with pytest.raises(nimmt.BadRecord):
                nimmt.Game.load(bytes(flipped))


@pytest.mark.parametrize(
    "scene", ["choose", "chosen", "take", "tie", "scored", "joined", "over", "draft", "ten", "logic"]
)
def test_saves_with_a_bit_flipped_and_the_right_checksum(scene: str, nimmt: ModuleType) -> None:
    """Somebody who can compute a checksum gets nothing but another game that the rules allow."""
    data = saves(nimmt)[scene]
    accepted = 0
    for bit in range(0, 8 * (len(data) - 4), 1 if CI else 11):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        accepted += lawful(nimmt, with_crc(flipped))
    assert accepted >= (128 if CI else 10)  # the seed, the number of the game


def test_saves_with_several_bytes_changed(nimmt: ModuleType) -> None:
    rng, names = random.Random(11), saves(nimmt)
    for i in range(4000 if CI else 400):
        data = bytearray(names[sorted(names)[i % len(names)]])
        for _ in range(rng.randint(2, 4)):
            data[rng.randrange(6, len(data) - 4)] = rng.choice((0, 1, 2, 3, 10, 104, 255, rng.randrange(256)))
        lawful(nimmt, with_crc(data))


def test_random_bytes(nimmt: ModuleType) -> None:
    rng = random.Random(12)
    for i in range(1000):
        data = bytearray(rng.randbytes(rng.choice((rng.randrange(300), 210, 234))))
        if i % 2 and len(data) > 10:
            data[:6] = b"6n\1\1" + len(data).to_bytes(2, "little")
        for one in (bytes(data), with_crc(data)):
            with pytest.raises(nimmt.BadRecord):
                nimmt.Game.load(one)
        with pytest.raises(nimmt.BadRecord):
            nimmt.Round.from_bytes(bytes(data))


@pytest.mark.parametrize("at", [2, 3], ids=["format", "streams"])
def test_saves_of_another_version(at: int, nimmt: ModuleType) -> None:
    for data in saves(nimmt).values():
        for version in {0, 2, 3, 255}:
            other = bytearray(data)
            other[at] = version
            with pytest.raises(nimmt.BadRecord, match="version"):
                nimmt.Game.load(with_crc(other))


def patched(data: bytes, changes: dict[int, int]) -> bytes:
    """Return a save with some bytes changed, and the right checksum. Negative places count in the round's bytes."""
    changed = bytearray(data)
    start = len(data) - 168
    for at, value in changes.items():
        changed[at if at >= 0 else start - at - 1] = value
    return with_crc(changed)


def at_round(offset: int) -> int:
    """Name a byte of the round for `patched`."""
    return -offset - 1


# In the order of the bytes (save.py, csrc/nimmt.h): what is changed in which of the saves above.
CONTRADICTIONS: list[tuple[str, str, dict[int, int]]] = [
    ("rules that do not exist", "choose", {6: 16}),
    ("a draft with the full deck", "choose", {6: 4}),
    ("a tie that does not exist", "choose", {7: 3}),
    ("a cheapest that does not exist", "choose", {8: 3}),
    ("a first picker that does not exist", "choose", {9: 10}),
    ("no limit and no rounds", "choose", {10: 0, 11: 0}),
    ("a limit of 66 and rounds", "choose", {12: 5}),
    ("a limit of 70 and rounds", "choose", {10: 70, 12: 5}),
    ("professional in the rules only", "choose", {6: 2}),
    ("tactic in the rules only", "choose", {6: 8}),
    ("round 0", "choose", {30: 0}),
    ("a second round without a limit that allows it", "logic", {30: 5}),
    ("somebody picked first, without a draft", "choose", {34: 1}),
    ("a seat picked first that is not there", "draft", {34: 4}),
    ("another seat picked first than the draft shows", "draft", {34: 1}),
    ("another seat picked first than the rules say", "draft", {9: 1}),
    ("no players", "choose", {35: 0}),
    ("more players than scores", "choose", {35: 5}),
    ("scores before any round", "choose", {36: 1}),
    ("more heads than there are", "scored", {38: 1}),
    ("a score less than the heads of the round", "scored", {36: 0}),
    ("more heads than the only round gave", "scored", {36: 28}),
    ("a score above the limit, and a round goes on", "choose", {30: 2, 36: 66}),
    ("other players in the round", "choose", {at_round(0): 3}),
    ("eleven players in the round", "ten", {at_round(0): 11}),
    ("another deck in the round", "choose", {at_round(1): 103}),
    ("professional in the round only", "choose", {at_round(2): 1}),
    ("unknown hands", "choose", {at_round(2): 32}),
    ("both ties", "choose", {at_round(2): 6}),
    ("a row owed and no card shown", "choose", {at_round(3): 1}),
    ("over after one turn", "choose", {at_round(3): 2}),
    ("a draft in the middle", "choose", {at_round(3): 3}),
    ("a phase that does not exist", "choose", {at_round(3): 4}),
    ("cards to choose, but a row owed", "take", {at_round(3): 0}),
    ("a later turn", "choose", {at_round(4): 1}),
    ("turn 11", "scored", {at_round(4): 11}),
    ("a round that ended early", "scored", {at_round(4): 9}),
    ("somebody owes a row while cards are chosen", "choose", {at_round(5): 1}),
    ("another seat owes the row", "take", {at_round(5): 1}),
    ("rows to take while cards are chosen", "choose", {at_round(6): 15}),
    ("no row to take", "take", {at_round(6): 0}),
    ("one row to take", "take", {at_round(6): 1}),
    ("two rows to take for a low card", "take", {at_round(6): 3}),
    ("four rows to take in a tie", "tie", {at_round(6): 15}),
    ("an empty row", "choose", {at_round(7): 0}),
    ("a row of six", "choose", {at_round(7): 6}),
    ("a card beyond the end of a row", "choose", {at_round(12): 80}),
    ("a row that descends", "choose", {at_round(7): 2, at_round(12): 71}),
    ("a card twice on the table", "choose", {at_round(11): 29}),
    ("card 0 on the table", "choose", {at_round(11): 0}),
    ("card 105 on the table", "choose", {at_round(11): 105}),
    ("a card on the table that nobody has seen", "choose", {at_round(11): 1}),
    ("a chosen card that is not held", "choose", {at_round(31): 17}),
    ("a card chosen twice", "chosen", {at_round(32): 2}),
    ("a card chosen by a seat that is not there", "chosen", {at_round(35): 5}),
    ("a card shown that is on the table", "take", {at_round(31): 72}),
    ("heads of cards that are still there", "choose", {at_round(41): 1}),
    ("heads of a seat that is not there", "choose", {at_round(46): 1}),
    ("a card seen that is in a hand", "choose", {at_round(51): 2}),
    ("a card seen that is gone, and nobody paid for it", "choose", {at_round(51): 1}),
    ("a card in two hands", "choose", {at_round(64): 13, at_round(94): 13}),
    ("a card in a hand and on the table", "choose", {at_round(64): 9}),
    ("a hand that descends", "choose", {at_round(64): 3, at_round(65): 2}),
    ("card 105 in a hand", "choose", {at_round(73): 105}),
    ("nine cards in one hand", "choose", {at_round(73): 0}),
    ("a hand of a seat that is not there", "choose", {at_round(104): 1}),
    ("cards in hands after the tenth turn", "scored", {at_round(64): 1}),
    ("nobody picked what was picked", "draft", {at_round(64): 0}),
    ("the wrong seat picks", "draft", {at_round(5): 3}),
    ("a card picked twice", "draft", {at_round(84): 30}),
    ("a picked card beyond the deck", "draft", {at_round(84): 45}),
    ("rows in the draft", "draft", {at_round(11): 1}),
    ("heads in the draft", "draft", {at_round(41): 1}),
    ("a joined player with a lower score", "joined", {48: 1}),
    ("a joined player with a higher score", "joined", {48: 31}),
    ("a draft of rules that no round can have", "draft", {7: 1, at_round(2): 6}),
]


@pytest.mark.parametrize(("scene", "changes"), [pytest.param(s, c, id=name) for name, s, c in CONTRADICTIONS])
def test_saves_that_contradict_themselves(scene: str, changes: dict[int, int], nimmt: ModuleType) -> None:
    data = saves(nimmt)[scene]
    assert nimmt.Game.load(data).save() == data
    with pytest.raises(nimmt.BadRecord):
        nimmt.Game.load(patched(data, changes))


def test_a_game_over_cannot_have_new_players(nimmt: ModuleType) -> None:
    """A joined player is one too many for a round that is not over, or a game that is."""
    data = bytearray(GAMES["joined"](nimmt).save())
    most = max(int.from_bytes(data[at : at + 3], "little") for at in range(36, 51, 3))
    data[10:12] = most.to_bytes(2, "little")  # the limit
    with pytest.raises(nimmt.BadRecord):
        nimmt.Game.load(with_crc(data))


def test_a_last_turn_helper(nimmt: ModuleType) -> None:
    """The helper that other tests build on gives games that load."""
    game, cards = last_turn(nimmt, [10, 20], [3, 7])
    assert lawful(nimmt, game.save())
    game.play(cards)
    assert game.scores == (13, 27)


if __name__ == "__main__":
    with tree_of("python") as package:
        GOLDEN.write_text(golden_saves(package), encoding="ascii")


def test_a_save_in_which_all_have_chosen(nimmt: ModuleType) -> None:
    """No play leads there: the last choice shows the cards (R4)."""
    game = nimmt.Game(2, 1)
    data = bytearray(game.save())
    at = len(data) - 4 - 164 + 31
    data[at : at + 2] = bytes((game.hand(0)[0], game.hand(1)[0]))
    with pytest.raises(nimmt.BadRecord, match="all have chosen"):
        nimmt.Game.load(with_crc(data))
