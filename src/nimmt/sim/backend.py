"""Who plays: the C code where the core is in C, else Python. Both have the same verbs and give the same bytes."""

from array import array
from typing import Protocol

from .. import core
from . import python
from .plan import Plan

if core.name == "c":
    from . import c

    #: Is the C code used? Not with a library that was built from nimmt.c alone.
    IN_C = c.BUILT
else:
    IN_C = False


class Block(Protocol):
    """Many rounds as one block of bytes, and the verbs over all of them.

    state        164 bytes a round, one after the other: nimmt_round in csrc/nimmt.h
    streams      16 bytes a round: its random stream, four words of 32 bits

    Buffers are contiguous. Cards and heads are bytes by round and seat, rows are bytes by round, policies by seat.
    The verbs check everything before they write anything. choose, resolve and take return how many rounds refuse, and
    write the code of each (int8, 0 where it does not refuse) to `codes` if there is such a buffer. `heads` gets the
    bull heads that each seat takes meanwhile. Other verbs return 0, or the code of what they refuse.
    """

    state: bytearray
    streams: bytearray

    def deal(self, players: int, highest: int, flags: int, seed: int, first: int, round: int) -> int: ...
    def check(self) -> int: ...
    def choose(self, cards: bytes, codes: "array[int] | None") -> int: ...
    def resolve(self, policy: int, heads: memoryview | None, codes: "array[int] | None") -> int: ...
    def take(self, rows: bytes, heads: memoryview | None, codes: "array[int] | None") -> int: ...
    def owing(self) -> int: ...
    def policy(self, policies: bytes, cards: memoryview) -> int: ...
    def playout(self, policies: bytes) -> int: ...
    def legal(self, legal: memoryview) -> None: ...


def new_block(state: bytearray, streams: bytearray) -> Block:
    """Return the verbs over these bytes."""
    return c.Block(state, streams) if IN_C else python.Block(state, streams)


def narrow(numbers: memoryview) -> bytes:
    """Return integers as bytes. Those outside 0..255 become 255, which is not a card, a seat or a row."""
    if numbers.itemsize == 1:
        return numbers.tobytes()  # as bytes, negative numbers are above all cards, too
    return c.narrow(numbers) if IN_C else python.narrow(numbers)


def place(
    rows: bytes,
    cards: bytes,
    take: bytes | None,
    players: int,
    flags: int,
    placed: python.Placed,
    codes: "array[int] | None" = None,
) -> int:
    """Place the cards of one turn in many positions, as nimmt_batch_place does; return how many refuse.

    rows         20 bytes a position; cards and take by position and seat. All are bytes that narrow() gives
    placed       all 0, and of the sizes that are needed; says nothing of positions that refuse
    codes        int8 by position, all 0, or None: is not 0 where one refuses
    """
    return (c.place if IN_C else python.place)(rows, cards, take, players, flags, placed, codes)


def rollouts(
    position: bytearray,
    seat: int,
    hidden: list[int],
    policies: bytes,
    seed: int,
    first: int,
    worlds: int,
    heads: "array[int]",
    squares: "array[int]",
) -> int:
    """Try the moves of a seat in the worlds first .. first + worlds - 1 of a seed: csrc/nimmt_rollouts.h says how.

    position     the bytes of a round in which the hands of the seats in `hidden` are all 0
    policies     numbers, by seat
    heads        uint64 by move and seat, of at least 10 × players: the heads of each world are added
    squares      uint64 by move, of at least 10: the squares of the heads of `seat` are added

    Return how many moves there are, or the code of what is refused.
    """
    verb = c.rollouts if IN_C else python.rollouts
    return verb(position, seat, hidden, policies, seed, first, worlds, heads, squares)


def simulate(
    plan: Plan, seed: int, first: int, games: int, scores: memoryview | None = None, rounds: memoryview | None = None
) -> "array[int]":
    """Play the games first .. first + games - 1 of a seed, and return their tally.

    scores       writable, contiguous, uint16 by game and seat, one line; or None, also for rounds
    rounds       likewise, uint32 by game
    """
    if IN_C:
        return c.simulate(plan, seed, first, games, scores, rounds)
    return python.simulate(plan, seed, first, games, scores, rounds)
