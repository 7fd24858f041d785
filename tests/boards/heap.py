"""What a program takes of MicroPython's heap: run it to see the table of docs/boards.md.

`make micropython32` builds the MicroPython that is measured: the unix port with pointers of 32 bits, as boards have
them, and with the garbage collector that boards have. It can be given a heap, and a program runs with it or does not.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from nimmt.board.files import module_files, portable_files
from nimmt.board.source import PACKAGE

ROOT = PACKAGE.parent.parent

#: Where `make micropython32` puts it, and the one with the package and the bundles frozen in it.
MICROPYTHON32 = Path(sys.prefix) / "micropython32" / "micropython"
FROZEN32 = MICROPYTHON32.with_name("micropython-frozen")

#: And firmware for a Cortex-M0 with a heap of 16 KB and the bundles, for QEMU.
FIRMWARE = MICROPYTHON32.with_name("firmware.elf")
MACHINE = ("-global", "nrf51-soc.flash-size=1048576", "-global", "nrf51-soc.sram-size=262144", "-semihosting")

#: Garbage is collected before it lies between what stays; a program for a small heap begins like this.
FIRST = "import gc\ngc.threshold(4096)\n"

#: One that compiles the package on the board begins like this, too: line numbers take room.
NO_LINES = "import micropython\nmicropython.opt_level(3)\n"

#: The numbers are those of csrc/nimmt.h: professional, phases, places.
CORE = """
from nimmt.core.python import cheapest, deal, play, take
from nimmt.stream import Stream
r, log, stream = bytearray(164), bytearray(90), Stream(7)
deal(r, 10, 104, 1, stream)
while r[3] < 2:
    if r[3]:
        take(r, r[5], cheapest(r, r[31 + r[5]], r[6]), log)
    else:
        play(r, bytes([r[64 + 10 * seat + stream.below(10 - r[4])] for seat in range(10)]), log)
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
from nimmt.arena import play_game
play_game(["nearest", "random", "lowest", "highest"], 1)
"""
LINES = """
from nimmt.protocol import Session
session = Session()
for line in (b'{"do":"create","players":2,"seed":4,"bots":[null,"nearest"]}', b'{"do":"choose","seat":0,"card":51}'):
    assert b'"ok":true' in session.feed(line + bytes([10]))
"""


class Program(NamedTuple):
    """A program for the package, and the names that its bundle is made of."""

    code: str
    names: str


_GAME = "Rules Game.is_over Game.owed Game.phase Game.hand Game.cheapest Game.deal Game.play Game.take"
PROGRAMS = {
    "the core alone: a round of ten": Program(CORE, "Stream core.deal core.play core.take core.cheapest"),
    "`Round`: a round of ten": Program(
        ROUND,
        "Stream PROFESSIONAL Round.deal Round.phase Round.owed Round.hand Round.cheapest Round.play Round.take",
    ),
    "`Game`: two rounds of ten, professional": Program(GAME, _GAME),
    "the same, then a refused move": Program(GAME + REFUSED, f"{_GAME} IllegalMove"),
    "the same, then `save` and `load`": Program(
        GAME + "nimmt.Game.load(game.save())\n", f"{_GAME} Game.save Game.load"
    ),
    "`Referee`: a turn of ten, `save` and `load`": Program(
        CARDS, "Referee.deal Referee.read Referee.place Referee.save Referee.load"
    ),
    "a game of four bots": Program(BOTS, "arena.play_game"),
    "the line protocol: a game is made, a card chosen": Program(LINES, "Session.feed"),
}

#: Prints the heap in use before every turn of four rounds.
GROWTH = Program(
    """
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
""",
    f"{_GAME} Game.round Game.turn",
)


def sources(folder: Path) -> None:
    """Write the package for boards, as its files are, to a folder."""
    for name in portable_files():
        (folder / "nimmt" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PACKAGE / name, folder / "nimmt" / name)


def bundled(folder: Path, names: Iterable[str]) -> None:
    """Write the compiled bundle of these names to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nimmt.mpy").write_bytes(dict(module_files(list(names)))["nimmt.mpy"])


def of_bundle(code: str) -> str:
    """A program for the package as one for a bundle: all names are those of one module."""
    return re.sub(r"from nimmt\.\S+ import", "from nimmt import", code)


def ran(folder: Path, code: str, heap: str, program: Path = MICROPYTHON32) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder with so much heap; what is imported lies there, or is frozen."""
    command = [str(program), "-X", f"heapsize={heap}", "-c", FIRST + code]
    env = dict(os.environ, MICROPYPATH=".frozen" if program == FROZEN32 else ".")
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def smallest(enough: Callable[[int], bool]) -> int:
    """The smallest heap in KB that is enough; with every larger one that was tried it is, too."""
    low, high = 4, 256
    assert enough(high), f"{high} KB are not enough"
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def least(folder: Path, code: str, program: Path = MICROPYTHON32) -> int:
    """The smallest heap in KB with which a program runs."""
    return smallest(lambda size: ran(folder, code, f"{size}k", program).returncode == 0)


def write_manifests(folder: Path) -> None:
    """Write what is frozen: in bundles.py those of boards/, as bundle_game and bundle_referee; in all.py nimmt too."""
    folder, lines = folder.resolve(), []
    for purpose in ("game", "referee"):
        shutil.copy(ROOT / "boards" / purpose / "nimmt.py", folder / f"bundle_{purpose}.py")
        lines.append(f"module('bundle_{purpose}.py', base_path={str(folder)!r}, opt=3)\n")
    (folder / "bundles.py").write_text("".join(lines), encoding="utf-8")
    lines.append(f"include({str(ROOT / 'manifest.py')!r})\n")
    (folder / "all.py").write_text("".join(lines), encoding="utf-8")


HEAD = "| heap in KB | bundle | frozen | from source |\n| --- | ---: | ---: | ---: |"


def table() -> str:
    """The table of docs/boards.md, in Markdown."""
    lines = [HEAD]
    with tempfile.TemporaryDirectory() as folder:
        source, empty = Path(folder) / "source", Path(folder) / "empty"
        empty.mkdir()
        sources(source)
        for number, (name, (code, names)) in enumerate(PROGRAMS.items()):
            bundle = Path(folder) / str(number)
            bundled(bundle, names.split())
            cells = least(bundle, of_bundle(code)), least(empty, code, FROZEN32), least(source, NO_LINES + code)
            lines.append(f"| {name} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--manifests"]:
        write_manifests(Path(sys.argv[2]))
    else:
        print(table())
