"""Short names in a bundle that is to be compiled: a board keeps each name that it meets in its heap, once."""

from __future__ import annotations

import ast
import builtins
import itertools
import keyword
import string
from collections.abc import Collection, Iterable, Iterator

from .link import Package, bound
from .source import PACKAGE

#: MicroPython's compiler makes a name of a text that is no longer.
INTERNED = 10


def shortened(tree: ast.Module, public: Collection[str]) -> ast.Module:
    """Return a bundle with short names for what is not public: definitions, and arguments that are given by place only.

    Names of classes stay, for messages have them; so do the arguments of public functions, and of methods that are
    called by a name without an underscore.
    """
    tree = ast.parse(ast.unparse(tree))
    keywords = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg}
    outside = {*bound(tree.body), *dir(builtins), *keywords}
    members: set[str] = set()
    methods: set[ast.AST] = set()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name not in public:
            _shorten_arguments(statement, outside)
        for part in statement.body if isinstance(statement, ast.ClassDef) else ():
            members |= bound([part])
            methods.add(part)
            if isinstance(part, ast.FunctionDef) and part.name.startswith("_") and part.name != "__init__":
                _shorten_arguments(part, outside)
    nodes = list(ast.walk(tree))
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    inner = bound(s for s in tree.body if isinstance(s, (ast.FunctionDef, ast.Assign)))
    inner -= {*public, *members, *keywords, *arguments}
    taken = {name for node in nodes if node not in methods for name in _names(node)} | set(dir(builtins))
    # What is public in nimmt, and not here, is not to be found under its name.
    taken |= {*Package().module("").inner, *[path.stem for path in PACKAGE.iterdir()]}
    there = sorted({name for node in nodes for name in _kept(node)} - taken)
    called = dict(zip(sorted(inner), there))
    _rename(tree, called | _short(inner - set(called), taken.union(there)))
    return tree


def _kept(node: ast.AST) -> Iterator[str]:
    """Yield names that a board keeps in any case: those of attributes, methods and keywords, and short texts."""
    if isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.FunctionDef):
        yield node.name
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= INTERNED:
        yield from [node.value] if node.value.isidentifier() and not keyword.iskeyword(node.value) else []


def _shorten_arguments(function: ast.FunctionDef, outside: set[str]) -> None:
    """Rename the arguments of a function and of those in it, and whatever is called so there."""
    nodes = list(ast.walk(function))
    arguments = dict.fromkeys(node.arg for node in nodes if isinstance(node, ast.arg) and node.arg not in outside)
    _rename(function, _short(arguments, outside.union(name for node in nodes for name in _names(node))))


def _short(names: Iterable[str], taken: set[str]) -> dict[str, str]:
    """Return short names for these, none of them taken."""
    sizes = (itertools.product(string.ascii_lowercase, repeat=size) for size in itertools.count(1))
    found = map("".join, itertools.chain.from_iterable(sizes))
    fresh = (name for name in found if name not in taken and not keyword.iskeyword(name))
    return {name: new for name, new in zip(sorted(names), fresh) if len(new) < len(name)}


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node itself has; those of attributes and keywords are another matter."""
    for field in ("id", "name", "asname"):
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name
    if isinstance(node, ast.arg):
        yield node.arg
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names


def _rename(tree: ast.AST, called: dict[str, str]) -> None:
    """Give names other ones, wherever they stand in a tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = called.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = called.get(node.arg, node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ExceptHandler)) and node.name:
            node.name = called.get(node.name, node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [called.get(name, name) for name in node.names]
