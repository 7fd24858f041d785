"""Rounds: set-up positions, unknown hands, bytes, ties, playing out; the C layout; resolve as a function."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest
from conftest import CI, gone_cards, heads_of, round_bytes, step, variants

TABLE = ((12,), (37,), (43,), (58,))


# Positions


def test_from_rows_with_hands(nimmt: ModuleType) -> None:
    table = nimmt.Round.from_rows([[12, 14], [37], [43], [58]], hands=[[3, 1, 2], (50, 99, 60)])
    assert (table.players, table.turn, table.phase, table.highest) == (2, 8, "choose", 104)
    assert (table.hand(0), table.hand(1)) == ((1, 2, 3), (50, 60, 99))
    assert (table.rows, table.heads, table.seen) == (((12, 14), (37,), (43,), (58,)), (0, 0), (12, 14, 37, 43, 58))
    assert (table.knows_hands, table.owed, table.pool, table.to_act) == (True, None, (), (0, 1))
    assert nimmt.Round.from_rows([[12, 14], [37], [43], [58]], 2, [[1, 2, 3], [50, 60, 99]]) == table
    assert nimmt.Round.from_bytes(round_bytes([[12, 14], [37], [43], [58]], [[1, 2, 3], [50, 60, 99]])) == table


def test_a_dealt_round_from_its_rows(nimmt: ModuleType) -> None:
    for rules in variants(nimmt).values():
        if not rules.draft:
            dealt = nimmt.Round.deal(5, nimmt.Stream(3), rules)
            hands = [dealt.hand(seat) for seat in range(5)]
            assert nimmt.Round.from_rows(dealt.rows, hands=hands, rules=rules) == dealt


def test_all_sizes_of_rows(nimmt: ModuleType) -> None:
    """Trap A38: rows of 1 to 5 cards at each place, taken and joined; who takes is charged."""
    for place in range(4):
        for size in range(1, 6):
            rows = [[40 + 10 * row] for row in range(4)]
            rows[place] = list(range(31, 31 + size))
            table = nimmt.Round.from_rows(rows, 2, turn=10)
            table.play((1, 104))
            events = table.take(0, place)
            assert events[0] == nimmt.Placed(0, 1, place, None, tuple(rows[place]))
            assert table.rows[place] == (1,)
            assert table.heads == (sum(map(heads_of, rows[place])), 0)
            assert table.phase == "scored"
            joined = nimmt.resolve(rows, [36])
            assert joined.rows[place] == ((*rows[place], 36) if size < 5 else (36,))
            assert joined.heads == {0: 0 if size < 5 else sum(map(heads_of, rows[place]))}


# Unknown hands


def test_unknown_hands(nimmt: ModuleType) -> None:
    """Any card that was not seen this round, from anybody; what was seen is refused."""
    table = nimmt.Round.from_rows(TABLE, 3)
    assert not table.knows_hands
    assert table.legal(0) == tuple(card for card in range(1, 105) if card not in (12, 37, 43, 58))
    assert [table.hand(seat) for seat in range(3)] == [table.held(seat) for seat in range(3)] == [()] * 3
    table.choose(1, 44)
    assert 44 not in table.legal(0) and 44 not in table.legal(1)
    for seat, card in ((0, 12), (0, 44), (1, 44), (2, 58)):
        with pytest.raises(nimmt.IllegalMove):
            table.choose(seat, card)
    table.choose(0, 15)
    table.choose(2, 61)
    assert table.turn == 2
    assert set(table.seen) == {12, 37, 43, 58, 15, 44, 61}
    for card in table.seen:
        with pytest.raises(nimmt.IllegalMove):
            table.choose(0, card)
    with pytest.raises(nimmt.NimmtError):
        table.playout([0, 0, 0], nimmt.Stream(1))


@pytest.mark.parametrize("players", [2, 6, 10])
def test_unknown_hands_to_the_end(players: int, nimmt: ModuleType) -> None:
    """A round with real cards is the round that it is with known ones."""
    known = nimmt.Round.deal(players, nimmt.Stream(4), nimmt.PROFESSIONAL)
    unknown = nimmt.Round.from_rows(known.rows, players, rules=nimmt.PROFESSIONAL)
    rng = random.Random(players)
    while known.phase != "scored":
        if known.owed:
            seat, row = known.owed.seat, rng.choice(known.owed.rows)
            assert unknown.take(seat, row) == known.take(seat, row)
        else:
            cards = [rng.choice(known.hand(seat)) for seat in range(players)]
            assert unknown.play(cards) == known.play(cards)
        assert (unknown.rows, unknown.heads, unknown.seen) == (known.rows, known.heads, known.seen)
        assert (unknown.turn, unknown.phase, unknown.to_act) == (known.turn, known.phase, known.to_act)
        assert nimmt.Round.from_bytes(unknown.to_bytes()) == unknown
    assert unknown.legal(0) == ()


def test_unknown_hands_of_the_tactic_deck(nimmt: ModuleType) -> None:
    table = nimmt.Round.from_rows([[1], [2], [3], [24]], 2, rules=nimmt.TACTIC)
    assert table.highest == 24
    with pytest.raises(nimmt.IllegalMove):
        table.choose(0, 25)
    table.choose(0, 23)


def test_turns_of_unknown_hands(nimmt: ModuleType) -> None:
    """As many cards must be left as turns; a position may be any turn."""
    rows = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20]]
    for turn in range(1, 11):
        left = 84 >= 10 * (11 - turn)
        if left:
            assert nimmt.Round.from_rows(rows, 10, turn=turn).turn == turn
        else:
            with pytest.raises(nimmt.NimmtError, match="few"):
                nimmt.Round.from_rows(rows, 10, turn=turn)
    table = nimmt.Round.from_rows(TABLE, 2, turn=10)
    table.play((60, 70))
    assert table.phase == "scored"


# Ties and owed rows, one after the other


def test_several_stops_in_a_turn(nimmt: ModuleType) -> None:
    """P5: placed, asked, placed, asked; who is asked sees what was placed before."""
    hands = [[50, 1], [70, 2], [66, 3]]
    rules = nimmt.PROFESSIONAL
    table = nimmt.Round.from_rows([[48], [52], [68], [72]], hands=hands, rules=rules)
    events = table.play((50, 70, 66))
    assert events == [nimmt.Revealed((50, 70, 66)), nimmt.RowOwed(0, 50, (0, 1))]
    assert (table.to_act, table.rows, table.chosen(1)) == ((0,), ((48,), (52,), (68,), (72,)), 70)
    events = table.take(0, 1)
    assert events == [
        nimmt.Placed(0, 50, 1, "left", ()),
        nimmt.Placed(2, 66, 2, "left", ()),
        nimmt.RowOwed(1, 70, (2, 3)),
    ]
    assert (table.phase, table.turn, table.to_act) == ("take", 9, (1,))
    assert table.rows == ((48,), (50, 52), (66, 68), (72,))
    assert table.take(1, 2) == [nimmt.Placed(1, 70, 2, "right", ())]
    assert (table.phase, table.turn) == ("choose", 10)
    turn = nimmt.resolve([[48], [52], [68], [72]], (50, 70, 66), {0: 1}, professional=True)
    assert (turn.pending, turn.rows[2]) == (nimmt.RowOwed(1, 70, (2, 3)), (66, 68))


def test_resolve_is_a_turn_of_a_round(nimmt: ModuleType) -> None:
    rng = random.Random(4)
    for seed in range(300 if CI else 60):
        rules = list(variants(nimmt).values())[seed % 7]
        players = 2 + seed % 9
        if rules.draft:
            continue
        table = nimmt.Round.deal(players, nimmt.Stream(seed), rules)
        while table.phase != "scored":
            cards, rows, heads = [rng.choice(table.hand(seat)) for seat in range(players)], table.rows, table.heads
            takes = {seat: rng.randrange(4) for seat in range(players)}
            events = table.play(cards)[1:]
            while table.owed:
                owed = events.pop()
                takes[owed.seat] = rng.choice(owed.rows)
                events += table.take(owed.seat, takes[owed.seat])
            turn = nimmt.resolve(rows, cards, takes, rules.professional, rules.tie)
            assert (turn.placed, turn.rows, turn.pending) == (tuple(events), table.rows, None)
            assert tuple(turn.heads[seat] + heads[seat] for seat in range(players)) == table.heads


def test_seats_that_do_not_play(nimmt: ModuleType) -> None:
    """resolve() takes some of the seats; they keep their numbers."""
    turn = nimmt.resolve(TABLE, {9: 5, 4: 13}, {9: 3})
    assert turn.placed == (nimmt.Placed(9, 5, 3, None, (58,)), nimmt.Placed(4, 13, 0, "right", ()))
    assert turn.heads == {4: 0, 9: 1}
    assert list(turn.heads) == [4, 9]
    assert nimmt.resolve(TABLE, {9: 5, 4: 13}, {4: 7, 0: 9, 9: 3}).rows == turn.rows  # what is not needed is ignored


# Bytes


def test_layout(nimmt: ModuleType) -> None:
    """The bytes are those of csrc/nimmt.h, which other programs may read."""
    table = nimmt.Round.deal(3, nimmt.Stream(7), nimmt.Rules(professional=True, tie="left", cheapest="most"))
    table.choose(1, table.hand(1)[2])
    state = table.to_bytes()
    assert len(state) == 164
    assert state[:11] == bytes([3, 104, 1 | 4 | 16, 0, 0, 0, 0, 1, 1, 1, 1])
    assert [state[11 + 5 * row] for row in range(4)] == [row[0] for row in table.rows]
    assert state[31:41] == bytes([0, table.chosen(1), *[0] * 8])
    assert state[41:51] == bytes(10)
    assert {c for c in range(1, 105) if state[51 + (c - 1) // 8] >> (c - 1) % 8 & 1} == set(table.seen)
    assert [tuple(state[64 + 10 * seat : 74 + 10 * seat]) for seat in range(3)] == [
        table.held(seat) for seat in range(3)
    ]
    assert state[94:] == bytes(70)
    unknown = nimmt.Round.from_rows(TABLE, 2).to_bytes()
    assert unknown[2] == 32 and unknown[64:] == bytes(100)


def test_bytes_of_every_step(nimmt: ModuleType) -> None:
    for rules in variants(nimmt).values():
        table = nimmt.Round.draft(4, 1, rules) if rules.draft else nimmt.Round.deal(4, nimmt.Stream(2), rules)
        rng = random.Random(1)
        while table.phase != "scored":
            again = nimmt.Round.from_bytes(bytearray(table.to_bytes()))
            assert again == table and again is not table
            assert (again.rows, again.heads, again.to_act, again.owed) == (
                table.rows,
                table.heads,
                table.to_act,
                table.owed,
            )
            move = rng.random()
            assert step(again, random.Random(move)) == step(table, random.Random(move))


@pytest.mark.parametrize("flags", [6, 24, 30, 32, 33, 64, 128, 255])
def test_bytes_of_a_draft_with_impossible_rules(flags: int, nimmt: ModuleType) -> None:
    """A draft that could not become a round is none."""
    state = bytearray(nimmt.Round.draft(2).to_bytes())
    state[2] = flags
    with pytest.raises(nimmt.BadRecord):
        nimmt.Round.from_bytes(bytes(state))


def test_bytes_of_a_draft_that_has_ended(nimmt: ModuleType) -> None:
    """With the last pick the rows are opened: a draft with nothing left to pick is none."""
    table = nimmt.Round.draft(2, 1)
    for card in range(1, 20):
        table.pick(table.to_act[0], card)
    state = bytearray(table.to_bytes())
    assert nimmt.Round.from_bytes(bytes(state)) == table
    state[73], state[5] = 20, 1  # seat 0 gets its tenth card, seat 1 would pick next
    with pytest.raises(nimmt.BadRecord):
        nimmt.Round.from_bytes(bytes(state))
    state[73], state[5] = 25, 1
    with pytest.raises(nimmt.BadRecord):
        nimmt.Round.from_bytes(bytes(state))


def test_helpers_of_the_tests(nimmt: ModuleType) -> None:
    """round_bytes() makes rounds that are legal, with exactly the heads it is told."""
    for heads in ([3, 0], [70, 3], [12, 3]):
        table = nimmt.Round.from_bytes(round_bytes(TABLE, [[1, 2], [60, 61]], heads))
        assert table.heads == tuple(heads)
    assert sum(map(heads_of, gone_cards(100, {1, 2, 3}))) == 100


# Playing out


def test_playout_is_playing(nimmt: ModuleType) -> None:
    """From anywhere in a round, the moves are those of the policies, drawn in the order of DESIGN section 4."""
    rng = random.Random(3)
    for seed in range(120 if CI else 40):
        players, rules = 2 + seed % 9, list(variants(nimmt).values())[seed % 7]
        if rules.draft:
            continue
        policies = [rng.randrange(5) for _ in range(players)]
        table = nimmt.Round.deal(players, nimmt.Stream(seed), rules)
        for _ in range(rng.randrange(6 * players)):
            step(table, rng)
        plain, stream, drawn = table.copy(), nimmt.Stream(9, seed), nimmt.Stream(9, seed)
        assert table.playout(policies, stream) is None
        while plain.phase != "scored":
            if plain.owed:
                seat, rows = plain.owed.seat, plain.owed.rows
                plain.take(seat, rows[drawn.below(len(rows))] if policies[seat] == 4 else plain.cheapest())
                continue
            cards = []
            for seat in range(players):
                cards.append(plain.chosen(seat) or card_of(nimmt, plain, seat, policies[seat], drawn))
            plain.play(cards)
        assert plain == table
        assert stream.state == drawn.state


def card_of(nimmt: ModuleType, table: Any, seat: int, policy: int, stream: Any) -> int:
    hand = table.held(seat)
    if policy in (0, 4):
        return int(hand[stream.below(len(hand))])
    if policy == 3:
        core = nimmt.core.core
        return int(core.policy_card(core.bind(bytearray(table.to_bytes())), seat, 3, stream))
    return int(hand[0] if policy == 1 else hand[-1])


def test_playout_of_a_round_that_is_over(nimmt: ModuleType) -> None:
    table, stream = nimmt.Round.deal(2, nimmt.Stream(1)), nimmt.Stream(2)
    table.playout([0, 1], stream)
    before, state = table.to_bytes(), list(stream.state)
    table.playout([0, 1], stream)
    assert (table.to_bytes(), list(stream.state)) == (before, state)


def test_means(nimmt: ModuleType, core: Any) -> None:
    """DESIGN section 8.7: four random seats take 12.124 heads each a round with the cheapest row, 13.341 with any.

    Within four standard errors, which are those of this sample.
    """
    rounds = {"c": 200_000 if CI else 40_000, "python": 2000 if CI else 500}[nimmt.backend]
    state = bytearray(164)
    r = core.bind(state)
    for policy, mean in ((0, 12.124), (4, 13.341)):
        total = squares = 0
        for game in range(rounds):
            stream = nimmt.Stream(2024, game)
            core.deal(r, 4, 104, 0, stream)
            core.playout(r, bytes([policy] * 4), stream)
            heads = sum(state[41:45])
            total += heads
            squares += heads * heads
        error = ((squares - total * total / rounds) / (rounds - 1) / rounds) ** 0.5 / 4
        assert abs(total / rounds / 4 - mean) < 4 * error + 0.005
        assert error < (0.05 if nimmt.backend == "c" else 0.4)
