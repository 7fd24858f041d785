"""Opponents, and the one place that asks them for moves.

A bot is any object with choose(view) -> card and take(view) -> row; it is shown views, never the game.

In a logic draft a bot is asked pick(view) -> card; one without that method gets the lowest card of the pool.

POLICIES       the names of the built-in policies
"""

from .args import listed, quoted
from .core import core
from .core import layout as c
from .errors import NimmtError
from .events import Event
from .game import Game
from .port import Any
from .round import Round
from .rules import one_of
from .state import flags_of, pack
from .stream import Stream
from .view import View

#: The built-in policies by number in csrc/nimmt.h. "random" takes the cheapest row unless told take="random".
POLICIES = ("random", "lowest", "highest", "nearest")

# The `use` of streams that are not those of deals and play: of one bot, and with the decision in the low bits.
_BOTS, _DECISIONS = 1, 0x6E000000


def checked_policy(name: object) -> str:
    """Return the name of a built-in policy, or raise NimmtError or TypeError."""
    if not isinstance(name, str):
        raise TypeError(f"a policy is named by text, not {type(name).__name__}")
    if name not in POLICIES:
        raise NimmtError(f"there is no policy {quoted(name)}: policies are {', '.join(POLICIES)}")
    return name


def policy_number(name: str, take: str = "cheapest") -> int:
    """Return the number of a built-in policy in the core, where taking rows at random is a policy of its own."""
    return c.RANDOM_ROWS if name == "random" and take == "random" else POLICIES.index(name)


class Policy:
    """A built-in policy as a bot.

    name           "random": any card, equally likely; "lowest"; "highest"; "nearest": of the cards that would now go to
                   a row with fewer than five cards the nearest to its end, else the lowest
    seed           0..2**64-1, of the stream that "random" draws from
    take           which row it takes: "cheapest" (A1, A2), or "random" for the policy "random"
    """

    def __init__(self, name: str, seed: int = 0, take: str = "cheapest") -> None:
        checked_policy(name)
        one_of("take", take, ("cheapest", "random"))
        self.name, self.stream = name, Stream(seed, use=_BOTS)
        self._number = policy_number(name, take)

    def choose(self, view: View) -> int:
        """Return the card this policy chooses."""
        if view.seat is None or not view.hand or not view.rows:
            raise NimmtError("this view does not have a hand to choose from")
        state, seat = _seen_by(view), view.seat
        state[c.TURN] = 10 - len(view.hand)
        state[c.HANDS + 10 * seat : c.HANDS + 10 * seat + len(view.hand)] = bytes(view.hand)
        return core.policy_card(core.bind(state), seat, self._number, self.stream)

    def take(self, view: View) -> int:
        """Return the row this policy takes."""
        owed = view.owed
        if owed is None:
            raise NimmtError("this view does not owe a row: there is nothing to take")
        state = _seen_by(view)
        state[c.PHASE], state[c.OWES], state[c.CHOSEN + owed.seat] = c.TAKE, owed.seat, owed.card
        state[c.ALLOWED] = sum([1 << row for row in owed.rows])
        return core.policy_row(core.bind(state), self._number, self.stream)

    def pick(self, view: View) -> int:
        """Return the card this policy picks in the draft: any, the highest, or the lowest."""
        if not view.pool:
            raise NimmtError("this view does not have a pool to pick from")
        if self.name == "random":
            return view.pool[self.stream.below(len(view.pool))]
        return view.pool[-1] if self.name == "highest" else view.pool[0]


def _seen_by(view: View) -> bytearray:
    """Return the bytes of a round that hold what a policy looks at: the rules and the rows."""
    rows = [list(row) for row in view.rows]
    return pack(view.players, view.rules.highest(view.players), flags_of(view.rules), c.CHOOSE, rows)


# Where the draws of policies come from


def round_stream(table: Game) -> Stream:
    """Return the stream of the round that is played as the deal left it, for policies to go on (STREAM_VERSION 1)."""
    stream = Stream(table.seed, table.game, table.round - 1)
    if not table.rules.draft:
        Round.deal(table.players, stream, table.rules)
    elif table.round == 1 and table.rules.first_picker == "rotate":
        stream.below(table.players)
    return stream


def decision_stream(table: Game, seat: int) -> Stream:
    """Return the stream of one decision of a bot at a table with people.

    It is the same whatever the others do, and after saving and loading: the draft asks ten times a seat, a turn for a
    card and perhaps for a row.
    """
    asked = {"draft": len(table.hand(seat)), "choose": 16 + table.turn, "take": 32 + table.turn}[table.phase]
    return Stream(table.seed, table.game, table.round - 1, _DECISIONS + 16 * asked + seat)


# Asking


def act(game: Game, seat: int, player: "Any") -> "list[Event]":
    """Ask a player what its seat must do now, do it, and return the events.

    `player` has choose(view), take(view) and perhaps pick(view), each shown the view of this seat. Raises what the game
    raises for a move that is not allowed.
    """
    view = game.view(seat)
    if game.phase == "draft":
        return game.pick(seat, player.pick(view) if hasattr(player, "pick") else view.pool[0])
    if game.phase == "take":
        return game.take(seat, player.take(view))
    return game.choose(seat, player.choose(view))


class Bots:
    """The bots at a table. Everything that asks them goes through here: arena, protocol, command.

    game           the game they play
    bots           by seat: the name of a policy, a bot, or None where somebody else plays

    Where bots have all seats, named policies draw from the stream of the round, so that a seed gives the same game as
    the policies in the core do. Elsewhere each of their decisions has a stream of its own: see decision_stream.
    """

    def __init__(self, game: Game, bots: "Any") -> None:
        given = listed(bots, "bots")
        if len(given) != game.players:
            raise NimmtError(f"{game.players} players need as many bots or nulls, not {len(given)}")
        self._game = game
        self._bots: list[Any] = []
        self._named: list[Policy] = []
        for bot in given:
            if isinstance(bot, str):
                bot = Policy(bot)
                self._named.append(bot)
            elif bot is not None and not (hasattr(bot, "choose") and hasattr(bot, "take")):
                raise TypeError(f"a bot is a name or has choose(view) and take(view), unlike {type(bot).__name__}")
            self._bots.append(bot)
        self.share()

    def share(self) -> None:
        """Let named policies that have the table for themselves go on where the deal left the stream of the round."""
        if self._named and None not in self._bots:
            stream = round_stream(self._game)
            for bot in self._named:
                bot.stream = stream

    def join(self) -> None:
        """Somebody who is not a bot has taken a new seat."""
        self._bots.append(None)

    def asked(self) -> "int | None":
        """Return the lowest seat that must do something and is played by a bot, or None."""
        for seat in self._game.to_act:
            if self._bots[seat] is not None:
                return seat
        return None

    def move(self, seat: int) -> "list[Event]":
        """Let the bot of a seat do what it must, and return the events."""
        bot = self._bots[seat]
        if None in self._bots and [named for named in self._named if named is bot]:
            bot.stream = decision_stream(self._game, seat)
        return act(self._game, seat, bot)
