"""What the commands of `nimmt post` do, one function each."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable

import nimmt
from nimmt import post
from nimmt.post import Dealer, Store

from . import files, post_args, post_show
from .common import Failure, note
from .screen import plural


class Desk:
    """One command on an open file: its arguments, the time, the game."""

    def __init__(self, args: argparse.Namespace, store: Store) -> None:
        self.args, self.store, self.zone = args, store, args.tz
        self.now = int(time.time()) if args.now is None else post_args.instant(args.now, args.tz)

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

    def call(self, make: "Callable[[Dealer, dict[str, int]], list[post.Message]]") -> "list[post.Message]":
        """Make a call of the dealer and tell how many messages it led to; return them."""
        label = self.label
        self.store.verify(label)  # before anything is built on it
        options = {"now": self.now}
        if self.args.expect is not None:
            options["expected_version"] = self.args.expect
        with self.store.dealer(label) as dealer:
            before = dealer.version
            messages = make(dealer, options)
            version = dealer.version
        if version == before:
            note(f"nothing new; version {version}")
        else:
            note(f"accepted: version {version}, {plural(len(messages), 'message')} to send (nimmt post messages)")
        return messages


def run(args: argparse.Namespace) -> int:
    """Run one command."""
    _check_file(args.file, args.desk)
    try:
        with Store(args.file, check="none", create=args.desk in ("new", "import")) as store:
            _COMMANDS[args.desk](Desk(args, store))
    except nimmt.NimmtError as error:
        raise Failure(str(error)) from error
    return 0


def _check_file(path: str, desk: str) -> None:
    """Say what is wrong with a file that SQLite could not open, or not write beside."""
    if not os.path.exists(path) and desk not in ("new", "import"):
        raise Failure(f"there is no file {path!r}: nimmt post new makes it")
    files.check_writable(path)
    folder = os.path.dirname(os.path.realpath(path))
    if not os.access(folder, os.W_OK):
        raise Failure(f"cannot use {path}: nothing may be written beside it, in {folder}")


# Games and people


def _new(desk: Desk) -> None:
    args = desk.args
    times = {name: getattr(args, name) for name in ("first", "later", "choice", "pick")}
    desk.store.new(
        args.label, now=desk.now, rules=args.rules, seed=args.seed, automatic=args.automatic, ask=args.ask, **times
    )
    note(f"opened: {args.label} in {files.shown(args.file)}")


def _games(desk: Desk) -> None:
    for label in desk.store.labels():
        dealer = desk.store.load(label)
        print(f"{label}: {dealer.phase}, {plural(dealer.players, 'seat')}, version {dealer.version}")


def _join(desk: Desk) -> None:
    name = desk.args.name if desk.args.name is None else post.free_name(desk.args.name, desk.names)
    messages = desk.call(lambda dealer, options: dealer.join(**options))
    (seat,) = [message.fields["seat"] for message in messages if message.kind == "joined"]
    note(f"seat {seat}")
    if name is not None:
        desk.store.set_name(desk.label, seat, name)


def _take_over(desk: Desk) -> None:
    seat, name = desk.seat, desk.args.name
    name = name if name is None else post.free_name(name, desk.names, seat)
    desk.call(lambda dealer, options: dealer.take_over(seat, **options))
    if name is not None:
        desk.store.set_name(desk.label, seat, name)


def _name(desk: Desk) -> None:
    if desk.args.erase:
        desk.store.erase_name(desk.label, desk.seat)
    else:
        desk.store.set_name(desk.label, desk.seat, desk.args.name)


# Calls


def _submit(desk: Desk) -> None:
    args, seat = desk.args, desk.seat
    desk.call(lambda dealer, options: dealer.submit(seat, args.card, args.row, args.turn, **options))


def _withdraw(desk: Desk) -> None:
    seat = desk.seat
    desk.call(lambda dealer, options: dealer.withdraw(seat, desk.args.turn, **options))


def _row(desk: Desk) -> None:
    args, seat = desk.args, desk.seat
    desk.call(lambda dealer, options: dealer.choose_row(seat, args.row, args.turn, **options))


def _pick(desk: Desk) -> None:
    seat = desk.seat
    desk.call(lambda dealer, options: dealer.pick(seat, desk.args.card, **options))


def _play_for(desk: Desk) -> None:
    seat = desk.seat
    desk.call(lambda dealer, options: dealer.play_for(seat, **options))


def _drop(desk: Desk) -> None:
    seat = desk.seat
    desk.call(lambda dealer, options: dealer.drop(seat, **options))


def _extend(desk: Desk) -> None:
    seat = None if desk.args.seat is None else desk.seat
    desk.call(lambda dealer, options: dealer.extend(desk.args.length, seat, **options))


def _plain(call: "Callable[..., list[post.Message]]") -> "Callable[[Desk], None]":
    """Return the command of a call that takes nothing but the time."""

    def make(desk: Desk) -> None:
        desk.call(lambda dealer, options: call(dealer, **options))

    return make


# Reports


def _hand(desk: Desk) -> None:
    print(post_show.hand(desk.store.load(desk.label), desk.seat, desk.names, desk.zone))


def _table(desk: Desk) -> None:
    print(post_show.table(desk.store.load(desk.label), desk.names, desk.zone))


def _status(desk: Desk) -> None:
    found = post_show.status(desk.store, desk.label, desk.now)
    if desk.args.json:
        print(json.dumps(found))
    else:
        print("\n".join(post_show.status_lines(found, desk.zone)))


def _messages(desk: Desk) -> None:
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


def _log(desk: Desk) -> None:
    for entry in desk.store.log(desk.label):
        print(json.dumps(entry) if desk.args.json else post_show.log_line(entry, desk.zone))


def _verify(desk: Desk) -> None:
    only = desk.args.game
    entries = desk.store.verify(only)
    games = plural(len(desk.store.labels()), "game") if only is None else f"game {only}"
    leads = "every log leads" if only is None else "its log leads"
    print(f"{games}, {'1 entry' if entries == 1 else f'{entries} entries'}: {leads} to its state")


def _export(desk: Desk) -> None:
    args, path = desk.args, desk.args.output
    if path != "-":
        files.check_writable(path)
        if os.path.realpath(path) == os.path.realpath(args.file):
            raise Failure(f"{files.shown(path)} is the file of games: give the export another name")
        if not args.overwrite:
            files.check_free(path, "give another name, or --overwrite")
    lines = "".join(line + "\n" for line in post.export_game(desk.store, desk.label, args.names))
    if path == "-":
        print(lines, end="")
    else:
        files.write_bytes(path, lines.encode())


def _import(desk: Desk) -> None:
    lines = files.read_text(desk.args.input).splitlines()
    note(f"imported: {post.import_game(desk.store, lines, desk.args.label)}")


_COMMANDS: "dict[str, Callable[[Desk], None]]" = {
    "new": _new,
    "games": _games,
    "join": _join,
    "start": _plain(Dealer.start),
    "hand": _hand,
    "submit": _submit,
    "withdraw": _withdraw,
    "row": _row,
    "pick": _pick,
    "tick": _plain(lambda dealer, now, **options: dealer.tick(now, **options)),
    "remind": _plain(Dealer.remind),
    "play-for": _play_for,
    "drop": _drop,
    "take-over": _take_over,
    "next": _plain(Dealer.next_round),
    "extend": _extend,
    "pause": _plain(Dealer.pause),
    "resume": _plain(Dealer.resume),
    "name": _name,
    "status": _status,
    "table": _table,
    "messages": _messages,
    "log": _log,
    "verify": _verify,
    "export": _export,
    "import": _import,
}
