"""The core in Python: a round of cards that are given, and of any bytes."""

from ._pycore import (
    ALLOWED,
    CHOSEN,
    E_STATE,
    FLAGS,
    HANDS,
    HIGHEST,
    LENGTH,
    OVER,
    OWES,
    PHASE,
    PLAYERS,
    ROWS,
    SEEN,
    TAKE,
    TAKEN,
    TURN,
    UNKNOWN_HANDS,
    _add,
    _has,
    _holds,
    _lowest_lying,
    rows_for,
)
from ._pydeal import _lay_out, _valid_rules
from .cards import CARDS, HEADS

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from ._pydeal import Cards


def _add_new(cards: bytearray, card: int, highest: int) -> bool:
    if not 1 <= card <= highest or _has(cards, 0, card):
        return False
    _add(cards, 0, card)
    return True


def setup(
    r: bytearray,
    players: int,
    highest: int,
    flags: int,
    open: "Cards",
    hands: "Cards | None",
) -> int:
    flags = flags | UNKNOWN_HANDS if hands is None else flags & ~UNKNOWN_HANDS
    hands = hands or b""
    if not _valid_rules(players, highest, flags):
        return E_STATE
    used = bytearray(13)
    for cards in (open, hands):
        for card in cards:
            if not _add_new(used, card, highest):
                return E_STATE
    return _lay_out(r, players, highest, flags, open, hands)


def _check_rows(r: bytearray, table: bytearray) -> bool:
    for row in range(4):
        n, before = r[LENGTH + row], 0
        if not 1 <= n <= 5:
            return False
        for i in range(5):
            card = r[ROWS + 5 * row + i]
            if i >= n:
                if card:
                    return False
            elif card <= before or not _add_new(table, card, r[HIGHEST]) or not _has(r, SEEN, card):
                return False
            before = card
    return True


def _check_chosen(r: bytearray, table: bytearray) -> bool:
    for seat in range(10):
        card = r[CHOSEN + seat]
        if card == 0:
            continue
        if seat >= r[PLAYERS] or r[PHASE] == OVER or not _add_new(table, card, r[HIGHEST]):
            return False
        if not _has(r, SEEN, card) if r[PHASE] == TAKE else _holds(r, seat, card):
            return False
    if r[PHASE] != TAKE:
        return r[OWES] == 0 and r[ALLOWED] == 0
    seat = _lowest_lying(r)
    mask = r[ALLOWED]
    return seat == r[OWES] and mask == rows_for(r, r[CHOSEN + seat]) and mask & (mask - 1) != 0


def _check_hands(r: bytearray, used: bytearray) -> bool:
    size = 10 - r[TURN] - (r[PHASE] == TAKE)
    for seat in range(10):
        held, before = (size if seat < r[PLAYERS] and not r[FLAGS] & UNKNOWN_HANDS else 0), 0
        for i in range(10):
            card = r[HANDS + 10 * seat + i]
            if i >= held:
                if card:
                    return False
            elif card <= before or not _add_new(used, card, r[HIGHEST]):
                return False
            before = card
    return True


def _check_gone(r: bytearray, table: bytearray) -> bool:
    gone, unseen = 0, 0
    for card in range(1, CARDS + 1):
        if not _has(r, SEEN, card):
            unseen += card <= r[HIGHEST]
        elif card > r[HIGHEST]:
            return False
        elif not _has(table, 0, card):
            gone += HEADS[card]
    if sum(bytes(r[TAKEN + r[PLAYERS] : SEEN])):
        return False
    return gone == sum(bytes(r[TAKEN:SEEN])) and unseen >= r[PLAYERS] * (10 - r[TURN] - (r[PHASE] == TAKE))


def check(r: bytearray) -> int:
    if not _valid_rules(r[PLAYERS], r[HIGHEST], r[FLAGS]) or r[PHASE] > OVER:
        return E_STATE
    if r[TURN] != 10 if r[PHASE] == OVER else r[TURN] >= 10:
        return E_STATE
    table, used = bytearray(13), bytearray(r[SEEN:HANDS])
    good = _check_rows(r, table) and _check_chosen(r, table) and _check_hands(r, used) and _check_gone(r, table)
    return 0 if good else E_STATE
