"""One game of a session of the line protocol: its requests, the bots at its table, and repeats. See PROTOCOL.md."""

from ..args import as_int, listed
from ..bots import Bots, checked_policy
from ..errors import WrongPhase
from ..events import Chosen, Dealt, Event, RowOwed
from ..game import Game
from ..port import Any, fields_of
from ..referee import Referee
from ..rules import NAMES, Rules
from ..view import View
from .requests import Known

try:
    Request = dict[str, Any]
    Answer = tuple[list[Event], dict[str, Any]]
except TypeError:  # MicroPython
    Request = Answer = dict

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

_ASKING = ("view", "hands", "save", "record")  # they change nothing


class Hosted:
    """A game, or the referee of real cards, as the requests of a session meet it."""

    def __init__(self, game: "Game | Referee", bots: object = None) -> None:
        self.game = game
        self._company: Bots | None = None  # None: somebody plays all seats
        self._last: dict[int | None, tuple[str, Answer]] = {}  # by seat, None: the host
        self.made: tuple[str, Answer] = ("", ([], {}))  # the request that made it
        if bots is not None:
            self._seat_bots(bots)

    @property
    def kind(self) -> str:
        """What the requests to it are, in the table: "g" or "r"."""
        return "r" if isinstance(self.game, Referee) else "g"

    def begin(self, new: bool) -> "Answer":
        """Return what follows from the game being there, new or loaded."""
        dealt = new and self.game.phase == "choose"
        first: list[Event] = [Dealt(self.game.round, self.game.rows)] if dealt else []
        return first + self._play_bots(), self.state()

    def answer(self, row: Known, request: "Request", text: str) -> "Answer":
        """Do what a request asks, which has the fields of its row; `text` stands for all of it but its id.

        Returns events and the fields of the reply. If it is the last request of this seat, or of the host, once more,
        and says for which turn, round or new seat it is, then nothing is done, and the answer is the same again.
        """
        do, moment = row.do, row.moment
        if do in _ASKING:
            return [], getattr(self, "_" + do)(request)
        by = as_int(request["seat"], "seat") if "seat" in row.needed else None
        last = self._last.get(by)
        if last and last[0] == text and moment and moment[0] in request:
            return last[1]
        self._now(do, moment, request)
        arguments = [request.get(field) for field in row.needed + row.possible]
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
        assert isinstance(self.game, Game)  # the table of requests, and the session for create and load, see to it
        names = [name if name is None else checked_policy(name) for name in listed(bots, "bots")]
        self._company = Bots(self.game, names)

    def _play_bots(self) -> "list[Event]":
        """Let the bots do what they must: each as soon as it is asked, the lowest seat first."""
        bots, events = self._company, []
        if bots is None:
            return []
        bots.share()
        seat = bots.asked()
        while seat is not None:
            events += bots.move(seat)
            seat = bots.asked()
        return events

    # Requests that are more than a method of the game; known() has checked the kind of game

    def _view(self, request: "Request") -> "dict[str, Any]":
        game = self.game
        if isinstance(game, Referee):
            shown = {name: _plain(getattr(game, name)) for name in TABLE}
            if "as" not in request:  # which cards were read may be a secret until they are placed
                shown["cards"] = [game.chosen(seat) for seat in range(game.players)]
        else:
            view = game.view(request.get("seat"))
            shown = {name: _plain(getattr(view, name)) for name in fields_of(View)}
        shown["names"] = game.names
        return {"view": shown}

    def _hands(self, request: "Request") -> "dict[str, Any]":
        game, seats = self.game, range(self.game.players)
        return {"hands": [game.hand(seat) for seat in seats], "chosen": [game.chosen(seat) for seat in seats]}

    def _save(self, request: "Request") -> "dict[str, Any]":
        return {"data": self.game.save().hex(), "names": self.game.names}

    def _record(self, request: "Request") -> "dict[str, Any]":
        game: Any = self.game
        return {"record": game.record()}

    def _choose(self, seat: int, card: int) -> "list[Event]":
        game: Any = self.game
        if game.phase == "choose" and game.chosen(seat) == as_int(card, "card"):  # once more, without saying the turn
            return [Chosen(seat)]
        events: list[Event] = game.choose(seat, card)
        return events

    def _read(self, seat: int, card: int) -> "list[Event]":
        game: Any = self.game
        return game.read(seat, card) or [Chosen(seat)]

    def _join(self, name: "str | None") -> "list[Event]":
        self.game.join(name)
        if self._company:
            self._company.join()
        return []

    def _bots(self, bots: object) -> "list[Event]":
        self._seat_bots(bots)
        return []


def _plain(value: object) -> object:
    """Return a part of a view as JSON can say it: rules and an owed row as objects with names."""
    if isinstance(value, Rules):
        return {name: getattr(value, name) for name in NAMES}
    if isinstance(value, RowOwed):
        return dict(zip(fields_of(value), value))
    return value
