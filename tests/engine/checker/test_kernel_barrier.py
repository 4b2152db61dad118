"""Nothing gets out of the kernel barrier: no file, no packet, no signal, no process. Each attempt ends in a sentence."""

import contextlib
import os
import re
import signal
import socket
import struct
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

import engine
from engine.checker.sandbox import barrier_trial, kernel_barrier, syscall_filter
from engine.checker.sandbox.barrier_trial import try_barrier
from engine.checker.sandbox.kernel_barrier import BarrierMissing, list_missing_parts
from engine.checker.sandbox.launcher import run_worker
from engine.checker.sandbox.worker_protocol import CheckRequest
from tests.support import escapes, processes
from tests.support.escapes import write_attempts, write_search
from tests.test_architecture import ROOT

NOTHING_GIVEN = {"secret": "", "outside": "", "parent": 0}
SECRET_TEXT = "the canary is yellow"
if list_missing_parts():
    pytest.skip(f"no kernel barrier here: {list_missing_parts()}", allow_module_level=True)


class Surroundings:
    """Files that nobody may read or change, and sockets that nobody may reach."""

    def __init__(self, folder):
        self.home, self.outside, self.neighbour = folder / "home", folder / "outside", folder / "plyscope-other"
        for path in (self.home / ".ssh", self.outside, self.neighbour):
            path.mkdir(parents=True)
        self.secrets = [self.home / ".ssh" / "id_rsa", self.outside / "secret.txt", self.neighbour / "program.py"]
        for path in self.secrets:
            path.write_text(SECRET_TEXT)
        self.reached, self.signals = [], []
        self.sockets = {
            "tcp": self.listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "tcp6": self.listen(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)),
            "udp": self.listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "unix": self.listen(socket.AF_UNIX, socket.SOCK_STREAM, str(folder / "socket")),
            "abstract": self.listen(socket.AF_UNIX, socket.SOCK_STREAM, f"\0plyscope-{os.getpid()}"),
        }
        self.before = self.fingerprint()

    def listen(self, family, kind, address):
        """Open a socket and note everything that reaches it."""
        one = socket.socket(family, kind)
        try:
            one.bind(address)
        except OSError:  # no IPv6 here
            return one
        if kind == socket.SOCK_STREAM:
            one.listen()
        threading.Thread(target=self.wait, args=(one, kind), daemon=True).start()
        return one

    def wait(self, one, kind):
        with contextlib.suppress(OSError):
            self.reached.append(one.accept() if kind == socket.SOCK_STREAM else one.recvfrom(10))

    def fingerprint(self):
        folders = [self.home, self.outside, self.neighbour]
        return {
            path: (path.lstat().st_mode, path.lstat().st_uid, path.lstat().st_mtime_ns, path.is_file() and path.read_text())
            for folder in folders
            for path in sorted(folder.rglob("*"))
        }

    def describe(self):
        """Return what the programs are told."""
        port, port6, port_udp = (self.sockets[name].getsockname()[1] for name in ("tcp", "tcp6", "udp"))
        loopback = socket.inet_aton("127.0.0.1")
        path = self.sockets["unix"].getsockname().encode()
        return {
            "secret": str(self.secrets[1]),
            "outside": str(self.outside),
            "home": str(self.home),
            "neighbour": str(self.secrets[2]),
            "engine": str(Path(engine.__file__).parent),
            "parent": os.getpid(),
            "port": port,
            "tcp": struct.pack("=H", 2) + struct.pack("!H4s8x", port, loopback),
            "tcp6": struct.pack("=H", 10) + struct.pack("!HI16sI", port6, 0, socket.inet_pton(socket.AF_INET6, "::1"), 0),
            "udp": struct.pack("=H", 2) + struct.pack("!H4s8x", port_udp, loopback),
            "unix": struct.pack("=H", 1) + path + b"\0",
            "abstract": struct.pack("=H", 1) + f"\0plyscope-{os.getpid()}".encode(),
        }


@pytest.fixture
def surroundings(tmp_path):
    built = Surroundings(tmp_path)
    yield built
    for one in built.sockets.values():
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()


def run_isolated(text, seconds=20.0, isolated=True, **options):
    files = {"student.py": text.encode()}
    return run_worker(CheckRequest("student.py", seconds=seconds, files=files, target="student.py", isolated=isolated, **options))


def assert_nothing_got_out(surroundings, answer):
    assert SECRET_TEXT not in repr(answer)
    assert surroundings.fingerprint() == surroundings.before
    assert surroundings.reached == []
    assert not list(Path("/dev/shm").glob("*plyscope_canary*"))
    assert not list(Path(os.__file__).parent.glob("plyscope_canary*"))
    assert not list(Path(engine.__file__).parent.glob("plyscope_canary*"))


