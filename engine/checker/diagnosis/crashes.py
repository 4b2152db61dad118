"""Check for calls that return nothing, and for exceptions inside the search."""

import ast
import re
from collections.abc import Iterator

from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.stopped_run import StopCause, StoppedRun


def check_missing_returns(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that return nothing although other calls of the same function return a score."""
    calls, values = search.program.calls, search.program.values
    scored = {calls.function[row] for row in range(len(calls)) if values[row] is not None}
    for row in range(len(calls)):
        if calls.end[row] != NO_ROW and calls.results[row] is None and calls.function[row] in scored:
            broke = search.stopped is not None and "NoneType" in search.stopped.detail
            made = len(search.program.children[row])
            yield Suspicion(
                "missing-return",
                row,
                f"this call makes {made} call{'' if made == 1 else 's'} and returns nothing" if made else "it returns nothing",
                certain=broke,
                proof=f"then the program raised {search.stopped.detail}" if broke and search.stopped is not None else "",
            )


def is_own_exception(stopped: StoppedRun, tree: ast.Module | None) -> bool:
    """Return True if a run ended with an exception that is not due to our start.

    A name that is not defined yet, but is assigned somewhere in the program, may be set by a part that we have not run.
    """
    missing = re.search(r"NameError: name '(\w+)' is not defined", stopped.detail)
    names = {
        node.id for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return stopped.cause is StopCause.EXCEPTION and not (missing and missing[1] in names)


def check_exceptions(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the exception that ended the search."""
    stopped, calls = search.stopped, search.program.calls
    if stopped is None or not is_own_exception(stopped, search.program.tree):
        return
    unfinished = [row for row in range(len(calls)) if calls.end[row] == NO_ROW]
    if unfinished:
        yield Suspicion("raises", unfinished[-1], stopped.sentence, certain=False)  # a wrong call could be the reason
