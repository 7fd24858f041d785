"""nimmt simulate: what it prints and writes, Ctrl-C, what it refuses."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import re
import shlex
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cli_tools import Cli, Done, Terminal, process, too_wide
from conftest import Tree
from sim.helpers import part
from tools import missing


@pytest.fixture
def cli(nimmt: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(nimmt, capsys, monkeypatch)


def simulate(cli: Cli, *words: object) -> Done:
    return cli("simulate", *map(str, words))


def few(cli: Cli, games: int = 2000) -> int:
    return games if cli.nimmt.backend == "c" else 20


def test_table(cli: Cli) -> None:
    games = few(cli)
    done = simulate(cli, "--policy", "random*2,nearest", "--games", games, "--seed", 7, "--first", 3)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == f"seed 7, games 3..{2 + games}, rules base, cheapest rows"
    assert [line.split()[:2] for line in lines[2:5]] == [["0", "random"], ["1", "random"], ["2", "nearest"]]
    assert lines[5].startswith(f"{games:,} games, ")
    assert len(lines) == 6
    assert too_wide(done.out) == []
    assert re.search(
        rf"{games:,} games in \d+\.\d\d s \([\d.]+ ?\w* rounds a second, backend {cli.nimmt.backend}\)", done.err
    )
    assert ("nimmt simulates on its Python backend" in done.err) == (cli.nimmt.backend == "python")


def test_the_same_games_as_simulate(cli: Cli, tmp_path: Path) -> None:
    games = few(cli)
    words = [
        "--policy",
        "lowest",
        "--policy",
        "random",
        "--rules",
        "professional,tie=left",
        "--rounds",
        2,
        "--take",
        "random",
    ]
    files = ["--csv", tmp_path / "a.csv", "--json", tmp_path / "a.json"]
    done = simulate(cli, *words, "--games", games, "--seed", 7, "--first", 9, "--threads", 2, *files)
    assert done.code == 0
    nimmt = cli.nimmt
    rules = nimmt.Rules(professional=True, tie="left", rounds=2)
    with pytest.warns() if nimmt.backend == "python" else nullcontext():
        result = part("sim").simulate(["lowest", "random"], games, 7, first=9, rules=rules, take="random")
    assert json.loads((tmp_path / "a.json").read_text()) == result.to_dict()
    with (tmp_path / "a.csv").open(newline="") as file:
        lines = list(csv.reader(file))
    assert [[int(cell) for cell in line[2:]] for line in lines[1:]] == result.scores.tolist()
    assert str(result.summary()) in done.out
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "a.json"]


def test_players_and_policies(cli: Cli) -> None:
    def seats(*words: object) -> list[str]:
        done = simulate(cli, "--games", 2, "--seed", 1, *map(str, words))
        assert done.code == 0
        return [line.split()[1] for line in done.out.splitlines()[2:-1]]

    assert seats() == ["random"] * 4
    assert seats("--players", 3) == ["random"] * 3
    assert seats("--players", 2, "--policy", "nearest") == ["nearest"] * 2
    assert seats("--policy", "lowest") == ["lowest"] * 4
    assert seats("--policy", " random * 2 , highest", "--policy", "nearest") == [
        "random",
        "random",
        "highest",
        "nearest",
    ]
    assert seats("--players", 3, "--policy", "random*3") == ["random"] * 3


def test_histogram(cli: Cli) -> None:
    done = simulate(cli, "--policy", "random,nearest", "--games", few(cli), "--seed", 7, "--histogram")
    assert too_wide(done.out) == []
    assert [line for line in done.out.splitlines() if line.startswith("heads a")] == [
        "heads a round, random",
        "heads a round, nearest",
    ]
    for block in done.out.split("heads a round, ")[1:]:
        shares = [float(share) for share in re.findall(r"^ *\d+\.\.\d+ +([\d.]+) %", block, re.MULTILINE)]
        assert 99 < sum(shares) < 100.6
        assert max(len(bar) for bar in re.findall("#+", block)) == 50
    assert simulate(cli, "--games", 0, "--seed", 7, "--histogram").code == 0


def test_plot(cli: Cli, tmp_path: Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        missing("Python package matplotlib")
    assert simulate(cli, "--games", 10, "--seed", 1, "--plot", tmp_path / "a.png").code == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


REFUSED: list[tuple[int, str, str]] = [
    (2, "--policy rondom", "there is no policy 'rondom': random, lowest, highest, nearest"),
    (2, "--policy random*", "there is no policy 'random*'"),
    (2, "--policy ''", "there is no policy ''"),
    (2, "--policy random*11", "2 to 10 can play, not 11 (R1)"),
    (2, "--policy random*0", "2 to 10 can play, not 0 (R1)"),
    (2, "--policy random,lowest --players 3", "3 players need 3 policies, or one for all, not 2"),
    (2, "--players 11", "it must be 2..10, not 11"),
    (2, "--games -1", "it must be 0..18446744073709551616, not -1"),
    (2, "--games 1e6", "it must be a whole number, not '1e6'"),
    (2, "--seed 18446744073709551616", "it must be 0..18446744073709551615"),
    (2, "--first 18446744073709551615 --games 2", "games are numbered 0..2**64-1"),
    (2, "--rules unknown", "no rules are called 'unknown'"),
    (2, "--rules logic", "simulate cannot play these rules: the logic draft (V2)"),
    (2, "--rules limit=65366", "a score could reach 65536"),
    (2, "--rules rounds=3 --rounds 4", "the rules give rounds twice: 3 and 4"),
    (2, "--rounds 0", "it must be 1..65535, not 0"),
    (2, "--threads 0", "it must be 1..4096, not 0"),
    (2, "--threads 2 --scheduler tcp://x", "give --threads or --scheduler, not both"),
    (2, "--take nearest", "invalid choice: 'nearest'"),
    (1, "--csv /nowhere/a.csv", "cannot write /nowhere/a.csv: there is no directory /nowhere"),
    (2, "--json -", "'-' is not the name of a file: give a name, or /dev/stdout"),
    (1, "--json /", "cannot write /: it is a directory"),
]


@pytest.mark.parametrize(("code", "words", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_refused(cli: Cli, code: int, words: str, message: str) -> None:
    assert message in cli.refused(code, "simulate", *shlex.split(words))


def test_a_dead_scheduler(trees: tuple[Tree, Tree], tmp_path: Path) -> None:
    if importlib.util.find_spec("distributed") is None:
        missing("Python package distributed")
    with trees[0] as nimmt:
        words = ("simulate", "--games", "10", "--scheduler", "tcp://127.0.0.1:9", "--csv", tmp_path / "a.csv")
        done = process(nimmt, *words)
        assert (done.code, done.out) == (1, "")
        assert "cannot reach the Dask scheduler tcp://127.0.0.1:9" in done.err.splitlines()[-1]
        assert os.listdir(tmp_path) == []


def test_progress_and_ctrl_c_at_a_terminal(trees: tuple[Tree, Tree], tmp_path: Path) -> None:
    with trees[0] as nimmt:
        path = tmp_path / "a.json"
        words = (
            "simulate",
            "--games",
            10**11,
            "--seed",
            5,
            "--first",
            100,
            "--policy",
            "random,nearest",
            "--json",
            path,
        )
        with Terminal(nimmt, *map(str, words)) as terminal:
            terminal.until(" million of 100 billion games, ")
            terminal.until(" left")
            terminal.type("\x03")
            assert terminal.end() == 130
        text = terminal.text
        assert too_wide(text.split("\r")[-1]) == [
            line for line in too_wide(text.split("\r")[-1]) if "nimmt simulate" in line
        ]
        done = int(re.search(r"([\d,]+) games, [\d,]+ rounds", text)[1].replace(",", ""))  # type: ignore[index]
        first = 100 + done
        expected = (
            f"nimmt simulate --policy random,nearest --rules base --seed 5 --first {first} --games {10**11 - done}"
        )
        assert expected in text.replace("\n", "")
        assert not path.exists()


def test_progress_stays_on_one_line(cli: Cli, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    """What is wider than the terminal would be broken there, and could not be written over."""
    module = cli.module("simulate")
    monkeypatch.setattr(module, "columns", lambda: 20)
    meter = module.Meter()
    meter._line = True
    meter(1000, 1000)
    meter.clear()
    lines = capsys.readouterr().err.split("\r")
    assert lines[1] == "100 %  1 thousand o" and all(len(line) < 20 for line in lines)


def test_no_progress_in_a_pipe(trees: tuple[Tree, Tree]) -> None:
    with trees[0] as nimmt:
        done = process(nimmt, "simulate", "--games", "300000", "--seed", "5")
        assert done.code == 0
        assert "\r" not in done.err
        assert len(done.err.splitlines()) == 1
