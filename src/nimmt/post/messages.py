"""What the dealer says: to whom, what, as fields for a program and as a text for a person."""

from __future__ import annotations

from typing import Any, NamedTuple

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


def message(to: int | str, kind: str, **fields: Any) -> Message:
    """Return a message with its text."""
    return Message(to, kind, fields, text(kind, fields))
