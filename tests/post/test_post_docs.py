"""What docs/post.md shows is run, and its tables are complete."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import nimmt
from nimmt import cli, post
from nimmt.post import texts
from nimmt.post.calls import CALLS
from nimmt.post.state import PHASES

PAGE = (Path(__file__).parents[2] / "docs" / "post.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def table(heading: str) -> dict[str, str]:
    """Return the rows of the table under a heading: first cell without backticks -> the rest."""
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ", 1) for line in part.splitlines() if line.startswith("| `")]
    return {first.strip("`"): rest for first, rest in rows}


def test_python() -> None:
    test = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "post.md", "post.md", 0)
    assert len(test.examples) > 15
    assert doctest.DocTestRunner().run(test).failed == 0
    found = doctest.DocTestParser().get_doctest(post.__doc__ or "", {}, "post", None, 0)
    assert found.examples and doctest.DocTestRunner().run(found).failed == 0


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for line in "".join(blocks("sh")).splitlines():
        words = line.split()
        assert words[:2] == ["nimmt", "post"]
        if words[2] == "submit":  # hands are drawn: take a card that is held
            with post.Store("nimmt-post.db") as store:
                words[4] = str(store.load("game").game().hand(("Ann", "Bob").index(words[3]))[0])
        assert cli.main(words[1:]) == 0, (line, capsys.readouterr())


def eventful(rules: nimmt.Rules) -> post.Dealer:
    """Return a dealer whose game is over and had something of everything."""
    dealer = post.Dealer()
    now = 1_800_000_000
    dealer.open(now=now, seed=4, rules=rules, ask=True)
    for _ in range(3):
        dealer.join(now=now)
    dealer.start(now=now)
    dealer.pause(now=now)
    dealer.resume(now=now)
    dealer.extend(60, now=now)
    if dealer.phase == "choose":
        dealer.submit(0, dealer.game().hand(0)[0], now=now)
        dealer.withdraw(0, now=now)
    dealer.drop(2, now=now)
    dealer.take_over(2, now=now)
    while dealer.phase != "over":
        now = max([due for due in dealer.due if due is not None] + [now]) + 1
        dealer.tick(now)
        if dealer.phase == "scored":
            dealer.next_round(now=now)
            continue
        dealer.remind(now=now)
        (seat, *_) = dealer.waiting
        legal = dealer.game().legal(seat)
        if dealer.phase == "choose" and seat != 1:
            dealer.submit(seat, legal[0], now=now)
        elif dealer.phase == "take" and dealer.game().turn % 2:
            dealer.choose_row(seat, legal[0], now=now)
        else:
            dealer.play_for(seat, now=now)
    return dealer


def test_every_kind_of_message_and_its_fields() -> None:
    kinds = table("Messages")
    assert sorted(kinds) == sorted(texts.KINDS)
    seen: dict[str, set[str]] = {}
    for rules in (nimmt.BASE, nimmt.PROFESSIONAL, nimmt.LOGIC):
        for step in eventful(rules).steps:
            for message in step.messages:
                seen.setdefault(message.kind, set()).update(message.fields)
                whom = "seat" if isinstance(message.to, int) else message.to
                assert kinds[message.kind].startswith(f"{whom} |"), message
    assert set(seen) == set(texts.KINDS)
    for kind, fields in seen.items():
        if kind != "placed":
            assert set(re.findall("`([a-z_]+)`", kinds[kind])) == fields, kind


def test_the_table_of_calls() -> None:
    """docs/post.md has the table that the dealer obeys. What is missing is printed, to be put there."""
    lines = ["| call | " + " | ".join(f"`{phase}`" for phase in PHASES) + " |", "| --- " * (len(PHASES) + 1) + "|"]
    for name, call in CALLS.items():
        cells = ["yes" if phase in call.phases else "" for phase in PHASES]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    found = "\n".join(lines)
    assert f"\n\n{found}\n\n" in PAGE, found


def test_every_error() -> None:
    errors = {name for name in dir(post) if isinstance(getattr(post, name), type) and name.endswith(("Store", "Error"))}
    assert errors - {"Store"} | {"StaleVersion", "ClockBackwards"} <= set(table("Errors"))
