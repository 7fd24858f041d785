"""Buffers: tables that numpy takes without a copy, and the checks of those that callers hand over."""

import ctypes
import mmap
import sys
from typing import Any, Literal

from ..errors import NimmtError

_CTYPES = {"B": ctypes.c_uint8, "H": ctypes.c_uint16, "I": ctypes.c_uint32}

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


def room(size: int) -> memoryview:
    """Return so many bytes, all 0. What is large is not touched before it is written to: that would take as long."""
    if size < 1 << 20:
        return memoryview(bytearray(size))
    if hasattr(mmap, "MAP_PRIVATE"):
        return memoryview(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    return memoryview(mmap.mmap(-1, size))


def table(data: bytearray | memoryview, code: Literal["B", "H", "I"], shape: tuple[int, ...]) -> memoryview:
    """Return bytes as a read-only table of numbers; it may have no lines."""
    if shape[0]:
        return memoryview(data).cast(code, shape).toreadonly()
    kind: Any = _CTYPES[code]
    for size in reversed(shape):  # memoryview.cast refuses a 0
        kind = kind * size
    return memoryview(kind()).toreadonly()


def little(data: bytearray | memoryview, size: int) -> bytearray | memoryview:
    """Return numbers of `size` bytes with the lowest byte first, as they are on most machines."""
    if sys.byteorder == "little":
        return data
    swapped = bytearray(len(data))
    for i in range(size):
        swapped[i::size] = data[size - 1 - i :: size]
    return swapped


def integers(values: object, shape: tuple[int, ...], what: str) -> memoryview:
    """Return a copy of a buffer of integers of any width, as one line, in the machine's format.

    Its shape must be `shape`, or one dimension of as many. Raises TypeError for what is no buffer of integers and
    NimmtError for another shape.
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

    It must be of uint8 (or bool), contiguous, writable and of this shape, or one dimension of as many. Raises TypeError
    for what is no buffer of bytes, NimmtError for all else.
    """
    view = exported(out, what)
    if view.itemsize != 1 or view.format.lstrip("@=<>!") not in ("B", "?"):
        raise TypeError(f"{what} must be a buffer of uint8, not of format {view.format!r}")
    check_shape(view, shape, what)
    if view.readonly:
        raise NimmtError(f"{what} is read-only")
    if not view.c_contiguous:
        raise NimmtError(f"{what} must be contiguous, line by line")
    return view.cast("B")


def exported(values: object, what: str) -> memoryview:
    """Return a view of a buffer, or raise TypeError."""
    try:
        return memoryview(values)  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):  # numpy has types that no buffer can hold: dates
        kind = type(values).__name__
        raise TypeError(f"{what} must be a buffer, such as a numpy array or array.array, not {kind}") from None


def check_shape(view: memoryview, shape: tuple[int, ...], what: str) -> None:
    """Raise NimmtError unless a buffer has this shape or is one line of as many."""
    size = 1
    for length in shape:
        size *= length
    if view.shape not in (shape, (size,)):
        wanted, given = (" × ".join(map(str, lengths)) or "()" for lengths in (shape, view.shape or ()))
        raise NimmtError(f"{what} must be {wanted}, not {given}")
