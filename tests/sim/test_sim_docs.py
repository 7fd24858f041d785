"""Every program in docs/simulation.md runs as it stands, as a file of its own."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from cli_tools import environment
from conftest import Tree
from sim.helpers import part, slow_is_expected
from tools import missing

pytestmark = slow_is_expected

TEXT = (Path(__file__).resolve().parent.parent.parent / "docs" / "simulation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(python|sh)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
PROGRAMS = [program for language, program in BLOCKS if language == "python"]
COMMANDS = [line for language, block in BLOCKS if language == "sh" for line in block.splitlines()]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_program(trees: tuple[Tree, Tree], number: int, tmp_path: Path) -> None:
    program = PROGRAMS[number]
    for package in ("distributed", "joblib", "numpy"):
        if package in program and importlib.util.find_spec(package) is None:
            missing(f"Python package {package}")
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    with trees[0] as nimmt:
        env = environment(nimmt)
    words = [sys.executable, "program.py"]
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("line", COMMANDS)
def test_command(trees: tuple[Tree, Tree], line: str, tmp_path: Path) -> None:
    with trees[0] as nimmt:
        env = environment(nimmt)
    words = [sys.executable, "-m", *shlex.split(line)]
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(tmp_path)) == ["games.csv", "summary.json"]


def test_docstring_of_the_package(nimmt: ModuleType) -> None:
    test = doctest.DocTestParser().get_doctest(part("sim").__doc__ or "", {}, "nimmt.sim", None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize(
    ("name", "least"),
    [("Batch", 7), ("Result", 7), ("Seat", 7), ("Summary", 7), ("Rollouts", 7), ("Move", 4), ("Turns", 4)],
)
def test_every_field_has_a_text_for_help(nimmt: ModuleType, name: str, least: int) -> None:
    kind = getattr(part("sim"), name)
    fields = [field for field in dir(kind) if not field.startswith("_") and not callable(getattr(kind, field))]
    assert len(fields) >= least
    for field in fields:
        text = getattr(kind, field).__doc__
        assert text and not text.startswith("Alias for field"), field
