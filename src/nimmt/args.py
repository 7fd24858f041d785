"""Checks of what callers hand over: numbers, sequences, seats, cards, rows, players, names.

Each returns the plain value, or raises TypeError for a wrong type and an error of errors.py for a wrong value.
"""

from .errors import IllegalMove, NimmtError
from .port import urandom

#: Wider than any range here; larger numbers are clipped to it, so that messages can print them.
_HUGE = 1 << 256

#: A longer text is cut in messages.
_LONG = 100


def quoted(text: str) -> str:
    """Return a text in quotes for a message, the same on every machine; what cannot be seen is escaped."""
    quote = '"' if "'" in text and '"' not in text else "'"
    shown = [_shown(ch, quote) for ch in text[:_LONG]]
    return quote + "".join(shown) + quote + ("..." if len(text) > _LONG else "")


def _shown(ch: str, quote: str) -> str:
    code = ord(ch)
    if ch == quote or ch == "\\":
        return "\\" + ch
    if ch in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[ch]
    if code < 32 or 126 < code < 161:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if _invisible(code) else ch


def _invisible(code: int) -> bool:
    """Is this an unusual space, a line separator, a mark of direction or half a surrogate pair?"""
    marks = 0x200B <= code <= 0x200F or 0x2028 <= code <= 0x202E or code == 0xFEFF
    return marks or 0xD7FF < code < 0xE000 or code != 32 and _is_space(code)


# Numbers


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
        raise NimmtError("this machine does not have a source of entropy: give a seed")
    return int.from_bytes(entropy, "little")


# Bytes and sequences


def as_bytes(data: object, what: str) -> bytes:
    """Return bytes or a bytearray as bytes; TypeError, naming `what`, for everything else."""
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f"{what} is bytes, not {type(data).__name__}")
    return bytes(data)


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
            raise IllegalMove(f"{no_seat(seat, 10)} (R1)")
        numbers[seat] = as_int(value, f"the {each} of seat {seat}")
    return numbers


# Seats and cards


def no_seat(seat: int, players: int) -> str:
    """Return the message for a seat that is not at the table."""
    return f"there is no seat {seat}: seats are 0..{players - 1}"


def no_card(card: int, highest: int) -> str:
    """Return the message for a card that is not in the deck."""
    return f"there is no card {card}: the deck is 1..{highest} (R1, V1)"


def checked_seat(seat: object, players: int) -> int:
    """Return a seat, 0..players-1, or raise IllegalMove."""
    number = as_int(seat, "seat")
    if not 0 <= number < players:
        raise IllegalMove(no_seat(number, players))
    return number


def checked_card(seat: int, card: object, highest: int) -> int:
    """Return a card of the deck, or raise IllegalMove for the seat that wants to play it."""
    number = as_int(card, "card")
    if not 1 <= number <= highest:
        raise IllegalMove(f"seat {seat}: {no_card(number, highest)}")
    return number


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


def checked_rows(rows: object, highest: int = 104) -> "list[list[int]]":
    """Return four rows as lists of ints; NimmtError unless they ascend, 1..5 cards each, no card twice (R3, R5)."""
    table = [[as_int(card, "card") for card in listed(row, "a row")] for row in listed(rows, "rows")]
    if len(table) != 4:
        raise NimmtError(f"there are four rows, not {len(table)} (R3)")
    for number, row in enumerate(table):
        if not 1 <= len(row) <= 5:
            raise NimmtError(f"row {number} has {len(row)} cards: a row has 1 to 5 (R6)")
        for i, card in enumerate(row):
            if i and row[i - 1] >= card:
                raise NimmtError(f"row {number} does not ascend: {row[i - 1]} before {card} (R5)")
    checked_cards([card for row in table for card in row], highest)
    return table


def checked_cards(cards: "list[int]", highest: int) -> None:
    """Refuse a card that is not in the deck or is there twice (R1, V1)."""
    seen = set()
    for card in cards:
        if not 1 <= card <= highest:
            raise NimmtError(no_card(card, highest))
        if card in seen:
            raise NimmtError(f"card {card} is there twice (R1)")
        seen.add(card)


# Players and names


def checked_players(players: object) -> int:
    """Return the number of players, 2..10 (R1)."""
    number = as_int(players, "players")
    if not 2 <= number <= 10:
        raise NimmtError(f"2 to 10 can play, not {number} (R1)")
    return number


def checked_name(name: object) -> str:
    """Return a name that can stand in a line of text: 1 to 40 characters, no control characters, no spaces around."""
    if not isinstance(name, str):
        raise TypeError(f"a name must be text, not {type(name).__name__}")
    codes = [ord(character) for character in name]
    bad = [n for n in codes if n < 32 or 126 < n < 160 or 0xD7FF < n < 0xE000 or n in (0x2028, 0x2029)]
    if not 1 <= len(codes) <= 40 or _is_space(codes[0]) or _is_space(codes[-1]) or bad:
        raise NimmtError(f"a name has 1 to 40 printable characters and no spaces around them, unlike {quoted(name)}")
    return name


def _is_space(code: int) -> bool:
    """Is this a space of any alphabet? str.strip of MicroPython knows those of ASCII alone."""
    return code in (32, 0xA0, 0x1680, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


def seated(players: object) -> "tuple[int, tuple[str, ...] | None]":
    """Return the number of players 2..10, and their names if a sequence of names was given instead of a number."""
    if isinstance(players, (int, float, bool)) or hasattr(players, "__index__") or players is None:
        return checked_players(players), None
    names = tuple([checked_name(name) for name in listed(players, "players")])
    return checked_players(len(names)), names
