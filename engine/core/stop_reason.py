"""The reasons why a search, a comparison or the solver ends early."""

from enum import StrEnum


class StopReason(StrEnum):
    """Why a search ended early. Files and JSON store these texts.

    >>> StopReason.NODE_LIMIT == "node limit", bool(StopReason.NOT_STOPPED)
    (True, False)
    """

    NOT_STOPPED = ""  # it is complete
    NODE_LIMIT = "node limit"
    MEMORY_LIMIT = "memory limit"
    CANCELLED = "cancelled"  # by its caller
    INTERRUPTED = "interrupted"  # by Ctrl-C
    BROKEN_OFF = "broken off"  # a recorded program that ended before its search did
