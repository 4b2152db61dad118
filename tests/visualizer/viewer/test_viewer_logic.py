"""The viewer's logic in the browser, against the engine: node runs the modules, Python knows the truth."""

import functools
import json
import math
import random
import re
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import connect, literal, nim, preset, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import Alignment
from engine.games.boards import cell_of, find_board
from engine.games.chance_outcomes import chance_outcomes
from engine.games.protocol import move_from_code
from engine.tree.expectation import ballard_bounds
from engine.tree.trace import Trace
from tests.support.games import TEXTBOOK, Countdown, literal_trees
from tests.support.marks import ALL_EXAMPLES, mostly_slow
from tests.support.paths import TESTS
from tests.support.processes import run
from tests.support.reference import minimax_value
from visualizer.narration import numbers, pseudocode, sentences
from visualizer.narration.rules import format_part
from visualizer.narration.step_facts import collect_facts
from visualizer.viewer.payload import build_payload
from visualizer.viewer.viewport import find_visible_part, leave_step

JS = TESTS / "js"
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: the viewer's JavaScript is not tested")
small_trees = st.recursive(st.integers(0, 3), lambda children: st.lists(children, min_size=1, max_size=4), max_leaves=40)
SAMPLED = 150  # steps and rows of a tree that are compared


class Named:
    """Moves are words, and the same place in the list has another name in another state; foreign text in all of them."""

    def start(self):
        return ()

    def moves(self, state):
        return [f"{{side}} $& \u2028<{len(state)}{letter}>" for letter in "abc"]

    def play(self, state, move):
        return (*state, move)

    def is_over(self, state):
        return False

    def maximizing(self, state):
        return len(state) % 2 == 1

    def evaluate(self, state):
        return hash_of(state) % 7 / 3


def hash_of(state):
    return sum(ord(letter) * (place + 3) for place, letter in enumerate("".join(state)))


SMALL = connect(rows=4, cols=5, connect=3, evaluation="segments:linear")
WIDE = [[5, 3], [2] + [9] * 20, [2] + [8] * 4]
ZEROS_AND_ONES = functools.reduce(
    lambda below, _: [below, [0, 1, 0, 0], below, [[1, 1], [0, [1, 0]]]], range(4), [[0, 1], [1, [0]]]
)
DEEP = [[[[[[[[[[[[3, 12], [2, 4]], 1], 5], 3], 2], 6], 5], [7, 1, 3]], 8], 2], 9]

