"""Real cards, save slots and the line protocol: what must be the same on every interpreter, printed line by line.

Runs under CPython and MicroPython; test_referee.py, test_slots.py and test_protocol.py compare the output. The argument
names a section.
"""

import sys

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from nimmt import Referee, Rules


def line(*values: object) -> None:
    """Print, then collect: a small heap has no room for what is done with."""
    print(*values)
    try:
        import gc

        gc.collect()
    except ImportError:
        pass


def refused(call: "Callable[..., object]", *arguments: object) -> None:
    """Print the class and message of the error of a call."""
    try:
        line("no error:", call(*arguments))
    except (ValueError, TypeError) as error:
        line(type(error).__name__ + ":", error)


class Cards:
    """Draws cards that a referee has not seen, the same ones everywhere."""

    def __init__(self, seed: int) -> None:
        from nimmt.stream import Stream

        self.stream = Stream(seed)

    def draw(self, cards: "Iterable[int]", count: int) -> "list[int]":
        left, drawn = list(cards), []
        for _ in range(count):
            drawn.append(left.pop(self.stream.below(len(left))))
        return drawn


def evening(name: str, players: int, rules: "Rules") -> None:
    from nimmt.referee import Referee

    table, cards = Referee(players, rules), Cards(players)
    line("evening", name, players)
    while not table.is_over:
        if table.round == 1 and table.players < 10:
            line("join", table.join())
        for card in cards.draw(range(1, rules.highest(table.players) + 1), 4):
            table.lay(card)
        line(table.deal())
        for _ in range(10):
            table = a_turn(table, cards)
        line(table.save().hex())


def a_turn(table: "Referee", cards: Cards) -> "Referee":
    from nimmt.referee import Referee

    drawn = cards.draw(table.legal(0), table.players)
    for seat in range(table.players):
        table.read(seat, drawn[seat])
        table.read(seat, drawn[seat])
    table = Referee.load(table.save())
    for event in table.place():
        line(event)
    owed = table.owed
    while owed:
        for event in table.take(owed.seat, owed.rows[cards.stream.below(len(owed.rows))]):
            line(event)
        owed = table.owed
    return table


