"""resolve_many: one turn in many positions that are given as arrays."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from ..core import layout as c
from ..errors import IllegalMove, NimmtError
from ..port import explain
from ..rules import CHOICES, one_of
from ..turn import resolve
from .arrays import exported, integers, numpy_or_none
from .backend import narrow, place
from .python import Placed, position_of
from .refusals import IllegalMoves, listing


class Turns(NamedTuple):
    rows: Any  # NDArray[numpy.uint8] where numpy is installed, which a type that is read at run time cannot say
    heads: Any
    owes: Any
    allowed: Any


explain(
    Turns,
    "What resolve_many returns: numpy arrays where numpy is installed, else memoryviews.",
    rows="the cards of the rows after placing, uint8: [position, row, place] in table order, then zeros",
    heads="bull heads that each seat takes, uint8: [position, seat]",
    owes="the seat that owes a row, at which placing has stopped, or 255; uint8: [position]",
    allowed="the rows that seat may take, a bit each from bit 0 for row 0, else 0; uint8: [position]",
)


def resolve_many(
    rows: object, plays: object, take: object = None, professional: bool = False, tie: str = "choose"
) -> Turns:
    """Place the cards of one turn in many positions, each as nimmt.resolve does (R4..R8; P1..P5 if `professional`).

    rows           a buffer of integers, n × 4 × 5: the cards of each row in table order, 1..5 of them, then zeros
    plays          a buffer of integers, n × seats, for 1..10 seats: the card of each seat, or 0 if it does not play
    take           a buffer of integers, n × seats: the row that each seat takes if it owes one. What is not 0..3 takes
                   none: there placing stops, as everywhere if take is None. What is not needed is ignored
    tie            P4: "choose", "right" or "left"

    Raises NimmtError for rows that cannot be or another shape, IllegalMoves for cards that cannot be played or rows
    that may not be taken, whose `rounds` are the numbers of the positions, TypeError for wrong types.
    """
    one_of("professional", professional)
    one_of("tie", tie)
    shape = exported(plays, "plays").shape or ()
    if len(shape) != 2 or not 1 <= shape[1] <= 10 or not shape[0]:
        given = " × ".join(map(str, shape)) or "()"
        raise NimmtError(f"plays must be positions × seats, 1 or more × 1..10, not {given}")
    n, seats = shape
    cards, table = integers(plays, (n, seats), "plays"), integers(rows, (n, 4, 5), "rows")
    wanted = None if take is None else integers(take, (n, seats), "take")
    flags = c.PROFESSIONAL * professional | c.TIE_RIGHT * CHOICES["tie"].index(tie)
    placed = Placed(bytearray(20 * n), bytearray(seats * n), bytearray(n), bytearray(n))
    given_rows, given_cards = narrow(table), narrow(cards)
    given_take = None if wanted is None else narrow(wanted)
    if place(given_rows, given_cards, given_take, seats, flags, placed):
        codes = array("b", bytes(n))
        place(given_rows, given_cards, given_take, seats, flags, placed, codes)
        _refuse(codes, table, cards, wanted, seats, professional, tie)
    heads = _shaped(placed.heads, n, seats)
    return Turns(_shaped(placed.rows, n, 4, 5), heads, _shaped(placed.owes, n), _shaped(placed.allowed, n))


def _refuse(
    codes: array[int],
    rows: memoryview,
    cards: memoryview,
    take: memoryview | None,
    seats: int,
    professional: bool,
    tie: str,
) -> None:
    """Raise for the first position that is refused what nimmt.resolve raises for it."""
    positions = tuple(i for i, code in enumerate(codes) if code)
    first = positions[0]
    try:
        resolve(*position_of(rows, cards, take, seats, first), professional, tie)
    except IllegalMove as error:
        raise IllegalMoves(f"position {first}: {error}{listing(positions, 'positions')}", positions) from None
    except NimmtError as error:
        raise NimmtError(f"position {first}: {error}{listing(positions, 'positions')}") from None
    raise RuntimeError(f"the core refuses position {first}, which may be played")  # a fault of the package


def _shaped(data: bytearray, *shape: int) -> Any:
    """Return bytes as a table."""
    numpy, view = numpy_or_none(), memoryview(data).cast("B", shape)
    return view if numpy is None else numpy.asarray(view)
