"""Names of moves, games, learners, titles, files and programs are printed as they are, by every command; none is obeyed."""

import ast
import json
import re
import sys

import pytest
from click.testing import CliRunner

from engine.core.errors import PlyscopeError
from engine.games.registry import GAME_TYPES
from engine.learning.exercise import make_exercise
from engine.learning.summary import record_answer, write_summary
from tests.support.exercises import encode_answers
from tests.test_architecture import ROOT
from visualizer.cli.command_line import COMMANDS as COMMANDS_BY_NAME
from visualizer.cli.command_line import plyscope
from visualizer.narration.escapes import sanitize_line

HOSTILE = ["[/]", "Ann [/b]", "[/x]", "[red]", ":smile:", "[link=file:x]y[/link]"]
HOSTILE += ["\x1b[31mred\x07", "\x9b2J", "a\rb", "\u202ecba", "\udcff"]
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\udcff]")
GAME = """
NAME = {name!r}
class Game:
    name = NAME
    def start(self): return (3, True)
    def moves(self, state): return [1, 2][: state[0]]
    def play(self, state, move): return (state[0] - move, not state[1])
    def is_over(self, state): return state[0] == 0
    def maximizing(self, state): return state[1]
    def evaluate(self, state): return 0 if state[0] else -1 if state[1] else 1
    def show(self, state): return NAME
    def move_name(self, move): return NAME + str(move)
"""
PROGRAM = """
def minimax(n, depth, maximizing):
    if depth == 0 or n == 0:
        raise ValueError({name!r})
    return max(minimax(n - 1, depth - 1, not maximizing), 0)
print({name!r})
minimax(5, 3, True)
"""
NO_FOREIGN_TEXT = {"app", "list", "reproduce", "solve", "evaluate", "new-game"}  # new-game wants a name of Python


def file_name(name, suffix):
    """A file may be called anything but with a slash."""
    return name.replace("/", "|") + suffix


def search_command(name, folder):
    return ["search", "own_names.py:Game", "--depth", "3", "-o", file_name(name, ".txt")], "", f"{name}1"


def export_command(name, folder):
    run_plyscope("search", "own_names.py:Game", "--depth", "3", "-o", file_name(name, ".parquet"))
    target = file_name(name, ".txt")
    return ["export", file_name(name, ".parquet"), "--game", "own_names.py:Game", "-o", target], "", target


def compare_command(name, folder):
    return (
        ["compare", "own_names.py:Game", "--depths", "1-2", "--repeat", "1", "-o", file_name(name, ".csv")],
        "",
        file_name(name, ".csv"),
    )


def play(name, folder):
    return ["play", "own_names.py:Game", "--depth", "3"], "hint\n1\nwhy\nundo\nquit\n", f"{name}1"


def tournament_command(name, folder):
    target = file_name(name, ".csv")
    return ["tournament", "own_names.py:Game", "--depths", "1-2", "--games", "1", "--jobs", "1", "-o", target], "", target


def check_command(name, folder):
    (folder / file_name(name, ".py")).write_text(PROGRAM.format(name=name))
    return ["check", file_name(name, ".py"), "--prints"], "", file_name(name, ".py")


def grade_command(name, folder):
    answers = encode_answers(
        [record_answer(make_exercise("values", 1)), record_answer(make_exercise("count", 2, 2), {"expanded": 15})]
    )
    for copy in ("", "copy of "):
        content = write_summary(answers, name) if "\udcff" not in name else write_summary(answers)
        (folder / (copy + file_name(name, ".json"))).write_bytes(content)
    return ["grade", file_name(name, ".json"), "copy of " + file_name(name, ".json")], "", file_name(name, ".json")


def exam_command(name, folder):
    return ["exam", "--trees", "1", "--title", name, "-o", file_name(name, ".html")], "", file_name(name, ".html")


def exercise_command(name, folder):
    return ["exercise", "pruned", "--seed", "7", "-o", file_name(name, ".html")], "", file_name(name, ".html")


def import_command(name, folder):
    text = name.replace("\udcff", "?")  # JSON has no half characters
    calls = [{"plyscope_trace": 1, "game": text}, {"id": 0, "parent": None, "side": "max", "value": 1, "state": text}]
    (folder / file_name(name, ".jsonl")).write_text("".join(json.dumps(line) + "\n" for line in calls))
    return ["import", file_name(name, ".jsonl"), "-o", file_name(name, ".txt")], "", file_name(name, ".txt")


def autograder_command(name, folder):
    (folder / file_name(name, ".toml")).write_text("points = many")
    return ["autograder", "gradescope", "--rubric", file_name(name, ".toml"), "-o", "a.zip"], "", "cannot be used"


COMMANDS = {
    "search": search_command,
    "export": export_command,
    "compare": compare_command,
    "play": play,
    "tournament": tournament_command,
}
COMMANDS |= {"check": check_command, "grade": grade_command, "exam": exam_command, "exercise": exercise_command}
COMMANDS |= {"import": import_command, "autograder": autograder_command}


@pytest.fixture
def work_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    kinds, path = dict(GAME_TYPES), list(sys.path)
    yield tmp_path
    GAME_TYPES.clear()
    GAME_TYPES.update(kinds)
    sys.path[:] = path
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


def run_plyscope(*arguments, typed=""):
    """What a command writes, its errors too; a traceback fails the test."""
    result = CliRunner().invoke(plyscope, list(arguments), input=typed)
    if isinstance(result.exception, PlyscopeError):
        return sanitize_line(str(result.exception))  # as `main` says it
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
@pytest.mark.parametrize("command", COMMANDS)
def test_foreign_text_is_printed_as_it_is(work_folder, command, name):
    (work_folder / "own_names.py").write_text(GAME.format(name=name))
    arguments, typed, expected = COMMANDS[command](name, work_folder)
    written = run_plyscope(*arguments, typed=typed)
    assert not CONTROL.search(written)
    assert sanitize_line(expected).strip() in written


def test_every_command_is_tried():
    assert set(COMMANDS) | NO_FOREIGN_TEXT == set(COMMANDS_BY_NAME)


def test_only_the_console_module_builds_what_reads_markup():
    """Rich interprets markup in every string unless that is switched off."""
    found = {
        (path.name, alias.name)
        for path in (ROOT / "visualizer").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rich") and path.name != "console.py"
        for alias in node.names
    }
    reading = {"Console", "Panel", "TextColumn", "Status", "Live", "Tree", "Prompt", "Rule", "escape", "markup", "print"}
    assert {(file, name) for file, name in found if name in reading} == set()
