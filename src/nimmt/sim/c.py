"""csrc/nimmt_simulate.c, nimmt_batch.c and nimmt_rollouts.c over cffi: the names of python.py, with the same results.

Only backend.py imports it, where the core is in C. cffi lets other threads run during a call.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ..core._cffi import ffi, lib
from ..core.layout import SIZE
from .plan import Plan
from .python import Placed
from .tally import WORDS

if TYPE_CHECKING:
    from ..core._cffi import CData

#: Was the library built with all of these files, and not from nimmt.c alone?
BUILT = all(hasattr(lib, name) for name in ("nimmt_simulate", "nimmt_batch_deal", "nimmt_rollouts"))


def variant_name(variant: int = 0) -> str:
    """Return the name of a variant's instructions, such as "avx2"; 0 is the best variant that the processor can use."""
    return ffi.string(lib.nimmt_variant_name(variant)).decode()


def usable_variants() -> list[int]:
    """Return the numbers of the variants that this processor can use, without NIMMT_VARIANT_BEST."""
    return [number for number in range(1, lib.NIMMT_VARIANTS) if lib.nimmt_variant_usable(number)]


def simulate(
    plan: Plan,
    seed: int,
    first: int,
    games: int,
    scores: memoryview | None = None,
    rounds: memoryview | None = None,
    variant: int = 0,
) -> array[int]:
    """Play games in one call of nimmt_simulate, with the instructions of a variant: see backend.simulate."""
    c_plan = ffi.new("nimmt_plan *")
    c_plan.players, c_plan.highest, c_plan.flags, c_plan.variant = plan.players, plan.highest, plan.flags, variant
    c_plan.policies[0 : plan.players] = plan.numbers
    c_plan.exceed = plan.rules.end == "exceed"
    c_plan.limit, c_plan.rounds = plan.rules.limit or 0, plan.rules.rounds or 0
    tally = array("Q", bytes(8 * WORDS))
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
    if code:  # a plan is checked when it is made: this is a fault of the package
        raise RuntimeError(f"nimmt_simulate refused {plan} with {code}")
    return tally


def rollouts(
    position: bytearray,
    seat: int,
    hidden: list[int],
    policies: bytes,
    seed: int,
    first: int,
    worlds: int,
    heads: array[int],
    squares: array[int],
) -> int:
    """Try the moves of a seat: see backend.rollouts."""
    return lib.nimmt_rollouts(
        ffi.from_buffer("nimmt_round *", position),
        seat,
        sum(1 << other for other in hidden),
        policies,
        seed,
        first,
        worlds,
        ffi.from_buffer("uint64_t *", heads, True),
        ffi.from_buffer("uint64_t *", squares, True),
    )


def narrow(numbers: memoryview) -> bytes:
    """Return integers of 2, 4 or 8 bytes as bytes: see backend.narrow."""
    narrowed = bytearray(len(numbers))
    to, numbers = ffi.from_buffer("uint8_t *", narrowed, True), numbers.cast("B")
    lib.nimmt_batch_narrow(to, ffi.from_buffer("void *", numbers), len(narrowed), len(numbers) // len(narrowed))
    return bytes(narrowed)


def place(
    rows: bytes, cards: bytes, take: bytes | None, players: int, flags: int, placed: Placed, codes: array[int] | None
) -> int:
    """Place the cards of one turn in many positions: see backend.place."""
    n, given = len(rows) // 20, ffi.NULL if take is None else take
    table, heads, owes, allowed = (_bytes(memoryview(each)) for each in placed)
    return lib.nimmt_batch_place(rows, cards, given, n, players, flags, table, heads, owes, allowed, _codes(codes))


class Block:
    """backend.Block in C."""

    def __init__(self, state: bytearray, streams: bytearray) -> None:
        self.state, self.streams = state, streams
        self._block = ffi.from_buffer("nimmt_round *", state, True)
        self._streams = ffi.from_buffer("nimmt_stream *", streams, True)
        self._n = len(state) // SIZE

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

    def playout(self, policies: bytes) -> int:
        return lib.nimmt_batch_playout(self._block, self._streams, self._n, policies)

    def legal(self, legal: memoryview) -> None:
        lib.nimmt_batch_legal(self._block, self._n, _bytes(legal))


def _codes(codes: array[int] | None) -> CData:
    return ffi.NULL if codes is None else ffi.from_buffer("int8_t *", codes, True)


def _bytes(buffer: memoryview | None) -> CData:
    return ffi.NULL if buffer is None else ffi.from_buffer("uint8_t *", buffer, True)
