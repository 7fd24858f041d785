"""What the host decides: who sits where, rounds, deadlines. Each returns False if nothing has changed."""

from __future__ import annotations

from typing import Any

from .. import Game, IllegalMove, NimmtError, Rules, WrongPhase
from ..args import as_int
from .flow import begin_pick, begin_round, begin_turn, due, place, say, tell_hand, tell_table
from .messages import ALL, DEALER
from .missed import missed, run
from .table import LATEST, LONGEST, Seat, Settings, Table, packed_rules
from .words import moment


def open_game(table: Table, settings: dict[str, Any], rules: dict[str, Any], seed: int, index: int) -> bool:
    if table.settings is not None:
        raise WrongPhase("the game is open already: another game needs another dealer")
    table.rules, table.settings = Rules(**rules), Settings(**settings).checked()
    for name, number in (("seed", seed), ("game", index)):
        if not 0 <= as_int(number, name) < 1 << 64:
            raise NimmtError(f"{name} must be 0..2**64-1, not {number}")
    table.seed, table.index = seed, index
    say(table, DEALER, "opened", rules=packed_rules(table.rules), **settings)
    return True


def join(table: Table) -> bool:
    """Seat one more (H7)."""
    table.opened()
    if len(table.seats) == 10:
        raise IllegalMove("the table is full: 2 to 10 can play (R1, H7)")
    score = None
    if table.game is not None:
        table.game.join()
        score = table.game.scores[-1]
    table.seats.append(Seat())
    say(table, ALL, "joined", seat=len(table.seats) - 1, players=len(table.seats), score=score)
    return True


def start(table: Table, position: str | None = None) -> bool:
    table.opened()
    if table.game is not None:
        raise WrongPhase("the game has started")
    if len(table.seats) < 2:
        raise WrongPhase(f"2 to 10 can play, and {len(table.seats)} have joined (R1)")
    if position is None:
        table.game = Game(len(table.seats), table.seed, table.rules, table.index, history=False)
        begin_round(table)
        run(table)
        return True
    game = Game.load(bytes.fromhex(position))
    if game.players != len(table.seats) or game.rules != table.rules:
        raise NimmtError("the position has other rules or another number of players than the game that was opened")
    if game.phase not in ("draft", "choose"):
        raise WrongPhase(f"a position to go on from is one before a card or a pick, not {game.phase!r}")
    table.game = game
    begin_pick(table) if game.phase == "draft" else begin_turn(table)
    tell_table(table)
    return True


def next_round(table: Table) -> bool:
    table.playing().deal()
    begin_round(table)
    run(table)
    return True


def remind(table: Table) -> bool:
    """Remind those who are waited for (H2)."""
    game = table.playing()
    waiting = table.waiting
    if not waiting:
        raise WrongPhase("nobody is waited for")
    for number in waiting:
        view = game.view(number)
        fields: dict[str, Any] = {"seat": number, "phase": game.phase, **place(table), "due": table.seats[number].due}
        fields.update(hand=list(view.hand), choices=list(view.legal) if game.phase == "take" else [], at=table.at)
        say(table, number, "reminder", **fields)
    late = table.late(table.at)
    say(table, DEALER, "reminded", seats=waiting, late=late, phase=game.phase, **place(table), due=due(table))
    return True


def play_for(table: Table, seat: int) -> bool:
    """Do for a late seat what it owes: a random card (H3), or a row by A1 or A2."""
    table.playing()
    seat, _ = table.seat(seat)
    if seat not in table.waiting:
        raise WrongPhase(f"seat {seat} is not waited for")
    if seat not in table.late(table.at):
        until = table.seats[seat].due
        time = "its clock stands" if until is None else f"it has time until {moment(until)}"
        raise WrongPhase(f"seat {seat} is not late: {time} (H2, H8)")
    missed(table, [seat], "dealer")
    run(table)
    return True


def drop(table: Table, seat: int) -> bool:
    """Somebody has left: the seat plays on by itself (H6)."""
    game = table.playing()
    seat, notes = table.seat(seat)
    if game.is_over:
        raise WrongPhase("the game is over (R9)")
    if notes.dropped and not notes.returning:
        return False
    notes.dropped, notes.returning, notes.due, notes.told = True, False, None, False
    table.done.append(["dropped", seat])
    say(table, ALL, "dropped", seat=seat, **place(table))
    run(table)
    return True


def take_over(table: Table, seat: int) -> bool:
    """Somebody sits down at a seat that was dropped, from the start of a turn on (H6)."""
    game = table.playing()
    seat, notes = table.seat(seat)
    if game.is_over:
        raise WrongPhase("the game is over (R9)")
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
            notes.due = table.at + (table.opened().first if notes.fresh else table.opened().later)
        table.done.append(["back", seat])
    say(table, ALL, "taken_over", seat=seat, **place(table), begun=begun)
    if not begun and game.phase != "scored":
        tell_hand(table, seat)
    return True


def extend(table: Table, seconds: int, seat: int | None = None) -> bool:
    """Give a seat, or all, more time."""
    game = table.playing()
    seconds = as_int(seconds, "seconds")
    if not 1 <= seconds <= LONGEST:
        raise NimmtError(f"seconds must be 1..{LONGEST}, not {seconds}")
    if game.phase not in ("draft", "choose", "take"):
        raise WrongPhase("there is no deadline now")
    numbers = range(len(table.seats)) if seat is None else [table.seat(seat)[0]]
    timed = [number for number in numbers if table.seats[number].due is not None]
    if not timed:
        raise IllegalMove("this seat has no deadline now")
    for number in timed:
        notes = table.seats[number]
        notes.due, notes.told = (notes.due or 0) + seconds, False
        if number in table.waiting and notes.due < table.at:
            raise IllegalMove(f"seat {number} would still be late: its time was over long before (H8)")
        if notes.due > LATEST:
            raise NimmtError(f"a deadline must be before {LATEST}")
    say(table, ALL, "extended", seconds=seconds, seats=timed, due=due(table), **place(table))
    return True


def pause(table: Table) -> bool:
    """Stop the game's clock. Cards are taken all the same."""
    if table.playing().is_over:
        raise WrongPhase("the game is over (R9)")
    if table.paused is not None:
        raise WrongPhase("the game is paused already")
    table.paused = table.now
    say(table, ALL, "paused", **place(table), since=table.now)
    return True


def resume(table: Table) -> bool:
    """Let the game's clock go on: all deadlines move by the length of the pause."""
    table.playing()
    if table.paused is None:
        raise WrongPhase("the game is not paused")
    moved_by = table.now - table.paused
    table.paused, table.at = None, table.now
    for seat in table.seats:
        seat.due = None if seat.due is None else seat.due + moved_by
    say(table, ALL, "resumed", seconds=moved_by, due=due(table), **place(table))
    return True
