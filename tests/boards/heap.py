"""What the package takes of MicroPython's heap: run it to see the tables of docs/boards.md.

Two builds of MicroPython: the unix port, where pointers have 8 bytes, and the WebAssembly port, where they have 4 as on
a board. In the first a program runs with a heap of some size or does not. The second takes more memory when its heap is
full, and collects garbage only when Python returns to JavaScript. So there a program is cut into steps (`stepped`), and
two things are measured: the heap that is enough to import its modules, one in each step, and what is in use between
the steps after that. What a step leaves for the garbage collector is not: a turn of ten needs some KB for that.
"""

from __future__ import annotations

import ast
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))
from boards.flat import PACKAGE
from boards.mpy import compiled, portable_files

#: Where `npm install --prefix` puts the WebAssembly port: beside the packages of this Python.
MICROPYTHON32 = Path(sys.prefix) / "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"

#: Garbage is collected before it lies between what stays; a program for a small heap begins like this.
FIRST = "import gc\ngc.threshold(4096)\n"

#: The numbers are those of csrc/nimmt.h: professional, phases, places.
CORE = """
from nimmt.core import layout as core
from nimmt.stream import Stream
r, log, stream = bytearray(164), bytearray(90), Stream(7)
core.deal(r, 10, 104, 1, stream)
while r[3] < 2:
    if r[3]:
        core.take(r, r[5], core.cheapest(r, r[31 + r[5]], r[6]), log)
    else:
        core.play(r, bytes([r[64 + 10 * seat + stream.below(10 - r[4])] for seat in range(10)]), log)
"""
ROUND = """
import nimmt
table = nimmt.Round.deal(10, nimmt.Stream(7), nimmt.PROFESSIONAL)
while table.phase != "scored":
    if table.owed:
        table.take(table.owed.seat, table.cheapest())
    else:
        table.play([table.hand(seat)[-1] for seat in range(10)])
"""
GAME = """
import nimmt
game = nimmt.Game(10, seed=7, rules=nimmt.Rules(professional=True, rounds=2), history=False)
while not game.is_over:
    if game.owed:
        game.take(game.owed.seat, game.cheapest())
    elif game.phase == "scored":
        game.deal()
    else:
        game.play([game.hand(seat)[-1] for seat in range(10)])
"""
REFUSED = """
try:
    nimmt.Game(10, seed=7).play([1] * 10)
except nimmt.IllegalMove:
    pass
"""
CARDS = """
import nimmt
table = nimmt.Referee(10)
table.deal((10, 20, 30, 40))
for seat in range(10):
    table.read(seat, 50 + seat)
table.place()
nimmt.Referee.load(table.save())
"""
BOTS = """
from nimmt import arena
arena.play_game(["nearest", "random", "lowest", "highest"], 1)
"""
LINES = """
from nimmt.protocol import Session
session = Session()
for line in (b'{"do":"create","players":2,"seed":4,"bots":[null,"nearest"]}', b'{"do":"choose","seat":0,"card":51}'):
    assert b'"ok":true' in session.feed(line + bytes([10]))
"""
PROGRAMS = {
    "`import nimmt`, nothing else": "import nimmt\n",
    "the core alone: a round of ten": CORE,
    "`Round`: a round of ten": ROUND,
    "`Game`: two rounds of ten, professional": GAME,
    "the same, then a refused move": GAME + REFUSED,
    "the same, then `save` and `load`": GAME + "nimmt.Game.load(game.save())\n",
    "`Referee`: a turn of ten, `save` and `load`": CARDS,
    "a game of four bots": BOTS,
    "the line protocol: a game is made, a card chosen": LINES,
}

#: Prints the heap in use before every turn of four rounds.
GROWTH = """
import nimmt
game = nimmt.Game(10, seed=7, rules=nimmt.Rules(professional=True, rounds=4), history=False)
while not game.is_over:
    if game.owed:
        game.take(game.owed.seat, game.cheapest())
        continue
    if game.phase == "scored":
        game.deal()
    gc.collect()
    print(game.round, game.turn, gc.mem_alloc())
    game.play([game.hand(seat)[-1] for seat in range(10)])
"""


def sources(folder: Path) -> None:
    """Write the package as its files are to a folder."""
    (folder / "nimmt").mkdir(parents=True)
    for file in portable_files():
        shutil.copy(file, folder / "nimmt")


def ran(folder: Path, program: str, heap: str) -> subprocess.CompletedProcess[str]:
    """Run a program with the package of a folder and so much heap."""
    command = ["micropython", "-X", f"heapsize={heap}", "-c", FIRST + program]
    env = dict(os.environ, MICROPYPATH=f"{folder}:.frozen")
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)


