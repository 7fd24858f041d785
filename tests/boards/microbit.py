"""The core on a BBC micro:bit v1: MicroPython 1.9.2, 16 KB of RAM, under QEMU. `make microbit` runs this file,
which also writes the two files for a real board to the folder that is its argument.

The flat file goes to the board's flash through the serial line and is loaded there statement by statement. The board
then deals and plays rounds from seeds and prints every state; the cores of this machine make the same calls.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from nimmt.board.files import text_files
from nimmt.board.text import minified, statements

#: Where Debian's package firmware-microbit-micropython puts the firmware of the board.
FIRMWARE = Path("/usr/share/firmware-microbit-micropython/firmware.hex")
HEX = ("-device", f"loader,file={FIRMWARE}")
PROMPT = b"\x04>"
LINE = 60  # bytes that its serial line takes at once; then it must have answered
ROUNDS, PLAYERS, PROFESSIONAL = 20, 10, 1

#: What the board needs to deal and play.
NAMES = ("Stream", *[f"core.{verb}" for verb in ["deal", "choose", "resolve", "play", "take", "rows_for", "cheapest"]])

#: What the board plays with: small functions without deep expressions, which the parser needs much room for. `show`
#: prints the result of a call, the round, the log, the free heap.
PLAYER = """
def show(code):
    print(code, end=" ")
    for part in (r, log):
        for byte in part:
            print("%02x" % byte, end="")
        print(end=" ")
    gc.collect()
    print(gc.mem_free())
def draw(seat):
    place = s.below(10 - r[4])
    return r[64 + 10 * seat + place]
def turn():
    cards = [draw(seat) for seat in range(10)]
    show(nimmt.play(r, bytes(cards), log))
def each():
    for seat in range(10):
        code = nimmt.choose(r, seat, draw(seat))
        show(code)
    show(nimmt.resolve(r, log))
def owed():
    seat = r[5]
    row = nimmt.cheapest(r, r[31 + seat], r[6])
    show(nimmt.take(r, seat, row, log))
"""
#: Names that stay, those of builtins too: every new name in __main__ may make its table grow, by 776 bytes.
KEPT = ("nimmt", "gc", "show", "turn", "each", "owed", "r", "log", "s", "print", "range", "bytearray")


class Board:
    """An emulated micro:bit, its MicroPython in raw REPL mode. `firmware` are QEMU's words for what runs there."""

    def __init__(self, qemu: str = "qemu-system-arm", firmware: Sequence[str] = HEX) -> None:
        command = [qemu, "-M", "microbit", "-nographic", "-monitor", "none", "-serial", "stdio", *firmware]
        command += ["-icount", "shift=6"]  # its clock counts instructions, one in 64 ns: about the 16 MHz of the board
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def __enter__(self) -> Board:
        deadline = time.monotonic() + 60
        while not self._wait_for(b">>> ", 2, fail=False):  # until the firmware listens
            assert time.monotonic() < deadline, "the board does not answer"
            self._send(b"\r\x03")
        self._send(b"\x01")
        self._wait_for(b"raw REPL; CTRL-B to exit\r\n>")
        self.run("import gc")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def _send(self, data: bytes) -> None:
        assert self._process.stdin
        assert len(data) <= LINE, "longer than the serial buffer of the board"
        self._process.stdin.write(data)

    def _wait_for(self, end: bytes, seconds: float = 120, fail: bool = True) -> bytes:
        """Read until this comes; on a timeout fail, or return nothing."""
        assert self._process.stdout
        pipe, found, deadline = self._process.stdout.fileno(), b"", time.monotonic() + seconds
        while not found.endswith(end):
            if not select.select([pipe], [], [], max(0, deadline - time.monotonic()))[0]:
                assert not fail, f"the board went quiet after {found[-500:]!r}"
                return b""
            read = os.read(pipe, 65536)
            assert read, f"the emulator ended: {found!r}"
            found += read
        return found

    def run(self, code: str) -> str:
        """Run code on the board; returns what it printed.

        Garbage goes before the next parse, which needs 1 KB of the heap almost in one piece: during a parse the stack
        still points to things of the last one, and they would stay.
        """
        self._send(code.encode() + b"\ngc.collect()\x04")
        answer = self._wait_for(PROMPT)
        printed, error = answer.removeprefix(b"OK").removesuffix(PROMPT).split(b"\x04")
        assert not error, f"{code}\n{error.decode()}"
        return printed.decode().replace("\r\n", "\n")

    def write(self, name: str, text: str) -> None:
        """Write a file to the board's flash, in pieces so small that none is lost on the way."""
        self.run(f"f = open({name!r}, 'w')")
        while text:
            size = min(len(text), 26)
            while len(repr(text[:size])) > 28:
                size -= 1
            assert self.run(f"print(f.write({text[:size]!r}))").strip() == str(size), "bytes were lost on the way"
            text = text[size:]
        self.run("f.close()\ndel f")

    def define(self, code: str) -> None:
        """Run code that is too long for one line; it must not call much, for it runs inside exec()."""
        self.write("code", code)
        self.run(f"exec(open('code').read({len(code)}))")


