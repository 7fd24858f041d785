"""nimmt simulate: many games between built-in policies, as a table, files and a picture."""

import argparse
import os
import re
import shlex
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import nimmt
from nimmt.bots import POLICIES
from nimmt.sim import ExecutorFailed, Interrupted, Result, simulate
from nimmt.sim.plan import TAKES
from nimmt.sim.summary import heads_by_policy

from .common import RULES_HELP, Failure, Usage, in_range, note, rules_of, rules_text, shortened
from .files import check_all_writable

ABOUT = """Play many games between built-in policies and tell who takes how many heads.
The same seed gives the same games on every machine.

  nimmt simulate --players 4 --games 1000000 --seed 1
  nimmt simulate --policy "random*3,nearest" --rules professional --histogram
  nimmt simulate --policy nearest --policy lowest --csv games.csv --plot heads.png

Ctrl-C prints what is done so far and how to go on."""

BAR = 50  # characters of the longest bar
BIN = 3  # heads a bar


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    word, many = in_range(0, 2**64 - 1), in_range(0, 2**64)
    parser.add_argument("--players", type=in_range(2, 10), metavar="N", help="2 to 10 (default: 4, or one a policy)")
    listed = f"{', '.join(POLICIES)}; by seat, joined with commas or repeated; one alone is for all (default: random)"
    parser.add_argument("--policy", action="append", type=policies_of, metavar="LIST", help=listed)
    parser.add_argument("--games", type=many, default=100_000, metavar="N", help="how many (default: 100000)")
    parser.add_argument("--seed", type=word, metavar="N", help="0..2**64-1 (default: a new one)")
    parser.add_argument("--rules", default="base", metavar="TEXT", help=RULES_HELP)
    parser.add_argument("--rounds", type=in_range(1, 65535), metavar="N", help="rounds a game, instead of the limit")
    parser.add_argument("--take", choices=TAKES, default=TAKES[0], help="which rows the policy random takes")
    parser.add_argument("--threads", type=in_range(1, 4096), metavar="N", help="(default: one for each processor)")
    parser.add_argument("--first", type=word, default=0, metavar="N", help="number of the first game (default: 0)")
    parser.add_argument("--csv", metavar="FILE", help="write scores and rounds, a line for each game")
    parser.add_argument("--json", metavar="FILE", help="write the summary, all histograms, and what repeats the run")
    parser.add_argument("--plot", metavar="FILE", help="draw heads and wins as a PNG (needs nimmt[plot])")
    parser.add_argument("--histogram", action="store_true", help="print the heads of a round as bars, by policy")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="play on a Dask cluster (needs nimmt[dask])")


def run(args: argparse.Namespace) -> int:
    """Simulate, print the summary, write what is asked for."""
    policies, rules = _seats(args), _rules(args)
    _check(args)
    meter = Meter()
    try:
        with _workers(args) as workers, _quietly():
            result = _simulate(policies, rules, args, meter, workers)
    except Interrupted as stop:
        meter.clear()
        _report(stop.result, args)
        _how_to_go_on(stop.result, args)
        return 130
    except ExecutorFailed as failed:
        meter.clear()
        if failed.result.games:
            _report(failed.result, args)
            _how_to_go_on(failed.result, args)
        raise Failure(str(failed)) from None
    except nimmt.NimmtError as error:
        raise Usage(str(error)) from None
    except MemoryError as error:
        raise Failure(f"not enough memory: {error}") from None
    meter.clear()
    _report(result, args)
    note(meter.speed(result))
    _write(result, args)
    return 0


def policies_of(text: str) -> list[str]:
    """Return the policies that `text` lists: "random*3,lowest". Also a type for argparse."""
    names: list[str] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\w+)\s*(?:\*\s*([0-9]{1,2})\s*)?", part)
        if not match or match[1] not in POLICIES:
            raise Usage(f"there is no policy {shortened(part.strip())}: {', '.join(POLICIES)}, or one like random*3")
        names += [match[1]] * int(match[2] or 1)
    return names


def _seats(args: argparse.Namespace) -> list[str]:
    """Return the policies by seat."""
    policies = [name for names in args.policy or [["random"]] for name in names]
    if len(policies) == 1:
        return policies * (args.players or 4)
    if args.players and args.players != len(policies):
        raise Usage(f"{args.players} players need {args.players} policies, or one for all, not {len(policies)}")
    return policies


def _rules(args: argparse.Namespace) -> nimmt.Rules:
    return rules_of(args.rules if args.rounds is None else f"{args.rules},rounds={args.rounds}")


def _check(args: argparse.Namespace) -> None:
    """Refuse now what could not be done after a long simulation."""
    if args.scheduler and args.threads:
        raise Usage("give --threads or --scheduler, not both")
    paths = (args.csv, args.json, args.plot)
    if "-" in paths:
        raise Usage("'-' is not the name of a file: give a name, or /dev/stdout for standard output")
    check_all_writable(*paths)
    if args.plot is not None:
        try:
            import matplotlib  # noqa: F401 - draws later
        except ImportError:
            raise Failure("--plot needs matplotlib: pip install 'nimmt[plot]'") from None


