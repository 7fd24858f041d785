"""The worked cases of rules.json that concern play by post, played through a dealer."""

from __future__ import annotations

from typing import Any

import pytest
from post.helpers import START, at_position, cases, one, refused

import nimmt
from nimmt.post import Dealer, Message

CASES = cases("cases.json")
TIES = {"index": "index", "fewest_cards": "fewest", "most_cards": "most"}


def of_kind(*kinds: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] in kinds]


def rules_of(options: dict[str, Any]) -> nimmt.Rules:
    return nimmt.Rules(
        professional=options.get("professional", False),
        tie=options.get("pro_tie", "choose"),
        cheapest=TIES[options.get("auto_row_tie", "index")],
    )


class Played:
    """A case as the last turn of a round: the players of the case, and a last seat with the highest card left."""

    def __init__(self, case: dict[str, Any], **options: Any) -> None:
        self.case = case
        plays = case.get("plays") or {case["player"]: case["card"]}
        self.seats = {player: seat for seat, player in enumerate(plays)}
        gone = {card for row in case["rows"] for card in row} | set(plays.values())
        self.filler = max(set(range(1, 105)) - gone)
        self.cards = [*plays.values(), self.filler]
        self.dealer: Dealer = at_position(
            case["rows"], [[card] for card in self.cards], rules_of(case["options"]), **options
        )

    def submit(self, choices: dict[str, int]) -> list[Message]:
        rows = {self.seats[player]: row for player, row in choices.items()}
        messages: list[Message] = []
        for seat, card in enumerate(self.cards):
            messages += self.dealer.submit(seat, card, rows.get(seat), now=START + 1)
        return messages

    def check(self, placed: list[dict[str, Any]]) -> None:
        """Compare with the steps, the rows and the heads that the case expects."""
        steps = [step for step in placed if step["seat"] in self.seats.values()]
        names = {seat: player for player, seat in self.seats.items()}
        expected = self.case["expect"]
        sides = {"R": "right", "L": "left", None: None}
        assert [(names[s["seat"]], s["card"], s["row"], s["side"]) for s in steps] == [
            (step["player"], step["card"], step["row"], sides[step.get("side")]) for step in expected["steps"]
        ]
        heads: dict[str, int] = {}
        for step in steps:
            heads[names[step["seat"]]] = heads.get(names[step["seat"]], 0) + step["heads"]
        assert {name: sum for name, sum in heads.items() if sum} == {
            name: sum for name, sum in expected.get("heads", heads).items() if sum
        }


def tricks(wanted: str) -> list[Any]:
    """Return the cases of one turn that end as `wanted`: "taken", "pending" or "error"."""
    found = [case for case in CASES if case["kind"] == "trick" and wanted in case["expect"]]
    return [pytest.param(case, id=case["id"]) for case in found]


@pytest.mark.parametrize("case", tricks("taken"))
def test_rows_sent_along(case: dict[str, Any]) -> None:
    played = Played(case)
    played.check(one(played.submit(case["choices"]), "reveal").fields["placed"])


@pytest.mark.parametrize("case", tricks("taken"))
def test_rows_asked_for(case: dict[str, Any]) -> None:
    """The same, but nobody sends a row along, and who owes one is asked."""
    played = Played(case, ask=True)
    messages = played.submit({})
    placed = list(one(messages, "reveal").fields["placed"])
    while played.dealer.phase == "take":
        (seat,) = played.dealer.waiting
        player = next(name for name, number in played.seats.items() if number == seat)
        messages = played.dealer.choose_row(seat, case["choices"][player], now=START + 2)
        placed += one(messages, "placed").fields["placed"]
    played.check(placed)


