"""What the players at a table hold and may do."""

from . import _pycore as c
from .layout import DRAFT, hand_of, owed_of
from .table import Table

TYPE_CHECKING = False  # MicroPython has no typing


class Hands(Table):
    """A table whose referee knows the hands, if anybody does."""

    __slots__ = ()

    @property
    def knows_hands(self) -> bool:
        """Are the hands known? Not in a round with real cards that was set up without them."""
        return not self._state[c.FLAGS] & c.UNKNOWN_HANDS

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

    def _seat(self, seat: object) -> int:
        if type(seat) is int and 0 <= seat < self.players:
            return seat
        from .checks import checked_seat

        return checked_seat(seat, self.players)

    if TYPE_CHECKING:

        def copy(self) -> "Hands": ...

    def __copy__(self) -> "Hands":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Hands":
        return self.copy()
