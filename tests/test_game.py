"""The game above the rounds: deals, ends, ranks, joining, the draft's first picker, set-up games, threads."""

from __future__ import annotations

import copy
import pickle
import random
import sys
import threading
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from conftest import CI, last_turn, play_round, play_to, step, variants


def finished(nimmt: ModuleType, scores: list[int], **options: Any) -> Any:
    """Return a game after a round that led to these scores."""
    game, cards = last_turn(nimmt, scores, [0] * len(scores), nimmt.Rules(**options))
    game.play(cards)
    return game


# Deals


def test_deals(nimmt: ModuleType) -> None:
    """Each deal is one of the whole deck, another one each round, and the same for the same seed (A09, A21, A41)."""
    for rules in (nimmt.Rules(limit=10_000), nimmt.Rules(deck="tactic", limit=10_000)):
        for players in (2, 3, 10):
            one, other, deals = nimmt.Game(players, 5, rules), nimmt.Game(players, 5, rules), set()
            for number in range(1, 6):
                assert one.round == number
                assert one.highest == (104 if rules.deck == "full" else 10 * players + 4)
                hands = [one.hand(seat) for seat in range(players)]
                table = [card for row in one.rows for card in row]
                cards = [card for hand in hands for card in hand] + table
                assert [len(hand) for hand in hands] == [10] * players
                assert [len(row) for row in one.rows] == [1] * 4
                assert len(set(cards)) == len(cards) == 10 * players + 4
                if rules.deck == "tactic" or players == 10:
                    assert sorted(cards) == list(range(1, one.highest + 1))
                deals.add(tuple(cards))
                assert other == one
                for game in (one, other):
                    play_round(game, random.Random(number))
                    event = game.deal()
                    assert event == [nimmt.Dealt(number + 1, game.rows)]
            assert len(deals) == 5


def test_rows_open_in_the_order_drawn(nimmt: ModuleType) -> None:
    """R3: not sorted."""
    opened = [nimmt.Game(2, seed).rows for seed in range(200)]
    assert len({tuple(sorted(rows).index(row) for row in rows) for rows in opened}) == 24


def test_deals_do_not_depend_on_play(nimmt: ModuleType) -> None:
    games = [nimmt.Game(4, 9, nimmt.Rules(limit=1000)) for _ in range(3)]
    for number, game in enumerate(games):
        play_round(game, random.Random(number))
        game.deal()
    assert len({game.scores for game in games}) > 1
    assert games[0].rows == games[1].rows == games[2].rows
    assert games[0].hand(3) == games[1].hand(3)


def test_seeds(nimmt: ModuleType) -> None:
    """Unseeded games differ and tell their seed; seeds, games and rounds count, whatever their size."""
    games = [nimmt.Game(4) for _ in range(20)]
    assert len({game.rows for game in games}) == 20
    assert all(0 <= game.seed < 2**64 for game in games)
    again = [nimmt.Game(4, game.seed) for game in games]
    assert again == games
    keys = [
        (seed, game) for seed in (0, 1, 2**31, 2**32, 2**32 + 1, 2**63, 2**64 - 1) for game in (0, 1, 2**32, 2**64 - 1)
    ]
    deals = {nimmt.Game(4, seed, game=game).save()[36:] for seed, game in keys}
    assert len(deals) == len(keys)


