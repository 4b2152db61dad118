"""Trees written by people are read as meant, or refused with the line, the column and a correction."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import PlyscopeError, Trace, literal, search
from engine.games.registry import game_text, read_game
from engine.games.tree_formats import FORMATS, json_trees, read_tree
from tests.support.games import literal_trees
from tests.support.marks import examples

LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))
PLAIN = st.text(LETTERS, min_size=1, max_size=12).filter(lambda name: name.isprintable() and name.strip() == name)
TRICKY = [
    "3",
    "-1.5",
    "MAX",
    "MIN x",
    "a: 3",
    "a -> b",
    '"',
    "\\",
    "# a",
    "->",
    ":",
    "nan",
    "digraph {",
    "[1]",
    "{",
    "<b>",
    "n1",
    "é",
    "$x$",
]
NAMES = PLAIN | st.sampled_from(TRICKY)


def named_nodes(children):
    facts = st.fixed_dictionaries({}, optional={"name": NAMES, "move": NAMES})
    return st.builds(lambda said, inner: {**said, "children": inner}, facts, st.lists(children, min_size=1, max_size=3))


LEAVES = st.integers(-99, 99) | st.floats(-1e9, 1e9, allow_nan=False)
NAMED_LEAVES = st.builds(
    lambda said, value: {**said, "value": value}, st.fixed_dictionaries({}, optional={"name": NAMES, "move": NAMES}), LEAVES
)
NAMED_TREES = st.recursive(
    LEAVES | NAMED_LEAVES, lambda inner: named_nodes(inner) | st.lists(inner, min_size=1, max_size=3), max_leaves=12
)


def without_root_move(tree):
    return {key: value for key, value in tree.items() if key != "move"} if isinstance(tree, dict) else tree


@pytest.mark.parametrize("name", FORMATS)
@examples(60)
@given(st.data())
def test_a_written_tree_is_read_as_the_same_tree(name, data):
    form = FORMATS[name]
    trees = NAMED_TREES.map(without_root_move) if form.names else literal_trees
    game = literal(data.draw(trees | st.just(0)), data.draw(st.sampled_from(["max", "min"])))
    read = read_tree(form.write(game.data, game.first))
    assert literal(read.tree, read.first or "max") == game
    assert read_tree(form.write(game.data, game.first).encode()) == read


@given(NAMED_TREES.map(without_root_move), st.sampled_from(["max", "min"]))
def test_a_tree_with_names_is_the_same_search_and_the_same_link(tree, first):
    game = literal(tree, first)
    assert read_game(game_text(game)) == game
    ours, plain = search(game), search(literal(game.tree, first))
    assert ours.expanded == plain.expanded
    assert ours.root.value == plain.root.value
    assert list(ours.move) == list(plain.move)


ODD = [1, -0.0, 1e299, 2**70, True, None, "x", [], {}, {"value": 1}, {"value": [1]}, {"children": []}, {"name": "", "value": 1}]
ANY_JSON = st.recursive(
    st.sampled_from(ODD) | NAMED_TREES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "move", "value", "children", "first", "x"]), inner | NAMES, max_size=3)
        | st.builds(lambda children: {"first": "min", "children": children}, st.lists(inner, max_size=2))
    ),
    max_leaves=6,
)


@examples(200)
@given(ANY_JSON.map(json.dumps), st.booleans())
def test_the_fast_json_reader_agrees_with_the_parser(text, twice):
    if twice:
        text = text.replace('"value": 1', '"value": 1, "value": 1')
    quickly = json_trees.read_plain_json(text)
    assert quickly is None or repr(quickly) == repr(json_trees._JsonParser(text).parse_tree())


BRANCHES = {
    "list": "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
    "json": '{"name": "A", "children": [{"move": "a1", "name": "B", "children": [3, 12, 8]}, [2, 4, 6], [14, 5, 2]]}',
    "text": "A\n  a1 -> B\n    3\n    12\n    8\n  C\n    2\n    4\n    6\n  D\n    14\n    5\n    2\n",
    "dot": 'digraph { A -> B [label="a1"]; A -> {C D}; B -> {b1 b2 b3}; C -> {c1 c2 c3}; D -> {d1 d2 d3}'
    "b1 [value=3] b2 [value=12] b3 [value=8] c1 [value=2] c2 [value=4] c3 [value=6] d1 [value=14] d2 [value=5] d3 [value=2] }",
}


@pytest.mark.parametrize("name", BRANCHES)
def test_the_textbook_tree_can_be_written_in_every_format(name):
    game = read_game(f"tree:{BRANCHES[name]}")
    assert game.tree == [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
    tree = search(game)
    assert tree.root.value == 3
    assert tree.root.best_move_name == ("0" if name == "list" else "a1")
    assert "a1" in game.text or name == "list"


def test_a_move_is_named_by_itself_its_node_or_its_index():
    game = read_game('tree:[{"move": "go", "name": "B", "value": 1}, {"name": "C", "value": 2}, 3]')
    assert [game.move_name(move) for move in game.moves(game.start())] == ["go", "C", "2"]
    tree = search(game)
    assert [node.move_name for node in tree.root.children] == ["go", "C", "2"]
    assert game.show(tree[1].state) == "B: 1"
    assert Trace(tree)[1].node.move_name == "go"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("MIN [1, [2, 3]]", "min"),
        ("max[1]", "max"),
        ('{"first": "MIN", "value": 3}', "min"),
        ("MIN\n 3", "min"),
        ("a\n  MAX b\n    3", "min"),
        ("MIN: 4", "min"),
        ("digraph { first=min; a [value=3] }", "min"),
        ("[1]", None),
    ],
)
def test_a_text_may_name_the_side_that_moves_first(text, first):
    assert read_tree(text).first == first
    assert read_game(f"tree:{text}").max_first == (first != "min")
    assert read_game(f"tree-min:{text}").max_first == (first == "max")


WRONG = [
    ("[[3,12],[2,4]", "line 1, column 1: the list or object that starts here is not closed: add ]"),
    ("[[3,12],\n [2,x]]", "line 2, column 5: 'x' is not a number: write one such as 3"),
    ("[1,\n\n []]", "line 3, column 2: an empty list: a node has at least one child"),
    ("[NaN]", "line 1, column 2: NaN is not a leaf value"),
    ("[-Infinity]", "column 2: -Infinity is not a leaf value"),
    ("[1e999]", "column 2: '1e999' is too large: use a finite number such as 1e6"),
    ("[" + "9" * 5000 + "]", "is too large: use a finite number"),
    ("[1 2]", "column 4: expected a comma or ], found '2'"),
    ("[1,,2]", "column 4: ',' is not a node: a node is a number, a list of nodes"),
    ("[1] [2]", "column 5: '[' follows the end of the tree"),
    ('["a"]', "column 2: '\"a\"' is not a node"),
    ("{'value': 3}", 'column 2: expected a key in double quotes such as "value", found "\'"'),
    ('{"valeu": 3}', "column 2: 'valeu' is not a key of a node: use name, move, value, children, chance, p, first, range"),
    ('{"value": 3, "value": 4}', "column 14: this node has value twice"),
    ('{"value": 3, "children": [1]}', "column 1: this node has both a value and children"),
    ('{"name": "x"}', "column 1: this node has neither a value nor children"),
    ('{"children": 3}', "column 14: children must be a list, not '3': write [3, 12]"),
    ('{"name": 3, "value": 1}', "column 10: name must be a text, not '3'"),
    ('{"name": "a\\nb", "value": 1}', "column 10: 'a\\nb' is not a name: use 1 to 60 printable characters"),
    ('{"name": "\\x", "value": 1}', "is not a JSON string"),
    ('[{"first": "min", "value": 1}]', "column 3: first belongs to the root only"),
    ('{"first": "both", "value": 1}', "'both' is not a side: write"),
    ('{"value" 3}', "column 10: expected a colon after \"value\", found '3'"),
    ("[" * 600, "column 501: the tree is too large: the limits are 200,000 nodes and 500 plies"),
    ('{"move": "a", "value": 1}', "column 2: no move leads to the root"),
    ("A\n  B", "line 2, column 3: this node has neither a value nor children: write 'name: 3'"),
    ("A\n  B: 3\n    4", "line 3, column 5: the parent of this line has a value"),
    ("A\n    3\n  4", "line 3, column 3: this line is indented by 2: use 0 or 4, like a line above"),
    ("A\n  3\n\t4", "line 3, column 2: the indentation mixes characters: use only spaces or only tabs"),
    ("A\n  x: nan", "line 2, column 6: nan is not a leaf value"),
    ("A\n  x: three", "line 2, column 6: 'three' is not a number"),
    ("A\n  MAX\n    3\n    MAX\n      4", "line 4, column 5: MAX cannot move here: the sides alternate, and it is MIN's turn"),
    ("a -> 3", "column 1: no move leads to the root"),
    ("A\n  b ->", "line 2, column 3: this line has no node"),
    ('A\n  "b: 3', "line 2, column 3: the name has no closing quote"),
    ("# only this", "there are no nodes"),
    ("A\n" + "".join(" " * depth + "x\n" for depth in range(1, 600)), "line 502, column 502: the tree is too large"),
    ("   ", "the tree is empty: write nested lists such as"),
    ("digraph { A -> B; C -> B }", "column 24: 'B' is already a child of 'A': in a tree each node has one parent"),
    ("digraph { A -> B }", "column 16: the leaf 'B' has no value: write B [value=3]"),
    ("digraph { A [value=3]; B [value=4] }", "column 24: 'A' and 'B' have no parent: a tree has one root"),
    ("digraph { A -> A }", "the edges form a cycle"),
    ("digraph { R [value=1]; A -> B -> A }", "some edges form a cycle"),
    ("digraph { A [value=nan] }", "has no value"),
    ("digraph { A [label=<b>] }", "column 20: expected a value, found '<'"),
    ("digraph { subgraph x { } }", "expected a node or an edge (subgraphs are not supported), found 'subgraph'"),
    ("digraph { A -> B [value=3]", "expected a node, an edge or }, found the end of the text"),
    ("digraph { A:n -> B }", "column 12: expected a node, an edge or }, found ':'"),
    ("digraph { A [value=3] } digraph { }", "expected the end of the text (one graph is one tree), found 'digraph'"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[text[:24] for text, _ in WRONG])
def test_tree_errors_name_line_column_and_correction(text, message):
    with pytest.raises(PlyscopeError) as refused:
        read_game(f"tree:{text}") if text.strip() else read_tree(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_files_that_are_binary_or_too_large_are_refused():
    with pytest.raises(PlyscopeError, match="line 2 of the file is not UTF-8 text"):
        read_tree(b"[1,\n\xff]")
    with pytest.raises(PlyscopeError, match="at least 5,000,003 bytes: the limit is 5,000,000"):
        read_tree(b"[" + b" " * 5_000_000 + b"1]")
    assert read_tree("\ufeff[1]".encode()).tree == [1]


LARGE = {
    "blanks": " " * 400_000 + "x",
    "comment": "/*" + "*" * 400_000,
    "comments": "/**/" * 100_000,
    "quotes": '"' * 400_000,
    "lines": "\n" * 400_000,
    "arrows": "a" + "->" * 200_000,
    "digits": "[" + "1" * 400_000 + "]",
    "brackets": "[" * 400_000,
    "objects": '{"children":[' * 30_000,
    "graph": "digraph {" + "a;" * 100_000,
    "colons": "a\n " + ":" * 400_000,
    "deep text": "\n".join(" " * (depth % 400) + "x" for depth in range(20_000)),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_invalid_texts_are_refused_quickly(name):
    with pytest.raises(PlyscopeError):
        read_tree(LARGE[name])


@pytest.mark.slow
def test_no_text_has_more_than_200_000_nodes():
    assert len(read_game("tree:[" + "1," * 199_998 + "1]").tree) == 199_999
    with pytest.raises(PlyscopeError, match="column 400000: the tree is too large: the limits are 200,000 nodes"):
        read_game("tree:[" + "1," * 200_000 + "1]")


def test_trees_in_python_may_have_names():
    game = literal({"name": "root", "children": [{"move": "left", "value": 3}, (2, 4)]}, "min")
    assert json.loads(game.written) == {"name": "root", "children": [{"move": "left", "value": 3}, [2, 4]]}
    for wrong in ({"value": 1, "name": ""}, {"value": 1, "colour": "red"}, {"children": 3}, {"value": [1]}, {}, {"value": None}):
        with pytest.raises(PlyscopeError):
            literal([wrong])
    with pytest.raises(PlyscopeError, match="no move leads to the root"):
        literal({"move": "a", "value": 1})
