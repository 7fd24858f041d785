"""The command `nimmt`. Each subcommand is a module with ABOUT, add(parser) and run(args) -> exit code.

Tables and JSON go to standard output; prompts, notices and errors to standard error, errors as one line. Exit codes:
0, 1 what was asked for failed, 2 the command line was not understood, 130 interrupted.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol

from .. import __version__
from .common import Failure, one_line
from .files import reason

#: The subcommands in the order of the help, with what it says of them.
COMMANDS = {
    "info": "print version and backend",
    "resolve": "place the cards of one turn",
    "play": "play against bots, or watch them",
    "replay": "check a recorded game and tell it",
    "simulate": "play many games between built-in policies",
    "post": "deal games that are played by post: forum, mail, chat",
    "serve": "answer a program: JSON lines in and out",
    "board": "make one module for a board with MicroPython",
}


class Command(Protocol):
    """The module of a subcommand. `ABOUT` is what its own help says."""

    ABOUT: str

    def add(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def command(name: str) -> Command:
    """Import the module of one of COMMANDS, and no other: so each needs only what it uses.

    The imports are written out, because tools that freeze programs look for them.
    """
    if name == "info":
        from . import info

        return info
    if name == "resolve":
        from . import resolve

        return resolve
    if name == "play":
        from . import play

        return play
    if name == "replay":
        from . import replay

        return replay
    if name == "simulate":
        from . import simulate

        return simulate
    if name == "post":
        from . import post

        return post
    if name == "serve":
        from . import serve

        return serve
    from . import board

    return board


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, which says where help is."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {one_line(message)} (see {self.prog} --help)\n")


def parse(words: list[str], chosen: str, module: Command | None) -> argparse.Namespace:
    """Return what `words` say to `module`, the subcommand `chosen`; SystemExit after help or an error."""
    top = Parser(prog="nimmt", description="6 nimmt! (Take 5): play, resolve turns, check records.", allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"nimmt {__version__}")
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, line in COMMANDS.items():
        about = module.ABOUT if module and name == chosen else line
        form = argparse.RawDescriptionHelpFormatter if "\n" in about else argparse.HelpFormatter
        parser = subparsers.add_parser(name, help=line, description=about, formatter_class=form, allow_abbrev=False)
        if module and name == chosen:
            module.add(parser)
    args, more = top.parse_known_args(words)
    if more:
        desk = [name for name in (args.command, getattr(args, "desk", None)) if name]
        Parser(prog=" ".join(["nimmt", *desk])).error(f"unrecognized arguments: {' '.join(more)}")
    if args.command is None:
        top.print_help(sys.stderr)
        top.exit(2)
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments, by default those of the process; return its exit code."""
    _show_anything()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
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


def _run(words: list[str]) -> int:
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    name = next((word for word in words if not word.startswith("-")), "")
    try:
        module = command(name) if name in COMMANDS else None
        args = parse(words, name, module)
        return module.run(args) if module else 2
    except SystemExit as stop:  # 0 after --help, 2 after an error
        return stop.code if isinstance(stop.code, int) else 2
    except Failure as failure:
        return _fail(f"nimmt {name}", str(failure), failure.code)
    except ImportError as error:  # of a Python that was built without a part, or stripped of it
        if error.name is None or error.name.startswith("nimmt"):
            raise
        return _fail(f"nimmt {name}", f"it needs the module {error.name}, which cannot be imported: {error}", 1)


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
