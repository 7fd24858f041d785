"""simulate: many games between the built-in policies."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from .. import core
from ..args import as_int, checked_seed
from ..errors import NimmtError
from ..rules import BASE, Rules
from .buffers import room
from .plan import Plan, checked_choice, checked_plan, checked_range
from .play import SLOW, Answer, clib
from .result import Result
from .spread import Executor, Range, close, cores
from .tally import Tally

Progress = Callable[[int, int], object]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during a simulation.

    result       the games that are done, from the first on without a gap

    Go on with simulate(..., seed=result.seed, first=result.first + result.games) and add the two results.
    """

    def __init__(self, result: Result) -> None:
        super().__init__(f"interrupted after {result.games} games; go on with first={result.first + result.games}")
        self.result = result

    def __reduce__(self) -> tuple[type["Interrupted"], tuple[Result]]:
        return Interrupted, (self.result,)


class ExecutorFailed(NimmtError):
    """An executor lost or mixed up tasks, or raised an error, which is the cause (`__cause__`).

    message      what the executor did
    result       the games that are done, from the first on without a gap
    """

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(f"{message} ({result.games} games are done; go on with first={result.first + result.games})")
        self.message, self.result = message, result

    def __reduce__(self) -> tuple[type["ExecutorFailed"], tuple[str, Result]]:
        return ExecutorFailed, (self.message, self.result)


class Run:
    """One simulation on its way: what is done so far is always a result."""

    def __init__(self, plan: Plan, seed: int, first: int, games: int, keep: str) -> None:
        self.plan, self.seed, self.first, self.games, self.keep = plan, seed, first, games, keep
        self.tally, self.backends = Tally(), set[str]()
        self.scores = self.rounds = None
        scores = rounds = None
        if keep == "all":
            try:
                self.scores, self.rounds = room(2 * games * plan.players), room(4 * games)
            except (MemoryError, OverflowError, OSError):
                size = games * (2 * plan.players + 4)
                raise MemoryError(f'scores of {games} games are {size} bytes: keep="summary" needs none') from None
            scores, rounds = self.scores.cast("H"), self.rounds.cast("I")
        self.range = Range(plan, seed, first, games, scores, rounds)

    def add(self, done: Answer) -> None:
        """Take in an answer; they come in order."""
        if done.scores is not None and done.rounds is not None and self.range.scores and self.range.rounds:
            at, players = done.first - self.first, self.plan.players
            self.range.scores[at * players : (at + done.games) * players] = memoryview(done.scores)
            self.range.rounds[at : at + done.games] = memoryview(done.rounds)
        self.backends.add(done.backend)
        self.tally.merge(done.tally)

    def result(self) -> Result:
        """Return the games that are done."""
        done = self.tally.games
        scores: bytearray | memoryview | None = self.scores
        rounds: bytearray | memoryview | None = self.rounds
        if scores is not None and rounds is not None and done < self.games:
            scores, rounds = bytearray(scores[: 2 * done * self.plan.players]), bytearray(rounds[: 4 * done])
        backend = " and ".join(sorted(self.backends or {core.name}))
        return Result(self.plan, self.seed, self.first, self.tally, scores, rounds, backend)


def simulate(
    policies: Sequence[str],
    games: int,
    seed: int | None = None,
    *,
    rules: Rules = BASE,
    take: str = "cheapest",
    threads: int | None = None,
    executor: object = None,
    first: int = 0,
    progress: Progress | None = None,
    keep: str = "all",
) -> Result:
    """Play the games first .. first + games - 1 of a seed between built-in policies.

    policies     by seat, 2..10 of "random", "lowest", "highest", "nearest" (csrc/nimmt.h, nimmt_policy_card)
    games        0 or more
    seed         0..2**64-1; None takes one from the system: Result.seed tells it
    rules        any without a draft; scores must not be able to pass 65535
    take         "cheapest": rows that are owed are taken by A1, A2; "random": "random" takes any, equally likely
    threads      1 or more; None: as many as the processor has. The Python backend uses one
    executor     anything with the map of concurrent.futures instead of threads: its workers have nimmt
    first        the number of the first game, 0..2**64-1; the last one must not pass 2**64-1, either
    progress     is called with the number of games done and of all games, after each call into C (a quarter of a
                 second) or answer of a worker, and at the end
    keep         "all": scores and rounds of each game, 2 * seats + 4 bytes a game; "summary": only exact sums, in
                 constant memory

    Each game is what nimmt.arena.play_game makes of the same policies, seed and number; threads, workers and backend do
    not change it. On the Python backend each call gives one RuntimeWarning.

    Raises NimmtError or TypeError for arguments that are not as above, Interrupted at Ctrl-C, ExecutorFailed.
    """
    plan = checked_plan(policies, rules, take)
    start, count = checked_range(first, games)
    number, kept = checked_seed(seed), checked_choice("keep", keep, ("all", "summary"))
    workers = checked_workers(threads, executor)
    run = Run(plan, number, start, count, kept)
    if isinstance(workers, int):
        if core.name == "python":
            warnings.warn(SLOW, RuntimeWarning, stacklevel=2)
        alone = workers == 1 or clib() is None
        answers = run.range.in_this_thread() if alone else run.range.in_threads(workers)
    else:
        answers = slow_workers(run.range.over(workers, kept))
    return follow(run, answers, not isinstance(workers, int), progress)


def follow(run: Run, answers: Iterator[Answer], foreign: bool, progress: Progress | None) -> Result:
    """Take in all answers; return the result. Errors of foreign workers become ExecutorFailed."""
    try:
        while (done := following(run, answers, foreign)) is not None:
            run.add(done)
            if progress is not None:
                progress(run.tally.games, run.games)
        if run.games == 0 and progress is not None:
            progress(0, 0)
    except KeyboardInterrupt:
        close(answers)
        raise Interrupted(run.result()) from None
    except BaseException:
        close(answers)
        raise
    return run.result()


def following(run: Run, answers: Iterator[Answer], foreign: bool) -> Answer | None:
    """Return the next answer, None after the last."""
    try:
        return next(answers, None)
    except NimmtError as error:
        raise ExecutorFailed(str(error), run.result()) from error
    except RuntimeWarning:  # where warnings are errors
        raise
    except Exception as error:
        if not foreign:
            raise
        raise ExecutorFailed(f"the executor failed with {type(error).__name__}: {error}", run.result()) from error


def slow_workers(answers: Iterator[Answer]) -> Iterator[Answer]:
    """Warn once if some worker has only the Python backend."""
    warned = False
    for done in answers:
        if done.backend == "python" and not warned:
            warned = True
            warnings.warn(SLOW, RuntimeWarning, stacklevel=4)
        yield done


def checked_workers(threads: object, executor: object) -> int | Executor:
    """Return the number of threads, or the executor, or raise TypeError or NimmtError."""
    if executor is not None:
        if threads is not None:
            raise NimmtError("give threads or an executor, not both")
        if not callable(getattr(executor, "map", None)):
            raise TypeError(f"an executor has a map, as in concurrent.futures; {type(executor).__name__} has none")
        return cast(Executor, executor)
    number = cores() if threads is None else as_int(threads, "threads")
    if number < 1:
        raise NimmtError(f"threads must be 1 or more, not {number}")
    return number