def _simulate(
    policies: list[str], rules: nimmt.Rules, args: argparse.Namespace, meter: "Meter", workers: Any
) -> Result:
    return simulate(
        policies,
        args.games,
        args.seed,
        rules=rules,
        take=args.take,
        threads=args.threads,
        executor=workers,
        first=args.first,
        progress=meter,
        keep="all" if args.csv else "summary",
    )


@contextmanager
def _workers(args: argparse.Namespace) -> Iterator[Any]:
    """Give the executor of a Dask cluster, or None."""
    if not args.scheduler:
        yield None
        return
    try:
        import distributed
    except ImportError:
        raise Failure("--scheduler needs Dask: pip install 'nimmt[dask]'") from None
    try:
        client = distributed.Client(args.scheduler, timeout=5, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise Failure(f"cannot reach the Dask scheduler {args.scheduler}: {error}") from None
    with client:
        yield client.get_executor()


@contextmanager
def _quietly() -> Iterator[None]:
    """Say what a warning of nimmt says as a notice, without the line of the program."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def tell(message: Warning | str, category: type[Warning], *args: Any, **more: Any) -> None:
            if category is RuntimeWarning:
                note(str(message))
            else:
                show(message, category, *args, **more)

        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = tell
        yield


class Meter:
    """A line on standard error, if that is a terminal: how far, how fast, how long yet."""

    def __init__(self) -> None:
        self._started = self._shown = time.monotonic()
        self._line = sys.stderr is not None and sys.stderr.isatty()
        self._width = 0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._line and (now - self._shown > 0.1 or done == total):
            self._shown = now
            rate = done / max(now - self._started, 1e-9)
            left = clock((total - done) / rate) if rate else "?"
            percent = 100 * done // max(total, 1)
            text = f"{percent:>3} %  {short(done)} of {short(total)} games, {short(rate)} a second, {left} left"
            text = text[: columns() - 1]  # a line that is broken could not be written over
            note("\r" + text.ljust(self._width), end="")
            self._width = len(text)

    def clear(self) -> None:
        """Wipe the line."""
        if self._width:
            note("\r" + " " * self._width + "\r", end="")

    def speed(self, result: Result) -> str:
        """Return what was played, and how fast."""
        seconds = max(time.monotonic() - self._started, 1e-9)
        rounds = short(result.summary().rounds / seconds)
        return f"{result.games:,} games in {seconds:.2f} s ({rounds} rounds a second, backend {result.backend})"


def columns() -> int:
    """Return how wide the terminal at standard error is."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds."""
    return f"{int(seconds // 3600)}:{int(seconds // 60 % 60):02}:{int(seconds % 60):02}"


def short(number: float) -> str:
    """Return a number in three figures: 1.23 million."""
    for size, name in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if number >= size:
            return f"{number / size:.3g}{name}"
    return f"{number:.3g}"


def _report(result: Result, args: argparse.Namespace) -> None:
    """Print the summary to standard output: the same for the same games."""
    end = result.first + result.games - 1
    games = f"games {result.first}..{end}" if result.games else "no games"
    print(f"seed {result.seed}, {games}, rules {rules_text(result.rules)}, {result.take} rows")
    print(result.summary())
    if args.histogram:
        print("\n".join(bars(result)))


def bars(result: Result) -> list[str]:
    """Return the heads of a round as bars of text, by policy, up to where less than a thousandth is left."""
    lines = []
    for policy, counts in heads_by_policy(result.summary()).items():
        total = sum(counts)
        shares = [sum(counts[at : at + BIN]) / max(total, 1) for at in range(0, len(counts), BIN)]
        lines += ["", f"heads a round, {policy}"]
        left = 1.0
        for i, share in enumerate(shares):
            if left < 0.001 or not total:
                break
            bar = "#" * round(BAR * share / max(shares))
            lines.append(f"{BIN * i:>3}..{BIN * i + BIN - 1:<3} {100 * share:5.1f} %  {bar}".rstrip())
            left -= share
    return lines


def _how_to_go_on(result: Result, args: argparse.Namespace) -> None:
    """Say which command plays the games that are left."""
    first = result.first + result.games
    words = ["nimmt", "simulate", "--policy", ",".join(result.policies), "--rules", rules_text(result.rules)]
    words += ["--seed", str(result.seed), "--first", str(first), "--games", str(args.first + args.games - first)]
    words += ["--take", result.take] if result.take != "cheapest" else []
    files = "; files are not written" if args.csv or args.json or args.plot else ""
    note(f"stopped after {result.games:,} of {args.games:,} games{files}. The other games: {shlex.join(words)}")


def _write(result: Result, args: argparse.Namespace) -> None:
    """Write the files that are asked for."""
    for path, write in ((args.csv, result.to_csv), (args.json, result.to_json), (args.plot, result.plot)):
        if path is not None:
            try:
                write(path)
            except OSError as error:
                raise Failure(f"cannot write {path}: {error.strerror or error}") from None
