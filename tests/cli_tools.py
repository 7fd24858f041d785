"""Runs the command `nimmt` for its tests: in this process, as a process of its own, and at a terminal."""

from __future__ import annotations

import importlib
import io
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

GOLDEN = Path(__file__).resolve().parent / "golden" / "cli"
CONTROL = re.compile(r"\x1b\[[0-9;]*m")

# The child of a pty needs it as its controlling terminal: only then does Ctrl-C reach it as a signal.
_ON_TTY = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); from nimmt.cli import main; sys.exit(main())"
)


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Cli:
    """nimmt.cli.main on one backend, with captured output."""

    def __init__(self, nimmt: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.nimmt, self._capsys, self._monkeypatch = nimmt, capsys, monkeypatch

    def __call__(self, *argv: str | Path, stdin: str | bytes = "") -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        self._capsys.readouterr()
        code = self.module().main([str(word) for word in argv])
        return Done(code, *self._capsys.readouterr())

    def module(self, name: str = "") -> Any:
        """Return nimmt.cli, or one of its modules."""
        return importlib.import_module(f"nimmt.cli.{name}" if name else "nimmt.cli")

    def refused(self, code: int, *argv: str | Path, stdin: str | bytes = "") -> str:
        """Run what must fail with this code and one line on standard error; return the line."""
        done = self(*argv, stdin=stdin)
        assert (done.code, done.out) == (code, ""), done
        assert re.fullmatch(r"nimmt( [a-z]+)?: error: [^\n]+\n", done.err), done.err
        return done.err


def environment(nimmt: ModuleType, **extra: str) -> dict[str, str]:
    """Return the environment for a process with the same package and backend."""
    env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "PYTHONIOENCODING")}
    env["PYTHONPATH"] = str(Path(str(nimmt.__file__)).resolve().parent.parent)
    return {**env, "NIMMT_BACKEND": nimmt.backend, "PYTHONIOENCODING": "utf-8", **extra}


def process(nimmt: ModuleType, *argv: str | Path, stdin: str | bytes = "", merged: bool = False, **extra: str) -> Done:
    """Run python -m nimmt; `merged` puts standard error where standard output goes, in the order of writing."""
    done = subprocess.run(
        [sys.executable, "-m", "nimmt", *map(str, argv)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        env=environment(nimmt, **extra),
        timeout=120,
    )
    return Done(done.returncode, done.stdout.decode(), (done.stderr or b"").decode())


def child(nimmt: ModuleType, *argv: str | Path) -> subprocess.Popen[bytes]:
    """Start python -m nimmt, with pipes for what it prints."""
    command = [sys.executable, "-m", "nimmt", *map(str, argv)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(nimmt))


def golden(name: str, text: str) -> None:
    """Compare with a file of tests/golden/cli. NIMMT_GOLDEN=write in the environment writes it."""
    path = GOLDEN / name
    if os.environ.get("NIMMT_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def too_wide(text: str) -> list[str]:
    """Return the lines that do not fit on a terminal of 79 columns; for text without wide characters."""
    return [line for line in CONTROL.sub("", text).splitlines() if len(line) > 79]


class Terminal:
    """The command at a pseudo terminal."""

    def __init__(self, nimmt: ModuleType, *argv: str | Path, **extra: str) -> None:
        pty = pytest.importorskip("pty")
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ON_TTY, *map(str, argv)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(nimmt, **{"TERM": "xterm", **extra}),
            start_new_session=True,
        )
        os.close(slave)
        self.text, self._seen = "", 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def until(self, text: str) -> str:
        """Read until this text has come, and return what came with it."""
        deadline = time.monotonic() + 60
        while text not in self.text[self._seen :]:
            assert time.monotonic() < deadline and self._read(), f"no {text!r} in:\n{self.text[self._seen :]}"
        start, self._seen = self._seen, self.text.index(text, self._seen) + len(text)
        return self.text[start : self._seen]

    def type(self, text: str) -> None:
        """Type a line, or with a control character a key."""
        os.write(self._master, text.encode() if text in ("\x03", "\x04") else text.encode() + b"\r")

    def end(self) -> int:
        """Read to the end; return the exit code."""
        while self._read():
            pass
        return self._process.wait(60)

    def _read(self) -> bool:
        if not select.select([self._master], [], [], 60)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux says so when the other side has closed
            return False
        self.text += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
