"""The worker process: `python -m engine.checker.sandbox.worker_main FOLDER`.

It reads a CheckRequest from its input and writes an Answer to its output, whatever the program does.
"""

import hmac
import os
import sys
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import msgspec

from engine.checker.diagnosis.evidence import describe_own_crash
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.check_session import CheckSession
from engine.checker.sandbox.kernel_barrier import isolate_process
from engine.checker.sandbox.launcher import max_worker_seconds
from engine.checker.sandbox.worker_protocol import SIGNATURE, Answer, CheckRequest
from engine.core.errors import PlyscopeError

MAX_CORES = 2  # that a program may use


def main() -> None:
    folder = Path(sys.argv[1])
    request = msgspec.json.decode(sys.stdin.buffer.readline(), type=CheckRequest)
    key, request = bytes.fromhex(request.key), msgspec.structs.replace(request, key="")  # nothing that a program reaches has it
    sign, encode_answer, leave = hmac.digest, _encode_answer, resource_limits.EXIT_PROCESS  # a program may replace them
    lifeline, out, stderr = os.dup(0), os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(2), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.dont_write_bytecode = True
    began = perf_counter() - (0.0 if request.given_at is None else monotonic() - request.given_at)  # also on a busy machine
    root, path = _copy_program(request, folder)
    resource_limits.set_hard_limits(request.memory, MAX_CORES * max_worker_seconds(request))
    try:
        if request.isolated:
            isolate_process(folder)  # before any thread starts
        else:
            resource_limits.die_with_parent()
        resource_limits.watch_lifeline(lifeline)
        resource_limits.confine_process(folder)
        answer = CheckSession(request, root, path, stderr, began).answer()
    except PlyscopeError as error:
        answer = Answer(failed=str(error))
    except Exception as error:
        answer = Answer(failed=f"the program: {describe_own_crash(error)}")
    content = encode_answer(answer)
    out.write(sign(key, content, SIGNATURE) + content)
    out.close()
    leave(0)  # also ends threads of the program


def _copy_program(request: CheckRequest, folder: Path) -> tuple[Path, Path | None]:
    """Write the files of the project into its folder and go there. Return the root and the path of the checked file."""
    if not request.files:
        return Path(request.file).parent, Path(request.file)  # cannot be read: the parser reports why
    copy = folder / "program"
    for name, content in request.files.items():
        copy.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        copy.joinpath(name).write_bytes(content)
    path = copy / request.target if request.target else None
    os.chdir(copy if path is None else path.parent)
    return copy, path


def _encode_answer(answer: Answer) -> bytes:
    """Encode the answer for the pipe. Lone surrogates in the output of a program are replaced."""
    try:
        return msgspec.msgpack.encode(answer)
    except UnicodeError:
        return msgspec.msgpack.encode(msgspec.convert(_replace_surrogates(msgspec.to_builtins(answer)), Answer))


def _replace_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(one) for key, one in value.items()}
    return [_replace_surrogates(one) for one in value] if isinstance(value, (list, tuple)) else value


if __name__ == "__main__":
    main()
