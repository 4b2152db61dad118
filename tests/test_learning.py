"""Exercises: the graders against the naive reference, what learners think, wrong searches, and the summary."""

import json
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import literal, search
from engine.errors import PlyscopeError
from engine.learning import reading
from engine.learning.drawing_lots import Lots
from engine.learning.exercise import KINDS, grade, hint, key, make, plain, read_answer
from engine.learning.facts import DIFFICULTIES, BadAnswer
from engine.learning.kinds import cut, mistake, order, pruned
from engine.learning.places import paths, rows_in
from engine.learning.summary import BadSummary, done_of, hash_of, read_summary, write_summary
from engine.learning.wrong_calls import wrong_calls
from engine.learning.wrong_searches import WRONG, Right, ShallowOnly, searched_wrongly
from engine.question import Question
from engine.tree.trace import Trace
from engine.watching.catalogue import MISTAKES
from tests.reference import alphabeta_log, minimax_value

INFINITY = float("inf")
SEEDS = st.integers(0, 999_999_999)
TREES = st.recursive(st.integers(-6, 6), lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=14)
quick = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def exercises(draw, kinds=tuple(KINDS), cheap=True):
    name = draw(st.sampled_from([kind for kind in kinds if kind != "cut" or not cheap]))
    return make(name, draw(SEEDS), draw(st.sampled_from(DIFFICULTIES)))


# ---- second opinions, by definition


def walk(game):
    """All paths with their states, in pre-order."""

    def visit(path, state):
        yield path, state
        for move in game.moves(state):
            yield from visit((*path, move), game.play(state, move))

    return list(visit((), game.start()))


def by_log(exercise):
    """What the reference saw, by path: the window of every node that it visited, and how each was left."""
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
    """The right answer, worked out without the engine."""
    game = exercise.question.game
    nodes = walk(game)
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
    windows, ends = by_log(exercise)
    if exercise.kind == "window":
        return {rows[path]: window for path, window in windows.items() if path in inner or len(windows) <= 12}
    if exercise.kind == "pruned":
        return {rows[path]: True for path, _ in nodes if path not in windows}
    assert exercise.kind == "count"
    how = list(ends.values())
    return {"expanded": len(windows), "leaves": how.count("evaluate"), "cutoffs": how.count("cutoff")}


@quick
@given(exercises(("values", "window", "pruned", "move", "count")))
def test_the_key_is_what_the_reference_says(exercise):
    assert key(exercise) == reference_key(exercise)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["values", "window", "pruned", "move", "count"])
def test_the_keys_of_many_exercises_are_what_the_reference_says(kind):
    for seed in range(400):
        exercise = make(kind, seed, 1 + seed % 5)
        assert key(exercise) == reference_key(exercise), (kind, seed)
        assert grade(exercise, plain(key(exercise))).solved


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "cut"])
def test_answers_made_of_other_answers_are_graded_part_by_part(kind):
    """Some parts of the key are left out: what is there counts, and a mark too many takes a point away."""
    for seed in range(300):
        exercise = make(kind, seed, 1 + seed % 5)
        wanted, lots = key(exercise), Lots(f"{kind} {seed}")
        answer = {part: given for part, given in wanted.items() if lots.chance(60)}
        judged = grade(exercise, plain(answer))
        assert judged.solved == (answer == wanted) or kind in ("order", "pruned")
        if kind not in ("order", "pruned"):
            assert judged.right == len(answer)
        if kind == "pruned":
            assert judged.right == len(answer)
            assert grade(exercise, plain(answer | {"1": True})).right == max(0, len(answer) - 1)


@quick
@given(exercises(), st.data())
def test_an_answer_that_is_wrong_somewhere_is_never_solved(exercise, data):
    """Right answers have all points; one part changed costs one, at its place only."""
    wanted = key(exercise)
    assert grade(exercise, plain(wanted)).solved
    if exercise.kind in ("order", "move", "mistake"):
        return
    part = data.draw(st.sampled_from(sorted(wanted)))
    changed = wanted[part]
    if exercise.kind == "pruned":
        changed = False
    elif exercise.kind == "window":
        changed = data.draw(st.tuples(*[st.integers(-9, 9).map(float) | st.sampled_from([-INFINITY, INFINITY])] * 2))
    else:
        changed = (
            abs(changed + data.draw(st.integers(-5, 5))) if exercise.kind == "count" else changed + data.draw(st.integers(-5, 5))
        )
    judged = grade(exercise, plain(wanted | {part: changed}))
    same = changed == wanted[part]
    assert judged.solved == same
    assert judged.right == judged.total - (not same)
    assert [item.part for item in judged.items if not item.right] == ([] if same else [part])


