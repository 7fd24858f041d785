# nimmt 0.1.0, an engine for the card game 6 nimmt! (MIT license); this file was made by: nimmt board Referee.players Referee.phase Referee.to_act Referee.legal Referee.hand Referee.chosen Referee.rows Referee.heads Referee.owed Referee.cheapest Referee.turn Referee.round Referee.scores Referee.ranks Referee.winners Referee.is_over Referee.save Referee.load Referee.seen Referee.opening Referee.ready Referee.lay Referee.lift Referee.deal Referee.join Referee.read Referee.withdraw Referee.place Referee.take Referee.from_rows Rules BASE TACTIC LOGIC PROFESSIONAL bull_heads NimmtError IllegalMove WrongPhase BadRecord Slots files
from collections import namedtuple
import os

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

def take_python(r, seat, row, log):
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

def _add_new(cards, card, highest):
    if not 1 <= card <= highest or _has(cards, 0, card):
        return False
    _add(cards, 0, card)
    return True

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

    def __repr__(self):
        given = []
        for name, value, default in zip(NAMES, self._values, BASE._values):
            if value != default and (not (name == 'limit' and value is None)):
                given.append(f'{name}={repr(value)}')
        return f"Rules({', '.join(given)})"

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
TACTIC = Rules(deck='tactic')
LOGIC = Rules(deck='tactic', draft=True)
PROFESSIONAL = Rules(professional=True)
Dealt = namedtuple('Dealt', ('round', 'rows'))
Chosen = namedtuple('Chosen', ('seat',))
Revealed = namedtuple('Revealed', ('cards',))
Placed = namedtuple('Placed', ('seat', 'card', 'row', 'side', 'taken'))
RowOwed = namedtuple('RowOwed', ('seat', 'card', 'rows'))
RoundOver = namedtuple('RoundOver', ('heads', 'scores'))
GameOver = namedtuple('GameOver', ('scores', 'ranks', 'winners'))
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

def _laid_out(players, flags, owes):
    state = pack(players, 10 * players + 4, flags, 3, [])
    state[5] = owes
    return state

def pool(state):
    picked = bytes(state[64:])
    return [card for card in range(1, state[1] + 1) if card not in picked]

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

    def _withdraw(self, seat):
        seat = self._seat(seat)
        self._refused(withdraw(self._r, seat), seat, 0)
        return []

    def _take(self, seat, row):
        seat, row = (self._seat(seat), as_int(row, 'row'))
        code = take_python(self._r, seat, row if 0 <= row < 4 else 4, self._l)
        self._refused(code, seat, row)
        return self._told([], code)

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

class Referee(Scored):

    def __init__(self, players=4, rules=BASE):
        self._seat_all(players, rules)
        self._adopt(nothing_yet(self.players, rules))

    def _seat_all(self, players, rules):
        count, names = seated(players)
        self.rules, self.names, self.round, self.scores = (as_rules(rules), names, 0, (0,) * count)
        self._opening, = (bytearray(4),)

    @classmethod
    def from_rows(cls, rows, players=4, rules=BASE, turn=1, scores=None, round=1):
        self = object.__new__(cls)
        self._seat_all(players, rules)
        number = checked_word(round, 'round', 32)
        points = [0] * self.players if scores is None else [as_int(s, 'score') for s in listed(scores, 'scores')]
        if len(points) != self.players or not possible_scores(rules, number, points):
            raise NimmtError(f'{self.players} players in round {number} cannot have the scores {points} (R8, R9)')
        self._adopt(pack_position(rows, self.players, None, rules, turn))
        self.round, self.scores = (number, tuple(points))
        return self

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

class Slots:

    def __init__(self, read, write):
        self._read, self._write = (read, write)
        first, second = (_whole(read(0)), _whole(read(1)))
        self._slot = 1
        self._kept = first or second
        if first and (not second or _follows(first[0], second[0])):
            self._slot = 0
        elif second:
            self._kept = second

    def load(self):
        return self._kept[1] if self._kept else None

    def save(self, data):
        data = as_bytes(data, 'a save')
        if not 1 <= len(data) <= 65535:
            raise NimmtError(f'a slot takes 1 to 65535 bytes, not {len(data)}')
        if self._kept and self._kept[1] == data:
            return False
        kept = (self._kept[0] + 1 & 4294967295 if self._kept else 0, data)
        slot = 1 - self._slot
        self._write(slot, _packed(kept[0], data))
        if _whole(self._read(slot)) != kept:
            raise OSError(f'slot {slot} does not hold what was written to it')
        self._slot, self._kept = (slot, kept)
        return True

def _follows(newer, older):
    return newer - older & 4294967295 < 2147483648

def _packed(sequence, data):
    head = b'6s' + bytes((1, 0)) + sequence.to_bytes(4, 'little') + len(data).to_bytes(4, 'little')
    return head + data + crc32(data, crc32(head)).to_bytes(4, 'little')

def _whole(slot):
    slot = bytes(slot or b'')
    if len(slot) < 16 or slot[:4] != b'6s' + bytes((1, 0)):
        return None
    end = 12 + int.from_bytes(slot[8:12], 'little')
    if not 12 < end <= len(slot) - 4 or crc32(slot[:end]) != int.from_bytes(slot[end:end + 4], 'little'):
        return None
    return (int.from_bytes(slot[4:8], 'little'), slot[12:end])

def files(path):

    def read(slot):
        return _read_file(f'{path}.{slot}')

    def write(slot, data):
        _write_file(f'{path}.{slot}', data)
    return Slots(read, write)

def _read_file(path):
    try:
        with open(path, 'rb') as file:
            return file.read()
    except OSError as error:
        if error.args[0] == 2:
            return None
        raise

def _write_file(path, data):
    try:
        os.stat(path)
        new = False
    except OSError:
        new = True
    with open(path, 'wb') as file:
        file.write(data)
        file.flush()
        if hasattr(os, 'fsync'):
            os.fsync(file.fileno())
    if hasattr(os, 'sync') and (new or not hasattr(os, 'fsync')):
        os.sync()

def bull_heads(card):
    card = as_int(card, 'card')
    if not 1 <= card <= 104:
        raise NimmtError(no_card(card, 104))
    return HEADS[card]
