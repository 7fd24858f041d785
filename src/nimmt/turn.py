"""One turn as a function, and the bull heads of a card."""

from .args import as_int, by_seat, checked_card, checked_rows, no_card
from .core import core
from .core import layout as c
from .errors import IllegalMove, NimmtError
from .events import Placed, RowOwed, Rows  # noqa: F401 - in types
from .port import Iterable, Mapping, NamedTuple, explain
from .rules import CHOICES, one_of
from .state import owed_of, pack, placed_of, rows_of
from .table import may_not_take

Turn = NamedTuple(
    "Turn",
    [
        ("rows", Rows),
        ("placed", "tuple[Placed, ...]"),
        ("pending", "RowOwed | None"),
        ("heads", "dict[int, int]"),
    ],
)
if __debug__:
    explain(
        Turn,
        "What nimmt.resolve returns.",
        rows="the four rows after placing, in table order",
        placed="the Placed events, in the order of placing",
        pending="the RowOwed that stopped it, or None",
        heads="bull heads taken, by seat of `plays`",
    )


def bull_heads(card: int) -> int:
    """Return the bull heads of a card, 1, 2, 3, 5 or 7 (R2).

    Raises TypeError if `card` is not an integer and NimmtError if it is not in 1..104.
    """
    card = as_int(card, "card")
    if not 1 <= card <= c.CARDS:
        raise NimmtError(no_card(card, c.CARDS))
    return c.HEADS[card]


def _checked_plays(plays: object, lying: "list[int]") -> "dict[int, int]":
    """Return the cards by seat, or raise IllegalMove for one that is not a card or lies already (R1, R4)."""
    cards = by_seat(plays, "plays", "card")
    if not cards:
        raise IllegalMove("nobody has played a card (R4)")
    for seat in sorted(cards):
        card = checked_card(seat, cards[seat], c.CARDS)
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
    flags = c.PROFESSIONAL * professional | c.TIE_RIGHT * CHOICES["tie"].index(tie)
    state = pack(max(2, max(cards) + 1), 104, flags, c.TAKE, table)
    for seat in cards:
        state[c.CHOSEN + seat] = cards[seat]
    r, log = core.bind(state), bytearray(10 * c.PLACED)
    placed = placed_of(log, core.resolve(r, core.bind_log(log)))
    owed = owed_of(state)
    while owed and owed.seat in wanted:
        row = wanted[owed.seat]
        if row not in owed.rows:
            raise IllegalMove(may_not_take(owed, row))
        placed += placed_of(log, core.take(r, owed.seat, row, core.bind_log(log)))
        owed = owed_of(state)
    heads = {seat: state[c.TAKEN + seat] for seat in sorted(cards)}
    return Turn(rows_of(state), tuple(placed), owed, heads)
