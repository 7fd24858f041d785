"""What can be read off the bytes of a round; the part that a round and a game have in common."""

from . import _pycore as c
from ._backend import core
from .errors import IllegalMove, NimmtError, WrongPhase, as_int
from .events import Placed, RowOwed
from .rules import Rules

DRAFT = 3  # a phase that only this side of the seam knows: see draft.py
SIDES = (None, "right", "left")
TIES = {"choose": 0, "right": c.TIE_RIGHT, "left": c.TIE_LEFT}
_CHEAPEST = {"index": 0, "fewest": c.CHEAPEST_FEWEST, "most": c.CHEAPEST_MOST}
PHASES = ("choose", "take", "scored", "draft")


def checked_players(players: object) -> int:
    """Return the number of players, 2..10 (R1)."""
    number = as_int(players, "players")
    if not 2 <= number <= 10:
        raise NimmtError(f"2 to 10 can play, not {number} (R1)")
    return number


def flags_of(rules: Rules) -> int:
    """Return the flags byte of the core for these rules; TypeError for anything but Rules."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be nimmt.Rules, not {type(rules).__name__}")
    return c.PROFESSIONAL * rules.professional | TIES[rules.tie] | _CHEAPEST[rules.cheapest]


def rows_of(state: "bytes | bytearray") -> "tuple[tuple[int, ...], ...]":
    """Return the rows as tuples, in table order."""
    return tuple([tuple(state[at : at + n]) for at, n in zip((11, 16, 21, 26), state[c.LENGTH : c.ROWS])])


def hand_of(state: "bytes | bytearray", seat: int) -> bytes:
    """Return the cards of a seat that were not shown yet, ascending."""
    at = c.HANDS + 10 * seat
    return bytes([card for card in state[at : at + 10] if card])


def placed_of(log: bytearray, count: int) -> "list[Placed]":
    """Return the placements that the core wrote to its log as events."""
    events = []
    for at in range(0, c.PLACED * count, c.PLACED):
        taken = log[at + 4 : at + 9]
        cards = tuple([card for card in taken if card]) if taken[0] else ()
        events.append(Placed(log[at], log[at + 1], log[at + 2], SIDES[log[at + 3]], cards))
    return events


def owed_of(state: "bytes | bytearray") -> "RowOwed | None":
    """Return the row that is owed, or None."""
    mask, seat = state[c.ALLOWED], state[c.OWES]
    if not mask:
        return None
    return RowOwed(seat, state[c.CHOSEN + seat], tuple([row for row in range(4) if mask >> row & 1]))


class Table:
    """A table as its referee sees it: `_state` has the bytes of the round."""

    __slots__ = ()
    _state: bytearray

    @property
    def players(self) -> int:
        """The number of players of the round."""
        return self._state[c.PLAYERS]

    @property
    def highest(self) -> int:
        """The highest card of the deck."""
        return self._state[c.HIGHEST]

    @property
    def phase(self) -> str:
        """What is next: "draft", "choose", "take", or "scored" after the tenth turn."""
        return PHASES[self._state[c.PHASE]]

    @property
    def turn(self) -> int:
        """The turn that is played, 1..10; 0 in the draft, and 10 once the round is over."""
        return 0 if self._state[c.PHASE] == DRAFT else min(10, self._state[c.TURN] + 1)

    @property
    def rows(self) -> "tuple[tuple[int, ...], ...]":
        """The four rows in table order; () in the draft."""
        return () if self._state[c.PHASE] == DRAFT else rows_of(self._state)

    @property
    def heads(self) -> "tuple[int, ...]":
        """Bull heads taken in this round, by seat (R8); once a game has scored the round they are in `scores` too."""
        return tuple(self._state[c.TAKEN : c.TAKEN + self.players])

    @property
    def seen(self) -> "tuple[int, ...]":
        """The cards that were face up this round, ascending."""
        bits = self._state[c.SEEN : c.HANDS]
        return tuple([card for card in range(1, 105) if bits[card - 1 >> 3] >> (card - 1 & 7) & 1])

    @property
    def pool(self) -> "tuple[int, ...]":
        """The cards that can be picked in the draft, ascending; () otherwise."""
        if self._state[c.PHASE] != DRAFT:
            return ()
        from .draft import pool

        return tuple(pool(self._state))

    @property
    def knows_hands(self) -> bool:
        """Are the hands known? Not in a round with real cards that was set up without them."""
        return not self._state[c.FLAGS] & c.UNKNOWN_HANDS

    @property
    def owed(self) -> "RowOwed | None":
        """The row that must be taken now, or None."""
        return owed_of(self._state)

    @property
    def to_act(self) -> "tuple[int, ...]":
        """The seats that must act, ascending; () when the round is over."""
        s = self._state
        if s[c.PHASE] == c.CHOOSE:
            return tuple([seat for seat in range(s[c.PLAYERS]) if not s[c.CHOSEN + seat]])
        return () if s[c.PHASE] == c.OVER else (s[c.OWES],)

    def hand(self, seat: int) -> "tuple[int, ...]":
        """The cards a seat holds, ascending, without the one it has chosen; () if hands are unknown."""
        seat = self._seat(seat)
        chosen = self._state[c.CHOSEN + seat]
        return tuple([card for card in hand_of(self._state, seat) if card != chosen])

    def held(self, seat: int) -> "tuple[int, ...]":
        """The cards of a seat that were not shown yet, with the chosen one, ascending; () if hands are unknown."""
        return tuple(hand_of(self._state, self._seat(seat)))

    def chosen(self, seat: int) -> "int | None":
        """The card this seat has chosen, or shown and not yet placed; None if there is none."""
        return self._state[c.CHOSEN + self._seat(seat)] or None

    def legal(self, seat: int) -> "tuple[int, ...]":
        """What this seat may choose, pick or take now: cards, or rows if it owes one; () if it has nothing to do.

        A seat that has chosen may choose another card until all have (H5).
        """
        seat, s = self._seat(seat), self._state
        if s[c.PHASE] == DRAFT:
            return self.pool if seat == s[c.OWES] else ()
        if s[c.PHASE] == c.TAKE:
            owed = owed_of(s)
            return owed.rows if owed and owed.seat == seat else ()
        if s[c.PHASE] == c.OVER:
            return ()
        if self.knows_hands:
            return self.hand(seat)
        gone = self.seen + tuple(s[c.CHOSEN : c.TAKEN])
        return tuple([card for card in range(1, s[c.HIGHEST] + 1) if card not in gone])

    def cheapest(self) -> int:
        """The row that A1, or A2 in a tie, takes for the seat that owes one; WrongPhase if none is owed."""
        owed = owed_of(self._state)
        if owed is None:
            raise WrongPhase("no row is owed")
        return core.cheapest(core.bind(self._state), owed.card, self._state[c.ALLOWED])

    def _seat(self, seat: object) -> int:
        number = as_int(seat, "seat")
        if not 0 <= number < self.players:
            raise IllegalMove(f"there is no seat {number}: seats are 0..{self.players - 1}")
        return number
