"""A second dealer for the tests, written from RULES alone: plain, slow, second by second, without messages or log.

Cards that are drawn at random are told to it; that they are drawn from the right stream is tested elsewhere.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import naive


class Refused(Exception):
    """A call that must be refused."""


class Owed(Exception):
    """A turn stops: its seat is asked for a row."""


def need(condition: object) -> None:
    if not condition:
        raise Refused


class Model:
    """What must be true of a game by post. Times are small: it looks at every second."""

    def __init__(self, times: dict[str, int], automatic: bool, ask: bool, professional: bool, limit: int) -> None:
        self.times, self.automatic, self.ask, self.professional, self.limit = times, automatic, ask, professional, limit
        self.now = self.at = 0  # the host's clock, and the game's, which stands still in a pause
        self.phase = "open"
        self.scores: list[int] = []
        self.heads: list[int] = []
        self.hands: list[list[int]] = []
        self.rows: list[list[int]] = []
        self.pool: list[int] = []
        self.chosen: dict[int, int] = {}
        self.sent: dict[int, Any] = {}
        self.forced: set[int] = set()
        self.dropped: set[int] = set()
        self.returning: set[int] = set()
        self.fresh: set[int] = set()
        self.due: dict[int, int] = {}
        self.told: set[int] = set()
        self.answers: dict[int, int] = {}
        self.owed: tuple[int, int, list[int]] | None = None
        self.picker = 0
        self.paused: int | None = None
        self.randoms: list[tuple[int, int]] = []

    # Time

    def pass_time(self, now: int, randoms: list[tuple[int, int]]) -> None:
        """Let the seconds pass, and act on deadlines when they do it by themselves (H2, H8)."""
        self.randoms = list(randoms)
        for second in range(self.now, now + 1):
            self.at = second if self.paused is None else self.paused
            late = [seat for seat in self.waiting() if self.at > self.due[seat]]
            if self.automatic and late:
                self.at -= 1  # it happens at the deadline, not a second after
                for seat in late:
                    self.act_for(seat)
                self.run()
            else:
                self.told |= set(late)
        self.now = now
        self.at = now if self.paused is None else self.paused

    def waiting(self) -> list[int]:
        if self.phase == "choose":
            missing = [seat for seat in range(len(self.scores)) if seat not in self.chosen]
        elif self.phase == "take":
            assert self.owed
            missing = [self.owed[0]]
        else:
            missing = [self.picker] if self.phase == "draft" else []
        return [seat for seat in missing if seat not in self.dropped]

    # What happens by itself

    def random(self, seat: int, cards: list[int]) -> int:
        drawn, card = self.randoms.pop(0)
        assert drawn == seat and card in cards
        return card

    def act_for(self, seat: int) -> None:
        if self.phase == "choose":
            self.chosen[seat] = self.random(seat, self.hands[seat])
            self.forced.add(seat)
            self.resolve()
        elif self.phase == "draft":
            self.take_card(seat, self.random(seat, self.pool))
        else:
            assert self.owed
            rows = self.lying
            self.answers[seat] = naive.cheapest(rows, self.owed[1], self.owed[2], "index", self.professional)
            self.resolve()

    def run(self) -> None:
        while self.phase in ("draft", "choose", "take") and not self.waiting():
            seat = self.picker
            if self.phase == "choose":
                seat = next(seat for seat in range(len(self.scores)) if seat not in self.chosen)
            elif self.phase == "take":
                assert self.owed
                seat = self.owed[0]
            self.act_for(seat)

    def begin_turn(self) -> None:
        self.phase = "choose"
        self.chosen, self.sent, self.forced, self.told, self.answers, self.owed = {}, {}, set(), set(), {}, None
        self.dropped -= self.returning
        self.returning = set()
        times = self.times
        self.due = {
            seat: self.at + times["first" if seat in self.fresh else "later"] for seat in range(len(self.scores))
        }

    def resolve(self) -> None:
        """Place the cards of the turn from the beginning, with all answers there are."""
        if len(self.chosen) < len(self.scores):
            return
        try:
            placements, rows = naive.resolve_turn(self.rows, self.chosen, self.row_for, self.professional)
        except Owed:
            assert self.owed
            self.phase, self.due, self.told = "take", {self.owed[0]: self.at + self.times["choice"]}, set()
            return
        self.rows = rows
        for placement in placements:
            self.heads[placement.seat] += naive.bull_heads(placement.taken)
        for seat, card in self.chosen.items():
            self.hands[seat].remove(card)
            self.fresh.discard(seat)
        if self.hands[0]:
            self.begin_turn()
            return
        self.scores = [score + heads for score, heads in zip(self.scores, self.heads)]
        self.phase = "over" if max(self.scores) >= self.limit else "scored"

    def row_for(self, seat: int, card: int, allowed: list[int], rows: list[list[int]]) -> int:
        if seat in self.answers:
            return self.answers[seat]
        row = self.sent.get(seat)
        if isinstance(row, int) and row in allowed:
            return row
        if self.ask and row is None and seat not in self.dropped | self.forced:
            self.owed, self.lying = (seat, card, allowed), rows
            raise Owed
        return self.answers.setdefault(seat, naive.cheapest(rows, card, allowed, "index", self.professional))

    def take_card(self, seat: int, card: int) -> None:
        self.pool.remove(card)
        self.hands[seat].append(card)
        if len(self.pool) == 4:
            self.rows = [[card] for card in self.pool]
            self.begin_turn()
        else:
            self.picker = (seat + 1) % len(self.scores)
            self.due, self.told = {self.picker: self.at + self.times["pick"]}, set()

    # Calls: each raises Refused if it must be

    def join(self) -> None:
        need(self.phase in ("open", "scored") and len(self.scores) < 10)
        self.fresh.add(len(self.scores))
        self.scores.append(max(self.scores, default=0) if self.phase == "scored" else 0)
        self.heads = self.heads if self.phase == "scored" else [0] * len(self.scores)

    def begin_round(self, hands: list[list[int]], rows: list[list[int]], pool: list[int], picker: int) -> None:
        """A round is dealt; the cards are what the engine dealt."""
        self.heads = [0] * len(self.scores)
        self.hands, self.rows, self.pool, self.picker = deepcopy(hands), deepcopy(rows), list(pool), picker
        if pool:
            self.phase, self.told = "draft", set()
            self.dropped -= self.returning
            self.returning = set()
            self.due = {picker: self.at + self.times["pick"]}
        else:
            self.begin_turn()

    def submit(self, seat: int, card: int, row: Any) -> bool:
        """Return False if it is a repeat."""
        need(self.phase == "choose" and seat not in self.dropped | self.forced)
        need(card in self.hands[seat])
        if self.chosen.get(seat) == card and self.sent.get(seat) == row:
            return False
        self.chosen[seat], self.sent[seat] = card, row
        self.resolve()
        self.run()
        return True

    def withdraw(self, seat: int) -> None:
        need(self.phase == "choose" and seat in self.chosen and seat not in self.dropped | self.forced)
        need(self.at <= self.due[seat])
        del self.chosen[seat]
        self.sent.pop(seat, None)

    def choose_row(self, seat: int, row: Any) -> None:
        need(self.phase == "take" and self.owed and self.owed[0] == seat and seat not in self.dropped)
        assert self.owed
        if row == "cheapest":
            row = naive.cheapest(self.lying, self.owed[1], self.owed[2], "index", self.professional)
        need(row in self.owed[2])
        self.answers[seat] = row
        self.resolve()
        self.run()

    def pick(self, seat: int, card: int) -> None:
        need(self.phase == "draft" and seat == self.picker and seat not in self.dropped and card in self.pool)
        self.take_card(seat, card)
        self.run()

    def remind(self) -> None:
        need(self.waiting())

    def play_for(self, seat: int) -> None:
        need(seat in self.waiting() and self.at > self.due[seat])
        self.act_for(seat)
        self.run()

    def drop(self, seat: int) -> bool:
        need(self.phase not in ("open", "over"))
        if seat in self.dropped - self.returning:
            return False
        self.dropped.add(seat)
        self.returning.discard(seat)
        self.run()
        return True

    def take_over(self, seat: int) -> bool:
        need(self.phase not in ("open", "over") and seat in self.dropped)
        if seat in self.returning:
            return False
        if self.phase == "take" or self.chosen and self.phase == "choose":
            self.returning.add(seat)
        else:
            self.dropped.discard(seat)
            if self.phase != "choose":
                return True
            self.due[seat] = self.at + self.times["first" if seat in self.fresh else "later"]
        return True

    def extend(self, seconds: int, seat: int | None) -> None:
        need(self.phase in ("draft", "choose", "take"))
        seats = [seat] if seat is not None else list(self.due)
        seats = [seat for seat in seats if seat in self.due and seat not in self.dropped]
        need(seats)
        for number in seats:
            self.due[number] += seconds
            need(number not in self.waiting() or self.due[number] >= self.at)
            self.told.discard(number)

    def pause(self) -> None:
        need(self.phase not in ("open", "over") and self.paused is None)
        self.paused = self.now

    def resume(self) -> None:
        need(self.paused is not None)
        assert self.paused is not None
        self.due = {seat: due + self.now - self.paused for seat, due in self.due.items()}
        self.paused, self.at = None, self.now
