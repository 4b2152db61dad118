"""Start, interrupt and end processes in tests. Ctrl-C works in them wherever the suite runs, and none is left behind."""

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

MAX_WAIT_SECONDS = 300  # for anything: many times what a machine with a load of 20 needs
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1  # of linux/prctl.h
INTERRUPTED = (130, -signal.SIGINT)  # exit codes: handled, and too early for Python to handle it


# ---- Ctrl-C


@contextmanager
def enable_ctrl_c():
    """Let Ctrl-C interrupt this process and its children, even if a parent ignores it (nohup, a shell's `&`, a CI runner)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class CtrlC:
    """Presses Ctrl-C in this process, from another thread, so that it arrives in the middle of other work."""

    def __init__(self):
        self.pressed = threading.Event()
        self._presser = threading.Thread(target=self._press)

    def press_or_wait(self):
        """Press Ctrl-C at the first call. At later calls wait for it to arrive."""
        if self._presser.ident is None:
            self._presser.start()
        else:
            self.pressed.wait(MAX_WAIT_SECONDS)
            time.sleep(MAX_WAIT_SECONDS)  # Ctrl-C arrives here

    def _press(self):
        time.sleep(0.005)
        self.pressed.set()
        os.kill(os.getpid(), signal.SIGINT)

    def end(self):
        """Make sure that an unhandled Ctrl-C does not reach the next test."""
        with suppress(KeyboardInterrupt):
            if self._presser.ident is not None:
                self._presser.join()
            time.sleep(0.001)


# ---- children


@contextmanager
def start_process(command, **options):
    """Start a process in its own group, in which Ctrl-C works. At the end kill the whole group."""
    also = options.pop("preexec_fn", None)

    def prepare():
        end_with_parent()
        if also:
            also()

    with enable_ctrl_c():
        process = subprocess.Popen(command, start_new_session=True, preexec_fn=prepare, **options)  # noqa: PLW1509 - calls C only
    try:
        yield process
    finally:
        end_process(process)


def end_with_parent():
    """In the child: end when the tests are killed."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def run(command, input=None, text=True, **options):
    """Run a command with a time limit. Return its output and its exit code."""
    stdin = subprocess.DEVNULL if input is None else subprocess.PIPE
    options = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with start_process(command, text=text, **options) as process:
        out, err = process.communicate(input, timeout=MAX_WAIT_SECONDS)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def run_command(*arguments, input=None, cwd=None):
    """Run `plyscope` in a fork of this process. Return its output and its exit code.

    This is `run([sys.executable, "-m", "visualizer.cli.main", ...])` without the time for imports. Use it only for
    commands that do not start long-running processes.
    """
    from visualizer.cli.main import main  # before the fork

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as typed:
        typed.write((input or "").encode())
        typed.seek(0)
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            _run_in_child(main, arguments, typed, out, err, cwd)
        code = _exit_code(child)
        written = []
        for file in (out, err):
            file.seek(0)
            written.append(file.read().decode())
    return subprocess.CompletedProcess(["plyscope", *arguments], code, *written)


def _run_in_child(main, arguments, typed, out, err, cwd):
    """In the child: run the command and exit."""
    code = 1
    try:
        os.setsid()
        end_with_parent()
        os.chdir(cwd or ".")
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for place, file in enumerate((typed, out, err)):
            os.dup2(file.fileno(), place)
        sys.stdin, sys.stdout, sys.stderr = map(open_stream, range(3), "rww")
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


def open_stream(place, mode):
    return open(place, mode, encoding="utf-8", closefd=False)


def _exit_code(child):
    until = time.monotonic() + MAX_WAIT_SECONDS
    try:
        while time.monotonic() < until:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
    raise subprocess.TimeoutExpired("plyscope", MAX_WAIT_SECONDS)


def press_ctrl_c_in_this_process():
    """Send Ctrl-C to this process once."""
    os.kill(os.getpid(), signal.SIGINT)


def press_ctrl_c(process):
    """Send Ctrl-C to all processes of the group, as a terminal does."""
    os.killpg(process.pid, signal.SIGINT)


def end_process(process):
    """Ask a process to end, then kill the rest of its group."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(MAX_WAIT_SECONDS)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def processor_seconds(process):
    """Return the processor time of a process, which does not depend on how busy the machine is."""
    worked = psutil.Process(process.pid).cpu_times()
    return worked.user + worked.system


def wait_until(condition, description):
    """Check a condition again and again until it is true."""
    until = time.monotonic() + MAX_WAIT_SECONDS
    while not condition():
        assert time.monotonic() < until, f"{description}: not within {MAX_WAIT_SECONDS} s. Meanwhile:\n{describe_threads()}"
        time.sleep(0.02)


def find_worker(parent):
    """Return the process of the program that a check runs. Its judge waits in another one."""
    found = []

    def is_started():
        found[:] = [child for child in parent.children() if any("worker_main" in part for part in child.cmdline())]
        return bool(found)

    wait_until(is_started, "the program is started")
    return found[0]


def describe_threads():
    """Return the stack of each thread of this process."""
    frames = sys._current_frames()
    stacks = {thread: frames[thread.ident] for thread in threading.enumerate() if thread.ident in frames}
    return "\n".join(f"{thread.name}:\n{''.join(traceback.format_stack(frame)[-8:])}" for thread, frame in stacks.items())


# ---- terminals


@contextmanager
def open_terminal(command, **options):
    """Start a command in its own terminal, 100 columns wide."""
    import pty

    outer, inner = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    options = {"stdin": inner, "stdout": inner, "stderr": inner, "env": environment, **options}
    try:
        with start_process(command, preexec_fn=lambda: take_terminal(inner), **options) as process:
            os.close(inner)
            yield Terminal(process, outer)
    finally:
        os.close(outer)


def take_terminal(inner):
    """In the child: take the terminal, so that Ctrl-C typed there arrives."""
    import fcntl
    import termios

    fcntl.ioctl(inner, termios.TIOCSCTTY, 0)


class Terminal:
    """A terminal that tests read and type into."""

    def __init__(self, process, fd):
        self.process, self.fd = process, fd
        self.shown, self.seen = "", 0

    def wait_for(self, words):
        """Wait for words and return the output up to them. The next wait begins after them."""
        until = time.monotonic() + MAX_WAIT_SECONDS
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
        """Wait for the end and return the exit code."""
        return self.process.wait(MAX_WAIT_SECONDS)
