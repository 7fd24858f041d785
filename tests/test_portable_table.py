"""Real cards, save slots and the line protocol under a real MicroPython: the same output, byte for byte, as here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_micropython import package, program

SCRIPT = Path(__file__).resolve().parent / "portable_table.py"


def output(folder: Path, section: str, *command: str, **changes: str) -> bytes:
    """Run a section in a new folder; return what it printed."""
    folder.mkdir()
    words = [*command, str(SCRIPT), section, str(folder)]
    done = subprocess.run(words, capture_output=True, timeout=300, env=dict(os.environ, **changes))
    assert done.returncode == 0, (done.stdout[-500:] + done.stderr[-2000:]).decode()
    return done.stdout


@pytest.mark.parametrize("section", ["referee", "slots", "protocol"])
def test_same_under_micropython(tmp_path: Path, section: str) -> None:
    path = str(package().parent)
    found = output(tmp_path / "board", section, program("micropython"), MICROPYPATH=f"{path}:.frozen")
    assert found.count(b"\n") > 20
    for backend in ("python", "c"):
        changes = {"NIMMT_BACKEND": backend, "PYTHONPATH": path, "PYTHONUTF8": "1", "PYTHONHASHSEED": "0"}
        expected = output(tmp_path / backend, section, sys.executable, **changes)
        assert found == expected.replace(b'"backend":"c"', b'"backend":"python"')
