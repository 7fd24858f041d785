"""A game as at most 400 bytes: for files, flash, databases. Canonical: equal games give equal bytes.

Little-endian, version 1: "6n", version, stream version, length (2 bytes); rules (8); seed (8), game (8), number of the
round (4); first picker, number of players, scores (3 each); the round (164, csrc/nimmt.h); CRC-32 of all before it (4).
"""

from . import _pycore as c
from ._backend import crc32
from .errors import BadRecord, NimmtError
from .game import Game
from .layout import DRAFT, flags_of
from .packing import checked_round, pack_rules, sealed, unpack_rules, word
from .rules import Rules
from .stream import STREAM_VERSION

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = 1
SAVE_MAX = 400
_HEAD = 6


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
    return sealed(b"6n" + bytes((VERSION, STREAM_VERSION)), body)


def unpack_game(kind: "type[Game]", data: "bytes | bytearray", names: "Iterable[str] | None") -> Game:
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
    state = checked_round(data[at : at + c.SIZE])
    _check_parts(rules, number, scores, data[34], state)
    game = kind(players if names is None else names, word(data[14:22]), rules, word(data[22:30]))
    if game.players != players:
        raise NimmtError(f"the save has {players} players, not {game.players}")
    game.round, game.scores, game._first, game._origin = number, scores, data[34], data
    game._adopt(state)
    if pack_game(game) != data:
        raise BadRecord("the save is not in canonical form")
    return game


def parts(game: Game) -> "tuple[object, ...]":
    """Return what a pickle of a game holds, for restored()."""
    history = None if game._history is None else bytes(game._history)
    return type(game), pack_game(game), game.names, game._origin, history


def restored(
    kind: "type[Game]",
    data: bytes,
    names: "Iterable[str] | None",
    origin: "int | bytes",
    history: "bytes | None",
) -> Game:
    """Return a game from its pickle."""
    game = kind.load(data, names)
    game._origin, game._history = origin, None if history is None else bytearray(history)
    return game


def _check_frame(data: bytes) -> None:
    if len(data) < _HEAD + 4 or data[:2] != b"6n":
        raise BadRecord("this is no saved game: it does not begin with 6n")
    if data[2] != VERSION or data[3] != STREAM_VERSION:
        raise BadRecord(f"a save of version {data[2]}.{data[3]}; this release reads {VERSION}.{STREAM_VERSION}")
    if len(data) != word(data[4:6]):
        raise BadRecord(f"the save is cut or too long: {len(data)} bytes where {word(data[4:6])} are said")
    if crc32(data[:-4]) != word(data[-4:]):
        raise BadRecord("the save is damaged: its checksum is wrong")


def _check_parts(rules: Rules, number: int, scores: "tuple[int, ...]", first: int, state: bytearray) -> None:
    """Refuse parts that are right alone but not together."""
    players, seated, scored = len(scores), state[c.PLAYERS], state[c.PHASE] == c.OVER
    finished = number - 1 + scored
    before = tuple([score - heads * scored for score, heads in zip(scores, state[c.TAKEN : c.TAKEN + seated])])
    newcomers = [score for score in scores[seated:] if score != max(scores[:seated])]  # H7: none may be here
    wrong = (
        number < 1
        or state[c.HIGHEST] != rules.highest(seated)
        or state[c.FLAGS] != flags_of(rules)
        or (state[c.PHASE] == DRAFT and not _began(rules, state, first))
        or first >= (players if rules.draft else 1)
        or (rules.draft and rules.first_picker not in ("rotate", first))
        or seated > players
        or (seated < players and (not scored or rules.is_over(scores, finished) or newcomers))
        or [score for score in scores if score > 171 * finished]
        or min(before) < 0
        or [score for score in before if score > 171 * (number - 1)]
        or (number > 1 and rules.is_over(before, number - 1))
    )
    if wrong:
        raise BadRecord("the parts of the save contradict each other")


def _began(rules: Rules, state: bytearray, first: int) -> bool:
    """Is this a draft of these rules that seat `first` began?"""
    from .draft import check

    return rules.draft and check(state, first) == 0
