"""Search traces: the search of any program becomes a tree, and a damaged line is named by its number."""

import json
import re
import shutil
import sys

import msgspec
import numpy as np
import pytest

from engine import literal, load, save, search, tictactoe
from engine.tree.external_tree import SharedPaths, UniquePaths
from engine.tree.search_trace import SCHEMA_FILE, BadTrace, TraceCall, TraceHeader, parse_trace
from engine.tree.trace_builder import build_trace_tree
from tests.support import processes
from tests.support.paths import ROOT
from visualizer import sentence

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
GUIDE = (ROOT / "engine" / "tree" / "README.md").read_text(encoding="utf-8")
MAX_WRITER_LINES = 40


def to_text(value):
    return {float("inf"): "inf", float("-inf"): "-inf"}.get(value, value)


def write_calls(tree, viewpoint="max"):
    """Return the lines of a trace that an own search would write, in the order in which its calls end."""
    calls = []
    for row in sorted(range(len(tree)), key=lambda row: (tree.end[row], -row)):
        node = tree[row]
        window, value = (node.alpha, node.beta), node.value
        if viewpoint == "side" and not node.maximizing:
            window, value = (-node.beta, -node.alpha), -node.value
        call = {
            "id": row * 10,
            "side": "max" if node.maximizing else "min",
            "state": str(tree.game.show(node.state)) if hasattr(tree.game, "show") else "",
        }
        call |= {"alpha": to_text(window[0]), "beta": to_text(window[1]), "value": value, "status": node.status}
        if row:
            call |= {"parent": int(node.parent) * 10, "move": node.move_name}
        if node.skipped:
            call["skipped"] = [str(name) for name in node.skipped_moves] if hasattr(node, "skipped_moves") else []
        calls.append(call)
    return calls


def join_lines(calls, **header):
    return "\n".join(map(json.dumps, [{"plyscope_trace": 1, **header}, *calls])).encode() + b"\n"


def read_tree(calls, **header):
    return build_trace_tree(parse_trace(join_lines(calls, **header)))


def assert_same_search(found, tree):
    for name in ("depth", "alpha", "beta", "value", "maximizing", "end"):
        assert np.array_equal(getattr(found, name), getattr(tree, name)), name
    assert [found[row].status for row in range(len(found))] == [tree[row].status for row in range(len(tree))]


@pytest.mark.parametrize("viewpoint", ["max", "side"])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_a_trace_gives_the_tree_of_its_search(algorithm, viewpoint):
    tree = search(tictactoe(), "04", depth=3, algorithm=algorithm)
    found = read_tree(write_calls(tree, viewpoint), viewpoint=viewpoint, depth=3)
    assert_same_search(found, tree)
    assert [found[row].move_name for row in range(1, 20)] == [tree[row].move_name for row in range(1, 20)]


def test_missing_fields_are_derived():
    tree = search(literal(TEXTBOOK), algorithm="minimax")
    calls = [
        {name: call[name] for name in ("id", "parent", "side") if name in call}
        | ({"value": call["value"]} if call["status"] == "terminal" else {})
        for call in write_calls(tree)
    ]
    found = read_tree(calls)
    assert (found.root.value, found.expanded, found[1].move_name) == (3, 13, "move 1")


def test_a_tree_of_a_trace_is_saved_and_read_again(tmp_path):
    found = read_tree(write_calls(search(literal(TEXTBOOK))), game="textbook")
    save(found, tmp_path / "run.parquet")
    again = load(tmp_path / "run.parquet")
    assert_same_search(again, found)
    assert again.game.name == "textbook"


def leaf(number, parent, value, **more):
    return {"id": number, "parent": parent, "side": "min", "value": value, **more}


def test_outermost_calls_with_different_positions_get_a_common_root():
    calls = [{"id": 0, "side": "min", "value": 3, "state": "a"}, {"id": 1, "side": "min", "value": 5, "state": "b", "move": "b"}]
    tree = read_tree(calls)
    assert (tree.expanded, tree.root.value, tree.root.maximizing) == (3, 5, True)
    assert [tree[row].move_name for row in (1, 2)] == ["move 1", "b"]


def test_outermost_calls_with_one_position_are_passes():
    calls = [{"id": number, "side": "max", "value": number, "state": "a"} for number in range(3)]
    assert len(read_tree(calls).passes) == 3


def test_a_move_that_is_called_again_with_another_position_gets_another_name():
    root = {"id": 0, "side": "max", "value": 2}
    again = [leaf(1, 0, 1, move="x", state="a"), leaf(2, 0, 2, move="x", state="b"), leaf(3, 0, 2, move="x", state="b")]
    tree = read_tree([root, *again])
    assert [tree[row].move_name for row in (1, 2, 3)] == ["x", "x (2)", "x (2)"]


def test_states_are_read_the_same_way_on_shared_and_unique_paths():
    tree = read_tree(write_calls(search(tictactoe(), "0413", depth=3)))
    unique, shared = (kind(tree.columns, tree.game.seen) for kind in (UniquePaths, SharedPaths))
    for state in range(len(tree)):
        for name in ("board_text", "is_max", "is_over", "replies"):
            assert getattr(unique, name)(state) == getattr(shared, name)(state)
        assert unique.leaf_value(state) == pytest.approx(shared.leaf_value(state), nan_ok=True)


