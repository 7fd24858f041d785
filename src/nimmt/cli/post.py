"""nimmt post: the dealer's desk for games by post (H1..H8). What the commands do is in post_desk.py."""

import argparse
from collections.abc import Callable

from . import post_args, post_desk
from .common import RULES_HELP, in_range, number, readable, rules_of

FILE = "nimmt-post.db"
Errand = Callable[[str, str], argparse.ArgumentParser]  # of `nimmt post`: its name, what it does
SEAT = "a seat by its number, or by the name of who sits there"


ABOUT = "Deal games that are played by post: forum, mail, chat."


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    errands = parser.add_subparsers(dest="desk", metavar="COMMAND", title="commands", required=True)
    common = _common()

    def errand(name: str, about: str) -> argparse.ArgumentParser:
        return errands.add_parser(name, help=about, description=about, parents=[common], allow_abbrev=False)

    _add_new(errand("new", "open a game in the file, which is made if it is missing"))
    errand("games", "list the games of the file")
    errand("join", "seat one more: before the start, or between rounds").add_argument("name", nargs="?", type=readable)
    errand("start", "deal the first round")
    _with_seat(errand("hand", "print what a seat may know: for that player only"))
    _add_moves(errand)
    _add_host(errand)
    _add_reports(errand)


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


def _with_seat(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("seat", help=SEAT)
    return parser


def _add_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "label", nargs="?", type=readable, default="game", help="what the game is called (default: game)"
    )
    parser.add_argument("--rules", type=rules_of, default="base", help=RULES_HELP)
    parser.add_argument("--seed", type=in_range(0, 2**64 - 1), help="0..2**64-1 (default: drawn)")
    for name, default, what in (
        ("first", "72h", "the first card of the game"),
        ("later", "48h", "every later card"),
        ("choice", "48h", "a row that is asked for"),
        ("pick", "48h", "a pick in the logic draft"),
    ):
        text = f"time for {what} (default: {default})"
        parser.add_argument(f"--{name}", type=post_args.length, default=default, metavar="LENGTH", help=text)
    parser.add_argument(
        "--automatic", action="store_true", help="deadlines act by themselves (default: the dealer does)"
    )
    ask = "ask for rows that were not sent along (default: in professional only)"
    parser.add_argument("--ask", action=argparse.BooleanOptionalAction, default=None, help=ask)


def _add_moves(errand: Errand) -> None:
    """What players send."""
    submit = _with_seat(errand("submit", "a seat's card, with a row for the case that it must take one"))
    submit.add_argument("card", type=post_args.card)
    submit.add_argument("--row", type=post_args.row, help='0..3 or "cheapest"')
    withdraw = _with_seat(errand("withdraw", "take a card back"))
    row = _with_seat(errand("row", "the row a seat takes that was asked for one"))
    row.add_argument("row", type=post_args.row, help='0..3 or "cheapest"')
    turn = "refuse unless this turn is played: 3, or with the round 2.3"
    for parser in (submit, withdraw, row):
        parser.add_argument("--turn", type=post_args.turn, metavar="TURN", help=turn)
    _with_seat(errand("pick", "a seat's pick in the logic draft")).add_argument("card", type=post_args.card)


def _add_host(errand: Errand) -> None:
    """What the dealer decides."""
    errand("tick", "act on deadlines that have passed")
    errand("remind", "remind those who are waited for")
    _with_seat(errand("play-for", "draw a card, or take a row, for who is late"))
    _with_seat(errand("drop", "somebody has left: the seat plays on at random"))
    _with_seat(errand("take-over", "somebody sits down at a dropped seat")).add_argument(
        "name", nargs="?", type=readable
    )
    errand("next", "deal the next round")
    extend = errand("extend", "give more time")
    extend.add_argument("length", type=post_args.length, help="like 24h or 1d12h")
    extend.add_argument("seat", nargs="?", help=SEAT + " (default: all)")
    errand("pause", "stop the clock of the game")
    errand("resume", "let it go on: deadlines move by the length of the pause")
    name = _with_seat(errand("name", "name who sits at a seat"))
    group = name.add_mutually_exclusive_group(required=True)
    group.add_argument("name", nargs="?", type=readable)
    group.add_argument("--erase", action="store_true", help="erase the name from the file")


def _add_reports(errand: Errand) -> None:
    """What is looked at."""
    errand("status", "who is missing, time left").add_argument("--json", action="store_true", help="print JSON")
    errand("table", "print what all may know, as a text")
    messages = errand("messages", "print the messages that were not sent yet")
    messages.add_argument("--all", action="store_true", help="sent ones too")
    messages.add_argument("--to", metavar="WHOM", help='only those to a seat, to "all" or to "dealer"')
    messages.add_argument("--mark", action="store_true", help="mark what is printed as sent")
    messages.add_argument("--json", action="store_true", help="print JSON Lines")
    errand("log", "print the log, with all secrets").add_argument(
        "--json", action="store_true", help="print JSON Lines"
    )
    errand("verify", "check the whole file, every log replayed; with --game that game alone")
    export = errand("export", "write a game as JSON Lines, with all secrets")
    export.add_argument("output", nargs="?", default="-", help="a file (default: standard output)")
    export.add_argument("--names", action="store_true", help="with the names of the people")
    export.add_argument("--overwrite", action="store_true", help="in the place of a file that exists")
    imports = errand("import", "read a game from JSON Lines")
    imports.add_argument("input", nargs="?", default="-", help="a file (default: standard input)")
    imports.add_argument("--label", type=readable, help="call it so")


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    return post_desk.run(args)
