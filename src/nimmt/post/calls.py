"""The calls of a dealer by name, as a log holds them."""

from __future__ import annotations

from collections.abc import Callable

from . import decided, sent
from .missed import deadline
from .table import Table


def act_on_deadline(table: Table) -> bool:
    deadline(table)
    return True


#: Every call that a log may hold, by name.
CALLS: dict[str, Callable[..., bool]] = {
    "open": decided.open_game,
    "join": decided.join,
    "start": decided.start,
    "submit": sent.submit,
    "withdraw": sent.withdraw,
    "choose_row": sent.choose_row,
    "pick": sent.pick,
    "deadline": act_on_deadline,
    "remind": decided.remind,
    "play_for": decided.play_for,
    "drop": decided.drop,
    "take_over": decided.take_over,
    "next_round": decided.next_round,
    "extend": decided.extend,
    "pause": decided.pause,
    "resume": decided.resume,
}
