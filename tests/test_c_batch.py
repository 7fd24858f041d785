"""csrc/nimmt_batch.c: strict builds, analyzers, and its test program, plain and under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_c import CORE, CPPCHECK, CSRC, HERE, SANITIZE, STRICT, sanitizers
from tools import compiler, need, run

BATCH = CSRC / "nimmt_batch.c"


@pytest.mark.parametrize("level", ["-O0", "-Os", "-O2", "-O3"])
def test_strict_at_every_level(level: str, tmp_path: Path) -> None:
    assert run(*compiler(), *STRICT, level, "-c", BATCH, "-o", tmp_path / "batch.o") == ""


def test_analyzers(tmp_path: Path) -> None:
    assert run(need("gcc"), *STRICT, "-O2", "-fanalyzer", "-c", BATCH, "-o", tmp_path / "batch.o") == ""
    assert run(need("cppcheck"), *CPPCHECK, BATCH) == ""


@pytest.mark.parametrize("options", [["-O2"], SANITIZE], ids=["plain", "sanitized"])
def test_against_the_scalar_core(options: list[str], tmp_path: Path) -> None:
    if options is SANITIZE:
        sanitizers(tmp_path)
    program = tmp_path / "batch"
    run(*compiler(), *STRICT, *options, HERE / "test_batch.c", BATCH, CORE, "-o", program)
    output = run(program)
    assert int(output.split()[0]) > 100_000, output
