"""nimmt info: which version this is, and which core runs."""

import argparse
import json

import nimmt

ABOUT = "Print version, backend and why it was chosen, and the version of the random streams."


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
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
