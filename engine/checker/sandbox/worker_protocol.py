"""The messages to and from the worker process that runs a student's program: plain data, read by msgspec."""

import msgspec

from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_recorder import MAX_ROWS
from engine.checker.recording.wire_format import CompressedCalls
from engine.checker.sandbox.resource_limits import DEFAULT_MEMORY_BYTES, DEFAULT_SECONDS
from engine.checker.verdict import Finding


class CheckRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A program to check, with its options."""

    file: str
    function: str | None = None
    call: str | None = None
    roles: dict[str, str] = {}  # corrected by the user: role to argument
    seconds: float = DEFAULT_SECONDS
    memory: int = DEFAULT_MEMORY_BYTES
    most_rows: int = MAX_ROWS
    files: dict[str, bytes] = {}  # the program and what lies beside it, read before anything runs


class FunctionSource(msgspec.Struct, forbid_unknown_fields=True):
    """The source of a function of the search."""

    name: str
    first_line: int
    lines: list[str]


class RootCall(msgspec.Struct, forbid_unknown_fields=True):
    """A function with its own loop over the root's moves: the calls that it made, and the position that it was given."""

    name: str
    first: int  # row of the first call
    end: int
    board: str
    result: str


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """The recorded search. If `failed` says why nothing was recorded, the rest is empty."""

    failed: str = ""
    functions: list[str] = []
    sources: list[FunctionSource] = []
    roles: dict[str, ArgumentRoles] = {}
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
    rows: CompressedCalls | None = None
    variants: list[str] = []
    findings: list[Finding] = []
    looked_at: list[str] = []
    not_looked_at: list[str] = []
