"""What happens by itself: rounds and turns begin, cards are placed, all are told, the lost play on (H1..H4, H6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..events import Chosen, Event, GameOver, Picked, Placed, Revealed, RoundOver
from ..turn import bull_heads
from .messages import ALL, message
from .state import State


def lists(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(row) for row in rows]


# Rounds and turns begin


def begin_round(state: State) -> None:
    """Begin a round that was dealt, or its draft: tell the table and every seat its hand (H1)."""
    game = state.playing()
    state.stream = None
    for seat in state.seats:
        seat.played = ()
    if game.phase == "draft":
        _return(state)
        begin_pick(state)
        picker = game.to_act[0]
        pool, until = list(game.view().pool), state.seats[picker].due
        state.say(ALL, "draft", round=game.round, pool=pool, seat=picker, due=until)
        ask_pick(state)
    else:
        begin_turn(state)
        tell_table(state)


def tell_table(state: State) -> None:
    """Tell all the rows and scores, and each seat its hand."""
    view = state.playing().view()
    state.say(
        ALL,
        "table",
        **state.place,
        rows=lists(view.rows),
        heads=list(view.heads),
        scores=list(view.scores),
        dropped=state.dropped,
        due=state.due,
    )
    for number, seat in enumerate(state.seats):
        if not seat.dropped:
            tell_hand(state, number)


def tell_hand(state: State, number: int) -> None:
    view = state.playing().view(number)
    until = state.seats[number].due if number in state.waiting else None
    state.say(number, "hand", seat=number, **state.place, hand=list(view.hand), rows=lists(view.rows), due=until)


def begin_turn(state: State) -> list[int]:
    """Begin a turn: everybody has time from now on, 72 hours for the first card of the game (H2).

    Return the seats that were taken over with this turn.
    """
    settings = state.opened()
    back = _return(state)
    for seat in state.seats:
        seat.standby, seat.forced, seat.told = None, False, False
        seat.due = None if seat.dropped else state.at + (settings.first if seat.fresh else settings.later)
    return back


def _return(state: State) -> list[int]:
    """Seat those who take a seat over from this turn on (H6)."""
    back = [number for number, seat in enumerate(state.seats) if seat.returning]
    for number in back:
        state.seats[number].dropped = state.seats[number].returning = False
        state.done.append(["back", number])
    return back


def begin_pick(state: State) -> None:
    """Give the seat that picks next its time."""
    _only(state, state.playing().to_act[0], state.opened().pick)


def _only(state: State, number: int, seconds: int) -> None:
    """Wait for one seat only."""
    for seat in state.seats:
        seat.due, seat.told = None, False
    if not state.seats[number].dropped:
        state.seats[number].due = state.at + seconds


def ask_pick(state: State) -> None:
    """Tell the seat that picks next what lies there."""
    for number in state.waiting:
        view = state.playing().view(number)
        _ask(state, number, "your_pick", round=view.round, pool=list(view.pool), hand=list(view.hand))


def _ask(state: State, number: int, kind: str, **fields: Any) -> None:
    """Ask a seat for a pick or a row, until its deadline."""
    state.say(number, kind, seat=number, due=state.seats[number].due, **fields)


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

    def add(self, state: State, events: list[Event]) -> None:
        """Add the events of one move."""
        for event in events:
            if isinstance(event, Revealed):
                self.cards = list(event.cards)
                state.done.append(["cards", *event.cards])
                for seat, card in zip(state.seats, event.cards):
                    seat.played, seat.fresh = (*seat.played, card), False
            elif isinstance(event, Placed):
                heads = sum(bull_heads(card) for card in event.taken)
                self.placed.append(dict(event._asdict(), taken=list(event.taken), heads=heads, how=self.how))
                self.how = None
            elif isinstance(event, (RoundOver, GameOver)):
                self.over.append(event)


def moved(state: State, events: list[Event], how: str | None = None) -> None:
    """Take in what a choice or a row led to: place on as far as nobody is asked, and tell all."""
    if len(events) == 1 and isinstance(events[0], Chosen):
        return
    game, shown = state.playing(), Shown(how)
    shown.add(state, events)
    while game.phase == "take":
        owed = game.to_act[0]
        _only(state, owed, state.opened().choice)
        decided = _decided(state)
        if decided is None:
            break
        shown.how = decided[0]
        shown.add(state, game.take(owed, decided[1]))
    random = [number for number, seat in enumerate(state.seats) if seat.forced]
    back = _begin_next(state)
    _tell_turn(state, shown, random)
    for number in back:
        tell_hand(state, number)


def _decided(state: State) -> tuple[str, int] | None:
    """Return why and which row is taken by who owes one, or None if the seat is asked (H4, A1, A2)."""
    owed = state.playing().owed
    assert owed is not None
    seat, settings = state.seats[owed.seat], state.opened()
    ask = state.rules.professional if settings.ask is None else settings.ask
    if isinstance(seat.standby, int) and seat.standby in owed.rows:
        how, row = "sent", seat.standby
    elif ask and seat.standby is None and not seat.dropped:  # with a drawn card goes "cheapest"
        return None
    else:
        how, row = "cheapest", state.playing().cheapest()
    state.done.append(["row", owed.seat, row, how])
    return how, row


def _begin_next(state: State) -> list[int]:
    """Begin the next turn if this one is over. Return the seats that were taken over with it."""
    phase = state.playing().phase
    if phase == "choose":
        return begin_turn(state)
    if phase != "take":
        for seat in state.seats:
            seat.standby, seat.forced, seat.due, seat.told = None, False, None, False
    return []


def _tell_turn(state: State, shown: Shown, random: list[int]) -> None:
    """Tell all the cards and where they went, then who owes a row, or what the round and the game came to."""
    game = state.playing()
    view, owed = game.view(), game.owed
    state.say(
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
        due=state.due,
    )
    if owed is not None and not state.seats[owed.seat].dropped:
        ask_row(state, owed.seat)
    for event in shown.over:
        _tell_over(state, event)


def ask_row(state: State, number: int) -> None:
    """Ask a seat for the row it owes."""
    view = state.playing().view(number)
    asked = {"card": view.chosen, "choices": list(view.legal), "rows": lists(view.rows)}
    _ask(state, number, "your_row", **state.place, **asked)


def _tell_over(state: State, event: Event) -> None:
    game = state.playing()
    if isinstance(event, RoundOver):
        state.done.append(["scores", *event.scores])
        state.say(ALL, "round_over", round=game.round, heads=list(event.heads), scores=list(event.scores))
    elif isinstance(event, GameOver):
        state.say(
            ALL,
            "game_over",
            round=game.round,
            scores=list(event.scores),
            ranks=list(event.ranks),
            winners=list(event.winners),
            dropped=state.dropped,
        )


def picked(state: State, events: list[Event], random: bool) -> None:
    """Tell all a pick, and ask the next seat, or begin the turns (V2)."""
    game = state.playing()
    pick = next(event for event in events if isinstance(event, Picked))
    following = game.to_act[0] if game.phase == "draft" else None
    if following is not None:
        begin_pick(state)
    until = None if following is None else state.seats[following].due
    fields = {"round": game.round, "seat": pick.seat, "card": pick.card, "random": random}
    state.say(ALL, "picked", **fields, following=following, due=until)
    if following is None:
        begin_turn(state)
        tell_table(state)
    else:
        ask_pick(state)


# Moves that are made for somebody


def run(state: State) -> None:
    """Make the moves of seats that have dropped out, as long as the game waits for nobody else (H6)."""
    game = state.playing()
    while game.phase in ("draft", "choose", "take") and not state.waiting:
        act_for(state, game.to_act[0])


def act_for(state: State, number: int) -> int:
    """Do what a seat has to do now: a card at random, or a row by A1 or A2. Return the card or row."""
    game, seat = state.playing(), state.seats[number]
    if game.phase == "take":
        row = game.cheapest()
        state.done.append(["row", number, row, "cheapest"])
        moved(state, game.take(number, row), "cheapest")
        return row
    card = state.random(game.hand(number) if game.phase == "choose" else game.view().pool)
    state.done.append(["random", number, card])
    if game.phase == "draft":
        picked(state, game.pick(number, card), True)
    else:
        seat.forced, seat.standby = True, "cheapest"
        moved(state, game.choose(number, card))
    return card


def act_for_late(state: State, late: list[int], why: str) -> None:
    """Act for seats that have missed something, and tell them and all."""
    phase, where = state.phase, state.place
    state.say(ALL, "played_for", seats=late, phase=phase, why=why, **where)
    for number in late:
        hand = list(state.playing().hand(number))
        at = len(state.messages)
        what = act_for(state, number)
        if phase == "choose":
            hand.remove(what)
            # Before the turn is shown, as it happened.
            state.messages.insert(at, message(number, "drawn", seat=number, **where, card=what, hand=hand))
