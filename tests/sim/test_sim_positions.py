"""resolve_many: position by position what nimmt.resolve gives, and refused where that refuses."""

from __future__ import annotations

import pickle
import random
from types import ModuleType
from typing import Any

import numpy
import pytest
from conftest import Tree
from sim.helpers import part

Position = tuple[list[list[int]], list[int], list[int]]


def positions(rng: random.Random, count: int, seats: int) -> list[Position]:
    """Return rows, a card or 0 by seat, at least one card, and a row to take or something else by seat."""
    made = []
    for _ in range(count):
        deck = rng.sample(range(1, 105), 20 + seats)
        rows = [sorted(deck[5 * row : 5 * row + rng.randint(1, 5)]) for row in range(4)]
        plays = rng.randrange(seats)  # this seat plays in any case
        cards = [card if seat == plays or rng.random() < 0.9 else 0 for seat, card in enumerate(deck[20:])]
        made.append((rows, cards, [rng.choice((0, 1, 2, 3, 0, 1, 2, 3, 255)) for _ in range(seats)]))
    return made


def arrays(made: list[Position], kind: Any = numpy.uint8) -> tuple[Any, Any, Any]:
    """Return positions as arrays."""
    rows = [[row + [0] * (5 - len(row)) for row in rows] for rows, _, _ in made]
    plays, take = [each[1] for each in made], [each[2] for each in made]
    return numpy.array(rows, kind), numpy.array(plays, kind), numpy.array(take)


def expected(nimmt: ModuleType, position: Position, take: bool, options: dict[str, Any]) -> Any:
    """Return what nimmt.resolve makes of a position, as resolve_many shows it, or None where it refuses a row."""
    rows, cards, wanted = position
    plays = {seat: card for seat, card in enumerate(cards) if card}
    rows_to_take = {seat: row for seat, row in enumerate(wanted) if row < 4} if take else {}
    try:
        turn = nimmt.resolve(rows, plays, rows_to_take, **options)
    except nimmt.IllegalMove:
        return None
    heads = [turn.heads.get(seat, 0) for seat in range(len(cards))]
    owes = (turn.pending.seat, sum(1 << row for row in turn.pending.rows)) if turn.pending else (255, 0)
    return [list(row) + [0] * (5 - len(row)) for row in turn.rows], heads, owes


