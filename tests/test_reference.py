"""The API reference: every public name has a text of its own, in help() and on a page that `make docs` writes."""

from __future__ import annotations

import inspect
import pydoc
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from conftest import tree_of
from tools import missing

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "docs"))
if TYPE_CHECKING:
    import reference
else:
    try:
        import reference
    except ImportError:  # a user's machine without pdoc
        reference = None


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the reference."""
    if reference is None:
        missing("pdoc")
    folder = tmp_path_factory.mktemp("reference")
    with tree_of("python"):
        reference.write(folder)
    return folder


def documented() -> Iterator[tuple[Any, Any]]:
    """Yield what has a place in the reference: its module, and pdoc's view of it."""
    for module in reference.modules():
        for member in module.flattened_own_members:
            if member.name.startswith("_"):
                continue
            yield module, member
            for each in getattr(member, "own_members", ()):
                if not each.name.startswith("_"):
                    yield module, each


def page_of(folder: Path, module: str) -> str:
    return (folder / (module.replace(".", "/") + ".html")).read_text(encoding="utf-8")


def test_every_public_name_has_a_text(pages: Path) -> None:
    with tree_of("python"):
        found = list(documented())
    names = {f"{module.fullname}.{each.qualname}" for module, each in found}
    some = {"Game.choose", "Game.rows", "Game.scores", "View.lying", "Placed.side", "Rules.limit", "BASE", "resolve"}
    some |= {"arena.Standing.ranks", "post.Settings.first", "sim.Seat.score", "sim.Batch.heads", "record.Step.move"}
    assert {f"nimmt.{name}" for name in some} <= names
    silent = [
        f"{module.fullname}.{each.qualname}"
        for module, each in found
        if len(each.docstring.split()) < 2 or each.docstring.startswith("Alias for field number")
    ]
    assert not silent


def test_every_public_module_has_a_page(pages: Path) -> None:
    written = {str(file.relative_to(pages).with_suffix("")).replace("/", ".") for file in pages.rglob("*.html")}
    assert written == {"index", *reference.PUBLIC}
    first = page_of(pages, "nimmt")
    with tree_of("python"):
        found = list(documented())
    for name in reference.PUBLIC:
        assert name == "nimmt" or f'href="{name.replace(".", "/")}.html"' in first
        text = page_of(pages, name)
        members = [each for module, each in found if module.fullname == name]
        assert members, name
        for each in members:
            assert f'id="{each.qualname}"' in text, each.fullname
        assert text.count('class="docstring"') > len(members), name


class Text(HTMLParser):
    """The text of a page in paragraphs and items of lists, with their spaces."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.paragraphs: list[str] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: object) -> None:
        if tag in ("p", "li"):
            self.inside = True
            self.paragraphs.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("p", "li")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.paragraphs[-1] += data


def test_columns_are_lists(pages: Path) -> None:
    """Columns that became a paragraph would have lost their lines, and have wide gaps."""
    for name in reference.PUBLIC:
        paragraphs = Text(page_of(pages, name)).paragraphs
        assert paragraphs
        assert not [text for text in paragraphs if re.search(r"\S  +\S", text)], name
    text = "What it is.\n\na, b           one\n               line\nc              two\n\nThe end."
    assert reference.as_markdown(text) == "What it is.\n\n- `a, b`: one line\n- `c`: two\n\nThe end."
    assert reference.as_markdown("    x          code") == "    x          code"
    assert reference.as_markdown(">>> f(1)         # says\n3") == ">>> f(1)         # says\n3"


# In help(), on both backends


def named_tuples(nimmt: ModuleType) -> list[Any]:
    """The kinds of named tuples that callers get from the engine."""
    rooms = [nimmt, nimmt.events, nimmt.arena, nimmt.record]
    kinds = {value for room in rooms for value in vars(room).values() if inspect.isclass(value)}
    return sorted([kind for kind in kinds if issubclass(kind, tuple) and hasattr(kind, "_fields")], key=str)


def test_fields_have_texts_at_run_time(nimmt: ModuleType) -> None:
    kinds = named_tuples(nimmt)
    assert {"View", "Turn", "Placed", "GameOver", "Standing", "Match", "Step"} <= {kind.__name__ for kind in kinds}
    for kind in kinds:
        help = pydoc.plain(pydoc.render_doc(kind))
        assert "Alias for field" not in help
        assert "ForwardRef" not in help
        assert kind.__doc__ and not kind.__doc__.startswith(kind.__name__ + "("), "the text that namedtuple makes"
        for field in kind._fields:
            text = getattr(kind, field).__doc__
            assert len(text.split()) > 1, (kind, field)
            assert text in help


@pytest.mark.parametrize("name", ["Game", "Referee", "Round", "Rules", "Stream"])
def test_members_have_texts_at_run_time(nimmt: ModuleType, name: str) -> None:
    kind = getattr(nimmt, name)
    members = [member for member in dir(kind) if not member.startswith("_")]
    assert len(members) > 2
    for member in members:
        assert inspect.getdoc(getattr(kind, member)), member
