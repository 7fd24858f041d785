"""Batch: many rounds at once, one call a turn, for policies of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ..args import as_int, checked_players, checked_seed, listed
from ..bots import checked_policy, policy_number
from ..core import layout as c
from ..core.layout import CARDS, RANDOM, RANDOM_ROWS
from ..errors import BadRecord, NimmtError, WrongPhase
from ..port import new_lock
from ..round import Round
from ..rules import BASE, Rules, one_of
from ..state import flags_of
from ..stream import Stream
from .arrays import dtype, field, integers, numpy_or_none, table, writable
from .backend import narrow, new_block
from .plan import TAKES, checked_range, checked_rules
from .python import LEAVE
from .refusals import refuse_cards, refuse_rows, wrong_phase

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Out = TypeVar("Out")

#: The `use` of the streams of rounds that were not dealt here.
USE_ROUNDS = 3

#: How rows that are owed are taken, as the verbs know it.
TAKING = {"cheapest": RANDOM, "random": RANDOM_ROWS, "caller": -1}


class Batch:
    """n rounds that are played in step, as one block of bytes; moves come from the caller.

    n            how many rounds, 1..2**31-1; each takes 180 bytes
    players      2..10 (R1)
    seed         0..2**64-1; None takes one from the system
    rules        any without a draft (V2)
    first        round k of the batch is dealt from the stream of game first + k, 0..2**64-1
    take         how owed rows are taken: "cheapest" (A1, A2), "random" (drawn from the stream of the round), or
                 "caller": then resolve() stops where a row is owed, and take() goes on
    round        not an argument: the number of the round that all games are in, from 1

    These are attributes, too; `take` is there as `taking`, and `round` is the number of the round that is played,
    1..2**32.

    The first rounds are dealt at once. A turn is choose(cards), resolve(), and with take="caller" take(rows) until
    `owing` is 0; play(cards) is choose and resolve. After ten turns deal() deals the next round of each game. A batch
    does not know scores or the end of a game (R9): heads are those of the round.

    Fields show the block itself, read-only, and change with it: they are numpy arrays where numpy is installed, and
    elsewhere memoryviews, or sequences of a memoryview for each round where a field has several numbers.

    A call that is refused changes nothing. It raises IllegalMoves or WrongPhase, NimmtError for a wrong value or shape,
    TypeError for a wrong type.

    Batches are equal if they are at the same point of the same rounds. They pickle and copy.
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
        one_of("take", take, (*TAKES, "caller"))
        self.seed, self.taking = checked_seed(seed), take
        self.n = as_int(n, "n")
        if not 1 <= self.n < 1 << 31:
            raise NimmtError(f"a batch has 1..2**31-1 rounds, not {self.n}")
        self.first, _ = checked_range(first, self.n)
        self.round = 1
        self._open(bytearray(c.SIZE * self.n), bytearray(16 * self.n))
        self._deal()

    @classmethod
    def from_rounds(
        cls,
        rounds: Sequence[Round],
        seed: int | None = None,
        rules: Rules = BASE,
        first: int = 0,
        take: str = "cheapest",
    ) -> Batch:
        """Return a batch that begins with copies of these rounds, wherever they are.

        rounds       1..2**31-1, all of as many players under `rules`, with known hands; not drafts
        rules        as above; a round that was drafted (V2) has those of TACTIC

        What policies draw in round k comes from Stream(seed, first + k, 0, 3). deal() deals the second round of each
        game. Raises NimmtError, WrongPhase or TypeError that names the first round which is not as above.
        """
        given = listed(rounds, "rounds")
        players = given[0].players if given and isinstance(given[0], Round) else 2
        batch = cls(1, players, seed, rules, first, take)  # checks them
        if not given:
            raise NimmtError("a batch has 1..2**31-1 rounds, not 0")
        batch.n = len(given)
        checked_range(first, batch.n)
        head = bytes((players, batch.rules.highest(players), flags_of(batch.rules)))
        state = b"".join([_bytes_of(i, each, head) for i, each in enumerate(given)])
        streams = [Stream(batch.seed, batch.first + i, 0, USE_ROUNDS).state.tobytes() for i in range(batch.n)]
        batch._open(bytearray(state), bytearray(b"".join(streams)))
        return batch

    def _open(self, state: bytearray, streams: bytearray) -> None:
        self._block, self._lock, self._legal = new_block(state, streams), new_lock(), bytearray()

    def _deal(self) -> None:
        highest = self.rules.highest(self.players)
        self._block.deal(self.players, highest, flags_of(self.rules), self.seed, self.first, self.round - 1)

    # What is known

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, number: int) -> Round:
        """Return a copy of one round, -n..n-1 as in lists; IndexError for other numbers."""
        at = range(self.n)[as_int(number, "round")] * c.SIZE
        return Round(self._block.state[at : at + c.SIZE])

    @property
    def heads(self) -> NDArray[numpy.uint8]:
        """Bull heads taken in this round (R8), uint8: [round, seat]."""
        return self._field("heads")

    @property
    def rows(self) -> NDArray[numpy.uint8]:
        """The cards of the rows, uint8: [round, row, place] in table order, then zeros."""
        return self._field("rows")

    @property
    def length(self) -> NDArray[numpy.uint8]:
        """How many cards each row has, 1..5, uint8: [round, row]."""
        return self._field("length")

    @property
    def hands(self) -> NDArray[numpy.uint8]:
        """The cards of the hands, uint8: [round, seat, place] ascending, then zeros."""
        return self._field("hands")

    @property
    def chosen(self) -> NDArray[numpy.uint8]:
        """The card that each seat has chosen, or shown and not yet placed, else 0; uint8: [round, seat]."""
        return self._field("chosen")

    @property
    def phase(self) -> NDArray[numpy.uint8]:
        """0 where cards are chosen, 1 where a row is owed, 2 where the round is over; uint8: [round]."""
        return self._field("phase")

    @property
    def turn(self) -> NDArray[numpy.uint8]:
        """Turns that are finished, 0..10, uint8: [round]."""
        return self._field("turn")

    @property
    def owes(self) -> NDArray[numpy.uint8]:
        """The seat that must take a row, where phase is 1; uint8: [round]."""
        return self._field("owes")

    @property
    def allowed(self) -> NDArray[numpy.uint8]:
        """The rows that may be taken, a bit each from bit 0 for row 0, where phase is 1, else 0; uint8: [round]."""
        return self._field("allowed")

    @property
    def seen(self) -> NDArray[numpy.uint8]:
        """The cards that were face up this round, a bit each from bit 0 of byte 0 for card 1; uint8: [round, 0..12]."""
        return self._field("seen")

    def _field(self, name: str) -> NDArray[numpy.uint8]:
        return field(self._block.state, name, self.players)

    @property
    def block(self) -> NDArray[numpy.void]:
        """All bytes of all rounds, 164 a round, read-only.

        A numpy array of structures, whose fields are those of nimmt_round in csrc/nimmt.h, or a memoryview of uint8:
        [round, byte].
        """
        numpy = numpy_or_none()
        block: Any = table(self._block.state, "B", (self.n, c.SIZE))
        if numpy is not None:
            block = numpy.frombuffer(block, dtype())
        return block  # type: ignore[no-any-return]

    @property
    def legal(self) -> NDArray[numpy.uint8]:
        """The cards that may be chosen now (R4): 1 where the seat holds the card, else 0; uint8: [round, seat, card].

        All is 0 where cards are not chosen now. The last index is 0..104, of which 0 is not a card. The table is made
        anew at each access, in the same memory.
        """
        self._legal = self._legal or bytearray(self.n * self.players * (CARDS + 1))
        self.fill_legal(self._legal)
        return self._shaped(self._legal, CARDS + 1)

    def fill_legal(self, out: object) -> None:
        """Write `legal` to a writable, contiguous buffer of uint8 or bool, n × players × 105.

        Raises TypeError for another type, NimmtError for another shape.
        """
        room = writable(out, (self.n, self.players, CARDS + 1))
        with self._lock:
            self._block.legal(room)

    @property
    def owing(self) -> int:
        """How many rounds owe a row (R7, P3, P4), 0..n: always 0 unless take="caller"."""
        return self._block.owing()

    @property
    def is_over(self) -> bool:
        """Are all rounds over? Then deal() comes next."""
        return self._block.state[c.PHASE :: c.SIZE].count(c.OVER) == self.n

    @overload
    def policy_cards(self, policies: Sequence[str | None], out: None = None) -> NDArray[numpy.uint8]: ...

    @overload
    def policy_cards(self, policies: Sequence[str | None], out: Out) -> Out: ...

    def policy_cards(self, policies: Sequence[str | None], out: object = None) -> object:
        """Return the cards that built-in policies would choose, uint8: [round, seat].

        policies     by seat: "random", "lowest", "highest", "nearest", or None where the caller chooses: the cards of
                     those seats stay as they are in `out`, and are 0 in a new array
        out          a writable, contiguous buffer of uint8, n × players, that is filled and returned

        "random" draws from the stream of the round, seats in order: it chooses as it does in `simulate`. Raises
        WrongPhase unless cards are chosen now in all rounds.
        """
        names = listed(policies, "policies")
        if len(names) != self.players:
            raise NimmtError(f"{self.players} players need {self.players} policies, not {len(names)}")
        numbers = [LEAVE if name is None else policy_number(checked_policy(name)) for name in names]
        made = bytearray(self.n * self.players if out is None else 0)
        cards = writable(made if out is None else out, (self.n, self.players))
        with self._lock:
            if self._block.policy(bytes(numbers), cards):
                wrong_phase(self._block, "choose", c.CHOOSE)
        return self._shaped(made) if out is None else out

    # Moves

    def deal(self) -> None:
        """Deal the next round of all games (R3). Raises WrongPhase unless all rounds are over."""
        with self._lock:
            if not self.is_over:
                wrong_phase(self._block, "deal", c.OVER)
            if self.round == 1 << 32:
                raise NimmtError("a game has at most 2**32 rounds")
            self.round += 1
            self._deal()

    def choose(self, cards: object) -> None:
        """Choose a card for every seat of every round; earlier choices are replaced (R4, H5).

        cards        a buffer of integers of any width, n × players, or one line of as many

        Raises IllegalMoves if a seat does not hold its card, WrongPhase where a row is owed or the round is over.
        """
        self._choose(integers(cards, (self.n, self.players), "cards"))

    def resolve(self, out: object = None) -> int:
        """Show and place the chosen cards of all rounds (R4..R8); return how many rounds owe a row now.

        out          a writable, contiguous buffer of uint8, n × players: gets the heads that each seat takes meanwhile

        Raises WrongPhase if cards are not chosen yet, a row is owed or the round is over.
        """
        heads = None if out is None else writable(out, (self.n, self.players))
        with self._lock:
            return self._resolve(heads)

    def play(self, cards: object, out: object = None) -> int:
        """choose(cards) and resolve(out) in one call; return how many rounds owe a row now."""
        heads = None if out is None else writable(out, (self.n, self.players))
        numbers = integers(cards, (self.n, self.players), "cards")
        with self._lock:
            self._choose(numbers)
            return self._resolve(heads)

    def take(self, rows: object, out: object = None) -> int:
        """Take rows where they are owed (R7, P3, P4) and place on; return how many rounds owe a row now.

        rows         a buffer of integers 0..3, n; what stands there for rounds that do not owe a row is not looked at
        out          as in resolve(); 0 for rounds that do not owe a row

        Raises IllegalMoves if a row may not be taken, WrongPhase if no round owes one.
        """
        heads = None if out is None else writable(out, (self.n, self.players))
        numbers = integers(rows, (self.n,), "rows")
        with self._lock:
            if not self.owing:
                raise WrongPhase("no round owes a row (R7, P3, P4)")
            narrowed = narrow(numbers)
            if self._block.take(narrowed, heads, None):
                refuse_rows(self._block, numbers, narrowed)
            return self.owing

    def playout(self, policies: Sequence[str]) -> None:
        """Play all rounds to their end with built-in policies by seat, which draw from the streams of the rounds.

        policies     "random", "lowest", "highest", "nearest". They take the cheapest row (A1, A2); if take="random",
                     the policy "random" takes any of those that are allowed, as in simulate

        Cards that are chosen stay so, and rounds that are over stay as they are.
        """
        names = [checked_policy(name) for name in listed(policies, "policies")]
        if len(names) != self.players:
            raise NimmtError(f"{self.players} players need {self.players} policies, not {len(names)}")
        with self._lock:
            self._block.playout(bytes(policy_number(name, self.taking) for name in names))

    def _choose(self, numbers: memoryview) -> None:
        with self._lock:
            narrowed = narrow(numbers)
            if self._block.choose(narrowed, None):
                refuse_cards(self._block, numbers, narrowed)

    def _resolve(self, heads: memoryview | None) -> int:
        if self._block.resolve(TAKING[self.taking], heads, None):
            if self._block.state[c.PHASE :: c.SIZE].count(c.CHOOSE) < self.n:
                wrong_phase(self._block, "resolve", c.CHOOSE)
            raise WrongPhase("cards are not chosen yet: choose(cards) comes first (R4)")
        return self.owing if self.taking == "caller" else 0

    # Values

    def _shaped(self, data: bytearray, *more: int) -> NDArray[numpy.uint8]:
        """Return a table of bytes by round and seat. The caller may write to all but `legal`."""
        numpy, shape = numpy_or_none(), (self.n, self.players, *more)
        view: Any = memoryview(data).cast("B", shape)
        view = view.toreadonly() if data is self._legal else view
        return view if numpy is None else numpy.asarray(view)  # type: ignore[no-any-return]

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


