"""What holds hands and seeds is for its owner alone; and the clock is read where calls wait for each other."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CI

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")


def run(*words: str, expected: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command with a umask that lets everybody read."""
    done = subprocess.run(
        [sys.executable, "-m", "nimmt", *words], capture_output=True, text=True, timeout=60, umask=0o022
    )
    assert done.returncode == expected, done.stderr
    return done


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@POSIX
def test_files_with_hands_are_for_their_owner(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    run("post", "new", "friday", "--file", str(file))
    for _ in range(2):
        run("post", "join", "--file", str(file))
    run("post", "start", "--file", str(file))
    assert {path.name: mode(path) for path in tmp_path.iterdir()} == dict.fromkeys(
        [path.name for path in tmp_path.iterdir()], 0o600
    )
    run("post", "export", str(tmp_path / "friday.jsonl"), "--file", str(file))
    run("play", "--watch", "rounds", "--players", "2", "--seed", "7", "--record", str(tmp_path / "game.txt"))
    assert mode(tmp_path / "friday.jsonl") == mode(tmp_path / "game.txt") == 0o600


@POSIX
def test_a_file_that_others_can_read_is_told(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    assert "chmod" not in run("post", "new", "friday", "--file", str(file)).stderr
    file.chmod(0o644)
    assert f"chmod 600 {file}" in run("post", "status", "--file", str(file)).stderr
    assert mode(file) == 0o644  # the owner's choice


def test_no_call_is_refused_for_a_clock_that_never_ran_backwards(tmp_path: Path) -> None:
    """Five processes give more time again and again: each reads the clock when it is its turn."""
    file = str(tmp_path / "games.db")
    run("post", "new", "friday", "--file", file)
    for _ in range(2):
        run("post", "join", "--file", file)
    run("post", "start", "--file", file)
    rounds = 60 if CI else 12
    code = (
        "import sys\nfrom nimmt.cli import main\n"
        f"sys.exit(any([main(['post', 'extend', '1m', '--file', {file!r}]) for _ in range({rounds})]))"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    for worker in workers:
        _, told = worker.communicate(timeout=300)
        assert worker.returncode == 0, told
    log = run("post", "log", "--file", file).stdout
    assert log.count("extend") == 5 * rounds
