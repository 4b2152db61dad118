"""Finds when this process was started, so that a limit can count from the command and not from the end of our imports."""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

START_FIELD = 19  # of /proc/self/stat, counted after the name of the program
MAX_AGE_SECONDS = 30.0  # more is not believed: no start of ours takes that long


class CommandStart(NamedTuple):
    """The time.monotonic() at which the command was given. Commands find it in their click context."""

    given_at: float


def find_command_start() -> CommandStart:
    """Return the start of this process where Linux tells it, otherwise now."""
    now, age = time.monotonic(), 0.0
    with suppress(OSError, ValueError, IndexError, AttributeError):
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[START_FIELD]) / os.sysconf("SC_CLK_TCK")
    return CommandStart(now - (age if 0 <= age <= MAX_AGE_SECONDS else 0.0))
