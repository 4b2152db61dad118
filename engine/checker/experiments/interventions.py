"""Take a mistake away from outside: changes of every call for a run of the whole search."""

import ast
from collections.abc import Callable, Iterator
from math import nextafter
from typing import Any, NamedTuple

import numpy as np

from engine.checker.diagnosis.black_box import insert_score
from engine.checker.diagnosis.program_view import WatchedProgram, Window
from engine.checker.experiments.replay import ROOT_NUMBER, Change, Perform, ReplayedCall, find_function, find_start
from engine.checker.recording.call_snapshots import deep_copy, is_program_data, unwrap_function
from engine.checker.recording.state_encoding import encode_state, is_number, is_simple_value, simplify_result

INFINITY = float("inf")


class Intervention(NamedTuple):
    """A change of every call, with the beginning of the proof in words."""

    words: str
    apply: Change
    exact: bool = True  # calls are compared one by one; otherwise only the scores of the outermost calls


# ---- boards


def _copy_board(call: ReplayedCall, perform: Perform) -> Any:
    """Make a call with a copy of its board. A board in globals is replaced by a copy during the call."""
    state = call.argument("state")
    if state is not None and not is_simple_value(state):
        call.change_argument("state", deep_copy(state, {}))
        return perform(call)
    wrapper = call.program.calls.functions[call.number].call
    names = unwrap_function(wrapper).__globals__
    held = {name: value for name, value in names.items() if is_program_data(name, value) and not is_simple_value(value)}
    names.update(deep_copy(held, {}))
    try:
        return perform(call)
    finally:
        names.update(held)


def _restore_board_above(call: ReplayedCall, perform: Perform) -> Any:
    """Make a call, and give each board that its own calls have changed its first content again."""
    state = call.argument("state")
    above = _STATES[-1] if _STATES else None
    _STATES.append((state, deep_copy(state, {})))
    try:
        return perform(call)
    finally:
        _STATES.pop()
        if above is not None:
            _restore_content(above[0], above[1])


def _restore_content(thing: Any, content: Any, levels: int = 4) -> None:
    """Give a list, array, dict or object its earlier content, part by part, so that everything that shares it sees this."""
    if not levels or type(thing) is not type(content):
        return
    if isinstance(thing, list):
        if len(thing) != len(content):
            thing[:] = deep_copy(content, {})
        pairs: list[tuple[Any, Any, Any]] = [(place, thing[place], content[place]) for place in range(len(content))]
    elif isinstance(thing, np.ndarray):
        thing[...] = content
        return
    elif isinstance(thing, dict):
        pairs = [(name, thing.get(name), value) for name, value in content.items()]
    elif hasattr(thing, "__dict__") and not callable(thing):
        _restore_content(vars(thing), vars(content), levels)
        return
    else:
        return
    for place, part, earlier in pairs:
        if is_simple_value(earlier) or type(part) is not type(earlier):
            thing[place] = deep_copy(earlier, {})
        else:
            _restore_content(part, earlier, levels - 1)


_STATES: list[tuple[Any, Any]] = []  # the boards of the calls that are running, each with a copy of its first content
RESTORED_BOARDS = Intervention("with the board restored after every call", _restore_board_above)
COPIED_BOARDS = Intervention("with a copy of the board in every call", _copy_board)


def _empty_tables(call: ReplayedCall, perform: Perform) -> Any:
    """Make a call with empty tables."""
    place = call.program.role_index(call.number, "state")
    for where, table in _iterate_tables(call.program, call.number, call.arguments):
        if where != place:
            table.clear()
    return perform(call)


def _iterate_tables(program: WatchedProgram, number: int, arguments: list[Any]) -> Iterator[tuple[int, dict[Any, Any]]]:
    """Yield the dicts that may be tables, with the index of their argument: globals, attributes, closures, defaults."""
    function = unwrap_function(program.calls.functions[number].call)
    for place, value in enumerate(arguments):
        if isinstance(value, dict):
            yield place, value
        elif not is_simple_value(value):
            owners = (getattr(value, "__dict__", {}), getattr(type(value), "__dict__", {}))
            for name, held in [item for owner in owners for item in owner.items()]:
                if isinstance(held, dict) and name in _growing_names(program):
                    yield -1, held
    cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for held in [*cells, *defaults]:
        if isinstance(held, dict):
            yield -1, held
    for name, held in function.__globals__.items():
        if isinstance(held, dict) and is_program_data(name, held) and name in _growing_names(program):
            yield -1, held


