from typing import NamedTuple

Cards = tuple[int, ...]
Rows = tuple[Cards, ...]
Event = Dealt | Picked | Chosen | Revealed | Placed | RowOwed | RoundOver | GameOver

class Dealt(NamedTuple):
    """A round begins. `round` counts from 1; `rows` are the four rows as opened (R3)."""

    round: int
    rows: Rows

class Picked(NamedTuple):
    """A seat picked a card in the logic draft (V2)."""

    seat: int
    card: int

class Chosen(NamedTuple):
    """A seat has chosen a card; which one is not told (R4)."""

    seat: int

class Revealed(NamedTuple):
    """All have chosen: the cards by seat (R4)."""

    cards: Cards

class Placed(NamedTuple):
    """A card was placed (R5, R6, R7, P1..P4)."""

    seat: int
    card: int
    row: int
    side: str | None
    taken: Cards

class RowOwed(NamedTuple):
    """Placing stopped: this seat must take one of these rows for this card (R7, P3, P4)."""

    seat: int
    card: int
    rows: Cards

class RoundOver(NamedTuple):
    """The tenth turn is over: bull heads of the round, and scores with them, by seat (R8)."""

    heads: Cards
    scores: Cards

class GameOver(NamedTuple):
    """The game is over: scores and ranks by seat, and the seats that won (R9, R10)."""

    scores: Cards
    ranks: Cards
    winners: Cards
