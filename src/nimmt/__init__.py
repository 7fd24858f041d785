"""nimmt: an engine for the card game 6 nimmt! (Take 5, 6 qui prend).

    >>> import nimmt
    >>> game = nimmt.Game(players=4, seed=7)
    >>> game.play((2, 17, 28, 13))[-1]
    RowOwed(seat=0, card=2, rows=(0, 1, 2, 3))

BASE            the rules of the base game (R1..R10)
TACTIC          the rules with the deck 1..10n+4 for n players (V1)
LOGIC           the tactic rules with a draft (V2)
PROFESSIONAL    the rules by which cards also go left of a row (V3)
SAVE_MAX        a save has at most so many bytes
STREAM_VERSION  the same seed gives the same game as long as this number stays
backend         which core plays: "c" or "python"
backend_reason  one line that says why

The rules are in RULES.md; docstrings cite them (R5, P4). `import nimmt` does not load the modules arena, bots, slots,
worlds, protocol, sim and post; `from nimmt import arena` does. This is an unofficial engine. It is not affiliated with
the game's publisher or author.
"""

# isort: off
# From the ground up: a board that compiles the package has to compile the large modules while its heap is empty.
from ._version import __version__
from .core import name as backend
from .core import reason as backend_reason
from .errors import BadRecord, IllegalMove, NimmtError, WrongPhase
from .events import Chosen, Dealt, GameOver, Picked, Placed, Revealed, RoundOver, RowOwed
from .rules import BASE, LOGIC, PROFESSIONAL, TACTIC, Rules
from .stream import STREAM_VERSION, Stream
from .turn import Turn, bull_heads, resolve
from .round import Round
from .save import SAVE_MAX
from .view import View
from .game import Game, replay
from .referee import Referee
# isort: on

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
