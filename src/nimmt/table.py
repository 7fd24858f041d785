"""A table: what lies on it, who acts, the moves, and why a move is refused."""

from .args import as_int, by_seat, checked_card, checked_seat, one_each
from .core import core
from .core import layout as c
from .draft import pick, pool
from .errors import IllegalMove, WrongPhase
from .events import Cards, Chosen, Dealt, Event, Picked, Revealed, RowOwed, Rows
from .port import Any, Iterable, TypeVar, new_lock
from .state import DRAFT, PHASES, chosen_of, hand_of, owed_of, placed_of, rows_of, seen_of, was_seen

Self = TypeVar("Self", bound="Table")


class Table:
    """A table as its referee sees it, who knows the hands if anybody does. `_state` has the bytes of the round.

    Each move returns a list of events. One that is refused changes nothing. Round, Game and Referee lock, score and
    remember around the moves.
    """

    __slots__ = ("_state", "_log", "_r", "_l", "_lock", "__weakref__")

    def _begin(self, state: bytearray) -> None:
        """Take over bytes that are known to be a round, as a table of its own."""
        self._lock = new_lock()
        self._adopt(state)

    def _adopt(self, state: bytearray) -> None:
        """Go on with these bytes instead."""
        self._state, self._log = state, bytearray(10 * c.PLACED)
        self._r, self._l = core.bind(state), core.bind_log(self._log)

    @property
    def players(self) -> int:
        """The number of players of the round."""
        return self._state[c.PLAYERS]

    @property
    def highest(self) -> int:
        """The highest card of the deck."""
        return self._state[c.HIGHEST]

    @property
    def phase(self) -> str:
        """What is next: "draft", "choose", "take", or "scored" after the tenth turn."""
        return PHASES[self._state[c.PHASE]]

    @property
    def turn(self) -> int:
        """The turn that is played, 1..10; 0 in the draft, and 10 once the round is over."""
        return 0 if self._state[c.PHASE] == DRAFT else min(10, self._state[c.TURN] + 1)

    @property
    def rows(self) -> Rows:
        """The four rows in table order; () in the draft."""
        return () if self._state[c.PHASE] == DRAFT else rows_of(self._state)

    @property
    def heads(self) -> Cards:
        """Bull heads taken in this round, by seat (R8); once a game has scored the round they are in `scores` too."""
        return tuple(self._state[c.TAKEN : c.TAKEN + self.players])

    @property
    def seen(self) -> Cards:
        """The cards that were face up this round, ascending."""
        return seen_of(self._state)

    @property
    def pool(self) -> Cards:
        """The cards that can be picked in the draft, ascending; () otherwise."""
        if self._state[c.PHASE] != DRAFT:
            return ()
        return tuple(pool(self._state))

    @property
    def owed(self) -> "RowOwed | None":
        """The row that must be taken now, or None."""
        return owed_of(self._state)

    @property
    def to_act(self) -> Cards:
        """The seats that must act, ascending; () when the round is over."""
        s = self._state
        if s[c.PHASE] == c.CHOOSE:
            return tuple([seat for seat in range(s[c.PLAYERS]) if not s[c.CHOSEN + seat]])
        return () if s[c.PHASE] == c.OVER else (s[c.OWES],)

    def cheapest(self) -> int:
        """The row that A1, or A2 in a tie, takes for the seat that owes one; WrongPhase if nobody does."""
        s = self._state
        if not s[c.ALLOWED]:
            raise WrongPhase("nobody owes a row now (R7, P3)")
        return core.cheapest(self._r, s[c.CHOSEN + s[c.OWES]], s[c.ALLOWED])

    # What the players hold and may do

    @property
    def knows_hands(self) -> bool:
        """Are the hands known? Not in a round with real cards that was set up without them."""
        return not self._state[c.FLAGS] & c.UNKNOWN_HANDS

    def hand(self, seat: int) -> Cards:
        """The cards a seat holds, ascending, without the one it has chosen; () if hands are unknown."""
        seat = self._seat(seat)
        chosen = self._state[c.CHOSEN + seat]
        return tuple([card for card in hand_of(self._state, seat) if card != chosen])

    def held(self, seat: int) -> Cards:
        """The cards of a seat that were not shown yet, with the chosen one, ascending; () if hands are unknown."""
        return tuple(hand_of(self._state, self._seat(seat)))

    def chosen(self, seat: int) -> "int | None":
        """The card this seat has chosen, or shown and not yet placed; None if it has not chosen."""
        return self._state[c.CHOSEN + self._seat(seat)] or None

    def legal(self, seat: int) -> Cards:
        """What this seat may choose, pick or take now: cards, or rows if it owes one; () if it has nothing to do.

        A seat that has chosen may choose another card until all have (H5).
        """
        seat, s = self._seat(seat), self._state
        if s[c.PHASE] == DRAFT:
            return self.pool if seat == s[c.OWES] else ()
        if s[c.PHASE] == c.TAKE:
            owed = owed_of(s)
            return owed.rows if owed and owed.seat == seat else ()
        if s[c.PHASE] == c.OVER:
            return ()
        if self.knows_hands:
            return self.hand(seat)
        gone = self.seen + chosen_of(s)
        return tuple([card for card in range(1, s[c.HIGHEST] + 1) if card not in gone])

    def _seat(self, seat: object) -> int:
        if type(seat) is int and 0 <= seat < self.players:
            return seat
        return checked_seat(seat, self.players)

    # Moves

    def _choose(self, seat: int, card: int) -> "list[Event]":
        """Choose a card in secret (R4, H5). The last choice shows and places all cards."""
        seat = self._seat(seat)
        card = self._in_deck(seat, card)
        self._refused(core.choose(self._r, seat, card), seat, card)
        cards = chosen_of(self._state)
        if 0 in cards:
            return [Chosen(seat)]
        return self._told([Chosen(seat), Revealed(cards)], core.resolve(self._r, self._l))

    def _withdraw(self, seat: int) -> "list[Event]":
        """Take a choice back, as long as not all have chosen."""
        seat = self._seat(seat)
        self._refused(core.withdraw(self._r, seat), seat, 0)
        return []

    def _play(self, cards: object) -> "list[Event]":
        """Choose for every seat at once, and place: a sequence by seat or a mapping."""
        given: Any = cards
        if type(cards) not in (list, tuple) or [card for card in given if type(card) is not int]:
            given = by_seat(cards, "cards", "card")  # before the table is looked at: this may be the caller's code
        s = self._state
        players, highest = s[c.PLAYERS], s[c.HIGHEST]
        if type(given) is dict or len(given) != players or [card for card in given if not 0 < card <= highest]:
            given = one_each(given, players, highest)
        played = bytes(given)
        code = core.play(self._r, played, self._l)
        if code < 0:
            refuse_play(s, code, played)
        return self._told([Revealed(tuple(played))], code)

    def _take(self, seat: int, row: int) -> "list[Event]":
        """Take a row that is owed (R7, P3), or in a tie join it (P4); then placing goes on."""
        seat, row = self._seat(seat), as_int(row, "row")
        code = core.take(self._r, seat, row if 0 <= row < 4 else 4, self._l)
        self._refused(code, seat, row)
        return self._told([], code)

    def _pick(self, seat: int, card: int, number: int = 1) -> "list[Event]":
        """Pick a card in the draft (V2) of round `number`. After the last pick the four cards left open the rows."""
        seat, s = self._seat(seat), self._state
        card = self._in_deck(seat, card)
        left = pick(s, seat, card)
        self._refused(left, seat, card)
        if left > 4:
            return [Picked(seat, card)]
        hands, open = bytes(s[c.HANDS : c.HANDS + 10 * s[c.PLAYERS]]), bytes(pool(s))
        core.setup(self._r, s[c.PLAYERS], s[c.HIGHEST], s[c.FLAGS], open, hands)
        return [Picked(seat, card), Dealt(number, self.rows)]

    def _in_deck(self, seat: int, card: object) -> int:
        """Return a card, or raise IllegalMove if the deck does not have it."""
        highest = self._state[c.HIGHEST]
        if type(card) is int and 0 < card <= highest:
            return card
        return checked_card(seat, card, highest)

    def _told(self, events: "list[Event]", count: int) -> "list[Event]":
        """Add what the core wrote to its log, and the row that is owed."""
        events += placed_of(self._log, count)
        owed = owed_of(self._state)
        return events + [owed] if owed else events

    def _refused(self, code: int, seat: int, number: int) -> None:
        """Raise if the core refused a move with this code."""
        if code < 0:
            refuse(self._state, code, seat, number)

    # What all may see

    def __str__(self) -> str:
        """Draw the table as everybody may see it, without hands.

        The lines are: the moment; the rows, a card of several bull heads as 55*7; in the draft the pool instead; each
        seat with the bull heads of this round, in a game its score, and what it must do or has done.
        """
        lines = [self._moment()]
        for number, row in enumerate(self._drawn_rows()):
            lines.append((f"row {number} " + "".join([_drawn(card) for card in row])).rstrip(" "))
        pool = self.pool
        for at in range(0, len(pool), 10):
            lines.append(("pool  " + "".join([_drawn(card) for card in pool[at : at + 10]])).rstrip(" "))
        lines += [f"seat {seat}{self._counted(seat)}{self._duty(seat)}" for seat in range(self.players)]
        return "\n".join(lines)

    def _moment(self) -> str:
        """Say where the round is."""
        phase = self.phase
        if phase in ("choose", "take"):
            return f"turn {self.turn}: " + ("cards are chosen" if phase == "choose" else "a row is owed")
        return "the draft" if phase == "draft" else "the round is over"

    def _drawn_rows(self) -> "Iterable[Iterable[int]]":
        """Return the rows to draw."""
        return self.rows

    def _counted(self, seat: int) -> str:
        """Say what is counted for a seat."""
        heads = self.heads
        return f"  heads {heads[seat] if seat < len(heads) else 0:3}"

    def _duty(self, seat: int) -> str:
        """Say what a seat must do, or has done in secret or openly; "" if there is nothing to say."""
        owed = self.owed
        if owed and seat == owed.seat:
            return f"  must {'join' if len(owed.rows) == 2 else 'take'} row {_or(owed.rows)} for card {owed.card}"
        if seat in self.to_act:
            return "  must pick a card" if self.phase == "draft" else "  must choose a card"
        if self.phase == "choose" and self.chosen(seat):
            return "  has chosen"
        return f"  has played {self.chosen(seat)}" if owed and self.chosen(seat) else ""

    # Values

    #: What a copy takes over besides the bytes of the round.
    _COPIED: "tuple[str, ...]" = ()

    def copy(self: Self) -> Self:
        """Return an independent one that is equal, with the same names and history."""
        with self._lock:
            other = object.__new__(type(self))
            for name in self._COPIED:
                value = getattr(self, name)
                setattr(other, name, bytearray(value) if type(value) is bytearray else value)
            other._begin(bytearray(self._state))
            return other

    def __copy__(self: Self) -> Self:
        return self.copy()

    def __deepcopy__(self: Self, memo: object) -> Self:
        return self.copy()


