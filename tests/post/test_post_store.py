"""Store: many games in a file, several processes, names, migrations, and files that are wrong."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from post.helpers import START, started, submit_lowest

import nimmt
from nimmt import BadRecord, IllegalMove, NimmtError, WrongPhase
from nimmt.post import (
    LockedStore,
    StaleVersion,
    Store,
    StoreError,
    export_game,
    import_game,
)

pytest_plugins = "post.fixtures"


# Calls


def test_a_call_is_log_messages_and_state(store: Store, path: Path) -> None:
    with store.dealer("friday") as dealer:
        messages = submit_lowest(dealer, range(3), START + 1)
    assert [entry["call"] for entry in store.log("friday")] == ["open"] + ["join"] * 3 + ["start"] + ["submit"] * 3
    assert [stored.message for stored in store.messages("friday")][-len(messages) :] == messages
    with Store(path) as other:
        assert other.load("friday") == store.load("friday") == dealer
        assert other.verify() == 8


def test_a_refused_call_writes_nothing(store: Store) -> None:
    before = store.log("friday"), store.messages("friday"), store.load("friday").save()
    with pytest.raises(IllegalMove), store.dealer("friday") as dealer:
        dealer.submit(0, dealer.game().hand(0)[0], now=START)
        dealer.submit(0, 105, now=START)
    with pytest.raises(KeyError), store.dealer("friday") as dealer:
        dealer.submit(0, dealer.game().hand(0)[0], now=START)
        raise KeyError
    assert (store.log("friday"), store.messages("friday"), store.load("friday").save()) == before
    with store.dealer("friday") as dealer:
        with pytest.raises(WrongPhase):
            dealer.next_round(now=START)
        dealer.submit(0, dealer.game().hand(0)[0], now=START)
    assert len(store.log("friday")) == len(before[0]) + 1


def test_many_games(store: Store) -> None:
    started(store, "monday", seed=8)
    with store.dealer("monday") as dealer:
        dealer.drop(1, now=START)
    assert store.labels() == ["friday", "monday"]
    assert store.load("friday").dropped == () and store.load("monday").dropped == (1,)
    with pytest.raises(StoreError, match="already"):
        store.new("friday", now=START)
    for call in (store.load, store.log, store.verify, store.messages, store.names):
        with pytest.raises(StoreError, match="no game 'tuesday'"):
            call("tuesday")
    for label in ("", " x", "a\nb", "x" * 61):
        with pytest.raises(NimmtError):
            store.new(label, now=START)
    with pytest.raises(TypeError):
        store.new(5, now=START)  # type: ignore[arg-type]
    with pytest.raises(NimmtError):
        Store("x.db", synchronous="OFF")
    with pytest.raises(NimmtError):
        Store("x.db", check="some")


def test_the_log_is_append_only(store: Store, path: Path) -> None:
    db = sqlite3.connect(path)
    for statement in ("UPDATE log SET entry = ''", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(statement)
    db.close()


# Messages and people


def test_messages_are_sent_once(store: Store) -> None:
    unsent = store.messages("friday", unsent=True)
    assert [stored.message.kind for stored in unsent] == ["opened"] + ["joined"] * 3 + ["table"] + ["hand"] * 3
    assert store.mark_sent("friday", [unsent[0].key, unsent[5].key], now=START + 5) == 2
    assert store.mark_sent("friday", [unsent[0].key], now=START + 9) == 0
    assert [stored.sent for stored in store.messages("friday")] == [START + 5] + [None] * 4 + [START + 5, None, None]
    assert len(store.messages("friday", unsent=True)) == 6
    assert [stored.message.kind for stored in store.messages("friday", to=2)] == ["hand"]
    assert store.verify() == 5


def test_e07_and_e14(store: Store, path: Path) -> None:
    """Another name, or none, at a seat: hand, score, choice and who is waited for stay, and the game goes on."""
    store.set_name("friday", 1, "Old Owner")
    with store.dealer("friday") as dealer:
        submit_lowest(dealer, [1], START)
    state = store.load("friday").save()
    store.set_name("friday", 1, "New Owner")
    assert store.names("friday") == {1: "New Owner"}
    assert "New Owner (seat 1), round 1" in store.messages("friday", to=1)[-1].message.body
    store.erase_name("friday", 1)
    assert store.names("friday") == {} and store.load("friday").save() == state
    assert "Owner" not in "".join(stored.message.body for stored in store.messages("friday"))
    with Store(path) as other, other.dealer("friday") as dealer:
        submit_lowest(dealer, dealer.waiting, START)
        assert dealer.game().turn == 2
    assert store.verify() == 8


def test_erased_names_are_not_in_the_file(store: Store, path: Path) -> None:
    store.set_name("friday", 0, "Zaphod Beeblebrox")
    files = [path, path.with_name(path.name + "-wal")]
    assert any(b"Zaphod" in file.read_bytes() for file in files)
    store.erase_name("friday", 0)
    assert not any(b"Zaphod" in file.read_bytes() for file in files)


def test_names_that_are_refused(store: Store) -> None:
    for name in ("", "a\nb", " a", "x" * 41, "7", "Ann\u202e", "A\u00a0B"):
        with pytest.raises(NimmtError):
            store.set_name("friday", 0, name)
    with pytest.raises(TypeError):
        store.set_name("friday", 0, 5)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        store.set_name("friday", 3, "Ann")
    store.set_name("friday", 0, "Ann")
    for name in ("Ann", "ANN"):
        with pytest.raises(StoreError, match="'Ann' sits at seat 0 already"):
            store.set_name("friday", 1, name)
    assert store.names("friday") == {0: "Ann"}
    store.set_name("friday", 0, "ann")  # the same seat may be called so
    store.erase_name("friday", 0)
    store.set_name("friday", 1, "Ann")


# Several processes


def test_two_processes_on_the_same_version(store: Store, path: Path) -> None:
    seen = store.load("friday").version
    program = f"""from nimmt.post import *
