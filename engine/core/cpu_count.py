"""The number of cores that this process may use."""

import os
from collections.abc import Iterator
from math import ceil
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


def count_cores() -> int:
    """Return the number of cores for this process: those that it may run on, and no more than the quota of its container."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([affinity, *_cgroup_quotas()]))


def _cgroup_quotas() -> Iterator[int]:
    """Yield the cores that control groups allow, rounded up. Version 2 has one file, version 1 two. "max" and -1: no limit."""
    for names in (["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]):
        try:
            quota, period = " ".join((CGROUPS / name).read_text() for name in names).split()
        except (OSError, ValueError):
            continue
        if quota.isdigit() and period.isdigit() and int(quota) and int(period):
            yield ceil(int(quota) / int(period))
