"""The dealer's desk of the tests: `nimmt post` on one file, at a time of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nimmt import cli
from nimmt.post import Store

NOW = "2026-08-13T18:00"


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Desk:
    """Runs `nimmt post` on one file at a time of its own."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path, self.capsys, self.now, self.more = path, capsys, NOW, list[str]()

    def __call__(self, *argv: Any) -> Done:
        command = ["post", *map(str, argv), "--file", str(self.path), "--now", self.now, *self.more]
        code = cli.main(command)
        return Done(code, *self.capsys.readouterr())

    def ok(self, *argv: Any) -> str:
        """Run what must be accepted; return standard output."""
        done = self(*argv)
        assert done.code == 0, done
        return done.out

    def refused(self, *argv: Any, code: int = 1) -> str:
        """Run what must fail with one line on standard error and change nothing; return the line."""
        before = self.path.read_bytes() if self.path.is_file() else None
        done = self(*argv)
        assert (done.code, done.out) == (code, ""), done
        assert re.fullmatch(r"nimmt( [a-z-]+)*: error: [^\n]+\n", done.err), done.err
        assert (self.path.read_bytes() if self.path.is_file() else None) == before
        return done.err

    def store(self) -> Store:
        return Store(self.path, create=False)
