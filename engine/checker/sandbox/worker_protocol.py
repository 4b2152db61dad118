"""The messages to and from the worker process that runs a student's program: plain data, read by msgspec."""

import msgspec

from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_recorder import MAX_ROWS
from engine.checker.recording.wire_format import CompressedCalls
from engine.checker.sandbox.resource_limits import DEFAULT_MEMORY_BYTES, DEFAULT_SECONDS
from engine.checker.verdict import Finding

SIGNATURE, SIGNATURE_BYTES = "sha256", 32  # of an answer: an HMAC before its content


class CheckRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A program to check, with its options."""

    file: str
    function: str | None = None
    call: str | None = None
    roles: dict[str, str] = {}  # role -> argument, as corrected by the user
    seconds: float = DEFAULT_SECONDS
    memory: int = DEFAULT_MEMORY_BYTES
    max_rows: int = MAX_ROWS
    files: dict[str, bytes] = {}  # the files of the project by their path, read before anything runs
    target: str = ""  # the checked file among them; "" is the whole folder
    given_at: float | None = None  # time.monotonic() when the command was given; None: when its run begins
    isolated: bool = False  # behind the kernel barrier, or not at all
    key: str = ""  # hexadecimal: signs the answer, so that the program cannot write one itself


class FunctionSource(msgspec.Struct, forbid_unknown_fields=True):
    """The source of a function of the search."""

    name: str
    first_line: int
    lines: list[str]
    file: str = ""  # relative to the checked folder; "" is the checked file


class RootCall(msgspec.Struct, forbid_unknown_fields=True):
    """A function with its own loop over the root's moves: its calls and its position."""

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
    one_score: bool = False  # all evaluated positions have the same score
    negamax: bool = False
    started: str = ""  # the call that was run
    tried: list[str] = []  # the calls that did not work, with the reasons
    stopped: str = ""  # why the run ended early
    result: str = ""  # of the outermost call
    root: RootCall | None = None
    seconds: float = 0.0
    prints: str = ""
    notes: list[str] = []
    pretended: list[str] = []  # packages that were replaced by stubs
    place: str = ""  # the file and line of the search
    hint: str = ""  # if nothing was recorded: an expression for --call
    others: list[str] = []  # if nothing was recorded: other searches of the file
    rows: CompressedCalls | None = None
    variants: list[str] = []
    findings: list[Finding] = []
    calls: int = 0  # all judged calls, those from later positions too
    positions: int = 0  # that were searched
    looked_at: list[str] = []
    not_looked_at: list[str] = []
