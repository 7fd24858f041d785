"""nimmt play: whole games in a pipe and at a terminal, what is shown and what is not, saving, leaving."""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cli_tools import CONTROL, Child, Cli, Terminal, golden, process, too_wide

SEED = 987654321987654321


@pytest.fixture
def cli(nimmt: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(nimmt, capsys, monkeypatch)


class Answers:
    """A player at the person's seat who notes what the person would type."""

    def __init__(self, noted: Callable[[Any], None] = lambda view: None) -> None:
        self.lines: list[str] = []
        self.ties = 0
        self._noted = noted

    def choose(self, view: Any) -> int:
        self._noted(view)
        place = (7 * view.turn + view.round) % len(view.hand)  # high and low cards, so that all happens
        card: int = view.hand[place]
        self.lines.append(f"#{place + 1}" if view.turn % 2 else str(card))
        return card

    def take(self, view: Any) -> int:
        self._noted(view)
        row: int = view.owed.rows[view.turn % len(view.owed.rows)]
        self.ties += len(view.owed.rows) == 2
        self.lines.append(str(row))
        return row

    def pick(self, view: Any) -> int:
        self._noted(view)
        card: int = view.pool[len(view.pool) // 2]
        self.lines.append(str(card))
        return card


def answered(cli: Cli, rules: str, players: int, bots: str, seed: int = SEED) -> tuple[Any, Answers]:
    """Play a whole game without the terminal; return it and what the person would type in it."""
    seats, rules_of = cli.module("play.seats"), cli.module("common").rules_of
    seating = seats.around(bots.split(","), players, 0)
    game = cli.nimmt.Game(seats.names_for(seating), seed, rules_of(rules))
    answers = Answers()
    for _ in seats.moves(game, seating, answers):
        pass
    return game, answers


def arguments(rules: str, players: int, bots: str, seed: int = SEED) -> list[str]:
    return ["play", "--rules", rules, "--players", str(players), "--bots", bots, "--seed", str(seed)]


GAMES = [
    ("base", 4, "nearest"),
    ("rounds=2", 2, "random"),
    ("professional,limit=30", 3, "random,nearest"),
    ("logic,rounds=2", 3, "random,lowest"),
    ("logic,professional,rounds=1", 10, "random,lowest,highest,nearest"),
    ("tactic,rounds=1,tie=right,professional", 5, "highest"),
]


# Bots alone


@pytest.mark.parametrize("rules", ["base", "professional,rounds=2", "logic,rounds=2", "tactic,limit=20"])
def test_bots_alone_play_the_game_of_the_arena(cli: Cli, tmp_path: Path, rules: str) -> None:
    file = tmp_path / "record"
    done = cli("play", "--watch", "--seed", "7", "--players", "5", "--rules", rules, "--record", file)
    assert done.code == 0 and too_wide(done.out) == []
    bots = [cli.nimmt.bots.POLICIES[seat % 4] for seat in range(5)]
    game = cli.nimmt.arena.play_game(bots, 7, cli.module("common").rules_of(rules))
    again = cli.nimmt.replay(file.read_text(encoding="utf-8"))
    assert again == game and again.names == tuple(bots)
    assert "random" in done.out and "Winner" in done.out
    assert cli("play", "--watch", "rounds", "--seed", "7").out == cli("play", "--watch", "rounds", "--seed", "7").out


def test_watching_rounds(cli: Cli) -> None:
    done = cli("play", "--watch", "rounds", "--players", "4", "--seed", "7")
    assert (done.code, done.err) == (0, "")
    golden("watch_rounds.txt", done.out)
    wide = cli("play", "--watch", "rounds", "--players", "10", "--bots", "nearest", "--game", "3", "--seed", str(SEED))
    assert too_wide(wide.out) == [] and "--game 3 \\\n    --bots nearest\n" in wide.out


def test_other_seeds_and_games_are_other_games(cli: Cli) -> None:
    watch = ("play", "--watch", "rounds")
    texts = {cli(*watch, *more).out for more in ((), (), ("--seed", "1"), ("--seed", "1", "--game", "1"))}
    assert len(texts) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes of POSIX")
def test_the_record_is_written_though_nobody_reads_along(nimmt: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "record"
    with Child(nimmt, "play", "--watch", "--rules", "limit=500", "--record", file) as command:
        command.stdout.close()
        assert command.end() == 0
    assert nimmt.replay(file.read_text(encoding="utf-8")).is_over


# A person's game in a pipe


@pytest.mark.parametrize(("rules", "players", "bots"), GAMES)
def test_a_whole_game(cli: Cli, tmp_path: Path, rules: str, players: int, bots: str) -> None:
    game, answers = answered(cli, rules, players, bots)
    done = cli(*arguments(rules, players, bots), "--record", tmp_path / "record", stdin="\n".join(answers.lines) + "\n")
    assert done.code == 0, done
    assert (tmp_path / "record").read_text(encoding="utf-8") == game.record() + "\n"
    assert too_wide(done.out) + too_wide(done.err.replace(str(tmp_path), "")) == []
    assert done.out.count("The game is over") == 1
    again = done.out.split("The same cards again:\n  nimmt ")[1].replace("\\\n", " ").split()
    text = cli(*again, "--bots", bots, stdin="\n".join(answers.lines)).out
    assert text == done.out


def test_golden_transcripts(nimmt: ModuleType, cli: Cli) -> None:
    """What a person reads: a base game of one round, a draft, and a professional game with a tie."""
    for name, rules, seed in (("base", "rounds=1", 7), ("logic", "logic,rounds=1", 7), ("pro", PRO, PRO_SEED)):
        _, answers = answered(cli, rules, 3, "nearest,random", seed)
        typed = ["?", "", "foo", "99999", *answers.lines]
        done = process(nimmt, *arguments(rules, 3, "nearest,random", seed), stdin="\n".join(typed) + "\n", merged=True)
        assert done.code == 0 and too_wide(done.out) == []
        golden(f"play_{name}.txt", done.out)


PRO, PRO_SEED = "professional,rounds=1", 45  # a tie and a card that fits nowhere


def test_a_professional_person_is_asked_for_ties_and_rows(cli: Cli) -> None:
    ties = rows = 0
    for seed in range(60):
        game, answers = answered(cli, PRO, 4, "random", seed)
        done = cli(*arguments(PRO, 4, "random", seed), stdin="\n".join(answers.lines))
        assert done.code == 0
        assert done.out.count("equally near to two rows") == answers.ties
        ties += answers.ties
        rows += done.out.count("fits nowhere. Take a row")
    assert ties and rows


def test_nothing_is_shown_that_the_seat_may_not_know(cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    """At each question: no card that others hold, no seed, in anything that was printed since the last."""
    seats = cli.module("play.seats")
    seating = seats.around(["random"], 4, 0)
    game = cli.nimmt.Game(seats.names_for(seating), SEED, cli.nimmt.Rules(rounds=2))
    secrets: list[set[str]] = []

    def noted(view: Any) -> None:
        held = {card for seat in range(1, 4) for card in game.hand(seat)}
        secrets.append({str(card) for card in held if card > 10} | {str(SEED)})  # lower numbers are rows and heads

    answers = Answers(noted)
    for _ in seats.moves(game, seating, answers):
        pass
    done = cli(*arguments("rounds=2", 4, "random"), stdin="\n".join(["h", *answers.lines]))
    assert done.out.count("not known") == 3
    parts = re.split(r"(?=Round \d, turn \d+ of 10)", done.out)[1:]
    assert len(parts) == len(secrets) == len(answers.lines)
    for part, secret in zip(parts, secrets):
        asked = part.split("Round ")[1]  # up to what happens after the answer
        assert not secret & set(re.findall(r"\d+", asked))
    assert str(SEED) not in done.out.split("The game is over")[0] + done.err


def test_the_words_of_the_design(cli: Cli) -> None:
    _, answers = answered(cli, "professional,limit=30", 3, "random")
    done = cli(*arguments("professional,limit=30", 3, "random"), stdin="\n".join(["?", *answers.lines]))
    assert not re.search(r"\b(tricks?|piles?|stacks?|columns?|points?|cows?|sets?)\b", done.out + done.err, re.I)


def test_many_players_with_long_names(cli: Cli) -> None:
    names = ",".join(f"{seat}" + "n" * 39 for seat in range(10))
    done = cli("play", "--names", names, "--seed", "4", "--rules", "professional", stdin="#1\n#1\n#1\n0\n0\n")
    assert done.code == 0 and "10 players" in done.err
    assert too_wide(done.out) + too_wide(done.err) == []


def test_names_of_all_kinds_stay_in_line(cli: Cli, nimmt: ModuleType) -> None:
    screen = cli.module("screen")
    assert [screen.width(name) for name in ("Zoë", "Zoe\u0308", "日本")] == [3, 3, 4]
    for text in ("", "Ann", "日本日本", "e\u0308" * 9, "x" * 41):
        assert screen.width(screen.fit(text, 7)) == 7
    done = process(nimmt, "play", "--watch", "--names", "Zoë,日本,\u202eevil", PYTHONIOENCODING="ascii")
    assert done.code == 0 and done.out.isascii() and "Zo?" in done.out
    bidi = process(nimmt, "play", "--watch", "--names", "Zoë,日本,\u202eevil")
    assert "\u202e" not in bidi.out and "?evil" in bidi.out and "日本" in bidi.out


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--players", "11"], "2..10, not 11"),
        (["--players", "1"], "2..10, not 1"),
        (["--players", "four"], "whole number"),
        (["--players", str(2**40)], "2..10"),
        (["--seed", "-1"], "not -1"),
        (["--seed", str(2**64)], "0..18446744073709551615"),
        (["--seed", "1.0"], "whole number"),
        (["--bots", "nearest,clever"], "'clever'"),
        (["--bots", ""], "''"),
        (["--names", "Ann"], "2 to 10"),
        (["--names", "Ann,,Bo"], "1 to 40"),
        (["--names", "Ann," + "x" * 41], "1 to 40"),
        (["--names", "Ann,B\to"], "1 to 40"),
        (["--names", "Ann,\udcff"], "encoding"),
        (["--names", "Ann,Bo", "--players", "3"], "3 players need 3 names"),
        (["--rules", "logic,first_picker=7"], "no seat 7"),
        (["--watch", "all"], "--watch"),
        (["--watch", "--save", "x"], "--watch"),
        (["--watch", "--load", "x"], "--watch"),
        (["--load", "x", "--seed", "1"], "--seed"),
        (["--load", "x", "--rules", "base"], "--rules"),
        (["extra"], "extra"),
    ],
)
def test_usage(cli: Cli, argv: list[str], says: str) -> None:
    assert says in cli.refused(2, "play", *argv)


# Saving


@pytest.mark.parametrize(("rules", "players", "bots"), GAMES)
def test_a_saved_game_goes_on_as_it_would_have(cli: Cli, tmp_path: Path, rules: str, players: int, bots: str) -> None:
    game, answers = answered(cli, rules, players, bots)
    file, record, lines = tmp_path / "save", tmp_path / "record", answers.lines
    done = cli(*arguments(rules, players, bots), "--save", file, stdin="")
    assert done.code == 0 and f"--load {file}" in done.err
    assert str(SEED) not in file.read_text() and "nimmt record" not in file.read_text()
    for first in range(0, len(lines), max(1, len(lines) // 6)):
        typed = "\n".join(lines[first : first + max(1, len(lines) // 6)]) + "\n"
        done = cli("play", "--load", file, "--save", file, "--record", record, stdin=typed)
        assert done.code == 0
    assert record.read_text(encoding="utf-8") == game.record() + "\n"
    over = cli("play", "--load", file)
    assert over.code == 0 and "The game is over" in over.out and "Winner" in over.out


def test_the_file_is_there_before_each_question(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Power may go while the person thinks."""
    file = tmp_path / "save"
    _, answers = answered(cli, "rounds=1", 3, "random")
    loads: list[tuple[int, int]] = []
    ask = cli.module("play.person").read_line

    def asked(prompt: str) -> str:
        game = cli.module("play.saved").load(str(file)).game
        loads.append((game.turn, game.hand(0).__len__()))
        return str(ask(prompt))

    monkeypatch.setattr(cli.module("play.person"), "read_line", asked)
    cli(*arguments("rounds=1", 3, "random"), "--save", file, stdin="\n".join(answers.lines))
    assert len(loads) == len(answers.lines) and loads[0] == (1, 10) and loads[-1][0] == 10


def test_load_reads_saves_of_the_engine_and_records(cli: Cli, tmp_path: Path) -> None:
    game = cli.nimmt.Game(3, seed=5)
    game.play([game.hand(seat)[-1] for seat in range(3)])
    for data in (game.save(), game.record().encode()):
        (tmp_path / "file").write_bytes(data)
        done = cli("play", "--load", tmp_path / "file", "--bots", "lowest", stdin="")
        assert done.code == 0 and f"turn {game.turn} of 10" in done.out and "lowest" in done.out


def test_damaged_saves(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "save"
    cli("play", "--seed", "1", "--save", file, stdin="")
    good = file.read_text()
    fields = json.loads(good)
    record = base64.b64decode(fields["record"]).decode()
    bad: list[tuple[bytes, str]] = [(good[:cut].encode(), "") for cut in (0, 1, 10, len(good) // 2, len(good) - 3)]
    bad += [(json.dumps({**fields, "version": 2}).encode(), "a save of version 2; this release reads 1")]
    bad += [(json.dumps({**fields, "version": "x"}).encode(), "version")]
    bad += [(json.dumps({**fields, "kind": "other"}).encode(), "not a saved game")]
    seats: list[Any] = [
        None,
        [],
        ["nearest"] * 4,
        [None] * 4,
        [None, "nearest"],
        [None, "x", "x", "x"],
        [None, [], {}, 1],
    ]
    for bots in seats:
        bad.append((json.dumps({**fields, "bots": bots}).encode(), "damaged"))
    for text in ("*", base64.b64encode(b"\xff").decode(), 3, None):
        bad.append((json.dumps({**fields, "record": text}).encode(), "damaged"))
    changed = base64.b64encode(record.replace("rows: ", "rows: 1 ").encode()).decode()
    bad += [(json.dumps({**fields, "record": changed}).encode(), "damaged in line ")]
    newer = base64.b64encode(record.replace("stream 1", "stream 2").encode()).decode()
    bad += [(json.dumps({**fields, "record": newer}).encode(), "version 2")]
    save = bytearray(cli.nimmt.Game(2, seed=1).save())
    save[2] += 1
    bad += [(bytes(save), "version"), (bytes(save[:50]), ""), (b"6n", ""), (b"[" * 99999, "not a saved game")]
    for data, says in bad:
        file.write_bytes(data)
        line = cli.refused(1, "play", "--load", file)
        assert says in line and "hand" not in line, line


def test_files_that_would_be_lost_or_cannot_be_written(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("a letter")
    assert "exists" in cli.refused(1, "play", "--save", file)
    assert file.read_text() == "a letter"
    file.write_text("")  # mktemp makes such a file
    assert cli("play", "--save", file).code == 0 and file.read_text()
    for option in ("--save", "--record"):
        assert "needs a name" in cli.refused(1, "play", option, "")
        assert "needs a name" in cli.refused(1, "play", option, "-")
        assert "directory" in cli.refused(1, "play", option, tmp_path)
        assert "no directory" in cli.refused(1, "play", option, tmp_path / "none" / "file")


def test_a_save_that_fails_does_not_end_the_game(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise cli.module("common").Failure("the disk is full")

    monkeypatch.setattr(cli.module("play.sitting"), "write_bytes", fail)
    _, answers = answered(cli, "rounds=1", 2, "lowest")
    done = cli(*arguments("rounds=1", 2, "lowest"), "--save", tmp_path / "x", stdin="\n".join(answers.lines))
    assert done.code == 0 and "Not saved: the disk is full" in done.err and "The game is over" in done.out


# Leaving


def test_the_end_of_input_and_leaving(cli: Cli, tmp_path: Path) -> None:
    done = cli("play", "--seed", "7", stdin="#1\n")
    assert done.code == 0 and "The input has ended. The game is not saved; with --save FILE" in done.err
    for word in ("q", "quit", "exit"):
        done = cli("play", "--seed", "7", stdin=f"{word}\n#1\n")
        assert done.code == 0 and "You leave the game." in done.err and "placed" not in done.out
    half = cli("play", "--seed", "7", "--save", tmp_path / "save", stdin="2\n1")  # the last line is not ended
    assert half.code == 0 and (tmp_path / "save").exists() and "turn 2 of 10" in half.out


def test_lines_of_other_systems_and_rubbish(cli: Cli) -> None:
    """A serial line may send other line ends, and noise."""
    _, answers = answered(cli, "rounds=1", 2, "lowest")
    plain = cli(*arguments("rounds=1", 2, "lowest"), stdin="\n".join(answers.lines) + "\n")
    for end in ("\r\n", "\r", "  \n"):
        typed = "".join(line + end for line in answers.lines)
        assert cli(*arguments("rounds=1", 2, "lowest"), stdin=typed).out == plain.out
    assert cli(*arguments("rounds=1", 2, "lowest"), stdin="\ufeff" + "\n".join(answers.lines)).out == plain.out
    noise = (
        b"\xff\xfe\n\x1b[A\n\0\n#\n#0\n#99\n-3\n1e1\n" + "٣\n".encode() + b"9" * 10_000 + b"\n" + b"x" * 10_000 + b"\n"
    )
    done = cli(*arguments("rounds=1", 2, "lowest"), stdin=noise + "\n".join(answers.lines).encode())
    assert done.code == 0 and done.out == plain.out
    assert "\x1b" not in done.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
@pytest.mark.parametrize("saved", [True, False])
def test_ctrl_c_in_a_pipe(nimmt: ModuleType, tmp_path: Path, saved: bool) -> None:
    file = tmp_path / "save"
    with Child(nimmt, "play", "--seed", "7", *(("--save", file) if saved else ())) as command:
        text = b""
        while b"Your card" not in text:
            assert (more := command.stderr.read(1)), text
            text += more
        command.interrupt()
        text = command.stderr.read()
        assert command.end() == 130 and b"Traceback" not in text
    assert (b"not saved" in text) != saved and file.exists() == saved


# At a terminal


def test_a_round_at_a_terminal(nimmt: ModuleType, cli: Cli) -> None:
    """The same text as in a pipe, but for colour and what the terminal echoes."""
    _, answers = answered(cli, "rounds=1", 3, "nearest")
    piped = cli(*arguments("rounds=1", 3, "nearest"), stdin="\n".join(answers.lines))
    with Terminal(nimmt, *arguments("rounds=1", 3, "nearest")) as terminal:
        for line in answers.lines:
            terminal.until("(? for help): ")
            terminal.type(line)
        assert terminal.end() == 0
        assert "\x1b[" in terminal.text and "\x1b[1m" in terminal.text
        assert set(re.findall(r"\x1b[^m]*[@-~]", terminal.text)) == set(CONTROL.findall(terminal.text))
        plain = CONTROL.sub("", terminal.text)
    assert too_wide(plain) == []
    for line in piped.out.splitlines():
        assert line in plain


@pytest.mark.parametrize("extra", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}])
def test_no_colour(nimmt: ModuleType, extra: dict[str, str]) -> None:
    with Terminal(nimmt, "play", "--seed", "7", **extra) as terminal:
        terminal.until("(? for help): ")
        terminal.type("#1")
        terminal.until("(? for help): ")
        terminal.type("\x04")
        assert terminal.end() == 0 and "\x1b" not in terminal.text


def test_no_colour_in_a_pipe(nimmt: ModuleType) -> None:
    assert "\x1b" not in process(nimmt, "play", "--watch", "--seed", "7", TERM="xterm", merged=True).out


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("q", 0)])
def test_leaving_at_a_terminal_asks_where_to_save(nimmt: ModuleType, tmp_path: Path, key: str, code: int) -> None:
    (tmp_path / "letter").write_text("a letter")
    with Terminal(nimmt, "play", "--seed", "7") as terminal:
        terminal.until("(? for help): ")
        terminal.type("#9")
        terminal.until("(? for help): ")
        terminal.type(key)
        for name, says in (("none/x", "no directory"), ("letter", "exists"), ("save", "Go on with")):
            terminal.until("Save the game?")
            terminal.type(str(tmp_path / name))
            terminal.until(says)
        assert terminal.end() == code
    done = process(nimmt, "play", "--load", tmp_path / "save")
    assert done.code == 0 and "turn 2 of 10" in done.out
    with Terminal(nimmt, "play", "--load", tmp_path / "save") as terminal:
        terminal.until("(? for help): ")
        terminal.type("\x03")
        terminal.until("Save the game?")
        terminal.type(str(tmp_path / "save"))  # where it came from
        terminal.until("Go on with")
        assert terminal.end() == 130


@pytest.mark.parametrize("answer", ["", "\x03", "\x04"])
def test_leaving_at_a_terminal_without_saving(nimmt: ModuleType, answer: str) -> None:
    with Terminal(nimmt, "play", "--seed", "7") as terminal:
        terminal.until("(? for help): ")
        terminal.type("\x03")
        terminal.until("Save the game?")
        terminal.type(answer)
        terminal.until("The game is not saved.")
        assert terminal.end() == 130
