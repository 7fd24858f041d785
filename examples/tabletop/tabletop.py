#!/usr/bin/env python3
"""A referee for real cards on a Raspberry Pi: a card reader, and one row of five LEDs for each row on the table.

    python3 tabletop.py --reader /dev/ttyUSB0 Ann Bo Cy Di

README.md says how to wire it and what the reader may send. What happens is printed, for a terminal or a small display.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import nimmt
from nimmt.referee import Referee
from nimmt.slots import Slots, files

#: GPIO numbers of the LEDs, row by row; I2C (2, 3) and the serial line (14, 15) stay free.
PINS = ((4, 17, 27, 22, 10), (9, 11, 5, 6, 13), (19, 26, 18, 23, 24), (25, 8, 7, 12, 16))


class Lights:
    """As many LEDs are lit as a row has cards; rows that somebody may take blink."""

    def __init__(self, pins: tuple[tuple[int, ...], ...] = PINS) -> None:
        gpiozero: Any = importlib.import_module("gpiozero")
        self.rows = [gpiozero.LEDBoard(*row) for row in pins]
        self._shown: list[object] = [None] * 4

    def show(self, table: Referee) -> None:
        lying = [len(row) for row in table.rows]
        if table.phase == "scored":
            lying = [int(card is not None) for card in table.opening]
        for number, row in enumerate(self.rows):
            blinks = table.owed is not None and number in table.owed.rows
            if self._shown[number] == (lying[number], blinks):
                continue
            self._shown[number] = lying[number], blinks
            row.value = [int(led < lying[number]) for led in range(5)]
            if blinks:
                for led in row[: lying[number]]:
                    led.blink(0.25, 0.25)


class Evening:
    """The games of an evening: takes lines from the reader, tells what to do, and saves after each turn."""

    def __init__(
        self,
        names: list[str],
        slots: Slots,
        say: Callable[[str], object] = print,
        show: Callable[[Referee], object] = lambda table: None,
        rules: nimmt.Rules = nimmt.BASE,
    ) -> None:
        self._slots, self._say, self._show, self._rules = slots, say, show, rules
        kept = slots.load()
        if kept is None:
            for seat, name in enumerate(names):
                _check_free(name, names[:seat])
            self.table = Referee(names, rules)
        else:
            text, _, data = kept.partition(b"\0")
            self.table = Referee.load(data, text.decode().split("\n"))
            say(f"The game goes on: round {self.table.round}, turn {self.table.turn}.")
            self._tell_rows()
        self._ask()

    def hear(self, line: str) -> None:
        """Do what a line says; if it cannot be, say why."""
        try:
            self._do(line.split())
        except nimmt.NimmtError as error:
            text = str(error)
            for seat in range(self.table.players):
                text = text.replace(f"seat {seat}", self._name(seat))
            self._say(f"No: {text}")
        self._show(self.table)

    def _do(self, words: list[str]) -> None:
        if not words:
            return
        table, word = self.table, words[-1]
        if word == "ok":
            self._go_on()
        elif words[0] == "join" and len(words) > 1:
            name = " ".join(words[1:])
            _check_free(name, table.names or ())
            seat = table.join(name)
            self._save()
            self._say(f"{self._name(seat)} plays from the next round on, with {table.scores[seat]} bull heads.")
        elif word != "back" and not (word.isdecimal() and word.isascii() and len(word) < 6):
            self._say(f"No: I do not know {' '.join(words)[:40]!r}.")
        elif table.phase == "scored":
            self._lay(word)
        elif table.phase == "take":
            self._take(word)
        elif table.phase == "over":
            self._say("The game is over: ok begins a new one.")
        else:
            self._read(" ".join(words[:-1]), word)

    def _lay(self, word: str) -> None:
        table = self.table
        if word == "back":
            laid = [row for row in range(4) if table.opening[row] is not None]
            if laid:
                table.lift(laid[-1])
        else:
            table.lay(int(word))
        self._ask()

    def _read(self, name: str, word: str) -> None:
        """Note a card for the player who is named, else for the next one who is missing."""
        table = self.table
        seats = [seat for seat in range(table.players) if self._name(seat).lower() == name.lower()]
        if name and not seats:
            self._say(f"No: nobody here is called {name[:40]!r}.")
            return
        if word == "back":
            there = seats or [seat for seat in range(table.players) if table.chosen(seat)]
            if there:
                table.withdraw(there[-1])
        elif seats or not any(table.chosen(seat) == int(word) for seat in range(table.players)):
            if not seats and table.ready:
                self._say("No: there is a card of everybody. ok places them, back takes the last one back.")
                return
            table.read((seats or table.to_act)[0], int(word))
        self._ask()

    def _take(self, word: str) -> None:
        """A card of a row is read by the player who takes that row."""
        table, owed = self.table, self.table.owed
        rows = [row for row in range(4) if word.isdecimal() and int(word) in table.rows[row]]
        if owed and rows:
            self._tell(table.take(owed.seat, rows[0]))
        else:
            self._ask()

    def _go_on(self) -> None:
        table = self.table
        if table.phase == "over":
            self.table = Referee(table.names or table.players, self._rules)
            self._save()
            self._ask()
        elif table.ready:
            self._tell(table.deal() if table.phase == "scored" else table.place())
        else:
            self._ask()

    # What is told

    def _tell(self, events: list[Any]) -> None:
        """Say what happened; save unless the turn is still going on: then its cards can be read again."""
        for event in events:
            if isinstance(event, nimmt.Placed):
                self._tell_placed(event)
            elif isinstance(event, nimmt.RoundOver):
                self._say(f"The round is over. {self._standing(event.scores)}")
            elif isinstance(event, nimmt.GameOver):
                self._say("The game is over: " + " and ".join(self._name(seat) for seat in event.winners) + " won.")
        if self.table.phase != "take":
            self._tell_rows()
            self._save()
        self._ask()

    def _tell_placed(self, event: nimmt.Placed) -> None:
        where = f"goes {event.side} of row {event.row + 1}" if event.side else f"takes row {event.row + 1}"
        heads = sum(nimmt.bull_heads(card) for card in event.taken)
        cost = f" and takes {' '.join(map(str, event.taken))}: {heads}" if event.taken else ""
        self._say(f"{self._name(event.seat)}: {event.card} {where}{cost}.")

    def _tell_rows(self) -> None:
        if self.table.phase == "choose":
            self._say("Rows: " + " / ".join(" ".join(map(str, row)) for row in self.table.rows))

    def _ask(self) -> None:
        """Say what is needed next."""
        table, owed = self.table, self.table.owed
        if table.phase == "over":
            self._say(f"Final scores: {self._standing(table.scores)} ok begins a new game.")
        elif owed:
            rows = " or ".join(str(row + 1) for row in owed.rows)
            self._say(f"{self._name(owed.seat)}, your {owed.card} takes row {rows}: read a card of the one you want.")
        elif table.ready:
            self._say("ok goes on, back takes the last card back.")
        elif table.phase == "scored":
            self._say(f"Shuffle, deal ten each, and read the card that opens row {table.opening.index(None) + 1}.")
        else:
            self._say("Cards wanted: " + ", ".join(self._name(seat) for seat in table.to_act))

    def _standing(self, scores: tuple[int, ...]) -> str:
        return ", ".join(f"{self._name(seat)} {score}" for seat, score in enumerate(scores)) + "."

    def _name(self, seat: int) -> str:
        return (self.table.names or ())[seat]

    def _save(self) -> None:
        """Save the names and the game; at most one write a turn."""
        try:
            self._slots.save("\n".join(self.table.names or ()).encode() + b"\0" + self.table.save())
        except OSError as error:
            self._say(f"This turn was not saved: {error}")


def _check_free(name: str, names: Sequence[str]) -> None:
    """Refuse a name that somebody has, in small letters or capitals: cards are read for names."""
    if name.lower() in [other.lower() for other in names]:
        raise nimmt.NimmtError(f"two are called {name[:40]!r}: give names that tell them apart")


# The reader


def lines(reader: int) -> Iterator[str]:
    """Yield the lines of a reader, which ends them with CR, LF or both, until it is gone."""
    held = b""
    while True:
        try:
            data = os.read(reader, 1024)
        except OSError:  # a USB reader was pulled out
            data = b""
        if not data:
            return
        *whole, held = (held + data).replace(b"\r", b"\n").split(b"\n")
        held = held[-1024:]
        for line in whole:
            yield line.decode("utf-8", "replace")


def opened(path: str) -> int:
    """Open a reader: a serial line at 9600 baud, a file, or - for what a USB reader types."""
    if path == "-":
        return sys.stdin.fileno()
    reader = os.open(path, os.O_RDONLY | getattr(os, "O_NOCTTY", 0))
    if os.isatty(reader):
        import termios
        import tty

        tty.setraw(reader, termios.TCSANOW)
        mode = termios.tcgetattr(reader)
        mode[4] = mode[5] = termios.B9600
        termios.tcsetattr(reader, termios.TCSANOW, mode)
    return reader


def tags_of(path: str | None) -> dict[str, str]:
    """Return what tags stand for: a file with a tag and a card or word on each line. ValueError for another line."""
    found = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines() if path else [], 1):
        words = line.split(None, 1)
        if len(words) == 1:
            raise ValueError(f"{path}, line {number}: tag {words[0][:40]!r} does not say what it stands for")
        if words:
            found[words[0]] = words[1].strip()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="A referee for real cards.")
    parser.add_argument("names", nargs="+", metavar="NAME", help="who plays a new game, 2 to 10")
    parser.add_argument("--reader", default="-", metavar="DEVICE", help="for instance /dev/ttyUSB0 (default: typed)")
    parser.add_argument("--tags", metavar="FILE", help="what the reader's tags stand for, if they are not the numbers")
    parser.add_argument("--save", default="evening", metavar="PATH", help="saves go to PATH.0 and PATH.1")
    parser.add_argument("--professional", action="store_true", help="cards also go left of a row (V3)")
    parser.add_argument("--dark", action="store_true", help="no LEDs")
    args = parser.parse_args()
    show = (lambda table: None) if args.dark else Lights().show
    rules = nimmt.PROFESSIONAL if args.professional else nimmt.BASE
    try:
        tags = tags_of(args.tags)
        reader = opened(args.reader)  # first: what is read from now on counts
    except UnicodeDecodeError:
        parser.exit(1, f"{parser.prog}: {args.tags} is not UTF-8 text\n")
    except OSError as error:
        parser.exit(1, f"{parser.prog}: cannot read {error.filename}: {error.strerror}\n")
    except ValueError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    try:
        evening = Evening(args.names, files(args.save), lambda text: print(text, flush=True), show, rules)
    except nimmt.NimmtError as error:
        parser.error(str(error))
    show(evening.table)
    for line in lines(reader):
        evening.hear(tags.get(line.strip(), line))
    if args.reader == "-":
        return 0
    print("The reader is gone.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
