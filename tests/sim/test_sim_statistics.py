"""Statistics as an oracle from elsewhere (DESIGN, proof 7), and memory; the large numbers run in CI."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import Tree
from sim.helpers import HEAVY, heavy, mixed, part

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="measures memory as POSIX does")

#: Rounds. The mean's standard error is under 0.005 with four million; fewer widen what is accepted.
ROUNDS = 4_000_000 if HEAVY else 400_000


@pytest.mark.parametrize(("take", "mean"), [("cheapest", 12.124), ("random", 13.341)])
def test_mean_heads_of_four_random_players(trees: tuple[Tree, Tree], take: str, mean: float) -> None:
    with trees[0] as nimmt:
        rules = nimmt.Rules(rounds=1)
        result = part("sim").simulate(["random"] * 4, ROUNDS, 20, rules=rules, take=take, keep="summary")
        seats = result.summary().seats
        # All seats together: their heads depend on each other, so the error is not that of four times as many rounds.
        together = sum(seat.heads_a_round for seat in seats) / 4
        error = max(seat.heads_a_round_error for seat in seats)
        assert error < 0.005 * (4_000_000 / ROUNDS) ** 0.5
        assert abs(together - mean) < 4 * error
        for seat in seats:
            assert abs(seat.heads_a_round - mean) < 4 * error + 0.0005, "the published mean is rounded"


@pytest.mark.parametrize("players", range(2, 11))
def test_equal_policies_win_equally(trees: tuple[Tree, Tree], players: int) -> None:
    with trees[0]:
        for policy in ("random", "nearest"):
            result = part("sim").simulate([policy] * players, 400_000 if HEAVY else 40_000, 5, keep="summary")
            for seat in result.summary().seats:
                assert abs(seat.win_share - 1 / players) < 4 * seat.win_share_error, (policy, seat.seat)
            assert sum(seat.wins for seat in result.summary().seats) == 2520 * result.games


def test_shares_sum_up_for_unequal_policies(trees: tuple[Tree, Tree]) -> None:
    with trees[0]:
        for players in range(2, 11):
            result = part("sim").simulate(mixed(players), 1000, 5, keep="summary")
            assert sum(seat.wins for seat in result.summary().seats) == 2520 * 1000


MEMORY = """
import resource, sys
from nimmt import Rules
from nimmt.sim import simulate
result = simulate(["random"] * 4, int(sys.argv[1]), 1, rules=Rules(rounds=1), keep="summary")
assert result.games == int(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(rounds: int) -> int:
    """Return the most memory that a process had which simulates so many rounds, in KiB."""
    env = dict(os.environ, NIMMT_BACKEND="c")
    run = subprocess.run(
        [sys.executable, "-c", MEMORY, str(rounds)], capture_output=True, text=True, env=env, check=True
    )
    return int(run.stdout) // (1024 if sys.platform == "darwin" else 1)


def test_memory_of_a_summary_is_flat(trees: tuple[Tree, Tree]) -> None:
    assert peak(3_000_000) < peak(100_000) + 4096


@heavy
def test_memory_of_a_summary_is_flat_up_to_a_hundred_million_rounds(trees: tuple[Tree, Tree]) -> None:
    assert peak(100_000_000) < peak(100_000) + 4096
