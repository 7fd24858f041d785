"""A game and who sits at it: the person, or none, and bots. Asks them in turn; each is shown its own view only."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from nimmt import Game, View
from nimmt.bots import POLICIES, Policy, decision_stream, round_stream
from nimmt.events import Event

from .common import Usage, shortened

#: The policy of each seat; None is the person.
Seating = tuple[str | None, ...]


class Player(Protocol):
    """Anything that plays: Policy, or the person."""

    def choose(self, view: View) -> int: ...

    def take(self, view: View) -> int: ...

    def pick(self, view: View) -> int: ...


def bots_of(text: str) -> tuple[str, ...]:
    """Return the policies that `text` names, joined with commas. Also a type for argparse."""
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in POLICIES:
            raise Usage(f"there is no bot {shortened(name)}: {', '.join(POLICIES)}")
    return names


def around(bots: Sequence[str], players: int, person: int | None) -> Seating:
    """Seat bots around the person, or alone: those that are named one after the other, again and again."""
    seats: list[str | None] = [bots[i % len(bots)] for i in range(players)]
    if person is not None:
        seats = [*seats[:person], None, *seats[person : players - 1]]
    return tuple(seats)


def names_for(seats: Seating) -> tuple[str, ...]:
    """Return names by seat where nobody gave any."""
    return tuple(bot or "you" for bot in seats)


class Seats:
    """Plays a game on to its end.

    game           is played on
    seats          the policy of each seat, None for the person
    person         plays that seat; None if all are bots
    asking         is called before the person is asked anything

    Without a person the bots draw from the stream of the round, so that a seed gives the game that
    arena.play_game and simulate give. With one, each decision of a bot has a stream of its own: a game that was saved
    and loaded goes on as it would have, and what the person plays does not change what the bots draw.
    """

    def __init__(
        self,
        game: Game,
        seats: Seating,
        person: Player | None = None,
        asking: Callable[[], None] = lambda: None,
    ) -> None:
        self.game, self._asking = game, asking
        self._policies = [Policy(bot) if bot else None for bot in seats]
        self._person, self._seat = person, seats.index(None) if person else None

    def moves(self) -> Iterator[tuple[View, list[Event], View]]:
        """Make move after move; yield what a spectator knows before, what happened, and what he knows then."""
        game = self.game
        self._share()
        while not game.is_over:
            before = game.view()
            if game.phase == "scored":
                events = game.deal()
                self._share()
            else:
                events = self._move(self._next())
            yield before, events, game.view()

    def _next(self) -> int:
        """Return who is asked next: the person first, so that no bot has chosen when the game is kept."""
        to_act = self.game.to_act
        return to_act[0] if self._seat is None or self._seat not in to_act else self._seat

    def _move(self, seat: int) -> list[Event]:
        game = self.game
        player = self._player(seat)
        view = game.view(seat)
        if game.phase == "draft":
            return game.pick(seat, player.pick(view))
        if game.phase == "take":
            return game.take(seat, player.take(view))
        return game.choose(seat, player.choose(view))

    def _player(self, seat: int) -> Player:
        policy = self._policies[seat]
        if policy is None:
            assert self._person is not None
            self._asking()
            return self._person
        if self._person:
            policy.stream = decision_stream(self.game, seat)
        return policy

    def _share(self) -> None:
        """Let all bots go on with the stream of the round, where the deal left it."""
        stream = round_stream(self.game)
        for policy in self._policies:
            if policy:
                policy.stream = stream
