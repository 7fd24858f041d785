"""The core in Python: the rules on the bytes of a round, for machines without a compiler and for MicroPython.

csrc/nimmt.h says what each function promises; this is csrc/nimmt.c over a bytearray of SIZE bytes, in the same order
and with the same names. Functions return ints, never raise for a rule, and check everything before they write anything.
Code above the seam (table.py) turns codes into exceptions. A stream is nimmt.Stream, or anything with below(n).
"""

from ..port import Any
from .layout import (
    ALLOWED,
    CARDS,
    CHEAPEST_FEWEST,
    CHEAPEST_MOST,
    CHOOSE,
    CHOSEN,
    E_CARD,
    E_HELD,
    E_MISSING,
    E_NOTHING,
    E_OWES,
    E_PHASE,
    E_POLICY,
    E_ROW,
    E_SAME,
    E_SEAT,
    E_STATE,
    FLAGS,
    HANDS,
    HEADS,
    HIGHEST,
    HIGHEST_CARD,
    LEFT,
    LENGTH,
    LOWEST,
    NEAREST,
    OVER,
    OWES,
    PHASE,
    PLACED,
    PLAYERS,
    POLICIES,
    PROFESSIONAL,
    RANDOM_ROWS,
    RIGHT,
    ROWS,
    SEEN,
    SIZE,
    TAKE,
    TAKEN,
    TIE_LEFT,
    TIE_RIGHT,
    TOOK,
    TURN,
    UNKNOWN_HANDS,
)

_TIE, _CHEAPEST, _ALL_ROWS = TIE_RIGHT | TIE_LEFT, CHEAPEST_FEWEST | CHEAPEST_MOST, 15


def bind(state: bytearray) -> bytearray:
    """What the functions here take for a round: the bytearray itself. The C core makes a pointer of it."""
    return state


bind_log = bind


def _write(buffer: bytearray, at: int, values: bytes) -> None:
    """Assign to a slice; the smallest boards cannot."""
    for value in values:
        buffer[at] = value
        at += 1


# Where a card goes


def _distance(r: bytearray, row: int, card: int) -> int:
    at = ROWS + 5 * row
    last = r[at + r[LENGTH + row] - 1]
    if card > last:
        return card - last
    return r[at] - card if r[FLAGS] & PROFESSIONAL and card < r[at] else 0


def rows_for(r: bytearray, card: int) -> int:
    mask, best, tie = 0, CARDS, r[FLAGS] & _TIE
    for row in range(4):
        d = _distance(r, row, card)
        if d == 0 or d > best:
            continue
        if d < best or tie == (TIE_LEFT if card < r[ROWS + 5 * row] else TIE_RIGHT):
            mask = 1 << row
        elif not tie:
            mask |= 1 << row
        best = d
    return mask or _ALL_ROWS


def _heads_of(r: bytearray, row: int) -> int:
    at, heads = ROWS + 5 * row, 0
    for card in r[at : at + r[LENGTH + row]]:  # no comprehension: it calls, and a board's stack is short
        heads += HEADS[card]
    return heads


def cheapest(r: bytearray, card: int, mask: int) -> int:
    best = (1000, 0, 0)
    for row in range(4):
        if not mask >> row & 1:
            continue
        fits, rank, n = _distance(r, row, card), 0, r[LENGTH + row]
        cost = 0 if fits and n < 5 else _heads_of(r, row)
        if fits:
            rank = 1 if card < r[ROWS + 5 * row] else 0
        elif r[FLAGS] & _CHEAPEST:
            rank = n if r[FLAGS] & CHEAPEST_FEWEST else -n
        best = min(best, (cost, rank, row))
    return best[2]


# Placing


