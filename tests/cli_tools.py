"""Runs the command `nimmt` for its tests: in this process, as a process of its own, and at a terminal."""

from __future__ import annotations

import importlib
import io
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

GOLDEN = Path(__file__).resolve().parent / "golden" / "cli"
CONTROL = re.compile(r"\x1b\[[0-9;]*m")

# Ctrl-C counts, also where the tests themselves ignore it: nohup and `make test &` make them do so.
_START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from nimmt.cli import main; sys.exit(main())"
)
# The child of a pty needs it as its controlling terminal: only then does Ctrl-C reach it as a signal.
_ON_TTY = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); " + _START

DEADLINE = 60  # seconds that a test waits at most


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
        timeout=2 * DEADLINE,
    )
    return Done(done.returncode, done.stdout.decode(), (done.stderr or b"").decode())


class Child:
    """The command as a process of its own, with pipes. It is killed at the deadline: then no read waits any longer."""

    def __init__(self, nimmt: ModuleType, *argv: str | Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, argv)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(nimmt),
        )
        assert self._process.stdout and self._process.stderr
        self.stdout, self.stderr = self._process.stdout, self._process.stderr
        self._timer = threading.Timer(DEADLINE, self._process.kill)
        self._timer.start()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        self._process.kill()
        self._process.__exit__(None, None, None)

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Wait for the end; return the exit code."""
        return self._process.wait(DEADLINE)


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
        deadline = time.monotonic() + DEADLINE
        while text not in self.text[self._seen :]:
            assert time.monotonic() < deadline and self._read(), f"no {text!r} in:\n{self.text[self._seen :]}"
        start, self._seen = self._seen, self.text.index(text, self._seen) + len(text)
        return self.text[start : self._seen]

    def type(self, text: str) -> None:
        """Type a line, or with a control character a key."""
        os.write(self._master, text.encode() if text in ("\x03", "\x04") else text.encode() + b"\r")

    def end(self) -> int:
        """Read to the end; return the exit code."""
        deadline = time.monotonic() + DEADLINE
        while self._read():
            assert time.monotonic() < deadline, self.text[self._seen :]
        return self._process.wait(DEADLINE)

    def _read(self) -> bool:
        if not select.select([self._master], [], [], DEADLINE)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # Linux says so when the other side has closed
            return False
        self.text += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
