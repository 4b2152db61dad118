"""Student programs are loaded without running, and their searches are found and recorded."""

import ast
import contextlib
import json
import textwrap
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Trace, literal, search
from engine.checker.discovery import entry_points
from engine.checker.discovery.argument_synthesis import EntryPoint
from engine.checker.discovery.entry_points import find_entry_points
from engine.checker.discovery.input_driver import MOVE_INPUT_FORMATS, run_with_input
from engine.checker.discovery.project import find_project_search, read_project
from engine.checker.discovery.search_finder import NoSearchFound, find_functions, find_search
from engine.checker.recording.argument_roles import ArgumentRoles, find_score, infer_roles
from engine.checker.recording.board_cells import changed_cells, flatten_cells, has_cell
from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls, TooManyCalls, record_function
from engine.checker.recording.record_transfer import pack_record, unpack_record
from engine.checker.recording.shared_state import SharedPlace, set_shared_places
from engine.checker.recording.state_display import MAX_STATE_CHARS
from engine.checker.recording.state_encoding import MAX_POSITION_BYTES, decode_state, encode_state
from engine.checker.recording.wire_format import CallColumns, compress_columns, decompress_columns
from engine.checker.sandbox.loader import (
    CALL_NAME,
    SCRIPT_NAME,
    CannotLoad,
    NeedsInput,
    installed_finders,
    load_program,
    noninteractive_mode,
    parse_file,
)
from engine.checker.watch import CannotWatch, watch
from engine.tree.parquet_file import load as load_tree
from engine.tree.parquet_file import save
from tests.support.paths import TESTS
from visualizer import export
from visualizer.narration.sentences import sentence

STUDENTS = TESTS / "students"


@pytest.fixture
def program(tmp_path):
    def write(source, name="student.py"):
        (tmp_path / name).write_text(textwrap.dedent(source))
        return tmp_path / name

    return write


def record(path, call):
    """The program's calls, loaded and watched as `plyscope check` does it."""
    tree, calls = parse_file(path), RecordedCalls()
    found, functions = find_search(tree, None, call), find_functions(tree)
    lines = {functions[name].node.lineno: name for name in found.functions}
    loaded = load_program(path, call, lines, lambda name: lambda function: record_function(calls, name, function))
    result = None
    with noninteractive_mode(), installed_finders(loaded.finders), contextlib.suppress(RecursionError, TooManyCalls):
        result = getattr(loaded.module, CALL_NAME)()
    calls.drop_partial_rows()
    return calls, result


@pytest.mark.parametrize("has_kind", [False, True])
def test_a_record_is_whole_after_an_interrupt_at_any_line(has_kind):
    """The time limit may stop a program between two lines of the recorder. Such a record was called a forged one."""
    calls = RecordedCalls()
    record_function(calls, "search", lambda state: None)({"a"})
    calls.positions[b"the next one"] = 1
    if has_kind:
        calls.late.append(NO_ROW)
    calls.drop_partial_rows()
    found = unpack_record(pack_record(calls))
    assert (len(found), len(found.texts), len(found.late)) == (1, 2, 2)


CHOSEN_FUNCTION = """
def max_node(n, depth):
    return n if depth == 0 else max(chance_node(n + way, depth) for way in (1, 2))

def min_node(n, depth):
    return n if depth == 0 else min(chance_node(n + way, depth) for way in (1, 2))

def chance_node(n, depth):
    node = max_node if n % 2 else min_node
    return sum(node(n + face, depth - 1) for face in (1, 2)) / 2
"""
VALUE_HANDS_ON = """
class Chance:
    def value(self, state, depth):
        if depth >= 3:
            return state
        return self.max_value(state, depth + 1)[0] if depth % 2 == 0 else self.mean(state, depth + 1)[0]

    def max_value(self, state, depth):
        return max((self.value(state + way, depth), way) for way in (1, 2))

    def mean(self, state, depth):
        return sum(self.value(state + way, depth) for way in (1, 2)) / 2, None
"""


def test_a_function_that_is_chosen_first_and_called_by_another_name_is_called():
    found = find_search(ast.parse(CHOSEN_FUNCTION))
    assert set(found.functions) == {"max_node", "min_node", "chance_node"}


