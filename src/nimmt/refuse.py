"""Why a move or a wish is refused: exceptions and messages that name the seat, the card or row, and the rule."""

from . import _pycore as c
from .errors import IllegalMove, WrongPhase
from .events import RowOwed
from .layout import PHASES, hand_of, owed_of

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .scored import Scored


def refuse(state: bytearray, code: int, seat: int, number: int) -> None:
    """Raise for a move of this seat with this card or row (0 if it has none) that the core refused with `code`."""
    phase, owed, known = PHASES[state[c.PHASE]], owed_of(state), not state[c.FLAGS] & c.UNKNOWN_HANDS
    if code == c.E_PHASE:
        waits = {
            "choose": "cards are chosen now (R4)",
            "take": f"seat {state[c.OWES]} must take a row first (R7, P5)",
            "scored": "the round is over (R8)",
            "draft": f"the draft goes on, seat {state[c.OWES]} picks (V2)",
        }
        raise WrongPhase(f"seat {seat} cannot do this now: {waits[phase]}")
    if code == c.E_ROW and owed:
        raise IllegalMove(may_not_take(owed, number))
    if code == c.E_HELD and phase == "draft":
        raise IllegalMove(f"seat {seat}: card {number} is not in the pool (V2)")
    if code == c.E_HELD and not known:
        raise IllegalMove(f"seat {seat}: card {number} was seen this round or is chosen already (R1)")
    messages = {
        c.E_HELD: f"seat {seat} does not hold card {number} (R4)",
        c.E_SAME: f"seat {seat} has already chosen card {number}",
        c.E_OWES: f"seat {seat} is not asked: it is up to seat {state[c.OWES]}",
        c.E_NOTHING: f"seat {seat} has chosen no card that could be withdrawn",
    }
    raise IllegalMove(messages[code])


def refuse_play(state: bytearray, code: int, played: bytes) -> None:
    """Raise for the first seat whose card made the core refuse all of `played`."""
    for seat, card in enumerate(played):
        if code != c.E_HELD:
            refuse(state, code, seat, card)
        if card in played[:seat]:
            raise IllegalMove(f"seat {seat}: card {card} is played twice (R1)")
        if state[c.FLAGS] & c.UNKNOWN_HANDS:
            if c._has(state, c.SEEN, card):
                refuse(state, code, seat, card)
        elif card not in hand_of(state, seat):
            refuse(state, code, seat, card)


def may_not_take(owed: RowOwed, row: int) -> str:
    """Return the message for a row that may not be taken."""
    rule = "P4" if len(owed.rows) == 2 else "R7, P3"
    rows = " or ".join([str(allowed) for allowed in owed.rows])
    return f"seat {owed.seat} may not take row {row} for card {owed.card}, but row {rows} ({rule})"


def refuse_between(game: "Scored", what: str) -> None:
    """Raise for what is done between rounds, and not now."""
    reason = "the game is over (R9)" if game.is_over else f"round {game.round} is not over (R8)"
    raise WrongPhase(f"cannot {what} now: {reason}")


def no_core(error: ImportError) -> str:
    """Return the message for a C core that is asked for and is not there."""
    # pip keeps a wheel without C in its cache and would install it again.
    mend = "in a checkout this builds it: NIMMT_EXTENSION=1 pip install --no-cache-dir --force-reinstall '.[c]'"
    return f"NIMMT_BACKEND=c, but there is no C core ({error}); {mend}"
