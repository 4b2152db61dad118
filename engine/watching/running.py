"""Watching a student's program in a process of its own, with limits; nothing of it runs here."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from engine.watching.messages import Answer, WatchWish

GRACE = 20.0  # seconds beyond its own limit, for loading, judging and telling
KEPT_OF_OURS = ("PATH", "LANG", "SYSTEMROOT", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
LARGEST_ANSWER = 256 << 20  # bytes


def run(wish: WatchWish) -> Answer:
    """What was seen of the program; an answer that failed says why."""
    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        command = [sys.executable, "-P", "-m", "engine.watching.child", folder]
        try:
            done = subprocess.run(  # noqa: S603 - our own module, in our own Python
                command,
                input=msgspec.json.encode(msgspec.structs.replace(wish, file=str(Path(wish.file).resolve()))),
                capture_output=True,
                cwd=folder,
                env=_environment(folder),
                timeout=longest(wish),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Answer(failed=f"it was stopped after {wish.seconds:g} seconds; it could not be interrupted before")
    if done.returncode or not 0 < len(done.stdout) <= LARGEST_ANSWER:
        return Answer(failed=_why_it_died(done.returncode, done.stderr))
    return msgspec.msgpack.decode(done.stdout, type=Answer)


def longest(wish: WatchWish) -> float:
    """Seconds after which the process is ended."""
    return 3 * wish.seconds + GRACE


def _environment(folder: str) -> dict[str, str]:
    """Nothing of ours but what Python needs; the same order of sets and the same home in every run."""
    kept = {name: os.environ[name] for name in KEPT_OF_OURS if name in os.environ}
    ours = str(Path(__file__).parents[2])
    return {
        **kept,
        "PYTHONPATH": ours,
        "PYTHONHASHSEED": "0",
        "PYTHONIOENCODING": "utf-8",
        "HOME": folder,
        "TMPDIR": folder,
        "TEMP": folder,
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "Agg",
    }


def _why_it_died(code: int, said: bytes) -> str:
    if code < 0:
        return f"signal {-code} ended its process: by the program itself, by a recursion too deep, or for want of memory"
    last = said.decode(errors="replace").strip().splitlines()
    return f"its process ended with code {code}{f': {last[-1][:200]}' if last else ''}"
