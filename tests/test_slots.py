"""Power cuts: every byte of every write, every bit of every slot, in memory of three kinds and in files."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def nimmt(nimmt: ModuleType) -> ModuleType:
    """The package on one backend, with the modules that are tested here."""
    for name in ("referee", "slots"):
        importlib.import_module(f"nimmt.{name}")
    return nimmt


SAVES = [bytes([number] * (30 + number % 3)) for number in range(1, 8)]


class Cut(Exception):
    """The power is gone."""


class Memory:
    """Two slots of a memory that loses power after `power` more bytes; None: never. `kind` says what a write does."""

    def __init__(self, kind: str = "eeprom") -> None:
        self.kind, self.power = kind, None  # type: str, int | None
        self.slots = [bytearray(b"\xff" * 64), bytearray(b"\xff" * 64)]
        self.writes: list[int] = []

    def read(self, slot: int) -> bytes:
        return bytes(self.slots[slot])

    def write(self, slot: int, data: bytes) -> None:
        self.writes.append(slot)
        if self.kind == "file":  # is cut to nothing first
            self.slots[slot] = bytearray()
        if self.kind == "flash":  # is erased first
            self.slots[slot] = bytearray(b"\xff" * 64)
        part = data if self.power is None else data[: self.power]
        self.slots[slot][: len(part)] = part
        if self.power is not None and self.power < len(data):
            raise Cut


def slots_of(nimmt: ModuleType, memory: Memory) -> Any:
    return nimmt.slots.Slots(memory.read, memory.write)


def test_new_slots_are_empty(nimmt: ModuleType) -> None:
    memory = Memory()
    slots = slots_of(nimmt, memory)
    assert slots.load() is None
    assert slots.save(b"first") is True
    assert slots.load() == b"first"
    assert slots_of(nimmt, memory).load() == b"first"


def test_slots_are_written_in_turn_and_only_when_something_changed(nimmt: ModuleType) -> None:
    memory = Memory()
    slots = slots_of(nimmt, memory)
    for data in SAVES:
        assert slots.save(data) is True
        assert slots.save(bytearray(data)) is False
        slots = slots_of(nimmt, memory)  # switched off and on
        assert slots.save(data) is False
        assert slots.load() == data
    assert memory.writes == [number % 2 for number in range(len(SAVES))]


@pytest.mark.parametrize("kind", ["eeprom", "file", "flash"])
def test_cut_at_every_byte_of_every_write(nimmt: ModuleType, kind: str) -> None:
    whole = Memory(kind)
    before: bytes | None = None
    for data in SAVES:
        for power in range(len(data) + nimmt.slots.OVERHEAD):
            memory = Memory(kind)
            memory.slots, memory.power = [bytearray(slot) for slot in whole.slots], power
            with pytest.raises(Cut):
                slots_of(nimmt, memory).save(data)
            again = slots_of(nimmt, memory)
            assert again.load() in (before, data)
            assert again.load() == before or bytes(memory.slots[memory.writes[0]]).startswith(b"6s")
            memory.power = None
            again.save(data)  # the turn is played again
            assert slots_of(nimmt, memory).load() == data
            assert memory.slots[1 - memory.writes[0]] == whole.slots[1 - memory.writes[0]], "the other slot was touched"
        slots_of(nimmt, whole).save(data)
        before = data


def test_every_flipped_bit(nimmt: ModuleType) -> None:
    memory = Memory()
    slots = slots_of(nimmt, memory)
    for data in SAVES[:2]:
        slots.save(data)
    whole = [bytes(slot) for slot in memory.slots]
    for slot in (0, 1):
        for bit in range(8 * (len(SAVES[slot]) + nimmt.slots.OVERHEAD)):
            memory.slots = [bytearray(each) for each in whole]
            memory.slots[slot][bit // 8] ^= 1 << bit % 8
            assert slots_of(nimmt, memory).load() == SAVES[1 - slot], f"bit {bit} of slot {slot}"
            memory.slots[1 - slot][bit % 40] ^= 0x80
            assert slots_of(nimmt, memory).load() is None, "both are damaged"


def test_bits_behind_the_data_do_not_matter(nimmt: ModuleType) -> None:
    memory = Memory()
    slots_of(nimmt, memory).save(b"short")
    memory.slots[0][5 + nimmt.slots.OVERHEAD] ^= 1
    assert slots_of(nimmt, memory).load() == b"short"


def test_a_damaged_slot_is_the_next_to_be_written(nimmt: ModuleType) -> None:
    memory = Memory()
    slots = slots_of(nimmt, memory)
    for data in SAVES[:3]:
        slots.save(data)
    memory.slots[0][20] ^= 1  # the newest
    slots = slots_of(nimmt, memory)
    assert slots.load() == SAVES[1]
    slots.save(SAVES[3])
    assert memory.writes[-1] == 0
    assert slots_of(nimmt, memory).load() == SAVES[3]


def test_a_slot_that_cannot_be_written(nimmt: ModuleType) -> None:
    """Worn out: it keeps what it has. The save fails and says so; what was there is still there."""
    memory = Memory()
    slots = slots_of(nimmt, memory)
    for data in SAVES[:3]:
        slots.save(data)
    worn = nimmt.slots.Slots(memory.read, lambda slot, data: None)
    for data in SAVES[3:]:
        with pytest.raises(OSError, match="slot 1 does not hold what was written"):
            worn.save(data)
        assert worn.load() == SAVES[2]
        assert slots_of(nimmt, memory).load() == SAVES[2]


@pytest.mark.parametrize("sequence", [0, 1, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF])
def test_sequence_numbers_begin_again(nimmt: ModuleType, sequence: int) -> None:
    memory = Memory()
    packed = nimmt.slots._packed
    memory.slots[1][:46] = packed(sequence, SAVES[2])
    memory.slots[0][: 16 + len(SAVES[1])] = packed((sequence - 1) & 0xFFFFFFFF, SAVES[1])
    slots = slots_of(nimmt, memory)
    assert slots.load() == SAVES[2]
    for data in SAVES[3:]:
        slots.save(data)
        slots = slots_of(nimmt, memory)
        assert slots.load() == data
    assert memory.writes == [0, 1, 0, 1]


def test_a_copy_of_one_slot_in_both(nimmt: ModuleType) -> None:
    memory = Memory()
    slots_of(nimmt, memory).save(SAVES[0])
    memory.slots[1] = bytearray(memory.slots[0])
    assert slots_of(nimmt, memory).load() == SAVES[0]
    assert slots_of(nimmt, memory).save(SAVES[1])
    assert slots_of(nimmt, memory).load() == SAVES[1]


@pytest.mark.parametrize("content", [b"", b"6s", b"6s\1\0", b"\0" * 400, b"\xff" * 400, b"6s\1\0" + b"\xff" * 400])
def test_anything_in_a_slot(nimmt: ModuleType, content: bytes) -> None:
    memory = Memory()
    slots_of(nimmt, memory).save(SAVES[0])
    memory.slots[1] = bytearray(content)
    assert slots_of(nimmt, memory).load() == SAVES[0]


def test_lengths(nimmt: ModuleType) -> None:
    memory = Memory("file")
    slots = slots_of(nimmt, memory)
    for length in (1, 400, 0xFFFF):
        assert slots.save(bytes(length)) is True
        assert slots_of(nimmt, memory).load() == bytes(length)
    for length in (0, 0x10000):
        with pytest.raises(nimmt.NimmtError, match="1 to 65535"):
            slots.save(bytes(length))
    with pytest.raises(TypeError, match="str"):
        slots.save("text")
    assert slots.load() == bytes(0xFFFF)


def test_errors_of_the_memory_come_through(nimmt: ModuleType) -> None:
    def broken(slot: int, data: bytes) -> None:
        raise OSError(5, "the bus is gone")

    memory = Memory()
    slots_of(nimmt, memory).save(SAVES[0])
    slots = nimmt.slots.Slots(memory.read, broken)
    with pytest.raises(OSError, match="the bus is gone"):
        slots.save(SAVES[1])
    assert slots.load() == SAVES[0]


# Files


def test_files(nimmt: ModuleType, tmp_path: Path) -> None:
    path = str(tmp_path / "evening")
    game = nimmt.Game(10, seed=1, rules=nimmt.LOGIC)
    slots = nimmt.slots.files(path)
    assert slots.load() is None
    assert list(tmp_path.iterdir()) == []
    slots.save(game.save())
    assert [file.name for file in tmp_path.iterdir()] == ["evening.0"]
    assert nimmt.Game.load(nimmt.slots.files(path).load()) == game
    nimmt.slots.files(path).save(b"later")
    assert nimmt.slots.files(path).load() == b"later"
    (tmp_path / "evening.1").write_bytes(b"")
    assert nimmt.Game.load(nimmt.slots.files(path).load()) == game


def test_files_are_on_the_disk_before_save_returns(nimmt: ModuleType, tmp_path: Path, monkeypatch: Any) -> None:
    done = []
    flushed: Callable[[int], None] = os.fsync

    def fsync(descriptor: int) -> None:
        flushed(descriptor)
        done.append(("fsync", os.fstat(descriptor).st_size))

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "sync", lambda: done.append(("sync", 0)), raising=False)
    slots = nimmt.slots.files(str(tmp_path / "evening"))
    for data in SAVES[:3]:
        slots.save(data)
    size = [("fsync", len(data) + nimmt.slots.OVERHEAD) for data in SAVES]
    # A new file's name is in its folder, which is flushed too.
    assert done == [size[0], ("sync", 0), size[1], ("sync", 0), size[2]]


def test_a_folder_that_is_not_there(nimmt: ModuleType, tmp_path: Path) -> None:
    slots = nimmt.slots.files(str(tmp_path / "nowhere" / "evening"))
    assert slots.load() is None
    with pytest.raises(FileNotFoundError):
        slots.save(b"x")
    (tmp_path / "folder.0").mkdir()
    with pytest.raises(OSError):
        nimmt.slots.files(str(tmp_path / "folder"))


def test_at_most_the_last_turn_is_lost(nimmt: ModuleType) -> None:
    """An evening whose power is cut in every save; played on from what is there, it ends as one without cuts."""
    rounds = [(1 + 4 * seat for seat in range(4)), (2, 31, 58, 99)]
    expected, memory, turns = nimmt.referee.Referee(4), Memory("file"), 0
    power = 0
    for opening in rounds:
        expected.deal(tuple(opening))
        cards = [card for card in range(104, 0, -1) if card not in expected.seen]
        table = expected.copy()
        slots_of(nimmt, memory).save(table.save())
        for turn in range(10):
            plays = cards[4 * turn : 4 * turn + 4]
            play(expected, plays)
            play(table, plays)
            memory.power, power = power, (power + 7) % 220
            with pytest.raises(Cut):
                slots_of(nimmt, memory).save(table.save())
            memory.power = None
            table = nimmt.referee.Referee.load(slots_of(nimmt, memory).load())
            assert table.turn == turn + 1, "more than this turn was lost"
            play(table, plays)
            before = len(memory.writes)
            slots_of(nimmt, memory).save(table.save())
            slots_of(nimmt, memory).save(table.save())
            assert len(memory.writes) == before + 1, "one write a turn"
            turns += 1
        assert table == expected
    assert turns == 20


def play(table: Any, cards: list[int]) -> None:
    for seat, card in enumerate(cards):
        table.read(seat, card)
    table.place()
    while table.phase == "take":
        table.take(table.owed.seat, table.cheapest())
