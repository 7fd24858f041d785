"""What the tests here share: files of games (`path`, `store`) and the dealer's desk (`desk`, `friday`).

A test file that asks for them says pytest_plugins = "post.fixtures".
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from post.desk import Desk
from post.helpers import started

from nimmt.post import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A file with one game of three, "friday", which has started."""
    with Store(path) as store:
        started(store)
        yield store


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path / "post.db", capsys)


@pytest.fixture
def friday(desk: Desk) -> Desk:
    """A file with one game, "friday", that three have joined."""
    desk.ok("new", "friday", "--seed", 3)
    for name in ("Ann", "Bob", "Cleo"):
        desk.ok("join", name)
    return desk