def referee() -> None:
    from nimmt.referee import Referee
    from nimmt.rules import LOGIC, Rules

    evening("base", 2, Rules(rounds=2))
    evening("tactic", 4, Rules(deck="tactic", limit=30, end="exceed"))
    evening("logic", 3, LOGIC)
    evening("professional", 9, Rules(professional=True, limit=40))
    table = Referee(["Ann", "Bo"])
    refused(table.read, 0, 5)
    refused(table.deal)
    table.deal((10, 20, 30, 40))
    refused(table.lay, 5)
    table.read(0, 50)
    for seat, card in ((1, 50), (1, 10), (1, 105), (2, 5), (1, "5"), (1, 5.0), (True, 5)):
        refused(table.read, seat, card)
    refused(table.place)
    refused(table.take, 0, 0)
    refused(table.withdraw, 1)
    line(table, table.names, table.copy() == table)
    data = table.save()
    for at in range(len(data)):
        try:
            Referee.load(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
            line("loaded", at)
        except ValueError as error:
            if at % 20 == 0:
                line(at, error)
    line(Referee.from_rows([[1], [2, 3], [4], [5, 6, 7, 8, 9]], 3, turn=4, scores=(1, 2, 3), round=2).save().hex())


class Memory:
    """Two slots that lose power after so many bytes."""

    def __init__(self) -> None:
        self.slots, self.power = [bytearray(80), bytearray(80)], 1000

    def read(self, slot: int) -> bytes:
        return bytes(self.slots[slot])

    def write(self, slot: int, data: bytes) -> None:
        for at in range(min(len(data), self.power)):
            self.slots[slot][at] = data[at]
        if self.power < len(data):
            raise OSError("the power is gone")


def slot_of(sequence: int, data: bytes) -> bytes:
    """The bytes of a slot, as the docstring of nimmt.slots has them."""
    from binascii import crc32

    packed = b"6s" + bytes((1, 0)) + sequence.to_bytes(4, "little") + len(data).to_bytes(4, "little") + data
    return packed + crc32(packed).to_bytes(4, "little")


def slots() -> None:
    from nimmt.slots import OVERHEAD, Slots

    memory = Memory()
    line("empty", Slots(memory.read, memory.write).load())
    for number in range(6):
        data = bytes((number + 1,)) * (20 + number)
        before = Slots(memory.read, memory.write).load()
        for power in range(len(data) + OVERHEAD):
            memory.power = power
            try:
                Slots(memory.read, memory.write).save(data)
                line("written at", power)
            except OSError:
                if Slots(memory.read, memory.write).load() not in (before, data):
                    line("lost at", power)
        memory.power = 1000
        line(number, Slots(memory.read, memory.write).save(data), Slots(memory.read, memory.write).save(data))
        line(Slots(memory.read, memory.write).load(), bytes(memory.slots[0]).hex(), bytes(memory.slots[1]).hex())
    flips(memory)
    for sequence in (0, 0x3FFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        for slot, number, data in ((0, sequence, b"older"), (1, sequence + 1 & 0xFFFFFFFF, b"newer")):
            memory.slots[slot] = bytearray(slot_of(number, data))
        line(sequence, Slots(memory.read, memory.write).load())
    refused(Slots(memory.read, memory.write).save, b"")
    refused(Slots(memory.read, memory.write).save, "text")
    in_files()


def flips(memory: Memory) -> None:
    from nimmt.slots import OVERHEAD, Slots

    other = Slots(memory.read, memory.write)
    newest, older = other.load() or b"", bytes((5,)) * 24
    for bit in range(8 * (len(newest) + OVERHEAD)):
        memory.slots[1][bit // 8] ^= 1 << bit % 8
        if Slots(memory.read, memory.write).load() != older:
            line("bit", bit, "was not noticed")
        memory.slots[1][bit // 8] ^= 1 << bit % 8
    line("flipped", newest == Slots(memory.read, memory.write).load())


def in_files() -> None:
    import os

    from nimmt.game import Game
    from nimmt.slots import files

    path = sys.argv[2] + "/evening"
    line("files", files(path).load())
    for seed in range(3):
        line(files(path).save(Game(3, seed=seed).save()))
        line(Game.load(files(path).load() or b"") == Game(3, seed=seed))
    with open(path + ".0", "wb") as file:
        file.write(b"6s")
    line(Game.load(files(path).load() or b"") == Game(3, seed=1), sorted(os.listdir(sys.argv[2])))


REQUESTS = (
    b'{"id":1,"do":"hello"}',
    b'{"id":2,"do":"create","players":3,"seed":7,"rules":{"rounds":2,"limit":null},"bots":[null,"nearest","random"]}',
    b'{"id":3,"do":"view","seat":0}',
    b'{"id":4,"do":"choose","seat":0,"card":2,"turn":1,"round":1}',
    b'{"id":"again","do":"choose","seat":0,"card":2,"turn":1,"round":1}',
    b'{"id":5,"do":"choose","as":0,"card":3}',
    b'{"id":6,"do":"save","as":0}',
    b'{"id":7,"do":"take","seat":0,"row":1}',
    b'{"id":8,"do":"hands"}',
    b'{"id":9,"do":"save"}',
    b'{"id":10,"do":"bots","bots":["lowest","highest","random"]}',
    b'{"id":11,"do":"join","seat":3}',
    b'{"id":12,"do":"deal"}',
    b'{"id":13,"do":"view"}',
    b'{"id":14,"do":"record"}',
    b'{"id":15,"do":"close"}',
    b'{"id":16,"do":"create","game":"cards","names":["Ann","B\xc3\xb6"],"referee":true}',
    b'{"id":17,"do":"lay","game":"cards","card":10}',
    b'{"id":18,"do":"deal","game":"cards","cards":[10,20,30,40]}',
    b'{"id":19,"do":"read","game":"cards","seat":0,"card":45}',
    b'{"id":20,"do":"read","game":"cards","seat":1,"card":45}',
    b'{"id":21,"do":"read","game":"cards","seat":1,"card":5}',
    b'{"id":22,"do":"place","game":"cards"}',
    b'{"id":23,"do":"view","game":"cards"}',
    b'{"id":24,"do":"games"}',
    b'{"id":25,"do":"create","game":"all","players":4,"seed":"18446744073709551615","bots":["random","random","lowest","nearest"],'
    b'"rules":{"deck":"tactic","draft":true,"professional":true}}',
    b"{",
    b"[]",
    b"\xff",
    b"NaN",
    b'{"do":1}',
    b'{"do":"shuffle"}',
    b'{"do":"view","color":1}',
    b'{"do":"create","game":"x","players":4.5}',
    b'{"do":"create","game":"x","rules":{"jokers":1}}',
    b'{"do":"play","game":"all","cards":[[1]]}',
    b'{"id":1.5,"do":"hello"}',
    b"x" * 70000,
)


def protocol() -> None:
    from nimmt.protocol import Session

    session = Session(games=3)
    for request in REQUESTS:
        for at in range(0, len(request), 1000):
            session.feed(request[at : at + 1000])
        for answer in session.feed(b"\r\n").decode().split("\n"):
            line(answer)
    session.feed(b'{"do"')
    line(session.end())


{"referee": referee, "slots": slots, "protocol": protocol}[sys.argv[1]]()
