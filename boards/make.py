"""Makes what boards install: the bundles in this folder, and package.json above it, the list of the whole package.

    python boards/make.py

A test makes it all anew and compares. What mpy-cross makes depends on its version: MPY_CROSS made these files.
"""

from __future__ import annotations

import json
from pathlib import Path

from nimmt import __version__
from nimmt.board.files import module_files, portable_files

ROOT = Path(__file__).resolve().parent.parent

#: What `mpy-cross --version` says.
MPY_CROSS = "MicroPython v1.29.0 on 2026-08-29; mpy-cross emitting mpy v6.3"

ERRORS = "NimmtError IllegalMove WrongPhase BadRecord"
RULES = "Rules BASE TACTIC LOGIC PROFESSIONAL bull_heads"
SAVES = "save load"
TABLE = "players phase to_act legal hand chosen rows heads owed cheapest turn round scores ranks winners is_over"


def methods(kind: str, *names: str) -> str:
    """Return the methods of a class as `nimmt board` takes them."""
    return " ".join(f"{kind}.{name}" for line in names for name in line.split())


#: The bundles by purpose. A program that needs other names makes its own with `nimmt board`.
BUNDLES = {
    "core": f"Stream {methods('core', 'deal choose withdraw resolve play take rows_for cheapest')}",
    "game": f"{methods('Game', TABLE, SAVES, 'choose withdraw play take pick deal join')} {RULES} {ERRORS} Slots files",
    "referee": f"{methods('Referee', TABLE, SAVES, 'seen opening ready lay lift deal join read withdraw place take')}"
    f" {methods('Referee', 'from_rows')} {RULES} {ERRORS} Slots files",
    "serial": "Session",
}


def package_json() -> bytes:
    """Return the list that mip reads to install the package from source."""
    urls = [[f"nimmt/{name}", f"src/nimmt/{name}"] for name in portable_files()]
    return json.dumps({"urls": urls, "deps": [], "version": __version__}, indent=1).encode() + b"\n"


def made() -> dict[str, bytes]:
    """Return all files that are made, by their names from the top."""
    files = {"package.json": package_json()}
    for purpose, names in BUNDLES.items():
        files.update({f"boards/{purpose}/{name}": data for name, data in module_files(names.split())})
    return files


if __name__ == "__main__":
    for name, data in made().items():
        (ROOT / name).parent.mkdir(exist_ok=True)
        (ROOT / name).write_bytes(data)
        print(f"{len(data):>8} bytes  {name}")
