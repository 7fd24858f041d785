"""Records: golden games that a person can read, replayed line by line on both backends and judged by tests/naive.py.

`python tests/test_record.py` writes tests/golden/*.txt again, for a format that was changed on purpose.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import naive
import pytest
from conftest import CI, GAMES, HERE, Tree, one_round, play_round, play_to, step, tree_of, variants

GOLDEN = HERE / "golden"


# Golden games


def base_game(nimmt: ModuleType) -> Any:
    """Four bots, by name, to 66."""
    game = nimmt.Game(["Ann", "Béla", "Chloé", "Dai"], seed=66)
    bots = [nimmt.bots.Policy(name, seed=6) for name in ("nearest", "random", "lowest", "highest")]
    while not game.is_over:
        if game.phase == "scored":
            game.deal()
            continue
        seat = game.to_act[0]
        view = game.view(seat)
        (game.take if game.owed else game.choose)(seat, (bots[seat].take if game.owed else bots[seat].choose)(view))
    return game


def random_game(nimmt: ModuleType, players: Any, seed: int, rules: Any) -> Any:
    return play_to(nimmt.Game(players, seed, rules, game=2), random.Random(seed), "over")


def joined_game(nimmt: ModuleType) -> Any:
    """Options, a player who joins, and an end in the middle: a row is owed."""
    rules = nimmt.Rules(deck="tactic", professional=True, limit=300, end="exceed", cheapest="most")
    game, rng = nimmt.Game(["Eve", "Finn"], 12, rules), random.Random(12)
    play_round(game, rng)
    game.join("Gül")
    while game.phase != "take":
        step(game, rng)
    return game


def position_game(nimmt: ModuleType) -> Any:
    """From a table with six cards in each hand, in round 2."""
    hands = [[20, 25, 44, 61, 90, 101], [3, 18, 54, 62, 63, 88], [11, 12, 70, 71, 95, 104]]
    start = nimmt.Round.from_rows([[5, 17], [30], [42, 48, 55, 60], [79]], hands=hands)
    game = nimmt.Game.from_round(start, [12, 40, 0], seed=3, round=2)
    return play_to(game, random.Random(9), "scored")


GAMES_TO_KEEP = {
    "base": base_game,
    "tactic": lambda nimmt: random_game(nimmt, 3, 5, nimmt.TACTIC),
    "logic": lambda nimmt: random_game(nimmt, 2, 8, nimmt.Rules(deck="tactic", draft=True, limit=20)),
    "professional": lambda nimmt: random_game(nimmt, 5, 11, nimmt.Rules(professional=True, limit=45)),
    "ties_left": lambda nimmt: random_game(nimmt, 10, 4, nimmt.Rules(professional=True, tie="left", rounds=1)),
    "joined": joined_game,
    "position": position_game,
}


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n")


@pytest.mark.parametrize("name", GAMES_TO_KEEP)
def test_golden_games(name: str, nimmt: ModuleType) -> None:
    """Replayed, and every line of the record written again."""
    text = golden(name)
    game = nimmt.replay(text)
    for number, (line, expected) in enumerate(zip(nimmt.record.lines(game), text.split("\n"), strict=True), 1):
        assert line == expected, f"line {number}"
    assert game.record() == text
    assert nimmt.replay(text + "\n") == game
    assert nimmt.replay(text.replace("\n", "  \r\n") + " \n\n").record() == text
    assert nimmt.replay(nimmt.Game.load(game.save(), game.names).record()) == game


def test_every_golden_file_is_used() -> None:
    files = {file.stem for file in GOLDEN.glob("*.txt")} - {"saves"}
    assert files == set(GAMES_TO_KEEP)
    for name in files:
        assert max(len(line) for line in golden(name).split("\n")) <= 120
    words = {line.split(" ")[0] for name in files for line in golden(name).split("\n") if line}
    assert {"turn", "take", "pick", "deal", "join", "over,", "from", "name", "hand"} <= words


class Reader:
    """Reads a record as a person would, and places every turn with the naive resolver."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.professional = "professional=True" in text
        tie = re.search(r"^rules .*tie=(\w+)", text, re.MULTILINE)
        self.tie = tie[1] if tie else "choose"
        self.rows: list[list[int]] = []
        self.heads: list[int] = []
        self.turns = 0

    def check(self) -> None:
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if line.startswith("rows: "):
                self.rows = [[int(card) for card in row.split()] for row in line[6:].split(" / ")]
                self.heads = self.numbers(self.lines[at + 1], "heads: ")
            elif line.startswith("turn "):
                at = self.turn(at)
                continue
            at += 1

    def numbers(self, line: str, start: str) -> list[int]:
        assert line.startswith(start)
        return [int(word) for word in line.removeprefix(start).split()]

    def turn(self, at: int) -> int:
        """Check the lines of one turn; return where the next begins, or the end if a row is owed there."""
        plays = dict(enumerate(self.numbers(self.lines[at].partition(": ")[2], "")))
        told, takes = [], {}
        while not self.lines[at].startswith(("rows: ", "end ")):
            at += 1
            if taking := re.fullmatch(r"take (\d): (\d)", self.lines[at]):
                takes[int(taking[1])] = int(taking[2])
            elif self.lines[at].startswith("  "):
                told.append(self.lines[at][2:])
        waits = {}

        def choose(seat: int, card: int, allowed: list[int], rows: naive.Rows) -> int:
            waits[card] = f"{card} of seat {seat} waits: row {' or '.join(map(str, allowed))}"
            return takes.get(seat, allowed[0])

        placements, rows = naive.resolve_turn(self.rows, plays, choose, self.professional, self.tie)
        steps = []
        for placement in placements:
            steps += [waits[placement.card]] if placement.card in waits else []
            steps.append(self.step(placement))
        self.turns += 1
        if self.lines[at].startswith("end "):  # stopped where a row is owed
            assert told == steps[: len(told)] and " waits: " in told[-1]
            return at
        assert told == steps
        assert self.lines[at] == "rows: " + " / ".join(" ".join(map(str, row)) for row in rows)
        for placement in placements:
            self.heads[placement.seat] += naive.bull_heads(placement.taken)
        assert self.numbers(self.lines[at + 1], "heads: ") == self.heads
        return at

    def step(self, p: naive.Placement) -> str:
        line = f"{p.card} of seat {p.seat} " + (f"{p.side} of row {p.row}" if p.side else f"takes row {p.row}:")
        if p.taken:
            cards, heads = " ".join(map(str, p.taken)), naive.bull_heads(p.taken)
            line += f"{' takes' if p.side else ''} {cards}, heads {heads}"
        return line


