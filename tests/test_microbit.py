"""The core on a BBC micro:bit v1, its real firmware under QEMU: it loads, leaves room, and plays what the PC plays."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from boards import microbit
from tools import missing, need

from nimmt.board.source import CannotBundle, Missing
from nimmt.board.text import statements, text_form

POLICIES = ("core.policy_card", "core.policy_row", "core.check", "core.withdraw")


@pytest.fixture
def flat_file() -> str:
    """The file that goes to the board."""
    try:
        return text_form(microbit.NAMES)
    except Missing as error:
        missing(str(error))


def test_micro_bit_plays_what_the_pc_plays(cores: tuple[Any, Any], flat_file: str) -> None:
    qemu = need("qemu-system-arm")
    if not microbit.FIRMWARE.exists():
        missing("firmware-microbit-micropython")
    with microbit.Board(qemu) as board:
        loaded = microbit.load(board)
        played = microbit.play(board, list(cores))
    assert loaded["bytes of the flat file"] <= 4.1 * 1024
    assert loaded["heap free with the core loaded"] >= 2048
    assert played["heap free in play, at least"] >= 2048
    assert played["states compared"] > 600
    assert played["rows taken by choice"] > 50
    assert played["ties"] > 0


@pytest.mark.parametrize("names", [microbit.NAMES, (*microbit.NAMES, *POLICIES)])
def test_the_flat_file_is_the_core(cores: tuple[Any, Any], flat_file: str, names: tuple[str, ...]) -> None:
    """Here as well as there, and with more names than the board needs: the same states as both cores."""
    board: dict[str, Any] = {}
    exec(text_form(names), board)
    for core in cores:
        for seed in (1, 2):
            stream, state, log = board["Stream"](seed), bytearray(164), bytearray(90)
            lines = [f"{board['deal'](state, 10, 104, 1, stream)} {state.hex()} {log.hex()}"]
            lines += [f"{board['choose'](state, 3, 105)} {state.hex()} {log.hex()}"]
            lines += [f"{board['take'](state, 0, 0, log)} {state.hex()} {log.hex()}"]
            while state[3] < 2:
                if state[3]:
                    code = board["take"](state, state[5], board["cheapest"](state, state[31 + state[5]], state[6]), log)
                else:
                    places = [64 + 10 * seat + stream.below(10 - state[4]) for seat in range(10)]
                    code = board["play"](state, bytes([state[at] for at in places]), log)
                lines.append(f"{code} {state.hex()} {log.hex()}")
            assert lines == list(microbit.expected(core, seed, 1, "turn", bytearray(164), bytearray(90)))


def test_every_line_begins_a_statement_or_with_a_space(flat_file: str) -> None:
    """What the loader of the board relies on."""
    parts = statements(flat_file)
    assert "".join(parts) == flat_file
    for part in parts:
        assert len(ast.parse(part).body) == 1
        assert len(part) < 700, "a longer statement may not compile on the board"


def test_bad_input_is_refused_there(flat_file: str) -> None:
    """In few words: the checks of the text form are short ones."""
    board: dict[str, Any] = {}
    exec(flat_file, board)
    for seed in (-1, 2**64, 1.0, "7", None, True):
        with pytest.raises(ValueError, match="seed"):
            board["Stream"](seed)
    for n in (0, 65536, 2.0):
        with pytest.raises(ValueError, match="n"):
            board["Stream"](7).below(n)


def test_what_has_no_text_form() -> None:
    with pytest.raises(CannotBundle, match="nimmt has no public name 'core.nothing'"):
        text_form(["core.nothing"])
    with pytest.raises(CannotBundle, match="the text form has room for the core and Stream, but not for Stream Game"):
        text_form(["Stream", "Game"])


def test_the_example_of_the_documentation(flat_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = ModuleType("nimmt")
    exec(flat_file, board.__dict__)
    monkeypatch.setitem(sys.modules, "nimmt", board)
    text = (Path(__file__).parent.parent / "docs/boards.md").read_text(encoding="utf-8")
    (example,) = [code for code in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S) if "nimmt.deal" in code]
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["r"][4] == 1 and names["placed"] > 0
