"""What a Batch refuses: the class, the words, and nothing changed; the same on both backends."""

from __future__ import annotations

import pickle
from types import ModuleType
from typing import Any

import numpy
import pytest
from sim.helpers import part, slow_is_expected

pytestmark = slow_is_expected


def lowest(batch: Any) -> Any:
    return batch.hands[:, :, 0].astype(int)


BAD_ARGUMENTS: list[tuple[dict[str, Any], str, str]] = [
    ({"n": 0}, "NimmtError", "a batch has 1..2**31-1 rounds, not 0"),
    ({"n": -5}, "NimmtError", "a batch has 1..2**31-1 rounds, not -5"),
    ({"n": 2.0}, "TypeError", "n must be an integer, not float"),
    ({"n": True}, "TypeError", "n must be an integer, not bool"),
    ({"players": 1}, "NimmtError", "2 to 10 can play, not 1 (R1)"),
    ({"players": 11}, "NimmtError", "2 to 10 can play, not 11 (R1)"),
    ({"players": ["a", "b"]}, "TypeError", "players must be an integer, not list"),
    ({"seed": 2**64}, "NimmtError", "seed must be 0..2**64-1"),
    ({"first": 2**64 - 1}, "NimmtError", "games are numbered 0..2**64-1: 2 games from"),
    ({"rules": None}, "TypeError", "rules must be nimmt.Rules, not NoneType"),
    ({"rules": "LOGIC"}, "NimmtError", "a batch cannot play these rules: the logic draft (V2) is picked by players"),
    ({"take": "nearest"}, "NimmtError", "take must be 'cheapest' or 'random' or 'caller', not 'nearest'"),
    ({"take": 1}, "TypeError", "take must be 'cheapest' or 'random' or 'caller', not int"),
]


@pytest.mark.parametrize(("change", "kind", "message"), BAD_ARGUMENTS, ids=lambda value: str(value)[:30])
def test_arguments(nimmt: ModuleType, change: dict[str, Any], kind: str, message: str) -> None:
    arguments: dict[str, Any] = {"n": 2, "players": 3, "seed": 1, **change}
    if arguments.get("rules") == "LOGIC":
        arguments["rules"] = nimmt.LOGIC
    with pytest.raises(TypeError if kind == "TypeError" else nimmt.NimmtError) as caught:
        part("sim").Batch(**arguments)
    assert message in str(caught.value)


def test_illegal_cards_name_the_rounds_and_change_nothing(nimmt: ModuleType) -> None:
    sim = part("sim")
    batch = sim.Batch(30, 4, 1)
    good = lowest(batch)
    stranger = good[4, 3]  # a card of another seat
    cases: list[tuple[dict[tuple[int, int], int], str]] = [
        ({(4, 2): stranger}, f"round 4: seat 2 does not hold card {stranger} (R4)"),
        ({(4, 2): 0}, "round 4: seat 2: there is no card 0: the deck is 1..104 (R1, V1)"),
        ({(29, 3): 105}, "round 29: seat 3: there is no card 105: the deck is 1..104 (R1, V1)"),
        ({(29, 3): 255, (3, 0): 256}, "round 3: seat 0: there is no card 256: the deck is 1..104 (R1, V1)"
         "; 2 rounds refuse: 3, 29"),
        ({(0, 0): -1}, "round 0: seat 0: there is no card -1: the deck is 1..104 (R1, V1)"),
        ({(0, 0): 2**40 + int(good[0, 0])}, f"round 0: seat 0: there is no card {2**40 + int(good[0, 0])}"),
        ({(k, 1): 0 for k in range(11, 30)}, "19 rounds refuse: 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, ..."),
    ]  # fmt: skip
    before = pickle.dumps(batch)
    out = numpy.full((30, 4), 77, numpy.uint8)
    for changes, message in cases:
        cards = good.copy()
        for place, card in changes.items():
            cards[place] = card
        for move in (batch.choose, lambda cards: batch.play(cards, out)):
            with pytest.raises(sim.IllegalMoves) as caught:
                move(cards)
            assert message in str(caught.value)
            assert caught.value.rounds == tuple(sorted({k for k, _ in changes}))
            assert isinstance(caught.value, nimmt.IllegalMove)
            assert pickle.loads(pickle.dumps(caught.value)).rounds == caught.value.rounds
            assert pickle.dumps(batch) == before
            assert (out == 77).all()
    batch.play(good, out)  # the legal move still works
    assert (out != 77).all()


