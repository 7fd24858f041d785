"""A game: rounds until somebody has 66 (R9), for 2 to 10 players, all variants."""

from . import record, save
from .args import as_bytes, as_int, checked_seed, checked_word, listed, seated
from .core import layout as c
from .draft import first_of, start
from .errors import NimmtError
from .events import Dealt, Event, Revealed
from .port import Any, Iterable, Mapping, TypeVar, new_lock
from .record import JOIN, NEXT_DEAL
from .round import Round
from .rules import BASE, Rules, as_rules
from .scored import Scored
from .state import dealt, flags_of
from .stream import Stream
from .view import View, view_of

Self = TypeVar("Self", bound="Game")


class Game(Scored):
    """A game and its referee, who knows all. Give players game.view(seat), never the game; print(game) draws the table.

    players        2..10, or a sequence of names
    seed           0..2**64-1; None takes one from the system (Game.seed tells it). A seed tells all hands of all rounds
                   to whoever knows it: where people play for real, neither choose it nor publish it before the end
    rules          BASE, TACTIC, LOGIC, PROFESSIONAL or Rules(...)
    game           0..2**64-1: which of the games of this seed; the same seed and game give the same cards everywhere
    history        False keeps no moves: record() then starts where the game is. A turn takes a byte for each player

    The first round is dealt, or its draft begun, at once. A move that is refused changes nothing: WrongPhase if it is
    not the time for it, IllegalMove if it is not allowed or the seat is not at the table, TypeError for a wrong type.
    Other arguments that the game does not know raise NimmtError. Moves return lists of events. Games are equal if their
    save() bytes are; names and history do not count. They copy, deepcopy and pickle. Moves of several threads are done
    one after the other; read what others move through view(), copy() or save().
    """

    __slots__ = {
        "seed": "The seed, 0..2**64-1. It tells all hands of all rounds to whoever knows it.",
        "game": "Which of the games of this seed, 0..2**64-1.",
        "_first": "Who picks first in the draft of this round (V2); 0 in a game without one.",
        "_origin": "Where the history begins: the number of players at the first deal, or a save.",
        "_history": "The moves since then as bytes: cards, rows, NEXT_DEAL and JOIN of record.py; None if not kept.",
    }
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
        if type(history) is not bool:
            raise TypeError(f"history must be True or False, not {type(history).__name__}")
        self._seat_all(players, seed, rules, game)
        if not history:
            self._history = None
        self._first = first_of(rules, self.players, self.seed, self.game)
        self._open()

    def _seat_all(self, players: object, seed: "int | None", rules: Rules, game: int) -> None:
        """Set all but the round that is played."""
        count, names = seated(players)
        self.rules, self.names = as_rules(rules), names
        self.seed, self.game = checked_seed(seed), checked_word(game, "game")
        self.round, self.scores, self._first = 1, (0,) * count, 0
        self._origin, self._history, self._lock = count, bytearray(), new_lock()

    def _open(self) -> None:
        """Deal the round, or begin its draft."""
        if self.rules.draft:
            self._adopt(start(self.players, self.rules, self._first))
        else:
            self._adopt(dealt(self.players, self.rules, Stream(self.seed, self.game, self.round - 1)))

    @classmethod
    def from_round(
        cls: "type[Self]",
        start: Round,
        scores: "Iterable[int] | None" = None,
        rules: Rules = BASE,
        seed: "int | None" = None,
        game: int = 0,
        round: int = 1,
    ) -> Self:
        """Start a game from a round that was set up by hand; `scores` are those of the rounds before it.

        `start` must be made with the same rules, have known hands and not be over; later rounds are dealt from `seed`.
        """
        if not isinstance(start, Round):
            raise TypeError(f"start must be nimmt.Round, not {type(start).__name__}")
        begun, state = object.__new__(cls), bytearray(start.to_bytes())
        begun._seat_all(start.players, seed, rules, game)
        points = [0] * start.players if scores is None else [as_int(s, "score") for s in listed(scores, "scores")]
        begun.round = checked_word(round, "round", 32)
        begun.scores = _checked_scores(rules, begun.round, start.players, points)
        _check_start(start, rules)
        begun._first = first_of(rules, start.players, begun.seed, begun.game)
        if start.phase == "draft":
            begun._first = _began(start, rules)
        begun._adopt(state)
        begun._origin = begun.save()
        return begun

    # What is known: most of it in table.py and scored.py

    def view(self, seat: "int | None" = None) -> "View":
        """All that this seat may know, or a spectator (None), as an immutable value."""
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
        with self._lock:
            self._between("seat a player")
            seat = self._seat_one_more(name)
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

    _COPIED = ("rules", "names", "seed", "game", "round", "scores", "_first", "_origin", "_history")

    def _packed(self) -> bytes:
        return save.pack_game(
            self.rules, self.seed, self.game, self.round, self._first, self.scores, bytes(self._state)
        )

    @classmethod
    def load(cls: "type[Self]", data: "bytes | bytearray", names: "Iterable[str] | None" = None) -> Self:
        """Return the game that save() gave; `names` as for a new game. BadRecord if they are not a legal save."""
        data = as_bytes(data, "a save")
        rules, seed, game, number, first, scores, state = save.unpack_game(data)
        self = object.__new__(cls)
        self._seat_all(len(scores) if names is None else names, seed, rules, game)
        if self.players != len(scores):
            raise NimmtError(f"the save has {len(scores)} players, not {self.players}")
        self.round, self.scores, self._first, self._origin = number, scores, first, data
        self._adopt(state)
        return self

    def record(self) -> str:
        """Return the game as text that a person can read, with all hands, for nimmt.replay."""
        with self._lock:
            return record.write(self)

    def _again(self) -> "Game":
        """Return a game at the point where the history of this one begins, for record.steps."""
        origin = self.save() if self._history is None else self._origin
        if isinstance(origin, int):
            return Game(origin, self.seed, self.rules, self.game, history=False)
        again = Game.load(origin)
        if again.phase == "choose":  # choices that were pending then are in the history, or in the last line
            for seat in range(again.players):
                if again.chosen(seat):
                    again.withdraw(seat)
            again._origin = again.save()
        return again

    def __reduce__(self) -> "tuple[object, ...]":
        with self._lock:
            history = None if self._history is None else bytes(self._history)
            return _restored, (type(self), self.save(), self.names, self._origin, history)


