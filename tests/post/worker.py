"""One of several processes that play games in the same file until it is killed. Run by test_post_kills.py.

    worker.py FILE ACKNOWLEDGED SEED [SYNCHRONOUS]

Each accepted call is acknowledged after it was: one line of label, version and entry, written at once.
"""

from __future__ import annotations

import json
import os
import random
import sys

from nimmt import NimmtError
from nimmt.post import Dealer, LockedStore, Store

NOW = 1_791_000_000


def act(dealer: Dealer, rng: random.Random, seen: int) -> None:
    """Make a call or two, mostly of a player."""
    now = dealer.clock
    if dealer.phase == "open":
        dealer.join(now=now) if dealer.players < 4 else dealer.start(now=now)
    elif dealer.phase == "scored":
        dealer.next_round(now=now)
    elif dealer.phase == "over":
        raise NimmtError("the game is over")
    elif rng.random() < 0.05:
        dealer.tick(now + rng.randrange(400_000), expected_version=seen)
    elif rng.random() < 0.05:
        dealer.extend(60, now=now)
        dealer.remind(now=now)
    else:
        seat = rng.choice(dealer.waiting)
        dealer.submit(seat, rng.choice(dealer.game().hand(seat)), rng.choice((None, 0, 3, "cheapest")), now=now)


def main(path: str, acknowledged: str, seed: str, synchronous: str = "NORMAL") -> None:
    rng = random.Random(seed)
    acks = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    store = Store(path, synchronous=synchronous, check="none", timeout=60)
    made = 0
    while True:
        try:
            labels = store.labels()
            if len(labels) < 3 or rng.random() < 0.01:
                made += 1
                store.new(f"{seed} {made}", now=NOW, seed=made, automatic=rng.random() < 0.5)
                continue
            label = rng.choice(labels[-5:])
            seen = store.load(label).version
            with store.dealer(label) as dealer:
                act(dealer, rng, seen)
        except LockedStore:
            raise
        except NimmtError:  # another process was first, or the game is over
            continue
        for step in dealer.steps:
            line = json.dumps([label, step.entry["version"], step.entry], sort_keys=True) + "\n"
            os.write(acks, line.encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
