"""Processes that tests start and interrupt: Ctrl-C works in them wherever the suite runs, and none of them stays behind."""

import ctypes
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from contextlib import contextmanager, suppress

import psutil

PATIENCE = 300  # seconds for anything awaited: many times what a machine with a load of 20 needs
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1  # of linux/prctl.h
INTERRUPTED = (130, -signal.SIGINT)  # exit codes: told, and too early for Python to say anything


# ---- Ctrl-C


@contextmanager
def ctrl_c_works():
    """Ctrl-C interrupts this process and those it starts, even if a parent ignores it: nohup, a shell's `&`, a CI runner."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class CtrlC:
    """Ctrl-C in this very process. It comes from another thread, so in the middle of what is done next."""

    def __init__(self):
        self.pressed = threading.Event()
        self._presser = threading.Thread(target=self._press)

    def press_or_wait(self):
        """The first time it is pressed; after that nobody goes on before it has come."""
        if self._presser.ident is None:
            self._presser.start()
        else:
            self.pressed.wait(PATIENCE)
            time.sleep(PATIENCE)  # here it comes

    def _press(self):
        time.sleep(0.005)
        self.pressed.set()
        os.kill(os.getpid(), signal.SIGINT)

    def end(self):
        """One that nobody has answered does not reach the next test."""
        with suppress(KeyboardInterrupt):
            if self._presser.ident is not None:
                self._presser.join()
            time.sleep(0.001)


# ---- children


@contextmanager
def started(command, **options):
    """A process in a group of its own, in which Ctrl-C works; at the end the whole group is gone, whatever happened."""
    also = options.pop("preexec_fn", None)

    def prepare():
        end_with_the_parent()
        if also:
            also()

    with ctrl_c_works():
        process = subprocess.Popen(command, start_new_session=True, preexec_fn=prepare, **options)  # noqa: PLW1509 - calls C only
    try:
        yield process
    finally:
        end(process)


def end_with_the_parent():
    """Done in the child: if the tests are killed, nobody else ends it."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run(command, input=None, text=True, **options):
    """What a command wrote and its exit code, after a limited time and with nothing left behind."""
    stdin = subprocess.DEVNULL if input is None else subprocess.PIPE
    options = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with started(command, text=text, **options) as process:
        out, err = process.communicate(input, timeout=PATIENCE)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def run_command(*arguments, input=None, cwd=None):
    """The command `plyscope` in a process of its own that has imported everything already: what it wrote and its exit code.

    The same as `run([sys.executable, "-m", "visualizer.cli.main", ...])` without the second that importing takes;
    only for commands that start no processes themselves.
    """
    from visualizer.cli.main import main  # here, so that it is there when the process begins

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as typed:
        typed.write((input or "").encode())
        typed.seek(0)
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            _be_plyscope(main, arguments, typed, out, err, cwd)
        code = _exit_code(child)
        written = []
        for file in (out, err):
            file.seek(0)
            written.append(file.read().decode())
    return subprocess.CompletedProcess(["plyscope", *arguments], code, *written)


def _be_plyscope(main, arguments, typed, out, err, cwd):
    """Done in the child, which never returns."""
    code = 1
    try:
        os.setsid()
        end_with_the_parent()
        os.chdir(cwd or ".")
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for place, file in enumerate((typed, out, err)):
            os.dup2(file.fileno(), place)
        sys.stdin, sys.stdout, sys.stderr = map(_stream, range(3), "rww")
        sys.argv = ["plyscope", *arguments]
        main()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _stream(place, mode):
    return open(place, mode, encoding="utf-8", closefd=False)


def _exit_code(child):
    until = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
    raise subprocess.TimeoutExpired("plyscope", PATIENCE)


def press_ctrl_c_here():
    """Once, in this process, which is in the middle of something."""
    os.kill(os.getpid(), signal.SIGINT)


def press_ctrl_c(process):
    """As a terminal does it: all processes of the group are told."""
    os.killpg(process.pid, signal.SIGINT)


def end(process):
    """Ask a process to go, and kill what is left of the group that it leads."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def seconds_worked(process):
    """Of a core, not of a clock: on a busy machine a process works more slowly."""
    worked = psutil.Process(process.pid).cpu_times()
    return worked.user + worked.system


def wait_until(true, what):
    """Look again and again until it is true."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, f"{what}: not within {PATIENCE} s. Meanwhile:\n{what_threads_do()}"
        time.sleep(0.02)


def what_threads_do():
    """Where each thread of this process is."""
    frames = sys._current_frames()
    stacks = {thread: frames[thread.ident] for thread in threading.enumerate() if thread.ident in frames}
    return "\n".join(f"{thread.name}:\n{''.join(traceback.format_stack(frame)[-8:])}" for thread, frame in stacks.items())


# ---- terminals


@contextmanager
def at_a_terminal(command, **options):
    """A command at a terminal of its own, 100 columns wide."""
    import pty

    outer, inner = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    options = {"stdin": inner, "stdout": inner, "stderr": inner, "env": environment, **options}
    try:
        with started(command, preexec_fn=lambda: take_terminal(inner), **options) as process:
            os.close(inner)
            yield Terminal(process, outer)
    finally:
        os.close(outer)


def take_terminal(inner):
    """Done in the child: without this a Ctrl-C typed there would reach nobody."""
    import fcntl
    import termios

    fcntl.ioctl(inner, termios.TIOCSCTTY, 0)


class Terminal:
    """What a person at it does: look and type."""

    def __init__(self, process, fd):
        self.process, self.fd = process, fd
        self.shown, self.seen = "", 0

    def wait_for(self, words):
        """What was shown until the words were; the next wait begins after them."""
        until = time.monotonic() + PATIENCE
        while words not in self.shown[self.seen :]:
            assert time.monotonic() < until, f"{words!r} did not come: {self.shown[self.seen :]!r}"
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.fd, 65536).decode()
                except OSError:  # the other end is closed
                    until = 0
        start, self.seen = self.seen, self.shown.index(words, self.seen) + len(words)
        return self.shown[start : self.seen]

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        """The exit code."""
        return self.process.wait(PATIENCE)
