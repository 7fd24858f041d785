"""Virtual environments, builds and installations for test_install.py. Nothing here writes into the work tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Plays a round through the core and says which core it was; all cores must say the same of the round.
ASK = """
import nimmt
from nimmt import core
from nimmt.stream import Stream
state, stream = bytearray(164), Stream(7)
r = core.core.bind(state)
assert core.core.deal(r, 5, 104, 0, stream) == 0
assert core.core.playout(r, bytes([0, 1, 2, 3, 4]), stream) == 0
print(core.name, state.hex())
"""


def environment(**changes: str) -> dict[str, str]:
    """Return the environment for a command: nothing of ours in it but `changes`."""
    ours = re.compile(r"NIMMT_|CIBUILDWHEEL|PIWHEELS_BUILD|PYTHON|CC$|VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not ours.match(name)}
    return kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"} | changes


class Failed(Exception):
    """A command ended with another code than 0; the text is all it printed."""


def run(*command: str | Path, cwd: Path | None = None, changes: dict[str, str] | None = None) -> str:
    """Run a command, with `changes` of the environment, and return what it printed, or raise Failed."""
    result = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment(**changes or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
    )
    if result.returncode:
        raise Failed(result.stdout)
    return result.stdout


def source_tree(to: Path) -> Path:
    """Copy what a fresh clone has, but for git itself; return the folder."""
    made = "build dist *.egg-info *.so *.pyd *.pyc __pycache__ .*cache .hypothesis .benchmarks"
    shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(".git", ".venv", *made.split()))
    return to


def files(tree: Path) -> set[str]:
    """Return the files of a tree that are not made from others, as paths within it."""
    made = {".so", ".pyd", ".o", ".pyc"}
    return {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file() and path.suffix not in made}


class Venv:
    """A virtual environment without pip: the pip of another one serves it, which makes a new one in a moment."""

    def __init__(self, folder: Path, python: Path | None = None) -> None:
        if python:
            run(python, "-m", "venv", "--without-pip", folder)
        else:
            venv.create(folder, with_pip=False, symlinks=os.name != "nt")
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def ask(self, **changes: str) -> tuple[str, str]:
        """Return the backend of the nimmt that is installed here, and the round it plays."""
        backend, state = run(self.python, "-c", ASK, cwd=self.python.parent, changes=changes).split()
        return backend, state

    def backend(self, **changes: str) -> str:
        return self.ask(**changes)[0]


class Workshop:
    """Builds and installs, out of one environment that has the tools."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self.tools = self.venv()
        self.pip("install", "setuptools>=77", "cffi", "build", to=self.tools)
        self.tree = source_tree(folder / "tree")

    def new_folder(self) -> Path:
        self.count += 1
        return self.folder / str(self.count)

    def venv(self, python: Path | None = None) -> Venv:
        return Venv(self.new_folder(), python)

    def pip(self, *arguments: str | Path, to: Venv, **changes: str) -> str:
        """Run a pip command for an environment."""
        return run(sys.executable, "-m", "pip", "--python", to.python, *arguments, changes=changes)

    def wheel(self, source: Path, **changes: str) -> Path:
        """Build a wheel of a tree or an sdist with the tools and return its path."""
        out = self.new_folder()
        self.pip("wheel", "--no-deps", "--no-build-isolation", "-w", out, source, to=self.tools, **changes)
        return next(out.iterdir())

    def sdist(self) -> Path:
        out = self.new_folder()
        run(self.tools.python, "-m", "build", "--sdist", "--no-isolation", "-o", out, self.tree)
        return next(out.iterdir())

    def install(self, wheel: Path, python: Path | None = None) -> Venv:
        """Install a wheel, and what it depends on, into a new environment."""
        target = self.venv(python)
        self.pip("install", wheel, to=target)
        self.pip("check", to=target)
        return target


def libraries(wheel: Path) -> list[str]:
    """Return the names of the libraries in a wheel."""
    return [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".so", ".pyd"))]


def pythons() -> Iterator[tuple[str, Path]]:
    """Return a version like 3.12 and the command of every CPython from 3.10 found here, each version once."""
    candidates = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"))
    candidates += [Path(found) for n in range(10, 30) if (found := shutil.which(f"python3.{n}"))]
    known = set()
    question = "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name, sys.version_info >= (3, 10))"
    for candidate in [Path(sys.executable), *candidates]:
        try:
            version, kind, new = run(candidate, "-c", question).split()
        except (Failed, ValueError, OSError):  # a shim for a version that is not there
            continue
        if (kind, new) == ("cpython", "True") and version not in known:
            known.add(version)
            yield version, candidate