TREES = {
    "textbook": lambda: search(literal(TEXTBOOK)),
    "textbook minimax": lambda: search(literal(TEXTBOOK), algorithm="minimax"),
    "k-tables": lambda: search(preset("k-tables"), "3", 3),
    "k-tables minimax": lambda: search(preset("k-tables"), "3", 3, "minimax"),
    "k-tables strict": lambda: search(preset("k-tables"), "3", 4, cut_on_equal=False),
    "k-tables as published": lambda: search(preset("k-tables"), "000000111111222222333333444444555", 5, as_published=True),
    "k-tables as published, minimax": lambda: search(
        preset("k-tables"), "000000111111222222333333444444555556", 9, "minimax", as_published=True
    ),
    "k-tables as published, full board": lambda: search(
        preset("k-tables"), "000000111111222222333333444444555556666", 5, as_published=True
    ),
    "threats as published": lambda: search(preset("threats"), "", 4, as_published=True),
    "full-depth as published": lambda: search(preset("full-depth"), "00001111", as_published=True),
    "full-depth as published, cut short": lambda: search(preset("full-depth"), "001122", 5, as_published=True),
    "full-depth as published, MIN first": lambda: search(preset("full-depth"), "0011", 5, as_published=True, first="min"),
    "full-depth as published, only hoped for": lambda: search(preset("full-depth"), "214111430", 4, as_published=True),
    "long-state": lambda: search(preset("long-state"), "33", 4),
    "readable": lambda: search(preset("threats"), "32", 3, compiled=False),
    "big board": lambda: search(connect(rows=9, cols=9, connect=5), "4", 2),
    "tictactoe": lambda: search(tictactoe(), "40"),
    "nim": lambda: search(nim([2, 3, 1])),
    "literal, MIN first": lambda: search(literal([[3, [12, 3.5], 8], [2, [4, 1, 1], 6], [14, 5, 2]], first="min")),
    "literal, wide": lambda: search(literal(WIDE)),
    "literal, deep": lambda: search(literal(DEEP)),
    "one leaf": lambda: search(literal(7)),
    "no plies": lambda: search(preset("k-tables"), "3", 0),
    "countdown": lambda: search(Countdown(), depth=5),
    "strict ties": lambda: search(literal(ZEROS_AND_ONES), cut_on_equal=False),
    "a number only hoped for": lambda: search(literal([1, [[[1, 0], 1]], [[[1, 0], 0]]])),
    "numbers close together": lambda: search(
        literal([1.0, [1.0000001, 1.00000012], [1e16, 1e16 + 2], [0.1, 0.1000000000000001]])
    ),
    "named": lambda: search(Named(), depth=4),
    "quiescence": lambda: search(SMALL, "21", 2, quiescence=4),
    "quiescence, strict": lambda: search(SMALL, "3220", 2, cut_on_equal=False, quiescence=20),
    "quiescence, at the root": lambda: search(SMALL, "112", 0, quiescence=4),
    "quiescence, stopped": lambda: search(SMALL, "21", 2, quiescence=4, max_nodes=20),
    **{f"stopped at {n}": lambda n=n: search(preset("k-tables"), "3", 4, max_nodes=n) for n in (1, 2, 5, 57, 60, 400)},
    "stopped, minimax": lambda: search(tictactoe(), "40", algorithm="minimax", max_nodes=90),
    "stopped by memory": lambda: search(connect(), depth=3, max_memory=1000),
}


def ask_browser(trees, folder, sampled=SAMPLED):
    """What the browser's modules say about the trees, with the questions: (steps, rows, answer) for each."""
    questions = []
    for number, tree in enumerate(trees):
        file = folder / f"{number}.bin"
        file.write_bytes(build_payload(tree))
        steps, rows = sample_numbers(len(Trace(tree)), sampled), sample_numbers(len(tree), sampled)
        questions.append({"payload": str(file), "steps": steps, "rows": rows})
    return ask_node(questions)


def ask_node(questions):
    answers = json.loads(run_node(JS / "answers/step_answers.js", text=json.dumps({"questions": questions})))
    return [(q["steps"], q["rows"], answer) for q, answer in zip(questions, answers, strict=True)]


def run_node(*arguments, text=""):
    """What a run of node prints."""
    result = run([NODE, *arguments], input=text, encoding="utf-8")
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def sample_numbers(count, sampled):
    """All of so many numbers, or the first, the last and random ones."""
    if count <= sampled:
        return list(range(count))
    chosen = random.Random(count).sample(range(count), sampled - 40)
    return sorted({*range(20), *range(count - 20, count), *chosen})


def encode_json(value):
    """As node writes it: infinities are words, nodes are numbers, tuples are lists."""
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return [encode_json(item) for item in value] if isinstance(value, (list, tuple)) else value


def step_answer(trace, step):
    cause = step.cause
    expected = {
        "number": step.number,
        "kind": step.kind,
        "node": step.node,
        "child": step.child,
        "alpha": step.alpha,
        "beta": step.beta,
        "best": step.best,
        "value": step.value,
        "bound": step.bound,
        "improves": step.improves,
        "narrows": step.narrows,
        "probe": step.probe,
        "again": step.again,
        "skippedMoves": step.skipped_moves,
        "sentence": sentences.sentence(step),
        "line": pseudocode.find_code_line(step),
        "lineNumbers": pseudocode.format_code_line(step),
        "nextCutoff": trace.next("cutoff", step.number),
        "previousCutoff": trace.previous("cutoff", step.number),
    }
    found = {name: encode_json(value) for name, value in expected.items()}
    found["cause"] = cause and {"ancestor": cause.ancestor, "child": cause.child, "bound": encode_json(cause.bound)}
    return found


