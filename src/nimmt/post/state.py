"""The state of one game by post: what is kept between calls, and how it is written down. The moves are in flow.py."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from ..args import as_int, checked_seat, in_range
from ..errors import BadRecord, IllegalMove, WrongPhase
from ..game import Game
from ..rules import NAMES, Rules
from ..stream import Stream
from .messages import Message, message

FORMAT = 1  # of the state and of the log
HOUR = 3600
LONGEST = 10 * 366 * 24 * HOUR  # seconds; a deadline further away is a slip of the pen
LATEST = 1 << 53  # moments; beyond, other readers of JSON lose digits
RANDOM_CARDS = 2  # the `use` of the stream for missed cards (H3); 0 is the game's, 1 the bots'

#: The phases in their order: before the start, then those of the game.
PHASES = ("new", "open", "draft", "choose", "take", "scored", "over")


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
        times = [in_range(getattr(self, name), name, 1, LONGEST) for name in ("first", "later", "choice", "pick")]
        if type(self.automatic) is not bool:
            raise TypeError(f"automatic must be True or False, not {type(self.automatic).__name__}")
        if self.ask is not None and type(self.ask) is not bool:
            raise TypeError(f"ask must be True, False or None, not {type(self.ask).__name__}")
        first, later, choice, pick = times
        return Settings(first, later, choice, pick, self.automatic, self.ask)

    def packed(self) -> dict[str, Any]:
        """Return the settings by name, as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


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


_notes = attrgetter(*[field.name for field in fields(Seat)])
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class State:
    """One game by post. `settings` is None before it is opened, `game` before it starts.

    The last four attributes belong to the call that is being made and are not written down: `now` as the host said
    it, `at` the same on the game's own clock, which stands still in a pause; `messages` and `done` are collected.
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

    def copy(self) -> State:
        """Return an independent state that is equal."""
        other = State()
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
    def point(self) -> tuple[str, int, int, int]:
        """Return phase, round, turn and, in a draft, the cards left: how far the game is."""
        if self.game is None:
            return self.phase, 0, 0, 0
        left = len(self.game.view().pool) if self.phase == "draft" else 0
        return self.phase, self.game.round, self.game.turn, left

    @property
    def place(self) -> dict[str, int]:
        """Return round and turn, as messages have them."""
        return {"round": self.playing().round, "turn": self.playing().turn}

    @property
    def waiting(self) -> list[int]:
        """Return the seats that are waited for, ascending; a dropped seat never is."""
        to_act = self.game.to_act if self.game else ()
        return [seat for seat in to_act if not self.seats[seat].dropped]

    @property
    def due(self) -> list[int | None]:
        """Return by seat until when the dealer waits for it; None if it does not."""
        waiting = self.waiting
        return [seat.due if number in waiting else None for number, seat in enumerate(self.seats)]

    @property
    def dropped(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.dropped]

    def late(self, at: int) -> list[int]:
        """Return the seats that are waited for and whose time is over (H8: at the deadline itself it is not)."""
        return [seat for seat in self.waiting if at > (self.seats[seat].due or at)]

    def deadline(self) -> int | None:
        """Return the next deadline of a seat that is waited for, if nothing was done about it yet."""
        moments = [seat.due for seat in (self.seats[number] for number in self.waiting) if not seat.told]
        known = [due for due in moments if due is not None]
        return max(min(known), self.clock) if known else None

    # What a call needs

    def begin(self, now: int) -> None:
        """Begin a call at this moment."""
        self.now, self.at = now, now if self.paused is None else self.paused
        self.messages, self.done = [], []

    def say(self, to: int | str, kind: str, **fields: Any) -> None:
        """Add a message of this call."""
        self.messages.append(message(to, kind, **fields))

    def playing(self) -> Game:
        """Return the game, or raise WrongPhase."""
        if self.game is None:
            raise WrongPhase("the game has not started" if self.settings else "the game has not been opened")
        return self.game

    def opened(self) -> Settings:
        if self.settings is None:
            raise WrongPhase("the game has not been opened")
        return self.settings

    def seat(self, number: object) -> tuple[int, Seat]:
        """Return the number of a seat as an int and what is noted of it, or raise IllegalMove."""
        if not self.seats:
            raise IllegalMove(f"there is no seat {as_int(number, 'seat')}: nobody has joined yet")
        seat = checked_seat(number, len(self.seats))
        return seat, self.seats[seat]

    def random(self, cards: tuple[int, ...]) -> int:
        """Return one of these cards, each equally likely, from the round's own stream (H3)."""
        game = self.playing()
        if self.stream is None:
            self.stream = Stream(game.seed, game.game, game.round - 1, RANDOM_CARDS)
        return cards[self.stream.below(len(cards))]

    # As text

    def save(self) -> bytes:
        """Return the state as canonical JSON: equal states give equal bytes. It holds all hands and the seed."""
        state = {
            "format": FORMAT,
            "version": self.version,
            "clock": self.clock,
            "settings": self.settings and self.settings.packed(),
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
    def load(cls, data: bytes) -> State:
        """Return the state that save() gave, or raise BadRecord."""
        try:
            found = json.loads(data)
            if found["format"] != FORMAT:
                raise BadRecord(f"a state of format {found['format']}; this release reads {FORMAT}")
            state = _unpacked(found)
            # What is missing, extra or of another type shows in the way back.
            if state.save() != data or state.settings != (state.settings and state.settings.checked()):
                raise BadRecord("the state is not in canonical form")
            _check_values(state)
            _check_agreement(state)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            if isinstance(error, BadRecord):
                raise
            raise BadRecord(f"this is not the state of a game by post: {error!r}") from None
        return state


def checked_now(now: object) -> int:
    """Return a moment in seconds since 1970 (UTC), 0..2**53."""
    return in_range(now, "now, in seconds since 1970,", 0, LATEST)


def packed(value: object) -> bytes:
    """Return JSON in its one canonical form."""
    return _encode(value).encode()


def packed_rules(rules: Rules) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in NAMES}


