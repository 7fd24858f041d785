"""Many positions at once: resolve_many beside nimmt.resolve, position by position, in one run, which must agree.

    python bench/bench_positions.py

Processor time of one core. Exit code 1 if resolve_many is less than 50 times as fast where it is in C.
"""

from __future__ import annotations

import sys
import time

import numpy

import nimmt
from nimmt.sim import resolve_many

POSITIONS, GOAL = 20_000, 50


def main() -> int:
    """Measure, compare, print, judge."""
    rng = numpy.random.default_rng(1)
    print("seats  resolve_many  resolve   ratio")
    least = float("inf")
    for seats in (2, 4, 10):
        deck = rng.permuted(numpy.tile(numpy.arange(1, 105, dtype=numpy.uint8), (POSITIONS, 1)), axis=1)
        rows, cards = numpy.sort(deck[:, :20].reshape(-1, 4, 5), axis=2), deck[:, 20 : 20 + seats].copy()
        take, fast = numpy.ones_like(cards), float("inf")
        for _ in range(5):
            begun = time.process_time()
            turns = resolve_many(rows, cards, take)
            fast = min(fast, time.process_time() - begun)
        positions, ones = list(zip(rows.tolist(), cards.tolist(), strict=True)), [1] * seats
        begun = time.process_time()
        alone = [nimmt.resolve(table, plays, ones) for table, plays in positions]
        slow = time.process_time() - begun
        assert turns.heads.tolist() == [[turn.heads[seat] for seat in range(seats)] for turn in alone]
        least = min(least, slow / fast)
        print(f"{seats:>5}  {fast / POSITIONS * 1e9:9.0f} ns  {slow / POSITIONS * 1e6:4.0f} µs  {slow / fast:5.0f}x")
    return 0 if least >= GOAL or nimmt.backend != "c" else 1


if __name__ == "__main__":
    sys.exit(main())
