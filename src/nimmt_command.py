"""Starts the command `nimmt`. It stands beside the package, to say in one line why the package cannot be imported.

NIMMT_BACKEND in the environment may ask for a core that is not there; then `import nimmt` raises.
"""

import sys


def main() -> int:
    """Run the command with the arguments of the process; return its exit code."""
    try:
        from nimmt.cli import main as command
    except (ImportError, ValueError) as error:
        print(f"nimmt: error: {error}", file=sys.stderr)
        return 1
    return command()
