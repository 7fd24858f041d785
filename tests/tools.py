"""Tools a test may need and a machine may lack: such a test is skipped there, but fails where CI is set."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest


def missing(what: str) -> NoReturn:
    """Skip the running test because of what is missing; fail it in CI, where everything must be there."""
    if os.environ.get("CI"):
        pytest.fail(f"CI is set, but there is no {what}")
    pytest.skip(f"no {what} on this machine")


def need(*names: str) -> str:
    """The path of the first of these programs that is installed."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    missing(" or ".join(names))


def compiler() -> list[str]:
    """The C compiler as the start of a command line: $CC, else cc or gcc."""
    words = shlex.split(os.environ.get("CC", ""))
    return [need(words[0]), *words[1:]] if words else [need("cc", "gcc")]


def run(*command: str | Path, timeout: float = 300) -> str:
    """Run a command that must succeed; returns what it printed."""
    words = [str(word) for word in command]
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", UBSAN_OPTIONS="print_stacktrace=1")  # nothing here allocates
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout, env=env)
    assert done.returncode == 0, f"{shlex.join(words)} gave {done.returncode}:\n{done.stdout}"
    return done.stdout