def turn_after(node, code):
    """Who moves after a skipped move."""
    game = node.tree.game
    after = game.play(node.state, move_from_code(game, node.state, code))
    return "chance" if not game.is_over(after) and chance_outcomes(game, after) else "max" if game.maximizing(after) else "min"


def weight_of(node, code):
    """The probability of a skipped outcome; 1 for a move."""
    return dict(chance_outcomes(node.tree.game, node.state)).get(move_from_code(node.tree.game, node.state, code), 1)


def cells_at(node):
    """What stands on the board there; None where the game declares none."""
    board = find_board(node.tree.game, node.state)
    return board and list(board.cells)


def cell_of_code(node, code):
    return cell_of(node.tree.game, move_from_code(node.tree.game, node.state, code))


def row_answer(trace, node):
    expected = {
        "value": node.value,
        "alpha": node.alpha,
        "beta": node.beta,
        "depth": node.depth,
        "move": node.move,
        "moveName": node.move_name,
        "turn": node.turn,
        "weight": node.probability,
        "status": node.status,
        "end": node.end,
        "number": node,
        "size": node.size,
        "isLeaf": bool(node.is_leaf),
        "isPruned": node.pruned,
        "children": node.children,
        "path": node.path,
        "parent": node.parent,
        "board": cells_at(node),
        "moveCell": None if node.depth == 0 else cell_of_code(node.parent, node.move),
        "skippedCells": [cell_of_code(node, move) for move in node.skipped_moves],
        "skippedMoves": node.skipped_moves,
        "skippedValues": None,  # the tests send no tree of minimax along
        "skippedTurns": [turn_after(node, move) for move in node.skipped_moves],
        "ballard": ballard_bounds(node),
        "skippedWeights": [weight_of(node, move) for move in node.skipped_moves],
        "bound": node.bound,
        "bestChild": node.best_child,
        "enterStep": trace.enter(node),
        "leaveStep": float("inf") if node.status == "open" else trace.leave(node),
    }
    return {name: encode_json(value) for name, value in expected.items()}


def check_answer(tree, steps, rows, answer):
    trace = Trace(tree)
    jumps = slow_jumps(trace)
    assert answer["count"] == len(tree)
    assert answer["length"] == len(trace)
    assert answer["principalVariation"] == tree.principal_nodes
    assert answer["code"] == code_of(tree)
    for number, browser_row in zip(steps, map(dict, answer["steps"]), strict=True):
        for name, found_at in jumps.items():
            assert browser_row.pop(name) == next((found for found in found_at if found > number), None)
        step = trace[number]
        path = browser_row.pop("path")
        browser_row.pop("question")  # Predict has tests of its own
        assert all(path[-1][name] == browser_row[name] for name in ("alpha", "beta", "best"))
        assert [seen["state"] for seen in path] == ["path"] * step.node.depth + [state_after(step)]
        assert browser_row == step_answer(trace, step) | find_jumps(trace, step)
    for row, browser_row in zip(rows, answer["rows"], strict=True):
        assert browser_row == row_answer(trace, tree[row])


def state_after(step):
    """What is seen of the current node."""
    return {"enter": "path", "return": "path", "cutoff": "cut"}.get(step.kind, "done")


def find_jumps(trace, step):
    last, node = len(trace) - 1, step.node
    left = last if node.status == "open" else trace.leave(node)
    entered = next(row for row in reversed(range(len(trace.tree))) if trace.enter(row) <= step.number)
    return {
        "stepOver": left if step.kind == "enter" else min(step.number + 1, last),
        "stepOut": min(left + 1, last),
        "expandedAt": entered + 1,
    }


