"""What the viewer and the files show of rungs beyond alpha-beta: the table over time, equal positions, passes, links."""

import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from engine import literal, nim, preset, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.algorithms.transposition_table import TranspositionTable, compute_slot
from engine.games.capabilities import table_key
from engine.record.columns import BOUND_NAMES, NONE, TABLE
from engine.tree.trace import Trace
from tests.support.formats import quick_style
from tests.support.games import TEXTBOOK, Countdown
from tests.support.marks import mostly_slow
from tests.visualizer.narration.test_rules import step_answer
from tests.visualizer.viewer.test_viewer_logic import JS, ask_browser, needs_node, run_node, sample_numbers
from visualizer import export, formats, to_csv, to_json, to_networkx, to_svg, to_text
from visualizer.drawing.view import untried_columns
from visualizer.exporters import find_exporter
from visualizer.viewer.payload import build_payload
from visualizer.viewer.positions import MAX_REPLAYED_ROWS, number_positions
from visualizer.viewer.viewport import find_visible_part

WORKED = literal([[[[41, 5], [12, 90]], [[101, 80], [20, 30]]], [[[34, 80], [36, 35]], [[50, 36], [25, 3]]]])  # of the literature
GAMES = {
    "the worked tree": (WORKED, "", None),
    "k-tables": (preset("k-tables"), "3", 3),
    "tictactoe": (tictactoe(), "40", 4),
    "nim": (nim([2, 3, 1]), "", 5),
    "countdown": (Countdown(), None, 5),
}
RUNGS = [name for name in ALGORITHMS if name != "minimax"]


def run_search(game, rung, **options):
    return search(GAMES[game][0], GAMES[game][1], GAMES[game][2], algorithm=rung, **options)


# ---- the same sentences


@needs_node
@pytest.mark.parametrize("game", mostly_slow(GAMES, quick=2))
def test_the_browser_says_the_same_of_every_rung(game, tmp_path):
    check_what_the_browser_says([run_search(game, rung) for rung in RUNGS], tmp_path)


@needs_node
def test_the_browser_says_the_same_of_every_stopped_search(tmp_path):
    """After a probe, between two passes, and anywhere else."""
    chain = literal([[20, 66, -3, -47]])
    trees = [search(chain, algorithm=rung, max_nodes=nodes) for rung in ("pvs", "mtdf") for nodes in range(1, 9)]
    trees += [search(*GAMES["k-tables"], algorithm=rung, max_nodes=37) for rung in RUNGS]
    check_what_the_browser_says(trees, tmp_path)


def check_what_the_browser_says(trees, tmp_path):
    for tree, (numbers, _, answer) in zip(trees, ask_browser(trees, tmp_path, 60), strict=True):
        trace = Trace(tree)
        for number, browser_step in zip(numbers, answer["steps"], strict=True):
            expected = step_answer(trace, trace[number])
            assert {name: browser_step[name] for name in expected} == expected


# ---- the table


def tables_over_time(tree):
    """The table after each row that is left, as the class itself makes it: {step: ({slot: entry}, hits)}."""
    options, game = tree.question.options, tree.game
    table, hits, over_time = TranspositionTable(options["slots"], options["replace"]), 0, {}
    trace, states = Trace(tree), [tree[row].state for row in range(len(tree))]
    for row in sorted(range(len(tree)), key=trace.leave):
        call = tree[row]
        K = tree.passes[tree.pass_number(row)].K
        left = (500 if K is None else K) - call.depth
        if left < 0:
            continue  # quiescence neither asks the table nor tells it
        key = table_key(game, states[row], tuple(tree.columns.move[call.path[1:]].tolist()))
        if call.status == "table":
            hits += 1
            entry = table.find(key, left)
            assert call.link in (entry.lower_row, entry.upper_row)  # it was there, and was not overwritten
            assert call.value == (entry.upper if call.bound == "upper" else entry.lower)
        elif call.is_leaf:
            table.store_leaf(key, left, call.value, row)
        else:
            table.store(key, left, call.value, (call.alpha, call.beta), None, row)
        over_time[trace.leave(row)] = dict(table._entries), hits
    return over_time


def parse_float(number):
    return float(number)


