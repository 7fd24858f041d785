"""nimmt resolve: one turn, from rows and cards in arguments or JSON, to text or JSON."""

import argparse
import json
import re
import sys
from typing import Any

import nimmt

from .common import CARDS, ROWS, SEATS, Failure, Usage, number, shortened
from .files import read_text
from .screen import Screen, heads_of, listing

Position = dict[str, Any]

ABOUT = """Place the cards of one turn. Rows and seats count from 0; a row is written
lowest card first.

  nimmt resolve --rows "12 / 37 / 43 / 58" --plays "14 15 44 61"
  nimmt resolve --rows "20 / 30 / 40 / 50" --plays "0:5 3:35" --take "0:1"
  echo '{"rows": [[12], [37], [43], [58]], "plays": [14, 15]}' | nimmt resolve -

The object has "rows" and "plays", a list by seat or an object like {"0": 14},
and may have "take" like {"0": 1}, "professional": true, "tie": "right"."""

_KEYS = ("rows", "plays", "take", "professional", "tie")

LARGEST = 1 << 16  # bytes of an object; json.loads may take sixty times as much memory


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.add_argument("source", nargs="?", metavar="-", help="read one JSON object on standard input")
    parser.add_argument("--rows", nargs="+", metavar="CARDS", help="the four rows, with / between them")
    parser.add_argument("--plays", nargs="+", metavar="CARDS", help="the cards by seat, or pairs seat:card")
    parser.add_argument("--take", nargs="+", metavar="PAIRS", help="pairs seat:row, for seats that owe a row")
    parser.add_argument("--professional", action="store_true", help="cards also go left of a row")
    parser.add_argument("--tie", choices=nimmt.rules.CHOICES["tie"], help="who decides a tie in professional")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Resolve a turn and print it. A row that is owed and not given is a result too: the exit code is 0."""
    if args.source not in (None, "-"):
        raise Usage(f"unexpected {shortened(args.source)}: give --rows and --plays, or - to read JSON")
    position = _from_input(args) if args.source else _from_arguments(args)
    try:
        turn = nimmt.resolve(**position)
    except (nimmt.NimmtError, TypeError) as error:
        raise Failure(str(error)) from None
    plays = position["plays"]
    cards = {int(seat): int(card) for seat, card in (plays.items() if isinstance(plays, dict) else enumerate(plays))}
    if args.json:
        print(json.dumps(as_json(turn)))
    else:
        _draw(turn, cards, position.get("professional", False))
    return 0


def as_json(turn: nimmt.Turn) -> dict[str, object]:
    """Return a turn for JSON: `heads` by seat; `pending` is null or the RowOwed that stopped it."""
    return {
        "rows": turn.rows,
        "placed": [{**event._asdict(), "heads": heads_of(event.taken)} for event in turn.placed],
        "pending": turn.pending and turn.pending._asdict(),
        "heads": turn.heads,
    }


def _draw(turn: nimmt.Turn, cards: dict[int, int], professional: bool) -> None:
    screen = Screen(sys.stdout, professional=professional)
    screen.placements()
    for event in turn.placed:
        screen.placed(event)
    if turn.pending:
        placed = {event.card for event in turn.placed}
        for card, seat in sorted((card, seat) for seat, card in cards.items() if card not in placed):
            screen.line(f"  {card:4}  {seat:4}  {'pending' if seat == turn.pending.seat else 'waits'}")
    screen.line()
    screen.rows(turn.rows)
    screen.line()
    took = [f"seat {seat} takes {heads}" for seat, heads in turn.heads.items() if heads]
    so_far = " so far" if turn.pending else ""
    screen.text(f"Bull heads{so_far}: {', '.join(took)}." if took else f"Nobody takes bull heads{so_far}.")
    if turn.pending:
        seat, card, rows = turn.pending
        choice = listing(rows, "or")
        screen.text(f"pending: seat {seat} owes a row for card {card}, row {choice}: take {seat}:ROW decides.")


# From arguments


def _from_arguments(args: argparse.Namespace) -> Position:
    if args.rows is None or args.plays is None:
        raise Usage("give --rows and --plays, or - to read JSON on standard input")
    if "/" not in " ".join(args.rows):
        raise Usage('the four rows need / between them, as in --rows "12 / 37 / 43 / 58"')
    position: Position = {
        "rows": [[_card(card) for card in _words([row])] for row in " ".join(args.rows).split("/")],
        "plays": _plays(_words(args.plays)),
        "take": _pairs(_words(args.take or []), "row", ROWS),
        "professional": args.professional,
    }
    if args.tie:
        position["tie"] = args.tie
    return position


def _words(texts: list[str]) -> list[str]:
    return " ".join(texts).replace(",", " ").split()


def _plays(words: list[str]) -> list[int] | dict[int, int]:
    if any(":" in word for word in words):
        return _pairs(words, "card", CARDS)
    return [_card(word) for word in words]


def _card(word: str) -> int:
    return number(word, "a card", CARDS)


def _pairs(words: list[str], what: str, span: str) -> dict[int, int]:
    """Return {seat: number} of words like 1:0."""
    pairs: dict[int, int] = {}
    for word in words:
        left, colon, right = word.partition(":")
        if not colon:
            raise Usage(f"{shortened(word)} is not a pair seat:{what}, like 0:3")
        seat = number(left, "a seat", SEATS)
        if seat in pairs:
            raise Usage(f"seat {seat} has two {what}s")
        pairs[seat] = number(right, f"a {what}", span)
    return pairs


# From JSON


def _from_input(args: argparse.Namespace) -> Position:
    if args.rows or args.plays or args.take or args.professional or args.tie:
        raise Usage("with - everything but --json is in the object on standard input")
    try:
        position = json.loads(read_text("-", LARGEST), object_pairs_hook=_once, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise Failure(f"standard input is not JSON: {error}") from None
    if not isinstance(position, dict):
        raise Failure(f"standard input must be one JSON object, not {type(position).__name__}")
    for key in position:
        if key not in _KEYS:
            raise Failure(f"unknown key {shortened(key)}: the object has {listing(_KEYS)}")
    for key in ("rows", "plays"):
        if key not in position:
            raise Failure(f'the object needs "{key}"')
    for key, what in (("plays", "card"), ("take", "row")):
        value = position.get(key, [])
        if not isinstance(value, (list, dict)):
            raise Failure(f'"{key}" must be an object with a {what} by seat, or a list, not {type(value).__name__}')
        if isinstance(value, dict):
            position[key] = {_seat(seat): number for seat, number in value.items()}
    return position


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse an object that has a key twice: which of the two would count?"""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Failure("standard input has an object with a key that is there twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > 40:
        raise Failure(f"{shortened(digits)} is too large for a card, a seat or a row: cards are {CARDS}")
    return int(digits)


def _seat(key: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,19}", key):
        raise Failure(f"{shortened(key)} is not a seat: seats are {SEATS}")
    return int(key)
