"""Frozen programs: PyInstaller finds the C library and what it needs, and the module of each command."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BACKENDS, tree_of
from installs import environment, run
from tools import missing

# What tests and optional parts use; the programs must do without it, and are made in less time.
LEFT_OUT = ("numpy", "matplotlib", "distributed", "dask", "joblib", "hypothesis", "pytest", "setuptools", "tkinter")

LIBRARY = """
import nimmt
for name in nimmt.__all__:
    getattr(nimmt, name)
game = nimmt.Game(2, seed=1, rules=nimmt.LOGIC)
assert nimmt.replay(nimmt.Game.load(game.save()).record()) == game and game.view(0).pool
table = nimmt.Referee(2)
assert nimmt.Referee.load(table.save()) == table
print(nimmt.backend)
"""
COMMAND = """
import sys
from nimmt.cli import main
sys.exit(main())
"""


def frozen(folder: Path, code: str) -> Path:
    """Freeze a program and return the path of what runs it."""
    if importlib.util.find_spec("PyInstaller") is None:
        missing("PyInstaller")
    (folder / "host.py").write_text(code, encoding="utf-8")
    options = [f"--exclude-module={module}" for module in LEFT_OUT]
    run(sys.executable, "-m", "PyInstaller", *options, "host.py", cwd=folder)
    return folder / "dist" / "host" / "host"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return frozen(tmp_path_factory.mktemp("library"), LIBRARY)


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return frozen(tmp_path_factory.mktemp("command"), COMMAND)


def said(program: Path, *argv: str | Path, backend: str, stdin: str = "") -> str:
    """Return what a frozen program prints. It must end well."""
    tree_of(backend)  # skips where there is no C core
    env = environment(NIMMT_BACKEND=backend)
    done = subprocess.run([program, *argv], input=stdin, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    return done.stdout


@pytest.mark.parametrize("backend", BACKENDS)
def test_library(library: Path, backend: str) -> None:
    assert said(library, backend=backend) == f"{backend}\n"


@pytest.mark.parametrize("backend", BACKENDS)
def test_command(command: Path, tmp_path: Path, backend: str) -> None:
    def nimmt(*argv: str | Path, stdin: str = "") -> str:
        return said(command, *argv, backend=backend, stdin=stdin)

    assert json.loads(nimmt("info", "--json"))["backend"] == backend
    turn = nimmt("resolve", "--rows", "12 / 37 / 43 / 58", "--plays", "14 15 44 61", "--json")
    assert json.loads(turn)["rows"] == [[12, 14, 15], [37], [43, 44], [58, 61]]
    assert "Winner" in nimmt("play", "--watch", "--rules", "rounds=1", "--record", tmp_path / "record")
    assert "Round 1, turn 10" in nimmt("replay", tmp_path / "record")
    assert "random" in nimmt("simulate", "--games", "10", "--csv", tmp_path / "csv") and (tmp_path / "csv").exists()
    assert "deal the first round" in nimmt("post", "--help")
    nimmt("post", "new", "--file", tmp_path / "games.db")
    assert "game" in nimmt("post", "games", "--file", tmp_path / "games.db")
    assert json.loads(nimmt("serve", stdin='{"do": "hello"}\n'))["backend"] == backend
