"""A result as plain data: dicts for JSON, lines for CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from .result import Result

#: The columns of a line a seat: the fields of Seat but the histograms.
SEAT_COLUMNS = 9


def as_dict(result: Result) -> dict[str, Any]:
    """Return what Result.to_dict promises."""
    summary = result.summary()._asdict()
    seats = summary.pop("seats")
    return {
        "nimmt": result.version,
        "stream_version": result.stream_version,
        "backend": result.backend,
        "seed": result.seed,
        "first": result.first,
        "rules": repr(result.rules),
        "policies": list(result.policies),
        "take": result.take,
        **plain(summary),
        "seats": [plain(seat._asdict()) for seat in seats],
    }


def plain(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with lists in place of tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def write_games(result: Result, file: BinaryIO) -> None:
    """Write a line a game."""
    scores, rounds, n = result.scores, result.rounds, result.players
    flat = scores.cast("B").cast("H") if result.games else scores
    lines = ((result.first + i, rounds[i], *flat[i * n : (i + 1) * n]) for i in range(result.games))
    write(file, ["game", "rounds", *(f"score_{seat}" for seat in range(n))], lines)


def write_seats(result: Result, file: BinaryIO) -> None:
    """Write a line a seat."""
    seats = result.summary().seats
    write(file, seats[0]._fields[:SEAT_COLUMNS], (seat[:SEAT_COLUMNS] for seat in seats))


def write(file: BinaryIO, head: Sequence[str], lines: Iterable[Sequence[object]]) -> None:
    """Write lines as CSV, UTF-8, each ended by one line feed."""
    text = io.TextIOWrapper(file, "utf-8", newline="")
    try:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(lines)
    finally:
        text.detach()  # the file stays open: it is not ours
