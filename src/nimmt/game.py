"""A game: rounds until somebody has 66 (R9), for 2 to 10 players, all variants. Written once, for both backends."""

from ._backend import new_lock
from .events import Dealt, Event, Revealed
from .layout import flags_of
from .moves import dealt
from .rules import BASE, Rules
from .scored import Scored
from .stream import Stream

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .round import Round
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
    several threads are done one after the other; read what others move through view(), copy() or save().
    """

    __slots__ = ("seed", "game", "_first", "_origin", "_history")
    _origin: "int | bytes"
    _history: "bytearray | None"

    def __init__(
        self,
        players: "int | Iterable[str]" = 4,
        seed: "int | None" = None,
        rules: Rules = BASE,
        game: int = 0,
        history: bool = True,
    ) -> None:
        flags_of(rules)  # refuses what are no Rules
        if type(history) is not bool:
            raise TypeError(f"history must be True or False, not {type(history).__name__}")
        if type(players) is int and 2 <= players <= 10:
            count, names = players, None
        else:
            from .seats import seated

            count, names = seated(players)
        if type(seed) is not int or seed >> 64 or type(game) is not int or game >> 64:
            from .checks import checked_seed, checked_word

            seed, game = checked_seed(seed), checked_word(game, "game")
        self.rules, self.names, self.seed, self.game = rules, names, seed, game
        self._origin, self._history, self._lock = count, bytearray() if history else None, new_lock()
        self.round, self.scores, self._first = 1, (0,) * count, 0
        if rules.draft:
            from .draft import first_of

            self._first = first_of(self)
        self._open()

    def _open(self) -> None:
        """Deal the round, or begin its draft."""
        if self.rules.draft:
            from .draft import start

            self._adopt(start(self.players, self.rules, self._first))
        else:
            self._adopt(dealt(self.players, self.rules, Stream(self.seed, self.game, self.round - 1)))

    @classmethod
    def from_round(
        cls,
        start: "Round",
        scores: "Iterable[int] | None" = None,
        rules: Rules = BASE,
        seed: "int | None" = None,
        game: int = 0,
        round: int = 1,
    ) -> "Game":
        """Start a game from a round that was set up by hand; `scores` are those of the rounds before it.

        `start` must be made with the same rules, have known hands and not be over; later rounds are dealt from `seed`.
        """
        from .position import begin_with

        return begin_with(cls, start, scores, rules, seed, game, round)

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
            return self._done(self._choose(seat, card))

    def withdraw(self, seat: int) -> "list[Event]":
        """Take a choice back, as long as not all have chosen. Returns []."""
        with self._lock:
            return self._withdraw(seat)

    def play(self, cards: "Iterable[int] | Mapping[int, int]") -> "list[Event]":
        """Choose for every seat at once: a sequence by seat or a mapping in any order.

        Returns Revealed and what follows. Earlier choices are replaced. If one card is refused, none is chosen.
        """
        with self._lock:
            return self._done(self._play(cards))

    def take(self, seat: int, row: int) -> "list[Event]":
        """Take the row that is owed (R7, P3), or in a tie join it (P4). Returns what follows."""
        with self._lock:
            events = self._take(seat, row)
            self._note(events[0].row)  # type: ignore[union-attr] # as Placed says, not as the caller's object does
            return self._scored(events)

    def pick(self, seat: int, card: int) -> "list[Event]":
        """Pick a card in the logic draft (V2). Returns [Picked]; the last pick adds Dealt with the rows."""
        with self._lock:
            events = self._pick(seat, card, self.round)
            self._note(events[0].card)  # type: ignore[union-attr]
            return self._scored(events)

    def deal(self) -> "list[Event]":
        """Begin the next round, after phase "scored". Returns [Dealt], or [] if a draft begins."""
        with self._lock:
            self._between("deal")
            self.round = self._next()
            if self.rules.draft and self.rules.first_picker == "rotate":
                self._first = (self._first + 1) % self.players
            self._open()
            self._note(NEXT_DEAL)
            return [] if self.rules.draft else [Dealt(self.round, self.rows)]

    def join(self, name: "str | None" = None) -> int:
        """Seat one more player between rounds, with the highest score at the table (H7); return the seat.

        The player takes part from the next deal() on. IllegalMove if ten are playing.
        """
        from .seats import join

        with self._lock:
            self._between("seat a player")
            seat = join(self, name)
            self._note(JOIN)
            return seat

    def _done(self, events: "list[Event]") -> "list[Event]":
        """Note the cards that were shown, and score the round if that ended it (R8, R9)."""
        for event in events:
            if isinstance(event, Revealed):
                self._note(*event.cards)
        return self._scored(events)

    def _note(self, *move: int) -> None:
        if self._history is not None:
            self._history.extend(bytes(move))

    # Values

    def save(self) -> bytes:
        """Return the game as at most 400 bytes for Game.load. They hold all hands, but no names and no history."""
        from .save import pack_game

        with self._lock:
            return pack_game(self)

    @classmethod
    def load(cls, data: "bytes | bytearray", names: "Iterable[str] | None" = None) -> "Game":
        """Return the game that save() gave; `names` as for a new game. BadRecord if the bytes are no legal save."""
        from .save import unpack_game

        return unpack_game(cls, data, names)

    def record(self) -> str:
        """Return the game as text that a person can read, with all hands, for nimmt.replay."""
        from .record import write

        with self._lock:
            return write(self)

    def copy(self) -> "Game":
        """Return an independent game that is equal, with the same names and history."""
        with self._lock:
            other = object.__new__(type(self))
            for name in ("rules", "names", "seed", "game", "round", "scores", "_first", "_origin"):
                setattr(other, name, getattr(self, name))
            other._history = None if self._history is None else bytearray(self._history)
            other._lock = new_lock()
            other._adopt(bytearray(self._state))
            return other

    def __reduce__(self) -> "tuple[object, tuple[object, ...]]":
        from .save import parts, restored

        with self._lock:
            return restored, parts(self)
