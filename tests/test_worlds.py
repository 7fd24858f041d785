"""nimmt.worlds.sample: rounds that agree with all that a seat knows, each equally likely, the same on both backends."""

from __future__ import annotations

import random
from collections import Counter
from types import ModuleType
from typing import Any

import pytest
from conftest import GAMES, Tree, last_turn, step, variants


def seen_again(nimmt: ModuleType, view: Any, sampled: Any) -> Any:
    """Return the view that the same seat has of a game with the sampled round."""
    game = nimmt.Game.from_round(sampled, view.scores, view.rules, seed=1, round=view.round)
    return game.view(view.seat)


def conserved(sampled: Any) -> None:
    """Every card is there once at most, and none that was seen is in a hand."""
    held = [card for seat in range(sampled.players) for card in sampled.held(seat)]
    assert len(held) == len(set(held))
    assert not set(held) & set(sampled.seen)
    assert {len(sampled.held(seat)) for seat in range(sampled.players)} == {len(held) // sampled.players}


@pytest.mark.parametrize("players", range(2, 11))
def test_all_that_is_known_is_kept(nimmt: ModuleType, players: int) -> None:
    """The view of the sampled round is the view it was sampled from, for every seat, variant, phase and turn."""
    phases = set()
    for name, rules in variants(nimmt).items():
        rng, game = random.Random(players), nimmt.Game(players, seed=players, rules=rules)
        while game.round == 1 and not game.is_over:
            if game.phase in ("choose", "take"):
                phases.add((name, game.phase))
                for seat in (None, rng.randrange(players)):
                    view = game.view(seat)
                    sampled = nimmt.worlds.sample(view, nimmt.Stream(rng.getrandbits(64)))
                    conserved(sampled)
                    assert nimmt.Round.from_bytes(sampled.to_bytes()) == sampled
                    assert seen_again(nimmt, view, sampled) == view
            step(game, rng)
    assert {phase for _, phase in phases} == {"choose", "take"}
    assert {name for name, _ in phases} == set(variants(nimmt))


def test_every_deal_is_equally_likely(nimmt: ModuleType) -> None:
    """Three players with two cards each and the deck 1..34: six deals of four unseen cards, and the cards face down."""
    game = nimmt.Game(3, seed=5, rules=nimmt.TACTIC)
    rng = random.Random(1)
    while game.phase != "choose" or game.turn < 9 or len(game.to_act) < 3:
        step(game, rng)
    game.choose(1, game.hand(1)[0])
    view, stream = game.view(0), nimmt.Stream(11)
    rounds = [nimmt.worlds.sample(view, stream) for _ in range(3600)]
    deals = Counter((sampled.held(1), sampled.held(2)) for sampled in rounds)
    chosen = Counter((sampled.held(1), sampled.chosen(1)) for sampled in rounds)
    assert len(deals) == 6
    assert len(chosen) == 12
    # 5 and 11 degrees of freedom: larger once in a million times.
    assert sum((count - 600) ** 2 / 600 for count in deals.values()) < 37
    assert sum((count - 300) ** 2 / 300 for count in chosen.values()) < 50


def test_the_true_hands_do_not_matter(nimmt: ModuleType) -> None:
    game = nimmt.Game(4, seed=7)
    sampled = nimmt.worlds.sample(game.view(2), nimmt.Stream(1))
    other = nimmt.Game.from_round(sampled, seed=1)
    assert sampled != game.copy()._state  # the hands are other ones
    assert nimmt.worlds.sample(other.view(2), nimmt.Stream(1)) == sampled


def test_both_backends_draw_the_same(trees: tuple[Tree, Tree]) -> None:
    found = []
    for tree in trees:
        with tree as nimmt:
            views = [GAMES[name](nimmt).view(seat) for name in ("choose", "chosen", "take") for seat in (None, 0, 3)]
            found.append([nimmt.worlds.sample(view, nimmt.Stream(9)).to_bytes() for view in views])
    assert found[0] == found[1]
    assert found[0][0].hex().startswith("0468000000000001010101")


def test_a_golden_sample(nimmt: ModuleType) -> None:
    """The draws are a promise: seat by seat, ascending unseen cards, as a deal of them."""
    sampled = nimmt.worlds.sample(nimmt.Game(4, seed=7).view(0), nimmt.Stream(3))
    assert sampled.hand(0) == (2, 3, 8, 10, 14, 25, 31, 41, 67, 79)
    deck = sorted(set(range(1, 105)) - set(sampled.hand(0)) - set(sampled.seen))
    stream = nimmt.Stream(3)
    for i in range(30):
        j = i + stream.below(len(deck) - i)
        deck[i], deck[j] = deck[j], deck[i]
    assert [sampled.hand(seat) for seat in (1, 2, 3)] == [tuple(sorted(deck[at : at + 10])) for at in (0, 10, 20)]


@pytest.mark.parametrize("scene", ["draft", "scored", "over"])
def test_other_phases_are_refused(nimmt: ModuleType, scene: str) -> None:
    view = GAMES[scene](nimmt).view(0)
    with pytest.raises(nimmt.WrongPhase, match=f'not in "{view.phase}"'):
        nimmt.worlds.sample(view, nimmt.Stream(1))


def test_wrong_types_are_refused(nimmt: ModuleType) -> None:
    game = nimmt.Game(4, seed=7)
    with pytest.raises(TypeError, match="view must be nimmt.View, not Game"):
        nimmt.worlds.sample(game, nimmt.Stream(1))
    with pytest.raises(TypeError, match="stream must be nimmt.Stream, not int"):
        nimmt.worlds.sample(game.view(0), 1)


@pytest.mark.parametrize(
    "change",
    [
        {"heads": (1, 0, 0, 0)},
        {"turn": 3},
        {"turn": 12},
        {"seen": ()},
        {"seen": (9, 29, 72, 82, 900)},
        {"rows": ((72,), (29,), (82,))},
        {"rows": ((72,), (29,), (82,), (72,))},
        {"hands": ((2, 3), None, None, None)},
        {"hands": (tuple(range(2, 200)), None, None, None)},
        {"hands": ((2, 3, 8, 10, 14, 25, 31, 41, 67, 79), None)},
        {"lying": (5, None, None, None)},
        {"seen": tuple(range(1, 80))},
        {"players": 3},
        {"phase": "take"},
        {"has_chosen": (True, False, False, False)},
        {"has_chosen": (False, True, False)},
        {"chosen": 2},
        {"chosen": 2, "has_chosen": (True,) * 4},
    ],
)
def test_views_that_contradict_themselves_are_refused(nimmt: ModuleType, change: dict[str, Any]) -> None:
    view = nimmt.Game(4, seed=7).view(0)._replace(**change)
    with pytest.raises(nimmt.NimmtError, match="this view contradicts itself"):
        nimmt.worlds.sample(view, nimmt.Stream(1))


def test_real_cards(nimmt: ModuleType) -> None:
    """A referee knows no hands: a spectator's view can be sampled, that of a seat does not show its cards."""
    game, _ = last_turn(nimmt, (0, 0, 0), (0, 0, 0))
    sampled = nimmt.worlds.sample(game.view(None), nimmt.Stream(1))
    assert [len(sampled.held(seat)) for seat in range(3)] == [1, 1, 1]
    for own in ((), None):
        view = game.view(1)._replace(hands=(None, own, None), hand=())
        with pytest.raises(nimmt.NimmtError, match="does not show the cards of its own seat 1"):
            nimmt.worlds.sample(view, nimmt.Stream(1))
