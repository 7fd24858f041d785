"""Process pools, joblib and Dask give what threads give; executors that lose or mix up tasks are refused."""

from __future__ import annotations

import importlib.util
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Tree
from sim.cluster import FIRST, GAMES, POLICIES, SEED
from sim.helpers import heavy, part, slow_is_expected
from tools import missing

pytestmark = slow_is_expected

PROGRAM = Path(__file__).parent / "cluster.py"
NEEDS = {"joblib": "joblib", "dask": "distributed", "kill": "distributed"}


@pytest.mark.parametrize("kind", ["processes", "pool", "joblib", "kill", pytest.param("dask", marks=heavy)])
def test_every_executor_gives_the_same(trees: tuple[Tree, Tree], kind: str) -> None:
    need = NEEDS.get(kind)
    if need and importlib.util.find_spec(need) is None:
        missing(f"Python package {need}")
    with trees[0]:
        simulate = part("sim").simulate
        expected = [simulate(POLICIES, GAMES, SEED, first=FIRST, keep=keep).digest() for keep in ("all", "summary")]
    env = dict(os.environ, NIMMT_BACKEND="c")
    done = subprocess.run(
        [sys.executable, str(PROGRAM), kind], capture_output=True, text=True, timeout=120, env=env, check=False
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert [result["digest"] for result in results] == expected
    assert [result["killed"] for result in results] == [kind == "kill", False]
    for result in results:
        assert result["steps"] > 10, "there were many tasks"
        assert result["ascending"]
        assert result["backend"] == "c"


Work = Callable[[Any], Any]


class Bad:
    """An executor whose map does something to the answers."""

    def __init__(self, change: Callable[[list[Any]], Iterable[Any]]) -> None:
        self.change = change

    def map(self, work: Work, tasks: list[Any]) -> Iterable[Any]:
        return self.change([work(task) for task in tasks])


def fails_at_second(answers: list[Any]) -> Iterator[Any]:
    yield answers[0]
    raise ConnectionError("the network is gone")


CHANGES: dict[str, tuple[Callable[[list[Any]], Iterable[Any]], str, int]] = {
    "first lost": (lambda answers: answers[1:], "what it gave for games 0..", 0),
    "last lost": (lambda answers: answers[:-1], "the executor lost a task: it gave no answer for games", 3),
    "all lost": (lambda answers: [], "the executor lost a task: it gave no answer for games 0..", 0),
    "one is None": (lambda answers: [answers[0], None, *answers[2:]], "the executor lost a task", 1),
    "one twice": (lambda answers: [answers[0], *answers], "the executor mixed up its tasks", 1),
    "one too many": (lambda answers: [*answers, answers[0]], "it gave more answers than there were tasks", 4),
    "backwards": (lambda answers: answers[::-1], "the executor mixed up its tasks", 0),
    "strangers": (lambda answers: [1] * len(answers), "the executor mixed up its tasks", 0),
    "scores lost": (
        lambda answers: [answers[0]._replace(scores=None), *answers[1:]],
        "the executor mixed up its tasks",
        0,
    ),
    "tally lost": (
        lambda answers: [answers[0]._replace(tally=answers[0].tally[:-1]), *answers[1:]],
        "the executor mixed up its tasks",
        0,
    ),
    "fails": (fails_at_second, "the executor failed with ConnectionError: the network is gone", 1),
    "other streams": (
        lambda answers: [answer._replace(stream_version=2, version="9.9") for answer in answers],
        "a worker has nimmt 9.9 with stream version 2, not 1",
        0,
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_executors_that_fail(nimmt: ModuleType, name: str) -> None:
    sim, (change, message, good) = part("sim"), CHANGES[name]
    with pytest.raises(sim.ExecutorFailed) as caught:
        # Twenty rounds are a task of the first wave on the Python backend, 20,000 in C.
        games = 4 if nimmt.backend == "python" else 4000
        sim.simulate(["random"] * 2, 4 * games, 1, executor=Bad(change), rules=nimmt.Rules(rounds=6))
    assert message in str(caught.value)
    assert isinstance(caught.value, nimmt.NimmtError)
    done = caught.value.result
    assert (done.games > 0) == (good > 0)
    assert done == sim.simulate(["random"] * 2, done.games, 1, rules=nimmt.Rules(rounds=6))
    assert f"go on with first={done.games}" in str(caught.value)


def test_one_answer_too_many_at_the_very_end(nimmt: ModuleType) -> None:
    sim = part("sim")
    with pytest.raises(sim.ExecutorFailed, match="more answers than there were tasks") as caught:
        sim.simulate(["random"] * 2, 3, 1, executor=Bad(lambda answers: [*answers, None]))
    assert caught.value.result.games == 3
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.result) == (str(caught.value), caught.value.result)


def test_good_executors(nimmt: ModuleType) -> None:
    simulate, games = part("sim").simulate, 50 if nimmt.backend == "python" else 50_000
    expected = simulate(["random"] * 3, games, 1)
    with ThreadPoolExecutor(2) as pool:
        assert simulate(["random"] * 3, games, 1, executor=pool) == expected
    for change in (list, iter, tuple):
        assert simulate(["random"] * 3, games, 1, executor=Bad(change)) == expected
    assert simulate(["random"] * 3, 0, 1, executor=Bad(list)).games == 0


def test_interrupt_with_an_executor(nimmt: ModuleType) -> None:
    sim = part("sim")
    games = 200 if nimmt.backend == "python" else 200_000

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(sim.Interrupted) as caught:
        sim.simulate(["random"] * 3, games, 1, executor=Bad(iter), progress=stop)
    done = caught.value.result
    assert 0 < done.games < games
    assert done == sim.simulate(["random"] * 3, done.games, 1)


def test_waves_grow_and_two_are_under_way(trees: tuple[Tree, Tree], monkeypatch: pytest.MonkeyPatch) -> None:
    with trees[0]:
        monkeypatch.setattr(part("sim.workers").Pace, "learn", lambda *args: None)
        monkeypatch.setattr(part("sim.workers"), "FIRST_ROUNDS", 100)
        sizes: list[int] = []
        pending: set[int] = set()
        most = [0]

        class Counting:
            def map(self, work: Work, tasks: list[Any]) -> Iterator[Any]:
                number = len(sizes)
                sizes.append(len(tasks))
                pending.add(number)

                def answers() -> Iterator[Any]:
                    for task in tasks:
                        most[0] = max(most[0], len(pending))
                        yield work(task)
                    pending.discard(number)

                return answers()

        part("sim").simulate(["random"] * 2, 200_000, 1, executor=Counting(), rules=part("rules").Rules(rounds=1))
        assert sizes[:5] == [4, 16, 64, 256, 512]
        assert max(sizes) <= 512
        assert most == [2]
