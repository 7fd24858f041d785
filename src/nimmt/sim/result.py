"""What a simulation gives: scores and rounds of each game, or only exact sums, and what it takes to repeat it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import NimmtError
from ..stream import STREAM_VERSION
from .buffers import little, table
from .export import as_dict, write_games, write_seats
from .files import Path, whole_file
from .plan import Plan
from .summary import Summary, summarise
from .tally import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..rules import Rules


Kept = bytearray | memoryview  # scores or rounds as bytes


class Result:
    """The games first .. first + games - 1 of a plan under a seed; what `simulate` returns. Immutable.

    `result + result` merges two results of neighbouring ranges, in either order; it equals the result of one run over
    both. It keeps the scores if both do. sum(results) works. Results are equal if plan, seed, range, `keep`, sums and
    scores are. They pickle and copy.
    """

    __slots__ = ("_plan", "_seed", "_first", "_tally", "_scores", "_rounds", "_backend", "_version")

    def __init__(
        self,
        plan: Plan,
        seed: int,
        first: int,
        tally: Tally,
        scores: Kept | None,
        rounds: Kept | None,
        backend: str,
        version: str = __version__,
    ) -> None:
        """Take over what was played; `simulate` makes results."""
        self._plan, self._seed, self._first, self._tally = plan, seed, first, tally
        self._scores, self._rounds, self._backend, self._version = scores, rounds, backend, version

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies by seat."""
        return self._plan.policies

    @property
    def players(self) -> int:
        """The number of players, 2..10."""
        return self._plan.players

    @property
    def take(self) -> str:
        """ "cheapest" or "random": how the policy "random" takes rows."""
        return self._plan.take

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self._plan.rules

    @property
    def seed(self) -> int:
        """The seed, 0..2**64-1."""
        return self._seed

    @property
    def first(self) -> int:
        """The number of the first game."""
        return self._first

    @property
    def games(self) -> int:
        """How many games."""
        return self._tally.games

    @property
    def backend(self) -> str:
        """ "c", "python", or "c and python" where workers differ."""
        return self._backend

    @property
    def version(self) -> str:
        """The version of the package that played."""
        return self._version

    @property
    def stream_version(self) -> int:
        """The version of the random streams: same seed, same game."""
        return STREAM_VERSION

    @property
    def keep(self) -> str:
        """ "all" if scores and rounds of each game are there, else "summary"."""
        return "summary" if self._scores is None else "all"

    @property
    def tally(self) -> tuple[int, ...]:
        """The exact sums, in the order of nimmt_tally in csrc/nimmt_simulate.h."""
        return tuple(self._tally.words)

    @property
    def scores(self) -> memoryview:
        """The scores, uint16, games × seats, read-only: numpy.asarray takes them without a copy.

        Raises NimmtError with keep="summary".
        """
        return table(self._kept(self._scores), "H", (self.games, self.players))

    @property
    def rounds(self) -> memoryview:
        """The number of rounds of each game, uint32, read-only. Raises NimmtError with keep="summary"."""
        return table(self._kept(self._rounds), "I", (self.games,))

    def _kept(self, buffer: Kept | None) -> Kept:
        if buffer is None:
            raise NimmtError('scores and rounds of single games were not kept: simulate(..., keep="all")')
        return buffer

    def summary(self) -> Summary:
        """Return means, shares and standard errors by seat: see Summary and Seat."""
        return summarise(self._plan, self._tally)

    # Merging

    def __add__(self, other: Result) -> Result:
        if not isinstance(other, Result):
            return NotImplemented
        if (self._plan, self._seed) != (other._plan, other._seed):
            raise NimmtError("results of different plans or seeds do not merge")
        if other.first + other.games == self.first and other.first != self.first:
            self, other = other, self
        if self.first + self.games != other.first:
            ranges = " and ".join(f"{part.first}..{part.first + part.games - 1}" for part in (self, other))
            raise NimmtError(f"results merge if their ranges of games are neighbours, not {ranges}")
        tally, scores, rounds = Tally(self._tally.words), None, None
        tally.merge(other._tally.words)
        if self._scores is not None and other._scores is not None:
            scores = bytearray(self._scores) + other._scores
            rounds = bytearray(self._kept(self._rounds)) + other._kept(other._rounds)
        backend = " and ".join(sorted({*self._backend.split(" and "), *other._backend.split(" and ")}))
        return Result(self._plan, self._seed, self._first, tally, scores, rounds, backend, self._version)

    def __radd__(self, other: object) -> Result:
        """sum() begins with 0."""
        return self if other == 0 and isinstance(other, int) else NotImplemented

    # Out

    def to_dict(self) -> dict[str, Any]:
        """Return all but the scores of single games as dicts, lists, numbers and text, for JSON; integers are exact."""
        return as_dict(self)

    def to_json(self, path: Path) -> None:
        """Write to_dict() to a file, which appears whole or not at all. Raises OSError."""
        with whole_file(path) as file:
            file.write(json.dumps(as_dict(self), indent=1).encode() + b"\n")

    def to_csv(self, path: Path) -> None:
        """Write a table with a head line to a file, which appears whole or not at all. Raises OSError.

        With keep="all" one line a game: game, rounds, score_0, score_1, ...; with keep="summary" one line a seat, with
        the numbers of Seat but no histograms.
        """
        with whole_file(path) as file:
            if self.keep == "all":
                write_games(self, file)
            else:
                write_seats(self, file)

    def plot(self, path: Path | None = None) -> Figure:
        """Draw the heads of a round by policy, and the shares of wins by seat with their standard errors.

        Returns a matplotlib figure; with `path` also writes it as a PNG. Raises ImportError without matplotlib.
        """
        from .plot import draw

        return draw(self, path)

    # Values

    def digest(self) -> str:
        """Return 64 hexadecimal figures, the same for equal results whatever made them: threads, workers, backend."""
        head = (self._plan.policies, self._plan.take, self._plan.rules, self._seed, self._first, self._tally.words)
        digest = hashlib.sha256(repr(head).encode())
        if self._scores is not None:
            digest.update(little(self._scores, 2))
            digest.update(little(self._kept(self._rounds), 4))
        return digest.hexdigest()

    def __reduce__(self) -> tuple[type[Result], tuple[object, ...]]:
        scores, rounds = (None if kept is None else bytearray(kept) for kept in (self._scores, self._rounds))
        facts = (self._plan, self._seed, self._first, Tally(self._tally.words))
        return Result, (*facts, scores, rounds, self._backend, self._version)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._value() == other._value()

    def _value(self) -> tuple[object, ...]:
        return self._plan, self._seed, self._first, self._tally.words, self._scores, self._rounds

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        end = self.first + self.games - 1
        return f"<Result of games {self.first}..{end}, seed {self.seed}: {', '.join(self.policies)}, {self.rules!r}>"