@pytest.mark.parametrize("name", GAMES_TO_KEEP)
def test_golden_games_keep_the_rules(name: str) -> None:
    """What the lines say is what the naive resolver says."""
    reader = Reader(golden(name))
    reader.check()
    assert reader.turns >= 6


def test_golden_games_are_games_of_today(trees: tuple[Tree, Tree]) -> None:
    """The seeds still lead to the same cards, on both backends; the moves come from Python's random numbers."""
    for tree in trees:
        with tree as nimmt:
            for name, make in GAMES_TO_KEEP.items():
                lines = golden(name).split("\n")
                assert make(nimmt).record().split("\n")[:12] == lines[:12]


# Any games


@pytest.mark.parametrize("variant", ["base", "tactic", "logic", "professional", "professional, left"])
def test_records_at_every_step(variant: str, nimmt: ModuleType) -> None:
    """Pending choices are in it: replay gives an equal game at any moment."""
    for players in (2, 3, 10) if CI else (2, 5):
        game, rng = nimmt.Game(players, players, variants(nimmt)[variant]), random.Random(players)
        while game.round == 1 and game.phase != "over":
            text = game.record()
            again = nimmt.replay(text)
            assert again == game
            assert again.record() == text
            assert list(nimmt.record.lines(game)) == text.split("\n")
            step(game, rng)
        assert nimmt.replay(game.record()).view() == game.view()


