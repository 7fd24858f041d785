"""What the names that were asked for reach: definitions, and of classes the methods. All else is left out.

A method is reached if its name is: as an attribute, whatever it is an attribute of. Where code asks for an attribute by
a name that it makes at run time, every text of the bundle may be that name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .link import Package, bound
from .source import CannotBundle

#: Methods that show a value to people: in a bundle only if the class was asked for whole, or these by name.
SHOWN = ("__str__", "__repr__")


class Root(NamedTuple):
    """What was asked for: a definition, and one method of it, or all that are public if None."""

    public: str
    meaning: str
    method: str | None = None


class Uses:
    """What a piece of code needs.

    meanings       definitions
    attributes     the names of attributes
    prefixes       what begins the names that getattr() is called with
    texts          words that may be the rest of such names
    """

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.meanings: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: set[str] = set()
        self.prefixes: set[str] = set()
        for node in nodes:
            for part in ast.walk(node):
                self._note(part)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name) and not node.id.isidentifier():
            self.meanings.add(node.id)
        elif isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Constant):  # as in " ".join(...)
            self.attributes.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.texts.update(node.value.split())
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "setattr"):
            name = node.args[1]
            start = name.left if isinstance(name, ast.BinOp) else name
            fixed = str(start.value) if isinstance(start, ast.Constant) else ""
            (self.attributes if fixed and start is name else self.prefixes).add(fixed)


class Reach:
    """The definitions of a package that roots reach; `body` has their statements in the order of the modules."""

    def __init__(self, package: Package, roots: Iterable[Root]) -> None:
        self._package = package
        self._uses = Uses(())
        self._kept: set[int] = set()
        self._uses.meanings.update(root.meaning for root in roots)
        self._asked = {id(part) for root in roots for part in asked(package, root)}
        size = -1
        while size != len(self._kept):
            size = len(self._kept)
            for statement in self._reached():
                self._keep_parts(statement)
        self.body = self._reached()
        for statement in self.body:
            if isinstance(statement, ast.ClassDef):
                statement.body = [part for part in statement.body if id(part) in self._kept] or [ast.Pass()]
        self.imports = sorted(meaning for meaning in self._uses.meanings if ":" not in meaning)

    def _reached(self) -> list[ast.stmt]:
        """Return the statements that are reached by what was kept so far."""
        for module in {meaning.rpartition(":")[0] for meaning in self._uses.meanings if ":" in meaning}:
            self._package.link(module)
        return [statement for statement in self._package.statements() if defined(statement) & self._uses.meanings]

    def _keep_parts(self, statement: ast.stmt) -> None:
        """Keep a statement, or of a class what is used of it."""
        if not isinstance(statement, ast.ClassDef):
            self._keep(statement)
            return
        for head in [*statement.bases, *statement.decorator_list]:
            self._keep(head)
        for part in statement.body:
            if id(part) in self._asked or any(self._is_used(name) for name in bound([part])):
                self._keep(part)

    def _keep(self, node: ast.AST) -> None:
        if id(node) not in self._kept:
            self._kept.add(id(node))
            uses = Uses([node])
            for mine, new in zip(vars(self._uses).values(), vars(uses).values(), strict=True):
                mine |= new

    def _is_used(self, name: str) -> bool:
        """Is a name of a class used? Names such as __eq__ are, by the language, but what is SHOWN must be asked for."""
        uses = self._uses
        if name in uses.attributes or name[:2] == name[-2:] == "__" and name not in SHOWN:
            return True
        return any(name.startswith(prefix) and name[len(prefix) :] in uses.texts for prefix in uses.prefixes)


def asked(package: Package, root: Root) -> list[ast.stmt]:
    """Return the parts of classes that a root asks for itself."""
    parts = [(part, bound([part])) for kind in _classes(package, root.meaning) for part in kind.body]
    public = {name for _, names in parts for name in names if not name.startswith("_")}
    if root.method is None:
        return [part for part, names in parts if names & public.union(SHOWN)]
    found = [part for part, names in parts if root.method in names]
    values = {name for part, _ in parts for node in ast.walk(part) for name in _set(node)}
    if not found and root.method not in values:
        there = f"but has {', '.join(sorted(public))}" if public else "since it is not a class"
        raise CannotBundle(f"{root.public} has no {root.method!r}, {there}")
    return found


def _set(node: ast.AST) -> list[str]:
    """Return the name of the attribute that is set here, if any."""
    return [node.attr] if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) else []


def _classes(package: Package, meaning: str) -> Iterator[ast.ClassDef]:
    """Yield a class and the classes that it is made of; nothing for another definition."""
    package.link(meaning.rpartition(":")[0])
    for statement in package.statements():
        if isinstance(statement, ast.ClassDef) and statement.name == meaning:
            yield statement
            for base in statement.bases:
                if isinstance(base, ast.Name) and ":" in base.id:
                    yield from _classes(package, base.id)


def defined(statement: ast.stmt) -> set[str]:
    """Return what a statement of a module defines, or raise CannotBundle if it does something else."""
    names = {name for name in bound([statement]) if ":" in name}
    if not names and not isinstance(statement, ast.Pass):
        raise CannotBundle(f"a bundle cannot have a statement that defines nothing: {ast.unparse(statement)}")
    return names
