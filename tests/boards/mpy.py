"""The package for boards: the portable files as they are, or compiled to .mpy, smaller, for boards with little memory.

    python tests/boards/mpy.py FOLDER

writes FOLDER/nimmt/*.mpy and FOLDER/package.json, for mip. Like flat.py it does three mechanical things and no more:
numbers that the core defines stand where they are used, what only CPython and people need goes, mpy-cross compiles.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from boards.flat import PACKAGE, Numbers

ROOT = PACKAGE.parent.parent
CORE = ("cards", "_pycore", "_pydeal", "_pycheck", "_pypolicy")
#: What needs CPython: the glue of the C core, the command, and files that appear whole or not at all.
HOSTED = ("_ccore.py", "__main__.py", "files.py")
#: What MicroPython never looks at: slots, and the protocols of copy, pickle and dir.
CPYTHON = ("TYPE_CHECKING", "__slots__", "__copy__", "__deepcopy__", "__reduce__", "__dir__")


def portable_files() -> list[Path]:
    """The files of the package that run on a board."""
    return [file for file in sorted(PACKAGE.glob("*.py")) if file.name not in HOSTED]


class _Core(ast.NodeTransformer):
    """Puts the numbers of the core where other modules name them: `c.SIZE`, or SIZE when it was imported.

    What only CPython needs is left out.
    """

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers, self.imported = numbers, Numbers()

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        ours = isinstance(node.value, ast.Name) and node.value.id == "c" and node.attr in self.numbers
        return ast.parse(repr(self.numbers[node.attr]), mode="eval").body if ours else node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | None:
        if node.level and node.module in CORE:
            for alias in node.names:
                if alias.name in self.numbers:
                    self.imported.known[alias.asname or alias.name] = self.numbers[alias.name]
            node.names = [alias for alias in node.names if alias.name not in self.numbers]
        return node if node.names else None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef | None:
        self.generic_visit(node)
        return None if node.name in CPYTHON else node

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        self.generic_visit(node)
        return None if ast.unparse(node.targets[0]) in CPYTHON else node

    def visit_If(self, node: ast.If) -> ast.If | list[ast.stmt]:
        self.generic_visit(node)
        return node.orelse if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node


def core_numbers() -> dict[str, int]:
    """The numbers that the core defines."""
    numbers = Numbers()
    for name in CORE:
        for statement in ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8")).body:
            numbers.define(statement)
    return numbers.known


def small(file: Path, numbers: dict[str, int]) -> str:
    """The source of a module, made small."""
    from python_minifier import minify

    tree, core = ast.parse(file.read_text(encoding="utf-8")), _Core(numbers)
    tree = core.visit(tree)
    if file.stem in CORE:
        core.imported.known = dict(numbers)
        tree.body = [statement for statement in tree.body if not Numbers(numbers).define(statement)]
    tree = core.imported.visit(tree)
    text = ast.unparse(ast.fix_missing_locations(tree))
    return str(minify(text, remove_literal_statements=True, hoist_literals=False))


def compiled(folder: Path) -> None:
    """Write the package as .mpy to a folder, with a package.json for mip."""
    numbers, urls = core_numbers(), []
    (folder / "nimmt").mkdir(parents=True, exist_ok=True)
    for file in portable_files():
        source, out = folder / file.name, folder / "nimmt" / f"{file.stem}.mpy"
        source.write_text(small(file, numbers), encoding="utf-8")
        subprocess.run(["mpy-cross", "-O3", "-s", "", "-o", str(out), str(source)], check=True)
        source.unlink()
        urls.append([f"nimmt/{out.name}", f"nimmt/{out.name}"])
    version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["version"]
    (folder / "package.json").write_text(json.dumps({"urls": urls, "deps": [], "version": version}, indent=1) + "\n")


if __name__ == "__main__":
    compiled(Path(sys.argv[1]))
