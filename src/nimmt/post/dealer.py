"""The dealer of one game by post: a state machine without clock, network or threads (H1..H8)."""

from __future__ import annotations

import os
from typing import Any

from .. import BASE, Game, Rules, WrongPhase
from ..args import as_int
from .book import Book, Step, checked_now, make_step
from .errors import ClockBackwards, StaleVersion
from .messages import Message
from .table import HOUR, Table, packed_rules

Turn = int | tuple[int, int]


class Dealer(Book):
    """Deals a game, takes choices, keeps deadlines. Knows all; tells each seat what it may know.

    Every call takes `now`, seconds since 1970 (UTC) by the host's clock, 0..2**53; TypeError unless it is an integer.
    Every call takes `expected_version`: if given and not the present `version`, the call is refused. It returns the
    messages to send, in order. A refused call changes nothing. It raises

    IllegalMove      a seat, card or row that is not allowed       WrongPhase       not now, or too late
    StaleVersion     somebody else has acted in between            ClockBackwards   `now` is before the last entry
    NimmtError       a value out of its range                      TypeError        a value of a wrong type

    Deadlines that have passed come first: each call does what tick(now) would do, and is then judged. So it does not
    matter how often tick is called. What a player sends after a deadline moved the game on is refused, unless `turn`
    says that it is meant for the turn that is played now. `turn` is a number 1..10, or (round, turn).

    `log` holds the accepted calls; Dealer.replay(log) gives an equal dealer. Two are equal if their save() bytes are.
    """

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
        settings = {"first": first, "later": later, "choice": choice, "pick": pick}
        settings = {name: as_int(value, name) for name, value in settings.items()}
        args: dict[str, Any] = {"settings": {**settings, "automatic": automatic, "ask": ask}}
        args["rules"] = packed_rules(rules)
        args["seed"] = int.from_bytes(os.urandom(8), "little") if seed is None else as_int(seed, "seed")
        args["index"] = as_int(game, "game")
        return self._call("open", args, now, expected_version)

    def join(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Seat one more: before the start, or between rounds with the highest score at the table (H7).

        The message "joined" tells the seat. IllegalMove for an eleventh, WrongPhase inside a round.
        """
        return self._call("join", {}, now, expected_version)

    def start(self, *, now: int, position: Game | None = None, expected_version: int | None = None) -> list[Message]:
        """Deal the first round. WrongPhase if fewer than two have joined.

        `position` goes on with a game that was begun elsewhere, with the rules and the number of players of this one.
        """
        if position is None:
            return self._call("start", {}, now, expected_version)
        if not isinstance(position, Game):
            raise TypeError(f"position must be nimmt.Game, not {type(position).__name__}")
        return self._call("start", {"position": position.save().hex()}, now, expected_version)

    def next_round(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Deal the next round. WrongPhase inside a round, or if the game is over."""
        return self._call("next_round", {}, now, expected_version)

    def tick(self, now: int, *, expected_version: int | None = None) -> list[Message]:
        """Act on every deadline before `now`, each at its own moment (H2, H8); [] if there is none.

        Manual: the dealer is told who is late, once. Automatic: cards are drawn (H3) and rows taken (A1, A2).
        """
        return self._call("tick", {}, now, expected_version)

    def remind(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Remind those who are waited for, each of its own hand; tell the dealer who they are."""
        return self._call("remind", {}, now, expected_version)

    def play_for(self, seat: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Do for a late seat what it owes: a card or a pick at random (H3), a row by A1 or A2.

        WrongPhase if the seat is not late: at the deadline itself it is in time (H8).
        """
        return self._call("play_for", {"seat": as_int(seat, "seat")}, now, expected_version)

    def drop(self, seat: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Somebody has left: from now on the seat plays by itself, at random (H6). A card it has chosen stands."""
        return self._call("drop", {"seat": as_int(seat, "seat")}, now, expected_version)

    def take_over(self, seat: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Somebody sits down at a dropped seat: now if nobody has chosen a card in this turn, else with the next."""
        return self._call("take_over", {"seat": as_int(seat, "seat")}, now, expected_version)

    def extend(
        self, seconds: int, seat: int | None = None, *, now: int, expected_version: int | None = None
    ) -> list[Message]:
        """Give a seat, or all of them, 1..316224000 seconds more from their deadline on."""
        args = {"seconds": as_int(seconds, "seconds")}
        if seat is not None:
            args["seat"] = as_int(seat, "seat")
        return self._call("extend", args, now, expected_version)

    def pause(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Stop the game's clock: no deadline comes nearer. What players send is taken all the same."""
        return self._call("pause", {}, now, expected_version)

    def resume(self, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Let the clock go on: every deadline is later by the length of the pause."""
        return self._call("resume", {}, now, expected_version)

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

        The same card and row again is no new choice: returns []. A card of an earlier turn is refused as a late repeat.
        """
        args: dict[str, Any] = {"seat": as_int(seat, "seat"), "card": as_int(card, "card")}
        if row is not None:
            args["row"] = row if isinstance(row, str) else as_int(row, "row")
        return self._call("submit", args, now, expected_version, turn)

    def withdraw(
        self, seat: int, turn: Turn | None = None, *, now: int, expected_version: int | None = None
    ) -> list[Message]:
        """Take a choice back, as long as not all have chosen and the seat has time left."""
        return self._call("withdraw", {"seat": as_int(seat, "seat")}, now, expected_version, turn)

    def choose_row(
        self, seat: int, row: int | str, turn: Turn | None = None, *, now: int, expected_version: int | None = None
    ) -> list[Message]:
        """Take a row that is asked for: its number, or "cheapest" (R7, P3, P4, A1, A2)."""
        row = row if isinstance(row, str) else as_int(row, "row")
        return self._call("choose_row", {"seat": as_int(seat, "seat"), "row": row}, now, expected_version, turn)

    def pick(self, seat: int, card: int, *, now: int, expected_version: int | None = None) -> list[Message]:
        """Pick a card in the logic draft (V2)."""
        args = {"seat": as_int(seat, "seat"), "card": as_int(card, "card")}
        return self._call("pick", args, now, expected_version)

    # How a call is made

    def _call(
        self, call: str, args: dict[str, Any], now: int, expected: int | None, turn: Turn | None = None
    ) -> list[Message]:
        """Check, act on deadlines, then make the call on a copy, which becomes the game only if nothing was refused."""
        now = checked_now(now)
        if expected is not None and as_int(expected, "expected_version") != self.version:
            raise StaleVersion(f"the game has version {self.version}, not {expected}: somebody has acted in between")
        if now < self._table.clock:
            raise ClockBackwards(f"now is {now}, and the last entry of the log is of {self._table.clock}")
        table = self._table.copy()
        steps: list[Step] = []
        while True:
            moment = table.deadline()
            if table.paused is not None or moment is None or now <= moment:
                break
            steps.append(make_step(table, "deadline", {}, moment))
        if turn is not None:
            _check_turn(table, turn)
        table.moved = turn is None and table.place != self._table.place
        if call != "tick":
            before = table.version
            step = make_step(table, call, args, now)
            if table.version > before:
                steps.append(step)
        if steps:
            self._table = table
            self._steps += steps
        return [message for step in steps for message in step.messages]


def _check_turn(table: Table, turn: Turn) -> None:
    """Refuse what is meant for another turn."""
    game = table.playing()
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
