"""simulate: many games between the built-in policies."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from .. import core
from ..args import as_int, checked_seed
from ..errors import NimmtError
from ..rules import BASE, Rules, one_of
from .arrays import room
from .backend import IN_C
from .plan import Plan, checked_plan, checked_range
from .result import Result
from .tally import Tally
from .workers import Answer, Executor, Range, close, cores

SLOW = (
    "nimmt simulates on its Python backend, some thousand times slower than in C, with the same results; "
    "`nimmt info` says why C is not used"
)

Progress = Callable[[int, int], object]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C came during a simulation.

    result       the Result of the games that are done, without a gap

    Go on with simulate(..., seed=result.seed, first=result.first + result.games) and add the two results.
    """

    def __init__(self, result: Result) -> None:
        super().__init__(f"interrupted after {result.games} games; go on with first={result.first + result.games}")
        self.result = result

    def __reduce__(self) -> tuple[type["Interrupted"], tuple[Result]]:
        return Interrupted, (self.result,)


class ExecutorFailed(NimmtError):
    """An executor lost or mixed up tasks, or raised an error, which is the cause of this one.

    message      what the executor did
    result       the Result of the games that are done, without a gap; going on is as after Interrupted
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
                raise MemoryError(f'scores of {games} games take {size} bytes: keep="summary" keeps sums') from None
            scores, rounds = self.scores.cast("H"), self.rounds.cast("I")
        self.range = Range(plan, seed, first, games, scores, rounds)

    def add(self, done: Answer) -> None:
        """Take in an answer. Answers come in the order of the games."""
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

    policies     by seat, for 2..10 players (R1): "random", "lowest", "highest", "nearest", as nimmt.bots.Policy says
    games        how many, 0 or more
    seed         0..2**64-1; None takes one from the system, and Result.seed tells it
    rules        any without a draft (V2); scores must not be able to pass 65535
    take         how rows that are owed are taken (R7): "cheapest" by A1 and A2; "random": the policy "random" takes any
                 of those that are allowed, equally likely, and the others the cheapest
    threads      1 or more; None takes as many as the processor has. The Python backend uses one
    executor     anything with the map of concurrent.futures, whose workers play instead of threads; they need nimmt
    first        the number of the first game, 0..2**64-1; the number of the last game, too, is at most 2**64-1
    progress     is called with the number of games that are done and that of all games, about every 0.2 seconds or
                 after each answer of a worker, and at the end
    keep         "all" keeps scores and rounds of each game, 2 * seats + 4 bytes a game; "summary" keeps exact sums, in
                 constant memory

    Each game is what nimmt.arena.play_game makes of the same policies, seed and number; threads, workers and backend do
    not change it. On the Python backend each call gives one RuntimeWarning.

    Raises NimmtError or TypeError for arguments that are not as above, MemoryError where the scores do not fit,
    Interrupted at Ctrl-C, ExecutorFailed.
    """
    plan, workers = checked_plan(policies, rules, take), checked_workers(threads, executor)
    start, count = checked_range(first, games)
    one_of("keep", keep, ("all", "summary"))
    return play(Run(plan, checked_seed(seed), start, count, keep), workers, progress)


def play(run: Run, workers: int | Executor, progress: Progress | None) -> Result:
    """Play the games in so many threads or over an executor, whose errors become ExecutorFailed; return the result."""
    foreign = not isinstance(workers, int)
    if not isinstance(workers, int):
        answers = warned(run.range.over(workers, run.keep))
    elif IN_C and workers > 1:
        answers = run.range.in_threads(workers)
    else:
        answers = run.range.in_this_thread()
    if not foreign and core.name == "python":
        warnings.warn(SLOW, RuntimeWarning, stacklevel=3)
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


def warned(answers: Iterator[Answer]) -> Iterator[Answer]:
    """Pass the answers of workers on, and warn once if one of them plays on the Python backend."""
    said = False
    for done in answers:
        if done.backend == "python" and not said:
            said = True
            warnings.warn(SLOW, RuntimeWarning, stacklevel=5)  # below: following, play, simulate
        yield done


def checked_workers(threads: object, executor: object) -> int | Executor:
    """Return the number of threads, or the executor, or raise TypeError or NimmtError."""
    if executor is not None:
        if threads is not None:
            raise NimmtError("give threads or an executor, not both")
        if not callable(getattr(executor, "map", None)):
            raise TypeError(f"an executor must have map, as in concurrent.futures; {type(executor).__name__} does not")
        return cast(Executor, executor)
    number = cores() if threads is None else as_int(threads, "threads")
    if number < 1:
        raise NimmtError(f"threads must be 1 or more, not {number}")
    return number
