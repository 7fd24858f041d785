"""What the C core takes of a board: code, data, bytes of state, deepest stack.

    python tests/boards/measure.py              prints the table of README.md
    python tests/boards/measure.py --write      and puts it there

The stack is the deepest path through the call graph that gcc writes (-fcallgraph-info=su); there is no recursion and no
call through a pointer.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CORE, README = ROOT / "csrc" / "nimmt.c", ROOT / "README.md"

#: Processors as users name them, and how gcc does.
TARGETS = {
    "Cortex-M0 (micro:bit v1, RP2040)": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
    "Cortex-M3": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"],
    "Cortex-M4": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
    "RISC-V 32": ["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32"],
}
FLAGS = ["-std=c99", "-Os", "-ffreestanding", "-fcallgraph-info=su", "-c"]
#: What a program calls that deals and plays; a linker leaves out the rest: nimmt_check, nimmt_setup, policies.
GAME = ("stream_seed", "deal", "choose", "play", "resolve", "take", "cheapest")
HEAD = ["| processor | code | of it a game links | data | bss | a round | deepest stack |", "| --- |" + " ---: |" * 6]


def output(*command: str | Path) -> str:
    """What a command prints."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def deepest(graph: str) -> tuple[int, str]:
    """The bytes of the deepest chain of calls in a call graph of gcc, and the function that begins it."""
    nodes = re.findall(r'node: \{ title: "([^"]+)" label: "[^"]*\\n(\d+) bytes', graph)
    frames = {name: int(size) for name, size in nodes}
    calls: dict[str, list[str]] = {}
    for source, target in re.findall(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', graph):
        calls.setdefault(source, []).append(target)

    @cache
    def depth(name: str) -> int:
        return frames[name] + max((depth(called) for called in calls.get(name, ())), default=0)

    worst = max(frames, key=depth)
    return depth(worst), worst.rpartition(":")[2]


def measure(compiler: list[str], folder: Path) -> dict[str, int | str]:
    """Sizes in bytes of nimmt.c for a processor, and the symbols it leaves undefined."""
    built = folder / "nimmt.o"
    output(*compiler, *FLAGS, CORE, "-o", built)
    prefix = compiler[0].removesuffix("gcc")
    code, data, bss = output(prefix + "size", built).splitlines()[1].split()[:3]
    stack, function = deepest((folder / "nimmt.ci").read_text())
    undefined = " ".join(output(prefix + "nm", "-u", built).split())
    sizes = {"code": int(code), "data": int(data), "bss": int(bss), "stack": stack, "game": linked(compiler, folder)}
    return {**sizes, "function": function, "undefined": undefined}


def linked(compiler: list[str], folder: Path) -> int:
    """Bytes of code that a program links which deals and plays."""
    called = [f"-Wl,-u,nimmt_{name}" for name in GAME]
    flags = ["-std=c99", "-Os", "-ffreestanding", "-ffunction-sections", "-fdata-sections", "-nostdlib"]
    output(*compiler, *flags, CORE, *called, "-Wl,--gc-sections,-e,0", "-o", folder / "game")
    return int(output(compiler[0].removesuffix("gcc") + "size", folder / "game").splitlines()[1].split()[0])


def version(compiler: str = "arm-none-eabi-gcc") -> str:
    """A compiler's version, as README.md names it: its first two numbers."""
    return ".".join(output(compiler, "-dumpfullversion").split(".")[:2])


def table() -> str:
    """The table of README.md, in Markdown."""
    lines = list(HEAD)
    for name, compiler in TARGETS.items():
        with tempfile.TemporaryDirectory() as folder:
            m = measure(compiler, Path(folder))
        stack = f"{m['stack']} (`{m['function']}`)"
        lines.append(f"| {name} | {m['code']} | {m['game']} | {m['data']} | {m['bss']} | 164 | {stack} |")
    return "\n".join(lines)


def written() -> str:
    """The table that README.md has."""
    text = README.read_text(encoding="utf-8")
    return text[text.index(HEAD[0]) :].split("\n\n")[0]


if __name__ == "__main__":
    measured = table()
    print(f"gcc {version()}", measured, sep="\n")
    if sys.argv[1:] == ["--write"]:
        README.write_text(README.read_text(encoding="utf-8").replace(written(), measured), encoding="utf-8")
