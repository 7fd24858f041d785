# nimmt 0.1.0, an engine for the card game 6 nimmt! (MIT license); this file was made by: nimmt board Session
from array import array
from collections import namedtuple
import json
__version__ = '0.1.0'

class NimmtError(ValueError):
    pass

class IllegalMove(NimmtError):
    pass

class WrongPhase(NimmtError):
    pass

class BadRecord(NimmtError):
    pass
try:
    from binascii import crc32
except ImportError:

    def crc32(data, crc=0):
        crc ^= 4294967295
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ (3988292384 if crc & 1 else 0)
        return crc ^ 4294967295
try:
    from os import urandom
except ImportError:

    def urandom(size):
        return None
_FIELDS = {}

def NamedTuple(name, fields):
    if isinstance(fields, list):
        fields = tuple([field for field, _ in fields])
    _FIELDS[name] = fields
    return namedtuple(name, fields)

def fields_of(kind):
    found = _FIELDS[(kind if isinstance(kind, type) else type(kind)).__name__]
    return found
_HUGE = 1 << 256

def quoted(text):
    quote = '"' if "'" in text and '"' not in text else "'"
    shown = [_shown(ch, quote) for ch in text[:100]]
    return quote + ''.join(shown) + quote + ('...' if len(text) > 100 else '')

def _shown(ch, quote):
    code = ord(ch)
    if ch == quote or ch == '\\':
        return '\\' + ch
    if ch in '\n\r\t':
        return {'\n': '\\n', '\r': '\\r', '\t': '\\t'}[ch]
    if code < 32 or 126 < code < 161:
        return f'\\x{code:02x}'
    return f'\\u{code:04x}' if _invisible(code) else ch

def _invisible(code):
    marks = 8203 <= code <= 8207 or 8232 <= code <= 8238 or code == 65279
    return marks or 55295 < code < 57344 or (code != 32 and _is_space(code))

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

def checked_seed(seed):
    if seed is not None:
        return checked_word(seed, 'seed')
    entropy = urandom(8)
    if entropy is None:
        raise NimmtError('this machine does not have a source of entropy: give a seed')
    return int.from_bytes(entropy, 'little')

def as_bytes(data, what):
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f'{what} is bytes, not {type(data).__name__}')
    return bytes(data)

def listed(values, what):
    if isinstance(values, (str, dict, set, frozenset)):
        raise TypeError(f'{what} must be a sequence, not {type(values).__name__}')
    try:
        return list(values)
    except TypeError:
        raise TypeError(f'{what} must be a sequence, not {type(values).__name__}') from None

def by_seat(values, what, each):
    if hasattr(values, 'items'):
        pairs = [(key, values[key]) for key in values]
    else:
        pairs = list(enumerate(listed(values, what)))
    numbers = {}
    for key, value in pairs:
        seat = as_int(key, 'seat')
        if not 0 <= seat < 10:
            raise IllegalMove(f'{no_seat(seat, 10)} (R1)')
        numbers[seat] = as_int(value, f'the {each} of seat {seat}')
    return numbers

def no_seat(seat, players):
    return f'there is no seat {seat}: seats are 0..{players - 1}'

def no_card(card, highest):
    return f'there is no card {card}: the deck is 1..{highest} (R1, V1)'

def checked_seat(seat, players):
    number = as_int(seat, 'seat')
    if not 0 <= number < players:
        raise IllegalMove(no_seat(number, players))
    return number

def checked_card(seat, card, highest):
    number = as_int(card, 'card')
    if not 1 <= number <= highest:
        raise IllegalMove(f'seat {seat}: {no_card(number, highest)}')
    return number

def one_each(cards, players, highest):
    wanted = cards if isinstance(cards, dict) else by_seat(cards, 'cards', 'card')
    for seat in wanted:
        checked_card(checked_seat(seat, players), wanted[seat], highest)
    missing = [seat for seat in range(players) if seat not in wanted]
    if missing:
        raise IllegalMove(f'seat {missing[0]} has no card: every seat plays one (R4)')
    return [wanted[seat] for seat in range(players)]

def checked_rows(rows, highest=104):
    table = [[as_int(card, 'card') for card in listed(row, 'a row')] for row in listed(rows, 'rows')]
    if len(table) != 4:
        raise NimmtError(f'there are four rows, not {len(table)} (R3)')
    for number, row in enumerate(table):
        if not 1 <= len(row) <= 5:
            raise NimmtError(f'row {number} has {len(row)} cards: a row has 1 to 5 (R6)')
        for i, card in enumerate(row):
            if i and row[i - 1] >= card:
                raise NimmtError(f'row {number} does not ascend: {row[i - 1]} before {card} (R5)')
    checked_cards([card for row in table for card in row], highest)
    return table

def checked_cards(cards, highest):
    seen = set()
    for card in cards:
        if not 1 <= card <= highest:
            raise NimmtError(no_card(card, highest))
        if card in seen:
            raise NimmtError(f'card {card} is there twice (R1)')
        seen.add(card)

def checked_players(players):
    number = as_int(players, 'players')
    if not 2 <= number <= 10:
        raise NimmtError(f'2 to 10 can play, not {number} (R1)')
    return number

def checked_name(name):
    if not isinstance(name, str):
        raise TypeError(f'a name must be text, not {type(name).__name__}')
    codes = [ord(character) for character in name]
    bad = [n for n in codes if n < 32 or 126 < n < 160 or 55295 < n < 57344 or (n in (8232, 8233))]
    if not 1 <= len(codes) <= 40 or _is_space(codes[0]) or _is_space(codes[-1]) or bad:
        raise NimmtError(f'a name has 1 to 40 printable characters and no spaces around them, unlike {quoted(name)}')
    return name

def _is_space(code):
    return code in (32, 160, 5760, 8239, 8287, 12288) or 8192 <= code <= 8202

def seated(players):
    if isinstance(players, (int, float, bool)) or hasattr(players, '__index__') or players is None:
        return (checked_players(players), None)
    names = tuple([checked_name(name) for name in listed(players, 'players')])
    return (checked_players(len(names)), names)
HEADS = bytes((0 if c == 0 else 7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in range(104 + 1)))

def bind(state):
    return state
bind_log = bind

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

def _add_new(cards, card, highest):
    if not 1 <= card <= highest or _has(cards, 0, card):
        return False
    _add(cards, 0, card)
    return True

def setup(r, players, highest, flags, open, hands):
    flags, hands = (flags | 32, b'') if hands is None else (flags & ~32, hands)
    if not _valid_rules(players, highest, flags):
        return -9
    used = bytearray(13)
    for card in bytes(open) + bytes(hands):
        if not _add_new(used, card, highest):
            return -9
    return _lay_out(r, players, highest, flags, open, hands)

def deal(r, players, highest, flags, stream):
    if not _valid_rules(players, highest, flags) or flags & 32:
        return -9
    deck = bytearray(range(1, highest + 1))
    for i in range(10 * players + 4):
        j = i + stream.below(highest - i)
        deck[i], deck[j] = (deck[j], deck[i])
    dealt = 10 * players
    return _lay_out(r, players, highest, flags, bytes(deck[dealt:dealt + 4]), bytes(deck[:dealt]))

def _check_rows(r, table):
    for row in range(4):
        n, before = (r[7 + row], 0)
        if not 1 <= n <= 5:
            return False
        for i in range(5):
            card = r[11 + 5 * row + i]
            if i >= n:
                if card:
                    return False
            elif card <= before or not _add_new(table, card, r[1]) or (not _has(r, 51, card)):
                return False
            before = card
    return True

def _check_chosen(r, table):
    for seat in range(10):
        card = r[31 + seat]
        if card == 0:
            continue
        if seat >= r[0] or r[3] == 2 or (not _add_new(table, card, r[1])):
            return False
        if not _has(r, 51, card) if r[3] == 1 else _holds(r, seat, card):
            return False
    if r[3] != 1:
        return r[5] == 0 and r[6] == 0
    seat = _lowest_lying(r)
    mask = r[6]
    return seat == r[5] and mask == rows_for(r, r[31 + seat]) and (mask & mask - 1 != 0)

def _check_hands(r, used):
    size = 10 - r[4] - (r[3] == 1)
    for seat in range(10):
        held, before = (size if seat < r[0] and (not r[2] & 32) else 0, 0)
        for i in range(10):
            card = r[64 + 10 * seat + i]
            if i >= held:
                if card:
                    return False
            elif card <= before or not _add_new(used, card, r[1]):
                return False
            before = card
    return True

