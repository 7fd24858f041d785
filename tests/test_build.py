"""C and Python as they are built: one definition of each number, a fresh library, the chooser, the metadata."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from array import array
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from conftest import tree_of
from packaging.requirements import Requirement

if TYPE_CHECKING:
    from nimmt.core import Core
    from nimmt.core import c as in_c
    from nimmt.core import python as in_python

    both: list[Core] = [in_c, in_python]  # mypy holds the two cores to one interface

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "csrc"))

import ffi_build  # noqa: E402

HEADER = (ROOT / "csrc" / "nimmt.h").read_text(encoding="utf-8")


@pytest.fixture
def package() -> Iterator[ModuleType]:
    """The package as its C backend imports it."""
    with tree_of("c") as nimmt:
        yield nimmt


@pytest.fixture
def c(package: ModuleType) -> Any:
    return import_module("nimmt.core.c")


@pytest.fixture
def pycore(package: ModuleType) -> list[Any]:
    """The constants, and the core in Python, which has some of its own."""
    return [import_module(f"nimmt.core.{name}") for name in ("layout", "python")]


def python(code: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh Python with this one's path and only `changes` of our variables."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("NIMMT_")}
    env |= {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *filter(None, sys.path)])} | changes
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, encoding="utf-8", timeout=60)


# One definition


def test_header_and_package_have_one_version(nimmt: ModuleType) -> None:
    macros = dict(re.findall(r"#define NIMMT_(\w*VERSION\w*) (\d+)", HEADER))
    numbers = [macros[f"VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH")]
    release = re.match(r"\d+\.\d+\.\d+", nimmt.__version__)
    assert release and ".".join(numbers) == release[0]
    assert int(macros["STREAM_VERSION"]) == nimmt.STREAM_VERSION


def test_every_constant_of_the_python_core_is_that_of_the_header(c: Any, pycore: list[Any]) -> None:
    lib, ffi = c.lib, c.ffi
    fields = {"OWES": "owes", "TAKEN": "heads"}
    names = {
        "SIZE",
        "PLACED",
        "CHOOSE",
        "TAKE",
        "OVER",
        "TOOK",
        "RIGHT",
        "LEFT",
        "PROFESSIONAL",
        "TIE_RIGHT",
        "TIE_LEFT",
    }
    names |= {"TIE_RIGHT", "TIE_LEFT", "CHEAPEST_FEWEST", "CHEAPEST_MOST", "UNKNOWN_HANDS", "HIGHEST_CARD"}
    names |= {"RANDOM", "LOWEST", "NEAREST", "RANDOM_ROWS", "POLICIES"}
    names |= {f"E_{n}" for n in ("PHASE", "SEAT", "CARD", "HELD", "SAME", "MISSING", "OWES", "ROW", "STATE", "POLICY")}
    assert names | {"E_NOTHING"} <= set(constants(pycore))
    assert lib.NIMMT_CARDS == pycore[0].CARDS
    assert lib.NIMMT_ROUND_SIZE == pycore[0].SIZE
    for name, value in constants(pycore).items():
        if name in ("SIZE", "PLACED"):
            assert value == ffi.sizeof("nimmt_round" if name == "SIZE" else "nimmt_placed")
        elif name == "HIGHEST_CARD":  # HIGHEST is the field
            assert value == lib.NIMMT_HIGHEST
        elif hasattr(lib, f"NIMMT_{name}") and name not in ("HIGHEST", "ROWS"):
            assert value == getattr(lib, f"NIMMT_{name}"), name
        else:
            assert value == ffi.offsetof("nimmt_round", fields.get(name, name.lower())), name


def constants(parts: list[Any]) -> dict[str, Any]:
    """The numbers that the parts of the core define or share."""
    other = ("CARDS", "HEADS", "TYPE_CHECKING")
    return {
        name: value
        for part in parts
        for name, value in vars(part).items()
        if name.isupper() and name[0] != "_" and name not in other
    }


def test_both_cores_have_the_same_names(c: Any, pycore: list[Any]) -> None:
    python = pycore[1]
    functions = {
        name: it
        for name, it in vars(python).items()
        if callable(it) and it.__module__ == python.__name__ and name[0] != "_"
    }
    assert len(functions) == 15
    for name, function in functions.items():
        assert callable(getattr(c, name)) and getattr(c, name) is not function


def test_types_of_the_library_are_complete(c: Any) -> None:
    stub = (ROOT / "src" / "nimmt" / "core" / "_cffi.pyi").read_text(encoding="utf-8")
    typed = set(re.findall(r"\b((?:nimmt|NIMMT)_\w+)[:(]", stub))
    assert {name for name in dir(c.lib) if name.startswith("nimmt_")} == {name for name in typed if name[0] == "n"}
    assert typed <= set(dir(c.lib))


def test_every_c_file_is_built() -> None:
    files = sorted(path.name for path in (ROOT / "csrc").iterdir() if path.suffix in (".c", ".h"))
    assert files == ffi_build.FILES
    assert sorted(ffi_build.SOURCES) == [name for name in files if name.endswith(".c")]
    assert set(ffi_build.HEADERS) <= set(files)
    assert not [flag for flag in ffi_build.flags() if "march" in flag or "mcpu" in flag]  # a wheel is for all machines


def test_library_is_built_from_these_sources(c: Any) -> None:
    assert c.source_hash() == ffi_build.source_hash(), "a stale library: make clean, or install again"


def test_declarations_leave_out_what_cffi_cannot_read() -> None:
    header = """
        #ifndef X /* a comment
        over lines */
        #define X
        #define NIMMT_A 12 // a number
        #define NIMMT_B(x) \\
            (x + 1)
        #ifdef __cplusplus
        extern "C" {
        #endif
        int nimmt_f(int a /* this */, int b);
        #ifdef __cplusplus
        }
        #endif
        #endif
    """
    lines = [line.strip() for line in ffi_build.declarations(header).splitlines()]
    assert lines == ["#define NIMMT_A 12", "int nimmt_f(int a  , int b);"]


# Buffers: C never reads or writes past what Python gave


def test_lengths_are_checked_before_c_reads(package: ModuleType, c: Any) -> None:
    state = bytearray(c.SIZE)
    r, log = c.bind(state), c.bind_log(bytearray(10 * c.PLACED))
    assert c.deal(r, 4, 104, 0, package.Stream(1)) == 0
    before = bytes(state)
    for short in (b"", bytes(3), bytearray(3)):
        with pytest.raises(IndexError):
            c.play(r, short, log)
        with pytest.raises(IndexError):
            c.playout(r, short, package.Stream(1))
        with pytest.raises(IndexError):
            c.setup(r, 4, 104, 0, short, None)
    with pytest.raises(IndexError):
        c.setup(r, 4, 104, 0, bytes((1, 2, 3, 4)), bytes(range(5, 44)))
    for size in (0, c.SIZE - 1, c.SIZE + 1):
        with pytest.raises(ValueError):
            c.bind(bytearray(size))
    with pytest.raises(ValueError):
        c.bind_log(bytearray(10 * c.PLACED - 1))
    stream = package.Stream(1)
    for words in (array("I", [1]), array("I"), array("B", bytes(15))):
        stream.state = words
        with pytest.raises(ValueError, match="too small"):
            c.deal(r, 4, 104, 0, stream)
    for policy in (c.RANDOM, c.RANDOM_ROWS):
        with pytest.raises(AttributeError):
            c.policy_card(r, 0, policy, None)
    assert state == before


def test_a_bound_state_stays_alive_and_keeps_its_length(package: ModuleType, c: Any) -> None:
    r = c.bind(bytearray(c.SIZE))
    assert c.deal(r, 4, 104, 0, package.Stream(1)) == 0
    assert c.check(r) == 0
    state = bytearray(c.SIZE)
    r = c.bind(state)
    with pytest.raises(BufferError):
        state.append(0)


# The chooser

NAME = "from nimmt import core as b; print(b.name, '|', b.reason)"


def test_backend_by_environment(c: Any) -> None:
    for wish, name in (("", "c"), ("auto", "c"), ("c", "c"), ("python", "python")):
        result = python(NAME, NIMMT_BACKEND=wish)
        assert result.stdout.startswith(f"{name} | "), result.stderr
        assert len(result.stdout.splitlines()) == 1
    for wish in ("C", "pure", "1"):
        result = python(NAME, NIMMT_BACKEND=wish)
        assert result.returncode == 1
        assert f"ValueError: NIMMT_BACKEND={wish!r}: must be auto, c or python" in result.stderr


NO_C = "import sys; sys.modules['nimmt.core._cffi'] = None\n"


def test_without_a_library() -> None:
    result = python(NO_C + NAME)
    assert result.stdout.startswith("python | no C core: "), result.stderr
    result = python(NO_C + NAME, NIMMT_BACKEND="c")
    assert "ImportError: NIMMT_BACKEND=c, but there is no C core" in result.stderr
    assert "NIMMT_EXTENSION=1 pip install --no-cache-dir --force-reinstall" in result.stderr


STALE = """
import sys, types
lib = types.SimpleNamespace(NIMMT_VERSION_MAJOR=9, NIMMT_VERSION_MINOR=8, NIMMT_VERSION_PATCH=7)
sys.modules["_cffi_backend"] = types.ModuleType("_cffi_backend")
sys.modules["nimmt.core._cffi"] = fake = types.ModuleType("nimmt.core._cffi")
fake.lib, fake.ffi = lib, types.SimpleNamespace(NULL=0)
"""


def test_a_library_of_another_release_is_refused() -> None:
    assert "python | no C core: nimmt.core._cffi is of version 9.8.7" in python(STALE + NAME).stdout
    assert "a stale library" in python(STALE + NAME, NIMMT_BACKEND="c").stderr


def test_import_starts_no_process() -> None:
    code = """