def _unpacked(found: dict[str, Any]) -> State:
    state = State()
    state.version, state.clock, state.paused = found["version"], found["clock"], found["paused"]
    state.settings = Settings(**found["settings"]) if found["settings"] is not None else None
    state.rules, state.seed, state.index = Rules(**found["rules"]), found["seed"], found["index"]
    state.seats = [Seat(*values) for values in found["seats"]]
    for seat in state.seats:
        seat.played = tuple(seat.played)
    if found["game"] is not None:
        state.game = Game.load(bytes.fromhex(found["game"]))
    if found["stream"] is not None:
        state.stream = Stream(0)
        for number, word in enumerate(found["stream"]):
            state.stream.state[number] = word
    return state


def _check_values(state: State) -> None:
    """Refuse a part that cannot have its value, whatever the others are."""
    numbers = {"version": state.version, "clock": state.clock, "seed": state.seed, "index": state.index}
    if state.paused is not None:
        numbers["paused"] = state.paused
    for number, seat in enumerate(state.seats):
        if seat.due is not None:
            numbers[f"the deadline of seat {number}"] = seat.due
        for flag in ("forced", "dropped", "returning", "fresh", "told"):
            if type(getattr(seat, flag)) is not bool:
                raise BadRecord(f"{flag} of seat {number} is true or false, not {getattr(seat, flag)!r}")
        if type(seat.standby) in (bool, float) or seat.standby not in (None, "cheapest", 0, 1, 2, 3):
            raise BadRecord(f'the row of seat {number} is 0..3, "cheapest" or null, not {seat.standby!r}')
        if any(type(card) is not int for card in seat.played):
            raise BadRecord(f"the cards that seat {number} has played are integers, not {seat.played!r}")
    for name, value in numbers.items():
        if type(value) is not int or value < 0:
            raise BadRecord(f"{name} is an integer from 0 on, not {value!r}")


def _check_agreement(state: State) -> None:
    """Refuse parts that contradict each other."""
    seats, game = len(state.seats), state.game
    if seats > 10:
        raise BadRecord(f"the state has {seats} seats, and 2 to 10 can play (R1)")
    for number, seat in enumerate(state.seats):
        if seat.returning and not seat.dropped:
            raise BadRecord(f"seat {number} is to be taken over, but has not dropped out (H6)")
    if game is None:
        return
    if state.settings is None:
        raise BadRecord("the game has started, but was not opened")
    if game.players != seats:
        raise BadRecord(f"the state has {seats} seats, but its game {game.players} players")
    if game.rules != state.rules:
        raise BadRecord(f"the game was opened with {state.rules!r}, but is played with {game.rules!r}")
