"""Rules choose sentences: every rule is reached, every step has a rule, and both interpreters agree."""

import json
import random
from collections import defaultdict
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import chance, literal, nim, preset, search, tictactoe, watch
from engine.algorithms import ALGORITHMS, alphabeta, minimax
from engine.algorithms.as_published import QUIRK_RULES as WORDS_AS_PUBLISHED
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import WINDOWS, Algorithm
from engine.algorithms.templates import QUIESCE_LINES, Rule, add_quiescence, merge_rules
from engine.record.columns import CUTOFF, EXHAUSTED, INFINITY, NONE, TABLE, TERMINAL
from engine.record.recorder import NodeCounter
from engine.tree.trace import Trace
from tests.support.chance_trees import random_chance_tree
from tests.support.games import Countdown
from tests.support.marks import examples
from tests.support.toy_algorithms import CODE, TOYS, without_windows
from tests.visualizer.viewer.test_viewer_logic import (
    JS,
    SMALL,
    TREES,
    ask_browser,
    check_answer,
    needs_node,
    run_node,
    sample_numbers,
    step_answer,
)
from visualizer.narration import rules
from visualizer.narration.chance_rules import CHANCE_RULES
from visualizer.narration.pseudocode import find_code_line, tree_pseudocode
from visualizer.narration.rules import SLOT_PATTERN, MissingRule, choose_rule, format_part
from visualizer.narration.sentences import RULES, TABLE_RULES, move_rules, rules_for_tree, sentence, slot_texts
from visualizer.narration.step_facts import FACTS, collect_facts


class Interrupted(Countdown):
    """Ctrl-C is pressed while a leaf is evaluated."""

    evaluated = 0

    def evaluate(self, state):
        self.evaluated += 1
        if self.evaluated == 20:
            raise KeyboardInterrupt
        return super().evaluate(state)


def search_twice(game, record, state, plies, options):
    """Minimax, twice. In the second pass a table answers the moves of the root without naming the nodes of its entries."""
    record.begin_pass(None, "to know")
    minimax.minimax(game, record, state, plies)
    record.begin_pass(None, "to be sure")
    root = record.enter(NONE, 0, -INFINITY, INFINITY, game.maximizing(state))
    values = [minimax.minimax(game, NodeCounter(INFINITY, None), game.play(state, move), plies - 1) for move in game.moves(state)]
    for move, value in enumerate(values):
        row = record.enter(move, 1, -INFINITY, INFINITY, not game.maximizing(state))
        record.leave(row, TABLE, value)
    return record.leave(root, EXHAUSTED, (max if game.maximizing(state) else min)(values))


def search_by_guesses(game, record, state, plies, options):
    """Alpha-beta that asks whether the value is more than 3, and then whether it is less."""
    for alpha, beta in ((3, 3.5), (2.5, 3)):
        record.begin_pass(None, f"is it between {alpha} and {beta}")
        value = alphabeta.alphabeta(game, record, state, plies, alpha=alpha, beta=beta)
    return value


def search_carelessly(game, record, state, plies, options, depth=0, move=NONE, alpha=-INFINITY, beta=INFINITY):
    """Alpha-beta with windows that mean nothing, and values that are one too high at depth 1."""
    maximizing = game.maximizing(state)
    node = record.enter(move, depth, alpha, beta, maximizing)
    if game.is_over(state):
        return record.leave(node, TERMINAL, game.evaluate(state))
    value, replies = -INFINITY if maximizing else INFINITY, game.moves(state)
    for tried, reply in enumerate(replies, start=1):
        window = (1, 2) if reply else (5, 6)
        score = search_carelessly(game, record, game.play(state, reply), plies, options, depth + 1, reply, *window)
        value = max(value, score) if maximizing else min(value, score)
        if tried < len(replies) and is_refuted(maximizing, value, alpha, beta, cut_on_equal=True):
            return record.leave(node, CUTOFF, value + (depth == 1), skipped=len(replies) - tried)
    return record.leave(node, EXHAUSTED, value + (depth == 1))


def student_search(tree, depth, alpha, beta, is_max):
    """A student's program: the record does not know the moves that it does not try."""
    if not isinstance(tree, list):
        return tree
    best = -99 if is_max else 99
    for child in tree:
        score = student_search(child, depth - 1, alpha, beta, not is_max)
        best = max(best, score) if is_max else min(best, score)
        alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def record_student(most_rows=100):
    with watch(student_search, most_rows=most_rows) as seen:
        student_search([[3, 12, 8], [2, 4, 6], [14, 5, 2]], 2, -99, 99, True)
    return seen.tree


