"""What the package takes of MicroPython's heap: run it to see the table of docs/boards.md.

Measured with the unix port, where pointers have 8 bytes; on a board they have 4, and its heap need be little more than
half (MicroPython says so with a w: -X heapsize=48wk is 96 KB here and what 48 KB are on a board).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from boards.mpy import compiled, portable_files

#: Garbage is collected before it lies between what stays; a program for a small heap begins like this.
FIRST = "import gc\ngc.threshold(4096)\n"

#: The numbers are those of csrc/nimmt.h: professional, phases, places.
CORE = """
from nimmt import _pycore as core
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
PROGRAMS = {
    "`import nimmt`, nothing else": "import nimmt\n",
    "the core alone: a round of ten": CORE,
    "`Round`: a round of ten": ROUND,
    "`Game`: two rounds of ten, professional": GAME,
    "the same, then `save` and `load`": GAME + "nimmt.Game.load(game.save())\n",
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


def least(folder: Path, program: str) -> int:
    """The smallest heap in KB with which a program runs; with every larger one that was tried it does, too."""
    low, high = 4, 256
    assert ran(folder, program, f"{high}k").returncode == 0, ran(folder, program, f"{high}k").stdout
    while high - low > 1:
        middle = (low + high) // 2
        if ran(folder, program, f"{middle}k").returncode:
            low = middle
        else:
            high = middle
    return high


def steady(folder: Path, program: str) -> int:
    """Bytes of the heap in use when a program has run and garbage is collected."""
    return int(ran(folder, program + "gc.collect()\nprint(gc.mem_alloc())\n", "2m").stdout)


def table() -> str:
    """The table of docs/boards.md, in Markdown."""
    lines = ["| heap, in KB of a machine with 64 bits | `.py` needs | then in use | `.mpy` needs | then in use |"]
    lines.append("| --- |" + " ---: |" * 4)
    with tempfile.TemporaryDirectory() as folder:
        py, mpy = Path(folder) / "py", Path(folder) / "mpy"
        sources(py)
        compiled(mpy)
        for name, program in PROGRAMS.items():
            cells = [f"{least(kind, program)} | {steady(kind, program) / 1024:.0f}" for kind in (py, mpy)]
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
