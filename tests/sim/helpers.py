"""What the tests of simulations share. Heavy ones run where CI or NIMMT_TEST_HEAVY is set."""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import Any

import pytest

HEAVY = bool(os.environ.get("CI") or os.environ.get("NIMMT_TEST_HEAVY"))

#: The Python backend warns at each simulation; that it does has a test of its own.
slow_is_expected = pytest.mark.filterwarnings("ignore:nimmt simulates on its Python backend:RuntimeWarning")

heavy = pytest.mark.skipif(not HEAVY, reason="takes long: set NIMMT_TEST_HEAVY=1")

#: Two and more policies that need draws, rows and a look at the table.
MIXED = ("random", "nearest", "lowest", "highest")


def mixed(players: int, shift: int = 0) -> list[str]:
    """Return policies for so many seats, all four if there is room."""
    return [MIXED[(seat + shift) % 4] for seat in range(players)]


def rules_of(nimmt: ModuleType) -> dict[str, Any]:
    """Return rules by name: the variants and options that change how cards are placed or when a game ends."""
    return {
        "base": nimmt.BASE,
        "tactic": nimmt.TACTIC,
        "professional": nimmt.PROFESSIONAL,
        "professional, right": nimmt.Rules(professional=True, tie="right", cheapest="fewest", limit=20),
        "professional, left": nimmt.Rules(professional=True, tie="left", cheapest="most", deck="tactic"),
        "fewest, exceed": nimmt.Rules(cheapest="fewest", end="exceed", limit=40),
        "most, 2 rounds": nimmt.Rules(cheapest="most", rounds=2),
    }


def part(name: str) -> Any:
    """Return a module of the package that is in use now."""
    return importlib.import_module(f"nimmt.{name}")


def plan_of(policies: list[str], rules: Any, take: str = "cheapest") -> Any:
    """Return a checked plan."""
    return part("sim.plan").checked_plan(policies, rules, take)