@quick
@given(exercises(("pruned",)), st.data())
def test_too_much_is_as_wrong_as_too_little(exercise, data):
    everything = [str(row) for row in range(1, len(exercise.whole))]
    marked = data.draw(st.sets(st.sampled_from(everything)))
    wanted = set(key(exercise))
    judged = grade(exercise, dict.fromkeys(marked, True))
    assert judged.total == len(wanted)
    assert judged.right == max(0, len(marked & wanted) - len(marked - wanted))
    assert judged.solved == (marked == wanted)
    assert {item.part for item in judged.items if not item.right} == marked ^ wanted


@quick
@given(exercises(("move",)), st.data())
def test_any_move_that_brings_the_value_is_right(exercise, data):
    game = exercise.question.game
    part = data.draw(st.sampled_from(sorted(key(exercise))))
    state = exercise.whole[int(part)].state
    move = data.draw(st.sampled_from(list(game.moves(state))))
    item = next(item for item in grade(exercise, key(exercise) | {part: move}).items if item.part == part)
    assert item.right == (minimax_value(game, game.play(state, move), 99) == minimax_value(game, state, 99))


def reference_count(tree, maximizing=True, alpha=-INFINITY, beta=INFINITY):
    """Nodes that alpha-beta visits, and the value."""
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
def test_the_least_is_what_the_best_of_all_orders_visits(difficulty, seed):
    exercise = make("order", seed, difficulty)
    tree, maximizing = exercise.question.game.tree, exercise.whole[0].maximizing
    assert order.least_of(difficulty) == min(reference_count(ordered, maximizing)[0] for ordered in all_orders(tree))


@quick
@given(exercises(("order",)), st.data())
def test_an_order_is_graded_by_the_nodes_that_are_visited(exercise, data):
    orders = {part: data.draw(st.permutations(wanted)) for part, wanted in key(exercise).items() if data.draw(st.booleans())}

    def nested(row):
        rows = exercise.whole.child_rows(row)
        return [nested(rows[place]) for place in orders.get(str(row), range(len(rows)))] if rows else exercise.whole[row].value

    visited = reference_count(nested(0), exercise.whole[0].maximizing)[0]
    shown, least = len(exercise.searched), order.least_of(exercise.difficulty)
    judged = grade(exercise, orders)
    assert judged.right == max(0, 10 * (shown - visited) // (shown - least))
    assert judged.solved == (visited == least)
    assert judged.solved == all(item.right for item in judged.items)


@pytest.mark.parametrize("seed", range(12))
def test_a_cut_on_a_real_position_is_where_the_search_leaves(seed):
    exercise = make("cut", seed, 1 + seed % 5)
    node = exercise.searched[exercise.node]
    values = [reply.value for reply in cut.replies(exercise)]
    assert [child.value for child in node.children] == values[: len(node.children)]
    wanted = 0
    for tried in range(1, len(values)):
        best = max(values[:tried]) if node.maximizing else min(values[:tried])
        beyond = best > node.beta if node.maximizing else best < node.alpha
        if beyond or (exercise.cut_on_equal and best == (node.beta if node.maximizing else node.alpha)):
            wanted = tried
            break
    assert key(exercise) == {"after": wanted}
    for after in range(len(values) + 1):
        assert grade(exercise, {"after": after}).solved == (after == wanted)


# ---- the same exercise everywhere


def test_an_exercise_is_the_same_wherever_it_is_made():
    assert make("pruned", 7, 3) == make("pruned", 7, 3)
    assert make("values", 1).question.game.tree == [[9, 5, 0], [3, 2, 1], [7, 4, 6]]
    assert len({make(kind, 5, 2).question.game.text for kind in ("values", "pruned", "count")}) == 3


@pytest.mark.parametrize(
    ("kind", "seed", "difficulty", "said"),
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
def test_what_is_no_exercise_is_refused(kind, seed, difficulty, said):
    with pytest.raises(PlyscopeError, match=said):
        make(kind, seed, difficulty)


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_says_what_it_is(name):
    kind = KINDS[name]
    assert kind.name == name
    assert kind.title
    assert kind.prompt
    assert kind.rule
    assert kind.how in ("number", "window", "mark", "child", "order", "count", "call", "reply")
    assert len({thought.name for thought in kind.thoughts}) == len(kind.thoughts) > 2


# ---- adversarial answers

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=4),
    max_leaves=8,
)


