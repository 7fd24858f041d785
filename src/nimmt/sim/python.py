"""csrc/nimmt_simulate.c, nimmt_batch.c and nimmt_rollouts.c in Python: loops over the verbs of the core."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core import core as chosen
from ..core import layout as c
from ..core.layout import CARDS, POLICIES
from ..errors import NimmtError
from ..rules import CHOICES
from ..state import hand_of, owed_of
from ..stream import Stream
from ..turn import resolve
from ..worlds import USE_WORLDS, deal_hidden, unseen
from .plan import Plan
from .tally import Counter

if TYPE_CHECKING:
    from ..core import Core

#: In place of a policy: cards of that seat stay as they are.
LEAVE = 255

#: In place of a seat that owes a row.
NOBODY = 255


# Whole games between built-in policies


def simulate(
    plan: Plan,
    seed: int,
    first: int,
    games: int,
    scores: memoryview | None = None,
    rounds: memoryview | None = None,
    core: Core = chosen,
) -> array[int]:
    """Play games one by one, with deal and playout of a core: see backend.simulate."""
    counter = Counter(plan.players)
    for i in range(games):
        totals, number = play_game(core, plan, seed, first + i, counter)
        if scores is not None:
            scores[i * plan.players : (i + 1) * plan.players] = memoryview(array("H", totals))
        if rounds is not None:
            rounds[i] = number
    return counter.packed()


def play_game(core: Core, plan: Plan, seed: int, game: int, counter: Counter) -> tuple[list[int], int]:
    """Play one game to its end (R9), count it, and return its scores and its number of rounds."""
    state = bytearray(c.SIZE)
    r, numbers, totals = core.bind(state), plan.numbers, [0] * plan.players
    number = 0
    while number == 0 or not plan.rules.is_over(tuple(totals), number):
        stream = Stream(seed, game, number)
        core.deal(r, plan.players, plan.highest, plan.flags, stream)
        core.playout(r, numbers, stream)
        heads = state[c.TAKEN : c.TAKEN + plan.players]
        counter.round(heads)
        totals = [total + taken for total, taken in zip(totals, heads)]
        number += 1
    counter.game(totals, number)
    return totals, number


# The moves of a seat in many worlds


def rollouts(
    position: bytearray,
    seat: int,
    hidden: list[int],
    policies: bytes,
    seed: int,
    first: int,
    worlds: int,
    heads: array[int],
    squares: array[int],
) -> int:
    """Try the moves of a seat world by world: see backend.rollouts. The position is one that worlds.known_by gives."""
    players, owed = position[c.PLAYERS], owed_of(position)
    start, moves = bytearray(position), owed.rows if owed else tuple(hand_of(position, seat))
    if not owed:
        start[c.CHOSEN : c.TAKEN] = bytes(10)
    for world in range(first, first + worlds):
        stream, dealt = Stream(seed, world, 0, USE_WORLDS), bytearray(start)
        deal_hidden(dealt, hidden, unseen(dealt), stream)
        words = stream.state[:]
        for at, move in enumerate(moves):
            stream.state[:] = words
            after = _after(dealt, seat, move, policies, stream)
            for other in range(players):
                taken = after[c.TAKEN + other] - start[c.TAKEN + other]
                heads[at * players + other] += taken
                squares[at] += taken * taken if other == seat else 0
    return len(moves)


def _after(dealt: bytearray, seat: int, move: int, policies: bytes, stream: Stream) -> bytearray:
    """Return the end of a round in which a seat plays this card, or takes this row if it owes one."""
    after = bytearray(dealt)
    r = chosen.bind(after)
    if after[c.PHASE] == c.TAKE:
        chosen.take(r, seat, move, None)
    else:
        after[c.CHOSEN + seat] = move
    chosen.playout(r, policies, stream)
    return after


# Many rounds in step, with the moves of the caller


def narrow(numbers: memoryview) -> bytes:
    """Return integers as bytes: see backend.narrow."""
    return bytes(number if 0 <= number < 255 else 255 for number in numbers)


class Placed(NamedTuple):
    """What a turn made of many positions: bytes as in csrc/nimmt_batch.h."""

    rows: bytearray
    heads: bytearray
    owes: bytearray
    allowed: bytearray


def place(
    rows: bytes, cards: bytes, take: bytes | None, players: int, flags: int, placed: Placed, codes: array[int] | None
) -> int:
    """Place the cards of one turn in many positions, one by one with nimmt.resolve: see backend.place."""
    tie = str(CHOICES["tie"][flags // c.TIE_RIGHT])
    refused = 0
    for i in range(len(rows) // 20):
        try:
            turn = resolve(*position_of(rows, cards, take, players, i), bool(flags & c.PROFESSIONAL), tie)
        except NimmtError:
            refused += 1
            if codes is not None:
                codes[i] = c.E_STATE
            continue
        for number, row in enumerate(turn.rows):
            placed.rows[20 * i + 5 * number : 20 * i + 5 * number + 5] = bytes(row) + bytes(5 - len(row))
        for seat, taken in turn.heads.items():
            placed.heads[players * i + seat] = taken
        placed.owes[i] = turn.pending.seat if turn.pending else NOBODY
        placed.allowed[i] = sum(1 << row for row in turn.pending.rows) if turn.pending else 0
    return refused


def position_of(
    rows: Sequence[int], cards: Sequence[int], take: Sequence[int] | None, players: int, i: int
) -> tuple[list[list[int]], dict[int, int], dict[int, int]]:
    """Return one of many positions as nimmt.resolve takes it: rows, cards by seat, rows to take by seat."""
    four = [list(rows[at : at + 5]) for at in range(20 * i, 20 * i + 20, 5)]
    for row in four:
        while row and row[-1] == 0:
            row.pop()
    at = players * i
    plays = {seat: card for seat, card in enumerate(cards[at : at + players]) if card}
    wanted = {} if take is None else {seat: row for seat, row in enumerate(take[at : at + players]) if 0 <= row < 4}
    return four, plays, wanted


class Block:
    """backend.Block in Python."""

    def __init__(self, state: bytearray, streams: bytearray) -> None:
        self.state, self.streams = state, streams
        whole, words, core = memoryview(state), memoryview(streams).cast("I"), chosen
        self._core = core
        # Views, so that the core works on the block itself; it takes them for bytearrays.
        self._rounds: list[Any] = [whole[at : at + c.SIZE] for at in range(0, len(state), c.SIZE)]
        self._bound = [core.bind(r) for r in self._rounds]
        self._words = words
        self._streams = [_stream_at(words[at : at + 4]) for at in range(0, len(words), 4)]

    def deal(self, players: int, highest: int, flags: int, seed: int, first: int, round: int) -> int:
        for i, r in enumerate(self._bound):
            stream = Stream(seed, first + i, round)
            code = self._core.deal(r, players, highest, flags, stream)
            if code:
                return code
            self._words[4 * i : 4 * i + 4] = memoryview(stream.state)
        return 0

    def check(self) -> int:
        head = self._rounds[0][:3]
        for r, bound in zip(self._rounds, self._bound):
            if self._core.check(bound) or r[:3] != head or r[c.FLAGS] & c.UNKNOWN_HANDS:
                return c.E_STATE
        return 0

    def _count(self, code_of: Callable[[int], int], codes: array[int] | None) -> int:
        refused = 0
        for i in range(len(self._rounds)):
            code = code_of(i)
            refused += code != 0
            if codes is not None:
                codes[i] = code
        return refused

    def choose(self, cards: bytes, codes: array[int] | None) -> int:
        players = self.state[c.PLAYERS]
        refused = self._count(lambda i: _cards_code(self._rounds[i], cards[i * players : (i + 1) * players]), codes)
        if not refused:
            for i, r in enumerate(self._rounds):
                r[c.CHOSEN : c.CHOSEN + players] = cards[i * players : (i + 1) * players]
        return refused

    def resolve(self, policy: int, heads: memoryview | None, codes: array[int] | None) -> int:
        refused = self._count(lambda i: _chosen_code(self._rounds[i]), codes)
        for i, r in enumerate(self._rounds if not refused else ()):
            before = bytes(r[c.TAKEN : c.SEEN])
            self._core.resolve(self._bound[i], None)
            while policy >= 0 and r[c.ALLOWED]:
                row = self._core.policy_row(self._bound[i], policy, self._streams[i])
                self._core.take(self._bound[i], r[c.OWES], row, None)
            _heads_since(r, before, heads, i)
        return refused

    def take(self, rows: bytes, heads: memoryview | None, codes: array[int] | None) -> int:
        def code_of(i: int) -> int:
            allowed = self._rounds[i][c.ALLOWED]
            return 0 if not allowed or (rows[i] < 4 and allowed >> rows[i] & 1) else c.E_ROW

        refused = self._count(code_of, codes)
        for i, r in enumerate(self._rounds if not refused else ()):
            before = bytes(r[c.TAKEN : c.SEEN])
            if r[c.ALLOWED]:
                self._core.take(self._bound[i], r[c.OWES], rows[i], None)
            _heads_since(r, before, heads, i)
        return refused

    def owing(self) -> int:
        return sum(1 for r in self._rounds if r[c.ALLOWED])

    def policy(self, policies: bytes, cards: memoryview) -> int:
        if any(number >= POLICIES and number != LEAVE for number in policies):
            return c.E_POLICY
        if any(r[c.PHASE] != c.CHOOSE for r in self._rounds):
            return c.E_PHASE
        for i, r in enumerate(self._bound):
            for seat, number in enumerate(policies):
                if number != LEAVE:
                    card = self._core.policy_card(r, seat, number, self._streams[i])
                    cards[i * len(policies) + seat] = card
        return 0

    def playout(self, policies: bytes) -> int:
        for r, stream in zip(self._bound, self._streams):
            code = self._core.playout(r, policies, stream)
            if code:
                return code
        return 0

    def legal(self, legal: memoryview) -> None:
        players, width = self.state[c.PLAYERS], CARDS + 1
        legal[:] = bytes(len(legal))
        for i, r in enumerate(self._rounds):
            for seat in range(players if r[c.PHASE] == c.CHOOSE else 0):
                at = c.HANDS + 10 * seat
                for card in bytes(r[at : at + 10 - r[c.TURN]]):
                    legal[(i * players + seat) * width + card] = 1


def _stream_at(words: memoryview) -> Stream:
    """Return a stream whose state lies in a block."""
    stream = object.__new__(Stream)
    stream.state = words  # type: ignore[assignment]
    return stream


def _cards_code(r: Any, cards: bytes) -> int:
    if r[c.PHASE] != c.CHOOSE:
        return c.E_PHASE
    for seat, card in enumerate(cards):
        if not 1 <= card <= r[c.HIGHEST]:
            return c.E_CARD
        at = c.HANDS + 10 * seat
        if card not in bytes(r[at : at + 10]):
            return c.E_HELD
    return 0


def _chosen_code(r: Any) -> int:
    if r[c.PHASE] != c.CHOOSE:
        return c.E_PHASE
    return c.E_MISSING if 0 in bytes(r[c.CHOSEN : c.CHOSEN + r[c.PLAYERS]]) else 0


def _heads_since(r: Any, before: bytes, heads: memoryview | None, i: int) -> None:
    if heads is not None:
        for seat in range(r[c.PLAYERS]):
            heads[i * r[c.PLAYERS] + seat] = r[c.TAKEN + seat] - before[seat]
