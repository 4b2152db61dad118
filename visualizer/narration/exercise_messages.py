"""Texts of exercises: the task, the solution and its reason, hints. If a step is the reason, its sentence is that of Step."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.checker.diagnosis.mistakes import MISTAKES, first_sentence
from engine.learning.call_checks import NEEDLESS_CALL, WRONG_CUTOFF, WRONG_WINDOW, WrongCall
from engine.learning.exercise import EXERCISE_TYPES, answer_format
from engine.learning.exercise_types import cut, mistake, order
from engine.learning.model import Exercise, ExerciseHint, Grade, GradedItem
from engine.tree.node import Node
from engine.tree.trace import Trace
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.numbers import format_count, format_number
from visualizer.narration.sentences import sentence

CUTOFF_RULES = {
    True: "The rule for cutoffs here: a node is left as soon as its value reaches the other side's bound (value ≥ β at MAX, "
    "value ≤ α at MIN).",
    False: "The rule for cutoffs here: a node is left only when its value is beyond the other side's bound (value > β at MAX, "
    "value < α at MIN); a value that only equals the bound does not cut.",
}
PART_NAMES = {cut.ANSWER_PART: "this node", mistake.ANSWER_PART: "the first wrong call"}
COUNT_LABELS = {"expanded": "Nodes visited", "leaves": "Leaves among them", "cutoffs": "Cutoffs"}


def exercise_prompt(exercise: Exercise) -> str:
    """Return the task, with the rule for cutoffs if it needs one."""
    node = exercise.search_tree[exercise.node]
    side = "MAX" if node.maximizing else "MIN"
    return EXERCISE_TYPES[exercise.kind].prompt.format(rule=CUTOFF_RULES[exercise.cut_on_equal], side=side)


def describe_node(exercise: Exercise, row: int) -> str:
    """Describe a node of the whole tree by the moves that lead to it."""
    names = [node.move_name for node in exercise.full_tree[row].path[1:]]
    return f"the node after {', '.join(names)}" if names else "the root"


def part_name(exercise: Exercise, part: str) -> str:
    """Return the name of a part of an answer."""
    if part in COUNT_LABELS:
        return COUNT_LABELS[part]
    if part in PART_NAMES:
        return PART_NAMES[part]
    if answer_format(exercise) == "order" and part != "0":  # the moves have other numbers where they were put in another order
        node = exercise.full_tree[int(part)]
        return f"a {'MAX' if node.maximizing else 'MIN'} node at depth {node.depth}"
    return describe_node(exercise, int(part))


def describe_answer(exercise: Exercise, part: str, given: Any) -> str:
    """Describe the answer to a part, given or wanted."""
    return ANSWER_FORMATTERS[answer_format(exercise)](exercise, part, given)


def _describe_reply(exercise: Exercise, part: str, after: int) -> str:
    return f"a cutoff after move {cut.list_replies(exercise)[after - 1].name}" if after else "no cutoff"


ANSWER_FORMATTERS: dict[str, Callable[[Exercise, str, Any], str]] = {
    "number": lambda exercise, part, given: format_number(given),
    "window": lambda exercise, part, given: f"{format_number(given[0])} to {format_number(given[1])}",
    "mark": lambda exercise, part, given: "pruned",
    "child": lambda exercise, part, given: f"move {given}",
    "order": lambda exercise, part, given: ", ".join(map(str, given)),
    "count": lambda exercise, part, given: str(given),
    "call": lambda exercise, part, given: describe_node(exercise, given),
    "reply": _describe_reply,
}


def describe_solution(exercise: Exercise, item: GradedItem) -> str:
    """Describe the solution of a part, and the answer if it was another."""
    name = capitalize_first(part_name(exercise, item.part))
    if answer_format(exercise) == "mark":
        return f"{name} is {'never visited' if item.wanted else 'visited'}."
    if answer_format(exercise) == "reply":
        return _describe_cutoff(exercise, item.wanted)
    if answer_format(exercise) == "call":
        instead = "" if item.right or item.given is None else f", not {describe_node(exercise, item.given)}"
        return f"{name} is {describe_node(exercise, item.wanted)}{instead}."
    if answer_format(exercise) == "order":
        best_first = (item.given or [0])[0] == item.wanted[0]
        return f"{name}: the best child {'comes' if best_first else 'does not come'} first."
    right = describe_answer(exercise, item.part, item.given if item.right else item.wanted)
    instead = "" if item.right or item.given is None else f", not {describe_answer(exercise, item.part, item.given)}"
    return f"{name}: {right} is right{instead}."


def _describe_cutoff(exercise: Exercise, after: int) -> str:
    if not after:
        return "Nothing is skipped here: there is no cutoff."
    return f"The search leaves this node after move {cut.list_replies(exercise)[after - 1].name}, with the others untried."


def describe_solutions(exercise: Exercise, items: Sequence[GradedItem]) -> str:
    """Describe the solutions of parts that have the same reason."""
    if answer_format(exercise) != "mark" or len(items) == 1:
        return " ".join(describe_solution(exercise, item) for item in items)
    listed = "; ".join(part_name(exercise, item.part).removeprefix("the node ") for item in items)
    return f"These nodes are {'never visited' if items[0].wanted else 'visited'}: {listed}."


def explain_solution(exercise: Exercise, item: GradedItem) -> str:
    """Explain the solution of a part."""
    if answer_format(exercise) in EXPLANATIONS:
        return EXPLANATIONS[answer_format(exercise)](exercise, item)
    return "" if item.step is None else sentence(Trace(exercise.search_tree)[item.step])


def _explain_mark(exercise: Exercise, item: GradedItem) -> str:
    """Explain a mark. For a node that is never visited, name the node of the cutoff, which is another one."""
    step = Trace(exercise.search_tree)[item.step or 0]
    return f"{capitalize_first(_describe_location(exercise, step.node))}: {sentence(step)}" if item.wanted else sentence(step)


def _describe_location(exercise: Exercise, node: Node) -> str:
    """Describe a node of the right search as a location."""
    names = [above.move_name for above in node.path[1:]]
    return f"at the node after {', '.join(names)}" if names else "at the root"


def _explain_order(exercise: Exercise, item: GradedItem) -> str:
    node = exercise.full_tree[int(item.part)]
    side = "MAX" if node.maximizing else "MIN"
    return f"{side} moves there, so the child that is worth {format_number(node.value)} should be tried first."


def _explain_count(exercise: Exercise, item: GradedItem) -> str:
    searched = exercise.search_tree
    if item.part == "expanded":
        left_out = [
            describe_node(exercise, row).removeprefix("the node ")
            for row in range(len(exercise.full_tree))
            if row not in exercise.visited_rows
        ]
        if not left_out:
            return f"Alpha-beta visits all {searched.expanded} nodes, the root and the leaves included."
        said = f"Alpha-beta visits {searched.expanded} of the {len(exercise.full_tree)} nodes, the root and the leaves included"
        return f"{said}; never those {'; '.join(left_out)}."
    if item.part == "leaves":
        values = ", ".join(format_number(node.value) for node in (searched[row] for row in range(len(searched))) if node.is_leaf)
        return f"{'This leaf is' if searched.leaves == 1 else 'These leaves are'} looked at: {values}."
    if item.step is None:
        return "There is no cutoff: every move is tried."
    skipped = f"{format_count(searched.cutoffs, 'cutoff')}, skipping {format_count(searched.skipped, 'move')} in all."
    first = Trace(searched)[item.step]
    return f"{skipped} The first is {_describe_location(exercise, first.node)}: {sentence(first)}"


def _explain_call(exercise: Exercise, item: GradedItem) -> str:
    return f"{describe_wrong_call(exercise, mistake.list_wrong_calls(exercise)[0])} {describe_program_mistake(exercise)}"


def describe_program_mistake(exercise: Exercise) -> str:
    """Describe the mistake of the program, from the catalogue.

    The advice of the catalogue fits only the rule that cuts at equal values; otherwise it is left out.
    """
    wrong = MISTAKES[exercise.wrong] if exercise.cut_on_equal else first_sentence(MISTAKES[exercise.wrong])
    return f"The mistake of this program: {wrong}"


EXPLANATIONS: dict[str, Callable[[Exercise, GradedItem], str]] = {
    "mark": _explain_mark,
    "order": _explain_order,
    "count": _explain_count,
    "call": _explain_call,
}


def describe_wrong_call(exercise: Exercise, call: WrongCall) -> str:
    """Describe how the record contradicts itself at a call."""
    record = mistake.faulty_search(exercise)
    node = record[call.row]
    side, window = "MAX" if node.maximizing else "MIN", f"{format_number(call.window[0])} to {format_number(call.window[1])}"
    if call.what == WRONG_WINDOW:
        own = f"{format_number(node.alpha)} to {format_number(node.beta)}"
        return f"It is entered with the window {own}, but the node above has {window} at that moment."
    if call.what == NEEDLESS_CALL:
        above = "MIN" if node.parent.maximizing is False else "MAX"
        return (
            f"It is searched although {above} already holds {format_number(call.value or 0)} above it, in the window {window}: "
            "the rule for cutoffs asks to skip it."
        )
    if call.what == WRONG_CUTOFF:
        held = format_number(call.value or 0)
        return f"It is left with moves untried although {side} holds only {held} there, inside the window {window}."
    return f"{side} got {format_number(call.value or 0)} from its children, but {format_number(node.value)} is given back."


def grade_headline(exercise: Exercise, grade: Grade) -> str:
    """Return the quality of the answer in a few words."""
    if answer_format(exercise) == "order":
        return _order_headline(exercise, grade)
    if grade.solved:
        return "All of it is right." if grade.total > 1 else "That is right."
    return f"{grade.right} of {format_count(grade.total, 'point')}."


def _order_headline(exercise: Exercise, grade: Grade) -> str:
    given = {item.part: item.given for item in grade.items if item.given is not None}
    visited, least = len(order.search_reordered(exercise, given)), order.minimal_node_count(exercise.difficulty)
    before = len(exercise.search_tree)
    if grade.solved:
        return f"That is the best order: {visited} nodes are visited instead of {before}, and no order needs fewer."
    return (
        f"{grade.right} of {format_count(grade.total, 'point')}: in this order alpha-beta visits {visited} nodes, in the order "
        f"that was there first {before}, and in the best one {least}."
    )


def format_hint(exercise: Exercise, help: ExerciseHint) -> str:
    """Return the text of a hint: the rule, the location, or the solution and its reason."""
    if help.grade == 1:
        return help.text
    if help.item is None:
        return "Everything that is there is right already."
    where = part_name(exercise, help.item.part)
    if help.grade == 2:
        return _hint_at_location(exercise, help.item, where)
    return f"{describe_solution(exercise, help.item)} {explain_solution(exercise, help.item)}"


def _hint_at_location(exercise: Exercise, item: GradedItem, where: str) -> str:
    if answer_format(exercise) == "call":
        call = mistake.list_wrong_calls(exercise)[0]
        ply = mistake.faulty_search(exercise)[call.row].depth
        looks = {
            WRONG_WINDOW: "the windows",
            NEEDLESS_CALL: "what should have been skipped",
            WRONG_CUTOFF: "what was skipped",
        }.get(call.what, "the values")
        return f"Look at {looks}, at depth {ply}."
    if answer_format(exercise) == "reply":
        node = exercise.search_tree[exercise.node]
        side, bound, name = ("MAX", node.beta, "beta") if node.maximizing else ("MIN", node.alpha, "alpha")
        return f"{side} moves here, so its best value so far is compared with {name}, which is {format_number(bound)}."
    if answer_format(exercise) == "count":
        return f"Count again: {where.lower()}."
    return f"Look at {where}."
