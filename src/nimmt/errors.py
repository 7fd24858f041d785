"""The errors of the engine; docs/errors.md says what to do then. Wrong types raise Python's own TypeError."""


class NimmtError(ValueError):
    """The game does not know this value: a number of players, a card, a row, an option of rules, a seed.

    It is the base of all errors of the engine. Nothing has changed.
    """


class IllegalMove(NimmtError):
    """This move is not allowed here: the seat does not hold the card, may not take the row, or is not asked.

    Nothing has changed.
    """


class WrongPhase(NimmtError):
    """This is not the time for the move: the game is in another phase. Nothing has changed."""


class BadRecord(NimmtError):
    """This is not a save or a record, or it is damaged, of another version, or contradicts itself."""
