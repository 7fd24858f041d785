"""The command: info, resolve, replay, rules as text, files, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cli_tools import Child, Cli, Terminal, environment, golden, process, too_wide
from conftest import cases

TRICKS = [case for case in cases("rules.json")["cases"] if case["kind"] == "trick"]
# These speak of hands, of a deck, or of a row that is refused because nobody asked: not of resolve.
NOT_RESOLVE = {"not_in_hand", "not_in_deck", "choice_not_allowed"}
BOOKLET = ("resolve", "--rows", "12 / 37 / 43 / 58", "--plays", "14 15 44 61")


@pytest.fixture
def cli(nimmt: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(nimmt, capsys, monkeypatch)


# info, help, version


def test_info_tells_what_runs(cli: Cli) -> None:
    done = cli("info", "--json")
    facts = {"version": cli.nimmt.__version__, "backend": cli.nimmt.backend}
    facts |= {"reason": cli.nimmt.backend_reason, "stream_version": cli.nimmt.STREAM_VERSION}
    assert (done.code, json.loads(done.out), done.err) == (0, facts, "")
    text = cli("info").out
    assert all(str(fact) in text for fact in facts.values())


def test_version_and_help(cli: Cli) -> None:
    assert cli("--version") == (0, f"nimmt {cli.nimmt.__version__}\n", "")
    for name in cli.module().COMMANDS:
        assert cli.module().command(name).__name__ == f"nimmt.cli.{name}"
    for argv in ([], *[[name] for name in cli.module().COMMANDS]):
        done = cli(*argv, "--help")
        assert (done.code, done.err) == (0, "") and done.out.startswith("usage: nimmt")
    done = cli()
    assert (done.code, done.out) == (2, "") and "resolve" in done.err


def test_help_is_never_far(cli: Cli) -> None:
    """Where a newcomer looks for it, and at the end of each line that says what was not understood."""
    assert cli("help").out == cli("--help").out
    assert cli("help", "play").out == cli("play", "--help").out
    assert cli("help", "post", "submit").out == cli("post", "submit", "--help").out
    assert "'bogus'" in cli.refused(2, "help", "bogus")
    for argv, command in (
        (["play", "4"], "play"),
        (["play", "--player", "4"], "play"),
        (["play", "--bots", "best"], "play"),
        (["post", "submit", "Ann", "3", "4"], "post submit"),
        (["post"], "post"),
        (["replay"], "replay"),
    ):
        done = cli(*argv)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"nimmt {command}: error: ")
        assert done.err.endswith(f" (see nimmt {command} --help)\n")
    assert cli.refused(2, "--bogus") == "nimmt: error: unrecognized arguments: --bogus (see nimmt --help)\n"


def test_names_in_another_encoding(cli: Cli) -> None:
    """Bytes that the terminal's encoding does not have come as surrogates: that is what is wrong with the name."""
    for argv in (
        ["play", "--names", "Zo\udcc3\udcab,Bo"],
        ["post", "join", "Zo\udcc3\udcab"],
        ["post", "new", "\udcff"],
    ):
        done = cli(*argv)
        assert done.code == 2 and "text in the encoding of this terminal" in done.err and done.err.isascii()


@pytest.mark.parametrize("argv", [["resolve", "-"], ["replay", "-"], ["post", "import"], ["serve"]])
def test_who_waits_for_what_is_typed_says_so(nimmt: ModuleType, tmp_path: Path, argv: list[str]) -> None:
    more = ["--file", str(tmp_path / "games.db")] if argv[0] == "post" else []
    with Terminal(nimmt, *argv, *more) as terminal:
        terminal.until("Ctrl-D ends it.")
        terminal.type("\x04")
        assert terminal.end() == (argv[0] != "serve")


def test_python_m(nimmt: ModuleType) -> None:
    assert process(nimmt, "info").out.split()[:4] == ["version", nimmt.__version__, "backend", nimmt.backend]
    assert process(nimmt, "bogus").err.startswith("nimmt: error: ")