def test_a_cycle_is_a_search_if_the_function_that_hands_on_has_a_plain_name(tmp_path):
    (tmp_path / "tree.py").write_text(VALUE_HANDS_ON)
    project = read_project(tmp_path, tmp_path / "tree.py", [tmp_path / "tree.py"])
    assert find_project_search(project).found.functions == ("Chance.value",)


@pytest.mark.parametrize(("run", "times"), [(lambda: None, 1), (lambda: input("Your move: "), len(MOVE_INPUT_FORMATS))])
def test_a_program_that_asks_nothing_is_answered_once(run, times):
    starts = entry_points._answer_questions(EntryPoint("the script", run, True))
    assert len([start.run() for start in starts]) == times


STICKS = """
    import random

    def take(sticks, depth, alfa, beta, is_max):
        if sticks == 0:
            return -1 if is_max else 1
        if depth == 0:
            return 0
        best = -1000 if is_max else 1000
        for n in (1, 2, 3):
            if n > sticks:
                break
            score = take(sticks - n, depth - 1, alfa, beta, not is_max)
            best = max(best, score) if is_max else min(best, score)
            if is_max:
                alfa = max(alfa, best)
            else:
                beta = min(beta, best)
            if beta <= alfa:
                break
        return best

    print("playing")
    while True:
        answer = input("how many? ")
"""


# ---- loading


def test_only_definitions_run(program, capsys):
    loaded = load_program(program(STICKS))
    assert loaded.module.take(5, 9, -9, 9, True) == 1
    assert capsys.readouterr().out == ""
    assert loaded.has_script
    with noninteractive_mode(), pytest.raises(NeedsInput, match="how many"):
        getattr(loaded.module, SCRIPT_NAME)()
    assert capsys.readouterr().out == "playing\n"


def test_missing_packages_and_failed_assignments_become_stubs(program):
    loaded = load_program(
        program("""
        import pygame, no_such_package.inside as ns
        from tkinter import *
        from no_such_package import Thing, thing

        class Window(pygame.sprite.Sprite, Thing):
            def minimax(self): return 7

        screen = pygame.display.set_mode((3, 4))
        figure, (left, right) = pygame.subplots(2)
        pygame.session.board = [3]
        kept = pygame.session.board
        wrong = 1 / 0
        table = []
        table.append(wrong + 1)
        for square in range(3):
            table.append(square)
        """)
    )
    assert loaded.module.Window().minimax() == 7
    assert (loaded.module.table[1:], loaded.module.kept) == ([0, 1, 2], [3])
    assert [note.partition(":")[2] for note in loaded.notes] == [" ZeroDivisionError: division by zero"]
    assert {"pygame", "no_such_package", "tkinter"} <= set(loaded.stubs)


def test_installed_packages_see_that_an_import_is_missing(program, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "careful.py").write_text("try:\n import no_such_extra\nexcept ImportError:\n extra = None\n")
    monkeypatch.syspath_prepend(str(tmp_path / "there"))
    loaded = load_program(program("from careful import extra\nimport no_such_extra\n"))
    assert (loaded.module.extra, loaded.stubs) == (None, ["no_such_extra"])


def test_files_beside_it_are_loaded_in_the_same_way(program, capsys):
    program("SIZE = 3\nprint('no')\ndef board(): return [0] * SIZE\n", "rules.py")
    loaded = load_program(program("from rules import board, SIZE\nimport rules\nstart = board()\n"))
    assert (loaded.module.start, loaded.module.SIZE, capsys.readouterr().out) == ([0, 0, 0], 3, "")


def test_functions_may_import_when_they_run(program):
    program("def score(n): return -n\n", "late.py")
    loaded = load_program(program("def leaf(n):\n from late import score\n import no_such_window\n return score(n)\n"), "leaf(3)")
    with installed_finders(loaded.finders), noninteractive_mode():
        assert getattr(loaded.module, CALL_NAME)() == -3


