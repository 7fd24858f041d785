"""The two cores side by side: the same calls, legal and not, give the same results and leave the same bytes.

Hypothesis draws the players, rules and positions, and a `program`: bytes that say call by call what is done. After each
call, on either side: a refused call left the bytes as they were, check() accepts them, and no card was lost or doubled,
which is counted here and not by the core.
"""

from __future__ import annotations

import random
from array import array
from collections import Counter
from typing import Any

import pytest
from conftest import CI, Tree, heads_of, variants
from hypothesis import example, given, settings
from hypothesis import strategies as st

SIZE, LOG = 164, 90
CHOOSE, TAKE, OVER = 0, 1, 2
UNKNOWN = 32
# All the rules there are: PROFESSIONAL, one of the ties or none, one of the cheapest or none.
FLAGS = [pro | tie | cheapest for pro in (0, 1) for tie in (0, 2, 4) for cheapest in (0, 8, 16)]
CHOOSERS = [1, 9, 17]  # professional, its owner decides a tie: there should be more of these
CALLS = 100_000 if CI else 4_000  # at least
EACH = 50 if CI else 1  # of each kind of call and of what can happen, at least


class Program:
    """Decisions from bytes; 0 when they are used up."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    @property
    def left(self) -> bool:
        return self.at < len(self.data)

    def number(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def of(self, values: Any) -> Any:
        return values[self.number() % len(values)]


class Pair:
    """One round on both cores, and where its cards are."""

    def __init__(self, cores: tuple[Any, Any], tally: Counter[str]) -> None:
        self.cores, self.tally = cores, tally
        self.states = bytearray(SIZE), bytearray(SIZE)
        self.logs = bytearray(LOG), bytearray(LOG)
        self.rs = [core.bind(state) for core, state in zip(cores, self.states, strict=True)]
        self.ls = [core.bind_log(log) for core, log in zip(cores, self.logs, strict=True)]
        self.streams: list[Any] = []
        self.piles: dict[int, list[int]] = {}
        self.cards: list[int] = []

    @property
    def s(self) -> bytearray:
        return self.states[1]

    def call(self, name: str, *arguments: Any, log: bool = False, stream: bool = False) -> int:
        """Make a call on both cores; return what they say, if it is the same and all is well."""
        self.tally["calls"] += 1
        before = bytes(self.s)
        results = []
        for i, core in enumerate(self.cores):
            more = ([self.ls[i]] if log else []) + ([self.streams[i]] if stream else [])
            results.append(getattr(core, name)(self.rs[i], *arguments, *more))
        c, python = results
        assert c == python, (name, arguments, before.hex())
        assert type(c) is type(python) is int
        assert self.states[0] == self.states[1], (name, arguments, before.hex())
        assert self.logs[0] == self.logs[1]
        assert len({bytes(one.state) for one in self.streams}) <= 1
        if c < 0:
            assert self.s == before, f"{name}{arguments} was refused with {c} and changed the round"
        self.tally[f"{name} {'refused' if c < 0 else 'done'}"] += 1
        if log and c >= 0:
            self.note(c)
        return int(c)

    def note(self, count: int) -> None:
        """Put the cards that were taken on the piles."""
        for at in range(0, 9 * count, 9):
            seat, _, _, side, *taken = self.logs[1][at : at + 9]
            self.tally["taken by choice" if side == 0 else "left" if side == 2 else "right"] += 1
            self.piles.setdefault(seat, []).extend(card for card in taken if card)

    def lying(self) -> list[int]:
        return [self.s[31 + seat] for seat in range(10) if self.s[31 + seat]]

    def on_table(self) -> list[int]:
        return [card for row in range(4) for card in self.s[11 + 5 * row : 11 + 5 * row + self.s[7 + row]]]

    def held(self, seat: int) -> list[int]:
        return [card for card in self.s[64 + 10 * seat : 74 + 10 * seat] if card]

    def verify(self) -> None:
        """What is true after each call of a round that one can go on from."""
        for core, r in zip(self.cores, self.rs, strict=True):
            assert core.check(r) == 0, self.s.hex()
        self.tally["calls"] += 1
        shown = [card for pile in self.piles.values() for card in pile] + self.on_table()
        if self.s[3] == TAKE:
            shown += self.lying()
        for row in range(4):
            cards = self.on_row(row)
            assert 1 <= len(cards) <= 5
            assert cards == sorted(cards)
        held = [card for seat in range(10) for card in self.held(seat)]
        assert len(set(shown)) == len(shown)
        if not self.s[2] & UNKNOWN:
            assert sorted(shown + held) == self.cards
        assert [card for card in range(1, 105) if self.s[51 + (card - 1) // 8] >> (card - 1) % 8 & 1] == sorted(shown)
        for seat in range(10):
            assert self.s[41 + seat] == sum(map(heads_of, self.piles.get(seat, [])))

    def on_row(self, row: int) -> list[int]:
        return list(self.s[11 + 5 * row : 11 + 5 * row + self.s[7 + row]])


def opened(pair: Pair, trees: tuple[Tree, Tree], program: Program, players: int, flags: int, seed: int) -> None:
    """Deal a round, or set one up with known or unknown hands; before that try it with wrong arguments."""
    highest = program.of((104, 10 * players + 4, max(10 * players + 4, 80)))
    wrong = [
        (players, highest, flags | 6),
        (players, highest, flags | 24),
        (players, highest, flags | 64),
        (players, highest, -1),
        (1, highest, flags),
        (11, highest, flags),
        (players, 10 * players + 3, flags),
        (players, 105, flags),
        (players, highest + 256, flags),
        (players + 256, highest, flags),
    ]
    pair.streams = []
    for tree in trees:
        with tree as nimmt:
            pair.streams.append(nimmt.Stream(seed, 3, 1))
    how = program.of(("deal", "setup", "unknown"))
    if how == "deal":
        assert pair.call("deal", *program.of(wrong), stream=True) == -9
        assert pair.call("deal", players, highest, flags | UNKNOWN, stream=True) == -9
        assert pair.call("deal", players, highest, flags, stream=True) == 0
    else:
        deck = random.Random(seed).sample(range(1, highest + 1), 10 * players + 4)
        open, hands = bytes(deck[:4]), bytes(deck[4:]) if how == "setup" else None
        others = program.of(wrong)
        needed = bytes(deck * 120)[: 10 * others[0]]  # as many as the number of players says
        assert pair.call("setup", *others, open, needed if hands else None) == -9
        doubled = bytes([open[0], open[1], open[0], open[3]])
        assert pair.call("setup", players, highest, flags, program.of((doubled, bytes(4), b"\1\2\3\xff")), hands) == -9
        if hands:
            assert pair.call("setup", players, highest, flags, open, hands[:-1] + open[:1]) == -9
        assert pair.call("setup", players, highest, flags, open, hands) == 0
    assert pair.s[2] == flags | (UNKNOWN if how == "unknown" else 0)
    pair.cards = sorted(pair.on_table() + [card for seat in range(players) for card in pair.held(seat)])


NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 7, 10, 11, 55, 104, 105, 200, 255, 256, 260, -(2**31), 2**31 - 1)


def legal_cards(pair: Pair, seat: int) -> list[int]:
    if not pair.s[2] & UNKNOWN:
        return pair.held(seat)
    seen = [card for card in range(1, 105) if pair.s[51 + (card - 1) // 8] >> (card - 1) % 8 & 1]
    return [card for card in range(1, pair.s[1] + 1) if card not in seen]


def illegal(pair: Pair, program: Program) -> None:
    """A call with any numbers: mostly refused."""
    verb, seat, number = program.of(("choose", "take", "withdraw", "play")), program.of(NUMBERS), program.of(NUMBERS)
    if verb == "choose":
        pair.call("choose", seat, number)
    elif verb == "take":
        pair.call("take", seat, number, log=True)
    elif verb == "withdraw":
        pair.call("withdraw", seat)
    else:
        cards = bytes(program.number() for _ in range(pair.s[0]))
        pair.call("play", cards, log=True)


def questions(pair: Pair, program: Program) -> None:
    """Calls that change nothing: where cards would go, what policies would do."""
    before = bytes(pair.s)
    free = [card for card in range(1, 105) if card not in pair.on_table()]
    card = program.of(free)
    mask = pair.call("rows_for", card)
    row = pair.call("cheapest", card, mask)
    assert mask >> row & 1
    pair.call("cheapest", card, program.number() % 15 + 1)
    pair.call("policy_card", program.of(NUMBERS[:10]), program.of((0, 1, 2, 3, 4, 5, -1)), stream=True)
    pair.call("policy_row", program.of((0, 1, 2, 3, 4, 5, -1)), stream=True)
    assert pair.s == before


def damage(pair: Pair, program: Program) -> None:
    """Any byte another one: both cores must judge it in the same way."""
    for _ in range(4):
        at, by = program.number() % SIZE, program.number() or 1
        for state in pair.states:
            state[at] ^= by
        pair.call("check")
        for state in pair.states:
            state[at] ^= by


def legal(pair: Pair, program: Program) -> None:
    """A move that the rules allow; what must come of it."""
    s, players = pair.s, pair.s[0]
    if s[3] == TAKE:
        rows = [row for row in range(4) if s[6] >> row & 1]
        pair.tally["tie" if len(rows) == 2 else "low"] += 1
        assert len(rows) in (2, 4)
        assert pair.call("take", s[5], program.of(rows), log=True) > 0
        return
    way = program.number() % 4
    if way == 0 and pair.lying():
        seat = next(seat for seat in range(players) if s[31 + seat])
        assert pair.call("withdraw", seat) == 0
    elif way == 1:
        cards: list[int] = []
        for seat in range(players):
            cards.append(program.of([card for card in legal_cards(pair, seat) if card not in cards]))
        assert pair.call("play", bytes(cards), log=True) >= 0
    else:
        open = [seat for seat in range(players) if not s[31 + seat]]
        if not open:
            assert pair.call("resolve", log=True) >= 0
            return
        pair.call("resolve", log=True)  # too early: refused
        seat = program.of(open)
        card = program.of([card for card in legal_cards(pair, seat) if card not in pair.lying()])
        assert pair.call("choose", seat, card) == 0
        assert pair.call("choose", seat, card) == -5


def playout(pair: Pair, program: Program) -> None:
    """To the end with policies. The core tells nobody what was taken, so the piles are of no use afterwards."""
    policies = bytes(program.number() % 5 for _ in range(pair.s[0]))
    if pair.s[2] & UNKNOWN:
        assert pair.call("playout", policies, stream=True) == -10
        return
    assert pair.call("playout", policies[:-1] + b"\5", stream=True) == -10
    assert pair.call("playout", policies, stream=True) == 0
    assert pair.s[3] == OVER
    assert pair.call("check") == 0
    pair.piles = {}


def run(pair: Pair, program: Program) -> None:
    """One program from the deal to its end, or the end of the round and a few calls more."""
    while program.left and pair.s[3] != OVER:
        kind = program.number()
        if kind < 40:
            illegal(pair, program)
        elif kind < 60:
            questions(pair, program)
        elif kind < 70:
            damage(pair, program)
        elif kind == 70:
            return playout(pair, program)
        else:
            legal(pair, program)
        pair.verify()
    if pair.s[3] == OVER:
        pair.tally["rounds"] += 1
        for _ in range(3):
            illegal(pair, program)
            pair.call("resolve", log=True)
            pair.verify()
        questions(pair, program)


def test_cores_in_lockstep(cores: tuple[Any, Any], trees: tuple[Tree, Tree]) -> None:
    tally: Counter[str] = Counter()

    @settings(max_examples=1_200 if CI else 60)
    @given(
        players=st.integers(2, 10),
        flags=st.sampled_from(FLAGS + 3 * CHOOSERS),
        seed=st.integers(0, 2**64 - 1),
        data=st.binary(min_size=400, max_size=500),
    )
    @example(players=2, flags=1, seed=5, data=bytes(range(256)) * 3)
    @example(players=10, flags=0, seed=7, data=b"\x00" + b"\x50\x01" * 400)
    @example(players=10, flags=1, seed=8, data=b"\x01" + b"\x50\x01\x05\x03" * 200)
    @example(players=5, flags=5, seed=9, data=b"\x02" + b"\x50\x02\x01\x03" * 400)
    def programs(players: int, flags: int, seed: int, data: bytes) -> None:
        pair, program = Pair(cores, tally), Program(data)
        opened(pair, trees, program, players, flags, seed)
        pair.verify()
        run(pair, program)

    programs()
    print(dict(sorted(tally.items())))
    assert tally["calls"] >= CALLS
    for verb in ("choose", "take", "withdraw", "play", "resolve", "check", "deal", "setup", "playout"):
        assert tally[f"{verb} done"] >= EACH, verb
        assert tally[f"{verb} refused"] >= EACH, verb
    for happened in ("tie", "low", "taken by choice", "left", "right", "rounds"):
        assert tally[happened] >= EACH, happened


@settings(max_examples=500 if CI else 60)
@given(data=st.binary(min_size=SIZE, max_size=SIZE), players=st.integers(2, 10), turn=st.integers(0, 10))
def test_any_bytes_are_judged_alike(cores: tuple[Any, Any], data: bytes, players: int, turn: int) -> None:
    """Bytes at random, and such that nearly are a round: one byte after the other made plausible."""
    c, python = cores
    state = bytearray(data)
    plausible = [(0, players), (1, 104), (2, data[2] & 31), (3, data[3] % 3), (4, turn), (5, 0), (6, 0)]
    plausible += [(7 + row, 1 + data[7 + row] % 5) for row in range(4)]
    for at, value in plausible:
        assert c.check(c.bind(state)) == python.check(state) == -9
        state[at] = value
    assert c.check(c.bind(state)) == python.check(state)


def test_lengths_are_checked(cores: tuple[Any, Any]) -> None:
    """C must not read or write beyond what it is given."""
    c, _ = cores
    with pytest.raises(ValueError, match="164"):
        c.bind(bytearray(163))
    with pytest.raises(ValueError, match="90"):
        c.bind_log(bytearray(89))
    state = bytearray(SIZE)
    assert c.setup(c.bind(state), 10, 104, 0, bytes(range(1, 5)), bytes(range(5, 105))) == 0
    before = bytes(state)
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("play", (bytes([5, 15, 25]), None)),
        ("playout", (bytes(9), array("I", [1, 2, 3, 4]))),
        ("setup", (10, 104, 0, bytes(range(1, 4)), None)),
        ("setup", (10, 104, 0, bytes(range(1, 5)), bytes(range(5, 104)))),
    ]
    for core in cores:
        for name, arguments in calls if core is c else calls[:2]:
            with pytest.raises(IndexError):
                getattr(core, name)(core.bind(state), *arguments)
            assert state == before


# The same above the seam


class Hands:
    """One game on both backends: a call gives the same events, or the same error, and the same save."""

    def __init__(self, trees: tuple[Tree, Tree], *arguments: Any, **options: Any) -> None:
        self.trees = trees
        self.games = []
        for tree in trees:
            with tree as nimmt:
                rules = variants(nimmt)[options["variant"]]
                self.games.append(nimmt.Game(*arguments, rules=rules))

    def call(self, name: str, *arguments: Any) -> str:
        told = []
        for tree, game in zip(self.trees, self.games, strict=True):
            with tree:
                before = game.save()
                try:
                    told.append(repr(getattr(game, name)(*arguments)))
                except (ValueError, TypeError) as error:
                    told.append(f"{type(error).__name__}: {error}")
                    assert game.save() == before
                told[-1] += f" -> {game.save().hex()} {game!r} {game.view(0)} {game.view(None)}"
        assert told[0] == told[1], (name, arguments)
        return told[0]


@settings(max_examples=60 if CI else 8)
@given(
    players=st.integers(2, 10),
    seed=st.integers(0, 2**64 - 1),
    variant=st.sampled_from(["base", "tactic", "logic", "professional", "professional, right"]),
    data=st.binary(min_size=200, max_size=200),
)
def test_games_in_lockstep(trees: tuple[Tree, Tree], players: int, seed: int, variant: str, data: bytes) -> None:
    pair, program = Hands(trees, players, seed, variant=variant), Program(data)
    game = pair.games[1]
    while program.left:
        kind = program.number()
        if kind < 60:
            seat = program.of((*range(players), -1, players, True, None, 1.0))
            number = program.of((1, 5, 0, -1, 104, 105, 2**40, "7", None, False))
            verb = program.of(("choose", "take", "pick"))
            pair.call(verb, seat, number)
        elif kind < 70:
            pair.call(program.of(("deal", "join", "cheapest", "record")))
        elif kind < 80:
            pair.call(program.of(("withdraw", "hand", "legal", "view")), program.of((0, 1, -1, 10, "0")))
        elif game.phase in ("scored", "over"):
            pair.call("deal")
        else:
            seat = program.of(game.to_act)
            verb = {"draft": "pick", "choose": "choose", "take": "take"}[game.phase]
            with trees[1]:
                card = program.of(game.legal(seat))
            assert not pair.call(verb, seat, card).startswith(("Illegal", "Wrong", "Type"))
