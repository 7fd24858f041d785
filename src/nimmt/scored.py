"""Rounds that add up to a game: scores, ranks, winners, who joins (R8..R10, H7)."""

from .args import checked_name
from .core import layout as c
from .errors import IllegalMove, NimmtError, WrongPhase
from .events import Cards, Event, GameOver, RoundOver
from .rules import Rules, ranks
from .state import PHASES
from .table import Table


class Scored(Table):
    """A game at a table; the bytes are those of the round that is played, or that was the last."""

    __slots__ = {
        "rules": "The rules of the game, nimmt.Rules.",
        "names": "The names by seat, or None if they were not given.",
        "round": "The number of the round, from 1; at a table with real cards 0 before the first deal.",
        "scores": "Bull heads of the finished rounds, by seat (R8).",
    }
    rules: Rules
    names: "tuple[str, ...] | None"
    round: int
    scores: Cards

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
    def ranks(self) -> Cards:
        """Ranks by seat of the scores so far: fewest heads first, ties share, 1-1-3 (R10)."""
        return ranks(self.scores)

    @property
    def winners(self) -> Cards:
        """The seats that won, or () as long as the game goes on (R10)."""
        return tuple([seat for seat, rank in enumerate(self.ranks) if rank == 1]) if self.is_over else ()

    def _between(self, what: str) -> None:
        """Refuse what is done between rounds, if it is another time."""
        if self.phase != "scored":
            reason = "the game is over (R9)" if self.is_over else f"round {self.round} is not over (R8)"
            raise WrongPhase(f"cannot {what} now: {reason}")

    def _next(self) -> int:
        """Return the number of the next round; the core's streams know at most 2**32-1."""
        if self.round == 0xFFFFFFFF:
            raise NimmtError("a game has at most 2**32-1 rounds")
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

    def _seat_one_more(self, name: "str | None") -> int:
        """Seat one more player with the highest score at the table (H7); return the seat."""
        if self.players == 10:
            raise IllegalMove("the table is full: 2 to 10 can play (R1, H7)")
        new = None if name is None else (checked_name(name),)
        if (new is None) != (self.names is None):
            raise NimmtError("a player who joins needs a name if the others have names, and cannot have one otherwise")
        if new is not None:
            self.names = (self.names or ()) + new
        self.scores += (max(self.scores),)
        return self.players - 1

    def _moment(self) -> str:
        if self.phase in ("scored", "over"):
            return f"round {self.round} is over" + (", and the game with it" if self.is_over else "")
        return f"round {self.round}, {super()._moment()}"

    def _counted(self, seat: int) -> str:
        name = ""
        if self.names:
            name = "  " + self.names[seat] + " " * (max([len(each) for each in self.names]) - len(self.names[seat]))
        return f"{name}{super()._counted(seat)}  score {self.scores[seat]:4}"

    def _duty(self, seat: int) -> str:
        if self.is_over:
            return f"  rank {self.ranks[seat]}"
        return "  joins" if seat >= self._state[c.PLAYERS] else super()._duty(seat)

    def _packed(self) -> bytes:
        """Return the bytes of a save; Game and Referee have different ones."""
        return bytes(self._state)

    def save(self) -> bytes:
        """Return the game as bytes for load(), with all cards that the referee knows, but without names and history.

        A game takes at most 400 bytes (nimmt.SAVE_MAX), a referee 221. Equal games give equal bytes.
        """
        with self._lock:
            return self._packed()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scored) and self.save() == other.save()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name, at = type(self).__name__, f"round {self.round}, turn {self.turn}, {self.phase}"
        return f"<{name} of {self.players}: {at}, scores {self.scores}>"
