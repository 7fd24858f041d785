"""The errors of the engine. Wrong types raise Python's own TypeError."""


class NimmtError(ValueError):
    """The game does not know this value: players, cards, rows, rules, seeds. The base of all errors here."""


class IllegalMove(NimmtError):
    """This is not allowed here: a card not held, a row that may not be taken, a seat that is not asked.

    Nothing has changed.
    """


class WrongPhase(NimmtError):
    """This is not the time for it: the game is at another point. Nothing has changed."""


class BadRecord(NimmtError):
    """A save or record does not parse, or contradicts itself."""
