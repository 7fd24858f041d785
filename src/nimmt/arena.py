"""Games between bots, and matches of many games with a summary."""

from .args import as_int, listed
from .bots import Bots
from .errors import NimmtError
from .events import Cards
from .game import Game
from .port import Iterable, Iterator, NamedTuple, explain
from .rules import BASE, Rules

Standing = NamedTuple(
    "Standing",
    [
        ("name", str),
        ("heads_a_round", float),
        ("standard_error", "float | None"),
        ("score", float),
        ("win_share", float),
        ("ranks", Cards),
    ],
)
if __debug__:
    explain(
        Standing,
        "One seat of a match.",
        name="the name of its policy or bot",
        heads_a_round="mean bull heads of a round",
        standard_error="the standard error of this mean; None for one round",
        score="mean score of a game",
        win_share="the share of games won; a shared win counts in parts",
        ranks="how often it had rank 1, 2, ...",
    )

Match = NamedTuple("Match", [("games", int), ("rounds", int), ("standings", "tuple[Standing, ...]")])
if __debug__:
    explain(
        Match,
        "What play_match returns.",
        games="the number of games",
        rounds="the number of rounds in them",
        standings="a Standing by seat",
    )


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


def _rounds(table: Game, players: "list[object]") -> "Iterator[Cards]":
    """Play a game to its end; yield the heads of each round when it is over."""
    if [player for player in players if player is None]:
        raise TypeError("every seat of the arena needs a bot, not None")
    bots = Bots(table, players)
    while True:
        seat = bots.asked()
        if seat is not None:
            bots.move(seat)
            continue
        yield table.heads
        if table.is_over:
            return
        table.deal()
        bots.share()


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