def smallest(enough: Callable[[int], bool]) -> int:
    """The smallest heap in KB that is enough; with every larger one that was tried it is, too."""
    low, high = 4, 256
    assert enough(high), f"{high} KB are not enough"
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def least(folder: Path, program: str) -> int:
    """The smallest heap in KB with which a program runs."""
    return smallest(lambda size: ran(folder, program, f"{size}k").returncode == 0)


def steady(folder: Path, program: str) -> int:
    """Bytes of the heap in use when a program has run and garbage is collected."""
    return int(ran(folder, program + "gc.collect()\nprint(gc.mem_alloc())\n", "2m").stdout)


# The same on a machine with 32 bits

#: Does one step, to the next `yield True`. Garbage is collected when step() has returned.
STEP = """
import gc, micropython
run = program()
def step():
    print("in use:", gc.mem_alloc())
    more = False
    for more in run:
        break
    micropython.mem_info()
    gc.collect()
    return more
"""


def undocumented(folder: Path) -> None:
    """Write the package without docstrings to a folder: a board leaves them out as it compiles, this build keeps them.

    Lines keep their numbers.
    """
    sources(folder)
    for file in (folder / "nimmt").iterdir():
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
                first, last = node.body[0].lineno, node.body[0].end_lineno or 0
                lines[first - 1 : last] = [" " * node.body[0].col_offset + "pass"] + [""] * (last - first)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


@functools.cache
def imported(program: str) -> list[str]:
    """The modules of the package that a program imports, each after those that it imports itself."""
    command = [sys.executable, "-X", "importtime", "-c", program]
    env = dict(os.environ, PYTHONPATH=str(PACKAGE.parent), NIMMT_BACKEND="python")
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=True)
    return re.findall(r"\| +(nimmt[\w.]*)$", done.stderr, re.MULTILINE)


def stepped(program: str) -> str:
    """A program as step(), for micropython32.mjs: a module, a statement or a turn of a loop at a time."""
    pause = ast.parse("yield True").body
    body: list[ast.stmt] = []
    for statement in ast.parse(program).body:
        if isinstance(statement, ast.While):
            statement.body += pause
        body += [statement, *pause]
    text = ast.unparse(ast.Module(body, []))
    text = f"for name in {imported(program)}:\n    __import__(name)\n    yield True\n{text}"
    return "def program():\n" + textwrap.indent(text, "    ") + "\n" + STEP


def ran32(folder: Path, program: str, heap: int) -> str:
    """What a program prints that defines step(), with what a folder has to import and a heap of so many bytes."""
    node = shutil.which("node") or "nodejs"
    command = [node, str(Path(__file__).parent / "micropython32.mjs"), str(MICROPYTHON32), str(folder), str(heap)]
    done = subprocess.run(command, input=program, capture_output=True, text=True, encoding="utf-8", timeout=120)
    if done.returncode:
        raise RuntimeError(done.stdout[-500:] + done.stderr[-2000:])
    return done.stdout


class Measured(NamedTuple):
    #: A heap of this size is enough to import the modules that the program uses.
    loads: bool
    #: Bytes in use between two steps, at most, above those before the first: the steps themselves are not counted.
    used: int


def measured32(folder: Path, program: str, heap: int) -> Measured:
    """Run a program with the package of a folder and a heap that has so many bytes at first."""
    output = ran32(folder, stepped(program), heap)
    sizes = [int(size) for size in re.findall(r"^GC: total: (\d+)", output, re.MULTILINE)]
    used = [int(size) for size in re.findall(r"^in use: (\d+)", output, re.MULTILINE)]
    return Measured(max(sizes[: len(imported(program))]) <= heap, max(used) - used[0])


def least32(folder: Path, program: str) -> int:
    """The smallest heap in KB that is enough to import what a program uses."""
    return smallest(lambda size: measured32(folder, program, size * 1024).loads)


def cells(folder: Path, program: str) -> str:
    """A program's two cells of the table of 64 bits, for one kind of files."""
    return f"{least(folder, program)} | {steady(folder, program) / 1024:.0f}"


def cells32(folder: Path, program: str) -> str:
    """Those of the table of 32 bits."""
    return f"{least32(folder, program)} | {measured32(folder, program, 2**21).used / 1024:.0f}"


def table(bits: int) -> str:
    """A table of docs/boards.md, in Markdown."""
    needs, used, measure = ("loads in", "in use", cells32) if bits == 32 else ("needs", "then in use", cells)
    head = f"| heap, in KB of a machine with {bits} bits | `.py` {needs} | {used} | `.mpy` {needs} | {used} |"
    lines = [head, "| --- |" + " ---: |" * 4]
    with tempfile.TemporaryDirectory() as folder:
        py, mpy = Path(folder) / "py", Path(folder) / "mpy"
        (undocumented if bits == 32 else sources)(py)
        compiled(mpy)
        for name, program in PROGRAMS.items():
            lines.append(f"| {name} | {measure(py, program)} | {measure(mpy, program)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(32), table(64), sep="\n\n")
