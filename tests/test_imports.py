"""The rooms of DESIGN section 3 as data: who may import whom. Imports point down; portable files use no more than
MicroPython has; no function and no file is long without being named here.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import HERE, tree_of

# The root, lowest room first. What a module imports when it is imported itself stands above it in this list.
ROOMS = [
    # leaves
    "_version",
    "errors",
    "events",
    "cards",
    "rules",
    "stream",
    "files",
    # the two cores and their chooser
    "_pycore",
    "_pydeal",
    "_pycheck",
    "_pypolicy",
    "_ccore",
    "_backend",
    # what callers hand over
    "checks",
    "seats",
    # one round, one game
    "layout",
    "table",
    "hands",
    "refuse",
    "draft",
    "moves",
    "packing",
    "position",
    "turn",
    "round",
    "view",
    "scored",
    "game",
    "save",
    "record",
    "playback",
    # players
    "bots",
    "arena",
    # the whole
    "__init__",
    # real cards, boards, lines of text
    "slots",
    "referee",
    "kept",
    "_json",
    "hosted",
    "protocol",
    "__main__",
]

# Imported when needed first, inside a function: so that a small board compiles what it uses. These may point up.
LATER = {
    "_backend": {"_ccore", "refuse"},
    "game": {"save", "record"},
    "referee": {"kept"},
    "position": {"round"},
    "rules": {"seats"},
    "stream": {"checks"},
    "table": {"draft"},
}

# What the portable files may import from elsewhere; all of it is in MicroPython, or caught where it is not.
ELSEWHERE = {
    "_backend": {"sys", "os", "binascii", "threading"},
    "_json": {"json"},
    "__main__": {"sys"},
    "arena": {"collections"},
    "events": {"collections"},
    "slots": {"os"},
    "stream": {"array"},
    "turn": {"collections"},
    "view": {"collections"},
}
# Not portable: the C core's glue, files that appear whole or not at all, the command.
HOSTED = {
    "_ccore": {"__future__", "typing", "_cffi_backend"},
    "files": {"collections", "contextlib", "os", "secrets", "shutil", "typing"},
    "__main__": {"sys"},
}

# Rooms above the root: for CPython alone. They see the root and themselves, not each other; the command sees all.
PACKAGES = {"sim": {"sim"}, "post": {"post"}, "cli": {"sim", "post", "cli"}}

# No clock, no other source of chance: time is an argument (trap D11), seeds too.
NEVER = {"time", "datetime", "random", "secrets", "uuid", "dataclasses", "enum", "abc", "functools"}

LINES, FUNCTION, C_LINES = 300, 40, 400
LONG_FILES = {
    "nimmt.c": 610,  # the whole core is two files, to be copied together
}


class Import(NamedTuple):
    name: str  # a module of the root or a package, or one from elsewhere
    ours: bool
    later: bool  # inside a function


def root() -> Path:
    with tree_of("python") as nimmt:
        return Path(str(nimmt.__file__)).parent


def imports_of(file: Path) -> Iterator[Import]:
    """Yield what a file imports at run time: not what stands under TYPE_CHECKING."""

    def visit(node: ast.AST, later: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                yield from (found for part in child.orelse for found in visit(part, later))
            elif isinstance(child, ast.ImportFrom):
                yield from names(child, later)
            elif isinstance(child, ast.Import):
                for alias in child.names:
                    yield ours_or_not(alias.name, later)
            else:
                yield from visit(child, later or isinstance(child, (ast.FunctionDef, ast.Lambda)))

    def names(node: ast.ImportFrom, later: bool) -> Iterator[Import]:
        inside = file.parent != base
        if node.level == 0:
            yield ours_or_not(node.module or "", later)
        elif node.level == 1 and inside:
            yield Import(file.parent.name, True, later)
        elif node.module:
            yield Import(node.module.split(".")[0], True, later)
        else:
            for alias in node.names:
                yield Import(alias.name if (base / f"{alias.name}.py").exists() else "__init__", True, later)

    def ours_or_not(name: str, later: bool) -> Import:
        first, _, rest = name.partition(".")
        return Import((rest or "__init__").split(".")[0] if first == "nimmt" else first, first == "nimmt", later)

    base = root()
    yield from visit(ast.parse(file.read_text(encoding="utf-8")), False)


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))


def test_every_file_has_its_room() -> None:
    assert {file.stem for file in files_of(root())} <= set(ROOMS)
    assert {folder.name for folder in root().iterdir() if (folder / "__init__.py").exists()} <= set(PACKAGES)
    assert len(set(ROOMS)) == len(ROOMS)


def test_imports_point_down() -> None:
    wrong = []
    for file in files_of(root()):
        below = set(ROOMS[: ROOMS.index(file.stem)])
        if file.stem == "_ccore":
            below.add("_cffi")
        if file.stem == "__main__":
            below.add("cli")
        for name, ours, later in imports_of(file):
            if ours and name not in below | (LATER.get(file.stem, set()) if later else set()):
                wrong.append(f"{file.stem} imports {name}")
    assert not wrong, wrong


def test_what_is_imported_later_is_needed_later() -> None:
    """The table says no more than there is."""
    for module, names in LATER.items():
        file = root() / f"{module}.py"
        if file.exists():
            found = {name for name, ours, later in imports_of(file) if ours and later}
            assert found <= names | set(ROOMS[: ROOMS.index(module)])


def test_portable_files_import_nothing_else() -> None:
    wrong = []
    for file in files_of(root()):
        allowed = HOSTED.get(file.stem, set()) | ELSEWHERE.get(file.stem, set())
        wrong += [
            f"{file.stem} imports {name}" for name, ours, _ in imports_of(file) if not ours and name not in allowed
        ]
    assert not wrong, wrong
    assert not set().union(*ELSEWHERE.values()) & NEVER


def test_the_stub_of_the_package_says_what_there_is() -> None:
    """__init__.pyi: the same names, each from the module that has it."""
    with tree_of("python") as nimmt:
        stub = ast.parse((root() / "__init__.pyi").read_text(encoding="utf-8"))
        public = {}
        for node in stub.body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    public[alias.asname or alias.name] = (node.module, alias.name)
        (listed,) = (ast.literal_eval(node.value) for node in stub.body if isinstance(node, ast.Assign))
        assert set(listed) == set(public) == set(nimmt.__all__) and len(listed) == len(nimmt.__all__)
        for name, (module, there) in public.items():
            assert getattr(importlib.import_module(f"nimmt.{module}"), there) is getattr(nimmt, name)


def test_packages_keep_to_themselves() -> None:
    wrong = []
    for package, seen in PACKAGES.items():
        for file in sorted((root() / package).rglob("*.py")) if (root() / package).exists() else []:
            for name, ours, _ in imports_of(file):
                if ours and name in set(PACKAGES) - seen:
                    wrong.append(f"{package}/{file.name} imports {name}")
    assert not wrong, wrong


@pytest.mark.parametrize("name", ["typing", "dataclasses", "enum", "abc", "functools", "__future__", "time", "random"])
def test_portable_files_never_name(name: str) -> None:
    """Not at the top, not in a function, not guarded by try."""
    for file in files_of(root()):
        if file.stem not in HOSTED:
            assert name not in {found for found, ours, _ in imports_of(file) if not ours}, file.name


def functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *[decorator.lineno for decorator in node.decorator_list]])
            yield node.name, (node.end_lineno or node.lineno) - first + 1


def test_files_are_short() -> None:
    long = []
    for file in files_of(root()):
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > LONG_FILES.get(file.name, LINES):
            long.append(f"{file.name}: {lines}")
    csrc = HERE.parent / "csrc"
    for file in [csrc / "nimmt.c", csrc / "nimmt.h"]:
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > LONG_FILES.get(file.name, C_LINES):
            long.append(f"{file.name}: {lines}")
    assert not long, long


def test_functions_are_short() -> None:
    long = []
    for file in files_of(root()):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        long += [f"{file.name} {name}: {lines}" for name, lines in functions(tree) if lines > FUNCTION]
    assert not long, long


FORBIDDEN = {
    "MatchAs": "match",
    "NamedExpr": "an assignment in an expression, which 1.20 has only in part",
    "AsyncFunctionDef": "async",
    "Starred in index": "a star in an index",
}


def test_portable_syntax() -> None:
    """What mpy-cross compiles and boards then do otherwise: DESIGN section 10."""
    wrong = []
    for file in files_of(root()):
        if file.stem in HOSTED:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            kind = type(node).__name__
            if kind in FORBIDDEN:
                wrong.append(f"{file.name}:{getattr(node, 'lineno', 0)}: {FORBIDDEN[kind]}")
            if isinstance(node, ast.arguments) and node.posonlyargs:
                wrong.append(f"{file.name}: positional-only arguments")
            if isinstance(node, ast.Attribute) and node.attr in ("_replace", "_asdict", "removeprefix", "removesuffix"):
                wrong.append(f"{file.name}:{node.lineno}: {node.attr}")
            if isinstance(node, ast.FormattedValue) and node.conversion != -1:
                wrong.append(f"{file.name}:{node.lineno}: !r in an f-string is not in 1.20")
            if isinstance(node, ast.ClassDef) and len(node.bases) > 1:
                wrong.append(f"{file.name}:{node.lineno}: two bases")
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "zip"
                and node.keywords
            ):
                wrong.append(f"{file.name}:{node.lineno}: zip(strict=)")
    assert not wrong, "\n".join(wrong)