def _bytes_of(number: int, given: object, head: bytes) -> bytes:
    """Return the bytes of a round that a batch can begin with, or raise for what is wrong with it."""
    if not isinstance(given, Round):
        raise TypeError(f"round {number} must be nimmt.Round, not {type(given).__name__}")
    if given.phase == "draft":
        raise WrongPhase(f"round {number}: the draft is not over (V2)")
    if not given.knows_hands:
        raise NimmtError(f"round {number}: its hands are unknown")
    data = given.to_bytes()
    if data[:3] != head:
        raise NimmtError(f"round {number} is not a round of {head[0]} players under the rules of the batch")
    return data


def _restored(facts: tuple[Any, ...], state: bytes, streams: bytes) -> Batch:
    """Return the batch that __reduce__ took apart. Raises BadRecord where the parts do not make a batch."""
    *given, number = facts
    batch = Batch(1, *given[1:])  # checks them
    batch.n, batch.round = given[0], number
    if batch.n < 1 or len(state) != c.SIZE * batch.n or len(streams) != 16 * batch.n:
        raise BadRecord(f"a batch of {batch.n} rounds has 164 bytes for each and 16 for its stream")
    if not 1 <= number <= 1 << 32:
        raise BadRecord(f"the rounds of a game are numbered 1..2**32, not {number}")
    if state[:3] != bytes((batch.players, batch.rules.highest(batch.players), flags_of(batch.rules))):
        raise BadRecord("the rounds of the batch have other players or rules than the batch")
    batch._open(bytearray(state), bytearray(streams))
    if batch._block.check():
        raise BadRecord("the batch holds a round that the rules do not allow")
    return batch
