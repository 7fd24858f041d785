"""The line protocol of PROTOCOL.md: JSON lines for pipes, sockets and serial lines.

    session = Session()
    while True:
        port.write(session.feed(port.read()))

VERSION        the version of the protocol
LONGEST        a line that comes in has at most so many bytes, without its end
"""

from .lines import BadRequest
from .session import LONGEST, VERSION, Session

__all__ = ["LONGEST", "VERSION", "BadRequest", "Session"]
