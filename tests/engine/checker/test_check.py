"""`plyscope check`: student programs run in a separate process, and the verdict is shown, saved and opened again."""

import json
import os
import sys
import textwrap
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path

import msgspec
import numpy as np
import psutil
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from engine import Trace
from engine.checker.check import check
from engine.checker.diagnosis.mistakes import MISTAKES
from engine.checker.diagnosis.reference import add_reference
from engine.checker.run_file import read_run_file, write_run_file
from engine.checker.sandbox.launcher import run_worker
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.checker.verdict import Finding
from engine.core.errors import PlyscopeError
from engine.games.registry import read_game
from tests.support import processes
from tests.support.marks import examples
from tests.support.paths import TESTS
from tests.support.processes import run_command
from tests.visualizer.app.test_pages import open_page, tree_viewers
from visualizer.cli.command_line import plyscope
from visualizer.cli.output.check_output import show_verdict
from visualizer.narration.check_messages import describe_problem
from visualizer.narration.pseudocode import find_code_line, tree_pseudocode
from visualizer.report.check_page import render_class_page, render_program_page

STUDENTS = TESTS / "students"
FRESH_WINDOW = STUDENTS / "wrong" / "root_fresh_window_1.py"
RIGHT = STUDENTS / "right" / "connect_numpy.py"
SWAPPED = STUDENTS / "wrong" / "sides_swapped_2.py"
PART = "return s if depth == 0 else max(minimax(s + 1, depth - 1), minimax(s + 2, depth - 1))"


@pytest.fixture(scope="module")
def seen():
    """A program with a mistake, checked once."""
    return check(CheckRequest(str(FRESH_WINDOW)))


@pytest.fixture
def watched(tmp_path):
    """Check a program with a short time limit and return the answer."""

    def watch(source, seconds=3.0, name="student.py", **options):
        (tmp_path / name).write_text(textwrap.dedent(source))
        return run_worker(CheckRequest(str(tmp_path / name), seconds=seconds, **options))

    return watch


# ---- limits


@pytest.mark.parametrize(
    ("body", "start", "reason"),
    [
        ("return max(minimax(s + 1, depth - 1), 0)", "minimax(0, 4)", "the recursion never ends"),
        (PART.replace("- 1", "+ 1").replace("0", "400"), "minimax(0, 20)", "the search makes more than 5,000 calls"),
        ("if s == 7: raise ValueError('boom')\n    " + PART, "minimax(0, 9)", "the program raised ValueError: boom (line 3)"),
        ("if s == 7: exit('bye')\n    " + PART, "minimax(0, 9)", "the program ended itself with exit('bye')"),
        ("if s == 7: __import__('os')._exit(3)\n    " + PART, "minimax(0, 9)", "the program ended itself with exit(3)"),
        ("if s == 5:\n        while True: pass\n    " + PART, "minimax(0, 9)", "the program was stopped after 3 seconds"),
        ("if s == 5: [0] * 10 ** 9\n    " + PART, "minimax(0, 9)", "it needs more than 1 GB of memory"),
        ("__import__('socket').create_connection(('localhost', 80))\n    " + PART, "minimax(0, 9)", "may not use the network"),
        ("if s == 3: open('/plyscope-test', 'w')\n    " + PART, "minimax(0, 9)", "may not write to"),
        ("if s == 3: __import__('subprocess').run(['true'])\n    " + PART, "minimax(0, 9)", "may not start other programs"),
    ],
)
def test_a_stopped_program_gets_a_reason_and_the_calls_so_far(watched, body, start, reason):
    answer = watched(f"import sys\ndef minimax(s, depth):\n    {body}\n{start}\n", max_rows=5_000)
    assert reason in answer.stopped
    assert answer.rows.count >= 1
    assert not read_run_file(write_run_file("x.py", answer)).tree.complete


def test_a_search_that_is_too_large_is_recorded_later_in_the_game(watched):
    answer = watched(f"def minimax(s, depth):\n    {PART}\nminimax(0, 12)\n", seconds=20.0, max_rows=5_000)
    assert (answer.stopped, answer.rows.count) == ("", 2**12 - 1)
    assert answer.started == "minimax from a position later in the game (call 1 of the script itself, which is too large)"