def _check_gone(r, table):
    gone, unseen = (0, 0)
    for card in range(1, 104 + 1):
        if not _has(r, 51, card):
            unseen += card <= r[1]
        elif card > r[1]:
            return False
        elif not _has(table, 0, card):
            gone += HEADS[card]
    if sum(bytes(r[41 + r[0]:51])):
        return False
    return gone == sum(bytes(r[41:51])) and unseen >= r[0] * (10 - r[4] - (r[3] == 1))

def check(r):
    if not _valid_rules(r[0], r[1], r[2]) or r[3] > 2:
        return -9
    if r[4] != 10 if r[3] == 2 else r[4] >= 10:
        return -9
    table, used = (bytearray(13), bytearray(r[51:64]))
    good = _check_rows(r, table) and _check_chosen(r, table) and _check_hands(r, used) and _check_gone(r, table)
    return 0 if good else -9

def _nearest(r, hand):
    best, best_distance = (hand[0], 104)
    for card in hand:
        mask = rows_for(r, card)
        if mask == 15:
            continue
        row = cheapest(r, card, mask)
        d = _distance(r, row, card)
        if r[7 + row] < 5 and d < best_distance:
            best, best_distance = (card, d)
    return best

def policy_card(r, seat, policy, stream):
    if r[3] != 0:
        return -1
    if not 0 <= seat < r[0]:
        return -2
    if not 0 <= policy < 5 or r[2] & 32:
        return -10
    at, size = (64 + 10 * seat, 10 - r[4])
    if policy == 1:
        return r[at]
    if policy == 2:
        return r[at + size - 1]
    if policy == 3:
        return _nearest(r, bytes(r[at:at + size]))
    drawn = stream.below(size)
    return r[at + drawn]

def policy_row(r, policy, stream):
    if r[3] != 1 or not r[6]:
        return -1
    if not 0 <= policy < 5:
        return -10
    if policy != 4:
        return cheapest(r, r[31 + r[5]], r[6])
    rows = [row for row in range(4) if r[6] >> row & 1]
    drawn = stream.below(len(rows))
    return rows[drawn]
name_core = 'python'
Dealt = NamedTuple('Dealt', ('round', 'rows'))
Picked = NamedTuple('Picked', ('seat', 'card'))
Chosen = NamedTuple('Chosen', ('seat',))
Revealed = NamedTuple('Revealed', ('cards',))
Placed = NamedTuple('Placed', ('seat', 'card', 'row', 'side', 'taken'))
RowOwed = NamedTuple('RowOwed', ('seat', 'card', 'rows'))
RoundOver = NamedTuple('RoundOver', ('heads', 'scores'))
GameOver = NamedTuple('GameOver', ('scores', 'ranks', 'winners'))
NAMES = ('deck', 'draft', 'professional', 'tie', 'limit', 'end', 'rounds', 'first_picker', 'cheapest')
CHOICES = {'deck': ('full', 'tactic'), 'draft': (False, True), 'professional': (False, True), 'tie': ('choose', 'right', 'left'), 'end': ('reach', 'exceed'), 'cheapest': ('index', 'fewest', 'most')}

class Rules:

    def __init__(self, deck='full', draft=False, professional=False, tie='choose', limit=66, end='reach', rounds=None, first_picker='rotate', cheapest='index'):
        for name, value in zip(NAMES, (deck, draft, professional, tie, limit, end, rounds, first_picker, cheapest)):
            if name in CHOICES:
                one_of(name, value)
        if draft and deck != 'tactic':
            raise NimmtError('draft=True needs deck="tactic" (V2)')
        if rounds is not None:
            rounds = in_range(rounds, 'rounds', 1, 65535)
            if limit is not None and as_int(limit, 'limit') != 66:
                raise NimmtError('give a limit or a number of rounds, not both (R9)')
            limit = None
        elif limit is None:
            raise NimmtError('a game without a limit needs a number of rounds (R9)')
        else:
            limit = in_range(limit, 'limit', 1, 65535)
        if not isinstance(first_picker, str):
            first_picker = in_range(first_picker, 'first_picker', 0, 9)
        elif first_picker != 'rotate':
            raise NimmtError(f'first_picker must be "rotate" or a seat, not {quoted(first_picker)}')
        self._values = (deck, draft, professional, tie, limit, end, rounds, first_picker, cheapest)

    @property
    def deck(self):
        return self._values[0]

    @property
    def draft(self):
        return self._values[1]

    @property
    def professional(self):
        return self._values[2]

    @property
    def tie(self):
        return self._values[3]

    @property
    def limit(self):
        return self._values[4]

    @property
    def end(self):
        return self._values[5]

    @property
    def rounds(self):
        return self._values[6]

    @property
    def first_picker(self):
        return self._values[7]

    @property
    def cheapest(self):
        return self._values[8]

    def __eq__(self, other):
        return isinstance(other, Rules) and self._values == other._values

    def __hash__(self):
        return hash(self._values)

    def highest(self, players):
        players = checked_players(players)
        return 104 if self.deck == 'full' else 10 * players + 4

    def is_over(self, scores, rounds):
        if self.rounds is not None:
            return rounds >= self.rounds
        return max(scores) >= (self.limit or 0) + (self.end == 'exceed')

def as_rules(rules):
    if not isinstance(rules, Rules):
        raise TypeError(f'rules must be nimmt.Rules, not {type(rules).__name__}')
    return rules

def no_option(name):
    return f'rules have no option {quoted(name)}'

def one_of(name, value, choices=()):
    choices = choices or CHOICES[name]
    if type(value) is type(choices[0]) and value in choices:
        return
    allowed = ' or '.join([repr(choice) for choice in choices])
    if type(value) is not type(choices[0]):
        raise TypeError(f'{name} must be {allowed}, not {type(value).__name__}')
    raise NimmtError(f'{name} must be {allowed}, not {quoted(str(value))}')

def ranks(scores):
    return tuple([1 + sum([other < score for other in scores]) for score in scores])

def possible_scores(rules, number, points):
    before = tuple([max(0, score - 171) for score in points])
    bad = [score for score in points if not 0 <= score <= 171 * number]
    return not bad and number > 0 and (not (number > 1 and rules.is_over(before, number - 1)))
BASE = Rules()
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
TITLE = 'nimmt record 1'
Step = NamedTuple('Step', ('game', 'move', 'events'))

def steps(game):
    again, history, names = (game._again(), bytes(game._history or b''), game.names)
    if names:
        again.names = names[:again.players]
    yield Step(again, '', [])
    i = 0
    while i < len(history):
        size = again.players if again.phase == 'choose' else 1
        yield _made(again, history[i:i + size], names)
        i += size

def _made(again, move, names):
    phase = again.phase
    if phase == 'scored' and move[0] == 1:
        seat = again.join(names[again.players] if names else None)
        return Step(again, f'join {seat}' + (f': {names[seat]}' if names else ''), [])
    if phase == 'scored':
        return Step(again, 'deal', again.deal())
    if phase == 'choose':
        return Step(again, f'turn {again.turn}: {_numbers(move)}', again.play(move))
    seat = again.to_act[0]
    if phase == 'draft':
        return Step(again, f'pick {seat}: {move[0]}', again.pick(seat, move[0]))
    return Step(again, f'take {seat}: {move[0]}', again.take(seat, move[0]))

def write(game):
    return '\n'.join(lines(game))

def lines(game):
    crc = 0
    for line in _lines(game):
        line = line.rstrip(' ')
        crc = crc32(line.encode() + b'\n', crc)
        yield line
    yield f'end {crc:08x}'

def _lines(game):
    yield TITLE
    for step in steps(game):
        if step.move:
            yield from _told(step)
        else:
            yield from (_head(step.game) + _names(game.names, step.game.players) + _opening(step.game))
    chosen = [game.chosen(seat) for seat in range(game.players)] if game.phase == 'choose' else []
    if any(chosen):
        yield ('chosen ' + ' '.join([str(card or '-') for card in chosen]))

def _head(again):
    if isinstance(again._origin, int):
        rules = repr(again.rules)[6:-1].replace(',', '').replace("'", '')
        head = [f'players {again.players}', f'rules {rules}'.rstrip()]
        return head + [f'seed {again.seed}', f'game {again.game}', f'stream {1}']
    data = again._origin.hex()
    return ['from ' + data[i:i + 80] for i in range(0, len(data), 80)]

def _names(names, players):
    return [f'name {seat} {names[seat]}' for seat in range(players)] if names else []

