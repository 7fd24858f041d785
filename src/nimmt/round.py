"""One round: rows, hands, ten turns (R3..R8, V2, V3). The game of several rounds is in game.py."""

from . import _pycore as c
from ._backend import core, new_lock
from .errors import BadRecord, IllegalMove, NimmtError, WrongPhase, as_int, by_seat, listed
from .events import Chosen, Dealt, Event, Picked, Revealed
from .rules import BASE, Rules
from .stream import Stream
from .table import DRAFT, Table, checked_players, flags_of, owed_of, placed_of


def _checked_stream(stream: Stream) -> Stream:
    if not isinstance(stream, Stream):
        raise TypeError(f"stream must be nimmt.Stream, not {type(stream).__name__}")
    return stream


class Round(Table):
    """One round from the deal, or the draft, to its tenth turn; the referee, who knows all.

    Make one with Round.deal, Round.draft, Round.from_rows or Round.from_bytes. A move that is refused changes nothing:
    WrongPhase if it is not the time for it, IllegalMove if it is not allowed, TypeError for a wrong type. Moves return
    lists of events. Rounds compare equal if their bytes do; they copy, deepcopy and pickle.
    """

    __slots__ = ("_state", "_log", "_r", "_l", "_lock")

    def __init__(self, data: "bytes | bytearray") -> None:
        """Take the bytes that to_bytes() gave; BadRecord if they are no round."""
        if not isinstance(data, (bytes, bytearray)):
            raise TypeError(f"a round is bytes, not {type(data).__name__}")
        from .draft import check

        state = bytearray(data)
        if len(state) != c.SIZE or (core.check(core.bind(state)) and check(state)):
            raise BadRecord(f"these {len(state)} bytes are not a round that the rules allow")
        self._adopt(state)
        if state[c.PHASE] == c.CHOOSE and not self.to_act and self.knows_hands:  # real cards wait to be placed
            raise BadRecord("all have chosen, but no card is shown (R4)")

    def _adopt(self, state: bytearray) -> "Round":
        """Take over bytes that are known to be a round."""
        self._state, self._log = state, bytearray(10 * c.PLACED)
        self._r, self._l, self._lock = core.bind(state), core.bind_log(self._log), new_lock()
        return self

    @classmethod
    def deal(cls, players: int, stream: Stream, rules: Rules = BASE) -> "Round":
        """Shuffle the deck of `rules` with `stream` and deal (R3, V1). A draft deals nothing: see Round.draft."""
        players, flags = checked_players(players), flags_of(rules)
        state = bytearray(c.SIZE)
        core.deal(core.bind(state), players, rules.highest(players), flags, _checked_stream(stream))
        return object.__new__(cls)._adopt(state)

    @classmethod
    def draft(cls, players: int, first: int = 0, rules: Rules = BASE) -> "Round":
        """Lay out the cards 1..10n+4 for a logic draft in which seat `first` picks first (V2)."""
        players, first = checked_players(players), as_int(first, "first")
        if not 0 <= first < players:
            raise NimmtError(f"there is no seat {first} to pick first: seats are 0..{players - 1} (V2)")
        from .draft import start

        return object.__new__(cls)._adopt(start(players, 10 * players + 4, flags_of(rules), first))

    @classmethod
    def from_rows(
        cls,
        rows: object,
        players: "int | None" = None,
        hands: object = None,
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
        from .turn import pack_position

        return object.__new__(cls)._adopt(pack_position(rows, players, hands, rules, turn))

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
        seat, card = self._seat(seat), as_int(card, "card")
        with self._lock:
            self._refused(core.choose(self._r, seat, self._card(seat, card)), seat, card)
            cards = bytes(self._state[c.CHOSEN : c.CHOSEN + self.players])
            if 0 in cards:
                return [Chosen(seat)]
            return [Chosen(seat)] + self._events(Revealed(tuple(cards)), core.resolve(self._r, self._l))

    def withdraw(self, seat: int) -> "list[Event]":
        """Take a choice back, as long as not all have chosen. Returns []."""
        seat = self._seat(seat)
        with self._lock:
            self._refused(core.withdraw(self._r, seat), seat, 0)
            return []

    def play(self, cards: object) -> "list[Event]":
        """Choose for every seat at once, earlier choices are replaced, and place: a sequence by seat or a mapping."""
        wanted = by_seat(cards, "cards", "card")
        players = self.players
        for seat in wanted:
            self._card(self._seat(seat), wanted[seat])
        missing = [seat for seat in range(players) if seat not in wanted]
        if missing:
            raise IllegalMove(f"seat {missing[0]} has no card: every seat plays one (R4)")
        played = bytes([wanted[seat] for seat in range(players)])
        with self._lock:
            code = core.play(self._r, played, self._l)
            if code < 0:
                from .refuse import refuse_play

                refuse_play(self._state, code, played)
            return self._events(Revealed(tuple(played)), code)

    def take(self, seat: int, row: int) -> "list[Event]":
        """Take a row that is owed (R7, P3), or in a tie join it (P4); then placing goes on."""
        seat, row = self._seat(seat), as_int(row, "row")
        with self._lock:
            code = core.take(self._r, seat, row if 0 <= row < 4 else 4, self._l)
            self._refused(code, seat, row)
            return self._events(None, code)

    def pick(self, seat: int, card: int) -> "list[Event]":
        """Pick a card in the logic draft (V2). After the last pick the four cards left open the rows."""
        from .draft import pick, pool

        seat, card = self._seat(seat), as_int(card, "card")
        with self._lock:
            s = self._state
            left = pick(s, seat, self._card(seat, card))
            self._refused(left, seat, card)
            if left > 4:
                return [Picked(seat, card)]
            hands, open = bytes(s[c.HANDS : c.HANDS + 10 * s[c.PLAYERS]]), bytes(pool(s))
            core.setup(self._r, s[c.PLAYERS], s[c.HIGHEST], s[c.FLAGS], open, hands)
            return [Picked(seat, card), Dealt(1, self.rows)]

    def playout(self, policies: object, stream: Stream) -> None:
        """Play to the end of the round with built-in policies by seat, numbers of bots.POLICIES, drawing from `stream`.

        WrongPhase in the draft; NimmtError for an unknown policy or unknown hands.
        """
        numbers = [as_int(policy, "policy") for policy in listed(policies, "policies")]
        if self._state[c.PHASE] == DRAFT:
            raise WrongPhase("the draft is not over (V2)")
        if len(numbers) != self.players or not self.knows_hands:
            raise NimmtError("a playout needs known hands and one policy a seat")
        if [policy for policy in numbers if not 0 <= policy < c.POLICIES]:
            raise NimmtError(f"policies are 0..{c.POLICIES - 1}, not {numbers}")
        with self._lock:
            core.playout(self._r, bytes(numbers), _checked_stream(stream))

    def _events(self, first: "Revealed | None", count: int) -> "list[Event]":
        events = [first] if first else []  # type: list[Event]
        owed = owed_of(self._state)
        return events + placed_of(self._log, count) + ([owed] if owed else [])

    def _refused(self, code: int, seat: int, number: int) -> None:
        if code < 0:
            from .refuse import refuse

            refuse(self._state, code, seat, number)

    def _card(self, seat: int, card: int) -> int:
        if not 1 <= card <= self._state[c.HIGHEST]:
            raise IllegalMove(f"seat {seat}: there is no card {card}: the deck is 1..{self._state[c.HIGHEST]} (R1, V1)")
        return card

    # Values

    def copy(self) -> "Round":
        """Return an independent round that is equal."""
        with self._lock:
            return object.__new__(Round)._adopt(bytearray(self._state))

    def __copy__(self) -> "Round":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Round":
        return self.copy()

    def __reduce__(self) -> "tuple[object, tuple[bytes]]":
        return Round.from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Round) and self._state == other._state

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Round of {self.players}: {self.phase}, turn {self.turn}, to act {self.to_act}>"
