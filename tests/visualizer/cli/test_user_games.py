"""A game in the user's own file is searched, compared and played like any other. A bad one is refused with a sentence."""

import json
import sys

import pytest
from click.testing import CliRunner

from engine import PlyscopeError, search
from engine.games.registry import GAME_TYPES, read_game
from engine.matches import tournament
from tests.support import processes
from tests.test_architecture import MODULES, import_graph
from visualizer.app.state.url_params import read_comparison_params, read_match_params, read_search_params, read_tournament_params
from visualizer.cli.command_line import plyscope
from visualizer.cli.examples import EXAMPLES, EXAMPLES_FOLDER, write_new_game
from visualizer.cli.game_argument import read_game_argument
from visualizer.narration.captions import ONE_SIDED_NOTE, list_tree_notes

GAME = """
class Game:
    def start(self): return (3, True)
    def moves(self, state): return [1, 2][: state[0]]
    def play(self, state, move): return (state[0] - move, not state[1])
    def is_over(self, state): return state[0] == 0
    def maximizing(self, state): return state[1]
    def evaluate(self, state): return 0 if state[0] else -1 if state[1] else 1
"""


@pytest.fixture
def work_folder(tmp_path, monkeypatch):
    """An empty folder. Afterwards the registry of games and the modules are as before."""
    monkeypatch.chdir(tmp_path)
    kinds, path, modules = dict(GAME_TYPES), list(sys.path), set(sys.modules)
    yield tmp_path
    GAME_TYPES.clear()
    GAME_TYPES.update(kinds)
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith("own_"):
            del sys.modules[name]


def run_plyscope(*arguments, typed=""):
    result = CliRunner().invoke(plyscope, list(arguments), input=typed)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def replace_methods(**methods):
    """Return the game with some methods replaced."""
    lines = GAME.splitlines()
    for name, body in methods.items():
        at = next(number for number, line in enumerate(lines) if f"def {name}(" in line)
        lines[at] = lines[at][: lines[at].index("): ") + 3] + body
    return "\n".join(lines)


def test_every_command_takes_a_user_game(work_folder):
    (work_folder / "my_game.py").write_text(GAME)
    result = json.loads(run_plyscope("search", "my_game.py:Game", "--depth", "3", "--json"))
    assert (result["game"], result["value"], result["principal_variation"]) == ("my_game.py:Game", -1, [1, 2])
    assert "my_game.py:Game" in run_plyscope("search", "my_game.py", "--moves", "1", "--depth", "2")
    assert len(json.loads(run_plyscope("compare", "my_game.py:Game", "--depths", "1-2", "--repeat", "1", "--json"))["rows"]) == 4
    cells = json.loads(run_plyscope("tournament", "my_game.py:Game", "--depths", "1,3", "--games", "1", "--json"))["cells"]
    assert [cell["wins2"] for cell in cells] == [1, 1, 1, 1]
    assert "MIN, the computer" in run_plyscope("play", "my_game.py:Game", "--depth", "3", typed="1\nquit\n")


def test_a_saved_tree_of_a_user_game_is_read_again_with_it(work_folder):
    (work_folder / "my_game.py").write_text(GAME)
    run_plyscope("search", "my_game.py:Game", "--depth", "3", "-o", "x.parquet")
    with pytest.raises(PlyscopeError, match="belongs to a user's game"):
        run_plyscope("export", "x.parquet", "-o", "x.txt")
    run_plyscope("export", "x.parquet", "--game", "my_game.py:Game", "-o", "x.txt")
    assert (work_folder / "x.txt").read_text().strip()


