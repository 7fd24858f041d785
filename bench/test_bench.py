"""Benchmarks: each asserts its answer; grouped by what is done, parametrised by players and backend.

    make bench

bench/README.md has the last table; bench/ratios.py compares the backends in one run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from ratios import game_of, load

PLAYERS = (2, 4, 10)


@pytest.fixture(scope="module", params=["c", "python"])
def nimmt(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "nimmt"}
    yield load(request.param)
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


@pytest.mark.benchmark(group="a round through Game.play")
@pytest.mark.parametrize("players", PLAYERS)
def test_game_play(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    play = game_of(nimmt, players)
    expected: Any = play()
    assert expected.is_over and benchmark(play) == expected


@pytest.mark.benchmark(group="a round by playout")
@pytest.mark.parametrize("players", PLAYERS)
def test_playout(benchmark: Benchmark, nimmt: ModuleType, players: int) -> None:
    core, stream = nimmt.core.core, nimmt.Stream(7, use=9)
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
    core, state = nimmt.core.core, bytearray(164)
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
