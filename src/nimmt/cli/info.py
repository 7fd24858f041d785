"""nimmt info: which version this is, and which core runs."""

import argparse
import json
from typing import TYPE_CHECKING

import nimmt

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Describe the command to argparse."""
    about = "Print version, backend and why it was chosen, and the version of the random streams."
    parser = subparsers.add_parser("info", help="print version and backend", description=about, allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print what this installation is."""
    facts = {
        "version": nimmt.__version__,
        "backend": nimmt.backend,
        "reason": nimmt.backend_reason,
        "stream_version": nimmt.STREAM_VERSION,
    }
    if args.json:
        print(json.dumps(facts))
    else:
        for name, value in facts.items():
            print(f"{name.replace('_', ' '):<16}{value}")
    return 0
