"""The state of one game by post: what is kept between calls, and how it is written down. The moves are in flow.py."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from .. import BadRecord, Game, IllegalMove, NimmtError, Rules, Stream, WrongPhase
from ..args import as_int
from .messages import Message

FORMAT = 1  # of the state and of the log
HOUR = 3600
LONGEST = 10 * 366 * 24 * HOUR  # seconds; a deadline further away is a slip of the pen
LATEST = 1 << 53  # moments; beyond, other readers of JSON lose digits
RANDOM_CARDS = 2  # the `use` of the stream for missed cards (H3); 0 is the game's, 1 the bots'

_RULES = ("deck", "draft", "professional", "tie", "limit", "end", "rounds", "first_picker", "cheapest")


@dataclass(frozen=True, slots=True)
class Settings:
    """The deadlines of a game (H2), in seconds 1..316224000, and what happens at them.

    first          for the very first card of a seat in the game
    later          for every later card
    choice         for a row that is asked for
    pick           for a pick in the logic draft
    automatic      True: a deadline acts by itself; False: the dealer is told who is late and decides
    ask            True: who owes a row and sent none along is asked; False: A1 and A2 decide at once. None means H4:
                   asked in professional only
    """

    first: int = 72 * HOUR
    later: int = 48 * HOUR
    choice: int = 48 * HOUR
    pick: int = 48 * HOUR
    automatic: bool = False
    ask: bool | None = None

    def checked(self) -> Settings:
        """Return these settings, or raise TypeError or NimmtError for the first one that cannot be."""
        times = [as_int(getattr(self, name), name) for name in ("first", "later", "choice", "pick")]
        for name, seconds in zip(("first", "later", "choice", "pick"), times):
            if not 1 <= seconds <= LONGEST:
                raise NimmtError(f"{name} must be 1..{LONGEST} seconds, not {seconds} (H2)")
        for name, value, kinds in (("automatic", self.automatic, (bool,)), ("ask", self.ask, (bool, type(None)))):
            if type(value) not in kinds:
                raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
        first, later, choice, pick = times
        return Settings(first, later, choice, pick, self.automatic, self.ask)


@dataclass(slots=True)
class Seat:
    """What the dealer notes of a seat, beside what the game knows of it."""

    standby: int | str | None = None  # the row sent along with the card, or "cheapest" (H4)
    forced: bool = False  # its card of this turn was drawn at random (H3, H6)
    dropped: bool = False  # nobody sits here (H6)
    returning: bool = False  # dropped, but taken over from the next turn on (H6)
    fresh: bool = True  # has not played a card in this game (H2)
    due: int | None = None  # the moment until which this seat has time
    told: bool = False  # the dealer knows that it is late
    played: tuple[int, ...] = ()  # its cards of this round, turn by turn


_SETTINGS = tuple([field.name for field in fields(Settings)])
_settings = attrgetter(*_SETTINGS)
_notes = attrgetter(*[field.name for field in fields(Seat)])
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class Table:
    """One game by post. `settings` is None before it is opened, `game` before it starts.

    The last five attributes belong to the call that is being made and are not part of the state: `now` as the host
    said it, `at` the same on the game's own clock, which stands still in a pause; `messages` and `done` are collected.
    """

    def __init__(self) -> None:
        self.version, self.clock = 0, 0
        self.settings: Settings | None = None
        self.rules = Rules()
        self.seed, self.index = 0, 0
        self.seats: list[Seat] = []
        self.game: Game | None = None
        self.paused: int | None = None
        self.stream: Stream | None = None
        self.now, self.at = 0, 0
        self.messages: list[Message] = []
        self.done: list[list[Any]] = []
        self.moved = False

    def copy(self) -> Table:
        """Return an independent table with the same state."""
        other = Table()
        other.version, other.clock, other.settings, other.rules = self.version, self.clock, self.settings, self.rules
        other.seed, other.index, other.paused = self.seed, self.index, self.paused
        other.seats = [Seat(*_notes(seat)) for seat in self.seats]
        other.game = self.game and self.game.copy()
        if self.stream is not None:
            other.stream = Stream(0)
            other.stream.state[:] = self.stream.state
        return other

    # What is known

    @property
    def phase(self) -> str:
        """Return "new", "open", or the phase of the game."""
        if self.game is not None:
            return self.game.phase
        return "open" if self.settings else "new"

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Return phase, round, turn and, in a draft, the cards left: where the game is."""
        if self.game is None:
            return self.phase, 0, 0, 0
        left = len(self.game.view().pool) if self.phase == "draft" else 0
        return self.phase, self.game.round, self.game.turn, left

    @property
    def waiting(self) -> list[int]:
        """Return the seats that are waited for, ascending; a dropped seat never is."""
        to_act = self.game.to_act if self.game else ()
        return [seat for seat in to_act if not self.seats[seat].dropped]

    @property
    def dropped(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.dropped]

    def late(self, at: int) -> list[int]:
        """Return the seats that are waited for and whose time is over (H8: at the deadline itself it is not)."""
        return [seat for seat in self.waiting if at > (self.seats[seat].due or at)]

    def set_now(self, now: int) -> None:
        """Begin something at this moment."""
        self.now, self.at = now, now if self.paused is None else self.paused
        self.messages, self.done = [], []

    def deadline(self) -> int | None:
        """Return the next deadline of a seat that is waited for, if nothing was done about it yet."""
        moments = [seat.due for seat in (self.seats[number] for number in self.waiting) if not seat.told]
        known = [due for due in moments if due is not None]
        return max(min(known), self.clock) if known else None

    # What is asked for

    def playing(self) -> Game:
        """Return the game, or raise WrongPhase."""
        if self.game is None:
            raise WrongPhase("the game has not started" if self.settings else "no game was opened")
        return self.game

    def opened(self) -> Settings:
        if self.settings is None:
            raise WrongPhase("no game was opened")
        return self.settings

    def seat(self, number: object) -> tuple[int, Seat]:
        """Return the number of a seat as an int and what is noted of it, or raise IllegalMove."""
        seat = as_int(number, "seat")
        if not 0 <= seat < len(self.seats):
            raise IllegalMove(f"there is no seat {seat}: seats are 0..{len(self.seats) - 1}")
        return seat, self.seats[seat]

    def random(self, cards: tuple[int, ...]) -> int:
        """Return one of these cards, each equally likely, from the round's own stream (H3)."""
        game = self.playing()
        if self.stream is None:
            self.stream = Stream(game.seed, game.game, game.round - 1, RANDOM_CARDS)
        return cards[self.stream.below(len(cards))]

    # The state as text

    def save(self) -> bytes:
        """Return the state as canonical JSON: equal states give equal bytes. It holds all hands and the seed."""
        settings = self.settings
        state = {
            "format": FORMAT,
            "version": self.version,
            "clock": self.clock,
            "settings": dict(zip(_SETTINGS, _settings(settings))) if settings else None,
            "rules": packed_rules(self.rules),
            "seed": self.seed,
            "index": self.index,
            "seats": [_notes(seat) for seat in self.seats],
            "game": self.game.save().hex() if self.game else None,
            "paused": self.paused,
            "stream": list(self.stream.state) if self.stream else None,
        }
        return packed(state)

    @classmethod
    def load(cls, data: bytes) -> Table:
        """Return the table that save() gave, or raise BadRecord."""
        try:
            state = json.loads(data)
            if state["format"] != FORMAT:
                raise BadRecord(f"a state of format {state['format']}; this release reads {FORMAT}")
            table = _unpacked(state)
            # What is missing, extra or of another type shows in the way back.
            if table.save() != bytes(data) or table.settings != (table.settings and table.settings.checked()):
                raise BadRecord("the state is not in canonical form")
            _check(table)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            if isinstance(error, BadRecord):
                raise
            raise BadRecord(f"this is no state of a game by post: {error!r}") from None
        return table


