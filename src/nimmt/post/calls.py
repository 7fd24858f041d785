"""The calls of a dealer, each with the phases in which it is accepted. Together they are the table CALLS.

A call checks first and then changes the state; it returns False if nothing has changed. Its name and arguments are what
the log holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..args import as_int, checked_word, in_range
from ..errors import IllegalMove, NimmtError, WrongPhase
from ..game import Game
from ..rules import Rules
from .flow import act_for_late, begin_pick, begin_round, begin_turn, moved, picked, run, tell_hand, tell_table
from .messages import ALL, DEALER, Message
from .state import LATEST, LONGEST, Seat, Settings, State, packed_rules
from .texts import moment

ROUND = ("draft", "choose", "take")  # the phases of a round that is played
STARTED = (*ROUND, "scored")


class Call(NamedTuple):
    """One row of the table."""

    phases: tuple[str, ...]  # in which it is accepted
    what: str  # it does: in the other phases the answer is "cannot {what} now: ..."
    sent: bool  # by a player, who knows the game as it was before the last deadline
    make: Callable[..., bool]


#: The state machine: every call that a log may hold. docs/post.md shows it as a table, and tests try each cell.
CALLS: dict[str, Call] = {}


class Step(NamedTuple):
    """One entry of the log and the messages it led to.

    entry          the call as a dict: version, now, call, args, done
    messages       the messages, in the order in which they were made
    """

    entry: dict[str, Any]
    messages: tuple[Message, ...]


def make_step(state: State, name: str, args: dict[str, Any], now: int) -> Step:
    """Make a call, or refuse it in the wrong phase; if it changed something, it becomes the next entry of the log."""
    call = CALLS[name]
    state.begin(now)
    if state.phase not in call.phases:
        if name == "submit" and state.game:
            _refuse_repeat(state, *state.seat(args["seat"]), args["card"])
        raise WrongPhase(f"cannot {call.what} now: {_reason(state, call.phases)}")
    if call.make(state, **args):
        state.version += 1
        state.clock = now
    entry = {"version": state.version, "now": now, "call": name, "args": args, "done": state.done}
    return Step(entry, tuple(state.messages))


def _reason(state: State, phases: tuple[str, ...]) -> str:
    """Return why this phase is not one of these."""
    phase, game = state.phase, state.game
    if phases == ("new",):
        return "one is open already, and another game needs another dealer"
    if game is None:
        return "the game has not started" if phase == "open" else "the game has not been opened"
    if phases == ("open",):
        return "it has started"
    if phase in ROUND and not set(phases) & set(ROUND):
        return f"round {game.round} is not over (R8)"
    first = game.to_act[0] if game.to_act else None
    return {
        "draft": f"the draft goes on, seat {first} picks (V2)",
        "choose": "cards are chosen (R4)",
        "take": f"seat {first} must take a row first (R7, P5)",
        "scored": f"round {game.round} is over (R8)",
        "over": "the game is over (R9)",
    }[phase]


def _accepted(what: str, *phases: str, sent: bool = False) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Return what puts a call of the same name into the table."""

    def add(make: Callable[..., bool]) -> Callable[..., bool]:
        CALLS[make.__name__] = Call(phases, what, sent, make)
        return make

    return add


# Calls of the host


@_accepted("open a game", "new")
def open(state: State, settings: dict[str, Any], rules: dict[str, Any], seed: int, index: int) -> bool:
    state.rules, state.settings = Rules(**rules), Settings(**settings).checked()
    state.seed, state.index = checked_word(seed, "seed"), checked_word(index, "game")
    state.say(DEALER, "opened", rules=packed_rules(state.rules), **settings)
    return True


@_accepted("seat a player", "open", "scored")
def join(state: State) -> bool:
    """Seat one more (H7)."""
    if len(state.seats) == 10:
        raise IllegalMove("the table is full: 2 to 10 can play (R1, H7)")
    score = None
    if state.game is not None:
        state.game.join()
        score = state.game.scores[-1]
    state.seats.append(Seat())
    state.say(ALL, "joined", seat=len(state.seats) - 1, players=len(state.seats), score=score)
    return True


@_accepted("start the game", "open")
def start(state: State, position: str | None = None) -> bool:
    if len(state.seats) < 2:
        raise WrongPhase(f"2 to 10 can play, and {len(state.seats)} have joined (R1)")
    if position is None:
        state.game = Game(len(state.seats), state.seed, state.rules, state.index, history=False)
        begin_round(state)
        run(state)
        return True
    game = Game.load(bytes.fromhex(position))
    if game.players != len(state.seats) or game.rules != state.rules:
        raise NimmtError("the position has other rules or another number of players than the game that was opened")
    if game.phase not in ("draft", "choose"):
        raise WrongPhase(f"a position to go on from is one before a card or a pick, not {game.phase!r}")
    state.game = game
    begin_pick(state) if game.phase == "draft" else begin_turn(state)
    tell_table(state)
    return True


