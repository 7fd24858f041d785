"""nimmt play: a person against bots in a plain terminal, or bots alone."""

import argparse
import sys

import nimmt
from nimmt.args import seated
from nimmt.bots import POLICIES

from ..common import RULES_HELP, Usage, in_range, readable, rules_of
from ..files import check_all_writable
from ..screen import Screen
from .saved import Saved, check_place, load, write_record
from .seats import Seating, around, bots_of, moves, names_for
from .sitting import Sitting
from .teller import RoundTeller, Teller, cards_again

_BOTS = ("nearest",)
ABOUT = "Play against bots. You type cards; ? is help, q leaves. You see only what your seat may know."


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    word = in_range(0, 2**64 - 1)
    parser.add_argument("--players", type=in_range(2, 10), metavar="N", help="2 to 10, with you (default: 4)")
    parser.add_argument("--bots", type=bots_of, metavar="LIST", help="random, lowest, highest, nearest; used in turn")
    parser.add_argument("--names", type=names_of, metavar="LIST", help="names by seat, joined with commas; yours first")
    parser.add_argument("--rules", type=rules_of, metavar="TEXT", help=RULES_HELP)
    parser.add_argument("--seed", type=word, metavar="N", help="0..2**64-1: the same cards again (default: a new one)")
    parser.add_argument("--game", type=word, metavar="N", help="which of the games of the seed (default: 0)")
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--save", metavar="FILE", help="keep the game in FILE, whenever it is your turn and at the end")
    parser.add_argument("--record", metavar="FILE", help="write the record of the game when it is over")
    parser.add_argument(
        "--watch",
        nargs="?",
        const="turns",
        choices=["turns", "rounds"],
        help="all seats are bots; print every turn, or a line a round",
    )


def run(args: argparse.Namespace) -> int:
    """Play a game to its end, or until the person leaves."""
    _check(args)
    if args.watch:
        return _watch(args)
    if not args.load:
        seats = around(args.bots or _BOTS, _players(args), 0)
        return Sitting(Saved(_new(args, seats), seats), args).play()
    game, seats = load(args.load)
    if args.bots or not seats:
        seats = around(args.bots or _BOTS, game.players, seats.index(None) if seats else 0)
    return Sitting(Saved(game, seats), args).play()


def names_of(text: str) -> tuple[str, ...]:
    """Return the names that `text` lists, a type for argparse."""
    names = tuple(name.strip() for name in readable(text).split(","))
    try:
        seated(names)
    except nimmt.NimmtError as error:
        raise Usage(str(error)) from None
    return names


def _players(args: argparse.Namespace) -> int:
    players: int = args.players or (len(args.names) if args.names else 4)
    return players


def _check(args: argparse.Namespace) -> None:
    """Refuse arguments that do not go together, and files that could not be written later."""
    if args.load:
        for name in ("players", "names", "rules", "seed", "game"):
            if getattr(args, name) is not None:
                raise Usage(f"--load goes on with a game as it is: leave --{name} out")
    if args.watch and (args.load or args.save):
        raise Usage("--watch plays from the deal to the end: leave --load and --save out")
    if args.names and args.players not in (None, len(args.names)):
        raise Usage(f"{args.players} players need {args.players} names, not {len(args.names)}")
    check_all_writable(args.save, args.record)
    if args.save:
        check_place(args.save, args.load)


def _new(args: argparse.Namespace, bots: Seating) -> nimmt.Game:
    try:
        return nimmt.Game(args.names or names_for(bots), args.seed, args.rules or nimmt.BASE, args.game or 0)
    except nimmt.NimmtError as error:  # a first picker who is not at the table
        raise Usage(str(error)) from None


def _watch(args: argparse.Namespace) -> int:
    bots = around(args.bots or POLICIES, _players(args), None)
    game = _new(args, bots)
    screen = Screen(sys.stdout, game.names or (), game.rules.professional)
    teller = RoundTeller(screen) if args.watch == "rounds" else Teller(screen)
    played = moves(game, bots)
    try:
        teller.begin(game.view())
        for before, events, after in played:
            teller.tell(before, events, after)
    except BrokenPipeError:
        if args.record:  # who read along has seen enough, but the record is still wanted
            for _ in played:
                pass
            write_record(args.record, game)
        raise
    if args.record:
        write_record(args.record, game)
    named = f" --bots {','.join(args.bots)}" if args.bots else ""
    screen.line("The same game again:")
    screen.command(f"nimmt play --watch {args.watch} {cards_again(game)}{named}")
    return 0
