"""Many games by post in one SQLite file, safe against kills, crashes and other processes; a game as text, and back."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timezone, tzinfo
from typing import Any, NamedTuple

from ..errors import BadRecord, NimmtError
from .dealer import Dealer
from .errors import DamagedStore, StoreError
from .messages import Message, checked_key, checked_label, checked_name, checked_receiver, free_name
from .schema import connect, plain_errors, transaction
from .state import checked_now, packed
from .texts import text

EXPORT = 1  # the format of the lines of an exported game
_NO_DIGEST = ""


class Stored(NamedTuple):
    """A message in the file.

    key            the version of the game that led to it, and its number among the messages of that version, from 0
    message        the message
    sent           when it was marked as sent, in seconds since 1970 (UTC); None if it was not
    """

    key: tuple[int, int]
    message: Message
    sent: int | None


class Store:
    """A file of games by post. Use one Store for each thread and process; any number may have the same file open.

    path           the file; it is made if it does not exist, unless create=False
    synchronous    "FULL" (default): an accepted call survives a power cut. "NORMAL": it survives the end of the process
                   at any instant, but a power cut may lose the last ones, never part of one
    timeout        seconds to wait for another process before LockedStore
    check          "replay" (default): on opening, every game's log is replayed and compared with its state; "none":
                   that is left to verify()

    A call of a dealer is one transaction: entries of the log, messages and the new state, or nothing. Errors: see
    nimmt.post.StoreError and its children; a dealer's own errors come through, and nothing is written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        synchronous: str = "FULL",
        timeout: float = 10.0,
        check: str = "replay",
        create: bool = True,
    ) -> None:
        if synchronous not in ("FULL", "NORMAL"):
            raise NimmtError(f'synchronous must be "FULL" or "NORMAL", not {synchronous!r}')
        if check not in ("replay", "none"):
            raise NimmtError(f'check must be "replay" or "none", not {check!r}')
        self._db = connect(path, synchronous, timeout, create)
        if check == "replay":
            try:
                for label in self.labels():
                    self.verify(label)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Close the file. All that was accepted is in it already."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Games

    def labels(self) -> list[str]:
        """Return the labels of all games, in the order in which they were made."""
        with plain_errors():
            return [label for (label,) in self._db.execute("SELECT label FROM games ORDER BY id")]

    def new(self, label: str, **options: Any) -> list[Message]:
        """Make a game and open it: `options` are those of Dealer.open. StoreError if there is one of this label."""
        label, dealer = checked_label(label), Dealer()
        messages = dealer.open(**options)
        with transaction(self._db):
            self._insert(label, dealer)
        return messages

    def insert(self, label: str, dealer: Dealer, names: dict[int, str], sent: set[tuple[int, int]]) -> None:
        """Take in a game from elsewhere: a dealer with its whole log. `sent` are the messages that were sent."""
        with transaction(self._db):
            game = self._insert(checked_label(label), dealer)
            for seat, name in names.items():
                row = (game, dealer.check_seat(seat), checked_name(name))
                self._db.execute("INSERT INTO people VALUES (?, ?, ?)", row)
            update = "UPDATE messages SET sent = ? WHERE game = ? AND version = ? AND number = ?"
            self._db.executemany(update, [(dealer.clock, game, *key) for key in sent])

    def _insert(self, label: str, dealer: Dealer) -> int:
        if label in self.labels():
            raise StoreError(f"there is a game {label!r} already")
        row = (label, 0, _NO_DIGEST, b"")
        cursor = self._db.execute("INSERT INTO games (label, version, digest, state) VALUES (?, ?, ?, ?)", row)
        game = cursor.lastrowid
        assert game is not None
        self._append(game, _NO_DIGEST, dealer)
        return game

    @contextmanager
    def dealer(self, label: str) -> Iterator[Dealer]:
        """Make calls of a game's dealer: `with store.dealer("friday") as dealer: dealer.submit(0, 17, now=now)`.

        The calls are accepted when the block has ended, all of them together; if it ends with an error, none is.
        """
        with transaction(self._db):
            game, digest, dealer = self._load(label)
            yield dealer
            if dealer.steps:
                self._append(game, digest, dealer)

    def load(self, label: str) -> Dealer:
        """Return a game's dealer as it is now, to look at: what is done with it is not kept."""
        with plain_errors():
            return self._load(label)[2]

    def _load(self, label: str) -> tuple[int, str, Dealer]:
        row = self._db.execute("SELECT id, version, digest, state FROM games WHERE label = ?", (label,)).fetchone()
        if row is None:
            raise StoreError(f"there is no game {label!r}")
        game, version, digest, state = row
        try:
            dealer = Dealer.load(state)
        except (BadRecord, TypeError) as error:
            raise DamagedStore(f"the state of game {label!r} is damaged: {error}") from error
        if dealer.version != version:
            raise DamagedStore(f"game {label!r} has version {version}, but its state {dealer.version}")
        return game, digest, dealer

    def _append(self, game: int, digest: str, dealer: Dealer) -> None:
        """Write the steps that a dealer has made, and its state after them."""
        entries, messages = [], []
        for step in dealer.steps:
            entry, version = packed(step.entry).decode(), step.entry["version"]
            rows = [_row(said) for said in step.messages]
            digest = _chained(digest, entry, rows)
            entries.append((game, version, entry, digest))
            messages += [(game, version, number, *row) for number, row in enumerate(rows)]
        self._db.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", entries)
        self._db.executemany("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, NULL)", messages)
        update = "UPDATE games SET version = ?, digest = ?, state = ? WHERE id = ?"
        self._db.execute(update, (dealer.version, digest, dealer.save(), game))

    # Log

    def log(self, label: str) -> list[dict[str, Any]]:
        """Return all entries of a game's log. They hold all cards and the seed."""
        with plain_errors():
            return [json.loads(entry) for _, entry, _ in self._entries(self._id(label))]

    def _entries(self, game: int) -> list[tuple[int, str, str]]:
        return self._db.execute(
            "SELECT version, entry, digest FROM log WHERE game = ? ORDER BY version", (game,)
        ).fetchall()

    def _said(self, game: int) -> dict[int, list[tuple[str, str, str]]]:
        """Return the messages of a game by the version that led to them."""
        query = "SELECT version, recipient, kind, fields FROM messages WHERE game = ? ORDER BY version, number"
        found: dict[int, list[tuple[str, str, str]]] = {}
        for version, *row in self._db.execute(query, (game,)):
            found.setdefault(version, []).append((row[0], row[1], row[2]))
        return found

    def _id(self, label: str) -> int:
        row = self._db.execute("SELECT id FROM games WHERE label = ?", (label,)).fetchone()
        if row is None:
            raise StoreError(f"there is no game {label!r}")
        return int(row[0])

    def verify(self, label: str | None = None) -> int:
        """Replay the log of a game, or of all, and compare it with the state; return the number of entries.

        Without a label the file itself is checked too. DamagedStore, naming the game, if something is wrong.
        """
        if label is None:
            with plain_errors():
                (found,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
                strangers = self._db.execute("PRAGMA foreign_key_check").fetchall()
            if found != "ok" or strangers:
                raise DamagedStore(f"the file is damaged: {found if found != 'ok' else strangers[0]}")
            return sum(self.verify(other) for other in self.labels())
        with plain_errors():
            # One transaction, so that log and state are of the same instant.
            self._db.execute("BEGIN")
            try:
                game, digest, dealer = self._load(label)
                entries, said = self._entries(game), self._said(game)
            finally:
                self._db.execute("ROLLBACK")
        again, chain = Dealer(), _NO_DIGEST
        for number, (version, entry, stored) in enumerate(entries, 1):
            chain = _chained(chain, entry, said.pop(version, []))
            if version != number or stored != chain:
                raise DamagedStore(f"the log of game {label!r} is damaged at entry {number}")
            try:
                again.repeat(json.loads(entry))
            except (NimmtError, ValueError) as error:
                raise DamagedStore(f"the log of game {label!r} cannot be replayed: {error}") from error
        if again != dealer or chain != digest or said:
            raise DamagedStore(f"the state of game {label!r} is not what its log leads to")
        return len(entries)

    # Messages

    def messages(
        self, label: str, *, unsent: bool = False, zone: tzinfo = timezone.utc, to: int | str | None = None
    ) -> list[Stored]:
        """Return the messages of a game in order, with the names of the people and times of a zone in their bodies.

        to             only those to a seat, to "all" or to "dealer"; IllegalMove if there is no such seat or receiver
        """
        if to is not None and isinstance(to := checked_receiver(to), int):
            to = self.load(label).check_seat(to)
        names = self.names(label)
        with plain_errors():
            query = "SELECT version, number, recipient, kind, fields, sent FROM messages WHERE game = ?"
            query += " AND sent IS NULL" * unsent + " ORDER BY version, number"
            rows = self._db.execute(query, (self._id(label),)).fetchall()
        found = []
        for version, number, recipient, kind, fields, sent in rows:
            said, whom = json.loads(fields), int(recipient) if recipient.isdigit() else recipient
            if to is None or to == whom:
                found.append(Stored((version, number), Message(whom, kind, said, text(kind, said, names, zone)), sent))
        return found

    def mark_sent(self, label: str, keys: Iterable[tuple[int, int]], *, now: int) -> int:
        """Note that these messages were sent; return how many were not marked yet. None is marked if one is refused.

        keys           those of messages(); TypeError for a key that is not (version, number), StoreError for one that
                       the game does not have
        """
        now, changed, marked = checked_now(now), 0, [checked_key(key) for key in keys]
        with transaction(self._db):
            game = self._id(label)
            where = "WHERE game = ? AND version = ? AND number = ?"
            for key in marked:
                if self._db.execute(f"SELECT 1 FROM messages {where}", (game, *key)).fetchone() is None:
                    raise StoreError(f"game {label!r} has no message {key}")
                update = f"UPDATE messages SET sent = ? {where} AND sent IS NULL"
                changed += self._db.execute(update, (now, game, *key)).rowcount
        return changed

    # People

    def names(self, label: str) -> dict[int, str]:
        """Return the names of a game's people by seat."""
        with plain_errors():
            rows = self._db.execute("SELECT seat, name FROM people WHERE game = ? ORDER BY seat", (self._id(label),))
            return dict(rows.fetchall())

    def set_name(self, label: str, seat: int, name: str) -> None:
        """Name who sits at a seat, or somebody else instead. The game does not know names, nor does its log.

        StoreError if another seat of the game has this name; NimmtError for "all" and "dealer".
        """
        name = checked_name(name)
        with transaction(self._db):
            game, _, dealer = self._load(label)
            seat = dealer.check_seat(seat)
            name = free_name(name, self.names(label), seat)
            self._db.execute("INSERT OR REPLACE INTO people VALUES (?, ?, ?)", (game, seat, name))

    def erase_name(self, label: str, seat: int) -> None:
        """Erase a name from the file, also from its unused parts. The game goes on."""
        with transaction(self._db):
            self._db.execute("DELETE FROM people WHERE game = ? AND seat = ?", (self._id(label), seat))
        with plain_errors():
            # The write-ahead file still has the old page; another process that reads right now keeps it a while.
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _chained(before: str, entry: str, messages: list[tuple[str, str, str]]) -> str:
    """Return the digest of an entry and its messages, after the digest before it."""
    return hashlib.sha256(packed([before, entry, messages])).hexdigest()


def _row(said: Message) -> tuple[str, str, str]:
    return str(said.to), said.kind, packed(said.fields).decode()


# A game as JSON Lines, and back: for backups, other machines, bug reports


def export_game(store: Store, label: str, names: bool = False) -> Iterator[str]:
    """Yield the lines of a game: a head, the entries of its log, an end with the messages that were not sent.

    They hold all cards and the seed; the names of the people only if asked for.
    """
    log = store.log(label)
    head: dict[str, Any] = {"nimmt post": EXPORT, "label": label}
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
                raise BadRecord("text after the end" if end else "it is not a JSON object")
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
    if value.get("nimmt post") != EXPORT or not isinstance(value.get("label"), str):
        raise BadRecord(f"a game by post begins with a head of format {EXPORT}")
    return value
