"""What is true of every round and game, whatever is played (DESIGN section 8.5), and what a seat may not learn."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest
from conftest import CI, heads_of, play_round, play_to, step, variants
from hypothesis import given
from hypothesis import strategies as st

PLAYERS = st.integers(2, 10)
SEED = st.integers(0, 2**64 - 1)
VARIANT = st.sampled_from(["base", "tactic", "logic", "professional", "professional, logic", "professional, left"])


class Cards:
    """Where all cards of a round are, told by its events and its public properties."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.piles: list[list[int]] = [[] for _ in range(table.players)]
        self.all = self.there()

    def there(self) -> list[int]:
        table = self.table
        seats = range(table.players)
        cards = [card for row in table.rows for card in row] + [card for seat in seats for card in table.held(seat)]
        if table.phase == "take":
            cards += [table.chosen(seat) for seat in seats if table.chosen(seat)]
        return sorted(cards + list(table.pool) + [card for pile in self.piles for card in pile])

    def after(self, events: Sequence[Any]) -> None:
        for event in events:
            if type(event).__name__ == "Placed":
                self.piles[event.seat] += event.taken
        assert self.there() == self.all
        assert self.table.heads == tuple(sum(map(heads_of, pile)) for pile in self.piles)
        for row in self.table.rows:
            assert 1 <= len(row) <= 5
            assert list(row) == sorted(set(row))


@given(players=PLAYERS, seed=SEED, variant=VARIANT, moves=st.randoms(use_true_random=False))
def test_cards_are_conserved(nimmt: ModuleType, players: int, seed: int, variant: str, moves: random.Random) -> None:
    """After every call: no card lost or doubled, rows as they must be, heads those of the cards taken."""
    rules = variants(nimmt)[variant]
    game = nimmt.Game(players, seed, rules)
    cards = Cards(game)
    deck = list(range(1, rules.highest(players) + 1))
    if rules.deck == "tactic":
        assert cards.all == deck
    assert set(cards.all) <= set(deck)
    while game.phase not in ("scored", "over"):
        cards.after(step(game, moves))
    assert all(game.hand(seat) == () for seat in range(players))
    assert len([card for row in game.rows for card in row] + sum(cards.piles, [])) == 10 * players + 4


