"""nimmt post: the dealer's desk for games by post (H1..H8). Here stands each of its commands, with its arguments."""

import argparse
import os
from collections.abc import Callable
from typing import Any, NamedTuple

from nimmt import NimmtError
from nimmt.post import Dealer, Message, Store

from .. import files
from ..common import RULES_HELP, Failure, in_range, note, number, readable, rules_of
from . import args as post_args
from . import desk
from .desk import Desk

ABOUT = "Deal games that are played by post: forum, mail, chat."
FILE = "nimmt-post.db"


class Argument(NamedTuple):
    """An argument as argparse takes it."""

    flags: tuple[str, ...]
    options: dict[str, Any]
    either: bool  # one of those of its command that have this must be given, and only one


class Errand(NamedTuple):
    """One command of `nimmt post`."""

    about: str
    do: Callable[[Desk], object]
    arguments: tuple[Argument, ...]


def argument(*flags: str, either: bool = False, **options: Any) -> Argument:
    return Argument(flags, options, either)


def errand(about: str, do: Callable[[Desk], object], *arguments: Argument) -> Errand:
    return Errand(about, do, arguments)


def call(about: str, make: Callable[..., list[Message]], *arguments: Argument) -> Errand:
    """Return the command that makes a call of the dealer, whose parameters its arguments are named after."""
    names = [argument.flags[0].lstrip("-") for argument in arguments]
    return Errand(about, lambda desk: desk.call(make, *names), arguments)


def time_for(name: str, default: str, what: str) -> Argument:
    text = f"time for {what} (default: {default})"
    return argument(f"--{name}", type=post_args.length, default=default, metavar="LENGTH", help=text)


SEAT = argument("seat", help="a seat by its number, or by the name of who sits there")
SEAT_OR_ALL = argument("seat", nargs="?", help=f"{SEAT.options['help']} (default: all)")
CARD = argument("card", type=post_args.card)
NAME = argument("name", nargs="?", type=readable)
ROW: dict[str, Any] = {"type": post_args.row, "help": '0..3 or "cheapest"'}
TURN_HELP = "refuse unless this turn is played: 3, or with the round 2.3"
TURN = argument("--turn", type=post_args.turn, metavar="TURN", help=TURN_HELP)
JSON_LINES = argument("--json", action="store_true", help="print JSON Lines")

