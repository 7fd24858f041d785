"""H6 to H8 of RULES, the draft by post, pauses and more time."""

from __future__ import annotations

from typing import Any

from post.helpers import HOUR, START, at_position, check_replay, kinds, one, opened, play_round, refused, submit_lowest

import nimmt
from nimmt import IllegalMove, WrongPhase
from nimmt.post import Dealer

DAY = 24 * HOUR


# H6


def test_a_dropped_seat_plays_on_scores_and_is_ranked() -> None:
    dealer = opened(3, seed=5)
    messages = dealer.drop(1, now=START)
    assert kinds(messages) == [("all", "dropped")] and dealer.waiting == (0, 2)
    reveal = one(submit_lowest(dealer, [0, 2], START), "reveal")
    assert reveal.fields["random"] == [1]
    last: list[Any] = []
    while dealer.phase != "over":
        if dealer.phase == "scored":
            dealer.next_round(now=START)
        last = submit_lowest(dealer, dealer.waiting, START)
    results = one(last, "game_over")
    assert results.fields["dropped"] == [1] and len(results.fields["ranks"]) == 3
    assert "seat 1 (dropped out)" in results.body
    assert results.fields["scores"][1] > 0
    check_replay(dealer)


def test_dropping_the_last_one_missing_shows_the_turn() -> None:
    dealer = opened(3)
    submit_lowest(dealer, [0, 2], START)
    assert kinds(dealer.drop(1, now=START)) == [("all", "dropped"), ("all", "reveal")]


def test_a_card_chosen_before_dropping_stands() -> None:
    dealer = opened(2)
    card = dealer.game().hand(1)[7]
    dealer.submit(1, card, now=START)
    dealer.drop(1, now=START)
    reveal = one(submit_lowest(dealer, [0], START), "reveal")
    assert reveal.fields["cards"][1] == card and reveal.fields["random"] == []


def test_dropping_who_owes_a_row() -> None:
    dealer = at_position([[48], [52], [80], [90]], [[50, 99], [60, 98]], nimmt.PROFESSIONAL)
    dealer.submit(0, 50, now=START)
    dealer.submit(1, 60, now=START)
    messages = dealer.drop(0, now=START)
    assert one(messages, "placed").fields["placed"][0]["how"] == "cheapest"
    assert dealer.waiting == (1,)


def test_taking_over_at_the_start_of_a_turn() -> None:
    dealer = opened(3)
    dealer.drop(1, now=START)
    assert "dropped out" in refused(dealer, IllegalMove, dealer.submit, 1, dealer.game().hand(1)[0], now=START)
    messages = dealer.take_over(1, now=START + 1)
    assert kinds(messages) == [("all", "taken_over"), (1, "hand")]
    assert dealer.waiting == (0, 1, 2) and dealer.due[1] == START + 1 + 72 * HOUR
    refused(dealer, IllegalMove, dealer.take_over, 1, now=START + 1)


def test_taking_over_inside_a_turn_waits_for_the_next() -> None:
    dealer = opened(3)
    dealer.drop(1, now=START)
    submit_lowest(dealer, [0], START)
    assert kinds(dealer.take_over(1, now=START)) == [("all", "taken_over")]
    assert dealer.waiting == (2,) and dealer.take_over(1, now=START) == []
    messages = submit_lowest(dealer, [2], START)
    assert one(messages, "reveal").fields["random"] == [1]
    assert one(messages, "hand").to == 1
    assert list(dealer.waiting) == [0, 1, 2]
    check_replay(dealer)


def test_all_have_dropped() -> None:
    dealer = opened(2, seed=1)
    dealer.drop(0, now=START)
    dealer.drop(1, now=START)
    assert dealer.phase == "scored"
    while dealer.phase != "over":
        dealer.next_round(now=START)
    refused(dealer, WrongPhase, dealer.drop, 0, now=START)
    refused(dealer, WrongPhase, dealer.take_over, 0, now=START)
    check_replay(dealer)


# H7: two cases are in test_post_cases.py


def test_joining_before_the_start_and_an_eleventh() -> None:
    dealer = Dealer()
    dealer.open(now=START, seed=1)
    for seat in range(10):
        assert one(dealer.join(now=START), "joined").fields == {"seat": seat, "players": seat + 1, "score": None}
    assert "R1, H7" in refused(dealer, IllegalMove, dealer.join, now=START)
    dealer.start(now=START)
    assert dealer.players == 10
    play_round(dealer, START)
    if dealer.phase == "scored":
        refused(dealer, IllegalMove, dealer.join, now=START)


# H8


def test_the_border_of_a_deadline() -> None:
    for automatic in (False, True):
        dealer = opened(2, automatic=automatic)
        deadline = START + 72 * HOUR
        assert dealer.tick(deadline - 1) == dealer.tick(deadline) == []
        assert dealer.late(deadline) == () and dealer.late(deadline + 1) == (0, 1)
        assert "not late" in refused(dealer, WrongPhase, dealer.play_for, 0, now=deadline)
        submit_lowest(dealer, [0], deadline)
        assert dealer.tick(deadline + 1) != []


