"""The file: what its tables are, how it is opened, and how an older one becomes a newer one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import sqlite3
except ImportError:  # a Python that was built without it; only files need it
    sqlite3 = None  # type: ignore[assignment]

from .errors import DamagedStore, FullStore, LockedStore, NewerStore, NotAStore, StoreError

APPLICATION = 0x366E7062  # "6npb": tells our files from those of other programs
VERSION = 1  # of the tables

_TABLES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    label TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    digest TEXT NOT NULL,       -- of the last entry of the log
    state BLOB NOT NULL         -- Dealer.save() after it
);
CREATE TABLE log (
    game INTEGER NOT NULL REFERENCES games (id),
    version INTEGER NOT NULL,
    entry TEXT NOT NULL,        -- canonical JSON
    digest TEXT NOT NULL,       -- SHA-256 of the digest before, this entry and its messages: a chain
    PRIMARY KEY (game, version)
) WITHOUT ROWID;
CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_is_not_cut BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TABLE messages (
    game INTEGER NOT NULL,
    version INTEGER NOT NULL,   -- of the entry that led to it
    number INTEGER NOT NULL,    -- among the messages of that entry, from 0
    recipient TEXT NOT NULL,    -- a seat, "all" or "dealer"
    kind TEXT NOT NULL,
    fields TEXT NOT NULL,       -- JSON
    sent INTEGER,               -- when it was sent; NULL: not yet
    PRIMARY KEY (game, version, number),
    FOREIGN KEY (game, version) REFERENCES log (game, version)
) WITHOUT ROWID;
CREATE INDEX unsent ON messages (game, version, number) WHERE sent IS NULL;
CREATE TABLE people (
    game INTEGER NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;
"""

#: From a version of the tables to the next. Each runs inside the transaction that raises the version.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the errors of SQLite into those of errors.py, the cause chained."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        code = getattr(error, "sqlite_errorcode", None)  # from Python 3.11 on
        primary = code & 255 if code is not None else None
        if primary in (5, 6) or "locked" in text or "busy" in text:
            raise LockedStore("another process holds the file: nothing was changed, try again") from error
        # A file that may not grow any more fails as an I/O error, whatever the reason.
        if primary in (10, 13) or "full" in text or "disk I/O" in text:
            raise FullStore(f"the disk is full or cannot be written: nothing was changed ({text})") from error
        if primary == 26 or "not a database" in text:
            raise NotAStore("this file is not a database") from error
        if primary == 11 or "malformed" in text:
            raise DamagedStore(f"the file is damaged: {text}") from error
        raise StoreError(f"the file cannot be used: {text}") from error


def connect(path: str | os.PathLike[str], synchronous: str, timeout: float, create: bool) -> sqlite3.Connection:
    """Open a file of games, or make one; bring an older one up to date. A foreign file is not touched."""
    if sqlite3 is None:
        what = "a file of games needs the module sqlite3, which this Python was built without"
        mend = "use a Python that has it, or keep what Dealer.save() and Dealer.log give"
        raise ImportError(f"{what}: {mend}", name="sqlite3")
    if os.path.isdir(path):
        raise NotAStore(f"{os.fspath(path)!r} is a folder, not a file")
    exists = os.path.exists(path) and os.path.getsize(path) > 0
    if not exists and not create:
        raise NotAStore(f"there is no file {os.fspath(path)!r}")
    if exists:
        _look(path, timeout)
    else:
        _make_private(path)
    with plain_errors():
        db = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    try:
        with plain_errors():
            if exists:
                _check_owner(db)
            db.execute("PRAGMA secure_delete = ON")
            db.execute("PRAGMA foreign_keys = ON")
            _write_ahead(db, timeout)
            db.execute(f"PRAGMA synchronous = {synchronous}")
            _upgrade(db)
    except BaseException:
        db.close()
        raise
    return db


def _make_private(path: str | os.PathLike[str]) -> None:
    """Make the file that its owner alone can read: it holds hands and seeds. SQLite gives its other files this mode."""
    if os.fspath(path) not in ("", ":memory:"):
        with suppress(OSError):  # SQLite says what is wrong
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _look(path: str | os.PathLike[str], timeout: float) -> None:
    """Refuse a foreign file or a newer one without writing to it, not even what is left of its last writer."""
    with plain_errors():
        db = sqlite3.connect(Path(path).absolute().as_uri() + "?mode=ro", timeout=timeout, uri=True)
        try:
            _check_owner(db)
        except sqlite3.OperationalError:
            pass  # it cannot be read without being mended; the next look is allowed to
        finally:
            db.close()


def _numbers(db: sqlite3.Connection) -> tuple[int, int]:
    """Return whose file it is and the version of its tables."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return application, version


def _check_owner(db: sqlite3.Connection) -> None:
    application, version = _numbers(db)
    # A process that is just making the file may have made nothing but a header yet.
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (application or version or tables):
        raise NotAStore("this database belongs to another program")
    if application == APPLICATION and version > VERSION:
        raise NewerStore(f"tables of version {version}; this release knows {VERSION}: install a newer one")


def _write_ahead(db: sqlite3.Connection, timeout: float) -> None:
    """Switch to write-ahead logging. SQLite does not wait for others here by itself."""
    until = time.monotonic() + timeout
    while True:
        try:
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
    if mode != "wal":
        raise StoreError(f"the file must be on a local disk: it does not allow write-ahead logging ({mode})")


def _upgrade(db: sqlite3.Connection) -> None:
    """Make the tables, or bring them to this version: all in one transaction, or not at all."""
    if _numbers(db) == (APPLICATION, VERSION):
        return
    with transaction(db):
        _check_owner(db)  # again, now that nobody else can write
        application, version = _numbers(db)
        if application != APPLICATION:
            for statement in _statements(_TABLES):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            version = VERSION
        while version < VERSION:
            if version not in MIGRATIONS:
                raise DamagedStore(f"this release cannot bring tables of version {version} up to date")
            MIGRATIONS[version](db)
            version += 1
        db.execute(f"PRAGMA user_version = {VERSION}")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one: executescript would commit."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Do all or nothing of what is written inside, with nobody else writing in between."""
    with plain_errors():
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            # Some errors, like a full disk, have ended the transaction already.
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