# resolve


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in TRICKS])
def test_resolve_places_every_case(cli: Cli, case: dict[str, Any]) -> None:
    seats = {player: seat for seat, player in enumerate(sorted(case["plays"]))}
    position = {
        "rows": case["rows"],
        "plays": {str(seats[player]): card for player, card in case["plays"].items()},
        "take": {str(seats[player]): row for player, row in case["choices"].items()},
        "professional": case["options"]["professional"],
        "tie": case["options"].get("pro_tie", "choose"),
    }
    expect = case["expect"]
    if expect.get("error") in NOT_RESOLVE:
        return
    if "error" in expect:
        cli.refused(1, "resolve", "-", stdin=json.dumps(position))
        return
    done = cli("resolve", "-", "--json", stdin=json.dumps(position))
    turn = json.loads(done.out)
    assert (done.code, done.err, turn["rows"]) == (0, "", expect["rows"])
    placed = [(step["seat"], step["card"], step["row"], step["heads"]) for step in turn["placed"]]
    assert placed == [(seats[s["player"]], s["card"], s["row"], s["heads"]) for s in expect["steps"]]
    sides = {"R": "right", "L": "left", None: None}
    assert [step["side"] for step in turn["placed"]] == [sides[step["side"]] for step in expect["steps"]]
    pending = expect.get("pending")
    who = pending and {"seat": seats[pending["player"]], "card": pending["card"], "rows": pending["options"]}
    assert turn["pending"] == who


def test_resolve_text(cli: Cli) -> None:
    turns = [
        BOOKLET,
        ("resolve", "--rows", "60 61 / 35 / 40 44 / 46 50 52 54 57", "--plays", "62 29", "--take", "1:0"),
        ("resolve", "--rows", "20 90/25,91/30 92/35 93", "--plays", "0:15 4:40 2:41", "--professional"),
        ("resolve", "--rows", "50 51 52 53 54 / 10 / 90 / 95", "--plays", "49 57", "--professional"),
        ("resolve", "--rows", "48", "/", "52", "/", "80/90", "--plays", "50", "--professional", "--tie", "left"),
    ]
    done = [cli(*turn) for turn in turns]
    assert [(d.code, d.err) for d in done] == [(0, "")] * len(turns)
    text = "\n".join(d.out for d in done)
    assert too_wide(text) == []
    golden("resolve.txt", text)


@pytest.mark.parametrize(
    "plays",
    ["14 15 44 61", "14,15,44,61", "0:14 1:15 2:44 3:61", "3:61,2:44, 1:15 0:14"],
)
def test_plays_may_be_written_in_any_way(cli: Cli, plays: str) -> None:
    rows = json.loads(cli("resolve", "--rows", "12/37/43/58", "--plays", plays, "--json").out)["rows"]
    assert rows == [[12, 14, 15], [37], [43, 44], [58, 61]]
    position = {"plays": [14, 15, 44, 61], "rows": [[12], [37], [43], [58]]}
    assert json.loads(cli("resolve", "-", "--json", stdin=json.dumps(position)).out)["rows"] == rows


ROWS = ("resolve", "--rows", "12 / 37 / 43 / 58", "--plays")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["resolve"], "--rows"),
        (["resolve", "--rows", "1/2/3/4"], "--plays"),
        (["resolve", "--rows", "12 / x", "--plays", "14"], "'x'"),
        (["resolve", "--rows", "12", "37", "43", "58", "--plays", "14"], 'as in --rows "12 / 37 / 43 / 58"'),
        (["resolve", "--rows", "12 / 1.5", "--plays", "14"], "'1.5'"),
        ([*ROWS, "\u0661"], "whole number"),
        ([*ROWS, "1_0"], "whole number"),
        ([*ROWS, "9" * 23], f"a card must be 1..104, not '{'9' * 23}'"),
        ([*ROWS, "-" + "9" * 5000], f"a card must be 1..104, not '-{'9' * 36}...'"),
        ([*ROWS, "9" * 23 + ":14"], "a seat must be 0..9"),
        ([*ROWS, "5", "--take", "0:" + "9" * 23], "a row must be 0..3"),
        (["resolve", "--rows", "1" + "0" * 22 + "/37/43/58", "--plays", "14"], "a card must be 1..104"),
        ([*ROWS, "0:14 15"], "'15' is not a pair"),
        ([*ROWS, "0:14 0:15"], "seat 0 has two cards"),
        ([*ROWS, "a\nb"], r"'a'"),
        ([*ROWS, "14", "--take", "1"], "seat:row"),
        ([*ROWS, "14", "--tie", "up"], "--tie"),
        ([*ROWS, "14", "--ti", "left"], "--ti"),
        ([*BOOKLET, "-"], "'-'"),
        (["resolve", "-", "--professional"], "object"),
        (["resolve", "file"], "file"),
        (["bogus"], "resolve"),
        (["replay"], "FILE"),
        (["--bogus"], "--bogus"),
    ],
)
def test_usage(cli: Cli, argv: list[str], says: str) -> None:
    assert says in cli.refused(2, *argv)


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["resolve", "--rows", "12 / 37", "--plays", "14"], "four rows"),
        (["resolve", "--rows", "12 / / 43 / 58", "--plays", "14"], "row 1 has 0 cards"),
        (["resolve", "--rows", "12 11 / 37 / 43 / 58", "--plays", "14"], "row 0 does not ascend"),
        (["resolve", "--rows", "1 2 3 4 5 6 / 37 / 43 / 58", "--plays", "14"], "row 0 has 6 cards"),
        ([*ROWS, str(2**40)], str(2**40)),
        ([*ROWS, "-5"], "-5"),
        ([*ROWS, "0"], "no card 0"),
        ([*ROWS, "14 14"], "twice"),
        ([*ROWS, "37"], "twice"),
        ([*ROWS, "10:14"], "no seat 10"),
        ([*ROWS, ""], "nobody has played"),
        ([*ROWS, "5", "--take", "0:4"], "may not take row 4"),
        ([*ROWS, " ".join(map(str, range(70, 81)))], "no seat 10"),
    ],
)
def test_a_position_that_cannot_be(cli: Cli, argv: list[str], says: str) -> None:
    assert says in cli.refused(1, *argv)