def random_tree(source, depth):
    """Return a random tree of numbers."""
    return source.randint(0, 7) if depth == 0 else [random_tree(source, depth - 1) for _ in range(3)]


MORE_LINES = [line for line in CODE if line not in alphabeta.PSEUDOCODE]
MORE_TOYS = [
    Algorithm("twice", "twice", "", search_twice, [*minimax.PSEUDOCODE, *MORE_LINES], laws=()),
    Algorithm("guesses", "guesses", "", search_by_guesses, [*alphabeta.PSEUDOCODE, *MORE_LINES], columns=WINDOWS, laws=()),
    Algorithm("careless", "careless", "", search_carelessly, alphabeta.PSEUDOCODE, columns=WINDOWS, laws=()),
    Algorithm("bare", "bare", "", without_windows, alphabeta.PSEUDOCODE, laws=()),
]
BROKEN_NUMBERS = [[0.5, 0], [0.1, [0.7, 0.1]], [[0.3], 0]]  # null windows between them are written in words
TOY_TREES = [random_tree(random.Random(8), 4), [[3, 9], [5, 4]], [[2, 9], [0, 4]]]
RECORDED = {
    **TREES,
    "cancelled": lambda: search(tictactoe(), depth=9, on_progress=lambda nodes: False),
    "interrupted": lambda: search(Interrupted()),
    "broken off": lambda: record_student(most_rows=5),
    "watched": record_student,
    "quiescence, in passes": lambda: search(SMALL, "112", 0, "aspiration", quiescence=4),
    "quiescence, ties": lambda: search(tictactoe(), "013", 0, quiescence=4),
    "deeper entries": lambda: search(nim([2, 3, 1]), depth=5, algorithm="iterative", draft="deeper"),
    **{
        f"{name}, {place}": partial(search, literal(data), algorithm=name)
        for name in [toy.name for toy in (*TOYS, *MORE_TOYS)]
        for place, data in enumerate(TOY_TREES)
    },
}
LADDER = {
    **{name: [(literal(tree), {"algorithm": name}) for tree in TOY_TREES] for name in list(ALGORITHMS)[2:]},
    "low": [(literal(tree), {"algorithm": "aspiration", "guess": 99.0, "width": 1.0}) for tree in TOY_TREES],
    "high": [(literal(tree), {"algorithm": "aspiration", "guess": -99.0, "width": 1.0}) for tree in TOY_TREES],
    "fails with the value": [(literal([[value]]), {"algorithm": "aspiration", "guess": 0.0, "width": 2.0}) for value in (-4, 4)],
    "a leaf": [(tictactoe(), {"depth": 0, "algorithm": "mtdf"})],
    "deepening": [
        (preset("k-tables"), {"position": "3", "depth": 3, "algorithm": name, "width": 0.5, "table": table, "scout": scout})
        for name in ("iterative", "engine")
        for table in (True, False)
        for scout in (True, False)
    ],
    "horizons": [(tictactoe(), {"position": "40", "depth": 3, "algorithm": name}) for name in list(ALGORITHMS)[2:]],
    **{
        f"{name} with chance": [(literal(*random_chance_tree(seed, height=5)), {"algorithm": name}) for seed in range(12)]
        for name in ("expectiminimax", "star1", "star2")
    },
    "star1, stopped": [(literal(*random_chance_tree(8)), {"algorithm": "star1", "max_nodes": 12})],
    "star1, at beta": [(literal([3, chance((0.5, 6), (0.5, 0))], "min"), {"algorithm": "star1"})],
    "nothing left to chance": [(literal([chance((0.5, 3), (0.5, 3)), 3]), {"algorithm": "expectiminimax"})],
    "pvs with a table": [(tictactoe(), {"position": "408", "depth": 4, "algorithm": "pvs", "table": True})],
}
RECORDED |= {
    f"{name}, {place}": partial(search, game, **options)
    for name, searches in LADDER.items()
    for place, (game, options) in enumerate(searches)
}
RULE_SETS = {  # rules that only some searches have
    **{f"as published, {quirk}": words for quirk, words in WORDS_AS_PUBLISHED.items()},
    **{name: algorithm.words for name, algorithm in ALGORITHMS.items()},
    "with a table": TABLE_RULES,
    "chance": CHANCE_RULES,
}
BROWSER_ONLY_RULES = {"hidden", "chance.hidden"}  # for parts of trees: test_a_part_of_a_tree_says_what_the_whole_tree_says


def all_rules():
    """Return every rule once: algorithms may share some."""
    spoken = [rule for words in (RULES, *RULE_SETS.values()) for rules in words.values() for rule in rules]
    return list({id(rule): rule for rule in spoken}.values())


