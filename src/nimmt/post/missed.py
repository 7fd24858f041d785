"""What the dealer does for the late and the lost: cards at random, rows by A1 and A2, deadlines (H2, H3, H6)."""

from __future__ import annotations

from .flow import due, moved, picked, place, say
from .messages import ALL, DEALER, message
from .table import Table


def run(table: Table) -> None:
    """Make the moves of seats that have dropped out, as long as the game waits for nobody else (H6)."""
    game = table.playing()
    while game.phase in ("draft", "choose", "take") and not table.waiting:
        act_for(table, game.to_act[0])


def act_for(table: Table, number: int) -> int:
    """Do what a seat has to do now: a card at random, or a row by A1 or A2. Return the card or row."""
    game, seat = table.playing(), table.seats[number]
    if game.phase == "take":
        row = game.cheapest()
        table.done.append(["row", number, row, "cheapest"])
        moved(table, game.take(number, row), "cheapest")
        return row
    card = table.random(game.hand(number) if game.phase == "choose" else game.view().pool)
    table.done.append(["random", number, card])
    if game.phase == "draft":
        picked(table, game.pick(number, card), True)
    else:
        seat.forced, seat.standby = True, "cheapest"
        moved(table, game.choose(number, card))
    return card


def deadline(table: Table) -> None:
    """Act on a deadline that has passed: for the seat, or tell the dealer who is late (H2)."""
    late = [number for number in table.waiting if (table.seats[number].due or 0) <= table.at]
    late = [number for number in late if not table.seats[number].told]
    fields = {"seats": late, "phase": table.phase, **place(table), "due": due(table)}
    if not table.opened().automatic:
        for number in late:
            table.seats[number].told = True
        say(table, DEALER, "late", **fields)
        return
    missed(table, late, "deadline")
    run(table)


def missed(table: Table, late: list[int], why: str) -> None:
    """Act for seats that have missed something, and tell them and all."""
    phase = table.phase
    where = place(table)
    say(table, ALL, "played_for", seats=late, phase=phase, why=why, **where)
    for number in late:
        hand = list(table.playing().hand(number))
        at = len(table.messages)
        what = act_for(table, number)
        if phase == "choose":
            left = [card for card in hand if card != what]
            drawn = message(number, "drawn", seat=number, **where, card=what, hand=left)
            # Before the turn is shown, as it happened.
            table.messages.insert(at, drawn)
