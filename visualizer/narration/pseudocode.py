"""The pseudo-code of a search, the line of a step, and that line with the numbers of the step.

An algorithm declares for each line the facts of the steps that are at it (engine/algorithms/templates.py). This module and
`viewer/assets/model/pseudocode.js` only look it up.
"""

import re
from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.templates import CodeLine, Pseudocode
from engine.games.capabilities import program_sources
from engine.games.chance_outcomes import format_probability
from engine.tree.trace import Step
from engine.tree.tree import SearchTree
from visualizer.narration.captions import BOUND_SIGNS, QUIESCENCE_STATUS_LABELS, STATUS_LABELS
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import distinct_formatter
from visualizer.narration.rules import MissingRule, fill_slots, is_matching
from visualizer.narration.sentences import sentences_json
from visualizer.narration.step_facts import collect_facts, collect_numbers, collect_probabilities

NO_LINE = -1


def narration_json(tree: SearchTree) -> dict[str, Any]:
    """Return the data that the browser needs to describe a step of the search and to find its line of code."""
    code = [{"words": line.words, "when": line.when, "numbers": line.numbers} for line in tree_pseudocode(tree)]
    return {**sentences_json(tree), "code": code, "signs": BOUND_SIGNS, "howLeft": STATUS_LABELS | QUIESCENCE_STATUS_LABELS}


def tree_pseudocode(tree: SearchTree) -> Pseudocode:
    """Return the pseudo-code of the search. For a checked program it is the program's own text."""
    if own := program_sources(tree.game):
        return program_code(own)
    return ALGORITHMS[tree.algorithm].pseudocode(tree.question.options)


def program_code(sources: list[Any]) -> Pseudocode:
    """Return the functions of a student's search as code.

    Entering a call highlights the head of the first function. Returning from a call highlights the line that makes it. All other
    steps highlight the last line.
    """
    lines = [sanitize_line(line.expandtabs()) for source in sources for line in ("", *source.lines)][1:]
    names = [source.name.rpartition(".")[2] for source in sources]
    heads = [place for place, line in enumerate(lines) if re.match(r"\s*def ", line)]
    calling = [
        place
        for place, line in enumerate(lines)
        if place not in heads and any(re.search(rf"\b{re.escape(name)}\(", line) for name in names)
    ]
    code = [CodeLine(line) for line in lines]
    if not heads or not calling:
        return code
    code[heads[0]] = CodeLine(lines[heads[0]], {"step": "enter"})
    sides = zip(("max", "min"), (calling[0], calling[1] if len(calling) > 1 else calling[0]), strict=True)
    for side, place in sides:
        code[place] = CodeLine(lines[place], {"step": "return"} if len(calling) == 1 else {"step": "return", "side": side})
    return [*code, CodeLine("", {})]


def find_code_line(step: Step) -> int:
    """Return the line of the pseudo-code that the step is at, or -1 if the algorithm declares no lines for steps."""
    code, facts = tree_pseudocode(step.node.tree), collect_facts(step)
    if all(line.when is None for line in code):
        return NO_LINE
    for place, line in enumerate(code):
        if line.when is not None and is_matching(line.when, facts):
            return place
    raise MissingRule(f"the pseudo-code of {step.node.tree.algorithm} has no line for {dict(facts)}")


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
