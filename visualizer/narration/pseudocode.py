"""The pseudo-code of a search, the line that a step is at, and that line with the numbers of the step.

An algorithm says which of its lines a step is at, by the facts of the step (engine/algorithms/templates.py); here and in
`viewer/assets/model/pseudocode.js` that is only looked up.
"""

import re
from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.templates import Code, CodeLine
from engine.games.capabilities import sources_of
from engine.tree.trace import Step
from engine.tree.tree import SearchTree
from visualizer.narration.captions import HOW_LEFT, HOW_LEFT_BEYOND, SIGNS
from visualizer.narration.escapes import plain
from visualizer.narration.numbers import telling_apart
from visualizer.narration.rules import NoRule, filled, holds
from visualizer.narration.sentences import sentences_json
from visualizer.narration.step_facts import facts_of, numbers_of

NO_LINE = -1


def words_json(tree: SearchTree) -> dict[str, Any]:
    """All that the browser needs to say what happens in a step of the search, and at which line of its code that is."""
    code = [{"words": line.words, "when": line.when, "numbers": line.numbers} for line in code_of(tree)]
    return {**sentences_json(tree), "code": code, "signs": SIGNS, "howLeft": HOW_LEFT | HOW_LEFT_BEYOND}


def code_of(tree: SearchTree) -> Code:
    """The pseudo-code that goes with the search; of a program that was watched its own text."""
    if own := sources_of(tree.game):
        return source_code(own)
    return ALGORITHMS[tree.algorithm].pseudocode(tree.question.options)


def source_code(sources: list[Any]) -> Code:
    """The functions of a student's search as code: a call that is entered lights the head of the first of them, a call that comes
    back the line that calls it, everything else the last line."""
    lines = [plain(line.expandtabs()) for source in sources for line in ("", *source.lines)][1:]
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


def code_line(step: Step) -> int:
    """The line of the pseudo-code that the step is at; -1 if the algorithm says of none of its lines when a step is at it."""
    code, facts = code_of(step.node.tree), facts_of(step)
    if all(line.when is None for line in code):
        return NO_LINE
    for place, line in enumerate(code):
        if line.when is not None and holds(line.when, facts):
            return place
    raise NoRule(f"no line of the pseudo-code of {step.node.tree.algorithm} is for {dict(facts)}")


def line_numbers(step: Step) -> str:
    """The line with the numbers of the step: what the test compares, what the maximum is taken of.

    >>> from engine import Trace, literal, search
    >>> steps = Trace(search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])))
    >>> [line_numbers(steps[at]) for at in (4, 5, 11, 12, 17)]
    ['min(∞, 3) = 3', 'α = −∞, β = 3', 'returns 3', 'max(−∞, 3) = 3', '2 ≤ α = 3']
    """
    place, numbers = code_line(step), numbers_of(step)
    if place == NO_LINE:
        return ""
    written = telling_apart(*numbers.values(), window=(step.node.alpha, step.node.beta))
    return filled(code_of(step.node.tree)[place].numbers, {name: written(number) for name, number in numbers.items()}.__getitem__)
