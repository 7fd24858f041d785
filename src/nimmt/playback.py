"""A game from its record: played again move by move, and compared line by line with what record.py writes."""

from .errors import BadRecord, NimmtError
from .game import Game
from .record import TITLE, lines
from .rules import CHOICES, NAMES, Rules
from .stream import STREAM_VERSION

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterator


def replay(text: str) -> Game:
    """Return the game of a record, played again move by move.

    Spaces at the ends of lines do not matter. Raises BadRecord, naming the line, for a text that does not parse, breaks
    a rule, or says anything else than what the moves lead to; TypeError if it is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"a record is text, not {type(text).__name__}")
    number = 0
    try:
        given = _split(text)
        game, number = _read_head(given)
        for line in given:
            number += 1
            _apply(game, line)
    except (NimmtError, ValueError, IndexError, KeyError, TypeError, OverflowError) as error:
        raise BadRecord(f"line {number}: {error}" if number else f"its head: {error}") from None
    given, number = _split(text), 0
    for expected in lines(game):
        number += 1
        found = next(given, None)
        if found != expected:
            raise BadRecord(f"line {number}: {repr(found)}, but the moves lead to {repr(expected)}")
    if next(given, None) is not None:
        raise BadRecord(f"line {number + 1}: text after the end")
    return game


def _split(text: str) -> "Iterator[str]":
    """Yield the lines one by one, without spaces at their ends and without empty lines at the end of the text."""
    text, start = text.rstrip(" \r\t\n"), 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        yield text[start:stop].rstrip(" \r\t")
        start = stop + 1


def _read_head(given: "Iterator[str]") -> "tuple[Game, int]":
    """Return the game as it began, and the number of the lines that told so, with the empty one after them."""
    if next(given) != TITLE:
        raise BadRecord(f"a record begins with {repr(TITLE)}")
    fields, names, data, number = {}, [], "", 1
    for line in given:
        number += 1
        word, _, rest = line.partition(" ")
        if not word:
            break
        if word == "name":
            names.append(rest.partition(" ")[2])
        elif word == "from":
            data += rest
        else:
            fields[word] = rest
    if data:
        return Game.load(bytes.fromhex(data), names or None), number
    for word in ("players", "rules", "seed", "game", "stream"):
        if word not in fields:
            raise BadRecord(f"there is no line {repr(word)}")
    if fields["stream"] != str(STREAM_VERSION):
        raise BadRecord(f"random streams of version {fields['stream']}; this release has {STREAM_VERSION}")
    options = {option.partition("=")[0]: _option(option) for option in fields["rules"].split()}
    players = names or int(fields["players"])
    return Game(players, int(fields["seed"]), Rules(**options), int(fields["game"])), number  # type: ignore[arg-type]


def _option(text: str) -> object:
    """Return the value of name=value, as in the repr of Rules."""
    name, _, value = text.partition("=")
    if name not in NAMES:
        raise BadRecord(f"rules have no option {repr(name)}")
    for choice in CHOICES.get(name, ()):
        if str(choice) == value:
            return choice
    return value if value == "rotate" else int(value)


def _apply(game: Game, line: str) -> None:
    """Make the move that a line tells; most tell none."""
    word, _, rest = line.partition(" ")
    if word == "turn":
        game.play([int(card) for card in rest.partition(": ")[2].split()])
    elif word == "take" or word == "pick":
        seat, _, number = rest.partition(": ")
        (game.take if word == "take" else game.pick)(int(seat), int(number))
    elif word == "deal":
        game.deal()
    elif word == "join":
        game.join(rest.partition(": ")[2] or None)
    elif word == "chosen":
        for chooser, card in enumerate(rest.split()):
            if card != "-":
                game.choose(chooser, int(card))
