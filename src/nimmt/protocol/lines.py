"""JSON as the line protocol reads it, strictly, and writes it: the same on every machine."""

import json

from ..args import quoted
from ..errors import NimmtError
from ..port import Any


class BadRequest(NimmtError):
    """A line is not a request: it is not JSON, or a word or field is missing, not known, or of another form."""


def parsed(line: bytes) -> "dict[str, Any]":
    """Return the request of a line: fields are text, numbers, true, false, null, or lists and objects of these."""
    try:
        value = _loads(line.decode())
    except NimmtError:
        raise
    except UnicodeError:
        raise BadRequest("the line is not UTF-8") from None
    except ValueError:
        raise BadRequest("the line is not JSON") from None
    except (RuntimeError, MemoryError):
        raise BadRequest("the line is nested too deeply") from None
    if not isinstance(value, dict):
        raise BadRequest("a request is a JSON object")
    for field in value:
        part = value[field]
        inner = list(part.values()) + list(part) if isinstance(part, dict) else part if isinstance(part, list) else []
        for item in [field, part] + inner:
            if isinstance(item, str) and [ch for ch in item if 0xD800 <= ord(ch) < 0xE000]:
                raise BadRequest("a text has half a surrogate pair")
            if isinstance(item, (dict, list)) and item is not part:
                raise BadRequest(f"{quoted(field)} is nested too deeply")
    return value


def _loads(text: str) -> object:
    """Read JSON as strictly as the json module of this machine can: MicroPython's lets commas and repeats pass."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except TypeError:
        return json.loads(text)


def _once(pairs: "list[tuple[str, object]]") -> "dict[str, object]":
    if len({key for key, _ in pairs}) < len(pairs):
        raise BadRequest("a field is there twice")
    return dict(pairs)


def _no_number(text: str) -> object:
    raise ValueError(text)  # NaN and Infinity


def dumps(value: object) -> str:
    """Return JSON in ASCII, the fields of objects in the order of the alphabet: the same text on every machine."""
    if isinstance(value, str):
        return '"' + "".join([_escaped(ch) for ch in value]) + '"'
    if isinstance(value, dict):
        return "{" + ",".join([dumps(field) + ":" + dumps(value[field]) for field in sorted(value)]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    return "null" if value is None else "true" if value is True else "false" if value is False else str(value)


def _escaped(ch: str) -> str:
    code = ord(ch)
    if ch in '"\\':
        return "\\" + ch
    if 32 <= code < 127:
        return ch
    if code > 0xFFFF:
        return f"\\u{0xD800 | code - 0x10000 >> 10:04x}\\u{0xDC00 | code & 0x3FF:04x}"
    return "\\n" if ch == "\n" else f"\\u{code:04x}"
