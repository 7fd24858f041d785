"""Summaries, dicts, CSV, JSON and pictures: right numbers, and files whole or not at all."""

from __future__ import annotations

import csv
import errno
import importlib.util
import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest
from conftest import Tree
from sim.helpers import part, slow_is_expected
from tools import missing

pytestmark = slow_is_expected

POLICIES = ("random", "nearest", "lowest")


def simulate(nimmt: ModuleType, games: int = 40, **more: Any) -> Any:
    return part("sim").simulate(POLICIES, games, 3, first=8, **more)


def test_summary_is_what_the_games_say(nimmt: ModuleType) -> None:
    result = simulate(nimmt)
    summary = result.summary()
    scores, rounds = numpy.asarray(result.scores).astype(int), numpy.asarray(result.rounds).astype(int)
    assert (summary.games, summary.rounds, summary.rounds_most) == (40, rounds.sum(), rounds.max())
    assert summary.rounds_a_game == pytest.approx(rounds.mean())
    assert summary.rounds_a_game_error == pytest.approx(rounds.std(ddof=1) / 40**0.5)
    assert Counter(rounds.tolist()) == Counter({n: c for n, c in enumerate(summary.rounds_histogram) if c})
    best = scores.min(axis=1, keepdims=True)
    wins = (scores == best) / (scores == best).sum(axis=1, keepdims=True)
    for seat in summary.seats:
        mine = scores[:, seat.seat]
        assert seat.policy == POLICIES[seat.seat]
        assert seat.score == pytest.approx(mine.mean())
        assert seat.score_error == pytest.approx(mine.std(ddof=1) / 40**0.5)
        assert seat.heads_a_round == pytest.approx(mine.sum() / rounds.sum())
        assert seat.win_share == pytest.approx(wins[:, seat.seat].mean())
        assert seat.wins == round(2520 * wins[:, seat.seat].sum())
        # The bound that the documentation promises.
        assert seat.win_share_error is not None
        assert seat.win_share_error >= wins[:, seat.seat].std(ddof=1) / 40**0.5 - 1e-12
        assert Counter(mine.tolist()) == Counter({n: c for n, c in enumerate(seat.scores_histogram) if c})
        assert sum(heads * count for heads, count in enumerate(seat.heads_histogram)) == mine.sum()


def test_heads_of_single_rounds(nimmt: ModuleType) -> None:
    """With one round a game, scores are heads: the histogram and the error of the mean come from them."""
    result = simulate(nimmt, rules=nimmt.Rules(rounds=1))
    for seat in result.summary().seats:
        heads = [line[seat.seat] for line in result.scores.tolist()]
        assert Counter(heads) == Counter({n: c for n, c in enumerate(seat.heads_histogram) if c})
        assert seat.heads_a_round_error == pytest.approx(statistics.stdev(heads) / 40**0.5)


def test_one_game_has_no_error(nimmt: ModuleType) -> None:
    seat = simulate(nimmt, 1).summary().seats[0]
    assert (seat.score_error, seat.win_share_error) == (None, None)
    assert seat.score is not None


def test_the_table_a_person_reads(nimmt: ModuleType) -> None:
    lines = str(simulate(nimmt).summary()).splitlines()
    assert lines[0].split() == ["seat", "policy", "heads", "a", "round", "score", "of", "a", "game", "games", "won"]
    assert [line.split()[:2] for line in lines[1:4]] == [["0", "random"], ["1", "nearest"], ["2", "lowest"]]
    assert len({len(line) for line in lines[:4]}) == 1
    assert lines[4].startswith("40 games, ")


