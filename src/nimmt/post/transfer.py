"""A game as JSON Lines, and back: for backups, other machines, bug reports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from .. import BadRecord, NimmtError
from .dealer import Dealer
from .store import Store
from .table import packed

FORMAT = 1  # of the lines


def export_game(store: Store, label: str, names: bool = False) -> Iterator[str]:
    """Yield the lines of a game: a head, the entries of its log, an end with the messages that were not sent.

    They hold all cards and the seed; the names of the people only if asked for.
    """
    log = store.log(label)
    head: dict[str, Any] = {"nimmt post": FORMAT, "label": label}
    if names:
        head["names"] = {str(seat): name for seat, name in store.names(label).items()}
    yield packed(head).decode()
    for entry in log:
        yield packed(entry).decode()
    # Messages that a call has led to since then are not of this export.
    unsent = [list(stored.key) for stored in store.messages(label, unsent=True) if stored.key[0] <= len(log)]
    yield packed({"end": len(log), "unsent": unsent}).decode()


def import_game(store: Store, lines: Iterable[str], label: str | None = None) -> str:
    """Take in a game from lines of export_game, replayed call by call; return its label.

    BadRecord, naming the line, if they are not such a game; StoreError if there is a game of that label.
    """
    number, dealer = 0, Dealer()
    head: dict[str, Any] = {}
    end: dict[str, Any] | None = None
    for line in lines:
        number += 1
        try:
            value = json.loads(line)
            if not isinstance(value, dict) or end is not None:
                raise BadRecord("text after the end" if end else "no JSON object")
            if number == 1:
                head = _head(value)
            elif "end" in value:
                end = value
            else:
                dealer.repeat(value)
        except (NimmtError, ValueError, RecursionError) as error:
            raise BadRecord(f"line {number}: {error}") from error
    if end is None or end["end"] != dealer.version or dealer.version == 0:
        raise BadRecord(f"line {number + 1}: the game is cut, its end is missing")
    found = head["label"] if label is None else label
    try:
        names = {int(seat): name for seat, name in head.get("names", {}).items()}
        unsent = {(int(version), int(place)) for version, place in end["unsent"]}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRecord(f"head or end do not parse: {error!r}") from error
    every = {(step.entry["version"], place) for step in dealer.steps for place in range(len(step.messages))}
    if not unsent <= every:
        raise BadRecord("the end names messages that the game does not have")
    store.insert(found, dealer, names, every - unsent)
    return str(found)


def _head(value: dict[str, Any]) -> dict[str, Any]:
    if value.get("nimmt post") != FORMAT or not isinstance(value.get("label"), str):
        raise BadRecord(f"a game by post begins with a head of format {FORMAT}")
    return value