def test_a_search_with_windows_that_is_too_large_gets_a_smaller_depth(watched):
    body = PART.replace("minimax(s + ", "minimax(alpha, beta, s + ")
    answer = watched(f"def minimax(alpha, beta, s, depth):\n    {body}\nminimax(-9, 9, 0, 20)\n", seconds=20.0, max_rows=5_000)
    assert (answer.stopped, answer.rows.count) == ("", 2**5 - 1)
    assert answer.started == "the script itself, with a depth of 4"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends when its seconds are over")
def test_a_killed_check_leaves_no_program_behind(tmp_path):
    path = tmp_path / "endless.py"
    path.write_text("def minimax(s, depth):\n    while True: pass\n    return minimax(s, depth)\nminimax(0, 9)\n")
    with processes.start_process([sys.executable, "-m", "visualizer.cli.main", "check", str(path)]) as checking:
        parent = psutil.Process(checking.pid)
        child = processes.find_worker(parent)
        processes.wait_until(lambda: child.cpu_times().user > 0.5, "it runs")
        checking.kill()
        processes.wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, "it has ended")


def test_a_program_that_catches_everything_is_left_behind(watched):
    answer = watched(
        f"""
        def minimax(s, depth):
            while s == 5:
                try:
                    while True: pass
                except:
                    pass
            {PART}
        minimax(0, 9)
        """,
        seconds=1,
    )
    assert answer.stopped.startswith("the program was stopped after 1 second")
    assert answer.rows.count == 6
    assert [(finding.name, finding.certain) for finding in answer.findings] == [("infinite-or-huge", False)]


def test_a_recursion_deeper_than_the_limit_is_not_a_mistake(watched):
    search = "def minimax(s, depth):\n    return s if depth == 0 else minimax(s, depth - 1)\n"
    answer = watched(f"import sys\nsys.setrecursionlimit(10 ** 6)\n{search}", call="minimax(0, 15_000)")
    assert "deeper than can be recorded" in answer.stopped
    assert not any(finding.certain for finding in answer.findings)


def test_an_endless_recursion_is_a_mistake(watched):
    answer = watched("def minimax(s, depth):\n    return max(minimax(s + 1, depth - 1), 0)\nminimax(0, 4)\n")
    assert [(finding.name, finding.certain) for finding in answer.findings] == [("infinite-or-huge", True)]


def test_an_error_that_speaks_of_recursion_is_not_an_endless_one(watched):
    answer = watched(f"def minimax(s, depth):\n    if s == 7: raise ValueError('recursion')\n    {PART}\nminimax(0, 9)\n")
    assert not any(finding.certain for finding in answer.findings)


def test_long_output_is_shortened(watched):
    answer = watched(f"def minimax(s, depth):\n    print('x' * 10000)\n    {PART}\nminimax(0, 9)\n")
    assert answer.stopped == ""
    assert 100_000 < len(answer.prints) < 110_000
    assert "characters …" in answer.prints


def test_threads_and_pools_run_synchronously(watched):
    threads = f"""
        import threading
        def minimax(s, depth):
            {PART}
        def go(s): print(minimax(s, 4))
        for t in [threading.Thread(target=go, args=(n,)) for n in range(3)]:
            t.start()
            t.join()
        """
    assert watched(threads).rows.count == 31
    pool = f"""
        from concurrent.futures import ThreadPoolExecutor
        def minimax(s, depth):
            {PART}
        def best(s):
            with ThreadPoolExecutor() as pool:
                return max(pool.map(lambda n: minimax(n, 3), [1, 2]))
        print(best(0))
        """
    assert watched(pool).rows.count == 30


def test_random_numbers_are_the_same_in_every_run(watched):
    source = (
        "import random\ndef minimax(s, depth):\n    return random.random() if depth == 0 else max(minimax(s, depth - 1), -1)\n"
    )
    one, other = (watched(source, call="minimax(0, 3)") for _ in range(2))
    assert one.result == other.result


def test_a_program_that_cannot_be_run_gets_a_reason(watched):
    assert "Python 2" in watched("print 'x'\n").failed
    assert "no function calls itself" in watched("x = 1\n").failed
    assert "does not reach minimax" in watched(f"def minimax(s, depth):\n    {PART}\n", call="1 + 1").failed
    answer = watched("def minimax(thing, depth):\n    thing.x.y\n    return minimax(thing.x, depth - 1)\n")
    assert answer.failed.startswith("no way to start minimax was found")
    assert (answer.place, answer.hint) == ("student.py, line 1", "minimax(__import__('types').SimpleNamespace(x=0), 4)")


