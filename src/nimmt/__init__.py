"""nimmt: an engine for the card game 6 nimmt! (Take 5, 6 qui prend).

    >>> import nimmt
    >>> game = nimmt.Game(players=4, seed=7)
    >>> game.play((2, 17, 28, 13))[-1]
    RowOwed(seat=0, card=2, rows=(0, 1, 2, 3))

The rules are in RULES.md; docstrings cite them (R5, P4). This is an unofficial engine, not affiliated with the game's
publisher or author.
"""

from ._backend import name as backend
from ._backend import reason as backend_reason
from ._version import __version__

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .errors import BadRecord, IllegalMove, NimmtError, WrongPhase
    from .events import Chosen, Dealt, GameOver, Picked, Placed, Revealed, RoundOver, RowOwed, Turn
    from .game import Game
    from .playback import replay
    from .referee import Referee
    from .round import Round
    from .rules import BASE, LOGIC, PROFESSIONAL, TACTIC, Rules
    from .save import SAVE_MAX
    from .stream import STREAM_VERSION, Stream
    from .turn import bull_heads, resolve
    from .view import View

# Where these names are. Each is imported when it is first asked for: a small board has room for what it uses, no more.
_LATER = (
    ("errors", "BadRecord IllegalMove NimmtError WrongPhase"),
    ("events", "Chosen Dealt GameOver Picked Placed Revealed RoundOver RowOwed Turn"),
    ("game", "Game"),
    ("playback", "replay"),
    ("referee", "Referee"),
    ("round", "Round"),
    ("rules", "BASE LOGIC PROFESSIONAL TACTIC Rules"),
    ("save", "SAVE_MAX"),
    ("stream", "STREAM_VERSION Stream"),
    ("turn", "bull_heads resolve"),
    ("view", "View"),
)


def __getattr__(name: str) -> object:
    for module, names in _LATER:
        if name in names.split(" "):
            found = getattr(__import__("nimmt." + module, None, None, (name,)), name)
            globals()[name] = found
            return found
    if not name.startswith("_"):
        try:  # `from nimmt import arena`: MicroPython asks here first
            return __import__("nimmt." + name, None, None, (name,))
        except ImportError:
            found = None
    raise AttributeError(f"module 'nimmt' has no attribute {repr(name)}")


def __dir__() -> "list[str]":
    return sorted(set(globals()) | set(__all__))


__all__ = [
    "BASE",
    "LOGIC",
    "PROFESSIONAL",
    "SAVE_MAX",
    "STREAM_VERSION",
    "TACTIC",
    "BadRecord",
    "Chosen",
    "Dealt",
    "Game",
    "GameOver",
    "IllegalMove",
    "NimmtError",
    "Picked",
    "Placed",
    "Referee",
    "Revealed",
    "Round",
    "RoundOver",
    "RowOwed",
    "Rules",
    "Stream",
    "Turn",
    "View",
    "WrongPhase",
    "__version__",
    "backend",
    "backend_reason",
    "bull_heads",
    "replay",
    "resolve",
]
