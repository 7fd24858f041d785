"""The modules of the package as a board sees them: without what only people, type checkers and CPython read."""

from __future__ import annotations

import ast
from pathlib import Path

from ..errors import NimmtError

#: The folder of the package.
PACKAGE = Path(__file__).parent.parent

#: What MicroPython never looks at: slots, and the protocols of copy, pickle, dir and `import *`.
CPYTHON = ("__slots__", "__copy__", "__deepcopy__", "__reduce__", "__dir__", "__all__")

#: Modules that MicroPython does not have: of two ways to get a name, the one without them is taken.
ABSENT = ("typing", "collections.abc", "threading")

#: What is known of every board.
KNOWN = {"TYPE_CHECKING": False, "not TYPE_CHECKING": True, "sys.implementation.name == 'micropython'": True}

#: Where the lock of a table is taken, and where it is made: on boards port.py has none.
LOCK, NEW_LOCK = "self._lock", "new_lock()"

#: Functions that only document something.
DOCUMENTS = ("explain",)

#: Modules that are another one on a board. There only the core in Python is to be chosen from.
INSTEAD = {
    "core": """
from . import python as core
name = "python"
reason = "this bundle for a board has the core in Python alone"
"""
}


class CannotBundle(NimmtError):
    """A name that a bundle cannot have, or a module that is written in a way that a bundle cannot be made of."""


class Missing(NimmtError):
    """A program or package that is not installed here."""

    def __init__(self, what: str, result: str) -> None:
        super().__init__(f"{what} is not installed, so {result}: pip install 'nimmt[board]' brings it")


def path_of(package: Path, module: str) -> Path | None:
    """Return the file of a module, whose name is relative to the package, or None if there is no such module."""
    at = package.joinpath(*module.split(".")) if module else package
    for file in (at / "__init__.py", at.with_suffix(".py")):
        if file.exists():
            return file
    return None


def stripped(text: str) -> list[ast.stmt]:
    """Return the statements of a module as a board sees them."""
    tree = ast.parse(text)
    _Strip().generic_visit(tree)
    return [statement for statement in tree.body if not _documents(statement)]


def _documents(statement: ast.stmt) -> bool:
    """Is this explain(...), or does it set a docstring?"""
    if isinstance(statement, ast.Assign):
        return all(isinstance(target, ast.Attribute) and target.attr == "__doc__" for target in statement.targets)
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in DOCUMENTS


class _Strip(ast.NodeTransformer):
    """Takes annotations, docstrings, locks and what CPYTHON names out, and decides what is known of a board."""

    def visit(self, node: ast.AST) -> ast.AST:
        found: ast.AST = super().visit(node)
        if isinstance(getattr(found, "body", None), list) and not isinstance(found, ast.Module):
            found.body = found.body or [ast.Pass()]  # type: ignore[attr-defined]
        return found

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef | None:
        if node.name in CPYTHON:
            return None
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        if node.value is None:
            return None
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        self.generic_visit(node)
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = [pair for pair in zip(target.elts, value.elts, strict=True) if ast.unparse(pair[1]) != NEW_LOCK]
            target.elts, value.elts = map(list, zip(*pairs, strict=True))
        return None if ast.unparse(target) in CPYTHON or ast.unparse(value) == NEW_LOCK else node

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        self.generic_visit(node)
        return None if isinstance(node.value, ast.Constant) else node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """NamedTuple with names alone: the types say nothing to a board."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "NamedTuple" and isinstance(node.args[1], ast.List):
            pairs = [ast.literal_eval(pair.elts[0]) for pair in node.args[1].elts if isinstance(pair, ast.Tuple)]
            node.args[1] = ast.Tuple([ast.Constant(name) for name in pairs], ast.Load())
        return node

    def visit_If(self, node: ast.If) -> ast.If | list[ast.stmt]:
        self.generic_visit(node)
        known = KNOWN.get(ast.unparse(node.test))
        return node if known is None else node.body if known else node.orelse

    def visit_With(self, node: ast.With) -> ast.With | list[ast.stmt]:
        self.generic_visit(node)
        return node.body if ast.unparse(node.items[0].context_expr) == LOCK else node

    def visit_Try(self, node: ast.Try) -> ast.Try | list[ast.stmt]:
        self.generic_visit(node)
        absent = [s for s in node.body if isinstance(s, ast.ImportFrom) and not s.level and s.module in ABSENT]
        return node.handlers[0].body if absent else node
