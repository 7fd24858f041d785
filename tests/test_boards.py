"""The C tests on other instruction sets: bare metal under QEMU's boards, and Linux machines under QEMU's user mode.

No real board is here: the code is the real code for it, the processor is emulated. The digest that the C tests print
is the same number everywhere, so every state of 2,000 games is the same byte for byte.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from boards import measure
from tools import need, run

ROOT = Path(__file__).parent.parent
TEST = [str(ROOT / "tests/c/test_nimmt.c"), str(ROOT / "csrc/nimmt.c"), "-I", str(ROOT / "csrc"), "-DQUICK", "-std=c99"]
NEWLIB = ["--specs=nano.specs", "--specs=rdimon.specs", "-nostartfiles", "-u", "_printf_float"]
SEMIHOSTING = ["-nographic", "-semihosting-config", "enable=on,target=native", "-kernel"]

CORTEX = {"cortex-m0": "microbit", "cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386"}

USER = {
    "armhf": ("arm-linux-gnueabihf-gcc", "qemu-arm"),
    "aarch64": ("aarch64-linux-gnu-gcc", "qemu-aarch64"),
    "s390x, big-endian": ("s390x-linux-gnu-gcc", "qemu-s390x"),
}


def expect_all_passed(output: str) -> None:
    """The C tests ended well, and with the digest that their source names."""
    digest = re.search(r"#define DIGEST UINT64_C\(0x([0-9A-F]+)\)", Path(TEST[0]).read_text())
    assert digest
    assert f"digest: {digest[1].lower()}" in output, output
    assert re.search(r"^\d\d+ passed, 0 failed", output, re.MULTILINE), output


@pytest.mark.parametrize("cpu", CORTEX)
def test_cortex(cpu: str, tmp_path: Path) -> None:
    gcc, qemu = need("arm-none-eabi-gcc"), need("qemu-system-arm")
    board, image = ROOT / "tests/boards", tmp_path / "test.elf"
    sections = ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
    files = [str(board / "start.c"), *TEST, "-T", str(board / "cortex.ld")]
    run(gcc, f"-mcpu={cpu}", "-mthumb", "-Os", *sections, *NEWLIB, *files, "-o", image)
    expect_all_passed(run(qemu, "-M", CORTEX[cpu], *SEMIHOSTING, image))


def test_risc_v_32(tmp_path: Path) -> None:
    gcc, qemu, image = need("riscv64-unknown-elf-gcc"), need("qemu-system-riscv32"), tmp_path / "test.elf"
    memory = {"flash": "0x80000000", "flash_size": "4M", "ram": "0x80400000", "ram_size": "1M"}
    places = [f"-Wl,--defsym=__{name}={value}" for name, value in memory.items()]
    library = ["--specs=picolibc.specs", "--oslib=semihost", "--crt0=hosted"]
    run(gcc, "-march=rv32imac", "-mabi=ilp32", "-Os", *library, *places, *TEST, "-o", image)
    expect_all_passed(run(qemu, "-M", "virt", "-bios", "none", *SEMIHOSTING, image))


@pytest.mark.parametrize("machine", USER)
def test_linux(machine: str, tmp_path: Path) -> None:
    gcc, qemu, image = need(USER[machine][0]), need(USER[machine][1]), tmp_path / "test"
    run(gcc, "-O2", "-static", *TEST, "-o", image)
    expect_all_passed(run(qemu, image))


@pytest.mark.parametrize("processor", measure.TARGETS)
def test_the_core_keeps_its_budget(processor: str, tmp_path: Path) -> None:
    """2.7 KB of code, 2 KB for a game, 256 bytes of stack on the smallest board; nowhere data or foreign functions."""
    compiler = measure.TARGETS[processor]
    need(compiler[0])
    sizes = measure.measure(compiler, tmp_path)
    assert (sizes["data"], sizes["bss"], sizes["undefined"]) == (0, 0, "")
    assert int(sizes["stack"]) <= 256, sizes
    assert int(sizes["code"]) <= (2752 if "M0" in processor else 4096), sizes
    assert int(sizes["game"]) <= (2048 if "RISC" not in processor else 3072), sizes
    state = tmp_path / "state.c"
    state.write_text('#include "nimmt.h"\ntypedef char fits[sizeof(nimmt_round) <= 176 ? 1 : -1];\n')
    run(*compiler, "-ffreestanding", "-I", ROOT / "csrc", "-c", state, "-o", tmp_path / "state.o")


def test_the_table_of_the_readme() -> None:
    """It is what its compiler makes; another one may differ by a little."""
    for compiler, *_ in measure.TARGETS.values():
        need(compiler)
    measured, written = measure.table(), measure.written()
    if f"\ngcc {measure.version()}." in measure.README.read_text(encoding="utf-8"):
        assert measured == written
    numbers = [[int(number) for number in re.findall(r"\| (\d+)", table)] for table in (measured, written)]
    assert len(numbers[0]) == len(numbers[1]) == 24
    for new, old in zip(*numbers, strict=True):
        assert abs(new - old) <= old / 10, (new, old)
