"""The pseudo-code of a search, the line of a step, and that line with the numbers of the step.

An algorithm declares for each line the facts of the steps that are at it (engine/algorithms/templates.py). This module and
`viewer/assets/model/pseudocode.js` only look it up.
"""

from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.templates import CodeLine, Conditions, Pseudocode
from engine.checker.program_lines import find_step_lines
from engine.games.capabilities import program_sides, program_sources
from engine.games.chance_outcomes import format_probability
from engine.tree.trace import Step
from engine.tree.tree import SearchTree
from visualizer.narration.captions import BOUND_SIGNS, PROGRAM_STATUS_LABELS, QUIESCENCE_STATUS_LABELS, STATUS_LABELS
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import distinct_formatter
from visualizer.narration.rules import MissingRule, fill_slots, is_matching
from visualizer.narration.sentences import sentences_json
from visualizer.narration.step_facts import collect_facts, collect_numbers, collect_probabilities

NO_LINE = -1


def narration_json(tree: SearchTree) -> dict[str, Any]:
    """Return the data that the browser needs to describe a step of the search and to find its line of code."""
    code = [
        {"words": line.words, "when": line.when, "numbers": line.numbers, **({"steps": line.steps} if line.steps else {})}
        for line in tree_pseudocode(tree)
    ]
    labels = STATUS_LABELS | QUIESCENCE_STATUS_LABELS | (PROGRAM_STATUS_LABELS if program_sources(tree.game) else {})
    return {**sentences_json(tree), "code": code, "signs": BOUND_SIGNS, "howLeft": labels}


def tree_pseudocode(tree: SearchTree) -> Pseudocode:
    """Return the pseudo-code of the search. For a checked program it is the program's own text."""
    if own := program_sources(tree.game):
        return program_code(own, program_sides(tree.game))
    return ALGORITHMS[tree.algorithm].pseudocode(tree.question.options)


def program_code(sources: list[Any], sides: list[str]) -> Pseudocode:
    """Return the functions of a student's search as code, with the steps that are at their lines.

    `sides` tells who moves in the calls of each function: "max", "min", "both", or "root" for a function around the search.
    Steps that no line is known for highlight the last line, which is empty.
    """
    code: Pseudocode = []
    searches = frozenset(source.name.rpartition(".")[2] for source in sources)
    has_root = "root" in sides
    for source, side in zip(sources, sides, strict=True):
        facts: Conditions = {"root": side == "root"} if has_root else {}
        if side in ("max", "min"):
            facts["side"] = side
        at: dict[int, list[tuple[Conditions, float | None]]] = {}
        if sides.count(side) == 1 and not (side == "both" and len(sides) > 1 + has_root):  # else several functions fit a step
            for step in find_step_lines(source.lines, searches, facts):
                at.setdefault(step.line, []).append((step.when, step.value))
        code += [CodeLine("")] if code else []
        lines = [sanitize_line(line.expandtabs()) for line in source.lines]
        code += [CodeLine(line, steps=tuple(at.get(place, ()))) for place, line in enumerate(lines)]
    return [*code, CodeLine("", {})]


def find_code_line(step: Step) -> int:
    """Return the line of the pseudo-code that the step is at, or -1 if the algorithm declares no lines for steps."""
    code, facts = tree_pseudocode(step.node.tree), collect_facts(step)
    if all(line.when is None for line in code):
        return NO_LINE
    for place, line in enumerate(code):
        if any(is_matching(when, facts) and value in (None, step.value) for when, value in _list_steps(line)):
            return place
    raise MissingRule(f"the pseudo-code of {step.node.tree.algorithm} has no line for {dict(facts)}")


def _list_steps(line: CodeLine) -> list[tuple[Conditions, float | None]]:
    return [*line.steps] if line.when is None else [(line.when, None), *line.steps]


def format_code_line(step: Step) -> str:
    """Return the line with the numbers of the step: the operands of the test or of the maximum.

    >>> from engine import Trace, literal, search
    >>> steps = Trace(search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])))
    >>> [format_code_line(steps[at]) for at in (4, 5, 11, 12, 17)]
    ['min(∞, 3) = 3', 'α = −∞, β = 3', 'returns 3', 'max(−∞, 3) = 3', '2 ≤ α = 3']
    """
    place, numbers = find_code_line(step), collect_numbers(step)
    if place == NO_LINE:
        return ""
    written = distinct_formatter(*numbers.values(), window=(step.node.alpha, step.node.beta))
    slots = {name: written(number) for name, number in numbers.items()}
    slots |= {name: format_probability(p) for name, p in collect_probabilities(step).items()}
    return fill_slots(tree_pseudocode(step.node.tree)[place].numbers, slots.__getitem__)
