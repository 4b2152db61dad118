"""The kernel barrier on systems without it, and the filter of system calls. These tests need no barrier."""

import sys

import pytest

from engine.checker.sandbox import kernel_barrier, syscall_filter
from engine.checker.sandbox.barrier_trial import try_barrier
from engine.checker.sandbox.kernel_barrier import BarrierMissing


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("sys.platform", "darwin", "Linux"),
        ("platform.machine", lambda: "riscv64", "x86_64 or aarch64; this is riscv64"),
        ("landlock_version", lambda: 2, "Landlock version 3"),
        ("has_seccomp", lambda: False, "seccomp filters"),
    ],
)
def test_a_system_without_the_barrier_says_what_is_missing(monkeypatch, name, value, words):
    owner, _, attribute = name.rpartition(".")
    monkeypatch.setattr({"": kernel_barrier, "sys": sys, "platform": kernel_barrier.platform}[owner], attribute, value)
    with pytest.raises(BarrierMissing, match=words):
        try_barrier()


def run_filter(instructions, number, arguments=(), arch=None):
    """Run a filter as the kernel does, and return what it decides."""
    words = {0: number, 4: arch} | {16 + 8 * place: value & 0xFFFFFFFF for place, value in enumerate(arguments)}
    place, held = 0, 0
    while True:
        code, if_true, if_false, value = instructions[place]
        if code == syscall_filter.LOAD_WORD:
            held = words.get(value, 0)
        elif code == syscall_filter.AND_WORD:
            held &= value
        elif code == syscall_filter.RETURN:
            return value
        else:
            place += if_true if held == value else if_false
        place += 1


@pytest.mark.parametrize("machine", syscall_filter.ARCHITECTURES)
def test_the_filter_allows_what_is_listed_and_nothing_else(machine):
    index, arch = syscall_filter.ARCHITECTURES[machine]
    built = syscall_filter.build_filter(index, arch, pid=77)
    listed = {numbers[index] for numbers in syscall_filter.ALLOWED_CALLS.values()}
    names = ("CLONE", "CLONE3", "KILL", "TGKILL", "PRLIMIT", "IOCTL", "FCNTL", "PRCTL")
    with_checks = {getattr(syscall_filter, name)[index] for name in names}
    ignored = {numbers[index] for numbers in syscall_filter.IGNORED_CALLS.values()}
    refused = syscall_filter.REFUSE | 1
    for number in [*range(600), 0x40000000, 0x40000001]:
        if number not in with_checks:
            wanted = syscall_filter.ALLOW if number in listed else syscall_filter.REFUSE if number in ignored else refused
            assert run_filter(built, number, arch=arch) == wanted, number
    assert run_filter(built, 0, arch=0x40000003) == syscall_filter.END_PROCESS  # 32-bit calls have other numbers
    for numbers, allowed, not_allowed in (
        (syscall_filter.KILL, [(77, 9)], [(78, 9), (0, 9), (-1, 9), (-77, 9)]),
        (syscall_filter.CLONE, [(0x3D0F00,)], [(17,), (0x3D0F00 | 1 << 28,), (0x4111,)]),
        (syscall_filter.PRLIMIT, [(0, 7), (77, 7)], [(78, 7)]),
        (syscall_filter.IOCTL, [(0, 0x5401)], [(0, 0x5412)]),
        (syscall_filter.FCNTL, [(0, 1030)], [(0, 8), (0, 10), (0, 15)]),
        (syscall_filter.PRCTL, [(15,)], [(1,), (4,), (22,), (38,)]),
    ):
        assert {run_filter(built, numbers[index], arguments, arch) for arguments in allowed} == {syscall_filter.ALLOW}
        assert {run_filter(built, numbers[index], arguments, arch) for arguments in not_allowed} == {refused}
