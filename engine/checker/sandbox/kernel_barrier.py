"""The kernel barrier around a student's program on Linux. It is raised in the worker before a line of the program runs.

Python's audit events give clear sentences, but C code gets around them. This barrier holds for C code, too:

- Landlock: files outside the program's folder cannot be opened, except Python's own libraries, which can only be read.
- seccomp: only the listed system calls work (syscall_filter.py): no sockets, no other processes.
- namespaces, where the system allows them: no network, no shared memory of other processes, no rights.

It cannot be taken down again, neither by this process nor by what it loads.
"""

import ctypes
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from engine.checker.sandbox.resource_limits import die_with_parent, lower_hard_limit
from engine.checker.sandbox.syscall_filter import ARCHITECTURES, call_kernel, has_seccomp, install_filter
from engine.core.errors import PlyscopeError

MIN_LANDLOCK_VERSION = 3  # Linux 6.2: files cannot be emptied by opening them
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446  # the same numbers on all architectures
LANDLOCK_VERSION_FLAG, LANDLOCK_PATH_RULE = 1, 1
WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
EXECUTE_FILE, USE_DEVICE = 1 << 0, 1 << 15
MAKE_DEVICES = 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11  # character devices, sockets, pipes with a name, block devices
ALL_FILE_RIGHTS = {3: (1 << 15) - 1, 5: (1 << 16) - 1}  # by the version of Landlock that has them
NETWORK_RIGHTS = (4, 1 | 2)  # since which version: bind and connect by TCP
SCOPES = (6, 1 | 2)  # since which version: abstract sockets and signals of other processes
PR_SET_NO_NEW_PRIVS = 38  # of linux/prctl.h
NAMESPACES = {"user": 1 << 28, "network": 1 << 30, "ipc": 1 << 27, "uts": 1 << 26}  # CLONE_NEW… of linux/sched.h
CAPABILITY_VERSION = 0x20080522  # of linux/capability.h
SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo")
SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/dev/urandom", "/dev/zero")
MAX_THREADS = 64
MAX_ISOLATED_FILE_BYTES = 8 << 20  # of one file: with all open files, also removed ones, 512 MB
LOW_PRIORITY = 10  # a niceness
PACKAGE_FOLDERS = ("site-packages", "dist-packages")


class BarrierMissing(PlyscopeError):
    """This system cannot isolate programs."""


def isolate_process(folder: Path) -> None:
    """Confine this process to the folder for ever, with everything that this module has.

    Raise BarrierMissing if a part fails that the barrier needs: then no program may be run.
    """
    if missing := list_missing_parts():
        raise BarrierMissing(f"programs cannot be isolated here, because this is missing: {'; '.join(missing)}")
    lower_limits(has_own_users=enter_namespaces())
    die_with_parent()  # other rights would cancel it, and the filter would refuse it
    raise_barrier(folder)


def list_missing_parts() -> list[str]:
    """Return what this system lacks for the barrier, in words. It is empty if the barrier can be raised."""
    if sys.platform != "linux":
        return [f"Linux (this is {platform.system() or sys.platform})"]
    if platform.machine() not in ARCHITECTURES:
        known = " or ".join(ARCHITECTURES)
        return [f"a processor with known system calls ({known}; this is {platform.machine()})"]
    missing = []
    if (version := landlock_version()) < MIN_LANDLOCK_VERSION:
        missing.append(f"Landlock version {MIN_LANDLOCK_VERSION} (Linux 6.2; this kernel has {version or 'none'})")
    if not has_seccomp():
        missing.append("seccomp filters")
    return missing


def landlock_version() -> int:
    """Return the version of Landlock in this kernel, or 0."""
    return max(call_kernel(LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION_FLAG), 0)


