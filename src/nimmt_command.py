"""The command `nimmt`, and nothing else. It is beside the package, which is imported before anything inside it can run:
here a NIMMT_BACKEND that keeps it from being imported is one line, as every other error of the command.
"""

import sys


def main() -> int:
    """Run nimmt.cli and return its exit code; 1 without the C core that is asked for, 2 for an unknown backend."""
    try:
        from nimmt.cli import main as command
    except (ImportError, ValueError) as error:
        if "NIMMT_BACKEND" not in str(error):
            raise  # something else is broken: where, is worth knowing
        if sys.stderr is not None:
            print(f"nimmt: error: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    return command()


if __name__ == "__main__":
    sys.exit(main())