def test_a_call_may_name_what_the_main_part_makes(program):
    source = """
        class Node:
            def __init__(self, value): self.value, self.children = value, []
            def add_child(self, node): self.children.append(node)
        def total(node): return node.value + sum(map(total, node.children))
        top = Node(1)
        top.add_child(Node(2))
        if __name__ == "__main__":
            low, best = Node(10), total(top)
            low.add_child(Node(20))
            low.children += [top]
            game = input("never asked")
    """
    for call, value in (("total(top)", 3), ("total(low)", 33)):
        assert getattr(load_program(program(source), call).module, CALL_NAME)() == value


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("print 'hello'\n", "is written in Python 2 (line 1)"),
        ("def f(:\n  pass\n", "student.py has a syntax error on line 1: "),
        ("x = '\0'", "student.py has a syntax error: "),
    ],
)
def test_a_syntax_error_is_reported(program, source, words):
    with pytest.raises(CannotLoad) as caught:
        load_program(program(source))
    assert words in str(caught.value)


def test_a_bad_call_is_reported(program):
    with pytest.raises(CannotLoad, match="is not a Python expression"):
        load_program(program(STICKS), "take(5,")


# ---- finding


@pytest.mark.parametrize(
    ("source", "functions", "roots"),
    [
        (STICKS, ("take",), ()),
        ("def f(n): return f(n - 1)\ndef minimax(b, d): return max(minimax(c, d - 1) for c in b)", ("minimax",), ()),
        (
            "def maxValue(s): return max(minValue(c) for c in s)\ndef minValue(s): return min(maxValue(c) for c in s)\n"
            "def decide(s): return max(s, key=minValue) or minValue(s)",
            ("maxValue", "minValue"),
            ("decide",),
        ),
        ("class AI:\n def ab(self, alpha):\n  return self.ab(alpha)\n def go(self): return self.ab(3)", ("AI.ab",), ("AI.go",)),
        ("def best(b):\n def visit(b):\n  for c in b: visit(c)\n return visit(b)", ("best.visit",), ("best",)),
        ("class A:\n def dfs(self): self.dfs()\nclass B:\n def alfabeta(self, x): x.alfabeta(self)", ("B.alfabeta",), ()),
    ],
)  # fmt: skip
def test_the_search_is_the_cycle_of_calls_with_the_best_names(program, source, functions, roots):
    found = find_search(parse_file(program(source)))
    assert (found.functions, found.roots) == (functions, roots)


def test_a_call_selects_the_search_and_a_dispatcher_is_the_search(program):
    two = parse_file(program("def minimax(b): return minimax(b)\ndef other(b): return other(b)\ndef go(b): return other(b)"))
    assert [find_search(two, None, call).functions for call in (None, "other(3)", "go(3)")] == [
        ("minimax",),
        ("other",),
        ("other",),
    ]
    found = find_search(
        parse_file(
            program(
                "def value(s): return s if end(s) else (high(s) if s.turn else low(s))\ndef high(s): return max(map(value, s)) or"
                " [value(c) for c in s]\ndef low(s): return min(value(c) for c in s)\ndef go(s): return value(s)"
            )
        )
    )
    assert (found.functions, found.roots) == (("value",), ("go",))


def test_a_function_can_be_named(program):
    source = parse_file(program("def minimax(b): return minimax(b)\ndef other(b): return other(b)\ndef no(): pass"))
    assert find_search(source, "other").functions == ("other",)
    with pytest.raises(NoSearchFound, match="'no' is not a search: it does not call itself"):
        find_search(source, "no")
    with pytest.raises(NoSearchFound, match="there is no function 'x': the functions are minimax, other, no"):
        find_search(source, "x")
    with pytest.raises(NoSearchFound, match="no function calls itself"):
        find_search(parse_file(program("def f(): return 1")))


# ---- calls, roles, the score


def test_calls_are_rows_in_the_order_of_entering(program):
    calls, result = record(program(STICKS), "take(4, 9, -inf, inf, True)")
    assert result == -1
    assert [calls.arguments[row][0] for row in range(5)] == [4, 3, 2, 1, 0]
    assert calls.parent[:5] == [-1, 0, 1, 2, 3]
    assert calls.end[0] == len(calls)
    assert calls.results[4] == -1
    assert infer_roles(calls, 0) == ArgumentRoles("sticks", "depth", "alfa", "beta", "is_max")
    assert find_score(calls).text == "result"


