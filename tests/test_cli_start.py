"""The command where something is missing: the core that NIMMT_BACKEND asks for, a part of the standard library."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parent.parent / "src"

# The script `nimmt`, where a finder that stands before all others refuses some modules.
START = """
import sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
for name in BLOCKED:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Refused())
from nimmt_command import main
sys.exit(main())
"""


def start(*argv: str | Path, without: str = "", stdin: str = "", backend: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a Python that lacks the module `without`."""
    code = START.replace("BLOCKED", repr((without,)))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SRC), *filter(None, sys.path)]), "NIMMT_BACKEND": backend}
    command = [sys.executable, "-c", code, *map(str, argv)]
    return subprocess.run(command, input=stdin, env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("argv", [["info"], ["--version"], ["resolve", "-"]])
def test_a_backend_that_is_not_there(argv: list[str]) -> None:
    done = start(*argv, without="nimmt.core._cffi", backend="c")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("nimmt: error: NIMMT_BACKEND=c, but there is no C core (")
    assert done.stderr.count("\n") == 1 and "NIMMT_EXTENSION=1 pip install" in done.stderr
    done = start(*argv, backend="fast")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "nimmt: error: NIMMT_BACKEND='fast': must be auto, c or python\n"


def test_the_script_starts_there() -> None:
    assert 'nimmt = "nimmt_command:main"' in (SRC.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert start("info", backend="python").stdout.split()[2:4] == ["backend", "python"]


PARTS = ["_ctypes", "csv", "mmap", "concurrent", "sqlite3", "multiprocessing"]


@pytest.mark.parametrize("without", PARTS)
def test_a_command_needs_what_it_uses(tmp_path: Path, without: str) -> None:
    """Some Pythons are built without a part of the standard library, or stripped of it."""
    for argv, stdin in (
        (["info"], ""),
        (["resolve", "-"], '{"rows": [[12], [37], [43], [58]], "plays": [14]}'),
        (["play", "--watch", "--rules", "rounds=1", "--record", tmp_path / "record"], ""),
        (["play", "--save", tmp_path / "save"], "#1\n"),
        (["replay", tmp_path / "record"], ""),
        (["serve"], '{"do": "hello"}\n'),
        (["--help"], ""),
        (["help", "serve"], ""),
    ):
        done = start(*argv, without=without, stdin=stdin)
        assert done.returncode == 0 and done.stdout, (argv, done)


@pytest.mark.parametrize("without", PARTS)
def test_what_is_missing_is_said_in_one_line(tmp_path: Path, without: str) -> None:
    said = {}
    for argv in (["simulate", "--games", "10"], ["post", "new", "--file", tmp_path / "games.db"]):
        done = start(*argv, without=without)
        assert (done.returncode == 0) == bool(done.stdout or "opened" in done.stderr), done
        if done.returncode:
            line = rf"nimmt {argv[0]}: error: (it|a file of games) needs the module {without}, which .+\n"
            assert done.returncode == 1 and re.fullmatch(line, done.stderr), done
        said[argv[0]] = done.returncode
    assert said["post"] == (without == "sqlite3")
    assert said["simulate"] == 0 or without not in ("sqlite3", "multiprocessing")
