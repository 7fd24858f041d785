"""tests/cases/rules.json, every case by its id, through the public functions on both backends."""

from __future__ import annotations

import random
import string
from types import ModuleType
from typing import Any

import pytest
from conftest import cases, last_turn, play_round, round_bytes

CASES: list[dict[str, Any]] = cases("rules.json")["cases"]
HANDLED = {
    "autorow",
    "deck",
    "draft",
    "draft_first",
    "hand",
    "heads",
    "heads_total",
    "latejoin",
    "match",
    "midhand",
    "trick",
}
# Kinds of the schema that belong to play by post and to a display, not to the engine. No case has them so far.
ELSEWHERE = {"missing_card", "deadline", "display"}

SIDES = {"R": "right", "L": "left", None: None}
REASONS = {"low": 4, "nofit": 4, "tie": 2}  # how many rows there are to choose from


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    assert HANDLED.issuperset(kinds)
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] in kinds])


def seat_of(player: str) -> int:
    return string.ascii_uppercase.index(player)


def by_seat(values: dict[str, int]) -> dict[int, int]:
    return {seat_of(player): value for player, value in values.items()}


def in_order(values: dict[str, int]) -> tuple[int, ...]:
    """Return the values by seat."""
    return tuple(values[player] for player in sorted(values))


def tuples(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in rows)


def rules_of(nimmt: ModuleType, options: dict[str, Any], **more: Any) -> Any:
    variant = options.get("variant", "base")
    return nimmt.Rules(
        deck="full" if variant == "base" else "tactic",
        draft=variant == "logic",
        professional=options.get("professional", False),
        tie=options.get("pro_tie", "choose"),
        cheapest={"index": "index", "fewest_cards": "fewest", "most_cards": "most"}[
            options.get("auto_row_tie", "index")
        ],
        **more,
    )


def placed(nimmt: ModuleType, steps: list[dict[str, Any]], taken: dict[str, list[int]]) -> list[Any]:
    """Return the Placed events that the steps of a case tell of. No player takes twice in a turn."""
    events = []
    for step in steps:
        cards = () if step["action"] == "place" else tuple(taken[step["player"]])
        assert sum(nimmt.bull_heads(card) for card in cards) == step["heads"]
        events.append(nimmt.Placed(seat_of(step["player"]), step["card"], step["row"], SIDES[step["side"]], cards))
    return events


def owed(nimmt: ModuleType, pending: dict[str, Any]) -> Any:
    assert len(pending["options"]) == REASONS[pending["reason"]]
    return nimmt.RowOwed(seat_of(pending["player"]), pending["card"], tuple(pending["options"]))


def test_every_case_is_run_or_named_elsewhere() -> None:
    kinds = {case["kind"] for case in CASES}
    assert kinds <= HANDLED | ELSEWHERE
    assert HANDLED <= kinds
    assert len({case["id"] for case in CASES}) == len(CASES) == 76
    assert set(cases("rules.json")["schema"]["kinds"]) == HANDLED | ELSEWHERE
    assert not [case["id"] for case in CASES if case.get("disputed")]


def arguments(case: dict[str, Any]) -> dict[str, Any]:
    options = case["options"]
    return {
        "rows": case["rows"],
        "plays": by_seat(case["plays"]),
        "take": by_seat(case["choices"]),
        "professional": options["professional"],
        "tie": options.get("pro_tie", "choose"),
    }