@quick
@given(exercises(), st.data())
def test_whatever_is_sent_is_graded_or_refused_in_a_sentence(exercise, data):
    allowed = sorted(KINDS[exercise.kind].allowed(exercise))
    answer = data.draw(JSON | st.dictionaries(st.sampled_from(allowed) | st.text(max_size=4), JSON, max_size=5))
    refused = ""
    try:
        judged = grade(exercise, answer)
    except BadAnswer as error:
        refused = str(error)
    assert len(refused) < 300
    if not refused:
        assert 0 <= judged.right <= judged.total
        assert read_answer(exercise, plain(read_answer(exercise, answer))) == read_answer(exercise, answer)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "1e999", "9" * 5000, "nan", "1_000", "٣", "0x10", "{}", "1;2", True, [3], {}, 10**400]
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(BadAnswer, match=r"number|value"):
        reading.number(text)


@pytest.mark.parametrize(
    ("text", "value"), [("7", 7), (" -3 ", -3), ("−3", -3), ("2,5", 2.5), ("∞", INFINITY), ("-INF", -INFINITY), ("", None)]
)
def test_numbers_are_read_as_people_write_them(text, value):
    assert reading.bound(text) == value


# ---- hints


@quick
@given(exercises())
def test_hints_go_from_the_rule_to_the_solution_of_one_part(exercise):
    assert hint(exercise, {}, 1) == (1, KINDS[exercise.kind].rule, None)
    last = hint(exercise, {}, 3)
    assert last.item is None or (not last.item.right and last.item.wanted is not None)
    assert last.item is not None or exercise.kind == "order"  # where the children happen to be well ordered already
    assert hint(exercise, plain(key(exercise)), 3).item is None
    with pytest.raises(BadAnswer):
        hint(exercise, {}, 4)


@quick
@given(exercises(cheap=False))
def test_the_reason_of_a_part_is_a_step_of_the_right_search(exercise):
    trace = Trace(exercise.searched)
    for item in grade(exercise, {}).items:
        step = trace[item.step]
        if exercise.kind == "window":
            assert (step.kind, (step.alpha, step.beta)) == ("enter", item.wanted)
        elif exercise.kind == "values":
            assert (step.kind, step.value) == ("leave", item.wanted)
        elif exercise.kind == "pruned":
            row = int(item.part)
            assert step.kind == "cutoff"
            above = {place for place, visited in exercise.visited.items() if visited == step.node}
            assert above & set(exercise.whole.path(row))


# ---- what learners think


def found_with(kind, name, answer_of, tries=400):
    """An exercise that the thought answers wrongly, with its answer."""
    for seed in range(tries):
        exercise = make(kind, seed, 1 + seed % 5)
        answer = answer_of(exercise)
        if answer is not None and not grade(exercise, plain(answer)).solved:
            thought = grade(exercise, plain(answer)).thought
            assert thought is not None
            if thought.name == name:
                return exercise, answer
    raise AssertionError(f"no exercise {kind} shows {name}")


def swapped(exercise):
    return {str(row): value for row, value in values_by(exercise, lambda top, below: min(below) if top else max(below)).items()}


def values_by(exercise, rule):
    game = exercise.question.game
    places = {path: row for row, path in enumerate(paths(exercise.whole))}
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
def test_who_backs_up_by_another_rule_is_told(name):
    found_with(
        "values", name, lambda exercise: {str(row): value for row, value in values_by(exercise, RULES_FOR_VALUES[name]).items()}
    )