def packed(value: object) -> bytes:
    """Return JSON in its one canonical form."""
    return _encode(value).encode()


def packed_rules(rules: Rules) -> dict[str, Any]:
    return dict(zip(_RULES, attrgetter(*_RULES)(rules)))


def _unpacked(state: dict[str, Any]) -> Table:
    table = Table()
    table.version, table.clock, table.paused = state["version"], state["clock"], state["paused"]
    table.settings = Settings(**state["settings"]) if state["settings"] is not None else None
    table.rules, table.seed, table.index = Rules(**state["rules"]), state["seed"], state["index"]
    table.seats = [Seat(*values) for values in state["seats"]]
    for seat in table.seats:
        seat.played = tuple(seat.played)
    if state["game"] is not None:
        table.game = Game.load(bytes.fromhex(state["game"]))
    if state["stream"] is not None:
        table.stream = Stream(0)
        for number, word in enumerate(state["stream"]):
            table.stream.state[number] = word
    return table


def _check(table: Table) -> None:
    """Refuse parts that are of a wrong kind or contradict each other."""
    moments = [table.clock] + [seat.due for seat in table.seats if seat.due is not None]
    moments += [] if table.paused is None else [table.paused]
    numbers = [table.version, table.seed, table.index, *moments]
    flags = ("forced", "dropped", "returning", "fresh", "told")
    seats, game = table.seats, table.game
    wrong = (
        any(type(number) is not int or number < 0 for number in numbers)
        or any(type(getattr(seat, flag)) is not bool for seat in seats for flag in flags)
        or any(seat.standby not in (None, "cheapest", 0, 1, 2, 3) for seat in seats)
        or any(type(seat.standby) in (bool, float) for seat in seats)
        or any(type(card) is not int for seat in seats for card in seat.played)
        or any(seat.returning and not seat.dropped for seat in seats)
        or (game is not None and (len(seats) != game.players or game.rules != table.rules or table.settings is None))
        or len(seats) > 10
    )
    if wrong:
        raise BadRecord("the parts of the state contradict each other")
