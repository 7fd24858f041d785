"""What happened: the events that moves return. Named tuples of ints, tuples and text."""

from .port import NamedTuple, explain

try:
    Cards = tuple[int, ...]
    Rows = tuple[Cards, ...]
except TypeError:  # MicroPython
    Cards = Rows = tuple

Dealt = NamedTuple("Dealt", [("round", int), ("rows", Rows)])
explain(
    Dealt,
    "A round begins (R3).",
    round="the number of the round, from 1",
    rows="the four rows as opened, in table order",
)

Picked = NamedTuple("Picked", [("seat", int), ("card", int)])
explain(
    Picked,
    "A seat picked a card in the logic draft (V2).",
    seat="the seat that picked",
    card="the card, 1..10n+4 for n players",
)

Chosen = NamedTuple("Chosen", [("seat", int)])
explain(
    Chosen,
    "A seat has chosen a card; which one is not told (R4).",
    seat="the seat that has chosen",
)

Revealed = NamedTuple("Revealed", [("cards", Cards)])
explain(
    Revealed,
    "All have chosen, and the cards are shown (R4).",
    cards="the cards by seat",
)

Placed = NamedTuple(
    "Placed", [("seat", int), ("card", int), ("row", int), ("side", "str | None"), ("taken", Cards)]
)
explain(
    Placed,
    "A card was placed (R5, R6, R7, P1..P4).",
    seat="the seat whose card it is",
    card="the card",
    row="the row where it lies now, 0..3",
    side='"right" or "left" of the row; None for a row taken by choice (R7, P3)',
    taken="the cards that the seat took, in table order, or ()",
)

RowOwed = NamedTuple("RowOwed", [("seat", int), ("card", int), ("rows", Cards)])
explain(
    RowOwed,
    "Placing stopped: this seat must take one of these rows for this card (R7, P3), or in a tie join one (P4).",
    seat="the seat that must take a row",
    card="its card, the lowest that is not placed yet",
    rows="the rows it may take, ascending",
)

RoundOver = NamedTuple("RoundOver", [("heads", Cards), ("scores", Cards)])
explain(
    RoundOver,
    "The tenth turn is over (R8).",
    heads="bull heads taken in this round, by seat",
    scores="the scores with them, by seat",
)

GameOver = NamedTuple("GameOver", [("scores", Cards), ("ranks", Cards), ("winners", Cards)])
explain(
    GameOver,
    "The game is over (R9, R10).",
    scores="bull heads of the whole game, by seat",
    ranks="ranks by seat: the fewest heads are first, ties share, 1-1-3",
    winners="the seats with rank 1",
)

try:
    Event = Dealt | Picked | Chosen | Revealed | Placed | RowOwed | RoundOver | GameOver
except TypeError:  # MicroPython
    Event = tuple  # type: ignore[misc, assignment]
