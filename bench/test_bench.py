"""Benchmarks: each asserts its answer; grouped by what is done, parametrised by players and backend.

    make bench

bench/README.md has the last table; bench/ratios.py compares the backends in one run.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

PLAYERS = (2, 4, 10)


def load(backend: str) -> tuple[ModuleType, dict[str, ModuleType]]:
    """Import the package with this backend, and bots and all, whatever was imported before."""
    for name in [name for name in sys.modules if name.split(".")[0] == "nimmt" and name != "nimmt._cffi"]:
        del sys.modules[name]
    os.environ["NIMMT_BACKEND"] = backend
    package = importlib.import_module("nimmt")
    for name in package.__all__:
        getattr(package, name)
    return package, {name: module for name, module in sys.modules.items() if name.split(".")[0] == "nimmt"}


@pytest.fixture(scope="module", params=["c", "python"])
def nimmt(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "nimmt"}
    package, _ = load(request.param)
    assert package.backend == request.param
    yield package
    sys.modules.update(before)


Benchmark = Any  # pytest_benchmark's fixture, which has no types


def rows_and_cards(nimmt: ModuleType, players: int) -> tuple[Any, list[int]]:
    """Return the fifth turn of a round in which nobody owes a row."""
    for seed in range(100):
        table = nimmt.Round.deal(players, nimmt.Stream(seed))
        while table.turn < 5:
            table.play([table.hand(seat)[0] for seat in range(players)])
            while table.owed:
                table.take(table.owed.seat, table.cheapest())
        cards = [table.hand(seat)[-1] for seat in range(players)]
        if nimmt.resolve(table.rows, cards).pending is None:
            return table.rows, cards
    raise AssertionError("every round owes a row")


@pytest.mark.benchmark(group="resolve a turn")
@pytest.mark.parametrize("players", PLAYERS)
def test_resolve(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    rows, cards = rows_and_cards(nimmt, players)
    turn = benchmark(nimmt.resolve, rows, cards)
    assert sorted(p.card for p in turn.placed) == sorted(cards)


def play_round(game: Any) -> None:
    """Play a round through the game: everybody the highest card, the cheapest row where one is owed."""
    players = range(game.players)
    while game.phase != "over":
        if game.owed:
            game.take(game.owed.seat, game.cheapest())
        else:
            game.play([game.hand(seat)[-1] for seat in players])


@pytest.mark.benchmark(group="a round through Game.play")
@pytest.mark.parametrize("players", PLAYERS)
def test_game_play(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    start = nimmt.Game(players, 7, nimmt.Rules(rounds=1))
    scores = start.copy()
    play_round(scores)

    def round() -> Any:
        game = start.copy()
        play_round(game)
        return game

    assert benchmark(round).scores == scores.scores


@pytest.mark.benchmark(group="a round by playout")
@pytest.mark.parametrize("players", PLAYERS)
def test_playout(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    core, stream = nimmt._backend.core, nimmt.Stream(7, use=9)
    state = bytearray(164)
    r, policies, draws = core.bind(state), bytes(players), stream.state[:]
    assert core.deal(r, players, 104, 0, nimmt.Stream(7)) == 0
    dealt = bytes(state)

    def playout() -> int:
        state[:] = dealt
        stream.state[:] = draws
        return int(core.playout(r, policies, stream))

    assert benchmark(playout) == 0
    assert state[3] == 2
    table = nimmt.Round.from_bytes(dealt)
    table.playout([0] * players, nimmt.Stream(7, use=9))
    assert table.to_bytes() == state


@pytest.mark.benchmark(group="deal a round")
@pytest.mark.parametrize("players", PLAYERS)
def test_deal(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    core, state = nimmt._backend.core, bytearray(164)
    r = core.bind(state)

    def deal() -> int:
        return int(core.deal(r, players, 104, 0, nimmt.Stream(7)))

    assert benchmark(deal) == 0
    assert nimmt.Round.from_bytes(bytes(state)) == nimmt.Round.deal(players, nimmt.Stream(7))


@pytest.mark.benchmark(group="save and load")
@pytest.mark.parametrize("players", PLAYERS)
def test_save_and_load(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    game = nimmt.Game(players, 7)
    game.choose(0, game.hand(0)[3])
    assert benchmark(lambda: nimmt.Game.load(game.save())) == game


@pytest.mark.benchmark(group="a view")
@pytest.mark.parametrize("players", PLAYERS)
def test_view(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    game = nimmt.Game(players, 7)
    view = benchmark(game.view, 1)
    assert (view.hand, view.rows) == (game.hand(1), game.rows)


@pytest.mark.benchmark(group="copy a game")
@pytest.mark.parametrize("players", PLAYERS)
def test_copy(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    game = nimmt.Game(players, 7)
    assert benchmark(game.copy) == game