@of_kind("trick")
def test_resolve(case: dict[str, Any], nimmt: ModuleType) -> None:
    expect, given = case["expect"], arguments(case)
    error = expect.get("error")
    if error in ("duplicate_card", "bad_row"):
        with pytest.raises(nimmt.IllegalMove):
            nimmt.resolve(**given)
        return
    if error == "choice_not_allowed":  # resolve holds choices ready, and ignores what is not needed
        assert nimmt.resolve(**given) == nimmt.resolve(**dict(given, take={}))
        return
    if error:  # of hands and decks, of which resolve knows nothing
        assert error in ("not_in_hand", "not_in_deck")
        assert nimmt.resolve(**given).pending is None
        return
    turn = nimmt.resolve(**given)
    assert turn.rows == tuples(expect["rows"])
    assert list(turn.placed) == placed(nimmt, expect["steps"], expect.get("taken", {}))
    if "pending" in expect:
        assert turn.pending == owed(nimmt, expect["pending"])
    else:
        assert turn.pending is None
        assert turn.heads == by_seat(expect["heads"])
        taken: dict[int, Any] = {p.seat: list(p.taken) for p in turn.placed if p.taken}
        assert taken == by_seat(expect["taken"])


def table_of(nimmt: ModuleType, case: dict[str, Any]) -> tuple[Any, dict[int, int]]:
    """Return a round in the position of a case, and the cards to play.

    A case with one player gets a second one, whose card is the highest, so that it is placed last.
    """
    plays, rules = by_seat(case["plays"]), rules_of(nimmt, case["options"])
    highest = rules.highest(max(2, len(plays)))
    spare = [card for card in range(highest, 0, -1) if card not in sum(case["rows"], list(plays.values()))]
    hands = None
    if "hands" in case:
        hands = [*case["hands"].values(), spare[:3]]
    if len(plays) == 1:
        plays[1] = spare[0]
    return nimmt.Round.from_rows(case["rows"], len(plays), hands, rules), plays


@of_kind("trick")
def test_moves(case: dict[str, Any], nimmt: ModuleType) -> None:
    expect, choices = case["expect"], by_seat(case["choices"])
    table, plays = table_of(nimmt, case)
    before = table.to_bytes()
    error = expect.get("error")
    if error in ("duplicate_card", "not_in_hand", "not_in_deck"):
        with pytest.raises(nimmt.IllegalMove):
            table.play(plays)
        assert table.to_bytes() == before
        return
    events = table.play(plays)
    if error == "choice_not_allowed":
        before = table.to_bytes()
        with pytest.raises(nimmt.WrongPhase):
            table.take(0, choices[0])
        assert table.to_bytes() == before
        return
    while table.owed and table.owed.seat in choices:
        if error == "bad_row":
            before = table.to_bytes()
            with pytest.raises(nimmt.IllegalMove):
                table.take(table.owed.seat, choices[table.owed.seat])
            assert table.to_bytes() == before
            return
        assert events.pop() == table.owed
        events += table.take(table.owed.seat, choices[table.owed.seat])
    assert error is None
    assert events[0] == nimmt.Revealed(tuple(plays[seat] for seat in range(len(plays))))
    steps = [event for event in events if isinstance(event, nimmt.Placed)]
    wanted = placed(nimmt, expect["steps"], expect.get("taken", {}))
    if "pending" in expect:
        assert steps == wanted
        assert events[-1] == table.owed == owed(nimmt, expect["pending"])
        assert table.phase == "take"
        assert table.rows == tuples(expect["rows"])
        return
    assert steps[: len(wanted)] == wanted
    assert len(steps) - len(wanted) == len(plays) - len(case["plays"])
    if len(plays) == len(case["plays"]):
        assert table.phase == "choose"
        assert table.rows == tuples(expect["rows"])
        assert table.heads == in_order(expect["heads"])


@of_kind("deck")
def test_deck(case: dict[str, Any], nimmt: ModuleType) -> None:
    players, expect = case["players"], case["expect"]
    rules = rules_of(nimmt, case["options"])
    if "error" in expect:
        with pytest.raises(nimmt.NimmtError) as caught:
            nimmt.Game(players, seed=1, rules=rules)
        assert type(caught.value) is nimmt.NimmtError
        return
    game = nimmt.Game(players, seed=1, rules=rules)
    hands = [card for seat in range(players) for card in game.hand(seat)]
    table = [card for row in game.rows for card in row]
    deck = range(1, game.highest + 1)
    assert rules.highest(players) == game.highest == expect["highest"] == expect["deck_size"]
    assert expect["lowest"] == 1
    assert sum(nimmt.bull_heads(card) for card in deck) == expect["total_heads"]
    assert (len(hands), len(table)) == (expect["in_hands"], expect["on_table"])
    assert len(set(deck) - set(hands + table)) == expect["undealt"]
    assert len(set(hands + table)) == len(hands + table)


