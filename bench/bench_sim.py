"""Simulations from Python: rounds a second of simulate and Batch, and how much of the time is spent in C.

    python bench/bench_sim.py [MILLION ROUNDS]

Prints three tables: simulate for 2, 4, 6 and 10 random players on one thread and on all; the share of the time in C,
for games of 10^7 rounds together, or as many as asked for; a Batch whose cards numpy draws, beside deal and playout of
the scalar core, in the same run. Processor time of one core where a rate is of one thread: other programs do not count.
Exit code 1 if the share in C is under 95 % or the batch under half a million four-player rounds a second.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy

from nimmt import Rules, Stream
from nimmt.core import core
from nimmt.core import layout as c
from nimmt.sim import Batch, simulate
from nimmt.sim import c as clib

ONE = Rules(rounds=1)
ENOUGH_IN_C, ENOUGH_OF_BATCH = 0.95, 500_000


class Timed:
    """The C library with a clock at nimmt_simulate."""

    def __init__(self, lib: Any) -> None:
        self._lib, self.seconds, self.calls, self.longest = lib, 0.0, 0, 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lib, name)

    def nimmt_simulate(self, *args: Any) -> int:
        begun = time.perf_counter()
        code: int = self._lib.nimmt_simulate(*args)
        took = time.perf_counter() - begun
        self.seconds, self.calls, self.longest = self.seconds + took, self.calls + 1, max(self.longest, took)
        return code


def rate(players: int, threads: int | None, rounds: int) -> float:
    """Return rounds a second of simulate."""
    clock = time.process_time if threads == 1 else time.perf_counter
    begun = clock()
    simulate(["random"] * players, rounds, 1, rules=ONE, threads=threads, keep="summary")
    return rounds / (clock() - begun)


def share_in_c(rounds: int, keep: str) -> tuple[float, int, float]:
    """Return the share of the time of simulate that is spent in C, the number of calls, and the longest."""
    plain = vars(clib)["lib"]
    timed = Timed(plain)
    vars(clib)["lib"] = timed
    try:
        begun = time.perf_counter()
        simulate(["random"] * 4, int(rounds / 4.41), 1, threads=1, keep=keep)  # 4.41 rounds a game
        return timed.seconds / (time.perf_counter() - begun), timed.calls, timed.longest
    finally:
        vars(clib)["lib"] = plain


def batch_rate(n: int, players: int, seconds: float) -> float:
    """Return rounds a second of a Batch for which numpy draws a card of each hand."""
    batch, rng = Batch(n, players, seed=1), numpy.random.Generator(numpy.random.SFC64(1))
    rounds, seats = numpy.arange(n)[:, None], numpy.arange(players)
    hands, done, begun = batch.hands, 0, time.process_time()
    while time.process_time() - begun < seconds:
        for left in range(10, 0, -1):
            batch.play(hands[rounds, seats, rng.integers(0, left, (n, players), dtype=numpy.uint8)])
        done += n
        batch.deal()
    return done / (time.process_time() - begun)


def scalar_rate(players: int, seconds: float) -> float:
    """Return rounds a second of the scalar core, called from Python for each deal and each playout."""
    state, policies, done = bytearray(c.SIZE), bytes(players), 0
    r, begun = core.bind(state), time.process_time()
    while time.process_time() - begun < seconds:
        for game in range(done, done + 1000):
            stream = Stream(1, game)
            core.deal(r, players, 104, 0, stream)
            core.playout(r, policies, stream)
        done += 1000
    return done / (time.process_time() - begun)


def main() -> int:
    """Measure, print, judge."""
    rounds = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 10_000_000
    print(f"simulate, {clib.variant_name()}: million rounds a second\nplayers  1 thread  all threads")
    for players in (2, 4, 6, 10):
        one, all_cores = (rate(players, threads, rounds // 4) / 1e6 for threads in (1, None))
        print(f"{players:>7}  {one:8.2f}  {all_cores:11.2f}")
    shares = []
    print(f"\ntime in C of {rounds:,} four-player rounds\nkeep     share    calls  longest")
    for keep in ("summary", "all"):
        share, calls, longest = share_in_c(rounds, keep)
        shares.append(share)
        print(f"{keep:<8} {100 * share:5.1f} %  {calls:5}  {longest:5.2f} s")
    print("\nBatch of 4096 with cards from numpy: thousand rounds a second\nplayers  batch  scalar core from Python")
    for players in (2, 4, 6, 10):
        best = max(batch_rate(4096, players, 0.5) for _ in range(3))
        print(f"{players:>7}  {best / 1e3:5.0f}  {scalar_rate(players, 0.3) / 1e3:5.0f}")
        good = best >= ENOUGH_OF_BATCH if players == 4 else True
        shares.append(1.0 if good else 0.0)
    return 0 if min(shares) >= ENOUGH_IN_C else 1


if __name__ == "__main__":
    sys.exit(main())
