"""simulate: threads, ranges, merging, progress, Ctrl-C, what is refused."""

from __future__ import annotations

import _thread
import copy
import pickle
import threading
import time
import warnings
from array import array
from types import ModuleType
from typing import Any

import numpy
import pytest
from conftest import Tree
from sim.helpers import mixed, part, plan_of, rules_of, slow_is_expected

pytestmark = slow_is_expected

FOUR = ("random", "random", "nearest", "lowest")


def few(nimmt: ModuleType, many: int) -> int:
    """Return a number of games that either backend can play quickly."""
    return many if nimmt.backend == "c" else max(2, many // 1000)


def test_a_result(nimmt: ModuleType) -> None:
    games = few(nimmt, 3000)
    result = part("sim").simulate(FOUR, games, 7, first=5)
    assert (result.policies, result.players, result.take, result.keep) == (FOUR, 4, "cheapest", "all")
    assert (result.seed, result.first, result.games, result.rules) == (7, 5, games, nimmt.BASE)
    assert (result.backend, result.version) == (nimmt.backend, nimmt.__version__)
    assert result.stream_version == nimmt.STREAM_VERSION
    scores, rounds = numpy.asarray(result.scores), numpy.asarray(result.rounds)
    assert (str(scores.dtype), scores.shape) == ("uint16", (games, 4))
    assert (str(rounds.dtype), rounds.shape) == ("uint32", (games,))
    assert not scores.flags.writeable
    assert scores.flags.c_contiguous
    assert numpy.shares_memory(scores, numpy.asarray(result.scores)), "numpy makes no copy"
    assert (scores.max(axis=1) >= 66).all()
    assert repr(result).startswith(f"<Result of games 5..{4 + games}, seed 7: random, random, nearest, lowest, Rules()")


def test_both_backends_and_every_number_of_threads_agree(trees: tuple[Tree, Tree]) -> None:
    digests = set()
    for tree in trees:
        with tree as nimmt:
            simulate = part("sim").simulate
            for name, rules in rules_of(nimmt).items():
                digests.add((name, simulate(mixed(5), 4, 3, rules=rules, take="random", threads=2).digest()))
            results = [simulate(FOUR, 30, 1, threads=threads) for threads in (1, 2, None)]
            assert results[0] == results[1] == results[2]
            digests.add(("threads", results[0].digest()))
    assert len(digests) == 8


def test_threads_with_many_calls(trees: tuple[Tree, Tree], monkeypatch: pytest.MonkeyPatch) -> None:
    with trees[0]:
        simulate = part("sim").simulate
        once = simulate(FOUR, 30_000, 1, threads=1)
        monkeypatch.setattr(part("sim.workers"), "CALL_SECONDS", 0.001)
        calls: list[tuple[int, int]] = []
        for threads in (1, 2, 3, 16):
            calls.clear()
            again = simulate(FOUR, 30_000, 1, threads=threads, progress=lambda *call: calls.append(call))
            assert again == once
            assert again.digest() == once.digest()
            assert len(calls) > 5
            assert [done for done, _ in calls] == sorted({done for done, _ in calls})
            assert calls[-1] == (30_000, 30_000)
        assert simulate(FOUR, 30_000, 1, threads=16, keep="summary").tally == once.tally


@pytest.mark.parametrize(("games", "threads"), [(2_000_000, 16), (100_000, 3), (4096, 2), (5, 2)])
def test_threads_get_equal_shares(nimmt: ModuleType, games: int, threads: int) -> None:
    """However quick calls are, none is larger than a share of what is left: so no thread is left alone at the end."""
    workers, calls = part("sim.workers"), []

    class Quick(workers.Range):  # type: ignore[misc, name-defined]
        def play(self, first: int, count: int) -> Any:
            calls.append((first, count))
            return workers.answer(first, count, array("Q"), 1e-6)

    done = list(Quick(plan_of(list(FOUR), nimmt.BASE), 1, 7, games, None, None).in_threads(threads))
    assert [(each.first, each.games) for each in done] == sorted(calls)
    assert sum(count for _, count in calls) == games
    for first, count in calls:
        assert count <= max(4096, (7 + games - first) // (2 * threads))


def test_calls_are_short(trees: tuple[Tree, Tree]) -> None:
    with trees[0]:
        times = [time.perf_counter()]
        part("sim").simulate(
            ["random"] * 10,
            800_000,
            1,
            threads=1,
            keep="summary",
            progress=lambda done, total: times.append(time.perf_counter()),
        )
        calls = [after - before for before, after in zip(times, times[1:])]
        assert len(calls) > 2
        # A quarter of a second, on a machine with other things to do.
        assert sorted(calls)[len(calls) // 2] < 0.4


def test_merging(nimmt: ModuleType) -> None:
    simulate = part("sim").simulate
    games = few(nimmt, 9000)
    whole = simulate(FOUR, games, 1, first=11)
    cut = games // 3
    left, right = simulate(FOUR, cut, 1, first=11), simulate(FOUR, games - cut, 1, first=11 + cut)
    assert left + right == right + left == whole
    assert sum([left, right]) == whole
    assert (left + right).digest() == whole.digest()
    nothing = simulate(FOUR, 0, 1, first=11)
    assert nothing + whole == whole + simulate(FOUR, 0, 1, first=11 + games) == whole
    sums = simulate(FOUR, cut, 1, first=11, keep="summary") + right
    assert (sums.keep, sums.tally) == ("summary", whole.tally)
    assert left != right


def test_what_does_not_merge(nimmt: ModuleType) -> None:
    simulate = part("sim").simulate
    some = simulate(FOUR, 4, 1)
    for other in (simulate(FOUR, 4, 1), simulate(FOUR, 4, 1, first=3), simulate(FOUR, 4, 1, first=5)):
        with pytest.raises(nimmt.NimmtError, match="neighbours"):
            some + other
    different = [
        simulate(FOUR, 4, 2, first=4),
        simulate(FOUR[::-1], 4, 1, first=4),
        simulate(FOUR, 4, 1, first=4, take="random"),
        simulate(FOUR, 4, 1, first=4, rules=nimmt.TACTIC),
    ]
    for other in different:
        with pytest.raises(nimmt.NimmtError, match="policies, take, rules and seed are the same"):
            some + other
    for stranger in (1, None, "result"):
        with pytest.raises(TypeError):
            some + stranger


def test_no_games(nimmt: ModuleType) -> None:
    calls: list[tuple[int, int]] = []
    for first in (0, 2**64):
        if first == 2**64:
            with pytest.raises(nimmt.NimmtError, match=r"first must be 0..2\*\*64-1"):
                part("sim").simulate(FOUR, 0, 1, first=first)
            continue
        result = part("sim").simulate(FOUR, 0, 1, first=first, progress=lambda *call: calls.append(call))
        assert numpy.asarray(result.scores).shape == (0, 4)
        assert numpy.asarray(result.rounds).shape == (0,)
        assert numpy.asarray(result.scores).dtype == numpy.uint16
        assert result.summary().seats[0].heads_a_round is None
        assert str(result.summary())
        assert calls == [(0, 0)]


def test_the_last_games_there_are(nimmt: ModuleType) -> None:
    result = part("sim").simulate(FOUR, 3, 2**64 - 1, first=2**64 - 3)
    assert result.games == 3
    with pytest.raises(nimmt.NimmtError, match="numbered"):
        part("sim").simulate(FOUR, 4, 2**64 - 1, first=2**64 - 3)


def test_no_seed_takes_one(nimmt: ModuleType) -> None:
    simulate = part("sim").simulate
    one, two = simulate(FOUR, 2), simulate(FOUR, 2)
    assert one.seed != two.seed
    assert simulate(FOUR, 2, one.seed) == one


def test_values(nimmt: ModuleType) -> None:
    for keep in ("all", "summary"):
        result = part("sim").simulate(FOUR, 5, 1, keep=keep)
        for again in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
            assert again == result
            assert again.digest() == result.digest()
    with pytest.raises(nimmt.NimmtError, match='keep="all"'):
        result.scores  # noqa: B018
    with pytest.raises(TypeError):
        hash(result)
    with pytest.raises(AttributeError):
        result.seed = 2


class Here:
    """An executor whose only worker is this process."""

    def map(self, function: Any, items: list[Any]) -> Any:
        return map(function, items)


@pytest.mark.parametrize("workers", [{"threads": 2}, {"executor": Here()}], ids=["threads", "executor"])
def test_exactly_one_warning_without_c(trees: tuple[Tree, Tree], workers: dict[str, Any]) -> None:
    for tree in trees:
        with tree as nimmt, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            part("sim").simulate(FOUR, 30, 1, **workers)
        if nimmt.backend == "c":
            assert not caught
        else:
            (warning,) = caught
            assert warning.category is RuntimeWarning
            assert warning.filename == __file__, "it names the line of the caller"


def test_ctrl_c_keeps_what_is_done(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    sim = part("sim")
    monkeypatch.setattr(part("sim.workers"), "CALL_SECONDS", 0.01)
    games = few(nimmt, 300_000)
    for threads in (1, 2):

        def stop(done: int, total: int) -> None:
            if done > total // 4:
                raise KeyboardInterrupt

        with pytest.raises(sim.Interrupted) as caught:
            sim.simulate(FOUR, games, 1, threads=threads, first=3, progress=stop)
        done = caught.value.result
        assert isinstance(caught.value, KeyboardInterrupt)
        assert pickle.loads(pickle.dumps(caught.value)).result == done
        assert games // 4 < done.games < games
        assert len(done.rounds) == done.games
        rest = sim.simulate(FOUR, 10, 1, first=3 + done.games)
        assert done + rest == sim.simulate(FOUR, done.games + 10, 1, first=3)


def test_a_real_interrupt(trees: tuple[Tree, Tree]) -> None:
    with trees[0]:
        sim = part("sim")
        for threads in (1, 2):
            timer = threading.Timer(0.5, _thread.interrupt_main)
            timer.start()
            with pytest.raises(sim.Interrupted) as caught:
                sim.simulate(FOUR, 10**12, 1, keep="summary", threads=threads)
            timer.join()
            assert caught.value.result.games > 0


def test_other_errors_go_through(nimmt: ModuleType) -> None:
    def fail(done: int, total: int) -> None:
        raise LookupError(done)

    for threads in (1, 2):
        with pytest.raises(LookupError):
            part("sim").simulate(FOUR, 30, 1, threads=threads, progress=fail)


def test_the_largest_scores(trees: tuple[Tree, Tree]) -> None:
    with trees[0] as nimmt:
        for rules in (nimmt.Rules(limit=65365), nimmt.Rules(limit=65364, end="exceed"), nimmt.Rules(rounds=383)):
            result = part("sim").simulate(["random"] * 2, 3, 1, rules=rules)
            assert result.rounds[0] > 100


def test_numbers_of_numpy(nimmt: ModuleType) -> None:
    simulate = part("sim").simulate
    given = simulate(FOUR, numpy.int8(3), numpy.uint64(2**64 - 1), first=numpy.int16(5), threads=numpy.int32(1))
    assert given == simulate(FOUR, 3, 2**64 - 1, first=5)


def test_no_memory(nimmt: ModuleType) -> None:
    with pytest.raises(MemoryError, match="summary"):
        part("sim").simulate(FOUR, 2**62, 1)


def test_tally_of_one_counter(nimmt: ModuleType) -> None:
    """Word for word what the header says, from scores and rounds by hand."""
    tally = part("sim.tally")
    counter = tally.Counter(2)
    counter.round((3, 0))
    counter.round((70, 1))
    counter.game((73, 1), 2)
    counter.round((600 % 172, 5))
    counter.game((600, 600), 70)
    words = list(counter.packed())
    assert words[:4] == [2, 72, 4904, 70]
    assert (words[tally.ROUNDS_HISTOGRAM + 2], words[tally.ROUNDS_HISTOGRAM + 63]) == (1, 1)
    assert words[tally.WINS : tally.WINS + 3] == [1260, 3780, 0]
    assert words[tally.SCORES : tally.SCORES + 2] == [673, 601]
    assert words[tally.SCORES_HISTOGRAM + 73] == words[tally.SCORES_HISTOGRAM + 511] == 1
    assert words[tally.SCORES_HISTOGRAM + 512 + 511] == 1
    assert words[tally.HEADS_SQUARES : tally.HEADS_SQUARES + 2] == [9 + 4900 + 84**2, 26]
    assert words[tally.HEADS_HISTOGRAM + 172 + 5] == 1
    assert isinstance(counter.packed(), array)
    both = tally.Tally(words)
    both.merge(words)
    assert (both.games, both.words[tally.ROUNDS_MOST]) == (4, 70)


def test_tally_is_the_struct_of_c(trees: tuple[Tree, Tree]) -> None:
    with trees[0]:
        ffi, tally = part("core._cffi").ffi, part("sim.tally")
        assert ffi.sizeof("nimmt_tally") == 8 * tally.WORDS
        for field in ("games", "rounds", "rounds_squares", "rounds_most", "rounds_histogram", "wins", "scores"):
            assert ffi.offsetof("nimmt_tally", field) == 8 * getattr(tally, field.upper())
        for field in ("scores_squares", "scores_histogram", "heads", "heads_squares", "heads_histogram"):
            assert ffi.offsetof("nimmt_tally", field) == 8 * getattr(tally, field.upper())
