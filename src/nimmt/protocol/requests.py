"""The requests of the line protocol: one table, and the checks of what a request says."""

from ..args import quoted
from ..port import Any
from .lines import BadRequest

#: Name, fields that must be there, fields that may be there, fields that say which turn, round or new seat is meant,
#: what it is for ("": the session, "g": a game whose hands are known, "r": real cards), and who may ask ("s": a seat
#: for itself, "h": the host only).
REQUESTS = (
    ("hello", "", "", "", "", "s"),
    ("games", "", "", "", "", "h"),
    ("create", "", "players names seed index rules bots referee", "", "", "h"),
    ("load", "data", "names bots", "", "", "h"),
    ("close", "", "", "", "", "h"),
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

#: What is done with real cards instead of a request that is not for them.
_INSTEAD = {
    "choose": ": read the card that a seat plays",
    "pick": ": the players make the draft themselves, then lay the four cards that are left (V2)",
}


class Known:
    """A request that there is: a row of the table."""

    def __init__(self, row: "tuple[str, ...]") -> None:
        self.do, needed, possible, moment, self.kind, who = row
        self.needed, self.possible, self.moment = needed.split(), possible.split(), moment.split()
        self.for_seats = who == "s"

    def check_fields(self, request: "dict[str, Any]") -> None:
        """Refuse a request in which a field is missing, or has a name that is not in the table."""
        for field in self.needed:
            if field not in request:
                raise BadRequest(f"{self.do} needs {quoted(field)}")
        for field in sorted(request):
            if field not in self.needed + self.possible + self.moment + ["id", "do", "game", "as"]:
                raise BadRequest(f"{self.do} has no field {quoted(field)}")


def known(do: str, kind: str) -> Known:
    """Return the row of a request to a game of this kind, or to the session; "": the game does not exist."""
    rows = [row for row in REQUESTS if row[0] == do]
    for row in rows:
        if row[4] in ("", kind) or not kind:
            return Known(row)
    if not rows:
        raise BadRequest(f"there is no request {quoted(do)}")
    what = "with real cards" + _INSTEAD.get(do, "") if kind == "r" else "whose hands are known"
    raise BadRequest(f"{quoted(do)} is not for a game {what}")