import sys
from array import array
def refuse(event, arguments):
    if event.startswith(("subprocess", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn")):
        raise SystemExit("started " + event)
sys.addaudithook(refuse)
"""
    for before in ("", NO_C):
        result = python(code + before + "import nimmt; " + NAME)
        assert result.returncode == 0, result.stderr


def test_a_platform_that_has_nothing() -> None:
    code = """
import binascii, os, sys
crc = binascii.crc32
sys.modules["binascii"] = sys.modules["threading"] = None
del os.urandom
from nimmt import port as b
assert all(b.crc32(data) == crc(data) for data in (b"", b"123456789", bytes(range(256))))
assert b.urandom(8) is None
with b.new_lock() as lock, lock:
    pass
"""
    assert python(code).returncode == 0, python(code).stderr


# The metadata


def test_cffi_is_wanted_where_it_has_wheels() -> None:
    text = re.sub(r"\\\n\s*", "", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    build, install = (Requirement(line) for line in re.findall(r'"""(cffi.*?)"""', text))
    assert build == install and build.marker
    machines = ["x86_64", "AMD64", "i686", "x86", "aarch64", "arm64", "ARM64", "ppc64le", "s390x"]
    for machine in [*machines, "armv6l", "armv7l", "riscv64", "mips", "ppc64", ""]:
        for implementation in ("CPython", "PyPy"):
            there = {"platform_machine": machine, "platform_python_implementation": implementation}
            assert build.marker.evaluate(there) == (machine in machines and implementation == "CPython")


def test_setup_refuses_an_unknown_mode(nimmt: ModuleType) -> None:
    pytest.importorskip("setuptools")
    code = "import os, runpy, sys; os.chdir(ROOT); sys.argv = ['setup.py', '--version']; runpy.run_path('setup.py')"
    code = code.replace("ROOT", repr(str(ROOT)))
    result = python(code, NIMMT_EXTENSION="yes")
    assert result.returncode == 1 and "NIMMT_EXTENSION='yes': must be auto, 1 or 0" in result.stderr
    for mode in ("", "auto", "1", "0"):
        assert python(code, NIMMT_EXTENSION=mode).stdout.strip().endswith(nimmt.__version__)
