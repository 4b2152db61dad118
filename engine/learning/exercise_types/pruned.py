"""Find the pruned nodes: which nodes does alpha-beta never visit? Inner nodes and leaves count."""

from collections.abc import Callable
from typing import Any

from engine.checker.diagnosis.mistakes import MISTAKES
from engine.learning import answer_parsing
from engine.learning.exercise_trees import draw_question, find_deciding_step, inner_rows
from engine.learning.faulty_searches import FAULTY_DECISIONS, AlphaBetaDecisions, ShallowOnly, run_faulty_search
from engine.learning.model import Answer, Exercise, ExerciseType, GradedItem, Misconception, make_misconception
from engine.learning.row_mapping import map_rows
from engine.learning.seeded_random import SeededRandom
from engine.searcher import search
from engine.tree.tree import SearchTree

MISTAKES_WITHOUT_CUTOFFS = ("window-not-passed", "sides-do-not-alternate", "no-cutoff")  # they prune nothing from an open window
SKIPPED_THRESHOLDS = {1: 2, 2: 3, 3: 4, 4: 6, 5: 6}  # by difficulty: the minimum of skipped nodes is drawn from 1 to this


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(rng, difficulty)
    if question is None:
        return None
    skipped = len(search(question.replace(algorithm="minimax"))) - len(search(question))
    return {"question": question} if skipped > rng.draw_below(SKIPPED_THRESHOLDS[difficulty]) else None


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return mark_rows(set(range(len(exercise.full_tree))) - set(exercise.visited_rows))


def mark_rows(rows: set[int]) -> dict[str, Any]:
    """Return an answer that marks these rows."""
    return {str(row): True for row in sorted(rows)}


def score_answer(exercise: Exercise, answer: Answer, items: tuple[GradedItem, ...]) -> tuple[int, int]:
    """Return the points. A wrong mark cancels a right one."""
    expected = sum(item.expected is not None for item in items)
    wrong = sum(item.expected is None for item in items)
    return max(0, sum(item.right for item in items) - wrong), expected


def _mark_unvisited(exercise: Exercise, tree: SearchTree) -> dict[str, Any]:
    """Mark the nodes that this search does not visit."""
    return mark_rows(set(range(len(exercise.full_tree))) - set(map_rows(exercise.full_tree, tree)))


def _mark_by_other_rule(exercise: Exercise) -> dict[str, Any]:
    question = exercise.question
    return _mark_unvisited(exercise, search(question.replace(cut_on_equal=not exercise.cut_on_equal)))


def _make_faulty_answer(decisions: Callable[[], AlphaBetaDecisions]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a search with these decisions."""
    return lambda exercise: _mark_unvisited(exercise, run_faulty_search(exercise.question, decisions()))


def _mark_tops(exercise: Exercise) -> dict[str, Any]:
    """Mark only the topmost pruned nodes."""
    pruned = {int(part) for part in answer_key(exercise)}
    return mark_rows({row for row in pruned if exercise.full_tree.path(row)[-2] not in pruned})


def _mark_leaves(exercise: Exercise) -> dict[str, Any]:
    """Mark only the pruned leaves."""
    return mark_rows({int(part) for part in answer_key(exercise)} - set(inner_rows(exercise.full_tree)))


def _mark_with_cause(exercise: Exercise) -> dict[str, Any]:
    """Mark the pruned nodes and the children whose values caused the cutoffs, with everything below them."""
    full_tree, tree = exercise.full_tree, exercise.search_tree
    full_rows = map_rows(full_tree, tree)
    causes = [full_rows[tree.child_rows(row)[-1]] for row in range(len(tree)) if tree[row].pruned]
    return mark_rows({int(part) for part in answer_key(exercise)}.union(*(range(row, full_tree[row].end) for row in causes)))


def _mark_with_node(exercise: Exercise) -> dict[str, Any]:
    """Mark the nodes where a cutoff happened, with everything below them."""
    full_tree, tree = exercise.full_tree, exercise.search_tree
    full_rows = map_rows(full_tree, tree)
    cut_rows = [full_rows[row] for row in range(len(tree)) if tree[row].pruned]
    return mark_rows(set().union(*(range(row, full_tree[row].end) for row in cut_rows)))


def _make_misconceptions() -> tuple[Misconception, ...]:
    """Return a misconception for each search mistake of the checker that prunes something."""
    return tuple(
        make_misconception(
            name,
            f"A search with this mistake prunes exactly these nodes: {_lower_first_letter(MISTAKES[name].general_problem)}",
            _make_faulty_answer(decisions),
        )
        for name, decisions in FAULTY_DECISIONS.items()
        if name not in MISTAKES_WITHOUT_CUTOFFS
    )


def _lower_first_letter(text: str) -> str:
    return text[0].lower() + text[1:]


EXERCISE_TYPE = ExerciseType(
    name="pruned",
    title="What is pruned?",
    prompt="Alpha-beta searches this tree from left to right. Mark every node that it never visits, inner nodes and leaves. "
    "{rule}",
    answer_format="mark",
    rule="Go through the tree as the search does, with alpha and beta. The search leaves a node as soon as the rule for cutoffs "
    "allows it. It never visits the remaining children and the nodes below them.",
    draw=draw_exercise,
    user_tree_algorithm="alphabeta",
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_mark(raw),
    find_step=lambda exercise, part: find_deciding_step(exercise, int(part), entering=True),
    list_parts=lambda exercise: [str(row) for row in range(1, len(exercise.full_tree))],
    score_answer=score_answer,
    misconceptions=(
        make_misconception(
            "nothing", "Nothing is marked, as in minimax. But alpha-beta skips something here.", lambda exercise: {}
        ),
        make_misconception(
            "other-rule",
            "These nodes are pruned by the other rule for cutoffs. The rules differ where a value equals the bound: read the "
            "rule above the tree.",
            _mark_by_other_rule,
        ),
        make_misconception(
            "deep-cutoffs",
            "The cutoffs by the parent's value are right, but the deep cutoffs are missing. A bound can also come from a node "
            "higher up on the path.",
            _make_faulty_answer(ShallowOnly),
        ),
        make_misconception(
            "tops-only", "The top nodes are right, but everything below them is pruned, too. Mark that as well.", _mark_tops
        ),
        make_misconception(
            "leaves-only",
            "The leaves are right, but the search never visits the inner nodes above some of them, either.",
            _mark_leaves,
        ),
        make_misconception(
            "with-cause",
            "The child whose value causes the cutoff is marked, too. But the search must visit it to find its value.",
            _mark_with_cause,
        ),
        make_misconception(
            "with-node",
            "The nodes where a cutoff happens are marked, too. But the search visits them and skips only their remaining "
            "children.",
            _mark_with_node,
        ),
        *_make_misconceptions(),
    ),
)