def windows_by(exercise, rule):
    """Windows handed down by a rule, with the children's values of the right search, as a learner would do it on paper."""
    wanted, searched, found = key(exercise), exercise.searched, {}
    rows = {visited: place for place, visited in exercise.visited.items()}

    def visit(node, window):
        if str(rows[node]) in wanted:
            found[str(rows[node])] = window
        before = []
        for child in node.children:
            visit(child, rule(node, window, before))
            before.append(child.value)

    visit(searched[0], (-INFINITY, INFINITY))
    return found


def narrowed(node, window, scores, raises_alpha):
    (alpha, beta), best = window, None
    for score in scores:
        best = score if best is None else best_for([best, score], node.maximizing)
        alpha, beta = (max(alpha, best), beta) if raises_alpha else (alpha, min(beta, best))
    return alpha, beta


RULES_FOR_WINDOWS = {
    "window-not-passed": lambda node, window, scores: window,
    "alpha-from-above": lambda node, window, scores: narrowed(node, (-INFINITY, INFINITY), scores, node.maximizing),
    "wrong-bound-updated": lambda node, window, scores: narrowed(node, window, scores, not node.maximizing),
}


@pytest.mark.parametrize("name", RULES_FOR_WINDOWS)
def test_who_hands_windows_down_by_another_rule_is_told(name):
    found_with("window", name, lambda exercise: windows_by(exercise, RULES_FOR_WINDOWS[name]))


def test_who_writes_windows_the_wrong_way_round_or_too_late_is_told():
    found_with("window", "reversed", lambda exercise: {part: ends[::-1] for part, ends in key(exercise).items()})

    def on_leaving(exercise):
        trace, rows = Trace(exercise.searched), exercise.visited
        return {part: trace[trace.leave(rows[int(part)])][3:5] for part in key(exercise)}

    found_with("window", "on-leaving", on_leaving)


def marks_of(exercise, tree):
    return {str(row): True for row in set(range(len(exercise.whole))) - set(rows_in(exercise.whole, tree))}


PRUNED_BY = {
    "nothing": lambda exercise: {},
    "other-rule": lambda exercise: marks_of(exercise, search(exercise.question.replace(cut_on_equal=not exercise.cut_on_equal))),
    "deep-cutoffs": lambda exercise: marks_of(exercise, searched_wrongly(exercise.question, ShallowOnly())),
    "tops-only": lambda exercise: {part: True for part in key(exercise) if str(above(exercise, part)) not in key(exercise)},
    "leaves-only": lambda exercise: {part: True for part in key(exercise) if exercise.whole[int(part)].is_leaf},
    "with-cause": lambda exercise: key(exercise) | below(exercise, [node.children[-1] for node in cut_nodes(exercise)]),
    "with-node": lambda exercise: below(exercise, cut_nodes(exercise)),
    **{
        name: lambda exercise, hand=hand: marks_of(exercise, searched_wrongly(exercise.question, hand()))
        for name, hand in WRONG.items()
        if name not in pruned.CUT_NOTHING
    },
}


def above(exercise, part):
    return exercise.whole.path(int(part))[-2]


def cut_nodes(exercise):
    return [node for node in exercise.searched if node.pruned]


def below(exercise, nodes):
    places = {visited: place for place, visited in exercise.visited.items()}
    return {str(row): True for node in nodes for row in range(places[node], exercise.whole[places[node]].end)}


@pytest.mark.parametrize("name", PRUNED_BY)
def test_who_prunes_by_another_rule_is_told(name):
    found_with("pruned", name, PRUNED_BY[name])


def test_some_mistakes_prune_nothing():
    for name in pruned.CUT_NOTHING:
        for seed in range(10):
            exercise = make("pruned", seed, 1 + seed % 5)
            assert marks_of(exercise, searched_wrongly(exercise.question, WRONG[name]())) == {}


COUNTED_BY = {
    "without-root": lambda exercise: key(exercise) | {"expanded": key(exercise)["expanded"] - 1},
    "leaves-as-nodes": lambda exercise: key(exercise) | {"expanded": key(exercise)["leaves"]},
    "inner-only": lambda exercise: key(exercise) | {"expanded": key(exercise)["expanded"] - key(exercise)["leaves"]},
    "skipped-as-cutoffs": lambda exercise: key(exercise) | {"cutoffs": sum(node.skipped for node in exercise.searched)},
    "minimax": lambda exercise: counts_of(search(exercise.question.replace(algorithm="minimax"))),
    "other-rule": lambda exercise: counts_of(search(exercise.question.replace(cut_on_equal=not exercise.cut_on_equal))),
    "deep-cutoffs": lambda exercise: counts_of(searched_wrongly(exercise.question, ShallowOnly())),
}


