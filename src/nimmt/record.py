"""A game as text that a person can read and a test can diff, and back.

Lines that begin with "pick", "turn", "take", "deal", "join" or "chosen" are what the players did; the lines between say
what came of it. `read` plays the former again, and refuses a text that differs in any line.

TITLE          the first line of a record
"""

from .args import quoted
from .core.layout import HEADS
from .errors import BadRecord, NimmtError
from .events import Cards, Event, Placed, RowOwed  # noqa: F401 - Event is in a type
from .port import Any, Iterator, NamedTuple, crc32, explain
from .rules import CHOICES, NAMES, Rules, no_option
from .stream import STREAM_VERSION

TITLE = "nimmt record 1"
NEXT_DEAL, JOIN = 0, 1  # in the history of a game, between rounds

Step = NamedTuple("Step", [("game", "Any"), ("move", str), ("events", "list[Event]")])
explain(
    Step,
    "One move of a game that is played again.",
    game="the game after the move; the same object in all steps",
    move='the move as its line in a record, for instance "take 2: 3"; "" for the game as it began',
    events="what the move returned; [] for a player who joins",
)


# Playing again


def steps(game: "Any") -> "Iterator[Step]":
    """Play a game again from where its history begins; yield the beginning, and each move when it is made."""
    again, history, names = game._again(), bytes(game._history or b""), game.names
    if names:
        again.names = names[: again.players]
    yield Step(again, "", [])
    i = 0
    while i < len(history):
        size = again.players if again.phase == "choose" else 1
        yield _made(again, history[i : i + size], names)
        i += size


def _made(again: "Any", move: bytes, names: "tuple[str, ...] | None") -> Step:
    """Make a move of the history."""
    phase = again.phase
    if phase == "scored" and move[0] == JOIN:
        seat = again.join(names[again.players] if names else None)
        return Step(again, f"join {seat}" + (f": {names[seat]}" if names else ""), [])
    if phase == "scored":
        return Step(again, "deal", again.deal())
    if phase == "choose":
        return Step(again, f"turn {again.turn}: {_numbers(move)}", again.play(move))
    seat = again.to_act[0]
    if phase == "draft":
        return Step(again, f"pick {seat}: {move[0]}", again.pick(seat, move[0]))
    return Step(again, f"take {seat}: {move[0]}", again.take(seat, move[0]))


# Writing


def write(game: "Any") -> str:
    """Return the record of a game: Game.record."""
    return "\n".join(lines(game))


def lines(game: "Any") -> "Iterator[str]":
    """Yield the lines of the record of a game one by one, for machines with little memory. The last is a checksum."""
    crc = 0
    for line in _lines(game):
        line = line.rstrip(" ")
        crc = crc32(line.encode() + b"\n", crc)
        yield line
    yield f"end {crc:08x}"


def _lines(game: "Any") -> "Iterator[str]":
    yield TITLE
    for step in steps(game):
        if step.move:
            yield from _told(step)
        else:
            yield from _head(step.game) + _names(game.names, step.game.players) + _opening(step.game)
    chosen = [game.chosen(seat) for seat in range(game.players)] if game.phase == "choose" else []
    if any(chosen):
        yield "chosen " + " ".join([str(card or "-") for card in chosen])


def _head(again: "Any") -> "list[str]":
    if isinstance(again._origin, int):
        rules = repr(again.rules)[6:-1].replace(",", "").replace("'", "")
        head = [f"players {again.players}", f"rules {rules}".rstrip()]
        return head + [f"seed {again.seed}", f"game {again.game}", f"stream {STREAM_VERSION}"]
    data = again._origin.hex()
    return ["from " + data[i : i + 80] for i in range(0, len(data), 80)]


def _names(names: "tuple[str, ...] | None", players: int) -> "list[str]":
    return [f"name {seat} {names[seat]}" for seat in range(players)] if names else []


def _opening(again: "Any") -> "list[str]":
    opening = ["", f"round {again.round}"]
    if again.phase == "draft":
        opening.append(f"seat {again.to_act[0]} picks")
    for seat in range(again.players if again.phase != "draft" else 0):
        opening.append(f"hand {seat}: " + _numbers(again.held(seat)))
    return opening + _table(again)


