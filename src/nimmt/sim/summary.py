"""What the exact sums say: means, shares and their standard errors."""

from typing import NamedTuple

from ..port import explain
from . import tally as t
from .plan import Plan
from .tally import Tally


class Seat(NamedTuple):
    seat: int
    policy: str
    heads_a_round: float | None
    heads_a_round_error: float | None
    score: float | None
    score_error: float | None
    win_share: float | None
    win_share_error: float | None
    wins: int
    heads_histogram: tuple[int, ...]
    scores_histogram: tuple[int, ...]


explain(
    Seat,
    "One seat of a summary. Means are None without games, and standard errors with fewer than two.",
    seat="the number of the seat, 0..9",
    policy='"random", "lowest", "highest" or "nearest"',
    heads_a_round="mean bull heads of a round (R8), 0..171",
    heads_a_round_error="standard error of heads_a_round",
    score="mean score at the end of a game (R9), in bull heads",
    score_error="standard error of score",
    win_share="share of the games that were won, 0..1; a shared win counts in parts (R10)",
    win_share_error="standard error of win_share, or more: it is that of wins that are not shared",
    wins="how many games were won, exactly, in parts of 2520",
    heads_histogram="number of rounds by bull heads 0..171",
    scores_histogram="number of games by score 0..511; the last counts 511 and more",
)


class Summary(NamedTuple):
    games: int
    rounds: int
    rounds_a_game: float | None
    rounds_a_game_error: float | None
    rounds_most: int
    rounds_histogram: tuple[int, ...]
    seats: tuple[Seat, ...]

    def __str__(self) -> str:
        """Return a table that a person can read; ± stands before the standard error."""
        lines = [f"seat  policy  {'heads a round':>16}  {'score of a game':>18}  {'games won':>18}"]
        for seat in self.seats:
            heads = _with_error(seat.heads_a_round, seat.heads_a_round_error, 3, 16)
            score = _with_error(seat.score, seat.score_error, 2, 18)
            share = _with_error(seat.win_share, seat.win_share_error, 3, 18, 100, " %")
            lines.append(f"{seat.seat:>4}  {seat.policy:<8}{heads}  {score}  {share}")
        mean = _with_error(self.rounds_a_game, self.rounds_a_game_error, 3, 0)
        lines.append(f"{self.games:,} games, {self.rounds:,} rounds: {mean} rounds a game, at most {self.rounds_most}")
        return "\n".join(lines)


explain(
    Summary,
    "What became of all games together. str() gives a table that a person can read.",
    games="how many games were played",
    rounds="how many rounds these had together",
    rounds_a_game="mean number of rounds of a game",
    rounds_a_game_error="standard error of rounds_a_game",
    rounds_most="number of rounds of the longest game; 0 without games",
    rounds_histogram="number of games by number of rounds 0..63; the last counts 63 and more",
    seats="a Seat for each seat",
)


def _with_error(
    mean: float | None, error: float | None, digits: int, width: int, times: int = 1, unit: str = ""
) -> str:
    if mean is None:
        return "-".rjust(width)
    text = f"{times * mean:.{digits}f}{unit}"
    return (text if error is None else f"{text} ± {times * error:.{digits}f}").rjust(width)


def heads_by_policy(summary: Summary) -> dict[str, list[int]]:
    """Return the number of rounds by bull heads 0..171 for each policy, its seats together, in the order they sit."""
    heads: dict[str, list[int]] = {}
    for seat in summary.seats:
        others = heads.get(seat.policy, [0] * t.HEADS_BINS)
        heads[seat.policy] = [count + other for count, other in zip(seat.heads_histogram, others)]
    return heads


def mean_and_error(count: int, total: int, squares: int) -> tuple[float | None, float | None]:
    """Return the mean of `count` numbers and its standard error, from their sum and the sum of their squares."""
    if count == 0:
        return None, None
    if count == 1:
        return float(total), None
    # Exact up to the last step: floats would cancel.
    variance = (count * squares - total * total) / (count * (count - 1))
    return total / count, (variance / count) ** 0.5


def share_and_error(games: int, wins: int) -> tuple[float | None, float | None]:
    """Return the share of wins, which are given in parts of 2520, and a bound of its standard error."""
    if games == 0:
        return None, None
    share = wins / (t.WIN * games)
    return share, (share * (1 - share) / (games - 1)) ** 0.5 if games > 1 else None


def summarise(plan: Plan, tally: Tally) -> Summary:
    """Return the summary of a tally."""
    words = tally.words
    games, rounds = words[t.GAMES], words[t.ROUNDS]
    seats = []
    for seat, policy in enumerate(plan.policies):
        heads = mean_and_error(rounds, words[t.HEADS + seat], words[t.HEADS_SQUARES + seat])
        score = mean_and_error(games, words[t.SCORES + seat], words[t.SCORES_SQUARES + seat])
        share = share_and_error(games, words[t.WINS + seat])
        by_heads = tuple(tally.by_seat(t.HEADS_HISTOGRAM, seat, t.HEADS_BINS))
        by_score = tuple(tally.by_seat(t.SCORES_HISTOGRAM, seat, t.SCORE_BINS))
        seats.append(Seat(seat, policy, *heads, *score, *share, words[t.WINS + seat], by_heads, by_score))
    mean, error = mean_and_error(games, rounds, words[t.ROUNDS_SQUARES])
    by_rounds = tuple(words[t.ROUNDS_HISTOGRAM : t.WINS])
    return Summary(games, rounds, mean, error, words[t.ROUNDS_MOST], by_rounds, tuple(seats))
