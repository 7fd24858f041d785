"""nimmt replay: check a record and tell its game turn by turn."""

import argparse
import sys

import nimmt
from nimmt.events import Event

from . import keep
from .common import Failure, note, rules_text
from .files import read_text, shown
from .screen import Screen, plural
from .tell import Teller

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
        saved = keep.is_saved(text) and args.file != "-"
        hint = f"; nimmt play --load {args.file} goes on with a saved game" if saved else ""
        raise Failure(f"{shown(args.file)}: {error}{hint}") from None
    lines = text.splitlines()
    game = _beginning(lines, final)
    screen = Screen(sys.stdout, game.names or (), game.rules.professional)
    screen.text(
        f"A game of {game.players} players, {rules_text(game.rules)} rules, seed {game.seed}, game {game.game}."
    )
    teller = Teller(screen)
    teller.begin(game.view())
    for line in lines:
        before = game.view()
        events = _move(game, line, final)
        if events is None:
            continue
        teller.tell(before, events, game.view())
        if game.players > before.players:
            screen.set_names(game.names or ())
            screen.line(f"{screen.seat(before.players)} joins with {game.scores[-1]}.")
    _rest(screen, game)
    note(f"{shown(args.file)}: the record is right, {plural(len(lines), 'line')}.")
    return 0


def _beginning(lines: list[str], final: nimmt.Game) -> nimmt.Game:
    """Return the game of a record that was checked as it began."""
    data, players = "", 0
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "from":
            data += rest.strip()
        elif word == "players":
            players = int(rest)
    if data:
        return nimmt.Game.load(bytes.fromhex(data), final.names and final.names[: _players(data)])
    names = final.names[:players] if final.names else players
    return nimmt.Game(names, final.seed, final.rules, final.game, history=False)


def _players(data: str) -> int:
    return nimmt.Game.load(bytes.fromhex(data)).players


def _move(game: nimmt.Game, line: str, final: nimmt.Game) -> list[Event] | None:
    """Make the move that a line of a checked record tells; None if it tells none."""
    word, _, rest = line.partition(" ")
    seat, _, number = rest.partition(": ")
    if word == "turn":
        return game.play([int(card) for card in number.split()])
    if word == "take":
        return game.take(int(seat), int(number))
    if word == "pick":
        return game.pick(int(seat), int(number))
    if word == "deal":
        return game.deal()
    if word == "join":
        game.join(final.names[game.players] if final.names else None)
        return []
    return None


def _rest(screen: Screen, game: nimmt.Game) -> None:
    """Tell where a record stops that ends before the game does."""
    if game.is_over:
        return
    screen.line()
    where = f"round {game.round}, turn {game.turn}" if game.turn else f"the draft of round {game.round}"
    owed = game.owed
    wait = f" {screen.seat(owed.seat)} owes a row for card {owed.card}." if owed else ""
    screen.text(f"The record stops in {where}: the game is not over.{wait}")