def slow_jumps(trace):
    """The steps that the browser's jumps lead to, by looking at all steps."""
    steps = list(trace)
    return {
        "nextLeaf": [step.number for step in steps if step.kind == "evaluate"],
        "nextRootChange": [step.number for step in steps if step.kind == "return" and step.node.depth == 0 and step.improves],
    }


@needs_node
def test_the_viewers_own_tests():
    run_node("--test", *sorted(JS.glob("*.test.js")))


@pytest.fixture(scope="module")
def browser_answers(tmp_path_factory):
    """The trees, with what the browser says about each."""
    trees = {name: make() for name, make in TREES.items()}
    answers = ask_browser(trees.values(), tmp_path_factory.mktemp("payloads"))
    return {name: (tree, *answer) for (name, tree), answer in zip(trees.items(), answers, strict=True)}


@needs_node
@pytest.mark.parametrize("name", TREES)
def test_the_browser_says_what_the_engine_says(name, browser_answers):
    check_answer(*browser_answers[name])


@needs_node
@settings(max_examples=3)
@given(st.lists(st.tuples(literal_trees, st.sampled_from(["max", "min"]), st.booleans()), min_size=8, max_size=16))
def test_the_browser_says_what_the_engine_says_of_any_tree(tmp_path_factory, cases):
    trees = [search(literal(tree, first=first), cut_on_equal=equal) for tree, first, equal in cases]
    for tree, answer in zip(trees, ask_browser(trees, tmp_path_factory.mktemp("payloads"), 60), strict=True):
        check_answer(tree, *answer)


def find_false_claims(tree, steps, answer):
    """What stands beside the nodes of the path ("≥ 3 so far") and is not true of the moves that have come back."""
    trace, wrong = Trace(tree), []
    for number, seen in zip(steps, answer["steps"], strict=True):
        for node, words in zip(trace[number].node.path, (row["known"] for row in seen["path"]), strict=True):
            back = [child for child in node.children if child.status != "open" and trace.leave(child) < number]
            values = [minimax_value(tree.game, child.state, (tree.K or 99) - child.depth) for child in back]
            if not values or node.is_leaf:
                continue
            best = (max if node.maximizing else min)(values)
            sign, number_said = words.split()
            claimed = float(number_said.replace("−", "-"))
            if best < claimed if sign == "≥" else best > claimed:
                wrong.append((number, int(node), words, best))
    return wrong


@needs_node
@pytest.mark.parametrize("name", ["a number only hoped for", "strict ties", "countdown", "literal, deep", "textbook minimax"])
def test_what_is_known_so_far_is_true(name, browser_answers):
    tree, steps, _, answer = browser_answers[name]
    assert not find_false_claims(tree, steps, answer)


@needs_node
@settings(max_examples=3)
@given(st.lists(st.tuples(small_trees, st.sampled_from(["max", "min"]), st.booleans()), min_size=20, max_size=30))
def test_what_is_known_so_far_is_true_of_any_tree(tmp_path_factory, cases):
    trees = [search(literal(tree, first=first), cut_on_equal=equal) for tree, first, equal in cases]
    for tree, (steps, _, answer) in zip(trees, ask_browser(trees, tmp_path_factory.mktemp("payloads"), 100), strict=True):
        assert not find_false_claims(tree, steps, answer)


@needs_node
def test_numbers_are_written_alike():
    source = random.Random(5)
    values = [0.5, 100000.5, 1234565.5, 0.00012345678, 9.9999999e-5, 999999.5, 1e15, 1e16, 123456789012345.6, 2.0**70, 1e21]
    values += [source.uniform(-1, 1) * 10 ** source.randint(-9, 20) for _ in range(500)]
    values += [source.randint(-(10**7), 10**7) / 2**6 for _ in range(500)]
    module = (JS.parent.parent / "visualizer/viewer/assets/model/numbers.js").as_uri()
    code = f"import {{ number }} from '{module}'; console.log(JSON.stringify({json.dumps(values)}.map((value) => number(value))))"
    assert json.loads(run_node("--input-type=module", text=code)) == [numbers.format_number(value) for value in values]


