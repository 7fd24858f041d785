"""The core: the rules on the bytes of a round, in C or in Python, and what chooses one.

core     the module with the verbs: core/c.py or core/python.py. csrc/nimmt.h says what each verb promises
name     "c" or "python"
reason   one line: why this one

NIMMT_BACKEND in the environment decides: "auto" (C if it is there), "c" or "python".
"""

import sys

from ..port import TYPE_CHECKING, Any, getenv
from . import python

if TYPE_CHECKING:
    from typing import Protocol

    class Core(Protocol):
        """What both cores are; `r` and `log` are what bind and bind_log return. Arguments are given by place only."""

        def bind(self, __state: bytearray) -> Any: ...
        def bind_log(self, __log: bytearray) -> Any: ...
        def setup(
            self, __r: Any, __players: int, __highest: int, __flags: int, __open: bytes, __hands: "bytes | None"
        ) -> int: ...
        def deal(self, __r: Any, __players: int, __highest: int, __flags: int, __stream: Any) -> int: ...
        def check(self, __r: Any) -> int: ...
        def choose(self, __r: Any, __seat: int, __card: int) -> int: ...
        def withdraw(self, __r: Any, __seat: int) -> int: ...
        def resolve(self, __r: Any, __log: Any) -> int: ...
        def play(self, __r: Any, __cards: bytes, __log: Any) -> int: ...
        def take(self, __r: Any, __seat: int, __row: int, __log: Any) -> int: ...
        def rows_for(self, __r: Any, __card: int) -> int: ...
        def cheapest(self, __r: Any, __card: int, __mask: int) -> int: ...
        def policy_card(self, __r: Any, __seat: int, __policy: int, __stream: Any) -> int: ...
        def policy_row(self, __r: Any, __policy: int, __stream: Any) -> int: ...
        def playout(self, __r: Any, __policies: bytes, __stream: Any) -> int: ...



def _wish() -> str:
    value = getenv("NIMMT_BACKEND") or "auto"
    if value not in ("auto", "c", "python"):
        raise ValueError(f"NIMMT_BACKEND={repr(value)}: must be auto, c or python")
    return value


def _choose(wish: str) -> "tuple[Core, str, str]":
    if wish == "python":
        return python, "python", "NIMMT_BACKEND=python"
    try:
        if sys.implementation.name == "micropython":
            raise ImportError("MicroPython has no cffi")
        from . import c
    except ImportError as error:
        if wish == "c":
            raise ImportError(_no_core(error)) from error
        return python, "python", f"no C core: {error}"
    return c, "c", "NIMMT_BACKEND=c" if wish == "c" else "the C core is there"


def _no_core(error: ImportError) -> str:
    """Return the message for a C core that is asked for and is not there."""
    # pip keeps a wheel without C in its cache and would install it again.
    mend = "in a checkout this builds it: NIMMT_EXTENSION=1 pip install --no-cache-dir --force-reinstall '.[c]'"
    return f"NIMMT_BACKEND=c, but there is no C core ({error}); {mend}"


core, name, reason = _choose(_wish())
