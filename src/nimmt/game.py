"""A game: rounds until somebody has 66 (R9), for 2 to 10 players, all variants. Written once, for both backends."""

from . import _pycore as c
from ._backend import new_lock, urandom
from .errors import NimmtError, as_int, checked_word, listed
from .events import Dealt, Event, Revealed
from .round import Round
from .rules import BASE, Rules
from .scored import Scored, seated
from .stream import Stream
from .table import flags_of

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .view import View

NEXT_DEAL, JOIN = 0, 1  # in the history, between rounds


class Game(Scored):
    """A game and its referee, who knows all; hand out game.view(seat), never the game.

    players        2..10, or a sequence of names
    seed           0..2**64-1; None takes one from the system (Game.seed tells it)
    rules          BASE, TACTIC, LOGIC, PROFESSIONAL or Rules(...)
    game           0..2**64-1: which of the games of this seed; the same seed and game give the same cards everywhere
    history        False keeps no moves: record() then starts where the game is. A turn takes a byte for each player

    The first round is dealt, or its draft begun, at once. A move that is refused changes nothing: WrongPhase if it is
    not the time for it, IllegalMove if it is not allowed, TypeError for a wrong type. Moves return lists of events.
    Games are equal if their save() bytes are; names and history do not count. They copy, deepcopy and pickle. Moves of
    several threads are done one after the other.
    """

    __slots__ = ("seed", "game", "_first", "_origin", "_history")

    def __init__(
        self,
        players: object = 4,
        seed: "int | None" = None,
        rules: Rules = BASE,
        game: int = 0,
        history: bool = True,
    ) -> None:
        flags_of(rules)  # refuses what are no Rules
        if type(history) is not bool:
            raise TypeError(f"history must be True or False, not {type(history).__name__}")
        count, names = seated(players)
        first = rules.first_picker
        if rules.draft and not isinstance(first, str) and first >= count:
            raise NimmtError(f"there is no seat {first} to pick first: seats are 0..{count - 1} (V2)")
        self.seed = checked_word(_fresh_seed() if seed is None else seed, "seed")
        self.game = checked_word(game, "game")
        self.rules, self.names, self.round, self.scores = rules, names, 1, (0,) * count
        self._origin = count  # type: int | bytes
        self._history = bytearray() if history else None
        self._lock = new_lock()
        self._first = 0
        if rules.draft:
            self._first = Stream(self.seed, self.game).below(count) if isinstance(first, str) else first
        self._open()

    def _open(self) -> None:
        if self.rules.draft:
            self._round = Round.draft(self.players, self._first, self.rules)
        else:
            self._round = Round.deal(self.players, Stream(self.seed, self.game, self.round - 1), self.rules)

    @classmethod
    def from_round(
        cls,
        start: Round,
        scores: object = None,
        rules: Rules = BASE,
        seed: "int | None" = None,
        game: int = 0,
        round: int = 1,
    ) -> "Game":
        """Start a game from a round that was set up by hand; `scores` are those of the rounds before it.

        `start` must be made with the same rules, have known hands and not be over; later rounds are dealt from `seed`.
        """
        if not isinstance(start, Round):
            raise TypeError(f"start must be nimmt.Round, not {type(start).__name__}")
        self = cls(start.players, seed, rules, game, history=True)
        points = [0] * self.players if scores is None else [as_int(s, "score") for s in listed(scores, "scores")]
        number = checked_word(round, "round", 32)
        if len(points) != self.players or [s for s in points if not 0 <= s <= 171 * (number - 1)]:
            raise NimmtError(f"scores must be {self.players} numbers 0..171 for each finished round, not {points}")
        if number < 1 or number > 1 and rules.is_over(tuple(points), number - 1):
            raise NimmtError(f"there is no round {number} with scores {points}: the game is over (R9)")
        state = start.to_bytes()
        if state[c.HIGHEST] != rules.highest(self.players) or state[c.FLAGS] != flags_of(rules):
            raise NimmtError("the round was set up with other rules, or hands are unknown")
        if start.phase == "scored" or (start.phase == "draft") > rules.draft:
            raise NimmtError("the round is over, or is a draft that the rules do not have")
        self.scores, self.round, self._round = tuple(points), number, start.copy()
        if start.phase == "draft":
            self._first = (state[c.OWES] - (10 * self.players - len(start.pool) + 4)) % self.players
            if rules.first_picker not in ("rotate", self._first):
                raise NimmtError(f"seat {self._first} picked first, not seat {rules.first_picker}")
        self._origin = self.save()
        return self

    # What is known: most of it in table.py and scored.py

    def view(self, seat: "int | None" = None) -> "View":
        """All that this seat may know, or a spectator (None), as an immutable value."""
        from .view import view_of

        with self._lock:
            return view_of(self, seat)

    # Moves

    def choose(self, seat: int, card: int) -> "list[Event]":
        """Choose a card, or another one instead, in secret (R4, H5).

        Returns [Chosen(seat)]; the last choice adds Revealed, the Placed events, then RowOwed or RoundOver, GameOver.
        """
        with self._lock:
            events = self._round.choose(seat, card)
            return self._settled(events, _shown(events)) if len(events) > 1 else events

    def withdraw(self, seat: int) -> "list[Event]":
        """Take a choice back, as long as not all have chosen. Returns []."""
        with self._lock:
            return self._round.withdraw(seat)

    def play(self, cards: object) -> "list[Event]":
        """Choose for every seat at once: a sequence by seat or a mapping in any order.

        Returns Revealed and what follows. Earlier choices are replaced. If one card is refused, none is chosen.
        """
        with self._lock:
            events = self._round.play(cards)
            return self._settled(events, _shown(events))

    def take(self, seat: int, row: int) -> "list[Event]":
        """Take the row that is owed (R7, P3), or in a tie join it (P4). Returns what follows."""
        with self._lock:
            return self._settled(self._round.take(seat, row), bytes((row,)))

    def pick(self, seat: int, card: int) -> "list[Event]":
        """Pick a card in the logic draft (V2). Returns [Picked]; the last pick adds Dealt with the rows."""
        with self._lock:
            events = self._round.pick(seat, card)
            events = [Dealt(self.round, event.rows) if isinstance(event, Dealt) else event for event in events]
            return self._settled(events, bytes((card,)))

    def deal(self) -> "list[Event]":
        """Begin the next round, after phase "scored". Returns [Dealt], or [] if a draft begins."""
        with self._lock:
            self._between("deal")
            self.round = self._next()
            if self.rules.draft and self.rules.first_picker == "rotate":
                self._first = (self._first + 1) % self.players
            self._open()
            return self._settled([Dealt(self.round, self.rows)] if not self.rules.draft else [], bytes((NEXT_DEAL,)))

    def join(self, name: "str | None" = None) -> int:
        """Seat one more player between rounds, with the highest score at the table (H7); return the seat.

        The player takes part from the next deal() on. IllegalMove if ten are playing.
        """
        with self._lock:
            seat = super().join(name)
            self._settled([], bytes((JOIN,)))
            return seat

    def _settled(self, events: "list[Event]", move: bytes) -> "list[Event]":
        """Note a move that was made, and score the round if it ended it (R8, R9)."""
        if self._history is not None:
            self._history.extend(move)
        return self._scored(events)

    # Values

    def save(self) -> bytes:
        """Return the game as at most 400 bytes for Game.load. They hold all hands, but no names and no history."""
        from .save import pack_game

        with self._lock:
            return pack_game(self)

    @classmethod
    def load(cls, data: "bytes | bytearray", names: object = None) -> "Game":
        """Return the game that save() gave; `names` as for a new game. BadRecord if the bytes are no legal save."""
        from .save import unpack_game

        return unpack_game(data, names)

    def record(self) -> str:
        """Return the game as text that a person can read, with all hands, for nimmt.replay."""
        from .record import write

        with self._lock:
            return write(self)

    def copy(self) -> "Game":
        """Return an independent game that is equal, with the same names and history."""
        with self._lock:
            other = object.__new__(Game)
            other.rules, other.names, other.seed, other.game = self.rules, self.names, self.seed, self.game
            other.round, other.scores, other._first = self.round, self.scores, self._first
            other._round, other._origin, other._lock = self._round.copy(), self._origin, new_lock()
            other._history = None if self._history is None else bytearray(self._history)
            return other

    def __copy__(self) -> "Game":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Game":
        return self.copy()

    def __reduce__(self) -> "tuple[object, tuple[object, ...]]":
        with self._lock:
            history = None if self._history is None else bytes(self._history)
            return _restored, (self.save(), self.names, self._origin, history)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.save() == other.save()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Game of {self.players}: round {self.round}, turn {self.turn}, {self.phase}, scores {self.scores}>"


def _restored(data: bytes, names: object, origin: "int | bytes", history: "bytes | None") -> Game:
    game = Game.load(data, names)
    game._origin, game._history = origin, None if history is None else bytearray(history)
    return game


def _shown(events: "list[Event]") -> bytes:
    return b"".join([bytes(event.cards) for event in events if isinstance(event, Revealed)])


def _fresh_seed() -> int:
    entropy = urandom(8)
    if entropy is None:
        raise NimmtError("this machine has no source of entropy: give a seed")
    return int.from_bytes(entropy, "little")
