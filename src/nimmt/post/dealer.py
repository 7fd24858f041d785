"""The dealer of one game by post: a state machine without clock, network or threads (H1..H8)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..args import as_bytes, as_int, checked_seed
from ..errors import BadRecord, NimmtError, WrongPhase
from ..game import Game
from ..rules import BASE, Rules
from ..view import View
from .calls import CALLS, Step, make_step
from .errors import ClockBackwards, StaleVersion
from .messages import Message
from .state import HOUR, Settings, State, checked_now, packed, packed_rules

if TYPE_CHECKING:
    from typing_extensions import Self

Turn = int | tuple[int, int]


class Dealer:
    """Deals a game, takes choices, keeps deadlines. Knows all; tells each seat what it may know.

    Every call takes `now`, seconds since 1970 (UTC) by the host's clock, 0..2**53; TypeError unless it is an integer.
    Every call takes `expected_version`: if given and not the present `version`, the call is refused. It returns the
    messages to send, in order. A refused call changes nothing. It raises

    IllegalMove      for a seat, card or row that is not allowed
    WrongPhase       for a call in another phase, or too late
    StaleVersion     if somebody else has acted in between
    ClockBackwards   if `now` is before the last entry
    NimmtError       for a value out of its range
    TypeError        for a value of a wrong type

    Deadlines that have passed come first: each call does what tick(now) would do, and is then judged. So it does not
    matter how often tick is called. What a player sends after a deadline moved the game on is refused, unless `turn`
    says that it is meant for the turn that is played now. `turn` is a number 1..10, or (round, turn).

    `log` holds the accepted calls; Dealer.replay(log) gives an equal dealer. Two are equal if their save() bytes are.
    """

    def __init__(self) -> None:
        self._state = State()
        self._steps: list[Step] = []

    # What is known

    @property
    def version(self) -> int:
        """The number of entries in the log since the game was opened."""
        return self._state.version

    @property
    def clock(self) -> int:
        """The moment of the last entry of the log."""
        return self._state.clock

    @property
    def phase(self) -> str:
        """ "new", "open" (seats join), then the phase of the game: "draft" "choose" "take" "scored" "over"."""
        return self._state.phase

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self._state.seats)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that are waited for, ascending; dropped ones never are."""
        return tuple(self._state.waiting)

    @property
    def due(self) -> tuple[int | None, ...]:
        """By seat: until when it has time; None if it is not waited for."""
        return tuple(self._state.due)

    @property
    def dropped(self) -> tuple[int, ...]:
        """The seats that play by themselves (H6)."""
        return tuple(self._state.dropped)

    @property
    def paused(self) -> int | None:
        """Since when the game is paused, or None."""
        return self._state.paused

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._state.rules

    def check_seat(self, seat: int) -> int:
        """Return the number of a seat, or raise IllegalMove if it does not exist."""
        return self._state.seat(seat)[0]

    def late(self, now: int) -> tuple[int, ...]:
        """Return the seats that are waited for and whose deadline has passed (H8)."""
        now = checked_now(now)
        return tuple(self._state.late(now if self.paused is None else self.paused))

    def game(self) -> Game:
        """Return a copy of the game, which knows all hands and the seed: for the dealer's desk only."""
        return self._state.playing().copy()

    def view(self, seat: int | None = None) -> View:
        """Return what a seat may know, or a spectator; WrongPhase before the start."""
        return self._state.playing().view(seat)

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
        return self._state.save()

    @classmethod
    def load(cls, data: bytes) -> Self:
        """Return the dealer that save() gave, with an empty log; BadRecord if these bytes are not a state."""
        dealer = cls()
        dealer._state = State.load(as_bytes(data, "a state"))
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
            state = self._state.copy()
            if call not in CALLS:
                raise BadRecord(f"{call!r} is not a call")
            if call == "deadline" and state.deadline() != moment:
                raise BadRecord("a deadline did not pass then")
            if moment < state.clock:
                raise BadRecord("it is earlier than the entry before it")
            step = make_step(state, call, args, moment)
        except (NimmtError, KeyError, TypeError, AttributeError) as error:
            raise BadRecord(f"entry {self.version + 1} of the log: {error}") from error
        if state.version == self.version or packed(step.entry) != packed(entry):
            raise BadRecord(f"entry {self.version + 1} of the log leads to something else: {step.entry['done']}")
        self._state = state
        self._steps.append(step)

    def copy(self) -> Self:
        """Return an independent dealer with the same state and log."""
        other = type(self)()
        other._state, other._steps = self._state.copy(), list(self._steps)
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dealer) and self.save() == other.save()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Dealer: version {self.version}, {self.phase}, {self.players} seats, waits for {self.waiting}>"

    # Calls of the host

    def open(
        self,
        *,
        now: int,
        rules: Rules = BASE,
        seed: int | None = None,
        game: int = 0,
        first: int = 72 * HOUR,
        later: int = 48 * HOUR,
        choice: int = 48 * HOUR,
        pick: int = 48 * HOUR,
        automatic: bool = False,
        ask: bool | None = None,
        expected_version: int | None = None,
    ) -> list[Message]:
        """Open a game; seats join, then it starts.

        seed, game     0..2**64-1, as for nimmt.Game; None draws a seed, and the log keeps it
        the others     see Settings: deadlines in seconds (H2), who acts at them, who is asked for rows (H4)
        """
        if not isinstance(rules, Rules):
            raise TypeError(f"rules must be nimmt.Rules, not {type(rules).__name__}")
        settings = Settings(first, later, choice, pick, automatic, ask).checked().packed()
        args = {"settings": settings, "rules": packed_rules(rules)}
        return self._call("open", now, expected_version, **args, seed=checked_seed(seed), index=as_int(game, "game"))

    def join(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Seat one more: before the start, or between rounds with the highest score at the table (H7).

        The message "joined" tells the seat. IllegalMove for an eleventh, WrongPhase inside a round.
        """
        return self._call("join", now, expected_version)

    def start(self, *, now: int, position: Game | None = None, expected_version: int | None = None) -> list[Message]:
        """Deal the first round. WrongPhase if fewer than two have joined.

        `position` goes on with a game that was begun elsewhere, with the rules and the number of players of this one.
        """
        if position is None:
            return self._call("start", now, expected_version)
        if not isinstance(position, Game):
            raise TypeError(f"position must be nimmt.Game, not {type(position).__name__}")
        return self._call("start", now, expected_version, position=position.save().hex())

    def next_round(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Deal the next round. WrongPhase inside a round, or if the game is over."""
        return self._call("next_round", now, expected_version)

    def tick(self, now: int, *, expected_version: int | None = None) -> list[Message]:
        """Act on every deadline before `now`, each at its own moment (H2, H8); [] if there is none.

        Manual: the dealer is told who is late, once. Automatic: cards are drawn (H3) and rows taken (A1, A2).
        """
        return self._call("tick", now, expected_version)

    def remind(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Remind those who are waited for, each of its own hand; tell the dealer who they are."""
        return self._call("remind", now, expected_version)

    def play_for(self, seat: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Do for a late seat what it owes: a card or a pick at random (H3), a row by A1 or A2.

        WrongPhase if the seat is not late: at the deadline itself it is in time (H8).
        """
        return self._call("play_for", now, expected_version, seat=as_int(seat, "seat"))

    def drop(self, seat: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Somebody has left: from now on the seat plays by itself, at random (H6). A card it has chosen stands."""
        return self._call("drop", now, expected_version, seat=as_int(seat, "seat"))

    def take_over(self, seat: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Somebody sits down at a dropped seat: now if nobody has chosen a card in this turn, else with the next."""
        return self._call("take_over", now, expected_version, seat=as_int(seat, "seat"))

    def extend(
        self, seconds: int, seat: int | None = None, *, now: int, expected_version: int | None = None
    ) -> list[Message]:
        """Give a seat, or all of them, 1..316224000 seconds more from their deadline on."""
        whom = {} if seat is None else {"seat": as_int(seat, "seat")}
        return self._call("extend", now, expected_version, seconds=as_int(seconds, "seconds"), **whom)

    def pause(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Stop the game's clock: no deadline comes nearer. What players send is taken all the same."""
        return self._call("pause", now, expected_version)

    def resume(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Let the clock go on: every deadline is later by the length of the pause."""
        return self._call("resume", now, expected_version)

    # Calls of the players

    def submit(
        self,
        seat: int,
        card: int,
        row: int | str | None = None,
        turn: Turn | None = None,
        *,
        now: int,
        expected_version: int | None = None,
    ) -> list[Message]:
        """Choose a card, or another one as long as not all have chosen (H5). The last one shows and places all.

        row            0..3 or "cheapest", for the case that a row is owed (H4); None: see Settings.ask
        turn           refuse unless this turn is played now

        The same card and row again is not a new choice and returns []. A card of an earlier turn is refused as a late
        repeat.
        """
        along = {} if row is None else {"row": row if isinstance(row, str) else as_int(row, "row")}
        args = {"seat": as_int(seat, "seat"), "card": as_int(card, "card"), **along}
        return self._call("submit", now, expected_version, turn, **args)

    def withdraw(
        self, seat: int, turn: Turn | None = None, *, now: int, expected_version: int | None = None
    ) -> list[Message]:
        """Take a choice back, as long as not all have chosen and the seat has time left."""
        return self._call("withdraw", now, expected_version, turn, seat=as_int(seat, "seat"))

    def choose_row(
        self, seat: int, row: int | str, turn: Turn | None = None, *, now: int, expected_version: int | None = None
    ) -> list[Message]:
        """Take a row that is asked for: its number, or "cheapest" (R7, P3, P4, A1, A2)."""
        args = {"seat": as_int(seat, "seat"), "row": row if isinstance(row, str) else as_int(row, "row")}
        return self._call("choose_row", now, expected_version, turn, **args)

    def pick(self, seat: int, card: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Pick a card in the logic draft (V2)."""
        return self._call("pick", now, expected_version, seat=as_int(seat, "seat"), card=as_int(card, "card"))

    # How a call is made

    def _call(
        self, name: str, now: int, expected: int | None, turn: Turn | None = None, /, **args: Any
    ) -> list[Message]:
        """Check, act on deadlines, then make the call on a copy, which becomes the game only if nothing was refused."""
        now = checked_now(now)
        if expected is not None and as_int(expected, "expected_version") != self.version:
            raise StaleVersion(f"the game has version {self.version}, not {expected}: somebody has acted in between")
        if now < self.clock:
            raise ClockBackwards(f"now is {now}, and the last entry of the log is of {self.clock}")
        state = self._state.copy()
        steps: list[Step] = []
        while state.paused is None and (moment := state.deadline()) is not None and moment < now:
            steps.append(make_step(state, "deadline", {}, moment))
        if turn is not None:
            _check_turn(state, turn)
        elif state.point != self._state.point and name != "tick" and CALLS[name].sent:
            seat = state.seat(args["seat"])[0]
            raise WrongPhase(f"seat {seat} is too late: a deadline has passed and the game went on (H8)")
        if name != "tick":
            step = make_step(state, name, args, now)
            steps += [step] if state.version > self.version + len(steps) else []
        if steps:
            self._state = state
            self._steps += steps
        return [message for step in steps for message in step.messages]


def _check_turn(state: State, turn: Turn) -> None:
    """Refuse what is meant for another turn."""
    game = state.playing()
    wanted = (game.round, as_int(turn, "turn")) if not isinstance(turn, (tuple, list)) else tuple(turn)
    if len(wanted) != 2:
        raise TypeError("turn must be a number or (round, turn)")
    at = (as_int(wanted[0], "round"), as_int(wanted[1], "turn"))
    if at != (game.round, game.turn):
        now = f"round {game.round}, turn {game.turn} is played"
        early = "over" if at < (game.round, game.turn) else "yet to come"
        raise WrongPhase(f"turn {at[1]} of round {at[0]} is {early}: {now}")
    if game.phase in ("scored", "over"):
        raise WrongPhase(f"turn {at[1]} of round {at[0]} is over, and so is the round")
