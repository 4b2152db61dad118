"""A viewer that has a block of a tree's rows shows at every step what one with the whole tree shows."""

import json

import pytest

from engine import connect, literal, nim, preset, search
from engine.analysis.alignment import Alignment
from engine.tree.trace import Trace
from tests.support.games import TEXTBOOK
from tests.visualizer.viewer.test_viewer_logic import DEEP, JS, SMALL, ZEROS_AND_ONES, needs_node, run_node
from visualizer.viewer.large_trees.tree_queries import answer_query
from visualizer.viewer.payload import build_payload

SAMPLED = 12  # steps of each tree
BLOCKS = ({}, {"before": "3", "after": "5"}, {"before": "40", "after": "200"})  # sizes of blocks, in turn
TREES = {
    "textbook": lambda: search(literal(TEXTBOOK)),
    "minimax": lambda: search(preset("k-tables"), "3", 3, "minimax"),
    "alpha-beta": lambda: search(connect(), depth=5),
    "as published": lambda: search(preset("k-tables"), "000000111111222222333333444444555", 5, as_published=True),
    "strict ties": lambda: search(literal(ZEROS_AND_ONES), cut_on_equal=False),
    "deep": lambda: search(literal(DEEP)),
    "nim": lambda: search(nim([2, 3, 1])),
    "interpreted": lambda: search(preset("threats"), "32", 3, compiled=False),
    "pvs": lambda: search(connect(), depth=5, algorithm="pvs"),
    "mtdf": lambda: search(connect(), depth=4, algorithm="mtdf"),
    "iterative": lambda: search(connect(), depth=4, algorithm="iterative"),
    "table": lambda: search(connect(), depth=5, algorithm="table"),
    "quiescence": lambda: search(SMALL, "21", 2, quiescence=4),
    "stopped": lambda: search(connect(), depth=6, max_nodes=700),
    "one leaf": lambda: search(literal(7)),
}


@pytest.fixture(scope="module")
def differences(tmp_path_factory):
    """By tree, the differences between blocks and the whole tree."""
    folder = tmp_path_factory.mktemp("payloads")
    questions = [write_question(make(), folder / str(number)) for number, make in enumerate(TREES.values())]
    answers = json.loads(run_node(JS / "answers/block_answers.js", text=json.dumps({"questions": questions})))
    return dict(zip(TREES, answers, strict=True))


def write_question(tree, folder):
    folder.mkdir()
    spared = find_spared(tree)
    whole = folder / "whole.bin"
    whole.write_bytes(build_payload(tree, None, spared, with_positions=False))
    length = len(Trace(tree))
    blocks = []
    for place, step in enumerate(sorted({0, length - 1, *range(0, length, -(-length // SAMPLED))})):
        file = folder / f"{step}.bin"
        file.write_bytes(answer_query(tree, "block", {"step": str(step), **BLOCKS[place % len(BLOCKS)]}, spared).data)
        blocks.append({"payload": str(file), "step": step})
    return {"whole": str(whole), "length": length, "blocks": blocks}


def find_spared(tree):
    """What the cutoffs left out, for plain alpha-beta."""
    if tree.algorithm != "alphabeta" or tree.stopped or tree.quirk or tree.quiescence:
        return None
    return Alignment(search(tree.question.replace(algorithm="minimax")), tree).spared


@needs_node
@pytest.mark.parametrize("name", TREES)
def test_a_block_shows_what_the_whole_tree_shows(name, differences):
    assert differences[name] == []
