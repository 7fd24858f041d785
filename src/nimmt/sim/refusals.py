"""Why a batch refuses a move, as an exception that names the round, the seat, the card or row, and the rule."""

from array import array
from typing import NoReturn

from ..core import layout as c
from ..errors import IllegalMove, WrongPhase
from ..table import refuse
from .blocks import Block

LISTED = 10  # so many rounds are named in a message


class IllegalMoves(IllegalMove):
    """Some rounds of a batch refuse a move, and so none has changed.

    rounds       the numbers of the rounds that refuse it, ascending
    """

    def __init__(self, message: str, rounds: tuple[int, ...]) -> None:
        super().__init__(message)
        self.rounds = rounds

    def __reduce__(self) -> tuple[type["IllegalMoves"], tuple[str, tuple[int, ...]]]:
        return IllegalMoves, (str(self), self.rounds)


def listing(rounds: tuple[int, ...]) -> str:
    """Return which rounds refuse, as the end of a message."""
    if len(rounds) == 1:
        return ""
    more = ", ..." if len(rounds) > LISTED else ""
    return f"; {len(rounds)} rounds refuse: {', '.join(map(str, rounds[:LISTED]))}{more}"


def wrong_phase(block: Block, what: str, wanted: int) -> NoReturn:
    """Raise for a move while some rounds are not in the phase that it needs."""
    phases = block.state[c.PHASE :: c.SIZE]
    rounds = tuple(i for i, phase in enumerate(phases) if phase != wanted)
    waits = {
        c.CHOOSE: "cards are chosen now (R4)",
        c.TAKE: f"seat {block.state[rounds[0] * c.SIZE + c.OWES]} must take a row first (R7, P5)",
        c.OVER: "the round is over (R8)",
    }
    raise WrongPhase(f"cannot {what} now: round {rounds[0]}: {waits[phases[rounds[0]]]}{listing(rounds)}")


def refuse_cards(block: Block, numbers: memoryview, narrowed: bytes) -> NoReturn:
    """Raise for cards that some rounds refuse."""
    players, codes = block.state[c.PLAYERS], array("b", bytes(len(block.state) // c.SIZE))
    block.choose(narrowed, codes)
    if c.E_PHASE in codes:
        wrong_phase(block, "choose", c.CHOOSE)
    rounds = tuple(i for i, code in enumerate(codes) if code)
    first = rounds[0]
    state, cards = round_of(block, first), numbers[first * players : (first + 1) * players]
    for seat, card in enumerate(cards):
        at = c.HANDS + 10 * seat
        if not 1 <= card <= state[c.HIGHEST]:
            reason = f"seat {seat}: there is no card {card}: the deck is 1..{state[c.HIGHEST]} (R1, V1)"
        elif card in state[at : at + 10]:
            continue
        else:
            reason = reason_of(state, c.E_HELD, seat, card)
        raise IllegalMoves(f"round {first}: {reason}{listing(rounds)}", rounds)
    raise RuntimeError("the core refuses cards that are held")  # a fault of the package


def refuse_rows(block: Block, numbers: memoryview, narrowed: bytes) -> NoReturn:
    """Raise for rows that some rounds refuse."""
    codes = array("b", bytes(len(narrowed)))
    block.take(narrowed, None, codes)
    rounds = tuple(i for i, code in enumerate(codes) if code)
    state = round_of(block, rounds[0])
    reason = reason_of(state, c.E_ROW, state[c.OWES], numbers[rounds[0]])
    raise IllegalMoves(f"round {rounds[0]}: {reason}{listing(rounds)}", rounds)


def round_of(block: Block, number: int) -> bytearray:
    return block.state[number * c.SIZE : (number + 1) * c.SIZE]


def reason_of(state: bytearray, code: int, seat: int, number: int) -> str:
    """Return the words of the round for a code of the core."""
    try:
        refuse(state, code, seat, number)
    except IllegalMove as error:
        return str(error)
    raise RuntimeError(f"there are no words for code {code}")
