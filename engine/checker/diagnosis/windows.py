"""The windows that a node hands on."""

import re
from collections.abc import Iterator

from engine.checker.diagnosis.black_box import always
from engine.checker.diagnosis.context import Examined
from engine.checker.diagnosis.evidence import TRIED, Suspicion, near, number, said
from engine.checker.diagnosis.node_facts import ABOVE, HIGH, INSIDE, LOW, WORSE, Facts
from engine.checker.diagnosis.program_view import Window
from engine.checker.discovery import source_analysis
from engine.checker.discovery.search_finder import Function, telling
from engine.checker.recording.argument_roles import NAMES, spelled

A_SEARCH = 8  # how telling the names of a search are


def switched_off(facts: Facts) -> bool:
    """Whether a further argument that is true or false would switch cutoffs on."""
    node, span = facts.node, facts.span
    if node.kept.is_root or facts.asked_above < facts.children:
        return False
    switches = {
        name: not value
        for name, value in zip(node.names, node.kept.arguments, strict=False)
        if isinstance(value, bool) and name not in node.program.roles[node.kept.number]
    }
    window, above = facts.window_given(LOW * span, HIGH * span), always(facts.shown(ABOVE * span))
    asked = [node.run(above, window=window, given={name: value}).children for name, value in switches.items()]
    return any(0 < children < facts.asked_above for children in asked)


def swapped(facts: Facts) -> Iterator[Suspicion]:
    alpha, beta = facts.window_given(LOW * facts.span, HIGH * facts.span)
    raw = facts.raw_windows[0] if facts.raw_windows else (alpha, beta)
    right = (-beta, -alpha) if facts.negated else (alpha, beta)
    wrong = {(beta, alpha), (-alpha, -beta), (alpha, beta), (-beta, -alpha)} - {right}
    if raw in wrong or (raw[0] >= raw[1] and alpha < beta):
        yield Suspicion(
            "window-swapped",
            facts.row,
            f"{TRIED}with the window {said((alpha, beta))} it passes {said(raw)} on, not {said(right)}",
        )


def handed_on(search: Examined, facts: Facts) -> Iterator[Suspicion]:
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
            f"{TRIED}with the window {said((low, high))} its first move gets {said(first)} (from the side of the mover)",
        )
        return
    if len(below) > 1 and below[1][0] < low - 1e-9 * span:
        yield Suspicion(
            "bound-loosened",
            facts.row,
            f"{TRIED}a move of {number(below[1][0])}, worse than the bound {number(low)}, moves the bound there",
        )
        return
    if len(better) < 2:
        return
    second = better[1]
    if second[0] >= second[1] or second[1] > high + 1e-9 * span or (near(second[1], inside) and second[0] < inside - 1e-9 * span):
        yield Suspicion(
            "wrong-bound-updated",
            facts.row,
            f"{TRIED}after a move of {number(inside)} the window {said((low, high))} becomes {said(second)} (from the side of "
            "the mover): the other side's bound was moved",
        )
    elif second[0] < inside - 1e-9 * span and len(beyond) > 1 and near(beyond[1][1], ABOVE * span):
        yield Suspicion(
            "wrong-bound-updated",
            facts.row,
            f"{TRIED}a move of {number(ABOVE * span)} moves the other side's bound there, from {number(high)}, and its own bound "
            f"stays {number(low)} (from the side of the mover)",
        )
    elif second[0] < inside - 1e-9 * span:
        yield _not_narrowed(search, facts, (low, high), inside, second)
    elif len(better) > 2 and better[2][0] < inside - 1e-9 * span:
        yield Suspicion(
            "bound-loosened",
            facts.row,
            f"{TRIED}after moves of {number(inside)} and {number(worse)} the bound is {number(better[2][0])}: "
            "the worse move has moved it back",
        )


def _not_narrowed(search: Examined, facts: Facts, window: Window, inside: float, second: Window) -> Suspicion:
    roles = search.program.roles[facts.node.kept.number]
    function = search.program.functions.get(facts.node.name)
    bound = roles.alpha if facts.sign == 1 else roles.beta
    elsewhere = any(narrows(other) for other in search.nodes)
    assigned = elsewhere or (function is not None and bound is not None and source_analysis.is_assigned(function, bound))
    return Suspicion(
        "window-not-passed" if assigned else "window-not-updated",
        facts.row,
        f"{TRIED}after a move of {number(inside)} in the window {said(window)} the next move gets {said(second)}: "
        f"its lower bound should be {number(inside)} (from the side of the mover)",
    )


def at_the_root(search: Examined) -> Iterator[Suspicion]:
    """An outermost call whose score lies outside of its window: the true one is not known."""
    calls = search.program.calls
    outermost = [row for row in range(len(calls)) if calls.parent[row] < 0]
    if search.roots or len(outermost) != 1:
        return  # a loop over the root's moves narrows the window, and others try again
    window, value = search.program.window(outermost[0]), search.program.values[outermost[0]]
    if window is not None and value is not None and window[0] < window[1] and not window[0] <= value <= window[1]:
        yield Suspicion(
            "starts-at-zero",
            outermost[0],
            f"the search starts with the window {said(window)}, but its score {number(value)} lies outside of it",
        )


def plain_below(search: Examined) -> Iterator[Suspicion]:
    """A function with a window whose loop calls a search without one."""
    functions = search.program.functions
    for number_, watched in enumerate(search.program.calls.functions):
        function = functions.get(watched.name)
        if function is None or not _has_window(function):
            continue
        for name in function.calls - {watched.name}:
            other = functions[name]
            ours = {known.name for known in search.program.calls.functions}
            searches = name in other.calls and name not in ours and telling((name,), functions) >= A_SEARCH
            if searches and not _has_window(other) and source_analysis.calls_in_loop(function, [other.plain_name]):
                yield Suspicion(
                    "calls-plain-minimax",
                    next((row for row, which in enumerate(search.program.calls.function) if which == number_), 0),
                    f"{watched.name} has alpha and beta, but its loop calls {name}, which has none",
                )


def _has_window(function: Function) -> bool:
    names = [spelled(name) for name in function.arguments]
    return all(any(re.search(NAMES[role], name) for name in names) for role in ("alpha", "beta"))


def narrows(facts: Facts) -> bool:
    """Whether a better move narrows the window of the next."""
    return bool(facts.windows) and len(facts.windows[0]) > 1 and facts.windows[0][1][0] >= INSIDE * facts.span - 1e-9 * facts.span
