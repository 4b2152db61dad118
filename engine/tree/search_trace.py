"""Search traces: recorded searches of any program as JSON Lines. The guide engine/tree/README.md describes the format.

The first line is a header, every other line is one call of the search. Everything in a file is checked when it is read, and
errors name the line.
"""

import os
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from engine.core.errors import PlyscopeError

TRACE_VERSION = 1
SCHEMA_FILE = Path(__file__).with_name("search_trace.schema.json")
MAX_TRACE_BYTES = 2 << 30
MAX_TRACE_CALLS = 2_000_000
MAX_NAME_CHARS = 200
MAX_STATE_CHARS = 2_000
MAX_STATES_BYTES = 64 << 20  # of all different states
MAX_NAMED_LINES = 5  # damaged lines in an error message
INFINITIES = {"inf": float("inf"), "-inf": float("-inf"), "Infinity": float("inf"), "-Infinity": float("-inf")}

WORDS = {  # that a field may have
    "side": ("max", "min"),
    "status": ("terminal", "horizon", "exhausted", "cutoff", "open"),
    **dict.fromkeys(("alpha", "beta", "value"), ("a number", *INFINITIES)),
}

Number = float | Literal["inf", "-inf", "Infinity", "-Infinity"] | None


class BadTrace(PlyscopeError):
    """A search trace that cannot be read. The message names the line."""


class TraceHeader(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a trace."""

    plyscope_trace: int  # the version
    game: str = "a recorded search"
    program: str = ""
    depth: int | None = None  # the depth limit of the search in plies
    viewpoint: Literal["max", "side"] = "max"  # "side": values and windows are those of the side to move (negamax)


class TraceCall(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One call of the search. Calls are numbered in the order in which they begin; their lines can have any order."""

    id: int
    side: Literal["max", "min"]
    parent: int | None = None  # the id of the calling call; None at the root
    move: str | int | None = None  # that led here
    depth: int | None = None  # as the program counts it, up or down
    alpha: Number = None  # the window at the beginning of the call
    beta: Number = None
    value: Number = None
    status: Literal["terminal", "horizon", "exhausted", "cutoff", "open"] | None = None
    state: str = ""  # the position as text
    skipped: tuple[str | int, ...] = ()  # moves that a cutoff left untried


class ParsedTrace(NamedTuple):
    """The lines of a trace."""

    header: TraceHeader
    calls: list[TraceCall]
    lines: list[int] | range  # the line number of each call


def read_trace_file(path: str | os.PathLike[str]) -> ParsedTrace:
    """Read a trace file."""
    try:
        if (size := os.stat(path).st_size) > MAX_TRACE_BYTES:
            raise BadTrace(f"{Path(path).name!r} has {size / 1e9:.1f} GB: the limit is {MAX_TRACE_BYTES / 1e9:.1f} GB")
        return parse_trace(Path(path).read_bytes())
    except OSError as error:
        raise BadTrace(f"{str(path)!r} cannot be read: {error.strerror or error}") from None


def parse_trace(data: bytes) -> ParsedTrace:
    """Parse the text of a trace. Raise BadTrace with the numbers of the damaged lines."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    first, _, rest = data.partition(b"\n")
    header = _parse_header(first)
    if (count := rest.count(b"\n") + 1) > MAX_TRACE_CALLS + 1:
        raise BadTrace(f"the trace has more than {MAX_TRACE_CALLS:,} calls: about {count:,} lines")
    try:
        calls = msgspec.json.Decoder(TraceCall).decode_lines(rest)
        lines: list[int] | range = range(2, 2 + len(calls))
        if len(calls) != rest.count(b"\n") + (not rest.endswith(b"\n")):  # some lines are empty
            raise msgspec.DecodeError
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        calls, lines = _parse_line_by_line(rest)
    if not calls:
        raise BadTrace("the trace has no calls: every line after the header is one call")
    return ParsedTrace(header, calls, lines)


def _parse_header(line: bytes) -> TraceHeader:
    try:
        header = msgspec.json.decode(line, type=TraceHeader)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadTrace(f'line 1 is not the header of a trace, such as {{"plyscope_trace": 1}}: {error}') from None
    if header.plyscope_trace != TRACE_VERSION:
        raise BadTrace(f"line 1: the trace has version {header.plyscope_trace}, but this program reads version {TRACE_VERSION}")
    if max(len(header.game), len(header.program)) > MAX_NAME_CHARS:
        raise BadTrace(f"line 1: a name has more than {MAX_NAME_CHARS} characters")
    return header


def _parse_line_by_line(rest: bytes) -> tuple[list[TraceCall], list[int]]:
    """Parse each line alone, so that damaged lines can be named. Empty lines are left out."""
    decoder = msgspec.json.Decoder(TraceCall)
    calls, lines, damaged = [], [], []
    for number, line in enumerate(rest.split(b"\n"), start=2):
        if not line.strip():
            continue
        try:
            calls.append(decoder.decode(line))
            lines.append(number)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            damaged.append((number, _explain_damage(str(error))))
    if damaged:
        shown = "; ".join(f"line {number}: {error}" for number, error in damaged[:MAX_NAMED_LINES])
        more = f"; and {len(damaged) - MAX_NAMED_LINES:,} more lines" if len(damaged) > MAX_NAMED_LINES else ""
        raise BadTrace(f"the trace is damaged: {shown}{more}")
    return calls, lines


def _explain_damage(error: str) -> str:
    """Add the allowed words to the message about a word that is not allowed.

    >>> _explain_damage("Invalid enum value 'MAX' - at `$.side`")
    "Invalid enum value 'MAX' - at `$.side` (possible: max, min)"
    """
    field = next((name for name in WORDS if error.endswith(f"`$.{name}`") and "enum value" in error), None)
    return error if field is None else f"{error} (possible: {', '.join(WORDS[field])})"