# ---- entry points


def test_questions_of_the_program_are_answered_until_it_searches(watched):
    answer = watched(
        f"""
        def minimax(s, depth):
            {PART}
        def main():
            if input("Do you want to begin (y/n)? ") == "y":
                print("never")
            column = int(input("column? "))
            print(minimax(column, 3))
        if __name__ == "__main__":
            main()
        """
    )
    assert answer.rows.count == 15
    assert "with its questions answered" in answer.started


def test_arguments_are_made_from_the_program(watched):
    answer = watched(
        """
        X, O = "X", "O"
        def empty_board(): return [" "] * 4
        def minimax(board, depth, alpha, beta, player):
            free = [i for i in range(4) if board[i] == " "]
            if depth == 0 or not free: return board.count(X) - board.count(O)
            if player == X:
                best = -99
                for i in free:
                    board[i] = X
                    best = max(best, minimax(board, depth - 1, alpha, beta, O))
                    board[i] = " "
                return best
            best = 99
            for i in free:
                board[i] = O
                best = min(best, minimax(board, depth - 1, alpha, beta, X))
                board[i] = " "
            return best
        """
    )
    assert answer.started == "minimax(empty_board(), 4, -inf, inf, X)"
    assert answer.rows.count == 65


def test_a_state_in_globals_is_recorded(watched):
    answer = watched(
        """
        board = [0] * 4
        def minimax(depth, is_max):
            if depth == 0: return sum(board)
            found = []
            for i in range(4):
                if board[i] == 0:
                    board[i] = 1 if is_max else -1
                    found.append(minimax(depth - 1, not is_max))
                    board[i] = 0
            return max(found) if is_max else min(found)
        minimax(2, True)
        """
    )
    assert read_run_file(write_run_file("x.py", answer)).tree[1].board == "1 0 0 0"


# ---- verdicts


ALL_ZERO = """
def minimax(sticks, depth, is_max):
    if depth == 0:
        return 0
    best = -9 if is_max else 0
    for taken in (1, 2):
        score = minimax(sticks - taken, depth - 1, not is_max)
        best = max(best, score) if is_max else min(best, score)
    return best
"""


def test_a_search_with_only_one_score_says_that_little_was_checked(tmp_path):
    path = tmp_path / "zeros.py"
    path.write_text(ALL_ZERO)
    done = run_command("check", str(path), "--call", "minimax(9, 3, True)", "--json")
    verdict = json.loads(done.stdout)
    assert (done.returncode, verdict["verdict"]) == (0, "nothing wrong found")
    assert "has the same score" in verdict["reason"]


def test_a_finding_says_what_is_wrong_then_where_then_how_it_shows_then_what_to_change(seen):
    terminal = Console(file=StringIO(), width=500)
    show_verdict(terminal, seen, with_prints=False)
    expected = [
        "Your loop over the first moves gives every move the same window",
        "First at call 156, called by computer_move (line 61): ",
        "the window of this call is −100 to 100, but the moves before it have narrowed it to 0 to 100. ",
        "Wasted: 977 of 1,743 calls.",
        "What to change: Pass the best score so far to the next move",
    ]
    for page in (terminal.file.getvalue(), render_program_page(seen)):
        places = [page.find(words) for words in expected]
        assert -1 not in places
        assert places == sorted(places)


def test_a_likely_finding_leaves_room_for_doubt():
    finding = Finding("no-cutoff", False, 0, 1, "")
    assert describe_problem(finding) == "It looks as if your search has alpha and beta, but it never skips a move."


def test_the_json_is_the_contract(seen):
    verdict = seen.verdict.as_json()
    assert verdict["functions"] == ["alpha_beta"]
    assert verdict["roles"]["alpha_beta"] == {"state": "b", "depth": "depth", "alpha": "a", "beta": "z", "side": "is_max"}
    assert (verdict["score"], verdict["negamax"], verdict["complete"], verdict["verdict"]) == ("result", False, True, "wasteful")
    assert [finding["name"] for finding in verdict["findings"] if finding["certain"]] == ["root-fresh-window"]
    assert verdict["reference"] is None


