"""What the C core takes of a board: code, data, bytes of state, deepest stack. Run it to see the table.

The stack is the deepest path through the call graph that gcc writes (-fcallgraph-info=su); there is no recursion and no
call through a pointer. Figures are those of the compiler named in the first line.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

CORE = Path(__file__).parent.parent.parent / "csrc" / "nimmt.c"

#: Processors as users name them, and how gcc does.
TARGETS = {
    "Cortex-M0 (micro:bit v1, RP2040)": ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
    "Cortex-M3": ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"],
    "Cortex-M4": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
    "RISC-V 32": ["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32"],
}
FLAGS = ["-std=c99", "-Os", "-ffreestanding", "-fcallgraph-info=su", "-c"]


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
    sizes = {"code": int(code), "data": int(data), "bss": int(bss), "stack": stack}
    return {**sizes, "function": function, "undefined": undefined}


def table() -> str:
    """The table of docs/boards.md, in Markdown."""
    lines = ["| processor | code | data | bss | a round | deepest stack |", "| --- |" + " ---: |" * 5]
    for name, compiler in TARGETS.items():
        with tempfile.TemporaryDirectory() as folder:
            m = measure(compiler, Path(folder))
        stack = f"{m['stack']} (`{m['function']}`)"
        lines.append(f"| {name} | {m['code']} | {m['data']} | {m['bss']} | 164 | {stack} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(output("arm-none-eabi-gcc", "--version").splitlines()[0], file=sys.stderr)
    print(table())