def quick_or_slow():
    for number, entry in enumerate(json.loads((STUDENTS / "manifest.json").read_text())):
        quick = entry["file"] in ("right/palitos_memoria.py", "wrong/infinite_or_huge_1.py", "wrong/wrong_bound_updated_2.py")
        yield pytest.param(entry, id=entry["file"], marks=[] if quick or number % 25 == 0 else pytest.mark.slow)


@pytest.mark.parametrize("entry", list(quick_or_slow()))
def test_the_roles_of_the_arguments_are_found(entry, capsys):
    calls, _ = record(STUDENTS / entry["file"], entry["call"])
    for number, function in enumerate(calls.functions):
        expected = entry["roles"].get(function.name) or entry["roles"][function.name.rpartition(".")[2]]
        assert infer_roles(calls, number)._asdict() == expected
    assert find_score(calls) is None or find_score(calls).text == entry["score"]


def test_a_constant_object_called_game_is_not_the_position(program):
    source = """
        class Rules:
            def __init__(self): self.take = [1, 2]
        def minimax(game, depth, sticks, mine):
            scores = [minimax(game, depth - 1, [*sticks[n:]], not mine) for n in game.take if n <= len(sticks)]
            return (max if mine else min)(scores) if scores and depth else (-1 if mine else 1)
    """
    calls, _ = record(program(source), "minimax(Rules(), 4, [0] * 5, True)")
    assert infer_roles(calls, 0) == ArgumentRoles("sticks", "depth", None, None, "mine")


NEVER_STARTED = """
    def minimax(feld, tiefe, maximiert):
        if tiefe == 2:
            return sum(feld)
        scores = []
        for i in range(len(feld)):
            feld[i] += 1 if maximiert else -2
            scores.append(minimax(feld, tiefe + 1, not maximiert))
        return max(scores) if maximiert else min(scores)

    def tictactoe():
        feld = [0] * 4
        feld[int(input("Play as X or O? "))] = 1
"""


def test_a_start_uses_the_boards_of_other_functions(program):
    path = program(NEVER_STARTED)
    loaded, project = load_program(path), read_project(path.parent, path, [path])
    with noninteractive_mode():
        start = next(one for one in find_entry_points(loaded, project, find_project_search(project)) if one.guessed)
        assert start.text == "minimax([0] * 4, 0, True)"
        assert [start.run(), start.run()] == [-7, -7]  # it undoes nothing, so each run needs a new board


def test_questions_for_one_of_two_are_answered_with_one_of_them():
    assert run_with_input(lambda: input("Your move (1-9): "), "{0}") == "1"
    assert {
        run_with_input(lambda: input("Play as X or O?: "), "{0}"),
        run_with_input(lambda: (input(), input("(w/b) "))[1], "{0}"),
    } <= set("XOwb")


CLOSURE_AND_TUPLES = """
    import numpy as np

    def choose(tableau, profondeur):
        def negamax(plateau, prof, a, b, couleur):
            libres = [i for i in range(len(plateau)) if plateau[i] == 0]
            if prof == 0 or not libres:
                return None, couleur * int((plateau == 1).sum() * 3 - plateau.sum())
            meilleur, coup = -99, None
            for i in libres:
                plateau[i] = couleur
                score = -negamax(plateau, prof - 1, -b, -a, -couleur)[1]
                plateau[i] = 0
                if score > meilleur:
                    meilleur, coup = score, i
                a = max(a, score)
                if a >= b:
                    break
            return coup, meilleur
        return negamax(tableau, profondeur, -99, 99, 1)
"""


def test_closures_arrays_and_pairs(program):
    calls, (_, score) = record(program(CLOSURE_AND_TUPLES), "choose(np.zeros(5), 4)")
    assert calls.functions[0].name == "choose.negamax"
    assert infer_roles(calls, 0) == ArgumentRoles("plateau", "prof", "a", "b", "couleur")
    assert find_score(calls).text == "result[1]"
    assert calls.results[0][1] == score
    assert calls.before == calls.after  # every change is undone
    assert len(calls.positions) > 30


