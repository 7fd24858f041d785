"""What may lie in the hands that a seat does not see: a round drawn from all that agree with its view.

USE_WORLDS    the `use` of the streams of worlds that are numbered, as in csrc/nimmt_rollouts.h
"""

from .core import core
from .core import layout as c
from .errors import NimmtError, WrongPhase
from .round import Round
from .state import PHASES, flags_of, mark_seen, pack, seen_of
from .stream import Stream, as_stream
from .view import View

USE_WORLDS = 2


def sample(view: View, stream: Stream) -> Round:
    """Draw a round that agrees with all that a view tells, each equally likely: its hidden cards are dealt anew.

    view           of a seat, or of a spectator, in phase "choose" or "take"
    stream         what the draws come from: an own Stream(seed, game, round, use) for each round makes it repeatable

    Cards that the view does not show are dealt by seat to the hands that it does not show. Then of each other seat
    that has chosen one card lies face down, each equally likely. Rows, heads, cards seen, the turn, own cards, the
    hands that all know (V2), cards that lie and the row that is owed are kept.

    Raises WrongPhase in other phases, NimmtError for a view that contradicts itself or does not show the cards of its
    own seat (real cards), TypeError for other types.
    """
    state, hidden = known_by(view)
    as_stream(stream)
    deal_hidden(state, hidden, unseen(state), stream)
    for seat in range(view.players):
        if view.has_chosen[seat] and seat != view.seat:
            state[c.CHOSEN + seat] = state[c.HANDS + 10 * seat + stream.below(size_of(state))]
    return Round._of(state)


def known_by(view: View) -> "tuple[bytearray, list[int]]":
    """Return the bytes of a round as far as a view knows it, and the seats whose hands are hidden: theirs are all 0.

    Which cards of other seats lie face down is not told, so they are not chosen. Raises as sample does.
    """
    if not isinstance(view, View):
        raise TypeError(f"view must be nimmt.View, not {type(view).__name__}")
    if view.phase not in ("choose", "take"):
        raise WrongPhase(f'hidden hands can be drawn in phase "choose" or "take", not in "{view.phase}"')
    good = blind = False
    try:
        blind = view.seat is not None and not view.hands[view.seat]
        state, hidden = _packed(view), [seat for seat, cards in enumerate(view.hands) if cards is None]
        filled = bytearray(state)
        deal_hidden(filled, hidden, unseen(filled), _First())
        good = view.seat not in hidden and core.check(core.bind(filled)) == 0 and _is_whole(view)
    except (AttributeError, IndexError, TypeError, ValueError):  # a view is a named tuple: anybody can make one
        pass
    if blind and not good:  # after the last turn's cards are shown the hand is empty
        raise NimmtError(f"this view does not show the cards of its own seat {view.seat}")
    if not good:
        raise NimmtError("this view contradicts itself: the rules do not allow any round like it")
    return state, hidden


def _packed(view: View) -> bytearray:
    """Return the bytes of a round with all that a view tells."""
    rows = [list(row) for row in view.rows]
    phase = PHASES.index(view.phase)
    state = pack(view.players, view.rules.highest(view.players), flags_of(view.rules), phase, rows)
    state[c.TURN] = view.turn - 1
    if view.owed:
        state[c.OWES], state[c.ALLOWED] = view.owed.seat, sum([1 << row for row in view.owed.rows])
    for seat, card in enumerate(view.lying):
        state[c.CHOSEN + seat] = card or 0
    if view.seat is not None and view.phase == "choose":
        state[c.CHOSEN + view.seat] = view.chosen or 0
    for seat, taken in enumerate(view.heads):
        state[c.TAKEN + seat] = taken
    mark_seen(state, view.seen)
    for seat, cards in enumerate(view.hands):
        if cards:
            state[c.HANDS + 10 * seat : c.HANDS + 10 * seat + len(cards)] = bytes(sorted(cards))
    if len(state) != c.SIZE:
        raise ValueError("a hand is too long")
    return state


def _is_whole(view: View) -> bool:
    """Has each field by seat one entry a player, and do cards lie openly or face down only where they can?"""
    lengths = [len(field) for field in (view.lying, view.has_chosen, view.heads, view.hands)]
    lying, down = [card for card in view.lying if card is not None], list(view.has_chosen)
    if lengths != [view.players] * 4 or [flag for flag in down if flag is not True and flag is not False]:
        return False
    if view.phase == "take":
        return lying != [] and True not in down
    own = view.seat is None or down[view.seat] == (view.chosen is not None)
    return lying == [] and False in down and own  # the last choice shows all cards


class _First:
    """Draws that are all 0: they deal the lowest cards that are left."""

    def below(self, n: int) -> int:
        if n < 1:
            raise ValueError("too few cards are left")
        return 0


def size_of(state: bytearray) -> int:
    """Return how many cards each hand has: those not yet shown."""
    return 10 - state[c.TURN] - (state[c.PHASE] == c.TAKE)


def unseen(state: bytearray) -> bytearray:
    """Return the cards that are neither seen nor in a hand that is known, ascending."""
    known = bytes(state[c.HANDS :]) + bytes(seen_of(state))
    return bytearray([card for card in range(1, state[c.HIGHEST] + 1) if card not in known])


def deal_hidden(state: bytearray, hidden: "list[int]", deck: bytearray, stream: "Stream | _First") -> None:
    """Deal to the hidden hands, seat by seat, from the unseen cards, which are left in another order."""
    size, at = size_of(state), 0
    for seat in hidden:
        for i in range(at, at + size):
            j = i + stream.below(len(deck) - i)
            deck[i], deck[j] = deck[j], deck[i]
        hand = c.HANDS + 10 * seat
        state[hand : hand + size] = bytes(sorted(deck[at : at + size]))
        at += size
