"""Batch: both backends and the scalar core say the same; views, out=, pickling."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from array import array
from types import ModuleType
from typing import Any

import numpy
import pytest
from conftest import Tree
from sim.helpers import part, rules_of, slow_is_expected

pytestmark = slow_is_expected


def random_cards(batch: Any, rng: random.Random) -> bytes:
    """Return a card of each hand."""
    return bytes(rng.choice([card for card in hand if card]) for hands in batch.hands.tolist() for hand in hands)


def random_rows(batch: Any, rng: random.Random) -> bytes:
    """Return a row that may be taken for each round that owes one, nonsense for the others."""
    masks = batch.allowed.tolist()
    return bytes(rng.choice([row for row in range(4) if mask >> row & 1]) if mask else 99 for mask in masks)


@pytest.mark.parametrize("take", ["cheapest", "random"])
def test_built_in_policies_make_the_games_of_simulate(nimmt: ModuleType, take: str) -> None:
    sim = part("sim")
    n = 60 if nimmt.backend == "c" else 4
    for name, rules in rules_of(nimmt).items():
        # A batch takes rows for all seats alike.
        policies = ["random"] * 3 if take == "random" else ["random", "nearest", "highest"]
        batch = sim.Batch(n, 3, 21, rules=rules, first=2**40 + 1, take=take)
        total = numpy.zeros((n, 3), int)
        for number in (1, 2):
            if number == 2:
                batch.deal()
            while not batch.is_over:
                assert batch.play(batch.policy_cards(policies)) == 0
            total += batch.heads
            again = nimmt.Rules(
                deck=rules.deck,
                professional=rules.professional,
                tie=rules.tie,
                cheapest=rules.cheapest,
                rounds=number,
            )
            result = sim.simulate(policies, n, 21, rules=again, take=take, first=2**40 + 1)
            assert (numpy.asarray(result.scores) == total).all(), name


@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
def test_both_backends_step_by_step(trees: tuple[Tree, Tree], players: int) -> None:
    logs = []
    for tree in trees:
        with tree as nimmt:
            log: list[Any] = []
            for name, rules in rules_of(nimmt).items():
                for take in ("cheapest", "random", "caller"):
                    rng = random.Random(f"{name} {take} {players}")
                    log += steps(part("sim").Batch(5, players, rng.getrandbits(64), rules=rules, take=take), rng)
            logs.append(log)
    assert len(logs[0]) > 500
    assert logs[0] == logs[1]


def steps(batch: Any, rng: random.Random) -> list[Any]:
    """Play one round and a deal; return all that can be seen on the way."""
    log: list[Any] = []
    heads = numpy.zeros((batch.n, batch.players), numpy.uint8)
    while not batch.is_over:
        batch.choose(random_cards(batch, rng))
        log.append(batch.chosen.tolist())
        owing = batch.resolve(heads)
        log += [owing, heads.tolist(), batch.block.tobytes(), batch.legal.tobytes()]
        while owing:
            owing = batch.take(random_rows(batch, rng), out=heads)
            log += [owing, heads.tolist(), batch.block.tobytes()]
        if not batch.is_over:
            log.append(batch.policy_cards(["random", None] + ["nearest"] * (batch.players - 2)).tolist())
    batch.deal()
    return [*log, batch.block.tobytes(), bytes(batch._block.streams)]


def test_every_round_is_what_the_scalar_core_makes_of_it(trees: tuple[Tree, Tree]) -> None:
    """csrc/nimmt_batch.c places cards of the base game in its own way: byte for byte as nimmt.c does."""
    with trees[0] as nimmt:
        core, c = part("core.c"), part("core.layout")
        for players in range(2, 11):
            for rules in rules_of(nimmt).values():
                rng = random.Random(players)
                batch = part("sim").Batch(40, players, 77, rules=rules, first=5, take="caller")
                states = []
                for k in range(40):
                    state = bytearray(c.SIZE)
                    highest, flags = rules.highest(players), part("state").flags_of(rules)
                    assert core.deal(core.bind(state), players, highest, flags, nimmt.Stream(77, 5 + k)) == 0
                    states.append(state)
                assert batch.block.tobytes() == b"".join(states)
                while not batch.is_over:
                    cards = random_cards(batch, rng)
                    batch.play(cards)
                    for k, state in enumerate(states):
                        assert core.play(core.bind(state), cards[k * players : (k + 1) * players], None) >= 0
                    while batch.owing:
                        assert batch.block.tobytes() == b"".join(states)
                        rows = random_rows(batch, rng)
                        batch.take(rows)
                        for state, row in zip(states, rows):
                            if state[c.ALLOWED]:
                                core.take(core.bind(state), state[c.OWES], row, None)
                    assert batch.block.tobytes() == b"".join(states)
                    assert all(core.check(core.bind(state)) == 0 for state in states)


def test_views_are_the_block(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(7, 3, 1, first=4)
    assert len(batch) == batch.n == 7
    shapes = {
        "heads": (7, 3),
        "rows": (7, 4, 5),
        "length": (7, 4),
        "hands": (7, 3, 10),
        "chosen": (7, 3),
        "phase": (7,),
        "turn": (7,),
        "owes": (7,),
        "allowed": (7,),
        "seen": (7, 13),
        "block": (7,),
    }
    views = {name: getattr(batch, name) for name in shapes}
    assert {name: view.shape for name, view in views.items()} == shapes
    for name, view in views.items():
        assert not view.flags.writeable
        assert numpy.shares_memory(view, batch.block), name
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
    batch.play(batch.policy_cards(["lowest"] * 3))
    assert (views["turn"] == 1).all(), "views follow"
    assert batch.block.dtype.itemsize == 164
    for k in range(7):
        one = batch[k]
        assert one.rows == tuple(tuple(card for card in row if card) for row in batch.rows[k].tolist())
        assert one.heads == tuple(batch.heads[k].tolist())
        for seat in range(3):
            hand = tuple(card for card in batch.hands[k, seat].tolist() if card)
            assert one.hand(seat) == one.legal(seat) == hand
            assert tuple(numpy.flatnonzero(batch.legal[k, seat])) == hand
    assert batch[-1] == batch[6]
    with pytest.raises(IndexError):
        batch[7]
    one.play([one.legal(seat)[0] for seat in range(3)])
    assert one != batch[6], "a round that was taken out is a copy"


def test_legal(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(3, 4, 1, take="caller")
    assert batch.legal.shape == (3, 4, 105)
    assert not batch.legal.flags.writeable
    for dtype in (numpy.uint8, numpy.bool_):
        mask = numpy.ones((3, 4, 105), dtype)
        batch.fill_legal(mask)
        assert (mask == batch.legal).all()
    flat = bytearray(3 * 4 * 105)
    batch.fill_legal(flat)
    assert flat == batch.legal.tobytes()
    while not batch.is_over:
        batch.play(batch.policy_cards(["lowest"] * 4))
        while batch.owing:
            owes = batch.phase == 1
            assert not batch.legal[owes].any()
            batch.take(random_rows(batch, random.Random(1)))
    assert not batch.legal.any()


def test_cards_of_any_integer_type(nimmt: ModuleType) -> None:
    Batch = part("sim").Batch
    one = Batch(4, 3, 1)
    cards = one.policy_cards(["lowest"] * 3)
    one.choose(cards)
    kinds = [numpy.dtype(code).newbyteorder("=") for code in "bBhHiIlLqQ"]
    given: list[Any] = [cards.astype(kind) for kind in kinds]
    given += [bytes(cards), bytearray(cards), memoryview(bytes(cards)), cards.reshape(-1)]
    given += [array("q", cards.reshape(-1).tolist()), memoryview(bytes(cards)).cast("B", (4, 3))]
    given += [numpy.asfortranarray(cards), numpy.repeat(cards.astype(int), 2, axis=1)[:, ::2]]
    for other in given:
        batch = Batch(4, 3, 1)
        batch.choose(other)
        assert batch == one, other


def test_pickle_and_copy(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(5, 4, 8, first=3, take="random")
    for _ in range(4):
        batch.play(batch.policy_cards(["random"] * 4))
    batch.choose(batch.policy_cards(["random"] * 4))
    for again in (pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch), batch.copy()):
        assert again == batch
        assert repr(again) == repr(batch) == "<Batch of 4: games 3..7 of seed 8, round 1>"
        again.resolve()
        assert again != batch
        while not again.is_over:
            again.play(again.policy_cards(["random"] * 4))
        again.deal()
        assert again.round == 2
    batch.resolve()
    with pytest.raises(TypeError):
        hash(batch)
    assert batch != 1


def test_pickles_cross_over(trees: tuple[Tree, Tree]) -> None:
    data = {}
    for tree in trees:
        with tree as nimmt:
            batch = part("sim").Batch(3, 4, 8, rules=nimmt.PROFESSIONAL)
            batch.play(batch.policy_cards(["random"] * 4))
            data[nimmt.backend] = pickle.dumps(batch)
    assert data["c"] == data["python"]
    for tree in trees:
        with tree:
            assert pickle.loads(data["c"]).turn.tolist() == [1, 1, 1]


def test_damaged_pickles(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(2, 2, 8)
    restored, (facts, state, streams) = batch.__reduce__()
    assert restored(facts, state, streams) == batch
    worse = [
        (facts, state[:-1], streams),
        (facts, state, streams[:-1]),
        ((0, *facts[1:]), b"", b""),
        ((*facts[:-1], 0), state, streams),
        (facts, state[:100] + bytes((state[100] ^ 1,)) + state[101:], streams),
        (facts, b"\3" + state[1:], streams),
        (facts, state[:164] + b"\3" + state[165:], streams),
    ]
    for damaged in worse:
        with pytest.raises(nimmt.NimmtError):
            restored(*damaged)


def test_rounds_go_on(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(3, 2, 7, first=1)
    hands = set()
    for number in range(1, 4):
        assert batch.round == number
        hands.add(batch.hands.tobytes())
        assert batch[0] == nimmt.Round.deal(2, nimmt.Stream(7, 1, number - 1))
        with pytest.raises(nimmt.WrongPhase, match="cannot deal now: round 0: cards are chosen now"):
            batch.deal()
        for _ in range(10):
            assert not batch.is_over
            batch.play(batch.policy_cards(["nearest"] * 2))
        assert batch.is_over
        batch.deal()
    assert len(hands) == 3


def test_without_numpy(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    Batch = part("sim").Batch
    with_numpy = Batch(3, 4, 5)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "numpy", None)
        batch = Batch(3, 4, 5)
        cards = batch.policy_cards(["highest"] * 4)
        assert isinstance(cards, memoryview)
        assert (cards.shape, cards.readonly) == ((3, 4), False)
        batch.play(cards)
        heads, rows, hands, turn = batch.heads, batch.rows, batch.hands, batch.turn
        assert (heads.shape, rows.shape, hands.shape, turn.shape) == ((3, 4), (3, 4, 5), (3, 4, 10), (3,))
        assert isinstance(turn, memoryview)
        assert turn.tolist() == [1, 1, 1]
        assert all(isinstance(view[0], memoryview) and view[0].readonly for view in (heads, rows, hands))
        assert (len(rows), len(rows[1:]), rows[-1].tolist()) == (3, 2, rows[2].tolist())
        assert (batch.legal.shape, batch.legal.readonly, batch.block.shape) == ((3, 4, 105), True, (3, 164))
        with pytest.raises(IndexError):
            rows[3]
        values = [[view[k].tolist() for k in range(3)] for view in (heads, rows, hands)]
        batch.play(batch.policy_cards(["lowest"] * 4))
        assert turn.tolist() == [2, 2, 2], "views follow"
    with_numpy.play(with_numpy.policy_cards(["highest"] * 4))
    assert values == [view.tolist() for view in (with_numpy.heads, with_numpy.rows, with_numpy.hands)]