def test_dict_and_json(nimmt: ModuleType, tmp_path: Path) -> None:
    result = simulate(nimmt, rules=nimmt.Rules(professional=True, limit=50), take="random")
    data = result.to_dict()
    assert json.loads(json.dumps(data)) == data
    facts = {name: data[name] for name in ("nimmt", "stream_version", "backend", "seed", "first", "games", "take")}
    assert facts == {
        "nimmt": nimmt.__version__,
        "stream_version": 1,
        "backend": nimmt.backend,
        "seed": 3,
        "first": 8,
        "games": 40,
        "take": "random",
    }
    assert eval(data["rules"], {"Rules": nimmt.Rules}) == result.rules
    assert data["policies"] == list(POLICIES)
    assert data["seats"][1]["wins"] == result.summary().seats[1].wins
    result.to_json(tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == data


def test_csv_of_games_and_of_seats(nimmt: ModuleType, tmp_path: Path) -> None:
    result = simulate(nimmt)
    path = tmp_path / "out.csv"
    result.to_csv(path)
    lines = list(csv.reader(path.read_text().splitlines()))
    assert lines[0] == ["game", "rounds", "score_0", "score_1", "score_2"]
    assert len(lines) == 41
    for i, line in enumerate(lines[1:]):
        assert [int(cell) for cell in line] == [8 + i, result.rounds[i], *result.scores.tolist()[i]]
    simulate(nimmt, keep="summary").to_csv(path)
    lines = list(csv.reader(path.read_text().splitlines()))
    assert lines[0][:3] == ["seat", "policy", "heads_a_round"]
    assert [float(line[2]) for line in lines[1:]] == [seat.heads_a_round for seat in result.summary().seats]
    simulate(nimmt, 0).to_csv(path)
    assert path.read_text() == "game,rounds,score_0,score_1,score_2\n"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_files_are_whole_or_not_there(nimmt: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, path = simulate(nimmt), tmp_path / "out"
    path.write_text("as before")
    path.chmod(0o640)

    def fail(*args: Any) -> None:
        raise OSError("disk full")

    def refuse(old: str, new: str) -> None:
        raise PermissionError(errno.EACCES, "no", old, None, new)

    for name in ("to_csv", "to_json"):
        with monkeypatch.context() as patch:
            patch.setattr(part("files").os, "fsync", fail)
            with pytest.raises(OSError, match="disk full"):
                getattr(result, name)(path)
            with pytest.raises(OSError, match="disk full"):
                getattr(result, name)(tmp_path / "new")
        assert path.read_text() == "as before"
        assert os.listdir(tmp_path) == ["out"]
        with pytest.raises(FileNotFoundError) as caught:
            getattr(result, name)(tmp_path / "no folder" / "out")
        assert caught.value.filename == str(tmp_path / "no folder" / "out"), "not the file that was to take its place"
        assert str(caught.value).endswith(f": {caught.value.filename!r}")
        with monkeypatch.context() as patch, pytest.raises(PermissionError) as caught_too:
            patch.setattr(part("files").os, "replace", refuse)
            getattr(result, name)(path)
        assert str(caught_too.value) == f"[Errno {errno.EACCES}] no: {str(path)!r}"
        with pytest.raises(OSError):
            getattr(result, name)(tmp_path)
    result.to_json(path)
    assert path.stat().st_mode & 0o777 == 0o640
    if hasattr(os, "symlink"):
        (tmp_path / "link").symlink_to(path)
        result.to_csv(tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert path.read_text().startswith("game,")


def test_to_a_device(nimmt: ModuleType) -> None:
    if os.path.exists("/dev/null"):
        simulate(nimmt).to_json("/dev/null")
        assert not os.path.isfile("/dev/null")


@pytest.mark.parametrize("games", [0, 1, 40])
def test_plot(trees: tuple[Tree, Tree], games: int, tmp_path: Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        missing("Python package matplotlib")
    with trees[0] as nimmt:
        figure = simulate(nimmt, games, keep="summary").plot(tmp_path / "out.png")
        data = (tmp_path / "out.png").read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert data.endswith(b"IEND\xaeB`\x82")
        assert os.listdir(tmp_path) == ["out.png"]
        heads, shares = figure.axes
        assert [text.get_text() for text in shares.get_yticklabels()] == ["0  random", "1  nearest", "2  lowest"]
        names = [text.get_text().split(":")[0] for text in heads.get_legend().get_texts()] if games else []
        assert names == (list(POLICIES) if games else [])
        if games == 40:
            assert len(shares.containers) == 3, "three shares with error bars"
            assert "seed 3" in figure.get_suptitle()


def test_plot_without_matplotlib(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    with pytest.raises(ImportError, match=r"nimmt\[plot\]"):
        simulate(nimmt, 2).plot()


def test_nothing_heavy_is_imported() -> None:
    heavy = ("numpy", "matplotlib", "dask", "distributed", "joblib")
    code = f"import sys, nimmt.sim; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
