"""A range of games spread over threads or the workers of an executor. Answers come in the order of the games."""

import os
import time
from array import array
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, Protocol

from .. import core
from .._version import __version__
from ..errors import NimmtError
from ..stream import STREAM_VERSION
from .backend import IN_C, simulate
from .plan import Plan
from .tally import GAMES, WORDS

CALL_SECONDS = 0.2  # of a call here: what Ctrl-C and progress have to wait for
TASK_SECONDS = 1.0  # of a task of an executor: large against its overhead
FIRST_ROUNDS = 20_000 if IN_C else 20  # of the first call, whose speed nobody knows yet
GROWTH = 16  # how many times larger than the last one a call may be
LEAST_CALL = 4096  # games of a call in threads that is worth sharing out

#: How many tasks an executor gets at a time: few until their speed is known. From the last size on, two waves at once.
WAVES = (4, 16, 64, 256, 512)


class Task(NamedTuple):
    """A range of games for a worker; `keep` as in simulate."""

    plan: Plan
    seed: int
    first: int
    games: int
    keep: str


class Answer(NamedTuple):
    """What became of a range of games. Arrays, since they pickle with their type and byte order.

    tally        the words of a tally
    scores       uint16 by game and seat; None if only the tally is wanted, or if they were written in place
    rounds       uint32 by game, likewise
    seconds      how long it took
    """

    first: int
    games: int
    tally: "array[int]"
    scores: "array[int] | None"
    rounds: "array[int] | None"
    seconds: float
    backend: str
    version: str
    stream_version: int


def work(task: Task) -> Answer:
    """Do a task. This is the function that the workers of an executor are given."""
    plan, seed, first, games, keep = task
    started = time.perf_counter()
    scores = array("H", bytes(2 * games * plan.players)) if keep == "all" else None
    rounds = array("I", bytes(4 * games)) if keep == "all" else None
    views = [None if kept is None else memoryview(kept) for kept in (scores, rounds)]
    tally = simulate(plan, seed, first, games, *views)
    return answer(first, games, tally, time.perf_counter() - started, scores, rounds)


def answer(
    first: int,
    games: int,
    tally: "array[int]",
    seconds: float,
    scores: "array[int] | None" = None,
    rounds: "array[int] | None" = None,
) -> Answer:
    """Return an answer of this process."""
    return Answer(first, games, tally, scores, rounds, seconds, core.name, __version__, STREAM_VERSION)


class Executor(Protocol):
    """Anything with the map of concurrent.futures: the results of function(item) for all items, in order."""

    def map(self, function: Callable[[Task], Answer], items: list[Task], /) -> Iterable[object]: ...


