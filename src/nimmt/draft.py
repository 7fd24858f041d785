"""The logic draft (V2): a round in phase DRAFT, `owes` is the seat that picks next, hands fill up."""

from .args import no_seat
from .core import layout as c
from .core.python import _valid_rules
from .errors import NimmtError
from .rules import Rules
from .state import DRAFT, flags_of, hand_of, pack
from .stream import Stream


def first_of(rules: Rules, players: int, seed: int, game: int) -> int:
    """Return the seat that picks first in the first round of a game; 0 if there is no draft."""
    first = rules.first_picker
    if not rules.draft:
        return 0
    if isinstance(first, str):
        return Stream(seed, game).below(players)
    return checked_first(first, players)


def checked_first(first: int, players: int) -> int:
    """Return a seat that can pick first, or raise NimmtError."""
    if not 0 <= first < players:
        raise NimmtError(f"{no_seat(first, players)}, so it cannot pick first (V2)")
    return first


def start(players: int, rules: Rules, first: int) -> bytearray:
    """Return a draft in which seat `first` picks first from the cards 1..10n+4."""
    return _laid_out(players, flags_of(rules), first)


def _laid_out(players: int, flags: int, owes: int) -> bytearray:
    state = pack(players, 10 * players + 4, flags, DRAFT, [])
    state[c.OWES] = owes
    return state


def pool(state: "bytes | bytearray") -> "list[int]":
    """Return the cards that lie open, ascending."""
    picked = bytes(state[c.HANDS :])
    return [card for card in range(1, state[c.HIGHEST] + 1) if card not in picked]


def pick(state: bytearray, seat: int, card: int) -> int:
    """Give a seat a card. Returns how many cards are left in the pool, or a code of the core."""
    if state[c.PHASE] != DRAFT:
        return c.E_PHASE
    if not 0 <= seat < state[c.PLAYERS]:
        return c.E_SEAT
    if seat != state[c.OWES]:
        return c.E_OWES
    if not 1 <= card <= state[c.HIGHEST]:
        return c.E_CARD
    left = pool(state)
    if card not in left:
        return c.E_HELD
    at, cards = c.HANDS + 10 * seat, sorted(hand_of(state, seat) + bytes((card,)))
    state[at : at + len(cards)] = bytes(cards)
    state[c.OWES] = (seat + 1) % state[c.PLAYERS]
    return len(left) - 1


def check(state: "bytes | bytearray", first: "int | None" = None) -> int:
    """Is this a draft that seat `first` (None: any seat) began? Takes any SIZE bytes. Returns 0 or E_STATE."""
    players, highest = state[c.PLAYERS], state[c.HIGHEST]
    if state[c.PHASE] != DRAFT or highest != 10 * players + 4 or state[c.OWES] >= players:
        return c.E_STATE
    if not _valid_rules(players, highest, state[c.FLAGS]) or state[c.FLAGS] & c.UNKNOWN_HANDS:
        return c.E_STATE
    hands = [hand_of(state, seat) for seat in range(players)]
    picks = sum([len(cards) for cards in hands])
    began = (state[c.OWES] - picks) % players
    rebuilt = _laid_out(players, state[c.FLAGS], state[c.OWES])
    for seat in range(players):
        count = (picks + players - 1 - (seat - began) % players) // players
        cards = sorted(set(hands[seat]))
        if len(cards) != count or cards and cards[-1] > highest:
            return c.E_STATE
        rebuilt[c.HANDS + 10 * seat : c.HANDS + 10 * seat + count] = bytes(cards)
    different = len({card for cards in hands for card in cards}) == picks < 10 * players
    good = different and bytes(rebuilt) == bytes(state) and first in (None, began)
    return 0 if good else c.E_STATE
