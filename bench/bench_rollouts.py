"""Rollouts from Python: playouts a second in C, beside the same worlds on the Python backend, in one run.

    python bench/bench_rollouts.py

Both backends must give the same numbers. A playout is the rest of a round after one move in one world. Exit code 1 if
the C code is less than 40 times as fast.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from ratios import load

GOAL = 40
WORLDS = {"c": 2000, "python": 4}


def measured(nimmt: Any, players: int, policy: str, turn: int) -> tuple[float, Any]:
    """Return playouts a second of processor time, and the result of a few worlds, in a turn of game 0 of seed 7."""
    from nimmt.sim import rollouts

    game, policies = nimmt.Game(players, seed=7), [policy] * players
    while game.turn < turn or game.owed:
        if game.owed:
            game.take(game.owed.seat, game.cheapest())
        else:
            game.play([game.hand(seat)[0] for seat in range(players)])
    view, worlds, fastest = game.view(0), WORLDS[nimmt.backend], float("inf")
    for _ in range(5):
        begun = time.process_time()
        rollouts(view, worlds, policies, seed=1)
        fastest = min(fastest, time.process_time() - begun)
    return worlds * len(view.hand) / fastest, rollouts(view, WORLDS["python"], policies, seed=1)


def main() -> int:
    """Measure, print, judge."""
    cases = [(players, policy, turn) for players in (2, 4, 10) for policy in ("random", "nearest") for turn in (1, 6)]
    found = {}
    for backend in ("c", "python"):
        nimmt = load(backend)
        found[backend] = [measured(nimmt, *case) for case in cases]
    print("players  policy   turn  thousand playouts a second  ratio to Python")
    least = float("inf")
    for case, (fast, ours), (slow, theirs) in zip(cases, found["c"], found["python"], strict=True):
        assert tuple(ours) == tuple(theirs), case
        least = min(least, fast / slow)
        print(f"{case[0]:>7}  {case[1]:<7}  {case[2]:>4}  {fast / 1e3:26.0f}  {fast / slow:14.0f}x")
    return 0 if least >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
