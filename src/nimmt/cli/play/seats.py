"""Who sits at a game: the person, or nobody but bots; and how it is played on. Each is shown its own view only."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from nimmt import Game, View
from nimmt.bots import POLICIES, Bots, act
from nimmt.events import Event

from ..common import Usage, shortened

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
            raise Usage(f"{shortened(name)} is not a bot: the bots are {', '.join(POLICIES)}")
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


def moves(
    game: Game, bots: Sequence[str | None], person: Player | None = None, asking: Callable[[], None] = lambda: None
) -> Iterator[tuple[View, list[Event], View]]:
    """Play a game on to its end. Yield for each move what a spectator knows before, what happens, what he knows then.

    game           is played on
    bots           the policy of each seat, None for the person
    person         plays that seat; None if all are bots
    asking         is called before the person is asked anything

    Without a person the bots draw from the stream of the round, so that a seed gives the game that
    arena.play_game and simulate give. With one, each decision of a bot has a stream of its own: a game that was saved
    and loaded goes on as it would have, and what the person plays does not change what the bots draw.
    """
    table, own = Bots(game, bots), bots.index(None) if person else None
    while not game.is_over:
        before = game.view()
        if game.phase == "scored":
            events = game.deal()
            table.share()
        elif person and own in game.to_act:  # first, so that no bot has chosen when the game is kept
            asking()
            events = act(game, own, person)
        else:
            events = table.move(game.to_act[0])
        yield before, events, game.view()
