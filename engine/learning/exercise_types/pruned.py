"""Find the pruned nodes: which nodes does alpha-beta never visit? Branches and everything below them count."""

from collections.abc import Callable
from typing import Any

from engine.checker.diagnosis.mistakes import MISTAKES, first_sentence
from engine.learning import answer_parsing
from engine.learning.exercise_trees import draw_question, find_deciding_step, inner_rows
from engine.learning.faulty_searches import FAULTY_DECISIONS, AlphaBetaDecisions, ShallowOnly, run_faulty_search
from engine.learning.model import Answer, Exercise, ExerciseType, GradedItem, Misconception, make_misconception
from engine.learning.row_mapping import map_rows
from engine.learning.seeded_random import SeededRandom
from engine.searcher import search
from engine.tree.tree import SearchTree

MISTAKES_WITHOUT_CUTOFFS = (
    "window-not-passed",
    "sides-do-not-alternate",
    "no-cutoff",
)  # from an open window: as if nothing were marked
SKIPPED_THRESHOLDS = {1: 2, 2: 3, 3: 4, 4: 6, 5: 6}  # nodes, by difficulty: from one to so many


def draw_exercise(lots: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(lots, difficulty)
    if question is None:
        return None
    skipped = len(search(question.replace(algorithm="minimax"))) - len(search(question))
    return {"question": question} if skipped > lots.draw_below(SKIPPED_THRESHOLDS[difficulty]) else None


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _mark_rows(set(range(len(exercise.full_tree))) - set(exercise.visited_rows))


def _mark_rows(rows: set[int]) -> dict[str, Any]:
    return {str(row): True for row in sorted(rows)}


def score_answer(exercise: Exercise, given: Answer, items: tuple[GradedItem, ...]) -> tuple[int, int]:
    """Return the points. A wrong mark cancels a right one."""
    wanted = sum(item.wanted is not None for item in items)
    wrong = sum(item.wanted is None for item in items)
    return max(0, sum(item.right for item in items) - wrong), wanted


def _mark_unvisited(exercise: Exercise, tree: SearchTree) -> dict[str, Any]:
    """Mark the nodes that this search does not visit."""
    return _mark_rows(set(range(len(exercise.full_tree))) - set(map_rows(exercise.full_tree, tree)))


def _mark_by_other_rule(exercise: Exercise) -> dict[str, Any]:
    question = exercise.question
    return _mark_unvisited(exercise, search(question.replace(cut_on_equal=not exercise.cut_on_equal)))


def _make_faulty_answer(hand: Callable[[], AlphaBetaDecisions]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a search with these decisions."""
    return lambda exercise: _mark_unvisited(exercise, run_faulty_search(exercise.question, hand()))


def _mark_tops(exercise: Exercise) -> dict[str, Any]:
    """Mark only the topmost pruned nodes."""
    pruned = {int(part) for part in answer_key(exercise)}
    return _mark_rows({row for row in pruned if exercise.full_tree.path(row)[-2] not in pruned})


def _mark_leaves(exercise: Exercise) -> dict[str, Any]:
    """Mark only the pruned leaves."""
    return _mark_rows({int(part) for part in answer_key(exercise)} - set(inner_rows(exercise.full_tree)))


def _mark_with_cause(exercise: Exercise) -> dict[str, Any]:
    """Mark the pruned nodes and, with everything below it, the child whose value made each cutoff."""
    whole, searched = exercise.full_tree, exercise.search_tree
    places = map_rows(whole, searched)
    causes = [places[searched.child_rows(row)[-1]] for row in range(len(searched)) if searched[row].pruned]
    return _mark_rows({int(part) for part in answer_key(exercise)}.union(*(range(row, whole[row].end) for row in causes)))


def _mark_with_node(exercise: Exercise) -> dict[str, Any]:
    """Mark the nodes at which a cutoff happened, with everything below them."""
    whole, searched = exercise.full_tree, exercise.search_tree
    places = map_rows(whole, searched)
    cut = [places[row] for row in range(len(searched)) if searched[row].pruned]
    return _mark_rows(set().union(*(range(row, whole[row].end) for row in cut)))


def _make_misconceptions() -> tuple[Misconception, ...]:
    """Return a misconception for each search mistake of the checker that prunes something."""
    return tuple(
        make_misconception(
            name,
            f"A search with this mistake prunes just so: {_lower_first_letter(first_sentence(MISTAKES[name]))}",
            _make_faulty_answer(hand),
        )
        for name, hand in FAULTY_DECISIONS.items()
        if name not in MISTAKES_WITHOUT_CUTOFFS
    )


def _lower_first_letter(text: str) -> str:
    return text[0].lower() + text[1:]


EXERCISE_TYPE = ExerciseType(
    name="pruned",
    title="What is pruned?",
    prompt="Alpha-beta searches this tree from left to right. Mark every node that it never visits, branches and leaves. {rule}",
    how="mark",
    rule="Go through the tree as the search does, with alpha and beta. A node is left as soon as its value reaches the "
    "other side's "
    "bound: its other children, and all that is below them, are never visited.",
    build=draw_exercise,
    searched_by="alphabeta",
    key=answer_key,
    read=lambda exercise, part, given: answer_parsing.read_mark(given),
    step=lambda exercise, part: find_deciding_step(exercise, int(part), entering=True),
    parts=lambda exercise: [str(row) for row in range(1, len(exercise.full_tree))],
    points=score_answer,
    thoughts=(
        make_misconception(
            "nothing", "Nothing is marked, as if this were minimax: alpha-beta leaves something out here.", lambda exercise: {}
        ),
        make_misconception(
            "other-rule",
            "This is what the other rule for cutoffs prunes. A value that only equals the bound makes the difference: the "
            "rule here "
            "is said above the tree.",
            _mark_by_other_rule,
        ),
        make_misconception(
            "deep-cutoffs",
            "All cutoffs by the parent's value are there, but not the deep ones: a bound also comes from nodes further up "
            "the path.",
            _make_faulty_answer(ShallowOnly),
        ),
        make_misconception(
            "tops-only", "The branches are right, but what hangs below them is pruned with them: mark that, too.", _mark_tops
        ),
        make_misconception(
            "leaves-only", "The leaves are right, but the inner nodes above some of them are never visited either.", _mark_leaves
        ),
        make_misconception(
            "with-cause",
            "The child whose value makes the cutoff is marked, too: it has to be visited, or nobody would know its value.",
            _mark_with_cause,
        ),
        make_misconception(
            "with-node",
            "The nodes themselves at which a cutoff happens are marked, too: they are visited, and only the rest of their "
            "children is not.",
            _mark_with_node,
        ),
        *_make_misconceptions(),
    ),
)