OPTIONS: list[dict[str, Any]] = [
    {},
    {"professional": True},
    {"professional": True, "tie": "right"},
    {"professional": True, "tie": "left"},
    {"tie": "left"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("take", [True, False])
def test_it_is_resolve_for_each(nimmt: ModuleType, options: dict[str, Any], take: bool) -> None:
    """In all, 100,000 positions in C."""
    rng, owed = random.Random(str(options)), 0
    for seats in range(1, 11):
        made = positions(rng, 1000 if nimmt.backend == "c" else 100, seats)
        wanted = [expected(nimmt, position, take, options) for position in made]
        good = [(position, each) for position, each in zip(made, wanted, strict=True) if each is not None]
        rows, plays, rows_to_take = arrays([position for position, _ in good], rng.choice((numpy.uint8, numpy.int64)))
        turns = part("sim").resolve_many(rows, plays, rows_to_take if take else None, **options)
        for i, (_, (four, heads, owes)) in enumerate(good):
            assert turns.rows[i].tolist() == four
            assert turns.heads[i].tolist() == heads
            assert (turns.owes[i], turns.allowed[i]) == owes
            owed += owes[0] < 255
    assert owed > 10


def test_both_backends_agree(trees: tuple[Tree, Tree]) -> None:
    rows, plays, _ = arrays(positions(random.Random(1), 50, 4))
    found = []
    for tree in trees:
        with tree:
            turns = part("sim").resolve_many(rows, plays, professional=True)
            found.append([each.tolist() for each in turns])
    assert found[0] == found[1]


def test_a_result(nimmt: ModuleType) -> None:
    rows, plays, take = arrays([([[12], [37], [43], [58]], [3, 15, 0, 0], [2, 9, 9, 9])])
    turns = part("sim").resolve_many(memoryview(rows), memoryview(plays), take)
    assert turns.rows.tolist() == [[[12, 15, 0, 0, 0], [37, 0, 0, 0, 0], [3, 0, 0, 0, 0], [58, 0, 0, 0, 0]]]
    assert turns.heads.tolist() == [[1, 0, 0, 0]]
    assert (turns.owes.tolist(), turns.allowed.tolist()) == ([255], [0])
    assert [each.dtype for each in turns] == [numpy.uint8] * 4
    assert pickle.loads(pickle.dumps(turns)).heads.tolist() == turns.heads.tolist()
    turns = part("sim").resolve_many(rows, plays)
    assert (turns.owes.tolist(), turns.allowed.tolist()) == ([0], [15])
    assert turns.rows.tolist() == rows.tolist()


GOOD: Position = ([[12], [37], [43], [58]], [14, 15], [0, 0])
BAD: list[tuple[Position, str, str]] = [
    (([[12], [37], [43], [58, 57]], [14, 15], [0, 0]), "NimmtError", "row 3 does not ascend: 58 before 57"),
    (([[12], [37], [43], []], [14, 15], [0, 0]), "NimmtError", "row 3 has 0 cards"),
    (([[12], [37], [43, 0, 44], [58]], [14, 15], [0, 0]), "NimmtError", "row 2 does not ascend: 43 before 0"),
    (([[12], [37], [43], [105]], [14, 15], [0, 0]), "NimmtError", "there is no card 105"),
    (([[12], [37], [43], [12]], [14, 15], [0, 0]), "NimmtError", "card 12 is there twice"),
    (([[12], [37], [43], [58]], [14, 14], [0, 0]), "IllegalMove", "seat 1: card 14 is there twice"),
    (([[12], [37], [43], [58]], [14, 37], [0, 0]), "IllegalMove", "seat 1: card 37 is there twice"),
    (([[12], [37], [43], [58]], [105, 37], [0, 0]), "IllegalMove", "seat 0: there is no card 105"),
    (([[12], [37], [43], [58]], [-3, 7], [0, 0]), "IllegalMove", "seat 0: there is no card -3"),
    (([[12], [37], [43], [58]], [2, 12 + 256], [0, 0]), "IllegalMove", "seat 1: there is no card 268"),
    (([[12], [37], [43], [58]], [0, 0], [0, 0]), "IllegalMove", "nobody has played a card"),
]


@pytest.mark.parametrize(("bad", "error", "message"), BAD)
def test_positions_that_are_refused(nimmt: ModuleType, bad: Position, error: str, message: str) -> None:
    rows, plays, take = arrays([GOOD, GOOD, bad, GOOD, bad], numpy.int16)
    with pytest.raises(getattr(nimmt, error), match=f"^position 2: {message}.*; 2 positions refuse: 2, 4$") as caught:
        part("sim").resolve_many(rows, plays, take)
    if error == "IllegalMove":
        assert caught.value.rounds == (2, 4)


def test_a_row_that_may_not_be_taken(nimmt: ModuleType) -> None:
    rows, plays, take = arrays([([[48], [52], [80], [90]], [50], [2])])
    assert part("sim").resolve_many(rows, plays, professional=True).allowed.tolist() == [3]
    with pytest.raises(nimmt.IllegalMove, match=r"^position 0: seat 0 may not take row 2 for card 50, .*\(P4\)$"):
        part("sim").resolve_many(rows, plays, take, professional=True)


SHAPES: list[tuple[dict[str, Any], str, str]] = [
    ({"rows": [[[1, 2]]]}, "TypeError", "rows must be a buffer"),
    ({"rows": numpy.ones((2, 4, 4), int)}, "NimmtError", "rows must be 2 × 4 × 5, not 2 × 4 × 4"),
    ({"rows": numpy.ones((2, 4, 5))}, "TypeError", "rows must be a buffer of integers, not of format 'd'"),
    ({"plays": numpy.ones(2, int)}, "NimmtError", r"plays must be positions × seats, 1 or more × 1\.\.10, not 2"),
    ({"plays": numpy.ones((2, 11), int)}, "NimmtError", "plays must be positions × seats, .* not 2 × 11"),
    ({"plays": numpy.ones((0, 2), int)}, "NimmtError", "plays must be positions × seats, .* not 0 × 2"),
    ({"plays": [14, 15]}, "TypeError", "plays must be a buffer"),
    ({"take": numpy.ones((2, 3), int)}, "NimmtError", "take must be 2 × 2, not 2 × 3"),
    ({"professional": 1}, "TypeError", "professional must be False or True, not int"),
    ({"tie": "both"}, "NimmtError", "tie must be"),
]


@pytest.mark.parametrize(("change", "error", "message"), SHAPES)
def test_arrays_that_are_refused(nimmt: ModuleType, change: dict[str, Any], error: str, message: str) -> None:
    rows, plays, take = arrays([GOOD, GOOD])
    with pytest.raises(TypeError if error == "TypeError" else getattr(nimmt, error), match=message):
        part("sim").resolve_many(**({"rows": rows, "plays": plays, "take": take} | change))