def _place(r: bytearray, seat: int, row: int, log: "bytearray | None", at: int) -> None:
    card, n, cards = r[CHOSEN + seat], r[LENGTH + row], ROWS + 5 * row
    fits = _distance(r, row, card)
    side = TOOK if not fits else RIGHT if card > r[cards + n - 1] else LEFT
    takes = not fits or n == 5
    if log is not None:
        _write(log, at, bytes((seat, card, row, side)))
        _write(log, at + 4, bytes(r[cards : cards + 5]) if takes else bytes(5))
    if takes:
        r[TAKEN + seat] += _heads_of(r, row)
        _write(r, cards, bytes(5))
        n = 0
    i = n
    if side == LEFT:
        while i:
            r[cards + i] = r[cards + i - 1]
            i -= 1
    r[cards + i] = card
    r[LENGTH + row] = n + 1
    r[CHOSEN + seat] = 0


def _lowest_lying(r: bytearray) -> int:
    found = -1
    for seat in range(r[PLAYERS]):
        if r[CHOSEN + seat] and (found < 0 or r[CHOSEN + seat] < r[CHOSEN + found]):
            found = seat
    return found


def _settle(r: bytearray, log: "bytearray | None", count: int) -> int:
    while True:
        seat = _lowest_lying(r)
        if seat < 0:
            break
        mask = rows_for(r, r[CHOSEN + seat])
        if mask & (mask - 1):
            r[OWES] = seat
            r[ALLOWED] = mask
            return count
        _place(r, seat, (0, 0, 1, 0, 2, 0, 0, 0, 3)[mask], log, PLACED * count)
        count += 1
    r[TURN] += 1
    r[PHASE] = OVER if r[TURN] == 10 else CHOOSE
    return count


# Cards in hands and cards seen


def _has(cards: "bytes | bytearray", at: int, card: int) -> int:
    return cards[at + (card - 1 >> 3)] >> (card - 1 & 7) & 1


def _add(cards: bytearray, at: int, card: int) -> None:
    cards[at + (card - 1 >> 3)] |= 1 << (card - 1 & 7)


def _holds(r: bytearray, seat: int, card: int) -> int:
    if not 1 <= card <= r[HIGHEST]:
        return E_CARD
    if r[FLAGS] & UNKNOWN_HANDS:
        return E_HELD if _has(r, SEEN, card) else 0
    at = HANDS + 10 * seat
    return 0 if card in bytes(r[at : at + 10]) else E_HELD


def _show(r: bytearray, seat: int) -> None:
    card, at = r[CHOSEN + seat], HANDS + 10 * seat
    _add(r, SEEN, card)
    _write(r, at, bytes([c for c in r[at : at + 10] if c != card] + [0])[:10])


# Moves


def choose(r: bytearray, seat: int, card: int) -> int:
    if r[PHASE] != CHOOSE:
        return E_PHASE
    if not 0 <= seat < r[PLAYERS]:
        return E_SEAT
    error = _holds(r, seat, card)
    if error:
        return error
    if r[CHOSEN + seat] == card:
        return E_SAME
    if card in bytes(r[CHOSEN:TAKEN]):
        return E_HELD
    r[CHOSEN + seat] = card
    return 0


def withdraw(r: bytearray, seat: int) -> int:
    if r[PHASE] != CHOOSE:
        return E_PHASE
    if not 0 <= seat < r[PLAYERS]:
        return E_SEAT
    if not r[CHOSEN + seat]:
        return E_NOTHING
    r[CHOSEN + seat] = 0
    return 0


def resolve(r: bytearray, log: "bytearray | None") -> int:
    if r[PHASE] > TAKE or r[ALLOWED]:
        return E_PHASE
    if r[PHASE] == CHOOSE:
        for seat in range(r[PLAYERS]):
            if not r[CHOSEN + seat]:
                return E_MISSING
        for seat in range(r[PLAYERS]):
            _show(r, seat)
        r[PHASE] = TAKE
    return _settle(r, log, 0)