def _drawn(card: int) -> str:
    """Return a card with its bull heads, if they are more than one: 55*7."""
    heads = c.HEADS[card]
    text = f"{card:4}" + (f"*{heads}" if heads > 1 else "")
    return text + " " * (7 - len(text))


def _or(numbers: Cards) -> str:
    return " or ".join([str(number) for number in numbers])


# Why a move is refused: messages that name the seat, the card or row, and the rule


def refuse(state: bytearray, code: int, seat: int, number: int) -> None:
    """Raise for a move of this seat with this card or row (0 if it has none) that the core refused with `code`."""
    phase, owed, known = PHASES[state[c.PHASE]], owed_of(state), not state[c.FLAGS] & c.UNKNOWN_HANDS
    if code == c.E_PHASE:
        raise WrongPhase(f"seat {seat} cannot do this now: {awaited(state)}")
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
        c.E_NOTHING: f"seat {seat} has not chosen a card that could be withdrawn",
    }
    raise IllegalMove(messages[code])


def awaited(state: bytearray) -> str:
    """Return what the round waits for: the reason why something else cannot be done now."""
    waits = {
        "choose": "cards are chosen now (R4)",
        "take": f"seat {state[c.OWES]} must take a row first (R7, P5)",
        "scored": "the round is over (R8)",
        "draft": f"the draft goes on, seat {state[c.OWES]} picks (V2)",
    }
    return waits[PHASES[state[c.PHASE]]]


def refuse_play(state: bytearray, code: int, played: bytes) -> None:
    """Raise for the first seat whose card made the core refuse all of `played`."""
    for seat, card in enumerate(played):
        if code != c.E_HELD:
            refuse(state, code, seat, card)
        if card in played[:seat]:
            raise IllegalMove(f"seat {seat}: card {card} is played twice (R1)")
        if state[c.FLAGS] & c.UNKNOWN_HANDS:
            if was_seen(state, card):
                refuse(state, code, seat, card)
        elif card not in hand_of(state, seat):
            refuse(state, code, seat, card)


def may_not_take(owed: RowOwed, row: int) -> str:
    """Return the message for a row that may not be taken."""
    rule = "P4" if len(owed.rows) == 2 else "R7, P3"
    return f"seat {owed.seat} may not take row {row} for card {owed.card}, but row {_or(owed.rows)} ({rule})"
