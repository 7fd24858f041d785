"""Files that are wrong, full disks, older files."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from post.helpers import START, submit_lowest

from nimmt.post import (
    DamagedStore,
    FullStore,
    NewerStore,
    NotAStore,
    Store,
    StoreError,
    schema,
)

pytest_plugins = "post.fixtures"


def damage(path: Path, statement: str, *values: Any) -> None:
    """Change the file behind the back of the store."""
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER IF EXISTS log_is_not_changed")
        db.execute("DROP TRIGGER IF EXISTS log_is_not_cut")
        db.execute(statement, values)
    db.close()


# Files that are wrong


def test_files_that_are_not_ours(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("Dear dealer, " * 500)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE mails (body TEXT)")
    db.close()
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("PRAGMA application_id = 77")
        db.execute("CREATE TABLE games (id INTEGER)")
    db.close()
    for file in (text, foreign, other):
        before = file.read_bytes()
        with pytest.raises(NotAStore):
            Store(file)
        assert file.read_bytes() == before
        assert sorted(path.name for path in tmp_path.iterdir()) == ["foreign.db", "other.db", "text"]
    with pytest.raises(NotAStore):
        Store(tmp_path / "missing.db", create=False)
    with pytest.raises(StoreError):
        Store(tmp_path / "no folder" / "x.db")
    for create in (True, False):
        with pytest.raises(NotAStore, match="is a folder"):
            Store(tmp_path, create=create)
    with pytest.raises(StoreError):
        Store(":memory:")


def test_a_newer_file(store: Store, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerStore, match="version 2"):
        Store(path)
    assert path.read_bytes() == before


def test_damaged_pages(store: Store, path: Path) -> None:
    with store.dealer("friday") as dealer:
        for seat in range(3):
            submit_lowest(dealer, [seat], START)
    store.close()
    good = path.read_bytes()
    for bad in (good[: len(good) // 2], good[:4096] + b"\x55" * (len(good) - 4096)):
        path.write_bytes(bad)
        with pytest.raises((DamagedStore, NotAStore)):
            Store(path)
    path.write_bytes(good)
    with Store(path) as again:
        assert again.verify() == 8


def test_any_byte_damaged(store: Store, path: Path) -> None:
    """A flipped byte is found, or nothing that is kept has changed."""
    with store.dealer("friday") as dealer:
        submit_lowest(dealer, range(3), START)
    kept = store.log("friday"), store.messages("friday"), store.load("friday").save()
    store.close()
    good, found = path.read_bytes(), 0
    rng = random.Random(1)
    for at in rng.sample(range(len(good)), 300):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1 :])
        try:
            with Store(path) as again:
                again.verify()
                assert (again.log("friday"), again.messages("friday"), again.load("friday").save()) == kept, at
        except StoreError:
            found += 1
    assert found > 50


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET state = CAST(replace(state, '\"clock\":1', '\"clock\":2') AS BLOB)",
        "UPDATE games SET state = x'00'",
        "UPDATE games SET version = 3",
        "UPDATE games SET digest = 'x'",
        "UPDATE log SET entry = replace(entry, '\"first\":259200', '\"first\":259201') WHERE version = 1",
        "UPDATE log SET entry = '{}' WHERE version = 2",
        "UPDATE log SET digest = 'x' WHERE version = 2",
        "UPDATE messages SET fields = '{}' WHERE version = 5",
        "UPDATE messages SET recipient = 'all' WHERE version = 5",
        "DELETE FROM messages WHERE version = 2",
        "DELETE FROM log WHERE version = 5",
        "DELETE FROM log WHERE version = 1",
        "UPDATE log SET version = 9 WHERE version = 5",
    ],
)
def test_contradictions(store: Store, path: Path, statement: str) -> None:
    damage(path, "PRAGMA foreign_keys = OFF")
    damage(path, statement)
    with pytest.raises(DamagedStore):
        store.verify("friday")
    with pytest.raises(DamagedStore):
        Store(path)
    with Store(path, check="none") as other, pytest.raises(DamagedStore):
        other.verify()


def test_messages_without_an_entry(store: Store, path: Path) -> None:
    damage(path, "INSERT INTO messages VALUES (1, 99, 0, 'all', 'paused', '{}', NULL)")
    with pytest.raises(DamagedStore):
        store.verify()


# A disk that is full


def test_a_file_that_may_not_grow(store: Store, path: Path) -> None:
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages + 3}")
    accepted, version = 0, store.load("friday").version
    with pytest.raises(FullStore):
        for second in range(1, 500):
            with store.dealer("friday") as dealer:
                dealer.extend(1, now=START + second)
            accepted += 1
    assert store.load("friday").version == version + accepted
    assert store.verify() == version + accepted
    store._db.execute("PRAGMA max_page_count = 1000000")
    with store.dealer("friday") as dealer:
        dealer.extend(1, now=START + 900)
    with Store(path) as again:
        assert again.verify() == version + accepted + 1


FULL_DISK = """
import resource, sys
from nimmt.post import *
store = Store(sys.argv[1], check="none")
now = store.load("friday").clock
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
accepted = 0
try:
    while True:
        now += 1
        with store.dealer("friday") as dealer:
            dealer.extend(1, now=now)
        accepted += 1
