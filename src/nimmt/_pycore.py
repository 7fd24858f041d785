"""The core in Python: the rules on the bytes of a round.

The header csrc/nimmt.h says what each function promises; this is the same over a bytearray of SIZE bytes, for machines
without a compiler and for MicroPython. Functions return ints, never raise for a rule, and check everything
before they write anything. Code above the seam (moves.py) turns codes into exceptions.

Here are the moves; _pydeal.py, _pycheck.py and _pypolicy.py have the rest.
"""

from .cards import CARDS, HEADS

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from ._pycheck import check as check
    from ._pycheck import setup as setup
    from ._pydeal import deal as deal
    from ._pypolicy import playout as playout
    from ._pypolicy import policy_card as policy_card
    from ._pypolicy import policy_row as policy_row

# Where things are in the bytes of a round.
PLAYERS, HIGHEST, FLAGS, PHASE, TURN, OWES, ALLOWED, LENGTH, ROWS = 0, 1, 2, 3, 4, 5, 6, 7, 11
CHOSEN, TAKEN, SEEN, HANDS, SIZE = 31, 41, 51, 64, 164
PLACED = 9  # bytes of a placement: seat, card, row, side, five cards taken

PROFESSIONAL, TIE_RIGHT, TIE_LEFT, CHEAPEST_FEWEST, CHEAPEST_MOST, UNKNOWN_HANDS = 1, 2, 4, 8, 16, 32
CHOOSE, TAKE, OVER = 0, 1, 2
TOOK, RIGHT, LEFT = 0, 1, 2
E_PHASE, E_SEAT, E_CARD, E_HELD, E_SAME, E_MISSING = -1, -2, -3, -4, -5, -6
E_OWES, E_ROW, E_STATE, E_POLICY, E_NOTHING = -7, -8, -9, -10, -11

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


# The other parts of the core, each loaded when it is first asked for: a small board has room for what it uses

_PARTS = ("_pydeal deal", "_pycheck check setup", "_pypolicy policy_card policy_row playout")


def __getattr__(name: str) -> object:
    for part in _PARTS:
        words = part.split(" ")
        if name in words[1:]:
            return getattr(__import__("nimmt." + words[0], None, None, (name,)), name)
    raise AttributeError(f"the core has no {name}")
