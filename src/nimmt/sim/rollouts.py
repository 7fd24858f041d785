"""rollouts: the moves of a seat compared, over many ways in which the cards that it does not see may be dealt."""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..args import checked_seat, checked_seed, in_range, listed
from ..bots import checked_policy, policy_number
from ..core import layout as c
from ..errors import NimmtError, WrongPhase
from ..game import Game
from ..port import explain
from ..round import Round
from ..rules import one_of
from ..state import hand_of, owed_of
from ..table import awaited
from ..view import View
from ..worlds import known_by
from .backend import rollouts as run
from .plan import TAKES
from .summary import mean_and_error

MOST_WORLDS = 1 << 32
PLAYOUTS_A_CALL = 1 << 16  # what Ctrl-C has to wait for: some 0.1 seconds in C


class Move(NamedTuple):
    move: int
    heads: float
    heads_error: float | None
    heads_by_seat: tuple[float, ...]


explain(
    Move,
    "One move of a seat, and what became of it.",
    move='the card 1..104 if cards are compared (phase "choose"), or the row 0..3 (phase "take")',
    heads="mean bull heads that the seat itself takes from the position to the end of the round (R8), 0..171",
    heads_error="standard error of heads; None with one world",
    heads_by_seat="mean bull heads that each seat takes from the position to the end of the round, by seat",
)


class Rollouts(NamedTuple):
    seat: int
    phase: str
    policies: tuple[str, ...]
    worlds: int
    seed: int
    moves: tuple[Move, ...]

    @property
    def best(self) -> int:
        """The move with the fewest mean heads for the seat; of equal ones the lowest card or row."""
        return min(self.moves, key=lambda move: (move.heads, move.move)).move

    def __str__(self) -> str:
        """Return a table that a person can read; ± stands before the standard error."""
        lines = [f"{'card' if self.phase == 'choose' else 'row':>4}  heads to the end of the round"]
        for move in self.moves:
            error = "" if move.heads_error is None else f" ± {move.heads_error:.3f}"
            lines.append(f"{move.move:>4}  {move.heads:.3f}{error}")
        return "\n".join(lines)


explain(
    Rollouts,
    "The moves of a seat compared. str() gives a table that a person can read.",
    seat="whose moves these are, 0..9",
    phase='"choose" if cards are compared, "take" if rows are',
    policies="who played the rest of the round, by seat",
    worlds="in how many worlds each move was tried",
    seed="0..2**64-1, of which the worlds were drawn: the same seed gives the same numbers",
    moves="a Move for each card or row that the seat may choose, ascending",
)


def rollouts(
    position: View | Game | Round,
    worlds: int,
    policies: Sequence[str],
    seed: int | None = None,
    *,
    seat: int | None = None,
    take: str = "cheapest",
) -> Rollouts:
    """Try every card that a seat may choose, or every row that it may take, in many worlds; return a Rollouts.

    position     the view of a seat, or a game or round, of which no more than that seat may know is used: the hands
                 of a logic draft (V2) where position is a game or a view of one, and no other hands
    worlds       how many, 1..2**32: ways to deal the cards that the seat does not see, each equally likely
    policies     by seat, who plays the rest of the round: "random", "lowest", "highest", "nearest", as
                 nimmt.bots.Policy says; that of the seat itself plays from its next turn on, and takes rows at once
    seed         0..2**64-1; None takes one from the system, and Rollouts.seed tells it
    seat         0..players-1, whose moves are compared; a view knows it
    take         how rows that are owed are taken (R7): "cheapest" by A1 and A2; "random": the policy "random" takes any
                 of those that are allowed, equally likely, and the others the cheapest

    Every move is tried in the same worlds with the same draws. Where cards are chosen now, what lies face down is
    chosen anew by the policies. World w deals from Stream(seed, w, 0, 2), and the policies go on with it: the numbers
    are the same on both backends, and the first worlds of a seed are the same however many there are.

    Raises WrongPhase where the seat has nothing to choose or take, else NimmtError or TypeError for wrong arguments.
    """
    state, at, hidden = _known(position, seat)
    names = tuple(checked_policy(name) for name in listed(policies, "policies"))
    if len(names) != state[c.PLAYERS]:
        raise NimmtError(f"{state[c.PLAYERS]} players need {state[c.PLAYERS]} policies, not {len(names)}")
    one_of("take", take, TAKES)
    count, number = in_range(worlds, "worlds", 1, MOST_WORLDS), checked_seed(seed)
    owed = owed_of(state)
    if state[c.PHASE] == c.OVER or owed and owed.seat != at:
        raise WrongPhase(f"seat {at} cannot choose or take now: {awaited(state)}")
    numbers = bytes(policy_number(name, take) for name in names)
    choices = owed.rows if owed else tuple(hand_of(state, at))
    moves = _compared(state, at, hidden, choices, numbers, number, count)
    return Rollouts(at, "take" if owed else "choose", names, count, number, moves)


def _compared(
    state: bytearray, seat: int, hidden: list[int], choices: tuple[int, ...], policies: bytes, seed: int, worlds: int
) -> tuple[Move, ...]:
    """Return the choices of a seat as moves, tried in some worlds a call."""
    players = state[c.PLAYERS]
    heads, squares = array("Q", bytes(80 * players)), array("Q", bytes(80))
    step = max(1, PLAYOUTS_A_CALL // len(choices))
    for first in range(0, worlds, step):
        number = min(step, worlds - first)
        if run(state, seat, hidden, policies, seed, first, number, heads, squares) != len(choices):
            raise RuntimeError("the core refuses a position that was checked")  # a fault of the package
    moves = []
    for i, choice in enumerate(choices):
        sums = heads[i * players : (i + 1) * players]
        _, error = mean_and_error(worlds, sums[seat], squares[i])
        by_seat = tuple(total / worlds for total in sums)
        moves.append(Move(choice, by_seat[seat], error, by_seat))
    return tuple(moves)


def _known(position: Any, seat: int | None) -> tuple[bytearray, int, list[int]]:
    """Return what a seat knows, as bytes of a round, the seat, and whose hands are hidden from it."""
    if isinstance(position, View):
        if position.seat is None:
            raise NimmtError("this is the view of a spectator, who has no cards to choose from: give that of a seat")
        if seat is not None and checked_seat(seat, position.players) != position.seat:
            raise NimmtError(f"this is the view of seat {position.seat}, not of seat {seat}")
        state, hidden = known_by(position)
        return state, position.seat, hidden
    if not isinstance(position, (Game, Round)):
        raise TypeError(f"position must be a View, a Game or a Round, not {type(position).__name__}")
    if seat is None:
        raise NimmtError(f"give seat=, whose moves are compared: 0..{position.players - 1}")
    at = checked_seat(seat, position.players)
    if isinstance(position, Game):
        state, hidden = known_by(position.view(at))
        return state, at, hidden
    if position.phase == "draft":
        raise WrongPhase("the draft is not over (V2)")
    if not position.knows_hands:
        raise NimmtError("rollouts need the hand of the seat: the hands of this round are unknown")
    state, hidden = bytearray(position.to_bytes()), [other for other in range(position.players) if other != at]
    for other in hidden:
        state[c.HANDS + 10 * other : c.HANDS + 10 * (other + 1)] = bytes(10)
    return state, at, hidden
