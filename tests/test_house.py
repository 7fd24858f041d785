"""The house: one list of rooms, lowest first. Imports stand at the top and point down that list; files are short.

`python tests/test_house.py` prints the map that stands in CONTRIBUTING.md; with --write it writes it there.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "nimmt"

#: The rooms, lowest first: files of the package, and folders. What a room imports stands above it in this list.
ROOMS = [
    # ground
    "_version",
    "errors",
    "port",
    "files",
    "events",
    "args",
    # values
    "rules",
    "stream",
    # a round
    "core",
    "state",
    "draft",
    "table",
    "turn",
    "round",
    # a game
    "scored",
    "save",
    "record",
    "view",
    "worlds",
    "game",
    "referee",
    "slots",
    # players
    "bots",
    "arena",
    "protocol",
    # the whole
    "__init__",
    # wings
    "sim",
    "post",
    "board",
    "cli",
    "__main__",
]

#: The wings need CPython. They do not see each other; the command sees all.
WINGS = {"sim", "post", "board", "cli"}
SEES = {"cli": {"sim", "post", "board"}, "__main__": {"cli"}}

FLOORS = 14
WIDTH = 90  # of what the map says of a room

#: The two kinds of late imports: the C library with what stands on it, and packages that need not be there. Besides,
#: the command imports the module of the command that was chosen.
LATE = {"core/__init__": {"core/c"}, "cli/__init__": None}
OPTIONAL = {"numpy", "matplotlib", "distributed", "python_minifier"}

#: What does not run on a board.
HOSTED = ("files", "core/c", "__main__")

#: What portable files may import from elsewhere: it is in MicroPython, or port.py catches where it is not.
ELSEWHERE = {
    "port": {"binascii", "collections", "collections.abc", "os", "threading", "typing"},
    "core/__init__": {"sys"},
    "protocol/lines": {"json"},
    "slots": {"os"},
    "stream": {"array"},
}

LINES, FUNCTION = 450, 40
LONG_FILES = {"nimmt.c": 620}  # the whole core is two files, to be copied together


class Import(NamedTuple):
    name: str  # a module of the package as a path without .py, or a module from elsewhere
    ours: bool
    late: bool  # inside a function


def modules() -> dict[str, Path]:
    """The modules of the package by path without .py, folders by their __init__."""
    return {str(file.relative_to(SOURCE).with_suffix("")): file for file in sorted(SOURCE.rglob("*.py"))}


MODULES = modules()


def room(module: str) -> str:
    return module.split("/")[0]


def is_portable(module: str) -> bool:
    return room(module) not in WINGS and module not in HOSTED


def found(parts: list[str], name: str) -> str:
    """The module that `from parts import name` takes from."""
    for path in ("/".join([*parts, name]), "/".join([*parts, name, "__init__"]), "/".join(parts)):
        if path in MODULES:
            return path
    return "/".join([*parts, "__init__"])


def imports_of(module: str) -> Iterator[Import]:
    """Yield what a module imports when it runs: not what stands under TYPE_CHECKING."""

    def visit(node: ast.AST, late: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                yield from (one for part in child.orelse for one in visit(part, late))
            elif isinstance(child, ast.ImportFrom):
                yield from names(child, late)
            elif isinstance(child, ast.Import):
                for alias in child.names:
                    first, *rest = alias.name.split(".")
                    yield Import(found(rest, "__init__") if first == "nimmt" else alias.name, first == "nimmt", late)
            else:
                yield from visit(child, late or isinstance(child, (ast.FunctionDef, ast.Lambda)))

    def names(node: ast.ImportFrom, late: bool) -> Iterator[Import]:
        parts = (node.module or "").split(".") if node.module else []
        if node.level:
            parts = module.split("/")[: -node.level] + parts
        elif parts[0] == "nimmt":
            parts = parts[1:]
        else:
            yield Import(node.module or "", False, late)
            return
        for alias in node.names:
            yield Import(found(parts, alias.name), True, late)

    yield from visit(ast.parse(MODULES[module].read_text(encoding="utf-8")), False)


IMPORTS = {module: list(imports_of(module)) for module in MODULES}


def floors(arrows: dict[str, set[str]]) -> dict[str, int]:
    """The floor of each: 1 for what stands on nothing. AssertionError for a circle."""
    known: dict[str, int] = {}

    def floor(one: str, above: tuple[str, ...]) -> int:
        assert one not in above, f"a circle: {' -> '.join([*above[above.index(one) :], one])}"
        if one not in known:
            known[one] = 1 + max((floor(other, (*above, one)) for other in sorted(arrows[one])), default=0)
        return known[one]

    for one in arrows:
        floor(one, ())
    return known


def arrows_between_rooms() -> dict[str, set[str]]:
    arrows: dict[str, set[str]] = {room(module): set() for module in MODULES}
    for module, found_there in IMPORTS.items():
        arrows[room(module)] |= {room(one.name) for one in found_there if one.ours} - {room(module)}
    return arrows


def the_map() -> str:
    """The rooms from the top floor down: floor, name, lines, and the first sentence of its docstring."""
    level = floors(arrows_between_rooms())
    rows = []
    for name in sorted(level, key=lambda name: (-level[name], -ROOMS.index(name))):
        files = [file for module, file in MODULES.items() if room(module) == name]
        head = MODULES[name] if name in MODULES else MODULES[f"{name}/__init__"]
        text = (ast.get_docstring(ast.parse(head.read_text(encoding="utf-8"))) or "").split("\n")[0]
        text = text.split(". ")[0].split(": ")[0] if len(text) > WIDTH else text
        lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
        shown = name if name in MODULES else f"{name}/ ({len(files)})"
        rows.append(f"{level[name]:>5}  {shown:<14}{lines:>5}  {text.rstrip('.')}")
    return "\n".join(["floor  room          lines  what it is", *rows])


def test_every_file_has_its_room() -> None:
    assert {room(module) for module in MODULES} == set(ROOMS)
    assert len(set(ROOMS)) == len(ROOMS)


def test_imports_point_down() -> None:
    wrong = []
    for module, found_there in IMPORTS.items():
        here = room(module)
        below = {name for name in ROOMS[: ROOMS.index(here)] if name not in WINGS} | SEES.get(here, set()) | {here}
        wrong += [
            f"{module} imports {one.name}"
            for one in found_there
            if one.ours and room(one.name) not in below and one.name != "core/_cffi"
        ]
    assert not wrong, "\n".join(wrong)


def test_there_is_no_circle() -> None:
    """Neither between rooms nor between files, late imports included."""
    arrows = {module: {one.name for one in IMPORTS[module] if one.ours and one.name in MODULES} for module in MODULES}
    floors({module: names - {module} for module, names in arrows.items()})
    assert max(floors(arrows_between_rooms()).values()) <= FLOORS


def test_imports_stand_at_the_top() -> None:
    wrong = []
    for module, found_there in IMPORTS.items():
        for one in [one for one in found_there if one.late]:
            allowed = LATE.get(module, set())
            ours = one.ours and (allowed is None or one.name in allowed)
            if not ours and one.name.split(".")[0] not in OPTIONAL:
                wrong.append(f"{module} imports {one.name} in a function")
    assert not wrong, "\n".join(wrong)


def test_nothing_is_imported_by_name() -> None:
    for module, file in MODULES.items():
        text = file.read_text(encoding="utf-8")
        assert not {"__import__", "importlib", "import_module"} & set(text.replace("(", " ").replace(".", " ").split())
        tree = ast.parse(text)
        assert "__getattr__" not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, module


def test_there_is_one_stub() -> None:
    assert [str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.pyi")] == ["core/_cffi.pyi"]


def test_nothing_below_the_game_names_it() -> None:
    for module in MODULES:
        if is_portable(module) and ROOMS.index(room(module)) < ROOMS.index("game"):
            tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
            assert "Game" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}, module


def test_portable_files_import_nothing_else() -> None:
    """No typing, no dataclasses; no clock and no other source of chance: time is an argument (D11), seeds too."""
    for module in filter(is_portable, MODULES):
        other = {one.name for one in IMPORTS[module] if not one.ours}
        assert other <= ELSEWHERE.get(module, set()), module


def test_the_map_is_in_contributing() -> None:
    assert the_map() in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), "python tests/test_house.py --write"


def functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *[decorator.lineno for decorator in node.decorator_list]])
            yield node.name, (node.end_lineno or node.lineno) - first + 1


def test_files_are_short() -> None:
    files = [*MODULES.values(), *(ROOT / "csrc").glob("*.[ch]"), *(ROOT / "csrc").glob("*.py")]
    counts = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert not [f"{file}: {n}" for file, n in counts.items() if n > LONG_FILES.get(file.name, LINES)]


def test_functions_are_short() -> None:
    long = []
    for module, file in MODULES.items():
        tree = ast.parse(file.read_text(encoding="utf-8"))
        long += [f"{module} {name}: {lines}" for name, lines in functions(tree) if lines > FUNCTION]
    assert not long, long


FORBIDDEN = {
    "MatchAs": "match",
    "NamedExpr": "an assignment in an expression, which 1.20 has only in part",
    "AsyncFunctionDef": "async",
}


def not_portable(node: ast.AST) -> str:
    """What of this node mpy-cross does not compile, or boards then do otherwise: DESIGN section 10."""
    kind = type(node).__name__
    if kind in FORBIDDEN:
        return FORBIDDEN[kind]
    if isinstance(node, ast.arguments) and node.posonlyargs:
        return "positional-only arguments"
    if isinstance(node, ast.Attribute) and node.attr in ("_replace", "_asdict", "removeprefix", "removesuffix"):
        return node.attr
    if isinstance(node, ast.FormattedValue) and node.conversion != -1:
        return "!r in an f-string, which is not in 1.20"
    if isinstance(node, ast.ClassDef) and len(node.bases) > 1:
        return "two bases"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip" and node.keywords:
        return "zip(strict=)"
    return ""


@pytest.mark.parametrize("module", [module for module in MODULES if is_portable(module)])
def test_portable_syntax(module: str) -> None:
    nodes = ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8")))
    wrong = [f"line {getattr(node, 'lineno', 0)}: {not_portable(node)}" for node in nodes if not_portable(node)]
    assert not wrong, "\n".join(wrong)


def main() -> None:
    if "--write" in sys.argv:
        file = ROOT / "CONTRIBUTING.md"
        before, start, rest = file.read_text(encoding="utf-8").partition("floor  room ")
        file.write_text(before + the_map() + rest[rest.index("\n```") :], encoding="utf-8")
    print(the_map())


if __name__ == "__main__":
    main()