def test_a_card_after_an_automatic_deadline_is_not_for_the_next_turn() -> None:
    dealer = opened(2, automatic=True)
    late = START + 72 * HOUR + 1
    card = dealer.game().hand(0)[5]
    assert "H8" in refused(dealer, WrongPhase, dealer.submit, 0, card, now=late)
    assert "turn 1 of round 1 is over" in refused(dealer, WrongPhase, dealer.submit, 0, card, turn=1, now=late)
    assert refused(dealer, WrongPhase, dealer.submit, 0, card, turn=(1, 1), now=late)
    # Who names the new turn means it; the deadline comes first all the same.
    after = Dealer.load(dealer.save())
    after.tick(late)
    card = after.game().hand(0)[0]
    assert one(dealer.submit(0, card, turn=2, now=late), "received").fields["turn"] == 2
    check_replay(dealer)


# Draft by post (V2)


def test_picks_have_deadlines() -> None:
    dealer = opened(3, automatic=True, rules=nimmt.LOGIC, pick=100)
    (first,) = dealer.waiting
    pool = dealer.view().pool
    messages = dealer.pick(first, pool[-1], now=START + 100)
    second = (first + 1) % 3
    assert kinds(messages) == [("all", "picked"), (second, "your_pick")]
    assert dealer.due[second] == START + 200
    assert dealer.tick(START + 200) == []
    messages = dealer.tick(START + 201)
    assert kinds(messages) == [("all", "played_for"), ("all", "picked"), ((first + 2) % 3, "your_pick")]
    assert messages[1].fields["random"] and messages[1].fields["card"] in pool
    assert dealer.log[-1]["done"][0][:2] == ["random", second]
    check_replay(dealer)


def test_a_late_pick_is_refused_even_when_its_turn_has_come_again() -> None:
    dealer = opened(2, automatic=True, rules=nimmt.LOGIC, pick=100)
    (first,) = dealer.waiting
    assert "H8" in refused(dealer, WrongPhase, dealer.pick, first, dealer.view().pool[0], now=START + 201)


def test_a_dropped_seat_picks_at_random_and_the_turns_begin() -> None:
    dealer = opened(2, rules=nimmt.LOGIC)
    (first,) = dealer.waiting
    dealer.drop(first, now=START)
    other = 1 - first
    while dealer.phase == "draft":
        assert dealer.waiting == (other,)
        messages = dealer.pick(other, dealer.view().pool[0], now=START)
    assert messages[-1].kind in ("hand", "table") and dealer.phase == "choose"
    assert [message.to for message in messages if message.kind == "hand"] == [other]
    dealer.take_over(first, now=START)
    assert dealer.waiting == (0, 1)
    check_replay(dealer)


# Pause, extend, remind


def test_a_pause_moves_the_deadlines() -> None:
    dealer = opened(2, automatic=True)
    dealer.pause(now=START + 72 * HOUR)
    assert dealer.tick(START + 90 * DAY) == [] and dealer.late(START + 90 * DAY) == ()
    refused(dealer, WrongPhase, dealer.pause, now=START + 90 * DAY)
    submit_lowest(dealer, [0], START + 90 * DAY)
    dealer.resume(now=START + 91 * DAY)
    assert dealer.due == (None, START + 91 * DAY)
    assert dealer.tick(START + 91 * DAY) == [] and dealer.tick(START + 91 * DAY + 1) != []
    refused(dealer, WrongPhase, dealer.resume, now=START + 92 * DAY)
    check_replay(dealer)


def test_a_turn_that_begins_in_a_pause() -> None:
    dealer = opened(2)
    dealer.pause(now=START + DAY)
    submit_lowest(dealer, [0, 1], START + 3 * DAY)
    dealer.resume(now=START + 11 * DAY)
    assert dealer.due == (START + 11 * DAY + 48 * HOUR,) * 2


def test_extending() -> None:
    dealer = opened(3)
    deadline = START + 72 * HOUR
    dealer.extend(DAY, 1, now=START)
    assert dealer.due == (deadline, deadline + DAY, deadline)
    dealer.extend(HOUR, now=deadline)
    assert dealer.due == (deadline + HOUR, deadline + DAY + HOUR, deadline + HOUR)
    dealer.tick(deadline + HOUR + 1)
    assert "still be late" in refused(dealer, IllegalMove, dealer.extend, 1, 0, now=deadline + 9 * DAY)
    dealer.extend(9 * DAY, 0, now=deadline + 9 * DAY)
    assert dealer.late(deadline + 9 * DAY + HOUR) == (1, 2)
    assert dealer.tick(deadline + 9 * DAY + HOUR + 1)[0].fields["seats"] == [0]  # told again
    check_replay(dealer)


def test_reminders_name_no_cards_to_the_dealer() -> None:
    dealer = opened(3)
    submit_lowest(dealer, [1], START)
    messages = dealer.remind(now=START + 71 * HOUR)
    assert kinds(messages) == [(0, "reminder"), (2, "reminder"), ("dealer", "reminded")]
    assert "Time left: 1 h" in messages[0].body
    assert "hand" not in messages[2].fields
    submit_lowest(dealer, [0], START + 71 * HOUR)
    assert one(dealer.remind(now=START + 73 * HOUR), "reminded").fields["late"] == [2]
