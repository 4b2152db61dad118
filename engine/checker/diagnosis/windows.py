"""Check the windows that a node passes on."""

import re
from collections.abc import Iterator

from engine.checker.diagnosis.black_box import answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import MOVER_SUFFIX, PROBE_PREFIX, Suspicion, format_number, format_window, is_close
from engine.checker.diagnosis.node_facts import ABOVE, HIGH, INSIDE, LOW, WORSE, NodeFacts
from engine.checker.diagnosis.program_view import Window
from engine.checker.discovery import source_analysis
from engine.checker.discovery.search_finder import ProgramFunction, score_group
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case

MIN_SEARCH_SCORE = 8  # of the names, from score_group


def is_cutoff_optional(facts: NodeFacts) -> bool:
    """Return True if another boolean argument switches cutoffs on."""
    node, span = facts.node, facts.span
    if node.snapshot.is_root or facts.tried_above < facts.children:
        return False
    switches = {
        name: not value
        for name, value in zip(node.names, node.snapshot.arguments, strict=False)
        if isinstance(value, bool) and name not in node.program.roles[node.snapshot.number]
    }
    window, above = facts.window_for_node(LOW * span, HIGH * span), answer_always(facts.child_score(ABOVE * span))
    tried = [node.run(above, window=window, overrides={name: value}).children for name, value in switches.items()]
    return any(0 < children < facts.tried_above for children in tried)