WRONG = {
    "empty": (replace_methods(moves="return []"), "moves() is empty although is_over() is false in state (3, True)"),
    "set": (
        replace_methods(moves="return {1, 2}"),
        "moves() returned a set in state (3, True): the order of moves decides what is searched, and a set has no fixed order",
    ),
    "nothing": (replace_methods(moves="return None"), "moves() returned None in state (3, True): return a list of moves"),
    "words": (replace_methods(evaluate="return 'good'"), "evaluate() returned 'good' in state (0, False): return a number"),
    "infinite": (
        replace_methods(evaluate="return float('inf')"),
        "the search itself uses infinity; return a large finite number",
    ),
    "side": (
        replace_methods(maximizing="return 'max'"),
        "maximizing() returned 'max' in state (3, True): return True (MAX to move)",
    ),
    "shared": (
        replace_methods(
            start="return ([3], True)",
            moves="return [1, 2][: state[0][0]]",
            play="state[0][0] -= move; return (state[0], not state[1])",
            is_over="return state[0][0] <= 0",
            evaluate="return 0",
        ),
        "play() must not change the state it gets",
    ),
    "same": (
        replace_methods(start="return [3, True]", play="state[0] -= move; state[1] = not state[1]; return state"),
        "play() returned the state it got",
    ),
    "broken": (
        replace_methods(play="return state[7]"),
        "play() failed in state (3, True): my_game.py, line 5: IndexError: tuple index",
    ),
    "leaves": (
        replace_methods(play="raise SystemExit(1)"),
        "play() failed in state (3, True): my_game.py, line 5: SystemExit: 1",
    ),
    "no state": (
        replace_methods(play="state"),
        "play() returned None in state (3, True): it must return the state after the move",
    ),
    "no answer": (replace_methods(is_over="state"), "is_over() returned None in state (3, True): it must return True or False"),
    "no start": (replace_methods(start="pass"), "start() returned None: it must return the first state"),
    "syntax": (
        GAME.replace("def moves(self, state):", "def moves(self, state)"),
        "my_game.py has a syntax error on line 4: expected ':'",
    ),
    "import": ("import nothing_like_this\n" + GAME, "my_game.py, line 1: ModuleNotFoundError: No module named"),
    "exits": (GAME + "\nraise SystemExit(3)", "my_game.py, line 10: SystemExit: 3"),
    "lacking": (
        GAME.replace("def evaluate", "def value"),
        "`Game` in my_game.py is not a game: it has no `evaluate()` method",
    ),
    "arguments": (GAME + "    def __init__(self, size): pass\n", "Game() in my_game.py did not create a game"),
    "other name": (GAME.replace("class Game", "class Gaem"), "my_game.py: there is no game 'Game': did you mean 'Gaem'?"),
}


