"""What the dealer says: to whom, what, as fields for a program and as a text for a person."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import IllegalMove
from ..args import as_int, in_range
from .texts import text

ALL = "all"
DEALER = "dealer"

Fields = dict[str, Any]


class Message(NamedTuple):
    """One message of a dealer.

    to             a seat (private), "all" (public), or "dealer" (the host's own desk)
    kind           a word; docs/post.md lists them with their fields
    fields         what is said, as JSON values; times are seconds since 1970 (UTC), lists "by seat" have one a seat
    body           the same as plain English text, times in UTC, seats by number; texts.text() writes it with names

    A private message holds what nimmt's view of that seat may know, a public one what a spectator may know.
    """

    to: int | str
    kind: str
    fields: Fields
    body: str


def checked_key(key: object) -> tuple[int, int]:
    """Return the key of a message in a file: (version, number). TypeError if it is no pair of integers."""
    if not isinstance(key, (tuple, list)) or len(key) != 2:
        raise TypeError(f"the key of a message is (version, number), not {key!r}")
    version, number = key
    most = 2**63 - 1
    return in_range(version, "the version of a key", 0, most), in_range(number, "the number of a key", 0, most)


def checked_receiver(to: object) -> int | str:
    """Return "all", "dealer", or the number of a seat, there or not. IllegalMove for another text."""
    if isinstance(to, str):
        if to not in (ALL, DEALER):
            raise IllegalMove(f'messages are to a seat, to "{ALL}" or to "{DEALER}", not to {to!r}')
        return to
    return as_int(to, "a seat")


def message(to: int | str, kind: str, **fields: Any) -> Message:
    """Return a message with its text."""
    return Message(to, kind, fields, text(kind, fields))