class Pace:
    """How many games fit into some seconds, learned from those that were played."""

    def __init__(self, plan: Plan, seconds: float) -> None:
        self._seconds = seconds
        self.games = max(1, int(FIRST_ROUNDS / plan.rounds_expected))

    def learn(self, games: int, seconds: float) -> None:
        """Take into account that so many games took so long."""
        wanted = int(games * self._seconds / max(seconds, 1e-6))
        # One that was cut short by the end of the range, or by another program, says little.
        self.games = max(1, min(wanted, GROWTH * max(games, self.games // 4)))


def cores() -> int:
    """Return how many threads the processor has for this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Range:
    """The games first .. first + games - 1 that are to be played, and room for their scores and rounds, or None."""

    def __init__(
        self, plan: Plan, seed: int, first: int, games: int, scores: memoryview | None, rounds: memoryview | None
    ) -> None:
        self.plan, self.seed, self.first, self.games = plan, seed, first, games
        self.scores, self.rounds = scores, rounds

    def play(self, first: int, games: int) -> Answer:
        """Play some of the games in one call and write scores and rounds into place."""
        started, at, players = time.perf_counter(), first - self.first, self.plan.players
        scores = None if self.scores is None else self.scores[at * players : (at + games) * players]
        rounds = None if self.rounds is None else self.rounds[at : at + games]
        tally = simulate(self.plan, self.seed, first, games, scores, rounds)
        return answer(first, games, tally, time.perf_counter() - started)

    def in_this_thread(self) -> Iterator[Answer]:
        """Play call by call."""
        pace, at, end = Pace(self.plan, CALL_SECONDS), self.first, self.first + self.games
        while at < end:
            done = self.play(at, min(pace.games, end - at))
            pace.learn(done.games, done.seconds)
            at += done.games
            yield done

    def in_threads(self, threads: int) -> Iterator[Answer]:
        """Play in threads: the C call lets the others run. At most two calls a thread are under way.

        A call is not larger than an equal share of what is left, so that all threads end together.
        """
        pace, at, end = Pace(self.plan, CALL_SECONDS), self.first, self.first + self.games
        calls: deque[Future[Answer]] = deque()
        with ThreadPoolExecutor(threads, "nimmt") as pool:
            try:
                while at < end or calls:
                    while at < end and len(calls) < 2 * threads:
                        share = max(LEAST_CALL, (end - at) // (2 * threads))
                        games = min(pace.games, share, end - at)
                        calls.append(pool.submit(self.play, at, games))
                        at += games
                    done = calls.popleft().result()
                    pace.learn(done.games, done.seconds)
                    yield done
            finally:
                for call in calls:
                    call.cancel()

    def over(self, executor: Executor, keep: str) -> Iterator[Answer]:
        """Let the workers of an executor play, in waves of tasks of about a second."""
        pace, at, end, number = Pace(self.plan, TASK_SECONDS), self.first, self.first + self.games, 0
        waves: deque[tuple[list[Task], Iterator[object]]] = deque()
        try:
            while at < end or waves:
                while at < end and len(waves) < (1 if number < len(WAVES) - 1 else 2):
                    tasks: list[Task] = []
                    while at < end and len(tasks) < WAVES[min(number, len(WAVES) - 1)]:
                        tasks.append(Task(self.plan, self.seed, at, min(pace.games, end - at), keep))
                        at += tasks[-1].games
                    waves.append((tasks, iter(executor.map(work, tasks))))
                    number += 1
                for done in checked(*waves[0]):
                    pace.learn(done.games, done.seconds)
                    yield done
                waves.popleft()
        finally:
            for _, answers in waves:
                close(answers)


def close(answers: Iterator[object]) -> None:
    """Cancel the tasks that are not begun, if the answers come from a generator."""
    if isinstance(answers, Generator):
        answers.close()


def is_of(got: Answer, task: Task) -> bool:
    """Is this the answer of this task, and whole?"""
    sizes = (task.games * task.plan.players, task.games) if task.keep == "all" else (0, 0)
    found = tuple(0 if kept is None else len(kept) for kept in (got.scores, got.rounds))
    tally = len(got.tally) == WORDS and got.tally[GAMES] == task.games
    return (got.first, got.games) == (task.first, task.games) and found == sizes and tally


def checked(tasks: list[Task], answers: Iterator[object]) -> Iterator[Answer]:
    """Yield the answers if they are those of the tasks, one each, in order; else raise NimmtError."""
    for task in tasks:
        games = f"games {task.first}..{task.first + task.games - 1}"
        got = next(answers, None)
        if got is None:
            raise NimmtError(f"the executor lost a task: it gave no answer for {games}")
        if isinstance(got, Answer) and got.stream_version != STREAM_VERSION:
            raise NimmtError(
                f"a worker has nimmt {got.version} with stream version {got.stream_version}, not {STREAM_VERSION}: "
                "install the same release everywhere"
            )
        if not isinstance(got, Answer) or not is_of(got, task):
            raise NimmtError(f"the executor mixed up its tasks: what it gave for {games} is not their answer")
        yield got
    if next(answers, tasks) is not tasks:
        raise NimmtError("the executor mixed up its tasks: it gave more answers than there were tasks")