@needs_node
def test_numbers_are_told_apart_alike():
    source = random.Random(6)
    some = [0.0, 0.1, -0.5, 3.0, 1 / 3, 1e16, 2.0**-24, *(source.uniform(-9, 9) for _ in range(40))]
    some += [float(np.float32(value)) for value in some]
    cases = [[value, math.nextafter(value, way), 7.0] for value in some for way in (-math.inf, math.inf)]
    cases += [[value, float(np.nextafter(np.float32(value), np.float32(9)))] for value in some]
    cases.append([0.0, 5e-324, 1e-323, -5e-324])
    module = (JS.parent.parent / "visualizer/viewer/assets/model/numbers.js").as_uri()
    expression = f"{json.dumps(cases)}.map((values) => values.map(distinctFormat(values)))"
    answer = json.loads(
        run_node(
            "--input-type=module", text=f"import {{ distinctFormat }} from '{module}'; console.log(JSON.stringify({expression}))"
        )
    )
    assert answer == [[numbers.distinct_formatter(*values)(value) for value in values] for values in cases]
    assert all(len(set(texts)) == len(set(values)) for texts, values in zip(answer, cases, strict=True))


# ---- the payload


def without_header(data):
    """Bytes of the columns."""
    return len(data) - 4 - int.from_bytes(data[:4], "little")


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("name", ["k-tables", "long-state", "threats"])
def test_a_node_takes_at_most_24_bytes(name, algorithm):
    tree = search(preset(name), "3", 6, algorithm)
    assert without_header(build_payload(tree)) <= 24 * len(tree)


def test_games_searched_by_the_readable_text_take_no_more():
    tree = search(tictactoe())
    assert without_header(build_payload(tree)) <= 24 * len(tree)


@pytest.mark.parametrize("name", TREES)
def test_arrays_are_aligned_and_the_header_says_where_they_are(name):
    tree = TREES[name]()
    data = build_payload(tree)
    size = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + size])
    assert (4 + size) % 8 == 0
    assert all(entry["offset"] % 8 == 0 for entry in header["arrays"])
    names = [entry["name"] for entry in header["arrays"]]
    assert ("alpha" in names) == (tree.algorithm == "alphabeta")
    assert header["meta"]["expanded"] == header["count"] == len(tree)


def test_the_position_at_the_root_is_sent():
    def meta(tree):
        data = build_payload(tree)
        return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])["meta"]

    board = meta(search(preset("k-tables"), "334", 1))["board"]
    assert {cell: content for cell, content in enumerate(board["cells"]) if content} == {31: 2, 38: 1, 39: 1}
    assert (board["shape"], board["rows"], board["cols"], board["falls"]) == ("holes", 6, 7, True)
    assert meta(search(tictactoe(), "402", 1))["board"]["cells"] == [2, 0, 1, 0, 1, 0, 0, 0, 0]
    assert meta(search(nim([3, 4]), "1004", 1))["board"]["cells"] == [3, 0]
    assert meta(search(literal(TEXTBOOK)))["board"] is None
    assert meta(search(nim([2, 1]), depth=1))["moveNames"] == {
        "1": "1 from heap 0",
        "2": "2 from heap 0",
        "1001": "1 from heap 1",
    }
    assert meta(search(preset("threats"), depth=2))["quirk"] == ""
    assert meta(search(preset("threats"), depth=2, as_published=True))["quirk"] == "fresh root windows"


# ---- the sentences


def list_cutoffs(tree):
    return [step for step in Trace(tree) if step.kind == "cutoff"]