@pytest.mark.parametrize("case", tricks("pending"))
def test_pending(case: dict[str, Any]) -> None:
    played = Played(case, ask=True)
    messages = played.submit({})
    expected = case["expect"]["pending"]
    owed = one(messages, "reveal").fields["owed"]
    assert owed == {
        "seat": played.seats[expected["player"]],
        "card": expected["card"],
        "rows": expected["options"],
    }
    assert one(messages, "your_row").to == owed["seat"]
    assert played.dealer.waiting == (owed["seat"],)
    played.check(one(messages, "reveal").fields["placed"])


def test_rows_that_are_refused() -> None:
    """base-22 needs no row: ignored (H4). base-23: no such row. pro-27: not one of the two, so A2 decides."""
    by_id = {case["id"]: case for case in CASES}
    fits = Played(by_id["base-22"])
    assert one(fits.submit({"A": 2}), "reveal").fields["placed"][0]["row"] == 0
    none = Played(by_id["base-23"])
    assert "rows are 0..3" in refused(
        none.dealer, nimmt.IllegalMove, none.dealer.submit, 0, none.cards[0], 4, now=START
    )
    tie = Played(by_id["pro-27"])
    (step,) = [s for s in one(tie.submit({"A": 2}), "reveal").fields["placed"] if s["seat"] == 0]
    assert step["how"] == "cheapest"
    asked = Played(by_id["pro-27"])
    asked.submit({})
    assert "P4" in refused(asked.dealer, nimmt.IllegalMove, asked.dealer.choose_row, 0, 2, now=START + 2)


@pytest.mark.parametrize("sent", ["nothing", "cheapest", "a late choice"])
@pytest.mark.parametrize("case", of_kind("autorow"))
def test_cheapest_row(case: dict[str, Any], sent: str) -> None:
    """A1 and A2: needed and not sent, sent as `cheapest`, or asked for and missed."""
    played = Played(case, automatic=True, ask=sent == "a late choice")
    dealer = played.dealer
    messages = dealer.submit(0, case["card"], "cheapest" if sent == "cheapest" else None, now=START + 1)
    messages += dealer.submit(1, played.filler, now=START + 1)
    kind = "reveal"
    if sent == "a late choice":
        assert dealer.phase == "take" and dealer.waiting == (0,)
        assert dealer.tick(START + 1 + 48 * 3600) == []  # H8: in time
        messages, kind = dealer.tick(START + 2 + 48 * 3600), "placed"
    (step,) = [step for step in one(messages, kind).fields["placed"] if step["seat"] == 0]
    expected = case["expect"]
    assert (step["row"], step["heads"], step["how"]) == (expected["row"], expected["heads"], "cheapest")
    table = one(messages, kind).fields["rows"]
    # The other seat's card, the highest, was placed after it.
    assert [[card for card in row if card != played.filler] for row in table] == expected["rows"]


def test_joining_late() -> None:
    """pbp-10: between rounds, with the highest score; the tactic deck grows (H7, V1)."""
    (case,) = [case for case in CASES if case["id"] == "pbp-10"]
    totals = list(case["totals"].values())
    dealer = at_position([[1], [5], [10], [15]], [[2], [6], [11]], nimmt.TACTIC, totals)
    for seat, card in enumerate((2, 6, 11)):
        dealer.submit(seat, card, now=START)
    assert dealer.phase == "scored"
    joined = one(dealer.join(now=START + 5), "joined")
    assert joined.fields == {"seat": 3, "players": 4, "score": case["expect"]["totals"]["D"]}
    assert list(dealer.game().scores) == list(case["expect"]["totals"].values())
    dealer.next_round(now=START + 6)
    game = dealer.game()
    assert game.players == case["expect"]["players"]
    assert max([card for seat in range(4) for card in game.hand(seat)] + [r[0] for r in game.rows]) == 44


def test_joining_inside_a_round() -> None:
    """pbp-11."""
    dealer = at_position([[1], [5], [10], [15]], [[2], [6]], scores=[12, 40])
    assert "round 2 is not over" in refused(dealer, nimmt.WrongPhase, dealer.join, now=START)
