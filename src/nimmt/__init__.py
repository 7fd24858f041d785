"""nimmt: an engine for the card game 6 nimmt! (Take 5, 6 qui prend).

    >>> import nimmt
    >>> game = nimmt.Game(players=4, seed=7)
    >>> game.play((2, 17, 28, 13))[-1]
    RowOwed(seat=0, card=2, rows=(0, 1, 2, 3))

The rules are in RULES.md; docstrings cite them (R5, P4). This is an unofficial engine, not affiliated with the game's
publisher or author.
"""

from ._backend import name as backend  # noqa: F401 - types, and what is public, are in __init__.pyi
from ._backend import reason as backend_reason  # noqa: F401

# A module and its names in each line. Each is imported when it is first asked for: a small board has room for what it
# uses, no more; and one text takes less of it than a table.
_LATER = """
_version __version__
errors BadRecord IllegalMove NimmtError WrongPhase
events Chosen Dealt GameOver Picked Placed Revealed RoundOver RowOwed
game Game
playback replay
referee Referee
round Round
rules BASE LOGIC PROFESSIONAL TACTIC Rules
save SAVE_MAX
stream STREAM_VERSION Stream
turn Turn bull_heads resolve
view View
"""


def __getattr__(name: str) -> object:
    lines = [line.split(" ") for line in _LATER.strip().split("\n")]
    if name == "__all__":
        return ["backend", "backend_reason"] + [later for line in lines for later in line[1:]]
    for line in lines:
        if name in line[1:]:
            found = getattr(__import__("nimmt." + line[0], None, None, (name,)), name)
            globals()[name] = found
            return found
    if not name.startswith("_"):
        try:  # `from nimmt import arena`: MicroPython asks here first
            return __import__("nimmt." + name, None, None, (name,))
        except ImportError:
            found = None
    raise AttributeError(f"module 'nimmt' has no attribute {repr(name)}")


def __dir__() -> "list[str]":
    return sorted(set(globals()) | set(__getattr__("__all__")))  # type: ignore[call-overload]
