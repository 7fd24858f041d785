"""The API reference: pages made from docstrings by pdoc. `make docs` writes them to build/docs.

    python docs/reference.py FOLDER

Docstrings are written to be read in help(): parameters stand in columns, a name and what it is. Here the columns become
lists, since Markdown would make one paragraph of them; a constant and a field have the text that stands for them in the
columns of their module or class; and a class shows what it has from classes without a page.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

import pdoc
from pdoc import doc, render

#: The modules with a page. All others are rooms of the house, and may change.
PUBLIC = (
    "nimmt",
    "nimmt.arena",
    "nimmt.bots",
    "nimmt.errors",
    "nimmt.events",
    "nimmt.post",
    "nimmt.protocol",
    "nimmt.record",
    "nimmt.sim",
    "nimmt.slots",
    "nimmt.worlds",
)

#: A name or names, and what it is.
_COLUMNS = re.compile(r"(?P<names>[\w\"].*?)  +(?P<text>\S.*)")


def columns(block: str) -> list[tuple[str, str]]:
    """Return what stands in the columns of a part of a docstring, as (names, text); [] if it has none."""
    pairs: list[tuple[str, str]] = []
    for line in block.split("\n"):
        found = _COLUMNS.fullmatch(line)
        if found and not line.startswith(">>>"):
            pairs.append((found["names"], found["text"]))
        elif pairs and line.startswith(" "):
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {line.strip()}")
        else:
            return []
    return pairs


def as_markdown(text: str) -> str:
    """Turn the columns of a docstring into lists."""
    blocks = []
    for block in text.split("\n\n"):
        items = [f"- `{names}`: {what}" for names, what in columns(block)]
        blocks.append("\n".join(items) or block)
    return "\n\n".join(blocks)


def modules() -> list[doc.Module]:
    """Return the public modules as pdoc sees them, with all texts."""
    found = [doc.Module.from_name(name) for name in PUBLIC]
    found[0].submodules = found[1:]  # with those that are loaded when they are imported
    for module in found:
        _give_texts(module, module.own_members)
        for one in module.flattened_own_members:
            if isinstance(one, doc.Class):
                if issubclass(one.obj, tuple):
                    one.members.pop("__init__", None)  # the engine makes them
                one.own_members = [each for each in one.members.values() if each.taken_from[0].startswith("nimmt")]
                _give_texts(one, one.own_members)
    return found


def _give_texts(owner: doc.Namespace[Any], members: list[doc.Doc[Any]]) -> None:
    """Give constants and fields the texts that their __slots__ have, or the columns of their module or class."""
    texts = {}
    for block in owner.docstring.split("\n\n"):
        for names, text in columns(block):
            texts.update(dict.fromkeys(names.split(", "), text))
    for each in members:
        if isinstance(each, doc.Variable) and (not each.docstring or each.docstring.startswith("Alias for field")):
            slot = getattr(owner.obj, each.name, None)
            each.docstring = (inspect.ismemberdescriptor(slot) and inspect.getdoc(slot)) or texts.get(each.name, "")


def write(folder: Path) -> None:
    """Write the pages, an index of them and what searches them."""
    modules()
    render.configure(docformat="markdown", show_source=False)
    render.env.filters["to_markdown"] = as_markdown
    first, *others = PUBLIC
    pdoc.pdoc(first, f"!{first}[.]", *others, rf"!{first}[.]\w+[.]", output_directory=folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
