"""Who sits at a table: the number of players, their names, and who comes late (R1, H7)."""

from .checks import listed
from .errors import IllegalMove, NimmtError, as_int

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .scored import Scored


def checked_players(players: object) -> int:
    """Return the number of players, 2..10 (R1)."""
    number = as_int(players, "players")
    if not 2 <= number <= 10:
        raise NimmtError(f"2 to 10 can play, not {number} (R1)")
    return number


def checked_name(name: object) -> str:
    """Return a name that can stand in a line of text: 1 to 40 characters, no control characters, no spaces around."""
    if not isinstance(name, str):
        raise TypeError(f"a name must be text, not {type(name).__name__}")
    codes = [ord(character) for character in name]
    bad = [n for n in codes if n < 32 or 126 < n < 160 or 0xD7FF < n < 0xE000 or n in (0x2028, 0x2029)]
    if not 1 <= len(codes) <= 40 or _is_space(codes[0]) or _is_space(codes[-1]) or bad:
        raise NimmtError(f"a name has 1 to 40 printable characters, no spaces around, not {repr(name)}")
    return name


def _is_space(code: int) -> bool:
    """Is this a space of any alphabet? str.strip of MicroPython knows those of ASCII alone."""
    return code in (32, 0xA0, 0x1680, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


def seated(players: object) -> "tuple[int, tuple[str, ...] | None]":
    """Return the number of players 2..10, and their names if a sequence of names was given instead of a number."""
    if isinstance(players, (int, float, bool)) or hasattr(players, "__index__") or players is None:
        return checked_players(players), None
    names = tuple([checked_name(name) for name in listed(players, "players")])
    return checked_players(len(names)), names


def join(game: "Scored", name: "str | None") -> int:
    """Seat one more player with the highest score at the table (H7); return the seat."""
    if game.players == 10:
        raise IllegalMove("the table is full: 2 to 10 can play (R1, H7)")
    new = None if name is None else (checked_name(name),)
    if (new is None) != (game.names is None):
        raise NimmtError("a player who joins needs a name where the others have one, and none elsewhere")
    if new is not None:
        game.names = (game.names or ()) + new
    game.scores += (max(game.scores),)
    return game.players - 1
