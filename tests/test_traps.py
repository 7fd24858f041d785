"""tests/cases/traps.json: what went wrong in other programs of this kind. Each trap by its id: tested here, tested in
another file, or why it cannot be met here.
"""

from __future__ import annotations

import ast
import copy
import enum
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from conftest import HERE, cases, play_round, play_to, step, variants

TRAPS: list[dict[str, Any]] = cases("traps.json")

# Where each trap is tested: a test of this file, file::test, or "no: " and the reason.
WHERE = {
    "A01": "test_nearest_end",
    "A02": "test_lowest_first",
    "A04": "test_row_0_and_what_follows",
    "A05": "test_game::test_played_cards_are_gone, test_properties::test_ten_thousand_rounds",
    "A07": "test_game::test_ends, test_game::test_a_round_is_played_out",
    "A08": "test_game::test_ranks",
    "A09": "test_game::test_deals",
    "A10": "test_heads_by_value",
    "A11": "test_save::test_saves_that_contradict_themselves",
    "A12": "test_bots::test_the_row_is_a_row_number",
    "A15": "test_game::test_changing_ones_mind",
    "A17": "test_properties::test_a_view_of_every_field",
    "A18": "test_owing_after_a_load",
    "A20": "test_positions_that_cannot_be",
    "A21": "test_game::test_deals, test_game::test_interleaved_games",
    "A23": "test_numbers_of_players",
    "A26": "test_events_of_a_round_stay",
    "A27": "test_events_of_rows_taken",
    "A30": "test_turn_and_round_after_a_load",
    "A31": "test_nothing_is_played_by_itself",
    "A34": "test_few_heads_are_good",
    "A36": "test_a_row_is_asked_for",
    "A38": "test_round::test_all_sizes_of_rows, test_c::test_program_sanitized, test_small_cards",
    "A39": "no: the C core writes no text",
    "A40": "test_limits_of_wrong_types",
    "A41": "test_game::test_deals, test_round::test_from_rows_with_hands",
    "A43": "test_a_low_card_takes_away_a_row",
    "A44": "test_published_explanations",
    "A45": "test_other_editions_are_refused",
    "A46": "test_game::test_ends",
    "A47": "test_game::test_recursion",
    "B05": "test_install::test_free_threaded_pythons_get_a_wheel_of_their_own",
    "B06": "test_game::test_own_games_in_threads, test_game::test_one_game_from_many_threads",
    "B07": "test_install::test_first_calls_from_threads",
    "B08": "test_install::test_sdist_has_all_that_a_build_needs",
    "B09": "test_install::test_wheel",
    "B10": "test_install::test_wheel, test_backend::test_import_is_cheap",
    "B11": "no: cffi is a dependency by marker in pyproject.toml; there is no PyPy here",
    "B12": "test_install::test_isolated",
    "B13": "test_install::test_editable, test_install::test_editable_is_rebuilt_after_an_edit",
    "B14": "test_backend::test_python_loads_no_c",
    "B16": "test_frozen::test_library",
    "B20": "no: LIMITED_API in csrc/ffi_build.py is the one setting",
    "C06": "test_bots::test_matches_do_not_depend_on_their_size, test_forked_processes_differ",
    "C07": "test_save::test_every_step_of_a_game, test_save::test_a_thousand_games",
    "C12": "test_game::test_one_choice_counts",
    "C13": "test_copies_share_nothing",
    "C14": "test_deepcopy_is_copy",
    "C15": "no: the batch is not part of the engine",
    "C16": "test_ends_of_rounds_and_games_are_told_apart",
    "C17": "test_game::test_ten_turns, test_game::test_a_round_is_played_out",
    "C18": "no: the batch is not part of the engine",
    "C20": "test_game::test_to_act_and_legal_in_every_phase",
    "C21": "test_properties::test_legal_is_what_is_accepted, test_a_move_counts_once",
    "C22": "test_bad_input::test_integers_of_every_kind, test_bad_input::test_moves",
    "C24": "test_views_of_any_number_of_players",
    "D01": "test_micropython::test_micropython_prints_the_same, test_game::test_every_card_opens_a_row",
    "D02": "test_game::test_ranks, test_micropython::test_micropython_prints_the_same",
    "D03": "test_micropython::test_micropython_prints_the_same",
    "D04": "test_game::test_without_entropy",
    "D05": "test_micropython::test_compiles_for_older_releases, test_house::test_portable_files_import_nothing_else",
    "D07": "no: no .mpy files are published",
    "D11": "test_house::test_portable_files_import_nothing_else",
    "D12": "test_properties::test_views_and_events_are_values",
    "E01": "test_choices_outlive_a_restart",
    "E03": "no: play by post",
    "E05": "no: play by post",
    "E07": "no: seats have numbers; who sits there is the host's",
    "E10": "no: play by post; the engine has no undo",
    "E11": "no: play by post; the engine reads no clock",
    "E12": "no: play by post",
    "E13": "no: play by post",
    "E14": "test_names_may_change",
}


