"""Eight people over nine simulated days: what was said, in public and in private, is a golden file.

NIMMT_GOLDEN=write writes the file anew: read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

from post.helpers import check_replay
from post.nine_days import PEOPLE, NineDays, at

import nimmt
from nimmt.post import Dealer, Message, moment

GOLDEN = Path(__file__).parent / "golden"


def same(found: str, name: str) -> None:
    """Compare with a golden file."""
    if os.environ.get("NIMMT_GOLDEN") == "write":
        (GOLDEN / name).write_text(found, encoding="utf-8")
    assert found == (GOLDEN / name).read_text(encoding="utf-8")


def test_nine_days(tmp_path: Path) -> None:
    game = NineDays(tmp_path / "golden.db")
    game.play()
    same(game.text(), "nine_days.txt")
    assert game.store.load("golden").phase == "over" and game.store.load("golden").players == len(PEOPLE)
    game.store.verify()
    calls = {entry["call"] for entry in game.store.log("golden")}
    assert {"deadline", "play_for", "drop", "take_over", "join", "pause", "resume", "extend", "remind"} <= calls
    hows = {item[3] for entry in game.store.log("golden") for item in entry["done"] if item[0] == "row"}
    assert hows == {"sent", "cheapest"}
    game.store.close()


def test_deadlines_that_act_by_themselves() -> None:
    """Professional, automatic: a card is drawn, a row is asked for and nobody answers, a tick comes days late."""
    rules = nimmt.PROFESSIONAL
    table = nimmt.Round.from_rows([[48], [52], [80], [90]], hands=[[50, 99], [60, 98], [61, 97]], rules=rules)
    dealer, start, said = Dealer(), at(1, "18:00"), list[str]()

    def hear(now: int, what: str, messages: list[Message]) -> None:
        said.append(f"#### {moment(now)}: {what}\n")
        said.extend(f"---- to {message.to}, {message.kind}\n\n{message.body}\n" for message in messages)

    hear(start, "open", dealer.open(now=start, rules=rules, seed=1, automatic=True))
    for _ in range(3):
        dealer.join(now=start)
    position = nimmt.Game.from_round(table, rules=rules, seed=1)
    hear(start, "start", dealer.start(now=start, position=position))
    hear(start + 60, "seat 0 sends 50", dealer.submit(0, 50, now=start + 60))
    hear(start + 90, "seat 1 sends 60", dealer.submit(1, 60, now=start + 90))
    late = at(9, "18:00")
    hear(late, "tick, days late", dealer.tick(late))
    check_replay(dealer)
    same("\n".join(said), "automatic.txt")
