"""The backend as a fixture: each test that asks for `nimmt` or `core` runs on both, its name ends in [c] or [python].

Both are imported in this one process, each as a package of its own with classes of its own. `with tree:` puts one of
them where `import` and pickle look. Also here: what several test files need to set up positions and play games.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tools import missing

HERE = Path(__file__).resolve().parent
BACKENDS = ("c", "python")
CI = bool(os.environ.get("CI"))

# The fixtures below hold nothing that one example could leave to the next.
CALM = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
settings.register_profile("quick", max_examples=40, deadline=None, suppress_health_check=CALM)
settings.register_profile(
    "CI", max_examples=200, deadline=None, derandomize=True, print_blob=True, suppress_health_check=CALM
)
settings.load_profile("CI" if CI else "quick")


# Two packages in one process


class Tree:
    """The package as one backend imports it. Entering it gives the package."""

    def __init__(self, backend: str) -> None:
        self.backend = backend
        self._modules: dict[str, ModuleType] = {}
        self._others: list[dict[str, ModuleType]] = []
        with self:
            self._import()

    def _import(self) -> None:
        before = os.environ.get("NIMMT_BACKEND")
        os.environ["NIMMT_BACKEND"] = self.backend
        try:
            importlib.import_module("nimmt")
            for name in ("arena", "bots", "slots", "worlds"):
                importlib.import_module(f"nimmt.{name}")
        finally:
            if before is None:
                del os.environ["NIMMT_BACKEND"]
            else:
                os.environ["NIMMT_BACKEND"] = before

    def __enter__(self) -> ModuleType:
        self._others.append(_take_out())
        sys.modules.update(self._modules)
        return self._modules.get("nimmt", sys)

    def __exit__(self, *error: object) -> None:
        self._modules = _take_out()
        sys.modules.update(self._others.pop())


def _take_out() -> dict[str, ModuleType]:
    """Remove the package from sys.modules, all but the C library, which a process has once."""
    names = [name for name in sys.modules if name == "nimmt" or name.startswith("nimmt.")]
    return {name: sys.modules.pop(name) for name in names if name != "nimmt.core._cffi"}


_trees: dict[str, Tree] = {}


def tree_of(backend: str) -> Tree:
    """Return the package for a backend, imported once a session. Without C: skip, in CI fail."""
    if backend not in _trees:
        try:
            _trees[backend] = Tree(backend)
        except ImportError as error:
            missing(f"C core ({error.__cause__ or error})")
    return _trees[backend]


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise by backend, after all else: so it comes last in the name of a test."""
    if "tree" in metafunc.fixturenames:
        metafunc.parametrize("tree", BACKENDS, indirect=True)


@pytest.fixture
def tree(request: pytest.FixtureRequest) -> Tree:
    return tree_of(request.param)


@pytest.fixture
def nimmt(tree: Tree) -> Iterator[ModuleType]:
    """The package on one backend."""
    with tree as package:
        assert package.backend == tree.backend
        yield package


@pytest.fixture
def core(nimmt: ModuleType) -> Any:
    """The seam on one backend: nimmt.core.c or nimmt.core.python."""
    assert nimmt.core.core.__name__ == f"nimmt.core.{nimmt.backend}"
    return nimmt.core.core


@pytest.fixture
def trees() -> tuple[Tree, Tree]:
    """The package on both backends, C first, for tests that compare them."""
    return tree_of("c"), tree_of("python")


@pytest.fixture
def cores(trees: tuple[Tree, Tree]) -> tuple[Any, Any]:
    """The seam on both backends, C first."""
    with trees[0] as c, trees[1] as python:
        return c.core.core, python.core.core


# Cases and positions


def cases(name: str) -> Any:
    """Return what a file of tests/cases holds."""
    return json.loads((HERE / "cases" / name).read_text(encoding="utf-8"))


def heads_of(card: int) -> int:
    """R2, for the tests."""
    return 7 if card == 55 else 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


def gone_cards(total: int, there: set[int], highest: int = 104) -> list[int]:
    """Return cards that are not there and have so many bull heads together."""
    gone = []
    for card in sorted(set(range(1, highest + 1)) - there, key=lambda card: (-heads_of(card), card)):
        if heads_of(card) <= total:
            gone.append(card)
            total -= heads_of(card)
    assert total == 0, "there are not enough cards for so many bull heads"
    return gone


