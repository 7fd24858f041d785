"""Bad input: the documented exception, the same on both backends, nothing changed, and the game goes on.

The tables hold calls as Python text, which is also how a failure names them. The error of a call is exact: its class is
what is written here, not a child of it.
"""

from __future__ import annotations

import enum
import random
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from conftest import SCENES, Tree, step

Calls = list[tuple[str, str]]  # a call, and the name of its error

# What is no integer.
WRONG = ["'1'", "b'1'", "1.0", "1.5", "float('nan')", "1j", "True", "False", "[1]", "(1,)", "{1: 1}", "{1}"]
WRONG += ["object()", "int", "Fraction(1)", "Decimal(1)", "np.float64(1)", "np.float32(1)", "np.bool_(True)"]
WRONG += ["np.array([1, 2])", "np.array(1.0)", "np.datetime64(1, 's')"]
WRONG_OR_NONE = [*WRONG, "None"]
FAR = ["-1", "2**40", "-2**40", "2**100", "np.int64(-1)", "2**31", "2**32", "2**63", "2**64", "256", "-256"]


class Index:
    """Anything with __index__ is an int."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Two(enum.IntEnum):
    TWO = 2


NAMES: dict[str, Any] = {
    "np": np,
    "Fraction": Fraction,
    "Decimal": Decimal,
    "Index": Index,
    "Two": Two,
    "object": object,
}


def evaluate(nimmt: ModuleType, call: str, **more: Any) -> Any:
    names = {name: getattr(nimmt, name) for name in nimmt.__all__}
    return eval(call, NAMES | names | {"bots": nimmt.bots, "arena": nimmt.arena, "sample": nimmt.worlds.sample} | more)


def outcome(nimmt: ModuleType, call: str, **more: Any) -> tuple[str, str]:
    """Return the class and message of the error that a call raises; without one ("", what it returned)."""
    try:
        return "", repr(evaluate(nimmt, call, **more))
    except Exception as error:
        return type(error).__name__, str(error)


def failures(nimmt: ModuleType, calls: Calls, **more: Any) -> list[str]:
    """Return what went otherwise than the table says. Every message says something."""
    wrong = []
    for call, error in calls:
        found, message = outcome(nimmt, call, **more)
        if found != error or len(message) < 8:
            wrong.append(f"{call} gave {found or 'no error'}: {message[:200]}; expected {error}")
    return wrong


def each(pattern: str, values: list[str], error: str) -> Calls:
    """Put every value at the place of the word _."""
    return [(re.sub(r"\b_\b", lambda _, value=value: value, pattern), error) for value in values]  # type: ignore[misc]


# Calls that need no game


HEADS: Calls = [
    *each("bull_heads(_)", WRONG_OR_NONE, "TypeError"),
    *each("bull_heads(_)", [*FAR, "0", "105"], "NimmtError"),
    ("bull_heads()", "TypeError"),
]

TEXTS = ["1", "None", "True", "b'full'", "['full']", "('full',)", "{}", "object()", "1.0", "np.array(['full'])"]
RULES: Calls = [
    *[call for name in ("deck", "tie", "end", "cheapest") for call in each(f"Rules({name}=_)", TEXTS, "TypeError")],
    *each("Rules(_='nonsense')", ["deck", "tie", "end", "cheapest", "first_picker"], "NimmtError"),
    *each("Rules(_='')", ["deck", "tie", "end", "cheapest", "first_picker"], "NimmtError"),
    *each("Rules(tie='Choose', professional=_)", ["True"], "NimmtError"),
    *each("Rules(professional=_)", ["1", "0", "'True'", "None", "np.bool_(True)", "[]", "1.0"], "TypeError"),
    *each("Rules(deck='tactic', draft=_)", ["1", "0", "'True'", "None", "np.bool_(True)", "[]", "1.0"], "TypeError"),
    *each("TACTIC.highest(_)", ["'4'", "4.0", "None", "True", "[]"], "TypeError"),
    *each("TACTIC.highest(_)", ["0", "1", "11", "-4", "2**40"], "NimmtError"),
    ("Rules(draft=True)", "NimmtError"),
    *each("Rules(limit=_)", WRONG, "TypeError"),
    *each("Rules(limit=_)", ["0", "None", "65536", "10**12", *FAR[:4]], "NimmtError"),
    *each("Rules(rounds=_)", WRONG, "TypeError"),
    *each("Rules(rounds=_)", ["0", "65536", "10**12", *FAR[:4]], "NimmtError"),
    ("Rules(rounds=5, limit=70)", "NimmtError"),
    *each("Rules(rounds=5, limit=_)", WRONG, "TypeError"),
    *each("Rules(first_picker=_)", [v for v in WRONG_OR_NONE if v != "'1'"], "TypeError"),
    *each("Rules(first_picker=_)", ["'1'", "10", *FAR], "NimmtError"),
    ("Rules(nonsense=1)", "TypeError"),
]

NEW: Calls = [
    *each("Game(_, seed=1)", ["'4'", "4.0", "True", "None", "4j", "{4}", "{0: 'a', 1: 'b'}", "object()"], "TypeError"),
    *each("Game(_, seed=1)", ["b'ab'", "[1, 2]", "['a', None]", "['a', b'b']", "('a', 2)", "int"], "TypeError"),
    *each("Game(_, seed=1)", ["np.float64(4)", "np.bool_(True)", "np.array([4, 4])", "Fraction(4)"], "TypeError"),
    *each("Game(_, seed=1)", ["0", "1", "11", "[]", "['a']", "list('abcdefghijk')", *FAR], "NimmtError"),
    *each("Game(['a', _], seed=1)", ["''", "' b'", "'b '", "'b\\n'", "'b\\tc'", "'b\\0'", "'b' * 41"], "NimmtError"),
    *each("Game(['a', _], seed=1)", ["'\\x7f'", "'\\x85'", "'\\u2028'", "'\\u2029'", "'\\ud800'"], "NimmtError"),
    *each("Game(2, _)", WRONG, "TypeError"),
    *each("Game(2, _)", ["-1", "2**64", "-2**40", "2**100"], "NimmtError"),
    *each("Game(2, 1, game=_)", WRONG_OR_NONE, "TypeError"),
    *each("Game(2, 1, game=_)", ["-1", "2**64", "-2**40", "2**100"], "NimmtError"),
    *each("Game(2, 1, rules=_)", ["None", "'BASE'", "{}", "Rules", "1", "('full',)"], "TypeError"),
    *each("Game(2, 1, history=_)", ["None", "'no'", "1", "[]"], "TypeError"),
    ("Game(2, 1, Rules(deck='tactic', draft=True, first_picker=2))", "NimmtError"),
    ("Game(2, 1, nonsense=1)", "TypeError"),
]

ROWS = "[[12], [37], [43], [58]]"
NO_ROWS: Calls = [
    ("None", "TypeError"),
    ("'1234'", "TypeError"),
    ("7", "TypeError"),
    ("{0: [1], 1: [2], 2: [3], 3: [4]}", "TypeError"),
    ("[1, 2, 3, 4]", "TypeError"),
    ("['1', '2', '3', '4']", "TypeError"),
    *each("[[1], [2], [3], [_]]", WRONG_OR_NONE, "TypeError"),
    *each("[[1], [2], [3], _]", ["None", "4", "'4'", "{4: 1}", "{4}"], "TypeError"),
    *each("[[1], [2], [3], [_]]", ["0", "105", *FAR], "NimmtError"),
    ("[]", "NimmtError"),
    ("[[1], [2], [3]]", "NimmtError"),
    ("[[1], [2], [3], [4], [5]]", "NimmtError"),
    ("[[1], [2], [3], []]", "NimmtError"),
    ("[[1], [2], [3], [4, 5, 6, 7, 8, 9]]", "NimmtError"),
    ("[[1], [2], [3], [5, 4]]", "NimmtError"),
    ("[[1], [2], [3], [4, 6, 5]]", "NimmtError"),
    ("[[1], [2], [3], [4, 4]]", "NimmtError"),
    ("[[1], [2], [3], [3]]", "NimmtError"),
    ("[[1, 5], [2], [3], [4, 5, 6]]", "NimmtError"),
]

PLAYS = ["None", "5", "'5'", "{5}", "1.0", "object()"]
RESOLVE: Calls = [
    *[(f"resolve({rows}, [60, 70])", error) for rows, error in NO_ROWS],
    *each(f"resolve({ROWS}, _)", PLAYS, "TypeError"),
    *each(f"resolve({ROWS}, [5, _])", WRONG_OR_NONE, "TypeError"),
    *each(f"resolve({ROWS}, {{0: 5, 1: _}})", WRONG_OR_NONE, "TypeError"),
    *each(f"resolve({ROWS}, {{_: 5}})", ["'0'", "0.0", "True", "None", "(0,)", "np.float64(0)"], "TypeError"),
    *each(f"resolve({ROWS}, {{_: 5}})", ["10", *FAR], "IllegalMove"),
    *each(f"resolve({ROWS}, [5, _])", ["0", "105", "5", "12", "58", *FAR], "IllegalMove"),
    *each(f"resolve({ROWS}, _)", ["[]", "{}", "()", "list(range(60, 71))"], "IllegalMove"),
    *each(f"resolve({ROWS}, [5], _)", PLAYS, "TypeError"),
    *each(f"resolve({ROWS}, [5], {{0: _}})", WRONG_OR_NONE, "TypeError"),
    *each(f"resolve({ROWS}, [60], {{0: _}})", WRONG_OR_NONE, "TypeError"),
    *each(f"resolve({ROWS}, [5], {{_: 1}})", ["'0'", "0.0", "True", "None", "(0,)"], "TypeError"),
    *each(f"resolve({ROWS}, [5], {{0: _}})", ["4", *FAR], "IllegalMove"),
    *each(f"resolve({ROWS}, [5], {{0: 1, _: 1}})", ["10", *FAR], "IllegalMove"),
    *each("resolve([[48], [52], [80], [90]], [50], {0: _}, True)", ["2", "3", "4", *FAR], "IllegalMove"),
    *each(f"resolve({ROWS}, [5], professional=_)", ["1", "0", "None", "'yes'", "np.bool_(True)"], "TypeError"),
    *each(f"resolve({ROWS}, [5], tie=_)", TEXTS, "TypeError"),
    *each(f"resolve({ROWS}, [5], tie=_)", ["'up'", "''", "'LEFT'"], "NimmtError"),
    ("resolve()", "TypeError"),
    (f"resolve({ROWS})", "TypeError"),
]

NO_RULES = ["None", "'BASE'", "1", "Rules"]
POSITIONS: Calls = [
    *[(f"Round.from_rows({rows}, 2)", error) for rows, error in NO_ROWS],
    *each(f"Round.from_rows({ROWS}, _)", WRONG_OR_NONE, "TypeError"),
    *each(f"Round.from_rows({ROWS}, _)", ["0", "1", "11", *FAR], "NimmtError"),
    *each(f"Round.from_rows({ROWS}, 2, turn=_)", WRONG_OR_NONE, "TypeError"),
    *each(f"Round.from_rows({ROWS}, 2, turn=_)", ["0", "11", *FAR], "NimmtError"),
    *each(f"Round.from_rows({ROWS}, 2, rules=_)", NO_RULES, "TypeError"),
    *each(f"Round.from_rows({ROWS}, hands=_)", ["1", "'ab'", "{0: [1], 1: [2]}", "1.0", "object()"], "TypeError"),
    *each(f"Round.from_rows({ROWS}, hands=[[1], _])", ["None", "2", "'2'", "{2}", "{2: 2}"], "TypeError"),
    *each(f"Round.from_rows({ROWS}, hands=[[1], [_]])", WRONG_OR_NONE, "TypeError"),
    *each(f"Round.from_rows({ROWS}, hands=[[1], [_]])", ["0", "105", "1", "12", "58", *FAR], "NimmtError"),
    *each(f"Round.from_rows({ROWS}, hands=_)", ["[]", "[[1]]", "[[1], []]", "[[], []]", "[[1], [2, 3]]"], "NimmtError"),
    *each(
        f"Round.from_rows({ROWS}, hands=_)",
        ["[[1, 2], [3]]", "[[1, 1], [2, 3]]", "[[i] for i in range(1, 12)]"],
        "NimmtError",
    ),
    (f"Round.from_rows({ROWS}, hands=[list(range(1, 12)), list(range(60, 71))])", "NimmtError"),
    (f"Round.from_rows({ROWS}, 3, [[1], [2]])", "NimmtError"),
    *each(f"Round.from_rows({ROWS}, _, [[1], [2]])", WRONG, "TypeError"),
    (f"Round.from_rows({ROWS}, hands=[[1], [2]], rules=TACTIC)", "NimmtError"),  # no card 58 with two players
    ("Round.from_rows([[1], [2], [3], [4]], hands=[[5], [25]], rules=TACTIC)", "NimmtError"),
    ("Round.from_rows([[1,2,3,4,5], [6,7,8,9,10], [11], [12]], 10)", "NimmtError"),  # 92 cards for ten hands of ten
    *each("Round.deal(_, Stream(1))", WRONG_OR_NONE, "TypeError"),
    *each("Round.deal(_, Stream(1))", ["0", "1", "11", *FAR], "NimmtError"),
    *each("Round.deal(2, _)", ["None", "1", "'1'", "b'1' * 16", "Stream", "object()"], "TypeError"),
    *each("Round.deal(2, Stream(1), _)", NO_RULES, "TypeError"),
    *each("Round.draft(_)", WRONG_OR_NONE, "TypeError"),
    *each("Round.draft(_)", ["0", "1", "11", *FAR], "NimmtError"),
    *each("Round.draft(2, _)", WRONG_OR_NONE, "TypeError"),
    *each("Round.draft(2, _)", ["2", *FAR], "NimmtError"),
    *each("Round.draft(2, 0, _)", NO_RULES, "TypeError"),
    *each("Round.from_bytes(_)", ["None", "'x' * 164", "[0] * 164", "164", "memoryview(bytes(164))"], "TypeError"),
    *each("Round.from_bytes(_)", ["b''", "bytes(163)", "bytes(164)", "bytes(165)", "b'\\xff' * 164"], "BadRecord"),
    ("Round.from_bytes(Round.draft(2).to_bytes() + b'\\0')", "BadRecord"),
    *each("Round(_)", ["None", "'x' * 164", "[0] * 164", "164", "memoryview(bytes(164))"], "TypeError"),
    *each("Round(_)", ["b''", "bytes(163)", "bytearray(164)", "b'x' * 164"], "BadRecord"),
]

START = f"Round.from_rows({ROWS}, hands=[[1], [2]])"
FROM_ROUND: Calls = [
    *each("Game.from_round(_, seed=1)", ["None", "1", "'x'", "Game(2, 1)", "Game(2, 1).save()"], "TypeError"),
    *each(f"Game.from_round({START}, _, seed=1, round=2)", ["1", "'12'", "{0: 1, 1: 2}", "{1, 2}"], "TypeError"),
    *each(f"Game.from_round({START}, [1, _], seed=1, round=2)", WRONG_OR_NONE, "TypeError"),
    *each(f"Game.from_round({START}, [1, _], seed=1, round=2)", ["66", "172", *FAR], "NimmtError"),
    *each(f"Game.from_round({START}, _, seed=1, round=2)", ["[]", "[1]", "[1, 2, 3]"], "NimmtError"),
    *each(f"Game.from_round({START}, seed=1, round=_)", WRONG_OR_NONE, "TypeError"),
    *each(f"Game.from_round({START}, seed=1, round=_)", ["0", "-1", "2**32", "2**40"], "NimmtError"),
    *each(f"Game.from_round({START}, [0, 0], seed=_)", WRONG, "TypeError"),
    *each(f"Game.from_round({START}, rules=_, seed=1)", NO_RULES, "TypeError"),
    *each(f"Game.from_round({START}, rules=_, seed=1)", ["TACTIC", "LOGIC", "PROFESSIONAL"], "NimmtError"),
    (f"Game.from_round({START}, rules=Rules(rounds=1), round=2)", "NimmtError"),
    (f"Game.from_round({START}, [1, 0], seed=1)", "NimmtError"),
    (f"Game.from_round(Round.from_rows({ROWS}, 2), seed=1)", "NimmtError"),
    ("Game.from_round(Round.draft(2), seed=1, rules=TACTIC)", "NimmtError"),
    ("Game.from_round(Round.draft(2), seed=1, rules=Rules(deck='tactic', draft=True, first_picker=1))", "NimmtError"),
]

BYTES: Calls = [
    *each("Game.load(_)", ["None", "'6n'", "[1, 2]", "7", "memoryview(Game(2, 1).save())", "Game(2, 1)"], "TypeError"),
    *each("Game.load(_)", ["b''", "b'6n'", "bytearray(b'6n')", "bytes(400)", "b'6n' * 200"], "BadRecord"),
    *each("Game.load(Game(2, 1).save(), _)", ["'ab'", "5.0", "[1, 2]", "{'a': 1}", "['a', None]"], "TypeError"),
    *each("Game.load(Game(2, 1).save(), _)", ["[]", "['a']", "['a', 'b', 'c']", "['a', '']"], "NimmtError"),
    *each("replay(_)", ["None", "b'nimmt record 1'", "7", "['nimmt record 1']", "Game(2, 1)"], "TypeError"),
    *each("replay(_)", ["''", "' '", "'\\n'", "'nimmt record 1'", "'nimmt record 2'", "'\\ud800'"], "BadRecord"),
    *each("Stream(_)", WRONG_OR_NONE, "TypeError"),
    *each("Stream(_)", ["-1", "2**64"], "NimmtError"),
    *each("Stream(1, _)", ["-1", "2**64"], "NimmtError"),
    *each("Stream(1, 1, _)", ["-1", "2**32"], "NimmtError"),
]

SPECTATOR = "Game(2, 1).view()"
BOTS: Calls = [
    *each("bots.Policy(_)", ["None", "1", "b'random'", "['random']"], "TypeError"),
    *each("bots.Policy(_)", ["'clever'", "''", "'Random'"], "NimmtError"),
    *each("bots.Policy('random', _)", WRONG_OR_NONE, "TypeError"),
    *each("bots.Policy('random', _)", ["-1", "2**64", "2**100"], "NimmtError"),
    *each("bots.Policy('random', 1, _)", ["None", "1", "True", "['random']"], "TypeError"),
    *each("bots.Policy('random', 1, _)", ["''", "'never'"], "NimmtError"),
    *each("bots.Policy('_').take(Game(2, 1).view(0))", ["random", "lowest", "highest", "nearest"], "NimmtError"),
    *each("bots.Policy('_').choose(Game(2, 1).view())", ["random", "lowest", "highest", "nearest"], "NimmtError"),
    *each("bots.Policy('_').choose(Game(2, 1, LOGIC).view(0))", ["random", "lowest", "nearest"], "NimmtError"),
    *each("bots.Policy('_').pick(Game(2, 1).view(0))", ["random", "lowest", "highest", "nearest"], "NimmtError"),
    *each(
        "arena.play_game(_, 1)", ["'random'", "None", "2", "[1, 2]", "{'random': 1}", "[None, 'random']"], "TypeError"
    ),
    *each("arena.play_game(_, 1)", ["[]", "['random']", "['random'] * 11", "['clever', 'random']"], "NimmtError"),
    *each("arena.play_game(['random'] * 2, _)", WRONG, "TypeError"),
    *each("arena.play_game(['random'] * 2, 1, _)", NO_RULES, "TypeError"),
    *each("arena.play_match(['random'] * 2, _, 1)", WRONG_OR_NONE, "TypeError"),
    *each("arena.play_match(['random'] * 2, _, 1)", ["0", "-1"], "NimmtError"),
    *each("arena.play_match(['random'] * 2, 1, 1, first=_)", WRONG_OR_NONE, "TypeError"),
    *each("arena.play_match(['random'] * 2, 1, 1, first=_)", ["-1", "2**64"], "NimmtError"),
    *each("arena.play_match(_, 1, 1)", ["'random'", "None", "[1, 2]"], "TypeError"),
    *each("arena.play_match(_, 1, 1)", ["[]", "['random']", "['random'] * 11"], "NimmtError"),
]

FIELDS = ("players", "rules", "turn", "rows", "owed", "lying", "has_chosen", "heads", "seen", "hands")

SAMPLE: Calls = [
    *each("sample(_, Stream(1))", [*WRONG_OR_NONE, "Game(4, 7)", "Round.deal(4, Stream(7))"], "TypeError"),
    *each("sample(Game(4, 7).view(0), _)", [*WRONG_OR_NONE, "7"], "TypeError"),
    *[(f"sample(Game(4, 7).view(0)._replace({field}='no'), Stream(1))", "NimmtError") for field in FIELDS],
    *[(f"sample(Game(4, 7).view(0)._replace({field}=(1, 2, 300, -1)), Stream(1))", "NimmtError") for field in FIELDS],
    *each("sample(Game(4, 7).view(0)._replace(seat=_), Stream(1))", ["4", "1", "'0'", "2**70"], "NimmtError"),
    ("sample(Game(4, 7, LOGIC).view(0), Stream(1))", "WrongPhase"),
    ("sample(Game(4, 7).view(0))", "TypeError"),
]

TABLES: dict[str, Calls] = {
    "sample": SAMPLE,
    "bull_heads": HEADS,
    "Rules": RULES,
    "Game": NEW,
    "resolve": RESOLVE,
    "positions": POSITIONS,
    "from_round": FROM_ROUND,
    "bytes": BYTES,
    "bots": BOTS,
}


@pytest.mark.parametrize("table", TABLES)
def test_calls(table: str, nimmt: ModuleType) -> None:
    wrong = failures(nimmt, TABLES[table])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("table", TABLES)
def test_calls_fail_alike(table: str, trees: tuple[Tree, Tree]) -> None:
    found = []
    for tree in trees:
        with tree as nimmt:
            found.append([(call, outcome(nimmt, call)) for call, _ in TABLES[table]])
    different = [f"{c} {python}" for c, python in zip(*found, strict=True) if c != python]
    assert not different, "\n".join(different)


# Calls in every phase


WITHOUT_SEAT = ["-1", "4", "10", "2**40", "-2**40", "2**100", "256", "np.int64(4)"]
WITHOUT_CARD = ["0", "-1", "105", "255", "256", "258", "2**40", "2**100", "-2**40", "np.int64(105)"]
WITHOUT_ROW = ["-1", "4", "5", "255", "256", "2**32", "2**40", "-2**40", "2**100"]


def verbs(seat: int, card: int, row: int) -> Calls:
    """What is wrong in every phase: types, seats, cards that do not exist."""
    return [
        *each(f"g.choose(_, {card})", WRONG_OR_NONE, "TypeError"),
        *each(f"g.choose({seat}, _)", WRONG_OR_NONE, "TypeError"),
        *each(f"g.choose(_, {card})", WITHOUT_SEAT, "IllegalMove"),
        *each(f"g.choose({seat}, _)", WITHOUT_CARD, "IllegalMove"),
        *each("g.withdraw(_)", WRONG_OR_NONE, "TypeError"),
        *each("g.withdraw(_)", WITHOUT_SEAT, "IllegalMove"),
        *each(f"g.take(_, {row})", WRONG_OR_NONE, "TypeError"),
        *each(f"g.take({seat}, _)", WRONG_OR_NONE, "TypeError"),
        *each(f"g.take(_, {row})", WITHOUT_SEAT, "IllegalMove"),
        *each(f"g.pick(_, {card})", WRONG_OR_NONE, "TypeError"),
        *each(f"g.pick({seat}, _)", WRONG_OR_NONE, "TypeError"),
        *each(f"g.pick(_, {card})", WITHOUT_SEAT, "IllegalMove"),
        *each(f"g.pick({seat}, _)", WITHOUT_CARD, "IllegalMove"),
        *each("g.play(_)", PLAYS, "TypeError"),
        *each("g.play((1, 2, 3, _))", WRONG_OR_NONE, "TypeError"),
        *each("g.play({0: 1, 2: 3, 3: 4, _: 2})", ["'1'", "1.0", "True", "None", "np.float64(1)"], "TypeError"),
        *each("g.play((1, 2, 3, _))", WITHOUT_CARD, "IllegalMove"),
        *each("g.play({0: 1, 1: 2, 2: 3, 3: 4, _: 5})", WITHOUT_SEAT, "IllegalMove"),
        *each("g.play(_)", ["()", "{}", "(1, 2, 3)", "{1: 2, 2: 3, 3: 4}", "(1, 2, 3, 4, 5)"], "IllegalMove"),
        *each("g.hand(_)", WRONG_OR_NONE, "TypeError"),
        *each("g.hand(_)", WITHOUT_SEAT, "IllegalMove"),
        *each("g.held(_)", WRONG_OR_NONE, "TypeError"),
        *each("g.held(_)", WITHOUT_SEAT, "IllegalMove"),
        *each("g.chosen(_)", WRONG_OR_NONE, "TypeError"),
        *each("g.chosen(_)", WITHOUT_SEAT, "IllegalMove"),
        *each("g.legal(_)", WRONG_OR_NONE, "TypeError"),
        *each("g.legal(_)", WITHOUT_SEAT, "IllegalMove"),
        ("g.choose()", "TypeError"),
        (f"g.choose({seat})", "TypeError"),
    ]


GAME: Calls = [
    *each("g.view(_)", WRONG, "TypeError"),
    *each("g.view(_)", WITHOUT_SEAT, "IllegalMove"),
    ("g.deal(1)", "TypeError"),
    ("hash(g)", "TypeError"),
]
NOT_CHOOSE: Calls = [
    ("g.choose(0, 5)", "WrongPhase"),
    ("g.withdraw(0)", "WrongPhase"),
    ("g.play((1, 2, 3, 4))", "WrongPhase"),
]
NOT_TAKE: Calls = [("g.take(0, 0)", "WrongPhase"), ("g.take(3, 3)", "WrongPhase"), ("g.cheapest()", "WrongPhase")]
NOT_DRAFT: Calls = [("g.pick(0, 5)", "WrongPhase"), ("g.pick(3, 104)", "WrongPhase")]
NOT_SCORED: Calls = [("g.deal()", "WrongPhase"), ("g.join()", "WrongPhase"), ("g.join('Eve')", "WrongPhase")]

# Game(4, seed=7): seat 0 has 2 3 8 ..., seat 1 17 21 ..., seat 2 28 33 ..., seat 3 13 23 ...; the rows are 72 29 82 9.
CHOOSE: Calls = [
    *each("g.choose(0, _)", ["17", "72", "1", "104", "np.int64(17)", "Index(17)"], "IllegalMove"),
    *each("g.play(_)", ["(2, 17, 28, 28)", "(2, 2, 28, 13)", "(17, 2, 28, 13)", "(2, 17, 28, 72)"], "IllegalMove"),
    *each("g.play(_)", ["(2, 17, 28, 1)", "{3: 13, 2: 28, 1: 17, 0: 17}", "(2, 17, 28, 13, 14)"], "IllegalMove"),
    *each("g.withdraw(_)", ["3"], "IllegalMove"),
]
TAKE: Calls = [
    *each("g.take(0, _)", WITHOUT_ROW, "IllegalMove"),
    *each("g.take(_, 0)", ["1", "2", "3"], "IllegalMove"),
    *each("g.take(1, _)", ["-1", "4", "2**40"], "IllegalMove"),
]


def any_policy(card: int) -> Calls:
    return [
        *each(
            "g.playout(_, Stream(1))",
            ["None", "1", "'0000'", "{0: 0}", "(0, 0, 0, None)", "(0, 0, 0, '0')"],
            "TypeError",
        ),
        *each(
            "g.playout(_, Stream(1))",
            ["()", "(0,)", "(0,) * 5", "(0, 0, 0, -1)", "(0, 0, 0, 5)", "(0, 0, 0, 2**40)"],
            "NimmtError",
        ),
        *each("g.playout((0, 0, 0, 0), _)", ["None", "1", "'x'", "object()", "b'x' * 16"], "TypeError"),
    ]


MOVES: dict[str, Calls] = {
    "choose": [*verbs(0, 2, 0), *GAME, *CHOOSE, *NOT_TAKE, *NOT_DRAFT, *NOT_SCORED, ("g.withdraw(0)", "IllegalMove")],
    "chosen": [*verbs(0, 3, 0), *GAME, *CHOOSE, *NOT_TAKE, *NOT_DRAFT, *NOT_SCORED, ("g.choose(0, 2)", "IllegalMove")],
    "take": [*verbs(0, 3, 0), *GAME, *TAKE, *NOT_CHOOSE, *NOT_DRAFT, *NOT_SCORED],
    "tie": [
        *each("g.take(0, _)", ["2", "3", *WITHOUT_ROW], "IllegalMove"),
        *each("g.take(_, 0)", ["1", "2", "3", "-1"], "IllegalMove"),
        ("g.choose(0, 60)", "WrongPhase"),
        ("g.play((60, 98, 100))", "WrongPhase"),
        *NOT_SCORED,
    ],
    "scored": [
        *verbs(0, 3, 0),
        *GAME,
        *NOT_CHOOSE,
        *NOT_TAKE,
        *NOT_DRAFT,
        *each("g.join(_)", ["'Eve'", "''"], "NimmtError"),
        *each("g.join(_)", ["1", "b'Eve'", "['Eve']", "True"], "TypeError"),
    ],
    "over": [*verbs(0, 3, 0), *GAME, *NOT_CHOOSE, *NOT_TAKE, *NOT_DRAFT, *NOT_SCORED],
    "draft": [
        *verbs(1, 3, 0),
        *GAME,
        *NOT_CHOOSE,
        *NOT_TAKE,
        *NOT_SCORED,
        *each("g.pick(_, 5)", ["0", "2", "3"], "IllegalMove"),
        *each("g.pick(1, _)", ["20", "30", "40", "45", "104", "np.int64(20)"], "IllegalMove"),
    ],
    "round": [*verbs(0, 3, 0), *CHOOSE, *NOT_TAKE, *NOT_DRAFT, *any_policy(0), ("hash(g)", "TypeError")],
    "unknown": [
        *verbs(1, 71, 0),
        *each("g.choose(1, _)", ["12", "58", "14", "61", "70"], "IllegalMove"),
        *each("g.play(_)", ["(1, 2, 3, 3)", "(1, 2, 3, 12)", "(1, 2, 3, 61)"], "IllegalMove"),
        ("g.choose(0, 70)", "IllegalMove"),
        ("g.withdraw(1)", "IllegalMove"),
        *NOT_TAKE,
        *NOT_DRAFT,
        ("g.playout((0, 0, 0, 0), Stream(1))", "NimmtError"),
    ],
    "draft round": [
        *verbs(1, 3, 0),
        *NOT_CHOOSE,
        *NOT_TAKE,
        *each("g.pick(_, 5)", ["0", "2", "3"], "IllegalMove"),
        *each("g.pick(1, _)", ["20", "30", "40", "45", "104"], "IllegalMove"),
        ("g.playout((0, 0, 0, 0), Stream(1))", "WrongPhase"),
    ],
}


def bytes_of(one: Any) -> bytes:
    return bytes(one.save() if hasattr(one, "save") else one.to_bytes())


def play_on(one: Any) -> str:
    """Make legal moves to the end of the round and into the next one; return all that happened."""
    rng, events = random.Random(5), []
    while one.phase not in ("scored", "over"):
        events += step(one, rng)
    if hasattr(one, "save") and one.phase == "scored":
        events += one.deal()
        events += step(one, rng)
    return f"{events} {bytes_of(one).hex()}"


@pytest.mark.parametrize("scene", MOVES)
def test_moves(scene: str, nimmt: ModuleType) -> None:
    make, calls = SCENES[scene], MOVES[scene]
    one, wrong = make(nimmt), []
    before, lines = bytes_of(one), one.record() if hasattr(one, "record") else ""
    for call in calls:
        wrong += failures(nimmt, [call], g=one)
        if bytes_of(one) != before:
            wrong.append(f"{call[0]} changed the state")
            one = make(nimmt)
    assert not wrong, "\n".join(wrong)
    assert not lines or one.record() == lines
    assert play_on(one) == play_on(make(nimmt))


@pytest.mark.parametrize("scene", MOVES)
def test_moves_fail_alike(scene: str, trees: tuple[Tree, Tree]) -> None:
    make, calls = SCENES[scene], MOVES[scene]
    found = []
    for tree in trees:
        with tree as nimmt:
            one = make(nimmt)
            found.append([(call, outcome(nimmt, call, g=one)) for call, _ in calls])
    different = [f"{c} {python}" for c, python in zip(*found, strict=True) if c != python]
    assert not different, "\n".join(different)


def test_no_method_is_forgotten(nimmt: ModuleType) -> None:
    """Every public method with arguments is in the tables above, or has none that could be wrong."""
    harmless = {"copy", "save", "record", "to_bytes"}
    text = " ".join(call for calls in TABLES.values() for call, _ in calls)
    text += " ".join(call for calls in MOVES.values() for call, _ in calls)
    for cls, name in ((nimmt.Game, "Game"), (nimmt.Round, "Round")):
        for method in dir(cls):
            if not method.startswith("_") and callable(getattr(cls, method)) and method not in harmless:
                assert f"g.{method}(" in text or f"{name}.{method}(" in text, method
    for function in nimmt.__all__:
        if callable(getattr(nimmt, function)) and not issubclass(type(getattr(nimmt, function)), type):
            assert f"{function}(" in text, function
    for cls in ("Game", "Round", "Rules", "Stream"):
        assert f"{cls}(" in text


def test_messages_name_seat_card_and_rule(nimmt: ModuleType) -> None:
    for scene, call, words in (
        ("choose", "g.choose(1, 2)", ("seat 1", "card 2", "R4")),
        ("choose", "g.choose(1, 105)", ("seat 1", "card 105", "R1")),
        ("choose", "g.play((2, 17, 28))", ("seat 3", "R4")),
        ("choose", "g.play((2, 2, 28, 13))", ("seat 1", "card 2", "R1")),
        ("choose", "g.choose(9, 2)", ("seat 9",)),
        ("chosen", "g.choose(0, 2)", ("seat 0", "card 2")),
        ("take", "g.take(0, 4)", ("seat 0", "row 4", "card 2", "R7")),
        ("take", "g.take(1, 0)", ("seat 1", "seat 0")),
        ("take", "g.choose(1, 21)", ("seat 1", "seat 0", "R7")),
        ("tie", "g.take(0, 2)", ("seat 0", "row 2", "card 50", "P4", "0 or 1")),
        ("draft", "g.pick(1, 20)", ("seat 1", "card 20", "V2")),
        ("draft", "g.pick(1, 45)", ("card 45", "V1")),
        ("draft", "g.choose(1, 5)", ("seat 1", "V2")),
        ("over", "g.deal()", ("over", "R9")),
        ("unknown", "g.choose(1, 12)", ("seat 1", "card 12", "R1")),
    ):
        _, message = outcome(nimmt, call, g=SCENES[scene](nimmt))
        assert [word for word in words if word not in message] == [], message


# What is accepted


def test_integers_of_every_kind(nimmt: ModuleType) -> None:
    """Numpy's integers, an IntEnum, anything with __index__: as the plain number; plain ints come back."""
    kinds: list[Any] = [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, np.intp, Index]
    expected = play_on(SCENES["take"](nimmt))
    for kind in kinds:
        game = nimmt.Game(kind(4), seed=kind(7), game=kind(0), rules=nimmt.Rules(limit=kind(66)))
        for seat, card in enumerate((2, 17, 28, 13)):
            events = game.choose(kind(seat), kind(card))
        assert game.view(kind(0)) == game.view(0)
        assert (game.hand(kind(0)), game.legal(kind(0)), game.chosen(kind(0))) == (game.hand(0), (0, 1, 2, 3), 2)
        plain([events, game.view(kind(0)), game.players, game.seed, game.game, game.rules.limit])
        other = nimmt.Game(4, seed=7)
        assert other.play({kind(3): kind(13), kind(1): kind(17), kind(0): kind(2), kind(2): kind(28)}) == events[1:]
        assert play_on(other) == expected
        row = kind(1)
        plain(game.take(kind(0), row))
        assert game.record() == again(nimmt, game.record()).record()
        assert nimmt.bull_heads(kind(55)) == 7
        turn = nimmt.resolve([[kind(12)], [37], [43], [58]], {kind(0): kind(5)}, {kind(0): kind(1)})
        assert turn == nimmt.resolve([[12], [37], [43], [58]], {0: 5}, {0: 1})
        plain(turn)
    assert nimmt.bull_heads(Two.TWO) == 1
    assert nimmt.Game(Two.TWO, seed=1) == nimmt.Game(2, seed=1)
    plain(nimmt.Game(Two.TWO, Two.TWO, game=Two.TWO).save())


