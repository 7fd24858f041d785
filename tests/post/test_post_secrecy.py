"""Two games that differ only in what a seat may not know give that seat, and the public, equal messages."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st
from post.helpers import HOUR, START, opened

import nimmt
from nimmt import NimmtError
from nimmt.post import Dealer, Message

RULES = [nimmt.BASE, nimmt.PROFESSIONAL, nimmt.TACTIC, nimmt.Rules(deck="tactic", professional=True)]
Call = tuple[str, tuple[Any, ...], dict[str, Any]]


class World:
    """A dealer, and what one seat and the public were told."""

    def __init__(self, start: nimmt.Game, seat: int) -> None:
        self.seat, self.told = seat, list[Any]()
        self.dealer = Dealer()
        self.dealer.open(now=START, rules=start.rules, seed=start.seed, ask=False)
        for _ in range(start.players):
            self.dealer.join(now=START)
        self.hear(self.dealer.start(now=START, position=start))

    def hear(self, messages: list[Message]) -> None:
        self.told += [message for message in messages if message.to in (self.seat, "all")]

    def call(self, name: str, *args: Any, **options: Any) -> None:
        try:
            self.hear(getattr(self.dealer, name)(*args, **options))
        except NimmtError as error:  # a player is told why something is refused
            self.told.append(str(error))


def script(start: nimmt.Game, seat: int, turns: int, rng: random.Random) -> list[Call]:
    """Return calls of some turns, in which the other seats send cards, and now and then something goes wrong."""
    game, now, calls = start.copy(), START, list[Call]()
    for _ in range(turns):
        order = rng.sample(range(game.players), game.players)
        cards = [rng.choice(game.hand(number)) for number in range(game.players)]
        for number in order:
            now += rng.randrange(HOUR)
            calls += [("remind", (), {"now": now})] * (rng.random() < 0.2)
            if number == seat and rng.random() < 0.3:
                calls.append(("submit", (seat, rng.randrange(1, 105)), {"now": now, "turn": game.turn + 20}))
                calls.append(("choose_row", (seat, 0), {"now": now}))
            row = rng.choice([None, "cheapest", 0, 1, 2, 3])
            calls.append(("submit", (number, cards[number], row), {"now": now}))
            if number == order[0] and rng.random() < 0.3:
                calls += [("withdraw", (number,), {"now": now}), calls[-1]]
        game.play(cards)
        while game.phase == "take":
            game.take(game.to_act[0], game.cheapest())
    return calls


def with_other_hands(start: nimmt.Game, seat: int, calls: list[Call], rng: random.Random) -> nimmt.Game | None:
    """Return the same game with other cards in other hands, where `calls` do not need them; None if there is no other.

    There is no other if all cards are dealt (tactic) and one other seat alone has cards that it does not play.
    """
    played = {args[1] for name, args, options in calls if name == "submit" and "turn" not in options}
    dealt = [list(start.hand(number)) for number in range(start.players)]
    known = {card for row in start.rows for card in row} | set(dealt[seat]) | played
    loose = sorted(set(range(1, start.rules.highest(start.players) + 1)) - known)
    needed = [len(set(hand) - played) for number, hand in enumerate(dealt) if number != seat]
    if len(loose) == max(needed):
        return None
    hands = dealt
    while [set(hand) for hand in hands] == [set(hand) for hand in dealt]:  # few loose cards may fall as they lay
        rng.shuffle(loose)
        others = iter(loose)
        hands = [
            hand if number == seat else [card if card in played else next(others) for card in hand]
            for number, hand in enumerate(dealt)
        ]
    table = nimmt.Round.from_rows(start.rows, hands=hands, rules=start.rules)
    return nimmt.Game.from_round(table, rules=start.rules, seed=start.seed)


@example(seed=159, players=3, which=nimmt.TACTIC, turns=7)  # the first shuffle gives every card back to its seat
@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), which=st.sampled_from(RULES), turns=st.integers(0, 9))
def test_other_hands_do_not_show(seed: int, players: int, which: nimmt.Rules, turns: int) -> None:
    """The two worlds always differ: where no other world is possible, there is nothing to compare."""
    rng = random.Random(seed)
    seat = rng.randrange(players)
    dealt = nimmt.Game(players, seed, which)
    hands = [dealt.hand(number) for number in range(players)]
    table = nimmt.Round.from_rows(dealt.rows, hands=hands, rules=which)
    start = nimmt.Game.from_round(table, rules=which, seed=seed)
    calls = script(start, seat, turns, rng)
    other = with_other_hands(start, seat, calls, rng)
    if other is None:
        assert players == 2 and which.deck == "tactic"
        reject()
    worlds = World(start, seat), World(other, seat)
    for world in worlds:
        for name, args, options in calls:
            world.call(name, *args, **options)
        # At last the seat itself misses a card: it is drawn from its own hand.
        world.call("play_for", seat, now=START + 1000 * HOUR)
    assert worlds[0].told == worlds[1].told
    assert worlds[0].dealer.save() != worlds[1].dealer.save()


@pytest.mark.parametrize("rules", [*RULES, nimmt.LOGIC])
@pytest.mark.parametrize("seat", [0, 2])
def test_a_choice_does_not_show_before_all_have_chosen(rules: nimmt.Rules, seat: int) -> None:
    dealers = opened(3, rules=rules), opened(3, rules=rules)
    told: list[list[Any]] = [[], []]
    for world, dealer in enumerate(dealers):
        while dealer.phase == "draft":
            dealer.pick(dealer.waiting[0], dealer.view().pool[0], now=START)
        for other in range(3):
            if other != seat:
                hand = dealer.game().hand(other)
                row = ("cheapest", 2)[world]
                told[world] += dealer.submit(other, hand[-1 - 3 * world], row, now=START)
        told[world] += dealer.remind(now=START + 1)
        told[world] += dealer.tick(START + 500 * HOUR)
    public = [[message for message in heard if message.to in (seat, "all", "dealer")] for heard in told]
    assert public[0] == public[1] and public[0]
    assert dealers[0].save() != dealers[1].save()


@pytest.mark.parametrize("rules", [*RULES, nimmt.LOGIC])
def test_no_message_tells_the_seed(rules: nimmt.Rules) -> None:
    seed = 0x1234_5678_9ABC_DEF0
    dealer = opened(3, seed=seed, rules=rules, automatic=True)
    dealer.tick(START + 5000 * HOUR)
    texts = [str(message) for step in dealer.steps for message in step.messages]
    assert len(texts) > 20
    assert not [text for text in texts if str(seed) in text or f"{seed:x}" in text]
