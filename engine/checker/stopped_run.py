"""Reasons why a run of a student's program ends early, and the one table of sentences for them."""

from enum import Enum, auto
from typing import NamedTuple


class StopCause(Enum):
    """A reason why a run ended early, or did not reach the search."""

    TIME_LIMIT = auto()
    STILL_RUNNING = auto()  # over the time limit, and it cannot be stopped
    NO_SEARCH_IN_TIME = auto()
    NO_SEARCH_CALL = auto()
    TOO_MANY_CALLS = auto()
    ENDLESS_RECURSION = auto()
    TOO_DEEP = auto()
    MEMORY_LIMIT = auto()
    EXIT = auto()
    EXCEPTION = auto()
    REFUSED = auto()  # it asked for input, or for something that the sandbox forbids
    UNFINISHED = auto()  # a watched function that has not returned


STOP_MESSAGES = {
    StopCause.TIME_LIMIT: "the program was stopped after {detail}",
    StopCause.STILL_RUNNING: "the program was stopped after {detail}, but it catches every error and runs on",
    StopCause.NO_SEARCH_IN_TIME: "the program did not reach the search within {detail}",
    StopCause.NO_SEARCH_CALL: "the program ended without reaching the search",
    StopCause.TOO_MANY_CALLS: "the search makes more than {detail} calls, and no more are recorded",
    StopCause.ENDLESS_RECURSION: "the recursion never ends (RecursionError)",
    StopCause.TOO_DEEP: "the calls are nested deeper than can be recorded ({detail} levels at most)",
    StopCause.MEMORY_LIMIT: "the program was stopped because it needs more than {detail} of memory",
    StopCause.EXIT: "the program ended itself with exit({detail})",
    StopCause.EXCEPTION: "the program raised {detail}",
    StopCause.REFUSED: "{detail}",
    StopCause.UNFINISHED: "the function has not returned",
}
LIMITS = {StopCause.TIME_LIMIT, StopCause.STILL_RUNNING, StopCause.TOO_MANY_CALLS, StopCause.MEMORY_LIMIT}


class StoppedRun(NamedTuple):
    """A run that ended early."""

    cause: StopCause
    detail: str = ""  # the limit that was reached, the error, the exit code
    error: BaseException | None = None  # that the program raised

    @property
    def sentence(self) -> str:
        """Return the reason as a sentence without a capital and a full stop.

        >>> StoppedRun(StopCause.TIME_LIMIT, "60 seconds").sentence
        'the program was stopped after 60 seconds'
        """
        return STOP_MESSAGES[self.cause].format(detail=self.detail)

    @property
    def is_too_large(self) -> bool:
        """Return True if the search was too large for a limit."""
        return self.cause in LIMITS
