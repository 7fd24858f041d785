"""nimmt play: a person against bots in a plain terminal, or bots alone."""

import argparse
import os
import sys

import nimmt
from nimmt.bots import POLICIES

from . import keep
from .common import RULES_HELP, Failure, Usage, in_range, note, readable, rules_of, rules_text
from .files import check_all_writable, check_free, check_writable, write_bytes
from .person import Leave, Person, read_line
from .screen import Screen
from .seats import Seating, Seats, around, bots_of, names_for
from .tell import RoundTeller, Teller, cards_again, over

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
        return Sitting(_new(args, seats), seats, args).play()
    kept = keep.load(args.load)
    seats = kept.seats or (None,)
    if args.bots or not kept.seats:
        seats = around(args.bots or _BOTS, kept.game.players, seats.index(None))
    return Sitting(kept.game, seats, args).play()


def names_of(text: str) -> tuple[str, ...]:
    """Return the names that `text` lists, a type for argparse."""
    names = tuple(name.strip() for name in readable(text).split(","))
    try:
        nimmt.Game(names, seed=0)
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
    if args.save and not (args.load and _same(args.save, args.load)):
        _check_free(args.save)


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _check_free(path: str) -> None:
    """Refuse to put a saved game in the place of a file that holds something else."""
    check_free(path, f"go on with it with --load {path}, or remove it")


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
    moves = Seats(game, bots).moves()
    try:
        teller.begin(game.view())
        for before, events, after in moves:
            teller.tell(before, events, after)
    except BrokenPipeError:
        if args.record:  # who read along has seen enough, but the record is still wanted
            for _ in moves:
                pass
            _record(args, game)
        raise
    _record(args, game)
    named = f" --bots {','.join(args.bots)}" if args.bots else ""
    screen.line("The same game again:")
    screen.command(f"nimmt play --watch {args.watch} {cards_again(game)}{named}")
    return 0


def _record(args: argparse.Namespace, game: nimmt.Game) -> None:
    if args.record:
        write_bytes(args.record, (game.record() + "\n").encode())
        note(f"The record is in {args.record}.")


class Sitting:
    """A person's game from here to its end, or to the moment when the person leaves."""

    def __init__(self, game: nimmt.Game, bots: Seating, args: argparse.Namespace) -> None:
        self.game, self.bots, self.args = game, bots, args
        self.person = bots.index(None)
        self.screen = Screen(sys.stdout, game.names or names_for(bots), game.rules.professional)
        self.kept: nimmt.Game | None = None

    def play(self) -> int:
        """Play; return the exit code."""
        try:
            self._play()
        except Leave as leave:
            self._leave("The input has ended." if leave.ended else "You leave the game.", ask=not leave.ended)
            return 0
        except KeyboardInterrupt:
            note()
            self._leave("Interrupted.", ask=True)
            return 130
        return 0

    def _play(self) -> None:
        game = self.game
        note(f"6 nimmt! with {game.players} players; you have seat {self.person}. The fewest bull heads win.")
        note(f"Rules: {rules_text(game.rules)}. Type ? for help.\n")
        teller = Teller(self.screen, self.person)
        if game.is_over:
            over(self.screen, game.view())
        for before, events, after in Seats(game, self.bots, Person(self.screen), self._asking).moves():
            teller.tell(before, events, after)
        if self.args.save:
            self._save(self.args.save, game)
        self.screen.line("The same cards again:")
        self.screen.command(f"nimmt play {cards_again(game)}")
        _record(self.args, game)

    def _asking(self) -> None:
        """Keep the game before the person is asked: a moment at which nothing is half done, and no bot has chosen."""
        self.kept = self.game.copy()
        if self.args.save:
            self._save(self.args.save, self.kept)

    def _save(self, path: str, game: nimmt.Game) -> bool:
        try:
            write_bytes(path, keep.pack(keep.Kept(game, self.bots)))
        except Failure as failure:
            note(f"Not saved: {failure}")
            return False
        return True

    def _leave(self, why: str, ask: bool) -> None:
        """Offer the save."""
        if self.kept is None:
            note(why)
        elif self.args.save and self._save(self.args.save, self.kept):
            note(f"{why} The game is in {self.args.save}; go on with: nimmt play --load {self.args.save}")
        elif ask and sys.stdin is not None and sys.stdin.isatty():
            note(why)
            self._ask_where()
        else:
            note(f"{why} The game is not saved{'' if self.args.save else '; with --save FILE it would be'}.")

    def _ask_where(self) -> None:
        assert self.kept is not None
        try:
            while path := read_line("Save the game? The name of a file, or Enter for no: "):
                try:
                    check_writable(path)
                    if not (self.args.load and _same(path, self.args.load)):
                        _check_free(path)
                except Failure as failure:
                    note(str(failure))
                    continue
                if self._save(path, self.kept):
                    note(f"Go on with: nimmt play --load {path}")
                    return
        except (Leave, KeyboardInterrupt):
            note()
        note("The game is not saved.")