@_accepted("deal the next round", "scored")
def next_round(state: State) -> bool:
    state.playing().deal()
    begin_round(state)
    run(state)
    return True


@_accepted("act on a deadline", *ROUND)
def deadline(state: State) -> bool:
    """Act on a deadline that has passed: for the seat, or tell the dealer who is late (H2)."""
    late = [number for number in state.waiting if (state.seats[number].due or 0) <= state.at]
    late = [number for number in late if not state.seats[number].told]
    if state.opened().automatic:
        act_for_late(state, late, "deadline")
        run(state)
        return True
    fields = {"seats": late, "phase": state.phase, **state.place, "due": state.due}
    for number in late:
        state.seats[number].told = True
    state.say(DEALER, "late", **fields)
    return True


@_accepted("remind anybody", *ROUND)
def remind(state: State) -> bool:
    """Remind those who are waited for (H2)."""
    game, waiting = state.playing(), state.waiting
    where: dict[str, Any] = {"phase": game.phase, **state.place}
    for number in waiting:
        view = game.view(number)
        fields = {"seat": number, **where, "due": state.seats[number].due, "hand": list(view.hand)}
        choices = list(view.legal) if game.phase == "take" else []
        state.say(number, "reminder", **fields, choices=choices, at=state.at)
    state.say(DEALER, "reminded", seats=waiting, late=state.late(state.at), **where, due=state.due)
    return True


@_accepted("play for a seat", *ROUND)
def play_for(state: State, seat: int) -> bool:
    """Do for a late seat what it owes: a random card (H3), or a row by A1 or A2."""
    seat, notes = state.seat(seat)
    if seat not in state.waiting:
        raise WrongPhase(f"seat {seat} is not waited for")
    if seat not in state.late(state.at):
        time = "its clock stands" if notes.due is None else f"it has time until {moment(notes.due)}"
        raise WrongPhase(f"seat {seat} is not late: {time} (H2, H8)")
    act_for_late(state, [seat], "dealer")
    run(state)
    return True


@_accepted("drop a seat", *STARTED)
def drop(state: State, seat: int) -> bool:
    """Somebody has left: the seat plays on by itself (H6)."""
    seat, notes = state.seat(seat)
    if notes.dropped and not notes.returning:
        return False
    notes.dropped, notes.returning, notes.due, notes.told = True, False, None, False
    state.done.append(["dropped", seat])
    state.say(ALL, "dropped", seat=seat, **state.place)
    run(state)
    return True


@_accepted("give a seat to somebody", *STARTED)
def take_over(state: State, seat: int) -> bool:
    """Somebody sits down at a seat that was dropped, from the start of a turn on (H6)."""
    game, settings = state.playing(), state.opened()
    seat, notes = state.seat(seat)
    if not notes.dropped:
        raise IllegalMove(f"somebody sits at seat {seat}; names are kept beside the game")
    if notes.returning:
        return False
    begun = game.phase == "take" or (game.phase == "choose" and len(game.to_act) < game.players)
    if begun:
        notes.returning = True
    else:
        notes.dropped = False
        if game.phase == "choose":
            notes.due = state.at + (settings.first if notes.fresh else settings.later)
        state.done.append(["back", seat])
    state.say(ALL, "taken_over", seat=seat, **state.place, begun=begun)
    if not begun and game.phase != "scored":
        tell_hand(state, seat)
    return True


@_accepted("give more time", *ROUND)
def extend(state: State, seconds: int, seat: int | None = None) -> bool:
    """Give a seat, or all, more time."""
    seconds = in_range(seconds, "seconds", 1, LONGEST)
    numbers = range(len(state.seats)) if seat is None else [state.seat(seat)[0]]
    timed = [number for number in numbers if state.seats[number].due is not None]
    if not timed:
        raise IllegalMove(f"{'nobody has a' if seat is None else f'seat {seat} has no'} deadline now")
    for number in timed:
        notes = state.seats[number]
        notes.due, notes.told = (notes.due or 0) + seconds, False
        if number in state.waiting and notes.due < state.at:
            raise IllegalMove(f"seat {number} would still be late: its time was over long before (H8)")
        if notes.due > LATEST:
            raise NimmtError(f"a deadline must be before {LATEST}")
    state.say(ALL, "extended", seconds=seconds, seats=timed, due=state.due, **state.place)
    return True