def test_exit_codes_and_output(tmp_path):
    wasteful = run_command("check", str(FRESH_WINDOW))
    assert wasteful.returncode == 0
    assert "root-fresh-window (certain" in wasteful.stdout
    assert run_command("check", str(SWAPPED)).returncode == 1
    right = run_command("check", str(RIGHT), "--json")
    assert (right.returncode, json.loads(right.stdout)["verdict"], right.stderr) == (0, "nothing wrong found", "")
    missing = run_command("check", str(tmp_path / "no.py"), "--json")
    assert (missing.returncode, json.loads(missing.stdout)["verdict"]) == (2, "not run")
    assert run_command("check", str(RIGHT), "--map", "alfa=a").returncode == 2
    assert run_command("check", str(RIGHT), "-o", "x.exe").returncode == 2
    assert run_command("check", str(RIGHT), "--moves", "3").returncode == 2


def beside(program, call, game, moves, first=None):
    checked = check(CheckRequest(str(STUDENTS / program), call=call))
    add_reference(checked, read_game(game), moves, first)
    return checked


def test_a_program_is_compared_with_our_search():
    ours = beside("right/ttt_score_move.py", "alphabeta(board, True)", "tictactoe", "07").verdict.as_json()["reference"]
    assert (ours["value_equal"], ours["move_equal"], ours["difference"]) == (True, True, None)
    assert ours["nodes"] == ours["reference_nodes"] == 381
    assert "174 of its 174 positions are also among our 174" in ours["convention"]


def test_the_first_difference_is_shown_side_by_side(tmp_path, monkeypatch):
    entry = next(entry for entry in json.loads((STUDENTS / "manifest.json").read_text()) if "inner_break_1" in entry["file"])
    checked = beside(entry["file"], entry["call"], entry["game"], entry["moves"], entry["first"])
    found = checked.verdict.as_json()["reference"]["difference"]
    assert found["what"] == "it searches a position that we cut off"
    assert (found["theirs"]["words"], found["theirs"]["board"]) == ("it plays X 2,1", "O X O\nX X -\nO X -")
    assert (found["ours"]["words"], found["ours"]["board"]) == ("value at least 1; cut off", "O X O\nX X .\nO . .")
    terminal = Console(file=StringIO(), width=100)
    show_verdict(terminal, checked, with_prints=False)
    written = write_run_file(checked.verdict.file, checked.answer, checked.verdict.reference)
    assert read_run_file(written).verdict.reference == checked.verdict.reference
    (tmp_path / "run.json").write_bytes(written)
    monkeypatch.setenv("PLYSCOPE_RUN", str(tmp_path / "run.json"))
    app = open_page("your_search")
    page = "\n".join(element.value for element in (*app.markdown, *app.caption))
    for text in (terminal.file.getvalue(), render_program_page(checked), page):
        assert "we cut off" in text
        assert "it plays X 2,1" in text
    next(button for button in app.button if button.key.startswith("part ")).click().run()
    assert not app.exception


def test_open_shows_the_run_in_the_app(seen, monkeypatch):
    opened = []
    monkeypatch.setattr("visualizer.cli.commands.check.check", lambda request: seen)
    monkeypatch.setenv("PLYSCOPE_RUN", "")
    monkeypatch.setattr(
        "visualizer.app.server.serve",
        lambda *given: opened.append((given, read_run_file(Path(os.environ["PLYSCOPE_RUN"]).read_bytes()))),
    )
    runner = CliRunner().invoke(plyscope, ["check", "x.py", "--open"])
    [(given, run)] = opened
    assert (runner.exit_code, given) == (0, ("127.0.0.1", None, True, "your_search"))
    assert run.verdict.file == seen.verdict.file
    assert not Path(os.environ["PLYSCOPE_RUN"]).exists()


def test_a_class_gets_a_line_each_and_ctrl_c_keeps_the_finished_ones(seen, tmp_path, monkeypatch):
    def check_two(request):
        if request.file == "c.py":
            raise KeyboardInterrupt
        return seen

    monkeypatch.setattr("visualizer.cli.commands.check.check", check_two)
    done = CliRunner().invoke(plyscope, ["check", "a.py", "b.py", "c.py", "-o", str(tmp_path / "class.html")])
    assert done.exit_code == 130
    assert "interrupted: 2 of 3 programs were checked" in done.stderr
    assert done.stdout.count("the search wastes calls: root-fresh-window") == 2
    assert "2 programs" in (tmp_path / "class.html").read_text()


