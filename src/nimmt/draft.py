"""The logic draft (V2) on the bytes of a round: phase DRAFT, `owes` is the seat that picks next, hands fill up."""

from ._pycore import (
    E_CARD,
    E_HELD,
    E_OWES,
    E_PHASE,
    E_SEAT,
    E_STATE,
    FLAGS,
    HANDS,
    HIGHEST,
    OWES,
    PHASE,
    PLAYERS,
    SIZE,
    UNKNOWN_HANDS,
)
from ._pydeal import _valid_rules
from .errors import NimmtError
from .layout import DRAFT, flags_of, hand_of
from .rules import Rules
from .stream import Stream

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .game import Game


def first_of(game: "Game") -> int:
    """Return the seat that picks first in the first round of a game."""
    first = game.rules.first_picker
    if isinstance(first, str):
        return Stream(game.seed, game.game).below(game.players)
    if first >= game.players:
        raise NimmtError(f"there is no seat {first} to pick first: seats are 0..{game.players - 1} (V2)")
    return first


def start(players: int, rules: Rules, first: int) -> bytearray:
    """Return a draft in which seat `first` picks first from the cards 1..10n+4."""
    return _laid_out(players, flags_of(rules), first)


def _laid_out(players: int, flags: int, owes: int) -> bytearray:
    state, highest = bytearray(SIZE), 10 * players + 4
    state[PLAYERS], state[HIGHEST], state[FLAGS], state[PHASE], state[OWES] = players, highest, flags, DRAFT, owes
    return state


def pool(state: "bytes | bytearray") -> "list[int]":
    """Return the cards that lie open, ascending."""
    picked = bytes(state[HANDS:])
    return [card for card in range(1, state[HIGHEST] + 1) if card not in picked]


def pick(state: bytearray, seat: int, card: int) -> int:
    """Give a seat a card. Returns how many cards are left in the pool, or a code of the core."""
    if state[PHASE] != DRAFT:
        return E_PHASE
    if not 0 <= seat < state[PLAYERS]:
        return E_SEAT
    if seat != state[OWES]:
        return E_OWES
    if not 1 <= card <= state[HIGHEST]:
        return E_CARD
    left = pool(state)
    if card not in left:
        return E_HELD
    at, cards = HANDS + 10 * seat, sorted(hand_of(state, seat) + bytes((card,)))
    state[at : at + len(cards)] = bytes(cards)
    state[OWES] = (seat + 1) % state[PLAYERS]
    return len(left) - 1


def check(state: "bytes | bytearray", first: "int | None" = None) -> int:
    """Is this a draft that seat `first` (None: any seat) began? Takes any SIZE bytes. Returns 0 or E_STATE."""
    players, highest = state[PLAYERS], state[HIGHEST]
    if state[PHASE] != DRAFT or highest != 10 * players + 4 or state[OWES] >= players:
        return E_STATE
    if not _valid_rules(players, highest, state[FLAGS]) or state[FLAGS] & UNKNOWN_HANDS:
        return E_STATE
    hands = [hand_of(state, seat) for seat in range(players)]
    picks = sum([len(cards) for cards in hands])
    began = (state[OWES] - picks) % players
    rebuilt = _laid_out(players, state[FLAGS], state[OWES])
    for seat in range(players):
        count = (picks + players - 1 - (seat - began) % players) // players
        cards = sorted(set(hands[seat]))
        if len(cards) != count or cards and cards[-1] > highest:
            return E_STATE
        rebuilt[HANDS + 10 * seat : HANDS + 10 * seat + count] = bytes(cards)
    different = len({card for cards in hands for card in cards}) == picks < 10 * players
    good = different and bytes(rebuilt) == bytes(state) and first in (None, began)
    return 0 if good else E_STATE
