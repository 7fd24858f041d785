"""Rounds that add up to a game: phase, scores, ranks, winners (R8..R10). For Game and Referee."""

from . import _pycore as c
from .errors import NimmtError
from .events import Event, GameOver, RoundOver
from .layout import PHASES
from .moves import Moves
from .rules import Rules, ranks

TYPE_CHECKING = False  # MicroPython has no typing


class Scored(Moves):
    """A game at a table; the bytes are those of the round that is played, or that was the last."""

    __slots__ = ("rules", "names", "round", "scores")
    rules: Rules
    names: "tuple[str, ...] | None"
    round: int
    scores: "tuple[int, ...]"

    @property
    def players(self) -> int:
        """The number of players, with those who have joined for the next round."""
        return len(self.scores)

    @property
    def phase(self) -> str:
        """What is next: "draft", "choose", "take", "scored" (then deal()), or "over"."""
        phase = self._state[c.PHASE]
        return "over" if phase == c.OVER and self.rules.is_over(self.scores, self.round) else PHASES[phase]

    @property
    def is_over(self) -> bool:
        """Is the game over? (R9)"""
        return self.phase == "over"

    @property
    def ranks(self) -> "tuple[int, ...]":
        """Ranks by seat of the scores so far: fewest heads first, ties share, 1-1-3 (R10)."""
        return ranks(self.scores)

    @property
    def winners(self) -> "tuple[int, ...]":
        """The seats that won, or () as long as the game goes on (R10)."""
        return tuple([seat for seat, rank in enumerate(self.ranks) if rank == 1]) if self.is_over else ()

    def _between(self, what: str) -> None:
        if self.phase != "scored":
            from .refuse import refuse_between

            refuse_between(self, what)

    def _next(self) -> int:
        """Return the number of the next round; the core's streams know no more than 2**32-1."""
        if self.round == 0xFFFFFFFF:
            raise NimmtError("there are no more than 2**32-1 rounds in a game")
        return self.round + 1

    def _scored(self, events: "list[Event]") -> "list[Event]":
        """Score the round if these events ended it (R8, R9)."""
        if events and self._state[c.PHASE] == c.OVER:
            heads = self.heads
            self.scores = tuple([score + taken for score, taken in zip(self.scores, heads)])
            events.append(RoundOver(heads, self.scores))
            if self.is_over:
                events.append(GameOver(self.scores, self.ranks, self.winners))
        return events

    if TYPE_CHECKING:

        def save(self) -> bytes: ...

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scored) and self.save() == other.save()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name, at = type(self).__name__, f"round {self.round}, turn {self.turn}, {self.phase}"
        return f"<{name} of {self.players}: {at}, scores {self.scores}>"
