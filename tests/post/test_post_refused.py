"""What is refused, and what is done once though it is said twice."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from post.helpers import HOUR, START, check_replay, one, opened, play_round, refused, submit_lowest

import nimmt
from nimmt import IllegalMove, NimmtError, WrongPhase
from nimmt.post import ClockBackwards, Dealer, StaleVersion

DAY = 24 * HOUR


# Idempotent and ordered


def test_a_repeated_submission_is_one() -> None:
    dealer = opened(2)
    card = dealer.game().hand(0)[0]
    dealer.submit(0, card, row=2, now=START)
    version, state = dealer.version, dealer.save()
    assert dealer.submit(0, card, row=2, now=START + 9) == []
    assert (dealer.version, dealer.save()) == (version, state)
    assert one(dealer.submit(0, card, row=1, now=START + 9), "received").fields["row"] == 1


def test_a_late_repeat_is_refused_as_one() -> None:
    dealer = opened(2)
    first = [dealer.game().hand(seat)[0] for seat in range(2)]
    for seat in range(2):
        dealer.submit(seat, first[seat], turn=1, now=START)
    assert "turn 1 of round 1 is over" in refused(dealer, WrongPhase, dealer.submit, 1, first[1], turn=1, now=START)
    assert "turn 1 of this round: a late repeat" in refused(dealer, WrongPhase, dealer.submit, 1, first[1], now=START)
    submit_lowest(dealer, [0], START)
    assert "turn 1 of this round" in refused(dealer, WrongPhase, dealer.submit, 0, first[0], now=START)
    assert "yet to come" in refused(dealer, WrongPhase, dealer.submit, 0, first[0], turn=(2, 1), now=START)


def test_two_hosts_on_the_same_version() -> None:
    dealer = opened(3)
    seen = dealer.version
    dealer.drop(0, now=START, expected_version=seen)
    calls: list[tuple[Callable[..., object], tuple[int, ...]]] = [
        (dealer.drop, (1,)),
        (dealer.join, ()),
        (dealer.next_round, ()),
        (dealer.tick, ()),
        (dealer.remind, ()),
        (dealer.play_for, (1,)),
        (dealer.take_over, (0,)),
        (dealer.extend, (60,)),
        (dealer.pause, ()),
        (dealer.resume, ()),
        (dealer.submit, (1, 5)),
        (dealer.withdraw, (1,)),
        (dealer.choose_row, (1, 0)),
        (dealer.pick, (1, 5)),
        (dealer.start, ()),
    ]
    for call, args in calls:
        refused(dealer, StaleVersion, call, *args, now=START, expected_version=seen)
        refused(dealer, StaleVersion, call, *args, now=START, expected_version=seen + 2)


def test_a_clock_that_runs_backwards() -> None:
    dealer = opened(2)
    refused(dealer, ClockBackwards, dealer.tick, START - 1)
    refused(dealer, ClockBackwards, dealer.submit, 0, dealer.game().hand(0)[0], now=START - 1)
    dealer.submit(0, dealer.game().hand(0)[0], now=START)


# Bad input


@pytest.mark.parametrize("bad", [1.0, True, "5", None, 1e300])
def test_times_and_numbers_are_integers(bad: Any) -> None:
    dealer = opened(2)
    card = dealer.game().hand(0)[0]
    refused(dealer, TypeError, dealer.tick, bad)
    refused(dealer, TypeError, dealer.submit, 0, card, now=bad)
    refused(dealer, TypeError, dealer.submit, bad, card, now=START)
    refused(dealer, TypeError, dealer.submit, 0, bad, now=START)
    refused(dealer, TypeError, dealer.extend, bad, now=START)
    refused(dealer, TypeError, dealer.drop, bad, now=START)
    if bad is not None:
        refused(dealer, TypeError, dealer.tick, START, expected_version=bad)
        refused(dealer, TypeError, dealer.submit, 0, card, turn=bad, now=START)
        error = IllegalMove if bad == "5" else TypeError
        refused(dealer, error, dealer.submit, 0, card, bad, now=START)
        refused(Dealer(), TypeError, Dealer().open, now=START, seed=bad)
    refused(Dealer(), TypeError, Dealer().open, now=START, first=bad)


def test_values_out_of_range() -> None:
    dealer = opened(2)
    hand = dealer.game().hand(0)
    for seat in (-1, 2, 10**30):
        refused(dealer, IllegalMove, dealer.submit, seat, hand[0], now=START)
        refused(dealer, IllegalMove, dealer.drop, seat, now=START)
        refused(dealer, IllegalMove, dealer.play_for, seat, now=START)
        refused(dealer, IllegalMove, dealer.extend, 5, seat, now=START)
    for card in (0, -1, 105, 10**30, dealer.game().hand(1)[0]):
        refused(dealer, IllegalMove, dealer.submit, 0, card, now=START)
    for row in (-1, 4, 10**30, "", "Cheapest", "0"):
        refused(dealer, IllegalMove, dealer.submit, 0, hand[0], row, now=START)
    refused(dealer, NimmtError, dealer.tick, -1)
    refused(dealer, NimmtError, dealer.tick, 2**60)
    refused(dealer, NimmtError, dealer.extend, 0, now=START)
    for name in ("first", "later", "choice", "pick"):
        refused(Dealer(), NimmtError, Dealer().open, now=START, **{name: 0})
    for name in ("automatic", "ask"):
        refused(Dealer(), TypeError, Dealer().open, now=START, **{name: 1})
    for name in ("seed", "game"):
        refused(Dealer(), NimmtError, Dealer().open, now=START, **{name: 2**64})
    refused(Dealer(), TypeError, Dealer().open, now=START, rules="base")


def test_not_now() -> None:
    new = Dealer()
    for call in (new.join, new.start, new.next_round, new.remind, new.pause, new.resume):
        refused(new, WrongPhase, call, now=START)
    refused(new, WrongPhase, new.submit, 0, 5, now=START)
    assert new.tick(START) == []
    new.open(now=START, seed=1)
    refused(new, WrongPhase, new.open, now=START)
    new.join(now=START)
    refused(new, WrongPhase, new.start, now=START)
    refused(new, WrongPhase, new.drop, 0, now=START)
    new.join(now=START)
    new.start(now=START)
    refused(new, WrongPhase, new.start, now=START)
    refused(new, WrongPhase, new.next_round, now=START)
    refused(new, WrongPhase, new.choose_row, 0, 1, now=START)
    refused(new, WrongPhase, new.pick, 0, 5, now=START)
    play_round(new, START)
    refused(new, WrongPhase, new.submit, 0, 5, now=START)
    refused(new, WrongPhase, new.submit, 0, 5, turn=10, now=START)
    refused(new, WrongPhase, new.extend, 60, now=START)
    refused(new, WrongPhase, new.remind, now=START)


def test_a_position_that_does_not_fit() -> None:
    dealer = Dealer()
    dealer.open(now=START, seed=1)
    dealer.join(now=START)
    dealer.join(now=START)
    refused(dealer, NimmtError, dealer.start, now=START, position=nimmt.Game(3, 1))
    refused(dealer, NimmtError, dealer.start, now=START, position=nimmt.Game(2, 1, nimmt.TACTIC))
    refused(dealer, TypeError, dealer.start, now=START, position=b"")


# Values


def test_states_that_are_wrong() -> None:
    good = opened(2, rules=nimmt.LOGIC).save()
    for bad in (
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        good[:-1],
        good + b" ",
        good.replace(b'"format":1', b'"format":2'),
    ):
        with pytest.raises(nimmt.BadRecord):
            Dealer.load(bad)
    with pytest.raises(nimmt.BadRecord):
        Dealer.load(good.replace(b'"paused":null', b'"paused":-1'))
    with pytest.raises(nimmt.BadRecord):
        Dealer.load(good.replace(b'"clock":1', b'"clock":1.'))
    with pytest.raises(TypeError):
        Dealer.load("text")  # type: ignore[arg-type]


NEW_SEAT: list[Any] = [None, False, False, False, True, None, False, []]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("clock",), -1, "clock is an integer from 0 on, not -1"),
        (("seed",), True, "seed is an integer from 0 on, not True"),
        (("paused",), -1, "paused is an integer from 0 on, not -1"),
        (("seats", 0, 5), -3, "the deadline of seat 0 is an integer from 0 on, not -3"),
        (("seats", 0, 0), 4, 'the row of seat 0 is 0..3, "cheapest" or null, not 4'),
        (("seats", 1, 1), 0, "forced of seat 1 is true or false, not 0"),
        (("seats", 1, 7), ["x"], "the cards that seat 1 has played are integers, not ('x',)"),
        (("seats", 0, 3), True, "seat 0 is to be taken over, but has not dropped out (H6)"),
        (("seats",), [NEW_SEAT] * 3, "the state has 3 seats, but its game 2 players"),
        (("seats",), [NEW_SEAT] * 11, "the state has 11 seats, and 2 to 10 can play (R1)"),
        (("rules", "tie"), "left", "opened with Rules(tie='left'), but is played with Rules()"),
        (("settings",), None, "the game has started, but was not opened"),
        (("settings", "first"), 0, "first must be 1..316224000, not 0"),
    ],
)
def test_a_state_that_is_wrong_is_told_what_is(path: tuple[Any, ...], value: Any, words: str) -> None:
    state = json.loads(opened(2).save())
    part = state
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(nimmt.BadRecord) as caught:
        Dealer.load(json.dumps(state, sort_keys=True, separators=(",", ":")).encode())
    assert words in str(caught.value)


@given(data=st.data())
def test_any_other_state_is_refused_or_whole(data: st.DataObject) -> None:
    """A state with one part changed is refused, or is one that saves as it was given."""
    state = json.loads(opened(2, rules=nimmt.LOGIC, seed=1).save())
    part, key = state, data.draw(st.sampled_from(sorted(state)))
    while isinstance(part[key], (dict, list)) and part[key] and data.draw(st.booleans()):
        part = part[key]
        key = data.draw(st.sampled_from(sorted(part) if isinstance(part, dict) else range(len(part))))
    anything = st.none() | st.booleans() | st.integers(-3, 2**70) | st.floats() | st.text(max_size=3)
    part[key] = data.draw(anything | st.lists(anything, max_size=3) | st.just({"a": 1}))
    text = json.dumps(state, sort_keys=True, separators=(",", ":")).encode()
    with contextlib.suppress(nimmt.BadRecord):
        assert Dealer.load(text).save() == text


def test_logs_that_are_wrong() -> None:
    dealer = opened(2)
    submit_lowest(dealer, [0, 1], START)
    log = list(dealer.log)
    changes: list[dict[str, Any]] = [
        {"call": "cheat"},
        {"now": START - 1},
        {"now": 1.5},
        {"args": {}},
        {"args": {"seat": 0, "card": 105}},
        {"done": []},
        {"version": 7},
    ]
    for change in changes:
        with pytest.raises(nimmt.BadRecord, match=f"entry {len(log)}"):
            Dealer.replay([*log[:-1], {**log[-1], **change}])
    with pytest.raises(nimmt.BadRecord, match="entry 3"):
        Dealer.replay(log[:2] + log[3:])


def test_values() -> None:
    dealer = opened(2)
    other = dealer.copy()
    assert other == dealer and other != object()
    submit_lowest(other, [0], START)
    assert other != dealer and dealer.waiting == (0, 1)
    assert repr(dealer) == "<Dealer: version 4, choose, 2 seats, waits for (0, 1)>"
    assert not any(str(card) in repr(other)[30:] for card in other.game().hand(1) if card > 9)


def test_seeds_are_drawn_and_logged() -> None:
    seeds = set()
    for _ in range(3):
        dealer = Dealer()
        dealer.open(now=START)
        seeds.add(dealer.log[0]["args"]["seed"])
        check_replay(dealer)
    assert len(seeds) == 3
