"""The C of this layer, csrc/nimmt_simulate.c and csrc/nimmt_batch.c, over cffi: what play and blocks do in Python.

Import it only where the backend is "c". cffi lets other threads run during a call.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from .. import _pycore as c
from .._cffi import ffi, lib
from .plan import Plan
from .tally import SIZE

if TYPE_CHECKING:
    from .._cffi import CData

#: Was the library built with nimmt_simulate.c, and with nimmt_batch.c?
HAS_SIMULATE = hasattr(lib, "nimmt_simulate")
HAS_BATCH = hasattr(lib, "nimmt_batch_deal")


def variant_name(variant: int = 0) -> str:
    """Return the name of the instructions in use, such as "avx2"; by default of the best that the processor has."""
    return ffi.string(lib.nimmt_variant_name(variant)).decode()


def usable_variants() -> list[int]:
    """Return the numbers of the variants that can be used here, without NIMMT_VARIANT_BEST."""
    return [number for number in range(1, lib.NIMMT_VARIANTS) if lib.nimmt_variant_usable(number)]


def simulate(
    plan: Plan,
    seed: int,
    first: int,
    games: int,
    scores: memoryview | None,
    rounds: memoryview | None,
    variant: int = 0,
) -> array[int]:
    """Play games in one call of nimmt_simulate; return their tally.

    scores, rounds    writable and contiguous, uint16 by game and seat and uint32 by game, or None
    """
    c_plan = ffi.new("nimmt_plan *")
    c_plan.players, c_plan.highest, c_plan.flags, c_plan.variant = plan.players, plan.highest, plan.flags, variant
    c_plan.policies[0 : plan.players] = plan.numbers
    c_plan.exceed = plan.rules.end == "exceed"
    c_plan.limit, c_plan.rounds = plan.rules.limit or 0, plan.rules.rounds or 0
    tally = array("Q", bytes(8 * SIZE))
    workspace = bytearray(lib.nimmt_workspace_size())
    code = lib.nimmt_simulate(
        c_plan,
        seed,
        first,
        games,
        ffi.NULL if scores is None else ffi.from_buffer("uint16_t *", scores, True),
        ffi.NULL if rounds is None else ffi.from_buffer("uint32_t *", rounds, True),
        ffi.from_buffer("nimmt_tally *", tally, True),
        ffi.from_buffer("void *", workspace, True),
    )
    if code:  # the plan is checked: this is a fault of the package
        raise RuntimeError(f"nimmt_simulate refused {plan} with {code}")
    return tally


def narrow(numbers: memoryview) -> bytes:
    """Return integers as bytes, 255 for those outside 0..255."""
    narrowed = bytearray(len(numbers))
    to, numbers = ffi.from_buffer("uint8_t *", narrowed, True), numbers.cast("B")
    lib.nimmt_batch_narrow(to, ffi.from_buffer("void *", numbers), len(narrowed), len(numbers) // len(narrowed))
    return bytes(narrowed)


class CBlock:
    """Many rounds as one block: blocks.Block in C."""

    def __init__(self, state: bytearray, streams: bytearray) -> None:
        self.state, self.streams = state, streams
        self._block = ffi.from_buffer("nimmt_round *", state, True)
        self._streams = ffi.from_buffer("nimmt_stream *", streams, True)
        self._n = len(state) // c.SIZE

    def deal(self, players: int, highest: int, flags: int, seed: int, first: int, round: int) -> int:
        return lib.nimmt_batch_deal(self._block, self._streams, self._n, players, highest, flags, seed, first, round)

    def check(self) -> int:
        return lib.nimmt_batch_check(self._block, self._n)

    def choose(self, cards: bytes, codes: array[int] | None) -> int:
        return lib.nimmt_batch_choose(self._block, self._n, cards, _codes(codes))

    def resolve(self, policy: int, heads: memoryview | None, codes: array[int] | None) -> int:
        return lib.nimmt_batch_resolve(self._block, self._streams, self._n, policy, _bytes(heads), _codes(codes))

    def take(self, rows: bytes, heads: memoryview | None, codes: array[int] | None) -> int:
        return lib.nimmt_batch_take(self._block, self._n, rows, _bytes(heads), _codes(codes))

    def owing(self) -> int:
        return lib.nimmt_batch_owing(self._block, self._n)

    def policy(self, policies: bytes, cards: memoryview) -> int:
        return lib.nimmt_batch_policy(self._block, self._streams, self._n, policies, _bytes(cards))

    def legal(self, legal: memoryview) -> None:
        lib.nimmt_batch_legal(self._block, self._n, _bytes(legal))


def _codes(codes: array[int] | None) -> CData:
    return ffi.NULL if codes is None else ffi.from_buffer("int8_t *", codes, True)


def _bytes(buffer: memoryview | None) -> CData:
    return ffi.NULL if buffer is None else ffi.from_buffer("uint8_t *", buffer, True)
