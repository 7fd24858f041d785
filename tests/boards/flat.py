"""One flat file of the portable core modules, for the smallest boards: flattened, cut to what is asked for, minified.

No second engine: every statement comes from src/nimmt. Three mechanical steps, the first two on the syntax tree:
the modules in the order of their imports become one; numbers that are defined once stand where they are used, and
definitions that nothing asked for needs are left out; python-minifier takes out docstrings and annotations and
shortens names. Each line that does not begin with a space begins a statement, so a board can load it statement by
statement and never needs the memory to compile all of it at once.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent.parent / "src" / "nimmt"
MODULES = ("cards", "stream", "_pycore", "_pydeal", "_pycheck", "_pypolicy")

#: What a board needs to deal and play. Policies and nimmt_check are left out: ask for them where there is room.
VERBS = ("Stream", "deal", "choose", "resolve", "play", "take", "rows_for", "cheapest")


class Numbers(ast.NodeTransformer):
    """Puts numbers that a module defines where it uses them."""

    def __init__(self, known: dict[str, int] | None = None) -> None:
        self.known = dict(known or {})

    def define(self, statement: ast.stmt) -> bool:
        """Whether the statement does nothing but define numbers; they are noted."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return False
        try:
            value = eval(compile(ast.Expression(statement.value), "", "eval"), {"__builtins__": {}}, dict(self.known))
        except (NameError, TypeError):
            return False
        (target,) = statement.targets
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = list(value) if isinstance(target, ast.Tuple) else [value]
        if not all(isinstance(number, int) and abs(number) < 1 << 30 for number in values):
            return False  # a longer number is an object, better there once
        self.known.update({ast.unparse(name): number for name, number in zip(names, values, strict=True)})
        return True

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.known or not isinstance(node.ctx, ast.Load):
            return node
        number = self.known[node.id]
        return ast.parse(repr(number), mode="eval").body


def _statements() -> list[ast.stmt]:
    """The statements of all modules, without docstrings and the imports between these modules."""
    found: list[ast.stmt] = []
    for module in MODULES:
        for statement in ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8")).body:
            inner = isinstance(statement, ast.ImportFrom) and statement.level
            if not inner and not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                found.append(statement)
    return found


def _defines(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, ast.ImportFrom):
        return {alias.asname or alias.name for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _code_names(statement: ast.stmt) -> set[str]:
    """The names a statement needs, those in annotations left out: they are text to a board."""
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def flatten(verbs: tuple[str, ...] = VERBS) -> str:
    """The source of one module that has these verbs and what they need, not yet minified."""
    numbers = Numbers()
    kept = [numbers.visit(statement) for statement in _statements() if not numbers.define(statement)]
    needed, size = set(verbs), -1
    uses = [(_defines(statement), _code_names(statement)) for statement in kept]
    while size != len(needed):
        size = len(needed)
        for defined, used in uses:
            if defined & needed:
                needed |= used
    unknown = set(verbs) - {name for defined, _ in uses for name in defined}
    if unknown:
        raise SystemExit(f"no such verb: {', '.join(sorted(unknown))}")
    body = [statement for statement, (defined, _) in zip(kept, uses, strict=True) if defined & needed]
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))


def statements(source: str) -> list[str]:
    """The statements of a module, each with the lines under it that begin with a space."""
    return re.findall(r"^\S.*\n(?:[ \t].*\n)*", source, re.MULTILINE)


def minified(source: str, names: tuple[str, ...]) -> str:
    """A module without docstrings and with short names, but for these; arguments are given by place only."""
    from python_minifier import minify  # only those who make a flat file need it

    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            node.posonlyargs, node.args = node.posonlyargs + node.args, []
    short: str = minify(
        ast.unparse(tree),
        remove_literal_statements=True,
        rename_globals=True,
        preserve_globals=list(names),
        hoist_literals=False,
    )
    return short + "\n"


def flat_file(verbs: tuple[str, ...] = VERBS) -> str:
    """The flat file: one module with these verbs, in the order that suits the heap of a board.

    All names come first: so the table of the module grows before there is anything around it. Then definitions, the
    longest first, which are compiled while the heap is empty; nothing runs before all are there.
    """
    found = statements(minified(flatten(verbs), verbs))
    defining = [statement for statement in found if statement.startswith(("def ", "class "))]
    defining.sort(key=len, reverse=True)
    names = sorted({name for statement in ast.parse("".join(found)).body for name in _defines(statement)})
    first = "=".join(names) + "=0\n"
    return first + "".join(defining + [statement for statement in found if statement not in defining])


if __name__ == "__main__":
    print(flat_file(tuple(sys.argv[1:]) or VERBS))
