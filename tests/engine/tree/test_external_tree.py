"""The recorded search of another program is a tree like any other. Its file is loaded only if its rows are consistent."""

import json

import msgspec
import numpy as np
import pytest

from engine import PlyscopeError, Trace, search, tictactoe
from engine.core.errors import BadRecord, BadTreeFile
from engine.tree.external_tree import ExternalRecorder
from engine.tree.parquet_file import load, save
from tests.engine.algorithms.test_laws import check_consistent
from tests.support.formats import quick_style
from tests.visualizer.viewer.test_viewer_logic import ask_browser, check_answer, needs_node
from visualizer import export, formats, to_text
from visualizer.exporters.json import chunks, read_json
from visualizer.narration.sentences import sentence

GAME = tictactoe()
NAMES = "abcdefghi"


def a_students_alphabeta(watcher, state, plies, alpha=float("-inf"), beta=float("inf"), move=None):
    """Alpha-beta as a student writes it: the same code twice, with calls of the recorder at its beginning and its ends."""
    maximizing = GAME.maximizing(state)
    watcher.enter(GAME.show(state), maximizing, move, alpha, beta)
    if GAME.is_over(state) or plies == 0:
        value = GAME.evaluate(state)
        watcher.leave(value, "terminal" if GAME.is_over(state) else "horizon")
        return value
    best, moves = (float("-inf") if maximizing else float("inf")), list(GAME.moves(state))
    for place, square in enumerate(moves):
        score = a_students_alphabeta(watcher, GAME.play(state, square), plies - 1, alpha, beta, NAMES[square])
        if maximizing:
            best = max(best, score)
            cut, alpha = best >= beta, max(alpha, best)
        else:
            best = min(best, score)
            cut, beta = best <= alpha, min(beta, best)
        if cut and moves[place + 1 :]:
            watcher.leave(best, untried=[NAMES[other] for other in moves[place + 1 :]])
            return best
    watcher.leave(best)
    return best


def record_student(plies=4):
    watcher = ExternalRecorder("my program", depth=plies)
    a_students_alphabeta(watcher, GAME.state("40"), plies)
    return watcher.build_tree()


def test_the_recorded_tree_equals_the_tree_of_the_search():
    tree, ours = record_student(), search(GAME, "40", 4)
    for column in ("depth", "end", "value", "alpha", "beta", "status", "maximizing", "parent", "bound"):
        np.testing.assert_array_equal(getattr(tree, column), getattr(ours, column), err_msg=column)
    check_consistent(tree)
    assert [tree[row].board for row in range(len(tree))] == [ours[row].board for row in range(len(ours))]
    assert [node.move_name for node in tree.principal_nodes[1:]] == [NAMES[move] for move in ours.principal_variation]
    cut = int(tree.pruned.argmax())
    names = [tree.game.move_name(move) for move in tree[cut].skipped_moves]
    assert names == [NAMES[move] for move in ours[cut].skipped_moves]
    assert len(tree.game.seen.boards) == len(set(tree.game.seen.boards)) < len(tree)


def test_it_is_stepped_through_saved_and_exported(tmp_path):
    tree = record_student(3)
    assert all(sentence(step) for step in Trace(tree))
    assert "my program" in to_text(tree)
    for extension in formats():
        assert export(tree, tmp_path / f"tree{extension}", **quick_style(extension)) > 0
    save(tree, tmp_path / "tree.parquet")
    for read in (load(tmp_path / "tree.parquet"), read_json(b"".join(chunks(tree)))):
        for one, other in zip(read.columns, tree.columns, strict=True):
            np.testing.assert_array_equal(one, other)
        assert [read[row].board for row in range(len(read))] == [tree[row].board for row in range(len(tree))]
        assert to_text(read) == to_text(tree)


@needs_node
def test_the_browser_steps_through_it(tmp_path):
    for tree, answer in zip([record_student(3)], ask_browser([record_student(3)], tmp_path), strict=True):
        check_answer(tree, *answer)


def test_it_cannot_be_searched_again():
    with pytest.raises(PlyscopeError, match="only its recorded positions have values"):
        search(record_student(3).question.replace(algorithm="minimax"))


def test_a_program_that_was_stopped_leaves_a_tree():
    watcher = ExternalRecorder("stopped")
    watcher.enter("start", True)
    watcher.enter("next", False, "a")
    tree = watcher.build_tree()
    assert (tree.complete, [tree[row].status for row in range(2)]) == (False, ["open", "open"])
    with pytest.raises(BadRecord, match="nothing was recorded"):
        ExternalRecorder("nothing").build_tree()
    with pytest.raises(BadRecord, match="is not a kind of leaf: use terminal or horizon"):
        watcher.leave(0, "over")


LIES = [
    lambda document: document["nodes"][5].update(depth=7),
    lambda document: document["nodes"][0].update(end=3),
    lambda document: document["nodes"][-1].update(status="exhausted"),
    lambda document: document["nodes"][1].update(status="terminal"),
    lambda document: document["nodes"][2].update(depth=0),
    lambda document: document["nodes"][0].update(move=3),
    lambda document: next(node for node in document["nodes"] if node["skipped"]).update(skipped=40),
    lambda document: document["header"]["watched"]["board"].pop(),
    lambda document: document["header"]["watched"]["board"].__setitem__(3, 10**6),
    lambda document: document["header"]["watched"]["board"].__setitem__(3, -1),
    lambda document: document["header"]["watched"]["untried"].clear(),
    lambda document: document["header"]["watched"].update(more=1),
    lambda document: document["header"].update(stopped="cancelled", algorithm="minimax"),
    lambda document: document["header"]["dtypes"].update(value="int32"),
]


@pytest.mark.parametrize("number", range(len(LIES)))
def test_a_file_with_inconsistent_rows_is_refused(number):
    document = json.loads(b"".join(chunks(record_student(3))))
    LIES[number](document)
    with pytest.raises(BadTreeFile):
        read_json(msgspec.json.encode(document))


def test_one_path_leads_to_one_board():
    watcher = ExternalRecorder("forgetful")
    watcher.begin_pass(1, "once")
    for board in ("one", "other"):
        if board == "other":
            watcher.begin_pass(1, "again")
        watcher.enter("start", True)
        watcher.enter(board, False, "a")
        watcher.leave(1, "horizon")
        watcher.leave(1)
    with pytest.raises(BadRecord, match="led to another board"):
        watcher.build_tree()


def test_calls_of_one_position_have_the_same_moves():
    watcher = ExternalRecorder("forgetful")
    for untried in (["b"], ["b", "c"]):
        watcher.begin_pass(1, "once more")
        watcher.enter("start", True)
        watcher.enter("next", False, "a")
        watcher.leave(1, "horizon")
        watcher.leave(1, untried=untried)
    with pytest.raises(BadRecord, match="has different moves"):
        watcher.build_tree()
