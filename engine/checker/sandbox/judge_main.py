"""The judge's process: `python -m engine.checker.sandbox.judge_main FOLDER`.

It reads a CheckRequest, a line, and then the worker's report from its input, and writes an Answer to its output. No code of
the program runs here: the program is parsed again from the files as they were before it ran.
"""

import sys
from pathlib import Path
from time import monotonic
from typing import BinaryIO

import msgspec

from engine.checker.diagnosis.evidence import describe_own_crash
from engine.checker.judging import judge_report
from engine.checker.recording.observations import OtherObservation
from engine.checker.recording.plain_values import BadValue
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.kernel_barrier import isolate_process
from engine.checker.sandbox.launcher import JUDGE_SPARE_SECONDS, max_worker_seconds
from engine.checker.sandbox.program_source import ProgramSource, copy_program
from engine.checker.sandbox.worker_protocol import CONTRADICTION, Answer, CheckRequest, decompress_report
from engine.core.errors import PlyscopeError

MAX_MEMORY_BYTES = 1 << 30


def main() -> None:
    folder, stream = Path(sys.argv[1]), sys.stdin.buffer
    request = msgspec.json.decode(stream.readline(), type=CheckRequest)
    try:
        root, path = copy_program(request, folder)
        resource_limits.set_hard_limits(MAX_MEMORY_BYTES, max_worker_seconds(request))
        sys.setrecursionlimit(resource_limits.MAX_FRAMES)  # what the worker could judge is not too deep here
        if request.isolated:
            isolate_process(folder)
        else:
            resource_limits.die_with_parent()
        answer = _judge(request, ProgramSource(request, root, path), stream)
    except PlyscopeError as error:
        answer = Answer(failed=str(error))
    except Exception as error:
        answer = Answer(failed=f"the program: {describe_own_crash(error)}")
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


def _judge(request: CheckRequest, source: ProgramSource, stream: BinaryIO) -> Answer:
    began = monotonic() if request.given_at is None else request.given_at
    until = began + max_worker_seconds(request) - JUDGE_SPARE_SECONDS
    try:
        report = decompress_report(stream.read())
        return judge_report(request, source, report, monotonic() - began, until)
    except (OtherObservation, BadValue, msgspec.DecodeError) as error:
        return Answer(failed=f"{CONTRADICTION} ({error})")


if __name__ == "__main__":
    main()
