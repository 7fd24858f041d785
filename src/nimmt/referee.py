"""The referee of real cards, whose hands nobody can tell: for readers, cameras, typists.

>>> table = Referee(players=2)
>>> for card in (10, 20, 30, 40):
...     events = table.lay(card)                # the four cards that open the rows, in table order
>>> table.deal()
[Dealt(round=1, rows=((10,), (20,), (30,), (40,)))]
>>> table.read(0, 45), table.read(1, 41), table.ready
([Chosen(seat=0)], [Chosen(seat=1)], True)
>>> for event in table.place()[1:]:
...     print(event)
Placed(seat=1, card=41, row=3, side='right', taken=())
Placed(seat=0, card=45, row=3, side='right', taken=())
"""

from . import save
from .args import as_bytes, as_int, checked_word, listed, no_card, seated
from .core import core
from .core import layout as c
from .errors import IllegalMove, NimmtError, WrongPhase
from .events import Chosen, Dealt, Event, Revealed
from .port import Iterable, TypeVar, new_lock
from .round import pack_position
from .rules import BASE, Rules, as_rules, possible_scores
from .scored import Scored
from .state import chosen_of, nothing_yet

Self = TypeVar("Self", bound="Referee")


class Referee(Scored):
    """The referee of a game with real cards: it is told what lies on the table, and tells what follows from it.

    players        2..10, or a sequence of names
    rules          as for nimmt.Game. V1 bounds the cards. A draft (V2) is left to the players: lay the four cards that
                   are left, in ascending order

    A game goes through these phases. `phase` says which it is; `ready` says that nothing is missing for the step that
    has a star:

        "scored"   lay(card) four times, deal() *      round 0 is that before the first deal; join(), if somebody comes
        "choose"   read(seat, card) for `to_act`, withdraw(seat), place() *
        "take"     take(seat, row) for `owed`
        "over"     scores, ranks, winners

    Everything can be taken back up to the step that has a star. Reading a card again changes nothing. A card that was
    seen this round, was read for another seat, or is not in the deck is refused: IllegalMove says why, and nothing
    changes. WrongPhase is raised if it is not the time for a call, TypeError for a wrong type. Calls return lists of
    events, as those of Game do. Referees are equal if their save() bytes are. They copy, deepcopy and pickle.
    """

    __slots__ = ("_opening",)

    def __init__(self, players: "int | Iterable[str]" = 4, rules: Rules = BASE) -> None:
        self._seat_all(players, rules)
        self._adopt(nothing_yet(self.players, rules))

    def _seat_all(self, players: object, rules: Rules) -> None:
        """Set all but the round that is played."""
        count, names = seated(players)
        self.rules, self.names, self.round, self.scores = as_rules(rules), names, 0, (0,) * count
        self._opening, self._lock = bytearray(4), new_lock()

    @classmethod
    def from_rows(
        cls: "type[Self]",
        rows: "Iterable[Iterable[int]]",
        players: "int | Iterable[str]" = 4,
        rules: Rules = BASE,
        turn: int = 1,
        scores: "Iterable[int] | None" = None,
        round: int = 1,
    ) -> Self:
        """Take over a game that is going on, with the rows as they lie. The cards that were taken before stay unknown.

        rows           four ascending sequences of 1..5 cards
        turn, round    which is played next: 1..10, and from 1
        scores         bull heads so far by seat, those taken in this round included; None: nobody has any
        """
        self = object.__new__(cls)
        self._seat_all(players, rules)
        number = checked_word(round, "round", 32)
        points = [0] * self.players if scores is None else [as_int(s, "score") for s in listed(scores, "scores")]
        if len(points) != self.players or not possible_scores(rules, number, points):
            raise NimmtError(f"{self.players} players in round {number} cannot have the scores {points} (R8, R9)")
        self._adopt(pack_position(rows, self.players, None, rules, turn))
        self.round, self.scores = number, tuple(points)
        return self

    # What is known: most of it in table.py and scored.py

    @property
    def ready(self) -> bool:
        """Is there all that deal(), in phase "scored", or place(), in phase "choose", needs?"""
        if self.phase == "scored":
            return 0 not in bytes(self._opening)
        return self.phase == "choose" and not self.to_act

    @property
    def opening(self) -> "tuple[int | None, ...]":
        """The cards laid out for the next round, by row; None where one is missing."""
        return tuple([card or None for card in self._opening])

    # Between rounds

    def lay(self, card: int, row: "int | None" = None) -> "list[Event]":
        """Lay out a card that opens row 0..3 of the next round, in place of what lies there; None: the next free row.

        The same card again changes nothing. Returns [].
        """
        card = as_int(card, "card")
        with self._lock:
            self._between("lay out a card")
            highest = self.rules.highest(self.players)
            if not 1 <= card <= highest:
                raise IllegalMove(no_card(card, highest))
            lies, free = bytes(self._opening).find(bytes((card,))), bytes(self._opening).find(b"\0")
            wanted = (free if lies < 0 else lies) if row is None else as_int(row, "row")
            if not 0 <= wanted < 4:
                raise IllegalMove("all four rows have a card (R3)" if row is None else f"there is no row {wanted} (R3)")
            if lies not in (-1, wanted):
                raise IllegalMove(f"card {card} opens row {lies} already (R1)")
            self._opening[wanted] = card
            return []

    def lift(self, row: int) -> "list[Event]":
        """Take back the card that was laid out for row 0..3. Returns []."""
        row = as_int(row, "row")
        with self._lock:
            self._between("take back a card")
            if not 0 <= row < 4 or not self._opening[row]:
                raise IllegalMove(f"row {row} has no card that could be taken back")
            self._opening[row] = 0
            return []

    def deal(self, cards: "Iterable[int] | None" = None) -> "list[Event]":
        """Begin the next round with the four cards laid out, or with these four in table order. Returns [Dealt]."""
        with self._lock:
            self._between("deal")
            opening = list(self._opening) if cards is None else listed(cards, "cards")
            if cards is None and 0 in opening:
                raise IllegalMove(f"row {opening.index(0)} has no card: four open the rows (R3)")
            number = self._next()
            self._adopt(pack_position([[card] for card in opening], self.players, None, self.rules, 1))
            self.round, self._opening = number, bytearray(4)
            return [Dealt(self.round, self.rows)]

    def join(self, name: "str | None" = None) -> int:
        """Seat one more player between rounds, or before the first, with the highest score at the table (H7).

        Returns the seat. The player takes part from the next deal() on. IllegalMove if ten are playing.
        """
        with self._lock:
            self._between("seat a player")
            seat = self._seat_one_more(name)
            if not self.round:
                self._adopt(nothing_yet(self.players, self.rules))
            return seat

    # Turns

    def read(self, seat: int, card: int) -> "list[Event]":
        """Note the card that a seat plays, or another one instead (R4, H5).

        Returns [Chosen], or [] if this card was read for this seat already.
        """
        seat, card = self._seat(seat), as_int(card, "card")
        with self._lock:
            self._playing()
            card = self._in_deck(seat, card)
            other = bytes(chosen_of(self._state)).find(bytes((card,)))
            if other == seat:
                return []
            if other >= 0:
                raise IllegalMove(f"seat {seat}: card {card} was read for seat {other} (R1)")
            if card in self.seen:
                raise IllegalMove(f"seat {seat}: card {card} was seen in this round (R1)")
            self._refused(core.choose(self._r, seat, card), seat, card)
            return [Chosen(seat)]

    def withdraw(self, seat: int) -> "list[Event]":
        """Take back what was read for a seat. Returns []."""
        with self._lock:
            self._playing()
            return self._withdraw(seat)

    def place(self) -> "list[Event]":
        """Place the cards of the turn, once all were read (R4..R8). Returns Revealed and what follows, as Game.play."""
        with self._lock:
            self._playing()
            if self.to_act:
                raise IllegalMove(f"seat {self.to_act[0]} has no card: every seat plays one (R4)")
            shown: list[Event] = [Revealed(chosen_of(self._state))]
            return self._scored(self._told(shown, core.resolve(self._r, self._l)))

    def take(self, seat: int, row: int) -> "list[Event]":
        """Take the row that is owed (R7, P3), or in a tie join it (P4). Returns what follows."""
        with self._lock:
            return self._scored(self._take(seat, row))

    def _playing(self) -> None:
        if self.phase == "take":
            raise WrongPhase(f"seat {self._state[c.OWES]} must take a row first (R7, P5)")
        if self.phase != "choose":
            raise WrongPhase("the game is over (R9)" if self.is_over else "the next round was not dealt (R3)")

    def _laid(self) -> bool:
        """Is the next round laid out, or the first one, as far as it goes?"""
        return self.phase == "scored" and (not self.round or max(self._opening) > 0)

    def _moment(self) -> str:
        return f"round {self.round + 1} is laid out" if self._laid() else super()._moment()

    def _drawn_rows(self) -> "Iterable[Iterable[int]]":
        return [[card] if card else [] for card in self._opening] if self._laid() else self.rows

    # Values

    _COPIED = ("rules", "names", "round", "scores", "_opening")

    def _packed(self) -> bytes:
        return save.pack_table(self.rules, self.round, bytes(self._opening), self.scores, bytes(self._state))

    @classmethod
    def load(cls: "type[Self]", data: "bytes | bytearray", names: "Iterable[str] | None" = None) -> Self:
        """Return the referee that save() gave; `names` as for a new one. BadRecord if they are not a legal save."""
        rules, number, opening, scores, state = save.unpack_table(as_bytes(data, "a save"))
        self = object.__new__(cls)
        self._seat_all(len(scores) if names is None else names, rules)
        if self.players != len(scores):
            raise NimmtError(f"the save has {len(scores)} players, not {self.players}")
        self.round, self.scores, self._opening = number, scores, bytearray(opening)
        self._adopt(state)
        return self

    def __reduce__(self) -> "tuple[object, ...]":
        with self._lock:
            return type(self).load, (self.save(), self.names)