def enter_namespaces() -> bool:
    """Leave the system's network, users and shared memory, if that is allowed here. Give up all capabilities in any case."""
    flags = 0
    for flag in NAMESPACES.values():
        flags |= flag
    entered = _libc().unshare(flags) == 0
    header = struct.pack("Ii", CAPABILITY_VERSION, 0)
    if _libc().capset(header, bytes(24)) != 0:
        raise BarrierMissing(f"the capabilities of the process cannot be given up: {_last_error()}")
    return entered


def lower_limits(has_own_users: bool) -> None:
    """Set the limits that programs need here in addition to the usual ones: smaller files, no locked memory, few threads.

    Programs also run with a low priority, so that the server stays quick.

    Threads are counted per user, so they can be limited only with users of its own. The launcher counts them as well.
    """
    import resource  # not on Windows, where nothing else of this module is used

    lower_hard_limit(resource.RLIMIT_FSIZE, MAX_ISOLATED_FILE_BYTES)
    for limit in (resource.RLIMIT_MEMLOCK, resource.RLIMIT_MSGQUEUE):
        lower_hard_limit(limit, 0)
    if has_own_users:
        lower_hard_limit(resource.RLIMIT_NPROC, MAX_THREADS)
    os.nice(LOW_PRIORITY)


def raise_barrier(folder: Path) -> None:
    """Restrict files and system calls. Raise BarrierMissing if that fails."""
    if len(os.listdir("/proc/self/task")) != 1:
        raise BarrierMissing("programs cannot be isolated here: Landlock holds only for threads that start later")
    if _libc().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise BarrierMissing(f"new privileges cannot be refused: {_last_error()}")
    restrict_files(folder, [*list_library_folders(), *map(Path, (*SYSTEM_LIBRARIES, *SYSTEM_FILES))])
    try:
        install_filter()
    except OSError as error:
        raise BarrierMissing(f"the filter of system calls cannot be installed: {error}") from None


def list_library_folders() -> list[Path]:
    """Return the folders of Python's library, of installed packages and of this engine."""
    paths = sysconfig.get_paths()
    packages = [path for path in sys.path if any(name in Path(path).parts for name in PACKAGE_FOLDERS)]
    ours = Path(__file__).parents[2]
    return [
        Path(sys.base_prefix, "lib"),
        *(Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        *map(Path, packages),
        ours,
    ]


def restrict_files(writable: Path, readable: Iterable[Path]) -> None:
    """Let this process open only files below `writable`, and read those below `readable`. Others can no longer be opened."""
    version = landlock_version()
    rights = max(value for since, value in ALL_FILE_RIGHTS.items() if since <= version)
    network, scopes = (value if since <= version else 0 for since, value in (NETWORK_RIGHTS, SCOPES))
    parts = 3 if scopes else 2 if network else 1  # the structure has grown: older kernels refuse longer ones
    attributes = struct.pack("QQQ", rights, network, scopes)[: 8 * parts]
    ruleset = call_kernel(LANDLOCK_CREATE, attributes, len(attributes), 0)
    if ruleset < 0:
        raise BarrierMissing(f"Landlock cannot be used: {_last_error()}")
    try:
        _add_rule(ruleset, writable, rights & ~(EXECUTE_FILE | USE_DEVICE | MAKE_DEVICES))
        _add_rule(ruleset, Path(os.devnull), READ_FILE | WRITE_FILE)
        for path in readable:
            if path.exists():
                _add_rule(ruleset, path, READ_FILE | (READ_FOLDER if path.is_dir() else 0))
        if call_kernel(LANDLOCK_RESTRICT, ruleset, 0) != 0:
            raise BarrierMissing(f"Landlock cannot be used: {_last_error()}")
    finally:
        os.close(ruleset)


def _add_rule(ruleset: int, path: Path, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights, place)
        if call_kernel(LANDLOCK_ADD, ruleset, LANDLOCK_PATH_RULE, rule, 0) != 0:
            raise BarrierMissing(f"Landlock has no rule for {path}: {_last_error()}")
    finally:
        os.close(place)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _last_error() -> str:
    return os.strerror(ctypes.get_errno())