def all_lines():
    code = {name: algorithm.code for name, algorithm in ALGORITHMS.items()} | {"quiescence": add_quiescence([], 1)}
    return [(name, line) for name, lines in code.items() for line in lines if line.when is not None]


@pytest.fixture(scope="module")
def reached_rules():
    """Return the names of the rules that recorded searches reach, the lines of their code, the values of facts, and the slots."""
    names, lines, values, slots = set(), set(), defaultdict(set), set()
    with pytest.MonkeyPatch.context() as patch:
        for toy in (*TOYS, *MORE_TOYS):
            patch.setitem(ALGORITHMS, toy.name, toy)
        patch.setattr(rules, "choose_rule", lambda *asked: (found := choose_rule(*asked), names.add(found.name))[0])
        for name, make in RECORDED.items():
            trace = Trace(make())
            code = tree_pseudocode(trace.tree)
            back = [trace.leave(row) + 1 for row in trace.tree.root.children if row.status != "open"]
            for number in {*sample_numbers(len(trace), 250), *back}:
                step = trace[number]
                assert "{" not in sentence(step) or "{side} $& " in sentence(step)  # a move of the game `Named`
                if name not in ("watched", "broken off"):  # they have lines of their own
                    at = code[find_code_line(step)]
                    beyond = (at.when or {}).get("beyond", False)
                    condition = {fact: value for fact, value in (at.when or {}).items() if fact != "beyond"}
                    of = "quiescence" if beyond else trace.tree.algorithm
                    lines.add((of, at.words, str(condition), trace.tree.cut_on_equal))
                slots.update(slot_texts(step))
                for fact, value in collect_facts(step).items():
                    values[fact].add(value)
    return names, lines, values, slots


@pytest.mark.slow
def test_every_rule_is_reached_by_a_recorded_search(reached_rules):
    names, *_ = reached_rules
    assert {rule.name for rule in all_rules()} - names == BROWSER_ONLY_RULES


@pytest.mark.slow
def test_every_line_of_pseudo_code_that_is_for_steps_is_reached(reached_rules):
    _, lines, *_ = reached_rules
    code = {name: algorithm.code for name, algorithm in ALGORITHMS.items()} | {"quiescence": QUIESCE_LINES}
    for name, listed in code.items():
        conditions = {(line.words, str(line.when)) for line in listed if line.when is not None}
        assert conditions == {(words, when) for algorithm, words, when, on_equal in lines if algorithm == name and on_equal}


@pytest.mark.slow
def test_every_slot_is_a_part_with_rules_or_filled_by_code(reached_rules):
    _, _, _, filled = reached_rules
    of_moves = move_rules(tictactoe())
    parts = {part for words in (RULES, of_moves, *RULE_SETS.values()) for part in words}
    spoken = [*all_rules(), *(rule for rules in of_moves.values() for rule in rules)]
    slots = {slot for rule in spoken for slot in SLOT_PATTERN.findall(rule.words)}
    assert slots <= parts | filled | {"count"}  # of hidden nodes, in the browser
    assert parts <= slots | {""}
    for _, line in all_lines():
        assert set(SLOT_PATTERN.findall(line.numbers)) <= filled


def test_rule_names_are_unique():
    names = [rule.name for rule in all_rules()]
    assert len(names) == len(set(names))


@needs_node
def test_the_browser_says_the_same_of_probes_passes_and_tables(monkeypatch, tmp_path):
    for toy in (*TOYS, *MORE_TOYS):
        monkeypatch.setitem(ALGORITHMS, toy.name, toy)
    trees = [search(literal(data), algorithm=toy.name) for toy in (*TOYS, *MORE_TOYS) for data in TOY_TREES]
    trees += [search(tictactoe(), "40", 5, toy.name) for toy in TOYS]
    trees += [search(literal(BROKEN_NUMBERS), algorithm=name) for name in ("pvs", "mtdf", "sss", "aspiration")]
    for tree, (numbers, _, answer) in zip(trees, ask_browser(trees, tmp_path, 300), strict=True):
        trace = Trace(tree)
        for number, browser_step in zip(numbers, answer["steps"], strict=True):
            expected = step_answer(trace, trace[number])
            assert {name: browser_step[name] for name in expected} == expected


# ---- facts


@pytest.mark.slow
def test_facts_of_recorded_searches_have_the_values_that_are_documented(reached_rules):
    _, _, values, _ = reached_rules
    assert set(values) == set(FACTS)
    for fact, (documented, meaning) in FACTS.items():
        assert meaning
        assert values[fact] <= set(documented)
        assert set(documented) - values[fact] <= {"hidden": {True}}.get(fact, set())


