"""The one chooser between the cores, and the few things that differ by platform. Portable; types in _backend.pyi.

core     the module: _ccore or _pycore
name     "c" or "python"
reason   one line: why this one

NIMMT_BACKEND in the environment decides: "auto" (C if it is there), "c" or "python".
"""

import sys

from . import _pycore


def _wish():
    try:
        import os

        value = os.getenv("NIMMT_BACKEND")
    except (ImportError, AttributeError):  # a board without an environment
        value = None
    value = value or "auto"
    if value not in ("auto", "c", "python"):
        raise ValueError(f"NIMMT_BACKEND={repr(value)}: must be auto, c or python")
    return value


def _choose(wish):
    if wish == "python":
        return _pycore, "python", "NIMMT_BACKEND=python"
    try:
        if sys.implementation.name == "micropython":
            raise ImportError("MicroPython has no cffi")
        from . import _ccore
    except ImportError as error:
        if wish == "c":
            from .refuse import no_core

            raise ImportError(no_core(error)) from error
        return _pycore, "python", f"no C core: {error}"
    return _ccore, "c", "NIMMT_BACKEND=c" if wish == "c" else "the C core is there"


core, name, reason = _choose(_wish())


# What differs by platform

try:
    from binascii import crc32
except ImportError:

    def crc32(data, crc=0):
        crc ^= 0xFFFFFFFF
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
        return crc ^ 0xFFFFFFFF


try:
    from os import urandom
except ImportError:

    def urandom(size):
        return None


class _NoLock:
    """A lock where there are no threads."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


try:
    from threading import RLock as new_lock
except ImportError:
    new_lock = _NoLock
