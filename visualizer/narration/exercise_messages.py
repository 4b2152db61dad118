"""What is said about exercises: the task, what is right and why, hints. Where a step is the reason, Step has the sentence."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.checker.diagnosis.mistakes import MISTAKES, first_sentence
from engine.learning.call_checks import CUT, ENTERED, MADE, WrongCall
from engine.learning.exercise import KINDS, how_answered
from engine.learning.exercise_types import cut, mistake, order
from engine.learning.model import Exercise, Grade, Help, Item
from engine.tree.node import Node
from engine.tree.trace import Trace
from visualizer.narration.ladder_messages import capital
from visualizer.narration.numbers import counted, number
from visualizer.narration.sentences import sentence

RULES = {
    True: "The rule for cutoffs here: a node is left as soon as its value reaches the other side's bound (value ≥ β at MAX, "
    "value ≤ α at MIN).",
    False: "The rule for cutoffs here: a node is left only when its value is beyond the other side's bound (value > β at MAX, "
    "value < α at MIN); a value that only equals the bound does not cut.",
}
NAMED = {cut.PART: "this node", mistake.PART: "the first wrong call"}
COUNTS = {"expanded": "Nodes visited", "leaves": "Leaves among them", "cutoffs": "Cutoffs"}


def prompt(exercise: Exercise) -> str:
    """The task, with the rule for cutoffs where there is one."""
    node = exercise.searched[exercise.node]
    side = "MAX" if node.maximizing else "MIN"
    return KINDS[exercise.kind].prompt.format(rule=RULES[exercise.cut_on_equal], side=side)


def place(exercise: Exercise, row: int) -> str:
    """A node of the whole tree, by the moves that lead to it."""
    names = [node.move_name for node in exercise.whole[row].path[1:]]
    return f"the node after {', '.join(names)}" if names else "the root"


def part_name(exercise: Exercise, part: str) -> str:
    """A part of an answer."""
    if part in COUNTS:
        return COUNTS[part]
    if part in NAMED:
        return NAMED[part]
    if how_answered(exercise) == "order" and part != "0":  # the moves have other numbers where they were put in another order
        node = exercise.whole[int(part)]
        return f"a {'MAX' if node.maximizing else 'MIN'} node at depth {node.depth}"
    return place(exercise, int(part))


def in_words(exercise: Exercise, part: str, given: Any) -> str:
    """What was given for a part, or is wanted there."""
    return SAID[how_answered(exercise)](exercise, part, given)


def _reply(exercise: Exercise, part: str, after: int) -> str:
    return f"a cutoff after move {cut.replies(exercise)[after - 1].name}" if after else "no cutoff"


SAID: dict[str, Callable[[Exercise, str, Any], str]] = {
    "number": lambda exercise, part, given: number(given),
    "window": lambda exercise, part, given: f"{number(given[0])} to {number(given[1])}",
    "mark": lambda exercise, part, given: "pruned",
    "child": lambda exercise, part, given: f"move {given}",
    "order": lambda exercise, part, given: ", ".join(map(str, given)),
    "count": lambda exercise, part, given: str(given),
    "call": lambda exercise, part, given: place(exercise, given),
    "reply": _reply,
}


def told(exercise: Exercise, item: Item) -> str:
    """What is right at a part, and that something else was given."""
    name = capital(part_name(exercise, item.part))
    if how_answered(exercise) == "mark":
        return f"{name} is {'never visited' if item.wanted else 'visited'}."
    if how_answered(exercise) == "reply":
        return _told_of_replies(exercise, item.wanted)
    if how_answered(exercise) == "call":
        instead = "" if item.right or item.given is None else f", not {place(exercise, item.given)}"
        return f"{name} is {place(exercise, item.wanted)}{instead}."
    if how_answered(exercise) == "order":
        best_first = (item.given or [0])[0] == item.wanted[0]
        return f"{name}: the best child {'comes' if best_first else 'does not come'} first."
    right = in_words(exercise, item.part, item.given if item.right else item.wanted)
    instead = "" if item.right or item.given is None else f", not {in_words(exercise, item.part, item.given)}"
    return f"{name}: {right} is right{instead}."


def _told_of_replies(exercise: Exercise, after: int) -> str:
    if not after:
        return "Nothing is skipped here: there is no cutoff."
    return f"The search leaves this node after move {cut.replies(exercise)[after - 1].name}, with the others untried."


def told_together(exercise: Exercise, items: Sequence[Item]) -> str:
    """The same of parts that have the same reason."""
    if how_answered(exercise) != "mark" or len(items) == 1:
        return " ".join(told(exercise, item) for item in items)
    listed = "; ".join(part_name(exercise, item.part).removeprefix("the node ") for item in items)
    return f"These nodes are {'never visited' if items[0].wanted else 'visited'}: {listed}."


def reason(exercise: Exercise, item: Item) -> str:
    """Why a part is as it is."""
    if how_answered(exercise) in REASONS:
        return REASONS[how_answered(exercise)](exercise, item)
    return "" if item.step is None else sentence(Trace(exercise.searched)[item.step])


def _of_mark(exercise: Exercise, item: Item) -> str:
    """Of what is never visited the node is named at which the cutoff happens: it is another one."""
    step = Trace(exercise.searched)[item.step or 0]
    return f"{capital(_where(exercise, step.node))}: {sentence(step)}" if item.wanted else sentence(step)


def _where(exercise: Exercise, node: Node) -> str:
    """A node of the right search, as a place where something happens."""
    names = [above.move_name for above in node.path[1:]]
    return f"at the node after {', '.join(names)}" if names else "at the root"


def _of_order(exercise: Exercise, item: Item) -> str:
    node = exercise.whole[int(item.part)]
    side = "MAX" if node.maximizing else "MIN"
    return f"{side} moves there, so the child that is worth {number(node.value)} should be tried first."


def _of_count(exercise: Exercise, item: Item) -> str:
    searched = exercise.searched
    if item.part == "expanded":
        left_out = [
            place(exercise, row).removeprefix("the node ") for row in range(len(exercise.whole)) if row not in exercise.visited
        ]
        if not left_out:
            return f"Alpha-beta visits all {searched.expanded} nodes, the root and the leaves included."
        said = f"Alpha-beta visits {searched.expanded} of the {len(exercise.whole)} nodes, the root and the leaves included"
        return f"{said}; never those {'; '.join(left_out)}."
    if item.part == "leaves":
        values = ", ".join(number(node.value) for node in (searched[row] for row in range(len(searched))) if node.is_leaf)
        return f"{'This leaf is' if searched.leaves == 1 else 'These leaves are'} looked at: {values}."
    if item.step is None:
        return "There is no cutoff: every move is tried."
    skipped = f"{counted(searched.cutoffs, 'cutoff')}, skipping {counted(searched.skipped, 'move')} in all."
    first = Trace(searched)[item.step]
    return f"{skipped} The first is {_where(exercise, first.node)}: {sentence(first)}"


def _of_call(exercise: Exercise, item: Item) -> str:
    return f"{what_is_wrong(exercise, mistake.calls_of(exercise)[0])} {mistake_words(exercise)}"


def mistake_words(exercise: Exercise) -> str:
    """What the program does wrong, as the catalogue has it, whose advice fits the rule that cuts at equal values."""
    wrong = MISTAKES[exercise.wrong] if exercise.cut_on_equal else first_sentence(MISTAKES[exercise.wrong])
    return f"The mistake of this program: {wrong}"


REASONS: dict[str, Callable[[Exercise, Item], str]] = {
    "mark": _of_mark,
    "order": _of_order,
    "count": _of_count,
    "call": _of_call,
}


def what_is_wrong(exercise: Exercise, call: WrongCall) -> str:
    """How the record contradicts itself at a call."""
    record = mistake.record_of(exercise)
    node = record[call.row]
    side, window = "MAX" if node.maximizing else "MIN", f"{number(call.window[0])} to {number(call.window[1])}"
    if call.what == ENTERED:
        own = f"{number(node.alpha)} to {number(node.beta)}"
        return f"It is entered with the window {own}, but the node above has {window} at that moment."
    if call.what == MADE:
        above = "MIN" if node.parent.maximizing is False else "MAX"
        return (
            f"It is searched although {above} already holds {number(call.value or 0)} above it, in the window {window}: "
            "the rule for cutoffs asks to skip it."
        )
    if call.what == CUT:
        held = number(call.value or 0)
        return f"It is left with moves untried although {side} holds only {held} there, inside the window {window}."
    return f"{side} got {number(call.value or 0)} from its children, but {number(node.value)} is given back."


def headline(exercise: Exercise, grade: Grade) -> str:
    """How good the answer is, in a few words."""
    if how_answered(exercise) == "order":
        return _order_headline(exercise, grade)
    if grade.solved:
        return "All of it is right." if grade.total > 1 else "That is right."
    return f"{grade.right} of {counted(grade.total, 'point')}."


def _order_headline(exercise: Exercise, grade: Grade) -> str:
    given = {item.part: item.given for item in grade.items if item.given is not None}
    visited, least = len(order.reordered(exercise, given)), order.least_of(exercise.difficulty)
    before = len(exercise.searched)
    if grade.solved:
        return f"That is the best order: {visited} nodes are visited instead of {before}, and no order needs fewer."
    return (
        f"{grade.right} of {counted(grade.total, 'point')}: in this order alpha-beta visits {visited} nodes, in the order "
        f"that was there first {before}, and in the best one {least}."
    )


def hint_words(exercise: Exercise, help: Help) -> str:
    """A hint: the rule, where to look, or what is right there and why."""
    if help.grade == 1:
        return help.text
    if help.item is None:
        return "Everything that is there is right already."
    where = part_name(exercise, help.item.part)
    if help.grade == 2:
        return _where_to_look(exercise, help.item, where)
    return f"{told(exercise, help.item)} {reason(exercise, help.item)}"


def _where_to_look(exercise: Exercise, item: Item, where: str) -> str:
    if how_answered(exercise) == "call":
        call = mistake.calls_of(exercise)[0]
        ply = mistake.record_of(exercise)[call.row].depth
        looks = {ENTERED: "the windows", MADE: "what should have been skipped", CUT: "what was skipped"}.get(
            call.what, "the values"
        )
        return f"Look at {looks}, at depth {ply}."
    if how_answered(exercise) == "reply":
        node = exercise.searched[exercise.node]
        side, bound, name = ("MAX", node.beta, "beta") if node.maximizing else ("MIN", node.alpha, "alpha")
        return f"{side} moves here, so its best value so far is compared with {name}, which is {number(bound)}."
    if how_answered(exercise) == "count":
        return f"Count again: {where.lower()}."
    return f"Look at {where}."
