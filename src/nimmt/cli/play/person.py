"""The person at the terminal: is drawn what the seat may know, and asked until the answer can be played."""

import sys
from collections.abc import Callable

from nimmt import View

from ..common import note, one_line
from ..screen import Screen, heads_of, listing, plural

_PLAY = """\
Everybody chooses a card. All are shown together and placed, lowest first. A
card goes to the row whose end is the highest below it. A sixth card takes the
five cards of the row and begins it again. A low card, below all ends, takes a
row of its owner's choice. Cards taken count their bull heads, the numbers in
brackets. A round has ten turns. The fewest bull heads win.
"""
_PROFESSIONAL = """
Professional: a card may also go left of a row whose first card is above it;
the nearest place counts. A card that fits nowhere takes a row of its owner's
choice. Of two places that are equally near its owner chooses one.
"""
_DRAFT = """
Logic: before a round all cards lie open. Everybody picks one at a time, until
each has ten; the four that are left begin the rows. All hands are known.
"""
_KEYS = """
  17       the card 17                  #3     the third card of your hand
  0 .. 3   a row, where one is asked    h      the hands that you know
  Enter    the table again              q      leave; the game can be saved
  ?        this help"""


class Leave(Exception):
    """The person leaves the game: `ended` by the end of input, otherwise by saying so."""

    def __init__(self, ended: bool) -> None:
        super().__init__()
        self.ended = ended


def read_line(prompt: str) -> str:
    """Ask on standard error, read a line; Leave at the end of input."""
    note(prompt, end="")
    line = sys.stdin.readline().removeprefix("\ufeff") if sys.stdin is not None else ""  # PowerShell marks the first
    if not line:
        note()
        raise Leave(ended=True)
    if not sys.stdin.isatty():  # nobody typed it there: show it, so that a log reads like a terminal
        note(one_line(line.strip()))
    return line.strip()


class Person:
    """A player who is asked at a terminal."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def choose(self, view: View) -> int:
        """Ask for a card."""

        def draw() -> None:
            self.screen.title(f"Round {view.round}, turn {view.turn} of 10")
            self.screen.rows(view.rows)
            self.screen.line()
            self.screen.standing(view, view.seat)
            self.screen.title("Your hand")
            self.screen.hand(view.hand)

        def parse(answer: str) -> int | str:
            place = _figures(answer[1:]) if answer.startswith("#") else None
            if place is not None and 1 <= place <= len(view.hand):
                return view.hand[place - 1]
            card = _figures(answer)
            if card is None:
                return "Type a card of your hand, or # and its place, like #1."
            if card in view.hand:
                return card
            hint = f" For the card at place {card} type #{card}." if 1 <= card <= len(view.hand) else ""
            return f"You do not hold {card}.{hint}"

        return self._ask("Your card (? for help): ", view, draw, parse)

    def take(self, view: View) -> int:
        """Ask for the row that is owed."""
        owed = view.owed
        assert owed is not None

        def draw() -> None:
            self.screen.title(f"Round {view.round}, turn {view.turn} of 10: it is up to you")
            self.screen.rows(view.rows)
            self.screen.line()
            for line in _reasons(view):
                self.screen.text(line)
            waiting = sorted((card, seat) for seat, card in enumerate(view.lying) if card and seat != owed.seat)
            if waiting:
                cards = ", ".join(f"{card} of {self.screen.seat(seat)}" for card, seat in waiting)
                self.screen.text(f"To be placed after it: {cards}.")

        def parse(answer: str) -> int | str:
            row = _figures(answer)
            return row if row is not None and row in owed.rows else f"Type row {listing(owed.rows, 'or')}."

        return self._ask(f"Your row, {listing(owed.rows, 'or')} (? for help): ", view, draw, parse)

    def pick(self, view: View) -> int:
        """Ask for a card of the draft."""

        def draw() -> None:
            self.screen.title(f"Round {view.round}, draft: your pick {len(view.hand) + 1} of 10")
            self.screen.pool(view.pool)
            if view.hand:
                self.screen.text(f"Your hand: {' '.join(map(str, view.hand))}")

        def parse(answer: str) -> int | str:
            card = _figures(answer)
            return card if card is not None and card in view.pool else "Type one of the cards that lie open."

        return self._ask("Your pick (? for help): ", view, draw, parse)

    def _ask(self, prompt: str, view: View, draw: Callable[[], None], parse: Callable[[str], int | str]) -> int:
        """Draw and ask; a text that `parse` returns says what was wrong with the answer."""
        draw()
        while True:
            answer = read_line(prompt)
            if answer == "":
                draw()
            elif answer == "?":
                note(help_text(view))
            elif answer in ("q", "quit", "exit"):
                raise Leave(ended=False)
            elif answer == "h":
                self._hands(view)
            else:
                parsed = parse(answer)
                if isinstance(parsed, int):
                    return parsed
                note(parsed)

    def _hands(self, view: View) -> None:
        for seat, hand in enumerate(view.hands):
            self.screen.text(f"{self.screen.seat(seat)}: {'not known' if hand is None else ' '.join(map(str, hand))}")


def help_text(view: View) -> str:
    """Return the help for a game with these rules."""
    return _PLAY + _PROFESSIONAL * view.rules.professional + _DRAFT * view.rules.draft + _KEYS


def _reasons(view: View) -> list[str]:
    """Return why the person owes a row, and what it costs."""
    owed = view.owed
    assert owed is not None
    if len(owed.rows) == 4:
        why = "fits nowhere" if view.rules.professional else "is a low card: it is below the ends of all rows"
        return [f"Your card {owed.card} {why}. Take a row: its cards count for you, and your card begins it again."]
    lines = [f"Your card {owed.card} is equally near to two rows. Choose one:"]
    for number in owed.rows:
        row = view.rows[number]
        side = "right" if row[-1] < owed.card else "left"
        cost = f"as its sixth card, you take {plural(heads_of(row), 'head')}" if len(row) == 5 else "nothing to take"
        lines.append(f"  {side} of row {number}: {cost}")
    return lines


def _figures(text: str) -> int | None:
    """Return the number that `text` is, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None
