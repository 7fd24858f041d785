"""Positions that are set up by hand: rows, hands, and a game that starts with them."""

from . import _pycore as c
from ._backend import core
from .checks import checked_word, listed
from .errors import NimmtError, as_int
from .layout import flags_of
from .rules import Rules
from .seats import checked_players

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from .game import Game
    from .round import Round


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
    state = bytearray(c.SIZE)
    state[c.PLAYERS], state[c.HIGHEST], state[c.FLAGS], state[c.PHASE] = players, highest, flags, phase
    for number, row in enumerate(rows):
        state[c.LENGTH + number] = len(row)
        state[c.ROWS + 5 * number : c.ROWS + 5 * number + len(row)] = bytes(row)
    return state


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
        c._add(state, c.SEEN, card)
    for seat, hand in enumerate(known):
        state[c.HANDS + 10 * seat : c.HANDS + 10 * seat + len(hand)] = bytes(sorted(hand))
    if core.check(core.bind(state)):
        raise NimmtError(f"too few cards of 1..{highest} are unseen for the turns that are left (R3)")
    return state


def begin_with(
    kind: "type[Game]",
    start: "Round",
    scores: object,
    rules: Rules,
    seed: "int | None",
    game: int,
    round: int,
) -> "Game":
    """Return a game that goes on from a round that was set up by hand: Game.from_round."""
    from .round import Round

    if not isinstance(start, Round):
        raise TypeError(f"start must be nimmt.Round, not {type(start).__name__}")
    begun, players, state = kind(start.players, seed, rules, game), start.players, start.to_bytes()
    points = [0] * players if scores is None else [as_int(s, "score") for s in listed(scores, "scores")]
    number = checked_word(round, "round", 32)
    if len(points) != players or [s for s in points if not 0 <= s <= 171 * (number - 1)]:
        raise NimmtError(f"scores must be {players} numbers 0..171 for each finished round, not {points}")
    if number < 1 or number > 1 and rules.is_over(tuple(points), number - 1):
        raise NimmtError(f"there is no round {number} with scores {points}: the game is over (R9)")
    if state[c.HIGHEST] != rules.highest(players) or state[c.FLAGS] != flags_of(rules):
        raise NimmtError("the round was set up with other rules, or hands are unknown")
    if start.phase == "scored" or (start.phase == "draft") > rules.draft:
        raise NimmtError("the round is over, or is a draft that the rules do not have")
    if start.phase == "draft":
        begun._first = (state[c.OWES] - (10 * players - len(start.pool) + 4)) % players
        if rules.first_picker not in ("rotate", begun._first):
            raise NimmtError(f"seat {begun._first} picked first, not seat {rules.first_picker}")
    begun.round, begun.scores = number, tuple(points)
    begun._adopt(bytearray(state))
    begun._origin = begun.save()
    return begun
