"""Limits the searches of a test to MAX_NODES_PER_TEST. Every Python process that a test starts finds this on its path."""

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import PathFinder

MAX_NODES_PER_TEST = 20_000_000


class TooManyNodes(AssertionError):
    """A search that is too large for a test."""

    def __init__(self):
        super().__init__(f"a test searches more than {MAX_NODES_PER_TEST:,} nodes: give it less depth, or a limit")


class Account:
    """The nodes of one test, added up. In a process that many tests share, every search counts alone."""

    def __init__(self, adds_up):
        self.adds_up = adds_up
        self.nodes = 0

    @property
    def left(self):
        return MAX_NODES_PER_TEST - self.nodes

    def spend(self, nodes):
        if self.adds_up:
            self.nodes += nodes


account = Account(adds_up=False)


def guard_compiled(compiled):
    advance = compiled.KernelSearch.advance

    def guarded(search, max_nodes, *others):
        before, left = search.rows, account.left
        try:
            stopped = advance(search, min(max_nodes, before + left), *others)
        finally:
            account.spend(search.rows - before)
        if stopped == compiled.StopReason.NODE_LIMIT and max_nodes > before + left:
            raise TooManyNodes
        return stopped

    compiled.KernelSearch.advance = guarded


def guard_readable(record):
    report = record.ProgressReporter.report

    def guarded(watch, nodes):
        account.spend(record.CLOCK_CHECK_NODES)
        if max(nodes, account.nodes) > MAX_NODES_PER_TEST:
            raise TooManyNodes
        report(watch, nodes)

    record.ProgressReporter.report = guarded


GUARDED = {"engine.compiled.alphabeta_driver": guard_compiled, "engine.record.recorder": guard_readable}


class Guarding(MetaPathFinder):
    """Finds the modules that search, and guards them when they are loaded."""

    def find_spec(self, name, path, target=None):
        spec = PathFinder.find_spec(name, path, target) if name in GUARDED else None
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_guarded(module):
            load(module)
            GUARDED[name](module)

        spec.loader.exec_module = load_guarded
        return spec


def install():
    for name, guard in GUARDED.items():
        if name in sys.modules:
            guard(sys.modules[name])
    sys.meta_path.insert(0, Guarding())


if __name__ == "sitecustomize":
    install()