def _growing_names(program: WatchedProgram) -> set[str]:
    """Return the names in the source that are assigned an empty dict."""
    found: set[str] = set()
    for node in ast.walk(program.tree or ast.Module([], [])):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is_empty_dict(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {getattr(target, "id", getattr(target, "attr", "")) for target in targets}
    return found


def _is_empty_dict(node: Any) -> bool:
    called = getattr(getattr(node, "func", None), "id", getattr(getattr(node, "func", None), "attr", ""))
    return (isinstance(node, ast.Dict) and not node.keys) or called in ("dict", "defaultdict", "OrderedDict")


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - raises if the cell is empty
    except ValueError:
        return False
    return True


def _open_window(call: ReplayedCall, perform: Perform) -> Any:
    """Make a call with an open window."""
    call.change_argument("alpha", -INFINITY)
    call.change_argument("beta", INFINITY)
    return perform(call)


OPEN_WINDOWS = Intervention("with an open window in every call, so that no move may be skipped,", _open_window, exact=False)
EMPTY_TABLES = Intervention("with an empty table in every call", _empty_tables, exact=False)


# ---- windows and cutoffs: the fold of a call tells how its moves narrow the window

FindFold = Callable[[ReplayedCall], int]  # 1 for MAX, -1 for MIN, 0 if it is not known


def narrow_windows(find_fold: FindFold, negamax: bool, keep_ties: bool = False) -> Change:
    """Return a change that gives each call the window that the moves before it have left.

    With `keep_ties` the window is a little wider, so that the score of an equal move is exact.
    """

    def apply(call: ReplayedCall, perform: Perform) -> Any:
        left, own = _find_window_left(call, find_fold, negamax), call.window
        if left is not None and own is not None:
            wider = (nextafter(left[0], -INFINITY), nextafter(left[1], INFINITY)) if keep_ties else left
            alpha, beta = max(wider[0], own[0]), min(wider[1], own[1])
            if alpha < beta:
                call.change_argument("alpha", alpha)
                call.change_argument("beta", beta)
        return perform(call)

    return apply


def skip_refuted_moves(find_fold: FindFold, negamax: bool) -> Change:
    """Return a change that answers a call at once if the moves before it have closed the window of its caller."""

    def apply(call: ReplayedCall, perform: Perform) -> Any:
        above = call.above
        left = _find_window_left(call, find_fold, negamax)
        if above is None or left is None or left[0] < left[1]:
            return perform(call)
        known = [score for score in above.scores if score is not None]
        sign = -1 if negamax else find_fold(above)
        worst = min(known) if sign == 1 else max(known)
        return call.answer_score(worst - sign * call.program.span)  # it cannot be the best one

    return apply


def _find_window_left(call: ReplayedCall, find_fold: FindFold, negamax: bool) -> Window | None:
    """Return the window for a call, from its own side in negamax. Return None if its caller has none."""
    above = call.above
    if above is None or (fold := find_fold(above)) == 0:
        return None
    window = (-INFINITY, INFINITY) if above.number == ROOT_NUMBER else above.window
    if window is None:
        return None
    alpha, beta = window
    for score in [score for score in above.scores if score is not None]:
        if negamax:
            alpha = max(alpha, -score)
        else:
            alpha, beta = (max(alpha, score), beta) if fold == 1 else (alpha, min(beta, score))
    return (-beta, -alpha) if negamax else (alpha, beta)


# ---- single calls


def keep_first_result(call: ReplayedCall, perform: Perform) -> Any:
    """Make a call, or give the result of an equal call that its caller has made before."""
    above = call.above
    key = encode_state([call.number, *call.arguments])
    if above is None:
        return perform(call)
    if key not in above.results:
        above.results[key] = perform(call)
    return above.results[key]


def step_depth(step: int) -> Change:
    """Return a change that gives each call the depth of its caller plus `step`."""

    def apply(call: ReplayedCall, perform: Perform) -> Any:
        depth: Any = None if call.above is None else call.above.argument("depth")
        if is_number(depth):
            call.change_argument("depth", depth + step)
        return perform(call)

    return apply


def add_depth(more: int) -> Change:
    """Return a change that gives each call a larger or smaller depth."""

    def apply(call: ReplayedCall, perform: Perform) -> Any:
        depth: Any = call.argument("depth")
        if is_number(depth):
            call.change_argument("depth", depth + more)
        return perform(call)

    return apply


def negate_scores(call: ReplayedCall, perform: Perform) -> Any:
    """Make a call, and give its caller the opposite score. The score of the outermost call stays."""
    result = perform(call)
    score = call.program.score.read_score(simplify_result(result))
    if score is None or call.above is None or call.above.number == ROOT_NUMBER:
        return result
    return insert_score(result, call.program.score.keys, -score)


def change_side(find_other: Callable[[ReplayedCall], Any]) -> Change:
    """Return a change that makes a call for the other side if `find_other` says so.

    It returns the other value of the side argument, or an OtherFunction, or None for no change.
    """

    def apply(call: ReplayedCall, perform: Perform) -> Any:
        other = find_other(call)
        if isinstance(other, OtherFunction):
            call.number = other.number
        elif other is not None:
            call.change_argument("side", other)
        return perform(call)

    return apply


class OtherFunction(NamedTuple):
    """The function of the search that plays for the other side."""

    number: int


def protect_value(name: str) -> Change:
    """Return a change that restores a global or an attribute after each call below the outermost one."""
    owner, _, attribute = name.rpartition(".")

    def apply(call: ReplayedCall, perform: Perform) -> Any:
        if call.level < 1:
            return perform(call)
        holder, held = find_holder(call, owner), attribute
        before = holder.get(held)
        try:
            return perform(call)
        finally:
            holder[held] = before

    return apply


def find_holder(call: ReplayedCall, owner: str) -> dict[str, Any]:
    """Return the dict with the value: the attributes of an argument, or the globals of the program."""
    if owner:
        names = call.program.calls.functions[call.number].arguments
        attributes: dict[str, Any] = vars(call.arguments[names.index(owner)])
        return attributes
    function = find_function(call.program, find_start(call.program), call.number)
    names_of_module: dict[str, Any] = unwrap_function(function).__globals__
    return names_of_module
