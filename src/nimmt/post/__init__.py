"""Play by post: a dealer for games that take days (H1..H8), and a file for many of them.

>>> from nimmt.post import Dealer
>>> dealer = Dealer()
>>> for call in (dealer.open, dealer.join, dealer.join, dealer.start):
...     messages = call(now=1_700_000_000)
>>> [(message.to, message.kind) for message in messages]
[('all', 'table'), (0, 'hand'), (1, 'hand')]

Dealer is a state machine without clock, network or threads; Store keeps many of them in one SQLite file, safely.
docs/post.md is for hosts.

ALL            the receiver of public messages
DEALER         the receiver of messages for the host's own desk
HOUR           an hour in seconds
"""

from .calls import Step
from .dealer import Dealer
from .errors import (
    ClockBackwards,
    DamagedStore,
    FullStore,
    LockedStore,
    NewerStore,
    NotAStore,
    StaleVersion,
    StoreError,
)
from .messages import ALL, DEALER, Message, checked_name, free_name
from .state import HOUR, Settings
from .store import Store, Stored, export_game, import_game
from .texts import duration, moment, text

__all__ = [
    "ALL",
    "DEALER",
    "HOUR",
    "ClockBackwards",
    "DamagedStore",
    "Dealer",
    "FullStore",
    "LockedStore",
    "Message",
    "NewerStore",
    "NotAStore",
    "Settings",
    "StaleVersion",
    "Step",
    "Store",
    "StoreError",
    "Stored",
    "checked_name",
    "duration",
    "export_game",
    "free_name",
    "import_game",
    "moment",
    "text",
]
