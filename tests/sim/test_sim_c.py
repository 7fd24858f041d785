"""csrc/nimmt_rounds.c alone: strict builds, analyzers, and its test program under sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tools import compiler, missing, need, run

HERE = Path(__file__).resolve().parent
CSRC = HERE.parent.parent / "csrc"
ROUNDS = CSRC / "nimmt_rounds.c"
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", f"-I{CSRC}"]
SANITIZE = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@pytest.mark.parametrize("level", ["-O0", "-Os", "-O2", "-O3"])
def test_strict_at_every_level(level: str, tmp_path: Path) -> None:
    assert run(*compiler(), *STRICT, level, "-c", ROUNDS, "-o", tmp_path / "rounds.o") == ""


def test_analyzers(tmp_path: Path) -> None:
    assert run(need("gcc"), *STRICT, "-O2", "-fanalyzer", "-c", ROUNDS, "-o", tmp_path / "rounds.o") == ""
    checks = ["--enable=warning,style,performance,portability", "--error-exitcode=1", "--quiet"]
    allowed = ["--suppress=variableScope", "--suppress=missingIncludeSystem"]
    assert run(need("cppcheck"), "--std=c99", *checks, *allowed, f"-I{CSRC}", ROUNDS) == ""


@pytest.mark.parametrize("options", [["-O2"], SANITIZE], ids=["plain", "sanitized"])
def test_against_the_scalar_core(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "probe.c").write_text("int main(void) { return 0; }\n")
    probe = [*compiler(), *options, str(tmp_path / "probe.c"), "-o", str(tmp_path / "probe")]
    if subprocess.run(probe, capture_output=True).returncode:
        missing(f"-fsanitize=address,undefined in {compiler()[0]}")
    program = tmp_path / "rounds"
    run(*compiler(), *STRICT, *options, HERE / "rounds.c", ROUNDS, CSRC / "nimmt.c", "-o", program)
    output = run(program)
    assert int(output.split()[0]) > 100_000, output
