"""The end of a program's first search, and the record of a search that may be put back."""

from typing import Any, NamedTuple

from engine.checker.recording.call_recorder import RecordedCalls


class KeptRecord(NamedTuple):
    """The record of a search that may be put back."""

    rows: int
    calls: RecordedCalls
    result: Any
    seconds: float


class FirstSearchDone(BaseException):
    """The first search of a program is over. The rest of the program is not run."""
