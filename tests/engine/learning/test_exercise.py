"""Exercises: the graders against the naive reference, the same exercise everywhere, adversarial answers, and hints."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import PlyscopeError
from engine.learning import answer_parsing
from engine.learning.exercise import (
    EXERCISE_TYPES,
    answer_key,
    encode_answer,
    give_hint,
    grade_answer,
    make_exercise,
    read_answer,
)
from engine.learning.exercise_types import cut, order
from engine.learning.model import BadAnswer
from engine.learning.seeded_random import SeededRandom
from tests.support.exercises import INFINITY, JSON, quick, random_exercises
from tests.support.reference import alphabeta_log, minimax_value

# ---- second opinions, by definition


def iterate_positions(game):
    """Return all paths with their states, in pre-order."""

    def visit(path, state):
        yield path, state
        for move in game.moves(state):
            yield from visit((*path, move), game.play(state, move))

    return list(visit((), game.start()))


def reference_by_path(exercise):
    """Return the record of the reference by path: the window of every visited node, and its last event."""
    game, windows, ends, open_nodes = exercise.question.game, {}, {}, []
    tried = {}
    numbers = {}
    for event, number, *rest in alphabeta_log(game, game.start(), 99, exercise.question.options["cut_on_equal"]):
        if event == "enter":
            above = open_nodes[-1] if open_nodes else None
            path = () if above is None else (*numbers[above], tried[above])
            if above is not None:
                tried[above] += 1
            numbers[number], tried[number] = path, 0
            windows[path] = tuple(rest)
            open_nodes.append(number)
        elif event in ("evaluate", "cutoff", "leave"):
            ends[numbers[number]] = event
            open_nodes.remove(number)
    return windows, ends


def reference_key(exercise):
    """Return the right answer, computed without the engine."""
    game = exercise.question.game
    nodes = iterate_positions(game)
    rows = {path: str(row) for row, (path, _) in enumerate(nodes)}
    values = {path: minimax_value(game, state, 99) for path, state in nodes}
    inner = [path for path, state in nodes if not game.is_over(state)]
    if exercise.kind == "values":
        return {rows[path]: values[path] for path in inner}
    if exercise.kind == "move":
        deepest = 0 if exercise.difficulty < 3 else 1
        return {
            rows[path]: next(move for move in game.moves(state) if values[(*path, move)] == values[path])
            for path, state in nodes
            if len(path) <= deepest and path in inner
        }
    windows, ends = reference_by_path(exercise)
    if exercise.kind == "window":
        return {rows[path]: window for path, window in windows.items() if path in inner or len(windows) <= 12}
    if exercise.kind == "pruned":
        return {rows[path]: True for path, _ in nodes if path not in windows}
    assert exercise.kind == "count"
    last_events = list(ends.values())
    return {"expanded": len(windows), "leaves": last_events.count("evaluate"), "cutoffs": last_events.count("cutoff")}


@quick
@given(random_exercises(("values", "window", "pruned", "move", "count")))
def test_the_key_equals_that_of_the_reference(exercise):
    assert answer_key(exercise) == reference_key(exercise)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["values", "window", "pruned", "move", "count"])
def test_the_keys_of_many_exercises_equal_those_of_the_reference(kind):
    for seed in range(400):
        exercise = make_exercise(kind, seed, 1 + seed % 5)
        assert answer_key(exercise) == reference_key(exercise), (kind, seed)
        assert grade_answer(exercise, encode_answer(answer_key(exercise))).solved


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in EXERCISE_TYPES if kind != "cut"])
def test_incomplete_answers_are_graded_part_by_part(kind):
    """Leave out some parts of the key: the other parts count, and an extra mark costs a point."""
    for seed in range(300):
        exercise = make_exercise(kind, seed, 1 + seed % 5)
        wanted, rng = answer_key(exercise), SeededRandom(f"{kind} {seed}")
        answer = {part: given for part, given in wanted.items() if rng.draw_chance(60)}
        grade = grade_answer(exercise, encode_answer(answer))
        assert grade.solved == (answer == wanted) or kind == "order"
        if kind != "order":
            assert grade.right == len(answer)
        if kind == "pruned":
            assert grade.right == len(answer)
            assert grade_answer(exercise, encode_answer(answer | {"1": True})).right == max(0, len(answer) - 1)


@quick
@given(random_exercises(), st.data())
def test_an_answer_with_one_wrong_part_is_not_solved(exercise, data):
    """The key gets all points. Changing one part costs one point."""
    wanted = answer_key(exercise)
    assert grade_answer(exercise, encode_answer(wanted)).solved
    if exercise.kind in ("order", "move", "mistake"):
        return
    part = data.draw(st.sampled_from(sorted(wanted)))
    changed = wanted[part]
    if exercise.kind in ("pruned", "chance-cut"):
        changed = False
    elif exercise.kind == "backup":
        changed = (changed[0] + data.draw(st.integers(0, 5)), changed[1])
    elif exercise.kind == "ucb":
        changed = data.draw(st.integers(0, len(exercise.full_tree.root.children) - 1))
    elif exercise.kind == "window":
        changed = data.draw(st.tuples(*[st.integers(-9, 9).map(float) | st.sampled_from([-INFINITY, INFINITY])] * 2))
    else:
        changed = (
            abs(changed + data.draw(st.integers(-5, 5))) if exercise.kind == "count" else changed + data.draw(st.integers(-5, 5))
        )
    grade = grade_answer(exercise, encode_answer(wanted | {part: changed}))
    same = changed == wanted[part]
    assert grade.solved == same
    assert grade.right == grade.total - (not same)
    assert [item.part for item in grade.items if not item.right] == ([] if same else [part])


@quick
@given(random_exercises(("pruned", "chance-cut")), st.data())
def test_extra_marks_cost_as_much_as_missing_ones(exercise, data):
    everything = sorted(EXERCISE_TYPES[exercise.kind].allowed_parts(exercise))
    marked = data.draw(st.sets(st.sampled_from(everything)))
    wanted = set(answer_key(exercise))
    grade = grade_answer(exercise, dict.fromkeys(marked, True))
    assert grade.total == len(wanted)
    assert grade.right == max(0, len(marked & wanted) - len(marked - wanted))
    assert grade.solved == (marked == wanted)
    assert {item.part for item in grade.items if not item.right} == marked ^ wanted


@quick
@given(random_exercises(("move",)), st.data())
def test_every_move_with_the_best_value_is_right(exercise, data):
    game = exercise.question.game
    part = data.draw(st.sampled_from(sorted(answer_key(exercise))))
    state = exercise.full_tree[int(part)].state
    move = data.draw(st.sampled_from(list(game.moves(state))))
    item = next(item for item in grade_answer(exercise, answer_key(exercise) | {part: move}).items if item.part == part)
    assert item.right == (minimax_value(game, game.play(state, move), 99) == minimax_value(game, state, 99))


def reference_count(tree, maximizing=True, alpha=-INFINITY, beta=INFINITY):
    """Return the number of nodes that alpha-beta visits, and the value."""
    if not isinstance(tree, list):
        return 1, tree
    nodes, best = 1, -INFINITY if maximizing else INFINITY
    for child in tree:
        more, score = reference_count(child, not maximizing, alpha, beta)
        nodes += more
        best = max(best, score) if maximizing else min(best, score)
        alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return nodes, best


def all_orders(tree):
    if not isinstance(tree, list):
        return [tree]
    found = []
    for ordered in permutations(tree):
        combined = [[]]
        for child in ordered:
            combined = [[*before, one] for before in combined for one in all_orders(child)]
        found += combined
    return found


@pytest.mark.parametrize(("difficulty", "seed"), [(1, 0), (1, 1), (3, 2), (2, 3)])
def test_the_minimum_is_reached_by_the_best_of_all_orders(difficulty, seed):
    exercise = make_exercise("order", seed, difficulty)
    tree, maximizing = exercise.question.game.tree, exercise.full_tree[0].maximizing
    assert order.minimal_node_count(difficulty) == min(reference_count(ordered, maximizing)[0] for ordered in all_orders(tree))


@quick
@given(random_exercises(("order",)), st.data())
def test_an_order_is_graded_by_the_nodes_that_are_visited(exercise, data):
    orders = {
        part: data.draw(st.permutations(wanted)) for part, wanted in answer_key(exercise).items() if data.draw(st.booleans())
    }

    def nested(row):
        rows = exercise.full_tree.child_rows(row)
        return (
            [nested(rows[place]) for place in orders.get(str(row), range(len(rows)))] if rows else exercise.full_tree[row].value
        )

    visited = reference_count(nested(0), exercise.full_tree[0].maximizing)[0]
    original, minimum = len(exercise.search_tree), order.minimal_node_count(exercise.difficulty)
    grade = grade_answer(exercise, orders)
    assert grade.right == max(0, 10 * (original - visited) // (original - minimum))
    assert grade.solved == (visited == minimum)
    assert grade.solved == all(item.right for item in grade.items)


@pytest.mark.parametrize("seed", range(12))
def test_a_cutoff_in_a_real_position_is_where_the_search_leaves_the_node(seed):
    exercise = make_exercise("cut", seed, 1 + seed % 5)
    node = exercise.search_tree[exercise.node]
    values = [reply.value for reply in cut.list_replies(exercise)]
    assert [child.value for child in node.children] == values[: len(node.children)]
    wanted = 0
    for tried in range(1, len(values)):
        best = max(values[:tried]) if node.maximizing else min(values[:tried])
        beyond = best > node.beta if node.maximizing else best < node.alpha
        if beyond or (exercise.cut_on_equal and best == (node.beta if node.maximizing else node.alpha)):
            wanted = tried
            break
    assert answer_key(exercise) == {"after": wanted}
    for after in range(len(values) + 1):
        assert grade_answer(exercise, {"after": after}).solved == (after == wanted)


# ---- the same exercise everywhere


def test_the_same_seed_gives_the_same_exercise():
    assert make_exercise("pruned", 7, 3) == make_exercise("pruned", 7, 3)
    assert make_exercise("values", 1).question.game.tree == [[9, 5, 0], [3, 2, 1], [7, 4, 6]]
    assert len({make_exercise(kind, 5, 2).question.game.text for kind in ("values", "pruned", "count")}) == 3


@pytest.mark.parametrize(
    ("kind", "seed", "difficulty", "message"),
    [
        ("valeus", 1, 1, "did you mean 'values'"),
        ("values", -1, 1, "from 0 to"),
        ("values", 1.5, 1, "whole number"),
        ("values", True, 1, "whole number"),
        ("values", 1, 6, "from 1 to 5"),
        ("values", 1, "1", "from 1 to 5"),
        (["values"], 1, 1, "no kind of exercise"),
    ],
)
def test_unknown_exercises_are_refused(kind, seed, difficulty, message):
    with pytest.raises(PlyscopeError, match=message):
        make_exercise(kind, seed, difficulty)


@pytest.mark.parametrize("name", EXERCISE_TYPES)
def test_every_type_is_declared_completely(name):
    exercise_type = EXERCISE_TYPES[name]
    assert exercise_type.name == name
    assert exercise_type.title
    assert exercise_type.prompt
    assert exercise_type.rule
    assert exercise_type.answer_format in ("number", "window", "mark", "child", "order", "count", "call", "reply", "visits")
    assert len({one.name for one in exercise_type.misconceptions}) == len(exercise_type.misconceptions) > 2


# ---- adversarial answers


@quick
@given(random_exercises(), st.data())
def test_every_answer_is_graded_or_refused_with_a_message(exercise, data):
    allowed = sorted(EXERCISE_TYPES[exercise.kind].allowed_parts(exercise))
    answer = data.draw(JSON | st.dictionaries(st.sampled_from(allowed) | st.text(max_size=4), JSON, max_size=5))
    message = ""
    try:
        grade = grade_answer(exercise, answer)
    except BadAnswer as error:
        message = str(error)
    assert len(message) < 300
    if not message:
        assert 0 <= grade.right <= grade.total
        assert read_answer(exercise, encode_answer(read_answer(exercise, answer))) == read_answer(exercise, answer)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "1e999", "9" * 5000, "nan", "1_000", "٣", "0x10", "{}", "1;2", True, [3], {}, 10**400]
)
def test_other_texts_than_numbers_are_refused(text):
    with pytest.raises(BadAnswer, match=r"number|value"):
        answer_parsing.read_number(text)


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7), (" -3 ", -3), ("−3", -3), ("2,5", 2.5), ("∞", INFINITY), ("-INF", -INFINITY), ("", None)]
)
def test_numbers_are_read_as_people_write_them(text, value):
    assert answer_parsing.read_bound(text) == value


# ---- hints


@quick
@given(random_exercises())
def test_hints_go_from_the_rule_to_the_solution_of_one_part(exercise):
    assert give_hint(exercise, {}, 1) == (1, EXERCISE_TYPES[exercise.kind].rule, None)
    last = give_hint(exercise, {}, 3)
    assert last.item is None or (not last.item.right and last.item.expected is not None)
    assert last.item is not None or exercise.kind == "order"  # where the children happen to be well ordered already
    assert give_hint(exercise, encode_answer(answer_key(exercise)), 3).item is None
    with pytest.raises(BadAnswer):
        give_hint(exercise, {}, 4)


@quick
@given(random_exercises(cheap=False))
def test_the_reason_of_a_part_is_a_step_of_the_right_search(exercise):
    trace = exercise.search_tree.timeline
    for item in grade_answer(exercise, {}).items:
        step = trace[item.step]
        if exercise.kind == "window":
            assert (step.kind, (step.alpha, step.beta)) == ("enter", item.expected)
        elif exercise.kind == "values":
            assert (step.kind, step.value) == ("leave", item.expected)
        elif exercise.kind == "backup":
            assert (step.kind, (step.after.visits, round(step.after.mean, 2))) == ("backup", item.expected)
        elif exercise.kind == "ucb":
            children = [candidate.node for candidate in step.candidates]
            assert (step.kind, int(step.node), step.child) == ("select", 0, children[item.expected])
        elif exercise.kind in ("pruned", "chance-cut"):
            row = int(item.part)
            assert step.kind == "cutoff"
            above = {place for place, visited in exercise.visited_rows.items() if visited == step.node}
            assert above & set(exercise.full_tree.path(row))