def test_without_entropy(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trap D04: never a start that is always the same."""
    modules = [module for name, module in sys.modules.items() if name.startswith("nimmt.")]
    for module in modules:
        if hasattr(module, "urandom"):
            monkeypatch.setattr(module, "urandom", lambda size: None)
    with pytest.raises(nimmt.NimmtError, match="seed"):
        nimmt.Game(4)
    assert nimmt.Game(4, seed=1).seed == 1


def test_every_card_opens_a_row(nimmt: ModuleType) -> None:
    """Trap D01: the first card over small seeds is as likely as any. 103 degrees of freedom: 160 is p = 0.0003."""
    counts = [0] * 105
    for seed in range(4000):
        counts[nimmt.Round.deal(2, nimmt.Stream(seed)).rows[0][0]] += 1
    expected = 4000 / 104
    assert min(counts[1:]) > 0
    assert sum((count - expected) ** 2 / expected for count in counts[1:]) < 160


# Ends


@pytest.mark.parametrize(
    ("scores", "options", "over"),
    [
        ([66, 12, 30], {}, True),
        ([65, 12, 30], {}, False),
        ([66, 12, 30], {"end": "exceed"}, False),
        ([67, 12, 30], {"end": "exceed"}, True),
        ([74, 10], {"limit": 74}, True),
        ([75, 10], {"limit": 74}, True),
        ([74, 10], {"limit": 74, "end": "exceed"}, False),
        ([75, 10], {"limit": 74, "end": "exceed"}, True),
        ([73, 10], {"limit": 74}, False),
        ([0, 0], {"limit": 1}, False),
        ([1, 0], {"limit": 1}, True),
        ([170, 0], {"rounds": 3}, False),
        ([170, 0], {"rounds": 2}, True),
        ([0, 0], {"rounds": 2}, True),
    ],
)
def test_ends(scores: list[int], options: dict[str, Any], over: bool, nimmt: ModuleType) -> None:
    """R9, at the border (traps A07, A46)."""
    before = [0] * len(scores) if "rounds" not in options else scores
    heads = [0] * len(scores) if "rounds" in options else scores
    game, cards = last_turn(nimmt, before, heads, nimmt.Rules(**options))
    assert not game.is_over and game.winners == ()
    events = game.play(cards)
    assert game.scores == tuple(scores)
    assert (game.is_over, game.phase) == (over, "over" if over else "scored")
    assert (type(events[-1]) is nimmt.GameOver) == over
    if over:
        for call in (game.deal, game.join, lambda: game.play(cards)):
            with pytest.raises(nimmt.WrongPhase):
                call()
    else:
        assert game.deal() == [nimmt.Dealt(3, game.rows)]


@pytest.mark.parametrize(
    ("scores", "ranks", "winners"),
    [
        ([9, 66, 10, 100], (1, 3, 2, 4), (0,)),
        ([12, 70, 12, 40], (1, 4, 1, 3), (0, 2)),
        ([12, 12, 12, 5, 12, 12, 12, 12, 12, 66], (2, 2, 2, 1, 2, 2, 2, 2, 2, 10), (3,)),
        ([66, 66], (1, 1), (0, 1)),
        ([66, 0], (2, 1), (1,)),
        ([100, 99, 9, 66], (4, 3, 1, 2), (2,)),
    ],
)
def test_ranks(scores: list[int], ranks: tuple[int, ...], winners: tuple[int, ...], nimmt: ModuleType) -> None:
    """R10, as numbers, ties shared, and fewest heads first (traps A08, A34, D02)."""
    game, cards = last_turn(nimmt, [0] * len(scores), scores) if sum(scores) < 100 else (None, ())
    if game is None:
        game, cards = last_turn(nimmt, scores, [0] * len(scores), nimmt.Rules(rounds=2))
    events = game.play(cards)
    assert (game.ranks, game.winners) == (ranks, winners)
    assert events[-1] == nimmt.GameOver(tuple(scores), ranks, winners)


def test_a_round_is_played_out(nimmt: ModuleType) -> None:
    """R9: never checked inside a round; the end comes in the same step that decides it (traps A07, C17)."""
    game, rng, steps = nimmt.Game(2, 1, nimmt.Rules(limit=1)), random.Random(1), 0
    reached = False
    while not game.is_over:
        reached = reached or max(game.heads) >= 1
        events, steps = step(game, rng), steps + 1
        if not game.is_over:
            assert type(events[-1]) is not nimmt.GameOver
    assert reached and game.round == 1 and type(events[-1]) is nimmt.GameOver


def test_ten_turns(nimmt: ModuleType) -> None:
    """Trap C17: exactly ten turns, and over in the last of them; a row owed holds the end up (R8)."""
    rng, late = random.Random(2), 0
    for seed in range(300 if CI else 60):
        game, turns = nimmt.Game(4, seed, nimmt.Rules(rounds=1, professional=bool(seed % 2))), 0
        while not game.is_over:
            assert game.turn == turns + 1
            game.play([rng.choice(game.hand(seat)) for seat in range(4)])
            turns += 1
            while game.owed:
                late += turns == 10
                assert not game.is_over and game.scores == (0,) * 4
                game.take(game.owed.seat, game.owed.rows[-1])
        assert turns == game.turn == 10
        assert game.scores == game.heads
    assert late > 3


# Moves


def test_to_act_and_legal_in_every_phase(nimmt: ModuleType) -> None:
    """Trap C20: nothing to do is an empty tuple, not an error."""
    phases = set()
    for variant in variants(nimmt).values():
        game, rng = nimmt.Game(3, 4, variant), random.Random(4)
        while True:
            phases.add(game.phase)
            for seat in range(3):
                legal = game.legal(seat)
                assert bool(legal) or seat not in game.to_act
                if game.phase == "choose":
                    assert legal == game.hand(seat)
                    assert (seat in game.to_act) == (game.chosen(seat) is None)
                elif seat not in game.to_act:
                    assert legal == ()
            assert (game.to_act == ()) == (game.phase in ("scored", "over"))
            assert (game.owed is None) == (game.phase != "take")
            if game.is_over:
                break
            step(game, rng)
    assert phases == {"draft", "choose", "take", "scored", "over"}


def test_changing_ones_mind(nimmt: ModuleType) -> None:
    """Trap A15: hand and choice are always the same ten cards; only the last choice counts."""
    game = nimmt.Game(4, 7)
    hand = game.hand(0)
    for card in (hand[3], hand[7], None, hand[3], None, hand[0], hand[9]):
        if card is None:
            assert game.withdraw(0) == []
            assert (game.hand(0), game.chosen(0)) == (hand, None)
            assert game.to_act == (0, 1, 2, 3)
            continue
        assert game.choose(0, card) == [nimmt.Chosen(0)]
        assert sorted((*game.hand(0), card)) == list(hand)
        assert (game.chosen(0), game.to_act) == (card, (1, 2, 3))
    for seat in (1, 2):
        game.choose(seat, game.hand(seat)[0])
    events = game.choose(3, game.hand(3)[0])
    assert events[1].cards[0] == hand[9]
    assert hand[9] not in game.hand(0) and len(game.hand(0)) == 9


def test_play_replaces_choices_or_none(nimmt: ModuleType) -> None:
    game = nimmt.Game(4, 7)
    game.choose(0, 3)
    game.choose(1, 21)
    before = game.save()
    with pytest.raises(nimmt.IllegalMove):
        game.play((2, 17, 28, 14))
    assert game.save() == before and game.chosen(0) == 3
    events = game.play((2, 17, 28, 13))
    assert events[0] == nimmt.Revealed((2, 17, 28, 13))


def test_played_cards_are_gone(nimmt: ModuleType) -> None:
    """Trap A05: after a low card and a row, too; the card cannot be played again."""
    game = nimmt.Game(4, 7)
    game.play((2, 17, 28, 13))
    assert 2 not in game.hand(0) and game.chosen(0) == 2 and len(game.hand(0)) == 9
    game.take(0, 1)
    assert game.chosen(0) is None and game.turn == 2
    with pytest.raises(nimmt.IllegalMove):
        game.choose(0, 2)
    assert [len(game.hand(seat)) for seat in range(4)] == [9] * 4


# Joining (H7)


def test_join(nimmt: ModuleType) -> None:
    game = finished(nimmt, [12, 40, 33], deck="tactic")
    assert game.join() == 3
    assert game.join() == 4
    assert (game.players, game.scores, game.round, game.phase) == (5, (12, 40, 33, 40, 40), 2, "scored")
    assert game.ranks == (1, 3, 2, 3, 3)
    # The new seats are there, with nothing to do until the next deal.
    for seat in range(5):
        assert (game.hand(seat), game.legal(seat), game.chosen(seat)) == ((), (), None)
        assert game.view(seat).seat == seat
        assert game.view(seat).scores == game.scores
    assert len(game.heads) == len(game.view().heads)
    assert nimmt.Game.load(game.save()) == game
    assert nimmt.replay(game.record()) == game
    game.deal()
    assert (game.highest, game.heads) == (54, (0,) * 5)
    cards = [card for seat in range(5) for card in game.hand(seat)] + [row[0] for row in game.rows]
    assert sorted(cards) == list(range(1, 55))
    with pytest.raises(nimmt.WrongPhase):
        game.join()
    play_round(game, random.Random(1))


def test_a_table_that_is_full(nimmt: ModuleType) -> None:
    game = finished(nimmt, [1] * 9)
    assert game.join() == 9
    before = game.save()
    with pytest.raises(nimmt.IllegalMove, match="full"):
        game.join()
    assert game.save() == before
    game.deal()
    assert [len(game.hand(seat)) for seat in range(10)] == [10] * 10


def test_joining_with_names(nimmt: ModuleType) -> None:
    game = play_to(nimmt.Game(["Ann", "Bob"], 1, nimmt.Rules(limit=300)), random.Random(1), "scored")
    for wrong, error in ((None, nimmt.NimmtError), ("", nimmt.NimmtError), (5, TypeError), ("a\n", nimmt.NimmtError)):
        before = game.save()
        with pytest.raises(error):
            game.join(wrong)
        assert (game.save(), game.names) == (before, ("Ann", "Bob"))
    assert game.join("Cleo") == 2
    assert game.names == ("Ann", "Bob", "Cleo")
    assert nimmt.replay(game.record()).names == game.names


def test_joining_a_draft(nimmt: ModuleType) -> None:
    """The first picker moves on by one seat, among all who play now; and one that is fixed stays."""
    for first in ("rotate", 1):
        rules = nimmt.Rules(deck="tactic", draft=True, limit=300, first_picker=first)
        game = play_to(nimmt.Game(2, 3, rules), random.Random(1), "scored")
        began = game._first
        game.join()
        assert nimmt.Game.load(game.save()) == game
        assert game.deal() == []
        assert game.to_act == ((began + 1) % 3 if first == "rotate" else 1,)
        assert len(game.legal(game.to_act[0])) == 34
        play_round(game, random.Random(1))


def test_first_pickers(nimmt: ModuleType) -> None:
    """V2: drawn from the stream of the first round, each seat equally likely; then one seat further."""
    counts = [0] * 5
    for seed in range(500):
        game = nimmt.Game(5, seed, nimmt.LOGIC)
        counts[game.to_act[0]] += 1
        assert game.to_act == (nimmt.Stream(seed, 0, 0).below(5),)
    assert min(counts) > 60
    rules = nimmt.Rules(deck="tactic", draft=True, limit=10_000)
    game, firsts = nimmt.Game(3, 2, rules), []
    for _ in range(5):
        firsts.append(game.to_act[0])
        play_round(game, random.Random(1))
        game.deal()
    assert firsts == [(firsts[0] + i) % 3 for i in range(5)]


# Set-up games


def test_from_round(nimmt: ModuleType) -> None:
    start = nimmt.Round.from_rows([[5], [6], [7], [8]], hands=[[1, 50], [60, 70], [80, 90]])
    game = nimmt.Game.from_round(start, [10, 20, 65], seed=3, game=4, round=2)
    assert (game.round, game.turn, game.scores, game.phase) == (2, 9, (10, 20, 65), "choose")
    game.play((50, 60, 80))
    assert start.turn == 9 and start.hand(0) == (1, 50)  # a copy
    game.play((1, 70, 90))
    game.take(0, 0)
    assert game.scores == (12, 20, 65)
    game.deal()
    assert game.rows == nimmt.Round.deal(3, nimmt.Stream(3, 4, 2)).rows


def test_from_round_of_choices(nimmt: ModuleType) -> None:
    """A round with choices made, with a row owed, in the middle of a draft."""
    start = nimmt.Round.deal(3, nimmt.Stream(1))
    start.choose(1, start.hand(1)[4])
    game = nimmt.Game.from_round(start, seed=1)
    assert game.to_act == (0, 2)
    for _ in range(40):
        assert nimmt.replay(game.record()) == game
        assert nimmt.Game.load(game.save()) == game
        step(game, random.Random(1))
    draft = nimmt.Round.draft(3, 2)
    draft.pick(2, 34)
    game = nimmt.Game.from_round(draft, rules=nimmt.LOGIC, seed=1)
    assert game.to_act == (0,)
    play_round(game, random.Random(1))
    game.deal()
    assert game.to_act == (0,)  # seat 2 was the first


def test_interleaved_games(nimmt: ModuleType) -> None:
    """Trap A21: two games in turns in one process are what they are alone."""
    alone = play_to(nimmt.Game(3, 8), random.Random(2), "over")
    games, rngs = [nimmt.Game(3, 8) for _ in range(2)], [random.Random(2), random.Random(2)]
    while not games[0].is_over:
        for game, rng in zip(games, rngs, strict=True):
            step(game, rng)
    assert games[0] == games[1] == alone


def test_recursion(nimmt: ModuleType) -> None:
    """Trap A47: nothing here recurses."""
    import sys

    game = play_to(nimmt.Game(10, 1, nimmt.PROFESSIONAL), random.Random(1), "over")
    limit, depth = sys.getrecursionlimit(), 0
    frame = sys._getframe()
    while frame.f_back:
        frame, depth = frame.f_back, depth + 1
    try:
        sys.setrecursionlimit(depth + 40)
        text = game.record()
        assert nimmt.Game.load(game.save()).view(3) == game.view(3)
        assert nimmt.replay(text) == game
        assert len(nimmt.resolve([[1], [2], [3], [4]], range(10, 20)).placed) == 10
    finally:
        sys.setrecursionlimit(limit)


# Threads


def in_threads(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run `work` in threads that begin together; return what each returned, or raise what one raised."""
    results: list[Any] = [None] * count
    barrier = threading.Barrier(count)

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = work(number)
        except BaseException as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # seconds: hundreds of times as often as is usual
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def test_own_games_in_threads(nimmt: ModuleType) -> None:
    """Traps B06, B07: eight threads with games of their own get what they get one after the other."""

    def games(number: int) -> list[str]:
        texts = []
        for seed in range(60 if CI else 6):
            game = nimmt.Game(2 + number, seed, nimmt.Rules(rounds=1, professional=bool(seed % 2)))
            texts.append(play_to(game, random.Random(seed), "over").record())
        return texts

    assert in_threads(8, games) == [games(number) for number in range(8)]


def test_one_game_from_many_threads(nimmt: ModuleType) -> None:
    """Trap B06: moves are done one after the other, the game is never broken, reads and saves go on meanwhile."""
    for seed in range(8 if CI else 2):
        game = nimmt.Game(8, seed, nimmt.Rules(professional=True, limit=100))
        done: list[int] = []

        def seat(number: int, game: Any = game, done: list[int] = done) -> int:
            rng, moves = random.Random(number), 0
            while game.round < 3 and not game.is_over:
                try:
                    legal = game.legal(number)
                    if number in game.to_act and legal:
                        move = game.take if game.phase == "take" else game.choose
                        move(number, rng.choice(legal))
                        moves += 1
                    elif number == 0 and game.phase == "scored":
                        game.deal()
                except (nimmt.IllegalMove, nimmt.WrongPhase):
                    pass  # another thread was faster
                if rng.random() < 0.05:
                    assert nimmt.Game.load(game.save()).players == 8
                    assert game.view(number).seat == number
                if rng.random() < 0.005:
                    nimmt.replay(game.record())
            return moves

        assert min(in_threads(8, seat)) >= 20
        assert nimmt.Game.load(game.save()) == game
        again = nimmt.replay(game.record())
        assert again == game


def test_one_choice_counts(nimmt: ModuleType) -> None:
    """All seats from all threads at once: each turn is resolved exactly once (trap C12)."""
    game = nimmt.Game(8, 3, nimmt.Rules(rounds=1))
    for turn in range(1, 11):
        assert game.turn == turn
        events = in_threads(8, lambda seat: game.choose(seat, game.hand(seat)[0]))
        assert sum(len(told) > 1 for told in events) == 1
        while game.owed:
            takes = in_threads(8, lambda seat: taken(nimmt, game, seat))
            assert takes.count(True) == 1
    assert game.is_over


def taken(nimmt: ModuleType, game: Any, seat: int) -> bool:
    """Take row 0 if this seat may; every seat tries."""
    owed = game.owed
    try:
        game.take(seat, owed.rows[0] if owed else 0)
    except (nimmt.IllegalMove, nimmt.WrongPhase):
        return False
    return True


def test_pickles_while_others_play(nimmt: ModuleType) -> None:
    """A pickle or a copy made in the middle of other threads' moves is of one moment: its record tells its state."""
    game = nimmt.Game(2, 5, nimmt.Rules(limit=5000))
    stop = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            try:
                rng = random.Random(1)
                for _ in range(4000 if CI else 800):
                    step(game, rng)
            finally:
                stop.set()
            return 0
        seen = 0
        while not stop.is_set() or seen < 3:
            one = pickle.loads(pickle.dumps(game)) if number % 2 else game.copy()
            assert nimmt.replay(one.record()) == one
            seen += 1
        return seen

    assert min(in_threads(3, work)[1:]) >= 3


def test_a_pickle_is_of_one_moment(nimmt: ModuleType) -> None:
    """What is to be pickled is a copy: moves made before it is written, as by another thread, are not in it."""
    game = nimmt.Game(2, seed=1)
    before = game.copy()
    make, parts = game.__reduce__()
    game.play([game.hand(seat)[-1] for seat in range(2)])
    again = make(*parts)
    assert again == before != game
    assert again.record() == before.record()
    assert nimmt.replay(again.record()) == again


# Odd values


class Sly(int):
    """An integer that says it is another one."""

    def __int__(self) -> int:
        return 3


class Bare:
    def __init__(self, index: object) -> None:
        self.index = index

    def __index__(self) -> Any:
        return self.index


class Short(list[int]):
    """A list that is longer than it says."""

    def __len__(self) -> int:
        return 2


def owing(nimmt: ModuleType) -> Any:
    """Return a game in which a row is owed."""
    game = nimmt.Game(3, seed=5)
    while not game.owed:
        game.play([game.hand(seat)[0] for seat in range(3)])
    return game


def test_the_history_has_what_was_done(nimmt: ModuleType) -> None:
    """Numbers are read once: what is noted is what was played, whatever the caller's object says next."""
    game = owing(nimmt)
    assert game.take(game.owed.seat, Sly(0))[0].row == 0
    assert nimmt.replay(game.record()) == game
    game = nimmt.Game(3, seed=5, rules=nimmt.LOGIC)
    game.pick(game.to_act[0], Sly(7))
    assert nimmt.replay(game.record()) == game and 7 in game.hand((game.to_act[0] - 1) % 3)
    game = owing(nimmt)
    for index in (2.0, "0", None, True):
        before, record = game.save(), game.record()
        if index is not True:
            with pytest.raises(TypeError, match="row must be an integer, not Bare"):
                game.take(game.owed.seat, Bare(index))
            assert (game.save(), game.record()) == (before, record)
    game.take(game.owed.seat, Bare(1))
    assert nimmt.replay(game.record()) == game


def test_a_view_is_of_one_seat(nimmt: ModuleType) -> None:
    class Two:
        def __index__(self) -> int:
            return 0

        def __int__(self) -> int:
            return 1

    game = nimmt.Game(3, seed=5)
    assert game.view(Two()) == game.view(0) and game.view(Two()).hands[1] is None


def test_lists_of_another_length_than_they_say(nimmt: ModuleType) -> None:
    game = nimmt.Game(2, seed=5)
    cards, before = [game.hand(0)[0], game.hand(1)[0]], game.save()
    for wrong in (Short([*cards, 7]), Short([cards[0]])):
        with pytest.raises(nimmt.IllegalMove, match="seat"):
            game.play(wrong)
        assert game.save() == before
    game.play(Short(cards))
    assert nimmt.replay(game.record()) == game


def test_subclasses_stay_what_they_are(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are equal if their saves are, whatever their class."""
    for kind in (nimmt.Game, nimmt.Referee):
        own: Any = type("Own", (kind,), {"__module__": __name__})
        monkeypatch.setattr(sys.modules[__name__], "Own", own, raising=False)
        arguments = {"seed": 1} if kind is nimmt.Game else {}
        game = own(3, **arguments)
        assert game == kind(3, **arguments) and kind(3, **arguments) == game
        for again in (game.copy(), copy.copy(game), own.load(game.save()), pickle.loads(pickle.dumps(game))):
            assert again == game and type(again) is own
        assert weakref.ref(game)() is game
    own = type("Own", (nimmt.Round,), {"__module__": __name__})
    monkeypatch.setattr(sys.modules[__name__], "Own", own, raising=False)
    table = own.deal(3, nimmt.Stream(1))
    for again in (table.copy(), copy.deepcopy(table), own(table.to_bytes()), pickle.loads(pickle.dumps(table))):
        assert again == table and type(again) is own
    assert nimmt.Game(3, seed=1) != nimmt.Referee(3)


def test_rules_cannot_be_changed(nimmt: ModuleType) -> None:
    class Own(nimmt.Rules):  # type: ignore[name-defined, misc]
        pass

    for rules in (nimmt.Rules(), nimmt.LOGIC, Own(deck="tactic")):
        text = repr(rules)
        for name in nimmt.rules.NAMES:
            assert name in dir(rules) and hasattr(type(rules), name)
            with pytest.raises(AttributeError):
                setattr(rules, name, 5)
        with pytest.raises(AttributeError):
            rules.lmit  # noqa: B018
        assert repr(rules) == text
