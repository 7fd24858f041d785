"""A game as text that a person can read and a test can diff.

Lines that begin with "pick", "turn", "take", "deal", "join" or "chosen" are what the players did; the lines between say
what came of it. playback.py reads the former, plays the game again, and refuses a text that differs in any line.
"""

from ._backend import crc32
from .cards import HEADS
from .events import Placed, RowOwed
from .game import JOIN, Game
from .stream import STREAM_VERSION

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterator

TITLE = "nimmt record 1"


def write(game: Game) -> str:
    """Return the record of a game: Game.record."""
    return "\n".join(lines(game))


def lines(game: Game) -> "Iterator[str]":
    """Yield the lines of the record of a game one by one, for machines with little memory. The last is a checksum."""
    crc = 0
    for line in _lines(game):
        line = line.rstrip(" ")
        crc = crc32(line.encode() + b"\n", crc)
        yield line
    yield f"end {crc:08x}"


def _lines(game: Game) -> "Iterator[str]":
    again, history = _start(game)
    yield TITLE
    yield from _head(again) + _names(game.names, again.players) + _opening(again)
    i = 0
    while i < len(history):
        size = again.players if again.phase == "choose" else 1
        yield from _move(again, history[i : i + size], game.names)
        i += size
    chosen = [game.chosen(seat) for seat in range(game.players)] if game.phase == "choose" else []
    if any(chosen):
        yield "chosen " + " ".join([str(card or "-") for card in chosen])


def _start(game: Game) -> "tuple[Game, bytes]":
    """Return the game as it began, and the moves since then."""
    origin, history = game._origin, bytes(game._history or b"")
    if game._history is None:
        origin = game.save()
    if isinstance(origin, int):
        return Game(origin, game.seed, game.rules, game.game, history=False), history
    again = Game.load(origin)
    if again.phase == "choose":  # choices that were pending then are in the history, or in the last line
        for seat in range(again.players):
            if again.chosen(seat):
                again.withdraw(seat)
        again._origin = again.save()
    return again, history


def _head(again: Game) -> "list[str]":
    if isinstance(again._origin, int):
        rules = repr(again.rules)[6:-1].replace(",", "").replace("'", "")
        lines = [f"players {again.players}", f"rules {rules}".rstrip()]
        return lines + [f"seed {again.seed}", f"game {again.game}", f"stream {STREAM_VERSION}"]
    data = again._origin.hex()
    return ["from " + data[i : i + 80] for i in range(0, len(data), 80)]


def _names(names: "tuple[str, ...] | None", players: int) -> "list[str]":
    return [f"name {seat} {names[seat]}" for seat in range(players)] if names else []


def _opening(again: Game) -> "list[str]":
    lines = ["", f"round {again.round}"]
    if again.phase == "draft":
        lines.append(f"seat {again.to_act[0]} picks")
    for seat in range(again.players if again.phase != "draft" else 0):
        lines.append(f"hand {seat}: " + _numbers(again.held(seat)))
    return lines + _table(again)


def _table(again: Game) -> "list[str]":
    if again.phase == "draft":
        return []
    return ["rows: " + " / ".join([_numbers(row) for row in again.rows]), "heads: " + _numbers(again.heads)]


def _numbers(values: "tuple[int, ...] | bytes | bytearray") -> str:
    return " ".join([str(value) for value in values])


def _move(again: Game, move: bytes, names: "tuple[str, ...] | None") -> "list[str]":
    """Make a move of the history; return its line and what came of it."""
    phase, turn = again.phase, again.turn
    if phase == "scored":
        if move[0] == JOIN:
            seat = again.join()
            return [f"join {seat}" + (f": {names[seat]}" if names else ""), "scores: " + _numbers(again.scores)]
        again.deal()
        return ["deal"] + _opening(again)
    if phase == "draft":
        seat = again.to_act[0]
        again.pick(seat, move[0])
        return [f"pick {seat}: {move[0]}"] + (_opening(again)[2:] if again.phase != "draft" else [])
    if phase == "choose":
        lines, events = ["", f"turn {turn}: {_numbers(move)}"], again.play(move)[1:]
    else:
        seat = again.to_act[0]
        lines, events = [f"take {seat}: {move[0]}"], again.take(seat, move[0])
    lines += [_placing(event) for event in events if isinstance(event, (Placed, RowOwed))]
    if again.phase != "take":
        lines += _table(again)
    if again.phase in ("scored", "over"):
        lines.append("scores: " + _numbers(again.scores))
    if again.is_over:
        lines.append(f"over, ranks: {_numbers(again.ranks)}")
    return lines


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
