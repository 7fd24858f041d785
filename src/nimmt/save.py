"""Games and referees as bytes, for files, flash, databases. Equal games give equal bytes.

A game, little-endian, version 1, at most 400 bytes: "6n", version, stream version, length (2 bytes); rules (8);
seed (8), game (8), number of the round (4); first picker, number of players, scores (3 each); the round (164,
csrc/nimmt.h); CRC-32 of all before it (4).

A referee, at most 221 bytes: "6r", version, 0, length (2); rules (8); number of the round (4); number of players, cards
laid out (4), scores (3 each); the round (164); CRC-32 of all before it (4).

Functions here take and return the parts; what makes a game of them is in game.py and referee.py.
"""

from .core import layout as c
from .draft import check
from .errors import BadRecord, NimmtError
from .events import Cards
from .port import crc32
from .round import checked_round
from .rules import CHOICES, Rules, possible_scores
from .state import DRAFT, flags_of, nothing_yet
from .stream import STREAM_VERSION

VERSION = 1
SAVE_MAX = 400
_ROTATE = 255
_HEAD = 6  # bytes before the rules
_FIXED = 23  # bytes of a referee before the scores


# A game


def pack_game(rules: Rules, seed: int, game: int, number: int, first: int, scores: Cards, state: bytes) -> bytes:
    """Return the bytes of a game: its rules, seed and index, number of the round, first picker, scores, round."""
    numbers = seed.to_bytes(8, "little") + game.to_bytes(8, "little") + number.to_bytes(4, "little")
    body = pack_rules(rules) + numbers + bytes((first, len(scores))) + _pack_scores(scores) + state
    return _sealed(b"6n" + bytes((VERSION, STREAM_VERSION)), body)


def unpack_game(data: bytes) -> "tuple[Rules, int, int, int, int, Cards, bytearray]":
    """Return the parts of a game in the order of pack_game, or raise BadRecord."""
    if data[:2] != b"6n":
        raise BadRecord("this is not a saved game: it does not begin with 6n")
    _check_frame(data, STREAM_VERSION)
    players = data[35] if len(data) > 35 else 0
    at = 36 + 3 * players
    _check_players(data, players, at)
    rules, number, first = _unpack_rules(data[_HEAD:14]), _word(data[30:34]), data[34]
    scores, state = _unpack_scores(data[36:at]), checked_round(data[at:-4])
    _check_game(rules, number, first, scores, state)
    parts = rules, _word(data[14:22]), _word(data[22:30]), number, first, scores, state
    if pack_game(*parts[:6], bytes(state)) != data:
        raise BadRecord("the save is not in canonical form")
    return parts


def _check_game(rules: Rules, number: int, first: int, scores: Cards, state: bytearray) -> None:
    """Refuse parts that are right alone but not together."""
    players, seated, scored = len(scores), state[c.PLAYERS], state[c.PHASE] == c.OVER
    finished = number - 1 + scored
    before = _scores_before(scores, state)
    _agree(number >= 1, "rounds count from 1")
    _check_round(rules, state, flags_of(rules))
    drafting = state[c.PHASE] == DRAFT
    _agree(not drafting or rules.draft, "the round is a draft, and the rules do not have one")
    _agree(not drafting or check(state, first) == 0, "another seat began the draft")
    _agree(first < (players if rules.draft else 1), "the first picker is not at the table")
    _agree(not rules.draft or rules.first_picker in ("rotate", first), "the rules name another first picker")
    _check_seated(seated, scores)
    _agree(seated == players or scored and not rules.is_over(scores, finished), "somebody joined in a round")
    _agree(max(scores) <= 171 * finished, "the scores are too high for so few rounds")
    _agree(min(before) >= 0 and max(before) <= 171 * (number - 1), "the scores do not fit the heads of this round")
    _agree(number == 1 or not rules.is_over(before, number - 1), "the game was over before this round")


# A referee of real cards


def pack_table(rules: Rules, number: int, opening: bytes, scores: Cards, state: bytes) -> bytes:
    """Return the bytes of a referee: its rules, number of the round, cards laid out, scores, round."""
    body = pack_rules(rules) + number.to_bytes(4, "little") + bytes((len(scores),)) + opening
    return _sealed(b"6r" + bytes((VERSION, 0)), body + _pack_scores(scores) + state)


def unpack_table(data: bytes) -> "tuple[Rules, int, bytes, Cards, bytearray]":
    """Return the parts of a referee in the order of pack_table, or raise BadRecord."""
    if data[:2] != b"6r":
        raise BadRecord("this is not a saved table: it does not begin with 6r")
    _check_frame(data, 0)
    players = data[18] if len(data) > 18 else 0
    at = _FIXED + 3 * players
    _check_players(data, players, at)
    rules, number, opening = _unpack_rules(data[_HEAD:14]), _word(data[14:18]), data[19:_FIXED]
    scores = _unpack_scores(data[_FIXED:at])
    state = checked_round(data[at:-4]) if number else nothing_yet(players, rules)
    parts = rules, number, opening, scores, state
    if pack_table(*parts[:4], bytes(state)) != data:
        raise BadRecord("the save is not in canonical form")
    _check_table(rules, number, opening, scores, state)
    return parts