def replay(text: str) -> Game:
    """Return the game of a record, played again move by move.

    Spaces at the ends of lines do not matter. Raises BadRecord, naming the line, for a text that does not parse, breaks
    a rule, or says anything else than what the moves lead to; TypeError if it is not text.
    """
    game: Game = record.read(text, Game)
    return game


def _restored(kind: "type[Game]", data: bytes, names: "Any", origin: "int | bytes", history: "bytes | None") -> Game:
    """Return a game from its pickle."""
    game = kind.load(data, names)
    game._origin, game._history = origin, None if history is None else bytearray(history)
    return game


def _checked_scores(rules: Rules, number: int, players: int, points: "list[int]") -> "tuple[int, ...]":
    """Return scores that can be those before round `number`, or raise NimmtError (R8, R9)."""
    if len(points) != players or [s for s in points if not 0 <= s <= 171 * (number - 1)]:
        raise NimmtError(f"scores must be {players} numbers 0..171 for each finished round, not {points}")
    if number < 1 or number > 1 and rules.is_over(tuple(points), number - 1):
        raise NimmtError(f"there is no round {number} with scores {points}: the game is over (R9)")
    return tuple(points)


def _check_start(start: Round, rules: Rules) -> None:
    """Refuse a round that a game of these rules cannot begin with."""
    state = start.to_bytes()
    if state[c.HIGHEST] != rules.highest(start.players) or state[c.FLAGS] != flags_of(rules):
        raise NimmtError("the round was set up with other rules, or its hands are unknown")
    if start.phase == "scored" or (start.phase == "draft") > rules.draft:
        raise NimmtError("the round is over, or is a draft that the rules do not have")


def _began(start: Round, rules: Rules) -> int:
    """Return who picked first in a draft that is going on; NimmtError if the rules say that it is somebody else."""
    players, picks = start.players, 10 * start.players - len(start.pool) + 4
    first = (start.to_act[0] - picks) % players
    if rules.first_picker not in ("rotate", first):
        raise NimmtError(f"seat {first} picked first, not seat {rules.first_picker}")
    return first
