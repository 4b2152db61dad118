"""The user's own algorithm, loaded from a Python file: an `Algorithm`, or a function that enters and leaves nodes.

The guide engine/algorithms/README.md has the signature of the function.
"""

import inspect
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import Any

from engine import ALGORITHMS, Algorithm, CodeLine
from engine.core.errors import BadUserFile, PlyscopeError, UnknownName
from engine.record.recorder import SearchStopped
from visualizer.cli.user_modules import describe_error, load_user_module, split_argument

PARAMETERS = ("game", "record", "state", "plies", "options")
SIGNATURE = f"({', '.join(PARAMETERS)}, …)"
USAGE_HINT = "write my_algorithm.py:NAME; engine/algorithms/README.md has an example"


def read_algorithm_argument(text: str) -> str:
    """Return the name of an algorithm. Load and register it first if the text names a Python file."""
    if (parts := split_argument(text.strip())) is None:
        return text
    file, name = parts
    module = load_user_module(file, USAGE_HINT)
    algorithm = _find_algorithm(module, file, name)
    if algorithm.name in ALGORITHMS and ALGORITHMS[algorithm.name].line != algorithm.line:
        raise BadUserFile(f"there is already an algorithm {algorithm.name!r}: rename the one in {file}")
    run = algorithm.run
    ALGORITHMS[algorithm.name] = algorithm if run is None else replace(algorithm, run=_wrap_search(run, file, algorithm.name))
    return algorithm.name


def read_algorithms_argument(text: str) -> str:
    """Return a list with commas in which every Python file is replaced by the name of its algorithm."""
    return ",".join(read_algorithm_argument(part) for part in text.split(","))


def _find_algorithm(module: ModuleType, file: str, name: str) -> Algorithm:
    """Return the algorithm of this name in a module, or its only one."""
    declared = [key for key, value in vars(module).items() if isinstance(value, Algorithm)]
    functions = [key for key, value in vars(module).items() if _is_own_search(value, module)]
    if not name:
        choices = declared or functions
        if len(choices) != 1:
            found = f"several algorithms, {', '.join(choices)}" if choices else "no algorithm"
            choice = f"choose one, for example {file}:{choices[0]}" if choices else f"write a function {SIGNATURE}"
            raise BadUserFile(f"{file} has {found}: {choice}")
        name = choices[0]
    value = getattr(module, name, None)
    if isinstance(value, Algorithm):
        return value
    if value is None:
        raise BadUserFile(f"{file}: {UnknownName('algorithm', name, [*declared, *functions])}")
    if not callable(value) or not _has_signature(value):
        raise BadUserFile(f"`{name}` in {file} is not an algorithm: it must be an `Algorithm` or a function {name}{SIGNATURE}")
    return Algorithm(name, name, f"your own algorithm in {file}", value, [CodeLine(f"{name}(state, plies)")], laws=())


def _is_own_search(value: object, module: ModuleType) -> bool:
    """Return True if a value is a function that the module defines itself, with the arguments of a search."""
    return isinstance(value, FunctionType) and value.__module__ == module.__name__ and _has_signature(value)


def _has_signature(function: Callable[..., Any]) -> bool:
    """Return True if a function can be called with the arguments of a search."""
    try:
        inspect.signature(function).bind(*PARAMETERS)
    except (TypeError, ValueError):
        return False
    return True


def _wrap_search(run: Callable[..., float], file: str, name: str) -> Callable[..., float]:
    """Return the same search with errors that name their place."""

    def run_search(*arguments: Any) -> float:
        try:
            return run(*arguments)
        except (PlyscopeError, SearchStopped):
            raise
        except Exception as error:
            raise BadUserFile(f"{name}() failed: {describe_error(error, file)}") from error

    return run_search
