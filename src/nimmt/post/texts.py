"""The messages as plain English texts, ready for a forum or a mail. A text says the fields of its message, not more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any

from ..turn import bull_heads

Fields = Mapping[str, Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def moment(seconds: int, zone: tzinfo = timezone.utc) -> str:
    """Return a moment as text, for instance "Thu 2026-08-13 18:00 UTC"; seconds are shown if there are any."""
    try:
        at = (_EPOCH + timedelta(seconds=seconds)).astimezone(zone)
    except (OverflowError, ValueError):  # beyond the year 9999
        return f"{seconds} s after 1970"
    return f"{_DAYS[at.weekday()]} {at:%Y-%m-%d %H:%M}{f':{at:%S}' if at.second else ''} {at.tzname()}"


def duration(seconds: int) -> str:
    """Return a length of time as text, for instance "1 d 3 h", with its two largest units."""
    parts: list[str] = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s")):
        if seconds >= size and len(parts) < 2:
            parts.append(f"{seconds // size} {unit}")
        seconds %= size
    return " ".join(parts) or "0 s"


class Words:
    """How seats and moments are called in one text."""

    def __init__(self, names: Mapping[int, str], zone: tzinfo) -> None:
        self.names, self.zone = names, zone

    def who(self, seat: int) -> str:
        return f"{self.names[seat]} (seat {seat})" if seat in self.names else f"seat {seat}"

    def Who(self, seat: int) -> str:
        return self.who(seat) if seat in self.names else f"Seat {seat}"

    def all(self, seats: Sequence[int]) -> str:
        known = [self.who(seat) for seat in seats]
        return ", ".join(known[:-1]) + " and " + known[-1] if len(known) > 1 else "".join(known) or "nobody"

    def when(self, seconds: int | None) -> str:
        return "whenever you can" if seconds is None else f"by {moment(seconds, self.zone)}"

    def by_seat(self, values: Sequence[int]) -> str:
        """List one value a seat; a name alone says whose, unless two have the same."""
        twice = len(set(self.names.values())) < len(self.names)
        short = {} if twice else self.names
        return ", ".join(f"{short.get(seat) or self.who(seat)}: {value}" for seat, value in enumerate(values))

    def deadlines(self, due: Sequence[int | None]) -> str:
        """Name the deadline that most seats have, and the seats that have another one."""
        times = sorted({until for until in due if until is not None}, key=lambda until: (-due.count(until), until))
        if not times:
            return ""
        first, *others = times
        found = moment(first, self.zone)
        for until in others:
            seats = [seat for seat, other in enumerate(due) if other == until]
            found += f"; {self.all(seats)} by {moment(until, self.zone)}"
        return found


def cards_text(cards: Sequence[int]) -> str:
    return " ".join(str(card) for card in cards)


def heads_text(number: int) -> str:
    return "1 head" if number == 1 else f"{number} heads"


def rows_lines(rows: Sequence[Sequence[int]]) -> list[str]:
    heads = [heads_text(sum(bull_heads(card) for card in row)) for row in rows]
    return [f"Row {number}: {cards_text(row)} ({heads[number]})" for number, row in enumerate(rows)]


# The kinds of messages

_OWED = {"draft": "a pick", "choose": "a card", "take": "a row"}


def text(kind: str, fields: Fields, names: Mapping[int, str] | None = None, zone: tzinfo = timezone.utc) -> str:
    """Return the text of a message. `names` by seat; a seat without a name is called by its number."""
    return "\n".join(_KINDS[kind](Words(names or {}, zone), fields))


def _opened(w: Words, f: Fields) -> list[str]:
    given = {name: value for name, value in f["rules"].items() if value not in (None, False)}
    rules = ", ".join(name if value is True else f"{name} {value}" for name, value in given.items())
    how = "act by themselves" if f["automatic"] else "are for the dealer to act on"
    return [
        "A game is opened.",
        f"Rules: {rules}",
        f"First card {duration(f['first'])}, later cards {duration(f['later'])}, rows {duration(f['choice'])}, "
        f"picks {duration(f['pick'])}. Deadlines {how}.",
    ]


def _joined(w: Words, f: Fields) -> list[str]:
    score = "" if f["score"] is None else f" and begins with the highest score, {f['score']}"
    return [f"{w.Who(f['seat'])} joins{score}. Players: {f['players']}."]


def _table(w: Words, f: Fields) -> list[str]:
    lines = [
        f"Round {f['round']}, turn {f['turn']}",
        "",
        *rows_lines(f["rows"]),
        "",
        f"Scores: {w.by_seat(f['scores'])}",
    ]
    if f["dropped"]:
        lines.append(f"Played at random: {w.all(f['dropped'])}")
    return lines + [f"Cards to the dealer by {w.deadlines(f['due'])}"] * bool(w.deadlines(f["due"]))


def _hand(w: Words, f: Fields) -> list[str]:
    lines = [f"{w.Who(f['seat'])}, round {f['round']}, turn {f['turn']}", "", f"Your hand: {cards_text(f['hand'])}"]
    lines += ["", *rows_lines(f["rows"])] if f["rows"] else []
    if f["due"] is None:
        return lines
    return lines + [
        "",
        f"Send one card to the dealer {w.when(f['due'])}. You may add a row for the case that you must take one.",
    ]


def _received(w: Words, f: Fields) -> list[str]:
    row = {None: "", "cheapest": ", and the cheapest row if you must take one"}
    sent = row.get(f["row"], f", and row {f['row']} if you must take one")
    return [
        f"{w.Who(f['seat'])}, round {f['round']}, turn {f['turn']}: card {f['card']} is here{sent}.",
        f"You keep: {cards_text(f['hand'])}" if f["hand"] else "That was your last card.",
    ]


def _progress(w: Words, f: Fields) -> list[str]:
    missing = f"Missing: {w.all(f['missing'])}." if f["missing"] else "All are here."
    return [f"Round {f['round']}, turn {f['turn']}: news from {w.who(f['seat'])}. {missing}"]


def _withdrawn(w: Words, f: Fields) -> list[str]:
    return [
        f"{w.Who(f['seat'])}, round {f['round']}, turn {f['turn']}: your card is withdrawn.",
        f"Your hand: {cards_text(f['hand'])}",
        f"Send one card to the dealer {w.when(f['due'])}.",
    ]


_WHY = {"asked": "chosen", "sent": "as sent along", "cheapest": "the cheapest"}


def _placed_line(w: Words, f: Fields, placed: Fields) -> str:
    random = ", drawn at random" if placed["seat"] in f["random"] else ""
    why = f", {_WHY[placed['how']]}" if placed["how"] else ""
    line = f"{placed['card']} of {w.who(placed['seat'])}{random}: "
    taken = f"{cards_text(placed['taken'])} ({heads_text(placed['heads'])})"
    if placed["side"] is None:
        return line + f"takes row {placed['row']}{why}: {taken}"
    side = "row" if placed["side"] == "right" else "left of row"
    return line + f"{side} {placed['row']}{why}" + (f", takes {taken}" if placed["taken"] else "")


def _reveal(w: Words, f: Fields) -> list[str]:
    lines = [f"Round {f['round']}, turn {f['turn']}"]
    if "cards" in f:
        lines += ["", f"Cards: {w.by_seat(f['cards'])}"]
    lines += ["", *[_placed_line(w, f, placed) for placed in f["placed"]]] if f["placed"] else []
    lines += ["", *rows_lines(f["rows"]), "", f"Heads of this round: {w.by_seat(f['heads'])}"]
    if f["owed"]:
        owed = f["owed"]
        rows = " or ".join(str(row) for row in owed["rows"])
        lines.append(f"{w.Who(owed['seat'])} must choose row {rows} for card {owed['card']}")
        lines += [f"Until {w.deadlines(f['due'])}"] * bool(w.deadlines(f["due"]))
    elif f["following"]:
        until = w.deadlines(f["due"])
        lines.append(f"Turn {f['following']}" + (f": cards to the dealer by {until}" if until else ""))
    return lines


def _your_row(w: Words, f: Fields) -> list[str]:
    rows = " or ".join(str(row) for row in f["choices"])
    return [
        f"{w.Who(f['seat'])}, round {f['round']}, turn {f['turn']}: which row for card {f['card']}?",
        "",
        *rows_lines(f["rows"]),
        "",
        f"Send row {rows} to the dealer {w.when(f['due'])}.",
    ]


def _round_over(w: Words, f: Fields) -> list[str]:
    return [f"Round {f['round']} is over", "", f"Heads: {w.by_seat(f['heads'])}", f"Scores: {w.by_seat(f['scores'])}"]


def _game_over(w: Words, f: Fields) -> list[str]:
    lines = [f"The game is over after round {f['round']}", ""]
    for rank, seat in sorted((rank, seat) for seat, rank in enumerate(f["ranks"])):
        dropped = " (dropped out)" if seat in f["dropped"] else ""
        lines.append(f"{rank}. {w.who(seat)}{dropped}: {heads_text(f['scores'][seat])}")
    return lines + ["", f"{w.all(f['winners'])} win{'s' * (len(f['winners']) == 1)}"]


def _draft(w: Words, f: Fields) -> list[str]:
    until = "" if f["due"] is None else f", {w.when(f['due'])}"
    return [
        f"Round {f['round']}: pick a hand",
        "",
        f"Cards: {cards_text(f['pool'])}",
        f"First: {w.who(f['seat'])}{until}",
    ]


def _picked(w: Words, f: Fields) -> list[str]:
    lines = [f"{w.Who(f['seat'])} picks {f['card']}{', drawn at random' * f['random']}"]
    if f["following"] is not None:
        until = "" if f["due"] is None else f", {w.when(f['due'])}"
        lines.append(f"Next: {w.who(f['following'])}{until}")
    return lines


def _your_pick(w: Words, f: Fields) -> list[str]:
    return [
        f"{w.Who(f['seat'])}, round {f['round']}: it is your pick, {w.when(f['due'])}",
        "",
        f"Cards: {cards_text(f['pool'])}",
        f"Your hand: {cards_text(f['hand']) or 'none yet'}",
    ]


def _late(w: Words, f: Fields) -> list[str]:
    owed = _OWED[f["phase"]]
    return [f"Round {f['round']}, turn {f['turn']}: {w.all(f['seats'])} did not send {owed} in time. It is up to you."]


def _reminder(w: Words, f: Fields) -> list[str]:
    lines = [f"{w.Who(f['seat'])}, round {f['round']}, turn {f['turn']}: the dealer waits for {_OWED[f['phase']]}."]
    if f["due"] is not None:
        left = f["due"] - f["at"]
        lines.append(f"Time left: {duration(left)}, {w.when(f['due'])}." if left >= 0 else "The time is over.")
    lines += [f"Rows: {cards_text(f['choices'])}"] * bool(f["choices"])
    return lines + [f"Your hand: {cards_text(f['hand'])}"] * bool(f["hand"])


def _reminded(w: Words, f: Fields) -> list[str]:
    lines = [f"Round {f['round']}, turn {f['turn']}: reminded {w.all(f['seats'])}."]
    return lines + [f"Late: {w.all(f['late'])}."] * bool(f["late"])


def _played_for(w: Words, f: Fields) -> list[str]:
    what = {"draft": "a card is picked at random", "choose": "a card is drawn at random", "take": "the row is decided"}
    why = {"deadline": "the deadline has passed", "dealer": "the dealer has decided"}[f["why"]]
    return [f"Round {f['round']}, turn {f['turn']}: {why}; {what[f['phase']]} for {w.all(f['seats'])}."]


def _drawn(w: Words, f: Fields) -> list[str]:
    lines = [f"{w.Who(f['seat'])}, round {f['round']}, turn {f['turn']}: card {f['card']} was drawn for you."]
    return lines + [f"You keep: {cards_text(f['hand'])}"] * bool(f["hand"])


def _dropped(w: Words, f: Fields) -> list[str]:
    return [f"Round {f['round']}, turn {f['turn']}: {w.who(f['seat'])} has dropped out. The seat plays on at random."]


def _taken_over(w: Words, f: Fields) -> list[str]:
    return [f"{w.Who(f['seat'])} is taken over, {'from the next turn on' if f['begun'] else 'at once'}."]


def _extended(w: Words, f: Fields) -> list[str]:
    until = w.deadlines(f["due"])
    return [f"{duration(f['seconds'])} more for {w.all(f['seats'])}." + (f" New deadline: {until}." if until else "")]


def _paused(w: Words, f: Fields) -> list[str]:
    return [f"The game is paused since {moment(f['since'], w.zone)}. All deadlines stand still."]


def _resumed(w: Words, f: Fields) -> list[str]:
    until = w.deadlines(f["due"])
    return [f"The game goes on after {duration(f['seconds'])}." + (f" New deadline: {until}." if until else "")]


_KINDS: dict[str, Callable[[Words, Fields], list[str]]] = {
    "opened": _opened,
    "joined": _joined,
    "table": _table,
    "hand": _hand,
    "received": _received,
    "progress": _progress,
    "withdrawn": _withdrawn,
    "reveal": _reveal,
    "placed": _reveal,
    "your_row": _your_row,
    "round_over": _round_over,
    "game_over": _game_over,
    "draft": _draft,
    "picked": _picked,
    "your_pick": _your_pick,
    "late": _late,
    "reminder": _reminder,
    "reminded": _reminded,
    "played_for": _played_for,
    "drawn": _drawn,
    "dropped": _dropped,
    "taken_over": _taken_over,
    "extended": _extended,
    "paused": _paused,
    "resumed": _resumed,
}

#: The kinds of messages.
KINDS = tuple(_KINDS)
