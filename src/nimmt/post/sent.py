"""What the players send: cards, rows, picks. Checks first, then changes; each returns False if nothing has changed."""

from __future__ import annotations

from .. import Game, IllegalMove, WrongPhase
from ..args import as_int
from .flow import moved, picked, place, say
from .messages import DEALER
from .missed import run
from .table import Seat, Table


def _sender(table: Table, number: object) -> tuple[int, Seat, Game]:
    """Return who sends something, or raise if nobody may send anything for this seat."""
    game = table.playing()
    seat, notes = table.seat(number)
    if table.moved:
        raise WrongPhase(f"seat {seat} is too late: a deadline has passed and the game went on (H8)")
    if notes.dropped:
        raise IllegalMove(f"seat {seat} has dropped out: it must be taken over first (H6)")
    return seat, notes, game


def submit(table: Table, seat: int, card: int, row: int | str | None = None) -> bool:
    seat, notes, game = _sender(table, seat)
    card = as_int(card, "card")
    row = checked_row(row)
    if game.phase == "choose" and notes.forced:
        raise IllegalMove(f"seat {seat} is too late: a card was drawn for it (H3, H8)")
    if card in notes.played:
        turn = 10 - len(game.hand(seat)) - len(notes.played) + notes.played.index(card) + 1
        if game.phase == "choose" and game.chosen(seat) is not None:
            turn -= 1
        raise WrongPhase(f"seat {seat} played card {card} in turn {turn} of this round: a late repeat")
    events = []
    if game.phase == "choose" and game.chosen(seat) == card:
        if notes.standby == row:
            return False
    else:
        events = game.choose(seat, card)
    where = place(table) if len(events) < 2 else {"round": game.round, "turn": 10 - len(game.hand(seat))}
    notes.standby = row
    say(table, seat, "received", seat=seat, **where, card=card, row=row, hand=list(game.hand(seat)))
    missing = [] if len(events) > 1 else table.waiting
    say(table, DEALER, "progress", seat=seat, **where, missing=missing)
    if events:
        moved(table, events)
        run(table)
    return True


def withdraw(table: Table, seat: int) -> bool:
    seat, notes, game = _sender(table, seat)
    if game.phase == "choose" and game.chosen(seat) is not None:
        if notes.forced:
            raise IllegalMove(f"seat {seat}: this card was drawn for it and stays (H3)")
        if notes.due is not None and table.at > notes.due:
            raise WrongPhase(f"seat {seat}: the time is over; a card can be replaced, but not withdrawn (H5, H8)")
    game.withdraw(seat)
    notes.standby = None
    say(table, seat, "withdrawn", seat=seat, **place(table), hand=list(game.hand(seat)), due=notes.due)
    say(table, DEALER, "progress", seat=seat, **place(table), missing=table.waiting)
    return True


def choose_row(table: Table, seat: int, row: int | str) -> bool:
    seat, notes, game = _sender(table, seat)
    why = "asked"
    if checked_row(row) == "cheapest":
        # Whoever owes nothing is refused by take, whatever the row.
        asked = game.owed is not None and game.owed.seat == seat
        row, why = game.cheapest() if asked else 0, "cheapest"
    number = as_int(row, "row")
    events = game.take(seat, number)
    table.done.append(["row", seat, number, why])
    moved(table, events, why)
    run(table)
    return True


def pick(table: Table, seat: int, card: int) -> bool:
    seat, notes, game = _sender(table, seat)
    picked(table, game.pick(seat, card), False)
    run(table)
    return True


def checked_row(row: object) -> int | str | None:
    """Return a row to send along: 0..3, "cheapest" or None (H4)."""
    if row is None or (isinstance(row, str) and row == "cheapest"):
        return row
    if isinstance(row, str):
        raise IllegalMove(f'a row is 0..3 or "cheapest", not {row!r} (H4)')
    number = as_int(row, "row")
    if not 0 <= number < 4:
        raise IllegalMove(f"there is no row {number}: rows are 0..3 (H4)")
    return number
