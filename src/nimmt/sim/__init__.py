"""Simulations: many games between the built-in policies, and many rounds at once for policies of the caller.

>>> from nimmt.sim import simulate
>>> result = simulate(["random", "nearest"], games=1000, seed=1)
>>> result.scores[0, 0], result.rounds[0]
(0, 0)
"""

from .batch import Batch
from .refusals import IllegalMoves
from .result import Result
from .run import ExecutorFailed, Interrupted, simulate
from .summary import Seat, Summary

__all__ = ["Batch", "ExecutorFailed", "IllegalMoves", "Interrupted", "Result", "Seat", "Summary", "simulate"]
