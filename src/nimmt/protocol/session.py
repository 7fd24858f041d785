"""The session of a program: lines in, lines out, and the games of that program. See PROTOCOL.md."""

from .._version import __version__
from ..args import as_int, checked_name, checked_seat, listed, quoted
from ..core import name as backend
from ..errors import BadRecord, IllegalMove, NimmtError
from ..events import Event
from ..game import Game
from ..port import Any, fields_of
from ..referee import Referee
from ..rules import NAMES, Rules, no_option
from ..stream import STREAM_VERSION
from .hosted import Answer, Hosted, Request
from .lines import BadRequest, dumps, parsed
from .requests import Known, known

VERSION = 1
LONGEST = 0x10000

# There may be no room for any other reply.
_NO_MEMORY = '{"error":"InternalError","id":null,"message":"not enough memory","ok":false}'


class Session:
    """What one program says and is told.

    games          how many games it may have at a time

    Nothing that comes in ends it: what is not understood or not allowed gets an error as its reply.
    """

    def __init__(self, games: int = 1000) -> None:
        self._most = as_int(games, "games")
        self._hosted: dict[str, Hosted] = {}
        self._line, self._too_long = bytearray(), False

    # Bytes and lines

    def feed(self, data: "bytes | bytearray | None") -> bytes:
        """Take bytes as they come, None if nothing came; return the answers to the lines that are complete now."""
        out: list[str] = []
        start, came = 0, bytes(data or b"")
        while True:
            stop = came.find(b"\n", start)
            self._add(came[start:] if stop < 0 else came[start:stop])
            if stop < 0:
                return "".join([line + "\n" for line in out]).encode()
            out += self._answer_line()
            start = stop + 1

    def end(self) -> bytes:
        """Return the answer to a last line without its end: an error. It is not carried out, for it may be cut."""
        if not bytes(self._line).strip() and not self._too_long:
            return b""
        self._line, self._too_long = bytearray(), False
        return (_refusal(None, BadRequest("the input ends inside a line")) + "\n").encode()

    def _add(self, part: bytes) -> None:
        if len(self._line) + len(part) > LONGEST:
            self._line, self._too_long = bytearray(), True
        if not self._too_long:
            self._line.extend(part)

    def _answer_line(self) -> "list[str]":
        line, too_long = bytes(self._line), self._too_long
        self._line, self._too_long = bytearray(), False
        if too_long:
            return [_refusal(None, BadRequest(f"the line is longer than {LONGEST} bytes"))]
        return self.answer(line)

    def answer(self, line: bytes) -> "list[str]":
        """Return the lines that answer a line, without their ends: events, then the reply. None for an empty line."""
        try:
            return self._answer(line) if line.strip() else []
        except MemoryError:
            return [_NO_MEMORY]

    def _answer(self, line: bytes) -> "list[str]":
        number: object = None
        try:
            request = parsed(line)
            number = _id_of(request)
            events, reply = self._do(request)
            name = request.get("game", "main")
            lines = [dumps(_told(event, name)) for event in events]
            reply = dict(reply)
            reply["id"], reply["ok"] = number, True
            return lines + [dumps(reply)]
        except (NimmtError, TypeError) as error:
            return [_refusal(number, error)]
        except Exception as error:  # a fault of this program, or no memory: the other games go on
            return [_refusal(number, error, "InternalError")]

    # Requests

    def _do(self, request: "Request") -> "Answer":
        do, text = request.get("do"), _but_id(request)
        if not isinstance(do, str):
            raise BadRequest("'do' must say in a word what to do")
        name = checked_name(request.get("game", "main"))
        asking = as_int(request["as"], "as") if "as" in request else None
        hosted = self._hosted.get(name)
        row = known(do, hosted.kind if hosted else "")
        if not row.kind:
            row.check_fields(request)
            if asking is not None and not row.for_seats:
                raise IllegalMove(_for_the_host(asking, do))
            answer: Answer = getattr(self, "_" + do)(request, name, text)
            return answer
        if hosted is None:
            raise NimmtError(f"there is no game {quoted(name)}")
        if asking is not None:
            seat = _asking(request, row, hosted.game.players)
            if "seat" in row.needed + row.possible:
                request["seat"] = seat
        row.check_fields(request)
        return hosted.answer(row, request, text)

    def _hello(self, request: "Request", name: str, text: str) -> "Answer":
        versions = {"protocol": VERSION, "version": __version__, "stream": STREAM_VERSION}
        return [], dict(versions, name="nimmt", backend=backend)

    def _games(self, request: "Request", name: str, text: str) -> "Answer":
        return [], {"games": sorted(self._hosted)}

    def _close(self, request: "Request", name: str, text: str) -> "Answer":
        if name not in self._hosted:
            raise NimmtError(f"there is no game {quoted(name)}")
        del self._hosted[name]
        return [], {}

    def _create(self, request: "Request", name: str, text: str) -> "Answer":
        if "names" in request and "players" in request:
            raise BadRequest("'names' and 'players' say the same: give one")
        names = _names(request)
        players = as_int(request.get("players", 4), "players") if names is None else names
        rules = _rules(request.get("rules", {}))
        if not isinstance(request.get("referee", False), bool):
            raise BadRequest("'referee' must be true or false")

        def make() -> Hosted:
            if not request.get("referee"):
                seed = _word(request.get("seed"))
                return Hosted(Game(players, seed, rules, _word(request.get("index", 0)) or 0), request.get("bots"))
            for field in ("seed", "index", "bots"):
                if field in request:
                    raise BadRequest(f"{quoted(field)} is not for a game with real cards")
            return Hosted(Referee(players, rules))

        return self._made(request, name, text, make)

    def _load(self, request: "Request", name: str, text: str) -> "Answer":
        def make() -> Hosted:
            try:
                if not isinstance(request["data"], str):
                    raise TypeError(f"data must be text, not {type(request['data']).__name__}")
                data = bytes.fromhex(request["data"])
            except ValueError:
                raise BadRecord("a save is an even number of hexadecimal digits") from None
            if data[:2] != b"6r":
                return Hosted(Game.load(data, _names(request)), request.get("bots"))
            if "bots" in request:
                raise BadRequest("'bots' is not for a game with real cards")
            return Hosted(Referee.load(data, _names(request)))

        return self._made(request, name, text, make)

    def _made(self, request: "Request", name: str, text: str, make: "Any") -> "Answer":
        """Make a game of this name; once more the same request gets the same answer."""
        there = self._hosted.get(name)
        if there:
            if there.made[0] == text:
                return there.made[1]
            raise IllegalMove(f"there is a game {quoted(name)} already")
        if len(self._hosted) >= self._most:
            raise IllegalMove(f"there are {self._most} games already")
        hosted: Hosted = make()
        events, reply = hosted.begin(request["do"] == "create")
        if isinstance(hosted.game, Game):
            reply["seed"], reply["index"] = str(hosted.game.seed), str(hosted.game.game)
        hosted.made = text, (events, reply)
        self._hosted[name] = hosted
        return hosted.made[1]