COMMANDS = {
    "search": ("my_game.py:Game", "--depth", "5"),
    "compare": ("my_game.py:Game", "--depths", "5", "--repeat", "1"),
    "play": ("my_game.py:Game", "--depth", "5"),
    "tournament": ("my_game.py:Game", "--depths", "5", "--games", "1"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", WRONG)
def test_a_bad_game_is_refused_with_a_sentence(work_folder, name, command):
    text, message = WRONG[name]
    (work_folder / "my_game.py").write_text(text)
    with pytest.raises(PlyscopeError) as refused:
        run_plyscope(command, *COMMANDS[command], typed="1\n1\n1\nquit\n")
    start, _, rest = message.partition(" in state ")  # the commands look at different states first
    assert start in str(refused.value)
    assert rest.partition("): ")[2] in str(refused.value)
    assert command != "search" or message in str(refused.value)
    assert "\n" not in str(refused.value)


THEIRS = """
def minimax(sticks, depth, maximizing):
    if sticks == 0 or depth == 0:
        return 0 if sticks else -1 if maximizing else 1
    scores = [minimax(sticks - taken, depth - 1, not maximizing) for taken in (1, 2) if taken <= sticks]
    return max(scores) if maximizing else min(scores)

minimax(3, 3, True)
"""


def test_a_program_is_compared_with_our_search_of_a_user_game(work_folder):
    (work_folder / "my_game.py").write_text(GAME)
    (work_folder / "theirs.py").write_text(THEIRS)
    result = json.loads(run_plyscope("check", "theirs.py", "--game", "my_game.py:Game", "--json"))
    ours = json.loads(run_plyscope("search", "my_game.py:Game", "--depth", "3", "--algorithm", "minimax", "--json"))
    assert result["verdict"] == "nothing wrong found"
    assert result["reference"]["value_equal"]
    assert result["reference"]["nodes"] == result["reference"]["reference_nodes"] == ours["expanded"]
    (work_folder / "my_game.py").write_text(WRONG["set"][0])
    with pytest.raises(PlyscopeError, match=r"moves\(\) returned a set in state \(3, True\)"):
        run_plyscope("check", "theirs.py", "--game", "my_game.py:Game")


def test_a_tournament_of_an_endless_game_is_refused(work_folder, monkeypatch):
    monkeypatch.setattr(tournament, "MAX_GAME_MOVES", 20)
    (work_folder / "my_game.py").write_text(replace_methods(play="return (state[0], not state[1])"))
    with pytest.raises(PlyscopeError, match="a game has not ended after 20 moves"):
        run_plyscope("tournament", "my_game.py:Game", "--depths", "1", "--games", "1")


def test_a_file_without_one_game_class_is_refused(work_folder):
    (work_folder / "two.py").write_text(GAME + GAME.replace("class Game", "class Other"))
    (work_folder / "none.py").write_text("x = 3")
    for typed, message in (
        ("two.py", "two.py has several games, Game, Other: choose one, for example two.py:Game"),
        ("none.py", "none.py has no game: a game is a class with start()"),
        ("none.py:x", "`int` is not a game: it has no `start()`, `moves()`"),
        ("away.py:Game", "there is no file 'away.py'"),
        ("away.json", "cannot read 'away.json': No such file"),
    ):
        with pytest.raises(PlyscopeError) as refused:
            read_game_argument(typed)
        assert message in str(refused.value)
    (work_folder / "my_game.py").write_text(GAME)
    with pytest.raises(PlyscopeError, match="can be played in this process only"):
        run_plyscope("tournament", "my_game.py:Game", "--jobs", "2")


def test_functions_and_objects_in_a_file_are_games_and_can_import_modules_beside_them(work_folder):
    (work_folder / "beside.py").write_text("STEP = 2")
    (work_folder / "my_game.py").write_text(f"from beside import STEP\n{GAME}\nready = Game()\ndef made(): return Game()\n")
    assert {search(read_game_argument(f"my_game.py:{name}"), depth=3).root.value for name in ("Game", "ready", "made")} == {-1}


def test_one_side_that_always_moves_is_a_remark(work_folder):
    (work_folder / "my_game.py").write_text(replace_methods(play="return (state[0] - move, state[1])"))
    tree = search(read_game_argument("my_game.py:Game"), depth=3)
    assert list_tree_notes(tree) == [ONE_SIDED_NOTE.format(side="MAX", nodes="7 nodes")]
    assert list_tree_notes(search(read_game("nim:3"), depth=3)) == []


# ---- files with trees


def test_files_with_trees_are_games(work_folder):
    texts = {
        "a.tree": "[[3, 12], [2, 4]]",
        "b.txt": "MIN\n  a: 3\n  b: 2\n",
        "c.JSON": '{"value": 3}',
        "d.dot": "digraph { A -> 3 }",
    }
    for name, text in texts.items():
        (work_folder / name).write_text(text)
    values = [json.loads(run_plyscope("search", name, "--json"))["value"] for name in texts]
    assert values == [3, 2, 3, 3]
    assert (
        json.loads(run_plyscope("search", "b.txt", "--json"))["game"]
        == 'tree-min:[{"name":"a","value":3},{"name":"b","value":2}]'
    )
    run_plyscope("search", "b.txt", "-o", "x.svg", "-o", "x.txt", "-o", "x.parquet")
    assert ">b<" in (work_folder / "x.svg").read_text()
    run_plyscope("export", "x.parquet", "-o", "y.svg")
    assert json.loads(run_plyscope("tournament", "a.tree", "--games", "1", "--json"))["cells"]
    (work_folder / "bad.txt").write_text("A\n  x: three\n")
    with pytest.raises(PlyscopeError, match=r"bad\.txt: line 2, column 6: 'three' is not a number"):
        run_plyscope("search", "bad.txt")


# ---- the app never loads a file


def test_no_link_and_no_text_of_a_game_loads_a_file(work_folder):
    (work_folder / "my_game.py").write_text("open('loaded', 'w').close()\n" + GAME)
    (work_folder / "a.tree").write_text("[1, 2]")
    for text in (
        "my_game.py:Game",
        "my_game.py",
        str(work_folder / "my_game.py") + ":Game",
        "a.tree",
        "tree:@a.tree",
        "tree:a.tree",
    ):
        with pytest.raises(PlyscopeError):
            read_game(text)
        for read in (read_search_params, read_comparison_params, read_match_params, read_tournament_params):
            assert read({"game": text})[1]
    assert not (work_folder / "loaded").exists()


def test_nothing_but_the_command_line_can_load_files():
    """The modules that load files are in the top layer, which pages and worker processes cannot import."""
    loading = {"visualizer.cli.user_games", "visualizer.cli.game_argument"}
    who = {module for module, others in import_graph().items() if loading & set(others)}
    assert loading <= set(MODULES)
    assert who
    assert all(module.startswith("visualizer.cli.") for module in who)


# ---- games to begin with


@pytest.mark.parametrize("like", EXAMPLES)
def test_new_game_writes_a_game_whose_test_passes(work_folder, like):
    output = run_plyscope("new-game", "mine", "--like", like)
    assert "plyscope search mine.py:Game" in output
    text = (work_folder / "mine.py").read_text()
    assert "FILE" not in text
    assert "mine.py:Game" in text
    tests = processes.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "mine.py"], cwd=work_folder)
    assert " passed" in tests.stdout
    assert json.loads(run_plyscope("search", "mine.py:Game", "--depth", "3", "--json"))["complete"]
    with pytest.raises(PlyscopeError, match="exists already and was not changed"):
        write_new_game("mine", "sticks")
    assert (work_folder / "mine.py").read_text() == text
    assert list(work_folder.glob(".*")) == []