def again(nimmt: ModuleType, text: str) -> Any:
    return nimmt.replay(text)


def plain(value: Any) -> None:
    """All numbers in events, views and turns are plain ints."""
    if isinstance(value, (list, tuple)):
        for item in value:
            plain(item)
    elif isinstance(value, dict):
        plain([*value, *value.values()])
    else:
        assert type(value) in (int, str, bool, bytes, type(None)) or type(value).__name__ == "Rules", type(value)


def test_sequences_of_every_kind(nimmt: ModuleType) -> None:
    """Cards and rows from lists, tuples, numpy arrays, bytes, generators; a dict in any order."""
    expected = nimmt.Game(4, seed=7).play((2, 17, 28, 13))
    cards = {0: 2, 1: 17, 2: 28, 3: 13}
    for given in (
        [2, 17, 28, 13],
        np.array([2, 17, 28, 13]),
        np.array([2, 17, 28, 13], dtype=np.uint8),
        bytes([2, 17, 28, 13]),
        (card for card in (2, 17, 28, 13)),
        cards,
        dict(reversed(cards.items())),
        {seat: cards[seat] for seat in (2, 0, 3, 1)},
        {np.int64(seat): np.int64(card) for seat, card in cards.items()},
    ):
        assert nimmt.Game(4, seed=7).play(given) == expected
    turn = nimmt.resolve(((12,), (37,), (43,), (58,)), (14, 15, 44, 61))
    for rows in (np.array([[12], [37], [43], [58]]), (iter(row) for row in ([12], [37], [43], [58]))):
        assert nimmt.resolve(rows, [14, 15, 44, 61]) == turn
    assert nimmt.resolve([[12], [37], [43], [58]], {3: 61, 0: 14, 2: 44, 1: 15}) == turn