# What comes in, and what goes out


def _id_of(request: "Request") -> object:
    number = request.get("id")
    if number is not None and (isinstance(number, (bool, float, list, dict)) or len(str(number)) > 100):
        raise BadRequest("'id' must be a whole number or text, of at most 100 characters")
    return number


def _but_id(request: "Request") -> str:
    return dumps({field: request[field] for field in request if field != "id"})


def _for_the_host(seat: int, do: str) -> str:
    return f"seat {seat} may not ask for {quoted(do)}: the host may"


def _asking(request: "Request", row: Known, players: int) -> int:
    """Return the seat that asks; refuse what is not its own."""
    seat = checked_seat(request["as"], players)
    if not row.for_seats:
        raise IllegalMove(_for_the_host(seat, row.do))
    if as_int(request.get("seat", seat), "seat") != seat:
        raise IllegalMove(f"seat {seat} may not ask for seat {request['seat']}")
    return seat


def _names(request: "Request") -> "list[str] | None":
    return listed(request["names"], "names") if request.get("names") is not None else None


def _rules(options: object) -> Rules:
    if not isinstance(options, dict):
        raise BadRequest("'rules' must be an object of options")
    for option in sorted(options):
        if option not in NAMES:
            raise BadRequest(no_option(option))
    return Rules(**options)


def _word(value: object) -> "int | None":
    """Return a seed or index: a number, or its digits as text for languages whose numbers end at 2**53."""
    if isinstance(value, str):
        if not 1 <= len(value) <= 20 or value.strip("0123456789"):
            raise BadRequest("a number as text has 1 to 20 digits")
        return int(value)
    return None if value is None else as_int(value, "a seed or index")


def _told(event: "Event", game: str) -> "dict[str, object]":
    told: dict[str, object] = {"event": type(event).__name__, "game": game}
    for field, value in zip(fields_of(event), event):
        told[field] = value
    return told


def _refusal(number: object, error: Exception, name: str = "") -> str:
    return dumps({"id": number, "ok": False, "error": name or type(error).__name__, "message": str(error)})
