"""csrc/nimmt_batch.c and nimmt_rollouts.c: strict builds, analyzers, and their programs, plain and under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_c import CORE, CPPCHECK, CSRC, HERE, SANITIZE, STRICT, sanitizers
from tools import compiler, need, run

NAMES = ("batch", "rollouts")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", ["-O0", "-Os", "-O2", "-O3"])
def test_strict_at_every_level(level: str, name: str, tmp_path: Path) -> None:
    assert run(*compiler(), *STRICT, level, "-c", CSRC / f"nimmt_{name}.c", "-o", tmp_path / "object.o") == ""


@pytest.mark.parametrize("name", NAMES)
def test_analyzers(name: str, tmp_path: Path) -> None:
    source = CSRC / f"nimmt_{name}.c"
    assert run(need("gcc"), *STRICT, "-O2", "-fanalyzer", "-c", source, "-o", tmp_path / "object.o") == ""
    assert run(need("cppcheck"), *CPPCHECK, source) == ""


@pytest.mark.parametrize(("name", "checks"), [("batch", 100_000), ("rollouts", 300_000)])
@pytest.mark.parametrize("options", [["-O2"], SANITIZE], ids=["plain", "sanitized"])
def test_against_the_scalar_core(options: list[str], name: str, checks: int, tmp_path: Path) -> None:
    if options is SANITIZE:
        sanitizers(tmp_path)
    program = tmp_path / name
    run(*compiler(), *STRICT, *options, HERE / f"test_{name}.c", CSRC / f"nimmt_{name}.c", CORE, "-o", program)
    output = run(program, *(["20"] if options is SANITIZE and name == "rollouts" else []))
    assert int(output.split()[0]) > checks, output
