"""What saves have in common: rules and rounds as bytes, the length and the checksum."""

from . import _pycore as c
from ._backend import core, crc32
from .errors import BadRecord, NimmtError
from .rules import CHOICES, Rules

_ROTATE = 255


def word(data: bytes) -> int:
    return int.from_bytes(data, "little")


def sealed(head: bytes, body: bytes) -> bytes:
    """Return a save: its head, its length (2 bytes), its body, the CRC-32 of all before."""
    data = head + (len(head) + 2 + len(body) + 4).to_bytes(2, "little") + body
    return data + crc32(data).to_bytes(4, "little")


def checked_round(data: "bytes | bytearray") -> bytearray:
    """Return the bytes of a round, or raise BadRecord if the rules allow none like it."""
    from .draft import check

    state = bytearray(data)
    if len(state) != c.SIZE or (core.check(core.bind(state)) and check(state)):
        raise BadRecord(f"these {len(state)} bytes are not a round that the rules allow")
    chosen = state[c.CHOSEN : c.CHOSEN + state[c.PLAYERS]]
    if state[c.PHASE] == c.CHOOSE and all(chosen) and not state[c.FLAGS] & c.UNKNOWN_HANDS:  # real cards wait
        raise BadRecord("all have chosen, but no card is shown (R4)")
    return state


def pack_rules(rules: Rules) -> bytes:
    deck, draft, professional, tie, limit, end, rounds, first, cheapest = rules._values
    bits = CHOICES["deck"].index(deck) << 3 | draft << 2 | professional << 1 | CHOICES["end"].index(end)
    first = _ROTATE if isinstance(first, str) else first
    options = (bits, CHOICES["tie"].index(tie), CHOICES["cheapest"].index(cheapest), first)
    return bytes(options) + (limit or 0).to_bytes(2, "little") + (rounds or 0).to_bytes(2, "little")


def unpack_rules(data: bytes) -> Rules:
    bits = [data[0] >> shift & 1 for shift in (3, 2, 1, 0)]
    if data[0] > 15 or data[1] > 2 or data[2] > 2:
        raise BadRecord("the save has rules that do not exist")
    try:
        return Rules(
            deck=str(CHOICES["deck"][bits[0]]),
            draft=bits[1] == 1,
            professional=bits[2] == 1,
            tie=str(CHOICES["tie"][data[1]]),
            limit=word(data[4:6]) or None,
            end=str(CHOICES["end"][bits[3]]),
            rounds=word(data[6:8]) or None,
            first_picker="rotate" if data[3] == _ROTATE else data[3],
            cheapest=str(CHOICES["cheapest"][data[2]]),
        )
    except NimmtError as error:
        raise BadRecord(f"the save has rules that do not exist: {error}") from None
