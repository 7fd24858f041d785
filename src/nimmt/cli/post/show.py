"""What `nimmt post` prints of a game: the table, a hand, who is missing, the log."""

import json
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any

from nimmt.post import Dealer, Store, duration, moment, text

from ..screen import plural


def table(dealer: Dealer, names: "dict[int, str]", zone: tzinfo) -> str:
    """Return what all may know, as a text."""
    view = dealer.view()
    if view.phase == "draft":
        (seat,) = view.to_act
        fields: dict[str, Any] = {"round": view.round, "pool": list(view.pool), "seat": seat, "due": dealer.due[seat]}
        return text("draft", fields, names, zone)
    heads, scores = list(view.heads), list(view.scores)
    fields = {"round": view.round, "turn": view.turn, "rows": view.rows, "scores": scores, "heads": heads}
    fields.update(dropped=list(dealer.dropped), due=list(dealer.due))
    if view.phase == "choose":
        return text("table", fields, names, zone)
    if view.phase == "take":
        owed = view.owed
        assert owed is not None
        fields.update(owed=owed._asdict(), placed=[], random=[], following=None)
        return text("placed", fields, names, zone)
    if view.phase == "scored":
        # Those who have joined since then took nothing.
        fields["heads"] = heads + [0] * (len(scores) - len(heads))
        return text("round_over", fields, names, zone)
    game = dealer.game()
    fields.update(ranks=list(game.ranks), winners=list(game.winners))
    return text("game_over", fields, names, zone)


def hand(dealer: Dealer, seat: int, names: "dict[int, str]", zone: tzinfo) -> str:
    """Return what a seat may know, as a text for that player only."""
    seat = dealer.check_seat(seat)
    if seat >= len(dealer.view().heads):  # has joined, and is dealt cards with the next round
        return text(
            "hand",
            {"seat": seat, "round": dealer.view().round, "turn": 10, "hand": [], "rows": (), "due": None},
            names,
            zone,
        )
    view = dealer.view(seat)
    fields: dict[str, Any] = {"seat": seat, "round": view.round, "turn": view.turn, "hand": list(view.hand)}
    fields.update(rows=view.rows, due=dealer.due[seat] if view.phase == "choose" else None)
    if seat in dealer.waiting and view.phase == "draft":
        return text("your_pick", {**fields, "pool": list(view.pool), "due": dealer.due[seat]}, names, zone)
    if seat in dealer.waiting and view.phase == "take":
        asked = {**fields, "card": view.chosen, "choices": list(view.legal), "due": dealer.due[seat]}
        return text("your_row", asked, names, zone)
    chosen = f"\n\nYour card of this turn: {view.chosen}" if view.chosen is not None else ""
    return text("hand", fields, names, zone) + chosen


def status(store: Store, label: str, now: int) -> "dict[str, Any]":
    """Return how a game stands, for the dealer: who is missing, since when, but no cards."""
    dealer, names = store.load(label), store.names(label)
    playing = dealer.phase not in ("new", "open")
    view = dealer.view() if playing else None
    seats = []
    for seat in range(dealer.players):
        due = dealer.due[seat]
        there = view is not None and view.phase == "choose" and view.has_chosen[seat]
        state = "dropped" if seat in dealer.dropped else "here" if there else "not asked"
        if seat in dealer.waiting:
            state = "late" if seat in dealer.late(now) else "missing"
        seats.append({"seat": seat, "name": names.get(seat), "state": state, "due": due})
    return {
        "game": label,
        "version": dealer.version,
        "phase": dealer.phase,
        "round": view.round if view else None,
        "turn": view.turn if view else None,
        "scores": list(view.scores) if view else None,
        "paused": dealer.paused,
        "now": now,
        "seats": seats,
        "unsent": len(store.messages(label, unsent=True)),
    }


def status_lines(found: "dict[str, Any]", zone: tzinfo) -> Iterator[str]:
    """Yield the status as lines."""
    place = f", round {found['round']}, turn {found['turn']}" if found["round"] else ""
    yield f"Game {found['game']}: {found['phase']}{place}, version {found['version']}"
    if found["paused"] is not None:
        yield f"Paused since {moment(found['paused'], zone)}"
    # In a pause the clock of the game stands still.
    clock = found["now"] if found["paused"] is None else found["paused"]
    for seat in found["seats"]:
        line = f"  seat {seat['seat']}  {seat['name'] or '':<12} {seat['state']}".rstrip()
        if found["scores"]:
            line += f", score {found['scores'][seat['seat']]}"
        if seat["due"] is not None:
            left = seat["due"] - clock
            line += f", {duration(abs(left))} {'left' if left >= 0 else 'over'} ({moment(seat['due'], zone)})"
        yield line
    yield f"{plural(found['unsent'], 'message')} to send"


def log_line(entry: "dict[str, Any]", zone: tzinfo) -> str:
    """Return an entry of the log as a line."""
    args = " ".join(f"{name}={json.dumps(value)}" for name, value in entry["args"].items())
    done = "; ".join(" ".join(str(part) for part in item) for item in entry["done"])
    line = f"{entry['version']:>5}  {moment(entry['now'], zone)}  {entry['call']} {args}".rstrip()
    return line + (f"  -> {done}" if done else "")
