"""The core in Python: the deal."""

from ._pycore import (
    _CHEAPEST,
    _TIE,
    E_STATE,
    FLAGS,
    HANDS,
    HIGHEST,
    LENGTH,
    PLAYERS,
    ROWS,
    SEEN,
    SIZE,
    UNKNOWN_HANDS,
    _add,
    _write,
)
from .cards import CARDS
from .stream import Stream

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    Cards = bytes | bytearray


def _valid_rules(players: int, highest: int, flags: int) -> bool:
    if not (2 <= players <= 10 and 10 * players + 4 <= highest <= CARDS and 0 <= flags < 2 * UNKNOWN_HANDS):
        return False
    return flags & _TIE != _TIE and flags & _CHEAPEST != _CHEAPEST


def _lay_out(r: bytearray, players: int, highest: int, flags: int, open: "Cards", hands: "Cards") -> int:
    """Write a new round of cards that were checked; no hands are unknown ones."""
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


def deal(r: bytearray, players: int, highest: int, flags: int, stream: Stream) -> int:
    if not _valid_rules(players, highest, flags) or flags & UNKNOWN_HANDS:
        return E_STATE
    deck = bytearray(range(1, highest + 1))
    for i in range(10 * players + 4):
        j = i + stream.below(highest - i)
        deck[i], deck[j] = deck[j], deck[i]
    dealt = 10 * players
    return _lay_out(r, players, highest, flags, deck[dealt : dealt + 4], deck[:dealt])
