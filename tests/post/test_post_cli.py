"""`nimmt post`: a whole game at the dealer's desk, and what it refuses."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from post.desk import Desk

import nimmt
from nimmt import cli

pytest_plugins = "post.fixtures"


@pytest.fixture
def started(friday: Desk) -> Desk:
    friday.ok("start")
    return friday


def test_a_whole_game(desk: Desk) -> None:
    """Everything a host does, from the first to the last command."""
    desk.ok("new", "--seed", 1, "--rules", "professional,limit=20", "--first", "3d", "--later", "1d12h")
    assert desk("join", "Ann").err.endswith("seat 0\n")
    desk.ok("join", "Bob")
    assert "accepted: version 4, 3 messages to send" in desk("start").err
    while True:
        with desk.store() as store:
            dealer = store.load("game")
        if dealer.phase == "over":
            break
        if dealer.phase == "scored":
            desk.ok("next")
        elif dealer.phase == "take":
            (seat,) = dealer.waiting
            desk.ok("row", seat, dealer.game().legal(seat)[0], "--turn", dealer.game().turn)
        else:
            (seat, *_) = dealer.waiting
            desk.ok("submit", ("Ann", "bob")[seat], dealer.game().hand(seat)[0], "--row", "cheapest" if seat else 1)
    assert "win" in desk.ok("table")
    out = desk.ok("messages", "--mark")
    assert out.count("======== ") > 20 and "to everybody: game_over" in out and "to Ann, seat 0 only: hand" in out
    assert desk.ok("messages") == ""
    assert desk.ok("verify").startswith("1 game, ")


def test_status_and_texts(started: Desk) -> None:
    started.more = ["--tz", "UTC"]
    hand = started.ok("hand", "ann")
    card = int(re.search(r"Your hand: (\d+)", hand)[1])  # type: ignore[index]
    assert "Sun 2026-08-16 18:00 UTC" in hand
    started.ok("submit", "Ann", card, "--row", 2, "--turn", "1.1")
    assert f"Your card of this turn: {card}" in started.ok("hand", 0)
    assert "nothing new" in started("submit", "Ann", card, "--row", 2).err
    started.now = "2026-08-16T17:00"
    assert started.ok("status").splitlines() == [
        "Game friday: choose, round 1, turn 1, version 6",
        "  seat 0  Ann          here, score 0",
        "  seat 1  Bob          missing, score 0, 1 h left (Sun 2026-08-16 18:00 UTC)",
        "  seat 2  Cleo         missing, score 0, 1 h left (Sun 2026-08-16 18:00 UTC)",
        "10 messages to send",
    ]
    started.now = "2026-08-16T18:00:01"
    found = json.loads(started.ok("status", "--json"))
    assert [seat["state"] for seat in found["seats"]] == ["here", "late", "late"]
    assert found["phase"] == "choose" and found["unsent"] == 10
    table = started.ok("table")
    assert "Row 3: " in table and str(card) not in re.findall(r"\d+", table.split("Scores")[1])
    assert started.ok("games") == "friday: choose, 3 seats, version 6\n"


def test_what_the_host_decides(started: Desk) -> None:
    started.now = "2026-08-16T18:00:00Z"
    assert "nothing new" in started("tick").err
    assert "not late" in started.refused("play-for", "Bob")
    started.now = "2026-08-16T18:00:01Z"
    assert "1 message to send" in started("tick").err
    started.ok("play-for", "Bob")
    started.ok("extend", "1d", "Cleo")
    started.ok("remind")
    started.ok("drop", "Ann")
    started.ok("pause")
    assert "Paused since" in started.ok("status")
    started.ok("resume")
    started.refused("withdraw", 2)
    started.ok("take-over", "Ann", "Zoe")
    assert "Zoe" in started.ok("status") and "Ann" not in started.ok("status")
    started.ok("name", "Cleo", "Clio")
    started.ok("name", "Zoe", "--erase")
    with started.store() as store:
        assert store.names("friday") == {1: "Bob", 2: "Clio"}
    log = started.ok("log")
    assert "play_for seat=1  -> random 1 " in log and len(log.splitlines()) == 13
    assert [json.loads(line)["version"] for line in started.ok("log", "--json").splitlines()] == list(range(1, 14))


def test_a_draft(desk: Desk) -> None:
    desk.ok("new", "--rules", "logic", "--seed", 1)
    desk.ok("join")
    desk.ok("join")
    desk.ok("start")
    assert "pick a hand" in desk.ok("table")
    with desk.store() as store:
        (seat,) = store.load("game").waiting
    assert "it is your pick" in desk.ok("hand", seat)
    desk.ok("pick", seat, 24)
    assert "not in the pool" in desk.refused("pick", 1 - seat, 24)
    assert "Your hand: 24" in desk.ok("hand", seat)


def test_messages(started: Desk) -> None:
    assert started.ok("messages", "--to", "Bob").count("========") == 1
    assert "Your hand" not in started.ok("messages", "--to", "all")
    found = [json.loads(line) for line in started.ok("messages", "--json").splitlines()]
    assert [message["kind"] for message in found] == ["opened"] + ["joined"] * 3 + ["table"] + ["hand"] * 3
    assert "4 marked as sent" in started("messages", "--to", "all", "--mark").err
    assert started.ok("messages", "--to", "all") == ""
    assert started.ok("messages", "--to", "all", "--all").count("========") == 4


def test_export_and_import(started: Desk, tmp_path: Path) -> None:
    started.ok("export", tmp_path / "game.jsonl", "--names")
    assert started.ok("export", "--names") == (tmp_path / "game.jsonl").read_text()
    other = Desk(tmp_path / "other.db", started.capsys)
    other.ok("import", tmp_path / "game.jsonl")
    other.ok("import", tmp_path / "game.jsonl", "--label", "again")
    assert "already" in other.refused("import", tmp_path / "game.jsonl")
    assert "say which game with --game: friday, again" in other.refused("status")
    other.more = ["--game", "again"]
    assert other.ok("table") == started.ok("table")
    other.more = []
    assert other.ok("verify").startswith("2 games, 10 entries")
    (tmp_path / "broken").write_text("{}\n")
    assert "line 1" in other.refused("import", tmp_path / "broken")


def test_two_hosts(started: Desk) -> None:
    started.ok("drop", 2, "--expect", 5)
    assert "somebody has acted" in started.refused("drop", 1, "--expect", 5)


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["submit", "0", "105"], 1, "no card 105"),
        (["submit", "3", "5"], 1, "no seat 3"),
        (["submit", "Zoe", "5"], 2, "nobody is called 'Zoe': Ann, Bob, Cleo"),
        (["submit", "0", "x"], 2, "whole number"),
        (["submit", "0", "1", "--row", "4"], 1, "rows are 0..3"),
        (["submit", "0", "1", "--row", "left"], 2, "whole number"),
        (["submit", "0", "1", "--turn", "9"], 1, "yet to come"),
        (["join"], 1, "round 1 is not over"),
        (["next"], 1, "round 1 is not over"),
        (["start"], 1, "has started"),
        (["new", "friday"], 1, "already"),
        (["new", "x", "--first", "3 weeks"], 2, "a length of time"),
        (["new", "x", "--rules", "poker"], 2, "no rules are called"),
        (["new", "x", "--first", "0s"], 1, "first must be"),
        (["extend", "5d", "Bob", "--game", "none"], 1, "no game 'none'"),
        (["name", "0", "7"], 1, "must not look like"),
        (["status", "--tz", "Mars/Olympus"], 2, "'Mars/Olympus' is not a time zone"),
        (["tick", "--now", "yesterday"], 2, "a time is"),
        (["tick", "--now", "2026-08-12T18:00"], 1, "the last entry"),
        (["import", "nowhere.jsonl"], 1, "cannot read"),
    ],
)
def test_what_is_refused(started: Desk, argv: list[str], code: int, words: str) -> None:
    if "--now" in argv:  # the last one counts
        started.more = argv[-2:]
    assert words in started.refused(*argv, code=code)


def test_two_of_a_name(started: Desk) -> None:
    """Who joins with a name that is at the table does not join, so that a name says whose message it is."""
    desk = started
    desk.ok("new", "monday")
    assert "say which game" in desk.refused("status")
    desk.more = ["--game", "monday"]
    desk.ok("join", "Ann")  # another game
    assert "'Ann' sits at seat 0 already" in desk.refused("join", "ann")
    assert "1 seat," in desk.ok("games").splitlines()[1]
    desk.more = ["--game", "friday"]
    assert "'Bob' sits at seat 1 already" in desk.refused("name", 0, "bob")
    desk.ok("drop", "Ann")
    assert "'Cleo' sits at seat 2 already" in desk.refused("take-over", "Ann", "Cleo")
    desk.ok("take-over", "Ann", "Ann")


def test_files_that_are_wrong(desk: Desk) -> None:
    assert "there is no file" in desk.refused("status")
    assert "nimmt post new makes it" in desk.refused("join", "Ann")
    assert not desk.path.exists()
    desk.path.write_text("This is a letter. " * 100)
    assert "this file is not a database" in desk.refused("status")
    desk.path.unlink()
    with sqlite3.connect(desk.path) as db:
        db.execute("CREATE TABLE mails (body)")
    db.close()
    assert "another program" in desk.refused("new")
    desk.path.unlink()
    desk.ok("new")
    desk.ok("join")
    with sqlite3.connect(desk.path) as db:
        db.execute("UPDATE games SET state = CAST(replace(state, '\"seed\":', '\"seed\":1') AS BLOB)")
    db.close()
    assert "is not what its log leads to" in desk.refused("join")


def test_places_that_cannot_be_written(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite would say no more than that it is unable to open the file."""
    path = desk.path
    desk.path = path.parent
    assert "it is a directory" in desk.refused("new") and "it is a directory" in desk.refused("status")
    desk.path = path.parent / "none" / "post.db"
    assert f"there is no directory {desk.path.parent}" in desk.refused("new")
    desk.path = path
    desk.ok("new")
    monkeypatch.setattr(os, "access", lambda place, mode: place != str(path.parent))  # root may write anywhere
    assert f"nothing may be written beside it, in {path.parent}" in desk.refused("status")
    monkeypatch.setattr(os, "access", lambda place, mode: False)
    assert "it is not allowed" in desk.refused("status")


def test_as_a_process_with_the_file_in_this_folder(tmp_path: Path) -> None:
    package = str(Path(str(nimmt.__file__)).parent.parent)
    environment = {**os.environ, "PYTHONPATH": package}

    def run(*argv: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nimmt", "post", *argv]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)

    for argv in (["new"], ["join", "Ann"], ["join", "Bob"], ["start"]):
        done = run(*argv)
        assert done.returncode == 0, done
    assert (tmp_path / "nimmt-post.db").exists()
    done = run("hand", "Ann")
    assert done.returncode == 0 and "Your hand: " in done.stdout and done.stderr == ""
    # By its own clock: three days are left, or a second less.
    left = run("status").stdout
    assert "3 d left" in left or "2 d 23 h left" in left
    assert run("submit", "Ann", "0").returncode == 1
    assert run("fold").returncode == 2


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["post", "--help"]) == 0
    out = capsys.readouterr().out
    for name in (
        *("new", "join", "start", "hand", "submit", "row", "status", "tick", "play-for", "drop", "take-over"),
        *("next", "table", "messages", "log", "verify", "export", "import"),
    ):
        assert f"    {name} " in out or f"    {name}\n" in out
    assert cli.main(["post"]) == 2
