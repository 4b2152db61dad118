"""The module `plyscope`: the public names of `engine` and `visualizer` under one name. `python -m plyscope` runs the command.

The build installs this file as `plyscope.py` (pyproject.toml), so that there is no third package to keep.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

if __name__ == "__main__" and Path(sys.path[0]).resolve() != Path(__file__).resolve().parent:
    del sys.path[0]  # the current folder, as for the command `plyscope`: a student's engine.py there is not ours

import engine
import visualizer

__all__ = [*engine.__all__, *visualizer.__all__]  # noqa: PLE0604 - both are lists of names


def __getattr__(name: str) -> Any:
    for package in (engine, visualizer):
        if name in package.__all__:
            return getattr(package, name)
    raise AttributeError(f"module 'plyscope' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


if __name__ == "__main__":
    import_module("visualizer.cli.main").main()
