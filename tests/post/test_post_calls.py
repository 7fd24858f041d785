"""The table of calls: each call is tried in each phase, and is accepted or refused as the table says."""

from __future__ import annotations

from typing import Any

import pytest
from post.helpers import HOUR, START, at_position, check_replay, opened, play_round, refused, submit_lowest

import nimmt
from nimmt import WrongPhase
from nimmt.post import Dealer
from nimmt.post.calls import CALLS, make_step
from nimmt.post.state import PHASES

LATE = START + 1000 * HOUR

#: Why a call is refused in a phase, if nothing else is said below.
REASONS = {
    "new": "the game has not been opened",
    "open": "the game has not started",
    "draft": "the draft goes on, seat 1 picks (V2)",
    "choose": "cards are chosen (R4)",
    "take": "seat 0 must take a row first (R7, P5)",
    "scored": "round 1 is over (R8)",
    "over": "the game is over (R9)",
}
#: The same for what is done between rounds; the game in "take" is one that goes on from a position of round 2.
BETWEEN = {phase: f"round {number} is not over (R8)" for phase, number in (("draft", 1), ("choose", 1), ("take", 2))}


def in_phase(phase: str, paused: bool) -> Dealer:
    """Return a dealer of two seats in this phase, paused since the start of its game if asked for."""
    if phase in ("new", "open"):
        dealer = Dealer()
        if phase == "open":
            dealer.open(now=START, seed=1)
            dealer.join(now=START)
            dealer.join(now=START)
    elif phase == "take":
        dealer = at_position([[20], [30], [40], [50]], [[5, 60], [70, 71]], ask=True)
    else:
        rules = {"draft": nimmt.LOGIC, "over": nimmt.Rules(limit=None, rounds=1)}.get(phase, nimmt.BASE)
        dealer = opened(2, seed=1, rules=rules)
    if paused and phase not in ("new", "open"):
        dealer.pause(now=START)
    if phase == "take":
        submit_lowest(dealer, (0, 1), START)
    elif phase in ("scored", "over"):
        play_round(dealer, START)
    assert dealer.phase == phase
    return dealer


def call_of(dealer: Dealer, name: str) -> tuple[tuple[int, ...], dict[str, Any]]:
    """Prepare a dealer for a call, as far as its phase allows; return arguments with which it is accepted then."""
    accepted = dealer.phase in CALLS[name].phases
    seat = dealer.waiting[0] if dealer.waiting else 0
    legal = dealer.game().legal(seat) if dealer.waiting else (1,)
    if name == "take_over" and accepted:
        dealer.drop(1, now=START)
    if name == "withdraw" and accepted:
        submit_lowest(dealer, [seat], START)
    args: dict[str, tuple[int, ...]] = {
        "play_for": (seat,),
        "drop": (1,),
        "take_over": (1,),
        "extend": (60,),
        "submit": (seat, legal[0]),
        "withdraw": (seat,),
        "choose_row": (seat, 1),
        "pick": (seat, legal[0]),
    }
    return args.get(name, ()), {"now": LATE if name == "play_for" else START}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("name", [name for name in CALLS if name != "deadline"])
def test_each_call_in_each_phase(name: str, phase: str) -> None:
    dealer = in_phase(phase, paused=name == "resume")
    args, options = call_of(dealer, name)
    call = getattr(dealer, name)
    if phase in CALLS[name].phases:
        version = dealer.version
        assert call(*args, **options) != []
        assert dealer.version > version and dealer.steps[-1].entry["call"] == name
        check_replay(dealer)
        return
    if name == "open":
        reason = "one is open already, and another game needs another dealer"
    elif name == "start" and phase != "new":
        reason = "it has started"
    elif name in ("join", "next_round") and phase in BETWEEN:
        reason = BETWEEN[phase]
    else:
        reason = REASONS[phase]
    if name == "play_for":
        dealer.tick(LATE)
    assert refused(dealer, WrongPhase, call, *args, **options) == f"cannot {CALLS[name].what} now: {reason}"


@pytest.mark.parametrize("phase", PHASES)
def test_deadlines_in_each_phase(phase: str) -> None:
    """`tick` makes this call, and never when it would be refused."""
    dealer = in_phase(phase, paused=False)
    if phase in CALLS["deadline"].phases:
        assert [message.kind for message in dealer.tick(LATE)] == ["late"]
        assert dealer.steps[-1].entry["call"] == "deadline"
        return
    assert dealer.tick(LATE) == []
    entry = {"version": dealer.version + 1, "now": LATE, "call": "deadline", "args": {}, "done": []}
    refused(dealer, nimmt.BadRecord, dealer.repeat, entry)
    with pytest.raises(WrongPhase, match="cannot act on a deadline now: "):
        make_step(dealer._state.copy(), "deadline", {}, LATE)


def test_a_late_repeat_is_told_apart_in_each_phase() -> None:
    """A card that was played already is a repeat, and not one more for a turn that is not there."""
    for phase in ("choose", "take", "scored", "over"):
        dealer = in_phase(phase, paused=False)
        if phase == "choose":
            submit_lowest(dealer, (0, 1), START)
        (played,) = [item for item in dealer.log[-1]["done"] if item[0] == "cards"]
        turn = {"choose": 1, "take": 9}.get(phase, 10)
        words = f"seat 1 played card {played[2]} in turn {turn} of this round: a late repeat"
        assert words == refused(dealer, WrongPhase, dealer.submit, 1, played[2], now=START)
        assert "no seat 9" in refused(dealer, nimmt.IllegalMove, dealer.submit, 9, played[2], now=START)