HOSTILE = "<script>alert(1)</script>\x1b[31m`*_$"


def test_reports_escape_names_and_texts_of_a_program(seen):
    verdict, answer = seen
    answer = msgspec.structs.replace(answer, started=HOSTILE, prints=HOSTILE, findings=[Finding(HOSTILE, True, 0, 1, HOSTILE)])
    bad = seen._replace(
        verdict=verdict.__class__(HOSTILE, reason=HOSTILE, findings=answer.findings, verdict="wrong"), answer=answer
    )
    for page in (render_program_page(bad), render_class_page([bad, seen])):
        assert "<script" not in page
        assert "\x1b" not in page
        assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_a_table_of_many_mistakes_names_them(seen):
    named = [Finding(name, place > 0, 0, 1, "") for place, name in enumerate(MISTAKES)]
    many = seen._replace(verdict=replace(seen.verdict, findings=named[:3]))
    more = seen._replace(verdict=replace(seen.verdict, findings=named[3:]))
    assert f'<th class="left">{named[0].name}' in render_class_page([many, many])
    page = render_class_page([many, more])
    assert f"○ {named[0].name}, ● {named[1].name}, ● {named[2].name}" in page
    assert '<th class="left">mistakes' in page


def test_a_report_shows_the_step_and_the_tree(seen):
    page = render_program_page(seen)
    assert "root-fresh-window" in page
    assert "Step " in page
    assert page.count("<svg") == 2
    assert "def alpha_beta" in page


# ---- files


def test_a_run_file_comes_back_as_it_was(seen):
    opened = read_run_file(write_run_file(seen.verdict.file, seen.answer))
    assert opened.verdict.as_json() == seen.verdict.as_json()
    assert opened.tree.expanded == seen.verdict.rows + 1  # the loop over the first moves
    assert opened.tree.root.board == "X . .\n. . .\n. O ."
    steps = Trace(opened.tree)
    lines = [tree_pseudocode(opened.tree)[find_code_line(steps[at])].words for at in (0, steps.enter(opened.tree[1]))]
    assert lines == ["def computer_move(b):", "def alpha_beta(b, depth, a, z, is_max):"]  # the student's own text


def test_a_run_file_that_lies_is_refused(seen):
    good = write_run_file(seen.verdict.file, seen.answer)
    document = json.loads(good)
    rows = document["answer"]["rows"]
    lies = [
        lambda: document.update(plyscope_run=2),
        lambda: rows.update(count=rows["count"] + 1),
        lambda: rows.update(count=10**9),
        lambda: rows.update(depth=rows["value"]),
        lambda: rows.update(board_count=1),
        lambda: rows.update(boards=rows["depth"]),
        lambda: document["answer"]["findings"][0].__setitem__(2, 10**6),
        lambda: document["answer"].update(functions=[]),
        lambda: document["answer"].update(started="x" * 10_000),
        lambda: document["answer"].update(rows=None),
        lambda: document.update(more=1),
    ]
    for lie in lies:
        document = json.loads(good)
        rows = document["answer"]["rows"]
        lie()
        with pytest.raises(PlyscopeError):
            read_run_file(json.dumps(document).encode())
    with pytest.raises(PlyscopeError, match="bytes"):
        read_run_file(b" " * 6_000_000)


@examples(200)
@given(st.data())
def test_a_damaged_run_file_is_refused_or_read(seen, data):
    good = bytearray(write_run_file(seen.verdict.file, seen.answer))
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with suppress(PlyscopeError):
        assert not np.isnan(read_run_file(bytes(good)).tree.value).any()


# ---- the page


def test_the_page_explains_the_command_and_opens_the_file(seen, tmp_path, monkeypatch):
    monkeypatch.delenv("PLYSCOPE_RUN", raising=False)
    app = open_page("your_search")
    assert any("plyscope check" in block.value for block in app.code)
    (tmp_path / "run.json").write_bytes(write_run_file(seen.verdict.file, seen.answer))
    monkeypatch.setenv("PLYSCOPE_RUN", str(tmp_path / "run.json"))
    app = open_page("your_search")
    assert "the search wastes calls" in app.warning[0].value
    assert len(tree_viewers(app)) == 1
    app.button[0].click().run()
    assert not app.exception
    (tmp_path / "run.json").write_bytes(b"{}")
    app = open_page("your_search")
    assert "cannot be opened" in app.error[0].value