@needs_node
@pytest.mark.parametrize(
    ("rung", "options"),
    [
        ("table", {"slots": 0}),
        ("table", {"slots": 7}),
        ("table", {"slots": 7, "replace": "always"}),
        ("mtdf", {}),
        ("sss", {"slots": 30}),
        ("iterative", {"slots": 16}),
        ("engine", {"slots": 5, "replace": "always"}),
        ("engine", {"slots": 0, "quiescence": 2}),
    ],
)
def test_the_browser_follows_the_table(rung, options, tmp_path):
    games = ["tictactoe"] if "quiescence" in options else ["the worked tree", "tictactoe", "nim"]
    trees = [run_search(game, rung, **options) for game in games]
    questions, expected = [], []
    for number, tree in enumerate(trees):
        over_time = tables_over_time(tree)
        steps = [list(over_time)[place] for place in sample_numbers(len(over_time), 50)]
        (tmp_path / f"{number}.bin").write_bytes(build_payload(tree))
        questions.append({"payload": str(tmp_path / f"{number}.bin"), "steps": steps})
        expected.append([over_time[step] for step in steps])
    told = json.loads(run_node(JS / "answers/table_answers.js", text=json.dumps({"questions": questions})))
    for tree, answers, known in zip(trees, told, expected, strict=True):
        keys = number_positions(tree).keys
        for answer, (entries, hits) in zip(answers, known, strict=True):
            assert (answer["entries"], answer["hits"]) == (len(entries), hits)
            for line in answer["lines"]:
                key = keys[line["position"]]
                left = 500 + line["left"] if tree.K is None else line["left"]
                entry = entries[compute_slot(key, options["slots"]) if options.get("slots") else (key, left)]
                assert entry.key == key
                assert (parse_float(line["low"]), parse_float(line["high"])) == (entry.lower, entry.upper)
                assert (line["lowRow"], line["highRow"]) == (entry.lower_row, entry.upper_row)
            assert len(answer["lines"]) == min(len(entries), 200)


def test_only_searches_with_a_table_say_so():
    has_table = {
        rung: json.loads(payload_header(build_payload(run_search("nim", rung))))["meta"]["table"] is not None for rung in RUNGS
    }
    assert {rung for rung, has in has_table.items() if has} == {"table", "iterative", "mtdf", "sss", "dual", "engine"}
    assert json.loads(payload_header(build_payload(run_search("nim", "pvs", table=True))))["meta"]["table"]
    assert json.loads(payload_header(build_payload(run_search("nim", "iterative", table=False))))["meta"]["table"] is None


def payload_header(sent):
    return sent[4 : 4 + int.from_bytes(sent[:4], "little")]


# ---- skipped moves


@pytest.mark.parametrize(("rung", "options"), [("engine", {}), ("alphabeta", {"order": "killer"}), ("table", {}), ("pvs", {})])
def test_skipped_moves_of_compiled_searches_are_those_that_were_not_tried(rung, options):
    tree = search(preset("k-tables"), "3", 4, rung, **options)
    assert tree.compiled
    cut = np.flatnonzero(tree.columns.skipped)
    moves = untried_columns(tree, cut).tolist()
    assert moves == [move for row in cut for move in tree[row].skipped_moves]


# ---- equal positions


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("rung", ["alphabeta", "pvs", "iterative"])
def test_equal_positions_are_those_that_a_table_takes_for_equal(game, rung):
    tree = run_search(game, rung)
    found = number_positions(tree)
    numbers = {}
    for row in range(len(tree)):
        call = tree[row]
        key = table_key(tree.game, call.state, tuple(tree.columns.move[call.path[1:]].tolist()))
        assert found.of_row[row] == numbers.setdefault(key, len(numbers))
        assert found.keys[found.of_row[row]] == key
    assert len(found.keys) == len(numbers)
    if call.tree.table_hits:
        answered = np.flatnonzero(tree.status == TABLE)
        assert (found.of_row[answered] == found.of_row[tree.columns.link[answered]]).all()


def test_compiled_and_readable_find_the_same_positions():
    compiled, readable = (search(preset("k-tables"), "3", 3, compiled=way) for way in (True, False))
    assert number_positions(compiled).of_row.tolist() == number_positions(readable).of_row.tolist()


def test_a_part_of_a_tree_has_positions_too():
    tree = search(preset("k-tables"), "3", 4)
    part = find_visible_part(tree, 0, most=300)
    whole, visible = number_positions(tree), number_positions(tree, part)
    pairs = set(zip(whole.of_row[part.rows].tolist(), visible.of_row.tolist(), strict=True))
    assert len(pairs) == len(visible.keys) == len(set(whole.of_row[part.rows].tolist()))


class Unequal:
    """States that cannot be told apart."""

    def __init__(self, left=2):
        self.left = left

    __hash__ = None

    def __eq__(self, other):
        return self is other


class Loose(Countdown):
    def start(self):
        return Unequal()

    def moves(self, state):
        return [0, 1]

    def play(self, state, move):
        return Unequal(state.left - 1)

    def is_over(self, state):
        return state.left == 0

    def maximizing(self, state):
        return state.left % 2 == 0

    def evaluate(self, state):
        return 1


def test_where_positions_cannot_be_told_apart_or_are_too_many_none_are_sent(monkeypatch):
    assert number_positions(search(Loose(), depth=2)) is None
    assert json.loads(payload_header(build_payload(search(Loose(), depth=2))))["meta"]["positions"] is None
    assert MAX_REPLAYED_ROWS > 1000
    monkeypatch.setattr("visualizer.viewer.positions.MAX_REPLAYED_ROWS", 10)
    assert number_positions(run_search("tictactoe", "alphabeta")) is None


# ---- files


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_is_written_in_every_format(rung, tmp_path):
    tree = run_search("the worked tree", rung)
    for extension in formats():
        if extension not in (".png", ".pdf"):  # they are drawn from the .dot
            assert export(tree, tmp_path / f"tree{extension}", **quick_style(extension)) > 0
    assert to_text(tree).count("depth 0") == len(tree.passes)
    assert to_csv(tree).count("\n") == len(tree) + 1
    assert len(json.loads(to_json(tree))["nodes"]) == len(tree)


