"""What games and people may be called."""

from __future__ import annotations

from collections.abc import Mapping

from .. import NimmtError
from .errors import StoreError
from .messages import ALL, DEALER


def checked_label(label: object) -> str:
    """Return the label of a game: 1 to 60 printable characters."""
    return _printable(label, "a label", 60)


def checked_name(name: object) -> str:
    """Return the name of a person: 1 to 40 printable characters, at least one of them no figure."""
    found = _printable(name, "a name", 40)
    if found.isdigit():
        raise NimmtError(f"a name must not look like the number of a seat: {found!r}")
    return found


def free_name(name: object, names: Mapping[int, str], seat: int | None = None) -> str:
    """Return the name of a person who sits at `seat`, or at a new one, where the others have `names`.

    StoreError if another seat has it, in small letters or capitals: texts and commands call people by their names.
    NimmtError for "all" and "dealer", which are receivers of messages. Exports that have such a name are imported as
    they are: only checked_name is asked then.
    """
    found = checked_name(name)
    if found.casefold() in (ALL, DEALER):
        raise NimmtError(f"nobody may be called {found!r}: messages to {found.casefold()!r} are for others")
    for other, taken in names.items():
        if other != seat and taken.casefold() == found.casefold():
            raise StoreError(f"{taken!r} sits at seat {other} already: give a name that tells the two apart")
    return found


def _printable(value: object, what: str, longest: int) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, not {type(value).__name__}")
    if not 1 <= len(value) <= longest or not value.isprintable() or value != value.strip():
        raise NimmtError(f"{what} has 1 to {longest} printable characters, no spaces around, not {value!r}")
    return value
