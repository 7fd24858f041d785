"""The text form of the core, for boards that have no room to compile a module: they load it statement by statement.

Each line that does not begin with a space or a tab begins a statement, so never more than one is compiled at a time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from .bundle import bundle
from .link import bound
from .source import CannotBundle, Missing

#: What stands in place of modules: short checks for args.py, whose messages a micro:bit has no room for.
SHORT = {
    "args": """
def checked_word(value, what, bits=64):
    if type(value) is not int or value >> bits:
        raise ValueError(what)
    return value

def in_range(value, what, low, high):
    if type(value) is not int or not low <= value <= high:
        raise ValueError(what)
    return value
"""
}

#: The module that loads the text form; `import nimmt` finds it and has the names.
LOADER = """
import gc, micropython
micropython.opt_level(3)  # line numbers take room
file = open("nimmt.flat")
statement = file.readline()
while statement:
    line = file.readline()
    while line[:1] in ("\\t", " "):
        statement += line
        line = file.readline()
    exec(statement)
    statement = line
    gc.collect()
file.close()
del gc, micropython, file, statement, line
"""


def text_form(names: Sequence[str]) -> str:
    """Return the text form of these names of the core, in the order that suits the heap of a board.

    All names come first: so the table of the module grows before there is anything around it. Then definitions, the
    longest first, which are compiled while the heap is empty; nothing runs before all are there.
    """
    made = bundle(names)  # which refuses unknown names
    try:
        made = bundle(names, instead=SHORT)
    except CannotBundle:
        raise CannotBundle(f"the text form has room for the core and Stream, but not for {' '.join(names)}") from None
    found = statements(minified(ast.unparse(made.tree), made.public))
    defining = [statement for statement in found if statement.startswith(("def ", "class "))]
    defining.sort(key=len, reverse=True)
    first = "=".join(sorted(bound(ast.parse("".join(found)).body))) + "=0\n"
    return first + "".join(defining + [statement for statement in found if statement not in defining])


def statements(source: str) -> list[str]:
    """Return the statements of a module, each with the lines under it that begin with a space or a tab."""
    return re.findall(r"^\S.*\n(?:[ \t].*\n)*", source, re.MULTILINE)


def minified(source: str, names: Iterable[str]) -> str:
    """Return a module with short names, but for these; arguments are given by place only."""
    try:
        from python_minifier import minify
    except ImportError:
        raise Missing("python-minifier", "the text form cannot be made") from None
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