def _check_table(rules: Rules, number: int, opening: bytes, scores: Cards, state: bytearray) -> None:
    """Refuse parts that are right alone but not together."""
    players, seated, laid = len(scores), state[c.PLAYERS], [card for card in opening if card]
    before = list(_scores_before(scores, state))
    _check_round(rules, state, flags_of(rules) | c.UNKNOWN_HANDS)
    _check_seated(seated, scores)
    _agree(len(set(laid)) == len(laid), "a card is laid out twice")
    _agree(max(opening) <= rules.highest(players), "a card is laid out that the deck does not have")
    fits = possible_scores(rules, number, before) if number else max(scores) == 0
    _agree(fits, "the scores do not fit the rules and the rounds")
    finished = state[c.PHASE] == c.OVER
    between = finished and not rules.is_over(scores, number)
    _agree(between or not laid, "cards are laid out, and it is not between rounds")
    _agree(between or seated == players, "somebody joined, and it is not between rounds")


# What both have


def pack_rules(rules: Rules) -> bytes:
    """Return rules as eight bytes."""
    deck, draft, professional, tie, limit, end, rounds, first, cheapest = rules._values
    bits = CHOICES["deck"].index(deck) << 3 | draft << 2 | professional << 1 | CHOICES["end"].index(end)
    first = _ROTATE if isinstance(first, str) else first
    options = (bits, CHOICES["tie"].index(tie), CHOICES["cheapest"].index(cheapest), first)
    return bytes(options) + (limit or 0).to_bytes(2, "little") + (rounds or 0).to_bytes(2, "little")


def _unpack_rules(data: bytes) -> Rules:
    bits = [data[0] >> shift & 1 for shift in (3, 2, 1, 0)]
    if data[0] > 15 or data[1] > 2 or data[2] > 2:
        raise BadRecord("the save has rules that do not exist")
    try:
        return Rules(
            deck=str(CHOICES["deck"][bits[0]]),
            draft=bits[1] == 1,
            professional=bits[2] == 1,
            tie=str(CHOICES["tie"][data[1]]),
            limit=_word(data[4:6]) or None,
            end=str(CHOICES["end"][bits[3]]),
            rounds=_word(data[6:8]) or None,
            first_picker="rotate" if data[3] == _ROTATE else data[3],
            cheapest=str(CHOICES["cheapest"][data[2]]),
        )
    except NimmtError as error:
        raise BadRecord(f"the save has rules that do not exist: {error}") from None


def _word(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _pack_scores(scores: Cards) -> bytes:
    return b"".join([score.to_bytes(3, "little") for score in scores])


def _unpack_scores(data: bytes) -> Cards:
    return tuple([_word(data[i : i + 3]) for i in range(0, len(data), 3)])


def _sealed(head: bytes, body: bytes) -> bytes:
    """Return a save: its head, its length (2 bytes), its body, the CRC-32 of all before."""
    data = head + (len(head) + 2 + len(body) + 4).to_bytes(2, "little") + body
    return data + crc32(data).to_bytes(4, "little")


def _check_frame(data: bytes, streams: int) -> None:
    """Refuse a save of another version, or one that is not whole."""
    if len(data) < _HEAD + 4:
        raise BadRecord(f"the save is cut: {len(data)} bytes")
    if data[2] != VERSION or data[3] != streams:
        raise BadRecord(f"a save of version {data[2]}.{data[3]}; this release reads {VERSION}.{streams}")
    if len(data) != _word(data[4:6]):
        raise BadRecord(f"the save is cut or too long: {len(data)} bytes where {_word(data[4:6])} are said")
    if crc32(data[:-4]) != _word(data[-4:]):
        raise BadRecord("the save is damaged: its checksum is wrong")


def _check_players(data: bytes, players: int, at: int) -> None:
    if not 2 <= players <= 10 or len(data) != at + c.SIZE + 4:
        raise BadRecord(f"a save of {len(data)} bytes cannot have {players} players")


def _scores_before(scores: Cards, state: bytearray) -> Cards:
    """Return the scores before the round in `state`, of the seats that played it."""
    scored, heads = state[c.PHASE] == c.OVER, state[c.TAKEN : c.TAKEN + state[c.PLAYERS]]
    return tuple([score - taken * scored for score, taken in zip(scores, heads)])


def _check_round(rules: Rules, state: bytearray, flags: int) -> None:
    right = state[c.HIGHEST] == rules.highest(state[c.PLAYERS]) and state[c.FLAGS] == flags
    _agree(right, "the round was played with other rules")


def _check_seated(seated: int, scores: Cards) -> None:
    """Who joined has the highest score of those who played the round (H7)."""
    _agree(seated <= len(scores), "more played the round than are at the table")
    _agree(set(scores[seated:]) <= {max(scores[:seated])}, "who joined has another score than the highest (H7)")


def _agree(good: bool, problem: str) -> None:
    if not good:
        raise BadRecord(f"the parts of the save contradict each other: {problem}")
