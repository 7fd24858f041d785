"""What is known of a game by post: its state, its log, and the way between them. The calls are in dealer.py."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import BadRecord, Game, NimmtError, Rules, View
from ..args import as_int
from .calls import CALLS
from .messages import Message
from .table import LATEST, Table, packed

if TYPE_CHECKING:
    from typing_extensions import Self


class Step(NamedTuple):
    """One entry of the log and the messages it led to."""

    entry: dict[str, Any]
    messages: tuple[Message, ...]


class Book:
    """The state and the log of a game by post; Dealer adds the calls that change them."""

    def __init__(self) -> None:
        self._table = Table()
        self._steps: list[Step] = []

    # What is known

    @property
    def version(self) -> int:
        """The number of entries in the log since the game was opened."""
        return self._table.version

    @property
    def clock(self) -> int:
        """The moment of the last entry of the log."""
        return self._table.clock

    @property
    def phase(self) -> str:
        """ "new", "open" (seats join), then the phase of the game: "draft" "choose" "take" "scored" "over"."""
        return self._table.phase

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self._table.seats)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that are waited for, ascending; dropped ones never are."""
        return tuple(self._table.waiting)

    @property
    def due(self) -> tuple[int | None, ...]:
        """By seat: until when it has time; None if it is not waited for."""
        waiting = self._table.waiting
        return tuple([seat.due if number in waiting else None for number, seat in enumerate(self._table.seats)])

    @property
    def dropped(self) -> tuple[int, ...]:
        """The seats that play by themselves (H6)."""
        return tuple(self._table.dropped)

    @property
    def paused(self) -> int | None:
        """Since when the game is paused, or None."""
        return self._table.paused

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._table.rules

    def check_seat(self, seat: int) -> int:
        """Return the number of a seat, or raise IllegalMove if there is none."""
        return self._table.seat(seat)[0]

    def late(self, now: int) -> tuple[int, ...]:
        """Return the seats that are waited for and whose deadline has passed (H8)."""
        now = checked_now(now)
        return tuple(self._table.late(now if self.paused is None else self.paused))

    def game(self) -> Game:
        """Return a copy of the game, which knows all hands and the seed: for the dealer's desk only."""
        return self._table.playing().copy()

    def view(self, seat: int | None = None) -> View:
        """Return what a seat may know, or a spectator; WrongPhase before the start."""
        return self._table.playing().view(seat)

    # Log and state

    @property
    def steps(self) -> tuple[Step, ...]:
        """The accepted calls since this object was made or loaded, each with its messages."""
        return tuple(self._steps)

    @property
    def log(self) -> tuple[dict[str, Any], ...]:
        """The entries of the log since this object was made or loaded, as JSON values. They hold all cards."""
        return tuple([json.loads(packed(step.entry)) for step in self._steps])

    def save(self) -> bytes:
        """Return the state as canonical JSON, without the log. It holds all hands and the seed."""
        return self._table.save()

    @classmethod
    def load(cls, data: bytes) -> Self:
        """Return the dealer that save() gave, with an empty log; BadRecord if this is no state."""
        if not isinstance(data, (bytes, bytearray)):
            raise TypeError(f"a state is bytes, not {type(data).__name__}")
        dealer = cls()
        dealer._table = Table.load(bytes(data))
        return dealer

    @classmethod
    def replay(cls, log: Iterable[dict[str, Any]]) -> Self:
        """Make the calls of a whole log again. BadRecord, naming the entry, if one does not lead to what it says."""
        dealer = cls()
        for entry in log:
            dealer.repeat(entry)
        return dealer

    def repeat(self, entry: dict[str, Any]) -> None:
        """Make the next call of a log again. BadRecord if it is refused or leads to something else than it says."""
        try:
            call, args, moment = entry["call"], entry["args"], checked_now(entry["now"])
            table = self._table.copy()
            if call == "deadline" and table.deadline() != moment:
                raise BadRecord("no deadline was reached then")
            if moment < table.clock:
                raise BadRecord("it is earlier than the entry before it")
            step = make_step(table, call, args, moment)
        except (NimmtError, KeyError, TypeError, AttributeError) as error:
            raise BadRecord(f"entry {self.version + 1} of the log: {error}") from error
        if packed(step.entry) != packed(entry):
            raise BadRecord(f"entry {self.version + 1} of the log leads to something else: {step.entry['done']}")
        self._table = table
        self._steps.append(step)

    def copy(self) -> Self:
        """Return an independent dealer with the same state and log."""
        other = type(self)()
        other._table, other._steps = self._table.copy(), list(self._steps)
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Book) and self.save() == other.save()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Dealer: version {self.version}, {self.phase}, {self.players} seats, waits for {self.waiting}>"


def make_step(table: Table, call: str, args: dict[str, Any], now: int) -> Step:
    """Make one call on a table; if it changed something, it becomes the next entry of the log."""
    table.set_now(now)
    if CALLS[call](table, **args):
        table.version += 1
        table.clock = now
    entry = {"version": table.version, "now": now, "call": call, "args": args, "done": table.done}
    return Step(entry, tuple(table.messages))


def checked_now(now: object) -> int:
    """Return a moment in seconds since 1970 (UTC), 0..2**53."""
    moment = as_int(now, "now")
    if not 0 <= moment <= LATEST:
        raise NimmtError(f"now must be 0..{LATEST} seconds since 1970, not {moment}")
    return moment
