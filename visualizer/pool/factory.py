"""Which pool a server has."""

import os

from visualizer.pool.cluster import Cluster
from visualizer.pool.limits import Limits
from visualizer.pool.pool import Processes, Threads


def pool_for(limits: Limits) -> Threads:
    """A cluster, if one is named; else what this machine can do: Windows has no way to hand memory over without a name."""
    if limits.scheduler:
        return Cluster(limits, limits.scheduler)
    return Processes(limits) if os.name == "posix" else Threads(limits)
