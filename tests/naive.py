"""A third resolver for the tests: lists of lists, written from RULES.md alone, slow and plain.

It shares no code with the two cores and knows nothing of their bytes, so a mistake that both cores share still shows.
Numbers like R5 are rules in RULES.md.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Rows = list[list[int]]
ChooseRow = Callable[[int, int, list[int], Rows], int]  # seat, card, the rows it may take, all rows as they lie -> row


class Placement(NamedTuple):
    seat: int
    card: int
    row: int
    side: str | None  # "right", "left"; None: a row taken by choice (R7, P3)
    taken: list[int]  # in table order


class End(NamedTuple):
    """An end of a row where a card may go, and how far the card is from it."""

    difference: int
    side: str
    row: int


def bull_heads(cards: int | Sequence[int]) -> int:
    """Of one card, or of several together (R2)."""
    if not isinstance(cards, int):
        return sum(bull_heads(card) for card in cards)
    if cards == 55:
        return 7
    for divisor, heads in ((11, 5), (10, 3), (5, 2)):
        if cards % divisor == 0:
            return heads
    return 1


def ends(rows: Rows, card: int, professional: bool) -> list[End]:
    """All ends where the card may go, near or far: right of a row (R5) and, in professional, left of one (P1)."""
    right = [End(card - row[-1], "right", number) for number, row in enumerate(rows) if row[-1] < card]
    left = [End(row[0] - card, "left", number) for number, row in enumerate(rows) if card < row[0]]
    return right + left if professional else right


def nearest_ends(rows: Rows, card: int, professional: bool, tie: str) -> list[End]:
    """Where the card goes: one end; two in a tie that its owner decides (P4); none if it fits nowhere (R7, P3)."""
    possible = ends(rows, card, professional)
    nearest = [end for end in possible if end.difference == min(possible).difference]
    decided = [end for end in nearest if end.side == tie]
    return decided if len(nearest) == 2 and decided else nearest


def resolve_turn(
    rows: Sequence[Sequence[int]],
    plays: Mapping[int, int],
    choose_row: ChooseRow,
    professional: bool = False,
    tie: str = "choose",
) -> tuple[list[Placement], Rows]:
    """Places the cards of a turn (seat -> card), lowest first (R4), and asks `choose_row` whenever a row is owed."""
    table = [list(row) for row in rows]
    placements = []
    for card, seat in sorted((card, seat) for seat, card in plays.items()):
        options = nearest_ends(table, card, professional, tie)
        if len(options) == 1:
            number = options[0].row
        else:
            allowed = sorted(end.row for end in options) or [0, 1, 2, 3]
            number = choose_row(seat, card, allowed, [list(row) for row in table])
            if number not in allowed:
                raise ValueError(f"seat {seat} may take rows {allowed} for card {card}, not {number}")
        side = next((end.side for end in options if end.row == number), None)
        row, taken = table[number], []
        if side is None or len(row) == 5:  # R7, P3; R6, P2
            row, taken = [], row
        table[number] = [card] + row if side == "left" else row + [card]
        placements.append(Placement(seat, card, number, side, taken))
    return placements, table


def cheapest(rows: Rows, card: int, allowed: Sequence[int], option: str = "index", professional: bool = False) -> int:
    """The row that is taken for a player who did not choose.

    Of a tie the side that costs less, then the right one (A2). Otherwise the row with the fewest bull heads, of equal
    ones by `option`: "index", "fewest" or "most" cards, then the lowest number (A1).
    """
    tied = [end for end in nearest_ends(rows, card, professional, "choose") if end.row in allowed]
    if tied:
        costs = [(bull_heads(rows[end.row]) if len(rows[end.row]) == 5 else 0, end.side == "left", end) for end in tied]
        return min(costs)[2].row
    sign = {"index": 0, "fewest": 1, "most": -1}[option]
    return min((bull_heads(rows[row]), sign * len(rows[row]), row) for row in allowed)[2]