def test_numbers_too_long_to_print(nimmt: ModuleType) -> None:
    """Python refuses to print integers of more than 4,300 digits: the refusal is still ours."""
    for number in (10**5000, -(10**5000)):
        game = nimmt.Game(2, 1)
        before = game.save()
        calls: tuple[Callable[[int], Any], ...] = (
            lambda n: nimmt.Game(n),
            lambda n: nimmt.Game(2, seed=n),
            lambda n: nimmt.Game(2, 1, game=n),
            lambda n: nimmt.Rules(limit=n),
            lambda n: nimmt.bull_heads(n),
            lambda n: nimmt.resolve([[1], [2], [3], [n]], [4]),
            lambda n: nimmt.resolve([[1], [2], [3], [4]], {n: 5}),
            lambda n: game.choose(0, n),  # noqa: B023 - called at once
            lambda n: game.choose(n, 5),  # noqa: B023
            lambda n: game.play([n, 1]),  # noqa: B023
            lambda n: game.view(n),  # noqa: B023
            lambda n: nimmt.Stream(1).below(n),
        )
        for call in calls:
            with pytest.raises(nimmt.NimmtError):
                call(number)
        assert game.save() == before


def test_below_needs_a_size(nimmt: ModuleType) -> None:
    stream = nimmt.Stream(1)
    state = bytes(stream.state)
    for wrong in (0, -1, 65536, 2**40):
        with pytest.raises(nimmt.NimmtError, match="1..65535"):
            stream.below(wrong)
    for odd in (1.5, True, "3", None):
        with pytest.raises(TypeError):
            stream.below(odd)
    assert bytes(stream.state) == state
    assert stream.below(1) == 0
