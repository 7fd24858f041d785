"""Errors of a dealer and its store, beside those of the engine. After each of them everything is as it was."""

from ..errors import NimmtError


class StaleVersion(NimmtError):
    """Somebody else has acted since: the game has another version than the caller expects. Read it again and decide."""


class ClockBackwards(NimmtError):
    """`now` is earlier than the last entry of the log. The host's clock is wrong, or another host's was."""


class StoreError(NimmtError):
    """The file of games cannot be used as asked. The base of the errors below; the cause is chained."""


class NotAStore(StoreError):
    """The file is missing, a folder, not a database, or one of another program. It was not touched."""


class NewerStore(StoreError):
    """The file was written by a newer release. It was not touched."""


class DamagedStore(StoreError):
    """The file is damaged, or a log and its snapshot contradict each other."""


class FullStore(StoreError):
    """The disk is full, or the file may not grow. The call was not accepted."""


class LockedStore(StoreError):
    """Another process held the file for longer than the timeout. The call was not accepted: try again."""
