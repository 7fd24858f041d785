"""What the dealer says: to whom, what, as fields for a program and as a text for a person; what people are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import args
from ..args import as_int, in_range, quoted
from ..errors import IllegalMove, NimmtError
from .errors import StoreError
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


def checked_key(key: object) -> tuple[int, int]:
    """Return the key of a message in a file: (version, number). TypeError if it is not a pair of integers."""
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


# What games and people are called


def checked_label(label: object) -> str:
    """Return the label of a game: 1 to 60 printable characters, without spaces around them."""
    if not isinstance(label, str):
        raise TypeError(f"a label must be text, not {type(label).__name__}")
    if not 1 <= len(label) <= 60 or not label.isprintable() or label != label.strip():
        raise NimmtError(f"a label has 1 to 60 printable characters and no spaces around them, unlike {quoted(label)}")
    return label


def checked_name(name: object) -> str:
    """Return a name that nimmt.Game takes too, if it has only printable characters and is not all figures."""
    found = args.checked_name(name)
    if not found.isprintable():
        raise NimmtError(f"a name has 1 to 40 printable characters and no spaces around them, unlike {quoted(found)}")
    if found.isdigit():
        raise NimmtError(f"a name must not look like the number of a seat: {found!r}")
    return found


def free_name(name: object, names: Mapping[int, str], seat: int | None = None) -> str:
    """Return the name of a person who sits at `seat`, or at a new one, where the others have `names`.

    StoreError if another seat has it, in small letters or capitals: texts and commands call people by their names.
    NimmtError for "all" and "dealer": messages to these have another meaning. An export that has such a name is
    imported as it is: then only checked_name is asked.
    """
    found = checked_name(name)
    if found.casefold() in (ALL, DEALER):
        raise NimmtError(f"{found!r} cannot be a name: messages to {found.casefold()!r} have another meaning")
    for other, taken in names.items():
        if other != seat and taken.casefold() == found.casefold():
            raise StoreError(f"{taken!r} sits at seat {other} already: give a name that tells the two apart")
    return found
