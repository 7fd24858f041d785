"""Batch: many rounds at once, one call a turn, for policies of the caller."""

from __future__ import annotations

from typing import Any

from ..args import as_int, checked_players, checked_seed, listed
from ..core import layout as c
from ..core.layout import CARDS, RANDOM, RANDOM_ROWS
from ..errors import BadRecord, NimmtError, WrongPhase
from ..port import new_lock
from ..round import Round
from ..rules import BASE, Rules
from ..state import flags_of
from . import blocks, views
from .buffers import integers, table, writable
from .plan import TAKES, checked_choice, checked_policy, checked_range, checked_rules, policy_number
from .refusals import refuse_cards, refuse_rows, wrong_phase

#: How rows that are owed are taken, as the verbs know it.
TAKING = {"cheapest": RANDOM, "random": RANDOM_ROWS, "caller": -1}


class Batch:
    """n rounds that are played in step, as one block of bytes; moves come from the caller.

    n            how many rounds, 1..2**31-1; each takes 180 bytes
    players      2..10
    seed         0..2**64-1; None takes one from the system
    rules        any without a draft
    first        round k of the batch is dealt from the stream of game first + k, 0..2**64-1
    take         how owed rows are taken: "cheapest" (A1, A2), "random" (drawn from the stream of the round), or
                 "caller": then resolve() stops where a row is owed, and take() goes on
    round        not an argument: the number of the round that all games are in, from 1

    The first rounds are dealt at once. A turn is choose(cards), resolve(), and with take="caller" take(rows) until
    `owing` is 0; play(cards) is choose and resolve. After ten turns deal() deals the next round of each game. A batch
    knows no scores and no end of a game (R9): heads are those of the round.

    Views show the block itself, read-only, and change with it: numpy arrays where numpy is installed, otherwise
    memoryviews, by round where a field has several numbers. Calls that are refused change nothing: IllegalMoves,
    WrongPhase, NimmtError for a wrong value or shape, TypeError for a wrong type. Batches are equal if they are at the
    same point of the same rounds; they pickle and copy.
    """

    def __init__(
        self,
        n: int,
        players: int,
        seed: int | None = None,
        rules: Rules = BASE,
        first: int = 0,
        take: str = "cheapest",
    ) -> None:
        self.players, self.rules = checked_players(players), checked_rules(rules, "a batch")
        self.seed, self.taking = checked_seed(seed), checked_choice("take", take, (*TAKES, "caller"))
        self.n = as_int(n, "n")
        if not 1 <= self.n < 1 << 31:
            raise NimmtError(f"a batch has 1..2**31-1 rounds, not {self.n}")
        self.first, _ = checked_range(first, self.n)
        self.round = 1
        self._open(bytearray(c.SIZE * self.n), bytearray(16 * self.n))
        self._deal()

    def _open(self, state: bytearray, streams: bytearray) -> None:
        self._block, self._lock, self._legal = blocks.new_block(state, streams), new_lock(), bytearray()

    def _deal(self) -> None:
        highest = self.rules.highest(self.players)
        self._block.deal(self.players, highest, flags_of(self.rules), self.seed, self.first, self.round - 1)

    # What is known

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, number: int) -> Round:
        """Return a copy of one round."""
        at = range(self.n)[as_int(number, "round")] * c.SIZE
        return Round(self._block.state[at : at + c.SIZE])

    @property
    def heads(self) -> Any:
        """Bull heads taken in this round (R8), uint8: [round, seat]."""
        return self._view("heads")

    @property
    def rows(self) -> Any:
        """The cards of the rows, uint8: [round, row, place] in table order, then zeros."""
        return self._view("rows")

    @property
    def length(self) -> Any:
        """How many cards each row has, 1..5, uint8: [round, row]."""
        return self._view("length")

    @property
    def hands(self) -> Any:
        """The cards of the hands, uint8: [round, seat, place] ascending, then zeros."""
        return self._view("hands")

    @property
    def chosen(self) -> Any:
        """The card each seat has chosen, or shown and not yet placed; 0: none. uint8: [round, seat]."""
        return self._view("chosen")

    @property
    def phase(self) -> Any:
        """0: cards are chosen, 1: a row is owed, 2: the round is over; uint8: [round]."""
        return self._view("phase")

    @property
    def turn(self) -> Any:
        """Turns that are finished, 0..10, uint8: [round]."""
        return self._view("turn")

    @property
    def owes(self) -> Any:
        """Where phase is 1: the seat that must take a row, uint8: [round]."""
        return self._view("owes")

    @property
    def allowed(self) -> Any:
        """Where phase is 1: the rows that may be taken, bit 0 is row 0; else 0. uint8: [round]."""
        return self._view("allowed")

    @property
    def seen(self) -> Any:
        """The cards that were face up this round, uint8: [round, byte]; bit 0 of byte 0 is card 1."""
        return self._view("seen")

    def _view(self, name: str) -> Any:
        return views.field(self._block.state, name, self.players)

    @property
    def block(self) -> Any:
        """All bytes of all rounds, read-only: a numpy array of views.dtype(), or a memoryview of 164 bytes a round."""
        numpy = views.numpy_or_none()
        if numpy is None:
            return table(self._block.state, "B", (self.n, c.SIZE))
        return numpy.frombuffer(memoryview(self._block.state).toreadonly(), views.dtype())

    @property
    def legal(self) -> Any:
        """What may be chosen: 1 at [round, seat, card] if the seat holds the card and cards are chosen now; uint8.

        The last index goes from 0, which is no card, to 104. The table is made anew at each access, in the same memory.
        """
        self._legal = self._legal or bytearray(self.n * self.players * (CARDS + 1))
        self.fill_legal(self._legal)
        return self._shaped(self._legal, CARDS + 1)

    def fill_legal(self, out: object) -> None:
        """Write `legal` to a writable, contiguous buffer of uint8 or bool, n × players × 105."""
        room = writable(out, (self.n, self.players, CARDS + 1))
        with self._lock:
            self._block.legal(room)

    @property
    def owing(self) -> int:
        """How many rounds owe a row: not 0 only with take="caller"."""
        return self._block.owing()

    @property
    def is_over(self) -> bool:
        """Are all rounds over? Then deal() comes next."""
        return self._block.state[c.PHASE :: c.SIZE].count(c.OVER) == self.n

    def policy_cards(self, policies: object, out: object = None) -> Any:
        """Return the cards that built-in policies would choose, uint8: [round, seat].

        policies     by seat: names of policies, None where the caller chooses: cards of those seats stay as they are
        out          a writable, contiguous buffer of uint8, n × players, instead of a new one

        "random" draws from the stream of the round, seats in order: it chooses as it does in `simulate`.
        """
        names = listed(policies, "policies")
        if len(names) != self.players:
            raise NimmtError(f"{self.players} players need {self.players} policies, not {len(names)}")
        numbers = [blocks.LEAVE if name is None else policy_number(checked_policy(name), "") for name in names]
        made = bytearray(self.n * self.players if out is None else 0)
        cards = writable(made if out is None else out, (self.n, self.players))
        with self._lock:
            if self._block.policy(bytes(numbers), cards):
                wrong_phase(self._block, "choose", c.CHOOSE)
        return self._shaped(made) if out is None else out

    # Moves

    def deal(self) -> None:
        """Deal the next round of all games. WrongPhase unless all rounds are over."""
        with self._lock:
            if not self.is_over:
                wrong_phase(self._block, "deal", c.OVER)
            if self.round == 1 << 32:
                raise NimmtError("there are no more than 2**32 rounds in a game")
            self.round += 1
            self._deal()

    def choose(self, cards: object) -> None:
        """Choose a card for every seat of every round; earlier choices are replaced (R4, H5).

        cards        a buffer of integers of any width, n × players
        """
        self._choose(integers(cards, (self.n, self.players), "cards"))

    def resolve(self, out: object = None) -> int:
        """Show and place the chosen cards of all rounds (R4..R8); return how many rounds owe a row now.

        out          a writable, contiguous buffer of uint8, n × players: gets the heads that each seat takes meanwhile
        """
        heads = None if out is None else writable(out, (self.n, self.players))
        with self._lock:
            return self._resolve(heads)

    def play(self, cards: object, out: object = None) -> int:
        """choose(cards) and resolve(out)."""
        heads = None if out is None else writable(out, (self.n, self.players))
        numbers = integers(cards, (self.n, self.players), "cards")
        with self._lock:
            self._choose(numbers)
            return self._resolve(heads)

    def take(self, rows: object, out: object = None) -> int:
        """Take rows where they are owed (R7, P3, P4) and place on; return how many rounds owe a row now.

        rows         a buffer of integers, n; those of rounds that owe none are not looked at
        out          as in resolve(); 0 for all other rounds
        """
        heads = None if out is None else writable(out, (self.n, self.players))
        numbers = integers(rows, (self.n,), "rows")
        with self._lock:
            if not self.owing:
                raise WrongPhase("no round owes a row (R7, P3, P4)")
            narrowed = blocks.narrow(numbers)
            if self._block.take(narrowed, heads, None):
                refuse_rows(self._block, numbers, narrowed)
            return self.owing

    def _choose(self, numbers: memoryview) -> None:
        with self._lock:
            narrowed = blocks.narrow(numbers)
            if self._block.choose(narrowed, None):
                refuse_cards(self._block, numbers, narrowed)

    def _resolve(self, heads: memoryview | None) -> int:
        if self._block.resolve(TAKING[self.taking], heads, None):
            if self._block.state[c.PHASE :: c.SIZE].count(c.CHOOSE) < self.n:
                wrong_phase(self._block, "resolve", c.CHOOSE)
            raise WrongPhase("no cards are chosen yet: choose(cards) comes first (R4)")
        return self.owing if self.taking == "caller" else 0

    # Values

    def _shaped(self, data: bytearray, *more: int) -> Any:
        """Return a table of bytes by round and seat; all but `legal` is the caller's to write to."""
        numpy, shape = views.numpy_or_none(), (self.n, self.players, *more)
        view = memoryview(data).cast("B", shape)
        view = view.toreadonly() if data is self._legal else view
        return view if numpy is None else numpy.asarray(view)

    def copy(self) -> Batch:
        """Return an independent batch that is equal."""
        with self._lock:
            return _restored(*self.__reduce__()[1])

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        facts = (self.n, self.players, self.seed, self.rules, self.first, self.taking, self.round)
        return _restored, (facts, bytes(self._block.state), bytes(self._block.streams))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Batch) and self.__reduce__()[1] == other.__reduce__()[1]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        end = self.first + self.n - 1
        return f"<Batch of {self.players}: games {self.first}..{end} of seed {self.seed}, round {self.round}>"


def _restored(facts: tuple[Any, ...], state: bytes, streams: bytes) -> Batch:
    """Return the batch that __reduce__ took apart; BadRecord if it is none."""
    *given, number = facts
    batch = Batch(1, *given[1:])  # checks them
    batch.n, batch.round = given[0], number
    sizes = len(state) == c.SIZE * batch.n and len(streams) == 16 * batch.n
    head = bytes((batch.players, batch.rules.highest(batch.players), flags_of(batch.rules)))
    if batch.n < 1 or not sizes or state[:3] != head or not 1 <= number <= 1 << 32:
        raise BadRecord("this is not a batch")
    batch._open(bytearray(state), bytearray(streams))
    if batch._block.check():
        raise BadRecord("a round of this batch is none that the rules allow")
    return batch
