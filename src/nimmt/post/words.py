"""How the texts call seats, cards, rows, moments and lengths of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone, tzinfo

from .. import bull_heads

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def moment(seconds: int, zone: tzinfo = timezone.utc) -> str:
    """Return a moment as text, for instance "Thu 2026-08-13 18:00 UTC"; seconds are shown if there are any."""
    try:
        at = (_EPOCH + timedelta(seconds=seconds)).astimezone(zone)
    except (OverflowError, ValueError):  # beyond the year 9999
        return f"{seconds} s after 1970"
    return f"{_DAYS[at.weekday()]} {at:%Y-%m-%d %H:%M}{f':{at:%S}' if at.second else ''} {at.tzname()}"


def duration(seconds: int) -> str:
    """Return a length of time as text, for instance "1 d 3 h", with its two largest units."""
    parts: list[str] = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        if seconds >= size and len(parts) < 2:
            parts.append(f"{seconds // size} {unit}")
        seconds %= size
    return " ".join(parts) or "0 s"


class Words:
    """How seats and moments are called in one text."""

    def __init__(self, names: Mapping[int, str], zone: tzinfo) -> None:
        self.names, self.zone = names, zone

    def who(self, seat: int) -> str:
        return f"{self.names[seat]} (seat {seat})" if seat in self.names else f"seat {seat}"

    def Who(self, seat: int) -> str:
        return self.who(seat) if seat in self.names else f"Seat {seat}"

    def all(self, seats: Sequence[int]) -> str:
        known = [self.who(seat) for seat in seats]
        return ", ".join(known[:-1]) + " and " + known[-1] if len(known) > 1 else "".join(known) or "nobody"

    def when(self, seconds: int | None) -> str:
        return "whenever you can" if seconds is None else f"by {moment(seconds, self.zone)}"

    def by_seat(self, values: Sequence[int]) -> str:
        """List one value a seat; a name alone says whose, unless two have the same."""
        twice = len(set(self.names.values())) < len(self.names)
        short = {} if twice else self.names
        return ", ".join(f"{short.get(seat) or self.who(seat)}: {value}" for seat, value in enumerate(values))

    def deadlines(self, due: Sequence[int | None]) -> str:
        """Name the deadline that most seats have, and the seats that have another one."""
        times = sorted({until for until in due if until is not None}, key=lambda until: (-due.count(until), until))
        if not times:
            return ""
        first, *others = times
        found = moment(first, self.zone)
        for until in others:
            seats = [seat for seat, other in enumerate(due) if other == until]
            found += f"; {self.all(seats)} by {moment(until, self.zone)}"
        return found


def cards_text(cards: Sequence[int]) -> str:
    return " ".join(str(card) for card in cards)


def heads_text(cards: Sequence[int]) -> str:
    number = sum(bull_heads(card) for card in cards)
    return "1 head" if number == 1 else f"{number} heads"


def rows_lines(rows: Sequence[Sequence[int]]) -> list[str]:
    return [f"Row {number}: {cards_text(row)} ({heads_text(row)})" for number, row in enumerate(rows)]
