"""What one seat may know, as an immutable value: built from what is public and its own cards, never by cutting."""

from collections import namedtuple

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .game import Game
    from .round import Round

View = namedtuple(
    "View",
    (
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
    ),
)


def view_of(game: "Game", table: "Round", seat: "int | None") -> View:
    """Build the view of a seat from what is public in a game and its round, and from the seat's own cards."""
    hand, chosen, legal = (), None, ()
    known = [None] * table.players
    if game.rules.draft:  # V2: all have seen the picks; which of them lies face down is not told
        known = [table.held(other) for other in range(table.players)]
    if seat is not None:
        hand, chosen, legal = table.hand(seat), table.chosen(seat), table.legal(seat)
        seat = int(seat)
        known[seat] = table.held(seat)
    cards = [table.chosen(other) for other in range(table.players)]
    shown = table.phase == "take"
    return View(
        seat=seat,
        players=game.players,
        rules=game.rules,
        phase=game.phase,
        round=game.round,
        turn=table.turn,
        rows=table.rows,
        hand=hand,
        chosen=chosen,
        legal=legal,
        to_act=table.to_act,
        owed=table.owed,
        lying=tuple([card if shown else None for card in cards]),
        has_chosen=tuple([card is not None and not shown for card in cards]),
        heads=table.heads,
        scores=game.scores,
        seen=table.seen,
        hands=tuple(known),
        pool=table.pool,
    )