def test_choices_that_are_replaced_are_not_told(nimmt: ModuleType) -> None:
    game, plain = nimmt.Game(3, 4), nimmt.Game(3, 4)
    for at in (5, 2, 0):
        game.choose(0, game.hand(0)[at])
    game.withdraw(0)
    assert game.record() == plain.record()
    game.choose(0, game.hand(0)[1])
    plain.choose(0, plain.hand(0)[1])
    assert game.record() == plain.record()


def test_without_history(nimmt: ModuleType) -> None:
    """The record starts where the game is; a loaded game's where it was loaded."""
    game, rng = nimmt.Game(["Ann", "Béla", "Cleo"], 4, history=False), random.Random(2)
    for _ in range(20):
        step(game, rng)
    text = game.record()
    assert "turn 1:" not in text and "from 366e" in text and "name 1 Béla" in text
    assert nimmt.replay(text) == game
    loaded = nimmt.Game.load(game.save(), game.names)
    assert loaded.record() == text
    for _ in range(40):
        step(loaded, rng)
    again = nimmt.replay(loaded.record())
    assert (again, again.names) == (loaded, game.names)
    assert again.record() == loaded.record()
    assert loaded.record().split("\n")[:4] == text.split("\n")[:4]


def test_a_record_of_a_loaded_game_at_any_step(nimmt: ModuleType) -> None:
    for name, make in GAMES.items():
        loaded = nimmt.Game.load(make(nimmt).save())
        text = loaded.record()
        assert nimmt.replay(text) == loaded, name
        if name != "over":
            step(loaded, random.Random(1))
            assert nimmt.replay(loaded.record()) == loaded, name


def test_names_of_every_kind(nimmt: ModuleType) -> None:
    """What a name may hold does not disturb the record."""
    for name in ("turn 1: 2 3", "end 00000000", "a: b", "a  b", "—", "x" * 40, "李雷", "name 0 a", "#", "0", "🐮"):
        game = nimmt.Game([name, "b"], 1, nimmt.Rules(limit=300))
        play_round(game, random.Random(1))
        game.join(name)
        again = nimmt.replay(game.record())
        assert again == game
        assert again.names == (name, "b", name)


def test_a_record_reads_like_this(nimmt: ModuleType) -> None:
    """The form that other programs may rely on."""
    game = nimmt.Game(["Ann", "Béla"], 7, nimmt.PROFESSIONAL)
    game.play([hand[0] for hand in map(game.hand, (0, 1))])
    lines = game.record().split("\n")
    assert lines[:8] == [
        "nimmt record 1",
        "players 2",
        "rules professional=True",
        "seed 7",
        "game 0",
        "stream 1",
        "name 0 Ann",
        "name 1 Béla",
    ]
    assert lines[8:10] == ["", "round 1"]
    assert re.fullmatch(r"hand 0: \d+( \d+){9}", lines[10])
    assert re.fullmatch(r"rows: \d+( / \d+){3}", lines[12])
    assert lines[13:15] == ["heads: 0 0", ""]
    assert re.fullmatch(r"turn 1: \d+ \d+", lines[15])
    assert re.fullmatch(r"end [0-9a-f]{8}", lines[-1])
    assert nimmt.Game(2, 7).record().split("\n")[2] == "rules"


# Damaged records: BadRecord, never another error, never a game that the text does not tell


def short_game(nimmt: ModuleType, seed: int = 1) -> Any:
    """Return a game of one round of two players, played to its end, whose record has every kind of line but pick."""
    game = nimmt.Game(["Ann", "Béla"], seed=seed, rules=nimmt.Rules(professional=True, rounds=1))
    play_to(game, random.Random(4), "over")
    return game


def long_lines(nimmt: ModuleType) -> dict[str, str]:
    """Records of games in the middle of something, and one that starts from a save."""
    texts = {name: GAMES[name](nimmt).record() for name in ("choose", "chosen", "take", "tie", "draft", "joined")}
    texts["over"] = short_game(nimmt).record()
    return texts


def test_records_that_are_cut(nimmt: ModuleType) -> None:
    for name, text in long_lines(nimmt).items():
        assert nimmt.replay(text).record() == text
        for length in range(0, len(text), 1 if CI or name == "over" else 5):
            with pytest.raises(nimmt.BadRecord):
                nimmt.replay(text[:length])