ROOT_CALL = {"id": 0, "side": "max", "value": 1}


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([ROOT_CALL, leaf(0, None, 1)], "line 3: the id 0 occurs twice"),
        ([ROOT_CALL, leaf(1, 7, 1)], "line 3: its parent 7 is not in the trace"),
        ([leaf(0, 1, 1), {"id": 1, "side": "max"}], "line 2: the call 0 has a smaller id than its parent"),
        ([ROOT_CALL, leaf(1, 0, 1), leaf(2, 0, 1), leaf(3, 1, 1)], "line 5: the call 3 begins after its parent 1 has ended"),
        ([ROOT_CALL, leaf(1, 0, None)], "line 3: a leaf has no value"),
        ([ROOT_CALL, leaf(1, 0, 1, status="exhausted")], "line 3: the status is 'exhausted', but there are no calls below"),
        ([ROOT_CALL | {"status": "terminal"}, leaf(1, 0, 1)], "line 2: the status is 'terminal', but there are calls below"),
        ([ROOT_CALL, leaf(1, 0, 1, skipped=["a"])], 'line 3: only a call with the status "cutoff"'),
        ([ROOT_CALL | {"status": "cutoff", "skipped": ["x"]}, leaf(1, 0, 1, move="x")], "line 2: a skipped move was tried"),
        ([ROOT_CALL, leaf(1, 0, None, status="open"), leaf(2, 0, 1)], 'line 3: the status is "open", but later calls'),
        ([ROOT_CALL, leaf(1, 0, 1, state="x" * 3000)], "line 3: the state has more than"),
        ([ROOT_CALL, leaf(1, 0, 1, move="x" * 3000)], "line 3: the move has more than"),
        ([ROOT_CALL, leaf(1, 0, "NaN")], "line 3: Invalid enum value 'NaN'"),
        ([ROOT_CALL, leaf(1, 0, 1, colour="red")], "line 3: Object contains unknown field `colour`"),
        ([{"id": n, "side": "max", "parent": n - 1 if n else None, "value": 1} for n in range(600)], "nested more than 500 deep"),
        ([], "the trace has no calls"),
    ],
)
def test_a_wrong_call_is_named_by_its_line(calls, words):
    with pytest.raises(BadTrace, match=re.escape(words)):
        read_tree(calls)


def test_damaged_lines_are_named():
    lines = join_lines([ROOT_CALL, *(leaf(n, 0, 1) for n in range(1, 10))]).split(b"\n")
    lines[3], lines[5] = b'{"id": ', b"\xff\xfe"
    with pytest.raises(BadTrace, match=r"line 4: .*; line 6: ") as error:
        parse_trace(b"\n".join(lines))
    assert "line 5" not in str(error.value)
    with pytest.raises(BadTrace, match="and 4 more lines"):
        parse_trace(b"\n".join([lines[0], *[b"{"] * 9]))


@pytest.mark.parametrize("first", [b"", b"[]", b'{"plyscope_trace": 2}', b'{"id": 0, "side": "max"}', b"\x00" * 100])
def test_a_wrong_header_is_refused(first):
    with pytest.raises(BadTrace, match="line 1"):
        parse_trace(first + b"\n" + join_lines([ROOT_CALL]))


def test_empty_lines_and_windows_line_ends_are_allowed():
    text = join_lines([ROOT_CALL, leaf(1, 0, 1)]).replace(b"\n", b"\r\n\r\n")
    trace = parse_trace(b"\xef\xbb\xbf" + text)
    assert (len(trace.calls), list(trace.lines)) == (2, [3, 5])


# ---- the schema and the writers


def test_the_schema_has_the_fields_that_are_read():
    schema = json.loads(SCHEMA_FILE.read_text())["$defs"]
    for name, struct in (("header", TraceHeader), ("call", TraceCall)):
        fields = msgspec.structs.fields(struct)
        assert set(schema[name]["properties"]) == {field.name for field in fields}
        assert set(schema[name]["required"]) == {field.name for field in fields if field.required}
        assert all(f"`{field.name}`" in GUIDE for field in fields)
    assert set(schema["call"]["properties"]["status"]["enum"]) == {"terminal", "horizon", "exhausted", "cutoff", "open", None}


LANGUAGES = {
    "python": ("trace_example.py", [[sys.executable, "trace_example.py"]]),
    "java": ("Example.java", [["java", "Example.java"]]),
    "cpp": ("example.cpp", [["g++", "-std=c++17", "-o", "example", "example.cpp"], ["./example"]]),
    "javascript": ("example.js", [["node", "example.js"]]),
}


def find_example(language):
    """Return the writer of a language and the search that uses it, as the guide has them."""
    blocks = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    return blocks[:2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_writers_of_the_guide_are_short(language):
    writer, example = find_example(language)
    assert len(writer.strip().splitlines()) <= MAX_WRITER_LINES
    assert len(example.strip().splitlines()) <= MAX_WRITER_LINES


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_writers_of_the_guide_write_the_textbook_tree(language, tmp_path):
    file, commands = LANGUAGES[language]
    if not commands[0][0].startswith(("/", ".")) and shutil.which(commands[0][0]) is None:
        pytest.skip(f"{commands[0][0]} is not installed")
    writer, example = find_example(language)
    parts = [example, writer] if language == "java" else [writer, example]
    if language == "java":  # `java Example.java` runs the first class; imports come first
        imports = "".join(re.findall(r"^import .*\n", writer, re.MULTILINE))
        parts = [imports, example, re.sub(r"^import .*\n", "", writer, flags=re.MULTILINE)]
    (tmp_path / file).write_text("\n".join(parts))
    for command in commands:
        done = processes.run(command, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    found = build_trace_tree(parse_trace((tmp_path / "trace.jsonl").read_bytes()))
    assert_same_search(found, search(literal(TEXTBOOK)))


def test_a_depth_limit_that_the_trace_does_not_tell_is_not_named():
    tree = read_tree([{"id": 1, "value": 5, "status": "horizon", "side": "max", "state": "start"}])
    words = {sentence(step) for step in tree.timeline}
    assert "The depth limit is reached, so this position is evaluated: its value is 5." in words
