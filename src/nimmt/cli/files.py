"""Reading files and standard input whole, and writing files whole or not at all."""

import os
import sys

from nimmt.files import whole_file

from .common import Failure, note

END = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"  # of what is typed
MOST = 1 << 28  # more than the record of any game that was played; /dev/zero is no record


def read_bytes(path: str, most: int = MOST) -> bytes:
    """Return what a file holds; "-" is standard input.

    Raises Failure, naming the file, if it cannot be read or holds more than `most` bytes.
    """
    try:
        if path != "-":
            with open(path, "rb") as file:
                data = file.read(most + 1)
        elif sys.stdin is None:
            data = b""
        elif hasattr(sys.stdin, "buffer"):
            if sys.stdin.isatty():
                note(f"Standard input is read; {END} ends it.")
            data = sys.stdin.buffer.read(most + 1)
        else:  # somebody put a plain text stream in its place
            data = sys.stdin.read(most + 1).encode()
    except (OSError, ValueError) as error:  # ValueError: a file name with a zero character
        raise Failure(f"cannot read {shown(path)}: {reason(error)}") from None
    if len(data) > most:
        raise Failure(f"{shown(path)} is larger than {most} bytes")
    return data


def read_text(path: str, most: int = MOST) -> str:
    """Return what a file holds as text; Failure as in read_bytes, and if it is not UTF-8."""
    return text_of(read_bytes(path, most), path)


def text_of(data: bytes, path: str) -> str:
    """Return the text of `data`, which was read from `path`."""
    try:
        return data.decode("utf-8-sig")  # an editor may have put a mark in front
    except UnicodeDecodeError as error:
        raise Failure(f"{shown(path)} is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}") from None


def write_bytes(path: str, data: bytes, private: bool = False) -> None:
    """Write a file whole or not at all, also when the power goes; Failure, naming the file, if that does not work.

    private      a new file can be read by its owner alone: it holds hands or a seed
    """
    try:
        with whole_file(path, private) as file:
            file.write(data)
    except (OSError, ValueError) as error:
        raise Failure(f"cannot write {shown(path)}: {reason(error)}") from None


def check_writable(path: str) -> None:
    """Fail now if a file cannot be written, rather than after a whole game."""
    if path in ("", "-"):
        raise Failure(f"a file to write needs a name, not {path!r}")
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise Failure(f"cannot write {shown(path)}: it is a directory")
    if not os.path.isdir(folder):
        raise Failure(f"cannot write {shown(path)}: there is no directory {folder}")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise Failure(f"cannot write {shown(path)}: it is not allowed")


def check_free(path: str, instead: str) -> None:
    """Refuse to write in the place of a file that holds something; `instead` says what else can be done."""
    if os.path.isfile(path) and os.path.getsize(path):
        raise Failure(f"{shown(path)} exists: {instead}")


def check_all_writable(*paths: str | None) -> None:
    """Fail now if one of these files cannot be written, or if two are one, where the later would replace the other."""
    found = set()
    for path in paths:
        if path is None:
            continue
        check_writable(path)
        real = os.path.realpath(path)
        if real in found and (os.path.isfile(real) or not os.path.exists(real)):  # /dev/stdout takes both
            raise Failure(f"{shown(path)} is to be written twice: give two names")
        found.add(real)


def shown(path: str) -> str:
    """Return the name of a file for a message."""
    return "standard input" if path == "-" else path or "''"


def reason(error: OSError | ValueError) -> str:
    """Return why a file could not be read or written, without its name."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
