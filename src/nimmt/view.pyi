from typing import NamedTuple

from .events import Cards, RowOwed, Rows
from .game import Game
from .rules import Rules

FIELDS: tuple[str, ...]

class View(NamedTuple):
    """What a seat, or a spectator, may know. Numbers are plain ints, sequences are tuples."""

    seat: int | None  # whose view; None: a spectator
    players: int
    rules: Rules
    phase: str  # "draft" "choose" "take" "scored" "over"
    round: int  # counts from 1
    turn: int  # 1..10; 0 in the draft
    rows: Rows  # () in the draft
    hand: Cards  # own cards without the chosen one, ascending; () for a spectator
    chosen: int | None  # own card, chosen or shown and not yet placed
    legal: Cards  # what Game.legal says of this seat; () for a spectator
    to_act: Cards  # the seats the game waits for
    owed: RowOwed | None  # the row that is owed
    lying: tuple[int | None, ...]  # by seat: the card shown and not yet placed
    has_chosen: tuple[bool, ...]  # by seat: a card lies face down
    heads: Cards  # by seat, of this round
    scores: Cards  # by seat, of finished rounds
    seen: Cards  # the cards that were face up this round, ascending
    hands: tuple[Cards | None, ...]  # by seat: the cards not yet shown, where all know them (V2) or they are one's own
    pool: Cards  # the cards that can be picked in the draft

def view_of(game: Game, seat: int | None) -> View: ...
