"""nimmt replay: check a record and tell its game turn by turn."""

import argparse
import sys

import nimmt
from nimmt.record import steps

from .common import Failure, note, rules_text
from .files import read_text, shown
from .play.saved import is_saved
from .play.teller import Teller
from .screen import Screen, plural

ABOUT = "Play a recorded game again, check that every line agrees, and tell it turn by turn."


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.add_argument("file", metavar="FILE", help="what play --record or Game.record() wrote; - is standard input")


def run(args: argparse.Namespace) -> int:
    """Check the whole record first, then tell the game."""
    text = read_text(args.file)
    try:
        final = nimmt.replay(text)
    except nimmt.BadRecord as error:
        saved = is_saved(text) and args.file != "-"
        hint = f"; nimmt play --load {args.file} goes on with a saved game" if saved else ""
        raise Failure(f"{shown(args.file)}: {error}{hint}") from None
    _tell(final)
    note(f"{shown(args.file)}: the record is right, {plural(len(text.splitlines()), 'line')}.")
    return 0


def _tell(final: nimmt.Game) -> None:
    """Play a game again from where its record begins, and tell every move."""
    moves = steps(final)
    game = next(moves).game
    screen = Screen(sys.stdout, game.names or (), game.rules.professional)
    rules = rules_text(game.rules)
    screen.text(f"A game of {game.players} players, {rules} rules, seed {game.seed}, game {game.game}.")
    teller, before = Teller(screen), game.view()
    teller.begin(before)
    for _, _, events in moves:
        after = game.view()
        teller.tell(before, events, after)
        if after.players > before.players:
            screen.set_names(game.names or ())
            screen.line(f"{screen.seat(before.players)} joins with {after.scores[-1]}.")
        before = after
    _rest(screen, final)


def _rest(screen: Screen, game: nimmt.Game) -> None:
    """Tell where a record stops that ends before the game does."""
    if game.is_over:
        return
    screen.line()
    where = f"round {game.round}, turn {game.turn}" if game.turn else f"the draft of round {game.round}"
    owed = game.owed
    wait = f" {screen.seat(owed.seat)} owes a row for card {owed.card}." if owed else ""
    screen.text(f"The record stops in {where}: the game is not over.{wait}")