def test_rules_test_every_fact_and_no_others():
    conditions = [*(rule.when for rule in all_rules()), *(line.when for _, line in all_lines())]
    assert {fact for when in conditions for fact in when} == set(FACTS)
    for when in conditions:
        assert all(value in FACTS[fact].values for fact, value in when.items())


def test_an_unknown_kind_of_step_has_no_rule():
    step = Trace(search(literal([1, 2])))[0]
    with pytest.raises(MissingRule, match=r"there is no rule for .*'step': 'sleep'"):
        format_part(rules_for_tree(step.node.tree), "", {**collect_facts(step), "step": "sleep"}, {})


# ---- the rules leave nothing out

STATUS = {"evaluate": ("terminal", "horizon"), "cutoff": ("cutoff",), "leave": ("exhausted",), "table": ("table",)}


@st.composite
def possible_facts(draw):
    """Draw facts that do not contradict each other."""
    facts = {name: draw(st.sampled_from(fact.values)) for name, fact in FACTS.items()}
    facts["mover"] = "" if facts["root"] else draw(st.sampled_from(["max", "min"]))
    facts["status"] = draw(st.sampled_from(STATUS.get(facts["step"], FACTS["status"].values)))
    facts["bound"] = "" if facts["step"] == "enter" else draw(st.sampled_from(["exact", "lower", "upper", "open"]))
    facts["skipped"] = draw(st.sampled_from(["unknown", "one", "few", "many"])) if facts["step"] == "cutoff" else ""
    return facts


def fill_all_parts(words, facts):
    slots = {slot for rules in words.values() for rule in rules for slot in SLOT_PATTERN.findall(rule.words)}
    return format_part(words, "", facts, dict.fromkeys(slots, ""))


@pytest.mark.parametrize("own", RULE_SETS)
@examples(100)
@given(possible_facts())
def test_every_combination_of_facts_has_a_sentence(own, facts):
    games = {part: [Rule(part, {}, part)] for part in ("move", "Move", "by", "skipped", "over")}
    text = fill_all_parts(merge_rules(RULE_SETS[own], RULES, games), facts)
    assert text.rstrip().endswith((".", "?"))


# ---- two interpreters


SEEN, NEVER_SEEN = ["step", "side", "root"], ["weather", "hasOwnProperty"]
WORDS = ["", "a", "{name}", "x {low} y", "{low}{name}", "$& {name}", "{", "{}", "}{a}", "{nothing}", "{toString}"]


def random_rules(source):
    """Return rules over a few facts, some of which no search has, with slots that are parts, and matching facts."""
    values = ["", "max", "min", True, False, "true", "false"]

    def part(words):
        conditions = [source.sample(SEEN + NEVER_SEEN, source.randint(0, 2)) for _ in range(source.randint(0, 4))]
        return [Rule("", {fact: source.choice(values) for fact in facts}, source.choice(words)) for facts in conditions]

    facts = {fact: source.choice(values) for fact in SEEN + source.sample(NEVER_SEEN, source.randint(0, 2))}
    return {"rules": {"": part(WORDS), "low": part(WORDS[:3])}, "facts": facts, "slots": {"name": "{low} $& <b>", "a": "1"}}


def rules_with_random_facts(source):
    """Return the real rules with random facts, which may contradict each other."""
    slots = {slot: f"<{slot}>" for rule in all_rules() for slot in SLOT_PATTERN.findall(rule.words)}
    facts = {name: source.choice([*fact.values, fact.values[0], "sleep"]) for name, fact in FACTS.items()}
    return {"rules": merge_rules(source.choice(list(RULE_SETS.values())), RULES), "facts": facts, "slots": slots}


@needs_node
def test_python_and_browser_interpret_rules_alike():
    source = random.Random(11)
    questions = [make(source) for make in (random_rules, rules_with_random_facts) for _ in range(2_000)]
    encoded = json.dumps([encode_rules(**question) for question in questions])
    answer = json.loads(run_node(JS / "answers/rules_answers.js", text=encoded))
    expected = [text_or_none(**question) for question in questions]
    assert answer == expected
    assert min(expected.count(None), len(questions) - expected.count(None)) > 500


def encode_rules(rules, **others):
    return {"rules": {part: [rule._asdict() for rule in rules] for part, rules in rules.items()}, **others}


def text_or_none(rules, facts, slots):
    try:
        return format_part(rules, "", facts, slots)
    except MissingRule:
        return None


@needs_node
def test_the_browser_describes_a_cutoff_with_unknown_moves(tmp_path):
    tree = record_student()
    assert (tree.cutoffs, tree.skipped) == (2, 0)
    ((steps, rows, answer),) = ask_browser([tree], tmp_path)
    check_answer(tree, steps, rows, answer)
