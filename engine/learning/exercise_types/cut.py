"""Will the search cut off here? The exercise shows a node of a real search with its window. All its replies are leaves."""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.algorithms.refutation import is_refuted
from engine.games.protocol import legal_moves, move_codes, move_name_from_code
from engine.games.registry import read_game
from engine.learning import answer_parsing
from engine.learning.faulty_searches import Window
from engine.learning.model import Answer, Exercise, ExerciseType, Misconception, make_misconception
from engine.learning.row_mapping import list_nodes
from engine.learning.seeded_random import SeededRandom
from engine.question import Question
from engine.searcher import search

ANSWER_PART = "after"  # the number of replies after which a cutoff skips the rest; 0: no cutoff
GAME_NAME = "connect4"
DEPTHS = {1: 2, 2: 2, 3: 3, 4: 3, 5: 4}  # K by difficulty
OPENING_MOVES = {1: (2, 4), 2: (3, 6), 3: (4, 10), 4: (5, 12), 5: (6, 14)}  # minimum and maximum, by difficulty
MIN_STRICT_DIFFICULTY = 4


class Reply(NamedTuple):
    """One move at the node in question."""

    name: str
    value: float


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    game, (minimum, maximum) = read_game(GAME_NAME), OPENING_MOVES[difficulty]
    state, opening = game.start(), []
    for _ in range(minimum + rng.draw_below(maximum - minimum + 1)):
        moves = list(legal_moves(game, state))
        opening.append(rng.choose_one(moves))
        state = game.play(state, opening[-1])
        if game.is_over(state):
            return None
    strict = difficulty >= MIN_STRICT_DIFFICULTY and rng.draw_chance(50)
    question = Question(game, "".join(map(str, opening)), DEPTHS[difficulty], cut_on_equal=not strict)
    has_cutoff = rng.draw_chance(60)
    inner = (node for node in list_nodes(search(question)) if node.depth == DEPTHS[difficulty] - 1 and not node.is_leaf)
    candidates = [node for node in inner if node.pruned == has_cutoff]
    worth_asking = [node for node in candidates if abs(node.beta if node.maximizing else node.alpha) != float("inf")]
    return {"question": question, "node": int(rng.choose_one(worth_asking))} if worth_asking else None


def list_replies(exercise: Exercise) -> list[Reply]:
    """Return all moves at the node with their values, including those that the search skips."""
    game, state = exercise.question.game, exercise.search_tree[exercise.node].state
    codes = move_codes(legal_moves(game, state))
    return [Reply(move_name_from_code(game, state, code), game.evaluate(game.play(state, code))) for code in codes]


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    node = exercise.search_tree[exercise.node]
    return {ANSWER_PART: len(exercise.search_tree.child_rows(node)) if node.pruned else 0}


def _make_answer(is_cutoff: Callable[[bool, float, Window, bool], bool]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who tests for a cutoff in this way."""

    def find_answer(exercise: Exercise) -> dict[str, Any]:
        """Return the number of replies after which this test finds a cutoff; 0: never."""
        node = exercise.search_tree[exercise.node]
        values = [reply.value for reply in list_replies(exercise)]
        for tried in range(1, len(values)):
            value = max(values[:tried]) if node.maximizing else min(values[:tried])
            if is_cutoff(node.maximizing, value, (node.alpha, node.beta), exercise.cut_on_equal):
                return {ANSWER_PART: tried}
        return {ANSWER_PART: 0}

    return find_answer


def _require_cutoff(find_answer: Callable[[Exercise], dict[str, Any]]) -> Callable[[Exercise], dict[str, Any] | None]:
    """Return the same function, but with None for an answer without a cutoff: its message says where the cutoff is."""
    return lambda exercise: find_answer(exercise) if find_answer(exercise)[ANSWER_PART] else None


def _answer_best_reply(exercise: Exercise) -> dict[str, Any]:
    """Return the answer of a learner who stops at the best reply."""
    values = [reply.value for reply in list_replies(exercise)]
    maximizing = exercise.search_tree[exercise.node].maximizing
    return {ANSWER_PART: values.index(max(values) if maximizing else min(values)) + 1}


def _is_bound_reached(exercise: Exercise) -> bool:
    """Return True if the value of the node reaches the other side's bound, even if only with its last reply."""
    node = exercise.search_tree[exercise.node]
    return is_refuted(node.maximizing, node.value, node.alpha, node.beta, exercise.cut_on_equal)


def _is_last_reply(exercise: Exercise, answer: Answer) -> bool:
    return answer.get(ANSWER_PART) == len(list_replies(exercise))


EXERCISE_TYPE = ExerciseType(
    name="cut",
    title="Will the search cut off here?",
    prompt="This is a node of a Connect 4 search, with {side} to move. The search tries the replies from left to right. After "
    "which reply does it leave the node and skip the rest? {rule}",
    answer_format="reply",
    rule="Keep the best value so far: the largest at MAX, the smallest at MIN. MAX compares it with beta, MIN with alpha.",
    draw=draw_exercise,
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_whole_number(
        raw, 0, len(list_replies(exercise)), "number of replies"
    ),
    find_step=lambda exercise, part: exercise.search_tree.timeline.leave(exercise.node),
    misconceptions=(
        make_misconception(
            "other-rule",
            "That is right by the other rule for cutoffs. The rules differ where a value equals the bound.",
            _make_answer(lambda maximizing, value, window, on_equal: is_refuted(maximizing, value, *window, not on_equal)),
        ),
        Misconception(
            "last-reply",
            "After the last reply there is nothing left to skip, so leaving the node is not a cutoff.",
            _is_last_reply,
        ),
        make_misconception(
            "wrong-bound-compared",
            "That is where the value passes the node's own bound. MAX must reach beta, and MIN must reach alpha.",
            _require_cutoff(
                _make_answer(lambda maximizing, value, window, on_equal: value > window[0] if maximizing else value < window[1])
            ),
        ),
        make_misconception(
            "sides-swapped",
            "That is where the other side would leave the node. At MAX the value rises towards beta, at MIN it falls towards "
            "alpha.",
            _require_cutoff(
                _make_answer(lambda maximizing, value, window, on_equal: is_refuted(not maximizing, value, *window, on_equal))
            ),
        ),
        make_misconception(
            "no-cutoff",
            "The value reaches the other side's bound while replies are still untried. That is a cutoff.",
            lambda exercise: {ANSWER_PART: 0},
        ),
        make_misconception(
            "best-reply",
            "That is the best reply, but the search does not wait for it. It leaves as soon as a value reaches the bound.",
            lambda exercise: _answer_best_reply(exercise) if answer_key(exercise)[ANSWER_PART] else None,
        ),
        make_misconception(
            "best-stays-inside",
            "That is the best reply, but even its value does not reach the other side's bound. The search tries all replies.",
            lambda exercise: (
                None if answer_key(exercise)[ANSWER_PART] or _is_bound_reached(exercise) else _answer_best_reply(exercise)
            ),
        ),
    ),
)
