# nimmt 0.1.0, an engine for the card game 6 nimmt! (MIT license); this file was made by: nimmt board Stream core.deal core.choose core.withdraw core.resolve core.play core.take core.rows_for core.cheapest
from array import array

class NimmtError(ValueError):
    pass
_HUGE = 1 << 256

def as_int(value, what):
    if type(value) is int and -_HUGE < value < _HUGE:
        return value
    number = None
    if not isinstance(value, bool) and type(value).__name__ not in ('bool_', 'bool'):
        try:
            number = value if isinstance(value, int) else value.__index__()
            number = 0 + number if isinstance(number, int) else None
        except (AttributeError, TypeError):
            number = None
    if number is not None:
        return max(-_HUGE, min(number, _HUGE))
    raise TypeError(f'{what} must be an integer, not {type(value).__name__}')

def in_range(value, what, low, high):
    number = as_int(value, what)
    if not low <= number <= high:
        raise NimmtError(f'{what} must be {low}..{high}, not {number}')
    return number

def checked_word(value, what, bits=64):
    number = as_int(value, what)
    if not 0 <= number < 1 << bits:
        raise NimmtError(f'{what} must be 0..2**{bits}-1, not {number}')
    return number
HEADS = bytes((0 if c == 0 else 7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(104 + 1)))

def _write(buffer, at, values):
    for value in values:
        buffer[at] = value
        at += 1

def _distance(r, row, card):
    at = 11 + 5 * row
    last = r[at + r[7 + row] - 1]
    if card > last:
        return card - last
    return r[at] - card if r[2] & 1 and card < r[at] else 0

def rows_for(r, card):
    mask, best, tie = (0, 104, r[2] & 6)
    for row in range(4):
        d = _distance(r, row, card)
        if d == 0 or d > best:
            continue
        if d < best or tie == (4 if card < r[11 + 5 * row] else 2):
            mask = 1 << row
        elif not tie:
            mask |= 1 << row
        best = d
    return mask or 15

def _heads_of(r, row):
    at, heads = (11 + 5 * row, 0)
    for card in r[at:at + r[7 + row]]:
        heads += HEADS[card]
    return heads

def cheapest(r, card, mask):
    best = (1000, 0, 0)
    for row in range(4):
        if not mask >> row & 1:
            continue
        fits, rank, n = (_distance(r, row, card), 0, r[7 + row])
        cost = 0 if fits and n < 5 else _heads_of(r, row)
        if fits:
            rank = 1 if card < r[11 + 5 * row] else 0
        elif r[2] & 24:
            rank = n if r[2] & 8 else -n
        best = min(best, (cost, rank, row))
    return best[2]

def _place(r, seat, row, log, at):
    card, n, cards = (r[31 + seat], r[7 + row], 11 + 5 * row)
    fits = _distance(r, row, card)
    side = 0 if not fits else 1 if card > r[cards + n - 1] else 2
    takes = not fits or n == 5
    if log is not None:
        _write(log, at, bytes((seat, card, row, side)))
        _write(log, at + 4, bytes(r[cards:cards + 5]) if takes else bytes(5))
    if takes:
        r[41 + seat] += _heads_of(r, row)
        _write(r, cards, bytes(5))
        n = 0
    i = n
    if side == 2:
        while i:
            r[cards + i] = r[cards + i - 1]
            i -= 1
    r[cards + i] = card
    r[7 + row] = n + 1
    r[31 + seat] = 0

def _lowest_lying(r):
    found = -1
    for seat in range(r[0]):
        if r[31 + seat] and (found < 0 or r[31 + seat] < r[31 + found]):
            found = seat
    return found

def _settle(r, log, count):
    while True:
        seat = _lowest_lying(r)
        if seat < 0:
            break
        mask = rows_for(r, r[31 + seat])
        if mask & mask - 1:
            r[5] = seat
            r[6] = mask
            return count
        _place(r, seat, (0, 0, 1, 0, 2, 0, 0, 0, 3)[mask], log, 9 * count)
        count += 1
    r[4] += 1
    r[3] = 2 if r[4] == 10 else 0
    return count

def _has(cards, at, card):
    return cards[at + (card - 1 >> 3)] >> (card - 1 & 7) & 1

def _add(cards, at, card):
    cards[at + (card - 1 >> 3)] |= 1 << (card - 1 & 7)

def _holds(r, seat, card):
    if not 1 <= card <= r[1]:
        return -3
    if r[2] & 32:
        return -4 if _has(r, 51, card) else 0
    at = 64 + 10 * seat
    return 0 if card in bytes(r[at:at + 10]) else -4

def _show(r, seat):
    card, at = (r[31 + seat], 64 + 10 * seat)
    _add(r, 51, card)
    _write(r, at, bytes([c for c in r[at:at + 10] if c != card] + [0])[:10])

