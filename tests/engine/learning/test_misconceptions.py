"""Misconceptions: an answer that fits one gets its explanation, and no other answer does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import search
from engine.learning.exercise import EXERCISE_TYPES, answer_key, encode_answer, grade_answer, make_exercise
from engine.learning.exercise_types import cut, mistake, pruned
from engine.learning.faulty_searches import FAULTY_DECISIONS, ShallowOnly, run_faulty_search
from engine.learning.row_mapping import map_rows, move_paths
from engine.tree.trace import Trace
from tests.support.exercises import INFINITY, best_value, quick, random_exercises
from tests.support.reference import minimax_value
from visualizer.narration.exercise_messages import describe_solution


def find_exercise(kind, name, answer_of, tries=400):
    """Return an exercise for which the misconception gives a wrong answer, with that answer."""
    for seed in range(tries):
        exercise = make_exercise(kind, seed, 1 + seed % 5)
        answer = answer_of(exercise)
        if answer is not None and not grade_answer(exercise, encode_answer(answer)).solved:
            misconception = grade_answer(exercise, encode_answer(answer)).misconception
            assert misconception is not None
            if misconception.name == name:
                return exercise, answer
    raise AssertionError(f"no exercise {kind} shows {name}")


def swap_sides(exercise):
    return {
        str(row): value for row, value in compute_values(exercise, lambda top, below: min(below) if top else max(below)).items()
    }


def compute_values(exercise, rule):
    game = exercise.question.game
    places = {path: row for row, path in enumerate(move_paths(exercise.full_tree))}
    found = {}

    def visit(path, state):
        if game.is_over(state):
            return game.evaluate(state)
        below = [visit((*path, move), game.play(state, move)) for move in game.moves(state)]
        found[places[path]] = rule(game.maximizing(state), below)
        return found[places[path]]

    visit((), game.start())
    return found


RULES_FOR_VALUES = {
    "sides-swapped": lambda top, below: min(below) if top else max(below),
    "all-max": lambda top, below: max(below),
    "all-min": lambda top, below: min(below),
    "last-child": lambda top, below: below[-1],
    "starts-at-zero": lambda top, below: max([0, *below]) if top else min([0, *below]),
    "added-up": lambda top, below: sum(below),
}


@pytest.mark.parametrize("name", RULES_FOR_VALUES)
def test_wrong_backup_rules_are_recognized(name):
    find_exercise(
        "values",
        name,
        lambda exercise: {str(row): value for row, value in compute_values(exercise, RULES_FOR_VALUES[name]).items()},
    )


def compute_windows(exercise, rule):
    """Pass windows down by a rule, with the child values of the right search, as a learner would do it on paper."""
    wanted, searched, found = answer_key(exercise), exercise.search_tree, {}
    rows = {visited: place for place, visited in exercise.visited_rows.items()}

    def visit(node, window):
        if str(rows[node]) in wanted:
            found[str(rows[node])] = window
        before = []
        for child in node.children:
            visit(child, rule(node, window, before))
            before.append(child.value)

    visit(searched[0], (-INFINITY, INFINITY))
    return found


def narrow_window(node, window, scores, raises_alpha):
    (alpha, beta), best = window, None
    for score in scores:
        best = score if best is None else best_value([best, score], node.maximizing)
        alpha, beta = (max(alpha, best), beta) if raises_alpha else (alpha, min(beta, best))
    return alpha, beta


RULES_FOR_WINDOWS = {
    "window-not-passed": lambda node, window, scores: window,
    "alpha-from-above": lambda node, window, scores: narrow_window(node, (-INFINITY, INFINITY), scores, node.maximizing),
    "wrong-bound-updated": lambda node, window, scores: narrow_window(node, window, scores, not node.maximizing),
}


@pytest.mark.parametrize("name", RULES_FOR_WINDOWS)
def test_wrong_window_rules_are_recognized(name):
    find_exercise("window", name, lambda exercise: compute_windows(exercise, RULES_FOR_WINDOWS[name]))


def test_swapped_windows_and_windows_on_leaving_are_recognized():
    find_exercise("window", "reversed", lambda exercise: {part: ends[::-1] for part, ends in answer_key(exercise).items()})

    def on_leaving(exercise):
        trace, rows = Trace(exercise.search_tree), exercise.visited_rows
        return {part: trace[trace.leave(rows[int(part)])][3:5] for part in answer_key(exercise)}

    find_exercise("window", "on-leaving", on_leaving)


def marks_of(exercise, tree):
    return {str(row): True for row in set(range(len(exercise.full_tree))) - set(map_rows(exercise.full_tree, tree))}


PRUNED_BY = {
    "nothing": lambda exercise: {},
    "other-rule": lambda exercise: marks_of(exercise, search(exercise.question.replace(cut_on_equal=not exercise.cut_on_equal))),
    "deep-cutoffs": lambda exercise: marks_of(exercise, run_faulty_search(exercise.question, ShallowOnly())),
    "tops-only": lambda exercise: {
        part: True for part in answer_key(exercise) if str(parent_row(exercise, part)) not in answer_key(exercise)
    },
    "leaves-only": lambda exercise: {part: True for part in answer_key(exercise) if exercise.full_tree[int(part)].is_leaf},
    "with-cause": lambda exercise: (
        answer_key(exercise) | mark_subtrees(exercise, [node.children[-1] for node in cut_nodes(exercise)])
    ),
    "with-node": lambda exercise: mark_subtrees(exercise, cut_nodes(exercise)),
    **{
        name: lambda exercise, decisions=decisions: marks_of(exercise, run_faulty_search(exercise.question, decisions()))
        for name, decisions in FAULTY_DECISIONS.items()
        if name not in pruned.MISTAKES_WITHOUT_CUTOFFS
    },
}


def parent_row(exercise, part):
    return exercise.full_tree.path(int(part))[-2]


def cut_nodes(exercise):
    return [node for node in exercise.search_tree if node.pruned]


def mark_subtrees(exercise, nodes):
    places = {visited: place for place, visited in exercise.visited_rows.items()}
    return {str(row): True for node in nodes for row in range(places[node], exercise.full_tree[places[node]].end)}


@pytest.mark.parametrize("name", PRUNED_BY)
def test_wrong_pruning_rules_are_recognized(name):
    find_exercise("pruned", name, PRUNED_BY[name])


def test_some_mistakes_prune_nothing():
    for name in pruned.MISTAKES_WITHOUT_CUTOFFS:
        for seed in range(10):
            exercise = make_exercise("pruned", seed, 1 + seed % 5)
            assert marks_of(exercise, run_faulty_search(exercise.question, FAULTY_DECISIONS[name]())) == {}


COUNTED_BY = {
    "without-root": lambda exercise: answer_key(exercise) | {"expanded": answer_key(exercise)["expanded"] - 1},
    "leaves-as-nodes": lambda exercise: answer_key(exercise) | {"expanded": answer_key(exercise)["leaves"]},
    "inner-only": lambda exercise: (
        answer_key(exercise) | {"expanded": answer_key(exercise)["expanded"] - answer_key(exercise)["leaves"]}
    ),
    "skipped-as-cutoffs": lambda exercise: answer_key(exercise) | {"cutoffs": sum(node.skipped for node in exercise.search_tree)},
    "minimax": lambda exercise: counts_of(search(exercise.question.replace(algorithm="minimax"))),
    "other-rule": lambda exercise: counts_of(search(exercise.question.replace(cut_on_equal=not exercise.cut_on_equal))),
    "deep-cutoffs": lambda exercise: counts_of(run_faulty_search(exercise.question, ShallowOnly())),
}


def counts_of(tree):
    return {"expanded": len(tree), "leaves": tree.leaves, "cutoffs": tree.cutoffs}


@pytest.mark.parametrize("name", COUNTED_BY)
def test_wrong_counts_are_recognized(name):
    find_exercise("count", name, COUNTED_BY[name])


def choose_moves(exercise, value_of, better):
    game, found = exercise.question.game, {}
    for part in answer_key(exercise):
        state = exercise.full_tree[int(part)].state
        values = [value_of(game, game.play(state, move), game.maximizing(state)) for move in game.moves(state)]
        found[part] = values.index(better(values, game.maximizing(state)))
    return found


def leaves_below(game, state):
    if game.is_over(state):
        return [game.evaluate(state)]
    return [leaf for move in game.moves(state) for leaf in leaves_below(game, game.play(state, move))]


def swapped_value(game, state, _):
    if game.is_over(state):
        return game.evaluate(state)
    return best_value([swapped_value(game, game.play(state, move), _) for move in game.moves(state)], not game.maximizing(state))


MOVED_BY = {
    "sides-swapped": lambda exercise: choose_moves(
        exercise, lambda g, s, _: minimax_value(g, s, 99), lambda v, top: best_value(v, not top)
    ),
    "best-leaf": lambda exercise: choose_moves(exercise, lambda g, s, top: best_value(leaves_below(g, s), top), best_value),
    "other-side-decides": lambda exercise: choose_moves(exercise, swapped_value, best_value),
}


@pytest.mark.parametrize("name", MOVED_BY)
def test_wrong_choices_are_recognized(name):
    find_exercise("move", name, MOVED_BY[name])


def sort_moves(exercise, reverse):
    whole = exercise.full_tree
    found = {}
    for part in answer_key(exercise):
        values = [whole[child].value for child in whole.child_rows(int(part))]
        found[part] = sorted(range(len(values)), key=values.__getitem__, reverse=reverse(whole[int(part)].maximizing))
    return found


ORDERED_BY = {
    "worst-first": lambda exercise: sort_moves(exercise, lambda top: not top),
    "largest-first": lambda exercise: sort_moves(exercise, lambda top: True),
    "smallest-first": lambda exercise: sort_moves(exercise, lambda top: False),
    "as-it-was": lambda exercise: {},
}


@pytest.mark.parametrize("name", ORDERED_BY)
def test_wrong_orders_are_recognized(name):
    find_exercise("order", name, ORDERED_BY[name])


def count_replies(exercise, cuts):
    node = exercise.search_tree[exercise.node]
    values = [reply.value for reply in cut.list_replies(exercise)]
    for tried in range(1, len(values)):
        if cuts(best_value(values[:tried], node.maximizing), node, exercise.cut_on_equal):
            return {"after": tried}
    return {"after": 0}


def best_reply(exercise):
    values = [reply.value for reply in cut.list_replies(exercise)]
    return {"after": 1 + values.index(best_value(values, exercise.search_tree[exercise.node].maximizing))}


def reaches_bound(value, node, equal):
    bound = node.beta if node.maximizing else node.alpha
    return (equal and value == bound) or (value > bound if node.maximizing else value < bound)


def require_cutoff(answer):
    """Return None for an answer without a cutoff: the message about its place would not fit."""
    return answer if answer["after"] else None


def stays_inside(exercise):
    node = exercise.search_tree[exercise.node]
    return not reaches_bound(node.value, node, exercise.cut_on_equal)


def reaches_own_bound(value, node, _):
    return value > node.alpha if node.maximizing else value < node.beta


def reaches_wrong_bound(value, node, equal):
    bound = node.alpha if node.maximizing else node.beta
    return (equal and value == bound) or (value < bound if node.maximizing else value > bound)


CUT_BY = {
    "other-rule": lambda exercise: count_replies(exercise, lambda value, node, equal: reaches_bound(value, node, not equal)),
    "last-reply": lambda exercise: {"after": len(cut.list_replies(exercise))},
    "wrong-bound-compared": lambda exercise: require_cutoff(count_replies(exercise, reaches_own_bound)),
    "sides-swapped": lambda exercise: require_cutoff(count_replies(exercise, reaches_wrong_bound)),
    "no-cutoff": lambda exercise: {"after": 0},
    "best-reply": lambda exercise: best_reply(exercise) if exercise.search_tree[exercise.node].pruned else None,
    "best-stays-inside": lambda exercise: best_reply(exercise) if stays_inside(exercise) else None,
}


@pytest.mark.parametrize("name", CUT_BY)
def test_wrong_cutoff_rules_are_recognized(name):
    find_exercise("cut", name, CUT_BY[name], tries=300)


def test_other_wrong_calls_are_recognized():
    def row_of(exercise, wanted):
        rows = mistake.map_record_rows(exercise)
        calls = mistake.list_wrong_calls(exercise)
        return wanted(exercise, rows, calls)

    def later(exercise, rows, calls):
        return {"call": rows[calls[1].row]} if len(calls) > 1 else None

    def caller(exercise, rows, calls):
        parent = mistake.faulty_search(exercise).path(calls[0].row)[-2] if calls[0].row else None
        return {"call": rows[parent]} if parent is not None and calls[0].fault in ("window", "made") else None

    def further_up(exercise, rows, calls):
        path = mistake.faulty_search(exercise).path(calls[0].row)
        right = [row for row in path[:-2] if row not in {call.row for call in calls}]
        return {"call": rows[right[-1]]} if right else None

    find_exercise("mistake", "later", lambda exercise: row_of(exercise, later))
    find_exercise("mistake", "caller", lambda exercise: row_of(exercise, caller))
    find_exercise("mistake", "consequence", lambda exercise: row_of(exercise, further_up))


def test_every_misconception_is_tested():
    tested = {
        "values": set(RULES_FOR_VALUES),
        "window": {*RULES_FOR_WINDOWS, "reversed", "on-leaving"},
        "pruned": set(PRUNED_BY),
        "move": set(MOVED_BY),
        "order": set(ORDERED_BY),
        "count": set(COUNTED_BY),
        "mistake": {"later", "caller", "consequence"},
        "cut": set(CUT_BY),
    }
    elsewhere = {"expectation", "chance-cut", "ucb", "backup"}  # in modules of their own
    found = {name: {one.name for one in kind.misconceptions} for name, kind in EXERCISE_TYPES.items() if name not in elsewhere}
    assert found == tested


@quick
@given(random_exercises())
def test_right_answers_have_no_misconception(exercise):
    assert grade_answer(exercise, encode_answer(answer_key(exercise))).misconception is None


@pytest.mark.parametrize("seed", range(40))
def test_no_cutoff_is_never_explained_by_a_place_of_a_cutoff(seed):
    exercise = make_exercise("cut", seed, 1 + seed % 5)
    misconception = grade_answer(exercise, {"after": 0}).misconception
    assert misconception is None or misconception.name in ("other-rule", "no-cutoff")


def test_an_unchanged_order_is_recognized_first():
    for seed in range(20):
        assert grade_answer(make_exercise("order", seed, 1 + seed % 5), {}).misconception.name == "as-it-was"


# ---- texts about orders


@given(st.integers(0, 200), st.integers(1, 5), st.randoms(use_true_random=False))
@quick
def test_the_text_about_the_best_child_is_true(seed, difficulty, random):
    """An order can be as good as the best one although another child comes first."""
    exercise = make_exercise("order", seed, difficulty)
    tree, answer = exercise.full_tree, {}
    for part, order in answer_key(exercise).items():
        answer[part] = random.sample(order, len(order)) if random.random() < 0.5 else order
    for item in grade_answer(exercise, encode_answer(answer)).items:
        values = [tree[child].value for child in tree.child_rows(int(item.part))]
        first = values[answer[item.part][0]]
        best = first == best_value(values, tree[int(item.part)].maximizing)
        assert describe_solution(exercise, item).endswith(f"the best child {'comes' if best else 'does not come'} first.")
