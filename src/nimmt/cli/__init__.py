"""The command `nimmt`. Each subcommand is a module with add(command) and run(args) -> exit code.

Tables and JSON go to standard output; prompts, notices and errors to standard error, errors as one line. Exit codes:
0, 1 what was asked for failed, 2 the command line was not understood, 130 interrupted.
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from .. import __version__
from .common import Failure, one_line
from .files import reason

#: The modules of the subcommands, in the order of the help.
COMMANDS = (
    "info",
    "resolve",
    "play",
    "replay",
    "simulate",
    "post",
    "serve",
)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, which says where help is."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {one_line(message)} (see {self.prog} --help)\n")


def parser() -> Parser:
    """Return the parser of the whole command line."""
    top = Parser(prog="nimmt", description="6 nimmt! (Take 5): play, resolve turns, check records.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"nimmt {__version__}")
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(name: str, line: str, about: str) -> argparse.ArgumentParser:
        form = argparse.RawDescriptionHelpFormatter if "\n" in about else argparse.HelpFormatter
        return subparsers.add_parser(name, help=line, description=about, formatter_class=form, allow_abbrev=False)

    for name in COMMANDS:
        importlib.import_module(f".{name}", __package__).add(command)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default those of the process; return its exit code."""
    _show_anything()
    try:
        code = _run(argv)
    except BrokenPipeError:  # `| head` has seen enough
        code = 0
    except KeyboardInterrupt:
        code = 130
    except OSError as error:  # the disk is full, the terminal is gone
        code = _fail("nimmt", reason(error), 1)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()  # here, because the interpreter would complain of a reader who has gone
    except OSError as error:
        _drop_output()
        if code == 0 and not isinstance(error, BrokenPipeError):
            code = _fail("nimmt", reason(error), 1)
    return code


def _run(argv: Sequence[str] | None) -> int:
    top, words = parser(), list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    try:
        args, more = top.parse_known_args(words)
        if more:
            command = [name for name in (args.command, getattr(args, "desk", None)) if name]
            Parser(prog=" ".join(["nimmt", *command])).error(f"unrecognized arguments: {' '.join(more)}")
    except SystemExit as stop:  # 0 after --help, 2 after an error
        return stop.code if isinstance(stop.code, int) else 2
    if args.command is None:
        top.print_help(sys.stderr)
        return 2
    try:
        code: int = importlib.import_module(f".{args.command}", __package__).run(args)
    except Failure as failure:
        return _fail(f"nimmt {args.command}", str(failure), failure.code)
    return code


def _fail(name: str, message: str, code: int) -> int:
    if sys.stderr is not None:
        print(f"{name}: error: {one_line(message)}", file=sys.stderr)
    return code


def _show_anything() -> None:
    """Let the standard streams replace what their encoding cannot show or read, instead of failing."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _drop_output() -> None:
    """Send what is still buffered nowhere: the interpreter flushes standard output once more when it ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # a stream without a file descriptor, as in tests
        pass
