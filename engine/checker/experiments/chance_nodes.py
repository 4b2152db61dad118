"""Check chance nodes: their weights, their rounding, their cutoffs and the windows that they pass on.

A chance node returns the expectation of its outcomes. Chosen scores for the outcomes show each weight alone.
"""

import ast
import re
from collections.abc import Iterator

from engine.checker.diagnosis.black_box import ProbeResult, answer_always, answer_in_order
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number, format_scores, format_window
from engine.checker.diagnosis.node_facts import AVERAGE_FOLD, HIGH, LOW, NodeFacts
from engine.checker.recording.argument_roles import to_snake_case
from engine.checker.recording.state_encoding import is_number

WEIGHT_PATTERN = r"prob|chance|weight|odds|likel|^(p|pr|w)$|wahrsch|gewicht|poids|peso"
MAX_WEIGHT_ERROR = 1e-4
TESTED_SCORE = 10.0
HALF = 0.5  # a score that a division of whole numbers loses


def check_chance_nodes(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the mistakes of chance nodes."""
    found = [facts for facts in search.nodes if facts.fold == AVERAGE_FOLD and facts.weights]
    totals = {round(sum(facts.weights), 3) for facts in found}
    for facts in found:
        yield from _check_weights(facts, totals)
        yield from _check_unused_weights(search, facts)
        yield from _check_rounding(facts)
        yield from _check_cutoffs(search, facts)
        yield from _check_passed_window(facts)


def _run_open(facts: NodeFacts, score: float) -> float | None:
    """Return the score of the node if all of its outcomes have the same one."""
    window = None if facts.node.role_index("alpha") is None else (-float("inf"), float("inf"))
    value = facts.node.run(answer_always(score), window=window).value
    return float(value) if is_number(value) else None


def _check_weights(facts: NodeFacts, totals: set[float]) -> Iterator[Suspicion]:
    """Yield a node whose weights do not add up to 1. The same total below 1 at every node may be a discount."""
    total = sum(facts.weights)
    if abs(total - 1) < MAX_WEIGHT_ERROR * facts.children or (total < 1 and len(totals) == 1):
        return
    value = _run_open(facts, TESTED_SCORE)
    if value is None:
        return
    is_sum = all(abs(weight - 1) < MAX_WEIGHT_ERROR for weight in facts.weights)
    same = format_number(TESTED_SCORE)
    seen = f"with the score {same} for each of its {facts.children} outcomes it returns {format_number(value)}"
    yield Suspicion(
        "weights-forgotten",
        facts.row,
        f"{seen}, but their average is {same}",
        certain=is_sum,
        proof=f"{seen}, the sum of their scores" if is_sum else "",
    )


def _check_unused_weights(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a node that gets a probability for each outcome, never uses it, and weighs all outcomes alike."""
    function = search.program.functions.get(facts.node.name)
    if function is None or max(facts.weights) - min(facts.weights) > MAX_WEIGHT_ERROR:
        return
    targets = [node.target for node in ast.walk(function.node) if isinstance(node, (ast.For, ast.comprehension))]
    set_names = {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    read = {node.id for node in ast.walk(function.node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    for name in sorted(set_names - read):
        if re.search(WEIGHT_PATTERN, to_snake_case(name)):
            yield Suspicion(
                "weights-forgotten",
                facts.row,
                f"it gets {name} for each outcome and never uses it: all of its {facts.children} outcomes count alike",
                certain=False,  # the probabilities may be equal
            )


def _check_rounding(facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a node that loses the part of an average behind the point."""
    total = sum(facts.weights)
    half, whole = _run_open(facts, HALF), _run_open(facts, 1.0)
    if half is None or whole is None or abs(whole - facts.offset - total) > MAX_WEIGHT_ERROR * facts.children:
        return
    if abs(half - facts.offset - HALF * total) > HALF * HALF * total and half == int(half):
        shown, full = format_number(half), format_number(whole)
        seen = f"with the score 0.5 for every outcome it returns {shown}, with the score 1 it returns {full}"
        yield Suspicion("integer-division", facts.row, seen, proof=seen)


def _check_cutoffs(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a node that skips outcomes although scores that occur in this search could still bring it back into its window."""
    leaves = search.program.leaf_values
    if len(set(leaves)) < 2:
        return
    for name, first, others in (("alpha", min(leaves), max(leaves)), ("beta", max(leaves), min(leaves))):
        scores = [first] + [others] * (facts.children - 1)
        expectation = facts.offset + sum(weight * score for weight, score in zip(facts.weights, scores, strict=True))
        bound = (expectation + facts.offset + first * sum(facts.weights)) / 2
        if facts.node.role_index(name) is None:
            continue
        outcome = _run_with_bound(facts, name, bound, scores)
        if outcome.failed or not is_number(outcome.value):
            continue
        if 0 < outcome.children < facts.children and abs(expectation - bound) > MAX_WEIGHT_ERROR * abs(others - first):
            seen = scores[: outcome.children]
            is_average = abs(outcome.value - sum(seen) / len(seen)) < MAX_WEIGHT_ERROR * abs(others - first)
            words = (
                f"with {name} = {format_number(bound)} and the scores {format_scores(scores)} for its outcomes it looks at "
                f"{outcome.children} of {facts.children} and returns {format_number(outcome.value)}, but their expectation is "
                f"{format_number(expectation)}"
            )
            yield Suspicion("average-over-pruned" if is_average else "chance-cut", facts.row, words, proof=words)
            return


def _run_with_bound(facts: NodeFacts, name: str, bound: float, scores: list[float]) -> ProbeResult:
    infinity = float("inf")
    window = (bound, infinity) if name == "alpha" else (-infinity, bound)
    return facts.node.run(answer_in_order(scores), window=window)


def _check_passed_window(facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a node that passes its own window on. Below, scores outside of it are only bounds, and these are averaged."""
    if (
        facts.node.role_index("alpha") is None
        or facts.node.role_index("beta") is None
        or max(facts.weights) > 1 - MAX_WEIGHT_ERROR
    ):
        return
    window = (LOW * facts.span, HIGH * facts.span)
    outcome = facts.node.run(answer_always(0.0), window=window)
    if outcome.child_calls and outcome.child_calls[0].window == window:
        yield Suspicion(
            "average-over-pruned",
            facts.row,
            f"it passes its window {format_window(window)} on to its outcomes: a score outside of it is only a bound, and is "
            "averaged like a score",
        )
