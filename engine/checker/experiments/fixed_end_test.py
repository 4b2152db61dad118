"""Check that the test for the end of the game looks at the position of the call.

`if depth == 0 or game.winner()` with the position in another argument asks the game as it is played, not the position that
is searched: it gives the same answer in every call.
"""

import ast
import re
from collections.abc import Iterator

from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.recording.argument_roles import to_snake_case
from engine.checker.recording.observations import observed
from engine.checker.recording.state_encoding import encode_state

END_PATTERN = re.compile(r"(^|_)(win|winner|wins|winning|won|over|gameover|end|ended|terminal|finished)(_|$)")
MIN_POSITIONS = 3  # in which a value must stay the same


def check_fixed_end_tests(search: SearchContext) -> Iterator[Suspicion]:
    """Yield functions whose test for the end asks only values that are the same in all calls, whatever the position is."""
    program = search.program
    searches = {watched.name.rpartition(".")[2] for watched in program.calls.functions}
    for number, watched in enumerate(program.calls.functions):
        function, state = program.functions.get(watched.name), program.roles[number].state
        if function is None or state is None:
            continue
        asked = list(_list_end_questions(function, searches))
        names = [{part.id for part in ast.walk(call) if isinstance(part, ast.Name)} for call in asked]
        fixed = _list_fixed_arguments(search, number) if asked else set()
        if asked and all(used and used <= fixed for used in names):
            inner = (
                row for row in range(len(program.calls)) if program.calls.function[row] == number and program.calls.depth[row]
            )
            yield Suspicion(
                "terminal-wrong-player",
                next(inner, 0),
                f"the test `{ast.unparse(asked[0])}` asks {' and '.join(sorted(names[0]))}, which is the same in all calls, "
                f"and never the position of the call ({state})",
                certain=False,
                function=watched.name,
            )


@observed
def _list_fixed_arguments(search: SearchContext, number: int) -> set[str]:
    """Return the arguments that are objects and stay the same in all copied calls, although their positions differ."""
    program = search.program
    copies = [copy for copy in program.calls.snapshots.calls if not copy.is_root and copy.number == number]
    place = program.role_index(number, "state")
    if place is None or len({encode_state(copy.arguments[place]) for copy in copies}) < MIN_POSITIONS:
        return set()
    return {
        name
        for index, name in enumerate(program.calls.functions[number].arguments)
        if index != place
        and hasattr(copies[0].arguments[index], "__dict__")
        and len({encode_state(copy.arguments[index]) for copy in copies}) == 1
    }


def _list_end_questions(function: ProgramFunction, searches: set[str]) -> Iterator[ast.Call]:
    """Yield the calls that ask if the game is over, in the tests before the first call of the search that lead to a return."""
    for statement in function.node.body:
        if isinstance(statement, ast.If) and _leads_to_return(statement.body, searches):
            calls = (part for part in ast.walk(statement.test) if isinstance(part, ast.Call))
            yield from (call for call in calls if END_PATTERN.search(to_snake_case(_name_of(call))))
        if any(_name_of(part) in searches for part in ast.walk(statement)):
            return


def _leads_to_return(body: list[ast.stmt], searches: set[str]) -> bool:
    parts = [part for statement in body for part in ast.walk(statement)]
    return any(isinstance(part, ast.Return) for part in parts) and not any(_name_of(part) in searches for part in parts)


def _name_of(node: ast.AST) -> str:
    """Return the name of the function that a call asks for, or "" if the node is no call."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