def plan() -> Iterator[tuple[int, int, str]]:
    """The rounds: seed, flags (professional every other one), and how cards are chosen."""
    for number in range(ROUNDS):
        yield 1000 + number, PROFESSIONAL * (number % 2), "each" if number < 4 else "turn"


def expected(core: Any, seed: int, flags: int, how: str, state: bytearray, placed: bytearray) -> Iterator[str]:
    """What the board prints of a round, from a core of this machine."""
    from nimmt.stream import Stream

    r, log, stream = core.bind(state), core.bind_log(placed), Stream(seed)

    def shown(code: int) -> str:
        return f"{code} {state.hex()} {placed.hex()}"

    yield shown(core.deal(r, PLAYERS, 104, flags, stream))
    yield shown(core.choose(r, 3, 105))
    yield shown(core.take(r, 0, 0, log))
    while state[3] < 2:
        if state[3] == 1:
            yield shown(core.take(r, state[5], core.policy_row(r, 0, stream), log))
        elif how == "turn":
            cards = bytes([core.policy_card(r, seat, 0, stream) for seat in range(PLAYERS)])
            yield shown(core.play(r, cards, log))
        else:
            for seat in range(PLAYERS):
                yield shown(core.choose(r, seat, core.policy_card(r, seat, 0, stream)))
            yield shown(core.resolve(r, log))


def files() -> dict[str, str]:
    """What goes to a board: the flat file and its loader."""
    return {name: data.decode() for name, data in text_files(NAMES)}


def load(board: Board) -> dict[str, int]:
    """Put the two files on the board and load them; returns what was measured."""
    texts = files()
    for name, text in texts.items():
        board.write(name, text)
    free = "gc.collect()\nprint(gc.mem_free())"
    before = int(board.run(free))
    board.run("r, log = bytearray(164), bytearray(90)")  # first: what stays should lie where the heap begins
    board.run("import nimmt")
    return {
        "bytes of the flat file": len(texts["nimmt.flat"]),
        "bytes of its loader": len(texts["nimmt.py"]),
        "heap free before": before,
        "heap free with the core loaded": int(board.run(free)),
    }


def play(board: Board, cores: list[Any]) -> dict[str, int]:
    """Play all rounds, compare every state with each core; returns what was measured."""
    for code in statements(minified(PLAYER, KEPT)):
        board.define(code)
    memories = [(bytearray(164), bytearray(90)) for _ in cores]  # the log keeps what is not written over
    least, shown = 1 << 20, []  # type: int, list[str]
    for seed, flags, how in plan():
        board.run(f"s = nimmt.Stream({seed})")
        printed = board.run(f"show(nimmt.deal(r, 10, 104, {flags}, s))")
        printed += board.run("show(nimmt.choose(r, 3, 105))") + board.run("show(nimmt.take(r, 0, 0, log))")
        printed += board.run(f"while r[3] < 2: owed() if r[3] else {how}()")
        lines, free = zip(*[line.rsplit(" ", 1) for line in printed.splitlines()], strict=True)
        for core, memory in zip(cores, memories, strict=True):
            assert list(lines) == list(expected(core, seed, flags, how, *memory)), f"seed {seed}, {core.__name__}"
        least, shown = min(least, *map(int, free)), shown + list(lines)
    asked = [int(line.split()[1][12:14], 16).bit_count() for line in shown]
    return {
        "rounds of ten players": ROUNDS,
        "states compared": len(shown),
        "rows taken by choice": asked.count(4),
        "ties": asked.count(2),
        "heap free in play, at least": least,
        "ms a turn of ten, emulated": turn_time(board),
    }


def turn_time(board: Board) -> int:
    """The milliseconds of a turn by the clock of the emulated board, with nothing printed."""
    board.run("show = abs")
    total = 0
    for seed in (1, 2, 3, 4):
        board.run(f"s = nimmt.Stream({seed})")
        board.run("nimmt.deal(r, 10, 104, 0, s)\nt=running_time()")
        board.run("while r[3] < 2: owed() if r[3] else turn()")
        total += int(board.run("print(running_time() - t)"))
    return round(total / 40)


if __name__ == "__main__":
    from nimmt.core import c, python

    build = Path(sys.argv[1])
    build.mkdir(exist_ok=True)
    for name, text in files().items():
        (build / name).write_text(text, encoding="utf-8")
    with Board() as board:
        for name, value in {**load(board), **play(board, [c, python])}.items():
            print(f"{value:>8} {name}")