@pytest.mark.parametrize("extension", [".svg", ".dot", ".tex", ".html"])
def test_what_holds_only_one_pass_says_so_in_one_sentence(extension):
    several, one = run_search("the worked tree", "mtdf"), run_search("the worked tree", "table")
    words = f"only pass {len(several.passes)} of {len(several.passes)} is shown"
    written = [b"".join(find_exporter("x" + extension).chunks(tree)).decode() for tree in (several, one)]
    assert words in written[0]
    assert "only pass" not in written[1]


def test_a_graph_holds_all_passes_and_where_answers_come_from():
    tree = run_search("the worked tree", "mtdf")
    graph = to_networkx(tree)
    rows = [name for name in graph if isinstance(name, int)]
    assert sorted(rows) == list(range(len(tree)))
    assert [graph.nodes[row]["link"] for row in sorted(rows)] == tree.columns.link.tolist()
    assert {graph.nodes[row]["pass"] for row in rows} == set(range(1, len(tree.passes) + 1))
    assert [row for row in rows if graph.in_degree(row) == 0] == tree.roots


def test_pictures_have_diamonds_and_dots_where_the_table_answered():
    tree = run_search("tictactoe", "table")
    hits = tree.table_hits
    root = ElementTree.fromstring(to_svg(tree))
    uses = [use.get("href") for use in root.iter("{http://www.w3.org/2000/svg}use")]
    assert sum(href.startswith("#t1") for href in uses) == hits > 0
    assert to_svg(tree).count("answered from the table by node") == hits
    dot = b"".join(find_exporter("x.dot").chunks(tree)).decode()
    assert dot.count("shape=diamond") == hits
    assert dot.count("style=dotted constraint=false") == hits
    assert "◆" not in to_svg(search(literal(TEXTBOOK)))
    probes = run_search("the worked tree", "pvs")
    dot = b"".join(find_exporter("x.dot").chunks(probes)).decode()
    assert dot.count("style=dotted constraint=false") == probes.statistics().researches > 0


def back_arcs(svg):
    return [group for group in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g") if group.get("class") == "back"]


def test_arcs_lead_from_answers_and_re_searches_to_where_they_come_from(monkeypatch):
    answered, probes = (to_svg(run_search(*arguments)) for arguments in (("tictactoe", "table"), ("the worked tree", "pvs")))
    assert len(back_arcs(answered)[0]) == run_search("tictactoe", "table").table_hits
    assert "dotted lines lead from a ◆ to the node that its value comes from<" in answered
    assert len(back_arcs(probes)[0]) == run_search("the worked tree", "pvs").statistics().researches
    assert "dotted lines lead from a re-search to its probe<" in probes
    monkeypatch.setattr("visualizer.exporters.svg.MAX_LINKS", 3)
    monkeypatch.setattr("visualizer.drawing.back_links.MAX_LINKS", 3)
    assert back_arcs(to_svg(run_search("tictactoe", "table"))) == []
    assert "are drawn for up to 3; .csv has all" in to_svg(run_search("tictactoe", "table"))
    assert back_arcs(to_svg(search(literal(TEXTBOOK)))) == []


def test_null_windows_between_any_numbers_are_told_apart_in_files():
    tree = search(literal([[0.5, 0], [0.1, [0.7, 0.1]], [[0.3], 0]]), algorithm="mtdf")
    assert [to_text(tree).splitlines()[3 + row].split("  ")[2] for row in tree.roots] == ["[0-, 0]", "[0, 0+]", "[0.1, 0.1+]"]
    for extension, words in ((".svg", "[0.1, 0.1+]"), (".dot", "[0.1, 0.1+]"), (".tex", "$[0.1, 0.1^+]$")):
        assert words in b"".join(find_exporter("x" + extension).chunks(tree)).decode()
    assert "[-inf, -inf+1]" in to_text(run_search("the worked tree", "dual"))
    assert "just above, just below 3" in to_svg(tree)
    assert "just above" not in to_svg(run_search("the worked tree", "mtdf")) + to_svg(run_search("the worked tree", "dual"))


@pytest.mark.parametrize("rung", ["mtdf", "sss", "dual", "iterative", "aspiration"])
def test_the_json_has_the_bound_that_all_passes_together_prove(rung):
    assert json.loads(to_json(run_search("the worked tree", rung)))["result"]["bound"] == "exact"


@pytest.mark.parametrize("rung", RUNGS)
def test_the_caption_has_the_value_that_all_passes_together_prove(rung):
    assert "\nvalue 35, best move 1; " in to_text(run_search("the worked tree", rung))


def test_links_go_back_to_what_they_say():
    for rung in RUNGS:
        tree = run_search("tictactoe", rung)
        for row in range(len(tree)) if len(tree.columns.link) else ():
            source = tree.columns.link[row]
            assert source < row
            if tree.status[row] == TABLE:
                assert source != NONE
                assert BOUND_NAMES[tree.bound[row]] != "open"
