"""One game of a session of the line protocol: its requests, the bots at its table, and repeats. See PROTOCOL.md."""

from ._json import BadRequest
from .checks import listed
from .errors import NimmtError, WrongPhase, as_int
from .events import Chosen, Dealt
from .game import Game
from .referee import Referee
from .rules import NAMES

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from typing import Any

    from .bots import Policy
    from .events import Event

    Request = dict[str, Any]
    Answer = tuple[list[Event], dict[str, Any]]

#: What is told of a table with real cards.
TABLE = (
    "players",
    "rules",
    "phase",
    "round",
    "turn",
    "rows",
    "to_act",
    "owed",
    "heads",
    "scores",
    "seen",
    "opening",
    "ready",
)

#: The requests to a game: name, fields that must be there, fields that may be there, fields that say which turn, round
#: or new seat is meant, the kind of game ("g": hands are known, "r": real cards), and who may ask ("s": a seat for
#: itself, "h": the host only).
REQUESTS = (
    ("view", "", "seat", "", "g", "s"),
    ("choose", "seat card", "", "turn round", "g", "s"),
    ("withdraw", "seat", "", "turn round", "g", "s"),
    ("take", "seat row", "", "turn round", "g", "s"),
    ("pick", "seat card", "", "turn round", "g", "s"),
    ("play", "cards", "", "turn round", "g", "h"),
    ("deal", "", "", "round", "g", "h"),
    ("join", "", "name", "seat", "g", "h"),
    ("bots", "bots", "", "", "g", "h"),
    ("hands", "", "", "", "g", "h"),
    ("save", "", "", "", "g", "h"),
    ("record", "", "", "", "g", "h"),
    ("view", "", "", "", "r", "s"),
    ("lay", "card", "row", "", "r", "h"),
    ("lift", "row", "", "", "r", "h"),
    ("deal", "", "cards", "round", "r", "h"),
    ("read", "seat card", "", "turn round", "r", "h"),
    ("withdraw", "seat", "", "turn round", "r", "h"),
    ("place", "", "", "turn round", "r", "h"),
    ("take", "seat row", "", "turn round", "r", "h"),
    ("join", "", "name", "seat", "r", "h"),
    ("save", "", "", "", "r", "h"),
)
_ASKING = ("view", "hands", "save", "record")  # they change nothing

#: What is done with real cards instead of a request that is not for them.
_INSTEAD = {
    "choose": ": read the card that a seat plays",
    "pick": ": the players make the draft themselves, then lay the four cards that are left (V2)",
}


def known(do: str, kind: str) -> "tuple[list[str], list[str], list[str], str]":
    """Return the fields of a request to a kind of game ("": any), and who may ask: the columns of REQUESTS."""
    for name, needed, possible, moment, of, who in REQUESTS:
        if name == do and kind in ("", of):
            return needed.split(), possible.split(), moment.split(), who
    others = [name for name, _, _, _, of, _ in REQUESTS if name == do]
    what = "with real cards" + _INSTEAD.get(do, "") if kind == "r" else "whose hands are known"
    raise BadRequest(f"{repr(do)} is not for a game {what}" if others else f"there is no request {repr(do)}")


