"""What one seat may know: built from what is public and from its own cards, never by cutting secrets out."""

from .events import Cards, RowOwed, Rows  # noqa: F401 - RowOwed is in a type
from .port import NamedTuple, explain
from .rules import Rules
from .scored import Scored

View = NamedTuple(
    "View",
    [
        ("seat", "int | None"),
        ("players", int),
        ("rules", Rules),
        ("phase", str),
        ("round", int),
        ("turn", int),
        ("rows", Rows),
        ("hand", Cards),
        ("chosen", "int | None"),
        ("legal", Cards),
        ("to_act", Cards),
        ("owed", "RowOwed | None"),
        ("lying", "tuple[int | None, ...]"),
        ("has_chosen", "tuple[bool, ...]"),
        ("heads", Cards),
        ("scores", Cards),
        ("seen", Cards),
        ("hands", "tuple[Cards | None, ...]"),
        ("pool", Cards),
    ],
)
explain(
    View,
    "What a seat, or a spectator, may know. Numbers are plain ints, sequences are tuples.",
    seat="whose view it is; None: a spectator's",
    players="the number of players, with those who have joined for the next round",
    rules="the rules of the game",
    phase='"draft", "choose", "take", "scored" or "over"',
    round="the number of the round, from 1",
    turn="1..10; 0 in the draft",
    rows="the four rows in table order; () in the draft",
    hand="own cards without the chosen one, ascending; () for a spectator",
    chosen="own card, chosen or shown and not yet placed; None if the seat has not chosen",
    legal="what Game.legal says of this seat; () for a spectator",
    to_act="the seats that the game waits for, ascending",
    owed="the row that is owed, or None",
    lying="by seat: the card that is shown and not yet placed, or None",
    has_chosen="by seat: does a card lie face down?",
    heads="bull heads of this round, by seat",
    scores="bull heads of finished rounds, by seat",
    seen="the cards that were face up in this round, ascending",
    hands="by seat: the cards not yet shown, where all know them (V2) or they are one's own; else None",
    pool="the cards that can be picked in the draft, ascending; () otherwise",
)


def view_of(game: Scored, seat: "int | None") -> View:
    """Build the view of a seat from what is public in a game, and from the seat's own cards."""
    hand: Cards = ()
    legal: Cards = ()
    chosen: int | None = None
    known: list[Cards | None] = [None] * game.players
    if game.rules.draft:  # V2: all have seen the picks; which of them lies face down is not told
        known = [game.held(other) for other in range(game.players)]
    if seat is not None:
        seat = game._seat(seat)
        hand, chosen, legal = game.hand(seat), game.chosen(seat), game.legal(seat)
        known[seat] = game.held(seat)
    cards = [game.chosen(other) for other in range(game.players)]
    shown = game.phase == "take"
    return View(
        seat=seat,
        players=game.players,
        rules=game.rules,
        phase=game.phase,
        round=game.round,
        turn=game.turn,
        rows=game.rows,
        hand=hand,
        chosen=chosen,
        legal=legal,
        to_act=game.to_act,
        owed=game.owed,
        lying=tuple([card if shown else None for card in cards]),
        has_chosen=tuple([card is not None and not shown for card in cards]),
        heads=game.heads,
        scores=game.scores,
        seen=game.seen,
        hands=tuple(known),
        pool=game.pool,
    )
