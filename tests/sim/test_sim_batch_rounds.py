"""Batches of rounds at hand, and batches that are played to their end by built-in policies."""

from __future__ import annotations

import pickle
from types import ModuleType
from typing import Any

import pytest
from conftest import GAMES, ROUNDS, variants
from sim.helpers import mixed, part, rules_of, slow_is_expected

pytestmark = slow_is_expected


def middle(nimmt: ModuleType, players: int, rules: Any, count: int) -> list[Any]:
    """Return rounds in different turns, some with cards that are chosen or a row that is owed."""
    made = []
    for k in range(count):
        table = nimmt.Round.deal(players, nimmt.Stream(3, k), rules)
        for _ in range(k % 10):
            table.play([table.hand(seat)[k % 3 % len(table.hand(seat))] for seat in range(players)])
            while table.owed and k % 4:
                table.take(table.owed.seat, table.owed.rows[-1])
            if table.owed:
                break
        if table.phase == "choose":
            table.choose(k % players, table.hand(k % players)[0])
        made.append(table)
    return made


@pytest.mark.parametrize("players", [2, 4, 10])
def test_from_rounds_and_playout(nimmt: ModuleType, players: int) -> None:
    """Round by round what Round.playout makes of it, with a stream of its own."""
    policies, phases = mixed(players), set()
    numbers = [nimmt.bots.POLICIES.index(name) for name in policies]
    for name, rules in variants(nimmt).items():
        if rules.draft:
            continue
        rounds = middle(nimmt, players, rules, 24)
        phases |= {each.phase for each in rounds}
        batch = part("sim").Batch.from_rounds(rounds, seed=5, rules=rules, first=7)
        assert (batch.n, batch.players, batch.rules) == (24, players, rules)
        assert (batch.seed, batch.first, batch.round) == (5, 7, 1)
        assert [batch[k] for k in range(24)] == rounds, name
        assert pickle.loads(pickle.dumps(batch)) == batch.copy() == batch
        batch.playout(policies)
        assert batch.is_over
        for k, table in enumerate(rounds):
            table.playout(numbers, nimmt.Stream(5, 7 + k, 0, 3))
            assert batch[k] == table
        batch.deal()
        assert batch == dealt_twice(nimmt, players, rules, policies)
    assert phases == {"choose", "take"}


def dealt_twice(nimmt: ModuleType, players: int, rules: Any, policies: list[str]) -> Any:
    """Return a batch in its second round."""
    batch = part("sim").Batch(24, players, 5, rules, 7)
    batch.playout(policies)
    batch.deal()
    return batch


@pytest.mark.parametrize("take", ["cheapest", "random"])
@pytest.mark.parametrize("players", [2, 5, 10])
def test_playout_is_simulate(nimmt: ModuleType, players: int, take: str) -> None:
    """Batches that are played to the end have the heads of the games that simulate plays."""
    policies = mixed(players)
    for name, rules in rules_of(nimmt).items():
        batch = part("sim").Batch(9, players, 4, rules, first=2, take=take)
        batch.playout(policies)
        kept = {each: getattr(rules, each) for each in ("deck", "professional", "tie", "cheapest")}
        one = nimmt.Rules(**kept, rounds=1)
        result = part("sim").simulate(policies, 9, 4, rules=one, take=take, first=2)
        assert batch.heads.tolist() == result.scores.tolist(), name


def test_a_drafted_round(nimmt: ModuleType) -> None:
    game = nimmt.Game(3, seed=1, rules=nimmt.LOGIC)
    while game.phase == "draft":
        game.pick(game.to_act[0], game.pool[0])
    table = nimmt.Round.from_rows(game.rows, hands=[game.hand(seat) for seat in range(3)], rules=nimmt.TACTIC)
    assert part("sim").Batch.from_rounds([table], rules=nimmt.TACTIC)[0] == table


def test_from_rounds_refuses(nimmt: ModuleType) -> None:
    make, four = part("sim").Batch.from_rounds, nimmt.Round.deal(4, nimmt.Stream(1))
    three, tactic = nimmt.Round.deal(3, nimmt.Stream(1)), nimmt.Round.deal(4, nimmt.Stream(1), nimmt.TACTIC)
    other = r"^round 1 is not a round of 4 players under the rules of the batch$"
    for bad in (three, tactic, nimmt.Round.deal(4, nimmt.Stream(1), nimmt.PROFESSIONAL)):
        with pytest.raises(nimmt.NimmtError, match=other):
            make([four, bad])
    with pytest.raises(nimmt.NimmtError, match="^round 0 is not a round of 4 players"):
        make([four], rules=nimmt.TACTIC)
    with pytest.raises(nimmt.NimmtError, match="^round 1: its hands are unknown$"):
        make([four, ROUNDS["unknown"](nimmt)])
    with pytest.raises(nimmt.WrongPhase, match=r"^round 2: the draft is not over \(V2\)$"):
        make([four, four, ROUNDS["draft round"](nimmt)])
    for bad in (GAMES["choose"](nimmt), None):
        with pytest.raises(TypeError, match="^round 0 must be nimmt.Round, not (Game|NoneType)$"):
            make([bad])
    with pytest.raises(nimmt.NimmtError, match=r"a batch has 1\.\.2\*\*31-1 rounds, not 0"):
        make([])
    with pytest.raises(TypeError, match="rounds must be a sequence, not int"):
        make(7)
    with pytest.raises(nimmt.NimmtError, match="2 games from 18446744073709551615 on are too many"):
        make([four, four], first=2**64 - 1)
    with pytest.raises(nimmt.NimmtError, match="a batch cannot play these rules"):
        make([four], rules=nimmt.LOGIC)


def test_playout_refuses(nimmt: ModuleType) -> None:
    batch = part("sim").Batch(3, 4, 1)
    before = batch.copy()
    with pytest.raises(nimmt.NimmtError, match="4 players need 4 policies, not 3"):
        batch.playout(["random"] * 3)
    with pytest.raises(nimmt.NimmtError, match="there is no policy 'best'"):
        batch.playout(["random"] * 3 + ["best"])
    with pytest.raises(TypeError, match="a policy is named by text, not NoneType"):
        batch.playout([None] * 4)
    assert batch == before
