"""examples/client: a program in JavaScript plays whole games through `nimmt serve`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tools import need

CLIENT = Path(__file__).parent.parent / "examples" / "client" / "client.mjs"
BOTS = (None, "nearest", "random", "lowest")


def play(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [need("node", "nodejs"), str(CLIENT), *arguments], capture_output=True, text=True, timeout=120, check=False
    )


def test_the_client_is_short() -> None:
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.parametrize("seed", ["7", "18446744073709551615"])
def test_a_whole_game(nimmt: ModuleType, seed: str) -> None:
    """The game of the client is the game of this seed: its cards, rows and scores are those that nimmt.Game gives."""
    done = play(seed, sys.executable, "-m", "nimmt", "serve")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"nimmt {nimmt.__version__}, protocol 1"
    rounds = [line for line in lines if line.startswith("round ")]
    opening = " / ".join(str(row[0]) for row in nimmt.Game(4, seed=int(seed)).rows)
    assert rounds[0] == f"round 1: {opening}"
    scores = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("scores: ")]
    assert max(scores[-1]) >= 66 > max(scores[-2])
    assert len(rounds) == len(scores)
    taken = [0] * 4
    names = ["Ann", "Bo", "Cy", "Di"]
    for name, cards, heads in re.findall(r"^  (\w+) plays \d+ and takes ([\d ]+): (\d+)$", done.stdout, re.MULTILINE):
        assert sum(nimmt.bull_heads(int(card)) for card in cards.split()) == int(heads)
        taken[names.index(name)] += int(heads)
    assert tuple(taken) == scores[-1]
    winners = [name for name, score in zip(names, scores[-1]) if score == min(scores[-1])]
    assert lines[-1] == f"winners: {', '.join(winners)}"
    assert play(seed, sys.executable, "-m", "nimmt", "serve").stdout == done.stdout


def test_without_an_engine() -> None:
    done = play("7", "/nowhere/nimmt")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("cannot start /nowhere/nimmt")


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("", "has ended"),
        ("import os; os.close(0); print(flush=True); import time; time.sleep(9)", "has ended|does not speak .*: "),
        ("print('Good evening')", "has ended|does not speak the protocol: Good evening"),
        ("input(); print('Good evening')", "does not speak the protocol: Good evening"),
    ],
)
def test_an_engine_that_is_none(program: str, words: str) -> None:
    """One line says what is wrong, whichever end of it is noticed first."""
    done = play("7", sys.executable, "-c", program)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(f"{re.escape(sys.executable)} ({words})\n", done.stderr), done.stderr


def test_a_seed_that_is_none() -> None:
    done = play("x", sys.executable, "-m", "nimmt", "serve")
    assert (done.returncode, done.stderr) == (1, "BadRequest: a number as text has 1 to 20 digits\n")