def _table(again: "Any") -> "list[str]":
    if again.phase == "draft":
        return []
    return ["rows: " + " / ".join([_numbers(row) for row in again.rows]), "heads: " + _numbers(again.heads)]


def _numbers(values: "Cards | bytes") -> str:
    return " ".join([str(value) for value in values])


def _told(step: Step) -> "list[str]":
    """Return the line of a move, and the lines of what came of it."""
    again, word = step.game, step.move.partition(" ")[0]
    if word == "join":
        return [step.move, "scores: " + _numbers(again.scores)]
    if word == "deal":
        return [step.move] + _opening(again)
    if word == "pick":
        return [step.move] + (_opening(again)[2:] if again.phase != "draft" else [])
    told = ["", step.move] if word == "turn" else [step.move]
    told += [_placing(event) for event in step.events if isinstance(event, (Placed, RowOwed))]
    if again.phase != "take":
        told += _table(again)
    if again.phase in ("scored", "over"):
        told.append("scores: " + _numbers(again.scores))
    if again.is_over:
        told.append(f"over, ranks: {_numbers(again.ranks)}")
    return told


def _placing(event: "Placed | RowOwed") -> str:
    if isinstance(event, RowOwed):
        rows = " or ".join([str(row) for row in event.rows])
        return f"  {event.card} of seat {event.seat} waits: row {rows}"
    line = f"  {event.card} of seat {event.seat} "
    line += f"{event.side} of row {event.row}" if event.side else f"takes row {event.row}:"
    if event.taken:
        heads = sum([HEADS[card] for card in event.taken])
        line += f"{' takes' if event.side else ''} {_numbers(event.taken)}, heads {heads}"
    return line


# Reading


def read(text: str, kind: "type[Any]") -> "Any":
    """Return the game of a record as an object of this class: nimmt.replay."""
    if not isinstance(text, str):
        raise TypeError(f"a record is text, not {type(text).__name__}")
    number = 0
    try:
        given = _split(text)
        game, number = _read_head(given, kind)
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
            says = "the text ends" if found is None else quoted(found)
            raise BadRecord(f"line {number}: {says}, but the moves lead to {quoted(expected)}")
    if next(given, None) is not None:
        raise BadRecord(f"line {number + 1}: there is text after the end")
    return game


def _split(text: str) -> "Iterator[str]":
    """Yield the lines one by one, without spaces at their ends and without empty lines at the end of the text."""
    text, start = text.rstrip(" \r\t\n"), 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        yield text[start:stop].rstrip(" \r\t")
        start = stop + 1


def _read_head(given: "Iterator[str]", kind: "type[Any]") -> "tuple[Any, int]":
    """Return the game as it began, and the number of the lines that told so, with the empty one after them."""
    if next(given) != TITLE:
        raise BadRecord(f"a record begins with {quoted(TITLE)}")
    fields: dict[str, str] = {}
    names, data, number = [], "", 1
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
        return kind.load(bytes.fromhex(data), names or None), number
    for word in ("players", "rules", "seed", "game", "stream"):
        if word not in fields:
            raise BadRecord(f"the line {quoted(word)} is missing")
    version = int(fields["stream"])
    if version != STREAM_VERSION:
        raise BadRecord(f"random streams of version {version}; this release has {STREAM_VERSION}")
    options = {option.partition("=")[0]: _option(option) for option in fields["rules"].split()}
    rules = Rules(**options)  # type: ignore[arg-type]
    return kind(names or int(fields["players"]), int(fields["seed"]), rules, int(fields["game"])), number


def _option(text: str) -> object:
    """Return the value of name=value, as in the repr of Rules."""
    name, _, value = text.partition("=")
    if name not in NAMES:
        raise BadRecord(no_option(name))
    for choice in CHOICES.get(name, ()):
        if str(choice) == value:
            return choice
    return value if value == "rotate" else int(value)


def _apply(game: "Any", line: str) -> None:
    """Make the move that a line tells; most lines tell what came of one."""
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
