"""nimmt board: one module for a board with MicroPython, made of the names that a program uses."""

import argparse
import os

import nimmt
from nimmt.board.files import module_files, text_files
from nimmt.board.source import Missing

from .common import Failure, note, readable
from .files import reason, write_bytes

ABOUT = """Make one module for a board with MicroPython: the names you give, what they
need, and nothing else. On the board it is called nimmt and has these names.

  nimmt board Game                          the class with all its methods
  nimmt board Game.play Game.take Rules     only these methods, in less memory
  nimmt board Referee -o sdcard/lib
  nimmt board Stream core.deal core.play core.take --text

A name is one of nimmt, protocol, arena, bots, slots or worlds, or core and a
function of csrc/nimmt.h. The folder gets nimmt.py, and if mpy-cross is installed
nimmt.mpy, which takes a third of the memory, with a package.json for mip."""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the command to argparse."""
    parser.add_argument("names", nargs="+", metavar="NAME", type=readable, help="a public name, or a method of a class")
    parser.add_argument("--text", action="store_true", help="write nimmt.flat and its loader, for a micro:bit v1")
    parser.add_argument("-o", dest="folder", default="board", metavar="FOLDER", help="where to write (default: board)")


def run(args: argparse.Namespace) -> int:
    """Write the files of a bundle and name them."""
    try:
        for name, data in (text_files if args.text else module_files)(args.names):
            path = os.path.join(args.folder, name)
            os.makedirs(args.folder, exist_ok=True)
            write_bytes(path, data)
            print(f"{len(data):>8} bytes  {path}")
    except OSError as error:
        raise Failure(f"cannot make the folder {args.folder}: {reason(error)}") from None
    except Missing as error:
        if args.text:
            raise Failure(str(error)) from None
        note(str(error))
    except nimmt.NimmtError as error:
        raise Failure(str(error)) from None
    return 0