def round_bytes(
    rows: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    heads: Sequence[int] = (),
    highest: int = 104,
    flags: int = 0,
) -> bytes:
    """Return the bytes of a round (csrc/nimmt.h) between two turns, in which seats have taken these bull heads."""
    state = bytearray(164)
    state[0], state[1], state[2], state[4] = len(hands), highest, flags, 10 - len(hands[0])
    lying = [card for row in rows for card in row]
    for number, row in enumerate(rows):
        state[7 + number] = len(row)
        state[11 + 5 * number : 11 + 5 * number + len(row)] = bytes(row)
    state[41 : 41 + len(heads)] = bytes(heads)
    held = [card for hand in hands for card in hand]
    for card in lying + gone_cards(sum(heads), set(lying + held), highest):
        state[51 + (card - 1) // 8] |= 1 << (card - 1) % 8
    for seat, hand in enumerate(hands):
        state[64 + 10 * seat : 64 + 10 * seat + len(hand)] = bytes(sorted(hand))
    return bytes(state)


ROWS = ((4,), (9,), (14,), (19,))


def last_turn(
    nimmt: ModuleType, before: Sequence[int], heads: Sequence[int], rules: Any = None, number: int = 2
) -> tuple[Any, tuple[int, ...]]:
    """Return a game in the tenth turn of a round, and the cards that end it without anybody taking a row.

    The scores of the rounds before are `before`, the bull heads of this round `heads`.
    """
    rules = rules or nimmt.BASE
    players = len(before)
    cards = tuple(ROWS[seat % 4][0] + 1 + seat // 4 for seat in range(players))
    flags = nimmt.state.flags_of(rules)
    state = round_bytes(ROWS, [[card] for card in cards], heads, rules.highest(players), flags)
    return nimmt.Game.from_round(nimmt.Round.from_bytes(state), before, rules, seed=1, round=number), cards


def step(game: Any, rng: random.Random) -> list[Any]:
    """Make one legal move drawn from `rng`, whatever is next, deals included; return the events."""
    if game.phase == "scored":
        return list(game.deal())
    seat = rng.choice(game.to_act)
    what = rng.choice(game.legal(seat))
    move = {"draft": game.pick, "choose": game.choose, "take": game.take}[game.phase]
    return list(move(seat, what))


def play_round(game: Any, rng: random.Random) -> None:
    """Play to the end of the round."""
    while game.phase not in ("scored", "over"):
        step(game, rng)


def play_to(game: Any, rng: random.Random, phase: str) -> Any:
    """Play until the game is in a phase; return it."""
    while game.phase != phase:
        assert game.phase != "over", f"the game never came to {phase}"
        step(game, rng)
    return game


def variants(nimmt: ModuleType) -> dict[str, Any]:
    """The variants by name, and the options that change how cards are placed."""
    return {
        "base": nimmt.BASE,
        "tactic": nimmt.TACTIC,
        "logic": nimmt.LOGIC,
        "professional": nimmt.PROFESSIONAL,
        "professional, logic": nimmt.Rules(deck="tactic", draft=True, professional=True),
        "professional, right": nimmt.Rules(professional=True, tie="right", cheapest="fewest"),
        "professional, left": nimmt.Rules(professional=True, tie="left", cheapest="most", deck="tactic"),
    }


# Games and rounds in every phase


def choose_scene(nimmt: ModuleType) -> Any:
    return nimmt.Game(4, seed=7)


def chosen_scene(nimmt: ModuleType) -> Any:
    game = nimmt.Game(4, seed=7)
    for seat in (0, 1, 2):
        game.choose(seat, game.hand(seat)[0])
    return game


def take_scene(nimmt: ModuleType) -> Any:
    game = nimmt.Game(4, seed=7)
    game.play((2, 17, 28, 13))
    return game


def tie_scene(nimmt: ModuleType) -> Any:
    hands = [[50, 60], [97, 98], [99, 100]]
    start = nimmt.Round.from_rows([[48], [52], [80], [90]], hands=hands, rules=nimmt.PROFESSIONAL)
    game = nimmt.Game.from_round(start, rules=nimmt.PROFESSIONAL, seed=1)
    game.play((50, 97, 99))
    return game


def scored_scene(nimmt: ModuleType) -> Any:
    return play_to(nimmt.Game(4, seed=7), random.Random(1), "scored")


def joined_scene(nimmt: ModuleType) -> Any:
    game = scored_scene(nimmt)
    game.join()
    return game


def over_scene(nimmt: ModuleType) -> Any:
    return play_to(nimmt.Game(4, seed=7), random.Random(1), "over")


def draft_scene(nimmt: ModuleType) -> Any:
    game = nimmt.Game(4, seed=7, rules=nimmt.Rules(deck="tactic", draft=True, first_picker=2))
    for seat, card in ((2, 20), (3, 30), (0, 40)):
        game.pick(seat, card)
    return game


def round_scene(nimmt: ModuleType) -> Any:
    return nimmt.Round.deal(4, nimmt.Stream(7))


def unknown_scene(nimmt: ModuleType) -> Any:
    table = nimmt.Round.from_rows([[12], [37], [43], [58]], 4)
    table.play((14, 15, 44, 61))
    table.choose(0, 70)
    return table


def draft_round_scene(nimmt: ModuleType) -> Any:
    table = nimmt.Round.draft(4, 2)
    for seat, card in ((2, 20), (3, 30), (0, 40)):
        table.pick(seat, card)
    return table


GAMES: dict[str, Callable[[ModuleType], Any]] = {
    "choose": choose_scene,
    "chosen": chosen_scene,
    "take": take_scene,
    "tie": tie_scene,
    "scored": scored_scene,
    "joined": joined_scene,
    "over": over_scene,
    "draft": draft_scene,
}
ROUNDS: dict[str, Callable[[ModuleType], Any]] = {
    "round": round_scene,
    "unknown": unknown_scene,
    "draft round": draft_round_scene,
}
SCENES = GAMES | ROUNDS


def one_round(nimmt: ModuleType, game: Any) -> None:
    """Play a game to the end of its round, and deal, looking at everything at every step."""
    rng, events, before = random.Random(3), [], game.scores
    assert 2 <= game.players <= 10
    assert len(game.scores) == game.players
    assert min(game.scores) >= 0
    while True:
        cards = [card for row in game.rows for card in row]
        cards += [card for seat in range(game.players) for card in game.hand(seat)]
        cards += [game.chosen(seat) for seat in range(game.players) if game.chosen(seat)]
        assert len(set(cards)) == len(cards)
        assert all(1 <= card <= game.highest for card in cards)
        assert all(1 <= len(row) <= 5 and list(row) == sorted(row) for row in game.rows)
        assert nimmt.Game.load(game.save()) == game
        game.view()
        if game.phase in ("scored", "over"):
            break
        before, events = game.scores, step(game, rng)
    for event in events:
        if isinstance(event, nimmt.RoundOver):
            assert event.scores == game.scores == tuple(a + b for a, b in zip(before, game.heads, strict=True))
    if game.phase == "scored":
        game.deal()
        assert len({card for seat in range(game.players) for card in game.hand(seat)}) in (0, 10 * game.players)