@pytest.mark.parametrize("group", ["FILES", "SOCKETS", "PROCESSES", "KERNEL"])
def test_every_attempt_is_refused_and_has_no_effect(surroundings, group):
    attempts = getattr(escapes, group)
    got_signals = []
    before = signal.signal(signal.SIGIO, lambda *_: got_signals.append(1))
    try:
        answer = run_isolated(write_attempts(attempts, surroundings.describe()))
    finally:
        signal.signal(signal.SIGIO, before)
    assert (answer.failed, answer.stopped) == ("", "")  # the search after the attempts is recorded and judged
    assert answer.rows is not None
    assert answer.rows.count > 10
    outcomes = dict(re.findall(r"^\|(.*?)\|(.*?)\|$", answer.prints, re.MULTILINE))
    assert outcomes.keys() == attempts.keys()
    refused = (
        "PermissionError",
        "ForbiddenAction",
        "OSError: [Errno 38]",
        "OSError: [Errno 18]",
        "ValueError: not allowed to raise",
    )
    assert {name for name, words in outcomes.items() if not words.startswith(refused)} == escapes.WITHOUT_EFFECT & attempts.keys()
    assert_nothing_got_out(surroundings, answer)
    assert got_signals == []


@pytest.mark.parametrize("name", escapes.FINAL)
def test_a_program_that_goes_too_far_ends_in_a_sentence(surroundings, name, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    text, words = escapes.FINAL[name]
    seconds = {"sleeps": 0.3, "fills memory": 20.0}.get(name, 1.0)  # it is killed 3.5 seconds later
    answer = run_isolated(write_search(text, surroundings.describe()), seconds=seconds, memory=200 << 20)
    assert list(temporary.iterdir()) == []
    assert words in f"{answer.failed} {answer.stopped}", (answer.failed, answer.stopped)
    assert answer.failed or answer.stopped
    assert_nothing_got_out(surroundings, answer)


def test_without_the_barrier_c_code_reads_every_file(surroundings):
    answer = run_isolated(write_attempts({"reads": "read_c(SECRET)"}, surroundings.describe()), isolated=False)
    assert SECRET_TEXT in answer.prints


def test_usual_work_is_possible_behind_the_barrier():
    text = (
        "import decimal, json, random, sqlite3, ssl, tempfile, zoneinfo\nimport numpy as np\n"
        "def work():\n"
        "    with tempfile.TemporaryDirectory() as d: open(d + '/x', 'w').write('y')\n"
        "    import os, shutil; os.makedirs('a/b'); open('a/b/c', 'w').write('d')\n"
        "    os.replace('a/b/c', 'c'); shutil.copy('c', 'e')\n"
        "    return np.random.default_rng().random() < 1, np.linalg.norm([3, 4]), open('e').read(), zoneinfo.ZoneInfo('UTC')\n"
        "print('WORK', *work())\n"
    )
    answer = run_isolated(text + write_search("pass", NOTHING_GIVEN))
    assert "WORK True 5.0 d UTC" in answer.prints
    assert (answer.failed, answer.stopped, answer.findings) == ("", "", [])


# ---- it fails closed


def test_the_trial_of_a_server_finds_a_barrier_that_does_not_hold(monkeypatch):
    try_barrier()
    monkeypatch.setattr(barrier_trial, "run_worker", lambda request: run_worker(replace(request, isolated=False)))
    with pytest.raises(BarrierMissing, match="read a file, wrote a file, opened a socket, reached another process, started"):
        try_barrier()


REFUSING_PARENT = """
import ctypes, sys
from engine.checker.sandbox.launcher import run_worker
from engine.checker.sandbox.syscall_filter import *
from engine.checker.sandbox.worker_protocol import CheckRequest
refuse = [Instruction(JUMP_IF_EQUAL, 0, 1, int(sys.argv[1])), Instruction(RETURN, 0, 0, REFUSE | 1)]
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
load_filter([Instruction(LOAD_WORD, 0, 0, NUMBER_OFFSET), *refuse, Instruction(RETURN, 0, 0, ALLOW)])
files = {"student.py": sys.argv[2].encode()}
answer = run_worker(CheckRequest("student.py", seconds=5, files=files, target="student.py", isolated=True))
print(answer.failed, "|", answer.prints)
"""


@pytest.mark.parametrize(
    ("call", "words"),
    [(kernel_barrier.LANDLOCK_CREATE, "this kernel has none"), (kernel_barrier.LANDLOCK_RESTRICT, "Landlock cannot be used"),
     ("seccomp", "seccomp filters")],
)  # fmt: skip
def test_no_program_runs_if_the_kernel_refuses_a_part_of_the_barrier(call, words):
    index, _ = syscall_filter.ARCHITECTURES[kernel_barrier.platform.machine()]
    number = syscall_filter.SECCOMP[index] if call == "seccomp" else call
    arguments = [sys.executable, "-c", REFUSING_PARENT, str(number), write_search("print('RAN')", NOTHING_GIVEN)]
    done = processes.run(arguments, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stderr == ""
    assert words in done.stdout
    assert "RAN" not in done.stdout
