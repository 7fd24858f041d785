"""The line protocol: what PROTOCOL.md shows, whole games, repeats, secrets, and lines that are no requests."""

from __future__ import annotations

import importlib
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from conftest import variants

DOCUMENT = (Path(__file__).parent.parent / "PROTOCOL.md").read_text(encoding="utf-8")


@pytest.fixture
def nimmt(nimmt: ModuleType) -> ModuleType:
    """The package on one backend, with the modules that are tested here."""
    importlib.import_module("nimmt.protocol")
    return nimmt


class Client:
    """A program that uses a session: sends objects, gets events and the reply."""

    def __init__(self, nimmt: ModuleType) -> None:
        self.session, self.number = nimmt.protocol.Session(), 0

    def lines(self, **request: Any) -> list[str]:
        self.number += 1
        line = json.dumps({"id": self.number, **request}).encode() + b"\n"
        return list(self.session.feed(line).decode("ascii").splitlines())

    def ask(self, **request: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the events and the reply, which must be no error."""
        *events, reply = [json.loads(line) for line in self.lines(**request)]
        assert reply.pop("ok"), reply
        assert reply.pop("id") == self.number
        return events, reply

    def refused(self, **request: Any) -> tuple[str, str]:
        """Return error and message of the only line."""
        (line,) = self.lines(**request)
        reply = json.loads(line)
        assert set(reply) == {"id", "ok", "error", "message"}
        assert (reply["ok"], reply["id"]) == (False, self.number)
        return reply["error"], reply["message"]

    def save(self, game: str = "main") -> str:
        return str(self.ask(do="save", game=game)[1]["data"])


def plain(value: object) -> Any:
    return json.loads(json.dumps(value))


def rules_object(nimmt: ModuleType, rules: Any) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in nimmt.rules.NAMES}


# The document


def examples() -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```text\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("> "):
                found.append((line[2:], []))
            else:
                assert line.startswith("< ")
                found[-1][1].append(line[2:])
    return found


def test_examples_of_the_document(nimmt: ModuleType) -> None:
    session = nimmt.protocol.Session()
    assert len(examples()) > 20
    for request, answers in examples():
        if '"hello"' in request:
            answers = [re.sub('"version":"[^"]*"', f'"version":"{nimmt.__version__}"', answer) for answer in answers]
            answers = [answer.replace('"backend":"c"', f'"backend":"{nimmt.backend}"') for answer in answers]
        assert session.answer(request.encode()) == answers, request


def test_the_document_names_everything(nimmt: ModuleType) -> None:
    requests, hosted = nimmt.protocol.requests, nimmt.protocol.hosted
    words = set(re.findall(r"`\"?([A-Za-z_]+)\"?`", DOCUMENT))
    for name, *fields in requests.REQUESTS:
        assert name in words
        assert set(" ".join(fields[:3]).split()) <= words, name
    events = get_args(nimmt.events.Event)
    assert len(events) == 8
    for kind in events:
        assert {kind.__name__, *kind._fields} <= words, kind
    fields = nimmt.View._fields
    assert set(fields) | set(hosted.TABLE) | {"cards", "names"} <= words
    assert set(rules_object(nimmt, nimmt.BASE)) <= words
    errors = {"BadRequest", "InternalError", "TypeError"} | {
        name for name, kind in vars(nimmt.errors).items() if isinstance(kind, type) and issubclass(kind, Exception)
    }
    assert errors <= words
    assert set(nimmt.bots.POLICIES) <= words
    shown = " ".join(request for request, _ in examples())
    for name in ("hello", "create", "choose", "take", "pick", "deal", "view", "save", "load", "read", "place"):
        assert f'"{name}"' in shown


# Games


@pytest.mark.parametrize("players", [2, 4, 10])
def test_games_of_all_variants(nimmt: ModuleType, players: int) -> None:
    for name, rules in variants(nimmt).items():
        rng = random.Random(f"{name} {players}")
        seed, client = rng.getrandbits(64), Client(nimmt)
        game = nimmt.Game(players, seed=seed, rules=rules, game=3)
        told, reply = client.ask(do="create", players=players, seed=seed, index=3, rules=rules_object(nimmt, rules))
        dealt = {"event": "Dealt", "game": "main", "round": 1, "rows": plain(game.rows)}
        assert told == ([] if rules.draft else [dealt])
        assert (reply["seed"], reply["index"]) == (str(seed), "3")
        while True:
            same(nimmt, client, game, rng.choice([None, *range(players)]))
            if game.is_over:
                break
            request, events = move(game, rng)
            told, reply = client.ask(**request)
            assert [event.pop("event") for event in told] == [type(event).__name__ for event in events]
            assert [event.pop("game") for event in told] == ["main"] * len(events)
            assert told == [plain(event._asdict()) for event in events]
            assert (reply["phase"], reply["round"], reply["turn"]) == (game.phase, game.round, game.turn)
            assert (reply["to_act"], reply["scores"]) == (list(game.to_act), list(game.scores))
            assert reply.get("owed") == (plain(game.owed._asdict()) if game.owed else None)
        assert bytes.fromhex(client.save()) == game.save()
        assert client.ask(do="record")[1]["record"] == game.record()


def same(nimmt: ModuleType, client: Client, game: Any, seat: int | None) -> None:
    """The view of a seat, or a spectator, has all that Game.view has."""
    shown = client.ask(do="view", **({} if seat is None else {"seat": seat}))[1]["view"]
    assert shown.pop("names") is None
    expected = game.view(seat)._asdict()
    expected["rules"] = rules_object(nimmt, game.rules)
    expected["owed"] = game.owed._asdict() if game.owed else None
    assert shown == plain(expected)


def move(game: Any, rng: random.Random) -> tuple[dict[str, Any], list[Any]]:
    """Make a move of a game; return the request that asks for it, at times for which moment, and the events."""
    moment = {"round": game.round, "turn": game.turn} if rng.random() < 0.5 else {}
    if game.phase == "scored":
        if game.players < 10 and rng.random() < 0.3:
            game.join()
            return {"do": "join"}, []
        return {"do": "deal"}, game.deal()
    seat = rng.choice(game.to_act)
    what = rng.choice(game.legal(seat))
    if game.phase == "draft":
        return {"do": "pick", "seat": seat, "card": what, **moment}, game.pick(seat, what)
    if game.phase == "take":
        return {"do": "take", "seat": seat, "row": what, **moment}, game.take(seat, what)
    if rng.random() < 0.2:
        cards = [rng.choice(game.hand(each) + ((game.chosen(each),) * (game.chosen(each) is not None))) for each in
                 range(game.players)]  # fmt: skip
        return {"do": "play", "cards": cards}, game.play(cards)
    chosen = [each for each in range(game.players) if game.chosen(each)]
    if chosen and rng.random() < 0.1:
        return {"do": "withdraw", "seat": chosen[0], **moment}, game.withdraw(chosen[0])
    return {"do": "choose", "seat": seat, "card": what, **moment}, game.choose(seat, what)


def test_several_games_do_not_touch_each_other(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    games = {f"table {number}": nimmt.Game(3, seed=number) for number in range(3)}
    rng = random.Random(1)
    for name in games:
        client.ask(do="create", game=name, players=3, seed=int(name[-1]))
    assert client.ask(do="games")[1] == {"games": sorted(games)}
    for _ in range(300):
        name = rng.choice(sorted(games))
        if not games[name].is_over:
            client.ask(game=name, **move(games[name], rng)[0])
    for name, game in games.items():
        assert bytes.fromhex(client.save(name)) == game.save()
    client.ask(do="close", game="table 1")
    assert client.ask(do="games")[1] == {"games": ["table 0", "table 2"]}
    assert client.refused(do="view", game="table 1") == ("NimmtError", "there is no game 'table 1'")
    client.ask(do="create", game="table 1", seed=9)


def test_names_and_late_players(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    client.ask(do="create", names=["Ann", "Bö\u1f404"], seed=1, bots=["lowest", "highest"])
    assert client.ask(do="view")[1]["view"]["names"] == ["Ann", "Bö\u1f404"]
    assert client.refused(do="join")[0] == "NimmtError"
    client.ask(do="join", name="Cy", seat=2)
    assert client.ask(do="save")[1]["names"] == ["Ann", "Bö\u1f404", "Cy"]
    assert client.ask(do="deal")[1]["to_act"] == [2]
    saved = client.ask(do="save")[1]
    client.ask(do="load", game="again", data=saved["data"], names=saved["names"])
    assert client.ask(do="view", game="again")[1]["view"]["names"] == saved["names"]


def test_as_many_games_as_allowed(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    client.session = nimmt.protocol.Session(games=1)
    client.ask(do="create", game="a")
    assert client.refused(do="create", game="b") == ("IllegalMove", "there are 1 games already")
    assert client.refused(do="create", game="a", players=3) == ("IllegalMove", "there is a game 'a' already")
    client.ask(do="close", game="a")
    client.ask(do="create", game="b")


# Bots


@pytest.mark.parametrize("variant", ["base", "logic", "professional"])
def test_bots_alone_play_the_games_of_the_arena(nimmt: ModuleType, variant: str) -> None:
    rules = variants(nimmt)[variant]
    bots = ["random", "nearest", "lowest", "highest", "random"]
    client = Client(nimmt)
    _, reply = client.ask(do="create", players=5, seed=5, index=2, bots=bots, rules=rules_object(nimmt, rules))
    while reply["phase"] != "over":
        assert (reply["phase"], reply["to_act"]) == ("scored", [])
        _, reply = client.ask(do="deal")
    game = nimmt.arena.play_game(bots, seed=5, rules=rules, game=2)
    assert bytes.fromhex(client.save()) == game.save()


@pytest.mark.parametrize("variant", ["base", "logic", "professional"])
def test_bots_fill_seats_and_a_loaded_game_goes_on_the_same(nimmt: ModuleType, variant: str) -> None:
    rules = variants(nimmt)[variant]
    bots = ["random", None, "nearest", "random"]
    one, other, rng = Client(nimmt), Client(nimmt), random.Random(7)
    one.ask(do="create", players=4, seed=11, bots=bots, rules=rules_object(nimmt, rules))
    other.ask(do="create", players=4, seed=11, bots=bots, rules=rules_object(nimmt, rules))
    for _ in range(60):
        view = one.ask(do="view", seat=1)[1]["view"]
        if view["phase"] == "over":
            break
        if view["phase"] == "scored":
            request: dict[str, Any] = {"do": "deal"}
        else:
            assert view["to_act"] == [1], "only the seat that is no bot is asked"
            what = rng.choice(view["legal"])
            do = {"draft": "pick", "choose": "choose", "take": "take"}[view["phase"]]
            request = {"do": do, "seat": 1, ("row" if do == "take" else "card"): what}
        answer = one.ask(**request)
        data = other.save()
        other = Client(nimmt)
        other.ask(do="load", data=data, bots=bots)
        assert other.ask(**request) == answer
        assert one.save() == other.save()


def test_bots_can_take_over_and_leave(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    client.ask(do="create", players=2, seed=1)
    events, reply = client.ask(do="bots", bots=["lowest", None])
    assert (events, reply["to_act"]) == ([{"event": "Chosen", "game": "main", "seat": 0}], [1])
    _, reply = client.ask(do="bots", bots=["lowest", "lowest"])
    assert reply["phase"] == "scored"
    client.ask(do="bots", bots=[None, None])
    assert client.ask(do="deal")[1]["to_act"] == [0, 1]
    before = client.save()
    for bots in (["lowest"], ["lowest", "best"], "lowest", [1, None], None, {"0": "lowest"}):
        assert client.refused(do="bots", bots=bots)[0] in ("NimmtError", "TypeError")
    assert client.save() == before


# Repeats


def test_every_request_can_be_repeated(nimmt: ModuleType) -> None:
    """Whatever is sent twice is answered twice with the same bytes, but for the id, and is done once."""
    for name in ("base", "logic", "professional"):
        rng, client, once = random.Random(name), Client(nimmt), Client(nimmt)
        rules = rules_object(nimmt, variants(nimmt)[name])
        game = nimmt.Game(3, seed=3, rules=variants(nimmt)[name])
        twice(client, once, {"do": "create", "players": 3, "seed": 3, "rules": rules})
        for _ in range(150):
            if game.is_over:
                break
            moment = {"round": game.round, "turn": game.turn}
            joined = game.players
            request, _ = move(game, rng)
            if request["do"] == "deal":
                moment = {"round": game.round}
            elif request["do"] == "join":
                moment = {"seat": joined}
            twice(client, once, {**request, **moment})
            assert bytes.fromhex(client.save()) == game.save() == bytes.fromhex(once.save())


def twice(client: Client, once: Client, request: dict[str, Any]) -> None:
    first, second = client.lines(**request), client.lines(**request)
    assert [line.replace(f'"id":{client.number},', "") for line in second] == [
        line.replace(f'"id":{client.number - 1},', "") for line in first
    ]
    assert json.loads(first[-1])["ok"]
    once.ask(**request)


def test_a_request_for_another_moment_is_refused(nimmt: ModuleType) -> None:
    """Traps C12, E10."""
    client = Client(nimmt)
    client.ask(do="create", players=2, seed=4)
    hands = client.ask(do="hands")[1]["hands"]
    client.ask(do="choose", seat=0, card=hands[0][4], turn=1)
    client.ask(do="choose", seat=1, card=hands[1][4], turn=1)
    before = client.save()
    for request, message in [
        ({"do": "choose", "seat": 0, "card": hands[0][5], "turn": 1}, "choose is for turn 2 now, not for turn 1"),
        ({"do": "choose", "seat": 0, "card": hands[0][5], "turn": 2, "round": 2}, "choose is for round 1 now"),
        ({"do": "take", "seat": 0, "row": 0, "turn": 1}, "take is for turn 2 now"),
        ({"do": "withdraw", "seat": 0, "turn": 3}, "withdraw is for turn 2 now"),
        ({"do": "play", "cards": [1, 2], "turn": 11}, "play is for turn 2 now"),
        ({"do": "deal", "round": 3}, "deal is for round 2 now, not for round 3"),
        ({"do": "join", "seat": 5}, "join is for seat 2 now, not for seat 5"),
    ]:
        error, text = client.refused(**request)
        assert (error, message in text) == ("WrongPhase", True), text
    assert client.refused(do="choose", seat=0, card=hands[0][5], turn="2")[0] == "TypeError"
    assert client.save() == before


def test_the_same_card_in_the_same_turn_without_a_turn(nimmt: ModuleType) -> None:
    """Trap E01: also after a power cut, when the answers before it are forgotten."""
    client = Client(nimmt)
    client.ask(do="create", players=2, seed=4)
    card = client.ask(do="hands")[1]["hands"][0][0]
    first = client.ask(do="choose", seat=0, card=card)
    assert client.ask(do="choose", seat=0, card=card) == first
    other = Client(nimmt)
    other.ask(do="load", data=client.save())
    assert other.ask(do="choose", seat=0, card=card, turn=1) == first
    assert other.save() == client.save()


def test_a_choice_that_was_replaced_is_no_repeat(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    client.ask(do="create", players=2, seed=4)
    first, second = client.ask(do="hands")[1]["hands"][0][:2]
    for card in (first, second, first):
        client.ask(do="choose", seat=0, card=card, turn=1, round=1)
        assert client.ask(do="hands")[1]["chosen"] == [card, None]
    client.ask(do="withdraw", seat=0, turn=1, round=1)
    client.ask(do="choose", seat=0, card=first, turn=1, round=1)
    assert client.ask(do="hands")[1]["chosen"] == [first, None]


# Host and seats


def test_a_seat_may_ask_for_its_own_only(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    client.ask(do="create", players=3, seed=4)
    view = client.ask(do="view", seat=1)
    assert client.ask(do="view", **{"as": 1}) == view
    assert client.ask(do="view", seat=1, **{"as": 1}) == view
    before = client.save()
    for request in [
        {"do": "view", "seat": 0},
        {"do": "choose", "seat": 0, "card": client.ask(do="hands")[1]["hands"][0][0]},
        {"do": "hands"},
        {"do": "save"},
        {"do": "record"},
        {"do": "play", "cards": [1, 2, 3]},
        {"do": "deal"},
        {"do": "join"},
        {"do": "bots", "bots": ["lowest"] * 3},
        {"do": "create", "game": "other"},
        {"do": "create", "players": 3, "seed": 4},
        {"do": "load", "game": "other", "data": before},
        {"do": "close"},
        {"do": "games"},
    ]:
        error, message = client.refused(**request, **{"as": 1})
        assert (error, message.startswith("seat 1 may not ask for")) == ("IllegalMove", True), message
    for seat in (3, -1):
        assert client.refused(do="view", **{"as": seat})[0] == "IllegalMove"
    for wrong in ("1", None, True, 1.0):
        assert client.refused(do="view", **{"as": wrong})[0] == "TypeError"
    assert client.save() == before
    client.ask(do="hello", **{"as": 1})
    client.ask(do="choose", card=view[1]["view"]["hand"][0], **{"as": 1})
    client.ask(do="withdraw", **{"as": 1})
    assert client.save() == before


def test_nothing_that_a_seat_is_told_depends_on_what_it_may_not_know(nimmt: ModuleType) -> None:
    """Two games that differ in the hands of the others only: all answers to seat 0, and all events, are equal."""
    rng = random.Random(9)
    for _ in range(20):
        deck = rng.sample(range(1, 105), 104)
        rows, mine, others = [[card] for card in deck[:4]], deck[4:14], deck[14:]
        one, other = Client(nimmt), Client(nimmt)
        chosen = []
        for client in (one, other):
            rng.shuffle(others)
            hands = [mine, others[:10], others[10:20]]
            start = nimmt.Round.from_rows(rows, hands=hands)
            client.ask(do="load", data=nimmt.Game.from_round(start, seed=rng.getrandbits(64)).save().hex())
            chosen.append(hands[1][0])
        assert one.save() != other.save()
        one.ask(do="choose", seat=1, card=chosen[0])
        other.ask(do="choose", seat=1, card=chosen[1])
        requests: list[dict[str, Any]] = [
            {"do": "view"},
            {"do": "choose", "card": mine[0]},
            {"do": "choose", "card": mine[0]},
            {"do": "view"},
            {"do": "choose", "card": 104},
            {"do": "withdraw"},
            {"do": "choose", "card": mine[1], "turn": 2},
            {"do": "take", "row": 1},
            {"do": "pick", "card": mine[1]},
            *({"do": "choose", "card": card} for card in others),
        ]
        for request in requests:
            assert one.lines(**request, **{"as": 0}) == other.lines(**request, **{"as": 0}), request


def test_the_seed_is_told_to_the_host_only(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    seed = 0x1234567890ABCDEF
    client.ask(do="create", players=2, seed=seed, bots=[None, "random"])
    for request in ({"do": "view"}, {"do": "hello"}, {"do": "choose", "card": 1}):
        assert str(seed) not in "".join(client.lines(**request, **{"as": 0}))


# Real cards


def test_a_referee(nimmt: ModuleType) -> None:
    client, table = Client(nimmt), nimmt.referee.Referee(["Ann", "Bo", "Cy"], nimmt.Rules(rounds=2))
    _, reply = client.ask(do="create", names=["Ann", "Bo", "Cy"], rules={"rounds": 2, "limit": None}, referee=True)
    assert (reply["phase"], reply["round"], reply["ready"]) == ("scored", 0, False)
    while True:
        for row in range(4):
            client.ask(do="lay", card=90 + row + table.round)
            table.lay(90 + row + table.round)
        client.ask(do="lift", row=3)
        assert client.ask(do="lay", card=93 + table.round, row=3)[1]["ready"] is True
        events, _ = client.ask(do="deal", round=table.round + 1)
        (dealt,) = table.deal()
        assert events == [{"event": "Dealt", "game": "main", **plain(dealt._asdict())}]
        for turn in range(10):
            for seat in range(table.players):
                client.ask(do="read", seat=seat, card=1 + 4 * turn + seat)
                table.read(seat, 1 + 4 * turn + seat)
            events, reply = client.ask(do="place", turn=turn + 1)
            placed = table.place()
            while reply["phase"] == "take":
                placed += table.take(table.owed.seat, table.owed.rows[-1])
                more, reply = client.ask(do="take", seat=reply["owed"]["seat"], row=reply["owed"]["rows"][-1])
                events += more
            assert [event["event"] for event in events] == [type(event).__name__ for event in placed]
            assert bytes.fromhex(client.save()) == table.save()
        if table.is_over:
            break
        client.ask(do="join", name="Di")
        table.join("Di")
        client = switched_off(nimmt, client)
    assert reply["scores"] == list(table.scores)


def switched_off(nimmt: ModuleType, client: Client) -> Client:
    saved, again = client.ask(do="save")[1], Client(nimmt)
    again.ask(do="load", **saved)
    assert again.ask(do="view") == client.ask(do="view")
    return again


def test_reads(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    client.ask(do="create", players=2, referee=True)
    client.ask(do="deal", cards=[10, 20, 30, 40])
    first = client.ask(do="read", seat=0, card=45)
    before = client.save()
    assert client.ask(do="read", seat=0, card=45) == first
    assert client.refused(do="read", seat=1, card=45) == ("IllegalMove", "seat 1: card 45 was read for seat 0 (R1)")
    assert client.refused(do="read", seat=1, card=40) == ("IllegalMove", "seat 1: card 40 was seen in this round (R1)")
    assert client.refused(do="read", seat=1, card=105)[0] == "IllegalMove"
    assert client.refused(do="place")[0] == "IllegalMove"
    for do in ("choose", "pick", "play", "hands", "record", "bots"):
        error, message = client.refused(do=do)
        message, _, instead = message.partition(": ")
        assert (error, message) == ("BadRequest", f"'{do}' is not for a game with real cards")
        assert ("read" in instead, "draft" in instead) == (do == "choose", do == "pick")
    assert client.save() == before
    view = client.ask(do="view")[1]["view"]
    assert view.pop("cards") == [45, None]
    assert client.ask(do="view", **{"as": 1})[1]["view"] == view, "for a seat, without the cards that were read"
    assert set(view) == {*nimmt.protocol.hosted.TABLE, "names"}
    for do in ("read", "lay", "place", "take", "save"):
        assert client.refused(do=do, **{"as": 1})[0] == "IllegalMove"
    client.ask(do="withdraw", seat=0)
    assert client.ask(do="view")[1]["view"]["cards"] == [None, None]


def test_a_draft_with_real_cards(nimmt: ModuleType) -> None:
    """The players make it (V2): the deck is bounded, there is no phase for it, and the rows lie as they are laid."""
    client, rules = Client(nimmt), {"deck": "tactic", "draft": True, "first_picker": 1}
    _, reply = client.ask(do="create", players=2, rules=rules, referee=True)
    assert (reply["phase"], reply["round"]) == ("scored", 0)
    assert "draft" in client.refused(do="pick", seat=1, card=24)[1]
    assert client.refused(do="lay", card=25) == ("IllegalMove", "there is no card 25: the deck is 1..24 (R1, V1)")
    events, reply = client.ask(do="deal", cards=[24, 3, 11, 12])
    assert (events[0]["rows"], reply["phase"]) == ([[24], [3], [11], [12]], "choose")
    assert client.refused(do="read", seat=0, card=25)[0] == "IllegalMove"
    client.ask(do="read", seat=0, card=20)
    view = client.ask(do="view")[1]["view"]
    assert (view["rules"]["draft"], view["to_act"]) == (True, [1])


def test_what_real_cards_do_not_have(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    for field, value in (("seed", 1), ("index", 1), ("bots", [None] * 4)):
        assert client.refused(do="create", referee=True, **{field: value})[0] == "BadRequest"
    assert client.refused(do="create", referee=1)[0] == "BadRequest"
    data = nimmt.referee.Referee(2).save().hex()
    assert client.refused(do="load", data=data, bots=["lowest", None])[0] == "BadRequest"
    client.ask(do="create")
    for do in ("lay", "lift", "read", "place"):
        assert client.refused(do=do) == ("BadRequest", f"'{do}' is not for a game whose hands are known")
    assert client.refused(do="deal", cards=[1, 2, 3, 4]) == ("BadRequest", "deal has no field 'cards'")


# Lines that are no requests

BAD_LINES = [
    (b"{", "not JSON"),
    (b"hello", "not JSON"),
    (b'{"id":1,"do":"hello"', "not JSON"),
    (b'{"id":1} {"id":2}', "not JSON"),
    (b"[]", "JSON object"),
    (b'"hello"', "JSON object"),
    (b"7", "JSON object"),
    (b"null", "JSON object"),
    (b"NaN", "not JSON"),
    (b'{"do":"hello","id":NaN}', "not JSON"),
    (b'{"do":"hello","id":-Infinity}', "not JSON"),
    (b'{"do":"hello","do":"games"}', "there twice"),
    (b'{"do":"create","rules":{"limit":7,"limit":8}}', "there twice"),
    (b"\xff\xfe", "not UTF-8"),
    (b'{"do":"hello","id":"\xc3"}', "not UTF-8"),
    (b'{"do":"hello","id":"\xed\xa0\x80"}', "not UTF-8"),
    (b'\xef\xbb\xbf{"do":"hello"}', "not JSON"),
    (b"\x00", "not JSON"),
    (b'{"do":"create","names":["Ann","\\ud800"]}', "surrogate"),
    (b'{"do":"hello","\\udfff":1}', "surrogate"),
    (b"[" * 60000, "JSON|nested too deeply"),
    (b"[" * 30000 + b"]" * 30000, "nested too deeply|JSON object"),
    (b'{"do":"play","cards":[[[1]]]}', "'cards' is nested too deeply"),
    (b'{"do":"create","rules":{"limit":{"a":1}}}', "'rules' is nested too deeply"),
    (b'{"do":"hello","id":' + b"9" * 5000 + b"}", "JSON|'id'"),
    (b'{"do":"hello","id":1.5}', "'id' must be"),
    (b'{"do":"hello","id":1e999}', "'id' must be"),
    (b'{"do":"hello","id":true}', "'id' must be"),
    (b'{"do":"hello","id":[1]}', "'id' must be"),
    (b'{"do":"hello","id":"' + b"x" * 101 + b'"}', "'id' must be"),
    (b"{}", "'do' must say"),
    (b'{"do":1}', "'do' must say"),
    (b'{"do":null}', "'do' must say"),
    (b'{"do":["hello"]}', "'do' must say"),
    (b'{"do":""}', "there is no request ''"),
    (b'{"do":"__init__"}', "there is no request '__init__'"),
    (b'{"do":"answer"}', "there is no request"),
    (b'{"do":"view","color":1}', "view has no field 'color'"),
    (b'{"do":"hello","seat":1}', "hello has no field 'seat'"),
    (b'{"do":"create","Seed":1}', "create has no field 'Seed'"),
    (b'{"do":"create","rules":{"jokers":1}}', "rules have no option 'jokers'"),
    (b'{"do":"create","rules":"base"}', "'rules' must be an object"),
    (b'{"do":"create","names":["a","b"],"players":2}', "give one"),
    (b'{"do":"create","game":"new","seed":"0x10"}', "1 to 20 digits"),
    (b'{"do":"create","game":"new","seed":""}', "1 to 20 digits"),
    (b'{"do":"choose","seat":0}', "choose needs 'card'"),
    (b'{"do":"load"}', "load needs 'data'"),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES, ids=range(len(BAD_LINES)))
def test_bad_lines(nimmt: ModuleType, line: bytes, message: str) -> None:
    client = Client(nimmt)
    client.ask(do="create", seed=1)
    before = client.save()
    (answer,) = client.session.feed(line + b"\n").splitlines()
    reply = json.loads(answer)
    assert (reply["ok"], reply["error"], reply["id"]) == (False, "BadRequest", None)
    assert re.search(message, reply["message"])
    assert client.save() == before


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"do": "create", "players": 1}, "NimmtError"),
        ({"do": "create", "players": 11}, "NimmtError"),
        ({"do": "create", "players": "4"}, "TypeError"),
        ({"do": "create", "players": 4.0}, "TypeError"),
        ({"do": "create", "players": True}, "TypeError"),
        ({"do": "create", "players": None}, "TypeError"),
        ({"do": "create", "names": "Ann"}, "TypeError"),
        ({"do": "create", "names": ["Ann", 2]}, "TypeError"),
        ({"do": "create", "names": ["Ann", "two\nlines"]}, "NimmtError"),
        ({"do": "create", "seed": -1}, "NimmtError"),
        ({"do": "create", "seed": 2**64}, "NimmtError"),
        ({"do": "create", "seed": 1.5}, "TypeError"),
        ({"do": "create", "seed": "99999999999999999999"}, "NimmtError"),
        ({"do": "create", "rules": {"limit": "66"}}, "TypeError"),
        ({"do": "create", "rules": {"limit": 0}}, "NimmtError"),
        ({"do": "create", "rules": {"draft": True}}, "NimmtError"),
        ({"do": "create", "bots": ["lowest"]}, "NimmtError"),
        ({"do": "create", "bots": ["lowest", "best", None, None]}, "NimmtError"),
        ({"do": "create", "game": ""}, "NimmtError"),
        ({"do": "create", "game": 1}, "TypeError"),
        ({"do": "create", "game": "x" * 41}, "NimmtError"),
        ({"do": "load", "data": "6n"}, "BadRecord"),
        ({"do": "load", "data": ""}, "BadRecord"),
        ({"do": "load", "data": 1}, "TypeError"),
        ({"do": "load", "data": "00" * 200}, "BadRecord"),
        ({"do": "close", "game": "x"}, "NimmtError"),
    ],
)
def test_refused_creations(nimmt: ModuleType, request_: dict[str, Any], error: str) -> None:
    client = Client(nimmt)
    assert client.refused(**{"game": "new", **request_})[0] == error
    assert client.ask(do="games")[1] == {"games": []}


def test_values_of_wrong_types(nimmt: ModuleType) -> None:
    client = Client(nimmt)
    for asking in ("foo", {"a": 1}, 1.5, None, True):
        for do in ("hello", "games", "view", "create"):
            assert client.refused(do=do, **{"as": asking})[0] == "TypeError"
    assert client.refused(do="create", names=[], seed=1) == ("NimmtError", "2 to 10 can play, not 0 (R1)")
    for games in (None, "x", 1.5):
        with pytest.raises(TypeError, match="games must be an integer"):
            nimmt.protocol.Session(games)


def test_long_lines(nimmt: ModuleType) -> None:
    longest = nimmt.protocol.LONGEST
    assert longest == 65536
    client = Client(nimmt)
    request = b'{"do":"hello","id":1'
    assert b'"ok":true' in client.session.feed(request + b" " * (longest - len(request) - 1) + b"}\n")
    for length in (longest + 1, 10 * longest):
        answers = client.session.feed(b"x" * length + b"\n" + request + b"}\n").splitlines()
        assert [json.loads(answer)["ok"] for answer in answers] == [False, True]
        assert json.loads(answers[0])["message"] == "the line is longer than 65536 bytes"
    for _ in range(100):
        assert client.session.feed(b"x" * 10000) == b""  # is not kept
    assert len(client.session._line) == 0
    assert client.session.end().count(b"\n") == 1


def test_lines_in_pieces(nimmt: ModuleType) -> None:
    lines = b"\r\n\n  \n".join(request.encode() for request, _ in examples()) + b'\n{"do":"hello"'
    whole = nimmt.protocol.Session()
    expected = whole.feed(lines) + whole.end()
    assert expected.endswith(b'"message":"the input ends inside a line","ok":false}\n')
    rng = random.Random(2)
    for size in (1, 7, 100):
        session, got, at = nimmt.protocol.Session(), b"", 0
        while at < len(lines):
            piece = lines[at : at + rng.randint(1, size)]
            at += len(piece)
            got += session.feed(piece) + session.feed(None) + session.feed(b"")
        assert got + session.end() == expected
        assert session.end() == b""


def test_anything(nimmt: ModuleType) -> None:
    """Broken requests of all kinds: one reply each, never a fault of the engine, and the game can be played."""
    rng, client = random.Random(3), Client(nimmt)
    client.ask(do="create", players=3, seed=1)
    client.ask(do="create", game="table", players=3, referee=True)
    words = [name for name, *_ in nimmt.protocol.requests.REQUESTS]
    values = [0, 1, 2, 17, -1, 2**70, 1.5, None, True, "", "x", "random", [], [1, 2, 3], [[1]], {}, {"limit": 7}, "6n"]
    fields = ["seat", "card", "row", "cards", "turn", "round", "as", "game", "name", "names", "bots", "data", "players"]
    for _ in range(3000):
        request = {field: rng.choice(values) for field in rng.sample(fields, rng.randrange(5))}
        request["do"] = rng.choice(words)
        if rng.random() < 0.3:
            request["game"] = "table"
        line = bytearray(json.dumps(request).encode())
        if rng.random() < 0.2:
            line[rng.randrange(len(line))] = rng.choice(b'{}[]",:0x\xff')
        answers = [json.loads(answer) for answer in client.session.answer(bytes(line))]
        assert ["event" in answer for answer in answers] == [True] * (len(answers) - 1) + [False]
        assert answers[-1].get("error") != "InternalError", (request, answers)
    for name in client.ask(do="games")[1]["games"]:
        client.ask(do="view", game=name)


def test_a_fault_does_not_end_the_session(nimmt: ModuleType, monkeypatch: Any) -> None:
    client = Client(nimmt)
    client.ask(do="create", seed=1)
    monkeypatch.setattr(nimmt.Game, "record", lambda game: 1 // 0)
    assert client.refused(do="record")[0] == "InternalError"
    client.ask(do="view")


# The command


def serve(data: bytes, *options: str) -> tuple[int, list[Any], bytes]:
    """Return exit code, replies and standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "nimmt", "serve", *options], input=data, capture_output=True, timeout=60, check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, [answer for answer in answers if "event" not in answer], done.stderr


