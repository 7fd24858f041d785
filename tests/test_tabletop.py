"""examples/tabletop: evenings of four with gpiozero's mock pins, and with a pseudo-terminal as the reader."""

from __future__ import annotations

import importlib
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import naive
import pytest
from tools import missing

SCRIPT = Path(__file__).parent.parent / "examples" / "tabletop" / "tabletop.py"
NAMES = ["Ann", "Bo", "Cy", "Di"]
OPENING = (10, 20, 30, 40)


@pytest.fixture
def tabletop(nimmt: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The script as a module, on one backend."""
    for name in ("referee", "slots"):
        importlib.import_module(f"nimmt.{name}")
    monkeypatch.syspath_prepend(SCRIPT.parent)
    sys.modules.pop("tabletop", None)
    yield importlib.import_module("tabletop")
    sys.modules.pop("tabletop", None)


@pytest.fixture
def pins() -> Iterator[Any]:
    """Mock pins: a function that tells which LEDs of a row are lit."""
    try:
        gpiozero: Any = importlib.import_module("gpiozero")
        mock: Any = importlib.import_module("gpiozero.pins.mock")
    except ImportError:
        missing("gpiozero")
    gpiozero.Device.pin_factory = mock.MockFactory()
    yield lambda numbers: [int(gpiozero.Device.pin_factory.pin(number).state) for number in numbers]
    gpiozero.Device.pin_factory.close()
    gpiozero.Device.pin_factory = None


class Table:
    """An evening in this process: what is said is kept, and it can lose power."""

    def __init__(self, tabletop: Any, path: Path, show: Any = lambda table: None) -> None:
        self.tabletop, self.path, self.show, self.said = tabletop, str(path / "evening"), show, []  # type: ignore[var-annotated]
        self.start()

    def start(self) -> None:
        files = self.tabletop.files(self.path)
        self.evening = self.tabletop.Evening(NAMES, files, self.said.append, self.show)

    def hear(self, *lines: str) -> list[str]:
        """Return what is said to these lines."""
        self.said.clear()
        for line in lines:
            self.evening.hear(line)
        return list(self.said)

    @property
    def state(self) -> Any:
        return self.evening.table


def test_lights_show_the_rows(tabletop: Any, pins: Any, tmp_path: Path) -> None:
    lights = tabletop.Lights()
    table = Table(tabletop, tmp_path, lights.show)
    rows = tabletop.PINS
    assert len({pin for row in rows for pin in row}) == 20
    assert [sum(pins(row)) for row in rows] == [0, 0, 0, 0]
    table.hear("10", "20")
    assert [pins(row) for row in rows] == [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5, [0] * 5]
    table.hear("30", "40", "ok", "41", "42", "43", "44", "ok")
    assert [pins(row) for row in rows] == [[1, 0, 0, 0, 0]] * 3 + [[1, 1, 1, 1, 1]]
    table.hear("5", "45", "50", "60", "ok")  # the 5 is low: rows blink
    seen = set()
    for _ in range(60):
        seen |= {sum(pins(row)) for row in rows}
        time.sleep(0.02)
    assert seen >= {0, 1, 5}
    table.hear("41")
    time.sleep(0.6)
    lit = [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 1, 1, 1, 0], [1, 0, 0, 0, 0]]
    assert table.state.rows == ((10,), (20,), (30, 45, 50, 60), (5,))
    assert [pins(row) for row in rows] == lit, "the rows that could be taken blink no more"
    for row in lights.rows:
        row.close()


def test_a_turn(tabletop: Any, tmp_path: Path) -> None:
    table = Table(tabletop, tmp_path)
    assert table.said == ["Shuffle, deal ten each, and read the card that opens row 1."]
    said = table.hear("10", "10", "21", "back", "20", "30", "40", "ok")  # a double read, and a wrong one
    assert said[-2:] == ["Rows: 10 / 20 / 30 / 40", "Cards wanted: Ann, Bo, Cy, Di"]
    assert table.hear("45") == ["Cards wanted: Bo, Cy, Di"]
    assert table.hear("45", "45") == ["Cards wanted: Bo, Cy, Di"] * 2
    assert table.hear("Bo 45") == ["No: Bo: card 45 was read for Ann (R1)", "Cards wanted: Bo, Cy, Di"][:1]
    assert table.hear("40")[0] == "No: Bo: card 40 was seen in this round (R1)"
    assert table.hear("105")[0].startswith("No: Bo: there is no card 105")
    assert table.hear("Di 41") == ["Cards wanted: Bo, Cy"]
    assert table.hear("di back") == ["Cards wanted: Bo, Cy, Di"]
    assert table.hear("Eve 41") == ["No: nobody here is called 'Eve'."]
    assert table.hear("hello") == ["No: I do not know 'hello'."]
    assert table.hear("", "   ") == []
    assert table.hear("ok") == ["Cards wanted: Bo, Cy, Di"]
    assert table.hear("41", "42", "5") == ["Cards wanted: Cy, Di", "Cards wanted: Di"] + [
        "ok goes on, back takes the last card back."
    ]
    assert table.hear("50")[0].startswith("No: there is a card of everybody.")
    assert table.hear("back", "6") == ["Cards wanted: Di", "ok goes on, back takes the last card back."]
    assert table.hear("ok") == ["Di, your 6 takes row 1 or 2 or 3 or 4: read a card of the one you want."]
    for line in ("ok", "99", "back", "6"):  # none of them lies in a row
        assert table.hear(line) == ["Di, your 6 takes row 1 or 2 or 3 or 4: read a card of the one you want."]
    assert table.hear("20") == [
        "Di: 6 takes row 2 and takes 20: 3.",
        "Bo: 41 goes right of row 4.",
        "Cy: 42 goes right of row 4.",
        "Ann: 45 goes right of row 4.",
        "Rows: 10 / 6 / 30 / 40 41 42 45",
        "Cards wanted: Ann, Bo, Cy, Di",
    ]


def test_a_player_who_comes_later_is_there_after_a_power_cut(tabletop: Any, tmp_path: Path) -> None:
    table = Table(tabletop, tmp_path)
    assert table.hear("join Eve") == ["Eve plays from the next round on, with 0 bull heads."]
    table.hear(*map(str, OPENING), "ok")
    assert table.hear("join Flo") == ["No: cannot seat a player now: round 1 is not over (R8)"]
    table.start()
    assert table.state.names == (*NAMES, "Eve")
    assert table.said[-1] == "Cards wanted: Ann, Bo, Cy, Di, Eve"


def test_writes_once_a_turn(tabletop: Any, tmp_path: Path) -> None:
    table = Table(tabletop, tmp_path)
    writes = []
    table.evening._slots.save = lambda data: writes.append(data)
    table.hear(*map(str, OPENING), "ok")
    assert len(writes) == 1
    table.hear("5", "Bo 41", "42", "43", "ok", "ok", "77")
    assert (len(writes), table.state.phase) == (1, "take")
    table.hear("20")
    assert (len(writes), table.state.turn) == (2, 2)


def test_a_full_disk_does_not_end_the_evening(tabletop: Any, tmp_path: Path) -> None:
    table = Table(tabletop, tmp_path)

    def full(data: bytes) -> None:
        raise OSError(28, "No space left on device")

    table.evening._slots.save = full
    said = table.hear(*map(str, OPENING), "ok")
    assert any(text.startswith("This turn was not saved: ") and "No space left" in text for text in said)
    assert table.state.phase == "choose"


# A whole evening, and what must come of it by the naive resolver


class Script:
    """What four players do in a game, line by line, and the scores by tests/naive.py."""

    def __init__(self, seed: int) -> None:
        self.rng, self.scores = random.Random(seed), [0, 0, 0, 0]
        self.lows = self.doubles = 0
        self.turns = list(self._game())

    def _game(self) -> Iterator[list[str]]:
        """Yield the lines of each turn; the first of a round has the opening cards."""
        while max(self.scores) < 66:
            deck = self.rng.sample(range(1, 105), 44)
            rows, hands = [[card] for card in deck[:4]], [deck[4 + 10 * seat : 14 + 10 * seat] for seat in range(4)]
            lines = [str(card) for card in deck[:4]] + ["ok"]
            for turn in range(10):
                plays = {seat: hands[seat][turn] for seat in range(4)}
                yield lines + self._turn(rows, plays)
                lines = []

    def _turn(self, rows: list[list[int]], plays: dict[int, int]) -> list[str]:
        lines = []
        for seat in range(4):
            lines += [str(plays[seat])] * self.rng.choice((1, 1, 2, 3))
            if self.rng.random() < 0.2:  # the wrong player
                lines.append(f"{NAMES[(seat + 1) % 4]} {plays[seat]}")
        self.doubles += len(lines) > 4
        lines.append("ok")

        def row(seat: int, card: int, allowed: list[int], lying: naive.Rows) -> int:
            wanted = self.rng.choice(allowed)
            lines.append(str(self.rng.choice(lying[wanted])))
            self.lows += 1
            return wanted

        placements, rows[:] = naive.resolve_turn(rows, plays, row)
        for placed in placements:
            self.scores[placed.seat] += naive.bull_heads(placed.taken)
        return lines


def test_a_scripted_evening(tabletop: Any, tmp_path: Path) -> None:
    """With a power cut in every turn, at any line of it."""
    for seed in range(5):
        script = Script(seed)
        assert script.lows > 3
        assert script.doubles > 10
        table = Table(tabletop, tmp_path)
        for number, lines in enumerate(script.turns):
            opened = lines[:5] if number % 10 == 0 else []
            table.hear(*opened)
            cut = script.rng.randrange(len(lines) - len(opened))
            table.hear(*lines[len(opened) :][:cut])
            table.start()  # the power is cut, and is there again
            said = table.hear(*lines[len(opened) :])
        assert table.state.is_over
        assert table.state.scores == tuple(script.scores)
        best = [name for name, score in zip(NAMES, script.scores) if score == min(script.scores)]
        assert f"The game is over: {' and '.join(best)} won." in said
        scores = ", ".join(f"{name} {score}" for name, score in zip(NAMES, script.scores))
        assert said[-1] == f"Final scores: {scores}. ok begins a new game."
        table.start()
        assert table.said[-1] == said[-1], "still there after another cut"
        table.hear("ok")
        assert (table.state.round, table.state.scores) == (0, (0, 0, 0, 0))


# The script itself


class Machine:
    """The script as a process, with a pseudo-terminal as its reader."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.master, slave = os.openpty()
        self.command = [sys.executable, str(SCRIPT), "--reader", os.ttyname(slave), "--save", str(folder / "evening")]
        self.command += [*options, *NAMES]
        self.start()

    def start(self) -> None:
        env = dict(os.environ, GPIOZERO_PIN_FACTORY="mock", PYTHONUNBUFFERED="1")
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        self.output = ""

    def send(self, line: str, end: str = "\r\n") -> None:
        os.write(self.master, (line + end).encode())

    def wait(self, text: str) -> str:
        """Return what was printed until this text came."""
        assert self.process.stdout
        start = time.monotonic()
        while text not in self.output:
            assert time.monotonic() < start + 30, f"no {text!r} in {self.output!r}"
            if select.select([self.process.stdout], [], [], 1)[0]:
                data = os.read(self.process.stdout.fileno(), 65536)
                assert data, f"it ended: {self.output}"
                self.output += data.decode()
        before, _, self.output = self.output.partition(text)
        return before

    def kill(self) -> None:
        """Cut the power."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    try:
        importlib.import_module("gpiozero")
        importlib.import_module("termios")
    except ImportError as error:
        missing(str(error.name))
    machine = Machine(tmp_path)
    yield machine
    machine.kill()
    os.close(machine.master)


def test_an_evening_at_a_terminal(machine: Machine) -> None:
    """Four players, double reads, cards of the wrong player, low cards, two power cuts, the final scores."""
    script = Script(11)
    machine.wait("row 1.")
    for number, lines in enumerate(script.turns):
        if number in (7, 23):  # two cards are read, and the power is gone
            machine.send(lines[0])
            machine.wait("Cards wanted: Bo, Cy, Di\n")
            machine.kill()
            machine.start()
            machine.wait(f"The game goes on: round {number // 10 + 1}, turn {number % 10 + 1}.")
            machine.wait("Cards wanted: Ann, Bo, Cy, Di\n")
        for line in lines:
            machine.send(line, end=script.rng.choice(("\r", "\n", "\r\n")))
        last = number == len(script.turns) - 1
        machine.wait("Final scores: " if last else "The round is over. " if number % 10 == 9 else "Rows: ")
        if number % 10 == 0:
            machine.wait("Rows: ")  # the first were those of the deal
    machine.wait(", ".join(f"{name} {score}" for name, score in zip(NAMES, script.scores)) + ".")


def test_a_reader_that_is_pulled_out(tabletop: Any) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"17\r\n\xff\xfe\n" + b"x" * 5000 + b"\n42")
    os.close(writer)
    heard = list(tabletop.lines(reader))
    os.close(reader)
    assert heard[:3] == ["17", "", "\ufffd\ufffd"]
    assert len(heard) == 4, "a last line without its end may be cut"
    assert len(heard[3]) <= 2048, "a line that does not end is not kept"


def test_tags(tabletop: Any, tmp_path: Path) -> None:
    (tmp_path / "tags").write_text("0004711203 17\n\n0009000001   ok \n")
    assert tabletop.tags_of(str(tmp_path / "tags")) == {"0004711203": "17", "0009000001": "ok"}
    assert tabletop.tags_of(None) == {}


def test_the_readme_names_pins_and_words(tabletop: Any) -> None:
    text = (SCRIPT.parent / "README.md").read_text(encoding="utf-8")
    for row in tabletop.PINS:
        assert f"| {' '.join(map(str, row))} |" in text
    for word in ("--reader", "--tags", "--save", "--dark", "`ok`", "`back`", "`join Eve`"):
        assert word in text


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--dark", "--save", str(folder / "evening"), *arguments]
    return subprocess.run(command, input="", capture_output=True, text=True, check=False)


def test_wrong_names(tabletop: Any, tmp_path: Path) -> None:
    """Names that are the same but for capitals are two of one name, at the start and for who comes later."""
    for names, words in ((["Ann"], "2 to 10 can play, not 1"), (["Ann", "Bo", "ann"], "two are called 'ann'")):
        done = run(tmp_path, *names)
        assert done.returncode == 2
        assert words in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr
    table = Table(tabletop, tmp_path)
    assert table.hear("join bo")[0].startswith("No: two are called 'bo'")
    assert table.state.players == 4


def test_files_that_are_wrong(tmp_path: Path) -> None:
    """One line names the file, and the line of it."""
    tags, none = tmp_path / "tags", tmp_path / "none"
    for data, words in (
        (b"0004711203 17\n\n0004711204\n", f"{tags}, line 3: tag '0004711204' does not say what it stands for"),
        (b"\xff 17\n", f"{tags} is not UTF-8 text"),
    ):
        tags.write_bytes(data)
        done = run(tmp_path, "--tags", str(tags), *NAMES)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"tabletop.py: {words}\n")
    for option in ("--tags", "--reader"):
        done = run(tmp_path, option, str(none), *NAMES)
        words = f"cannot read {none}: No such file or directory"
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"tabletop.py: {words}\n")
