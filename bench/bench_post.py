"""How many submissions a second a file of games by post accepts, with synchronous=NORMAL and FULL.

    python bench/bench_post.py [FOLDER] [SECONDS]

Each submission is a call of its own: a transaction with log, messages and state. Eight seats, one process; the file is
made in FOLDER (default: a temporary folder), so that any disk can be measured. Exit code 1 if NORMAL stays under 500.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from nimmt.post import Dealer, Store

NOW = 1_791_000_000
ENOUGH = 500


def fresh(store: Store, label: str, seed: int) -> None:
    """Make a game of eight and start it."""
    store.new(label, now=NOW, seed=seed)
    with store.dealer(label) as dealer:
        for _ in range(8):
            dealer.join(now=NOW)
        dealer.start(now=NOW)


def turn(store: Store, label: str) -> tuple[int, float]:
    """Submit a card for every seat; return how many and the seconds it took. Deal or stop as the game needs it."""
    game = store.load(label).game()
    if game.phase != "choose":
        with store.dealer(label) as dealer:
            dealer.next_round(now=NOW)
        game = store.load(label).game()
    cards = [game.hand(seat)[0] for seat in range(8)]
    begun = time.perf_counter()
    for seat, card in enumerate(cards):
        with store.dealer(label) as dealer:
            dealer.submit(seat, card, now=NOW)
    return len(cards), time.perf_counter() - begun


def rate(folder: Path, synchronous: str, seconds: float) -> float:
    """Return accepted submissions a second."""
    with Store(folder / f"{synchronous}.db", synchronous=synchronous, check="none") as store:
        games, submissions, spent = 0, 0, 0.0
        while spent < seconds:
            label = f"game {games}"
            if label not in store.labels():
                fresh(store, label, games)
            if store.load(label).phase == "over":
                games += 1
                continue
            number, took = turn(store, label)
            submissions, spent = submissions + number, spent + took
    return submissions / spent


def rate_without_file(seconds: float) -> float:
    """Return submissions a second of the dealer alone."""
    submissions, begun, games = 0, time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        games += 1
        dealer = Dealer()
        dealer.open(now=NOW, seed=games)
        for _ in range(8):
            dealer.join(now=NOW)
        dealer.start(now=NOW)
        while dealer.phase == "choose":
            game = dealer.game()
            for seat in range(8):
                dealer.submit(seat, game.hand(seat)[0], now=NOW)
                submissions += 1
    return submissions / (time.perf_counter() - begun)


def main(folder: str = "", seconds: str = "3") -> int:
    """Measure and print a table."""
    with tempfile.TemporaryDirectory(dir=folder or None) as place:
        alone = rate_without_file(float(seconds))
        normal, full = (rate(Path(place), synchronous, float(seconds)) for synchronous in ("NORMAL", "FULL"))
    print(f"dealer alone        {alone:8.0f} submissions a second")
    print(f"store, NORMAL       {normal:8.0f}")
    print(f"store, FULL         {full:8.0f}")
    return 0 if normal >= ENOUGH else 1


def test_submissions_normal(benchmark: Any, tmp_path: Path) -> None:
    """One submission, synchronous=NORMAL."""
    _bench(benchmark, tmp_path, "NORMAL")


def test_submissions_full(benchmark: Any, tmp_path: Path) -> None:
    """One submission, synchronous=FULL."""
    _bench(benchmark, tmp_path, "FULL")


def _bench(benchmark: Any, folder: Path, synchronous: str) -> None:
    with Store(folder / "bench.db", synchronous=synchronous, check="none") as store:
        fresh(store, "game", 1)
        card = store.load("game").game().hand(0)

        def submit() -> None:
            with store.dealer("game") as dealer:
                # Another card each time: a choice that is replaced (H5).
                dealer.submit(0, card[dealer.version % 10], now=NOW)

        benchmark(submit)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