def check_window_order(facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that pass their window on in the wrong order or with wrong signs."""
    alpha, beta = facts.window_for_node(LOW * facts.span, HIGH * facts.span)
    raw = facts.raw_windows[0] if facts.raw_windows else (alpha, beta)
    right = (-beta, -alpha) if facts.negated else (alpha, beta)
    wrong = {(beta, alpha), (-alpha, -beta), (alpha, beta), (-beta, -alpha)} - {right}
    if raw in wrong or (raw[0] >= raw[1] and alpha < beta):
        tried = (facts.tried_above, facts.tried_at, facts.tried_inside, facts.tried_below)
        yield Suspicion(
            "window-swapped",
            facts.row,
            f"{PROBE_PREFIX}it gets the window {format_window((alpha, beta))} and passes on {format_window(raw)} instead of "
            f"{format_window(right)}",
            certain=min(tried) < facts.children,  # otherwise the numbers are not bounds: nothing is cut off
        )


def check_passed_windows(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that do not pass on their window, or do not narrow it correctly."""
    span = facts.span
    low, high, inside, worse = LOW * span, HIGH * span, INSIDE * span, WORSE * span
    better, below, beyond = facts.windows
    if not better:
        return
    first = better[0]
    if first[0] < low - 1e-9 * span or first[1] > high + 1e-9 * span:
        yield Suspicion(
            "window-not-passed",
            facts.row,
            f"{PROBE_PREFIX}it gets the window {format_window((low, high))}, but its first move gets "
            f"{format_window(first)} {MOVER_SUFFIX}",
        )
        return
    if len(below) > 1 and below[1][0] < low - 1e-9 * span:
        yield Suspicion(
            "bound-loosened",
            facts.row,
            f"{PROBE_PREFIX}a worse move moves the bound from {format_number(low)} back to {format_number(below[1][0])} "
            f"{MOVER_SUFFIX}",
        )
        return
    if len(better) < 2:
        return
    second = better[1]
    if (
        second[0] >= second[1]
        or second[1] > high + 1e-9 * span
        or (is_close(second[1], inside) and second[0] < inside - 1e-9 * span)
    ):
        yield Suspicion(
            "wrong-bound-updated",
            facts.row,
            f"{PROBE_PREFIX}after a move that scores {format_number(inside)} the window {format_window((low, high))} "
            f"becomes {format_window(second)} {MOVER_SUFFIX}: the other side's bound has moved",
        )
    elif second[0] < inside - 1e-9 * span and len(beyond) > 1 and is_close(beyond[1][1], ABOVE * span):
        yield Suspicion(
            "wrong-bound-updated",
            facts.row,
            f"{PROBE_PREFIX}a move that scores {format_number(ABOVE * span)} moves the other side's bound from "
            f"{format_number(high)} to that score, and its own bound stays {format_number(low)} {MOVER_SUFFIX}",
        )
    elif second[0] < inside - 1e-9 * span:
        yield _window_not_narrowed(search, facts, (low, high), inside, second)
    elif len(better) > 2 and better[2][0] < inside - 1e-9 * span:
        yield Suspicion(
            "bound-loosened",
            facts.row,
            f"{PROBE_PREFIX}after moves that score {format_number(inside)} and {format_number(worse)} the bound is "
            f"{format_number(better[2][0])} {MOVER_SUFFIX}: the worse move has moved it back",
        )


def _window_not_narrowed(search: SearchContext, facts: NodeFacts, window: Window, inside: float, second: Window) -> Suspicion:
    roles = search.program.roles[facts.node.snapshot.number]
    function = search.program.functions.get(facts.node.name)
    bound = roles.alpha if facts.sign == 1 else roles.beta
    if function is None or bound is None:
        assigned = any(is_window_narrowed(other) for other in search.nodes)
    else:  # the side of this node may be the one that never changes its bound
        assigned = source_analysis.is_assigned(function, bound) or source_analysis.has_copy(function, bound)
    return Suspicion(
        "window-not-passed" if assigned else "window-not-updated",
        facts.row,
        f"{PROBE_PREFIX}after a move that scores {format_number(inside)} in the window {format_window(window)} the next "
        f"move gets {format_window(second)}: its lower bound should be {format_number(inside)} {MOVER_SUFFIX}",
    )


def check_root_window(search: SearchContext) -> Iterator[Suspicion]:
    """Yield an outermost call whose score lies outside its window, so that the true score is unknown."""
    calls = search.program.calls
    outermost = [row for row in range(len(calls)) if calls.parent[row] < 0]
    if search.roots or len(outermost) != 1:
        return  # a root loop narrows the window, and several outermost calls may be repeated searches
    window, value = search.program.window(outermost[0]), search.program.values[outermost[0]]
    if value is not None and abs(value) == max(map(abs, search.program.returned_constants()), default=0):
        return  # a won or lost game: no score is better or worse
    if window is not None and value is not None and window[0] < window[1] and not window[0] <= value <= window[1]:
        yield Suspicion(
            "starts-at-zero",
            outermost[0],
            f"the search starts with the window {format_window(window)}, but its score {format_number(value)} lies outside it",
        )


def check_plain_calls(search: SearchContext) -> Iterator[Suspicion]:
    """Yield functions with a window whose loop calls a search without one."""
    functions = search.program.functions
    for number, watched in enumerate(search.program.calls.functions):
        function = functions.get(watched.name)
        if function is None or not _has_window(function):
            continue
        for name in function.calls - {watched.name}:
            other = functions[name]
            ours = {known.name for known in search.program.calls.functions}
            searches = name in other.calls and name not in ours and score_group((name,), functions) >= MIN_SEARCH_SCORE
            if searches and not _has_window(other) and source_analysis.has_call_in_loop(function, [other.plain_name]):
                yield Suspicion(
                    "calls-plain-minimax",
                    next((row for row, which in enumerate(search.program.calls.function) if which == number), 0),
                    f"it has alpha and beta, but its loop calls {name}, which has neither",
                )


def _has_window(function: ProgramFunction) -> bool:
    names = [to_snake_case(name) for name in function.arguments]
    return all(any(re.search(ROLE_PATTERNS[role], name) for name in names) for role in ("alpha", "beta"))


def is_window_narrowed(facts: NodeFacts) -> bool:
    """Return True if a better move narrows the window of the next."""
    return bool(facts.windows) and len(facts.windows[0]) > 1 and facts.windows[0][1][0] >= INSIDE * facts.span - 1e-9 * facts.span
