"""The C core alone: strict builds, its test program and fuzz harness, sanitizers, analyzers, freestanding builds."""

import subprocess
from pathlib import Path

import pytest
from tools import compiler, missing, need, run

HERE = Path(__file__).resolve().parent / "c"
CSRC = HERE.parent.parent / "csrc"
CORE = CSRC / "nimmt.c"
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", f"-I{CSRC}"]
SANITIZE = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

CPPCHECK = [
    "--std=c99",
    "--enable=warning,style,performance,portability",
    "--error-exitcode=1",
    "--quiet",
    # What it may not say, and why:
    "--suppress=variableScope",  # variables are declared where a function begins, on purpose
    "--suppress=missingIncludeSystem",  # it has no system headers to read
    f"-I{CSRC}",
]


def build(name: str, folder: Path, *options: str) -> Path:
    """Compile a program of tests/c with the core, warnings being errors."""
    program = folder / name
    run(*compiler(), *STRICT, *options, HERE / f"{name}.c", CORE, "-o", program)
    return program


def sanitizers(folder: Path) -> None:
    """Skip the test if the compiler has no sanitizers (or no libraries for them)."""
    probe = folder / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    command = [*compiler(), *SANITIZE, str(probe), "-o", str(folder / "probe")]
    if subprocess.run(command, capture_output=True).returncode != 0:
        missing(f"-fsanitize=address,undefined in {compiler()[0]}")


def all_passed(output: str) -> bool:
    """Whether the last line of the test program says that tests ran and none failed."""
    passed, failed = output.splitlines()[-1].removesuffix(" failed").split(" passed, ")
    return int(passed) > 20 and int(failed) == 0


def test_program(tmp_path: Path) -> None:
    output = run(build("test_nimmt", tmp_path, "-O2"))
    assert all_passed(output), output


def test_program_sanitized(tmp_path: Path) -> None:
    sanitizers(tmp_path)
    output = run(build("test_nimmt", tmp_path, *SANITIZE), "quick")
    assert all_passed(output), output


def test_fuzz(tmp_path: Path) -> None:
    output = run(build("fuzz", tmp_path, "-O2"), "200000", "1")
    assert output.startswith("200000 inputs")


def test_fuzz_sanitized(tmp_path: Path) -> None:
    sanitizers(tmp_path)
    output = run(build("fuzz", tmp_path, *SANITIZE), "50000", "2")
    assert output.startswith("50000 inputs")


@pytest.mark.parametrize("level", ["-O0", "-Os", "-O3"])
def test_strict_at_every_level(level: str, tmp_path: Path) -> None:
    output = run(*compiler(), *STRICT, level, "-c", CORE, "-o", tmp_path / "core.o")
    assert output == ""


def test_analyzer(tmp_path: Path) -> None:
    output = run(need("gcc"), *STRICT, "-O2", "-fanalyzer", "-c", CORE, "-o", tmp_path / "core.o")
    assert output == ""


def test_cppcheck() -> None:
    assert run(need("cppcheck"), *CPPCHECK, CORE) == ""


def test_cpp(tmp_path: Path) -> None:
    source = tmp_path / "host.cpp"
    source.write_text(
        '#include "nimmt.h"\n'
        'static_assert(sizeof(nimmt_round) == 164 && sizeof(nimmt_placed) == 9, "no padding");\n'
        "int main() { return nimmt_bull_heads(55) - 7; }\n"
    )
    run(*compiler(), *STRICT, "-c", CORE, "-o", tmp_path / "core.o")
    strict = ["-std=c++11", *STRICT[1:]]
    run(need("g++", "c++"), *strict, source, tmp_path / "core.o", "-o", tmp_path / "host")
    assert run(tmp_path / "host") == ""


@pytest.mark.parametrize("level", ["-O2", "-Os", "-O3"])
def test_freestanding(level: str, tmp_path: Path) -> None:
    run(*compiler(), *STRICT, level, "-ffreestanding", "-c", CORE, "-o", tmp_path / "core.o")
    assert run(need("nm"), "-u", tmp_path / "core.o") == ""


@pytest.mark.parametrize("level", ["-Os", "-O2"])
def test_freestanding_cortex_m0(level: str, tmp_path: Path) -> None:
    target = ["-mcpu=cortex-m0", "-mthumb", "-ffreestanding"]
    run(need("arm-none-eabi-gcc"), *STRICT, *target, level, "-c", CORE, "-o", tmp_path / "core.o")
    assert run(need("arm-none-eabi-nm"), "-u", tmp_path / "core.o") == ""
    text, data, bss = map(int, run(need("arm-none-eabi-size"), tmp_path / "core.o").splitlines()[1].split()[:3])
    assert data + bss == 0, "the core has no globals"
    assert level != "-Os" or text <= 2752, f"{text} bytes of code"
