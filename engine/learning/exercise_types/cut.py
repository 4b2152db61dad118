"""Will the search cut here? A node of a real search whose replies are all leaves, with its window."""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.algorithms.refutation import refuted
from engine.games.protocol import legal_moves, move_codes, name_of_move
from engine.games.registry import read_game
from engine.learning import answer_parsing
from engine.learning.faulty_searches import Window
from engine.learning.model import Answer, Exercise, ExerciseKind, Thought, thinking
from engine.learning.row_mapping import nodes
from engine.learning.seeded_random import Lots
from engine.question import Question
from engine.searcher import search
from engine.tree.trace import Trace

PART = "after"  # so many replies the node is left with the rest untried; 0: never
GAME = "connect4"
PLIES = {1: 2, 2: 2, 3: 3, 4: 3, 5: 4}  # K by difficulty
MOVES = {1: (2, 4), 2: (3, 6), 3: (4, 10), 4: (5, 12), 5: (6, 14)}  # that were made before
STRICT_FROM = 4


class Reply(NamedTuple):
    """One move at the node that is asked about."""

    name: str
    value: float


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    game, (least, most) = read_game(GAME), MOVES[difficulty]
    state, made = game.start(), []
    for _ in range(least + lots.below(most - least + 1)):
        moves = list(legal_moves(game, state))
        made.append(lots.one_of(moves))
        state = game.play(state, made[-1])
        if game.is_over(state):
            return None
    strict = difficulty >= STRICT_FROM and lots.chance(50)
    question = Question(game, "".join(map(str, made)), PLIES[difficulty], cut_on_equal=not strict)
    cut = lots.chance(60)
    inner = (node for node in nodes(search(question)) if node.depth == PLIES[difficulty] - 1 and not node.is_leaf)
    deepest = [node for node in inner if node.pruned == cut]
    worth_asking = [node for node in deepest if abs(node.beta if node.maximizing else node.alpha) != float("inf")]
    return {"question": question, "node": int(lots.one_of(worth_asking))} if worth_asking else None


def replies(exercise: Exercise) -> list[Reply]:
    """All moves at the node with what they are worth, those too that the search skips."""
    game, state = exercise.question.game, exercise.searched[exercise.node].state
    codes = move_codes(legal_moves(game, state))
    return [Reply(name_of_move(game, state, code), game.evaluate(game.play(state, code))) for code in codes]


def key(exercise: Exercise) -> dict[str, Any]:
    node = exercise.searched[exercise.node]
    return {PART: len(exercise.searched.child_rows(node)) if node.pruned else 0}


def _answer(cuts: Callable[[bool, float, Window, bool], bool]) -> Callable[[Exercise], dict[str, Any]]:
    """The answer of somebody who tests for a cutoff in this way."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        node = exercise.searched[exercise.node]
        values = [reply.value for reply in replies(exercise)]
        for tried in range(1, len(values)):
            value = max(values[:tried]) if node.maximizing else min(values[:tried])
            if cuts(node.maximizing, value, (node.alpha, node.beta), exercise.cut_on_equal):
                return {PART: tried}
        return {PART: 0}

    return answer


def _somewhere(answer: Callable[[Exercise], dict[str, Any]]) -> Callable[[Exercise], dict[str, Any] | None]:
    """The same, where it is a cutoff; nobody says "that is where" of none."""
    return lambda exercise: answer(exercise) if answer(exercise)[PART] else None


def _best_reply(exercise: Exercise) -> dict[str, Any]:
    values = [reply.value for reply in replies(exercise)]
    maximizing = exercise.searched[exercise.node].maximizing
    return {PART: values.index(max(values) if maximizing else min(values)) + 1}


def _reaches(exercise: Exercise) -> bool:
    """Whether the value of the node reaches the other side's bound, be it with its last reply."""
    node = exercise.searched[exercise.node]
    return refuted(node.maximizing, node.value, node.alpha, node.beta, exercise.cut_on_equal)


def _is_last(exercise: Exercise, given: Answer) -> bool:
    return given.get(PART) == len(replies(exercise))


KIND = ExerciseKind(
    name="cut",
    title="Will the search cut here?",
    prompt="In the middle of a search of Connect 4, {side} is to move at this node. Its replies are tried from left to "
    "right. After "
    "which one does the search leave the node, with others untried? {rule}",
    how="reply",
    rule="Keep the best value so far: the largest at MAX, the smallest at MIN. MAX compares it with beta, MIN with alpha.",
    build=build,
    key=key,
    read=lambda exercise, part, given: answer_parsing.whole(given, 0, len(replies(exercise)), "number of replies"),
    step=lambda exercise, part: Trace(exercise.searched).leave(exercise.node),
    thoughts=(
        thinking(
            "other-rule",
            "By the other rule for cutoffs that would be right: a value that only equals the bound makes the difference.",
            _answer(lambda maximizing, value, window, on_equal: refuted(maximizing, value, *window, not on_equal)),
        ),
        Thought(
            "last-reply", "After the last reply nothing is left to be skipped: leaving the node then is no cutoff.", _is_last
        ),
        thinking(
            "wrong-bound-compared",
            "That is where the value passes the node's own bound: MAX has to reach beta, and MIN alpha.",
            _somewhere(
                _answer(lambda maximizing, value, window, on_equal: value > window[0] if maximizing else value < window[1])
            ),
        ),
        thinking(
            "sides-swapped",
            "That is where the other side would leave the node: at MAX the values rise towards beta, at MIN they fall "
            "towards alpha.",
            _somewhere(_answer(lambda maximizing, value, window, on_equal: refuted(not maximizing, value, *window, on_equal))),
        ),
        thinking(
            "no-cutoff",
            "The value reaches the other side's bound here: with replies still untried, that is a cutoff.",
            lambda exercise: {PART: 0},
        ),
        thinking(
            "best-reply",
            "That is the best reply: the search does not wait for it, it leaves as soon as a value reaches the bound.",
            lambda exercise: _best_reply(exercise) if key(exercise)[PART] else None,
        ),
        thinking(
            "best-stays-inside",
            "That is the best reply, but even its value does not reach the other side's bound: all replies are tried.",
            lambda exercise: None if key(exercise)[PART] or _reaches(exercise) else _best_reply(exercise),
        ),
    ),
)
