"""The bytes of a round in the words of the game: functions for all who read or make them."""

from .args import checked_players
from .core import core
from .core import layout as c
from .events import Cards, Placed, RowOwed, Rows
from .port import Iterable
from .rules import CHOICES, Rules, as_rules
from .stream import Stream

DRAFT = 3  # a phase that only this side of the seam knows: see draft.py
PHASES = ("choose", "take", "scored", "draft")
SIDES = (None, "right", "left")


def flags_of(rules: Rules) -> int:
    """Return the flags byte of the core for these rules; TypeError for anything but Rules."""
    rules = as_rules(rules)
    # Each bit of a tie and of the cheapest row stands for one choice; for the first choice neither is set.
    tie, cheapest = CHOICES["tie"].index(rules.tie), CHOICES["cheapest"].index(rules.cheapest)
    return c.PROFESSIONAL * rules.professional | c.TIE_RIGHT * tie | c.CHEAPEST_FEWEST * cheapest


# Reading


def rows_of(state: "bytes | bytearray") -> Rows:
    """Return the rows as tuples, in table order."""
    return tuple([tuple(state[at : at + n]) for at, n in zip(range(c.ROWS, c.CHOSEN, 5), state[c.LENGTH : c.ROWS])])


def chosen_of(state: "bytes | bytearray") -> Cards:
    """Return the cards that are chosen, or shown and not yet placed, by seat; 0 for a seat that has not chosen."""
    return tuple(state[c.CHOSEN : c.CHOSEN + state[c.PLAYERS]])


def hand_of(state: "bytes | bytearray", seat: int) -> bytes:
    """Return the cards of a seat that were not shown yet, ascending."""
    at = c.HANDS + 10 * seat
    return bytes([card for card in state[at : at + 10] if card])


def seen_of(state: "bytes | bytearray") -> Cards:
    """Return the cards that were face up in the round, ascending."""
    bits = state[c.SEEN : c.HANDS]
    return tuple([card for card in range(1, c.CARDS + 1) if bits[card - 1 >> 3] >> (card - 1 & 7) & 1])


def was_seen(state: "bytes | bytearray", card: int) -> int:
    """Was this card face up in the round?"""
    return state[c.SEEN + (card - 1 >> 3)] >> (card - 1 & 7) & 1


def mark_seen(state: bytearray, cards: "Iterable[int]") -> None:
    """Note that these cards were face up in the round."""
    for card in cards:
        state[c.SEEN + (card - 1 >> 3)] |= 1 << (card - 1 & 7)


def owed_of(state: "bytes | bytearray") -> "RowOwed | None":
    """Return the row that is owed, or None."""
    mask, seat = state[c.ALLOWED], state[c.OWES]
    if not mask:
        return None
    return RowOwed(seat, state[c.CHOSEN + seat], tuple([row for row in range(4) if mask >> row & 1]))


def placed_of(log: bytearray, count: int) -> "list[Placed]":
    """Return the placements in a log as events."""
    events = []
    for at in range(0, c.PLACED * count, c.PLACED):
        taken = log[at + 4 : at + 9]
        cards = tuple([card for card in taken if card]) if taken[0] else ()
        events.append(Placed(log[at], log[at + 1], log[at + 2], SIDES[log[at + 3]], cards))
    return events


# Making


def dealt(players: int, rules: Rules, stream: Stream) -> bytearray:
    """Shuffle the deck of `rules` with `stream`, deal (R3, V1), and return the bytes of the round."""
    players, state, flags = checked_players(players), bytearray(c.SIZE), flags_of(rules)
    core.deal(core.bind(state), players, rules.highest(players), flags, stream)
    return state


def pack(players: int, highest: int, flags: int, phase: int, rows: "list[list[int]]") -> bytearray:
    """Return the bytes of a round with these rows and nothing else."""
    state = bytearray(c.SIZE)
    state[c.PLAYERS], state[c.HIGHEST], state[c.FLAGS], state[c.PHASE] = players, highest, flags, phase
    for number, row in enumerate(rows):
        state[c.LENGTH + number] = len(row)
        state[c.ROWS + 5 * number : c.ROWS + 5 * number + len(row)] = bytes(row)
    return state


def nothing_yet(players: int, rules: Rules) -> bytearray:
    """Return the bytes of round 0, that before the first deal of real cards: over, and without rows."""
    state = pack(players, rules.highest(players), flags_of(rules) | c.UNKNOWN_HANDS, c.OVER, [])
    state[c.TURN] = 10
    return state
