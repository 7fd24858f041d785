"""Simulations: many games between the built-in policies, and many rounds at once for policies of the caller.

>>> from nimmt.sim import simulate
>>> result = simulate(["random", "nearest"], games=10, seed=1)
>>> result.scores.tolist()[0], result.rounds[0]
([27, 87], 5)
"""

from .batch import Batch
from .positions import Turns, resolve_many
from .refusals import IllegalMoves
from .result import Result
from .rollouts import Move, Rollouts, rollouts
from .run import ExecutorFailed, Interrupted, simulate
from .summary import Seat, Summary

__all__ = [
    "Batch",
    "ExecutorFailed",
    "IllegalMoves",
    "Interrupted",
    "Move",
    "Result",
    "Rollouts",
    "Seat",
    "Summary",
    "Turns",
    "resolve_many",
    "rollouts",
    "simulate",
]
