"""Both backends against tests/naive.py, which knows nothing of them: 20,000 random turns, and A1 and A2.

The positions are made so that what is rare at a table is not rare here: rows that span much of the deck (homeless
cards), rows with ends at equal distances of a card (ties), full rows.
"""

from __future__ import annotations

import random
from collections import Counter
from types import ModuleType
from typing import Any

import naive
import pytest

TURNS = 20_000
TIES = ("choose", "choose", "right", "left")


def random_rows(rng: random.Random) -> list[list[int]]:
    """Return four rows. Some are short and near each other, some long, some span the deck."""
    style = rng.randrange(4)
    deck = list(range(1, 105))
    while True:
        if style == 0:  # anything
            cards = rng.sample(deck, sum(sizes := [rng.randint(1, 5) for _ in range(4)]))
        elif style == 1:  # just opened
            cards = rng.sample(deck, sum(sizes := [1, 1, 1, 1]))
        elif style == 2:  # full ones
            cards = rng.sample(deck, sum(sizes := [rng.choice((4, 5, 5)) for _ in range(4)]))
        else:  # each from a low card to a high one
            low, high = rng.sample(range(1, 40), 4), rng.sample(range(66, 105), 4)
            return [
                sorted({a, b, *rng.sample(range(41 + 6 * i, 47 + 6 * i), rng.randrange(4))})
                for i, (a, b) in enumerate(zip(low, high, strict=True))
            ]
        rows = []
        for size in sizes:
            rows.append(sorted(cards[:size]))
            cards = cards[size:]
        return rows


def random_plays(rng: random.Random, rows: list[list[int]]) -> dict[int, int]:
    """Return cards by seat, in any order: seats may be missing, a card right between two nearest ends is likely."""
    lying = {card for row in rows for card in row}
    free = [card for card in range(1, 105) if card not in lying]
    seats = rng.sample(range(10), rng.randint(1, 10))
    cards = rng.sample(free, len(seats))
    tied = []
    if rng.random() < 0.5:
        tied = [card for card in free if card not in cards and len(naive.nearest_ends(rows, card, True, "choose")) == 2]
    if tied:
        card = rng.choice(tied)
        cards = [card] + [other for other in cards[1:] if other > card or rng.random() < 0.2]
    plays = list(zip(seats, cards))
    rng.shuffle(plays)
    return dict(plays)


class Chooser:
    """Decides rows for the naive resolver, and remembers them for the engine."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.asked: list[tuple[int, int, tuple[int, ...]]] = []
        self.take: dict[int, int] = {}

    def __call__(self, seat: int, card: int, allowed: list[int], rows: naive.Rows) -> int:
        self.asked.append((seat, card, tuple(allowed)))
        self.take[seat] = self.rng.choice(allowed)
        return self.take[seat]


def agree(nimmt: ModuleType, rng: random.Random, tally: Counter[str]) -> None:
    rows, professional = random_rows(rng), rng.random() < 0.7
    plays, tie, chooser = random_plays(rng, rows), rng.choice(TIES), Chooser(rng)
    placements, table = naive.resolve_turn(rows, plays, chooser, professional, tie)
    # Without choices, with the first one, with all of them: it stops where the next one is needed.
    for given in range(len(chooser.asked) + 1):
        take = {seat: chooser.take[seat] for seat, _, _ in chooser.asked[:given]}
        turn = nimmt.resolve(rows, plays, take, professional, tie)
        if given < len(chooser.asked):
            assert turn.pending == nimmt.RowOwed(*chooser.asked[given])
            at = [p.card for p in placements].index(turn.pending.card)
        else:
            assert turn.pending is None
            at = len(placements)
        assert turn.placed == tuple((*p[:4], tuple(p.taken)) for p in placements[:at]), (rows, plays, professional, tie)
    assert turn.rows == tuple(map(tuple, table)), (rows, plays, professional, tie)
    for seat in range(10):
        heads = sum(naive.bull_heads(p.taken) for p in placements if p.seat == seat)
        assert turn.heads.get(seat, 0) == heads
    assert set(turn.heads) == set(plays)
    count(tally, placements, chooser, professional)


def count(tally: Counter[str], placements: list[naive.Placement], chooser: Chooser, professional: bool) -> None:
    kind = "professional" if professional else "base"
    tally[kind] += 1
    tally[f"{kind}, ten cards"] += len(placements) == 10
    for _, card, allowed in chooser.asked:
        tally["tie" if len(allowed) == 2 else "homeless" if professional else "low"] += 1
        tally["homeless, not the first"] += professional and len(allowed) == 4 and card != placements[0].card
    tally["several questions"] += len(chooser.asked) > 1
    tally["two ties"] += [len(allowed) for _, _, allowed in chooser.asked].count(2) > 1
    for p in placements:
        tally[f"{kind}, sixth {p.side}"] += p.side is not None and len(p.taken) == 5
        tally["left"] += p.side == "left"


ENOUGH = {
    "base": 5000,
    "professional": 12000,
    "base, ten cards": 400,
    "professional, ten cards": 1000,
    "low": 1500,
    "homeless": 1000,
    "homeless, not the first": 300,
    "tie": 1000,
    "several questions": 30,
    "two ties": 30,
    "left": 10000,
    "base, sixth right": 1500,
    "professional, sixth right": 2000,
    "professional, sixth left": 2000,
}


def test_naive_agrees(nimmt: ModuleType) -> None:
    rng, tally = random.Random(20_000), Counter[str]()
    for _ in range(TURNS):
        agree(nimmt, rng, tally)
    assert {name: tally[name] for name in ENOUGH if tally[name] < ENOUGH[name]} == {}


@pytest.mark.parametrize("option", ["index", "fewest", "most"])
@pytest.mark.parametrize("professional", [False, True], ids=["base", "professional"])
def test_cheapest_rows(option: str, professional: bool, nimmt: ModuleType) -> None:
    """A1 with each way to break a tie, and A2, for whoever is asked in 2,000 random turns."""
    rng, tally = random.Random(7), Counter[str]()
    rules = nimmt.Rules(professional=professional, cheapest=option)

    def check(seat: int, card: int, allowed: list[int], rows: naive.Rows) -> int:
        """Ask the naive one, and the engine in a round that has come to the same point."""
        cost = {row: naive.bull_heads(rows[row]) for row in allowed}
        tally["tie" if len(allowed) == 2 else "four"] += 1
        tally["equal"] += len(allowed) == 4 and list(cost.values()).count(min(cost.values())) > 1
        tally["full"] += len(allowed) == 2 and any(len(rows[row]) == 5 for row in allowed)
        row = naive.cheapest(rows, card, allowed, option, professional)
        assert row in allowed
        assert table.owed == nimmt.RowOwed(seat, card, tuple(allowed))
        assert table.cheapest() == row, (rows, card)
        table.take(seat, row)
        return row

    for _ in range(2000):
        rows = random_rows(rng)
        cards = list(random_plays(rng, rows).values())
        if len(cards) < 2:
            continue
        table: Any = nimmt.Round.from_rows(rows, len(cards), rules=rules, turn=10)
        table.play(cards)
        _, after = naive.resolve_turn(rows, dict(enumerate(cards)), check, professional)
        assert table.owed is None
        assert table.rows == tuple(map(tuple, after))
    assert tally["equal"] >= 30
    assert not professional or min(tally["tie"], tally["four"]) >= 100
    assert not professional or tally["full"] >= 20
