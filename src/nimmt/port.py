"""What differs by platform: CPython and PyPy have all of it, boards with MicroPython some.

crc32(data, crc=0)      the CRC-32 of bytes, going on from `crc`
urandom(size)           bytes of entropy, or None where the machine has no source
getenv(name)            a variable of the environment, or None
new_lock()              a lock that its owner may take again; without threads something that does nothing
NamedTuple              typing's, called with the name and a list of (field, type as text)
fields_of(kind)         the fields of such a named tuple, or of a value of it
explain(...)            gives such a named tuple and its fields texts for help()
Any, Iterable, ...      words of annotations, which MicroPython does not evaluate
"""

TYPE_CHECKING = False  # for what only a type checker reads

try:
    from binascii import crc32 as crc32
except ImportError:

    def crc32(data: "bytes | bytearray", crc: int = 0) -> int:  # type: ignore[misc]
        crc ^= 0xFFFFFFFF
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
        return crc ^ 0xFFFFFFFF


try:
    from os import urandom as urandom
except ImportError:

    def urandom(size: int) -> "bytes | None":  # type: ignore[misc]
        return None


try:
    from os import getenv as getenv
except ImportError:  # a board without an environment

    def getenv(name: str) -> None:  # type: ignore[no-redef]
        return None


class _NoLock:
    """A lock where there are no threads."""

    def __enter__(self) -> "_NoLock":
        return self

    def __exit__(self, *error: object) -> None:
        return None


try:
    from threading import RLock as RLock

    new_lock = RLock
except ImportError:
    new_lock = _NoLock  # type: ignore[misc, assignment]


try:
    from collections.abc import Callable as Callable
    from collections.abc import Iterable as Iterable
    from collections.abc import Iterator as Iterator
    from collections.abc import Mapping as Mapping
    from typing import Any as Any
    from typing import NamedTuple as NamedTuple
    from typing import TypeVar as TypeVar
    from typing import get_type_hints

    def fields_of(kind: "type[Any] | Any") -> "tuple[str, ...]":
        fields: tuple[str, ...] = kind._fields
        return fields

    def explain(kind: "type[Any]", text: str, **fields: str) -> None:
        kind.__doc__ = text
        kind.__annotations__ = kind.__new__.__annotations__ = get_type_hints(kind)  # not ForwardRef('str | None')
        for field in fields:
            getattr(kind, field).__doc__ = fields[field]

except ImportError:  # MicroPython, whose namedtuple does not tell its fields
    from collections import namedtuple

    Callable = Iterable = Iterator = Mapping = Any = None  # type: ignore[misc, assignment]
    _FIELDS = {}  # type: ignore[var-annotated]

    def NamedTuple(name, fields):  # type: ignore[no-redef, no-untyped-def]
        if isinstance(fields, list):  # a bundle has the names of the fields alone
            fields = tuple([field for field, _ in fields])
        _FIELDS[name] = fields
        return namedtuple(name, fields)

    def TypeVar(name, bound=None):  # type: ignore[no-redef, no-untyped-def]
        return None

    def fields_of(kind: "type[Any] | Any") -> "tuple[str, ...]":
        found: tuple[str, ...] = _FIELDS[(kind if isinstance(kind, type) else type(kind)).__name__]
        return found

    def explain(kind: "type[Any]", text: str, **fields: str) -> None:
        return None
