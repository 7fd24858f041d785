"""What the commands of `nimmt post` do, where it is more than one call of the dealer: a function for each."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from nimmt.post import Dealer, Message, Store, export_game, free_name, import_game

from .. import files
from ..common import Failure, note
from ..screen import plural
from . import args as post_args
from . import show


class Desk:
    """One command on an open file: its arguments, the time, the game."""

    def __init__(self, args: argparse.Namespace, store: Store) -> None:
        self.args, self.store, self.zone = args, store, args.tz
        self._given = None if args.now is None else post_args.instant(args.now, args.tz)

    @property
    def now(self) -> int:
        """The time of --now, or of the clock: it is read where the calls of other processes wait, not before."""
        return int(time.time()) if self._given is None else self._given

    @property
    def label(self) -> str:
        """The game that is meant."""
        labels = self.store.labels()
        if self.args.game is not None:
            return str(self.args.game)
        if not labels:
            raise Failure("there is no game: nimmt post new opens one")
        if len(labels) > 1:
            raise Failure(f"say which game with --game: {', '.join(labels)}")
        return labels[0]

    @property
    def names(self) -> "dict[int, str]":
        return self.store.names(self.label)

    @property
    def seat(self) -> int:
        """The seat that is meant."""
        return post_args.seat(self.args.seat, self.names)

    def call(self, make: Callable[..., list[Message]], *names: str) -> list[Message]:
        """Make a call of the dealer with these arguments of the command; tell how many messages it led to."""
        given: dict[str, Any] = {name: getattr(self.args, name) for name in names}
        if given.get("seat") is not None:
            given["seat"] = self.seat
        label = self.label
        self.store.verify(label)  # before anything is built on it
        with self.store.dealer(label) as dealer:
            before = dealer.version
            messages = make(dealer, **given, now=self.now, expected_version=self.args.expect)
            version = dealer.version
        if version == before:
            note(f"nothing new; version {version}")
        else:
            note(f"accepted: version {version}, {plural(len(messages), 'message')} to send (nimmt post messages)")
        return messages


# Games and people


def new(desk: Desk) -> None:
    args = desk.args
    times = {name: getattr(args, name) for name in ("first", "later", "choice", "pick")}
    desk.store.new(
        args.label, now=desk.now, rules=args.rules, seed=args.seed, automatic=args.automatic, ask=args.ask, **times
    )
    note(f"opened: {args.label} in {files.shown(args.file)}")


def games(desk: Desk) -> None:
    for label in desk.store.labels():
        dealer = desk.store.load(label)
        print(f"{label}: {dealer.phase}, {plural(dealer.players, 'seat')}, version {dealer.version}")


def join(desk: Desk) -> None:
    name = desk.args.name if desk.args.name is None else free_name(desk.args.name, desk.names)
    messages = desk.call(Dealer.join)
    (seat,) = [message.fields["seat"] for message in messages if message.kind == "joined"]
    note(f"seat {seat}")
    if name is not None:
        desk.store.set_name(desk.label, seat, name)


def take_over(desk: Desk) -> None:
    seat, name = desk.seat, desk.args.name
    name = name if name is None else free_name(name, desk.names, seat)
    desk.call(Dealer.take_over, "seat")
    if name is not None:
        desk.store.set_name(desk.label, seat, name)


def name(desk: Desk) -> None:
    if desk.args.erase:
        desk.store.erase_name(desk.label, desk.seat)
    else:
        desk.store.set_name(desk.label, desk.seat, desk.args.name)


# Reports


def hand(desk: Desk) -> None:
    print(show.hand(desk.store.load(desk.label), desk.seat, desk.names, desk.zone))


def table(desk: Desk) -> None:
    print(show.table(desk.store.load(desk.label), desk.names, desk.zone))


def status(desk: Desk) -> None:
    found = show.status(desk.store, desk.label, desk.now)
    if desk.args.json:
        print(json.dumps(found))
    else:
        print("\n".join(show.status_lines(found, desk.zone)))


def messages(desk: Desk) -> None:
    args, label, names = desk.args, desk.label, desk.names
    whom = args.to if args.to in (None, "all", "dealer") else post_args.seat(args.to, names)
    found = desk.store.messages(label, unsent=not args.all, zone=desk.zone, to=whom)
    for stored in found:
        key, message = f"{stored.key[0]}.{stored.key[1]}", stored.message
        if args.json:
            print(json.dumps({"key": key, "sent": stored.sent, **message._asdict()}))
            continue
        to = {"all": "everybody", "dealer": "the dealer only"}.get(str(message.to))
        to = to or f"{names[int(message.to)] + ', ' if message.to in names else ''}seat {message.to} only"
        print(f"======== {key} to {to}: {message.kind}\n\n{message.body}\n")
    if args.mark:
        sys.stdout.flush()  # a message that could not be printed was not sent
        note(f"{desk.store.mark_sent(label, [stored.key for stored in found], now=desk.now)} marked as sent")
    elif not args.json:
        note(plural(len(found), "message"))


def log(desk: Desk) -> None:
    for entry in desk.store.log(desk.label):
        print(json.dumps(entry) if desk.args.json else show.log_line(entry, desk.zone))


def verify(desk: Desk) -> None:
    only = desk.args.game
    entries = desk.store.verify(only)
    games = plural(len(desk.store.labels()), "game") if only is None else f"game {only}"
    leads = "every log leads" if only is None else "its log leads"
    print(f"{games}, {'1 entry' if entries == 1 else f'{entries} entries'}: {leads} to its state")


def export(desk: Desk) -> None:
    args, path = desk.args, desk.args.output
    if path != "-":
        files.check_writable(path)
        if os.path.realpath(path) == os.path.realpath(args.file):
            raise Failure(f"{files.shown(path)} is the file of games: give the export another name")
        if not args.overwrite:
            files.check_free(path, "give another name, or --overwrite")
    lines = "".join(line + "\n" for line in export_game(desk.store, desk.label, args.names))
    if path == "-":
        print(lines, end="")
    else:
        files.write_bytes(path, lines.encode(), private=True)


def import_(desk: Desk) -> None:
    lines = files.read_text(desk.args.input).splitlines()
    note(f"imported: {import_game(desk.store, lines, desk.args.label)}")
