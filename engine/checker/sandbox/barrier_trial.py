"""A trial of the kernel barrier: a program that tries to get out. A server that runs programs of a class starts with it."""

import tempfile
from pathlib import Path

from engine.checker.sandbox.kernel_barrier import BarrierMissing, list_missing_parts
from engine.checker.sandbox.launcher import run_worker
from engine.checker.sandbox.worker_protocol import CheckRequest

CANARY_NAME, TRIAL_FILE = "canary.txt", "trial.py"
TRIAL_SECONDS = 10.0
HELD = "the barrier holds"
TRIAL_PROGRAM = """
import ctypes, os
canary = {canary!r}.encode()
libc = ctypes.CDLL(None)
def try_to_escape():
    # in a function: statements of a script may be changed when it is loaded
    escaped = []
    if libc.open(canary, os.O_RDONLY) >= 0:
        escaped.append("read a file")
    if libc.open(canary + b"2", os.O_WRONLY | os.O_CREAT, 0o600) >= 0:
        escaped.append("wrote a file")
    if libc.socket(2, 1, 0) >= 0 or libc.socket(1, 2, 0) >= 0:
        escaped.append("opened a socket")
    if libc.kill(os.getppid(), 0) == 0:
        escaped.append("reached another process")
    child = libc.fork()
    if child == 0:
        libc._exit(0)
    if child > 0:
        escaped.append("started a process")
    return escaped
escaped = try_to_escape()
print("a program " + ", ".join(escaped) if escaped else {held!r})
def minimax(n, maximizing):
    if n <= 0:
        return -1 if maximizing else 1
    values = [minimax(n - take, not maximizing) for take in (1, 2)]
    return max(values) if maximizing else min(values)
minimax(3, True)
"""


def try_barrier() -> None:
    """Run a program that tries to get out. Raise BarrierMissing if it does, or if programs cannot be isolated at all."""
    if missing := list_missing_parts():
        raise BarrierMissing(f"programs cannot be isolated here: {'; '.join(missing)} is missing")
    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        canary = Path(folder, CANARY_NAME)
        canary.write_text("a secret")
        text = TRIAL_PROGRAM.format(canary=str(canary), held=HELD)
        request = CheckRequest(
            TRIAL_FILE, seconds=TRIAL_SECONDS, files={TRIAL_FILE: text.encode()}, target=TRIAL_FILE, isolated=True
        )
        answer = run_worker(request)
    if HELD not in answer.prints:
        why = answer.failed or answer.prints.strip()[:200] or "the trial program was not run"
        raise BarrierMissing(f"programs cannot be isolated here: {why}")