def test_every_trap_is_accounted_for() -> None:
    assert list(WHERE) == sorted(WHERE)
    assert {trap["id"] for trap in TRAPS} == set(WHERE)
    for where in WHERE.values():
        if where.startswith("no: "):
            continue
        for name in where.split(", "):
            file, _, test = name.rpartition("::")
            tree = ast.parse((HERE / f"{file or 'test_traps'}.py").read_text(encoding="utf-8"))
            assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name


def resolved(nimmt: ModuleType, rows: Any, plays: Any, **options: Any) -> Any:
    turn = nimmt.resolve(rows, plays, **options)
    assert turn.pending is None
    return turn


def test_nearest_end(nimmt: ModuleType) -> None:
    """A01"""
    turn = resolved(nimmt, [[10], [40], [60], [90]], [65])
    assert (turn.rows[2], turn.heads) == ((60, 65), {0: 0})
    turn = resolved(nimmt, [[10], [52], [60], [90]], [50])
    assert (turn.rows[0], turn.heads) == ((10, 50), {0: 0})


def test_lowest_first(nimmt: ModuleType) -> None:
    """A02"""
    turn = resolved(nimmt, [[10], [20], [30], [40]], [45, 41])
    assert (turn.rows[3], turn.rows[2]) == ((40, 41, 45), (30,))
    turn = resolved(nimmt, [[1], [8], [50], [99]], [10, 100, 2, 9])
    assert turn.rows == ((1, 2), (8, 9, 10), (50,), (99, 100))
    assert set(turn.heads.values()) == {0}


def test_row_0_and_what_follows(nimmt: ModuleType) -> None:
    """A04"""
    turn = resolved(nimmt, [[20], [30], [40], [50]], [5], take={0: 0})
    assert (turn.rows[0], turn.heads) == ((5,), {0: 3})
    hands = [[3, *range(50, 57)], [45, *range(60, 67)], [70, *range(80, 87)]]
    table = nimmt.Round.from_rows([[10], [20], [30], [40]], hands=hands)
    assert table.turn == 3
    table.play((3, 45, 70))
    assert table.owed == nimmt.RowOwed(0, 3, (0, 1, 2, 3))
    table.take(0, 1)
    assert table.rows == ((10,), (3,), (30,), (40, 45, 70))
    assert (table.heads, table.owed, table.turn, table.phase) == ((3, 0, 0), None, 4, "choose")


class Card(enum.IntEnum):
    FIFTY_FIVE = 55


def test_heads_by_value(nimmt: ModuleType) -> None:
    """A10"""
    for kind in (int, np.int64):
        heads = [nimmt.bull_heads(kind(card)) for card in range(1, 105)]
        assert sum(heads) == 171
        assert [heads.count(value) for value in (1, 2, 3, 5, 7)] == [76, 9, 10, 8, 1]
        assert heads.index(7) == 54
    assert nimmt.bull_heads(Card.FIFTY_FIVE) == 7
    for card in (0, 105, -1):
        with pytest.raises(nimmt.NimmtError):
            nimmt.bull_heads(card)


SCRIPT = "import sys, nimmt; g = nimmt.Game.load(bytes.fromhex(sys.stdin.read())); "


