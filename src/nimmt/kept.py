"""The referee of a table with real cards as at most 221 bytes, as save.py has a game.

Little-endian, version 1: "6r", version, 0, length (2 bytes); rules (8); number of the round (4); number of players,
cards laid out (4), scores (3 each); the round (164, csrc/nimmt.h); CRC-32 of all before it (4).
"""

from . import _pycore as c
from ._backend import crc32
from .errors import BadRecord, NimmtError
from .layout import flags_of
from .packing import checked_round, pack_rules, sealed, unpack_rules, word
from .referee import Referee, nothing_yet, possible_scores
from .rules import Rules

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = 1
_FIXED = 23  # bytes before the scores


def pack_table(table: Referee) -> bytes:
    """Return the bytes of a referee."""
    body = pack_rules(table.rules) + table.round.to_bytes(4, "little") + bytes((table.players,))
    body += bytes(table._opening) + b"".join([score.to_bytes(3, "little") for score in table.scores])
    return sealed(b"6r" + bytes((VERSION, 0)), body + bytes(table._state))


def unpack_table(kind: "type[Referee]", data: "bytes | bytearray", names: "Iterable[str] | None") -> Referee:
    """Return the referee of these bytes, or raise BadRecord."""
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f"a save is bytes, not {type(data).__name__}")
    rules, number, opening, scores, state = _unpack(bytes(data))
    table = kind(len(scores) if names is None else names, rules)
    if table.players != len(scores):
        raise NimmtError(f"the save has {len(scores)} players, not {table.players}")
    table.round, table.scores, table._opening = number, scores, bytearray(opening)
    table._adopt(state)
    if table.phase != "scored" and (any(opening) or state[c.PLAYERS] != table.players):
        raise BadRecord("the parts of the saved table contradict each other")
    return table


def _unpack(data: bytes) -> "tuple[Rules, int, bytes, tuple[int, ...], bytearray]":
    """Return the parts of a save, or raise BadRecord: rules, number of the round, cards laid out, scores, round."""
    if len(data) < _FIXED or data[:2] != b"6r":
        raise BadRecord("this is no saved table: it does not begin with 6r")
    if data[2] != VERSION or data[3]:
        raise BadRecord(f"a saved table of version {data[2]}.{data[3]}; this release reads {VERSION}.0")
    at = _FIXED + 3 * data[18]
    if len(data) != word(data[4:6]) or crc32(data[:-4]) != word(data[-4:]):
        raise BadRecord("the saved table is cut or damaged")
    if not 2 <= data[18] <= 10 or len(data) != at + c.SIZE + 4:
        raise BadRecord(f"a saved table of {len(data)} bytes cannot have {data[18]} players")
    rules, number, opening = unpack_rules(data[6:14]), word(data[14:18]), data[19:_FIXED]
    scores = [word(data[i : i + 3]) for i in range(_FIXED, at, 3)]
    state = checked_round(data[at:-4]) if number else nothing_yet(data[18], rules)
    seated, laid = state[c.PLAYERS], [card for card in opening if card]
    scored = state[c.PHASE] == c.OVER
    before = [score - taken * scored for score, taken in zip(scores, state[c.TAKEN : c.TAKEN + seated])]
    wrong = (
        bytes(state) != data[at:-4]
        or state[c.HIGHEST] != rules.highest(seated)
        or state[c.FLAGS] != flags_of(rules) | c.UNKNOWN_HANDS
        or seated > data[18]
        or [score for score in scores[seated:] if score != max(scores[:seated])]
        or len(set(laid)) != len(laid)
        or max(opening) > rules.highest(data[18])
        or (not possible_scores(rules, number, before) if number else max(scores) > 0)
    )
    if wrong or pack_rules(rules) != data[6:14]:
        raise BadRecord("the parts of the saved table contradict each other")
    return rules, number, opening, tuple(scores), state