@pytest.mark.parametrize("name", [name for name in TREES if "minimax" not in name])
def test_a_cutoff_names_side_ancestor_move_numbers_and_what_is_skipped(name):
    for step in list_cutoffs(TREES[name]()):
        rules, facts, slots = sentences.rules_for_tree(step.node.tree), collect_facts(step), sentences.slot_texts(step)
        text = sentences.sentence(step)
        assert all(format_part(rules, part, facts, slots) in text for part in ("side", "skipped"))
        assert slots["value"] in text
        assert slots["bound"] in text
        if step.cause is None:
            continue
        assert format_part(rules, "other", facts, slots) in text
        tie = step.value == step.cause.bound
        assert ("never" in text, "cannot do better here" in text) == (not tie, tie)
        assert f"sure of {slots['bound']} {format_part(rules, 'by', facts, slots)}. " in text
        earlier = re.search(r" (at the root|(\d+) moves? earlier) ", text)
        assert step.node.path[0 if earlier[2] is None else -1 - int(earlier[2])] == step.cause.ancestor
        assert "there is a cutoff: " in text


def test_cutoffs_in_words():
    texts = [sentences.sentence(step) for step in list_cutoffs(search(preset("k-tables"), "3", 3))]
    assert texts[0] == (
        "MIN can already get −3 here, but 1 move earlier MAX is sure of −2 by playing column 0. "
        "MAX will never let play reach this node, so there is a cutoff: columns 4, 5 and 6 are skipped."
    )
    [only] = list_cutoffs(search(literal([[5, 6], [5, 9]]), algorithm="alphabeta"))
    assert sentences.sentence(only) == (
        "MIN can already get 5 here, and at the root MAX is sure of 5 by choosing move 0. "
        "MAX cannot do better here, so there is a cutoff: move 1 is skipped."
    )
    [first, _] = list_cutoffs(search(literal(WIDE)))
    assert "a cutoff: moves 1, 2, 3, 4, 5, 6 and 14 more are skipped" in sentences.sentence(first)


@pytest.mark.parametrize("name", TREES)
def test_sentences_are_well_formed(name):
    trace = Trace(TREES[name]())
    for number in sample_numbers(len(trace), len(trace) if ALL_EXAMPLES else SAMPLED):
        step = trace[number]
        text = sentences.sentence(step)
        assert not ("nothing changes" in text and (step.improves or step.narrows))
        assert text[0].isupper()
        assert text.endswith(".")
        assert "-" not in text


def code_of(tree):
    return [line.words for line in pseudocode.tree_pseudocode(tree)]


BEYOND = {True: "  for each noisy move, if MAX is to move:", False: "  for each noisy move, if MIN is to move:"}


@pytest.mark.parametrize("name", TREES)
def test_the_lit_line_is_in_the_branch_of_the_side_to_move_and_does_what_the_step_does(name):
    tree = TREES[name]()
    code = code_of(tree)
    starts = {True: code.index("  if MAX is to move:"), False: code.index("  else, MIN is to move:")}
    beyond = code.index("quiesce(state, plies, α, β)") if tree.quiescence else len(code)
    starts_beyond = {side: [*code, words].index(words) for side, words in BEYOND.items()}
    for step in Trace(tree)[:600]:
        line = pseudocode.find_code_line(step)
        words = code[line]
        side = step.node.maximizing
        if step.kind in ("return", "cutoff"):
            start_of = starts_beyond if step.node.depth >= (tree.K or 0) and tree.quiescence else starts
            assert start_of[side] < line < (start_of[False] if side else (beyond if start_of is starts else len(code)) - 1)
            assert (line > beyond) == (start_of is starts_beyond)
        expected = {
            "enter": "plies",
            "evaluate": "plies = 0" if step.node.status == "horizon" else "game over",
            "return": {"alpha": "α ←", "beta": "β ←", "": "value ←"}[step.narrows if line < beyond else ""],
            "cutoff": "if value",
            "leave": "  return value",
        }
        assert expected[step.kind] in words


