"""tests/cases/random.json: the primitives, streams, deals and whole random rounds, number for number on both backends.

The Python streams are used with either core (a stream is 16 bytes that the C core draws from, too), so C's own stream
functions are tested here through cffi.
"""

from __future__ import annotations

from array import array
from types import ModuleType
from typing import Any

import pytest
from conftest import cases, tree_of
from hypothesis import given
from hypothesis import strategies as st

VECTORS: dict[str, Any] = cases("random.json")
WORD = st.integers(0, 2**32 - 1)
LONG = st.integers(0, 2**64 - 1)


def words(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


class PythonStreams:
    """stream.py by the names of the C functions."""

    def __init__(self, nimmt: ModuleType) -> None:
        self.module = nimmt.stream

    def threefry(self, counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.module.threefry(counter, key))

    def seed(self, seed: int, game: int, round: int, use: int = 0) -> Any:
        return self.module.Stream(seed, game, round, use)

    def from_state(self, state: list[int]) -> Any:
        stream = self.module.Stream(0)
        stream.state = array("I", state)
        return stream

    def state(self, stream: Any) -> list[int]:
        return list(stream.state)

    def next(self, stream: Any) -> int:
        return int(stream.next())

    def below(self, stream: Any, n: int) -> int:
        return int(stream.below(n))


class CStreams:
    """The same in C."""

    def __init__(self, nimmt: ModuleType) -> None:
        self.ffi, self.lib = nimmt.core.c.ffi, nimmt.core.c.lib

    def threefry(self, counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
        out = self.ffi.new("uint32_t[4]")
        self.lib.nimmt_threefry(out, counter, key)
        return tuple(out)

    def seed(self, seed: int, game: int, round: int, use: int = 0) -> Any:
        stream = self.ffi.new("nimmt_stream *")
        self.lib.nimmt_stream_seed(stream, seed, game, round, use)
        return stream

    def from_state(self, state: list[int]) -> Any:
        return self.ffi.new("nimmt_stream *", {"s": state})

    def state(self, stream: Any) -> list[int]:
        return list(stream.s)

    def next(self, stream: Any) -> int:
        return int(self.lib.nimmt_stream_next(stream))

    def below(self, stream: Any, n: int) -> int:
        return int(self.lib.nimmt_stream_below(stream, n))


@pytest.fixture
def streams(nimmt: ModuleType) -> PythonStreams | CStreams:
    return CStreams(nimmt) if nimmt.backend == "c" else PythonStreams(nimmt)


def vectors(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=f"{name}-{i}") for i, case in enumerate(VECTORS[name])]
    )


def test_every_vector_is_used() -> None:
    assert set(VECTORS) - {"about"} == {"threefry4x32_20", "xoshiro128pp", "streams", "deals", "random_rounds"}
    assert [len(VECTORS[name]) for name in VECTORS if name != "about"] == [3, 1, 8, 7, 7]


@vectors("threefry4x32_20")
def test_threefry(case: dict[str, str], streams: CStreams) -> None:
    assert streams.threefry(words(case["counter"]), words(case["key"])) == words(case["out"])


@vectors("xoshiro128pp")
def test_xoshiro(case: dict[str, list[int]], streams: CStreams) -> None:
    stream = streams.from_state(case["state"])
    assert [streams.next(stream) for _ in case["out"]] == case["out"]


@vectors("streams")
def test_streams(case: dict[str, Any], streams: CStreams) -> None:
    stream = streams.seed(case["seed"], case["game"], case["round"])
    assert streams.state(stream) == case["state"]
    assert [streams.next(stream) for _ in case["first"]] == case["first"]


@vectors("deals")
def test_deals_of_the_core(case: dict[str, Any], nimmt: ModuleType, core: Any) -> None:
    state = bytearray(164)
    stream = nimmt.Stream(case["seed"], case["game"], case["round"])
    assert core.deal(core.bind(state), case["players"], case["highest"], 0, stream) == 0
    hands = [list(state[64 + 10 * seat : 74 + 10 * seat]) for seat in range(case["players"])]
    assert hands == case["hands"]
    assert [state[11 + 5 * row] for row in range(4)] == case["rows"]
    assert state[3:11] == bytes([0, 0, 0, 0, 1, 1, 1, 1])


@vectors("deals")
def test_deals_of_games(case: dict[str, Any], nimmt: ModuleType) -> None:
    rules = nimmt.Rules(deck="full" if case["highest"] == 104 else "tactic", limit=65535)
    table = nimmt.Round.deal(case["players"], nimmt.Stream(case["seed"], case["game"], case["round"]), rules)
    game = nimmt.Game(case["players"], case["seed"], rules, case["game"])
    for _ in range(case["round"]):
        while game.phase != "scored":
            seat = game.to_act[0]
            (game.take if game.owed else game.choose)(seat, game.legal(seat)[0])
        game.deal()
    for one in (table, game):
        assert [list(one.hand(seat)) for seat in range(case["players"])] == case["hands"]
        assert [list(row) for row in one.rows] == [[card] for card in case["rows"]]


