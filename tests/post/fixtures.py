"""A file of games for the tests that ask for `path` or `store`; they say pytest_plugins = "post.fixtures"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
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
