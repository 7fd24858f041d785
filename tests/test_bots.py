"""Built-in policies as DESIGN section 4 defines them, judged by tests/naive.py; bots that see views only; the arena."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import naive
import pytest
from conftest import CI, play_to, step, variants

POLICIES = ("random", "lowest", "highest", "nearest")


def naive_nearest(rows: Any, hand: Any, professional: bool, tie: str) -> int:
    """Of the cards that would now go to a row with room the nearest to its end (equal: the lowest), else the lowest."""
    found: list[tuple[int, int]] = []
    for card in hand:
        ends = naive.nearest_ends([list(row) for row in rows], card, professional, tie)
        if not ends:
            continue
        row = naive.cheapest([list(row) for row in rows], card, [end.row for end in ends], "index", professional)
        if len(ends) == 1:
            row = ends[0].row
        if len(rows[row]) < 5:
            found.append((ends[0].difference, card))
    return min(found)[1] if found else int(min(hand))


@pytest.mark.parametrize("variant", ["base", "professional", "professional, right", "professional, left"])
def test_policies_choose(variant: str, nimmt: ModuleType) -> None:
    rules, rng = variants(nimmt)[variant], random.Random(5)
    bots = {name: nimmt.bots.Policy(name, seed=3) for name in POLICIES}
    spread = nimmt.Stream(3, use=1)
    others = 0
    for seed in range(60 if CI else 15):
        game = nimmt.Game(4, seed, rules)
        while game.phase not in ("scored", "over"):
            if game.phase == "choose":
                for seat in game.to_act:
                    view = game.view(seat)
                    hand = view.hand
                    assert bots["lowest"].choose(view) == hand[0]
                    assert bots["highest"].choose(view) == hand[-1]
                    assert bots["random"].choose(view) == hand[spread.below(len(hand))]
                    card = naive_nearest(view.rows, hand, rules.professional, rules.tie)
                    assert bots["nearest"].choose(view) == card
                    others += card != hand[0]
            step(game, rng)
    assert others > 100


@pytest.mark.parametrize("option", ["index", "fewest", "most"])
def test_policies_take(option: str, nimmt: ModuleType) -> None:
    """A1 and A2 for all of them, and any of the allowed rows for "random" that is asked to."""
    rules, rng = nimmt.Rules(professional=True, cheapest=option), random.Random(6)
    bots = [nimmt.bots.Policy(name) for name in POLICIES]
    anyhow, spread = nimmt.bots.Policy("random", 8, take="random"), nimmt.Stream(8, use=1)
    asked = 0
    for seed in range(100 if CI else 40):
        game = nimmt.Game(6, seed, rules)
        while game.phase not in ("scored", "over"):
            if game.owed:
                view, rows = game.view(game.owed.seat), game.owed.rows
                row = naive.cheapest([list(row) for row in view.rows], game.owed.card, rows, option, True)
                assert {bot.take(view) for bot in bots} == {row} == {game.cheapest()}
                assert anyhow.take(view) == rows[spread.below(len(rows))]
                asked += 1
            step(game, rng)
    assert asked > 30


@pytest.mark.parametrize(
    ("rows", "row"),
    [
        ([[10, 11], [21], [55], [31]], 1),
        ([[55], [20], [33], [12]], 3),
        ([[7, 8, 9], [20], [44], [55]], 0),
        ([[55], [44], [7, 8, 9], [20]], 2),
    ],
)
def test_the_row_is_a_row_number(rows: list[list[int]], row: int, nimmt: ModuleType) -> None:
    """Trap A12: never a position in a filtered list."""
    table = nimmt.Round.from_rows(rows, hands=[[3], [104]])
    game = nimmt.Game.from_round(table, seed=1)
    game.play((3, 104))
    assert game.cheapest() == row
    for name in POLICIES:
        assert nimmt.bots.Policy(name).take(game.view(0)) == row


def test_policies_draft(nimmt: ModuleType) -> None:
    view = nimmt.Game(3, 2, nimmt.LOGIC).view(0)
    assert [nimmt.bots.Policy(name).pick(view) for name in ("lowest", "highest", "nearest")] == [1, 34, 1]
    bot, spread = nimmt.bots.Policy("random", 7), nimmt.Stream(7, use=1)
    assert [bot.pick(view) for _ in range(20)] == [view.pool[spread.below(34)] for _ in range(20)]


class Watcher:
    """A bot that keeps what it is shown."""

    def __init__(self) -> None:
        self.views: list[Any] = []
        self.name = "watcher"

    def choose(self, view: Any) -> int:
        self.views.append(view)
        return int(view.hand[-1])

    def take(self, view: Any) -> int:
        self.views.append(view)
        return int(view.owed.rows[-1])


def test_bots_see_their_view_only(nimmt: ModuleType) -> None:
    bots = [Watcher() for _ in range(4)]
    game = nimmt.arena.play_game(bots, 5, nimmt.PROFESSIONAL)
    assert game.is_over
    for seat, bot in enumerate(bots):
        assert len(bot.views) >= 10 * game.round
        for view in bot.views:
            assert type(view) is nimmt.View
            assert view.seat == seat
            assert [hand is None for hand in view.hands] == [other != seat for other in range(4)]
            assert seat in view.to_act
    assert any(view.owed for bot in bots for view in bot.views)


def test_a_bot_without_pick(nimmt: ModuleType) -> None:
    """It gets the lowest card of the pool; one with it is asked."""

    class Picker(Watcher):
        def pick(self, view: Any) -> int:
            self.views.append(view)
            return int(view.pool[-1])

    plain, picker = Watcher(), Picker()
    game = nimmt.arena.play_game([plain, picker], 5, nimmt.Rules(deck="tactic", draft=True, rounds=1))
    assert sorted({card for view in plain.views for card in view.hands[0]}) == list(range(1, 11))
    assert sorted({card for view in picker.views for card in view.hands[1]}) == list(range(15, 25))
    assert game.is_over


@pytest.mark.parametrize("variant", ["base", "tactic", "professional"])
def test_named_bots_play_as_the_core_does(variant: str, nimmt: ModuleType) -> None:
    """They draw from the stream of the round: a seed gives the game that simulations of it give."""
    base = variants(nimmt)[variant]
    rules = nimmt.Rules(deck=base.deck, professional=base.professional, rounds=2)
    for seed in range(10):
        names = random.Random(seed).choices(POLICIES, k=2 + seed % 9)
        game = nimmt.arena.play_game(names, seed, rules, game=3)
        total = [0] * len(names)
        for number in range(2):
            stream = nimmt.Stream(seed, 3, number)
            table = nimmt.Round.deal(len(names), stream, rules)
            table.playout([POLICIES.index(name) for name in names], stream)
            total = [a + b for a, b in zip(total, table.heads, strict=True)]
        assert game.scores == tuple(total)
        assert nimmt.replay(game.record()) == game


def test_named_bots_in_a_draft(nimmt: ModuleType) -> None:
    """DESIGN section 4: they go on with the stream of the round, which has given the first picker."""
    rules = nimmt.Rules(deck="tactic", draft=True, rounds=1)
    for seed in range(20):
        stream, pool, picked = nimmt.Stream(seed), list(range(1, 35)), []
        first = stream.below(3)
        for _ in range(30):
            picked.append(pool.pop(stream.below(len(pool))))
        game = nimmt.arena.play_game(["random"] * 3, seed, rules)
        lines = [line for line in game.record().split("\n") if line.startswith("pick ")]
        assert lines[0].startswith(f"pick {first}: ")
        assert [int(line.partition(": ")[2]) for line in lines] == picked


def test_matches(nimmt: ModuleType) -> None:
    """The summary, against the games one by one."""
    names, games = ["random", "nearest", "lowest"], 12
    match = nimmt.arena.play_match(names, games, 4, nimmt.PROFESSIONAL, first=5)
    heads: list[list[int]] = [[], [], []]
    scores, shares, ranks, rounds = [0] * 3, [0.0] * 3, [[0] * 3 for _ in range(3)], 0
    for number in range(5, 5 + games):
        game = nimmt.arena.play_game(names, 4, nimmt.PROFESSIONAL, number)
        rounds += game.round
        for line in game.record().split("\n"):
            if line.startswith("heads: "):
                last = [int(word) for word in line.split()[1:]]
            elif line.startswith("scores: "):
                for seat in range(3):
                    heads[seat].append(last[seat])
        for seat in range(3):
            scores[seat] += game.scores[seat]
            ranks[seat][game.ranks[seat] - 1] += 1
            shares[seat] += (seat in game.winners) / len(game.winners)
    assert (match.games, match.rounds) == (games, rounds)
    for seat, standing in enumerate(match.standings):
        mean = sum(heads[seat]) / rounds
        assert standing.name == names[seat]
        assert standing.heads_a_round == pytest.approx(mean)
        error = (sum((h - mean) ** 2 for h in heads[seat]) / (rounds - 1) / rounds) ** 0.5
        assert standing.standard_error == pytest.approx(error)
        assert standing.score == pytest.approx(scores[seat] / games)
        assert standing.win_share == pytest.approx(shares[seat] / games)
        assert standing.ranks == tuple(ranks[seat])
    assert sum(standing.win_share for standing in match.standings) == pytest.approx(1)


def test_a_match_of_one_round(nimmt: ModuleType) -> None:
    match = nimmt.arena.play_match([Watcher(), "random"], 1, 1, nimmt.Rules(rounds=1))
    assert (match.games, match.rounds) == (1, 1)
    assert [standing.standard_error for standing in match.standings] == [None, None]
    assert [standing.name for standing in match.standings] == ["watcher", "random"]


def test_ties_are_split(nimmt: ModuleType) -> None:
    """Two who share a win have half a win each, and both rank 1."""

    class Same(Watcher):
        pass

    for seed in range(400):
        match = nimmt.arena.play_match([Same(), Same(), Same()], 1, seed, nimmt.Rules(rounds=1))
        shares = [standing.win_share for standing in match.standings]
        if 0.5 in shares:
            assert shares.count(0.5) == 2
            for standing in match.standings:
                assert standing.ranks == ((1, 0, 0) if standing.win_share else (0, 0, 1))
            return
    raise AssertionError("no tie in 400 rounds")


def test_matches_do_not_depend_on_their_size(nimmt: ModuleType) -> None:
    """Traps C06, C15: game number k of a seed is the same in every match; other seeds share no deal."""
    names = ["nearest", "random"]
    whole = nimmt.arena.play_match(names, 6, 9)
    parts = [nimmt.arena.play_match(names, 3, 9, first=first) for first in (0, 3)]
    assert whole.rounds == sum(part.rounds for part in parts)
    for seat in range(2):
        score = sum(part.standings[seat].score for part in parts) / 2
        assert whole.standings[seat].score == pytest.approx(score)
    assert nimmt.arena.play_match(names, 6, 9) == whole
    deals = [{nimmt.Game(2, seed, game=game).rows for game in range(50)} for seed in (0, 1)]
    assert not deals[0] & deals[1]


def test_games_of_iterators(nimmt: ModuleType) -> None:
    """Bots are a sequence, or anything with an order."""
    expected = nimmt.arena.play_game(["lowest", "highest"], 1)
    assert nimmt.arena.play_game(("lowest", "highest"), 1) == expected
    assert nimmt.arena.play_game(iter(["lowest", "highest"]), 1) == expected
    assert nimmt.arena.play_match(iter(["lowest", "highest"]), 2, 1) == nimmt.arena.play_match(
        ["lowest", "highest"], 2, 1
    )


def test_a_bot_that_breaks_a_rule(nimmt: ModuleType) -> None:
    """What it did is told; the game it broke is not changed by it."""

    class Cheat(Watcher):
        def choose(self, view: Any) -> int:
            return 104 if 104 not in view.hand else 103

    with pytest.raises(nimmt.IllegalMove, match="does not hold card"):
        nimmt.arena.play_game([Cheat(), "random"], 1)


def test_a_bot_in_a_game_of_ones_own(nimmt: ModuleType) -> None:
    """A host asks bots itself: the answers are plain numbers that the game accepts."""
    game, bot = nimmt.Game(5, 3, nimmt.LOGIC), nimmt.bots.Policy("nearest")
    while not game.is_over:
        if game.phase == "scored":
            game.deal()
            continue
        seat = game.to_act[0]
        ask = {"draft": bot.pick, "choose": bot.choose, "take": bot.take}[game.phase]
        answer = ask(game.view(seat))
        assert type(answer) is int
        assert answer in game.legal(seat)
        {"draft": game.pick, "choose": game.choose, "take": game.take}[game.phase](seat, answer)
    assert play_to(game, random.Random(1), "over") is game
