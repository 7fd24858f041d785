"""The moves at a table, on the bytes of its round."""

from . import _pycore as c
from ._backend import core
from .errors import as_int
from .events import Chosen, Dealt, Picked, Placed, Revealed
from .hands import Hands
from .layout import flags_of, owed_of

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from typing import Any  # noqa: F401 - in a type comment

    from .events import Event
    from .rules import Rules
    from .stream import Stream

SIDES = (None, "right", "left")


def dealt(players: int, rules: "Rules", stream: "Stream") -> bytearray:
    """Shuffle the deck of `rules` with `stream`, deal (R3, V1), and return the bytes of the round."""
    if type(players) is not int or not 2 <= players <= 10:
        from .seats import checked_players

        players = checked_players(players)
    state, flags = bytearray(c.SIZE), flags_of(rules)
    core.deal(core.bind(state), players, rules.highest(players), flags, stream)
    return state


def placed_of(log: bytearray, count: int) -> "list[Placed]":
    """Return the placements in a log as events."""
    events = []
    for at in range(0, c.PLACED * count, c.PLACED):
        taken = log[at + 4 : at + 9]
        cards = tuple([card for card in taken if card]) if taken[0] else ()
        events.append(Placed(log[at], log[at + 1], log[at + 2], SIDES[log[at + 3]], cards))
    return events


class Moves(Hands):
    """A table at which moves are made; Round, Game and Referee lock, score and remember around them.

    Each move returns a list of events. One that is refused changes nothing.
    """

    __slots__ = ()

    def _choose(self, seat: int, card: int) -> "list[Event]":
        """Choose a card in secret (R4, H5). The last choice shows and places all cards."""
        seat = self._seat(seat)
        card = self._in_deck(seat, card)
        self._refused(core.choose(self._r, seat, card), seat, card)
        s = self._state
        cards = tuple(s[c.CHOSEN : c.CHOSEN + s[c.PLAYERS]])
        if 0 in cards:
            return [Chosen(seat)]
        return self._told([Chosen(seat), Revealed(cards)], core.resolve(self._r, self._l))

    def _withdraw(self, seat: int) -> "list[Event]":
        """Take a choice back, as long as not all have chosen."""
        seat = self._seat(seat)
        self._refused(core.withdraw(self._r, seat), seat, 0)
        return []

    def _play(self, cards: object) -> "list[Event]":
        """Choose for every seat at once, and place: a sequence by seat or a mapping."""
        given = cards  # type: Any
        if type(cards) not in (list, tuple) or [card for card in given if type(card) is not int]:
            from .checks import by_seat

            given = by_seat(cards, "cards", "card")  # before the table is looked at: this may be the caller's code
        s = self._state
        players, highest = s[c.PLAYERS], s[c.HIGHEST]
        if type(given) is dict or len(given) != players or [card for card in given if not 0 < card <= highest]:
            from .checks import one_each

            given = one_each(given, players, highest)
        played = bytes(given)
        code = core.play(self._r, played, self._l)
        if code < 0:
            from .refuse import refuse_play

            refuse_play(s, code, played)
        return self._told([Revealed(tuple(played))], code)

    def _take(self, seat: int, row: int) -> "list[Event]":
        """Take a row that is owed (R7, P3), or in a tie join it (P4); then placing goes on."""
        seat, row = self._seat(seat), as_int(row, "row")
        code = core.take(self._r, seat, row if 0 <= row < 4 else 4, self._l)
        self._refused(code, seat, row)
        return self._told([], code)

    def _pick(self, seat: int, card: int, number: int = 1) -> "list[Event]":
        """Pick a card in the draft (V2) of round `number`. After the last pick the four cards left open the rows."""
        from .draft import pick, pool

        seat, s = self._seat(seat), self._state
        card = self._in_deck(seat, card)
        left = pick(s, seat, card)
        self._refused(left, seat, card)
        if left > 4:
            return [Picked(seat, card)]
        hands, open = bytes(s[c.HANDS : c.HANDS + 10 * s[c.PLAYERS]]), bytes(pool(s))
        core.setup(self._r, s[c.PLAYERS], s[c.HIGHEST], s[c.FLAGS], open, hands)
        return [Picked(seat, card), Dealt(number, self.rows)]

    def _in_deck(self, seat: int, card: object) -> int:
        """Return a card, or raise IllegalMove if the deck has none like it."""
        highest = self._state[c.HIGHEST]
        if type(card) is int and 0 < card <= highest:
            return card
        from .checks import checked_card

        return checked_card(seat, card, highest)

    def _told(self, events: "list[Event]", count: int) -> "list[Event]":
        """Add what the core wrote to its log, and the row that is owed."""
        events += placed_of(self._log, count)
        owed = owed_of(self._state)
        return events + [owed] if owed else events

    def _refused(self, code: int, seat: int, number: int) -> None:
        """Raise if the core refused a move with this code."""
        if code < 0:
            from .refuse import refuse

            refuse(self._state, code, seat, number)
