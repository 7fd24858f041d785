"""Saves that outlive a power cut: two slots, written in turn, in files or any memory.

    >>> from nimmt.slots import files
    >>> slots = files("evening")                # evening.0 and evening.1
    >>> table = Referee.load(slots.load()) if slots.load() else Referee(players=4)
    >>> slots.save(table.save())                # after each turn, when its cards are not in doubt

A slot is "6s", version, 0, sequence number (4 bytes), length (4), the data, CRC-32 of all before it (4), little-endian;
what follows does not matter. The newest whole slot counts, and the other one is written next. So a write that is cut
anywhere leaves the save before it, and a slot is written every second time.

VERSION        the version of this format
OVERHEAD       a slot has so many bytes besides its data
"""

import os

from .args import as_bytes
from .errors import NimmtError
from .port import Callable, crc32

VERSION = 1
OVERHEAD = 16
_HEAD = 12


class Slots:
    """Two save slots in turn.

    read           read(slot) -> the bytes of slot 0 or 1 from its start on, more than were written if that is simpler;
                   None or b"" if it was never written. A file, a page of flash, a region of an EEPROM or FRAM
    write          write(slot, data) writes them from its start on, and returns when they will outlive a power cut. What
                   lies behind them may stay. A slot of nimmt.SAVE_MAX + OVERHEAD bytes holds any save

    Errors of `read` and `write` come through; then the newest whole save is still there.
    """

    def __init__(
        self, read: "Callable[[int], bytes | bytearray | None]", write: "Callable[[int, bytes], object]"
    ) -> None:
        self._read, self._write = read, write
        first, second = _whole(read(0)), _whole(read(1))
        self._slot = 1  # the slot that holds `_kept`; slot 0 is written first
        self._kept = first or second
        if first and (not second or _follows(first[0], second[0])):
            self._slot = 0
        elif second:
            self._kept = second

    def load(self) -> "bytes | None":
        """Return the newest whole save, or None if neither slot has one."""
        return self._kept[1] if self._kept else None

    def save(self, data: "bytes | bytearray") -> bool:
        """Write 1..65535 bytes to the older slot; nothing if they are what load() returns. Was anything written?

        Raises OSError if the slot does not hold what was written to it; then load() is as it was.
        """
        data = as_bytes(data, "a save")
        if not 1 <= len(data) <= 0xFFFF:
            raise NimmtError(f"a slot takes 1 to 65535 bytes, not {len(data)}")
        if self._kept and self._kept[1] == data:
            return False
        kept = ((self._kept[0] + 1) & 0xFFFFFFFF if self._kept else 0, data)
        slot = 1 - self._slot
        self._write(slot, _packed(kept[0], data))
        if _whole(self._read(slot)) != kept:
            raise OSError(f"slot {slot} does not hold what was written to it")
        self._slot, self._kept = slot, kept
        return True


def _follows(newer: int, older: int) -> bool:
    """Does a sequence number come after another, or equal it? They begin again after 2**32-1."""
    return (newer - older) & 0xFFFFFFFF < 0x80000000


def _packed(sequence: int, data: bytes) -> bytes:
    head = b"6s" + bytes((VERSION, 0)) + sequence.to_bytes(4, "little") + len(data).to_bytes(4, "little")
    return head + data + crc32(data, crc32(head)).to_bytes(4, "little")


def _whole(slot: "bytes | bytearray | None") -> "tuple[int, bytes] | None":
    """Return sequence number and data of a slot, or None if it is not whole."""
    slot = bytes(slot or b"")
    if len(slot) < OVERHEAD or slot[:4] != b"6s" + bytes((VERSION, 0)):
        return None
    end = _HEAD + int.from_bytes(slot[8:_HEAD], "little")
    if not _HEAD < end <= len(slot) - 4 or crc32(slot[:end]) != int.from_bytes(slot[end : end + 4], "little"):
        return None
    return int.from_bytes(slot[4:8], "little"), slot[_HEAD:end]


def files(path: str) -> Slots:
    """Return slots in two files, path + ".0" and path + ".1"; they are made when they are first written."""

    def read(slot: int) -> "bytes | None":
        return _read_file(f"{path}.{slot}")

    def write(slot: int, data: bytes) -> None:
        _write_file(f"{path}.{slot}", data)

    return Slots(read, write)


def _read_file(path: str) -> "bytes | None":
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        if error.args[0] == 2:  # ENOENT; MicroPython has no error.errno everywhere
            return None
        raise


def _write_file(path: str, data: bytes) -> None:
    """Write a file so that it outlives a power cut, as far as this machine has a way to say so."""
    try:
        os.stat(path)
        new = False
    except OSError:
        new = True
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        if hasattr(os, "fsync"):
            os.fsync(file.fileno())
    if hasattr(os, "sync") and (new or not hasattr(os, "fsync")):  # the name of a new file is in its folder
        os.sync()
