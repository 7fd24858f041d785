"""What the tests of play by post share: games in a few lines, all messages of a game, cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import nimmt
from nimmt import NimmtError
from nimmt.post import Dealer, Message, Store

HOUR = 3600
START = 1_791_000_000  # an instant in October 2026
HERE = Path(__file__).parent


def opened(players: int = 4, seed: int = 7, now: int = START, **options: Any) -> Dealer:
    """Return a dealer with a game that has started."""
    dealer = Dealer()
    dealer.open(now=now, seed=seed, **options)
    for _ in range(players):
        dealer.join(now=now)
    dealer.start(now=now)
    return dealer


def started(store: Store, label: str = "friday", players: int = 3, **options: Any) -> None:
    """Make a game in a file and start it."""
    store.new(label, now=START, **{"seed": 7, **options})
    with store.dealer(label) as dealer:
        for _ in range(players):
            dealer.join(now=START)
        dealer.start(now=START)


def at_position(
    rows: list[list[int]],
    hands: list[list[int]],
    rules: nimmt.Rules = nimmt.BASE,
    scores: list[int] | None = None,
    **options: Any,
) -> Dealer:
    """Return a dealer whose game goes on from a position of round 2."""
    table = nimmt.Round.from_rows(rows, hands=hands, rules=rules)
    position = nimmt.Game.from_round(table, scores or [0] * len(hands), rules, seed=5, round=2)
    dealer = Dealer()
    dealer.open(now=START, rules=rules, seed=5, **options)
    for _ in hands:
        dealer.join(now=START)
    dealer.start(now=START, position=position)
    return dealer


def submit_lowest(dealer: Dealer, seats: Any, now: int, **options: Any) -> list[Message]:
    """Submit the lowest card of each of these seats."""
    found: list[Message] = []
    for seat in seats:
        found += dealer.submit(seat, dealer.game().hand(seat)[0], now=now, **options)
    return found


def play_round(dealer: Dealer, now: int) -> None:
    """Play lowest cards to the end of the round."""
    while dealer.phase == "choose":
        submit_lowest(dealer, dealer.waiting, now)


def kinds(messages: list[Message]) -> list[tuple[int | str, str]]:
    return [(message.to, message.kind) for message in messages]


def one(messages: list[Message], kind: str) -> Message:
    """Return the only message of this kind."""
    (found,) = [message for message in messages if message.kind == kind]
    return found


def refused(dealer: Dealer, error: type[Exception], call: Callable[..., object], *args: Any, **options: Any) -> str:
    """Make a call that must be refused with this error and change nothing; return what it says."""
    before, log = dealer.save(), dealer.log
    with pytest.raises(error) as caught:
        call(*args, **options)
    assert type(caught.value) is error or not issubclass(error, NimmtError)
    assert dealer.save() == before and dealer.log == log
    return str(caught.value)


def check_replay(dealer: Dealer) -> None:
    """The log gives the same state and messages, the state loads, both byte for byte."""
    again = Dealer.replay(dealer.log)
    assert again.save() == dealer.save()
    assert again.steps == dealer.steps
    assert Dealer.load(dealer.save()).save() == dealer.save()


def cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file in this folder."""
    found: list[dict[str, Any]] = json.loads((HERE / name).read_text(encoding="utf-8"))
    return found
