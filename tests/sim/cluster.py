"""A program for test_sim_executors.py: simulates over an executor of the kind that is named, prints JSON.

In a process of its own, as a user would do it: with workers that import nimmt for themselves.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nimmt.sim import Result, simulate, workers

POLICIES = ("random", "nearest", "random", "lowest")
GAMES, FIRST, SEED = 500_000, 12_345, 7


@contextmanager
def executor(kind: str) -> Iterator[tuple[Any, Any]]:
    """Give an executor, and the Dask client it belongs to, or None."""
    if kind == "processes":
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(2) as pool:
            yield pool, None
    elif kind == "pool":
        from multiprocessing import get_context

        with get_context("spawn").Pool(2) as pool:  # its map gives a list when all is done
            yield pool, None
    elif kind == "joblib":
        loky = importlib.import_module("joblib.externals.loky")
        yield loky.get_reusable_executor(2), None
    else:
        distributed = importlib.import_module("distributed")
        options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
            yield client.get_executor(), client


def run(kind: str, keep: str, pool: Any, client: Any) -> dict[str, Any]:
    """Simulate; with kind "kill" and all scores end one worker by force in the middle."""
    steps: list[int] = []
    killed: list[int] = []

    def progress(done: int, total: int) -> None:
        steps.append(done)
        if kind == "kill" and keep == "all" and not killed and done > total // 5:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    result: Result = simulate(POLICIES, GAMES, SEED, first=FIRST, executor=pool, keep=keep, progress=progress)
    return {
        "digest": result.digest(),
        "steps": len(steps),
        "ascending": steps == sorted(set(steps)) and steps[-1] == GAMES,
        "killed": bool(killed) and killed[0] not in client.run(os.getpid).values(),
        "backend": result.backend,
    }


if __name__ == "__main__":
    workers.TASK_SECONDS = 0.004  # so that there are many tasks
    with executor(sys.argv[1]) as (pool, client):
        print(json.dumps([run(sys.argv[1], keep, pool, client) for keep in ("all", "summary")]))
