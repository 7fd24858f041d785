"""Names, receivers, keys, files and lengths of time that a host may get wrong, in a program and at a terminal."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from post.desk import Desk
from post.helpers import START

from nimmt import IllegalMove, NimmtError
from nimmt.post import Store, StoreError, export_game, free_name, import_game

pytest_plugins = "post.fixtures"


def test_names_of_receivers_in_a_file(store: Store, tmp_path: Path) -> None:
    """Nobody is called so from now on; an export from before is taken as it is."""
    for name in ("all", "All", "DEALER", "dealer"):
        meaning = f"'{name}' cannot be a name: messages to '{name.lower()}' have another meaning"
        with pytest.raises(NimmtError, match=meaning):
            store.set_name("friday", 0, name)
        with pytest.raises(NimmtError, match="cannot be a name"):
            free_name(name, {})
    assert store.names("friday") == {}
    store.set_name("friday", 0, "Allan")
    lines = [line.replace('"Allan"', '"all"') for line in export_game(store, "friday", names=True)]
    with Store(tmp_path / "other.db") as other:
        import_game(other, lines)
        assert other.names("friday") == {0: "all"}
        assert list(export_game(other, "friday", names=True)) == lines
        other.set_name("friday", 0, "Ann")


def test_names_of_receivers(friday: Desk) -> None:
    for name in ("all", "ALL", "dealer"):
        for argv in (["join", name], ["name", "Bob", name]):
            assert f"'{name}' cannot be a name" in friday.refused(*argv)
    friday.ok("start")
    friday.ok("drop", "Ann")
    assert "'Dealer' cannot be a name" in friday.refused("take-over", "Ann", "Dealer")
    friday.ok("take-over", "Ann", "Allan")


@pytest.mark.parametrize(
    ("key", "error", "words"),
    [
        ("x", TypeError, r"\(version, number\), not 'x'"),
        (5, TypeError, r"\(version, number\), not 5"),
        ((1, 0, 0), TypeError, r"not \(1, 0, 0\)"),
        (("1", "0"), TypeError, "version of a key must be an integer"),
        ((1, 0.5), TypeError, "number of a key must be an integer"),
        ((-1, 0), NimmtError, "version of a key must be 0"),
        ((1, 2**70), NimmtError, "number of a key must be 0"),
        ((9, 0), StoreError, r"game 'friday' has no message \(9, 0\)"),
        ((2**63 - 1, 0), StoreError, "has no message"),
    ],
)
def test_keys_that_are_wrong(store: Store, key: Any, error: type[Exception], words: str) -> None:
    first = store.messages("friday")[0].key
    with pytest.raises(error, match=words):
        store.mark_sent("friday", [first, key], now=START)
    assert store.messages("friday")[0].sent is None, "the first is not marked either"
    with pytest.raises(TypeError):
        store.mark_sent("friday", 5, now=START)  # type: ignore[arg-type]
    assert store.mark_sent("friday", [[*first]], now=START) == 1  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("to", "error", "words"),
    [
        (9, IllegalMove, "no seat 9"),
        (-1, IllegalMove, "no seat -1"),
        ("x", IllegalMove, "not to 'x'"),
        ("0", IllegalMove, "not to '0'"),
        ("All", IllegalMove, "not to 'All'"),
        (1.0, TypeError, "a seat must be an integer"),
        (True, TypeError, "a seat must be an integer"),
    ],
)
def test_receivers_that_are_wrong(store: Store, to: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        store.messages("friday", to=to)
    for whom, count in (("all", 4), ("dealer", 1), (0, 1)):
        assert len(store.messages("friday", to=whom)) == count


def test_messages_to_nobody(friday: Desk) -> None:
    friday.ok("start")
    assert "no seat 9" in friday.refused("messages", "--to", 9)
    assert "no seat 3" in friday.refused("messages", "--to", 3, "--mark")
    assert "nobody is called 'x'" in friday.refused("messages", "--to", "x", code=2)
    assert friday.ok("messages", "--to", 2).count("========") == 1


def test_an_export_spares_what_is_there(friday: Desk, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.touch()  # holds nothing
    friday.ok("export", file)
    kept = file.read_text()
    friday.ok("start")
    assert f"{file} exists: give another name, or --overwrite" in friday.refused("export", file)
    assert file.read_text() == kept
    friday.ok("export", file, "--overwrite")
    assert file.read_text() == friday.ok("export") != kept
    for more in ([], ["--overwrite"]):
        assert "is the file of games" in friday.refused("export", friday.path, *more)
    assert "it is a directory" in friday.refused("export", tmp_path, "--overwrite")


def test_one_game_is_verified(friday: Desk) -> None:
    friday.ok("new", "monday")
    with sqlite3.connect(friday.path) as db:
        db.execute("UPDATE games SET digest = 'x' WHERE label = 'monday'")
    db.close()
    assert friday.ok("verify", "--game", "friday") == "game friday, 4 entries: its log leads to its state\n"
    assert "game 'monday'" in friday.refused("verify", "--game", "monday")
    assert "game 'monday'" in friday.refused("verify")
    assert "no game 'none'" in friday.refused("verify", "--game", "none")


@pytest.mark.parametrize("length", ["-5", "5", "5h-1h", "5x"])
def test_lengths_that_are_wrong(friday: Desk, length: str) -> None:
    friday.ok("start")
    words = f"a length of time is positive, like 48h, 2d, 1d12h, 90m or 30s, not '{length}'"
    assert f"argument length: {words}" in friday.refused("extend", length, code=2)
    assert f"argument length: {words}" in friday.refused("extend", length, "Ann", code=2)
    assert f"argument --later: {words}" in friday.refused("new", "x", "--later", length, code=2)
    assert "unrecognized arguments: -x" in friday.refused("extend", "5h", "-x", code=2)
    friday.ok("extend", "5h", "Ann")
