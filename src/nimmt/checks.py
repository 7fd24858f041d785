"""Checks of what a caller hands over in another form than the plain one; loaded when that happens."""

from ._backend import urandom
from .errors import IllegalMove, NimmtError, as_int


def checked_word(value: object, what: str, bits: int = 64) -> int:
    """Return a number of so many bits, or raise NimmtError naming `what`."""
    number = as_int(value, what)
    if not 0 <= number < 1 << bits:
        raise NimmtError(f"{what} must be 0..2**{bits}-1, not {number}")
    return number


def checked_seed(seed: object) -> int:
    """Return a seed, 0..2**64-1; None takes one from the system."""
    if seed is not None:
        return checked_word(seed, "seed")
    entropy = urandom(8)
    if entropy is None:
        raise NimmtError("this machine has no source of entropy: give a seed")
    return int.from_bytes(entropy, "little")


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


def one_each(cards: object, players: int, highest: int) -> "list[int]":
    """Return the cards of a turn by seat, or raise for the first that is missing or is not in the deck (R1, R4).

    `cards` is what by_seat returns, or a list or tuple of plain ints.
    """
    wanted = cards if isinstance(cards, dict) else by_seat(cards, "cards", "card")
    for seat in wanted:
        checked_card(checked_seat(seat, players), wanted[seat], highest)
    missing = [seat for seat in range(players) if seat not in wanted]
    if missing:
        raise IllegalMove(f"seat {missing[0]} has no card: every seat plays one (R4)")
    return [wanted[seat] for seat in range(players)]


def checked_seat(seat: object, players: int) -> int:
    """Return a seat, 0..players-1, or raise IllegalMove."""
    number = as_int(seat, "seat")
    if not 0 <= number < players:
        raise IllegalMove(f"there is no seat {number}: seats are 0..{players - 1}")
    return number


def checked_card(seat: int, card: object, highest: int) -> int:
    """Return a card of the deck, or raise IllegalMove for the seat that wants to play it."""
    number = as_int(card, "card")
    if not 1 <= number <= highest:
        raise IllegalMove(f"seat {seat}: there is no card {number}: the deck is 1..{highest} (R1, V1)")
    return number
