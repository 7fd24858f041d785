"""SIGKILL at random instants under load from four processes: no accepted call is lost, none is half done."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nimmt.post import Store

#: How many processes are killed: NIMMT_KILLS, or 200 in CI, or a few.
KILLS = int(os.environ.get("NIMMT_KILLS") or (200 if os.environ.get("CI") else 12))
WORKERS = 4
WORKER = Path(__file__).with_name("worker.py")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")


class Load:
    """Four processes that play in one file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file, self.started = folder, folder / "games.db", 0
        self.errors = (folder / "errors").open("ab")
        self.running = [self.start() for _ in range(WORKERS)]

    def start(self) -> subprocess.Popen[bytes]:
        self.started += 1
        args = [str(self.file), str(self.folder / f"{self.started}.acks"), str(self.started)]
        return subprocess.Popen([sys.executable, str(WORKER), *args], stderr=self.errors)

    def kill(self, which: int) -> None:
        worker = self.running[which]
        assert worker.poll() is None, (self.folder / "errors").read_text()
        worker.send_signal(signal.SIGKILL)
        assert worker.wait() == -signal.SIGKILL

    def stop(self) -> None:
        for worker in self.running:
            worker.kill()
            worker.wait()
        self.errors.close()

    def acknowledged(self) -> list[tuple[str, int, str]]:
        """Return what the processes have been told to be accepted; a line that a kill cut short does not count."""
        found = []
        for file in self.folder.glob("*.acks"):
            for line in file.read_text().splitlines(keepends=True):
                if line.endswith("\n"):
                    label, version, entry = json.loads(line)
                    found.append((label, version, json.dumps(entry, sort_keys=True)))
        return found


def check(load: Load, replay: bool) -> int:
    """Check that nothing acknowledged is missing; with `replay` also that all states follow. Return how many calls."""
    acknowledged = load.acknowledged()
    # Opening replays every log and compares state and messages: nothing is half done.
    with Store(load.file, check="replay" if replay else "none") as store:
        logs = {label: store.log(label) for label in store.labels()}
    stored = {
        (label, entry["version"]): json.dumps(entry, sort_keys=True) for label, log in logs.items() for entry in log
    }
    lost = [(label, version) for label, version, entry in acknowledged if stored.get((label, version)) != entry]
    assert not lost
    return len(acknowledged)


def test_kills(tmp_path: Path) -> None:
    rng = random.Random(KILLS)
    load = Load(tmp_path)
    try:
        until = time.monotonic() + 60
        while len(load.acknowledged()) < 20:  # the load is there
            assert time.monotonic() < until, (tmp_path / "errors").read_text()
            time.sleep(0.05)
        for kill in range(KILLS):
            time.sleep(rng.uniform(0, 0.4))
            which = rng.randrange(WORKERS)
            load.kill(which)
            load.running[which] = load.start()
            if kill % 50 == 49:
                check(load, replay=False)  # while the others go on
    finally:
        load.stop()
    assert (tmp_path / "errors").read_text() == ""
    number = check(load, replay=True)
    print(f"{KILLS} kills, {number} acknowledged calls")
    assert number > 2 * KILLS
    with Store(load.file, check="none") as store:
        assert store._db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
