"""The line protocol of PROTOCOL.md: JSON lines for pipes, sockets and serial lines.

session = Session()
while True:
    port.write(session.feed(port.read()))
"""

from .lines import BadRequest
from .session import LONGEST, VERSION, Session

__all__ = ["LONGEST", "VERSION", "BadRequest", "Session"]