@of_kind("draft")
def test_draft(case: dict[str, Any], nimmt: ModuleType) -> None:
    expect, picks, players = case["expect"], case["picks"], len(case["players"])
    rules = rules_of(nimmt, case["options"], first_picker=seat_of(case["first"]))
    game = nimmt.Game(players, seed=1, rules=rules)
    if "error" in expect:
        for card in picks[:-1]:
            game.pick(game.to_act[0], card)
        before = game.save()
        with pytest.raises(nimmt.IllegalMove):
            game.pick(game.to_act[0], picks[-1])
        assert game.save() == before
        return
    order = []
    for card in picks:
        order.append(case["players"][game.to_act[0]])
        game.pick(game.to_act[0], card)
    assert order == expect["order"]
    assert {player: list(game.hand(seat)) for seat, player in enumerate(case["players"])} == expect["hands"]
    if "rows" in expect:
        assert game.phase == "choose"
        assert game.rows == tuples(expect["rows"])
    else:
        assert game.phase == "draft"
        assert game.to_act == (seat_of(expect["next_picker"]),)
        assert len(game.legal(game.to_act[0])) == expect["pool_left"]


@of_kind("draft_first")
def test_draft_first(case: dict[str, Any], nimmt: ModuleType) -> None:
    players = len(case["players"])
    rules = rules_of(nimmt, case["options"], limit=10_000)
    assert rules.first_picker == case["options"]["draft_first"] == "rotate"
    first = seat_of(case["first_hand_first"])
    seeds = (seed for seed in range(100) if nimmt.Game(players, seed, rules).to_act == (first,))
    game, firsts = nimmt.Game(players, next(seeds), rules), []
    for _ in case["expect"]["first_by_hand"]:
        firsts.append(case["players"][game.to_act[0]])
        play_round(game, random.Random(1))
        game.deal()
    assert firsts == case["expect"]["first_by_hand"]


@of_kind("match")
def test_match(case: dict[str, Any], nimmt: ModuleType) -> None:
    options, expect = case["options"], case["expect"]
    rules = nimmt.Rules(limit=options["limit"], end=options["limit_mode"], rounds=options.get("hands"))
    before, heads = in_order(case["totals_before"]), in_order(case["hand_heads"])
    game, cards = last_turn(nimmt, before, heads, rules, case.get("hand_no", 2))
    assert game.scores == before
    events = game.play(cards)
    totals = in_order(expect["totals"])
    assert nimmt.RoundOver(heads, totals) in events
    assert game.scores == totals
    assert game.is_over == expect["over"]
    if expect["over"]:
        winners = tuple(seat_of(player) for player in expect["winners"])
        assert (game.winners, game.ranks) == (winners, in_order(expect["ranks"]))
        assert events[-1] == nimmt.GameOver(totals, game.ranks, winners)
    else:
        assert (game.winners, game.phase) == ((), "scored")
        assert isinstance(events[-1], nimmt.RoundOver)
        game.deal()


@of_kind("midhand")
def test_midhand(case: dict[str, Any], nimmt: ModuleType) -> None:
    expect, turn = case["expect"], case["trick"]
    heads, before = in_order(case["heads_so_far"]), in_order(case["totals_before"])
    rules = nimmt.Rules(limit=case["options"]["limit"], end=case["options"]["limit_mode"])
    hands = [range(30, 30 + 11 - turn), range(50, 50 + 11 - turn)]
    start = nimmt.Round.from_bytes(round_bytes([[4], [9], [14], [19]], hands, heads))
    game = nimmt.Game.from_round(start, before, rules, seed=1, round=2)
    assert game.turn == turn
    game.play((30, 50))
    assert tuple(map(sum, zip(game.scores, game.heads, strict=True))) == in_order(expect["live_totals"])
    assert (game.phase == "scored") == expect["hand_over"]
    assert game.is_over == expect["match_over"]
    assert game.phase == "choose"
    play_round(game, random.Random(1))
    assert game.is_over