def flips(text: str) -> Iterator[str]:
    """Yield the text with one bit of one character flipped: every bit in CI, else one of each character."""
    for at, char in enumerate(text):
        for bit in range(8) if CI else (at % 8,):
            yield text[:at] + chr(ord(char) ^ 1 << bit) + text[at + 1 :]


def test_records_with_a_bit_flipped(nimmt: ModuleType) -> None:
    """Every character counts. (A space or carriage return at the end of a line would not, but no flip makes one.)"""
    text = short_game(nimmt).record()
    for flipped in flips(text):
        with pytest.raises(nimmt.BadRecord):
            nimmt.replay(flipped)


@pytest.mark.parametrize("scene", ["tie", "chosen", "draft", "joined"])
def test_other_records_with_a_bit_flipped(scene: str, nimmt: ModuleType) -> None:
    text = long_lines(nimmt)[scene]
    for i, flipped in enumerate(flips(text)):
        if i % 4 == 0:
            with pytest.raises(nimmt.BadRecord):
                nimmt.replay(flipped)


def with_end(lines: list[str]) -> str:
    """Return a record with its last line, the checksum, made right."""
    crc = 0
    for line in lines[:-1]:
        crc = zlib.crc32(line.encode(errors="surrogatepass") + b"\n", crc)
    return "\n".join([*lines[:-1], f"end {crc:08x}"])


def test_records_with_lines_changed_and_the_right_checksum(nimmt: ModuleType) -> None:
    """A line missing, doubled or moved is found: each follows from those before it."""
    for name, text in long_lines(nimmt).items():
        lines = text.split("\n")
        assert with_end(lines) == text
        edits = []
        for at in range(len(lines) - 1):
            edits.append(lines[:at] + lines[at + 1 :])
            edits.append(lines[:at] + [lines[at], *lines[at:]])
            if at + 2 < len(lines) and lines[at] != lines[at + 1]:
                edits.append([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]])
        for edit in edits if CI or name == "over" else edits[::5]:
            if edit[:-1] != lines[: len(edit) - 1]:  # without its last moves it is a record all the same
                with pytest.raises(nimmt.BadRecord):
                    nimmt.replay(with_end(edit))


def test_records_with_a_number_changed_and_the_right_checksum(nimmt: ModuleType) -> None:
    """BadRecord, or, where nothing has come of the number yet, the game that this text is the record of."""
    rng, others, all = random.Random(6), 0, 0
    for name, text in long_lines(nimmt).items():
        words = text.replace("\n", " \n ").split(" ")
        numbers = [at for at, word in enumerate(words) if word.isdecimal()]
        for at in numbers if CI or name == "over" else numbers[::5]:
            changed = list(words)
            changed[at] = str(max(0, int(words[at]) + rng.choice((1, -1, 104))))
            edited = with_end(" ".join(changed).replace(" \n ", "\n").split("\n"))
            if edited == text:
                continue
            all += 1
            try:
                game = nimmt.replay(edited)
            except nimmt.BadRecord:
                continue
            others += 1
            assert game.record() == edited
            one_round(nimmt, game)
    assert all > 100
    assert others < all / 10


