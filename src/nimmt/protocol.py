"""The line protocol of PROTOCOL.md: a JSON object a line in, one or more out. For pipes, sockets and serial lines.

session = Session()
while True:
    port.write(session.feed(port.read()))
"""

from ._backend import name as backend
from ._json import BadRequest, dumps, parsed
from ._version import __version__
from .checks import listed
from .errors import BadRecord, IllegalMove, NimmtError, as_int
from .game import Game
from .hosted import Hosted, known
from .referee import Referee
from .rules import NAMES, Rules
from .seats import checked_name
from .stream import STREAM_VERSION

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from typing import Any

    from .events import Event
    from .hosted import Answer, Request

VERSION = 1
LONGEST = 0x10000  # bytes of a line in, without its end

#: The fields of each event, as in events.py.
EVENTS = (
    ("Dealt", ("round", "rows")),
    ("Picked", ("seat", "card")),
    ("Chosen", ("seat",)),
    ("Revealed", ("cards",)),
    ("Placed", ("seat", "card", "row", "side", "taken")),
    ("RowOwed", ("seat", "card", "rows")),
    ("RoundOver", ("heads", "scores")),
    ("GameOver", ("scores", "ranks", "winners")),
)

#: The requests that are not to a game that is there: name, fields that must be there, fields that may be there.
REQUESTS = (
    ("hello", "", ""),
    ("games", "", ""),
    ("create", "", "players names seed index rules bots referee"),
    ("load", "data", "names bots"),
    ("close", "", ""),
)

# There may be no room for any other reply.
_NO_MEMORY = '{"error":"InternalError","id":null,"message":"not enough memory","ok":false}'


class Session:
    """What one program says and is told.

    games          how many games it may have at a time

    Nothing that comes in ends it: what is not understood or not allowed gets an error as its reply.
    """

    def __init__(self, games: int = 1000) -> None:
        self._most = as_int(games, "games")
        self._hosted = {}  # type: dict[str, Hosted]
        self._line, self._too_long = bytearray(), False

    # Bytes and lines

    def feed(self, data: "bytes | bytearray | None") -> bytes:
        """Take bytes as they come, or None for none; return the answers to the lines that are complete now."""
        out, start, came = [], 0, bytes(data or b"")  # type: list[str], int, bytes
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
        number = None  # type: object
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
        for own, needed, possible in REQUESTS:
            if own == do:
                _check_fields(request, needed.split(), possible.split())
                if asking is not None and do != "hello":
                    raise IllegalMove(f"seat {asking} may not ask for {repr(do)}: the host may")
                answer = getattr(self, "_" + do)(request, name, text)  # type: Answer
                return answer
        hosted = self._hosted.get(name)
        fields, more, moment, who = known(do, hosted.kind if hosted else "")
        if hosted is None:
            raise NimmtError(f"there is no game {repr(name)}")
        if asking is not None:
            seat = _asking(request, do, who, hosted.game.players)
            if "seat" in fields + more:
                request["seat"] = seat
        _check_fields(request, fields, more + moment)
        return hosted.answer(request, text)

    def _hello(self, request: "Request", name: str, text: str) -> "Answer":
        versions = {"protocol": VERSION, "version": __version__, "stream": STREAM_VERSION}
        return [], dict(versions, name="nimmt", backend=backend)

    def _games(self, request: "Request", name: str, text: str) -> "Answer":
        return [], {"games": sorted(self._hosted)}

    def _close(self, request: "Request", name: str, text: str) -> "Answer":
        if name not in self._hosted:
            raise NimmtError(f"there is no game {repr(name)}")
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
                    raise BadRequest(f"{repr(field)} is not for a game with real cards")
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
            raise IllegalMove(f"there is a game {repr(name)} already")
        if len(self._hosted) >= self._most:
            raise IllegalMove(f"there are {self._most} games already")
        hosted = make()  # type: Hosted
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


def _check_fields(request: "Request", needed: "list[str]", possible: "list[str]") -> None:
    for field in needed:
        if field not in request:
            raise BadRequest(f"{request['do']} needs {repr(field)}")
    for field in sorted(request):
        if field not in needed and field not in possible and field not in ("id", "do", "game", "as"):
            raise BadRequest(f"{request['do']} has no field {repr(field)}")


def _asking(request: "Request", do: str, who: str, players: int) -> int:
    """Return the seat that asks; refuse what is not its own."""
    seat = as_int(request["as"], "as")
    if not 0 <= seat < players:
        raise IllegalMove(f"there is no seat {seat}: seats are 0..{players - 1}")
    if who != "s":
        raise IllegalMove(f"seat {seat} may not ask for {repr(do)}: the host may")
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
            raise BadRequest(f"rules have no option {repr(option)}")
    return Rules(**options)


def _word(value: object) -> "int | None":
    """Return a seed or index: a number, or its digits as text for languages whose numbers end at 2**53."""
    if isinstance(value, str):
        if not 1 <= len(value) <= 20 or value.strip("0123456789"):
            raise BadRequest("a number as text has 1 to 20 digits")
        return int(value)
    return None if value is None else as_int(value, "a seed or index")


def _told(event: "Event", game: str) -> "dict[str, object]":
    kind = type(event).__name__
    told = {"event": kind, "game": game}  # type: dict[str, object]
    for name, fields in EVENTS:
        if name == kind:
            for field, value in zip(fields, event):
                told[field] = value
    return told


def _refusal(number: object, error: Exception, name: str = "") -> str:
    return dumps({"id": number, "ok": False, "error": name or type(error).__name__, "message": str(error)})