def test_ten_thousand_rounds(nimmt: ModuleType, core: Any) -> None:
    """Trap A05 at the seam: cards are where they may be, once, after each turn; they are counted here."""
    rng = random.Random(10_000)
    many = {"c": 10_000 if CI else 1000, "python": 1000 if CI else 100}[nimmt.backend]
    state, log = bytearray(164), bytearray(90)
    r, written = core.bind(state), core.bind_log(log)
    for number in range(many):
        players = 2 + number % 9
        assert core.deal(r, players, (104, 10 * players + 4)[number & 1], number // 2 & 1, nimmt.Stream(number)) == 0
        pile: list[int] = []
        start = sorted(state[11:31:5] + state[64 : 64 + 10 * players])
        while state[3] != 2:
            if state[3] == 1:
                rows = [row for row in range(4) if state[6] >> row & 1]
                count = core.take(r, state[5], rng.choice(rows), written)
            else:
                held = 10 - state[4]
                cards = [state[64 + 10 * seat + rng.randrange(held)] for seat in range(players)]
                count = core.play(r, bytes(cards), written)
            assert count >= 0
            for at in range(4, 9 * count, 9):
                pile += log[at : at + 5].replace(b"\0", b"")
            cards = [card for card in state[11:31] + state[64:164] + bytes(pile) if card]
            cards += [card for card in state[31:41] if card]
            assert sorted(cards) == start
            assert sum(state[41:51]) == sum(map(heads_of, pile))
            assert core.check(r) == 0


@given(players=PLAYERS, seed=SEED, professional=st.booleans(), order=st.randoms(use_true_random=False))
def test_order_of_choosing_does_not_matter(
    nimmt: ModuleType, players: int, seed: int, professional: bool, order: random.Random
) -> None:
    """R4: nor does changing one's mind, nor choosing all at once."""
    rules = nimmt.Rules(professional=professional)
    one, other, third = (nimmt.Game(players, seed, rules) for _ in range(3))
    while one.phase not in ("scored", "over"):
        if one.owed:
            seat, row = one.owed.seat, order.choice(one.owed.rows)
            assert one.take(seat, row) == other.take(seat, row) == third.take(seat, row)
            continue
        cards = [order.choice(one.hand(seat)) for seat in range(players)]
        events = one.play(cards)
        seats = list(range(players))
        order.shuffle(seats)
        for seat in seats[:-1]:
            if order.random() < 0.3:
                other.choose(seat, order.choice(other.hand(seat)))
                other.withdraw(seat)
            assert other.choose(seat, cards[seat]) == [nimmt.Chosen(seat)]
        assert other.choose(seats[-1], cards[seats[-1]]) == [nimmt.Chosen(seats[-1]), *events]
        order.shuffle(seats)
        assert third.play({seat: cards[seat] for seat in seats}) == events
    assert one == other == third
    assert one.record() == other.record() == third.record()


@given(players=PLAYERS, seed=SEED, professional=st.booleans(), order=st.randoms(use_true_random=False))
def test_permuted_seats_permute_results(
    nimmt: ModuleType, players: int, seed: int, professional: bool, order: random.Random
) -> None:
    rules = nimmt.Rules(professional=professional)
    one = nimmt.Round.deal(players, nimmt.Stream(seed), rules)
    seats = list(range(players))
    order.shuffle(seats)  # seats[p] sits at p in the other round
    other = nimmt.Round.from_rows(one.rows, hands=[one.hand(seat) for seat in seats], rules=rules)
    while one.phase != "scored":
        if one.owed:
            seat, row = one.owed.seat, order.choice(one.owed.rows)
            events, others = one.take(seat, row), other.take(seats.index(seat), row)
        else:
            cards = [order.choice(one.hand(seat)) for seat in range(players)]
            events, others = one.play(cards)[1:], other.play([cards[seat] for seat in seats])[1:]
        assert [event._replace(seat=seats[event.seat]) for event in others] == events
        assert one.rows == other.rows
        assert tuple(one.heads[seat] for seat in seats) == other.heads


@given(players=PLAYERS, seed=SEED, moves=st.randoms(use_true_random=False))
def test_rows_that_are_permuted(nimmt: ModuleType, players: int, seed: int, moves: random.Random) -> None:
    """The numbers of the rows mean nothing but for who may take which."""
    table = nimmt.Round.deal(players, nimmt.Stream(seed))
    order = moves.sample(range(4), 4)
    cards = [moves.choice(table.hand(seat)) for seat in range(players)]
    row = moves.randrange(4)
    turn = nimmt.resolve(table.rows, cards, dict.fromkeys(range(players), row))
    again = nimmt.resolve([table.rows[i] for i in order], cards, {seat: order.index(row) for seat in range(players)})
    assert again.heads == turn.heads
    assert again.rows == tuple(turn.rows[i] for i in order)


@given(players=PLAYERS, seed=SEED, variant=VARIANT, moves=st.randoms(use_true_random=False))
def test_legal_is_what_is_accepted(
    nimmt: ModuleType, players: int, seed: int, variant: str, moves: random.Random
) -> None:
    """Trap C21: every move in legal() is accepted, every other refused; the list is not a live one."""
    game = nimmt.Game(players, seed, variants(nimmt)[variant])
    for _ in range(moves.randrange(30)):
        if game.phase != "over":
            step(game, moves)
    for seat in range(players):
        legal, before = game.legal(seat), game.save()
        accepted = set()
        verbs = [game.pick] if game.phase == "draft" else [game.choose] if game.phase == "choose" else [game.take]
        for number in range(105):
            copy = game.copy()
            verb = getattr(copy, verbs[0].__name__)
            try:
                verb(seat, number)
            except (nimmt.IllegalMove, nimmt.WrongPhase):
                assert copy.save() == before
            else:
                accepted.add(number)
        assert accepted == set(legal)
        assert list(legal) == sorted(legal)
        assert (game.save(), game.legal(seat)) == (before, legal)
        assert bool(legal) == (seat in game.to_act) or game.phase == "choose"


# What a seat may not know


def hidden(game: Any, seat: int | None) -> tuple[list[list[int]], list[int]]:
    """Return the hands that a seat (or a spectator) does not know, and the cards nobody has."""
    hands = [list(game.held(other)) for other in range(game.players) if other != seat]
    known = set(game.seen) | {card for other in range(game.players) for card in game.held(other)}
    return hands, sorted(set(range(1, game.highest + 1)) - known)


def disguised(nimmt: ModuleType, game: Any, seat: int | None, rng: random.Random) -> Any:
    """Return a game that differs in all that a seat does not know: other cards in all other hands, other choices."""
    state = bytearray(game._state)
    others = [other for other in range(game.players) if other != seat]
    hands, nobody = hidden(game, seat)
    cards = sum(hands, nobody)
    rng.shuffle(cards)
    for other, hand in zip(others, hands, strict=True):
        new, at = sorted(cards[: len(hand)]), 64 + 10 * other
        del cards[: len(hand)]
        state[at : at + len(new)] = bytes(new)
        if game.phase == "choose" and state[31 + other]:
            state[31 + other] = rng.choice(new)
    table = nimmt.Round.from_bytes(bytes(state))
    return nimmt.Game.from_round(table, game.scores, game.rules, game.seed, game.game, game.round)


@given(players=PLAYERS, seed=SEED, variant=st.sampled_from(["base", "tactic", "professional"]), data=st.data())
def test_views_tell_no_secret(nimmt: ModuleType, players: int, seed: int, variant: str, data: Any) -> None:
    """Two games that differ only in what a seat may not know give it equal views, and equal events."""
    rng = data.draw(st.randoms(use_true_random=False))
    game = nimmt.Game(players, seed, variants(nimmt)[variant])
    for _ in range(data.draw(st.integers(0, 11 * players))):
        if game.round > 1 or game.phase in ("scored", "over"):
            break
        step(game, rng)
    if game.phase in ("scored", "over"):
        return
    for seat in (None, *range(players)):
        other = disguised(nimmt, game, seat, rng)
        assert other.view(seat) == game.view(seat)
        assert repr(other.view(seat)) == repr(game.view(seat))
        assert repr(other) == repr(game)
        if seat is not None and game.phase == "choose" and len(game.to_act) > 1 and seat in game.to_act:
            card = rng.choice(game.legal(seat))
            assert other.choose(seat, card) == game.copy().choose(seat, card) == [nimmt.Chosen(seat)]


def test_the_secrets_were_different(nimmt: ModuleType) -> None:
    """The test above tests something: what is hidden does differ, and would show in a wrong view."""
    game = nimmt.Game(4, 1)
    game.choose(2, game.hand(2)[0])
    other = disguised(nimmt, game, 0, random.Random(1))
    assert other.view(1) != game.view(1) and other.view(2) != game.view(2)
    assert other.save() != game.save()
    assert {other.chosen(2), *other.held(1)} != {game.chosen(2), *game.held(1)}
    assert "hand" not in repr(game) and str(game.hand(0)[0]) + "," not in repr(game)


@given(players=PLAYERS, seed=SEED, moves=st.randoms(use_true_random=False))
def test_face_down_in_logic(nimmt: ModuleType, players: int, seed: int, moves: random.Random) -> None:
    """V2: picks are public, so all know all hands; but not which card lies face down."""
    game = nimmt.Game(players, seed, nimmt.LOGIC)
    while game.phase == "draft":
        views = [game.view(seat) for seat in (None, *range(players))]
        held = tuple(game.held(seat) for seat in range(players))
        assert all(view.hands == held for view in views)
        assert len({view.pool for view in views}) == 1
        step(game, moves)
    for _ in range(moves.randrange(1, players)):
        step(game, moves)
    held = tuple(game.held(seat) for seat in range(players))
    for chooser in set(range(players)) - set(game.to_act):
        other = game.copy()
        other.choose(chooser, moves.choice(game.hand(chooser)))
        assert other.chosen(chooser) != game.chosen(chooser)
        for seat in (None, *range(players)):
            view = game.view(seat)
            assert view.hands == held
            assert (other.view(seat) == view) == (seat != chooser)
            assert view.has_chosen == tuple(s not in game.to_act for s in range(players))
            assert view.lying == (None,) * players


def test_a_view_of_every_field(nimmt: ModuleType) -> None:
    """The layout that bots rely on (traps A17, A36, C24): absolute seats, plain numbers, nothing rotated or padded."""
    game = play_to(nimmt.Game(3, 5, nimmt.Rules(limit=300)), random.Random(1), "scored")
    game.deal()
    while game.phase != "take":
        if game.phase == "scored":
            game.deal()
        step(game, random.Random(game.turn))
    owed = game.owed
    for seat in range(3):
        view = game.view(seat)
        assert view.seat == seat
        assert (view.players, view.rules, view.phase) == (3, game.rules, "take")
        assert (view.round, view.turn, view.rows) == (game.round, game.turn, game.rows)
        assert (view.hand, view.chosen) == (game.hand(seat), game.chosen(seat))
        assert view.legal == (owed.rows if seat == owed.seat else ())
        assert (view.to_act, view.owed) == ((owed.seat,), owed)
        assert view.lying == tuple(game.chosen(other) for other in range(3))
        assert view.has_chosen == (False, False, False)
        assert (view.heads, view.scores, view.seen) == (game.heads, game.scores, game.seen)
        assert view.hands == tuple(game.held(other) if other == seat else None for other in range(3))
        assert view.pool == ()
        assert set(view.lying) - {None} <= set(view.seen)
    spectator = game.view()
    assert (spectator.seat, spectator.hand, spectator.chosen, spectator.legal) == (None, (), None, ())
    assert spectator.hands == (None, None, None)
    assert game.view(1)._replace(seat=None, hand=(), chosen=None, legal=(), hands=(None,) * 3) == spectator


def immutable(value: Any, nimmt: ModuleType) -> None:
    """Nothing in a value can be changed: tuples all the way down to numbers and text."""
    if isinstance(value, tuple):
        for item in value:
            immutable(item, nimmt)
    elif isinstance(value, nimmt.Rules):
        with pytest.raises(AttributeError):
            value.limit = 1
    else:
        assert value is None or type(value) in (int, str, bool), type(value)


@given(players=PLAYERS, seed=SEED, variant=VARIANT, moves=st.randoms(use_true_random=False))
def test_views_and_events_are_values(
    nimmt: ModuleType, players: int, seed: int, variant: str, moves: random.Random
) -> None:
    """Trap A26: what was handed out does not change with the game, nor can it be changed."""
    game = nimmt.Game(players, seed, variants(nimmt)[variant])
    kept = []
    for _ in range(moves.randrange(60)):
        if game.is_over:
            break
        events = step(game, moves)
        for value in [*events, game.view(moves.randrange(players)), game.view(), game.rows, game.seen]:
            immutable(value, nimmt)
            kept.append((value, repr(value)))
        events.clear()
    for value, text in kept:
        assert repr(value) == text
    with pytest.raises(AttributeError):
        game.view().phase = "over"


def test_rules_are_a_value(nimmt: ModuleType) -> None:
    for name in ("deck", "draft", "professional", "tie", "limit", "end", "rounds", "first_picker", "cheapest"):
        with pytest.raises(AttributeError):
            setattr(nimmt.BASE, name, 1)
    play_round(nimmt.Game(2, 1), random.Random(1))
    assert nimmt.BASE == nimmt.Rules()


def test_events_in_order(nimmt: ModuleType) -> None:
    """What a turn, a round and a game tell, and in which order."""
    game, told, rng = nimmt.Game(3, 3, nimmt.Rules(limit=30)), [], random.Random(3)
    while not game.is_over:
        told.append([type(event).__name__ for event in step(game, rng)])
    for names in told:
        kinds = " ".join(names)
        assert kinds.replace("Placed ", "").replace(" Placed", "").split(" ") in (
            ["Dealt"],
            ["Chosen"],
            ["Chosen", "Revealed"],
            ["Chosen", "Revealed", "RowOwed"],
            ["Chosen", "Revealed", "RoundOver"],
            ["Chosen", "Revealed", "RoundOver", "GameOver"],
            ["Placed"],
            ["RoundOver"],
            ["RoundOver", "GameOver"],
        ), kinds
    assert told.count(["Dealt"]) == game.round - 1
    assert sum("RoundOver" in names for names in told) == game.round
    assert [names for names in told if "GameOver" in names] == told[-1:]
