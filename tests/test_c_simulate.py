"""csrc/nimmt_simulate.c: against the scalar core game by game, sanitizers for memory and threads, and its cost."""

import re
import subprocess
from pathlib import Path

import pytest
from test_c import CORE, CSRC, HERE, SANITIZE, STRICT, all_passed, sanitizers
from tools import compiler, missing, need, run

SIMULATE = CSRC / "nimmt_simulate.c"
BENCH = HERE.parent.parent / "bench" / "bench_simulate.c"


def build(source: Path, folder: Path, *options: str) -> Path:
    """Compile a program with nimmt_simulate.c and the core, warnings being errors."""
    program = folder / source.stem
    run(*compiler(), *STRICT, *options, source, SIMULATE, CORE, "-o", program)
    return program


def test_lanes_are_the_scalar_core(tmp_path: Path) -> None:
    output = run(build(HERE / "test_simulate.c", tmp_path, "-O2"))
    assert all_passed(output), output


def test_lanes_sanitized(tmp_path: Path) -> None:
    sanitizers(tmp_path)
    output = run(build(HERE / "test_simulate.c", tmp_path, *SANITIZE), "5")
    assert all_passed(output), output


def test_threads_share_nothing(tmp_path: Path) -> None:
    flags = ["-O1", "-g", "-fsanitize=thread", "-pthread"]
    probe = tmp_path / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    made = subprocess.run([*compiler(), *flags, str(probe), "-o", str(tmp_path / "probe")], capture_output=True)
    if made.returncode != 0:
        missing(f"-fsanitize=thread in {compiler()[0]}")
    # Address space randomisation beyond what ThreadSanitizer knows makes it stop before main: not here.
    command = [need("setarch"), "-R"] if Path("/usr/bin/setarch").exists() else []
    assert "equal to one" in run(*command, build(HERE / "race.c", tmp_path, *flags))


@pytest.mark.parametrize("players", [2, 4, 6, 10])
def test_every_variant_plays_the_same(players: int, tmp_path: Path) -> None:
    """The programs of the bench compare digests; this one counts rounds, for every variant the processor has."""
    program = build(BENCH, tmp_path, "-O2")
    rounds = set()
    for variant in ("1", "2", "3"):
        done = subprocess.run([program, "count", variant, str(players), "4096", "66"], capture_output=True, text=True)
        if done.returncode == 0:
            rounds.add(done.stdout.partition(": ")[2])
    assert len(rounds) == 1, rounds


def test_instructions_a_round(tmp_path: Path) -> None:
    """At most 1,800 instructions a four-player round with AVX2: a count, so the same on a busy machine."""
    processor = Path("/proc/cpuinfo")
    if not processor.exists() or "avx2" not in processor.read_text().split():
        missing("AVX2 in this processor")
    program = build(BENCH, tmp_path, "-O2")
    options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=nimmt_simulate"]
    output = run(need("valgrind"), *options, program, "count", "2", "4", "16384")
    collected, rounds = re.search(r"Collected : (\d+)", output), re.search(r"avx2: (\d+) rounds", output)
    assert collected and rounds, output
    assert int(collected[1]) / int(rounds[1]) < 1800