@pytest.mark.parametrize("name", TREES)
def test_the_numbers_beside_a_line_are_true(name):
    """What stands there is a sum a reader can check: the maximum is the maximum, the test holds."""
    for step in Trace(TREES[name]())[:600]:
        text = pseudocode.format_code_line(step)
        if found := re.fullmatch(r"(max|min)\((.+), (.+)\) = (.+)", text):
            chosen = max if found[1] == "max" else min
            assert chosen(parse_number(found[2]), parse_number(found[3])) == parse_number(found[4])
        elif found := re.fullmatch(r"(.+) ([<>≤≥]) [αβ] = (.+)", text):
            value, bound = parse_number(found[1]), parse_number(found[3])
            assert {"<": value < bound, ">": value > bound, "≤": value <= bound, "≥": value >= bound}[found[2]]
            assert step.kind == "cutoff"
        else:
            assert step.kind not in ("return", "cutoff")


@pytest.mark.parametrize("rung", ["pvs", "mtdf"])
def test_null_windows_between_any_numbers_are_in_words_everywhere(rung):
    """No digits would tell their ends apart: "just below 0 to 0", in the sentence and beside the line."""
    tree = search(literal([[0.5, 0], [0.1, [0.7, 0.1]], [[0.3], 0]]), algorithm=rung)
    words = [text for step in Trace(tree) for text in (sentences.sentence(step), pseudocode.format_code_line(step))]
    assert not [text for text in words if "e−" in text or re.search(r"\d\.\d{3}", text)]
    window_sentences = [text for text in words if "null window" in text or " probes " in text]
    assert window_sentences
    assert all(
        re.search(r"null window (just below (\S+) to \2|(\S+) to just above \3)( asks one|\. A result)", text)
        for text in window_sentences
    )
    assert all(re.search(r"worth (at least|more than) [\d.]+\?", text) for text in window_sentences if "worth" in text)


def test_numbers_beside_a_line_that_differ_look_different():
    tree = search(literal([[1.0000001, 2], [1.0, 3]]), cut_on_equal=False)
    [step] = [step for step in Trace(tree) if step.kind == "cutoff"]
    assert pseudocode.format_code_line(step) == "1 < α = 1.0000001"


def parse_number(text):
    if beside := re.fullmatch(r"just (above|below) (.+)", text):
        return math.nextafter(parse_number(beside[2]), math.inf if beside[1] == "above" else -math.inf)
    return float(text.replace("−", "-").replace("∞", "inf"))


def test_lines_of_the_pseudo_code_fit_beside_the_tree():
    for algorithm in ALGORITHMS.values():
        assert all(len(line.words) <= 52 for line in algorithm.code)