def _opening(again):
    opening = ['', f'round {again.round}']
    if again.phase == 'draft':
        opening.append(f'seat {again.to_act[0]} picks')
    for seat in range(again.players if again.phase != 'draft' else 0):
        opening.append(f'hand {seat}: ' + _numbers(again.held(seat)))
    return opening + _table(again)

def _table(again):
    if again.phase == 'draft':
        return []
    return ['rows: ' + ' / '.join([_numbers(row) for row in again.rows]), 'heads: ' + _numbers(again.heads)]

def _numbers(values):
    return ' '.join([str(value) for value in values])

def _told(step):
    again, word = (step.game, step.move.partition(' ')[0])
    if word == 'join':
        return [step.move, 'scores: ' + _numbers(again.scores)]
    if word == 'deal':
        return [step.move] + _opening(again)
    if word == 'pick':
        return [step.move] + (_opening(again)[2:] if again.phase != 'draft' else [])
    told = ['', step.move] if word == 'turn' else [step.move]
    told += [_placing(event) for event in step.events if isinstance(event, (Placed, RowOwed))]
    if again.phase != 'take':
        told += _table(again)
    if again.phase in ('scored', 'over'):
        told.append('scores: ' + _numbers(again.scores))
    if again.is_over:
        told.append(f'over, ranks: {_numbers(again.ranks)}')
    return told

def _placing(event):
    if isinstance(event, RowOwed):
        rows = ' or '.join([str(row) for row in event.rows])
        return f'  {event.card} of seat {event.seat} waits: row {rows}'
    line = f'  {event.card} of seat {event.seat} '
    line += f'{event.side} of row {event.row}' if event.side else f'takes row {event.row}:'
    if event.taken:
        heads = sum([HEADS[card] for card in event.taken])
        line += f"{(' takes' if event.side else '')} {_numbers(event.taken)}, heads {heads}"
    return line
PHASES = ('choose', 'take', 'scored', 'draft')
SIDES = (None, 'right', 'left')

def flags_of(rules):
    rules = as_rules(rules)
    tie, cheapest = (CHOICES['tie'].index(rules.tie), CHOICES['cheapest'].index(rules.cheapest))
    return 1 * rules.professional | 2 * tie | 8 * cheapest

def rows_of(state):
    return tuple([tuple(state[at:at + n]) for at, n in zip(range(11, 31, 5), state[7:11])])

def chosen_of(state):
    return tuple(state[31:31 + state[0]])

def hand_of(state, seat):
    at = 64 + 10 * seat
    return bytes([card for card in state[at:at + 10] if card])

def seen_of(state):
    bits = state[51:64]
    return tuple([card for card in range(1, 104 + 1) if bits[card - 1 >> 3] >> (card - 1 & 7) & 1])

def was_seen(state, card):
    return state[51 + (card - 1 >> 3)] >> (card - 1 & 7) & 1

def mark_seen(state, cards):
    for card in cards:
        state[51 + (card - 1 >> 3)] |= 1 << (card - 1 & 7)

def owed_of(state):
    mask, seat = (state[6], state[5])
    if not mask:
        return None
    return RowOwed(seat, state[31 + seat], tuple([row for row in range(4) if mask >> row & 1]))

def placed_of(log, count):
    events = []
    for at in range(0, 9 * count, 9):
        taken = log[at + 4:at + 9]
        cards = tuple([card for card in taken if card]) if taken[0] else ()
        events.append(Placed(log[at], log[at + 1], log[at + 2], SIDES[log[at + 3]], cards))
    return events

def dealt(players, rules, stream):
    players, state, flags = (checked_players(players), bytearray(164), flags_of(rules))
    deal(bind(state), players, rules.highest(players), flags, stream)
    return state

def pack(players, highest, flags, phase, rows):
    state = bytearray(164)
    state[0], state[1], state[2], state[3] = (players, highest, flags, phase)
    for number, row in enumerate(rows):
        state[7 + number] = len(row)
        state[11 + 5 * number:11 + 5 * number + len(row)] = bytes(row)
    return state

def nothing_yet(players, rules):
    state = pack(players, rules.highest(players), flags_of(rules) | 32, 2, [])
    state[4] = 10
    return state

def first_of(rules, players, seed, game):
    first = rules.first_picker
    if not rules.draft:
        return 0
    if isinstance(first, str):
        return Stream(seed, game).below(players)
    return checked_first(first, players)

def checked_first(first, players):
    if not 0 <= first < players:
        raise NimmtError(f'{no_seat(first, players)}, so it cannot pick first (V2)')
    return first

def start(players, rules, first):
    return _laid_out(players, flags_of(rules), first)

def _laid_out(players, flags, owes):
    state = pack(players, 10 * players + 4, flags, 3, [])
    state[5] = owes
    return state

def pool(state):
    picked = bytes(state[64:])
    return [card for card in range(1, state[1] + 1) if card not in picked]

def pick(state, seat, card):
    if state[3] != 3:
        return -1
    if not 0 <= seat < state[0]:
        return -2
    if seat != state[5]:
        return -7
    if not 1 <= card <= state[1]:
        return -3
    left = pool(state)
    if card not in left:
        return -4
    at, cards = (64 + 10 * seat, sorted(hand_of(state, seat) + bytes((card,))))
    state[at:at + len(cards)] = bytes(cards)
    state[5] = (seat + 1) % state[0]
    return len(left) - 1

def check_draft(state, first=None):
    players, highest = (state[0], state[1])
    if state[3] != 3 or highest != 10 * players + 4 or state[5] >= players:
        return -9
    if not _valid_rules(players, highest, state[2]) or state[2] & 32:
        return -9
    hands = [hand_of(state, seat) for seat in range(players)]
    picks = sum([len(cards) for cards in hands])
    began = (state[5] - picks) % players
    rebuilt = _laid_out(players, state[2], state[5])
    for seat in range(players):
        count = (picks + players - 1 - (seat - began) % players) // players
        cards = sorted(set(hands[seat]))
        if len(cards) != count or (cards and cards[-1] > highest):
            return -9
        rebuilt[64 + 10 * seat:64 + 10 * seat + count] = bytes(cards)
    different = len({card for cards in hands for card in cards}) == picks < 10 * players
    good = different and bytes(rebuilt) == bytes(state) and (first in (None, began))
    return 0 if good else -9

class Table:

    def _begin(self, state):
        self._adopt(state)

    def _adopt(self, state):
        self._state, self._log = (state, bytearray(10 * 9))
        self._r, self._l = (bind(state), bind_log(self._log))

    @property
    def players(self):
        return self._state[0]

    @property
    def highest(self):
        return self._state[1]

    @property
    def phase(self):
        return PHASES[self._state[3]]

    @property
    def turn(self):
        return 0 if self._state[3] == 3 else min(10, self._state[4] + 1)

    @property
    def rows(self):
        return () if self._state[3] == 3 else rows_of(self._state)

    @property
    def heads(self):
        return tuple(self._state[41:41 + self.players])

    @property
    def seen(self):
        return seen_of(self._state)

    @property
    def pool(self):
        if self._state[3] != 3:
            return ()
        return tuple(pool(self._state))

    @property
    def owed(self):
        return owed_of(self._state)

    @property
    def to_act(self):
        s = self._state
        if s[3] == 0:
            return tuple([seat for seat in range(s[0]) if not s[31 + seat]])
        return () if s[3] == 2 else (s[5],)

    def cheapest(self):
        s = self._state
        if not s[6]:
            raise WrongPhase('nobody owes a row now (R7, P3)')
        return cheapest(self._r, s[31 + s[5]], s[6])

    @property
    def knows_hands(self):
        return not self._state[2] & 32

    def hand(self, seat):
        seat = self._seat(seat)
        chosen = self._state[31 + seat]
        return tuple([card for card in hand_of(self._state, seat) if card != chosen])

    def held(self, seat):
        return tuple(hand_of(self._state, self._seat(seat)))

    def chosen(self, seat):
        return self._state[31 + self._seat(seat)] or None

    def legal(self, seat):
        seat, s = (self._seat(seat), self._state)
        if s[3] == 3:
            return self.pool if seat == s[5] else ()
        if s[3] == 1:
            owed = owed_of(s)
            return owed.rows if owed and owed.seat == seat else ()
        if s[3] == 2:
            return ()
        if self.knows_hands:
            return self.hand(seat)
        gone = self.seen + chosen_of(s)
        return tuple([card for card in range(1, s[1] + 1) if card not in gone])

    def _seat(self, seat):
        if type(seat) is int and 0 <= seat < self.players:
            return seat
        return checked_seat(seat, self.players)

    def _choose(self, seat, card):
        seat = self._seat(seat)
        card = self._in_deck(seat, card)
        self._refused(choose(self._r, seat, card), seat, card)
        cards = chosen_of(self._state)
        if 0 in cards:
            return [Chosen(seat)]
        return self._told([Chosen(seat), Revealed(cards)], resolve(self._r, self._l))

    def _withdraw(self, seat):
        seat = self._seat(seat)
        self._refused(withdraw(self._r, seat), seat, 0)
        return []

    def _play(self, cards):
        given = cards
        if type(cards) not in (list, tuple) or [card for card in given if type(card) is not int]:
            given = by_seat(cards, 'cards', 'card')
        s = self._state
        players, highest = (s[0], s[1])
        if type(given) is dict or len(given) != players or [card for card in given if not 0 < card <= highest]:
            given = one_each(given, players, highest)
        played = bytes(given)
        code = play(self._r, played, self._l)
        if code < 0:
            refuse_play(s, code, played)
        return self._told([Revealed(tuple(played))], code)

    def _take(self, seat, row):
        seat, row = (self._seat(seat), as_int(row, 'row'))
        code = take(self._r, seat, row if 0 <= row < 4 else 4, self._l)
        self._refused(code, seat, row)
        return self._told([], code)

    def _pick(self, seat, card, number=1):
        seat, s = (self._seat(seat), self._state)
        card = self._in_deck(seat, card)
        left = pick(s, seat, card)
        self._refused(left, seat, card)
        if left > 4:
            return [Picked(seat, card)]
        hands, open = (bytes(s[64:64 + 10 * s[0]]), bytes(pool(s)))
        setup(self._r, s[0], s[1], s[2], open, hands)
        return [Picked(seat, card), Dealt(number, self.rows)]

    def _in_deck(self, seat, card):
        highest = self._state[1]
        if type(card) is int and 0 < card <= highest:
            return card
        return checked_card(seat, card, highest)

    def _told(self, events, count):
        events += placed_of(self._log, count)
        owed = owed_of(self._state)
        return events + [owed] if owed else events

    def _refused(self, code, seat, number):
        if code < 0:
            refuse(self._state, code, seat, number)

