"""The file of a saved game: JSON with the person's seat, the bots, and the record of the game.

The record is in base64, so that a look at the file does not show the hands of the others. What Game.save() gave and
records are read as well.
"""

import base64
import binascii
import json
from dataclasses import dataclass

import nimmt
from nimmt.bots import POLICIES

from .common import Failure
from .files import read_bytes, shown, text_of
from .seats import Seating

VERSION = 1
_KIND = "nimmt play"


@dataclass(frozen=True)
class Kept:
    """A saved game. `seats` has a policy for each seat, None for the person; it is () where the file does not tell."""

    game: nimmt.Game
    seats: Seating = ()


def pack(kept: Kept) -> bytes:
    """Return a game as the bytes of a file."""
    record = base64.b64encode(kept.game.record().encode()).decode()
    return (json.dumps({"kind": _KIND, "version": VERSION, "bots": kept.seats, "record": record}) + "\n").encode()


def load(path: str) -> Kept:
    """Read a saved game; Failure, naming the file, if it is none."""
    data = read_bytes(path)
    try:
        if data.startswith(b"6n"):
            return Kept(nimmt.Game.load(data))
        text = text_of(data, path)
        if text.startswith("nimmt record"):
            return Kept(nimmt.replay(text))
        return _unpack(text)
    except nimmt.BadRecord as error:
        raise Failure(f"{shown(path)}: {_discreet(str(error))}") from None


def is_saved(text: str) -> bool:
    """Is this what pack() writes, by its beginning?"""
    return text.startswith(json.dumps({"kind": _KIND})[:-1])


def _unpack(text: str) -> Kept:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or fields.get("kind") != _KIND:
        raise nimmt.BadRecord("this is no saved game")
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
    return Kept(game, tuple(bots))


def _discreet(message: str) -> str:
    """Return the message of a record that does not agree with itself without what its lines say: hands, perhaps."""
    number, colon, _ = message.partition(":")
    return f"the save is damaged in {number} of its record" if colon and number.startswith("line ") else message