@vectors("random_rounds")
def test_random_rounds(case: dict[str, Any], nimmt: ModuleType) -> None:
    rules = nimmt.Rules(deck="full" if case["highest"] == 104 else "tactic")
    assert case["policy"] == "random"
    number = {"cheapest": 0, "random": 4}[case["take"]]
    stream = nimmt.Stream(case["seed"], case["game"], case["round"])
    table = nimmt.Round.deal(case["players"], stream, rules)
    table.playout([number] * case["players"], stream)
    assert list(table.heads) == case["heads"]
    assert [list(row) for row in table.rows] == case["rows"]


@vectors("random_rounds")
def test_random_rounds_between_bots(case: dict[str, Any], nimmt: ModuleType) -> None:
    rules = nimmt.Rules(deck="full" if case["highest"] == 104 else "tactic", rounds=case["round"] + 1)
    stream = nimmt.Stream(case["seed"], case["game"], case["round"])
    if case["take"] == "cheapest":
        game = nimmt.arena.play_game(["random"] * case["players"], case["seed"], rules, case["game"])
        assert list(game.heads) == case["heads"]
        assert [list(row) for row in game.rows] == case["rows"]
        return
    bot = nimmt.bots.Policy("random", take="random")
    bot.stream = stream
    assert case["round"] == 0
    nimmt.Round.deal(case["players"], stream, rules)
    game = nimmt.arena.play_game([bot] * case["players"], case["seed"], rules, case["game"])
    assert list(game.heads) == case["heads"]
    assert [list(row) for row in game.rows] == case["rows"]


@given(seed=LONG, game=LONG, round=WORD, use=WORD, draws=st.lists(st.integers(1, 65535), max_size=20))
def test_streams_agree(seed: int, game: int, round: int, use: int, draws: list[int]) -> None:
    with tree_of("c") as c:
        one, two = CStreams(c), PythonStreams(c)
        a, b = one.seed(seed, game, round, use), two.seed(seed, game, round, use)
        assert one.state(a) == two.state(b)
        for n in draws:
            number = one.below(a, n)
            assert number == two.below(b, n)
            assert number < n
            assert one.next(a) == two.next(b)
        assert one.state(a) == two.state(b)


@given(state=st.lists(WORD, min_size=4, max_size=4).filter(any), n=st.integers(1, 65535))
def test_below_is_lemire(state: list[int], n: int) -> None:
    """As DESIGN.md defines it, with Python's big integers; the states make the rare second draw happen, too."""
    with tree_of("c") as c:
        for streams in (CStreams(c), PythonStreams(c)):
            stream, plain = streams.from_state(state), streams.from_state(state)
            while True:
                product = streams.next(plain) * n
                if product % 2**32 >= 2**32 % n:
                    break
            assert streams.below(stream, n) == product >> 32
            assert streams.state(stream) == streams.state(plain)


@pytest.mark.parametrize("n", [3, 104, 65535, 40000])
def test_below_draws_again(n: int, streams: CStreams) -> None:
    """The first draw of this state is 0, whose product is below 2**32 mod n: it must be thrown away."""
    state = [0, 7, 9, 0]  # xoshiro128++ gives rotl(s0 + s3, 7) + s0 = 0
    assert streams.next(streams.from_state(state)) == 0
    stream, plain = streams.from_state(state), streams.from_state(state)
    number = streams.below(stream, n)
    streams.next(plain)
    assert number == streams.next(plain) * n >> 32
    assert streams.state(stream) == streams.state(plain)


def test_a_stream_is_never_all_zero(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block of zeros that nobody has found: its stream begins with 1, 0, 0, 0."""
    monkeypatch.setattr(nimmt.stream, "threefry", lambda counter, key: (0, 0, 0, 0))
    assert list(nimmt.Stream(1).state) == [1, 0, 0, 0]


def test_streams_differ(streams: CStreams) -> None:
    """Neighbours in seed, game, round and use have nothing in common, and no half of a number is lost."""
    keys = [(0, 0, 0, 0)]
    for i in range(4):
        for bit in range(64 if i < 2 else 32):
            keys.append(tuple(1 << bit if i == j else 0 for j in range(4)))  # type: ignore[arg-type]
    states = {tuple(streams.state(streams.seed(*key))) for key in keys}
    assert len(states) == len(keys) == 193
    assert len({word for state in states for word in state}) > 4 * len(keys) - 3