except FullStore:
    print(accepted, store.load("friday").version)
"""


def test_a_disk_that_is_full(store: Store, path: Path) -> None:
    pytest.importorskip("resource")
    version = store.load("friday").version
    store.close()
    run = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    accepted, now = map(int, run.stdout.split())
    assert accepted > 0 and now == version + accepted
    with Store(path) as again:
        assert again.verify() == version + accepted


# A Python without SQLite

NO_SQLITE = """
import sys
sys.modules["sqlite3"] = None  # an import of it fails
import nimmt
from nimmt.post import *
dealer = Dealer()
for call in (dealer.open, dealer.join, dealer.join, dealer.start):
    messages = call(now=5)
print(text(messages[0].kind, messages[0].fields, {0: "Ann"}).splitlines()[0])
print(Dealer.load(dealer.save()) == dealer, nimmt.post.free_name("Bob", {}))
try:
    Store(sys.argv[1])
except ImportError as error:
    print(error.name, "|", error)
from nimmt import cli
sys.exit(cli.main(["post", "new", "--file", sys.argv[1]]))
"""


def test_without_sqlite(path: Path) -> None:
    """Only a file needs SQLite; who asks for one is told what is missing, and what to do."""
    run = subprocess.run([sys.executable, "-c", NO_SQLITE, str(path)], capture_output=True, text=True)
    missing = "a file of games needs the module sqlite3, which this Python was built without: "
    first, second, third = run.stdout.splitlines()
    assert (first, second) == ("Round 1, turn 1", "True Bob")
    assert third.startswith(f"sqlite3 | {missing}use a Python that has it, or keep what Dealer.save()")
    assert run.stderr.startswith(f"nimmt post: error: {missing}") and run.stderr.count("\n") == 1
    assert run.returncode == 1 and not path.exists()


# Migrations


def test_an_older_file_is_brought_up_to_date(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.close()

    def first(db: sqlite3.Connection) -> None:
        db.execute("ALTER TABLE games ADD COLUMN note TEXT")

    def second(db: sqlite3.Connection) -> None:
        db.execute("UPDATE games SET note = 'moved'")
        if fail:
            raise sqlite3.OperationalError("something went wrong")

    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 2)
    monkeypatch.setattr(schema, "MIGRATIONS", {1: first, 2: second})
    fail = True
    with pytest.raises(StoreError):
        Store(path)
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    assert "note" not in [column[1] for column in db.execute("PRAGMA table_info(games)")]
    db.close()
    fail = False
    for _ in range(2):
        with Store(path) as again:
            assert again._db.execute("SELECT note FROM games").fetchall() == [("moved",)]
            assert again._db.execute("PRAGMA user_version").fetchone() == (3,)
            assert again.verify() == 5
    monkeypatch.setattr(schema, "VERSION", 9)
    with pytest.raises(DamagedStore, match="cannot bring tables of version 3 up to date"):
        Store(path)