def _or(numbers):
    return ' or '.join([str(number) for number in numbers])

def refuse(state, code, seat, number):
    phase, owed, known = (PHASES[state[3]], owed_of(state), not state[2] & 32)
    if code == -1:
        raise WrongPhase(f'seat {seat} cannot do this now: {awaited(state)}')
    if code == -8 and owed:
        raise IllegalMove(may_not_take(owed, number))
    if code == -4 and phase == 'draft':
        raise IllegalMove(f'seat {seat}: card {number} is not in the pool (V2)')
    if code == -4 and (not known):
        raise IllegalMove(f'seat {seat}: card {number} was seen this round or is chosen already (R1)')
    messages = {-4: f'seat {seat} does not hold card {number} (R4)', -5: f'seat {seat} has already chosen card {number}', -7: f'seat {seat} is not asked: it is up to seat {state[5]}', -11: f'seat {seat} has not chosen a card that could be withdrawn'}
    raise IllegalMove(messages[code])

def awaited(state):
    waits = {'choose': 'cards are chosen now (R4)', 'take': f'seat {state[5]} must take a row first (R7, P5)', 'scored': 'the round is over (R8)', 'draft': f'the draft goes on, seat {state[5]} picks (V2)'}
    return waits[PHASES[state[3]]]

def refuse_play(state, code, played):
    for seat, card in enumerate(played):
        if code != -4:
            refuse(state, code, seat, card)
        if card in played[:seat]:
            raise IllegalMove(f'seat {seat}: card {card} is played twice (R1)')
        if state[2] & 32:
            if was_seen(state, card):
                refuse(state, code, seat, card)
        elif card not in hand_of(state, seat):
            refuse(state, code, seat, card)

def may_not_take(owed, row):
    rule = 'P4' if len(owed.rows) == 2 else 'R7, P3'
    return f'seat {owed.seat} may not take row {row} for card {owed.card}, but row {_or(owed.rows)} ({rule})'

def checked_round(data):
    state = bytearray(data)
    if len(state) != 164 or (check(bind(state)) and check_draft(state)):
        raise BadRecord(f'these {len(state)} bytes are not a round that the rules allow')
    if state[3] == 0 and all(chosen_of(state)) and (not state[2] & 32):
        raise BadRecord('all have chosen, but the cards are not shown (R4)')
    return state

def pack_position(rows, players, hands, rules, turn):
    if hands is None:
        players, known, turn = (checked_players(players), [], as_int(turn, 'turn'))
        if not 1 <= turn <= 10:
            raise NimmtError(f'turn must be 1..10, not {turn} (R3)')
    else:
        known = [[as_int(card, 'card') for card in listed(hand, 'a hand')] for hand in listed(hands, 'hands')]
        if players is not None and checked_players(players) != len(known):
            raise NimmtError(f'{players} players need {players} hands, not {len(known)}')
        players, turn = (checked_players(len(known)), 11 - len(known[0]))
        if not 1 <= turn <= 10 or [hand for hand in known if len(hand) != 11 - turn]:
            raise NimmtError('hands must have 1 to 10 cards, all the same number (R3)')
    flags, highest = (flags_of(rules) | (0 if known else 32), rules.highest(players))
    table = checked_rows(rows, highest)
    lying = [card for row in table for card in row]
    checked_cards(lying + [card for hand in known for card in hand], highest)
    state = pack(players, highest, flags, 0, table)
    state[4] = turn - 1
    mark_seen(state, lying)
    for seat, hand in enumerate(known):
        state[64 + 10 * seat:64 + 10 * seat + len(hand)] = bytes(sorted(hand))
    if check(bind(state)):
        raise NimmtError(f'too few cards of 1..{highest} are unseen for the turns that are left (R3)')
    return state

def pack_game(rules, seed, game, number, first, scores, state):
    numbers = seed.to_bytes(8, 'little') + game.to_bytes(8, 'little') + number.to_bytes(4, 'little')
    body = pack_rules(rules) + numbers + bytes((first, len(scores))) + _pack_scores(scores) + state
    return _sealed(b'6n' + bytes((1, 1)), body)

def unpack_game(data):
    if data[:2] != b'6n':
        raise BadRecord('this is not a saved game: it does not begin with 6n')
    _check_frame(data, 1)
    players = data[35] if len(data) > 35 else 0
    at = 36 + 3 * players
    _check_players(data, players, at)
    rules, number, first = (_unpack_rules(data[6:14]), _word(data[30:34]), data[34])
    scores, state = (_unpack_scores(data[36:at]), checked_round(data[at:-4]))
    _check_game(rules, number, first, scores, state)
    parts = (rules, _word(data[14:22]), _word(data[22:30]), number, first, scores, state)
    if pack_game(*parts[:6], bytes(state)) != data:
        raise BadRecord('the save is not in canonical form')
    return parts

def _check_game(rules, number, first, scores, state):
    players, seated, scored = (len(scores), state[0], state[3] == 2)
    finished = number - 1 + scored
    before = _scores_before(scores, state)
    _agree(number >= 1, 'rounds count from 1')
    _check_round(rules, state, flags_of(rules))
    drafting = state[3] == 3
    _agree(not drafting or rules.draft, 'the round is a draft, and the rules do not have one')
    _agree(not drafting or check_draft(state, first) == 0, 'another seat began the draft')
    _agree(first < (players if rules.draft else 1), 'the first picker is not at the table')
    _agree(not rules.draft or rules.first_picker in ('rotate', first), 'the rules name another first picker')
    _check_seated(seated, scores)
    _agree(seated == players or (scored and (not rules.is_over(scores, finished))), 'somebody joined in a round')
    _agree(max(scores) <= 171 * finished, 'the scores are too high for so few rounds')
    _agree(min(before) >= 0 and max(before) <= 171 * (number - 1), 'the scores do not fit the heads of this round')
    _agree(number == 1 or not rules.is_over(before, number - 1), 'the game was over before this round')

def pack_table(rules, number, opening, scores, state):
    body = pack_rules(rules) + number.to_bytes(4, 'little') + bytes((len(scores),)) + opening
    return _sealed(b'6r' + bytes((1, 0)), body + _pack_scores(scores) + state)

