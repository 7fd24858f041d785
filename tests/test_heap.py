"""What bundles and the package take of the heap of a MicroPython with pointers of 32 bits, as boards have them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from boards import heap, microbit
from test_micropython import program
from tools import missing, need

ROOT = Path(__file__).parent.parent

#: KB of heap for the bundle of each program.
BUNDLES = dict(zip(heap.PROGRAMS, (10, 28, 32, 32, 38, 33, 40, 70), strict=True))
#: For the package, which a board compiles itself, without line numbers; the protocol takes more.
FROM_SOURCE = dict.fromkeys(heap.PROGRAMS, 100) | {"the line protocol: a game is made, a card chosen": 120}
#: For the bundles of boards/, frozen.
FROZEN = {
    "the same, then `save` and `load`": ("game", 16),
    "`Referee`: a turn of ten, `save` and `load`": ("referee", 20),
}


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    program("mpy-cross")
    if not heap.FROZEN32.exists():
        missing("MicroPython with 32 bits: make micropython32")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package for boards."""
    folder = tmp_path_factory.mktemp("source")
    heap.sources(folder)
    return folder


def runs(folder: Path, code: str, size: int, there: Path = heap.MICROPYTHON32) -> None:
    done = heap.ran(folder, code, f"{size}k", there)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_has_32_bits(tmp_path: Path) -> None:
    assert heap.ran(tmp_path, "import sys\nprint(sys.maxsize)", "64k").stdout == f"{2**31 - 1}\n"


@pytest.mark.parametrize("name", heap.PROGRAMS)
def test_a_bundle_has_room(name: str, tmp_path: Path) -> None:
    code, names = heap.PROGRAMS[name]
    heap.bundled(tmp_path, names.split())
    runs(tmp_path, heap.of_bundle(code), BUNDLES[name])


@pytest.mark.parametrize("name", heap.PROGRAMS)
def test_the_package_has_room(name: str, source: Path) -> None:
    runs(source, heap.NO_LINES + heap.PROGRAMS[name].code, FROM_SOURCE[name])


@pytest.mark.parametrize("name", FROZEN)
def test_a_frozen_bundle_has_room(name: str, tmp_path: Path) -> None:
    purpose, size = FROZEN[name]
    code = heap.PROGRAMS[name].code.replace("import nimmt", f"import bundle_{purpose} as nimmt")
    runs(tmp_path, code, size, heap.FROZEN32)


@pytest.mark.parametrize("name", FROZEN)
def test_firmware_for_a_cortex_m0_has_room(name: str) -> None:
    """A frozen bundle in firmware with a heap of 16 KB, in QEMU: it prints what is printed here."""
    if not heap.FIRMWARE.exists():
        missing("firmware: make micropython32")
    shown = "print(game.scores)\n" if "Game" in heap.PROGRAMS[name].names else "print(table.rows)\n"
    code = heap.PROGRAMS[name].code + shown
    here = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    code = heap.FIRST + code.replace("import nimmt", f"import bundle_{FROZEN[name][0]} as nimmt")
    with microbit.Board(need("qemu-system-arm"), [*heap.MACHINE, "-kernel", str(heap.FIRMWARE)]) as board:
        board.run("code = ''")
        for at in range(0, len(code), 16):
            board.run(f"code += {code[at : at + 16]!r}")
        assert board.run("exec(code)") == here


@pytest.mark.parametrize("kind", ["bundle", "package"])
def test_the_heap_does_not_grow_from_turn_to_turn(kind: str, source: Path, tmp_path: Path) -> None:
    """Of a game without history: the least of every round is the same.

    The collector takes whatever looks like a pointer for one, and what the last turn left on the stack does, now and
    then; so the program runs three times.
    """
    code, names = heap.GROWTH
    heap.bundled(tmp_path, names.split())
    runs = [heap.ran(tmp_path if kind == "bundle" else source, code, "2m").stdout.splitlines() for _ in range(3)]
    assert [int(line.split()[1]) for line in runs[0]] == list(range(1, 11)) * 4
    used = [min(int(line.split()[2]) for line in lines) for lines in zip(*runs, strict=True)]
    assert len({min(used[at : at + 10]) for at in range(0, 40, 10)}) == 1, used


def test_the_table_of_the_documentation(source: Path, tmp_path: Path) -> None:
    """Each number is enough, within a KB, and within the limit."""
    text = (ROOT / "docs" / "boards.md").read_text(encoding="utf-8")
    assert heap.HEAD in text
    for name, (code, names) in heap.PROGRAMS.items():
        (row,) = re.findall(rf"^\| {re.escape(name)} \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
        bundle, frozen, package = map(int, row)
        assert bundle <= BUNDLES[name] and package <= FROM_SOURCE[name]
        heap.bundled(tmp_path / "bundle", names.split())
        runs(tmp_path / "bundle", heap.of_bundle(code), bundle + 1)
        runs(tmp_path, code, frozen + 1, heap.FROZEN32)
        runs(source, heap.NO_LINES + code, package + 1)
    for purpose, kb in zip(("game", "referee"), re.findall(r"need (\d+) KB for a game .* and (\d+) for a", text)[0]):
        (code,) = [heap.PROGRAMS[name].code for name in FROZEN if FROZEN[name][0] == purpose]
        runs(tmp_path, code.replace("import nimmt", f"import bundle_{purpose} as nimmt"), int(kb) + 1, heap.FROZEN32)
