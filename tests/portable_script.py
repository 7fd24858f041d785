"""What must be the same on every interpreter: printed line by line, and compared by test_micropython.py.

Runs under CPython and under MicroPython with little memory, so it holds one small game at a time and prints as it goes.
An argument names a section; without one all are run.
"""

import sys

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


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
    except AttributeError:
        line("AttributeError")  # in words of the interpreter
    except (ValueError, TypeError) as error:
        line(type(error).__name__ + ":", error)


def streams() -> None:
    from nimmt.stream import STREAM_VERSION, Stream, threefry

    line("streams", STREAM_VERSION)
    line(threefry((0, 0, 0, 0), (0, 0, 0, 0)))
    line(threefry((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 4))
    for seed in (0, 1, 7, 9999, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1):
        stream = Stream(seed, 2**40 + 1, 3)
        line(seed, [stream.next() for _ in range(3)], [stream.below(n) for n in (1, 2, 24, 104, 65535)])


def deals() -> None:
    import nimmt

    for players, seed, rules in ((2, 7, nimmt.BASE), (10, 2**64 - 1, nimmt.BASE), (3, 2**31, nimmt.TACTIC)):
        game = nimmt.Game(players, seed, rules, game=5, history=False)
        line("deal", game.rows, [game.hand(seat) for seat in range(players)])


def choice(values: "Any", draw: int) -> int:
    return int(values[draw % len(values)])


def play_game(players: int, seed: int, rules: "Any", record: bool = True) -> None:
    """Play a game with moves that are drawn from a number, printing events, saves and the record."""
    import nimmt

    game, draw = nimmt.Game(players, seed, rules, history=record), seed + 1
    line("game", game, game.rules, game.to_act)
    while not game.is_over:
        draw = draw * 75 % 65537
        if game.phase == "scored":
            events = game.deal()
        else:
            seat = choice(game.to_act, draw)
            move = choice(game.legal(seat), draw)
            if game.phase == "draft":
                events = game.pick(seat, move)
            elif game.phase == "take":
                events = game.take(seat, move)
            else:
                events = game.choose(seat, move)
        for one in events:
            line(one)
        if draw % 16 == 0 or len(events) > 2 and draw % 4 == 0:
            data = game.save()
            line(len(data), data.hex())
            game2 = nimmt.Game.load(data)
            line(game2 == game, game2.to_act, game2.heads)
            del game2
    line("over", game.scores, game.ranks, game.winners)
    if record:
        from nimmt.record import lines

        for text in lines(game):
            line(text)


def base() -> None:
    import nimmt

    play_game(3, 7, nimmt.Rules(rounds=1))


def tactic() -> None:
    import nimmt

    play_game(2, 2, nimmt.Rules(deck="tactic", limit=20), record=False)


def logic() -> None:
    import nimmt

    play_game(2, 3, nimmt.Rules(deck="tactic", draft=True, rounds=1))


def professional() -> None:
    import nimmt

    play_game(4, 4, nimmt.Rules(professional=True, rounds=1))


def options() -> None:
    import nimmt

    play_game(2, 5, nimmt.Rules("tactic", True, True, "left", None, "exceed", 1, 1, "most"), record=False)


def ten() -> None:
    import nimmt

    game = nimmt.Game(10, 6, nimmt.Rules(professional=True, tie="right", rounds=1), history=False)
    while not game.is_over:
        while game.owed:
            line(game.take(game.owed.seat, game.cheapest())[-1])
        if not game.is_over:
            line(game.play([game.hand(seat)[-1] for seat in range(10)])[0])
    line(game.save().hex())


def views() -> None:
    import nimmt

    game = nimmt.Game(3, 7, nimmt.PROFESSIONAL, history=False)
    game.choose(1, game.hand(1)[0])
    for seat in (0, 1, None):
        view = game.view(seat)
        line(view.seat, view.hand, view.chosen, view.legal, view.to_act, view.has_chosen)
        line(view.phase, view.turn, view.rows, view.heads, view.scores, view.seen, view.hands, view.owed)
    refused(setattr, game.view(0), "hand", ())
    line(len(game.hand(0)))


def drawings() -> None:
    """The table as print() draws it, in every phase, and that of real cards."""
    import nimmt

    game = nimmt.Game(["Ann", "Béla"], 2, nimmt.Rules("tactic", True, rounds=1, first_picker=1), history=False)
    line(game)
    while not game.is_over:
        seat = game.to_act[0]
        move = {"draft": game.pick, "choose": game.choose, "take": game.take}[game.phase]
        move(seat, game.legal(seat)[0])
        if game.turn in (1, 5) or game.owed or game.is_over:
            line(game)
    del game
    table = nimmt.Referee(2)
    table.lay(55)
    line(table)
    table.deal((55, 10, 30, 104))
    table.read(1, 5)
    line(table)
    line(nimmt.Round.from_rows([[1], [2], [3], [4]], 2))


def names() -> None:
    import nimmt

    game = nimmt.Game(["Ann", "Béla"], 2, nimmt.Rules("tactic", limit=300), history=False)
    while game.phase != "scored":
        seat = game.to_act[0]
        (game.take if game.owed else game.choose)(seat, game.legal(seat)[0])
    line(" ".join(game.names or ()), game.scores, game.join("Čeněk"))
    line(" ".join(game.names or ()), game.scores)
    line(game.save().hex())
    line(game.deal(), [game.hand(seat) for seat in range(3)])


def records() -> None:
    """A record that is read again, and some with mistakes."""
    import nimmt

    game = nimmt.Game(2, 7, nimmt.Rules("tactic", professional=True))
    first = [game.hand(seat)[0] for seat in (0, 1)]
    game.play(first)
    text = game.record()
    line(text)
    line(nimmt.replay(text) == game)
    del game
    refused(nimmt.replay, text.replace(f"turn 1: {first[0]} {first[1]}", f"turn 1: {first[1]} {first[0]}"))
    refused(nimmt.replay, text.replace("heads: 0 0", "heads: 0 1"))
    refused(nimmt.replay, text[:-20])
    refused(nimmt.replay, "")


def position() -> None:
    """A game from a table that was set up, and its record, which begins with a save."""
    import nimmt

    hands = ((50, 60), (97, 98))
    start = nimmt.Round.from_rows([[48], [52], [80], [90]], hands=hands, rules=nimmt.PROFESSIONAL)
    game = nimmt.Game.from_round(start, rules=nimmt.PROFESSIONAL, seed=1)
    del start
    line(game.play((50, 97)))
    line(game.cheapest(), game.take(0, 1), game.save().hex())


def resolved() -> None:
    import nimmt

    for rows, plays, take, professional in (
        ([[12], [37], [43], [58]], (14, 15, 44, 61), {}, False),
        ([[3], [30], [41], [18, 27, 33, 36, 42]], {1: 50, 0: 45}, {}, False),
        ([[20], [30], [40], [50]], (5, 35), {}, False),
        ([[20], [30], [40], [50]], (5, 35), {0: 2}, False),
        ([[44, 45, 46, 47, 48], [52], [80], [90]], (50,), {0: 1}, True),
    ):
        turn = nimmt.resolve(rows, plays, take, professional)
        line(turn.rows, turn.placed, turn.pending, sorted(turn.heads.items()))
    refused(nimmt.resolve, [[1], [2], [3]], (5,))
    refused(nimmt.resolve, [[1], [2], [3], [5, 4]], (6,))
    refused(nimmt.resolve, [[1], [2], [3], [4]], (6, 6))
    refused(nimmt.resolve, [[1], [2], [3], [4]], ("6",))


def refusals() -> None:
    import nimmt

    game = nimmt.Game(4, 7, history=False)
    for arguments in ((0, 17), (0, 72), (0, 105), (0, 0), (4, 2), (-1, 2), (0, 2.0), (0, True), (None, 2), (0, "2")):
        refused(game.choose, *arguments)
    refused(game.take, 0, 0)
    refused(game.pick, 0, 5)
    refused(game.deal)
    refused(game.withdraw, 0)
    refused(game.play, (2, 17, 28))
    refused(game.play, (2, 17, 28, 28))
    refused(game.play, {0: 2, 1: 17, 3: 13, 2: 2**40})
    game.play({3: 13, 1: 17, 0: 2, 2: 28})
    refused(game.take, 0, 4)
    refused(game.take, 1, 0)
    refused(game.choose, 1, 21)
    line(game.take(0, 1))
    for players in (11, 1, True, 4.0, "4"):
        refused(nimmt.Game, players)
    for seed in (-1, 2**64, 1.0):
        refused(nimmt.Game, 2, seed)
    refused(nimmt.Game, 2, 1, None)
    refused(nimmt.Rules, "small")
    refused(nimmt.Rules, "full", 1)
    refused(nimmt.Rules, "full", True)
    refused(nimmt.bull_heads, 105)
    for name in nimmt.rules.NAMES:  # rules cannot be changed
        try:
            setattr(nimmt.BASE, name, "tactic")
        except AttributeError:
            line(name, getattr(nimmt.BASE, name))
    line(nimmt.BASE)
    for name in (" Bo", "Bo\u3000", "\xa0Bo", "\u2003", "Bo\n", ""):
        refused(nimmt.Game, ["Ann", name])


def damage() -> None:
    import nimmt

    data = nimmt.Game(2, 1, history=False).save()
    for at in range(0, len(data), 5):
        broken = bytearray(data)
        broken[at] ^= 1 << at % 8
        refused(nimmt.Game.load, bytes(broken))
        refused(nimmt.Game.load, data[:at])
    del broken
    line(nimmt.Game.load(data).save() == data)


def ranking() -> None:
    """Sorting that is not stable must not matter (trap D02)."""
    from nimmt.rules import ranks

    line(ranks((12, 12, 12, 5, 12, 12, 12, 12, 12, 12)), ranks((9, 66, 10, 100)), ranks((12, 70, 12, 40)))


def bots() -> None:
    from nimmt.arena import play_game as play
    from nimmt.rules import Rules

    game = play(["random", "lowest", "highest", "nearest"], 7, Rules(professional=True, rounds=1))
    line(game.scores, game.ranks, game.rows)


SECTIONS = (
    streams,
    deals,
    base,
    tactic,
    logic,
    professional,
    options,
    ten,
    views,
    drawings,
    names,
    records,
    position,
    resolved,
    refusals,
    damage,
    ranking,
    bots,
)


def run(names: "list[str]") -> None:
    """Run these sections, or all if none is named."""
    for section in SECTIONS:
        if not names or section.__name__ in names:
            line("==", section.__name__)
            section()


if __name__ == "__main__":
    run(sys.argv[1:])
