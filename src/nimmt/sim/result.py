"""What a simulation gives: scores and rounds of each game, or only exact sums, and what it takes to repeat it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .._version import __version__
from ..errors import NimmtError
from ..files import Path, whole_file
from ..rules import Rules
from ..stream import STREAM_VERSION
from .arrays import little, table
from .plan import Plan
from .plot import draw
from .summary import Seat, Summary, summarise
from .tally import Tally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The columns of a line a seat: the fields of Seat but the histograms.
SEAT_COLUMNS = Seat._fields.index("heads_histogram")

Kept = bytearray | memoryview  # scores or rounds as bytes


class Result:
    """What `simulate` returns: the games first .. first + games - 1 of a seed. Immutable.

    `result + result` merges two results of the same policies, rules and seed whose ranges are neighbours, in either
    order; it equals the result of one run over both, and keeps the scores if both do. Others raise NimmtError.
    sum(results) works. Results are equal if policies, rules, seed, range, `keep`, sums and scores are. They pickle and
    copy.
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
        """How the policy "random" takes rows that it owes (R7): "cheapest" or "random"."""
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
        """The number of the first game, 0..2**64-1."""
        return self._first

    @property
    def games(self) -> int:
        """How many games there are, 0 or more."""
        return self._tally.games

    @property
    def backend(self) -> str:
        """Who played: "c", "python", or "c and python" where workers differ."""
        return self._backend

    @property
    def version(self) -> str:
        """The version of the package that played."""
        return self._version

    @property
    def stream_version(self) -> int:
        """The version of the random streams: with the same one, the same seed gives the same games."""
        return STREAM_VERSION

    @property
    def keep(self) -> str:
        """What is kept: "all" with scores and rounds of each game, else "summary"."""
        return "summary" if self._scores is None else "all"

    @property
    def tally(self) -> tuple[int, ...]:
        """The exact sums, in the order of nimmt_tally in csrc/nimmt_simulate.h."""
        return tuple(self._tally.words)

    @property
    def scores(self) -> memoryview:
        """The scores at the end of each game (R9), in bull heads, uint16: [game, seat], read-only.

        numpy.asarray(result.scores) is an array and copies nothing. Raises NimmtError with keep="summary".
        """
        return table(self._kept(self._scores), "H", (self.games, self.players))

    @property
    def rounds(self) -> memoryview:
        """The number of rounds of each game, uint32: [game], read-only. Raises NimmtError with keep="summary"."""
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
            raise NimmtError("results merge if policies, take, rules and seed are the same, and these differ")
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
        """Return the result itself for 0 + result, with which sum() begins."""
        return self if other == 0 and isinstance(other, int) else NotImplemented

    # Out

    def to_dict(self) -> dict[str, Any]:
        """Return all but scores and rounds of single games as a dict for JSON, of lists, numbers and text.

        It has what it takes to repeat the run, the fields of Summary, and those of Seat in a list. Integers are exact.
        """
        summary = self.summary()._asdict()
        seats = summary.pop("seats")
        return {
            "nimmt": self.version,
            "stream_version": self.stream_version,
            "backend": self.backend,
            "seed": self.seed,
            "first": self.first,
            "rules": repr(self.rules),
            "policies": list(self.policies),
            "take": self.take,
            **with_lists(summary),
            "seats": [with_lists(seat._asdict()) for seat in seats],
        }

    def to_json(self, path: Path) -> None:
        """Write to_dict() to a file, which appears whole or not at all. Raises OSError."""
        with whole_file(path) as file:
            file.write(json.dumps(self.to_dict(), indent=1).encode() + b"\n")

    def to_csv(self, path: Path) -> None:
        """Write a table with a head line to a file, which appears whole or not at all. Raises OSError.

        With keep="all" it has one line a game: game, rounds, score_0, score_1, ...; with keep="summary" one line a
        seat, with the fields of Seat without the histograms.
        """
        with whole_file(path) as file:
            file.writelines(self._games() if self.keep == "all" else self._seats())

    def _games(self) -> Iterator[bytes]:
        """Yield the lines of a table of games."""
        scores, rounds, n = self.scores, self.rounds, self.players
        yield ",".join(["game", "rounds", *(f"score_{seat}" for seat in range(n))]).encode() + b"\n"
        line, flat = b"%d," * (n + 1) + b"%d\n", scores.cast("B").cast("H") if self.games else scores
        for i in range(self.games):
            yield line % (self.first + i, rounds[i], *flat[i * n : (i + 1) * n])

    def _seats(self) -> Iterator[bytes]:
        """Yield the lines of a table of seats."""
        seats = self.summary().seats
        yield ",".join(Seat._fields[:SEAT_COLUMNS]).encode() + b"\n"
        for seat in seats:
            yield ",".join("" if cell is None else str(cell) for cell in seat[:SEAT_COLUMNS]).encode() + b"\n"

    def plot(self, path: Path | None = None) -> Figure:
        """Draw the heads of a round by policy, and the shares of wins by seat with their standard errors.

        Returns a matplotlib figure, and with `path` also writes it to a file as a PNG, whole or not at all. Uses no
        display. Raises ImportError, which says what to install, without matplotlib, and OSError.
        """
        rules = repr(self.rules).removeprefix("Rules(").removesuffix(")") or "base game"
        take = ", random takes random rows" if self.take == "random" else ""
        figure = draw(self.summary(), f"seed {self.seed} ({rules}{take})")
        if path is not None:
            with whole_file(path) as file:
                figure.savefig(file, format="png")
        return figure

    # Values

    def digest(self) -> str:
        """Return 64 hexadecimal digits, the same for equal results, whatever threads, workers or backend made them."""
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


def with_lists(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with lists in place of tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}
