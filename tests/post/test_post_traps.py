"""The traps of traps.json that concern play by post: all E cases, A18, C12 and D11. Those of a file: test_store.py."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from post.helpers import HOUR, START, at_position, cases, check_replay, kinds, one, opened, refused, submit_lowest

import nimmt
from nimmt import WrongPhase
from nimmt.post import Dealer, StaleVersion, moment

#: Where each trap is tested: here, or in another file.
TESTED = {
    "A18": "test_a18",
    "C12": "test_c12",
    "D11": "test_d11",
    "E01": "test_e01",
    "E03": "test_e03",
    "E05": "test_e05",
    "E07": "test_store.test_e07_and_e14",
    "E10": "test_e10",
    "E11": "test_e11",
    "E12": "test_e12",
    "E13": "test_e13",
    "E14": "test_store.test_e07_and_e14",
}


def test_every_trap_has_a_test() -> None:
    assert sorted(TESTED) == sorted(case["id"] for case in cases("traps.json"))
    assert all(name in globals() for name in TESTED.values() if "." not in name)


def in_a_new_process(state: bytes, program: str) -> str:
    """Run a program that has `dealer`, loaded from a state, in another process; return what it prints."""
    head = "import sys; from nimmt.post import *; dealer = Dealer.load(sys.stdin.buffer.read())\n"
    run = subprocess.run([sys.executable, "-c", head + program], input=state, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout.decode().strip()


def test_a18() -> None:
    """A seat owes a row, the process ends: the next one waits for that seat and for no other."""
    dealer = at_position([[20], [30], [40], [50]], [[60, 70], [61, 71], [5, 72]], ask=True)
    for seat, card in enumerate((60, 61, 5)):
        dealer.submit(seat, card, now=START)
    program = f"""print(dealer.waiting, [dealer.game().legal(seat) for seat in range(3)])
dealer.choose_row(2, 3, now={START}); print(dealer.phase, dealer.game().rows[3])"""
    assert in_a_new_process(dealer.save(), program).split("\n") == [
        "(2,) [(), (), (0, 1, 2, 3)]",
        "choose (5,)",
    ]


def test_c12() -> None:
    """Two seats that act on the same turn are both accepted; a row for a turn that is over is not.

    `turn` is for players, who know nothing of each other; `expected_version` is for hosts: there the second is refused.
    """
    dealer = opened(2)
    for seat in range(2):
        dealer.submit(seat, dealer.game().hand(seat)[0], turn=(1, 1), now=START)
    assert dealer.game().turn == 2

    dealer = at_position([[20], [30], [40], [50]], [[5, 70], [60, 71]], ask=True)
    submit_lowest(dealer, (0, 1), START)
    version = dealer.version
    dealer.extend(HOUR, now=START)
    refused(dealer, StaleVersion, dealer.choose_row, 0, 1, now=START, expected_version=version)
    assert "turn 8 of round 2 is over" in refused(dealer, WrongPhase, dealer.choose_row, 0, 1, turn=8, now=START)
    dealer.choose_row(0, 1, turn=9, now=START, expected_version=dealer.version)


def test_d11() -> None:
    """Times are what the host says, in seconds since 1970; nothing here reads a clock or a zone."""
    program = """import time
def never(*args): raise AssertionError("a clock was read")
time.time = time.localtime = time.gmtime = time.monotonic = never
dealer.tick(now=dealer.clock + 100 * 86400)
print(dealer.log[-1]["now"] - dealer.clock, dealer.clock)"""
    assert in_a_new_process(opened(2).save(), program) == f"0 {START + 72 * HOUR}"


def test_e01() -> None:
    """Three of four have chosen, the process ends: in the next one only the fourth is waited for."""
    dealer = opened(4)
    cards = [dealer.game().hand(seat)[seat] for seat in range(4)]
    for seat in range(3):
        dealer.submit(seat, cards[seat], now=START)
    program = f"""print(dealer.waiting, [dealer.view(3).hands[seat] for seat in range(3)], dealer.view().lying)