def elsewhere(nimmt: ModuleType, game: Any, code: str) -> str:
    """Load a game in a new process and run code on it, as `g`; return what it prints."""
    env = dict(os.environ, NIMMT_BACKEND=nimmt.backend, PYTHONPATH=str(Path(str(nimmt.__file__)).parent.parent))
    command = [sys.executable, "-c", SCRIPT + code]
    done = subprocess.run(
        command, input=game.save().hex(), capture_output=True, text=True, env=env, timeout=60, check=True
    )
    return str(done.stdout)


def test_owing_after_a_load(nimmt: ModuleType) -> None:
    """A18"""
    hands = [[40 + seat, 50 + seat] for seat in range(4)]
    hands[2][0] = 5
    game = nimmt.Game.from_round(nimmt.Round.from_rows([[20], [30], [33], [36]], hands=hands), seed=1)
    game.play((40, 41, 5, 43))
    told = elsewhere(nimmt, game, "print(g.to_act, [g.legal(s) for s in range(4)]); print(g.take(2, 3)[0], g.rows)")
    placed = "Placed(seat=2, card=5, row=3, side=None, taken=(36,))"
    assert told == f"(2,) [(), (), (0, 1, 2, 3), ()]\n{placed} ((20,), (30,), (33, 40, 41, 43), (5,))\n"


def test_positions_that_cannot_be(nimmt: ModuleType) -> None:
    """A20"""
    hands = [[11, 50], [60, 70]]
    good = [[10], [20], [30], [40]]
    assert nimmt.Round.from_rows(good, hands=hands).rows == ((10,), (20,), (30,), (40,))
    for rows in ([0, 20, 30, 40], [105, 20, 30, 40], [20, 20, 30, 40], [11, 20, 30, 40]):
        with pytest.raises(nimmt.NimmtError):
            nimmt.Round.from_rows([[card] for card in rows], hands=hands)
    for bad in ([10, 12, 13, 14, 15, 16], [], [12, 10]):
        with pytest.raises(nimmt.NimmtError):
            nimmt.Round.from_rows([bad, [20], [30], [40]], hands=hands)
    for wrong in ([[i] for i in range(50, 61)], [[11, 50], [60]], [[1]], []):
        with pytest.raises(nimmt.NimmtError):
            nimmt.Round.from_rows(good, hands=wrong)


def test_numbers_of_players(nimmt: ModuleType) -> None:
    """A23"""
    for players in (1, 11):
        with pytest.raises(nimmt.NimmtError):
            nimmt.Game(players, seed=1)
    for players in (2, 10):
        game = nimmt.Game(players, seed=1)
        assert [len(game.hand(seat)) for seat in range(game.players)] == [10] * players
    with pytest.raises(nimmt.NimmtError):
        nimmt.Round.from_rows([[101], [102], [103], [104]], hands=[range(1 + 10 * i, 12 + 10 * i) for i in range(10)])


def test_events_of_a_round_stay(nimmt: ModuleType) -> None:
    """A26. The cards in hands are secret, so no event has them; the rows of the event are those of round 2."""
    game, rng = nimmt.Game(3, 2, nimmt.Rules(limit=300)), random.Random(1)
    play_round(game, rng)
    [event] = game.deal()
    rows, hands = game.rows, [game.hand(seat) for seat in range(3)]
    assert event == nimmt.Dealt(2, rows) and [len(hand) for hand in hands] == [10] * 3
    for _ in range(9):
        step(game, rng)
    assert event == nimmt.Dealt(2, rows) and game.rows != rows


def test_events_of_rows_taken(nimmt: ModuleType) -> None:
    """A27"""
    turn = resolved(nimmt, [[10], [3, 4, 5, 6, 7], [30], [40]], [8, 1], take={1: 0})
    assert turn.placed == (
        nimmt.Placed(1, 1, 0, None, (10,)),
        nimmt.Placed(0, 8, 1, "right", (3, 4, 5, 6, 7)),
    )
    assert turn.heads == {0: 6, 1: 3}


def test_turn_and_round_after_a_load(nimmt: ModuleType) -> None:
    """A30"""
    game, rng = nimmt.Game(4, 3, nimmt.Rules(limit=300)), random.Random(2)
    play_round(game, rng)
    game.deal()
    while game.phase != "choose" or len(game.hand(0)) > 4 or game.to_act != (0, 1, 2, 3):
        step(game, rng)
    loaded = nimmt.Game.load(game.save())
    assert (len(loaded.hand(0)), loaded.turn, loaded.round) == (4, 7, 2)


