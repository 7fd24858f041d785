"""Opponents. A bot is any object with choose(view) -> card and take(view) -> row; it is shown views, never the game.

In a logic draft a bot is asked pick(view) -> card; one without that method gets the lowest card of the pool.
"""

from . import _pycore as c
from ._backend import core
from ._pypolicy import RANDOM_ROWS
from .errors import NimmtError
from .layout import flags_of
from .position import pack
from .round import Round
from .stream import Stream
from .view import View

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .game import Game

#: The built-in policies by number in csrc/nimmt.h. "random" takes the cheapest row unless told take="random".
POLICIES = ("random", "lowest", "highest", "nearest")

# The `use` of streams that are not those of deals and play: of one bot, and with the decision in the low bits.
_BOTS, _DECISIONS = 1, 0x6E000000


class Policy:
    """A built-in policy as a bot.

    name           "random": any card, equally likely; "lowest"; "highest"; "nearest": of the cards that would now go to
                   a row with fewer than five cards the nearest to its end, else the lowest
    seed           0..2**64-1, of the stream that "random" draws from
    take           which row it takes: "cheapest" (A1, A2), or "random" for the policy "random"
    """

    def __init__(self, name: str, seed: int = 0, take: str = "cheapest") -> None:
        if not isinstance(name, str):
            raise TypeError(f"a policy is named by text, not {type(name).__name__}")
        if name not in POLICIES:
            raise NimmtError(f"there is no policy {repr(name)}: policies are {', '.join(POLICIES)}")
        if not isinstance(take, str):
            raise TypeError(f"take must be 'cheapest' or 'random', not {type(take).__name__}")
        if take not in ("cheapest", "random"):
            raise NimmtError(f"take must be 'cheapest' or 'random', not {repr(take)}")
        self.name, self.stream = name, Stream(seed, use=_BOTS)
        self._number = RANDOM_ROWS if name == "random" and take == "random" else POLICIES.index(name)

    def choose(self, view: View) -> int:
        """Return the card this policy chooses."""
        if view.seat is None or not view.hand or not view.rows:
            raise NimmtError("this view has no hand to choose from")
        state, seat = _seen_by(view), view.seat
        state[c.TURN] = 10 - len(view.hand)
        state[c.HANDS + 10 * seat : c.HANDS + 10 * seat + len(view.hand)] = bytes(view.hand)
        return core.policy_card(core.bind(state), seat, self._number, self.stream)

    def take(self, view: View) -> int:
        """Return the row this policy takes."""
        owed = view.owed
        if owed is None:
            raise NimmtError("no row is owed")
        state = _seen_by(view)
        state[c.PHASE], state[c.OWES], state[c.CHOSEN + owed.seat] = c.TAKE, owed.seat, owed.card
        state[c.ALLOWED] = sum([1 << row for row in owed.rows])
        return core.policy_row(core.bind(state), self._number, self.stream)

    def pick(self, view: View) -> int:
        """Return the card this policy picks in the draft: any, the highest, or the lowest."""
        if not view.pool:
            raise NimmtError("this view has no pool to pick from")
        if self.name == "random":
            return view.pool[self.stream.below(len(view.pool))]
        return view.pool[-1] if self.name == "highest" else view.pool[0]


def _seen_by(view: View) -> bytearray:
    """Return the bytes of a round that hold what a policy looks at: the rules and the rows."""
    rows = [list(row) for row in view.rows]
    return pack(view.players, view.rules.highest(view.players), flags_of(view.rules), c.CHOOSE, rows)


# Where the draws of policies come from


def round_stream(table: "Game") -> Stream:
    """Return the stream of the round that is played as the deal left it, for policies to go on (STREAM_VERSION 1)."""
    stream = Stream(table.seed, table.game, table.round - 1)
    if not table.rules.draft:
        Round.deal(table.players, stream, table.rules)
    elif table.round == 1 and table.rules.first_picker == "rotate":
        stream.below(table.players)
    return stream


def decision_stream(table: "Game", seat: int) -> Stream:
    """Return the stream of one decision of a bot at a table with people.

    It is the same whatever the others do, and after saving and loading: the draft asks ten times a seat, a turn for a
    card and perhaps for a row.
    """
    asked = {"draft": len(table.hand(seat)), "choose": 16 + table.turn, "take": 32 + table.turn}[table.phase]
    return Stream(table.seed, table.game, table.round - 1, _DECISIONS + 16 * asked + seat)