def visible_parts(tree):
    """Parts of a tree around some nodes, some of them small."""
    for focus in (0, len(tree) // 3, len(tree) - 1):
        for most in (1, 30, len(tree) - 1):
            yield focus, find_visible_part(tree, focus, most)


@pytest.mark.parametrize("name", ["k-tables", "k-tables minimax", "nim", "named", "stopped at 400"])
def test_a_part_holds_all_children_of_a_node_or_none_and_counts_the_rest(name):
    tree = TREES[name]()
    assert find_visible_part(tree, most=len(tree)) is None
    for focus, part in visible_parts(tree):
        rows = part.rows.tolist()
        assert focus in rows
        assert len(rows) + part.hidden.sum() == len(tree)
        for row, hidden, end in zip(rows, part.hidden, part.subtree_ends(tree), strict=True):
            visible = [child for child in tree[row].children if child in rows]
            assert visible == ([] if hidden else tree[row].children)
            assert end == sum(other < tree[row].end for other in rows)
            assert tree[row].parent in (-1, *rows)


@needs_node
@pytest.mark.parametrize(
    "name", mostly_slow(["k-tables", "named", "k-tables minimax", "k-tables strict", "nim", "stopped at 400"], 2)
)
def test_a_part_of_a_tree_says_what_the_whole_tree_says(name, tmp_path):
    tree = TREES[name]()
    trace = Trace(tree)
    for number, (focus, part) in enumerate(visible_parts(tree)):
        file = tmp_path / f"{number}.bin"
        file.write_bytes(build_payload(tree, part))
        count = 3 * len(part.rows) - 1 if tree.complete else 1
        question = {"payload": str(file), "steps": list(range(count)), "rows": list(range(len(part.rows)))}
        ((_, _, details),) = ask_node([question])
        assert [row["number"] for row in details["rows"]] == part.rows.tolist()
        assert [row["size"] for row in details["rows"]] == [tree[row].size for row in part.rows]
        for step in details["steps"]:
            row = int(part.rows[step["node"]])
            if step["kind"] == "hidden":
                assert f"{tree[row].size - 1:,} nodes below are not shown" in step["sentence"]
                continue
            assert step["sentence"].startswith(
                sentences.sentence(trace[whole_step_number(trace, part, step)])
            )  # and where it stopped
        if tree[focus].status != "open":
            place = leave_step(tree, part, focus)
            if place < count:
                assert part.rows[details["steps"][place]["node"]] == focus


@needs_node
@pytest.mark.parametrize("name", mostly_slow(["textbook", "k-tables", "long-state", "tictactoe", "nim"], quick=2))
def test_what_skipped_moves_are_worth_is_sent_where_minimax_knows_it(name, tmp_path):
    tree = TREES[name]()
    question = {"game": tree.game, "position": tree.search.root, "depth": tree.K}
    alignment = Alignment(search(**question, algorithm="minimax"), tree)
    where = {tuple(node.moves): node for node in map(alignment.minimax.__getitem__, range(len(alignment.minimax)))}
    for number, part in enumerate([None, *(part for _, part in visible_parts(tree) if part is not None)]):
        file = tmp_path / f"{number}.bin"
        file.write_bytes(build_payload(tree, part, alignment.spared))
        rows = list(range(len(tree) if part is None else len(part.rows)))
        ((_, _, details),) = ask_node([{"payload": str(file), "steps": [], "rows": rows}])
        lean = build_payload(tree, part, alignment.spared, with_positions=False)
        assert without_header(lean) <= 24 * len(rows) + 1500  # what a move changes on the board stands there once
        for row in details["rows"]:
            node = tree[row["number"]]
            assert row["skippedValues"] == [where[(*node.moves, move)].value for move in row["skippedMoves"]]


@needs_node
@pytest.mark.parametrize("name", mostly_slow(["k-tables", "long-state", "tictactoe", "nim"], quick=2))
def test_the_counts_of_a_part_are_those_of_the_whole_search(name, tmp_path):
    """Whatever is hidden counts when its node is left, as its nodes do."""
    tree, trace = TREES[name](), Trace(TREES[name]())
    spared = Alignment(search(tree.game, tree.search.root, tree.K, "minimax"), tree).spared
    left = np.array([trace.leave(row) for row in range(len(tree))])
    for number, (_, part) in enumerate(visible_parts(tree)):
        file = tmp_path / f"{number}.bin"
        file.write_bytes(build_payload(tree, part, spared))
        ((_, _, details),) = ask_node([{"payload": str(file), "steps": list(range(3 * len(part.rows) - 1)), "rows": []}])
        for step, counted in zip(details["steps"], details["spared"], strict=True):
            is_finished = tree.pruned & (left <= whole_step_number(trace, part, step))
            assert counted == {
                "cutoffs": is_finished.sum(),
                "skipped": tree.columns.skipped[is_finished].sum(),
                "saved": spared.nodes[is_finished].sum(),
            }
        assert details["spared"][-1]["skipped"] == tree.skipped


def whole_step_number(trace, part, step):
    """The number that a step of a part has in the whole search."""
    if step["kind"] == "return":
        return trace.leave(int(part.rows[step["child"]])) + 1
    row = int(part.rows[step["node"]])
    return trace.enter(row) if step["kind"] == "enter" else trace.leave(row)
