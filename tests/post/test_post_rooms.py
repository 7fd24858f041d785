"""The files of nimmt.post and of its command, lowest first: imports point down the list."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from nimmt import post

FOLDER = Path(post.__file__).parent
ROOMS = {
    FOLDER: ["errors", "texts", "messages", "state", "flow", "calls", "dealer", "schema", "store", "__init__"],
    FOLDER.parent / "cli" / "post": ["args", "show", "desk", "__init__"],
}
FILES = [folder / f"{name}.py" for folder, names in ROOMS.items() for name in names]


def test_every_file_has_its_room() -> None:
    for folder, names in ROOMS.items():
        assert sorted(names) == sorted(file.stem for file in folder.glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_imports_stand_at_the_top_and_point_down(file: Path) -> None:
    names = ROOMS[file.parent]
    below = names[: names.index(file.stem)]
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 1]:
        assert node in tree.body, ast.unparse(node)
        imported = {node.module} if node.module else {alias.name for alias in node.names}
        assert imported <= set(below), ast.unparse(node)