def test_the_same_position_has_the_same_number_however_it_is_held():
    class Board:
        def __init__(self, cells):
            self.cells = cells

    for one, same, other in [
        ([[0, 1]], [[0, 1]], [[1, 0]]),
        (np.array([0, 1]), np.array([0, 1]), np.array([1, 0])),
        (Board([1]), Board([1]), Board([2])),
        ({1: "x"}, {1: "x"}, {1: "o"}),
        ({3}, {3}, {4}),
    ]:
        assert encode_state(one) == encode_state(same) != encode_state(other)
    loop = []
    loop.append(loop)
    assert encode_state(loop)


# ---- watch


def plain_minimax(tree, maximizing):
    if not isinstance(tree, list):
        return tree
    scores = [plain_minimax(child, not maximizing) for child in tree]
    return max(scores) if maximizing else min(scores)


class Player:
    def max_value(self, tree):
        return tree if not isinstance(tree, list) else max(self.min_value(child) for child in tree)

    def min_value(self, tree):
        return tree if not isinstance(tree, list) else min(self.max_value(child) for child in tree)


def test_functions_and_methods_are_watched_and_restored():
    before = plain_minimax
    with watch(plain_minimax) as seen:
        assert plain_minimax([[3, 12], [2, 4]], True) == 3
    assert len(seen) == 7
    assert plain_minimax is before
    with watch(Player.max_value, Player.min_value) as seen:
        assert Player().max_value([[3, 12], [2, 4]]) == 3
    assert [seen.calls.functions[number].name for number in seen.calls.function[:3]] == [
        "Player.max_value",
        "Player.min_value",
        "Player.max_value",
    ]
    assert "watched" not in repr(Player.max_value)


def test_a_search_that_is_too_large_is_stopped_and_kept():
    with watch(plain_minimax, most_rows=4) as seen:
        plain_minimax([[3, 12], [2, 4]], True)
    assert len(seen) == 4
    assert seen.calls.end == [-1, 4, 3, 4]
    calls = RecordedCalls(max_rows=1)

    def call_again():
        return endless()

    endless = record_function(calls, "endless", call_again)
    with pytest.raises(TooManyCalls):
        endless()


def test_a_watched_tree_steps_exports_and_compares_like_any_tree(tmp_path):
    with watch(plain_minimax) as seen:
        plain_minimax([[3, 12, 8], [2, 4, 6], [14, 5, 2]], True)
    ours = search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), algorithm="minimax")
    assert seen.roles["plain_minimax"] == ArgumentRoles(state="tree", side="maximizing")
    assert seen.score == "result"
    assert seen.tree.value.tolist() == ours.value.tolist()
    assert seen.tree.maximizing.tolist() == ours.maximizing.tolist()
    assert seen.tree.end.tolist() == ours.end.tolist()
    assert len(Trace(seen.tree)) == len(Trace(ours))
    assert seen.tree.root.best_move == ours.root.best_move
    for extension in (".svg", ".dot", ".txt", ".html", ".csv"):
        assert export(seen.tree, tmp_path / f"x{extension}") > 0
    assert "plain_minimax" in seen.tree.game.sources[0].lines[0]


@watch
def decorated(tree, maximizing=True):
    return (
        tree if not isinstance(tree, list) else (max if maximizing else min)(decorated(child, not maximizing) for child in tree)
    )


class Decorated:
    @watch
    def value(self, tree):
        return tree if not isinstance(tree, list) else -min(self.value(child) for child in tree)


def test_watch_decorates_functions_and_methods():
    assert decorated([[3, 12], [2, 4]]) == 3
    assert decorated([[1, 2]]) == 1
    assert decorated.tree.expanded == 4  # of the last call
    assert decorated.tree.root.value == 1
    assert decorated.__name__ == "decorated"
    assert Decorated().value([[3, 12], [2, 4]]) == Decorated.value.tree.root.value
    with pytest.raises(CannotWatch, match="was not called"):
        _ = watch(plain_minimax).tree


