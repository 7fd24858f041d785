"""Real cards: nimmt.Referee against nimmt.Game, which knows the hands, and every read that must be refused."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from conftest import step, variants


@pytest.fixture
def nimmt(nimmt: ModuleType) -> ModuleType:
    """The package on one backend, with the module that is tested here."""
    importlib.import_module("nimmt.referee")
    return nimmt


OPENING = (10, 20, 30, 40)


def table_of(nimmt: ModuleType, *args: Any, **kwargs: Any) -> Any:
    return nimmt.referee.Referee(*args, **kwargs)


def dealt(nimmt: ModuleType, *args: Any, **kwargs: Any) -> Any:
    table = table_of(nimmt, *args, **kwargs)
    table.deal(OPENING)
    return table


def turn(table: Any, cards: Any, row: Callable[[Any], int] | None = None) -> list[Any]:
    """Play a turn: a card a seat, and the cheapest row, or row(table), where one is owed."""
    for seat, card in enumerate(cards):
        table.read(seat, card)
    events = table.place()
    while table.phase == "take":
        events += table.take(table.owed.seat, row(table) if row else table.cheapest())
    return list(events)


def refused(nimmt: ModuleType, table: Any, error: str, match: str, move: Callable[[], object]) -> None:
    """The move is refused with a reason and changes nothing."""
    before = table.save()
    with pytest.raises(TypeError if error == "TypeError" else getattr(nimmt, error), match=match):
        move()
    assert table.save() == before


def test_public_name(nimmt: ModuleType) -> None:
    assert nimmt.Referee is nimmt.referee.Referee
    assert "Referee" in nimmt.__all__


# A game


def test_goes_round(nimmt: ModuleType) -> None:
    table = table_of(nimmt, ["Ann", "Bo"])
    assert (table.phase, table.round, table.ready, table.opening) == ("scored", 0, False, (None,) * 4)
    assert (table.scores, table.heads, table.rows, table.to_act) == ((0, 0), (0, 0), ((), (), (), ()), ())
    for card in OPENING:
        assert not table.ready
        assert table.lay(card) == []
    assert table.ready
    assert table.deal() == [nimmt.Dealt(1, ((10,), (20,), (30,), (40,)))]
    assert (table.phase, table.round, table.turn, table.to_act) == ("choose", 1, 1, (0, 1))
    assert table.opening == (None,) * 4
    assert table.read(1, 41) == [nimmt.Chosen(1)]
    assert (table.to_act, table.chosen(1), table.ready) == ((0,), 41, False)
    assert table.read(0, 5) == [nimmt.Chosen(0)]
    assert (table.to_act, table.ready) == ((), True)
    assert table.place() == [nimmt.Revealed((5, 41)), nimmt.RowOwed(0, 5, (0, 1, 2, 3))]
    assert (table.phase, table.to_act, table.owed) == ("take", (0,), nimmt.RowOwed(0, 5, (0, 1, 2, 3)))
    assert table.take(0, 3) == [nimmt.Placed(0, 5, 3, None, (40,)), nimmt.Placed(1, 41, 2, "right", ())]
    assert (table.phase, table.turn, table.heads, table.scores) == ("choose", 2, (3, 0), (0, 0))


def rules_of(nimmt: ModuleType) -> dict[str, Any]:
    some = variants(nimmt)
    some["exceed"] = nimmt.Rules(limit=30, end="exceed")
    some["rounds"] = nimmt.Rules(rounds=2)
    some["professional, tactic"] = nimmt.Rules(deck="tactic", professional=True, limit=40)
    return some


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_the_same_game_as_with_known_hands(nimmt: ModuleType, players: int) -> None:
    for name, rules in rules_of(nimmt).items():
        rng = random.Random(f"{name} {players}")
        game, table = nimmt.Game(players, seed=rng.getrandbits(64), rules=rules), table_of(nimmt, players, rules)
        while not game.is_over:
            table = one_round(nimmt, game, table, rng)
        assert table.is_over
        assert (table.scores, table.ranks, table.winners) == (game.scores, game.ranks, game.winners)


def one_round(nimmt: ModuleType, game: Any, table: Any, rng: random.Random) -> Any:
    """Play a round of a game, at times with somebody who joins, and let a referee watch who is switched off often."""
    if game.phase == "scored":
        if game.players < 10 and rng.random() < 0.2:
            assert table.join() == game.join()
        game.deal()
    while game.phase == "draft":
        step(game, rng)
    assert table.deal([row[0] for row in game.rows]) == [nimmt.Dealt(game.round, game.rows)]
    while game.phase == "choose":
        cards = [rng.choice(game.hand(seat)) for seat in range(game.players)]
        assert table.turn == game.turn
        for seat in rng.sample(range(game.players), game.players):
            assert cards[seat] in table.legal(seat)
            table.read(seat, cards[seat])
        table = reloaded(nimmt, table)
        expected, events = game.play(cards), table.place()
        while game.phase == "take":
            assert (table.owed, table.to_act, table.cheapest()) == (game.owed, game.to_act, game.cheapest())
            table = reloaded(nimmt, table)
            seat, row = game.owed.seat, rng.choice(game.owed.rows)
            expected, events = expected + game.take(seat, row), events + table.take(seat, row)
        assert events == expected
        for what in ("rows", "heads", "scores", "phase", "round", "seen", "ranks"):
            assert getattr(table, what) == getattr(game, what)
    return table


def reloaded(nimmt: ModuleType, table: Any) -> Any:
    """Return what comes back from the bytes of a referee, after a look whether it is the same."""
    again = nimmt.referee.Referee.load(table.save())
    assert again == table
    assert again.save() == table.save()
    assert len(table.save()) <= 221 <= nimmt.SAVE_MAX
    assert repr(again) == repr(table)
    return again


@pytest.mark.parametrize(
    ("rules", "score", "over"),
    [
        ({}, 58, False),
        ({}, 59, True),
        ({"end": "exceed"}, 59, False),
        ({"end": "exceed"}, 60, True),
        ({"limit": 100}, 60, False),
        ({"rounds": 3}, 0, True),
        ({"rounds": 4}, 200, False),
    ],
)
def test_end(nimmt: ModuleType, rules: dict[str, Any], score: int, over: bool) -> None:
    """R9, trap A07: seat 0 takes 7 heads with the last card of round 3."""
    rows = [[10], [20], [30], [50, 51, 52, 53, 54]]
    table = nimmt.referee.Referee.from_rows(rows, 3, nimmt.Rules(**rules), turn=10, scores=(score, 9, 9), round=3)
    events = turn(table, (60, 31, 21))
    assert nimmt.RoundOver((7, 0, 0), (score + 7, 9, 9)) in events
    assert (table.is_over, table.phase) == (over, "over" if over else "scored")
    assert table.ranks == ((3, 1, 1) if score else (1, 2, 2))
    winners = () if not over else (1, 2) if score else (0,)
    assert table.winners == winners
    assert (events[-1] == nimmt.GameOver(table.scores, table.ranks, winners)) is over
    reloaded(nimmt, table)


# Reads


def test_the_same_card_again_and_again_is_one_choice(nimmt: ModuleType) -> None:
    table = dealt(nimmt, 3)
    assert table.read(1, 55) == [nimmt.Chosen(1)]
    before = table.save()
    for _ in range(5):
        assert table.read(1, 55) == []
    assert table.save() == before
    assert table.to_act == (0, 2)


def test_a_wrong_read_can_be_taken_back_until_the_turn_is_placed(nimmt: ModuleType) -> None:
    table = dealt(nimmt, 2)
    empty = table.save()
    table.read(0, 55)
    assert table.withdraw(0) == []
    assert table.save() == empty
    table.read(0, 55)
    table.read(0, 56)  # or another card instead
    table.read(1, 55)  # which is free for another seat then
    assert table.ready
    table.withdraw(0)  # even if it was the last that was missing
    assert (table.ready, table.to_act) == (False, (0,))
    table.read(0, 57)
    table.place()
    assert table.rows[3] == (40, 55, 57)
    refused(nimmt, table, "IllegalMove", "seat 0 has not chosen a card", lambda: table.withdraw(0))


def test_refused_reads(nimmt: ModuleType) -> None:
    table = table_of(nimmt, 3, nimmt.TACTIC)  # cards 1..34
    table.deal((10, 20, 30, 34))
    turn(table, (11, 21, 31))
    table.read(1, 22)
    for error, match, seat, card in [
        ("IllegalMove", r"seat 0: card 10 was seen in this round \(R1\)", 0, 10),
        ("IllegalMove", r"seat 1: card 21 was seen in this round \(R1\)", 1, 21),
        ("IllegalMove", r"seat 2: card 22 was read for seat 1 \(R1\)", 2, 22),
        ("IllegalMove", r"seat 0: there is no card 35: the deck is 1..34 \(R1, V1\)", 0, 35),
        ("IllegalMove", "there is no card 0", 0, 0),
        ("IllegalMove", "there is no card -1", 0, -1),
        ("IllegalMove", "there is no card 1000000", 0, 10**6),
        ("IllegalMove", "there is no seat 3: seats are 0..2", 3, 12),
        ("IllegalMove", "there is no seat -1", -1, 12),
        ("TypeError", "card must be an integer, not str", 0, "12"),
        ("TypeError", "card must be an integer, not bool", 0, True),
        ("TypeError", "card must be an integer, not NoneType", 0, None),
        ("TypeError", "seat must be an integer, not float", 0.0, 12),
    ]:
        refused(nimmt, table, error, match, lambda seat=seat, card=card: table.read(seat, card))  # type: ignore[misc]
    assert table.read(0, 12) == [nimmt.Chosen(0)]


def test_a_card_is_new_again_in_the_next_round(nimmt: ModuleType) -> None:
    table = one_round_only(nimmt)
    table.deal((45, 1, 2, 3))
    assert table.read(0, 10) == [nimmt.Chosen(0)]


def one_round_only(nimmt: ModuleType, players: object = 2) -> Any:
    """A table after its first round."""
    table = dealt(nimmt, players)
    for number in range(10):
        turn(table, [50 + number * table.players + seat for seat in range(table.players)])
    assert table.phase == "scored"
    return table


@pytest.mark.parametrize("phase", ["scored", "choose", "ready", "take", "over"])
def test_not_now(nimmt: ModuleType, phase: str) -> None:
    table = dealt(nimmt, 2, nimmt.Rules(rounds=1))
    moves = {
        "lay": lambda: table.lay(50),
        "lift": lambda: table.lift(0),
        "deal": lambda: table.deal(OPENING),
        "join": lambda: table.join(),
        "read": lambda: table.read(0, 50),
        "withdraw": lambda: table.withdraw(0),
        "place": lambda: table.place(),
        "take": lambda: table.take(0, 0),
    }
    allowed = {
        "scored": {"lay", "deal", "join"},
        "choose": {"read"},
        "ready": {"read", "withdraw", "place"},
        "take": {"take"},
        "over": set(),
    }[phase]
    if phase == "scored":
        table = table_of(nimmt, 2)
    elif phase == "ready":
        table.read(0, 5)
        table.read(1, 41)
    elif phase == "take":
        turn_to_take(table)
    elif phase == "over":
        for number in range(10):
            turn(table, (60 + 2 * number, 61 + 2 * number))
    for name in sorted(set(moves) - allowed):
        before = table.save()
        with pytest.raises((nimmt.WrongPhase, nimmt.IllegalMove)) as error:
            moves[name]()
        assert str(error.value)
        assert table.save() == before, name
    for name in sorted(allowed):
        table, kept = table.copy(), table
        moves[name]()
        table = kept


def turn_to_take(table: Any) -> None:
    table.read(0, 5)
    table.read(1, 41)
    table.place()
    assert table.phase == "take"


def test_place_needs_a_card_of_every_seat(nimmt: ModuleType) -> None:
    table = dealt(nimmt, 3)
    table.read(0, 50)
    table.read(2, 51)
    refused(nimmt, table, "IllegalMove", "seat 1 has no card: every seat plays one", lambda: table.place())


def test_take_of_another_row_or_by_another_seat(nimmt: ModuleType) -> None:
    table = dealt(nimmt, 2)
    turn_to_take(table)
    refused(nimmt, table, "IllegalMove", "seat 1 is not asked: it is up to seat 0", lambda: table.take(1, 0))
    refused(nimmt, table, "IllegalMove", "seat 0 may not take row 4", lambda: table.take(0, 4))
    refused(nimmt, table, "WrongPhase", "seat 0 must take a row first", lambda: table.read(1, 50))
    table.take(0, 0)
    assert table.rows[0] == (5,)


def test_professional_tie(nimmt: ModuleType) -> None:
    """P4: the owner of the card chooses between the right of one row and the left of another."""
    table = table_of(nimmt, 2, nimmt.PROFESSIONAL)
    table.deal((10, 20, 60, 90))
    table.read(0, 15)
    table.read(1, 61)
    assert table.place()[1:] == [nimmt.RowOwed(0, 15, (0, 1))]
    refused(nimmt, table, "IllegalMove", "P4", lambda: table.take(0, 2))
    assert table.take(0, 1)[0] == nimmt.Placed(0, 15, 1, "left", ())


def test_low_card_and_row_0(nimmt: ModuleType) -> None:
    """Traps A04, A05, A27: row 0 can be taken, the rest is placed, the turn goes on, the card is gone."""
    table = table_of(nimmt, 3)
    table.deal((10, 20, 30, 40))
    events = turn(table, (3, 45, 70), lambda table: 0)
    assert events[2:] == [
        nimmt.Placed(0, 3, 0, None, (10,)),
        nimmt.Placed(1, 45, 3, "right", ()),
        nimmt.Placed(2, 70, 3, "right", ()),
    ]
    assert (table.heads, table.turn, table.rows) == ((3, 0, 0), 2, ((3,), (20,), (30,), (40, 45, 70)))
    refused(nimmt, table, "IllegalMove", "card 3 was seen", lambda: table.read(0, 3))
    refused(nimmt, table, "IllegalMove", "card 10 was seen", lambda: table.read(1, 10))


# Between rounds


def test_opening_cards_are_asked_for_again(nimmt: ModuleType) -> None:
    table = one_round_only(nimmt)
    assert (table.ready, table.opening) == (False, (None,) * 4)
    for card in (7, 7, 8, 7, 9):  # double reads
        table.lay(card)
    assert table.opening == (7, 8, 9, None)
    refused(nimmt, table, "IllegalMove", r"row 3 has no card: four open the rows \(R3\)", lambda: table.deal())
    table.lay(1, row=3)
    table.lay(2, row=3)  # in its place
    refused(nimmt, table, "IllegalMove", "card 2 opens row 3 already", lambda: table.lay(2, row=0))
    refused(nimmt, table, "IllegalMove", "all four rows have a card", lambda: table.lay(3))
    refused(nimmt, table, "IllegalMove", "there is no row 4", lambda: table.lay(3, row=4))
    refused(nimmt, table, "IllegalMove", "there is no row -1", lambda: table.lay(3, row=-1))
    refused(nimmt, table, "IllegalMove", "there is no card 105", lambda: table.lay(105))
    refused(nimmt, table, "TypeError", "card must be an integer", lambda: table.lay("7"))
    refused(nimmt, table, "TypeError", "row must be an integer", lambda: table.lay(3, row="1"))
    assert table.lift(0) == []
    assert table.opening == (None, 8, 9, 2)
    refused(nimmt, table, "IllegalMove", "row 0 has no card that could be taken back", lambda: table.lift(0))
    refused(nimmt, table, "IllegalMove", "row 4 has no card", lambda: table.lift(4))
    table.lay(104)
    assert table.deal() == [nimmt.Dealt(2, ((104,), (8,), (9,), (2,)))]


@pytest.mark.parametrize("cards", [(1, 2, 3), (1, 2, 3, 4, 5), (1, 2, 3, 3), (1, 2, 3, 25), (0, 1, 2, 3), ()])
def test_refused_deals(nimmt: ModuleType, cards: tuple[int, ...]) -> None:
    table = table_of(nimmt, 2, nimmt.TACTIC)  # cards 1..24
    refused(nimmt, table, "NimmtError", "card|rows", lambda: table.deal(cards))
    refused(nimmt, table, "TypeError", "card", lambda: table.deal(["1", 2, 3, 4]))
    refused(nimmt, table, "TypeError", "cards must be a sequence", lambda: table.deal("1234"))


def test_tactic_deck_in_every_round(nimmt: ModuleType) -> None:
    """Trap A09, and a deck that grows with a player who joins (H7)."""
    table = table_of(nimmt, 2, nimmt.Rules(deck="tactic", limit=1000))
    for number in range(3):
        highest = 10 * table.players + 4
        assert (table.deal((1, 2, 3, 4)) and table.highest) == highest
        refused(nimmt, table, "IllegalMove", f"the deck is 1..{highest}", lambda: table.read(0, highest + 1))  # noqa: B023
        cards = list(range(5, highest + 1))
        assert list(table.legal(0)) == cards
        for first in range(0, len(cards), table.players):
            turn(table, cards[first : first + table.players])
        assert table.seen == tuple(range(1, highest + 1))
        table.join()
        assert table.round == number + 1


def test_joining(nimmt: ModuleType) -> None:
    table = one_round_only(nimmt, ["Ann", "Bo"])
    assert table.join("Cy") == 2
    assert (table.names, table.players) == (("Ann", "Bo", "Cy"), 3)
    assert table.scores[2] == max(table.scores) > 0
    assert table.heads[2] == 0
    reloaded(nimmt, table)
    refused(nimmt, table, "NimmtError", "needs a name", lambda: table.join())
    for number in range(7):
        table.join(f"player {number}")
    refused(nimmt, table, "IllegalMove", "the table is full", lambda: table.join("eleventh"))
    table.deal(OPENING)
    assert len(table.to_act) == 10
    refused(nimmt, table, "WrongPhase", "round 2 is not over", lambda: table.join("late"))


def test_joining_before_the_first_round(nimmt: ModuleType) -> None:
    table = table_of(nimmt, 2)
    assert (table.join(), table.scores) == (2, (0, 0, 0))
    assert table == table_of(nimmt, 3)
    reloaded(nimmt, table)


# A game that is going on


def test_from_rows(nimmt: ModuleType) -> None:
    rows = [[3, 17], [20], [30, 31, 32, 33, 34], [99]]
    table = nimmt.referee.Referee.from_rows(rows, ["Ann", "Bo"], turn=9, scores=(30, 60), round=4)
    assert (table.turn, table.round, table.phase, table.names) == (9, 4, "choose", ("Ann", "Bo"))
    refused(nimmt, table, "IllegalMove", "card 17 was seen", lambda: table.read(0, 17))
    assert turn(table, (35, 36))[1] == nimmt.Placed(0, 35, 2, "right", (30, 31, 32, 33, 34))
    reloaded(nimmt, table)
    events = turn(table, (100, 101))
    assert table.heads == (11, 0)  # 30 has three bull heads, 33 five, and the others one each
    assert events[-1] == nimmt.RoundOver((11, 0), (41, 60))
    reloaded(nimmt, table)


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        ([[1], [2], [3]], {}),
        ([[1], [2], [3], [3]], {}),
        ([[2, 1], [4], [5], [6]], {}),
        ([[1], [2], [3], []], {}),
        ([[1], [2], [3], [105]], {}),
        ([[1], [2], [3], [4]], {"turn": 0}),
        ([[1], [2], [3], [4]], {"turn": 11}),
        ([[1], [2], [3], [4]], {"round": 0}),
        ([[1], [2], [3], [4]], {"scores": (1, 2, 3)}),
        ([[1], [2], [3], [4]], {"scores": (-1, 2)}),
        ([[1], [2], [3], [4]], {"scores": (172, 2)}),
        ([[1], [2], [3], [4]], {"scores": (66 + 171, 2), "round": 3}),
        ([[1], [2], [3], [4]], {"players": 11}),
    ],
)
def test_from_rows_that_cannot_be(nimmt: ModuleType, rows: Any, options: dict[str, Any]) -> None:
    with pytest.raises(nimmt.NimmtError):
        nimmt.referee.Referee.from_rows(rows, **{"players": 2, **options})


def test_wrong_arguments(nimmt: ModuleType) -> None:
    for players in (1, 11, 0, -1, ["Ann"], ["x"] * 11):
        with pytest.raises(nimmt.NimmtError):
            table_of(nimmt, players)
    for other in (2.0, True, None, "Ann", {"Ann": 1}):
        with pytest.raises(TypeError):
            table_of(nimmt, other)
    with pytest.raises(TypeError, match=r"nimmt\.Rules"):
        table_of(nimmt, 2, "base")


# Values


def positions(nimmt: ModuleType) -> list[Any]:
    """A referee in every phase."""
    laid = table_of(nimmt, 4, nimmt.LOGIC)
    laid.lay(44)
    joined = one_round_only(nimmt)
    joined.join()
    joined.lay(5, row=2)
    take = dealt(nimmt, 2)
    turn_to_take(take)
    ready = dealt(nimmt, 2)
    ready.read(0, 50)
    ready.read(1, 51)
    over = dealt(nimmt, 2, nimmt.Rules(rounds=1))
    for number in range(10):
        turn(over, (60 + 2 * number, 61 + 2 * number))
    return [table_of(nimmt, 10), laid, dealt(nimmt, 10), joined, take, ready, over]


def test_saves_and_copies(nimmt: ModuleType) -> None:
    made = positions(nimmt)
    for number, table in enumerate(made):
        for again in (table.copy(), copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
            assert again == table
            assert again is not table
            assert (again.phase, again.opening, again.ready, again.names) == (
                table.phase,
                table.opening,
                table.ready,
                table.names,
            )
        assert [other == table for other in made] == [other == number for other in range(len(made))]
        assert table != "table"
        with pytest.raises(TypeError):
            hash(table)


def test_a_copy_is_independent(nimmt: ModuleType) -> None:
    table = dealt(nimmt, 2)
    before, other = table.save(), table.copy()
    turn(other, (50, 51))
    assert table.save() == before
    laid = table_of(nimmt, 2)
    other = laid.copy()
    other.lay(5)
    assert laid.opening == (None,) * 4


def test_names_are_not_in_a_save(nimmt: ModuleType) -> None:
    table = dealt(nimmt, ["Ann", "Bo"])
    assert nimmt.referee.Referee.load(table.save()).names is None
    assert nimmt.referee.Referee.load(table.save(), ["Cy", "Di"]).names == ("Cy", "Di")
    assert table.copy().names == ("Ann", "Bo")
    with pytest.raises(nimmt.NimmtError, match="the save has 2 players, not 3"):
        nimmt.referee.Referee.load(table.save(), ["Cy", "Di", "Ed"])


def test_damaged_saves(nimmt: ModuleType) -> None:
    for table in positions(nimmt):
        data = table.save()
        for cut in range(len(data)):
            with pytest.raises(nimmt.BadRecord):
                nimmt.referee.Referee.load(data[:cut])
        for bit in range(8 * len(data)):
            changed = bytearray(data)
            changed[bit // 8] ^= 1 << bit % 8
            with pytest.raises(nimmt.BadRecord):
                nimmt.referee.Referee.load(changed)
        with pytest.raises(nimmt.BadRecord):
            nimmt.referee.Referee.load(data + b"\0")
        with pytest.raises(nimmt.BadRecord):
            nimmt.Game.load(data)
    with pytest.raises(nimmt.BadRecord, match="does not begin with 6r"):
        nimmt.referee.Referee.load(nimmt.Game(2, seed=1).save())
    with pytest.raises(TypeError):
        nimmt.referee.Referee.load("6r")


def test_saves_with_a_right_checksum_and_wrong_parts(nimmt: ModuleType) -> None:
    """Whatever bytes load, they are canonical, and the referee that comes of them can be asked and played."""
    rng, loaded = random.Random(4), 0
    for table in positions(nimmt):
        data = table.save()
        for _ in range(300):
            changed = bytearray(data)
            for _ in range(rng.choice((1, 1, 2))):
                changed[rng.randrange(6, min(64, len(data) - 4))] = rng.choice((0, 1, 2, 4, 255, rng.randrange(256)))
            body = bytes(changed[:-4])
            try:
                again = nimmt.referee.Referee.load(body + nimmt.port.crc32(body).to_bytes(4, "little"))
            except nimmt.BadRecord:
                continue
            loaded += 1
            assert again.save()[:-4] == body
            while again.phase == "choose" and again.turn < 10:
                turn(again, [again.legal(seat)[seat] for seat in range(again.players)])
                reloaded(nimmt, again)
    assert loaded


def test_version_of_saves(nimmt: ModuleType) -> None:
    """A promise: these bytes load as long as there are saves of version 1."""
    table = dealt(nimmt, 2)
    turn_to_take(table)
    assert table.save().hex() == GOLDEN
    assert nimmt.referee.Referee.load(bytes.fromhex(GOLDEN)) == table
    newer = bytearray(table.save())
    newer[2] = 2
    with pytest.raises(nimmt.BadRecord, match=r"version 2\.0"):
        nimmt.referee.Referee.load(newer)


GOLDEN = (
    "36720100c500000000ff420000000100000002000000000000000000000268200100000f010101010a000000001400000000"
    "1e00000000280000000005290000000000000000000000000000000000001002082080010000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000008af240e8"
)


def test_integers_of_other_types(nimmt: ModuleType) -> None:
    """Trap C22."""
    numpy = pytest.importorskip("numpy")
    table = table_of(nimmt, numpy.int64(2))
    table.lay(numpy.uint8(7), numpy.int32(0))
    table.deal(numpy.array(OPENING))
    table.read(numpy.int8(0), numpy.int64(50))
    assert type(table.chosen(0)) is int
    with pytest.raises(TypeError):
        table.read(1, numpy.float64(51))
