"""One turn as a function, and the checks of what a caller hands over: rows, cards by seat. Above the seam."""

from . import _pycore as c
from ._backend import core
from ._pycore import CHOSEN, FLAGS, HIGHEST, LENGTH, PHASE, PLACED, PLAYERS, PROFESSIONAL, ROWS, SIZE, TAKE, TAKEN
from .cards import CARDS, HEADS
from .errors import IllegalMove, NimmtError, as_int, by_seat, listed
from .events import Turn
from .rules import Rules, one_of
from .table import TIES, checked_players, flags_of, owed_of, placed_of, rows_of


def bull_heads(card: int) -> int:
    """Return the bull heads of a card, 1, 2, 3, 5 or 7 (R2).

    Raises TypeError if `card` is no integer and NimmtError if it is not in 1..104.
    """
    card = as_int(card, "card")
    if not 1 <= card <= CARDS:
        raise NimmtError(f"there is no card {card}: cards are 1..104 (R1)")
    return HEADS[card]


def checked_rows(rows: object, highest: int = 104) -> "list[list[int]]":
    """Return four rows as lists of ints; NimmtError unless they ascend, 1..5 cards each, no card twice (R3, R5)."""
    table = [[as_int(card, "card") for card in listed(row, "a row")] for row in listed(rows, "rows")]
    if len(table) != 4:
        raise NimmtError(f"there are four rows, not {len(table)} (R3)")
    for number, row in enumerate(table):
        if not 1 <= len(row) <= 5:
            raise NimmtError(f"row {number} has {len(row)} cards: a row has 1 to 5 (R6)")
        for i, card in enumerate(row):
            if i and row[i - 1] >= card:
                raise NimmtError(f"row {number} does not ascend: {row[i - 1]} before {card} (R5)")
    checked_cards([card for row in table for card in row], highest)
    return table


def checked_cards(cards: "list[int]", highest: int) -> None:
    """Refuse a card that is not in the deck or is there twice (R1, V1)."""
    seen = set()  # type: set[int]
    for card in cards:
        if not 1 <= card <= highest:
            raise NimmtError(f"there is no card {card}: this deck has the cards 1..{highest} (R1, V1)")
        if card in seen:
            raise NimmtError(f"card {card} is there twice (R1)")
        seen.add(card)


def pack(players: int, highest: int, flags: int, phase: int, rows: "list[list[int]]") -> bytearray:
    """Return the bytes of a round with these rows and nothing else."""
    state = bytearray(SIZE)
    state[PLAYERS], state[HIGHEST], state[FLAGS], state[PHASE] = players, highest, flags, phase
    for number, row in enumerate(rows):
        state[LENGTH + number] = len(row)
        state[ROWS + 5 * number : ROWS + 5 * number + len(row)] = bytes(row)
    return state


def _checked_plays(plays: object, lying: "list[int]") -> "dict[int, int]":
    """Return the cards by seat, or raise IllegalMove for one that is no card or lies already (R1, R4)."""
    cards = by_seat(plays, "plays", "card")
    if not cards:
        raise IllegalMove("nobody has played a card (R4)")
    for seat in sorted(cards):
        card = cards[seat]
        if not 1 <= card <= 104:
            raise IllegalMove(f"seat {seat}: there is no card {card}: cards are 1..104 (R1)")
        if card in lying:
            raise IllegalMove(f"seat {seat}: card {card} is there twice (R1)")
        lying.append(card)
    return cards


def resolve(rows: object, plays: object, take: object = (), professional: bool = False, tie: str = "choose") -> Turn:
    """Place the cards of one turn (R4..R8; P1..P5 if `professional`) and return a Turn.

    rows           four ascending sequences of 1..5 cards
    plays          the cards: a mapping from seats 0..9, in any order, or a sequence by seat; 1 to 10 cards
    take           a mapping from seats to the rows they take if they owe one; what is not needed is ignored
    tie            P4: "choose", "right" or "left"

    Where a row is owed and `take` has none for that seat, placing stops: `pending` is the RowOwed, `rows` and `placed`
    are as they are at that moment. Raises NimmtError for rows that cannot be, IllegalMove for a card that cannot be
    played or a row that may not be taken, TypeError for wrong types.
    """
    one_of("professional", professional)
    one_of("tie", tie)
    table, wanted = checked_rows(rows), by_seat(take, "take", "row")
    cards = _checked_plays(plays, [card for row in table for card in row])
    state = pack(max(2, max(cards) + 1), 104, PROFESSIONAL * professional | TIES[tie], TAKE, table)
    for seat in cards:
        state[CHOSEN + seat] = cards[seat]
    r, log = core.bind(state), bytearray(10 * PLACED)
    placed = placed_of(log, core.resolve(r, core.bind_log(log)))
    owed = owed_of(state)
    while owed and owed.seat in wanted:
        row = wanted[owed.seat]
        if row not in owed.rows:
            from .refuse import may_not_take

            raise IllegalMove(may_not_take(owed, row))
        placed += placed_of(log, core.take(r, owed.seat, row, core.bind_log(log)))
        owed = owed_of(state)
    heads = {seat: state[TAKEN + seat] for seat in sorted(cards)}
    return Turn(rows_of(state), tuple(placed), owed, heads)


def pack_position(rows: object, players: "int | None", hands: object, rules: Rules, turn: int) -> bytearray:
    """Return the bytes of the position that Round.from_rows describes."""
    if hands is None:
        players, known, turn = checked_players(players), [], as_int(turn, "turn")
        if not 1 <= turn <= 10:
            raise NimmtError(f"turn must be 1..10, not {turn} (R3)")
    else:
        known = [[as_int(card, "card") for card in listed(hand, "a hand")] for hand in listed(hands, "hands")]
        if players is not None and checked_players(players) != len(known):
            raise NimmtError(f"{players} players need {players} hands, not {len(known)}")
        players, turn = checked_players(len(known)), 11 - len(known[0])
        if not 1 <= turn <= 10 or [hand for hand in known if len(hand) != 11 - turn]:
            raise NimmtError("hands must have 1 to 10 cards, all the same number (R3)")
    flags, highest = flags_of(rules) | (0 if known else c.UNKNOWN_HANDS), rules.highest(players)
    table = checked_rows(rows, highest)
    lying = [card for row in table for card in row]
    checked_cards(lying + [card for hand in known for card in hand], highest)
    state = pack(players, highest, flags, c.CHOOSE, table)
    state[c.TURN] = turn - 1
    for card in lying:
        state[c.SEEN + (card - 1 >> 3)] |= 1 << (card - 1 & 7)
    for seat, hand in enumerate(known):
        state[c.HANDS + 10 * seat : c.HANDS + 10 * seat + len(hand)] = bytes(sorted(hand))
    if core.check(core.bind(state)):
        raise NimmtError(f"too few cards of 1..{highest} are unseen for the turns that are left (R3)")
    return state