def test_nothing_is_played_by_itself(nimmt: ModuleType) -> None:
    """A31. There is no automatic play: with one card left the game waits for every seat."""
    game, rng = nimmt.Game(4, 3, nimmt.Rules(rounds=1)), random.Random(2)
    while game.turn < 10 or game.phase != "choose":
        step(game, rng)
    assert (game.to_act, [len(game.hand(seat)) for seat in range(4)]) == ((0, 1, 2, 3), [1] * 4)
    for seat in range(3):
        assert game.choose(seat, game.hand(seat)[0]) == [nimmt.Chosen(seat)]
    assert game.to_act == (3,)


def test_few_heads_are_good(nimmt: ModuleType) -> None:
    """A34. There are no rewards here: heads only ever grow, and fewest win."""
    for seed in range(20):
        game = play_to(nimmt.Game(3, seed), random.Random(seed), "over")
        assert {game.scores[seat] for seat in game.winners} == {min(game.scores)}
        assert max(game.ranks, default=0) >= game.ranks[game.scores.index(max(game.scores))] > 1


def test_a_row_is_asked_for(nimmt: ModuleType) -> None:
    """A36. The game asks; the cheapest row is there for who wants it; views have scores and the cards seen."""
    start = nimmt.Round.from_rows([[55], [20], [33], [12]], hands=[[5, 60], [70, 80]])
    game = nimmt.Game.from_round(start, [1, 2], seed=1, round=2)
    events = game.play((5, 70))
    assert events[-1] == game.owed == nimmt.RowOwed(0, 5, (0, 1, 2, 3))
    assert game.cheapest() == 3
    view = game.view(1)
    assert (view.scores, set(view.seen)) == ((1, 2), {55, 20, 33, 12, 5, 70})
    assert game.take(0, 3)[0].taken == (12,)
    assert game.heads == (1, 0)


def test_small_cards(nimmt: ModuleType) -> None:
    """A38: no row fits is not row 0."""
    rows = [[5], [50], [60], [70]]
    assert resolved(nimmt, rows, [6]).rows[0] == (5, 6)
    turn = nimmt.resolve(rows, [4])
    assert (turn.pending, turn.rows) == (nimmt.RowOwed(0, 4, (0, 1, 2, 3)), ((5,), (50,), (60,), (70,)))


def test_limits_of_wrong_types(nimmt: ModuleType) -> None:
    """A40"""
    wrong: list[tuple[Any, type[Exception]]] = [(limit, TypeError) for limit in ("66", 66.5, 66.0, True)]
    wrong += [(limit, nimmt.NimmtError) for limit in (0, -1, None, 10**12)]
    for limit, error in wrong:
        with pytest.raises(error):
            nimmt.Rules(limit=limit)


def test_a_low_card_takes_away_a_row(nimmt: ModuleType) -> None:
    """A43"""
    turn = resolved(nimmt, [[61], [30], [40], [50, 51, 53, 56, 58]], [29, 62], take={0: 0})
    assert (turn.rows, turn.heads) == (((29,), (30,), (40,), (62,)), {0: 1, 1: 7})


def test_published_explanations(nimmt: ModuleType) -> None:
    """A44"""
    turn = resolved(nimmt, [[3], [15], [19], [94]], [18])
    assert turn.rows == ((3,), (15, 18), (19,), (94,))


def test_other_editions_are_refused(nimmt: ModuleType) -> None:
    """A45. Jokers, twelve cards, five rows are not supported, and are refused with what is."""
    with pytest.raises(TypeError, match="integer"):
        nimmt.resolve([[1], [2], [3], [4]], [0.5])
    with pytest.raises(nimmt.NimmtError, match="1 to 10 cards"):
        nimmt.Round.from_rows([[1], [2], [3], [4]], hands=[range(10, 22), range(30, 42)])
    with pytest.raises(nimmt.NimmtError, match="four rows"):
        nimmt.Round.from_rows([[1], [2], [3], [4], [5]], 2)
    with pytest.raises(TypeError):
        nimmt.Rules(highest=100)


