"""nimmt: an engine for the card game 6 nimmt! (Take 5, 6 qui prend).

    >>> import nimmt
    >>> game = nimmt.Game(players=4, seed=7)
    >>> game.play((2, 17, 28, 13))[-1]
    RowOwed(seat=0, card=2, rows=(0, 1, 2, 3))

The rules are in RULES.md; docstrings cite them (R5, P4). This is an unofficial engine, not affiliated with the game's
publisher or author.
"""

# isort: off
from .game import Game  # first: a small heap compiles the largest file while it is empty

# isort: on
from ._backend import name as backend
from ._backend import reason as backend_reason
from ._version import __version__
from .errors import BadRecord, IllegalMove, NimmtError, WrongPhase
from .events import Chosen, Dealt, GameOver, Picked, Placed, Revealed, RoundOver, RowOwed, Turn
from .round import Round
from .rules import BASE, LOGIC, PROFESSIONAL, TACTIC, Rules
from .stream import STREAM_VERSION, Stream

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .playback import replay
    from .save import SAVE_MAX
    from .turn import bull_heads, resolve
    from .view import View


_LATER = {"SAVE_MAX": "save", "View": "view", "bull_heads": "turn", "replay": "playback", "resolve": "turn"}


def __getattr__(name: str) -> object:
    """Import what a small board may never need when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'nimmt' has no attribute {name!r}")
    found = getattr(__import__("nimmt." + _LATER[name], None, None, (name,)), name)
    globals()[name] = found
    return found


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
