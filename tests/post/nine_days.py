"""Eight people, two rounds, nine days in August: the script of the golden file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import nimmt
from nimmt import NimmtError
from nimmt.post import Dealer, Message, Store, moment, text

PEOPLE = ["Ann", "Bob", "Cleo", "Dora", "Emil", "Fritz", "Gina", "Hugo"]
RULES = nimmt.Rules(deck="tactic", limit=45)


def at(day: int, clock: str) -> int:
    """Return a moment: day 1 is Thursday, 13 August 2026; a clock is like 18:00, in UTC."""
    hour, minute = [int(part) for part in clock.split(":")][:2]
    return int(datetime(2026, 8, 12 + day, hour, minute, tzinfo=timezone.utc).timestamp())


class NineDays:
    """Plays the script in a file and writes down what is done and what is said."""

    def __init__(self, path: Path) -> None:
        self.store = Store(path)
        self.public: list[str] = []
        self.private: dict[int, list[str]] = {seat: [] for seat in range(len(PEOPLE))}
        self.names: dict[int, str] = {}
        self.now = 0
        self.store.new("golden", now=at(1, "18:00"), rules=RULES, seed=26)

    def do(self, day: int, clock: str, what: str, call: Callable[[Dealer, dict[str, Any]], list[Message]]) -> None:
        """Make a call at a moment and note it, and its messages, or why it was refused."""
        self.now = at(day, clock)
        self.public.append(f"\n#### {moment(self.now)}: {what}")
        try:
            with self.store.dealer("golden") as dealer:
                messages = call(dealer, {"now": self.now})
        except NimmtError as error:
            self.public.append(f"\nRefused: {error}")
            return
        for message in messages:
            self.hear(message)

    def hear(self, message: Message) -> None:
        body = text(message.kind, message.fields, self.names)
        if isinstance(message.to, int):
            self.private[message.to].append(f"\n---- {moment(self.now)}, {message.kind}\n\n{body}")
        else:
            whom = "all" if message.to == "all" else "the dealer"
            self.public.append(f"\n---- to {whom}, {message.kind}\n\n{body}")

    def join(self, day: int, clock: str, name: str) -> None:
        self.names[len(self.names)] = name
        self.do(day, clock, f"{name} wants to play", lambda dealer, now: dealer.join(**now))

    def send(self, day: int, clock: str, seat: int, card: int, row: Any = None, why: str = "") -> None:
        """Send a card, with a row perhaps."""
        along = "" if row is None else f" with row {row}"
        what = f"{self.names[seat]} sends a card{along}{why}"
        self.do(day, clock, what, lambda dealer, now: dealer.submit(seat, card, row, **now))

    def send_rest(self, day: int, clock: str) -> None:
        """All who are still missing send a card, a minute after another: neither the highest nor the lowest."""
        hour, minute = map(int, clock.split(":"))
        for seat in self.dealer.waiting:
            hand = self.hand(seat)
            self.send(day, f"{hour}:{minute:02}", seat, hand[len(hand) // 2])
            minute += 1

    @property
    def dealer(self) -> Dealer:
        return self.store.load("golden")

    def hand(self, seat: int) -> tuple[int, ...]:
        return self.dealer.game().hand(seat)

    def play(self) -> None:
        """Play the whole script."""
        self.first_days()
        self.middle_days()
        self.last_days()

    def first_days(self) -> None:
        """H1, H4, H5, H8: hands, rows sent along, choices replaced, the border of a deadline."""
        for minute, name in enumerate(PEOPLE[:7]):
            self.join(1, f"18:{minute:02}", name)
        self.do(1, "18:30", "the dealer deals (H1)", lambda dealer, now: dealer.start(**now))
        low = min(range(7), key=lambda seat: self.hand(seat)[0])
        self.send(1, "19:00", low, self.hand(low)[-1])
        self.send(2, "8:00", low, self.hand(low)[0], 2, " instead (H5, H4)")
        self.do(
            2,
            "8:05",
            f"{self.names[low]} asks for a second seat, inside a round (H7)",
            lambda dealer, now: dealer.join(**now),
        )
        for minute, seat in enumerate(set(range(7)) - {low, 6}):
            self.send(3, f"20:{minute:02}", seat, self.hand(seat)[5], 0, ", not needed (H4)")
        self.do(4, "18:00", "the dealer reminds", lambda dealer, now: dealer.remind(**now))
        self.send(4, "18:30", 6, self.hand(6)[4], None, ", in time (H8)")
        low = min(range(7), key=lambda seat: self.hand(seat)[0])
        self.send(4, "19:00", low, self.hand(low)[0], None, " without a row (H4, A1)")
        self.send_rest(4, "19:10")

    def middle_days(self) -> None:
        """H2, H3, H6: who is late, a random card, one who leaves and one who takes the seat over."""
        late = [2, 5]
        for minute, seat in enumerate(set(range(7)) - set(late)):
            self.send(5, f"10:{minute:02}", seat, self.hand(seat)[3])
        self.do(6, "19:15", "tick, at the deadline: nobody is late (H8)", lambda dealer, now: dealer.tick(**now))
        self.do(6, "19:16", "tick, a minute later (H2)", lambda dealer, now: dealer.tick(**now))
        self.send(6, "19:20", 5, self.hand(5)[3], None, ", late, but the dealer has not decided (H2)")
        self.do(
            6, "19:30", "the dealer lets a card be drawn for Cleo (H3)", lambda dealer, now: dealer.play_for(2, **now)
        )
        self.do(6, "20:00", "Cleo leaves (H6)", lambda dealer, now: dealer.drop(2, **now))
        for hour in (20, 21):
            self.send_rest(6, f"{hour}:05")
        self.send(6, "22:00", 0, self.hand(0)[0])
        take = "Hugo sits down at Cleo's seat, inside a turn (H6)"
        self.do(6, "22:05", take, lambda dealer, now: dealer.take_over(2, **now))
        self.names[2] = "Hugo"
        self.send_rest(6, "22:10")
        for hour in (8, 9, 10, 11):
            self.send_rest(7, f"{hour}:00")

    def last_days(self) -> None:
        """H7 and the end: one who joins late, a pause, results."""
        self.join(7, "12:00", "Cleo again")
        self.do(7, "12:10", "the dealer deals", lambda dealer, now: dealer.next_round(**now))
        self.do(7, "13:00", "the dealer pauses", lambda dealer, now: dealer.pause(**now))
        self.do(8, "13:00", "the dealer goes on", lambda dealer, now: dealer.resume(**now))
        self.do(8, "14:00", "Emil asks for a day", lambda dealer, now: dealer.extend(86400, 4, **now))
        for hour in range(15, 20):
            self.send_rest(8, f"{hour}:00")
        for hour in range(8, 13):
            if self.dealer.phase == "choose":
                self.send_rest(9, f"{hour}:00")

    def text(self) -> str:
        """Return all that was said: in public and to the dealer, then to each seat in private."""
        parts = ["What all could read, and the dealer", "=" * 35, *self.public]
        for seat, said in self.private.items():
            title = f"What only {self.names[seat]} (seat {seat}) could read"
            parts += ["", "", title, "=" * len(title), *said]
        return "\n".join(parts) + "\n"
