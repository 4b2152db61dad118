"""Prove that an error is the program's own, whatever its arguments are."""

import ast
import re
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from engine.checker.discovery.argument_facts import is_program_object
from engine.checker.discovery.source_analysis import defined_names

if TYPE_CHECKING:
    from engine.checker.sandbox.check_session import CheckSession


def prove_own_error(session: "CheckSession", error: BaseException | None) -> str:
    """Return why an error is the program's own, whatever its arguments are. Else return ""."""
    if isinstance(error, TypeError):
        return _prove_wrong_arguments(session, error)
    name = getattr(error, "name", None)
    if not isinstance(name, str) or isinstance(error, UnboundLocalError) or session.program is None:
        return ""
    if isinstance(error, NameError) and name not in vars(session.program.module) and name not in defined_names(session.tree):
        return f"nothing in {session.path.name} defines or imports {name}, so this line fails for every position"
    is_defined = any(name in defined_names(module.tree) for module in session.project.modules.values())
    if isinstance(error, AttributeError) and is_program_object(type(error.obj)) and not is_defined:
        return f"nothing in the project defines {name}, so this line fails for every position"
    return ""


def find_last_line(error: BaseException | None, path: Path) -> int:
    """Return the last line of a file in the traceback of an error, or 0."""
    trace = traceback.extract_tb(error.__traceback__) if error is not None else []
    return next((frame.lineno for frame in reversed(trace) if frame.filename == str(path) and frame.lineno), 0)


def _prove_wrong_arguments(session: "CheckSession", error: TypeError) -> str:
    """Return why a call has the wrong number of arguments, whatever their values are. Else return ""."""
    match = re.match(r"(?:[\w<>]+\.)*(\w+)\(\) (?:missing|takes) ", str(error))
    frames = traceback.extract_tb(error.__traceback__)
    module = next((one for one in session.project.modules.values() if frames and str(one.path) == frames[-1].filename), None)
    if match is None or module is None:
        return ""
    defined = [
        one for other in session.project.modules.values() for one in other.functions.values() if one.plain_name == match[1]
    ]
    calls = [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and node.lineno == frames[-1].lineno
        and getattr(node.func, "id", getattr(node.func, "attr", "")) == match[1]
    ]
    has_stars = any(isinstance(part, ast.Starred) for call in calls for part in call.args)
    has_stars = has_stars or any(keyword.arg is None for call in calls for keyword in call.keywords)
    if len(defined) != 1 or len(calls) != 1 or has_stars:
        return ""
    return f"{match[1]} is defined once in the project, with other arguments, so this call fails for every position"
