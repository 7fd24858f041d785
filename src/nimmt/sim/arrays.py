"""Arrays of numbers: memory of results, the fields of many rounds, and the checks of what callers hand over.

What is shown lies where it is, without a copy. The fields of rounds are numpy arrays where numpy is installed, and
memoryviews elsewhere; their types are those of numpy.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from math import prod
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from ..core import layout as c
from ..errors import NimmtError

try:
    import mmap
except ImportError:  # a system without it
    mmap = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

#: The fields of nimmt_round: where they are in its bytes, and the shape of one round's.
FIELDS: dict[str, tuple[int, tuple[int, ...]]] = {
    "players": (c.PLAYERS, ()),
    "highest": (c.HIGHEST, ()),
    "flags": (c.FLAGS, ()),
    "phase": (c.PHASE, ()),
    "turn": (c.TURN, ()),
    "owes": (c.OWES, ()),
    "allowed": (c.ALLOWED, ()),
    "length": (c.LENGTH, (4,)),
    "rows": (c.ROWS, (4, 5)),
    "chosen": (c.CHOSEN, (10,)),
    "heads": (c.TAKEN, (10,)),
    "seen": (c.SEEN, (13,)),
    "hands": (c.HANDS, (10, 10)),
}

#: Fields by seat: their views show the seats in play only.
BY_SEAT = ("chosen", "heads", "hands")

#: Formats by size and sign; "l" has 4 or 8 bytes, by platform and byte order.
_NATIVE: dict[tuple[int, bool], Literal["b", "B", "h", "H", "i", "I", "q", "Q"]] = {
    (1, True): "b",
    (1, False): "B",
    (2, True): "h",
    (2, False): "H",
    (4, True): "i",
    (4, False): "I",
    (8, True): "q",
    (8, False): "Q",
}


# Memory of results


def room(size: int) -> memoryview:
    """Return so many bytes, all 0. Where the system can do so, large ones are taken only as they are written to."""
    if size < 1 << 20 or mmap is None:
        return memoryview(bytearray(size))
    if hasattr(mmap, "MAP_PRIVATE"):
        return memoryview(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    return memoryview(mmap.mmap(-1, size))


def table(data: bytearray | memoryview, code: Literal["B", "H", "I"], shape: tuple[int, ...]) -> memoryview:
    """Return bytes as a read-only table of numbers. It may have no lines."""
    if shape[0]:
        return memoryview(data).cast(code, shape).toreadonly()
    one_line = bytes(prod(shape[1:]) * memoryview(b"").cast(code).itemsize)  # memoryview.cast refuses a 0
    return memoryview(one_line).cast(code, (1, *shape[1:]))[:0]


def little(data: bytearray | memoryview, size: int) -> bytearray | memoryview:
    """Return numbers of `size` bytes with the lowest byte first, as they are on most machines."""
    if sys.byteorder == "little":
        return data
    swapped = bytearray(len(data))
    for i in range(size):
        swapped[i::size] = data[size - 1 - i :: size]
    return swapped


# The fields of rounds


def numpy_or_none() -> ModuleType | None:
    """Return numpy if it is installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


@cache
def dtype() -> numpy.dtype[Any]:
    """Return the type of one round as numpy's structure of 164 bytes; needs numpy."""
    import numpy

    formats = [(numpy.uint8, shape) for _, shape in FIELDS.values()]
    offsets = [at for at, _ in FIELDS.values()]
    return numpy.dtype({"names": list(FIELDS), "formats": formats, "offsets": offsets, "itemsize": c.SIZE})


def field(state: bytearray, name: str, players: int) -> NDArray[numpy.uint8]:
    """Return a read-only view of a field of all rounds, uint8: [round, ...], and without numpy [round][...]."""
    at, shape = FIELDS[name]
    found: Any
    numpy = numpy_or_none()
    if numpy is not None:
        found = numpy.frombuffer(memoryview(state).toreadonly(), dtype())[name]
        found = found[:, :players] if name in BY_SEAT else found
    elif shape:
        found = Field(state, at, (players, *shape[1:]) if name in BY_SEAT else shape)
    else:
        found = memoryview(state).toreadonly()[at :: c.SIZE]
    return found  # type: ignore[no-any-return]


class Field(Sequence[memoryview]):
    """A field of several bytes of all rounds: a sequence with a read-only memoryview for each round."""

    def __init__(self, state: bytearray, at: int, shape: tuple[int, ...]) -> None:
        self._state, self._at, self.shape = memoryview(state).toreadonly(), at, (len(state) // c.SIZE, *shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        number = range(len(self))[index]  # negative ones, slices, IndexError
        if isinstance(number, range):
            return [self[i] for i in number]
        at = number * c.SIZE + self._at
        return self._state[at : at + prod(self.shape[1:])].cast("B", self.shape[1:])


# What callers hand over


def integers(values: object, shape: tuple[int, ...], what: str) -> memoryview:
    """Return a copy of a buffer of integers of any width, as one line, in the machine's format.

    Its shape must be `shape`, or one line of as many numbers. Raises TypeError for anything but a buffer of integers,
    and NimmtError for another shape.
    """
    view = exported(values, what)
    order, code = view.format[:-1], view.format[-1:]
    swapped = order in (("<",) if sys.byteorder == "big" else (">", "!")) and view.itemsize > 1
    if order not in ("", "@", "=", "<", ">", "!") or code not in "bBhHiIlLqQnN" or swapped:
        raise TypeError(f"{what} must be a buffer of integers, not of format {view.format!r}")
    check_shape(view, shape, what)
    return memoryview(view.tobytes()).cast(_NATIVE[view.itemsize, code.islower()])


def writable(out: object, shape: tuple[int, ...], what: str = "out") -> memoryview:
    """Return a buffer of bytes that C may write to, as one line of bytes.

    It must be of uint8 (or bool), contiguous, writable and of this shape, or one line of as many numbers. Raises
    TypeError for anything but a buffer of bytes, and NimmtError where the rest is not as it must be.
    """
    view = exported(out, what)
    if view.itemsize != 1 or view.format.lstrip("@=<>!") not in ("B", "?"):
        raise TypeError(f"{what} must be a buffer of uint8, not of format {view.format!r}")
    check_shape(view, shape, what)
    if view.readonly:
        raise NimmtError(f"{what} is read-only: it must be writable")
    if not view.c_contiguous:
        raise NimmtError(f"{what} must be contiguous, line by line")
    return view.cast("B")


def exported(values: object, what: str) -> memoryview:
    """Return a view of a buffer, or raise TypeError."""
    try:
        return memoryview(values)  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):  # numpy has types that a buffer cannot hold: dates
        kind = type(values).__name__
        raise TypeError(f"{what} must be a buffer, such as a numpy array or array.array, not {kind}") from None


def check_shape(view: memoryview, shape: tuple[int, ...], what: str) -> None:
    """Raise NimmtError unless a buffer has this shape or is one line of as many numbers."""
    size = 1
    for length in shape:
        size *= length
    if view.shape not in (shape, (size,)):
        wanted, given = (" × ".join(map(str, lengths)) or "()" for lengths in (shape, view.shape or ()))
        raise NimmtError(f"{what} must be {wanted}, not {given}")
