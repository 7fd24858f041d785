"""One round: rows, hands, ten turns (R3..R8, V2, V3). The game of several rounds is in game.py."""

from . import _pycore as c
from ._backend import core
from .errors import NimmtError, WrongPhase, as_int
from .events import Event
from .layout import DRAFT
from .moves import Moves, dealt
from .rules import BASE, Rules
from .stream import Stream

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def _checked_stream(stream: Stream) -> Stream:
    if not isinstance(stream, Stream):
        raise TypeError(f"stream must be nimmt.Stream, not {type(stream).__name__}")
    return stream


class Round(Moves):
    """One round from the deal, or the draft, to its tenth turn; the referee, who knows all.

    Make one with Round.deal, Round.draft, Round.from_rows or Round.from_bytes. A move that is refused changes nothing:
    WrongPhase if it is not the time for it, IllegalMove if it is not allowed, TypeError for a wrong type. Moves return
    lists of events. Rounds compare equal if their bytes do; they copy, deepcopy and pickle.
    """

    __slots__ = ()

    def __init__(self, data: "bytes | bytearray") -> None:
        """Take the bytes that to_bytes() gave; BadRecord if they are no round."""
        if not isinstance(data, (bytes, bytearray)):
            raise TypeError(f"a round is bytes, not {type(data).__name__}")
        from .packing import checked_round

        self._begin(checked_round(data))

    @classmethod
    def _of(cls, state: bytearray) -> "Round":
        """Make a round of bytes that are known to be one."""
        self = object.__new__(cls)
        self._begin(state)
        return self

    @classmethod
    def deal(cls, players: int, stream: Stream, rules: Rules = BASE) -> "Round":
        """Shuffle the deck of `rules` with `stream` and deal (R3, V1). A draft deals nothing: see Round.draft."""
        return cls._of(dealt(players, rules, _checked_stream(stream)))

    @classmethod
    def draft(cls, players: int, first: int = 0, rules: Rules = BASE) -> "Round":
        """Lay out the cards 1..10n+4 for a logic draft in which seat `first` picks first (V2)."""
        from .draft import start
        from .seats import checked_players

        players, first = checked_players(players), as_int(first, "first")
        if not 0 <= first < players:
            raise NimmtError(f"there is no seat {first} to pick first: seats are 0..{players - 1} (V2)")
        return cls._of(start(players, rules, first))

    @classmethod
    def from_rows(
        cls,
        rows: "Iterable[Iterable[int]]",
        players: "int | None" = None,
        hands: "Iterable[Iterable[int]] | None" = None,
        rules: Rules = BASE,
        turn: int = 1,
    ) -> "Round":
        """Set up a position, for instance from a real table.

        rows           four ascending sequences of 1..5 cards
        hands          a sequence of hands by seat, all of the same size 1..10, in any order; None: unknown, then every
                       card that is not in a row and was not seen since may be chosen
        turn           1..10, of unknown hands; known ones tell it

        Raises NimmtError for a position that cannot be, TypeError for wrong types.
        """
        from .position import pack_position

        return cls._of(pack_position(rows, players, hands, rules, turn))

    @classmethod
    def from_bytes(cls, data: "bytes | bytearray") -> "Round":
        """Return the round that to_bytes() gave; BadRecord if these bytes are no round."""
        return cls(data)

    def to_bytes(self) -> bytes:
        """Return the round as 164 bytes; csrc/nimmt.h says what they mean. They hold all hands."""
        return bytes(self._state)

    # Moves

    def choose(self, seat: int, card: int) -> "list[Event]":
        """Choose a card, or another one instead, in secret (R4, H5). The last choice shows and places all cards."""
        with self._lock:
            return self._choose(seat, card)

    def withdraw(self, seat: int) -> "list[Event]":
        """Take a choice back, as long as not all have chosen. Returns []."""
        with self._lock:
            return self._withdraw(seat)

    def play(self, cards: "Iterable[int] | Mapping[int, int]") -> "list[Event]":
        """Choose for every seat at once, earlier choices are replaced, and place: a sequence by seat or a mapping."""
        with self._lock:
            return self._play(cards)

    def take(self, seat: int, row: int) -> "list[Event]":
        """Take a row that is owed (R7, P3), or in a tie join it (P4); then placing goes on."""
        with self._lock:
            return self._take(seat, row)

    def pick(self, seat: int, card: int) -> "list[Event]":
        """Pick a card in the logic draft (V2). After the last pick the four cards left open the rows."""
        with self._lock:
            return self._pick(seat, card)

    def playout(self, policies: "Iterable[int]", stream: Stream) -> None:
        """Play to the end of the round with built-in policies by seat, numbers of bots.POLICIES, drawing from `stream`.

        WrongPhase in the draft; NimmtError for an unknown policy or unknown hands.
        """
        from ._pypolicy import POLICIES
        from .checks import listed

        numbers = [as_int(policy, "policy") for policy in listed(policies, "policies")]
        if self._state[c.PHASE] == DRAFT:
            raise WrongPhase("the draft is not over (V2)")
        if len(numbers) != self.players or not self.knows_hands:
            raise NimmtError("a playout needs known hands and one policy a seat")
        if [policy for policy in numbers if not 0 <= policy < POLICIES]:
            raise NimmtError(f"policies are 0..{POLICIES - 1}, not {numbers}")
        with self._lock:
            core.playout(self._r, bytes(numbers), _checked_stream(stream))

    # Values

    def copy(self) -> "Round":
        """Return an independent round that is equal."""
        with self._lock:
            return self._of(bytearray(self._state))

    def __reduce__(self) -> "tuple[object, tuple[bytes]]":
        return type(self).from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Round) and self._state == other._state

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Round of {self.players}: {self.phase}, turn {self.turn}, to act {self.to_act}>"