def counts_of(tree):
    return {"expanded": len(tree), "leaves": tree.leaves, "cutoffs": tree.cutoffs}


@pytest.mark.parametrize("name", COUNTED_BY)
def test_who_counts_otherwise_is_told(name):
    found_with("count", name, COUNTED_BY[name])


def moves_by(exercise, value_of, better):
    game, found = exercise.question.game, {}
    for part in key(exercise):
        state = exercise.whole[int(part)].state
        values = [value_of(game, game.play(state, move), game.maximizing(state)) for move in game.moves(state)]
        found[part] = values.index(better(values, game.maximizing(state)))
    return found


def leaves_below(game, state):
    if game.is_over(state):
        return [game.evaluate(state)]
    return [leaf for move in game.moves(state) for leaf in leaves_below(game, game.play(state, move))]


def best_for(values, maximizing):
    return max(values) if maximizing else min(values)


def swapped_value(game, state, _):
    if game.is_over(state):
        return game.evaluate(state)
    return best_for([swapped_value(game, game.play(state, move), _) for move in game.moves(state)], not game.maximizing(state))


MOVED_BY = {
    "sides-swapped": lambda exercise: moves_by(
        exercise, lambda g, s, _: minimax_value(g, s, 99), lambda v, top: best_for(v, not top)
    ),
    "best-leaf": lambda exercise: moves_by(exercise, lambda g, s, top: best_for(leaves_below(g, s), top), best_for),
    "other-side-decides": lambda exercise: moves_by(exercise, swapped_value, best_for),
}


@pytest.mark.parametrize("name", MOVED_BY)
def test_who_chooses_otherwise_is_told(name):
    found_with("move", name, MOVED_BY[name])


def sorted_by(exercise, reverse):
    whole = exercise.whole
    found = {}
    for part in key(exercise):
        values = [whole[child].value for child in whole.child_rows(int(part))]
        found[part] = sorted(range(len(values)), key=values.__getitem__, reverse=reverse(whole[int(part)].maximizing))
    return found


ORDERED_BY = {
    "worst-first": lambda exercise: sorted_by(exercise, lambda top: not top),
    "largest-first": lambda exercise: sorted_by(exercise, lambda top: True),
    "smallest-first": lambda exercise: sorted_by(exercise, lambda top: False),
    "as-it-was": lambda exercise: {},
}


@pytest.mark.parametrize("name", ORDERED_BY)
def test_who_orders_otherwise_is_told(name):
    found_with("order", name, ORDERED_BY[name])


def replies_by(exercise, cuts):
    node = exercise.searched[exercise.node]
    values = [reply.value for reply in cut.replies(exercise)]
    for tried in range(1, len(values)):
        if cuts(best_for(values[:tried], node.maximizing), node, exercise.cut_on_equal):
            return {"after": tried}
    return {"after": 0}


def best_reply(exercise):
    values = [reply.value for reply in cut.replies(exercise)]
    return {"after": 1 + values.index(best_for(values, exercise.searched[exercise.node].maximizing))}


def at_bound(value, node, equal):
    bound = node.beta if node.maximizing else node.alpha
    return (equal and value == bound) or (value > bound if node.maximizing else value < bound)


def at_own_bound(value, node, _):
    return value > node.alpha if node.maximizing else value < node.beta


def at_other_side(value, node, equal):
    bound = node.alpha if node.maximizing else node.beta
    return (equal and value == bound) or (value < bound if node.maximizing else value > bound)


CUT_BY = {
    "other-rule": lambda exercise: replies_by(exercise, lambda value, node, equal: at_bound(value, node, not equal)),
    "wrong-bound-compared": lambda exercise: replies_by(exercise, at_own_bound),
    "sides-swapped": lambda exercise: replies_by(exercise, at_other_side),
    "no-cutoff": lambda exercise: {"after": 0},
    "best-reply": best_reply,
}


