"""The fields of many rounds, seen where they lie in the block: numpy arrays if numpy is there, else memoryviews."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..core import layout as c

if TYPE_CHECKING:
    import numpy

#: The fields of nimmt_round: name, shape of one round's, in the order in which they lie there.
FIELDS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("players", ()),
    ("highest", ()),
    ("flags", ()),
    ("phase", ()),
    ("turn", ()),
    ("owes", ()),
    ("allowed", ()),
    ("length", (4,)),
    ("rows", (4, 5)),
    ("chosen", (10,)),
    ("heads", (10,)),
    ("seen", (13,)),
    ("hands", (10, 10)),
)

#: Fields by seat: their views show the seats in play only.
BY_SEAT = ("chosen", "heads", "hands")


def numpy_or_none() -> ModuleType | None:
    """Return numpy if it is installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


@cache
def dtype() -> numpy.dtype[Any]:
    """Return the type of one round as numpy's structure of 164 bytes; needs numpy."""
    import numpy

    return numpy.dtype([(name, numpy.uint8, shape) for name, shape in FIELDS])


def field(state: bytearray, name: str, players: int) -> Any:
    """Return a read-only view of a field of all rounds: [round, ...]; without numpy [round][...]."""
    numpy = numpy_or_none()
    if numpy is not None:
        array = numpy.frombuffer(memoryview(state).toreadonly(), dtype())[name]
        return array[:, :players] if name in BY_SEAT else array
    at = 0
    for other, shape in FIELDS:
        if other == name:
            break
        at += prod(shape)
    if not shape:
        return memoryview(state).toreadonly()[at :: c.SIZE]
    return Field(state, at, (players, *shape[1:]) if name in BY_SEAT else shape)


class Field(Sequence[memoryview]):
    """A field of several bytes of all rounds: a sequence with a read-only memoryview for each round."""

    def __init__(self, state: bytearray, at: int, shape: tuple[int, ...]) -> None:
        self._state, self._at, self.shape = memoryview(state).toreadonly(), at, (len(state) // c.SIZE, *shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        number = range(len(self))[index]  # negative ones, slices, IndexError
        if isinstance(number, range):
            return [self[i] for i in number]
        at = number * c.SIZE + self._at
        return self._state[at : at + prod(self.shape[1:])].cast("B", self.shape[1:])
