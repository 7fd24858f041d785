"""The portable scripts with a bundle: which names they use, and the modules that they import them from."""

from __future__ import annotations

import ast
from pathlib import Path

from nimmt.board.files import module_files

#: Makes the modules that a script names, and attributes of the package, the one module of the bundle.
ONE_MODULE = """
import sys
import nimmt
for name in {modules}:
    sys.modules["nimmt." + name] = nimmt
    setattr(nimmt, name, nimmt)
"""


def names_of(script: Path) -> tuple[list[str], list[str]]:
    """The public names that a script uses of nimmt, as `nimmt board` takes them, and the modules it names."""
    names, modules = set(), set()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nimmt"):
            module = (node.module or "").partition(".")[2]
            modules |= {module} - {""}
            names |= {f"{module}.{alias.name}".lstrip(".") for alias in node.names}
        elif isinstance(node, ast.Attribute):
            words = ast.unparse(node).split(".")
            if words[0] == "nimmt" and words[1] == words[1].lower() and len(words) == 3:
                modules.add(words[1])
                names.add(".".join(words[1:]))
            elif words[0] == "nimmt" and len(words) == 2:
                names.add(words[1])
    return sorted(names - modules), sorted(modules)


def with_bundle(script: Path, folder: Path) -> Path:
    """Write the bundle of a script, compiled and from source, and a program that runs the script with it, to a folder.

    Returns the program; its arguments are those of the script. nimmt.py lies in `source`, nimmt.mpy in `compiled`.
    """
    names, modules = names_of(script)
    for name, data in module_files(names):
        at = folder / {"nimmt.py": "source", "nimmt.mpy": "compiled"}.get(name, ".")
        at.mkdir(parents=True, exist_ok=True)
        (at / name).write_bytes(data)
    program = folder / script.name
    program.write_text(ONE_MODULE.format(modules=modules) + script.read_text(encoding="utf-8"), encoding="utf-8")
    return program
