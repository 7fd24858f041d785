"""Why a batch refuses a move, as an exception that names the round, the seat, the card or row, and the rule."""

from array import array
from typing import NoReturn

from ..args import checked_card
from ..core import layout as c
from ..errors import IllegalMove, WrongPhase
from ..state import hand_of
from ..table import awaited, refuse
from .backend import Block

LISTED = 10  # so many rounds are named in a message


class IllegalMoves(IllegalMove):
    """Some rounds of a batch refuse a move, so that all rounds are as they were.

    rounds       the numbers of the rounds that refuse, 0..n-1, ascending

    The message names the first of them, its seat, the card or row, and the rule.
    """

    def __init__(self, message: str, rounds: tuple[int, ...]) -> None:
        super().__init__(message)
        self.rounds = rounds

    def __reduce__(self) -> tuple[type["IllegalMoves"], tuple[str, tuple[int, ...]]]:
        return IllegalMoves, (str(self), self.rounds)


def listing(rounds: tuple[int, ...], what: str = "rounds") -> str:
    """Return which rounds, or what else is numbered, refuse, as the end of a message."""
    if len(rounds) == 1:
        return ""
    more = ", ..." if len(rounds) > LISTED else ""
    return f"; {len(rounds)} {what} refuse: {', '.join(map(str, rounds[:LISTED]))}{more}"


def wrong_phase(block: Block, what: str, wanted: int) -> NoReturn:
    """Raise for a move while some rounds are not in the phase that it needs."""
    phases = block.state[c.PHASE :: c.SIZE]
    rounds = tuple(i for i, phase in enumerate(phases) if phase != wanted)
    first = round_of(block, rounds[0])
    raise WrongPhase(f"cannot {what} now: round {rounds[0]}: {awaited(first)}{listing(rounds)}")


def refuse_cards(block: Block, numbers: memoryview, narrowed: bytes) -> NoReturn:
    """Raise for cards that some rounds refuse: by round and seat, as they were given and narrowed to bytes."""
    players, codes = block.state[c.PLAYERS], array("b", bytes(len(block.state) // c.SIZE))
    block.choose(narrowed, codes)
    if c.E_PHASE in codes:
        wrong_phase(block, "choose", c.CHOOSE)
    rounds = tuple(i for i, code in enumerate(codes) if code)
    first = rounds[0]
    state, cards = round_of(block, first), numbers[first * players : (first + 1) * players]
    try:
        for seat, card in enumerate(cards):
            checked_card(seat, card, state[c.HIGHEST])
            if card not in hand_of(state, seat):
                refuse(state, c.E_HELD, seat, card)
    except IllegalMove as error:
        raise IllegalMoves(f"round {first}: {error}{listing(rounds)}", rounds) from None
    raise RuntimeError("the core refuses cards that are held")  # a fault of the package


def refuse_rows(block: Block, numbers: memoryview, narrowed: bytes) -> NoReturn:
    """Raise for rows that some rounds refuse: by round, as they were given and narrowed to bytes."""
    codes = array("b", bytes(len(narrowed)))
    block.take(narrowed, None, codes)
    rounds = tuple(i for i, code in enumerate(codes) if code)
    first = rounds[0]
    state = round_of(block, first)
    try:
        refuse(state, codes[first], state[c.OWES], numbers[first])
    except IllegalMove as error:
        raise IllegalMoves(f"round {first}: {error}{listing(rounds)}", rounds) from None
    raise RuntimeError("the core refuses rows that may be taken")  # a fault of the package


def round_of(block: Block, number: int) -> bytearray:
    """Return the bytes of one round."""
    return block.state[number * c.SIZE : (number + 1) * c.SIZE]
