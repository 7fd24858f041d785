"""Exact integer sums over many games: nimmt_tally of csrc/nimmt_simulate.h, word for word."""

from array import array
from collections.abc import Sequence

SEATS = 10
ROUNDS_BINS, SCORE_BINS, HEADS_BINS = 64, 512, 172
WIN = 2520  # a won game has so many parts: each of 1 to 10 winners gets a whole number of them (R10)

# Where things are, in words of 64 bits; WORDS is how many there are.
GAMES, ROUNDS, ROUNDS_SQUARES, ROUNDS_MOST = 0, 1, 2, 3
ROUNDS_HISTOGRAM = 4
WINS = ROUNDS_HISTOGRAM + ROUNDS_BINS
SCORES = WINS + SEATS
SCORES_SQUARES = SCORES + SEATS
SCORES_HISTOGRAM = SCORES_SQUARES + SEATS
HEADS = SCORES_HISTOGRAM + SEATS * SCORE_BINS
HEADS_SQUARES = HEADS + SEATS
HEADS_HISTOGRAM = HEADS_SQUARES + SEATS
WORDS = HEADS_HISTOGRAM + SEATS * HEADS_BINS


class Tally:
    """The sums of the games of one plan, all 0 at first. `words` are Python's ints, so that a sum cannot overflow."""

    __slots__ = ("words",)

    def __init__(self, words: Sequence[int] = ()) -> None:
        self.words = list(words) or [0] * WORDS

    def merge(self, words: Sequence[int]) -> None:
        """Add the sums of other games. Ctrl-C cannot leave it half done."""
        merged = [mine + other for mine, other in zip(self.words, words)]
        merged[ROUNDS_MOST] = max(self.words[ROUNDS_MOST], words[ROUNDS_MOST])
        self.words = merged

    @property
    def games(self) -> int:
        """How many games these are the sums of."""
        return self.words[GAMES]

    def by_seat(self, start: int, seat: int, bins: int = 1) -> list[int]:
        """Return the words of one seat in a field that begins at word `start` and has `bins` words a seat."""
        return self.words[start + seat * bins : start + (seat + 1) * bins]


class Counter:
    """A tally in the making, game by game, for the Python backend."""

    __slots__ = ("words", "players")

    def __init__(self, players: int) -> None:
        self.words, self.players = [0] * WORDS, players

    def round(self, heads: Sequence[int]) -> None:
        """Count a round in which the seats took these heads."""
        words = self.words
        for seat, taken in enumerate(heads):
            words[HEADS + seat] += taken
            words[HEADS_SQUARES + seat] += taken * taken
            words[HEADS_HISTOGRAM + seat * HEADS_BINS + taken] += 1

    def game(self, scores: Sequence[int], rounds: int) -> None:
        """Count a game that ended with these scores after so many rounds."""
        words, best = self.words, min(scores)
        words[GAMES] += 1
        words[ROUNDS] += rounds
        words[ROUNDS_SQUARES] += rounds * rounds
        words[ROUNDS_MOST] = max(words[ROUNDS_MOST], rounds)
        words[ROUNDS_HISTOGRAM + min(rounds, ROUNDS_BINS - 1)] += 1
        share = WIN // sum(score == best for score in scores)
        for seat, score in enumerate(scores):
            words[WINS + seat] += share if score == best else 0
            words[SCORES + seat] += score
            words[SCORES_SQUARES + seat] += score * score
            words[SCORES_HISTOGRAM + seat * SCORE_BINS + min(score, SCORE_BINS - 1)] += 1

    def packed(self) -> "array[int]":
        """Return the words as the C code writes them."""
        return array("Q", self.words)