def unpack_table(data):
    if data[:2] != b'6r':
        raise BadRecord('this is not a saved table: it does not begin with 6r')
    _check_frame(data, 0)
    players = data[18] if len(data) > 18 else 0
    at = 23 + 3 * players
    _check_players(data, players, at)
    rules, number, opening = (_unpack_rules(data[6:14]), _word(data[14:18]), data[19:23])
    scores = _unpack_scores(data[23:at])
    state = checked_round(data[at:-4]) if number else nothing_yet(players, rules)
    parts = (rules, number, opening, scores, state)
    if pack_table(*parts[:4], bytes(state)) != data:
        raise BadRecord('the save is not in canonical form')
    _check_table(rules, number, opening, scores, state)
    return parts

def _check_table(rules, number, opening, scores, state):
    players, seated, laid = (len(scores), state[0], [card for card in opening if card])
    before = list(_scores_before(scores, state))
    _check_round(rules, state, flags_of(rules) | 32)
    _check_seated(seated, scores)
    _agree(len(set(laid)) == len(laid), 'a card is laid out twice')
    _agree(max(opening) <= rules.highest(players), 'a card is laid out that the deck does not have')
    fits = possible_scores(rules, number, before) if number else max(scores) == 0
    _agree(fits, 'the scores do not fit the rules and the rounds')
    finished = state[3] == 2
    between = finished and (not rules.is_over(scores, number))
    _agree(between or not laid, 'cards are laid out, and it is not between rounds')
    _agree(between or seated == players, 'somebody joined, and it is not between rounds')

def pack_rules(rules):
    deck, draft, professional, tie, limit, end, rounds, first, cheapest = rules._values
    bits = CHOICES['deck'].index(deck) << 3 | draft << 2 | professional << 1 | CHOICES['end'].index(end)
    first = 255 if isinstance(first, str) else first
    options = (bits, CHOICES['tie'].index(tie), CHOICES['cheapest'].index(cheapest), first)
    return bytes(options) + (limit or 0).to_bytes(2, 'little') + (rounds or 0).to_bytes(2, 'little')

def _unpack_rules(data):
    bits = [data[0] >> shift & 1 for shift in (3, 2, 1, 0)]
    if data[0] > 15 or data[1] > 2 or data[2] > 2:
        raise BadRecord('the save has rules that do not exist')
    try:
        return Rules(deck=str(CHOICES['deck'][bits[0]]), draft=bits[1] == 1, professional=bits[2] == 1, tie=str(CHOICES['tie'][data[1]]), limit=_word(data[4:6]) or None, end=str(CHOICES['end'][bits[3]]), rounds=_word(data[6:8]) or None, first_picker='rotate' if data[3] == 255 else data[3], cheapest=str(CHOICES['cheapest'][data[2]]))
    except NimmtError as error:
        raise BadRecord(f'the save has rules that do not exist: {error}') from None

def _word(data):
    return int.from_bytes(data, 'little')

def _pack_scores(scores):
    return b''.join([score.to_bytes(3, 'little') for score in scores])

def _unpack_scores(data):
    return tuple([_word(data[i:i + 3]) for i in range(0, len(data), 3)])

def _sealed(head, body):
    data = head + (len(head) + 2 + len(body) + 4).to_bytes(2, 'little') + body
    return data + crc32(data).to_bytes(4, 'little')

def _check_frame(data, streams):
    if len(data) < 6 + 4:
        raise BadRecord(f'the save is cut: {len(data)} bytes')
    if data[2] != 1 or data[3] != streams:
        raise BadRecord(f'a save of version {data[2]}.{data[3]}; this release reads {1}.{streams}')
    if len(data) != _word(data[4:6]):
        raise BadRecord(f'the save is cut or too long: {len(data)} bytes where {_word(data[4:6])} are said')
    if crc32(data[:-4]) != _word(data[-4:]):
        raise BadRecord('the save is damaged: its checksum is wrong')

def _check_players(data, players, at):
    if not 2 <= players <= 10 or len(data) != at + 164 + 4:
        raise BadRecord(f'a save of {len(data)} bytes cannot have {players} players')

def _scores_before(scores, state):
    scored, heads = (state[3] == 2, state[41:41 + state[0]])
    return tuple([score - taken * scored for score, taken in zip(scores, heads)])

def _check_round(rules, state, flags):
    right = state[1] == rules.highest(state[0]) and state[2] == flags
    _agree(right, 'the round was played with other rules')

def _check_seated(seated, scores):
    _agree(seated <= len(scores), 'more played the round than are at the table')
    _agree(set(scores[seated:]) <= {max(scores[:seated])}, 'who joined has another score than the highest (H7)')

def _agree(good, problem):
    if not good:
        raise BadRecord(f'the parts of the save contradict each other: {problem}')

class Scored(Table):

    @property
    def players(self):
        return len(self.scores)

    @property
    def phase(self):
        phase = self._state[3]
        return 'over' if phase == 2 and self.rules.is_over(self.scores, self.round) else PHASES[phase]

    @property
    def is_over(self):
        return self.phase == 'over'

    @property
    def ranks(self):
        return ranks(self.scores)

    @property
    def winners(self):
        return tuple([seat for seat, rank in enumerate(self.ranks) if rank == 1]) if self.is_over else ()

    def _between(self, what):
        if self.phase != 'scored':
            reason = 'the game is over (R9)' if self.is_over else f'round {self.round} is not over (R8)'
            raise WrongPhase(f'cannot {what} now: {reason}')

    def _next(self):
        if self.round == 4294967295:
            raise NimmtError('a game has at most 2**32-1 rounds')
        return self.round + 1

    def _scored(self, events):
        if events and self._state[3] == 2:
            heads = self.heads
            self.scores = tuple([score + taken for score, taken in zip(self.scores, heads)])
            events.append(RoundOver(heads, self.scores))
            if self.is_over:
                events.append(GameOver(self.scores, self.ranks, self.winners))
        return events

    def _seat_one_more(self, name):
        if self.players == 10:
            raise IllegalMove('the table is full: 2 to 10 can play (R1, H7)')
        new = None if name is None else (checked_name(name),)
        if (new is None) != (self.names is None):
            raise NimmtError('a player who joins needs a name if the others have names, and cannot have one otherwise')
        if new is not None:
            self.names = (self.names or ()) + new
        self.scores += (max(self.scores),)
        return self.players - 1

    def _packed(self):
        return bytes(self._state)

    def save(self):
        return self._packed()

    def __eq__(self, other):
        return isinstance(other, Scored) and self.save() == other.save()
    __hash__ = None
View = NamedTuple('View', ('seat', 'players', 'rules', 'phase', 'round', 'turn', 'rows', 'hand', 'chosen', 'legal', 'to_act', 'owed', 'lying', 'has_chosen', 'heads', 'scores', 'seen', 'hands', 'pool'))

def view_of(game, seat):
    hand = ()
    legal = ()
    chosen = None
    known = [None] * game.players
    if game.rules.draft:
        known = [game.held(other) for other in range(game.players)]
    if seat is not None:
        seat = game._seat(seat)
        hand, chosen, legal = (game.hand(seat), game.chosen(seat), game.legal(seat))
        known[seat] = game.held(seat)
    cards = [game.chosen(other) for other in range(game.players)]
    shown = game.phase == 'take'
    return View(seat=seat, players=game.players, rules=game.rules, phase=game.phase, round=game.round, turn=game.turn, rows=game.rows, hand=hand, chosen=chosen, legal=legal, to_act=game.to_act, owed=game.owed, lying=tuple([card if shown else None for card in cards]), has_chosen=tuple([card is not None and (not shown) for card in cards]), heads=game.heads, scores=game.scores, seen=game.seen, hands=tuple(known), pool=game.pool)

