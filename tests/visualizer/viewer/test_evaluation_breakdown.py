"""The breakdown of a leaf's value for the viewer."""

import json

import pytest

from engine import connect, literal, preset, search, tictactoe
from visualizer.viewer.breakdown_data import build_breakdown


def leaf_rows(tree):
    return [row for row in range(len(tree)) if tree[row].is_leaf]


@pytest.mark.parametrize("evaluation", ["lines", "segments:power", "segments:linear", "threats", "chains", "none"])
def test_the_parts_add_up_to_the_value(evaluation):
    tree = search(connect(evaluation=evaluation), "33442", 2)
    for row in leaf_rows(tree):
        breakdown = build_breakdown(tree, row)
        json.dumps(breakdown)
        total = sum(parse_whole_number(group["points"].split(" = ")[-1]) for group in breakdown["groups"])
        assert total == parse_whole_number(breakdown["value"]) == tree[row].value
        assert breakdown["groups"] or breakdown["note"]


def parse_whole_number(text):
    return int(text.replace("−", "-"))


def test_equal_parts_are_one_group_with_all_their_cells():
    tree = search(connect(evaluation="threats"), "0", 0, first="max")
    breakdown = build_breakdown(tree, 0)
    assert breakdown["sum"] == "MAX +9, MIN 0"
    [group] = breakdown["groups"]
    assert (group["words"], group["points"]) == ("MAX has 1 of 4 cells in a line, the rest empty", "3 × +3 = +9")
    assert [len(cells) for cells in group["cells"]] == [4, 4, 4]


def test_a_number_that_no_evaluation_gave_is_called_so():
    tree = search(preset("k-tables"), "000000111111222222333333444444555556666", 5, as_published=True)
    odd = next(row for row in leaf_rows(tree) if tree[row].value != tree.game.evaluate(tree[row].state))
    assert "as published" in build_breakdown(tree, odd)["note"]
    assert build_breakdown(tree, odd)["groups"] == []


def test_draws_and_trees_of_numbers_have_no_parts():
    tree = search(tictactoe(), "012453786", 0)
    assert build_breakdown(tree, 0)["note"].startswith("Nothing on this board counts")
    assert "does not explain its evaluation" in build_breakdown(search(literal([1, 2])), 1)["note"]
