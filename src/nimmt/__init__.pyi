from ._backend import name as backend
from ._backend import reason as backend_reason
from ._version import __version__
from .errors import BadRecord, IllegalMove, NimmtError, WrongPhase
from .events import Chosen, Dealt, GameOver, Picked, Placed, Revealed, RoundOver, RowOwed
from .game import Game
from .playback import replay
from .referee import Referee
from .round import Round
from .rules import BASE, LOGIC, PROFESSIONAL, TACTIC, Rules
from .save import SAVE_MAX
from .stream import STREAM_VERSION, Stream
from .turn import Turn, bull_heads, resolve
from .view import View

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
