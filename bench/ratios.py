"""What the C core is for, as ratios in one run: on any machine, however busy, both sides are measured in turns.

python bench/ratios.py              # prints a table, and fails if a goal is missed
python bench/ratios.py --write      # and puts it into bench/README.md
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

REPEAT = 15
README = Path(__file__).resolve().parent / "README.md"
TITLE = "## The last table of ratios"


def load(backend: str) -> ModuleType:
    """Import the package with this backend, whatever was imported before; all of it, nothing is left for later."""
    for name in [name for name in sys.modules if name.split(".")[0] == "nimmt" and name != "nimmt.core._cffi"]:
        del sys.modules[name]
    os.environ["NIMMT_BACKEND"] = backend
    package = importlib.import_module("nimmt")
    for name in package.__all__:
        getattr(package, name)
    assert package.backend == backend
    return package


def best(calls: dict[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """Return the shortest time in seconds of one call each; all are measured in turns."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(REPEAT):
        for name, (call, number) in calls.items():
            start = time.perf_counter()
            for _ in range(number):
                call()
            times[name] = min(times[name], (time.perf_counter() - start) / number)
    return times


def playout_of(nimmt: ModuleType, players: int) -> Callable[[], object]:
    core, stream = nimmt.core.core, nimmt.Stream(7, use=9)
    state, policies = bytearray(164), bytes(players)
    r, draws = core.bind(state), stream.state[:]
    core.deal(r, players, 104, 0, nimmt.Stream(7))
    dealt = bytes(state)

    def playout() -> int:
        state[:] = dealt
        stream.state[:] = draws
        return int(core.playout(r, policies, stream))

    return playout


def game_of(nimmt: ModuleType, players: int) -> Callable[[], object]:
    """A round through the game: everybody the highest card, the cheapest row where one is owed."""
    start, seats = nimmt.Game(players, 7, nimmt.Rules(rounds=1)), range(players)

    def play() -> Any:
        game = start.copy()
        while game.phase != "over":
            if game.owed:
                game.take(game.owed.seat, game.cheapest())
            else:
                game.play([game.hand(seat)[-1] for seat in seats])
        return game

    return play


def resolve_of(nimmt: ModuleType) -> Callable[[], object]:
    """One call of the core that places four cards, on a copy of the same bytes each time; the copy is not counted."""
    core, state = nimmt.core.core, bytearray(164)
    r, log = core.bind(state), core.bind_log(bytearray(90))
    core.deal(r, 4, 104, 0, nimmt.Stream(7))
    for seat in range(4):
        core.choose(r, seat, state[64 + 10 * seat + 9])
    ready = bytes(state)

    def resolve() -> int:
        state[:] = ready
        return int(core.resolve(r, log))

    assert resolve() == 4
    return resolve


def empty_of(nimmt: ModuleType) -> Callable[[], object]:
    """The shortest call there is to C through cffi, and the same copy of bytes beside it."""
    state, ready, empty = bytearray(164), bytes(164), nimmt.core._cffi.lib.nimmt_bull_heads

    def call() -> int:
        state[:] = ready
        return int(empty(0))

    assert call() == 0
    return call


def machine() -> str:
    """Say what this is measured on: the processor where Linux tells it, and the interpreter."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{names[0] if names else platform.machine()}, {python}"


def measured() -> tuple[list[str], bool]:
    """Return the lines of the table, and whether all goals are reached."""
    c, python = load("c"), load("python")
    calls: dict[str, tuple[Callable[[], object], int]] = {}
    for players in (2, 4, 10):
        calls[f"playout {players} c"] = playout_of(c, players), 200
        calls[f"playout {players} python"] = playout_of(python, players), 4
        calls[f"game {players} c"] = game_of(c, players), 10
        calls[f"game {players} python"] = game_of(python, players), 10
    calls["resolve"], calls["empty"] = (resolve_of(c), 3000), (empty_of(c), 3000)
    times, reached = best(calls), True
    lines = [f"{machine()}, nimmt {c.__version__}", ""]
    lines += ["| what | players | C | Python | ratio | goal |", "| --- | --- | --- | --- | --- | --- |"]
    for what, name, goal in (("a round by playout", "playout", 40), ("a round through Game.play", "game", 1)):
        for players in (2, 4, 10):
            fast, slow = times[f"{name} {players} c"], times[f"{name} {players} python"]
            reached = reached and slow / fast >= goal
            shown = f"{fast * 1e6:.1f} µs | {slow * 1e6:.0f} µs | {slow / fast:.1f} | {goal}"
            lines.append(f"| {what} | {players} | {shown} |")
    over = (times["resolve"] - times["empty"]) * 1e6
    reached = reached and over < 1
    lines.append(f"| resolve from Python, beyond an empty call | 4 | {over:.2f} µs | | | below 1 µs |")
    return lines, reached


def main() -> int:
    lines, reached = measured()
    print("\n".join(lines))
    print("\nAll goals are reached." if reached else "\nA goal is missed.")
    if sys.argv[1:] == ["--write"]:
        text = README.read_text(encoding="utf-8")
        start = text.index(TITLE) + len(TITLE)
        stop = text.find("\n## ", start)
        rest = text[stop:] if stop > 0 else ""
        README.write_text(text[:start] + "\n\n" + "\n".join(lines) + "\n" + rest, encoding="utf-8")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