class Game(Scored):

    def __init__(self, players=4, seed=None, rules=BASE, game=0, history=True):
        if type(history) is not bool:
            raise TypeError(f'history must be True or False, not {type(history).__name__}')
        self._seat_all(players, seed, rules, game)
        if not history:
            self._history = None
        self._first = first_of(rules, self.players, self.seed, self.game)
        self._open()

    def _seat_all(self, players, seed, rules, game):
        count, names = seated(players)
        self.rules, self.names = (as_rules(rules), names)
        self.seed, self.game = (checked_seed(seed), checked_word(game, 'game'))
        self.round, self.scores, self._first = (1, (0,) * count, 0)
        self._origin, self._history = (count, bytearray())

    def _open(self):
        if self.rules.draft:
            self._adopt(start(self.players, self.rules, self._first))
        else:
            self._adopt(dealt(self.players, self.rules, Stream(self.seed, self.game, self.round - 1)))

    def view(self, seat=None):
        return view_of(self, seat)

    def choose(self, seat, card):
        return self._done(self._choose(seat, card))

    def withdraw(self, seat):
        return self._withdraw(seat)

    def play(self, cards):
        return self._done(self._play(cards))

    def take(self, seat, row):
        events = self._take(seat, row)
        self._note(events[0].row)
        return self._scored(events)

    def pick(self, seat, card):
        events = self._pick(seat, card, self.round)
        self._note(events[0].card)
        return self._scored(events)

    def deal(self):
        self._between('deal')
        self.round = self._next()
        if self.rules.draft and self.rules.first_picker == 'rotate':
            self._first = (self._first + 1) % self.players
        self._open()
        self._note(0)
        return [] if self.rules.draft else [Dealt(self.round, self.rows)]

    def join(self, name=None):
        self._between('seat a player')
        seat = self._seat_one_more(name)
        self._note(1)
        return seat

    def _done(self, events):
        for event in events:
            if isinstance(event, Revealed):
                self._note(*event.cards)
        return self._scored(events)

    def _note(self, *move):
        if self._history is not None:
            self._history.extend(bytes(move))

    def _packed(self):
        return pack_game(self.rules, self.seed, self.game, self.round, self._first, self.scores, bytes(self._state))

    @classmethod
    def load(cls, data, names=None):
        data = as_bytes(data, 'a save')
        rules, seed, game, number, first, scores, state = unpack_game(data)
        self = object.__new__(cls)
        self._seat_all(len(scores) if names is None else names, seed, rules, game)
        if self.players != len(scores):
            raise NimmtError(f'the save has {len(scores)} players, not {self.players}')
        self.round, self.scores, self._first, self._origin = (number, scores, first, data)
        self._adopt(state)
        return self

    def record(self):
        return write(self)

    def _again(self):
        origin = self.save() if self._history is None else self._origin
        if isinstance(origin, int):
            return Game(origin, self.seed, self.rules, self.game, history=False)
        again = Game.load(origin)
        if again.phase == 'choose':
            for seat in range(again.players):
                if again.chosen(seat):
                    again.withdraw(seat)
            again._origin = again.save()
        return again
POLICIES = ('random', 'lowest', 'highest', 'nearest')
_BOTS, _DECISIONS = (1, 1845493760)

def checked_policy(name):
    if not isinstance(name, str):
        raise TypeError(f'a policy is named by text, not {type(name).__name__}')
    if name not in POLICIES:
        raise NimmtError(f"there is no policy {quoted(name)}: policies are {', '.join(POLICIES)}")
    return name

def policy_number(name, take='cheapest'):
    return 4 if name == 'random' and take == 'random' else POLICIES.index(name)

class Policy:

    def __init__(self, name, seed=0, take='cheapest'):
        checked_policy(name)
        one_of('take', take, ('cheapest', 'random'))
        self.name, self.stream = (name, Stream(seed, use=_BOTS))
        self._number = policy_number(name, take)

    def choose(self, view):
        if view.seat is None or not view.hand or (not view.rows):
            raise NimmtError('this view does not have a hand to choose from')
        state, seat = (_seen_by(view), view.seat)
        state[4] = 10 - len(view.hand)
        state[64 + 10 * seat:64 + 10 * seat + len(view.hand)] = bytes(view.hand)
        return policy_card(bind(state), seat, self._number, self.stream)

    def take(self, view):
        owed = view.owed
        if owed is None:
            raise NimmtError('this view does not owe a row: there is nothing to take')
        state = _seen_by(view)
        state[3], state[5], state[31 + owed.seat] = (1, owed.seat, owed.card)
        state[6] = sum([1 << row for row in owed.rows])
        return policy_row(bind(state), self._number, self.stream)

    def pick(self, view):
        if not view.pool:
            raise NimmtError('this view does not have a pool to pick from')
        if self.name == 'random':
            return view.pool[self.stream.below(len(view.pool))]
        return view.pool[-1] if self.name == 'highest' else view.pool[0]

def _seen_by(view):
    rows = [list(row) for row in view.rows]
    return pack(view.players, view.rules.highest(view.players), flags_of(view.rules), 0, rows)

def round_stream(table):
    stream = Stream(table.seed, table.game, table.round - 1)
    if not table.rules.draft:
        dealt(table.players, table.rules, stream)
    elif table.round == 1 and table.rules.first_picker == 'rotate':
        stream.below(table.players)
    return stream

def decision_stream(table, seat):
    asked = {'draft': len(table.hand(seat)), 'choose': 16 + table.turn, 'take': 32 + table.turn}[table.phase]
    return Stream(table.seed, table.game, table.round - 1, _DECISIONS + 16 * asked + seat)

def act(game, seat, player):
    view = game.view(seat)
    if game.phase == 'draft':
        return game.pick(seat, player.pick(view) if hasattr(player, 'pick') else view.pool[0])
    if game.phase == 'take':
        return game.take(seat, player.take(view))
    return game.choose(seat, player.choose(view))

class Bots:

    def __init__(self, game, bots):
        given = listed(bots, 'bots')
        if len(given) != game.players:
            raise NimmtError(f'{game.players} players need as many bots or nulls, not {len(given)}')
        self._game = game
        self._bots = []
        self._named = []
        for bot in given:
            if isinstance(bot, str):
                bot = Policy(bot)
                self._named.append(bot)
            elif bot is not None and (not (hasattr(bot, 'choose') and hasattr(bot, 'take'))):
                raise TypeError(f'a bot is a name or has choose(view) and take(view), unlike {type(bot).__name__}')
            self._bots.append(bot)
        self.share()

    def share(self):
        if self._named and None not in self._bots:
            stream = round_stream(self._game)
            for bot in self._named:
                bot.stream = stream

    def join(self):
        self._bots.append(None)

    def asked(self):
        for seat in self._game.to_act:
            if self._bots[seat] is not None:
                return seat
        return None

    def move(self, seat):
        bot = self._bots[seat]
        if None in self._bots and [named for named in self._named if named is bot]:
            bot.stream = decision_stream(self._game, seat)
        return act(self._game, seat, bot)

class Referee(Scored):

    def __init__(self, players=4, rules=BASE):
        self._seat_all(players, rules)
        self._adopt(nothing_yet(self.players, rules))

    def _seat_all(self, players, rules):
        count, names = seated(players)
        self.rules, self.names, self.round, self.scores = (as_rules(rules), names, 0, (0,) * count)
        self._opening, = (bytearray(4),)

    @property
    def ready(self):
        if self.phase == 'scored':
            return 0 not in bytes(self._opening)
        return self.phase == 'choose' and (not self.to_act)

    @property
    def opening(self):
        return tuple([card or None for card in self._opening])

    def lay(self, card, row=None):
        card = as_int(card, 'card')
        self._between('lay out a card')
        highest = self.rules.highest(self.players)
        if not 1 <= card <= highest:
            raise IllegalMove(no_card(card, highest))
        lies, free = (bytes(self._opening).find(bytes((card,))), bytes(self._opening).find(b'\x00'))
        wanted = (free if lies < 0 else lies) if row is None else as_int(row, 'row')
        if not 0 <= wanted < 4:
            raise IllegalMove('all four rows have a card (R3)' if row is None else f'there is no row {wanted} (R3)')
        if lies not in (-1, wanted):
            raise IllegalMove(f'card {card} opens row {lies} already (R1)')
        self._opening[wanted] = card
        return []

    def lift(self, row):
        row = as_int(row, 'row')
        self._between('take back a card')
        if not 0 <= row < 4 or not self._opening[row]:
            raise IllegalMove(f'row {row} has no card that could be taken back')
        self._opening[row] = 0
        return []

    def deal(self, cards=None):
        self._between('deal')
        opening = list(self._opening) if cards is None else listed(cards, 'cards')
        if cards is None and 0 in opening:
            raise IllegalMove(f'row {opening.index(0)} has no card: four open the rows (R3)')
        number = self._next()
        self._adopt(pack_position([[card] for card in opening], self.players, None, self.rules, 1))
        self.round, self._opening = (number, bytearray(4))
        return [Dealt(self.round, self.rows)]

    def join(self, name=None):
        self._between('seat a player')
        seat = self._seat_one_more(name)
        if not self.round:
            self._adopt(nothing_yet(self.players, self.rules))
        return seat

    def read(self, seat, card):
        seat, card = (self._seat(seat), as_int(card, 'card'))
        self._playing()
        card = self._in_deck(seat, card)
        other = bytes(chosen_of(self._state)).find(bytes((card,)))
        if other == seat:
            return []
        if other >= 0:
            raise IllegalMove(f'seat {seat}: card {card} was read for seat {other} (R1)')
        if card in self.seen:
            raise IllegalMove(f'seat {seat}: card {card} was seen in this round (R1)')
        self._refused(choose(self._r, seat, card), seat, card)
        return [Chosen(seat)]

    def withdraw(self, seat):
        self._playing()
        return self._withdraw(seat)

    def place(self):
        self._playing()
        if self.to_act:
            raise IllegalMove(f'seat {self.to_act[0]} has no card: every seat plays one (R4)')
        shown = [Revealed(chosen_of(self._state))]
        return self._scored(self._told(shown, resolve(self._r, self._l)))

    def take(self, seat, row):
        return self._scored(self._take(seat, row))

    def _playing(self):
        if self.phase == 'take':
            raise WrongPhase(f'seat {self._state[5]} must take a row first (R7, P5)')
        if self.phase != 'choose':
            raise WrongPhase('the game is over (R9)' if self.is_over else 'the next round was not dealt (R3)')

    def _laid(self):
        return self.phase == 'scored' and (not self.round or max(self._opening) > 0)

    def _packed(self):
        return pack_table(self.rules, self.round, bytes(self._opening), self.scores, bytes(self._state))

    @classmethod
    def load(cls, data, names=None):
        rules, number, opening, scores, state = unpack_table(as_bytes(data, 'a save'))
        self = object.__new__(cls)
        self._seat_all(len(scores) if names is None else names, rules)
        if self.players != len(scores):
            raise NimmtError(f'the save has {len(scores)} players, not {self.players}')
        self.round, self.scores, self._opening = (number, scores, bytearray(opening))
        self._adopt(state)
        return self