messages = dealer.submit(3, {cards[3]}, now={START})
print([message for message in messages if message.kind == "reveal"][0].fields["cards"])"""
    assert in_a_new_process(dealer.save(), program).split("\n") == [
        "(3,) [None, None, None] (None, None, None, None)",
        str(cards),
    ]


def test_e03() -> None:
    """Two are late in the same turn, one of them alone in the next: exactly they get a random card."""
    dealer = opened(4, automatic=True)
    sent = {seat: dealer.game().hand(seat)[seat] for seat in (0, 2)}
    for seat, card in sent.items():
        dealer.submit(seat, card, now=START)
    reveal = one(dealer.tick(START + 72 * HOUR + 1), "reveal").fields
    assert reveal["random"] == [1, 3] and dealer.game().turn == 2
    assert {seat: reveal["cards"][seat] for seat in (0, 2)} == sent
    submit_lowest(dealer, (0, 2, 3), START + 80 * HOUR)
    reveal = one(dealer.tick(START + 120 * HOUR + 1), "reveal").fields
    assert reveal["random"] == [1] and dealer.game().turn == 3
    check_replay(dealer)


def test_e05() -> None:
    """Dropped in turn 3, taken over in turn 5, played to the end, replayed from the log: equal byte for byte."""
    dealer = opened(4, seed=2)
    while dealer.phase != "over":
        if dealer.phase == "scored":
            dealer.next_round(now=dealer.clock + 1)
        place = (dealer.game().round, dealer.game().turn)
        if place == (1, 3) and 2 not in dealer.dropped:
            dealer.drop(2, now=dealer.clock + 1)
        if place == (1, 5) and 2 in dealer.dropped:
            dealer.take_over(2, now=dealer.clock + 1)
        submit_lowest(dealer, dealer.waiting[-1:], dealer.clock + 1)
    assert [entry["call"] for entry in dealer.log if entry["call"] in ("drop", "take_over")] == ["drop", "take_over"]
    check_replay(dealer)


def test_e10() -> None:
    """A card sent for a version that was never, or is no more, is refused."""
    dealer = opened(2)
    card = dealer.game().hand(0)[0]
    dealer.submit(0, card, now=START)
    seen = dealer.version
    dealer.withdraw(0, now=START)
    refused(dealer, StaleVersion, dealer.submit, 0, card, now=START, expected_version=seen)
    refused(dealer, StaleVersion, dealer.submit, 0, card, now=START, expected_version=dealer.version + 1)
    dealer.submit(0, card, now=START, expected_version=dealer.version)


def test_e11() -> None:
    """24 hours over the end of daylight saving time are 86,400 seconds, shown as one hour less by the clock."""
    zone = ZoneInfo("Europe/Berlin")
    start = int(datetime(2026, 10, 24, 18, 0, tzinfo=zone).timestamp())
    dealer = opened(2, now=start, first=24 * HOUR)
    assert dealer.due == (start + 86_400,) * 2
    assert moment(start, zone) == "Sat 2026-10-24 18:00 CEST"
    assert moment(start + 86_400, zone) == "Sun 2026-10-25 17:00 CET"
    assert moment(start + 86_400, timezone.utc) == "Sun 2026-10-25 16:00 UTC"
    assert dealer.tick(start + 86_400) == [] != dealer.tick(start + 86_401)


def test_e12() -> None:
    """The border is in time, and only the host's `now` counts: a player sends no time."""
    deadline = START + 72 * HOUR
    for now, late in ((deadline - 1, False), (deadline, False), (deadline + 1, True)):
        dealer = opened(2, automatic=True)
        assert bool(dealer.tick(now)) == late
    assert "time" not in Dealer.submit.__annotations__ and "stamp" not in Dealer.submit.__annotations__


@pytest.mark.parametrize("rules", [nimmt.BASE, nimmt.PROFESSIONAL, nimmt.LOGIC])
@pytest.mark.parametrize("automatic", [True, False])
def test_e13(rules: nimmt.Rules, automatic: bool) -> None:
    """Three deadlines missed: ten ticks afterwards come to the same as one at each of them, and as none but a call."""
    options: dict[str, Any] = {
        "first": 100,
        "later": 50,
        "pick": 50,
        "choice": 50,
        "automatic": automatic,
        "rules": rules,
    }
    late, punctual, never = (opened(3, **options) for _ in range(3))
    end = START + 100 + 50 + 50 + 1
    found = [message for _ in range(10) for message in late.tick(end)]
    expected = [message for now in (START + 51, START + 101, START + 151, end) for message in punctual.tick(now)]
    assert found == expected and found
    assert late.save() == punctual.save() and late.log == punctual.log
    if automatic:
        assert late.version >= opened(3, **options).version + 3
    assert kinds(never.remind(now=end))[: len(found)] == kinds(found)
    late.remind(now=end)
    assert never.save() == late.save()
    check_replay(late)
