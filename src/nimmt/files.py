"""Files that appear whole or not at all. For CPython."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from typing import BinaryIO

Path = str | os.PathLike[str]

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def whole_file(path: Path, private: bool = False) -> Iterator[BinaryIO]:
    """Give a file to write to; it takes the place of `path` when the block ends, and vanishes if it fails.

    private      a new file can be read by its owner alone; one that is there keeps its mode

    A link goes on pointing to its file. What is not a file, such as /dev/stdout, is written to directly.
    Raises OSError, which names `path` and not the file beside it.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(path, "wb") as file:
            yield file
        return
    beside = f"{target}.{secrets.token_hex(4)}.tmp"
    try:
        with open(os.open(beside, _NEW, 0o600 if private else 0o666), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError) and error.filename == beside:
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
