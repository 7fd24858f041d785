"""Rounds that add up to a game: phase, scores, ranks, winners, late joiners (R8..R10, H7). For Game and Referee."""

from .errors import IllegalMove, NimmtError, WrongPhase, listed
from .events import Event, GameOver, RoundOver
from .round import Round
from .rules import Rules, ranks
from .table import Table, checked_players

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Any  # noqa: F401 - in a type comment


def checked_name(name: object) -> str:
    """Return a name that can stand in a line of text: 1 to 40 characters, no control characters, no spaces around."""
    if not isinstance(name, str):
        raise TypeError(f"a name must be text, not {type(name).__name__}")
    codes = [ord(character) for character in name]
    bad = [n for n in codes if n < 32 or 126 < n < 160 or 0xD7FF < n < 0xE000 or n in (0x2028, 0x2029)]
    if not 1 <= len(name) <= 40 or name != name.strip() or bad:
        raise NimmtError(f"a name has 1 to 40 printable characters, no spaces around, not {repr(name)}")
    return name


def seated(players: object) -> "tuple[int, tuple[str, ...] | None]":
    """Return the number of players 2..10, and their names if a sequence of names was given instead of a number."""
    if isinstance(players, (int, float, bool)) or hasattr(players, "__index__") or players is None:
        return checked_players(players), None
    names = tuple([checked_name(name) for name in listed(players, "players")])
    return checked_players(len(names)), names


class Scored(Table):
    """A game at a table; `_round` is the round that is played, or that was the last."""

    __slots__ = ("rules", "names", "round", "scores", "_round", "_lock")
    rules: Rules
    names: "tuple[str, ...] | None"
    round: int
    scores: "tuple[int, ...]"
    _round: Round
    _lock: "AbstractContextManager[Any]"

    @property
    def _state(self) -> bytearray:  # type: ignore[override]
        return self._round._state

    @property
    def players(self) -> int:
        """The number of players, with those who have joined for the next round."""
        return len(self.scores)

    @property
    def phase(self) -> str:
        """What is next: "draft", "choose", "take", "scored" (then deal()), or "over"."""
        phase = self._round.phase
        return "over" if phase == "scored" and self.rules.is_over(self.scores, self.round) else phase

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

    def join(self, name: "str | None" = None) -> int:
        """Seat one more player between rounds, with the highest score at the table (H7); return the seat.

        The player takes part from the next deal() on. IllegalMove if ten are playing.
        """
        with self._lock:
            self._between("seat a player")
            if self.players == 10:
                raise IllegalMove("the table is full: 2 to 10 can play (R1, H7)")
            new = None if name is None else (checked_name(name),)
            if (new is None) != (self.names is None):
                raise NimmtError("a player who joins needs a name where the others have one, and none elsewhere")
            if new is not None:
                self.names = (self.names or ()) + new
            self.scores += (max(self.scores),)
            return self.players - 1

    def _between(self, what: str) -> None:
        if self.phase != "scored":
            reason = "the game is over (R9)" if self.is_over else f"round {self.round} is not over (R8)"
            raise WrongPhase(f"cannot {what} now: {reason}")

    def _next(self) -> int:
        """Return the number of the next round; the core's streams know no more than 2**32-1."""
        if self.round == 0xFFFFFFFF:
            raise NimmtError("there are no more than 2**32-1 rounds in a game")
        return self.round + 1

    def _scored(self, events: "list[Event]") -> "list[Event]":
        """Score the round if these events ended it (R8, R9)."""
        if events and self._round.phase == "scored":
            heads = self.heads
            self.scores = tuple([score + taken for score, taken in zip(self.scores, heads)])
            events.append(RoundOver(heads, self.scores))
            if self.is_over:
                events.append(GameOver(self.scores, self.ranks, self.winners))
        return events
