"""The files of play: a saved game, and the record of one that is over.

A saved game is JSON with the person's seat, the bots, and the record of the game.

The record is in base64, so that a look at the file does not show the hands of the others. What Game.save() gave and
records are read as well.
"""

import base64
import binascii
import json
import os
from typing import NamedTuple

import nimmt
from nimmt.bots import POLICIES

from ..common import Failure, note
from ..files import check_free, check_writable, read_bytes, shown, text_of, write_bytes
from .seats import Seating

VERSION = 1
_KIND = "nimmt play"


class Saved(NamedTuple):
    """A game and the policy of each seat, None for the person; `seats` is () where a file does not tell."""

    game: nimmt.Game
    seats: Seating = ()


def pack(saved: Saved) -> bytes:
    """Return a game as the bytes of a file."""
    record = base64.b64encode(saved.game.record().encode()).decode()
    return (json.dumps({"kind": _KIND, "version": VERSION, "bots": saved.seats, "record": record}) + "\n").encode()


def load(path: str) -> Saved:
    """Read a saved game; Failure, naming the file, if it is something else."""
    data = read_bytes(path)
    try:
        if data.startswith(b"6n"):
            return Saved(nimmt.Game.load(data))
        text = text_of(data, path)
        if text.startswith("nimmt record"):
            return Saved(nimmt.replay(text))
        return _unpack(text)
    except nimmt.BadRecord as error:
        raise Failure(f"{shown(path)}: {_discreet(str(error))}") from None


def check_place(path: str, loaded: str | None) -> None:
    """Refuse to put a saved game in the place of anything but the file that it was loaded from, or an empty one."""
    check_writable(path)
    if not (loaded and os.path.realpath(path) == os.path.realpath(loaded)):
        check_free(path, f"go on with it with --load {path}, or remove it")


def write_record(path: str, game: nimmt.Game) -> None:
    """Write the record of a game as text, and say so."""
    write_bytes(path, (game.record() + "\n").encode(), private=True)
    note(f"The record is in {path}.")


def is_saved(text: str) -> bool:
    """Is this what pack() writes, by its beginning?"""
    return text.startswith(json.dumps({"kind": _KIND})[:-1])


def _unpack(text: str) -> Saved:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or fields.get("kind") != _KIND:
        raise nimmt.BadRecord("this is not a saved game")
    version = fields.get("version")
    if version != VERSION:
        number = version if isinstance(version, int) else "unknown"
        raise nimmt.BadRecord(f"a save of version {number}; this release reads {VERSION}")
    bots, record = fields.get("bots"), fields.get("record")
    try:
        if not isinstance(bots, list) or not isinstance(record, str):
            raise ValueError
        text = base64.b64decode(record, validate=True).decode()
    except (ValueError, binascii.Error):
        raise nimmt.BadRecord("the save is damaged") from None
    game = nimmt.replay(text)
    known = [bot for bot in bots if bot is None or bot in POLICIES]
    if len(known) != len(bots) or len(bots) != game.players or bots.count(None) != 1:
        raise nimmt.BadRecord("the save is damaged: it needs one person, and a bot at each other seat")
    return Saved(game, tuple(bots))


def _discreet(message: str) -> str:
    """Return the message of a record that does not agree with itself without what its lines say: hands, perhaps."""
    number, colon, _ = message.partition(":")
    return f"the save is damaged in {number} of its record" if colon and number.startswith("line ") else message
