"""What the documents show is run: Python sessions by doctest on both backends, C and shell as a reader would."""

from __future__ import annotations

import doctest
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
@pytest.mark.parametrize("name", ["README.md"])
def test_sessions(nimmt: ModuleType, name: str) -> None:
    session = "\n".join(blocks(name, "python"))
    test = doctest.DocTestParser().get_doctest(session, {"nimmt": nimmt}, name, name, 0)
    assert len(test.examples) > 10
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert runner.run(test).failed == 0


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
