"""What lies on a table, and whose turn it is: the part that rounds and games have in common; hands.py has the rest."""

from . import _pycore as c
from ._backend import core, new_lock
from .events import RowOwed
from .layout import DRAFT, PHASES, owed_of, rows_of


class Table:
    """A table as its referee sees it: `_state` has the bytes of the round."""

    __slots__ = ("_state", "_log", "_r", "_l", "_lock", "__weakref__")

    def _begin(self, state: bytearray) -> None:
        """Take over bytes that are known to be a round, as a table of its own."""
        self._lock = new_lock()
        self._adopt(state)

    def _adopt(self, state: bytearray) -> None:
        """Go on with these bytes instead."""
        self._state, self._log = state, bytearray(10 * c.PLACED)
        self._r, self._l = core.bind(state), core.bind_log(self._log)

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

    def cheapest(self) -> int:
        """The row that A1, or A2 in a tie, takes for the seat that owes one; WrongPhase if none is owed."""
        s = self._state
        if not s[c.ALLOWED]:
            from .errors import WrongPhase

            raise WrongPhase("no row is owed")
        return core.cheapest(self._r, s[c.CHOSEN + s[c.OWES]], s[c.ALLOWED])