try:
    with Store({str(path)!r}) as store, store.dealer("friday") as dealer:
        dealer.drop(2, now={START}, expected_version={seen})
    print("accepted")
except StaleVersion as error:
    print("stale")"""
    run = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True) for _ in range(2)]
    assert [process.stdout.strip() for process in run] == ["accepted", "stale"], run
    with pytest.raises(StaleVersion), store.dealer("friday") as dealer:
        dealer.remind(now=START, expected_version=seen)


def test_two_ticks_at_once(store: Store, path: Path) -> None:
    """Four processes see a deadline pass in the same instant: one of them acts."""
    program = f"""import sys; from nimmt.post import *
with Store({str(path)!r}) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    with store.dealer("friday") as dealer:
        print(len(dealer.tick({START + 10**6})))"""
    args, pipe = [sys.executable, "-c", program], subprocess.PIPE
    processes = [subprocess.Popen(args, stdin=pipe, stdout=pipe, text=True) for _ in range(4)]
    for process in processes:
        assert process.stdout and process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert sorted(outputs) == ["0", "0", "0", "1"]
    assert store.verify() == 6


def test_a_locked_file(store: Store, path: Path) -> None:
    state = store.load("friday").save()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    with Store(path, timeout=0.05) as other:
        with pytest.raises(LockedStore), other.dealer("friday") as dealer:
            dealer.drop(0, now=START)
        with pytest.raises(LockedStore):
            other.new("other", now=START)
        assert other.load("friday").save() == state  # reading goes on
        db.execute("COMMIT")
        with other.dealer("friday") as dealer:
            dealer.drop(0, now=START)
    db.close()


def test_another_thread_is_refused(store: Store) -> None:
    errors: list[BaseException] = []

    def call() -> None:
        try:
            store.labels()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert [type(error) for error in errors] == [StoreError]


def test_a_file_that_many_make_at_once(path: Path) -> None:
    program = f"""from nimmt.post import *
import os
with Store({str(path)!r}) as store:
    store.new(str(os.getpid()), now={START})"""
    processes = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    with Store(path) as store:
        assert len(store.labels()) == 4


# Export and import


def test_export_and_import(store: Store, tmp_path: Path) -> None:
    store.set_name("friday", 1, "Bob")
    with store.dealer("friday") as dealer:
        submit_lowest(dealer, range(3), START)
    unsent = store.messages("friday", unsent=True)
    store.mark_sent("friday", [stored.key for stored in unsent[:4]], now=START)
    assert not any("Bob" in line for line in export_game(store, "friday"))
    lines = list(export_game(store, "friday", names=True))
    assert len(lines) == 10 and all(json.loads(line) for line in lines)
    with Store(tmp_path / "other.db") as other:
        assert import_game(other, lines) == "friday"
        assert import_game(other, lines, "copy") == "copy"
        assert other.load("friday") == store.load("friday")
        assert other.log("friday") == store.log("friday") and other.names("friday") == {1: "Bob"}
        keys = [stored.key for stored in other.messages("friday", unsent=True)]
        assert keys == [stored.key for stored in store.messages("friday", unsent=True)]
        assert list(export_game(other, "friday", names=True)) == lines
        with pytest.raises(StoreError, match="already"):
            import_game(other, lines)
        for number in range(len(lines)):
            with pytest.raises(BadRecord):
                import_game(other, lines[:number] + lines[number + 1 :], "cut")
            with pytest.raises(BadRecord):
                import_game(other, [*lines[:number], "{", *lines[number + 1 :]], "broken")
        for bad in ([], ["[]"], [*lines, "{}"], [lines[0], '{"end":0,"unsent":[]}'], [*lines[:-1], '{"end":8}']):
            with pytest.raises(BadRecord):
                import_game(other, bad, "bad")
        assert other.labels() == ["friday", "copy"]
        assert other.verify() == 16


def test_a_game_of_the_python_core_goes_on_in_c(path: Path) -> None:
    """A file is the same whichever core made it."""
    program = f"""import nimmt; from nimmt.post import *
with Store({str(path)!r}) as store:
    store.new("game", now=5, seed=9, automatic=True, rules=nimmt.PROFESSIONAL)
    with store.dealer("game") as dealer:
        dealer.join(now=5); dealer.join(now=5); dealer.start(now=5); dealer.tick(10**6)
    print(nimmt.backend)"""
    environment = {**os.environ, "NIMMT_BACKEND": "python"}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert run.stdout == "python\n", run.stderr
    with Store(path) as store:
        assert store.verify() > 5
        assert store.load("game").game().players == 2
    assert nimmt.backend in ("c", "python")
