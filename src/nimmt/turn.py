"""One turn as a function, and the bull heads of a card."""

from collections import namedtuple

from ._backend import core
from ._pycore import CHOSEN, PLACED, PROFESSIONAL, TAKE, TAKEN, TIE_RIGHT
from .cards import CARDS, HEADS
from .checks import by_seat
from .errors import IllegalMove, NimmtError, as_int
from .layout import owed_of, rows_of
from .moves import placed_of
from .position import checked_rows, pack
from .rules import CHOICES, one_of

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NamedTuple

    from .events import Placed, RowOwed

    class Turn(NamedTuple):
        """What nimmt.resolve returns.

        `rows` after placing, `placed` in order, `pending` the RowOwed that stopped it or None, `heads` by seat of
        `plays`.
        """

        rows: tuple[tuple[int, ...], ...]
        placed: tuple[Placed, ...]
        pending: RowOwed | None
        heads: dict[int, int]

else:
    Turn = namedtuple("Turn", ("rows", "placed", "pending", "heads"))


def bull_heads(card: int) -> int:
    """Return the bull heads of a card, 1, 2, 3, 5 or 7 (R2).

    Raises TypeError if `card` is no integer and NimmtError if it is not in 1..104.
    """
    card = as_int(card, "card")
    if not 1 <= card <= CARDS:
        raise NimmtError(f"there is no card {card}: cards are 1..104 (R1)")
    return HEADS[card]


def _checked_plays(plays: object, lying: "list[int]") -> "dict[int, int]":
    """Return the cards by seat, or raise IllegalMove for one that is no card or lies already (R1, R4)."""
    cards = by_seat(plays, "plays", "card")
    if not cards:
        raise IllegalMove("nobody has played a card (R4)")
    for seat in sorted(cards):
        card = cards[seat]
        if not 1 <= card <= 104:
            raise IllegalMove(f"seat {seat}: there is no card {card}: cards are 1..104 (R1)")
        if card in lying:
            raise IllegalMove(f"seat {seat}: card {card} is there twice (R1)")
        lying.append(card)
    return cards


def resolve(
    rows: "Iterable[Iterable[int]]",
    plays: "Iterable[int] | Mapping[int, int]",
    take: "Iterable[int] | Mapping[int, int]" = (),
    professional: bool = False,
    tie: str = "choose",
) -> Turn:
    """Place the cards of one turn (R4..R8; P1..P5 if `professional`) and return a Turn.

    rows           four ascending sequences of 1..5 cards
    plays          the cards: a mapping from seats 0..9, in any order, or a sequence by seat; 1 to 10 cards
    take           a mapping from seats to the rows they take if they owe one; what is not needed is ignored
    tie            P4: "choose", "right" or "left"

    Where a row is owed and `take` has none for that seat, placing stops: `pending` is the RowOwed, `rows` and `placed`
    are as they are at that moment. Raises NimmtError for rows that cannot be, IllegalMove for a card that cannot be
    played or a row that may not be taken, TypeError for wrong types.
    """
    one_of("professional", professional)
    one_of("tie", tie)
    table, wanted = checked_rows(rows), by_seat(take, "take", "row")
    cards = _checked_plays(plays, [card for row in table for card in row])
    flags = PROFESSIONAL * professional | TIE_RIGHT * CHOICES["tie"].index(tie)
    state = pack(max(2, max(cards) + 1), 104, flags, TAKE, table)
    for seat in cards:
        state[CHOSEN + seat] = cards[seat]
    r, log = core.bind(state), bytearray(10 * PLACED)
    placed = placed_of(log, core.resolve(r, core.bind_log(log)))
    owed = owed_of(state)
    while owed and owed.seat in wanted:
        row = wanted[owed.seat]
        if row not in owed.rows:
            from .refuse import may_not_take

            raise IllegalMove(may_not_take(owed, row))
        placed += placed_of(log, core.take(r, owed.seat, row, core.bind_log(log)))
        owed = owed_of(state)
    heads = {seat: state[TAKEN + seat] for seat in sorted(cards)}
    return Turn(rows_of(state), tuple(placed), owed, heads)