@of_kind("heads")
def test_heads(case: dict[str, Any], nimmt: ModuleType) -> None:
    assert {card: nimmt.bull_heads(int(card)) for card in case["values"]} == case["values"]


@of_kind("heads_total")
def test_heads_total(case: dict[str, Any], nimmt: ModuleType) -> None:
    heads = [nimmt.bull_heads(card) for card in range(1, 105)]
    assert {str(value): heads.count(value) for value in sorted(set(heads))} == case["expect"]["by_value"]
    assert sum(heads) == case["expect"]["total"]


@of_kind("autorow")
def test_autorow(case: dict[str, Any], nimmt: ModuleType) -> None:
    expect = case["expect"]
    rules = rules_of(nimmt, case["options"])
    table = nimmt.Round.from_rows(case["rows"], 2, rules=rules)
    table.play((case["card"], 104))
    assert table.to_act == (seat_of(case["player"]),)
    row = table.cheapest()
    assert row == expect["row"]
    events = table.take(0, row)
    assert sum(nimmt.bull_heads(card) for card in events[0].taken) == table.heads[0] == expect["heads"]
    turn = nimmt.resolve(
        case["rows"], [case["card"]], {0: row}, professional=case["options"]["professional"], tie=rules.tie
    )
    assert (turn.rows, turn.heads) == (tuples(expect["rows"]), {0: expect["heads"]})


@of_kind("latejoin")
def test_latejoin(case: dict[str, Any], nimmt: ModuleType) -> None:
    expect, totals = case["expect"], in_order(case["totals"])
    rules = rules_of(nimmt, case["options"])
    game, cards = last_turn(nimmt, totals, [0] * len(totals), rules)
    if not case["between_hands"]:
        assert expect["error"] == "only_between_hands"
        before = game.save()
        with pytest.raises(nimmt.WrongPhase):
            game.join()
        assert game.save() == before
        return
    game.play(cards)
    assert game.join() == seat_of(case["joiner"])
    assert game.scores == in_order(expect["totals"])
    game.deal()
    assert (game.players, game.highest) == (expect["players"], expect["next_deck_size"])
    assert len(game.hand(seat_of(case["joiner"]))) == 10
    assert game.scores == in_order(expect["totals"])


@of_kind("hand")
def test_hand(case: dict[str, Any], nimmt: ModuleType) -> None:
    rules = rules_of(nimmt, case["options"], rounds=1)
    hands = [case["hands"][player] for player in sorted(case["hands"])]
    game = nimmt.Game.from_round(nimmt.Round.from_rows(case["rows"], None, hands, rules), rules=rules, seed=1)
    piles: dict[int, list[int]] = {}
    for number, trick in enumerate(case["tricks"], 1):
        assert game.turn == number
        before, choices = game.heads, by_seat(trick["choices"])
        events = game.play(by_seat(trick["plays"]))
        while game.owed:
            events += game.take(game.owed.seat, choices.pop(game.owed.seat))
        assert choices == {}
        assert game.rows == tuples(trick["rows_after"])
        gained = {
            seat: now - then for seat, (now, then) in enumerate(zip(game.heads, before, strict=True)) if now > then
        }
        assert gained == by_seat(trick["heads"])
        for event in events:
            if isinstance(event, nimmt.Placed) and event.taken:
                piles.setdefault(event.seat, []).extend(event.taken)
    assert game.is_over
    assert game.rows == tuples(case["expect"]["rows"])
    assert game.scores == game.heads == in_order(case["expect"]["heads"])
    assert piles == {seat_of(player): cards for player, cards in case["expect"]["taken"].items()}
