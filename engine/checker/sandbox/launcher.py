"""Run a student's program in a worker process with limits, and judge it in another one. No code of the program runs here.

The worker leads its own session, so that its signals reach no other process. It is always ended, with all processes that
it has started. Everything that it sends is bounded and checked. It sends the record and what the judge has to see of the
program; the judge's process makes the verdict of them, where the program cannot reach it.
"""

import hmac
import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from engine.checker.recording.wire_format import BadRun, decompress_columns
from engine.checker.sandbox.kernel_barrier import MAX_THREADS
from engine.checker.sandbox.program_files import read_project_files, to_utf8_name
from engine.checker.sandbox.resource_limits import MAX_FILE_BYTES
from engine.checker.sandbox.worker_protocol import (
    MAX_ANSWER_BYTES,
    SIGNATURE,
    SIGNATURE_BYTES,
    Answer,
    CheckRequest,
    WorkerMessage,
)
from engine.core.guarded_folder import is_folder_too_large, open_guarded_folder

GRACE_SECONDS = 20.0  # beyond a short limit: for loading, judging and answering
USUAL_SECONDS = 60.0  # a short limit may be exceeded up to here, a longer one is kept
ANSWER_SECONDS = 2.5  # for the command to write the verdict, after the process has ended
INHERITED_VARIABLES = ("PATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
MAX_ERROR_BYTES = 64 << 10
MAX_FOLDER_BYTES = 4 * MAX_FILE_BYTES
MAX_FOLDER_FILES = 5_000
MAX_JUDGE_SECONDS = 7.0  # for the judge, after the program has ended
JUDGE_SPARE_SECONDS = 2.0  # for its answer
WORKER, JUDGE = "engine.checker.sandbox.worker_main", "engine.checker.sandbox.judge_main"
FOLDER_PREFIX = "plyscope-"
POLL_SECONDS = 0.25  # between two checks of the clock and the folder
MAX_EXIT_SECONDS = 5.0  # until the process has ended after its answer
CHUNK_BYTES = 1 << 20
KEY_BYTES = 32
CANCELLED = "the run was cancelled"
PROGRAM_TOO_LONG = "the program was stopped after {:.0f} seconds; it could not be interrupted earlier"
JUDGE_TOO_LONG = "no time was left to judge the program after {:.0f} seconds: try again when the computer is less busy"
INVALID_ANSWER = "the process of the program sent no valid answer: the program ended it, or wrote into its pipe"
WATCHDOG_PREFIX = b"Timeout ("  # the beginning of a traceback of faulthandler


def attach_files(request: CheckRequest) -> CheckRequest:
    """Return the request with the files of the program in it. Other programs cannot change them any more."""
    target, files = read_project_files(Path(request.file))
    return msgspec.structs.replace(request, files=files, target=target)


def run_worker(request: CheckRequest, is_cancelled: Callable[[], bool] | None = None) -> Answer:
    """Run the program in a worker and return its answer. An answer that failed says why."""
    began = time.monotonic() if request.given_at is None else request.given_at
    request = msgspec.structs.replace(request if request.files else attach_files(request), given_at=began)
    with open_guarded_folder(FOLDER_PREFIX) as folder, _running_process(JUDGE, folder) as judge:
        _send_request(judge, request)  # it parses the program while the worker runs it
        message = _run_program(request, began, is_cancelled or (lambda: False))
        if message.failure is not None:
            return msgspec.structs.replace(message.failure, rows=None, findings=[])
        return _ask_judge(judge, folder, request, message.report, is_cancelled or (lambda: False))


def _run_program(request: CheckRequest, began: float, is_cancelled: Callable[[], bool]) -> WorkerMessage:
    """Run the program in a worker and return its message."""
    key = secrets.token_bytes(KEY_BYTES)
    with open_guarded_folder(FOLDER_PREFIX) as folder, _running_process(WORKER, folder) as process:
        message, errors = _PipeReader(process.stdout, MAX_ANSWER_BYTES), _PipeReader(process.stderr, MAX_ERROR_BYTES)
        _send_request(process, msgspec.structs.replace(request, key=key.hex()))
        max_threads = MAX_THREADS if request.isolated else None
        limits = RunLimits(began, max_program_seconds(request), folder, is_cancelled, max_threads)
        stopped = _wait_for_answer(process, message, errors, limits)
        if not stopped:
            with suppress(subprocess.TimeoutExpired):
                process.wait(MAX_EXIT_SECONDS)
                errors.join(MAX_EXIT_SECONDS)
    if not stopped and process.returncode:
        seconds = time.monotonic() - began
        stopped = _describe_exit(process.returncode, bytes(errors.content), seconds, Path(request.file).name)
    return WorkerMessage(failure=Answer(failed=stopped)) if stopped else decode_message(bytes(message.content), key)


def _ask_judge(
    judge: "subprocess.Popen[bytes]", folder: str, request: CheckRequest, report: bytes, is_cancelled: Callable[[], bool]
) -> Answer:
    """Send a report to the judge and return its answer."""
    assert judge.stdin is not None  # noqa: S101 - a pipe
    assert request.given_at is not None  # noqa: S101 - set by run_worker
    answer, errors = _PipeReader(judge.stdout, MAX_ANSWER_BYTES), _PipeReader(judge.stderr, MAX_ERROR_BYTES)
    threading.Thread(target=_write_report, args=(judge.stdin, report), daemon=True).start()  # a stopped judge reads nothing
    limits = RunLimits(request.given_at, max_worker_seconds(request), folder, is_cancelled, too_long=JUDGE_TOO_LONG)
    stopped = _wait_for_answer(judge, answer, errors, limits)
    if not stopped:
        with suppress(subprocess.TimeoutExpired):
            judge.wait(MAX_EXIT_SECONDS)
            errors.join(MAX_EXIT_SECONDS)
    if not stopped and judge.returncode:
        last = errors.content.decode(errors="replace").strip().splitlines()
        stopped = f"Plyscope could not judge this program (please report): {last[-1][:200] if last else judge.returncode}"
    return Answer(failed=stopped) if stopped else decode_answer(bytes(answer.content))


def _write_report(pipe: IO[bytes], report: bytes) -> None:
    with suppress(OSError, ValueError), pipe:  # a judge that has died: its exit code tells why
        pipe.write(report)


def max_program_seconds(request: CheckRequest) -> float:
    """Return the seconds from the command after which the program is ended. The rest is for the judge."""
    total = max_worker_seconds(request)
    return total - min(MAX_JUDGE_SECONDS, total / 4)


def max_worker_seconds(request: CheckRequest) -> float:
    """Return the seconds from the command after which all is ended, whatever it does."""
    return max(request.seconds, min(3 * request.seconds + GRACE_SECONDS, USUAL_SECONDS)) - ANSWER_SECONDS


# ---- the process


@contextmanager
def _running_process(module: str, folder: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process. At the end kill it, with all processes of its session."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(  # noqa: S603 - our own module, in our own Python
        [sys.executable, "-P", "-m", module, folder],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        cwd=folder,
        env=_build_environment(folder),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()


def _build_environment(folder: str) -> dict[str, str]:
    """Return the environment of the worker.

    It has only what Python needs, and the same hash seed and home in every run.
    """
    inherited = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    ours = str(Path(__file__).parents[3])
    return {
        **inherited,
        "PYTHONPATH": ours,
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONUTF8": "1",
        "HOME": folder,
        "TMPDIR": folder,
        "TEMP": folder,
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
    }


def _send_request(process: "subprocess.Popen[bytes]", request: CheckRequest) -> None:
    """Send the request as one line. The pipe stays open: when it closes, the worker knows that its parent is gone."""
    assert process.stdin is not None  # noqa: S101 - a pipe
    request = msgspec.structs.replace(request, file=to_utf8_name(str(Path(request.file).absolute())))
    with suppress(BrokenPipeError):  # it has died; its exit code tells why
        process.stdin.write(msgspec.json.encode(request) + b"\n")
        process.stdin.flush()


class _PipeReader(threading.Thread):
    """Reads a pipe to its end and keeps the beginning, so that no program can fill our memory."""

    def __init__(self, pipe: IO[bytes] | None, max_bytes: int):
        super().__init__(daemon=True)
        self.content = bytearray()
        self.received = 0  # bytes, those that are not kept included
        self._pipe, self._max_bytes = pipe, max_bytes
        self.start()

    def run(self) -> None:
        assert self._pipe is not None  # noqa: S101 - a pipe
        with self._pipe, suppress(OSError, ValueError):
            while chunk := os.read(self._pipe.fileno(), CHUNK_BYTES):
                room = self._max_bytes - len(self.content)
                self.content += chunk[:room]
                self.received += len(chunk)


class RunLimits(NamedTuple):
    """The limits of a run that this process watches."""

    began: float
    max_seconds: float
    folder: str
    is_cancelled: Callable[[], bool]
    max_threads: int | None = None  # None: any number
    too_long: str = PROGRAM_TOO_LONG  # a sentence, with the seconds to fill in


def _wait_for_answer(process: "subprocess.Popen[bytes]", answer: _PipeReader, errors: _PipeReader, limits: RunLimits) -> str:
    """Wait for the whole answer. Return why the process has to be stopped before, or ""."""
    while answer.is_alive() and max(answer.received, errors.received) <= MAX_ANSWER_BYTES:
        answer.join(POLL_SECONDS)
        if limits.is_cancelled():
            return CANCELLED
        if (seconds := time.monotonic() - limits.began) > limits.max_seconds:
            return limits.too_long.format(seconds)
        if is_folder_too_large(limits.folder, MAX_FOLDER_BYTES, MAX_FOLDER_FILES):
            return (
                f"the program was stopped because it writes more than {MAX_FOLDER_BYTES >> 20} MB or {MAX_FOLDER_FILES:,} files, "
                "or too many folders in each other"
            )
        if limits.max_threads is not None and _count_threads(process.pid) > limits.max_threads:
            return f"the program was stopped because it starts more than {limits.max_threads} threads"
        if process.poll() is not None:
            answer.join(POLL_SECONDS)  # another process may still hold the pipe
            break
    return (
        f"the program was stopped because it sends more than {MAX_ANSWER_BYTES >> 20} MB instead of an answer"
        if max(answer.received, errors.received) > MAX_ANSWER_BYTES
        else ""
    )


def _count_threads(pid: int) -> int:
    """Return the number of threads of a process, as Linux tells it, or 0 if it has ended."""
    with suppress(OSError), open(f"/proc/{pid}/status", "rb") as facts:
        found = re.search(rb"^Threads:\s+(\d+)", facts.read(), re.MULTILINE)
        return int(found[1]) if found else 0
    return 0


# ---- its answer


def decode_message(signed: bytes, key: bytes) -> WorkerMessage:
    """Decode and check the message of the worker. A program can write into the pipe as well: then it counts as a failure."""
    signature, content = signed[:SIGNATURE_BYTES], signed[SIGNATURE_BYTES:]
    if hmac.compare_digest(signature, hmac.digest(key, content, SIGNATURE)):
        with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            return msgspec.msgpack.decode(content, type=WorkerMessage)
    return WorkerMessage(failure=Answer(failed=INVALID_ANSWER))


def decode_answer(content: bytes) -> Answer:
    """Decode and check the answer of the judge, which has read what the program sent."""
    try:
        answer = msgspec.msgpack.decode(content, type=Answer)
        if answer.failed:
            return msgspec.structs.replace(answer, rows=None, findings=[])
        if _is_valid_answer(answer):
            return answer
    except (msgspec.DecodeError, UnicodeError, RecursionError, BadRun):
        pass
    return Answer(failed=INVALID_ANSWER)


def _is_valid_answer(answer: Answer) -> bool:
    """Return True if the rows and findings of an answer are consistent. Raise BadRun if the rows are damaged."""
    if answer.rows is None:
        return False
    decompress_columns(answer.rows)  # raises BadRun
    return all(-1 <= finding.row < answer.rows.count and finding.times >= 0 for finding in answer.findings)


def _describe_exit(code: int, errors: bytes, seconds: float, file: str) -> str:
    """Return a sentence: why the process ended without an answer."""
    if errors.startswith(WATCHDOG_PREFIX):
        line = re.search(rf'{re.escape(to_utf8_name(file))}", line (\d+)', errors.decode(errors="replace"))
        where = f" on line {line[1]}" if line else ""
        return f"the program was stopped after {seconds:.1f} seconds{where}; it could not be interrupted earlier"
    if code < 0:
        return f"signal {-code} ended the process of the program: it killed itself, its recursion was too deep, or memory ran out"
    last = errors.decode(errors="replace").strip().splitlines()
    places = [line for line in last if line.lstrip().startswith("File ")]
    if places and str(Path(__file__).parents[2]) in places[-1]:
        return f"Plyscope could not look at this program (please report): {last[-1][:200]}"
    return f"the process of the program ended with code {code}{f': {last[-1][:200]}' if last else ''}"