@pytest.mark.parametrize("name", CUT_BY)
def test_who_cuts_otherwise_is_told(name):
    found_with("cut", name, CUT_BY[name], tries=300)


def test_who_points_at_another_wrong_call_is_told():
    def row_of(exercise, wanted):
        rows = mistake.shown_rows(exercise)
        calls = mistake.calls_of(exercise)
        return wanted(exercise, rows, calls)

    def later(exercise, rows, calls):
        return {"call": rows[calls[1].row]} if len(calls) > 1 else None

    def caller(exercise, rows, calls):
        parent = mistake.record_of(exercise).path(calls[0].row)[-2] if calls[0].row else None
        return {"call": rows[parent]} if parent is not None and calls[0].what in ("window", "made") else None

    def further_up(exercise, rows, calls):
        path = mistake.record_of(exercise).path(calls[0].row)
        right = [row for row in path[:-2] if row not in {call.row for call in calls}]
        return {"call": rows[right[-1]]} if right else None

    found_with("mistake", "later", lambda exercise: row_of(exercise, later))
    found_with("mistake", "caller", lambda exercise: row_of(exercise, caller))
    found_with("mistake", "consequence", lambda exercise: row_of(exercise, further_up))


def test_every_thought_is_tested():
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
    assert {name: {thought.name for thought in kind.thoughts} for name, kind in KINDS.items()} == tested


@quick
@given(exercises(), st.data())
def test_a_thought_is_only_named_for_wrong_answers(exercise, data):
    assert grade(exercise, plain(key(exercise))).thought is None


# ---- wrong searches


@quick
@given(TREES.filter(lambda tree: isinstance(tree, list)), st.booleans(), st.sampled_from(["max", "min"]))
def test_a_right_search_has_no_wrong_call_and_is_recorded_like_ours(tree, cut_on_equal, first):
    question = Question(literal(tree, first), cut_on_equal=cut_on_equal)
    ours, hand = search(question), searched_wrongly(question, Right())
    assert wrong_calls(ours, cut_on_equal) == wrong_calls(hand, cut_on_equal) == []
    for name, column in ours.columns._asdict().items():
        assert column.tolist() == hand.columns._asdict()[name].tolist()


@pytest.mark.parametrize("name", WRONG)
def test_every_mistake_is_shown_by_some_exercise_and_is_in_the_catalogue(name):
    assert name in MISTAKES
    shown = [make("mistake", seed, 1 + seed % 5) for seed in range(150)]
    assert any(exercise.wrong == name for exercise in shown)


@quick
@given(exercises(("mistake",)))
def test_up_to_the_first_wrong_call_the_record_is_that_of_a_right_search(exercise):
    """Proof from outside: a right search that gets the same values from below does the same until then."""
    record, first = mistake.record_of(exercise), mistake.calls_of(exercise)[0]
    trace = Trace(record)
    for row in range(first.row):
        node = record[row]
        if node.depth == 0 or trace.enter(row) > first.step:
            continue
        parent = node.parent
        before = [child.value for child in parent.children if child < row]
        alpha, beta = parent.alpha, parent.beta
        if before:
            best = max(before) if parent.maximizing else min(before)
            alpha, beta = (max(alpha, best), beta) if parent.maximizing else (alpha, min(beta, best))
        assert (node.alpha, node.beta) == (alpha, beta)
        if trace.leave(row) < first.step and node.children:
            assert node.value == best_for([child.value for child in node.children], node.maximizing)
    assert grade(exercise, key(exercise)).solved


def contradictions(record, row, cut_on_equal):
    """Call by call, in the order of the search: what alpha-beta would have done with what the call got, against what it did."""
    node = record[row]
    alpha, beta, got = node.alpha, node.beta, []
    for child in node.children:
        best = best_for(got, node.maximizing) if got else None
        cuts = best is not None and (best > beta if node.maximizing else best < alpha)
        cuts = cuts or (cut_on_equal and best is not None and best == (beta if node.maximizing else alpha))
        if best is not None and not cuts:
            alpha, beta = (max(alpha, best), beta) if node.maximizing else (alpha, min(beta, best))
        if cuts or (child.alpha, child.beta) != (alpha, beta):
            yield int(child)
        yield from contradictions(record, child, cut_on_equal)
        got.append(child.value)
    if got:
        best, bound = best_for(got, node.maximizing), beta if node.maximizing else alpha
        beyond = (best > bound if node.maximizing else best < bound) or (cut_on_equal and best == bound)
        if node.value != best or (node.skipped and not beyond):
            yield row


