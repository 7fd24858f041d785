"""Games between bots, and matches of many games with a summary."""

from collections import namedtuple

from .bots import Policy, round_stream
from .checks import listed
from .errors import NimmtError, as_int
from .game import Game
from .rules import BASE, Rules

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, NamedTuple  # noqa: F401 - in a type comment

    class Standing(NamedTuple):
        """One seat of a match."""

        name: str
        heads_a_round: float  # mean bull heads
        standard_error: float | None  # of this mean; None for one round
        score: float  # mean of a game
        win_share: float  # of the games; a shared win counts in parts
        ranks: tuple[int, ...]  # how often it had rank 1, 2, ...

    class Match(NamedTuple):
        """What play_match returns: numbers of games and rounds, and a Standing by seat."""

        games: int
        rounds: int
        standings: tuple[Standing, ...]

else:
    Standing = namedtuple("Standing", ("name", "heads_a_round", "standard_error", "score", "win_share", "ranks"))
    Match = namedtuple("Match", ("games", "rounds", "standings"))


def play_game(bots: "Iterable[object]", seed: "int | None" = None, rules: Rules = BASE, game: int = 0) -> Game:
    """Play a game between bots to its end and return it.

    `bots` has one a seat: names of built-in policies, or objects with choose(view) and take(view). Named policies draw
    from the stream of the round, so a seed gives the same game as the policies in the core do.
    Raises what the game raises for a move that is not allowed.
    """
    players = listed(bots, "bots")
    table = Game(len(players), seed, rules, game)
    for _ in _rounds(table, players):
        pass
    return table


def play_match(
    bots: "Iterable[object]",
    games: int,
    seed: "int | None" = None,
    rules: Rules = BASE,
    first: int = 0,
) -> Match:
    """Play the games first .. first + games - 1 of a seed between bots, at least one, and sum up."""
    games, first, players = as_int(games, "games"), as_int(first, "first"), listed(bots, "bots")
    if games < 1:
        raise NimmtError(f"a match has at least one game, not {games}")
    tallies = [_Tally(len(players)) for _ in players]
    rounds = 0
    for number in range(first, first + games):
        table = Game(len(players), seed, rules, number, history=False)
        seed = table.seed
        for heads in _rounds(table, players):
            rounds += 1
            for tally, taken in zip(tallies, heads):
                tally.heads += taken
                tally.squares += taken * taken
        for seat, tally in enumerate(tallies):
            tally.score += table.scores[seat]
            tally.ranks[table.ranks[seat] - 1] += 1
            tally.wins += 1 / len(table.winners) if seat in table.winners else 0
    standings = [tally.standing(_name(bot), games, rounds) for tally, bot in zip(tallies, players)]
    return Match(games, rounds, tuple(standings))


def _rounds(table: Game, bots: "list[object]") -> "Iterator[tuple[int, ...]]":
    """Play a game to its end; yield the heads of each round when it is over."""
    players = [Policy(bot) if isinstance(bot, str) else bot for bot in bots]  # type: list[Any]
    for bot in players:
        if not hasattr(bot, "choose") or not hasattr(bot, "take"):
            raise TypeError(f"a bot is a name or has choose(view) and take(view), unlike {type(bot).__name__}")
    named = [player for player, bot in zip(players, bots) if isinstance(bot, str)]
    _share(table, named)
    while True:
        if table.phase in ("scored", "over"):
            yield table.heads
            if table.is_over:
                return
            table.deal()
            _share(table, named)
        seat = table.to_act[0]
        view, player = table.view(seat), players[seat]
        if table.phase == "draft":
            table.pick(seat, player.pick(view) if hasattr(player, "pick") else view.pool[0])
        elif table.phase == "take":
            table.take(seat, player.take(view))
        else:
            table.choose(seat, player.choose(view))


def _share(table: Game, named: "list[Policy]") -> None:
    stream = round_stream(table)
    for bot in named:
        bot.stream = stream


def _name(bot: object) -> str:
    return bot if isinstance(bot, str) else str(getattr(bot, "name", type(bot).__name__))


class _Tally:
    """Sums of one seat."""

    def __init__(self, players: int) -> None:
        self.heads, self.squares, self.score, self.wins, self.ranks = 0, 0, 0, 0.0, [0] * players

    def standing(self, name: str, games: int, rounds: int) -> Standing:
        mean = self.heads / rounds
        error = None
        if rounds > 1:
            variance = max(0, self.squares - rounds * mean * mean) / (rounds - 1)
            error = (variance / rounds) ** 0.5
        return Standing(name, mean, error, self.score / games, self.wins / games, tuple(self.ranks))
