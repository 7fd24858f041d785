"""One round: rows, hands, ten turns (R3..R8, V2, V3); and positions set up by hand."""

from .args import as_bytes, as_int, checked_cards, checked_players, checked_rows, listed
from .core import core
from .core import layout as c
from .draft import check, checked_first, start
from .errors import BadRecord, NimmtError, WrongPhase
from .events import Event
from .port import Iterable, Mapping
from .rules import BASE, Rules
from .state import DRAFT, chosen_of, dealt, flags_of, mark_seen, pack
from .stream import Stream, as_stream
from .table import Table


class Round(Table):
    """One round from the deal, or the draft, to its tenth turn; the referee, who knows all.

    Make one with Round.deal, Round.draft, Round.from_rows or Round.from_bytes. A move that is refused changes nothing:
    WrongPhase if it is not the time for it, IllegalMove if it is not allowed or if the seat is not at the table,
    TypeError for a wrong type. Moves return lists of events. print(round) draws the table. Rounds are equal if their
    bytes are; they copy, deepcopy and pickle.
    """

    __slots__ = ()

    def __init__(self, data: "bytes | bytearray") -> None:
        """Take the bytes that to_bytes() gave; BadRecord if they are not a round."""
        self._begin(checked_round(as_bytes(data, "a round")))

    @classmethod
    def _of(cls, state: bytearray) -> "Round":
        """Make a round of bytes that are known to be one."""
        self = object.__new__(cls)
        self._begin(state)
        return self

    @classmethod
    def deal(cls, players: int, stream: Stream, rules: Rules = BASE) -> "Round":
        """Shuffle the deck of `rules` with `stream` and deal (R3, V1). A draft deals nothing: see Round.draft."""
        return cls._of(dealt(players, rules, as_stream(stream)))

    @classmethod
    def draft(cls, players: int, first: int = 0, rules: Rules = BASE) -> "Round":
        """Lay out the cards 1..10n+4 for a logic draft in which seat `first` picks first (V2)."""
        players = checked_players(players)
        return cls._of(start(players, rules, checked_first(as_int(first, "first"), players)))

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
        return cls._of(pack_position(rows, players, hands, rules, turn))

    @classmethod
    def from_bytes(cls, data: "bytes | bytearray") -> "Round":
        """Return the round that to_bytes() gave; BadRecord if they are not a round."""
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
        numbers = [as_int(policy, "policy") for policy in listed(policies, "policies")]
        if self._state[c.PHASE] == DRAFT:
            raise WrongPhase("the draft is not over (V2)")
        if len(numbers) != self.players or not self.knows_hands:
            raise NimmtError("a playout needs known hands and one policy a seat")
        if [policy for policy in numbers if not 0 <= policy < c.POLICIES]:
            raise NimmtError(f"policies are 0..{c.POLICIES - 1}, not {numbers}")
        with self._lock:
            core.playout(self._r, bytes(numbers), as_stream(stream))

    # Values

    def __reduce__(self) -> "tuple[object, tuple[bytes]]":
        return type(self).from_bytes, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Round) and self._state == other._state

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Round of {self.players}: {self.phase}, turn {self.turn}, to act {self.to_act}>"


# Bytes and positions that callers hand over


def checked_round(data: bytes) -> bytearray:
    """Return the bytes of a round, or raise BadRecord if the rules do not allow it."""
    state = bytearray(data)
    if len(state) != c.SIZE or (core.check(core.bind(state)) and check(state)):
        raise BadRecord(f"these {len(state)} bytes are not a round that the rules allow")
    if state[c.PHASE] == c.CHOOSE and all(chosen_of(state)) and not state[c.FLAGS] & c.UNKNOWN_HANDS:  # real cards wait
        raise BadRecord("all have chosen, but the cards are not shown (R4)")
    return state


def pack_position(rows: object, players: "int | None", hands: object, rules: Rules, turn: int) -> bytearray:
    """Return the bytes of the position that Round.from_rows describes."""
    if hands is None:
        players, known, turn = checked_players(players), [], as_int(turn, "turn")
        if not 1 <= turn <= 10:
            raise NimmtError(f"turn must be 1..10, not {turn} (R3)")
    else:
        known = [[as_int(card, "card") for card in listed(hand, "a hand")] for hand in listed(hands, "hands")]
        if players is not None and checked_players(players) != len(known):
            raise NimmtError(f"{players} players need {players} hands, not {len(known)}")
        players, turn = checked_players(len(known)), 11 - len(known[0])
        if not 1 <= turn <= 10 or [hand for hand in known if len(hand) != 11 - turn]:
            raise NimmtError("hands must have 1 to 10 cards, all the same number (R3)")
    flags, highest = flags_of(rules) | (0 if known else c.UNKNOWN_HANDS), rules.highest(players)
    table = checked_rows(rows, highest)
    lying = [card for row in table for card in row]
    checked_cards(lying + [card for hand in known for card in hand], highest)
    state = pack(players, highest, flags, c.CHOOSE, table)
    state[c.TURN] = turn - 1
    mark_seen(state, lying)
    for seat, hand in enumerate(known):
        state[c.HANDS + 10 * seat : c.HANDS + 10 * seat + len(hand)] = bytes(sorted(hand))
    if core.check(core.bind(state)):
        raise NimmtError(f"too few cards of 1..{highest} are unseen for the turns that are left (R3)")
    return state