@_accepted("pause the game", *STARTED)
def pause(state: State) -> bool:
    """Stop the game's clock. Cards are taken all the same."""
    if state.paused is not None:
        raise WrongPhase("the game is paused already")
    state.paused = state.now
    state.say(ALL, "paused", **state.place, since=state.now)
    return True


@_accepted("end a pause", *STARTED, "over")
def resume(state: State) -> bool:
    """Let the game's clock go on: all deadlines move by the length of the pause."""
    if state.paused is None:
        raise WrongPhase("the game is not paused")
    moved_by = state.now - state.paused
    state.paused, state.at = None, state.now
    for seat in state.seats:
        seat.due = None if seat.due is None else seat.due + moved_by
    state.say(ALL, "resumed", seconds=moved_by, due=state.due, **state.place)
    return True


# Calls of the players


def _sender(state: State, number: object) -> tuple[int, Seat, Game]:
    """Return who sends something, or raise if nobody may send anything for this seat."""
    seat, notes = state.seat(number)
    if notes.dropped:
        raise IllegalMove(f"seat {seat} has dropped out: it must be taken over first (H6)")
    return seat, notes, state.playing()


@_accepted("submit a card", "choose", sent=True)
def submit(state: State, seat: int, card: int, row: int | str | None = None) -> bool:
    seat, notes, game = _sender(state, seat)
    card, row = as_int(card, "card"), _checked_row(row)
    if notes.forced:
        raise IllegalMove(f"seat {seat} is too late: a card was drawn for it (H3, H8)")
    _refuse_repeat(state, seat, notes, card)
    events = []
    if game.chosen(seat) == card:
        if notes.standby == row:
            return False
    else:
        events = game.choose(seat, card)
    shown = len(events) > 1  # it was the last card that was missing
    where = {"round": game.round, "turn": 10 - len(game.hand(seat))} if shown else state.place
    notes.standby = row
    state.say(seat, "received", seat=seat, **where, card=card, row=row, hand=list(game.hand(seat)))
    state.say(DEALER, "progress", seat=seat, **where, missing=[] if shown else state.waiting)
    if events:
        moved(state, events)
        run(state)
    return True


@_accepted("withdraw a card", "choose", sent=True)
def withdraw(state: State, seat: int) -> bool:
    seat, notes, game = _sender(state, seat)
    if game.chosen(seat) is not None:
        if notes.forced:
            raise IllegalMove(f"seat {seat}: this card was drawn for it and stays (H3)")
        if notes.due is not None and state.at > notes.due:
            raise WrongPhase(f"seat {seat}: the time is over; a card can be replaced, but not withdrawn (H5, H8)")
    game.withdraw(seat)
    notes.standby = None
    state.say(seat, "withdrawn", seat=seat, **state.place, hand=list(game.hand(seat)), due=notes.due)
    state.say(DEALER, "progress", seat=seat, **state.place, missing=state.waiting)
    return True


@_accepted("choose a row", "take", sent=True)
def choose_row(state: State, seat: int, row: int | str) -> bool:
    seat, _, game = _sender(state, seat)
    why = "asked"
    if _checked_row(row) == "cheapest":
        # Whoever owes nothing is refused by take, whatever the row.
        asked = game.owed is not None and game.owed.seat == seat
        row, why = game.cheapest() if asked else 0, "cheapest"
    number = as_int(row, "row")
    events = game.take(seat, number)
    state.done.append(["row", seat, number, why])
    moved(state, events, why)
    run(state)
    return True


@_accepted("pick a card", "draft", sent=True)
def pick(state: State, seat: int, card: int) -> bool:
    seat, _, game = _sender(state, seat)
    picked(state, game.pick(seat, card), False)
    run(state)
    return True


def _refuse_repeat(state: State, seat: int, notes: Seat, card: object) -> None:
    """Refuse a card that its seat has played in this round: somebody sent it twice, or late."""
    if card not in notes.played:
        return
    game = state.playing()
    chosen = game.phase == "choose" and game.chosen(seat) is not None
    gone = 10 - len(game.hand(seat)) - chosen
    turn = gone - len(notes.played) + notes.played.index(card) + 1
    raise WrongPhase(f"seat {seat} played card {card} in turn {turn} of this round: a late repeat")


def _checked_row(row: object) -> int | str | None:
    """Return a row to send along: 0..3, "cheapest" or None (H4)."""
    if row is None or (isinstance(row, str) and row == "cheapest"):
        return row
    if isinstance(row, str):
        raise IllegalMove(f'a row is 0..3 or "cheapest", not {row!r} (H4)')
    number = as_int(row, "row")
    if not 0 <= number < 4:
        raise IllegalMove(f"there is no row {number}: rows are 0..3 (H4)")
    return number