def test_a_decorated_function_goes_on_when_the_record_is_full():
    small = watch(decorated.functions[0], most_rows=2)
    assert small([[3, 12], [2, 4]]) == 3
    assert len(small) >= 1
    assert not small.tree.complete or len(small) == 1


def test_watch_refuses_other_objects():
    with pytest.raises(CannotWatch, match="3 is not a Python function"), watch(3):
        pass
    with pytest.raises(CannotWatch, match="there is nothing to watch"), watch():
        pass


class Sticks:
    """A search with its state in itself, as a student writes it in a notebook."""

    def __init__(self, left):
        self.left = left

    def best(self, mine):
        if self.left == 0:
            return -1 if mine else 1
        scores = []
        for taken in range(1, min(2, self.left) + 1):
            self.left -= taken
            scores.append(self.best(not mine))
            self.left += taken
        return max(scores) if mine else min(scores)


def test_a_method_of_an_object_and_one_that_is_watched_already_are_watched():
    player = Sticks(4)
    with watch(player.best) as outer:
        with watch(Sticks.best) as inner:
            player.best(True)
        player.best(True)
    assert (len(inner), len(outer)) == (12, 24)
    assert inner.tree.root.value == 1
    assert Sticks.best.__qualname__ == "Sticks.best"


def test_an_interrupted_search_steps_to_its_end(tmp_path):
    def count(left, mine):
        return 1 // left if left == 0 else max(count(left - 1, not mine), 0)

    with pytest.raises(ZeroDivisionError), watch(count) as seen:
        count(3, True)
    assert seen.stopped.startswith("the program raised ZeroDivisionError: ")
    assert not seen.tree.complete
    assert "the program ended before its search did" in [sentence(step) for step in Trace(seen.tree)][-1]
    save(seen.tree, tmp_path / "x.parquet")
    assert load_tree(tmp_path / "x.parquet").stopped == seen.tree.stopped


def test_a_board_that_is_too_long_to_be_shown_is_cut():
    one, number = np.zeros(1, int), np.zeros(1)
    columns = CallColumns(one, one, one, one, number, number, number, ["(255, 255, 255) " * 500])
    [board] = decompress_columns(compress_columns(columns)).boards
    assert board == ("(255, 255, 255) " * 500)[:MAX_STATE_CHARS]


def test_a_class_that_keeps_all_its_states_does_not_put_them_into_each_state():
    class State:
        made: ClassVar[list] = []  # every state that there was, as some courses' games keep them
        turn = 0

    places = [SharedPlace(State, "made"), SharedPlace(State, "turn")]
    set_shared_places(places)
    try:
        State.made.extend(State() for _ in range(3))
        assert [place.is_log for place in places] == [True, False]
        assert decode_state(encode_state(State.made[0])) == ["State", {"turn": 0}]
    finally:
        set_shared_places([])


def test_a_growing_table_is_no_part_of_a_position():
    class Player:
        def __init__(self):
            self.best, self.table = 0, {}

        def search(self, board, depth):
            self.table[bytes(200) + repr((board, depth)).encode()] = depth
            return depth if depth == 0 else max(self.search([*board, move], depth - 1) for move in range(4))

    player, calls = Player(), RecordedCalls()
    Player.search = record_function(calls, "search", Player.search)
    player.search([], 5)
    assert len(player.table) == len(calls) > 1_000
    assert max(map(len, calls.positions)) <= 2 * MAX_POSITION_BYTES
    last = decode_state(list(calls.positions)[-1])
    assert last == [["Player", {"best": 0}], []]  # the board of the first call, at its end


BOARDS = st.recursive(
    st.one_of(st.integers(0, 3), st.sampled_from(["", "x", "....", "..x.", "oooo"]), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
    max_leaves=12,
)


@given(BOARDS, BOARDS)
def test_changed_cells_are_those_that_differ_in_the_list_of_all_cells(before, after):
    old, new = flatten_cells(before), flatten_cells(after)
    expected = {place: value for place, value in new.items() if place not in old or old[place] != value}
    assert changed_cells(before, after) == expected | {place: None for place in old if place not in new}
    assert {place for place in {**old, **new} if has_cell(before, place)} == set(old)
