"""The messages to and from the two processes of a check: plain data, read by msgspec.

The worker runs the student's program and sends a report. The judge, which has no code of the program in it, makes the
answer of it.
"""

import zlib
from typing import Any, NamedTuple

import msgspec

from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_recorder import MAX_ROWS
from engine.checker.recording.observations import Observation
from engine.checker.recording.record_transfer import PackedRecord
from engine.checker.recording.wire_format import CompressedCalls
from engine.checker.sandbox.resource_limits import DEFAULT_MEMORY_BYTES, DEFAULT_SECONDS
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.checker.verdict import Finding

SIGNATURE, SIGNATURE_BYTES = "sha256", 32  # of a message of the worker: an HMAC before its content
CONTRADICTION = "the report on the program contradicts itself: the program has changed its checker, or memory ran out"
TOO_LARGE = "the boards of its search are too large to be judged: start at a smaller board, or search less deep"
MAX_ANSWER_BYTES = 32 << 20  # of what a process sends
MAX_REPORT_BYTES = 512 << 20  # of a report that is not compressed


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


class RepairedName(NamedTuple):
    """A name that the file of the search forgot to import, with the error it caused."""

    name: str
    sentence: str
    line: int
    proof: str
    file: str  # that defines it


class SearchReport(msgspec.Struct, forbid_unknown_fields=True):
    """The recorded search as the worker sends it to the judge, with what the judge needs to see of the program."""

    record: PackedRecord
    started: str  # the call that was run
    tried: list[str]
    result: str
    seconds: float
    stop_cause: StopCause | None = None  # if the run ended early
    stop_detail: str = ""
    error_line: int = 0  # the last line of the search's file that was running
    error_proof: str = ""  # why the error is the program's own
    left_behind: bool = False  # the program could not be stopped, so no calls were made again
    score_observations: list[Observation] = []
    is_score_unsure: bool = False  # there was no time to choose the place of the score
    observations: list[Observation] = []
    judge_end: str = ""  # why there are no more of them, if there was no time or memory for more
    outcome: list[str] = []  # of the judge there: what it found, and what it could not check
    repaired: list[RepairedName] = []
    prints: str = ""
    notes: list[str] = []
    pretended: list[str] = []

    @property
    def stopped_run(self) -> StoppedRun | None:
        """Return why the run ended early, or None."""
        return None if self.stop_cause is None else StoppedRun(self.stop_cause, self.stop_detail)


class WorkerMessage(msgspec.Struct, forbid_unknown_fields=True):
    """The message of the worker: a report, or the reason why there is none."""

    failure: "Answer | None" = None
    report: bytes = b""  # compressed


def encode_message(sent: "SearchReport | Answer") -> bytes:
    """Encode what the worker sends. Lone surrogates in the output of a program are replaced."""
    if isinstance(sent, Answer):
        return msgspec.msgpack.encode(WorkerMessage(failure=msgspec.convert(_without_surrogates(sent), Answer)))
    try:
        content = msgspec.msgpack.encode(sent)
    except UnicodeError:
        content = msgspec.msgpack.encode(msgspec.convert(_without_surrogates(sent), SearchReport))
    message = msgspec.msgpack.encode(WorkerMessage(report=zlib.compress(content, 1)))
    is_too_large = max(len(content) - MAX_REPORT_BYTES, len(message) + SIGNATURE_BYTES - MAX_ANSWER_BYTES) > 0
    return encode_message(Answer(failed=TOO_LARGE)) if is_too_large else message


def _without_surrogates(sent: Any) -> Any:
    return _replace_surrogates(msgspec.to_builtins(sent))


def _replace_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(one) for key, one in value.items()}
    return [_replace_surrogates(one) for one in value] if isinstance(value, (list, tuple)) else value


def decompress_report(content: bytes) -> SearchReport:
    """Return a report. Raise DecodeError if it is damaged, or too large."""
    machine = zlib.decompressobj()
    try:
        whole = machine.decompress(content, MAX_REPORT_BYTES)
    except zlib.error:
        raise msgspec.DecodeError("the report is damaged") from None
    if not machine.eof:
        raise msgspec.DecodeError("the report is too large")
    return msgspec.msgpack.decode(whole, type=SearchReport)


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