def test_a_played_card_is_gone(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(3, 2, 1)
    cards = lowest(batch)
    batch.play(cards)
    with pytest.raises(nimmt.IllegalMove, match="round 0: seat 0 does not hold card"):
        batch.choose(cards)


def test_wrong_buffers(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(3, 4, 1)
    good, before = lowest(batch), pickle.dumps(batch)
    types: list[tuple[Any, str]] = [
        (good.tolist(), "cards must be a buffer, such as a numpy array or array.array, not list"),
        (None, "cards must be a buffer, such as a numpy array or array.array, not NoneType"),
        (5, "not int"),
        ("abcdefghijkl", "not str"),
        (good.astype(float), "cards must be a buffer of integers, not of format 'd'"),
        (good.astype(bool), "cards must be a buffer of integers, not of format '?'"),
        (good.astype(complex), "of format 'Zd'"),
        (good.astype(object), "of format 'O'"),
        (good.astype(">i4"), "of format '>i'"),
        (good.astype("M8[s]"), "not ndarray"),
        (good.astype("S2"), "of format '2s'"),
    ]
    for cards, message in types:
        with pytest.raises(TypeError) as caught:
            batch.choose(cards)
        assert message in str(caught.value)
    for cards in (good.T, good[:2], good[:, :3], good[None], good.reshape(2, 6), good[0, 0], numpy.zeros((0, 4), int)):
        with pytest.raises(nimmt.NimmtError, match=r"cards must be 3 × 4, not "):
            batch.choose(cards)
    assert pickle.dumps(batch) == before
    batch.choose(good)


def test_wrong_out(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(3, 4, 1)
    batch.choose(lowest(batch))
    before = pickle.dumps(batch)
    frozen = numpy.zeros((3, 4), numpy.uint8)
    frozen.flags.writeable = False
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([0] * 12, TypeError, "out must be a buffer"),
        (numpy.zeros((3, 4), int), TypeError, "out must be a buffer of uint8, not of format 'l'"),
        (numpy.zeros((3, 4), numpy.int8), TypeError, "out must be a buffer of uint8, not of format 'b'"),
        (numpy.zeros((4, 3), numpy.uint8), nimmt.NimmtError, "out must be 3 × 4, not 4 × 3"),
        (numpy.zeros(11, numpy.uint8), nimmt.NimmtError, "out must be 3 × 4, not 11"),
        (frozen, nimmt.NimmtError, "out is read-only"),
        (bytes(12), nimmt.NimmtError, "out is read-only"),
        (numpy.zeros((4, 3), numpy.uint8).T, nimmt.NimmtError, "out must be contiguous"),
        (numpy.zeros((3, 8), numpy.uint8)[:, ::2], nimmt.NimmtError, "out must be contiguous"),
        (batch.heads, nimmt.NimmtError, "out is read-only"),
    ]
    for out, error, message in wrong:
        for move in (
            batch.resolve,
            lambda out: batch.play(lowest(batch), out),
            lambda out: batch.policy_cards(["lowest"] * 4, out),
            lambda out: batch.take(bytes(3), out),
        ):
            with pytest.raises(error) as caught:
                move(out)
            assert message.replace("'l'", numpy.dtype(int).char.join("''")) in str(caught.value)
            assert pickle.dumps(batch) == before
    with pytest.raises(nimmt.NimmtError, match="out must be 3 × 4 × 105, not 3 × 4"):
        batch.fill_legal(numpy.zeros((3, 4), numpy.uint8))
    for good in (bytearray(12), numpy.zeros(12, numpy.uint8), numpy.zeros((3, 4), numpy.uint8)):
        assert batch.copy().resolve(good) == 0


def test_moves_at_the_wrong_time(nimmt: ModuleType) -> None:
    WrongPhase = nimmt.WrongPhase
    batch = part("sim").Batch(40, 3, 2, take="caller")
    with pytest.raises(WrongPhase, match="cards are not chosen yet"):
        batch.resolve()
    with pytest.raises(WrongPhase, match="no round owes a row"):
        batch.take(bytes(40))
    while not batch.owing:
        batch.play(lowest(batch))
    owing = numpy.flatnonzero(batch.phase == 1)
    assert 0 < len(owing) < 40
    before = pickle.dumps(batch)
    seat = batch.owes[owing[0]]
    late = f"cannot {{}} now: round {owing[0]}: seat {seat} must take a row first (R7, P5)"
    if len(owing) > 1:
        late += f"; {len(owing)} rounds refuse: {owing[0]}, {owing[1]}"
    for what, move in {
        "choose": lambda: batch.choose(lowest(batch)),
        "resolve": batch.resolve,
    }.items():
        with pytest.raises(WrongPhase) as caught:
            move()
        assert late.format(what) in str(caught.value)
    with pytest.raises(WrongPhase, match="cannot choose now"):
        batch.policy_cards(["lowest"] * 3)
    with pytest.raises(WrongPhase, match="cannot deal now: round 0: "):
        batch.deal()
    assert pickle.dumps(batch) == before


def test_rows_that_may_not_be_taken(nimmt: ModuleType) -> None:
    sim = part("sim")
    batch = sim.Batch(40, 3, 2, take="caller", rules=nimmt.PROFESSIONAL)
    while not ((batch.phase == 1) & (batch.allowed != 15)).any():
        if batch.owing:
            batch.take(numpy.array([mask.bit_length() - 1 for mask in batch.allowed.tolist()]))
        elif batch.is_over:
            batch.deal()
        else:
            batch.play(batch.policy_cards(["random"] * 3))
    before = pickle.dumps(batch)
    (tie, *_) = numpy.flatnonzero((batch.phase == 1) & (batch.allowed != 15))
    for row in (-1, 4, 255, 1000):
        rows = numpy.array([mask.bit_length() - 1 for mask in batch.allowed.tolist()])
        rows[tie] = row
        with pytest.raises(
            sim.IllegalMoves, match=rf"round {tie}: seat . may not take row {row} for card .*\(P4\)"
        ) as caught:
            batch.take(rows)
        assert caught.value.rounds == (tie,)
    for wrong in ([0] * 40, numpy.zeros(40)):
        with pytest.raises(TypeError, match="rows must be a buffer"):
            batch.take(wrong)
    with pytest.raises(nimmt.NimmtError, match="rows must be 40, not 39"):
        batch.take(bytes(39))
    assert pickle.dumps(batch) == before
    batch.take(numpy.array([max(mask.bit_length() - 1, -7) for mask in batch.allowed.tolist()]))


def test_policy_cards_refuses(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(2, 3, 2)
    before = pickle.dumps(batch)
    with pytest.raises(nimmt.NimmtError, match="3 players need 3 policies, not 2"):
        batch.policy_cards(["lowest"] * 2)
    with pytest.raises(nimmt.NimmtError, match="there is no policy 'best'"):
        batch.policy_cards(["lowest", "random", "best"])
    with pytest.raises(TypeError, match="a policy is named by text, not int"):
        batch.policy_cards(["lowest", "random", 3])
    with pytest.raises(TypeError, match="policies must be a sequence, not str"):
        batch.policy_cards("lowest")
    assert pickle.dumps(batch) == before
    out = numpy.full((2, 3), 200, numpy.uint8)
    assert batch.policy_cards([None, "lowest", None], out) is out
    assert (out[:, [0, 2]] == 200).all()
    assert (out[:, 1] == batch.hands[:, 1, 0]).all()
