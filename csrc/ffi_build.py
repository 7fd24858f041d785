"""Builds nimmt.core._cffi from the C files beside this one. The headers are the one definition: cffi gets their text.

setup.py names `ffibuilder` to cffi's setuptools hook. cffi is imported only there, so that the rest can be used where
there is no cffi.
"""

import hashlib
import platform
import re
import sysconfig
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

# What is compiled, and whose headers are read, in this order. Without all but the first it is a core all the same.
MODULES = ("nimmt", "nimmt_simulate", "nimmt_batch", "nimmt_rollouts")
SOURCES = [f"{name}.c" for name in MODULES if (HERE / f"{name}.c").exists()]
HEADERS = [f"{name}.h" for name in MODULES if (HERE / f"{name}.h").exists() and f"{name}.c" in SOURCES]
# All that a library depends on: also what the sources include and nobody else.
FILES = sorted(path.name for path in HERE.glob("nimmt*.[ch]"))

# The stable ABI: one wheel for this Python and all newer ones. None: one for the Python that builds. PyPy has no stable
# ABI; free-threaded Pythons have one from 3.15 on, under another name.
LIMITED_API = "cp310"
if platform.python_implementation() != "CPython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
    LIMITED_API = ""


def source_hash() -> str:
    """Return what nimmt_source_hash() says in a library that was built from these files."""
    digest = hashlib.sha256()
    for name in FILES:
        # Line ends may differ by platform (git on Windows); the program does not.
        digest.update(name.encode() + b"\n" + (HERE / name).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


def declarations(header: str) -> str:
    """Return the declarations of a header for cffi: no comments, no preprocessor lines but macros that are numbers."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.DOTALL)
    text = re.sub(r"\\\r?\n", " ", text)
    text = re.sub(r"^[ \t]*#[ \t]*ifdef[ \t]+__cplusplus\b.*?#[ \t]*endif", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = []
    for line in text.splitlines():
        number = re.fullmatch(r"[ \t]*#[ \t]*define[ \t]+(NIMMT_\w+)[ \t]+(\d+|0[xX][0-9a-fA-F]+)[ \t]*", line)
        if number:
            lines.append(f"#define {number[1]} {number[2]}")
        elif line.strip() and not line.lstrip().startswith("#"):
            lines.append(line.rstrip())
    return "\n".join(lines) + "\n"


def flags() -> list[str]:
    """Return what the compiler is told beyond what this Python tells it. Microsoft's gets nothing."""
    if sysconfig.get_platform().startswith("win"):
        return []
    # Hidden: nobody else's functions of these names get in between, and the compiler may inline ours. For any machine
    # of the platform: no -march here.
    return ["-O3", "-fvisibility=hidden"]


def ffibuilder() -> Any:
    """Return the cffi.FFI that describes nimmt.core._cffi."""
    from cffi import FFI

    ffi = FFI()
    for name in HEADERS:
        ffi.cdef(declarations((HERE / name).read_text(encoding="utf-8")))
    ffi.cdef("const char *nimmt_source_hash(void);")
    includes = "".join(f'#include "{name}"\n' for name in HEADERS)
    ffi.set_source(
        "nimmt.core._cffi",
        f'{includes}static const char *nimmt_source_hash(void) {{ return "{source_hash()}"; }}\n',
        sources=[f"csrc/{name}" for name in SOURCES],
        depends=[f"csrc/{name}" for name in [*FILES, "ffi_build.py"]],
        include_dirs=["csrc"],
        extra_compile_args=flags(),
        py_limited_api=bool(LIMITED_API),
    )
    return ffi
