"""A game as at most 400 bytes: for files, flash, databases. Canonical: equal games give equal bytes.

Little-endian, version 1: "6n", version, stream version, length (2 bytes); rules (8); seed (8), game (8), number of the
round (4); first picker, number of players, scores (3 each); the round (164, csrc/nimmt.h); CRC-32 of all before it (4).
"""

from . import _pycore as c
from ._backend import crc32
from .draft import check as check_draft
from .errors import BadRecord, NimmtError
from .game import Game
from .layout import flags_of
from .round import Round
from .rules import CHOICES, Rules
from .stream import STREAM_VERSION

VERSION = 1
SAVE_MAX = 400
_HEAD, _ROTATE = 6, 255


def pack_game(game: Game) -> bytes:
    """Return the bytes of a game."""
    body = b"".join(
        (
            pack_rules(game.rules),
            game.seed.to_bytes(8, "little"),
            game.game.to_bytes(8, "little"),
            game.round.to_bytes(4, "little"),
            bytes((game._first, game.players)),
            b"".join([score.to_bytes(3, "little") for score in game.scores]),
            bytes(game._state),
        )
    )
    data = b"6n" + bytes((VERSION, STREAM_VERSION)) + (len(body) + _HEAD + 4).to_bytes(2, "little") + body
    return data + crc32(data).to_bytes(4, "little")


def unpack_game(data: "bytes | bytearray", names: object) -> Game:
    """Return the game of these bytes, or raise BadRecord."""
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f"a save is bytes, not {type(data).__name__}")
    data = bytes(data)
    _check_frame(data)
    players = data[35] if len(data) > 35 else 0
    at = 36 + 3 * players
    if not 2 <= players <= 10 or len(data) != at + c.SIZE + 4:
        raise BadRecord(f"a save of {len(data)} bytes cannot have {players} players")
    rules, number = unpack_rules(data[6:14]), word(data[30:34])
    scores = tuple([word(data[i : i + 3]) for i in range(36, at, 3)])
    table = Round.from_bytes(data[at : at + c.SIZE])
    _check_parts(rules, number, scores, data[34], table)
    game = Game(players if names is None else names, word(data[14:22]), rules, word(data[22:30]))
    if game.players != players:
        raise NimmtError(f"the save has {players} players, not {game.players}")
    game.round, game.scores, game._first, game._origin = number, scores, data[34], data
    game._adopt(bytearray(table.to_bytes()))
    if pack_game(game) != data:
        raise BadRecord("the save is not in canonical form")
    return game


def restored(data: bytes, names: object, origin: "int | bytes", history: "bytes | None") -> Game:
    """Return a game from its pickle."""
    game = Game.load(data, names)
    game._origin, game._history = origin, None if history is None else bytearray(history)
    return game


def word(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _check_frame(data: bytes) -> None:
    if len(data) < _HEAD + 4 or data[:2] != b"6n":
        raise BadRecord("this is no saved game: it does not begin with 6n")
    if data[2] != VERSION or data[3] != STREAM_VERSION:
        raise BadRecord(f"a save of version {data[2]}.{data[3]}; this release reads {VERSION}.{STREAM_VERSION}")
    if len(data) != word(data[4:6]):
        raise BadRecord(f"the save is cut: {len(data)} of {word(data[4:6])} bytes")
    if crc32(data[:-4]) != word(data[-4:]):
        raise BadRecord("the save is damaged: its checksum is wrong")


def _check_parts(rules: Rules, number: int, scores: "tuple[int, ...]", first: int, table: Round) -> None:
    """Refuse parts that are right alone but not together."""
    state, players, scored = table.to_bytes(), len(scores), table.phase == "scored"
    finished = number - 1 + scored
    joined = players - table.players
    before = tuple([score - heads * scored for score, heads in zip(scores, table.heads)])
    highest = max(scores[: table.players])
    newcomers = [score for score in scores[table.players :] if score != highest]  # H7: none may be here
    wrong = (
        number < 1
        or state[c.HIGHEST] != rules.highest(table.players)
        or state[c.FLAGS] != flags_of(rules)
        or (table.phase == "draft" and (not rules.draft or check_draft(state, first) != 0))
        or first >= (players if rules.draft else 1)
        or (rules.draft and rules.first_picker not in ("rotate", first))
        or joined < 0
        or (joined and (not scored or rules.is_over(scores, finished) or newcomers))
        or [score for score in scores if score > 171 * finished]
        or min(before) < 0
        or [score for score in before if score > 171 * (number - 1)]
        or (number > 1 and rules.is_over(before, number - 1))
    )
    if wrong:
        raise BadRecord("the parts of the save contradict each other")


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