GOOD = '"rows": [[12], [37], [43], [58]]'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[" * 60_000, "is not JSON"),
        ("[" + "[]," * 30_000, "standard input is larger than 65536 bytes"),
        ("[]", "one JSON object, not list"),
        ("null", "NoneType"),
        ("{}", '"rows"'),
        ("{" + GOOD + "}", '"plays"'),
        ("{" + GOOD + ', "plays": [14], "extra": 1}', "'extra'"),
        ("{" + GOOD + ', "plays": [14], "plays": [15]}', "twice"),
        ("{" + GOOD + ', "plays": {"0": 14, "0": 15}}', "twice"),
        ("{" + GOOD + ', "plays": null}', '"plays" must be an object'),
        ("{" + GOOD + ', "plays": 14}', '"plays" must be an object'),
        ("{" + GOOD + ', "plays": "14"}', '"plays" must be an object'),
        ("{" + GOOD + ', "plays": ["14"]}', "not str"),
        ("{" + GOOD + ', "plays": [14.0]}', "not float"),
        ("{" + GOOD + ', "plays": [true]}', "not bool"),
        ("{" + GOOD + ', "plays": [null]}', "not NoneType"),
        ("{" + GOOD + ', "plays": [NaN]}', "not float"),
        ("{" + GOOD + ', "plays": [1099511627776]}', "no card 1099511627776"),
        ("{" + GOOD + ', "plays": [1' + "0" * 5000 + "]}", "cards are 1..104"),
        ("{" + GOOD + ', "plays": {"x": 14}}', "'x' is not a seat: seats are 0..9"),
        ("{" + GOOD + ', "plays": {"01": 14}}', "'01'"),
        ("{" + GOOD + ', "plays": {"1' + "0" * 5000 + '": 14}}', "...' is not a seat: seats are 0..9"),
        ("{" + GOOD + ', "plays": {"-1": 14}}', "'-1'"),
        ("{" + GOOD + ', "plays": {"1099511627776": 14}}', "no seat"),
        ("{" + GOOD + ', "plays": [14], "take": 3}', '"take"'),
        ("{" + GOOD + ', "plays": [5], "take": {"0": 1.5}}', "not float"),
        ("{" + GOOD + ', "plays": [14], "professional": 1}', "professional"),
        ("{" + GOOD + ', "plays": [14], "tie": 3}', "tie"),
        ("{" + GOOD + ', "plays": [14], "tie": "up"}', "tie"),
        ('{"rows": "12/37/43/58", "plays": [14]}', "sequence"),
        ('{"rows": {"0": [12]}, "plays": [14]}', "sequence"),
        ('{"rows": [12, 37, 43, 58], "plays": [14]}', "sequence"),
    ],
)
def test_bad_json(cli: Cli, text: str, says: str) -> None:
    assert says in cli.refused(1, "resolve", "-", stdin=text)


def test_input_that_is_not_text(cli: Cli) -> None:
    assert "UTF-8" in cli.refused(1, "resolve", "-", stdin=b'{"rows": "\xff"}')
    assert cli("resolve", "-", stdin=b"\xef\xbb\xbf{" + GOOD.encode() + b', "plays": [14]}').code == 0


# replay


