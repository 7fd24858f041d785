"""The bytes of a round in the words of the game: functions for all who read them."""

from . import _pycore as c
from .events import RowOwed
from .rules import CHOICES, Rules

DRAFT = 3  # a phase that only this side of the seam knows: see draft.py
PHASES = ("choose", "take", "scored", "draft")


def flags_of(rules: Rules) -> int:
    """Return the flags byte of the core for these rules; TypeError for anything but Rules."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be nimmt.Rules, not {type(rules).__name__}")
    # Each bit of a tie and of the cheapest row stands for one choice; the first choice has none.
    tie, cheapest = CHOICES["tie"].index(rules.tie), CHOICES["cheapest"].index(rules.cheapest)
    return c.PROFESSIONAL * rules.professional | c.TIE_RIGHT * tie | c.CHEAPEST_FEWEST * cheapest


def rows_of(state: "bytes | bytearray") -> "tuple[tuple[int, ...], ...]":
    """Return the rows as tuples, in table order."""
    return tuple([tuple(state[at : at + n]) for at, n in zip(range(c.ROWS, c.CHOSEN, 5), state[c.LENGTH : c.ROWS])])


def hand_of(state: "bytes | bytearray", seat: int) -> bytes:
    """Return the cards of a seat that were not shown yet, ascending."""
    at = c.HANDS + 10 * seat
    return bytes([card for card in state[at : at + 10] if card])


def owed_of(state: "bytes | bytearray") -> "RowOwed | None":
    """Return the row that is owed, or None."""
    mask, seat = state[c.ALLOWED], state[c.OWES]
    if not mask:
        return None
    return RowOwed(seat, state[c.CHOSEN + seat], tuple([row for row in range(4) if mask >> row & 1]))