class BadRequest(NimmtError):
    pass

def parsed(line):
    try:
        value = _loads(line.decode())
    except NimmtError:
        raise
    except UnicodeError:
        raise BadRequest('the line is not UTF-8') from None
    except ValueError:
        raise BadRequest('the line is not JSON') from None
    except (RuntimeError, MemoryError):
        raise BadRequest('the line is nested too deeply') from None
    if not isinstance(value, dict):
        raise BadRequest('a request is a JSON object')
    for field in value:
        part = value[field]
        inner = list(part.values()) + list(part) if isinstance(part, dict) else part if isinstance(part, list) else []
        for item in [field, part] + inner:
            if isinstance(item, str) and [ch for ch in item if 55296 <= ord(ch) < 57344]:
                raise BadRequest('a text has half a surrogate pair')
            if isinstance(item, (dict, list)) and item is not part:
                raise BadRequest(f'{quoted(field)} is nested too deeply')
    return value

def _loads(text):
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except TypeError:
        return json.loads(text)

def _once(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise BadRequest('a field is there twice')
    return dict(pairs)

def _no_number(text):
    raise ValueError(text)

def dumps(value):
    if isinstance(value, str):
        return '"' + ''.join([_escaped(ch) for ch in value]) + '"'
    if isinstance(value, dict):
        return '{' + ','.join([dumps(field) + ':' + dumps(value[field]) for field in sorted(value)]) + '}'
    if isinstance(value, (list, tuple)):
        return '[' + ','.join([dumps(item) for item in value]) + ']'
    return 'null' if value is None else 'true' if value is True else 'false' if value is False else str(value)

def _escaped(ch):
    code = ord(ch)
    if ch in '"\\':
        return '\\' + ch
    if 32 <= code < 127:
        return ch
    if code > 65535:
        return f'\\u{55296 | code - 65536 >> 10:04x}\\u{56320 | code & 1023:04x}'
    return '\\n' if ch == '\n' else f'\\u{code:04x}'
REQUESTS = (('hello', '', '', '', '', 's'), ('games', '', '', '', '', 'h'), ('create', '', 'players names seed index rules bots referee', '', '', 'h'), ('load', 'data', 'names bots', '', '', 'h'), ('close', '', '', '', '', 'h'), ('view', '', 'seat', '', 'g', 's'), ('choose', 'seat card', '', 'turn round', 'g', 's'), ('withdraw', 'seat', '', 'turn round', 'g', 's'), ('take', 'seat row', '', 'turn round', 'g', 's'), ('pick', 'seat card', '', 'turn round', 'g', 's'), ('play', 'cards', '', 'turn round', 'g', 'h'), ('deal', '', '', 'round', 'g', 'h'), ('join', '', 'name', 'seat', 'g', 'h'), ('bots', 'bots', '', '', 'g', 'h'), ('hands', '', '', '', 'g', 'h'), ('save', '', '', '', 'g', 'h'), ('record', '', '', '', 'g', 'h'), ('view', '', '', '', 'r', 's'), ('lay', 'card', 'row', '', 'r', 'h'), ('lift', 'row', '', '', 'r', 'h'), ('deal', '', 'cards', 'round', 'r', 'h'), ('read', 'seat card', '', 'turn round', 'r', 'h'), ('withdraw', 'seat', '', 'turn round', 'r', 'h'), ('place', '', '', 'turn round', 'r', 'h'), ('take', 'seat row', '', 'turn round', 'r', 'h'), ('join', '', 'name', 'seat', 'r', 'h'), ('save', '', '', '', 'r', 'h'))
_INSTEAD = {'choose': ': read the card that a seat plays', 'pick': ': the players make the draft themselves, then lay the four cards that are left (V2)'}

class Known:

    def __init__(self, row):
        self.do, needed, possible, moment, self.kind, who = row
        self.needed, self.possible, self.moment = (needed.split(), possible.split(), moment.split())
        self.for_seats = who == 's'

    def check_fields(self, request):
        for field in self.needed:
            if field not in request:
                raise BadRequest(f'{self.do} needs {quoted(field)}')
        for field in sorted(request):
            if field not in self.needed + self.possible + self.moment + ['id', 'do', 'game', 'as']:
                raise BadRequest(f'{self.do} has no field {quoted(field)}')

def known(do, kind):
    rows = [row for row in REQUESTS if row[0] == do]
    for row in rows:
        if row[4] in ('', kind) or not kind:
            return Known(row)
    if not rows:
        raise BadRequest(f'there is no request {quoted(do)}')
    what = 'with real cards' + _INSTEAD.get(do, '') if kind == 'r' else 'whose hands are known'
    raise BadRequest(f'{quoted(do)} is not for a game {what}')
TABLE = ('players', 'rules', 'phase', 'round', 'turn', 'rows', 'to_act', 'owed', 'heads', 'scores', 'seen', 'opening', 'ready')
_ASKING = ('view', 'hands', 'save', 'record')

class Hosted:

    def __init__(self, game, bots=None):
        self.game = game
        self._company = None
        self._last = {}
        self.made = ('', ([], {}))
        if bots is not None:
            self._seat_bots(bots)

    @property
    def kind(self):
        return 'r' if isinstance(self.game, Referee) else 'g'

    def begin(self, new):
        dealt = new and self.game.phase == 'choose'
        first = [Dealt(self.game.round, self.game.rows)] if dealt else []
        return (first + self._play_bots(), self.state())

    def answer(self, row, request, text):
        do, moment = (row.do, row.moment)
        if do in _ASKING:
            return ([], getattr(self, '_' + do)(request))
        by = as_int(request['seat'], 'seat') if 'seat' in row.needed else None
        last = self._last.get(by)
        if last and last[0] == text and moment and (moment[0] in request):
            return last[1]
        self._now(do, moment, request)
        arguments = [request.get(field) for field in row.needed + row.possible]
        move = getattr(self, '_' + do, None) or getattr(self.game, do)
        events = list(move(*arguments)) + self._play_bots()
        if do == 'deal':
            self._last.clear()
        answer = (events, self.state())
        self._last[by] = (text, answer)
        return answer

    def _now(self, do, moment, request):
        game = self.game
        expected = {'round': game.round + (do == 'deal'), 'turn': game.turn, 'seat': game.players}
        for field in moment:
            if field in request and as_int(request[field], field) != expected[field]:
                raise WrongPhase(f'{do} is for {field} {expected[field]} now, not for {field} {request[field]}')

    def state(self):
        game = self.game
        state = {'phase': game.phase, 'round': game.round, 'turn': game.turn, 'to_act': game.to_act}
        state['scores'] = game.scores
        if game.owed:
            state['owed'] = _plain(game.owed)
        if isinstance(game, Referee):
            state['ready'] = game.ready
        return state

    def _seat_bots(self, bots):
        assert isinstance(self.game, Game)
        names = [name if name is None else checked_policy(name) for name in listed(bots, 'bots')]
        self._company = Bots(self.game, names)

    def _play_bots(self):
        bots, events = (self._company, [])
        if bots is None:
            return []
        bots.share()
        seat = bots.asked()
        while seat is not None:
            events += bots.move(seat)
            seat = bots.asked()
        return events

    def _view(self, request):
        game = self.game
        if isinstance(game, Referee):
            shown = {name: _plain(getattr(game, name)) for name in TABLE}
            if 'as' not in request:
                shown['cards'] = [game.chosen(seat) for seat in range(game.players)]
        else:
            view = game.view(request.get('seat'))
            shown = {name: _plain(getattr(view, name)) for name in fields_of(View)}
        shown['names'] = game.names
        return {'view': shown}

    def _hands(self, request):
        game, seats = (self.game, range(self.game.players))
        return {'hands': [game.hand(seat) for seat in seats], 'chosen': [game.chosen(seat) for seat in seats]}

    def _save(self, request):
        return {'data': self.game.save().hex(), 'names': self.game.names}

    def _record(self, request):
        game = self.game
        return {'record': game.record()}

    def _choose(self, seat, card):
        game = self.game
        if game.phase == 'choose' and game.chosen(seat) == as_int(card, 'card'):
            return [Chosen(seat)]
        events = game.choose(seat, card)
        return events

    def _read(self, seat, card):
        game = self.game
        return game.read(seat, card) or [Chosen(seat)]

    def _join(self, name):
        self.game.join(name)
        if self._company:
            self._company.join()
        return []

    def _bots(self, bots):
        self._seat_bots(bots)
        return []

def _plain(value):
    if isinstance(value, Rules):
        return {name: getattr(value, name) for name in NAMES}
    if isinstance(value, RowOwed):
        return dict(zip(fields_of(value), value))
    return value
_NO_MEMORY = '{"error":"InternalError","id":null,"message":"not enough memory","ok":false}'

class Session:

    def __init__(self, games=1000):
        self._most = as_int(games, 'games')
        self._hosted = {}
        self._line, self._too_long = (bytearray(), False)

    def feed(self, data):
        out = []
        start, came = (0, bytes(data or b''))
        while True:
            stop = came.find(b'\n', start)
            self._add(came[start:] if stop < 0 else came[start:stop])
            if stop < 0:
                return ''.join([line + '\n' for line in out]).encode()
            out += self._answer_line()
            start = stop + 1

    def end(self):
        if not bytes(self._line).strip() and (not self._too_long):
            return b''
        self._line, self._too_long = (bytearray(), False)
        return (_refusal(None, BadRequest('the input ends inside a line')) + '\n').encode()

    def _add(self, part):
        if len(self._line) + len(part) > 65536:
            self._line, self._too_long = (bytearray(), True)
        if not self._too_long:
            self._line.extend(part)

    def _answer_line(self):
        line, too_long = (bytes(self._line), self._too_long)
        self._line, self._too_long = (bytearray(), False)
        if too_long:
            return [_refusal(None, BadRequest(f'the line is longer than {65536} bytes'))]
        return self.answer(line)

    def answer(self, line):
        try:
            return self._answer(line) if line.strip() else []
        except MemoryError:
            return [_NO_MEMORY]

    def _answer(self, line):
        number = None
        try:
            request = parsed(line)
            number = _id_of(request)
            events, reply = self._do(request)
            name = request.get('game', 'main')
            lines = [dumps(_told_session(event, name)) for event in events]
            reply = dict(reply)
            reply['id'], reply['ok'] = (number, True)
            return lines + [dumps(reply)]
        except (NimmtError, TypeError) as error:
            return [_refusal(number, error)]
        except Exception as error:
            return [_refusal(number, error, 'InternalError')]

    def _do(self, request):
        do, text = (request.get('do'), _but_id(request))
        if not isinstance(do, str):
            raise BadRequest("'do' must say in a word what to do")
        name = checked_name(request.get('game', 'main'))
        asking = as_int(request['as'], 'as') if 'as' in request else None
        hosted = self._hosted.get(name)
        row = known(do, hosted.kind if hosted else '')
        if not row.kind:
            row.check_fields(request)
            if asking is not None and (not row.for_seats):
                raise IllegalMove(_for_the_host(asking, do))
            answer = getattr(self, '_' + do)(request, name, text)
            return answer
        if hosted is None:
            raise NimmtError(f'there is no game {quoted(name)}')
        if asking is not None:
            seat = _asking(request, row, hosted.game.players)
            if 'seat' in row.needed + row.possible:
                request['seat'] = seat
        row.check_fields(request)
        return hosted.answer(row, request, text)

    def _hello(self, request, name, text):
        versions = {'protocol': 1, 'version': __version__, 'stream': 1}
        return ([], dict(versions, name='nimmt', backend=name_core))

    def _games(self, request, name, text):
        return ([], {'games': sorted(self._hosted)})

    def _close(self, request, name, text):
        if name not in self._hosted:
            raise NimmtError(f'there is no game {quoted(name)}')
        del self._hosted[name]
        return ([], {})

    def _create(self, request, name, text):
        if 'names' in request and 'players' in request:
            raise BadRequest("'names' and 'players' say the same: give one")
        names = _names_session(request)
        players = as_int(request.get('players', 4), 'players') if names is None else names
        rules = _rules(request.get('rules', {}))
        if not isinstance(request.get('referee', False), bool):
            raise BadRequest("'referee' must be true or false")

        def make():
            if not request.get('referee'):
                seed = _word_session(request.get('seed'))
                return Hosted(Game(players, seed, rules, _word_session(request.get('index', 0)) or 0), request.get('bots'))
            for field in ('seed', 'index', 'bots'):
                if field in request:
                    raise BadRequest(f'{quoted(field)} is not for a game with real cards')
            return Hosted(Referee(players, rules))
        return self._made(request, name, text, make)

    def _load(self, request, name, text):

        def make():
            try:
                if not isinstance(request['data'], str):
                    raise TypeError(f"data must be text, not {type(request['data']).__name__}")
                data = bytes.fromhex(request['data'])
            except ValueError:
                raise BadRecord('a save is an even number of hexadecimal digits') from None
            if data[:2] != b'6r':
                return Hosted(Game.load(data, _names_session(request)), request.get('bots'))
            if 'bots' in request:
                raise BadRequest("'bots' is not for a game with real cards")
            return Hosted(Referee.load(data, _names_session(request)))
        return self._made(request, name, text, make)

    def _made(self, request, name, text, make):
        there = self._hosted.get(name)
        if there:
            if there.made[0] == text:
                return there.made[1]
            raise IllegalMove(f'there is a game {quoted(name)} already')
        if len(self._hosted) >= self._most:
            raise IllegalMove(f'there are {self._most} games already')
        hosted = make()
        events, reply = hosted.begin(request['do'] == 'create')
        if isinstance(hosted.game, Game):
            reply['seed'], reply['index'] = (str(hosted.game.seed), str(hosted.game.game))
        hosted.made = (text, (events, reply))
        self._hosted[name] = hosted
        return hosted.made[1]

def _id_of(request):
    number = request.get('id')
    if number is not None and (isinstance(number, (bool, float, list, dict)) or len(str(number)) > 100):
        raise BadRequest("'id' must be a whole number or text, of at most 100 characters")
    return number

def _but_id(request):
    return dumps({field: request[field] for field in request if field != 'id'})

def _for_the_host(seat, do):
    return f'seat {seat} may not ask for {quoted(do)}: the host may'

def _asking(request, row, players):
    seat = checked_seat(request['as'], players)
    if not row.for_seats:
        raise IllegalMove(_for_the_host(seat, row.do))
    if as_int(request.get('seat', seat), 'seat') != seat:
        raise IllegalMove(f"seat {seat} may not ask for seat {request['seat']}")
    return seat

def _names_session(request):
    return listed(request['names'], 'names') if request.get('names') is not None else None

def _rules(options):
    if not isinstance(options, dict):
        raise BadRequest("'rules' must be an object of options")
    for option in sorted(options):
        if option not in NAMES:
            raise BadRequest(no_option(option))
    return Rules(**options)

def _word_session(value):
    if isinstance(value, str):
        if not 1 <= len(value) <= 20 or value.strip('0123456789'):
            raise BadRequest('a number as text has 1 to 20 digits')
        return int(value)
    return None if value is None else as_int(value, 'a seed or index')

def _told_session(event, game):
    told = {'event': type(event).__name__, 'game': game}
    for field, value in zip(fields_of(event), event):
        told[field] = value
    return told

def _refusal(number, error, name=''):
    return dumps({'id': number, 'ok': False, 'error': name or type(error).__name__, 'message': str(error)})
