"""What the documents show is run: Python sessions by doctest on both backends, C and shell as a reader would."""

from __future__ import annotations

import builtins
import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tools import need

ROOT = Path(__file__).parent.parent


def blocks(name: str, language: str) -> list[str]:
    """Return the code blocks of a document in a language."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # simulate is slow without C, and says so
@pytest.mark.parametrize("name", ["README.md", "docs/errors.md"])
def test_sessions(nimmt: ModuleType, name: str) -> None:
    session = "\n".join(blocks(name, "python"))
    test = doctest.DocTestParser().get_doctest(session, {"nimmt": nimmt}, name, name, 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner().run(test).failed == 0  # with the messages of errors


def errors(nimmt: ModuleType) -> dict[str, type]:
    """The exception classes that callers can import, by the shortest public name; and TypeError."""
    found: dict[str, type] = {"TypeError": TypeError}
    for name in ("", "post", "protocol", "sim"):
        room = importlib.import_module("nimmt." + name) if name else nimmt
        for word, value in vars(room).items():
            if inspect.isclass(value) and issubclass(value, BaseException) and value not in found.values():
                found[f"nimmt.{name}.{word}".replace("..", ".")] = value
    return found


def test_the_page_of_errors_has_them_all(nimmt: ModuleType) -> None:
    """Each in a paragraph of its own, and in the tree below its base; and none that is not there."""
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    found = errors(nimmt)
    assert set(re.findall(r"\*\*`([\w.]+)`\*\*", text)) == set(found)
    (tree,) = [block for block in blocks("docs/errors.md", "text") if "NimmtError" in block]
    above: list[str] = []
    for line in tree.splitlines():
        mark, name = re.findall(r"^([│├└─ ]*)([\w.]+)", line)[0]
        above = [*above[: len(mark) // 4], name]
        kind = getattr(builtins, name, None) or found[f"nimmt.{name}"]
        if len(above) > 1:
            base = getattr(builtins, above[-2], None) or found[f"nimmt.{above[-2]}"]
            assert kind.__bases__ == (base,), line


def test_every_error_of_the_source_is_public(nimmt: ModuleType) -> None:
    """Outside the command, whose exceptions end in its messages."""
    names = {name.split(".")[-1] for name in errors(nimmt)}
    for file in (ROOT / "src" / "nimmt").rglob("*.py"):
        for name, bases in re.findall(r"^ *class (\w+)\((.*)\):", file.read_text(encoding="utf-8"), re.MULTILINE):
            raised = re.search(r"Error|Exception|Interrupt|IllegalMove|WrongPhase|BadRecord", bases)
            assert not raised or {"cli", "board"} & set(file.parts) or name in names, f"{file}: {name}"


def test_the_page_of_errors_has_all_codes_of_the_core() -> None:
    header = (ROOT / "csrc" / "nimmt.h").read_text(encoding="utf-8")
    codes = re.findall(r"(NIMMT_E_\w+) = (-\d+)", header)
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(NIMMT_E_\w+)` \| (-\d+) \|", text, re.MULTILINE) == codes
    assert len(codes) == 11


def test_docstring_of_the_package(nimmt: ModuleType) -> None:
    test = doctest.DocTestParser().get_doctest(nimmt.__doc__ or "", {}, "nimmt", None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_c_example(tmp_path: Path) -> None:
    need("cc")
    (program,) = blocks("README.md", "c")
    (tmp_path / "example.c").write_text(program)
    (command,) = [block for block in blocks("README.md", "sh") if block.startswith("cc ")]
    line = command.replace("csrc", str(ROOT / "csrc"))
    run = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == "seat 0: heads 15\nseat 1: heads 1\nseat 2: heads 20\nseat 3: heads 12\n"


DOCUMENTS = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/*.md"),
    *ROOT.glob("bench/*.md"),
    *ROOT.glob("examples/*/*.md"),
]


def test_links_lead_somewhere() -> None:
    wrong = []
    for file in DOCUMENTS:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", file.read_text(encoding="utf-8")):
            to = (file.parent / target).resolve() if target else file
            heads = re.findall(r"^#+ (.*)$", to.read_text(encoding="utf-8"), re.MULTILINE) if to.suffix == ".md" else []
            anchors = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
            if not to.exists() or anchor and anchor not in anchors:
                wrong.append(f"{file.relative_to(ROOT)}: {target}#{anchor}")
    assert not wrong


def test_the_index_has_every_document() -> None:
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    linked = {(ROOT / "docs" / target).resolve() for target in re.findall(r"\]\(([^)#]+)\)", text)}
    assert {file.resolve() for file in DOCUMENTS} == linked | {(ROOT / "docs" / "README.md").resolve()}


def test_extras_that_are_named_exist() -> None:
    """In hints of the code and in documents: nimmt[plot], '.[plot,dask]'."""
    extras = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("[project.optional-dependencies]")[1]
    known = set(re.findall(r"^(\w+) = \[", extras.split("\n[")[0], re.MULTILINE))
    assert {"c", "dask", "numpy", "plot"} < known
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("src/**/*.py"), ROOT / "Makefile"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    named = {extra for names in re.findall(r"(?:\bnimmt|'\.)\[([\w,]+)\]", text) for extra in names.split(",")}
    assert named == known


def test_shell_command_of_the_readme() -> None:
    (command,) = [block for block in blocks("README.md", "sh") if block.startswith("nimmt resolve")]
    line = command.replace("nimmt ", f"{sys.executable} -m nimmt ", 1)
    run = subprocess.run(line, shell=True, capture_output=True, text=True, check=True)
    assert "62" in run.stdout
    assert "29" in run.stdout