class Hosted:
    """A game, or the referee of real cards, as the requests of a session meet it."""

    def __init__(self, game: "Game | Referee", bots: object = None) -> None:
        self.game = game
        self._policies = [None] * game.players  # type: list[Policy | None]  # None: somebody plays
        self._last = {}  # type: dict[int | None, tuple[str, Answer]]  # by seat, None: the host
        self.made = ("", ([], {}))  # type: tuple[str, Answer]  # the request that made it
        if bots is not None:
            self._seat_bots(bots)

    @property
    def kind(self) -> str:
        return "r" if isinstance(self.game, Referee) else "g"

    def begin(self, new: bool) -> "Answer":
        """Return what follows from the game being there, new or loaded."""
        dealt = new and self.game.phase == "choose"
        first = [Dealt(self.game.round, self.game.rows)] if dealt else []  # type: list[Event]
        return first + self._play_bots(), self.state()

    def answer(self, request: "Request", text: str) -> "Answer":
        """Do what a request asks, which has the fields of REQUESTS; `text` stands for all of it but its id.

        Returns events and the fields of the reply. If it is the last request of this seat, or of the host, once more,
        and says for which turn, round or new seat it is, then nothing is done, and the answer is the same again.
        """
        do = request["do"]
        needed, possible, moment, _ = known(do, self.kind)
        if do in _ASKING:
            return [], getattr(self, "_" + do)(request)
        by = as_int(request["seat"], "seat") if "seat" in needed else None
        last = self._last.get(by)
        if last and last[0] == text and moment and moment[0] in request:
            return last[1]
        self._now(do, moment, request)
        arguments = [request.get(field) for field in needed + possible]
        move = getattr(self, "_" + do, None) or getattr(self.game, do)
        events = list(move(*arguments)) + self._play_bots()
        if do == "deal":
            self._last.clear()
        answer = events, self.state()
        self._last[by] = text, answer
        return answer

    def _now(self, do: str, moment: "list[str]", request: "Request") -> None:
        """Refuse a request for another moment than this one."""
        game = self.game
        expected = {"round": game.round + (do == "deal"), "turn": game.turn, "seat": game.players}
        for field in moment:
            if field in request and as_int(request[field], field) != expected[field]:
                raise WrongPhase(f"{do} is for {field} {expected[field]} now, not for {field} {request[field]}")

    def state(self) -> "dict[str, Any]":
        """Return what every reply about this game tells: nothing that is not public."""
        game = self.game
        state = {"phase": game.phase, "round": game.round, "turn": game.turn, "to_act": game.to_act}
        state["scores"] = game.scores
        if game.owed:
            state["owed"] = _plain(game.owed)
        if isinstance(game, Referee):
            state["ready"] = game.ready
        return state

    # Bots

    def _seat_bots(self, bots: object) -> None:
        from .bots import Policy  # a board with real cards never needs it

        names = listed(bots, "bots")
        if len(names) != self.game.players:
            raise NimmtError(f"{self.game.players} players need as many bots or nulls, not {len(names)}")
        self._policies = [None if name is None else Policy(name) for name in names]

    def _play_bots(self) -> "list[Event]":
        """Let the bots do what they must: each as soon as it is asked, the lowest seat first."""
        events, game = [], self.game  # type: list[Event], Game | Referee
        if isinstance(game, Referee):
            return events
        from .bots import decision_stream

        if None not in self._policies:
            self._share(game)
        asked = self._asked()
        while asked:
            seat, bot = asked
            if None in self._policies:
                bot.stream = decision_stream(game, seat)
            view = game.view(seat)
            if game.phase == "draft":
                events += game.pick(seat, bot.pick(view))
            elif game.phase == "take":
                events += game.take(seat, bot.take(view))
            else:
                events += game.choose(seat, bot.choose(view))
            asked = self._asked()
        return events

    def _asked(self) -> "tuple[int, Policy] | None":
        """Return the lowest seat that must do something and is played by a bot, and the bot."""
        for seat in self.game.to_act:
            bot = self._policies[seat]
            if bot:
                return seat, bot
        return None

    def _share(self, game: Game) -> None:
        """Bots alone go on with the stream of the round, where the deal left it: the games of nimmt.arena."""
        from .bots import round_stream

        stream = round_stream(game)
        for bot in self._policies:
            if bot:
                bot.stream = stream

    # Requests that are more than a method of the game; known() has checked the kind of game

    def _view(self, request: "Request") -> "dict[str, Any]":
        game = self.game
        if isinstance(game, Referee):
            shown = {name: _plain(getattr(game, name)) for name in TABLE}
            if "as" not in request:  # which cards were read may be a secret until they are placed
                shown["cards"] = [game.chosen(seat) for seat in range(game.players)]
        else:
            from .view import FIELDS

            view = game.view(request.get("seat"))
            shown = {name: _plain(getattr(view, name)) for name in FIELDS}
        shown["names"] = game.names
        return {"view": shown}

    def _hands(self, request: "Request") -> "dict[str, Any]":
        game, seats = self.game, range(self.game.players)
        return {"hands": [game.hand(seat) for seat in seats], "chosen": [game.chosen(seat) for seat in seats]}

    def _save(self, request: "Request") -> "dict[str, Any]":
        return {"data": self.game.save().hex(), "names": self.game.names}

    def _record(self, request: "Request") -> "dict[str, Any]":
        game = self.game  # type: Any
        return {"record": game.record()}

    def _choose(self, seat: int, card: int) -> "list[Event]":
        game = self.game  # type: Any
        if game.phase == "choose" and game.chosen(seat) == as_int(card, "card"):  # once more, without saying the turn
            return [Chosen(seat)]
        events = game.choose(seat, card)  # type: list[Event]
        return events

    def _read(self, seat: int, card: int) -> "list[Event]":
        game = self.game  # type: Any
        return game.read(seat, card) or [Chosen(seat)]

    def _join(self, name: "str | None") -> "list[Event]":
        self.game.join(name)
        self._policies.append(None)
        return []

    def _bots(self, bots: object) -> "list[Event]":
        self._seat_bots(bots)
        return []


def _plain(value: object) -> object:
    """Return a part of a view as JSON can say it: rules and an owed row as objects with names."""
    if type(value).__name__ == "Rules":
        return {name: getattr(value, name) for name in NAMES}
    if type(value).__name__ == "RowOwed":
        return dict(zip(("seat", "card", "rows"), value))  # type: ignore[call-overload]
    return value
