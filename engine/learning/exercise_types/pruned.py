"""What is pruned: which nodes does alpha-beta never visit? Branches and all that hangs below them."""

from collections.abc import Callable
from typing import Any

from engine.checker.diagnosis.mistakes import MISTAKES, first_sentence
from engine.learning import answer_parsing
from engine.learning.exercise_trees import inner_rows, random_question, step_about
from engine.learning.faulty_searches import WRONG, Right, ShallowOnly, searched_wrongly
from engine.learning.model import Answer, Exercise, ExerciseKind, Item, Thought, thinking
from engine.learning.row_mapping import rows_in
from engine.learning.seeded_random import Lots
from engine.searcher import search
from engine.tree.tree import SearchTree

CUT_NOTHING = ("window-not-passed", "sides-do-not-alternate", "no-cutoff")  # from an open window: as if nothing were marked
LEAST_SKIPPED = {1: 2, 2: 3, 3: 4, 4: 6, 5: 6}  # nodes, by difficulty: from one to so many


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    question = random_question(lots, difficulty)
    if question is None:
        return None
    skipped = len(search(question.replace(algorithm="minimax"))) - len(search(question))
    return {"question": question} if skipped > lots.below(LEAST_SKIPPED[difficulty]) else None


def key(exercise: Exercise) -> dict[str, Any]:
    return _marks(set(range(len(exercise.whole))) - set(exercise.visited))


def _marks(rows: set[int]) -> dict[str, Any]:
    return {str(row): True for row in sorted(rows)}


def points(exercise: Exercise, given: Answer, items: tuple[Item, ...]) -> tuple[int, int]:
    """A mark too many takes away what a right one brings."""
    wanted = sum(item.wanted is not None for item in items)
    wrong = sum(item.wanted is None for item in items)
    return max(0, sum(item.right for item in items) - wrong), wanted


def _not_visited(exercise: Exercise, tree: SearchTree) -> dict[str, Any]:
    return _marks(set(range(len(exercise.whole))) - set(rows_in(exercise.whole, tree)))


def _other_rule(exercise: Exercise) -> dict[str, Any]:
    question = exercise.question
    return _not_visited(exercise, search(question.replace(cut_on_equal=not exercise.cut_on_equal)))


def _by(hand: Callable[[], Right]) -> Callable[[Exercise], dict[str, Any]]:
    return lambda exercise: _not_visited(exercise, searched_wrongly(exercise.question, hand()))


def _tops(exercise: Exercise) -> dict[str, Any]:
    pruned = {int(part) for part in key(exercise)}
    return _marks({row for row in pruned if exercise.whole.path(row)[-2] not in pruned})


def _leaves(exercise: Exercise) -> dict[str, Any]:
    return _marks({int(part) for part in key(exercise)} - set(inner_rows(exercise.whole)))


def _with_cause(exercise: Exercise) -> dict[str, Any]:
    """The pruned nodes, and the child whose value made each cutoff with all below it."""
    whole, searched = exercise.whole, exercise.searched
    places = rows_in(whole, searched)
    causes = [places[searched.child_rows(row)[-1]] for row in range(len(searched)) if searched[row].pruned]
    return _marks({int(part) for part in key(exercise)}.union(*(range(row, whole[row].end) for row in causes)))


def _with_node(exercise: Exercise) -> dict[str, Any]:
    """The nodes at which a cutoff happened, with all below them."""
    whole, searched = exercise.whole, exercise.searched
    places = rows_in(whole, searched)
    cut = [places[row] for row in range(len(searched)) if searched[row].pruned]
    return _marks(set().union(*(range(row, whole[row].end) for row in cut)))


def _mistakes() -> tuple[Thought, ...]:
    """Somebody whose search has one of the mistakes of the catalogue."""
    return tuple(
        thinking(name, f"A search with this mistake prunes just so: {_lower(first_sentence(MISTAKES[name]))}", _by(hand))
        for name, hand in WRONG.items()
        if name not in CUT_NOTHING
    )


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


KIND = ExerciseKind(
    name="pruned",
    title="What is pruned?",
    prompt="Alpha-beta searches this tree from left to right. Mark every node that it never visits, branches and leaves. {rule}",
    how="mark",
    rule="Go through the tree as the search does, with alpha and beta. A node is left as soon as its value reaches the "
    "other side's "
    "bound: its other children, and all that is below them, are never visited.",
    build=build,
    searched_by="alphabeta",
    key=key,
    read=lambda exercise, part, given: answer_parsing.mark(given),
    step=lambda exercise, part: step_about(exercise, int(part), entering=True),
    parts=lambda exercise: [str(row) for row in range(1, len(exercise.whole))],
    points=points,
    thoughts=(
        thinking(
            "nothing", "Nothing is marked, as if this were minimax: alpha-beta leaves something out here.", lambda exercise: {}
        ),
        thinking(
            "other-rule",
            "This is what the other rule for cutoffs prunes. A value that only equals the bound makes the difference: the "
            "rule here "
            "is said above the tree.",
            _other_rule,
        ),
        thinking(
            "deep-cutoffs",
            "All cutoffs by the parent's value are there, but not the deep ones: a bound also comes from nodes further up "
            "the path.",
            _by(ShallowOnly),
        ),
        thinking("tops-only", "The branches are right, but what hangs below them is pruned with them: mark that, too.", _tops),
        thinking(
            "leaves-only", "The leaves are right, but the inner nodes above some of them are never visited either.", _leaves
        ),
        thinking(
            "with-cause",
            "The child whose value makes the cutoff is marked, too: it has to be visited, or nobody would know its value.",
            _with_cause,
        ),
        thinking(
            "with-node",
            "The nodes themselves at which a cutoff happens are marked, too: they are visited, and only the rest of their "
            "children is not.",
            _with_node,
        ),
        *_mistakes(),
    ),
)
