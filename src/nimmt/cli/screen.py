"""Drawing on a plain terminal: lines of at most 79 columns, no cursor control, colour only as an extra."""

import os
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import TextIO

from nimmt import Placed, View, bull_heads
from nimmt.rules import ranks

COLUMNS = 79
NAME = 40  # the longest name that Game takes, and the widest that is drawn

# Bull heads and the colour of a card that has them; cards with one have none.
_COLOURS = {2: "36", 3: "33", 5: "31", 7: "1;35"}


def has_colour(stream: TextIO) -> bool:
    """Is colour welcome there? Not in a pipe, not with NO_COLOR or TERM=dumb (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") not in ("dumb", "")


def width(text: str) -> int:
    """Return how many columns a terminal gives to `text`."""
    columns = 0
    for ch in text:
        if not unicodedata.combining(ch):
            columns += 2 if unicodedata.east_asian_width(ch) in "WF" else 1
    return columns


def fit(text: str, columns: int) -> str:
    """Return `text` filled up or cut to exactly so many columns; what is cut ends in "~"."""
    if width(text) > columns:
        while width(text) > columns - 1:
            text = text[:-1]
        text += "~"
    return text + " " * (columns - width(text))


def plural(count: int, thing: str) -> str:
    """Return "1 head", "2 heads"."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def heads_of(cards: Sequence[int]) -> int:
    """Return the bull heads of some cards."""
    return sum(bull_heads(card) for card in cards)


def listing(values: Sequence[object], last: str = "and") -> str:
    """Return "0, 1 and 3"."""
    words = [str(value) for value in values]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class Screen:
    """Draws rows, hands, scores and placements on `stream`.

    `names` are the names by seat; () where seats have none. `professional` tells which side of a row a card went to.
    """

    def __init__(self, stream: TextIO, names: Sequence[str] = (), professional: bool = False) -> None:
        self.stream, self.professional = stream, professional
        self.colour, self._begun = has_colour(stream), False
        self.names: tuple[str, ...] = ()
        self.set_names(names)

    def set_names(self, names: Sequence[str]) -> None:
        """Take over the names by seat, with a question mark for what this stream cannot show."""
        code = getattr(self.stream, "encoding", None) or "utf-8"
        printable = ["".join(ch if ch.isprintable() else "?" for ch in name) for name in names]
        self.names = tuple(name.encode(code, "replace").decode(code) for name in printable)
        self._columns = min(NAME, max([width(name) for name in self.names] + [4]))

    def _name(self, seat: int | None) -> str:
        """Return the cell of a name, or its head for None; nothing where seats have no names."""
        if not self.names:
            return ""
        return "  " + fit("name" if seat is None else self.names[seat], self._columns)

    def seat(self, seat: int) -> str:
        """Return a seat and its name, for a sentence."""
        return f"seat {seat}" + (f" ({self.names[seat]})" if self.names else "")

    # Lines

    def line(self, text: str = "") -> None:
        """Print a line."""
        print(text.rstrip(), file=self.stream)
        self._begun = True

    def text(self, text: str) -> None:
        """Print a sentence, broken into lines where it is long."""
        for line in textwrap.wrap(text, COLUMNS, subsequent_indent="  "):
            self.line(line)

    def command(self, text: str) -> None:
        """Print a command so that it can be copied: where it is long, lines end as a shell wants them."""
        lines = textwrap.wrap(text, COLUMNS - 6, break_long_words=False, break_on_hyphens=False)
        self.line("  " + " \\\n    ".join(lines))

    def title(self, text: str) -> None:
        """Print the title of what follows, after an empty line."""
        if self._begun:
            self.line()
        self.line(f"\x1b[1m{text}\x1b[0m" if self.colour else text)

    def card(self, card: int, form: str = "{0:3} ({1})") -> str:
        """Return a card and its bull heads."""
        heads = bull_heads(card)
        text = form.format(card, heads)
        return f"\x1b[{_COLOURS[heads]}m{text}\x1b[0m" if self.colour and heads in _COLOURS else text

    def rows(self, rows: Sequence[Sequence[int]]) -> None:
        """Draw the rows: the bull heads of each card in brackets, those of the row at its end."""
        self.line("  row   cards (bull heads)                             heads")
        for number, row in enumerate(rows):
            cells = [self.card(card) for card in row] + [" " * 7] * (5 - len(row))
            full = "   full" if len(row) == 5 else ""
            self.line(f"  {number:3}   {'  '.join(cells)}   {heads_of(row):6}{full}")

    def hand(self, hand: Sequence[int]) -> None:
        """Draw a hand: the place of each card, as the person may type it, the card, its bull heads."""
        self.line("  place" + "".join(f"{f'#{place}':>6}" for place in range(1, len(hand) + 1)))
        self.line("  card " + "".join(self.card(card, "{0:6}") for card in hand))
        self.line("  heads" + "".join(self.card(card, "{1:6}") for card in hand))

    def pool(self, cards: Sequence[int]) -> None:
        """Draw the cards that can be picked, ten a line."""
        for i in range(0, len(cards), 10):
            self.line(" ".join(self.card(card) for card in cards[i : i + 10]))

    def standing(self, view: View, person: int | None = None) -> None:
        """Draw the heads of this round and the scores by seat."""
        self.line(f"  seat{self._name(None)}  heads this round  score")
        for seat, score in enumerate(view.scores):
            heads = str(view.heads[seat]) if seat < len(view.heads) else "-"  # who joined after the round has none
            mark = "   you" if seat == person and self.names[seat : seat + 1] != ("you",) else ""
            self.line(f"  {seat:4}{self._name(seat)}  {heads:>16}  {score:5}{mark}")

    def result(self, scores: tuple[int, ...]) -> None:
        """Draw how a game ended."""
        placed = ranks(scores)
        self.line(f"  rank  seat{self._name(None)}  score")
        for rank, seat in sorted((rank, seat) for seat, rank in enumerate(placed)):
            self.line(f"  {rank:4}  {seat:4}{self._name(seat)}  {scores[seat]:5}")
        self.line()
        winners = [self.seat(seat) for seat, rank in enumerate(placed) if rank == 1]
        who = "Winner" if len(winners) == 1 else "Winners, with equal scores"
        self.text(f"{who}: {listing(winners)}. The fewest bull heads win.")

    def placements(self) -> None:
        """Print the head of a table of placements."""
        self.line(f"  card  seat{self._name(None)}  placed")

    def placed(self, event: Placed) -> None:
        """Print where a card went, and what its owner took for it and why."""
        side = f"{event.side} of " if self.professional and event.side else ""
        self.line(f"  {event.card:4}  {event.seat:4}{self._name(event.seat)}  {side}row {event.row}")
        if event.taken:
            why = "sixth card" if event.side else "fits nowhere" if self.professional else "low card"
            cards = " ".join(str(card) for card in event.taken)
            self.line(f"        {why}, takes {cards}: {plural(heads_of(event.taken), 'head')}")