@quick
@given(exercises(("mistake",)))
def test_the_first_wrong_call_is_the_first_that_the_reference_finds(exercise):
    check_first_wrong_call(exercise)


@pytest.mark.slow
def test_the_first_wrong_calls_of_many_searches_are_what_the_reference_finds():
    for seed in range(400):
        check_first_wrong_call(make("mistake", seed, 1 + seed % 5))


def check_first_wrong_call(exercise):
    found = next(contradictions(mistake.record_of(exercise), 0, exercise.cut_on_equal))
    wanted = rows_in(exercise.whole, mistake.record_of(exercise))[found]
    assert key(exercise) == {"call": wanted}
    for row in {0, wanted - 1, wanted, wanted + 1, len(exercise.whole) - 1} & set(range(len(exercise.whole))):
        assert grade(exercise, {"call": row}).solved == (row == wanted)


# ---- summaries


def some_done():
    wrong = make("count", 3, 2)
    return [done_of(make(kind, 1, 2)) for kind in KINDS] + [done_of(wrong, {"expanded": 1})]


def as_plain(done):
    return json.loads(json.dumps([{name: getattr(one, name) for name in one.__struct_fields__} for one in done]))


def test_a_summary_is_read_back_and_graded_again():
    checked = read_summary(write_summary(as_plain(some_done()), "Ada"))
    assert checked.unchanged
    assert checked.honest
    assert checked.learner == "Ada"
    assert checked.right == sum(regraded.done.total for regraded in checked.exercises[:-1])
    assert checked.total == sum(regraded.done.total for regraded in checked.exercises)
    assert [regraded.agrees for regraded in checked.exercises] == [True] * 9


def test_points_that_were_edited_show_even_with_a_new_hash():
    done = as_plain(some_done())
    done[-1]["points"] = 3
    edited = json.loads(write_summary(as_plain(some_done())))
    edited["exercises"][-1]["points"] = 3
    checked = read_summary(json.dumps(edited).encode())
    assert not checked.unchanged
    assert not checked.honest
    assert not checked.exercises[-1].agrees
    faked = read_summary(write_summary(done))
    assert faked.unchanged
    assert not faked.honest
    assert not faked.exercises[-1].agrees
    assert faked.right == checked.right == sum(regraded.done.total for regraded in faked.exercises[:-1])


def test_the_same_exercise_again_counts_as_it_was_answered_first():
    done = as_plain([done_of(make("values", 1)), done_of(make("values", 1), {})])
    checked = read_summary(write_summary(done))
    assert (checked.right, checked.total) == (4, 4)
    other_way = read_summary(write_summary(done[::-1]))
    assert (other_way.right, other_way.total) == (0, 4)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"format": 1}',
        b"\xff",
        b'{"format":"other","learner":"","exercises":[],"hash":""}',
        b" " * 5_000_001,
    ],
    ids=["empty", "list", "object", "deep", "number", "bytes", "format", "large"],
)
def test_what_is_no_summary_is_refused_in_a_sentence(content):
    with pytest.raises(BadSummary) as error:
        read_summary(content)
    assert len(str(error.value)) < 300


@quick
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "kind": st.text(max_size=8),
                "seed": st.integers(),
                "difficulty": st.integers(),
                "answer": st.dictionaries(st.text(max_size=3), JSON, max_size=3),
                "points": st.integers(0, 9),
            }
        ),
        max_size=3,
    ),
    st.text(max_size=100),
)
def test_whatever_a_browser_sends_becomes_a_summary_or_is_refused(exercises, learner):
    try:
        content = write_summary(exercises, learner)
    except BadSummary:
        return
    checked = read_summary(content)
    assert checked.unchanged
    assert checked.learner.isprintable() or not checked.learner


def test_the_hash_is_of_what_is_said():
    assert hash_of("Ada", some_done()) != hash_of("Bob", some_done())
    content = json.loads(write_summary(as_plain(some_done()), "Ada"))
    assert read_summary(json.dumps(content, indent=4).encode()).unchanged
