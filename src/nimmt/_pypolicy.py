"""The core in Python: the built-in policies, and a round played to its end by them."""

from ._pycore import (
    _ALL_ROWS,
    ALLOWED,
    CHOOSE,
    CHOSEN,
    E_PHASE,
    E_POLICY,
    E_SEAT,
    FLAGS,
    HANDS,
    LENGTH,
    OVER,
    OWES,
    PHASE,
    PLAYERS,
    TAKE,
    TURN,
    UNKNOWN_HANDS,
    _distance,
    cheapest,
    resolve,
    rows_for,
    take,
)
from .cards import CARDS
from .stream import Stream

RANDOM, LOWEST, HIGHEST_CARD, NEAREST, RANDOM_ROWS, POLICIES = 0, 1, 2, 3, 4, 5


def _nearest(r: bytearray, hand: bytes) -> int:
    best, best_distance = hand[0], CARDS
    for card in hand:
        mask = rows_for(r, card)
        if mask == _ALL_ROWS:
            continue
        row = cheapest(r, card, mask)
        d = _distance(r, row, card)
        if r[LENGTH + row] < 5 and d < best_distance:
            best, best_distance = card, d
    return best


def policy_card(r: bytearray, seat: int, policy: int, stream: Stream) -> int:
    if r[PHASE] != CHOOSE:
        return E_PHASE
    if not 0 <= seat < r[PLAYERS]:
        return E_SEAT
    if not 0 <= policy < POLICIES or r[FLAGS] & UNKNOWN_HANDS:
        return E_POLICY
    at, size = HANDS + 10 * seat, 10 - r[TURN]
    if policy == LOWEST:
        return r[at]
    if policy == HIGHEST_CARD:
        return r[at + size - 1]
    if policy == NEAREST:
        return _nearest(r, bytes(r[at : at + size]))
    return r[at + stream.below(size)]


def policy_row(r: bytearray, policy: int, stream: Stream) -> int:
    if r[PHASE] != TAKE or not r[ALLOWED]:
        return E_PHASE
    if not 0 <= policy < POLICIES:
        return E_POLICY
    if policy != RANDOM_ROWS:
        return cheapest(r, r[CHOSEN + r[OWES]], r[ALLOWED])
    rows = [row for row in range(4) if r[ALLOWED] >> row & 1]
    return rows[stream.below(len(rows))]


def playout(r: bytearray, policies: bytes, stream: Stream) -> int:
    for seat in range(r[PLAYERS]):
        if policies[seat] >= POLICIES or r[FLAGS] & UNKNOWN_HANDS:
            return E_POLICY
    while r[PHASE] != OVER:
        if r[PHASE] == TAKE:
            take(r, r[OWES], policy_row(r, policies[r[OWES]], stream), None)
            continue
        for seat in range(r[PLAYERS]):
            if not r[CHOSEN + seat]:
                r[CHOSEN + seat] = policy_card(r, seat, policies[seat], stream)
        resolve(r, None)
    return 0