def choose(r, seat, card):
    if r[3] != 0:
        return -1
    if not 0 <= seat < r[0]:
        return -2
    error = _holds(r, seat, card)
    if error:
        return error
    if r[31 + seat] == card:
        return -5
    if card in bytes(r[31:41]):
        return -4
    r[31 + seat] = card
    return 0

def withdraw(r, seat):
    if r[3] != 0:
        return -1
    if not 0 <= seat < r[0]:
        return -2
    if not r[31 + seat]:
        return -11
    r[31 + seat] = 0
    return 0

def resolve(r, log):
    if r[3] > 1 or r[6]:
        return -1
    if r[3] == 0:
        for seat in range(r[0]):
            if not r[31 + seat]:
                return -6
        for seat in range(r[0]):
            _show(r, seat)
        r[3] = 1
    return _settle(r, log, 0)

def play(r, cards, log):
    if r[3] != 0:
        return -1
    for seat in range(r[0]):
        error = _holds(r, seat, cards[seat])
        if error:
            return error
        if cards[seat] in cards[:seat]:
            return -4
    for seat in range(r[0]):
        r[31 + seat] = cards[seat]
    return resolve(r, log)

def take(r, seat, row, log):
    if r[3] != 1:
        return -1
    if not 0 <= seat < r[0]:
        return -2
    if not r[6] or seat != r[5]:
        return -7
    if not 0 <= row < 4 or not r[6] >> row & 1:
        return -8
    r[5] = r[6] = 0
    _place(r, seat, row, log, 0)
    return _settle(r, log, 1)

def _valid_rules(players, highest, flags):
    if not (2 <= players <= 10 and 10 * players + 4 <= highest <= 104 and (0 <= flags < 2 * 32)):
        return False
    return flags & 6 != 6 and flags & 24 != 24

def _lay_out(r, players, highest, flags, open, hands):
    for at in range(164):
        r[at] = 0
    r[0], r[1], r[2] = (players, highest, flags)
    for row in range(4):
        r[7 + row] = 1
        r[11 + 5 * row] = open[row]
        _add(r, 51, open[row])
    for at in range(0, len(hands), 10):
        _write(r, 64 + at, bytes(sorted(hands[at:at + 10])))
    return 0

def deal(r, players, highest, flags, stream):
    if not _valid_rules(players, highest, flags) or flags & 32:
        return -9
    deck = bytearray(range(1, highest + 1))
    for i in range(10 * players + 4):
        j = i + stream.below(highest - i)
        deck[i], deck[j] = (deck[j], deck[i])
    dealt = 10 * players
    return _lay_out(r, players, highest, flags, bytes(deck[dealt:dealt + 4]), bytes(deck[:dealt]))
_MASK = 4294967295
_ROTATE = (10, 26, 11, 21, 13, 27, 23, 5, 6, 20, 17, 11, 25, 10, 18, 20)

def threefry(counter, key):
    k = key + (466688986 ^ key[0] ^ key[1] ^ key[2] ^ key[3],)
    a, b, c, d = [counter[i] + k[i] & _MASK for i in range(4)]
    for i in range(20):
        left, right = (_ROTATE[2 * (i & 7)], _ROTATE[2 * (i & 7) + 1])
        a = a + b & _MASK
        c = c + d & _MASK
        b = (b << left | b >> 32 - left) & _MASK ^ a
        d = (d << right | d >> 32 - right) & _MASK ^ c
        b, d = (d, b)
        if i & 3 == 3:
            j = i // 4 + 1
            a = a + k[j % 5] & _MASK
            b = b + k[(j + 1) % 5] & _MASK
            c = c + k[(j + 2) % 5] & _MASK
            d = d + k[(j + 3) % 5] + j & _MASK
    return (a, b, c, d)

class Stream:

    def __init__(self, seed, game=0, round=0, use=0):
        seed, game = (checked_word(seed, 'seed'), checked_word(game, 'game'))
        round, use = (checked_word(round, 'round', 32), checked_word(use, 'use', 32))
        words = threefry((game & _MASK, game >> 32, round, use), (seed & _MASK, seed >> 32, 0, 0))
        self.state = array('I', words if any(words) else (1, 0, 0, 0))

    def next(self):
        s = self.state
        s0, s1, s2, s3 = (s[0], s[1], s[2], s[3])
        x = s0 + s3 & _MASK
        result = (x << 7 | x >> 25) + s0 & _MASK
        s2 ^= s0
        s3 ^= s1
        s[1] = s1 ^ s2
        s[0] = s0 ^ s3
        s[2] = s2 ^ s1 << 9 & _MASK
        s[3] = (s3 << 11 | s3 >> 21) & _MASK
        return result

    def below(self, n):
        if type(n) is not int or not 0 < n < 65536:
            n = in_range(n, 'n', 1, 65535)
        while True:
            m = self.next() * n
            if m & _MASK >= n or m & _MASK >= 4294967296 % n:
                return m >> 32