def test_forked_processes_differ(nimmt: ModuleType) -> None:
    """C06: nothing random is drawn at import, so workers that are forked afterwards play games of their own."""
    code = (
        "import os, nimmt\n"
        "for _ in range(8):\n"
        "    if os.fork() == 0:\n"
        "        for _ in range(20): os.write(1, (str(nimmt.Game(4).rows) + '\\n').encode())\n"
        "        os._exit(0)\n"
        "for _ in range(8): os.wait()\n"
    )
    env = dict(os.environ, NIMMT_BACKEND=nimmt.backend, PYTHONPATH=str(Path(str(nimmt.__file__)).parent.parent))
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=60, check=True)
    lines = told.stdout.splitlines()
    assert len(set(lines)) == len(lines) == 160


def test_copies_share_nothing(nimmt: ModuleType) -> None:
    """C13: at each step a copy plays on, and the original does not notice."""
    for name, rules in variants(nimmt).items():
        game, rng = nimmt.Game(3, 5, rules), random.Random(name)
        while game.phase not in ("scored", "over"):
            before, record = game.save(), game.record()
            other = game.copy()
            for _ in range(4):
                if not other.is_over:
                    step(other, random.Random(1))
            assert (game.save(), game.record()) == (before, record)
            assert other.save() != before
            step(game, rng)


def test_deepcopy_is_copy(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """C14: copying a game looks at no object twice; it calls copy()."""
    game, other = nimmt.Game(4, 1), nimmt.Game(4, 2)
    monkeypatch.setattr(nimmt.Game, "copy", lambda self: other)
    assert copy.deepcopy(game) is copy.copy(game) is other


def test_ends_of_rounds_and_games_are_told_apart(nimmt: ModuleType) -> None:
    """C16"""
    game, rng, rounds = nimmt.Game(3, 4), random.Random(3), 0
    while not game.is_over:
        names = [type(event).__name__ for event in step(game, rng)]
        rounds += "RoundOver" in names
        assert ("GameOver" in names) == game.is_over
        if game.phase in ("scored", "over"):
            view = game.view(0)
            assert (view.phase, view.scores, view.turn) == (game.phase, game.scores, 10)
            assert len([card for row in view.rows for card in row]) >= 4
    assert rounds == game.round > 1


def test_a_move_counts_once(nimmt: ModuleType) -> None:
    """C21"""
    game = nimmt.Game(3, 4)
    for card in game.legal(0):
        game.copy().choose(0, card)
    card = game.legal(0)[0]
    game.choose(0, card)
    with pytest.raises(nimmt.IllegalMove):
        game.choose(0, card)


def test_views_of_any_number_of_players(nimmt: ModuleType) -> None:
    """C24: one shape, whose lengths are the number of players and no other."""
    for players in range(2, 11):
        view = nimmt.Game(players, 1).view(1)
        for field in ("heads", "scores", "lying", "has_chosen", "hands"):
            assert len(getattr(view, field)) == view.players == players
        assert (len(view.rows), len(view.hand), len(view)) == (4, 10, len(view._fields))


def test_choices_outlive_a_restart(nimmt: ModuleType) -> None:
    """E01"""
    game = nimmt.Game(4, 7)
    for seat in (2, 0, 1):
        game.choose(seat, game.hand(seat)[1])
    assert elsewhere(nimmt, game, "print(g.to_act, g.view(3).has_chosen, g.view(3).lying, g.view(3).hands[:3])") == (
        "(3,) (True, True, True, False) (None, None, None, None) (None, None, None)\n"
    )
    expected = str(game.copy().choose(3, 13))
    assert elsewhere(nimmt, game, "print(g.choose(3, 13))") == expected + "\n"


def test_names_may_change(nimmt: ModuleType) -> None:
    """E14"""
    game = nimmt.Game(["Ann", "Bob"], 3)
    loaded = nimmt.Game.load(game.save(), ["(left)", "Bob"])
    assert loaded == game and loaded.names == ("(left)", "Bob")
    play_round(loaded, random.Random(1))