@pytest.mark.parametrize("name", ["my-game", "a/b/c", "x.txt", "", "3d", "../\n"])
def test_names_that_are_not_python_files_are_refused(work_folder, name):
    with pytest.raises(PlyscopeError):
        write_new_game(name, "sticks")
    with pytest.raises(PlyscopeError, match="there is no example 'chess'"):
        write_new_game("mine", "chess")


def test_the_example_is_othello():
    """Counted by rules written another way: discs as sets of squares."""
    game = read_game_argument(str(EXAMPLES_FOLDER / "othello.py"), remembered=False)
    assert [search(game, depth=depth, algorithm="minimax").leaves for depth in range(4)] == [
        count_lines(*START, depth) for depth in range(4)
    ]


START = (frozenset({(2, 3), (3, 2)}), frozenset({(2, 2), (3, 3)}))


def count_lines(own, other, depth):
    if depth == 0:
        return 1
    squares = [(row, column) for row in range(6) for column in range(6)]
    after = [(own | {square} | turned, other - turned) for square in squares if (turned := turned_discs(own, other, square))]
    return sum(count_lines(then, mine, depth - 1) for mine, then in after) if after else count_lines(other, own, depth - 1)


def turned_discs(own, other, square):
    found = set()
    if square in own | other:
        return frozenset()
    for way in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]:
        line = []
        place = (square[0] + way[0], square[1] + way[1])
        while place in other:
            line.append(place)
            place = (place[0] + way[0], place[1] + way[1])
        if place in own:
            found.update(line)
    return frozenset(found)
