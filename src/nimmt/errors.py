"""The errors of the engine, and the check that all numbers pass."""


class NimmtError(ValueError):
    """A value the game does not know: players, cards, rows, rules, seeds. The base of all errors here but TypeError."""


class IllegalMove(NimmtError):
    """Not allowed here: a card not held, a row that may not be taken, a seat that is not asked. Nothing has changed."""


class WrongPhase(NimmtError):
    """Not now: the game is at another point. Nothing has changed."""


class BadRecord(NimmtError):
    """A save or record that does not parse or contradicts itself."""


# Every range ends long before: larger numbers are refused as this one, since Python may be unable to print them.
_HUGE = 1 << 256


def as_int(value: object, what: str) -> int:
    """Return `value` as a plain int: an int or anything with __index__ (numpy's integers).

    Raises TypeError, naming `what`, for bool, float, text and everything else.
    """
    if type(value) is int and -_HUGE < value < _HUGE:
        return value
    number = None
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        try:
            number = value if isinstance(value, int) else value.__index__()  # type: ignore[attr-defined]
            number = 0 + number if isinstance(number, int) else None  # a plain int, whatever a subclass says it is
        except (AttributeError, TypeError):
            number = None
    if number is not None:
        return max(-_HUGE, min(number, _HUGE))
    raise TypeError(f"{what} must be an integer, not {type(value).__name__}")


def in_range(value: object, what: str, low: int, high: int) -> int:
    """Return a number that is low..high, or raise NimmtError naming `what`."""
    number = as_int(value, what)
    if not low <= number <= high:
        raise NimmtError(f"{what} must be {low}..{high}, not {number}")
    return number