ERRANDS = {
    "new": errand(
        "open a game in the file, which is made if it is missing",
        desk.new,
        argument("label", nargs="?", type=readable, default="game", help="what the game is called (default: game)"),
        argument("--rules", type=rules_of, default="base", help=RULES_HELP),
        argument("--seed", type=in_range(0, 2**64 - 1), help="0..2**64-1 (default: drawn)"),
        time_for("first", "72h", "the first card of the game"),
        time_for("later", "48h", "every later card"),
        time_for("choice", "48h", "a row that is asked for"),
        time_for("pick", "48h", "a pick in the logic draft"),
        argument("--automatic", action="store_true", help="deadlines act by themselves (default: the dealer does)"),
        argument(
            "--ask",
            action=argparse.BooleanOptionalAction,
            default=None,
            help="ask for rows that were not sent along (default: in professional only)",
        ),
    ),
    "games": errand("list the games of the file", desk.games),
    "join": errand("seat one more: before the start, or between rounds", desk.join, NAME),
    "start": call("deal the first round", Dealer.start),
    "hand": errand("print what a seat may know: for that player only", desk.hand, SEAT),
    # What players send
    "submit": call(
        "a seat's card, with a row for the case that it must take one",
        Dealer.submit,
        SEAT,
        CARD,
        argument("--row", **ROW),
        TURN,
    ),
    "withdraw": call("take a card back", Dealer.withdraw, SEAT, TURN),
    "row": call("the row a seat takes that was asked for one", Dealer.choose_row, SEAT, argument("row", **ROW), TURN),
    "pick": call("a seat's pick in the logic draft", Dealer.pick, SEAT, CARD),
    # What the dealer decides
    "tick": call("act on deadlines that have passed", Dealer.tick),
    "remind": call("remind those who are waited for", Dealer.remind),
    "play-for": call("draw a card, or take a row, for who is late", Dealer.play_for, SEAT),
    "drop": call("somebody has left: the seat plays on at random", Dealer.drop, SEAT),
    "take-over": errand("somebody sits down at a dropped seat", desk.take_over, SEAT, NAME),
    "next": call("deal the next round", Dealer.next_round),
    "extend": call(
        "give more time",
        Dealer.extend,
        argument("seconds", metavar="length", type=post_args.length, help="like 24h or 1d12h"),
        SEAT_OR_ALL,
    ),
    "pause": call("stop the clock of the game", Dealer.pause),
    "resume": call("let it go on: deadlines move by the length of the pause", Dealer.resume),
    "name": errand(
        "name who sits at a seat",
        desk.name,
        SEAT,
        argument("name", nargs="?", type=readable, either=True),
        argument("--erase", action="store_true", help="erase the name from the file", either=True),
    ),
    # What is looked at
    "status": errand(
        "who is missing, time left", desk.status, argument("--json", action="store_true", help="print JSON")
    ),
    "table": errand("print what all may know, as a text", desk.table),
    "messages": errand(
        "print the messages that were not sent yet",
        desk.messages,
        argument("--all", action="store_true", help="sent ones too"),
        argument("--to", metavar="WHOM", help='only those to a seat, to "all" or to "dealer"'),
        argument("--mark", action="store_true", help="mark what is printed as sent"),
        JSON_LINES,
    ),
    "log": errand("print the log, with all secrets", desk.log, JSON_LINES),
    "verify": errand("check the whole file, every log replayed; with --game that game alone", desk.verify),
    "export": errand(
        "write a game as JSON Lines, with all secrets",
        desk.export,
        argument("output", nargs="?", default="-", help="a file (default: standard output)"),
        argument("--names", action="store_true", help="with the names of the people"),
        argument("--overwrite", action="store_true", help="in the place of a file that exists"),
    ),
    "import": errand(
        "read a game from JSON Lines",
        desk.import_,
        argument("input", nargs="?", default="-", help="a file (default: standard input)"),
        argument("--label", type=readable, help="call it so"),
    ),
}


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    errands = parser.add_subparsers(dest="desk", metavar="COMMAND", title="commands", required=True)
    common = _common()
    for name, (about, _, arguments) in ERRANDS.items():
        one = errands.add_parser(name, help=about, description=about, parents=[common], allow_abbrev=False)
        either = one.add_mutually_exclusive_group(required=True) if any(a.either for a in arguments) else one
        for flags, options, grouped in arguments:
            (either if grouped else one).add_argument(*flags, **options)


def _common() -> argparse.ArgumentParser:
    """Return the options that every command has."""
    common = argparse.ArgumentParser(add_help=False)
    group = common.add_argument_group("which game, which time")
    group.add_argument("--file", default=FILE, help=f"the file of games (default: {FILE})")
    group.add_argument("--game", metavar="LABEL", help="which game of the file (default: the only one)")
    group.add_argument("--now", metavar="TIME", help="seconds since 1970 or 2026-08-13T18:00 (default: the clock)")
    group.add_argument("--tz", type=post_args.zone, default="UTC", metavar="ZONE", help="times are shown in this zone")
    expect = "refuse if somebody has acted since this version"
    group.add_argument("--expect", type=number, metavar="VERSION", help=expect)
    return common


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    makes = args.desk in ("new", "import")
    _check_file(args.file, makes)
    try:
        with Store(args.file, check="none", create=makes) as store:
            if os.name == "posix" and os.stat(args.file).st_mode & 0o044:
                note(f"others on this machine can read {args.file}, which holds all hands: chmod 600 {args.file}")
            ERRANDS[args.desk].do(Desk(args, store))
    except (NimmtError, ImportError) as error:  # the latter: SQLite is not there
        raise Failure(str(error)) from error
    return 0


def _check_file(path: str, makes: bool) -> None:
    """Say what is wrong with a file that SQLite could not open, or not write beside."""
    if not os.path.exists(path) and not makes:
        raise Failure(f"there is no file {path!r}: nimmt post new makes it")
    files.check_writable(path)
    folder = os.path.dirname(os.path.realpath(path))
    if not os.access(folder, os.W_OK):
        raise Failure(f"cannot use {path}: nothing may be written beside it, in {folder}")
