"""What one seat may know, as an immutable value: built from what is public and its own cards, never by cutting."""

from collections import namedtuple

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .game import Game

FIELDS = (
    "seat",
    "players",
    "rules",
    "phase",
    "round",
    "turn",
    "rows",
    "hand",
    "chosen",
    "legal",
    "to_act",
    "owed",
    "lying",
    "has_chosen",
    "heads",
    "scores",
    "seen",
    "hands",
    "pool",
)
View = namedtuple("View", FIELDS)


def view_of(game: "Game", seat: "int | None") -> View:
    """Build the view of a seat from what is public in a game, and from the seat's own cards."""
    hand, chosen, legal = (), None, ()
    known = [None] * game.players
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
