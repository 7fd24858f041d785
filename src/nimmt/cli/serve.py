"""nimmt serve: the engine for a program in any language, over standard input and output. PROTOCOL.md has the words."""

import argparse
import os
import sys

from nimmt.protocol import LONGEST, Session

from .common import Failure, in_range, note
from .files import END

ABOUT = "Answer requests, one JSON object a line, until standard input ends. PROTOCOL.md documents them."


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    most = in_range(1, 10**6)
    parser.add_argument("--games", type=most, default=1000, metavar="N", help="games at a time (default: 1000)")


def run(args: argparse.Namespace) -> int:
    """Answer until the input ends."""
    if sys.stdin is None or sys.stdout is None:
        raise Failure("there is no standard input or output")
    if sys.stdin.isatty():
        note(f'Requests are read, one a line, like {{"do": "hello"}}; {END} ends it. PROTOCOL.md has them all.')
    session, source, target = Session(args.games), sys.stdin.fileno(), sys.stdout.buffer
    while True:
        data = os.read(source, LONGEST)
        target.write(session.feed(data) if data else session.end())
        target.flush()
        if not data:
            return 0
