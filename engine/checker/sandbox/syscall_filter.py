"""The system calls that a student's program may make: a seccomp filter with a list of allowed calls.

Everything that is not listed fails with EPERM: sockets of every kind, new processes, tracing, mounting, shared memory, keys,
io_uring, bpf, new owners of files. Calls that future kernels add are refused, too. New rights and times of files are ignored:
copying a file sets them, and Landlock cannot tell which files may have others.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # index into the numbers, AUDIT_ARCH of linux/audit.h
NO_CALL = -1  # aarch64 has no old forms of calls
ALLOWED_CALLS = {  # the numbers on x86_64 and aarch64
    # files by descriptor: which ones can be opened is decided by Landlock
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67), "pwrite64": (18, 68),
    "preadv": (295, 69), "pwritev": (296, 70), "close": (3, 57), "close_range": (436, 436), "lseek": (8, 62), "fstat": (5, 80),
    "fsync": (74, 82), "fdatasync": (75, 83), "ftruncate": (77, 46), "flock": (73, 32), "dup": (32, 23), "dup2": (33, NO_CALL),
    "dup3": (292, 24), "getdents": (78, NO_CALL), "getdents64": (217, 61), "sendfile": (40, 71), "copy_file_range": (326, 285),
    "pipe": (22, NO_CALL), "pipe2": (293, 59), "select": (23, NO_CALL), "pselect6": (270, 72), "poll": (7, NO_CALL),
    "ppoll": (271, 73), "fadvise64": (221, 223),
    # files by path
    "open": (2, NO_CALL), "openat": (257, 56), "stat": (4, NO_CALL), "lstat": (6, NO_CALL), "newfstatat": (262, 79),
    "statx": (332, 291), "access": (21, NO_CALL), "faccessat": (269, 48), "faccessat2": (439, 439), "readlink": (89, NO_CALL),
    "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "mkdir": (83, NO_CALL),
    "mkdirat": (258, 34), "rmdir": (84, NO_CALL), "unlink": (87, NO_CALL), "unlinkat": (263, 35), "rename": (82, NO_CALL),
    "renameat": (264, 38), "renameat2": (316, 276), "symlink": (88, NO_CALL), "symlinkat": (266, 36), "umask": (95, 166),
    # memory
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216), "madvise": (28, 233),
    # threads
    "futex": (202, 98), "set_robust_list": (273, 99), "rseq": (334, 293), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "gettid": (186, 178),
    "exit": (60, 93), "exit_group": (231, 94), "membarrier": (324, 283),
    # signals that arrive
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "pause": (34, NO_CALL),
    "alarm": (37, NO_CALL), "setitimer": (38, 103), "getitimer": (36, 102), "restart_syscall": (219, 128),
    # time
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "gettimeofday": (96, 169), "time": (201, NO_CALL), "times": (100, 153),
    # facts about itself and the system; limits can only be lowered
    "getpid": (39, 172), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150), "getpgrp": (111, NO_CALL),
    "getrlimit": (97, 163), "setrlimit": (160, 164), "getrusage": (98, 165), "uname": (63, 160), "sysinfo": (99, 179),
    "getcpu": (309, 168), "getrandom": (318, 278),
}  # fmt: skip
IGNORED_CALLS = {  # they seem to work, and do nothing
    "chmod": (90, NO_CALL), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "utime": (132, NO_CALL), "utimes": (235, NO_CALL), "futimesat": (261, NO_CALL), "utimensat": (280, 88),
}  # fmt: skip
CLONE, CLONE3 = (56, 220), (435, 435)
KILL, TGKILL, PRLIMIT = (62, 129), (234, 131), (302, 261)
IOCTL, FCNTL, PRCTL = (16, 29), (72, 25), (157, 167)
SECCOMP = (317, 277)
CLONE_THREAD = 0x00010000
CLONE_NAMESPACES = 0x7E020000  # all CLONE_NEW… flags of linux/sched.h
TERMINAL_QUERIES = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIO(N)CLEX
FILE_COMMANDS = (*range(8), 36, 37, 38, 1030, 1031, 1032)  # F_DUPFD to F_SETLKW, locks, F_DUPFD_CLOEXEC, sizes of pipes
THREAD_NAMES = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA

LOAD_WORD, AND_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x54, 0x15, 0x06  # BPF instructions of linux/bpf_common.h
ALLOW, REFUSE, END_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000  # SECCOMP_RET_ALLOW, _ERRNO, _KILL_PROCESS
NUMBER_OFFSET, ARCH_OFFSET, ARGUMENTS_OFFSET = 0, 4, 16  # in struct seccomp_data
SET_MODE_FILTER, GET_ACTION_AVAILABLE, ALL_THREADS = 1, 2, 1  # of linux/seccomp.h


class Instruction(NamedTuple):
    """One instruction of a filter. The jumps count instructions after the next one."""

    code: int
    if_true: int
    if_false: int
    value: int


def has_seccomp() -> bool:
    """Return True if this kernel has seccomp filters and the numbers of its system calls are known here."""
    if platform.machine() not in ARCHITECTURES:
        return False
    number, action = SECCOMP[ARCHITECTURES[platform.machine()][0]], struct.pack("I", REFUSE)
    return call_kernel(number, GET_ACTION_AVAILABLE, 0, action) == 0


def install_filter() -> None:
    """Allow this process only the listed system calls from now on. Raise OSError if the kernel refuses the filter."""
    index, arch = ARCHITECTURES[platform.machine()]
    load_filter(build_filter(index, arch, os.getpid()))


def load_filter(instructions: list[Instruction]) -> None:
    """Give the kernel a filter for this process. Raise OSError if it refuses it."""
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in instructions)
    content = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("HxxxxxxP", len(instructions), ctypes.addressof(content))
    number = SECCOMP[ARCHITECTURES[platform.machine()][0]]
    if call_kernel(number, SET_MODE_FILTER, ALL_THREADS, program) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def build_filter(index: int, arch: int, pid: int) -> list[Instruction]:
    """Return the filter for an architecture. Signals and limits are allowed for the process `pid` only."""
    checked = [
        (CLONE, _allow_masked(CLONE_THREAD | CLONE_NAMESPACES, CLONE_THREAD)),
        (CLONE3, [_refuse(errno.ENOSYS)]),  # its flags cannot be read by a filter: the C library then uses clone
        (KILL, _allow_values(0, [pid])),
        (TGKILL, _allow_values(0, [pid])),
        (PRLIMIT, _allow_values(0, [0, pid])),
        (IOCTL, _allow_values(1, TERMINAL_QUERIES)),
        (FCNTL, _allow_values(1, FILE_COMMANDS)),
        (PRCTL, _allow_values(0, THREAD_NAMES)),
    ]
    allowed, ignored = (
        [number[index] for number in calls.values() if number[index] != NO_CALL] for calls in (ALLOWED_CALLS, IGNORED_CALLS)
    )
    return [
        Instruction(LOAD_WORD, 0, 0, ARCH_OFFSET),
        Instruction(JUMP_IF_EQUAL, 1, 0, arch),
        Instruction(RETURN, 0, 0, END_PROCESS),
        Instruction(LOAD_WORD, 0, 0, NUMBER_OFFSET),
        *(part for number, block in checked for part in _if_equal(number[index], block)),
        *(part for number in allowed for part in _if_equal(number, [_allow()])),
        *(part for number in ignored for part in _if_equal(number, [_refuse(0)])),
        _refuse(errno.EPERM),
    ]


def _if_equal(value: int, block: list[Instruction]) -> Iterator[Instruction]:
    yield Instruction(JUMP_IF_EQUAL, 0, len(block), value)
    yield from block


def _allow_values(argument: int, values: Iterable[int]) -> list[Instruction]:
    """Return a block that allows a call if the argument is one of the values. All these arguments are 32-bit numbers."""
    load = Instruction(LOAD_WORD, 0, 0, ARGUMENTS_OFFSET + 8 * argument)
    return [load, *(part for value in values for part in _if_equal(value, [_allow()])), _refuse(errno.EPERM)]


def _allow_masked(mask: int, wanted: int) -> list[Instruction]:
    load = Instruction(LOAD_WORD, 0, 0, ARGUMENTS_OFFSET)
    return [load, Instruction(AND_WORD, 0, 0, mask), *_if_equal(wanted, [_allow()]), _refuse(errno.EPERM)]


def _allow() -> Instruction:
    return Instruction(RETURN, 0, 0, ALLOW)


def _refuse(code: int) -> Instruction:
    return Instruction(RETURN, 0, 0, REFUSE | code)


def call_kernel(number: int, *arguments: Any) -> int:
    """Make a system call. Return its result; a negative one leaves its error in `ctypes.get_errno()`."""
    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *words))
