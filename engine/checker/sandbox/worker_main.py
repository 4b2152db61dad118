"""The worker process: `python -m engine.checker.sandbox.worker_main FOLDER`.

It reads a CheckRequest from its input and writes a WorkerMessage to its output, whatever the program does.
"""

import hmac
import os
import sys
from pathlib import Path
from time import monotonic, perf_counter

import msgspec

from engine.checker.diagnosis.evidence import describe_own_crash
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.check_session import CheckSession
from engine.checker.sandbox.kernel_barrier import isolate_process
from engine.checker.sandbox.launcher import max_program_seconds
from engine.checker.sandbox.program_source import copy_program
from engine.checker.sandbox.worker_protocol import SIGNATURE, Answer, CheckRequest, encode_message
from engine.core.errors import PlyscopeError

MAX_CORES = 2  # that a program may use


def main() -> None:
    folder = Path(sys.argv[1])
    request = msgspec.json.decode(sys.stdin.buffer.readline(), type=CheckRequest)
    key, request = bytes.fromhex(request.key), msgspec.structs.replace(request, key="")  # only the frame of this function has it
    sign, encode, leave = hmac.digest, encode_message, resource_limits.EXIT_PROCESS  # a program may replace them
    lifeline, out, stderr = os.dup(0), os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(2), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.dont_write_bytecode = True
    began = perf_counter() - (0.0 if request.given_at is None else monotonic() - request.given_at)  # also on a busy machine
    try:
        root, path = copy_program(request, folder)
        os.chdir(root if path is None else path.parent) if request.files else None
        resource_limits.set_hard_limits(request.memory, MAX_CORES * max_program_seconds(request))
        if request.isolated:
            isolate_process(folder)  # before any thread starts
        else:
            resource_limits.die_with_parent()
        resource_limits.watch_lifeline(lifeline)
        resource_limits.confine_process(folder)
        message = CheckSession(request, root, path, stderr, began).report()
    except PlyscopeError as error:
        message = Answer(failed=str(error))
    except Exception as error:
        message = Answer(failed=f"the program: {describe_own_crash(error)}")
    content = encode(message)
    out.write(sign(key, content, SIGNATURE) + content)
    out.close()
    leave(0)  # also ends threads of the program


if __name__ == "__main__":
    main()
