"""What the arguments of `nimmt post` mean: seats, times, lengths of time."""

import re
from datetime import datetime, timezone, tzinfo
from zoneinfo import ZoneInfo

from ..common import CARDS, ROWS, SEATS, Usage, number, shortened

_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_LENGTH = re.compile("(?:[0-9]{1,6}[dhms])+")
_PART = re.compile("([0-9]+)([dhms])")


def length(text: str) -> int:
    """Return the seconds of a length of time like 48h, 2d or 1d12h; a type for argparse."""
    if not _LENGTH.fullmatch(text):
        raise Usage(f"a length of time is positive, like 48h, 2d, 1d12h, 90m or 30s, not {shortened(text)}")
    return sum(int(count) * _UNITS[unit] for count, unit in _PART.findall(text))


def zone(text: str) -> tzinfo:
    """Return the time zone of a name like Europe/Berlin; a type for argparse."""
    if text.upper() == "UTC":
        return timezone.utc
    try:
        return ZoneInfo(text)
    except (KeyError, ValueError, OSError):  # KeyError: not found, or no zones on this machine
        raise Usage(f"{shortened(text)} is not a time zone: a name is like Europe/Berlin") from None


def instant(text: str, where: tzinfo) -> int:
    """Return the seconds since 1970 of a number, or of a time like 2026-08-13T18:00, by default in zone `where`."""
    if text.isdigit():
        return number(text, "--now")
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00") if text.endswith("Z") else text)
    except ValueError:
        raise Usage(f"a time is seconds since 1970 or like 2026-08-13T18:00, not {shortened(text)}") from None
    return int((found if found.tzinfo else found.replace(tzinfo=where)).timestamp())


def turn(text: str) -> "int | tuple[int, int]":
    """Return a turn, 3, or a round and a turn, 2.3; a type for argparse."""
    first, point, second = text.partition(".")
    return (number(first, "the round"), _turn(second)) if point else _turn(first)


def _turn(text: str) -> int:
    return number(text, "the turn", "1..10")


def card(text: str) -> int:
    """Return a card; a type for argparse."""
    return number(text, span=CARDS)


def row(text: str) -> "int | str":
    """Return a row, or "cheapest"; a type for argparse."""
    return text if text == "cheapest" else number(text, "a row", ROWS)


def seat(text: str, names: "dict[int, str]") -> int:
    """Return the seat of a number or a name."""
    if text.lstrip("+-").isdigit():
        return number(text, "a seat", SEATS)
    found = [number for number, name in names.items() if name.casefold() == text.casefold()]
    if len(found) != 1:
        known = ", ".join(names.values()) or "nobody has a name"
        raise Usage(f"{'several are' if found else 'nobody is'} called {shortened(text)}: {known}; or give the seat")
    return found[0]
