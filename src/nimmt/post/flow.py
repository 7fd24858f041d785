"""What happens by itself: rounds and turns begin, cards are shown and placed, and all are told (H1, H2, H4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import Chosen, GameOver, Picked, Placed, Revealed, RoundOver, bull_heads
from .messages import ALL, message
from .table import Table

if TYPE_CHECKING:
    from ..events import Event


def say(table: Table, to: int | str, kind: str, **fields: Any) -> None:
    """Add a message of this call."""
    table.messages.append(message(to, kind, **fields))


def place(table: Table) -> dict[str, int]:
    game = table.playing()
    return {"round": game.round, "turn": game.turn}


def due(table: Table) -> list[int | None]:
    """Return by seat until when the dealer waits for it; None if it does not."""
    waiting = table.waiting
    return [seat.due if number in waiting else None for number, seat in enumerate(table.seats)]


def lists(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(row) for row in rows]


# Rounds and turns begin


def begin_round(table: Table) -> None:
    """Begin a round that was dealt, or its draft: tell the table and every seat its hand (H1)."""
    game = table.playing()
    table.stream = None
    for seat in table.seats:
        seat.played = ()
    if game.phase == "draft":
        _return(table)
        begin_pick(table)
        picker = game.to_act[0]
        pool, until = list(game.view().pool), table.seats[picker].due
        say(table, ALL, "draft", round=game.round, pool=pool, seat=picker, due=until)
        ask_pick(table)
    else:
        begin_turn(table)
        tell_table(table)


def tell_table(table: Table) -> None:
    """Tell all the rows and scores, and each seat its hand."""
    view = table.playing().view()
    say(
        table,
        ALL,
        "table",
        **place(table),
        rows=lists(view.rows),
        heads=list(view.heads),
        scores=list(view.scores),
        dropped=table.dropped,
        due=due(table),
    )
    for number, seat in enumerate(table.seats):
        if not seat.dropped:
            tell_hand(table, number)


def tell_hand(table: Table, number: int) -> None:
    view = table.playing().view(number)
    until = table.seats[number].due if number in table.waiting else None
    say(table, number, "hand", seat=number, **place(table), hand=list(view.hand), rows=lists(view.rows), due=until)


def begin_turn(table: Table) -> list[int]:
    """Begin a turn: everybody has time from now on, 72 hours for the first card of the game (H2).

    Return the seats that were taken over with this turn.
    """
    settings = table.opened()
    back = _return(table)
    for seat in table.seats:
        seat.standby, seat.forced, seat.told = None, False, False
        seat.due = None if seat.dropped else table.at + (settings.first if seat.fresh else settings.later)
    return back


def _return(table: Table) -> list[int]:
    """Seat those who take a seat over from this turn on (H6)."""
    back = [number for number, seat in enumerate(table.seats) if seat.returning]
    for number in back:
        table.seats[number].dropped = table.seats[number].returning = False
        table.done.append(["back", number])
    return back


def begin_pick(table: Table) -> None:
    """Give the seat that picks next its time."""
    _only(table, table.playing().to_act[0], table.opened().pick)


def _only(table: Table, number: int, seconds: int) -> None:
    """Wait for one seat only."""
    for seat in table.seats:
        seat.due, seat.told = None, False
    if not table.seats[number].dropped:
        table.seats[number].due = table.at + seconds


def ask_pick(table: Table) -> None:
    """Tell the seat that picks next what lies there."""
    for number in table.waiting:
        view = table.playing().view(number)
        _ask(table, number, "your_pick", round=view.round, pool=list(view.pool), hand=list(view.hand))


def _ask(table: Table, number: int, kind: str, **fields: Any) -> None:
    """Ask a seat for a pick or a row, until its deadline."""
    say(table, number, kind, seat=number, due=table.seats[number].due, **fields)


# A move was made


class Shown:
    """What all get to see of a turn, collected until placing is over or stops for a row.

    `how` says why the row of the next card was taken: "asked", "sent" or "cheapest"; None if there was no choice.
    """

    def __init__(self, how: str | None) -> None:
        self.how = how
        self.cards: list[int] | None = None
        self.placed: list[dict[str, Any]] = []
        self.over: list[Event] = []

    def add(self, table: Table, events: list[Event]) -> None:
        """Add the events of one move."""
        for event in events:
            if isinstance(event, Revealed):
                self.cards = list(event.cards)
                table.done.append(["cards", *event.cards])
                for seat, card in zip(table.seats, event.cards):
                    seat.played, seat.fresh = (*seat.played, card), False
            elif isinstance(event, Placed):
                heads = sum(bull_heads(card) for card in event.taken)
                self.placed.append(dict(event._asdict(), taken=list(event.taken), heads=heads, how=self.how))
                self.how = None
            elif isinstance(event, (RoundOver, GameOver)):
                self.over.append(event)


def moved(table: Table, events: list[Event], how: str | None = None) -> None:
    """Take in what a choice or a row led to: place on as far as nobody is asked, and tell all."""
    if len(events) == 1 and isinstance(events[0], Chosen):
        return
    game, shown = table.playing(), Shown(how)
    shown.add(table, events)
    while game.phase == "take":
        owed = game.to_act[0]
        _only(table, owed, table.opened().choice)
        decided = _decided(table)
        if decided is None:
            break
        shown.how = decided[0]
        shown.add(table, game.take(owed, decided[1]))
    random = [number for number, seat in enumerate(table.seats) if seat.forced]
    back = _begin_next(table)
    _tell_turn(table, shown, random)
    for number in back:
        tell_hand(table, number)


def _decided(table: Table) -> tuple[str, int] | None:
    """Return why and which row is taken by who owes one, or None if the seat is asked (H4, A1, A2)."""
    owed = table.playing().owed
    assert owed is not None
    seat, settings = table.seats[owed.seat], table.opened()
    ask = table.rules.professional if settings.ask is None else settings.ask
    if isinstance(seat.standby, int) and seat.standby in owed.rows:
        how, row = "sent", seat.standby
    elif ask and seat.standby is None and not seat.dropped:  # with a drawn card goes "cheapest"
        return None
    else:
        how, row = "cheapest", table.playing().cheapest()
    table.done.append(["row", owed.seat, row, how])
    return how, row


def _begin_next(table: Table) -> list[int]:
    """Begin the next turn if this one is over. Return the seats that were taken over with it."""
    phase = table.playing().phase
    if phase == "choose":
        return begin_turn(table)
    if phase != "take":
        for seat in table.seats:
            seat.standby, seat.forced, seat.due, seat.told = None, False, None, False
    return []


def _tell_turn(table: Table, shown: Shown, random: list[int]) -> None:
    """Tell all the cards and where they went, then who owes a row, or what the round and the game came to."""
    game = table.playing()
    view, owed = game.view(), game.owed
    say(
        table,
        ALL,
        "placed" if shown.cards is None else "reveal",
        round=game.round,
        turn=10 - len(game.hand(0)),
        **({} if shown.cards is None else {"cards": shown.cards}),
        random=random,
        placed=shown.placed,
        rows=lists(view.rows),
        heads=list(view.heads),
        owed=None if owed is None else dict(owed._asdict(), rows=list(owed.rows)),
        following=game.turn if game.phase == "choose" else None,
        due=due(table),
    )
    if owed is not None and not table.seats[owed.seat].dropped:
        ask_row(table, owed.seat)
    for event in shown.over:
        _tell_over(table, event)


def ask_row(table: Table, number: int) -> None:
    """Ask a seat for the row it owes."""
    view = table.playing().view(number)
    asked = {"card": view.chosen, "choices": list(view.legal), "rows": lists(view.rows)}
    _ask(table, number, "your_row", **place(table), **asked)


def _tell_over(table: Table, event: Event) -> None:
    game = table.playing()
    if isinstance(event, RoundOver):
        table.done.append(["scores", *event.scores])
        say(table, ALL, "round_over", round=game.round, heads=list(event.heads), scores=list(event.scores))
    elif isinstance(event, GameOver):
        say(
            table,
            ALL,
            "game_over",
            round=game.round,
            scores=list(event.scores),
            ranks=list(event.ranks),
            winners=list(event.winners),
            dropped=table.dropped,
        )


def picked(table: Table, events: list[Event], random: bool) -> None:
    """Tell all a pick, and ask the next seat, or begin the turns (V2)."""
    game = table.playing()
    pick = next(event for event in events if isinstance(event, Picked))
    following = game.to_act[0] if game.phase == "draft" else None
    if following is not None:
        begin_pick(table)
    until = None if following is None else table.seats[following].due
    fields = {"round": game.round, "seat": pick.seat, "card": pick.card, "random": random}
    say(table, ALL, "picked", **fields, following=following, due=until)
    if following is None:
        begin_turn(table)
        tell_table(table)
    else:
        ask_pick(table)
