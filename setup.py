"""The part of the build that depends on the machine: is the C core built? All else is in pyproject.toml.

NIMMT_EXTENSION=auto  (default) build it if this machine can, else install the Python core alone
NIMMT_EXTENSION=1     build it or fail
NIMMT_EXTENSION=0     do not build it
"""

import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from setuptools import Distribution, Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent / "csrc"))

from ffi_build import LIMITED_API

# The commands that compile. For all others (an sdist, metadata) no compiler is looked for and no cffi needed.
COMPILING = {"build", "build_ext", "bdist", "bdist_wheel", "editable_wheel", "develop", "install"}

built: list[str] = []


def wanted() -> str:
    """Return "auto", "1" or "0"."""
    value = os.environ.get("NIMMT_EXTENSION") or "auto"
    if value not in ("auto", "1", "0"):
        raise SystemExit(f"NIMMT_EXTENSION={value!r}: must be auto, 1 or 0")
    if value == "auto" and (os.environ.get("CIBUILDWHEEL") or os.environ.get("PIWHEELS_BUILD")):
        return "1"  # a wheel factory would hand a wheel without C to everybody
    return value


@contextmanager
def silence() -> Iterator[None]:
    """Print nothing meanwhile, compilers included: a probe that fails is no error."""
    sys.stdout.flush()
    sys.stderr.flush()
    saved = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(saved[0], 1)
        os.dup2(saved[1], 2)
        for number in (nowhere, *saved):
            os.close(number)


def compiler_works() -> bool:
    """Tell whether the compiler that setuptools will use (CC counts) makes a trivial extension."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "nimmt_probe.c")
        source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_nimmt_probe(void) { return NULL; }\n")
        probe = build_ext(Distribution({"ext_modules": [Extension("nimmt_probe", [str(source)])]}))
        probe.build_lib = probe.build_temp = folder
        with silence():
            try:
                probe.ensure_finalized()
                probe.run()
            except Exception:  # no compiler, no Python.h, no linker: an own class for each
                return False
            return Path(probe.get_ext_fullpath("nimmt_probe")).exists()


def obstacle() -> str:
    """Return why the C core cannot be built here, or nothing."""
    if importlib.util.find_spec("cffi") is None:
        return "cffi is not installed where it is built (with --no-build-isolation: pip install cffi)"
    if not compiler_works():
        return "there is no working C compiler with the headers of this Python (CC says which one is used)"
    return ""


def unlink_libraries(folder: str) -> None:
    """Remove libraries of an earlier build: one that stays where compiling fails imports fine, and is old."""
    for pattern in ("_cffi*.so", "_cffi*.pyd"):
        for library in Path(folder).glob(pattern):
            library.unlink()


class BuildPy(build_py):
    """Part of every build, of one without C too."""

    def run(self) -> None:
        unlink_libraries(os.path.join(self.build_lib, "nimmt", "core"))
        if self.editable_mode:
            unlink_libraries(self.get_package_dir("nimmt.core"))
        super().run()


class BuildExt(build_ext):
    """Builds the C core. If that fails in auto in spite of the probe, the wheel is one without C, for any platform."""

    def run(self) -> None:
        unlink_libraries(os.path.join(self.build_lib, "nimmt", "core"))
        if self.inplace:
            unlink_libraries(self.get_finalized_command("build_py").get_package_dir("nimmt.core"))
        for extension in self.extensions:
            extension.optional = MODE == "auto"
        super().run()
        for extension in self.extensions:
            if os.path.exists(os.path.join(self.build_lib, self.get_ext_filename(extension.name))):
                built.append(extension.name)
        if not built and not self.inplace:
            self.distribution.ext_modules = None
            wheel = self.distribution.get_command_obj("bdist_wheel")
            assert isinstance(wheel, bdist_wheel)
            wheel.root_is_pure = True


def settings() -> dict[str, Any]:
    """Return what setup() is told of the C core."""
    if MODE == "0" or not COMPILING & set(sys.argv):
        return {}
    problem = obstacle()
    if problem and MODE == "1":
        raise SystemExit(f"NIMMT_EXTENSION=1, but the C core cannot be built: {problem}")
    if problem:
        print(f"nimmt is built without its C core: {problem}", file=sys.stderr)
        return {}
    options = {"bdist_wheel": {"py_limited_api": LIMITED_API}} if LIMITED_API else {}
    return {"cffi_modules": ["csrc/ffi_build.py:ffibuilder"], "options": options}


MODE = wanted()
setup(cmdclass={"build_py": BuildPy, "build_ext": BuildExt}, **settings())

if MODE == "1" and COMPILING & set(sys.argv) and not built:
    raise SystemExit("NIMMT_EXTENSION=1, but no C core was built")
