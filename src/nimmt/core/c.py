"""The core in C: the names of core/python.py over nimmt.core._cffi, for CPython and PyPy.

csrc/nimmt.h says what each function promises. Where a signature fits, the name is the C function itself. Numbers must
fit in a C int, and lengths are checked here before C reads; everything else is checked in C. cffi lets other threads
run during a call: whoever shares a round between threads locks it (above the seam). A stream is nimmt.Stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import _cffi_backend  # noqa: F401 - what _cffi needs, said where tools that freeze programs see it

from .._version import __version__
from ._cffi import ffi, lib
from .layout import PLACED, RANDOM, RANDOM_ROWS, SIZE

if TYPE_CHECKING:
    from ._cffi import CData

_NULL = ffi.NULL


def _check_version() -> None:
    """A library of another release imports fine and plays another game: refuse it."""
    built = f"{lib.NIMMT_VERSION_MAJOR}.{lib.NIMMT_VERSION_MINOR}.{lib.NIMMT_VERSION_PATCH}"
    if __version__ != built and not __version__.startswith((built + ".", built + "a", built + "b", built + "rc")):
        raise ImportError(f"nimmt.core._cffi is of version {built}, the package of {__version__}: a stale library")


_check_version()

choose = lib.nimmt_choose
withdraw = lib.nimmt_withdraw
check = lib.nimmt_check
rows_for = lib.nimmt_rows_for
cheapest = lib.nimmt_cheapest


def source_hash() -> str:
    """Return the hash of the C sources that the loaded library was built from."""
    return ffi.string(lib.nimmt_source_hash()).decode()


def bind(state: bytearray) -> CData:
    """Return a pointer to the bytes of a round. It keeps them alive; meanwhile they cannot change their length."""
    if len(state) != SIZE:
        raise ValueError(f"a round has {SIZE} bytes, not {len(state)}")
    return ffi.from_buffer("nimmt_round *", state, True)


def bind_log(log: bytearray) -> CData:
    """Return a pointer to room for ten placements."""
    if len(log) < 10 * PLACED:
        raise ValueError(f"a log has {10 * PLACED} bytes, not {len(log)}")
    return ffi.from_buffer("nimmt_placed *", log, True)


def _words(stream: Any) -> CData:
    return ffi.from_buffer("nimmt_stream[1]", stream.state, True)  # a length, so that it is checked


def _bytes(values: bytes, size: int) -> bytes:
    """Return bytes that C may read `size` of, like Python's own IndexError where there are fewer."""
    if len(values) < size:
        raise IndexError(f"{len(values)} bytes where {size} are needed")
    return bytes(values)


def resolve(r: CData, log: CData | None) -> int:
    return lib.nimmt_resolve(r, log or _NULL)


def play(r: CData, cards: bytes, log: CData | None) -> int:
    return lib.nimmt_play(r, _bytes(cards, r.players), log or _NULL)


def take(r: CData, seat: int, row: int, log: CData | None) -> int:
    return lib.nimmt_take(r, seat, row, log or _NULL)


def setup(r: CData, players: int, highest: int, flags: int, open: bytes, hands: bytes | None) -> int:
    table = _bytes(open, 4)
    return lib.nimmt_setup(r, players, highest, flags, table, _bytes(hands, 10 * players) if hands else _NULL)


def deal(r: CData, players: int, highest: int, flags: int, stream: Any) -> int:
    return lib.nimmt_deal(r, players, highest, flags, _words(stream))


def policy_card(r: CData, seat: int, policy: int, stream: Any) -> int:
    draws = policy in (RANDOM, RANDOM_ROWS)
    return lib.nimmt_policy_card(r, seat, policy, _words(stream) if draws else _NULL)


def policy_row(r: CData, policy: int, stream: Any) -> int:
    return lib.nimmt_policy_row(r, policy, _words(stream) if policy == RANDOM_ROWS else _NULL)


def playout(r: CData, policies: bytes, stream: Any) -> int:
    return lib.nimmt_playout(r, _bytes(policies, r.players), _words(stream))
