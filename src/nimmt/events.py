"""What happened: the events that the moves of a round or game return. Named tuples; events.pyi has the types.

Cards, rows and seats are ints; `side` of Placed is "right", "left", or None for a row taken by choice (R7, P3);
`taken` are the cards taken, in table order, or ().
"""

from collections import namedtuple

Event = tuple
Dealt = namedtuple("Dealt", ("round", "rows"))
Picked = namedtuple("Picked", ("seat", "card"))
Chosen = namedtuple("Chosen", ("seat",))
Revealed = namedtuple("Revealed", ("cards",))
Placed = namedtuple("Placed", ("seat", "card", "row", "side", "taken"))
RowOwed = namedtuple("RowOwed", ("seat", "card", "rows"))
RoundOver = namedtuple("RoundOver", ("heads", "scores"))
GameOver = namedtuple("GameOver", ("scores", "ranks", "winners"))