def play(r: bytearray, cards: bytes, log: "bytearray | None") -> int:
    if r[PHASE] != CHOOSE:
        return E_PHASE
    for seat in range(r[PLAYERS]):
        error = _holds(r, seat, cards[seat])
        if error:
            return error
        if cards[seat] in cards[:seat]:
            return E_HELD
    for seat in range(r[PLAYERS]):
        r[CHOSEN + seat] = cards[seat]
    return resolve(r, log)


def take(r: bytearray, seat: int, row: int, log: "bytearray | None") -> int:
    if r[PHASE] != TAKE:
        return E_PHASE
    if not 0 <= seat < r[PLAYERS]:
        return E_SEAT
    if not r[ALLOWED] or seat != r[OWES]:
        return E_OWES
    if not 0 <= row < 4 or not r[ALLOWED] >> row & 1:
        return E_ROW
    r[OWES] = r[ALLOWED] = 0
    _place(r, seat, row, log, 0)
    return _settle(r, log, 1)


# Rounds of cards that are dealt or given, and of any bytes


def _valid_rules(players: int, highest: int, flags: int) -> bool:
    if not (2 <= players <= 10 and 10 * players + 4 <= highest <= CARDS and 0 <= flags < 2 * UNKNOWN_HANDS):
        return False
    return flags & _TIE != _TIE and flags & _CHEAPEST != _CHEAPEST


def _lay_out(r: bytearray, players: int, highest: int, flags: int, open: bytes, hands: bytes) -> int:
    """Write a new round of cards that were checked; hands that are not given are unknown."""
    for at in range(SIZE):
        r[at] = 0
    r[PLAYERS], r[HIGHEST], r[FLAGS] = players, highest, flags
    for row in range(4):
        r[LENGTH + row] = 1
        r[ROWS + 5 * row] = open[row]
        _add(r, SEEN, open[row])
    for at in range(0, len(hands), 10):
        _write(r, HANDS + at, bytes(sorted(hands[at : at + 10])))
    return 0


def _add_new(cards: bytearray, card: int, highest: int) -> bool:
    if not 1 <= card <= highest or _has(cards, 0, card):
        return False
    _add(cards, 0, card)
    return True


def setup(r: bytearray, players: int, highest: int, flags: int, open: bytes, hands: "bytes | None") -> int:
    flags, hands = (flags | UNKNOWN_HANDS, b"") if hands is None else (flags & ~UNKNOWN_HANDS, hands)
    if not _valid_rules(players, highest, flags):
        return E_STATE
    used = bytearray(13)
    for card in bytes(open) + bytes(hands):
        if not _add_new(used, card, highest):
            return E_STATE
    return _lay_out(r, players, highest, flags, open, hands)


def deal(r: bytearray, players: int, highest: int, flags: int, stream: Any) -> int:
    if not _valid_rules(players, highest, flags) or flags & UNKNOWN_HANDS:
        return E_STATE
    deck = bytearray(range(1, highest + 1))
    for i in range(10 * players + 4):
        j = i + stream.below(highest - i)
        deck[i], deck[j] = deck[j], deck[i]
    dealt = 10 * players
    return _lay_out(r, players, highest, flags, bytes(deck[dealt : dealt + 4]), bytes(deck[:dealt]))


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


# The built-in policies


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


def policy_card(r: bytearray, seat: int, policy: int, stream: Any) -> int:
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
    drawn: int = stream.below(size)
    return r[at + drawn]


def policy_row(r: bytearray, policy: int, stream: Any) -> int:
    if r[PHASE] != TAKE or not r[ALLOWED]:
        return E_PHASE
    if not 0 <= policy < POLICIES:
        return E_POLICY
    if policy != RANDOM_ROWS:
        return cheapest(r, r[CHOSEN + r[OWES]], r[ALLOWED])
    rows = [row for row in range(4) if r[ALLOWED] >> row & 1]
    drawn: int = stream.below(len(rows))
    return rows[drawn]


def playout(r: bytearray, policies: bytes, stream: Any) -> int:
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
