"""Playing a range of games in one call: in C many in lockstep, in Python one by one. The results are the same."""

import time
from array import array
from types import ModuleType
from typing import NamedTuple

from .. import _backend
from .. import _pycore as c
from .._version import __version__
from ..stream import STREAM_VERSION, Stream
from .plan import Plan
from .tally import Counter

SLOW = (
    "nimmt simulates on its Python backend, some thousand times slower than in C, with the same results; "
    "`nimmt info` says why there is no C"
)


class Task(NamedTuple):
    """A range of games for a worker."""

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


def clib() -> ModuleType | None:
    """Return the module _clib if the backend is C and its library has the batch, else None."""
    if _backend.name != "c":
        return None
    from . import _clib

    return _clib if _clib.HAS_SIMULATE else None


def play(
    plan: Plan, seed: int, first: int, games: int, scores: memoryview | None = None, rounds: memoryview | None = None
) -> "array[int]":
    """Play the games first .. first + games - 1; write scores and rounds where there is room; return the tally."""
    lib = clib()
    if lib is not None:
        tally: array[int] = lib.simulate(plan, seed, first, games, scores, rounds)
        return tally
    return play_scalar(_backend.core, plan, seed, first, games, scores, rounds)


def play_scalar(
    core: "_backend.Core",
    plan: Plan,
    seed: int,
    first: int,
    games: int,
    scores: memoryview | None = None,
    rounds: memoryview | None = None,
) -> "array[int]":
    """Play games one by one with deal and playout of a core, as `play` does."""
    counter = Counter(plan.players)
    for i in range(games):
        totals, number = play_game(core, plan, seed, first + i, counter)
        if scores is not None and rounds is not None:
            scores[i * plan.players : (i + 1) * plan.players] = memoryview(array("H", totals))
            rounds[i] = number
    return counter.packed()


def play_game(core: "_backend.Core", plan: Plan, seed: int, game: int, counter: Counter) -> tuple[list[int], int]:
    """Play one game to its end (R9); count it; return scores and rounds."""
    state = bytearray(c.SIZE)
    r, numbers, totals = core.bind(state), plan.numbers, [0] * plan.players
    number = 0
    while number == 0 or not plan.rules.is_over(tuple(totals), number):
        stream = Stream(seed, game, number)
        core.deal(r, plan.players, plan.highest, plan.flags, stream)
        core.playout(r, numbers, stream)
        heads = state[c.TAKEN : c.TAKEN + plan.players]
        counter.round(heads)
        totals = [total + taken for total, taken in zip(totals, heads)]
        number += 1
    counter.game(totals, number)
    return totals, number


def work(task: Task) -> Answer:
    """Do a task; what the workers of an executor are given."""
    plan, seed, first, games, keep = task
    started = time.perf_counter()
    scores = array("H", bytes(2 * games * plan.players)) if keep == "all" else None
    rounds = array("I", bytes(4 * games)) if keep == "all" else None
    views = (memoryview(scores), memoryview(rounds)) if scores is not None and rounds is not None else (None, None)
    tally = play(plan, seed, first, games, *views)
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
    return Answer(first, games, tally, scores, rounds, seconds, _backend.name, __version__, STREAM_VERSION)