def a_record(nimmt: ModuleType, **options: Any) -> str:
    """A short game of bots as text."""
    rules = nimmt.Rules(**{"rounds": 1, **options})
    return str(nimmt.arena.play_game(["nearest", "random", "lowest"], seed=11, rules=rules).record())


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_replay_tells_the_game(cli: Cli, tmp_path: Path, newline: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text(a_record(cli.nimmt, rounds=2, professional=True) + "\n", newline=newline)
    done = cli("replay", file)
    assert done.code == 0 and "the record is right" in done.err
    assert too_wide(done.out) == []
    golden("replay.txt", done.out)
    assert cli("replay", "-", stdin=file.read_bytes()).out == done.out


def test_replay_of_a_draft_of_a_join_and_of_an_unfinished_game(cli: Cli) -> None:
    nimmt = cli.nimmt
    draft = cli("replay", "-", stdin=a_record(nimmt, deck="tactic", draft=True))
    assert draft.code == 0 and draft.out.count("has picked") == 3
    game = nimmt.Game(["Ann", "Bo"], seed=2)
    while game.phase != "scored":
        seat = game.to_act[0]
        (game.take if game.phase == "take" else game.choose)(seat, game.legal(seat)[0])
    game.join("Cy")
    game.deal()
    game.choose(2, game.hand(2)[0])
    done = cli("replay", "-", stdin=game.record())
    assert done.code == 0 and f"seat 2 (Cy) joins with {max(game.scores)}" in done.out
    assert "The record stops in round 2, turn 1" in done.out
    later = nimmt.Game.load(game.save(), ["Ann", "Bo", "Cy"])
    later.choose(0, later.hand(0)[0])
    assert cli("replay", "-", stdin=later.record()).code == 0


def test_a_saved_game_is_no_record(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "save"
    assert cli("play", "--seed", "7", "--save", file).code == 0
    assert f"nimmt play --load {file} goes on" in cli.refused(1, "replay", file)
    assert "--load" not in cli.refused(1, "replay", "-", stdin="{}")


@pytest.mark.parametrize(("command", "one", "two"), [("play", "save", "record"), ("simulate", "csv", "json")])
def test_two_outputs_are_two_files(cli: Cli, tmp_path: Path, command: str, one: str, two: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for name in ("file", "link"):
        assert "written twice" in cli.refused(1, command, f"--{one}", tmp_path / "file", f"--{two}", tmp_path / name)
    assert not (tmp_path / "file").exists()


def test_a_damaged_record_is_refused_with_its_line(cli: Cli, tmp_path: Path) -> None:
    lines = a_record(cli.nimmt).split("\n")
    for number, line in enumerate(lines):
        if any(ch.isdigit() for ch in line):
            at = next(i for i, ch in enumerate(line) if ch.isdigit())
            changed = line[:at] + str((int(line[at]) + 1) % 10) + line[at + 1 :]
            text = "\n".join([*lines[:number], changed, *lines[number + 1 :]])
            says = cli.refused(1, "replay", "-", stdin=text)
            assert "line " in says or "head" in says or "version" in says, says
    number = lines.index(next(line for line in lines if line.startswith("rows")))
    lines[number] += " 1"
    assert f"line {number + 1}:" in cli.refused(1, "replay", "-", stdin="\n".join(lines))
    for cut in (0, 1, 20, len(lines) // 2, len(lines) - 1):
        cli.refused(1, "replay", "-", stdin="\n".join(lines[:cut]))


def test_files_that_cannot_be_read(cli: Cli, tmp_path: Path) -> None:
    for command in ("replay", "play"):
        option = ["--load"] if command == "play" else []
        assert "No such file" in cli.refused(1, command, *option, tmp_path / "none")
        assert "nimmt" in cli.refused(1, command, *option, tmp_path)  # the reason differs by system
        assert "\\n" in cli.refused(1, command, *option, "a\nb")
        cli.refused(1, command, *option, "a\0b")
        (tmp_path / "raw").write_bytes(b"\xff\xfe" * 10)
        assert "UTF-8" in cli.refused(1, command, *option, tmp_path / "raw")


def test_an_unreadable_file(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # root, as whom CI may run, would be let in
    assert "Permission denied" in cli.refused(1, "replay", tmp_path / "file")


# Rules as text


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("base", {}),
        ("tactic", {"deck": "tactic"}),
        ("logic", {"deck": "tactic", "draft": True}),
        ("professional", {"professional": True}),
        ("logic,professional,tie=left", {"deck": "tactic", "draft": True, "professional": True, "tie": "left"}),
        ("professional,limit=100,tie=right", {"professional": True, "limit": 100, "tie": "right"}),
        ("rounds=3", {"rounds": 3}),
        ("tactic,rounds=1,cheapest=most", {"deck": "tactic", "rounds": 1, "cheapest": "most"}),
        ("end=exceed,limit=74", {"end": "exceed", "limit": 74}),
        ("logic,first_picker=2", {"deck": "tactic", "draft": True, "first_picker": 2}),
    ],
)
def test_rules_as_text(cli: Cli, text: str, options: dict[str, Any]) -> None:
    common, rules = cli.module("common"), cli.nimmt.Rules(**options)
    assert common.rules_of(text) == rules
    assert common.rules_of(common.rules_text(rules)) == rules


def test_rules_may_be_written_out(cli: Cli) -> None:
    rules_of = cli.module("common").rules_of
    assert rules_of("deck=tactic, draft=true, first_picker=rotate") == rules_of("base,tactic,logic")
    assert rules_of("professional=True,professional") == cli.nimmt.PROFESSIONAL
    assert cli.module("common").rules_text(cli.nimmt.BASE) == "base"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no rules are called ''"),
        ("expert", "'expert'"),
        ("base,,tactic", "''"),
        ("limit=0", "1..65535"),
        ("limit=65536", "1..65535"),
        ("limit=66.5", "whole number"),
        ("limit=none", "whole number"),
        ("limit=", "whole number"),
        ("limit=50,limit=60", "twice"),
        ("limit=50,rounds=2", "not both"),
        ("tie=up", "choose or right or left"),
        ("draft=1", "false or true"),
        ("draft=true", "tactic"),
        ("color=red", "'color'"),
        ("logic,deck=full", "twice"),
        ("first_picker=10", "0..9"),
        ("first_picker=me", "whole number"),
        (f"limit={2**40}", "1..65535"),
        (f"limit={10**22}", "limit must be 1..65535, not '1000"),
        (f"logic,first_picker={10**22}", "first_picker must be 0..9 or rotate, not '1000"),
    ],
)
def test_rules_that_are_not_understood(cli: Cli, text: str, says: str) -> None:
    assert says in cli.refused(2, "play", "--rules", text)


# Files


def test_a_file_is_written_whole_or_not_at_all(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, file = cli.module("files"), tmp_path / "file"
    files.write_bytes(str(file), b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(cli.module("common").Failure, match="No space"):
            files.write_bytes(str(file), b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"] and file.read_bytes() == b"old"
    file.chmod(0o640)
    files.write_bytes(str(file), b"new")
    assert file.read_bytes() == b"new" and file.stat().st_mode & 0o777 == 0o640
    (tmp_path / "link").symlink_to(file)
    files.write_bytes(str(tmp_path / "link"), b"linked")
    assert (tmp_path / "link").is_symlink() and file.read_bytes() == b"linked"


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no devices here")
def test_a_device_is_written_in_place(cli: Cli) -> None:
    cli.module("files").write_bytes(os.devnull, b"gone")
    assert not os.path.isfile(os.devnull)


# Output that goes wrong


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes of POSIX")
@pytest.mark.parametrize("argv", [["play", "--watch", "--seed", "1", "--rules", "limit=300"], ["play", "--help"]])
def test_a_reader_who_goes_is_no_failure(nimmt: ModuleType, argv: list[str]) -> None:
    with Child(nimmt, *argv) as command:
        command.stdout.close()
        assert (command.stderr.read(), command.end()) == (b"", 0)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_a_failure(nimmt: ModuleType) -> None:
    with open("/dev/full", "w") as full:
        for argv in (["info"], ["play", "--watch"]):
            done = subprocess.run(
                [sys.executable, "-m", "nimmt", *argv],
                stdout=full,
                stderr=subprocess.PIPE,
                env=environment(nimmt),
                timeout=60,
            )
            assert (done.returncode, done.stderr) == (1, b"nimmt: error: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
def test_ctrl_c_while_bots_play(nimmt: ModuleType) -> None:
    with Child(nimmt, "play", "--watch", "--rules", "rounds=65535") as command:
        command.stdout.readline()
        command.interrupt()
        command.stdout.read()
        assert (command.end(), command.stderr.read()) == (130, b"")


def test_closed_streams(nimmt: ModuleType) -> None:
    shell = f'"{sys.executable}" -m nimmt'
    for command, code in ((f"{shell} info >&-", 0), (f"{shell} resolve - <&-", 1), (f"{shell} play <&-", 0)):
        child = subprocess.run(command, shell=True, capture_output=True, env=environment(nimmt), timeout=60)
        assert child.returncode == code and b"Traceback" not in child.stderr, child