EDITS = {
    "no cards": ("turn 1: ", "turn 1:"),
    "a card twice": ("turn 1: ", "turn 1: 5 "),
    "a word": ("turn 1: ", "turn 1: x "),
    "a fraction": ("turn 1: ", "turn 1: 1.5 "),
    "a huge number": ("turn 1: ", "turn 1: " + "9" * 5000 + " "),
    "a huge seed": ("seed 1", "seed " + "9" * 5000),
    "a negative seed": ("seed 1", "seed -1"),
    "no seed": ("seed 1", "seed"),
    "another seed": ("seed 1", "seed 2"),
    "another game": ("game 0", "game 1"),
    "eleven players": ("players 2", "players 11"),
    "many players": ("players 2", "players 1000000000"),
    "another number of players": ("players 2", "players 3"),
    "unknown rules": ("professional=True", "amateur=True"),
    "rules twice": ("professional=True", "professional=True professional=True"),
    "rules in another form": ("professional=True", "professional=1"),
    "rules without a name": ("professional=True", "=True"),
    "rules of a wrong type": ("rounds=1", "rounds=True"),
    "no rounds": ("rounds=1", "rounds=0"),
    "rules that are all as usual": ("rules ", "rules limit=66 "),
    "other streams": ("stream 1", "stream 2"),
    "a line nobody knows": ("seed 1", "seed 1\nweather fine"),
    "a save in it": ("seed 1", "seed 1\nfrom 00"),
    "letters in a save": ("seed 1", "seed 1\nfrom xy"),
    "a third name": ("name 1 Béla", "name 1 Béla\nname 2 Cleo"),
    "one name": ("name 1 Béla\n", ""),
    "half a character in a name": ("name 1 Béla", "name 1 \ud800"),
    "a name that is none": ("name 1 Béla", "name 1"),
    "digits of another script": ("seed 1", "seed １"),
    "spaces in front": ("seed 1", " seed 1"),
    "a tab": ("seed 1", "seed\t1"),
    "a deal in the middle": ("turn 2:", "deal\nturn 2:"),
    "a player who joins in the middle": ("turn 2:", "join 2\nturn 2:"),
    "a pick without a draft": ("turn 2:", "pick 0: 5\nturn 2:"),
    "a row nobody owes": ("turn 2:", "take 0: 1\nturn 2:"),
    "a choice in the middle": ("turn 2:", "chosen 1 2\nturn 2:"),
    "another title": ("nimmt record 1", "nimmt record 2"),
    "no title": ("nimmt record 1\n", ""),
    "nothing after the title": ("", ""),
}


@pytest.mark.parametrize("name", EDITS)
def test_records_that_are_edited(name: str, nimmt: ModuleType) -> None:
    text = short_game(nimmt).record()
    before, after = EDITS[name]
    assert before in text
    edited = text.replace(before, after, 1) if before else "nimmt record 1\n"
    assert edited != text
    for one in (edited, with_end(edited.split("\n"))):
        with pytest.raises(nimmt.BadRecord):
            nimmt.replay(one)


def test_text_after_the_end(nimmt: ModuleType) -> None:
    """Empty lines may follow, nothing else: not a second end, not a move."""
    text = short_game(nimmt).record()
    end = text.split("\n")[-1]
    assert nimmt.replay(text + "\n\n \t\r\n").record() == text
    for more in ("x", "deal", end, "\n" + end, "turn 1: 2 3", "\x00"):
        with pytest.raises(nimmt.BadRecord):
            nimmt.replay(f"{text}\n{more}")


def test_records_that_are_random(nimmt: ModuleType) -> None:
    rng = random.Random(8)
    lines = [line for text in long_lines(nimmt).values() for line in text.split("\n")]
    for _ in range(300):
        parts = rng.sample(lines, rng.randint(0, 12))
        for text in (
            "\n".join(["nimmt record 1", *parts]),
            with_end(["nimmt record 1", *parts, "end"]),
            "".join(rng.choices("nimt rec0123456789:\n /=TrueFals", k=80)),
            "nimmt record 1\n" + "".join(chr(rng.randrange(0x11000)) for _ in range(40)),
        ):
            with pytest.raises(nimmt.BadRecord):
                nimmt.replay(text)


def test_an_illegal_move_in_a_record(nimmt: ModuleType) -> None:
    """A card of another hand, with all that follows recomputed as far as it can be: the move is named by its line."""
    text = short_game(nimmt).record()
    line = next(line for line in text.split("\n") if line.startswith("turn 1: "))
    a, b = line.removeprefix("turn 1: ").split()
    with pytest.raises(nimmt.BadRecord, match=r"line \d+: .*does not hold card"):
        nimmt.replay(text.replace(line, f"turn 1: {b} {a}"))


def write_golden() -> None:
    with tree_of("python") as package:
        for name, make in GAMES_TO_KEEP.items():
            (GOLDEN / f"{name}.txt").write_text(make(package).record() + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_golden()
