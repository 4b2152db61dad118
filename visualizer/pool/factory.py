"""Choose the pool of a server."""

import os

from visualizer.pool.cluster import Cluster
from visualizer.pool.limits import Limits
from visualizer.pool.pool import ProcessPool, ThreadPool


def create_pool(limits: Limits) -> ThreadPool:
    """Return a cluster if a scheduler is given, else processes, or threads on Windows, which has no anonymous shared memory."""
    if limits.scheduler:
        return Cluster(limits, limits.scheduler)
    return ProcessPool(limits) if os.name == "posix" else ThreadPool(limits)
