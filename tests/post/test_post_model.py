"""Any calls in any order: Dealer against the naive model, call by call."""

from __future__ import annotations

import os
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from post.helpers import check_replay
from post.model import Model, Refused

import nimmt
from nimmt import NimmtError
from nimmt.post import ClockBackwards, Dealer, StaleVersion

TIMES = {"first": 7, "later": 4, "choice": 3, "pick": 2}
SEATS = st.integers(0, 4)


class Calls(RuleBasedStateMachine):
    """Makes calls of a dealer and of the model, and compares what they know."""

    @initialize(
        players=st.integers(2, 4),
        automatic=st.booleans(),
        ask=st.sampled_from([None, True, False]),
        professional=st.booleans(),
        draft=st.sampled_from([False, False, True]),
        seed=st.integers(0, 50),
    )
    def open(self, players: int, automatic: bool, ask: bool | None, professional: bool, draft: bool, seed: int) -> None:
        deck = "tactic" if draft else "full"
        rules = nimmt.Rules(deck=deck, draft=draft, professional=professional, limit=30)
        self.dealer = Dealer()
        asks = professional if ask is None else ask
        self.model = Model(TIMES, automatic, asks, professional, 30)
        self.now = 0
        self.dealer.open(now=0, rules=rules, seed=seed, automatic=automatic, ask=ask, **TIMES)
        for _ in range(players):
            self.call("join")
        self.call("start")

    def call(self, name: str, *args: Any, late: bool = True, **options: Any) -> None:
        """Make one call on both sides; both refuse it or both make it."""
        ticked = self.dealer.copy()
        ticked.tick(self.now)
        before, state = self.dealer.version, self.dealer.save()
        moved = self.place(self.dealer) != self.place(ticked)
        try:
            getattr(self.dealer, name)(*args, now=self.now, **options)
            accepted = True
        except NimmtError:
            accepted = False
            assert self.dealer.save() == state and self.dealer.version == before
        model = deepcopy(self.model)
        steps = self.dealer.steps[before:] if accepted else ticked.steps[before:]
        drawn = [(item[1], item[2]) for step in steps for item in step.entry["done"] if item[0] == "random"]
        model.pass_time(self.now, drawn)
        moved = (
            (self.dealer.phase, self.place(self.dealer)) != (ticked.phase, self.place(ticked)) if not accepted else 0
        )
        changed: Any = None
        try:
            if name in ("submit", "withdraw", "choose_row", "pick") and moved and "turn" not in options:
                raise Refused
            changed = self.on_model(model, name, args)
        except Refused:
            assert not accepted, f"{name}{args} was accepted"
            return
        assert accepted, f"{name}{args} was refused"
        assert not model.randoms
        if changed is False:
            assert all(step.entry["call"] == "deadline" for step in steps)
        self.model = model

    def on_model(self, model: Model, name: str, args: tuple[Any, ...]) -> Any:
        if name == "tick":
            return None
        if name in ("start", "next_round"):
            if model.phase != ("open" if name == "start" else "scored"):
                raise Refused
            if name == "start":
                table = nimmt.Game(self.dealer.players, self.dealer.log[0]["args"]["seed"], self.dealer.rules)
            else:
                table = self.before
                table.deal()
            hands = [list(table.hand(seat)) for seat in range(table.players)]
            picker = table.to_act[0] if table.phase == "draft" else 0
            model.begin_round(hands, [list(row) for row in table.rows], list(table.view().pool), picker)
            model.run()
            return None
        return getattr(model, name)(*args)

    @staticmethod
    def place(dealer: Dealer) -> Any:
        if dealer.phase in ("new", "open"):
            return ()
        view = dealer.view()
        return view.phase, view.round, view.turn, len(view.pool)

    # What may be called

    @rule(seconds=st.integers(0, 9))
    def wait(self, seconds: int) -> None:
        self.now += seconds

    @rule(
        seat=SEATS,
        which=st.integers(0, 9),
        row=st.sampled_from([None, None, "cheapest", 0, 1, 2, 3]),
        turn=st.sampled_from([0, 0, 0, 1, 2]),
    )
    def submit(self, seat: int, which: int, row: Any, turn: int) -> None:
        if seat >= self.dealer.players:
            return
        # One who has just joined holds nothing yet.
        hand = sorted(self.model.hands[seat]) if seat < len(self.model.hands) else []
        hand = hand or [1]
        card = hand[which % len(hand)] if which or self.model.phase != "choose" else 1 + which
        ticked = self.dealer.copy()
        ticked.tick(self.now)
        now = ticked.view().turn
        if turn == 2:
            with pytest.raises(NimmtError):
                self.dealer.submit(seat, card, row, now + 1, now=self.now)
        elif turn == 1 and self.dealer.phase == ticked.phase == "choose":
            self.call("submit", seat, card, row, turn=now)
        else:
            self.call("submit", seat, card, row)

    @rule(row=st.sampled_from([None, "cheapest", 0, 3]), first=st.booleans())
    def submit_all(self, row: Any, first: bool) -> None:
        self.call("tick")
        for seat in self.dealer.waiting:
            if self.dealer.phase == "choose":
                hand = sorted(self.model.hands[seat])
                self.call("submit", seat, hand[0 if first else -1], row)

    @precondition(lambda self: self.model.phase == "draft")
    @rule(seat=SEATS, which=st.integers(0, 50), all=st.booleans())
    def pick(self, seat: int, which: int, all: bool) -> None:
        card = self.model.pool[which % len(self.model.pool)] if which else 1
        self.call("pick", seat, card)
        while all and self.model.phase == "draft":
            self.call("tick")
            if self.model.phase == "draft":
                self.call("pick", self.model.picker, self.model.pool[-1])

    @rule(seat=SEATS, row=st.sampled_from(["cheapest", 0, 1, 2, 3]), right=st.booleans())
    def choose_row(self, seat: int, row: Any, right: bool) -> None:
        if right and self.model.phase == "take":
            seat = (self.model.waiting() or [seat])[0]
        self.call("choose_row", seat, row)

    @rule(seat=SEATS)
    def withdraw(self, seat: int) -> None:
        self.call("withdraw", seat)

    @rule()
    def tick(self) -> None:
        self.call("tick")

    @rule()
    def remind(self) -> None:
        self.call("remind")

    @rule(seat=SEATS)
    def play_for(self, seat: int) -> None:
        self.call("play_for", seat)

    @rule(seat=SEATS)
    def drop(self, seat: int) -> None:
        if seat < self.dealer.players:
            self.call("drop", seat)

    @rule(seat=SEATS)
    def take_over(self, seat: int) -> None:
        self.call("take_over", seat)

    @rule()
    def next_round(self) -> None:
        self.before = self.dealer.game()
        if self.before.phase != "scored":
            with pytest.raises(NimmtError):
                self.dealer.next_round(now=self.now)
        else:
            self.call("next_round")

    @rule()
    def join(self) -> None:
        if self.dealer.players < 5:
            self.call("join")

    @rule(seconds=st.integers(1, 9), seat=st.sampled_from([None, None, 0, 1, 2, 3]))
    def extend(self, seconds: int, seat: int | None) -> None:
        if seat is None or seat < self.dealer.players:
            self.call("extend", seconds, seat)

    @rule()
    def pause(self) -> None:
        self.call("pause")

    @rule()
    def resume(self) -> None:
        self.call("resume")

    @rule(seat=SEATS, off=st.sampled_from([-1, 1]))
    def stale(self, seat: int, off: int) -> None:
        with pytest.raises(StaleVersion):
            self.dealer.drop(seat, now=self.now, expected_version=self.dealer.version + off)

    @rule()
    def backwards(self) -> None:
        if self.dealer.clock:
            with pytest.raises(ClockBackwards):
                self.dealer.remind(now=self.dealer.clock - 1)

    # What must be true

    @invariant()
    def same(self) -> None:
        if not hasattr(self, "dealer"):
            return
        dealer, model = self.dealer, self.model
        game = dealer.game()
        assert dealer.phase == model.phase
        assert list(dealer.waiting) == model.waiting()
        assert dealer.due == tuple(
            model.due[seat] if seat in dealer.waiting else None for seat in range(dealer.players)
        )
        assert set(dealer.dropped) == model.dropped
        assert dealer.paused == model.paused
        assert list(game.scores) == model.scores
        if model.phase in ("draft", "choose"):
            assert [list(row) for row in game.rows] == (model.rows if model.phase == "choose" else [])
            held = [sorted([*game.hand(seat), *filter(None, [game.chosen(seat)])]) for seat in range(game.players)]
            assert held == [sorted(hand) for hand in model.hands]
            assert list(game.heads) == model.heads

    def teardown(self) -> None:
        if hasattr(self, "dealer"):
            check_replay(self.dealer)


TestCalls = Calls.TestCase
TestCalls.settings = settings(
    max_examples=200 if os.environ.get("CI") else 40,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
