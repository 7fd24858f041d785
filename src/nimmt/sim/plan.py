"""What is simulated, checked once: policies by seat, rules, the range of games."""

from typing import NamedTuple

from ..args import as_int, checked_players, checked_word, listed
from ..bots import checked_policy, policy_number
from ..core.layout import HEADS
from ..errors import NimmtError
from ..rules import Rules, as_rules, one_of
from ..state import flags_of

HIGHEST_SCORE = 65535  # scores are 16 bits wide
TAKES = ("cheapest", "random")
NO_DRAFT = "the logic draft (V2) is picked by players, card by card, and built-in policies do not pick"


class Plan(NamedTuple):
    """Which game is played between whom. A game is a pure function of a plan, a seed and the number of the game.

    Results of equal plans can be merged. Plans pickle: they travel to the workers of an executor.

    policies     their names by seat
    take         "cheapest", or "random": how the policy "random" takes rows that it owes
    """

    policies: tuple[str, ...]
    take: str
    rules: Rules

    @property
    def players(self) -> int:
        """The number of players, 2..10 (R1)."""
        return len(self.policies)

    @property
    def highest(self) -> int:
        """The highest card of the deck (R1, V1)."""
        return self.rules.highest(self.players)

    @property
    def flags(self) -> int:
        """The rules as the core knows them."""
        return flags_of(self.rules)

    @property
    def numbers(self) -> bytes:
        """The policies by seat as the core knows them: take="random" is a policy of its own there."""
        return bytes(policy_number(name, self.take) for name in self.policies)

    @property
    def rounds_expected(self) -> float:
        """Roughly how many rounds a game has, if the seat with the most heads takes about fourteen a round."""
        return self.rules.rounds or 1 + (self.rules.limit or 0) / 14


def checked_rules(rules: object, where: str) -> Rules:
    """Return rules that need no draft, or raise TypeError or NimmtError."""
    checked = as_rules(rules)
    if checked.draft:
        raise NimmtError(f"{where} cannot play these rules: {NO_DRAFT}")
    return checked


def checked_range(first: object, games: object) -> tuple[int, int]:
    """Return the number of the first game and how many there are, 0 or more; the last must be numbered below 2**64."""
    start, count = checked_word(first, "first"), as_int(games, "games")
    if count < 0:
        raise NimmtError(f"games must be 0 or more, not {count}")
    if start + count > 1 << 64:
        raise NimmtError(f"games are numbered 0..2**64-1: {count} games from {start} on are too many")
    return start, count


def checked_plan(policies: object, rules: object, take: str) -> Plan:
    """Return a plan, or raise TypeError or NimmtError: who plays (R1), what (R9), and whether scores can be counted."""
    names = tuple(checked_policy(name) for name in listed(policies, "policies"))
    checked_players(len(names))
    one_of("take", take, TAKES)
    plan = Plan(names, take, checked_rules(rules, "simulate"))
    heads = sum(HEADS[: plan.highest + 1])
    if plan.rules.rounds is not None:
        most, what = plan.rules.rounds * heads, f"{plan.rules.rounds} rounds"
    else:
        # The last round begins with a score that does not end the game yet.
        most = (plan.rules.limit or 0) + (plan.rules.end == "exceed") - 1 + heads
        what = f"a limit of {plan.rules.limit}"
    if most > HIGHEST_SCORE:
        raise NimmtError(f"with {what} a score could reach {most}: simulations count to {HIGHEST_SCORE} (R9)")
    return plan
