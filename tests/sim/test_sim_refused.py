"""What simulate refuses: the class and the words, the same on both backends."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from sim.helpers import part, slow_is_expected

pytestmark = slow_is_expected

FOUR = ("random", "random", "nearest", "lowest")

BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"policies": ["random", "rondom"]}, "NimmtError", "there is no policy 'rondom': policies are random, lowest"),
    ({"policies": ["random", 1]}, "TypeError", "a policy is named by text, not int"),
    ({"policies": ["random"]}, "NimmtError", "2 to 10 can play, not 1 (R1)"),
    ({"policies": ["random"] * 11}, "NimmtError", "2 to 10 can play, not 11 (R1)"),
    ({"policies": "random"}, "TypeError", "policies must be a sequence, not str"),
    ({"policies": 4}, "TypeError", "policies must be a sequence, not int"),
    ({"games": -1}, "NimmtError", "games must be 0 or more, not -1"),
    ({"games": 1.0}, "TypeError", "games must be an integer, not float"),
    ({"games": True}, "TypeError", "games must be an integer, not bool"),
    ({"games": None}, "TypeError", "games must be an integer, not NoneType"),
    ({"seed": -1}, "NimmtError", "seed must be 0..2**64-1, not -1"),
    ({"seed": 2**64}, "NimmtError", "seed must be 0..2**64-1, not 18446744073709551616"),
    ({"seed": "1"}, "TypeError", "seed must be an integer, not str"),
    ({"first": -1}, "NimmtError", "first must be 0..2**64-1, not -1"),
    ({"first": 2**64 - 1, "games": 2}, "NimmtError", "games are numbered 0..2**64-1: 2 games from"),
    ({"games": 2**64 + 1}, "NimmtError", "games are numbered 0..2**64-1"),
    ({"rules": "base"}, "TypeError", "rules must be nimmt.Rules, not str"),
    ({"rules": "LOGIC"}, "NimmtError", "simulate cannot play these rules: the logic draft (V2)"),
    ({"rules": {"limit": 65366}}, "NimmtError", "with a limit of 65366 a score could reach 65536"),
    ({"rules": {"limit": 65365, "end": "exceed"}}, "NimmtError", "a score could reach 65536"),
    ({"rules": {"rounds": 384}}, "NimmtError", "with 384 rounds a score could reach 65664"),
    ({"take": "nearest"}, "NimmtError", "take must be 'cheapest' or 'random', not 'nearest'"),
    ({"take": None}, "TypeError", "take must be 'cheapest' or 'random', not NoneType"),
    ({"keep": "scores"}, "NimmtError", "keep must be 'all' or 'summary', not 'scores'"),
    ({"threads": 0}, "NimmtError", "threads must be 1 or more, not 0"),
    ({"threads": 2.0}, "TypeError", "threads must be an integer, not float"),
    ({"executor": 5}, "TypeError", "an executor must have map, as in concurrent.futures; int does not"),
]


@pytest.mark.parametrize(("change", "kind", "message"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input(nimmt: ModuleType, change: dict[str, Any], kind: str, message: str) -> None:
    arguments: dict[str, Any] = {"policies": FOUR, "games": 1, "seed": 1, **change}
    if arguments.get("rules") == "LOGIC":
        arguments["rules"] = nimmt.LOGIC
    elif isinstance(arguments.get("rules"), dict):
        arguments["rules"] = nimmt.Rules(**arguments["rules"])
    error = TypeError if kind == "TypeError" else nimmt.NimmtError
    with pytest.raises(error) as caught:
        part("sim").simulate(**arguments)
    assert message in str(caught.value)


def test_threads_and_executor(nimmt: ModuleType) -> None:
    with pytest.raises(nimmt.NimmtError, match="not both"):
        part("sim").simulate(FOUR, 1, 1, threads=1, executor=pytest)
