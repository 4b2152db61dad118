"""Texts of exercises: the task, the solution and its reason, hints. A reason that is a step has the same sentence as on Step."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.checker.diagnosis.mistakes import MISTAKES
from engine.games.capabilities import value_range
from engine.games.chance_outcomes import format_probability
from engine.learning.call_checks import NEEDLESS_CALL, WRONG_CUTOFF, WRONG_WINDOW, WrongCall
from engine.learning.exercise import EXERCISE_TYPES, answer_format
from engine.learning.exercise_types import backup, cut, mistake, order, ucb
from engine.learning.model import Exercise, ExerciseHint, Grade, GradedItem
from engine.learning.row_mapping import list_nodes
from engine.tree.node import Node
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.move_text import describe_path
from visualizer.narration.numbers import format_count, format_number
from visualizer.narration.sentences import sentence

CUTOFF_RULES = {
    True: "Rule for cutoffs: the search leaves a node as soon as its value reaches the other side's bound (value ≥ β at MAX, "
    "value ≤ α at MIN).",
    False: "Rule for cutoffs: the search leaves a node only when its value passes the other side's bound (value > β at MAX, "
    "value < α at MIN). An equal value does not cut off.",
}
PART_NAMES = {cut.ANSWER_PART: "this node", mistake.ANSWER_PART: "the first wrong call"}
COUNT_LABELS = {"expanded": "Nodes visited", "leaves": "Leaves visited", "cutoffs": "Cutoffs"}


def exercise_prompt(exercise: Exercise) -> str:
    """Return the task, with the rule for cutoffs if it needs one."""
    return fill_prompt(exercise, EXERCISE_TYPES[exercise.kind].prompt)


def fill_prompt(exercise: Exercise, prompt: str, name_node: Callable[[Exercise, int], str] | None = None) -> str:
    """Return a prompt with its fields filled in: the rule for cutoffs, the side to move, the range of leaves, and so on."""
    side = "MAX" if exercise.search_tree[exercise.node].maximizing else "MIN"
    options = exercise.question.options
    c, iterations = format_number(options.get("c", 0)), options.get("iterations", 1) - 1  # the last one is asked for
    event = _describe_iteration(exercise, name_node or describe_node) if "{event}" in prompt else ""
    low, high = map(format_number, value_range(exercise.question.game) or (0, 0))
    return prompt.format(
        rule=CUTOFF_RULES[exercise.cut_on_equal], side=side, c=c, iterations=iterations, low=low, high=high, event=event
    )


def _describe_iteration(exercise: Exercise, name_node: Callable[[Exercise, int], str]) -> str:
    """Describe where the next iteration of MCTS ends, and its result."""
    end, result = max(backup.path_nodes(exercise)), format_number(backup.result_for_max(exercise))
    where = name_node(exercise, end)
    if exercise.full_tree[end].status == "terminal":
        return f"ends at {where}, where the game is over, and its result counts {result} for MAX"
    return f"adds a child to {where}, and the playout from that child counts {result} for MAX"


def describe_node(exercise: Exercise, row: int) -> str:
    """Describe a node of the full tree by the moves that lead to it."""
    moves = describe_path(exercise.full_tree[row])
    return f"the node after {moves}" if moves else "the root"


def part_name(exercise: Exercise, part: str) -> str:
    """Return the name of a part of an answer."""
    if part in COUNT_LABELS:
        return COUNT_LABELS[part]
    if part in PART_NAMES:
        return PART_NAMES[part]
    if answer_format(exercise) == "order" and part != "0":  # reordering changes the numbers of the moves
        node = exercise.full_tree[int(part)]
        return f"a {'MAX' if node.maximizing else 'MIN'} node at depth {node.depth}"
    return describe_node(exercise, int(part))


def describe_answer(exercise: Exercise, part: str, answer: Any) -> str:
    """Describe an answer to a part, right or wrong."""
    return ANSWER_FORMATTERS[answer_format(exercise)](exercise, part, answer)


def _describe_reply(exercise: Exercise, part: str, after: int) -> str:
    return f"a cutoff after move {cut.list_replies(exercise)[after - 1].name}" if after else "no cutoff"


ANSWER_FORMATTERS: dict[str, Callable[[Exercise, str, Any], str]] = {
    "number": lambda exercise, part, answer: format_number(answer),
    "window": lambda exercise, part, answer: f"{format_number(answer[0])} to {format_number(answer[1])}",
    "mark": lambda exercise, part, answer: "pruned",
    "child": lambda exercise, part, answer: f"move {exercise.full_tree[int(part)].children[answer].move_name}",
    "order": lambda exercise, part, answer: ", ".join(map(str, answer)),
    "count": lambda exercise, part, answer: str(answer),
    "call": lambda exercise, part, answer: describe_node(exercise, answer),
    "reply": _describe_reply,
    "visits": lambda exercise, part, answer: f"{format_count(int(answer[0]), 'visit')} and mean {format_number(answer[1])}",
}


def describe_solution(exercise: Exercise, item: GradedItem) -> str:
    """Describe the solution of a part, and the answer if it was wrong."""
    name = capitalize_first(part_name(exercise, item.part))
    if answer_format(exercise) == "mark":
        return f"{name} is {'never visited' if item.expected else 'visited'}."
    if answer_format(exercise) == "reply":
        return _describe_cutoff(exercise, item.expected)
    if answer_format(exercise) == "call":
        instead = "" if item.right or item.answer is None else f", not {describe_node(exercise, item.answer)}"
        return f"{name} is {describe_node(exercise, item.expected)}{instead}."
    if answer_format(exercise) == "order":
        best_first = (item.answer or [0])[0] == item.expected[0]
        return f"{name}: the best child {'comes' if best_first else 'does not come'} first."
    right = describe_answer(exercise, item.part, item.answer if item.right else item.expected)
    instead = "" if item.right or item.answer is None else f", not {describe_answer(exercise, item.part, item.answer)}"
    return f"{name}: {right} is right{instead}."


def _describe_cutoff(exercise: Exercise, after: int) -> str:
    if not after:
        return "Nothing is skipped here: there is no cutoff."
    return f"The search leaves this node after move {cut.list_replies(exercise)[after - 1].name} and skips the others."


def describe_solutions(exercise: Exercise, items: Sequence[GradedItem]) -> str:
    """Describe the solutions of parts that have the same reason."""
    if answer_format(exercise) != "mark" or len(items) == 1:
        return " ".join(describe_solution(exercise, item) for item in items)
    listed = "; ".join(part_name(exercise, item.part).removeprefix("the node ") for item in items)
    return f"These nodes are {'never visited' if items[0].expected else 'visited'}: {listed}."


def explain_solution(exercise: Exercise, item: GradedItem) -> str:
    """Explain the solution of a part."""
    if answer_format(exercise) in EXPLANATIONS:
        return EXPLANATIONS[answer_format(exercise)](exercise, item)
    if answer_format(exercise) == "number":
        return _explain_value(exercise.full_tree[int(item.part)])
    if exercise.kind == "ucb":
        return explain_sums(exercise, [f"move {child.move_name}" for child in exercise.full_tree.root.children])
    return "" if item.step is None else sentence(exercise.search_tree.timeline[item.step])


def _explain_value(node: Node) -> str:
    """Explain a value by those of the children, and by the side that chooses among them."""
    values = [format_number(child.value) for child in node.children]
    if node.turn == "chance":
        return _explain_expectation(node)
    if len(values) == 1:
        return f"Its only child has the value {values[0]}."
    which = "largest" if node.maximizing else "smallest"
    listed = f"{', '.join(values[:-1])} and {values[-1]}"
    return f"{node.turn.upper()} moves there and chooses the {which} of the values below it: {listed}."


def _explain_expectation(node: Node) -> str:
    """Explain the value of a chance node by its sum."""
    products = (f"{format_probability(child.probability)} × {format_number(child.value)}" for child in node.children)
    return f"Chance moves there: {' + '.join(products)} = {format_number(node.value)}."


def explain_sums(exercise: Exercise, names: Sequence[str]) -> str:
    """Explain the choice of MCTS by the formula with the numbers of each child. `names` are those of the children, in order."""
    step, c = ucb.selecting_step(exercise), format_number(exercise.question.options["c"])
    visits = exercise.full_tree.root.visits
    sums = (
        f"{name}: {child.mean:.2f} + {c} · √(ln {visits} / {child.visits}) = {child.sum:.2f}"
        for name, child in zip(names, step.candidates, strict=True)
    )
    return f"The sums mean + c · √(ln N / n) are: {'; '.join(sums)}. The largest is selected."


def _explain_mark(exercise: Exercise, item: GradedItem) -> str:
    """Explain a mark. For a node that is never visited, name the node of the cutoff, which is another one."""
    step = exercise.search_tree.timeline[item.step or 0]
    return f"{capitalize_first(_describe_location(exercise, step.node))}: {sentence(step)}" if item.expected else sentence(step)


def _describe_location(exercise: Exercise, node: Node) -> str:
    """Describe a node of the right search as a location."""
    moves = describe_path(node)
    return f"at the node after {moves}" if moves else "at the root"


def _explain_order(exercise: Exercise, item: GradedItem) -> str:
    node = exercise.full_tree[int(item.part)]
    side = "MAX" if node.maximizing else "MIN"
    return f"{side} moves there, so the child with the value {format_number(node.value)} should come first."


def _explain_count(exercise: Exercise, item: GradedItem) -> str:
    tree = exercise.search_tree
    if item.part == "expanded":
        skipped = [
            describe_node(exercise, row).removeprefix("the node ")
            for row in range(len(exercise.full_tree))
            if row not in exercise.visited_rows
        ]
        if not skipped:
            return f"Alpha-beta visits all {tree.expanded} nodes, including the root and the leaves."
        visited = f"Alpha-beta visits {tree.expanded} of the {len(exercise.full_tree)} nodes, including the root and the leaves."
        return f"{visited} It never visits the {'node' if len(skipped) == 1 else 'nodes'} {'; '.join(skipped)}."
    if item.part == "leaves":
        values = ", ".join(format_number(node.value) for node in list_nodes(tree) if node.is_leaf)
        return f"The search visits {'this leaf' if tree.leaves == 1 else 'these leaves'}: {values}."
    if item.step is None:
        return "There is no cutoff: the search tries every move."
    verb = "skips" if tree.cutoffs == 1 else "skip"
    total = f"{format_count(tree.cutoffs, 'cutoff')} {verb} {format_count(tree.skipped, 'move')} in total."
    first = tree.timeline[item.step]
    return f"{total} The first is {_describe_location(exercise, first.node)}: {sentence(first)}"


def _explain_call(exercise: Exercise, item: GradedItem) -> str:
    return f"{describe_wrong_call(exercise, mistake.list_wrong_calls(exercise)[0])} {describe_program_mistake(exercise)}"


def explain_right_answer(exercise: Exercise, grade: Grade) -> str:
    """Return what a right answer does not say itself: the mistake of the program that it has found."""
    return _explain_call(exercise, grade.items[0]) if grade.solved and answer_format(exercise) == "call" else ""


def describe_program_mistake(exercise: Exercise) -> str:
    """Describe the mistake of the program, as the program checker does.

    The checker's advice fits only the rule that cuts off at equal values. Otherwise it is left out.
    """
    mistake_text = MISTAKES[exercise.mistake]
    advice = f" {mistake_text.fix}" if exercise.cut_on_equal else ""
    return f"The mistake in this program: {mistake_text.general_problem}{advice}"


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
    if call.fault == WRONG_WINDOW:
        own = f"{format_number(node.alpha)} to {format_number(node.beta)}"
        return f"Its window is {own}, but its parent has the window {window} at that moment."
    if call.fault == NEEDLESS_CALL:
        above = "MIN" if node.parent.maximizing is False else "MAX"
        return (
            f"The search visits it although {above} already has {format_number(call.value or 0)} one level up, with the window "
            f"{window}. By the rule for cutoffs it should be skipped."
        )
    if call.fault == WRONG_CUTOFF:
        best = format_number(call.value or 0)
        return f"The search skips moves here, but {side}'s best value {best} does not allow a cutoff in the window {window}."
    best = format_number(call.value or 0)
    return f"The best value of its children for {side} is {best}, but it returns {format_number(node.value)}."


MARK_POINT_RULE = "a wrong mark cancels a right one"
POINT_RULES = {  # by answer format: what earns a point, in exercises with several points
    "number": "one for each right value",
    "window": "one for each node with the right α and β",
    "child": "one for each right move",
    "visits": "one for each node with the right visits and mean",
    "count": "one for each right number",
}


def grade_headline(exercise: Exercise, grade: Grade) -> str:
    """Return the result of grading in one short sentence. It explains the points if some are lost."""
    if answer_format(exercise) == "order":
        return _order_headline(exercise, grade)
    if grade.solved:
        return "Everything is right." if grade.total > 1 else "That is right."
    points = f"{grade.right} of {format_count(grade.total, 'point')}"
    if answer_format(exercise) == "mark":
        return f"{points}: {_explain_mark_points(grade)}."
    rule = POINT_RULES.get(answer_format(exercise))
    return f"{points}: {rule}." if rule and grade.total > 1 else f"{points}."


def _explain_mark_points(grade: Grade) -> str:
    """Explain the points of marks: a wrong mark cancels a right one."""
    right, wrong = sum(item.right for item in grade.items), sum(item.expected is None for item in grade.items)
    if not wrong:
        return f"{right} of {format_count(grade.total, 'pruned node')} {'is' if grade.total == 1 else 'are'} marked"
    return f"{format_count(right, 'right mark')} minus {format_count(wrong, 'wrong mark')}, because {MARK_POINT_RULE}"


def _order_headline(exercise: Exercise, grade: Grade) -> str:
    answer = {item.part: item.answer for item in grade.items if item.answer is not None}
    visited, minimum = len(order.search_reordered(exercise, answer)), order.minimal_node_count(exercise.difficulty)
    original = len(exercise.search_tree)
    if grade.solved:
        return f"That is the best order: alpha-beta visits {visited} nodes instead of {original}, and no order needs fewer."
    return (
        f"{grade.right} of {format_count(grade.total, 'point')}: alpha-beta visits {visited} nodes in this order, {original} in "
        f"the original order and {minimum} in the best one. The points are your share of the nodes that can be saved."
    )


def format_hint(exercise: Exercise, hint: ExerciseHint) -> str:
    """Return the text of a hint: the rule, the location, or the solution and its reason."""
    if hint.number == 1:
        return hint.rule
    if hint.item is None:
        return "Your answer is already right."
    where = part_name(exercise, hint.item.part)
    if hint.number == 2:
        return _hint_at_location(exercise, hint.item, where)
    return f"{describe_solution(exercise, hint.item)} {explain_solution(exercise, hint.item)}"


def _hint_at_location(exercise: Exercise, item: GradedItem, where: str) -> str:
    if answer_format(exercise) == "call":
        call = mistake.list_wrong_calls(exercise)[0]
        ply = mistake.faulty_search(exercise)[call.row].depth
        subject = {
            WRONG_WINDOW: "the windows",
            NEEDLESS_CALL: "calls that should have been skipped",
            WRONG_CUTOFF: "the skipped moves",
        }.get(call.fault, "the values")
        return f"Look at {subject} at depth {ply}."
    if answer_format(exercise) == "reply":
        node = exercise.search_tree[exercise.node]
        side, bound, name = ("MAX", node.beta, "beta") if node.maximizing else ("MIN", node.alpha, "alpha")
        return f"{side} moves here, so compare its best value so far with {name}, which is {format_number(bound)}."
    if answer_format(exercise) == "count":
        return f"Count again: {where.lower()}."
    return f"Look at {where}."
