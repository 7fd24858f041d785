"""One module for a board, made of the names that were asked for and what they reach."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from .link import Package
from .reach import Reach, Root, defined
from .source import INSTEAD, PACKAGE, CannotBundle

#: Where a name is looked for that has no module before it.
PUBLIC = ("", "protocol", "arena", "bots", "slots", "worlds", "stream", "rules", "record")

#: What the core is called from outside.
CORE = {"core": "core.python"}


class Bundle(NamedTuple):
    """A module, and the names in it that are there to be used."""

    tree: ast.Module
    public: list[str]


def bundle(names: Iterable[str], folder: Path = PACKAGE, instead: Mapping[str, str] | None = None) -> Bundle:
    """Return a module that has these public names, and what they need under names of its own.

    `instead` has texts for modules that are to be other ones than in the folder.
    """
    package = Package(folder, {**INSTEAD, **(instead or {})})
    roots = [_root(package, name) for name in names]
    reach = Reach(package, roots)
    public = {root.meaning: root.public for root in roots}
    called = _names(package, reach, public)
    kept = reach.body
    if "port:fields_of" not in called and "port:NamedTuple" in called:
        # Nothing asks for the fields of named tuples: those of the library will do, which do not tell them.
        kept = [statement for statement in kept if not defined(statement) & {"port:NamedTuple", "port:_FIELDS"}]
        called["port:NamedTuple"] = called["from collections import namedtuple"]
    body: list[ast.stmt] = []
    for statement in reach.imports:
        body += ast.parse(statement).body
    body += [_Namer(called).visit(statement) for statement in kept]
    for meaning, name in public.items():
        if called[meaning] != name:
            body += ast.parse(f"{name} = {called[meaning]}").body
    return Bundle(ast.fix_missing_locations(ast.Module(body, [])), sorted(public.values()))


def _root(package: Package, name: str) -> Root:
    """Return what a public name asks for: `Game`, `Game.play`, `core.deal`, `arena.play_game`."""
    parts = name.split(".")
    private = [part for part in parts if part.startswith("_") and not part.endswith("__")]
    if not all(part.isidentifier() for part in parts) or private:
        raise CannotBundle(f"{name!r} is not a public name of nimmt")
    modules = [CORE[parts.pop(0)]] if parts[0] in CORE else PUBLIC
    for module in modules:
        found = _found(package, module, parts)
        if found is not None:
            return found
    raise CannotBundle(f"nimmt has no public name {name!r}")


def _found(package: Package, module: str, parts: list[str]) -> Root | None:
    """Return what the parts of a name mean from a module on; None if there is no such definition, or one too deep."""
    at = module + ":"
    for number, part in enumerate(parts):
        if not at.endswith(":"):
            return Root(parts[number - 1], at, part) if number == len(parts) - 1 else None
        if not package.has(at[:-1], part):
            return None
        at = package.find(at[:-1], part)
    return None if at.endswith(":") else Root(parts[-1], at)


def _names(package: Package, reach: Reach, public: dict[str, str]) -> dict[str, str]:
    """Return what each definition is called in the bundle: as in its module, where nothing else is called so."""
    called: dict[str, str] = {}
    found = [name for statement in reach.body for name in sorted(defined(statement))]
    for meaning in sorted(reach.imports + found, key=lambda meaning: meaning not in public):
        module, _, name = meaning.replace(" ", ":").rpartition(":")
        name = public.get(meaning, name)
        others = {other for other in public.values() if public.get(meaning) != other}
        taken = {*called.values(), *others, *dir(builtins)} | package.hidden.get(meaning, set())
        tries = [name, f"{name}_{module.rpartition('.')[2]}", *(f"{name}_{number}" for number in range(2, 100))]
        called.setdefault(meaning, next(name for name in tries if name not in taken))
    return called


class _Namer(ast.NodeTransformer):
    """Puts the names of the bundle where meanings stand."""

    def __init__(self, called: dict[str, str]) -> None:
        self.called = called

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.called.get(node.id, node.id), node.ctx)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.called.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self.called.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        return ast.Global([self.called.get(name, name) for name in node.names])

    def visit_alias(self, node: ast.alias) -> ast.alias:
        name = self.called.get(node.asname or "", node.asname)
        return ast.alias(node.name, None if name == node.name else name)
