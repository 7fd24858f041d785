"""The rules as one immutable value, the end of a game, ranks (R9, R10, V1..V3, A1)."""

from .args import as_int, checked_players, in_range, quoted
from .errors import NimmtError

#: The options in the order of Rules(...), and what may be chosen; the first is what you get if nothing is said.
NAMES = ("deck", "draft", "professional", "tie", "limit", "end", "rounds", "first_picker", "cheapest")
CHOICES = {
    "deck": ("full", "tactic"),
    "draft": (False, True),
    "professional": (False, True),
    "tie": ("choose", "right", "left"),
    "end": ("reach", "exceed"),
    "cheapest": ("index", "fewest", "most"),
}
MOST = 65535  # the highest limit and number of rounds


class Rules:
    """Which game is played. Immutable; equal if all options are; repr rebuilds it.

    deck            "full" (R1) or "tactic": only the cards 1..10n+4 for n players (V1)
    draft           True: the logic draft (V2), with the tactic deck only
    professional    True: cards also go left of a row (V3)
    tie             P4, in professional: "choose" (the owner of the card), "right", "left"
    limit           the game ends after a round when somebody has this score, 1..65535 (R9)
    end             "reach": at `limit` or above; "exceed": above
    rounds          None, or a number of rounds 1..65535 instead of the limit, which is None then
    first_picker    who picks first in the draft: "rotate" (at random, then one seat further each round) or a seat 0..9
    cheapest        A1: of equally cheap rows "index" (the lowest row), "fewest" or "most" cards and then the lowest row

    Raises NimmtError for a value that is not listed, TypeError for a wrong type.
    """

    __slots__ = ("_values",)

    def __init__(
        self,
        deck: str = "full",
        draft: bool = False,
        professional: bool = False,
        tie: str = "choose",
        limit: "int | None" = 66,
        end: str = "reach",
        rounds: "int | None" = None,
        first_picker: "str | int" = "rotate",
        cheapest: str = "index",
    ) -> None:
        for name, value in zip(NAMES, (deck, draft, professional, tie, limit, end, rounds, first_picker, cheapest)):
            if name in CHOICES:
                one_of(name, value)
        if draft and deck != "tactic":
            raise NimmtError('draft=True needs deck="tactic" (V2)')
        if rounds is not None:
            rounds = in_range(rounds, "rounds", 1, MOST)
            if limit is not None and as_int(limit, "limit") != 66:
                raise NimmtError("give a limit or a number of rounds, not both (R9)")
            limit = None
        elif limit is None:
            raise NimmtError("a game without a limit needs a number of rounds (R9)")
        else:
            limit = in_range(limit, "limit", 1, MOST)
        if not isinstance(first_picker, str):
            first_picker = in_range(first_picker, "first_picker", 0, 9)
        elif first_picker != "rotate":
            raise NimmtError(f'first_picker must be "rotate" or a seat, not {quoted(first_picker)}')
        self._values = (deck, draft, professional, tie, limit, end, rounds, first_picker, cheapest)

    @property
    def deck(self) -> str:
        """The cards: "full" (R1) or "tactic" (V1)."""
        return self._values[0]

    @property
    def draft(self) -> bool:
        """Do the players pick their hands from an open pool? (V2)"""
        return self._values[1]

    @property
    def professional(self) -> bool:
        """Do cards also go left of a row? (V3)"""
        return self._values[2]

    @property
    def tie(self) -> str:
        """Which side a tie takes (P4): "choose", "right" or "left"."""
        return self._values[3]

    @property
    def limit(self) -> "int | None":
        """The score that ends the game, 1..65535 (R9); None if the number of rounds is fixed."""
        return self._values[4]

    @property
    def end(self) -> str:
        """Is the game over at the limit, "reach", or above it, "exceed"? (R9)"""
        return self._values[5]

    @property
    def rounds(self) -> "int | None":
        """The fixed number of rounds, 1..65535; None if a limit ends the game (R9)."""
        return self._values[6]

    @property
    def first_picker(self) -> "str | int":
        """Who picks first in the draft (V2): "rotate" or a seat 0..9."""
        return self._values[7]

    @property
    def cheapest(self) -> str:
        """Which of equally cheap rows A1 takes: "index", "fewest" or "most"."""
        return self._values[8]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)

    def __reduce__(self) -> "tuple[object, ...]":
        return Rules, self._values

    def __repr__(self) -> str:
        given = []
        for name, value, default in zip(NAMES, self._values, BASE._values):
            if value != default and not (name == "limit" and value is None):
                given.append(f"{name}={repr(value)}")
        return f"Rules({', '.join(given)})"

    def highest(self, players: int) -> int:
        """Return the highest card of the deck for this number of players (R1, V1)."""
        players = checked_players(players)
        return 104 if self.deck == "full" else 10 * players + 4

    def is_over(self, scores: "tuple[int, ...]", rounds: int) -> bool:
        """Is the game over with these scores after this number of rounds? (R9)"""
        if self.rounds is not None:
            return rounds >= self.rounds
        return max(scores) >= (self.limit or 0) + (self.end == "exceed")


def as_rules(rules: object) -> Rules:
    """Return rules; TypeError for anything else."""
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be nimmt.Rules, not {type(rules).__name__}")
    return rules


def no_option(name: str) -> str:
    """Return the message for an option that rules do not have."""
    return f"rules have no option {quoted(name)}"


def one_of(name: str, value: object, choices: "tuple[object, ...]" = ()) -> None:
    """Refuse a value that is not among these choices, or the CHOICES of an option.

    Raises TypeError for its type, NimmtError for its value.
    """
    choices = choices or CHOICES[name]
    if type(value) is type(choices[0]) and value in choices:
        return
    allowed = " or ".join([repr(choice) for choice in choices])
    if type(value) is not type(choices[0]):
        raise TypeError(f"{name} must be {allowed}, not {type(value).__name__}")
    raise NimmtError(f"{name} must be {allowed}, not {quoted(str(value))}")


def ranks(scores: "tuple[int, ...]") -> "tuple[int, ...]":
    """Return the ranks by seat: fewest heads first, ties share, 1-1-3 (R10)."""
    return tuple([1 + sum([other < score for other in scores]) for score in scores])


def possible_scores(rules: Rules, number: int, points: "list[int]") -> bool:
    """Can these be scores in round `number`, not at its end? Up to 171 of each may be of this round (R2, R8, R9)."""
    before = tuple([max(0, score - 171) for score in points])
    bad = [score for score in points if not 0 <= score <= 171 * number]
    return not bad and number > 0 and not (number > 1 and rules.is_over(before, number - 1))


BASE = Rules()
TACTIC = Rules(deck="tactic")
LOGIC = Rules(deck="tactic", draft=True)
PROFESSIONAL = Rules(professional=True)