def test_no_memory_does_not_end_the_session(nimmt: ModuleType, monkeypatch: Any) -> None:
    """Not even if there is none for the reply."""
    client = Client(nimmt)
    client.ask(do="create", seed=1)

    def full(value: object) -> str:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(nimmt.protocol.session, "dumps", full)
        (line,) = client.lines(do="view")
        assert client.session.feed(b"nonsense\n") == line.encode() + b"\n"
    reply = {"error": "InternalError", "id": None, "message": "not enough memory", "ok": False}
    assert line == json.dumps(reply, separators=(",", ":"))
    assert client.ask(do="view")[1]["view"]["turn"] == 1


def test_serve() -> None:
    code, answers, errors = serve(
        b'{"id":1,"do":"hello"}\n' + b"x" * 70000 + b'\n\xff\n{"id":2,"do":"create","seed":1}\n{"id":3,"do":"view"}'
    )
    assert (code, errors) == (0, b"")
    assert [answer["id"] for answer in answers] == [1, None, None, 2, None]
    assert [answer["ok"] for answer in answers] == [True, False, False, True, False]
    assert serve(b"") == (0, [], b"")


def test_serve_with_a_limit() -> None:
    code, answers, _ = serve(b'{"do":"create"}\n{"do":"create","game":"b"}\n', "--games", "1")
    assert (code, [answer["ok"] for answer in answers]) == (0, [True, False])
    assert serve(b"", "--games", "0")[0] == 2


def test_serve_answers_at_once() -> None:
    """Each request is answered before the next is sent."""
    command = [sys.executable, "-m", "nimmt", "serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin and engine.stdout
        for number in range(3):
            engine.stdin.write(b'{"id":%d,' % number)
            engine.stdin.flush()
            engine.stdin.write(b'"do":"hello"}\n')
            engine.stdin.flush()
            assert json.loads(engine.stdout.readline())["id"] == number
        engine.stdin.close()
        assert engine.wait(timeout=30) == 0
