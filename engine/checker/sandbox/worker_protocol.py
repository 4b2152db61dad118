"""What the process that runs a student's program is asked, and what it answers: plain data, read by msgspec."""

import msgspec

from engine.checker.recording.argument_roles import Roles
from engine.checker.recording.call_recorder import MOST_ROWS
from engine.checker.recording.wire_format import SeenRows
from engine.checker.sandbox.resource_limits import MEMORY, SECONDS
from engine.checker.verdict import Finding


class WatchWish(msgspec.Struct, forbid_unknown_fields=True):
    """What is to be watched, and how."""

    file: str
    function: str | None = None
    call: str | None = None
    roles: dict[str, str] = {}  # corrected by the user: role to argument
    seconds: float = SECONDS
    memory: int = MEMORY
    most_rows: int = MOST_ROWS
    files: dict[str, bytes] = {}  # the program and what lies beside it, read before anything runs


class Source(msgspec.Struct, forbid_unknown_fields=True):
    """A function of the search, as it is written."""

    name: str
    first_line: int
    lines: list[str]


class RootCall(msgspec.Struct, forbid_unknown_fields=True):
    """A function with a loop of its own over the first moves: the calls that it made, and the position that it was given."""

    name: str
    first: int  # row of the first call
    end: int
    board: str
    result: str


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """What was seen. Where `failed` says why nothing was, the rest is empty."""

    failed: str = ""
    functions: list[str] = []
    sources: list[Source] = []
    roles: dict[str, Roles] = {}
    score: str = ""
    one_score: bool = False  # all positions that were evaluated have the same
    negamax: bool = False
    started: str = ""  # the call that was run
    tried: list[str] = []  # and those before it, with what became of them
    stopped: str = ""  # why the run ended early
    result: str = ""  # of the outermost call
    root: RootCall | None = None
    seconds: float = 0.0
    prints: str = ""
    notes: list[str] = []
    pretended: list[str] = []  # packages that are only stubs
    rows: SeenRows | None = None
    variants: list[str] = []
    findings: list[Finding] = []
    looked_at: list[str] = []
    not_looked_at: list[str] = []
