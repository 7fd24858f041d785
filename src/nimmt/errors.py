"""The errors of the engine, and the checks of what a caller hands over."""


class NimmtError(ValueError):
    """A value the game does not know: players, cards, rows, rules, seeds. The base of all errors here but TypeError."""


class IllegalMove(NimmtError):
    """Not allowed here: a card not held, a row that may not be taken, a seat that is not asked. Nothing has changed."""


class WrongPhase(NimmtError):
    """Not now: the game is at another point. Nothing has changed."""


class BadRecord(NimmtError):
    """A save or record that does not parse or contradicts itself."""


# Every range ends long before: larger numbers are refused as this one, since Python may be unable to print them.
_HUGE = 1 << 128


def as_int(value: object, what: str) -> int:
    """Return `value` as a plain int: an int or anything with __index__ (numpy's integers).

    Raises TypeError, naming `what`, for bool, float, text and everything else.
    """
    if type(value) is int and -_HUGE < value < _HUGE:
        return value
    number = None
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        try:
            number = int(value) if isinstance(value, int) else int(value.__index__())  # type: ignore[attr-defined]
        except (AttributeError, TypeError):
            number = None
    if number is not None:
        return max(-_HUGE, min(number, _HUGE))
    raise TypeError(f"{what} must be an integer, not {type(value).__name__}")


def checked_word(value: object, what: str, bits: int = 64) -> int:
    """Return a number of so many bits, or raise NimmtError naming `what`."""
    number = as_int(value, what)
    if not 0 <= number < 1 << bits:
        raise NimmtError(f"{what} must be 0..2**{bits}-1, not {number}")
    return number


def checked_size(n: object) -> int:
    """Return the number of values to draw from, 1..65535."""
    number = as_int(n, "n")
    if not 0 < number < 65536:
        raise NimmtError(f"n must be 1..65535, not {number}")
    return number


def listed(values: object, what: str) -> list:  # type: ignore[type-arg]
    """Return any sequence or iterable with an order as a list; TypeError, naming `what`, for everything else."""
    if isinstance(values, (str, dict, set, frozenset)):
        raise TypeError(f"{what} must be a sequence, not {type(values).__name__}")
    try:
        return list(values)  # type: ignore[call-overload, no-any-return]
    except TypeError:
        raise TypeError(f"{what} must be a sequence, not {type(values).__name__}") from None


def by_seat(values: object, what: str, each: str) -> "dict[int, int]":
    """Return {seat: number} of a mapping from seats (in any order) or of a sequence by seat."""
    if hasattr(values, "items"):
        pairs = [(key, values[key]) for key in values]  # type: ignore[index, attr-defined]
    else:
        pairs = list(enumerate(listed(values, what)))
    numbers = {}
    for key, value in pairs:
        seat = as_int(key, "seat")
        if not 0 <= seat < 10:
            raise IllegalMove(f"there is no seat {seat}: seats are 0..9 (R1)")
        numbers[seat] = as_int(value, f"the {each} of seat {seat}")
    return numbers
