"""Every wrong program of tests/students gets the name of its mistake, and no right one a certain finding."""

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from engine.checker.diagnosis.judge import Judgement
from engine.checker.diagnosis.mistakes import CONSEQUENCES, MISTAKES, VARIANTS
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.discovery.search_finder import find_functions, find_search
from engine.checker.recording.argument_roles import ROLE_PATTERNS, find_score, infer_roles, to_snake_case
from engine.checker.recording.call_recorder import RecordedCalls, TooManyCalls, record_function, record_root_function
from engine.checker.recording.call_snapshots import is_program_data
from engine.checker.recording.state_encoding import is_simple_value
from engine.checker.sandbox.loader import CALL_NAME, load_program, noninteractive_mode, parse_file
from engine.checker.stopped_run import StopCause, StoppedRun
from tests.support.judging import judge_twice
from tests.support.paths import TESTS

STUDENTS = TESTS / "students"
PROGRAMS = json.loads((STUDENTS / "manifest.json").read_text())
MAX_ROWS = 20_000
SHARPER_NAMES = {"wrong/terminal_not_tested_1.py": "terminal-wrong-player"}  # it tests, but asks about the player to move


def judged(path: Path, call: str) -> Judgement:
    """A program judged as `plyscope check` does it, in this process."""
    return judge_twice(*record_search(path, call))


def record_search(path: Path, call: str) -> tuple[WatchedProgram, StoppedRun | None]:
    """Record the search of a program, and why it was stopped."""
    tree, calls = parse_file(path), RecordedCalls(max_rows=MAX_ROWS)
    found, functions = find_search(tree), find_functions(tree)
    modules = []

    def globals_():
        return {
            name: value for name, value in vars(modules[0]).items() if is_program_data(name, value) and not is_simple_value(value)
        }

    def around(name):
        named = any(re.search(ROLE_PATTERNS["state"], to_snake_case(argument)) for argument in functions[name].arguments)
        holds_state = named or functions[name].owner or "." in name or len(functions[name].arguments) > 3
        read_globals = None if holds_state else globals_
        return lambda function: (
            record_function(calls, name, function, read_globals)
            if name in found.functions
            else record_root_function(calls, name, function)
        )

    lines = {functions[name].node.lineno: name for name in (*found.functions, *found.roots)}
    loaded = load_program(path, call, lines, around)
    modules.append(loaded.module)
    stopped = None
    with noninteractive_mode(), contextlib.redirect_stdout(io.StringIO()):
        try:
            getattr(loaded.module, CALL_NAME)()
        except TooManyCalls:
            stopped = StoppedRun(StopCause.TOO_MANY_CALLS, f"{MAX_ROWS:,}")
        except RecursionError:
            stopped = StoppedRun(StopCause.ENDLESS_RECURSION)
        except Exception as error:  # of the program
            stopped = StoppedRun(StopCause.EXCEPTION, f"{type(error).__name__}: {error}")
    calls.drop_partial_rows()
    roles = [infer_roles(calls, number) for number in range(len(calls.functions))]
    return WatchedProgram(calls, roles, find_score(calls), tree, stopped is None), stopped


def quick_or_slow():
    """One program of each mistake and every fourth right one in the quick run."""
    seen = {}
    for program in PROGRAMS:
        seen[program["mistake"]] = seen.get(program["mistake"], 0) + 1
        quick = seen[program["mistake"]] == 1 or (program["mistake"] is None and seen[None] % 4 == 0)
        marks = [] if quick else [pytest.mark.slow]
        yield pytest.param(program, id=program["file"], marks=marks)


def check_verdict(program, judgement):
    """A wrong program gets its name, and a right one none. The place in a sentence is that of a function."""
    mistake = SHARPER_NAMES.get(program["file"], program["mistake"])
    certain = {finding.name for finding in judgement.findings if finding.certain}
    if mistake is None:
        assert not certain
    else:
        assert mistake in {finding.name for finding in judgement.findings}
        assert certain <= {mistake}
    assert judgement.looked_at
    lines = (STUDENTS / program["file"]).read_text().splitlines()
    for finding in judgement.findings:
        place = re.search(r"(?:^|, )(?:in|called by) ([\w.]+) \(line (\d+)\): ", finding.sentence)
        assert place, finding.sentence
        assert f"def {place[1].rpartition('.')[2]}(" in lines[int(place[2]) - 1]


def test_a_mistake_that_only_wastes_calls_says_where_and_how_many():
    judgement = judged(STUDENTS / "wrong/root_fresh_window_2.py", "meilleur_coup(grille)")
    (finding,) = judgement.findings
    assert (finding.name, finding.row, finding.times, finding.cost) == ("root-fresh-window", 88, 4, "164 of 460 calls")
    assert finding.sentence == (
        "called by meilleur_coup (line 83): the window of this call is (-inf, inf), but the moves before it have narrowed it to "
        "(-9, inf)"
    )
    assert {"alphabeta", "fail-soft", "equal-cut", "root-loop", "undo", "own-evaluation"} <= set(judgement.variants)


def test_the_right_operation_on_the_wrong_bound_is_named_so(tmp_path):
    """MIN takes the smaller, but of alpha: its own bound never moves, and the other side's only where a cutoff should be."""
    right = next(program for program in PROGRAMS if program["file"] == "right/connect_numpy.py")
    spoilt = (STUDENTS / right["file"]).read_text().replace("beta = min(beta, value)", "alpha = min(alpha, value)")
    (tmp_path / "spoilt.py").write_text(spoilt)
    findings = judged(tmp_path / "spoilt.py", right["call"]).findings
    assert [finding.name for finding in findings if finding.certain] == ["wrong-bound-updated"]


def test_a_mistake_that_changes_the_score_says_where_and_what_it_should_be():
    judgement = judged(STUDENTS / "wrong/starts_at_zero_1.py", "minimax(position(), 5, True)")
    (finding,) = judgement.findings
    assert (finding.name, finding.row, finding.times) == ("starts-at-zero", 8, 16)
    assert finding.sentence == (
        "in minimax (line 66): its moves score -7, -11, -16, -16, but it returns 0, which is better than any of them"
    )
    assert finding.cost == "the outermost call returns 0, but the minimax value of its leaves is -4"


@pytest.mark.parametrize(("old", "new", "line"), [("", "", 35), ("range(9)", "range(8)", 27)], ids=["min", "both"])
def test_a_square_that_is_never_tried_is_a_skipped_move_and_not_a_missing_end(tmp_path, old, new, line):
    source = (STUDENTS / "wrong/cut_too_early_3.py").read_text()
    (tmp_path / "never.py").write_text(source.replace(old, new) if old else source)
    (finding,) = judged(tmp_path / "never.py", "minimax(board, True)").findings
    assert (finding.name, finding.certain, finding.line) == ("cut-too-early", True, line)
    assert "it never tries the square in row 2, column 2 (from 0)" in finding.sentence
    assert "the program's own search returns" in finding.proof


def test_a_column_left_out_of_an_alphabeta_search_is_likely_whatever_its_windows(tmp_path):
    """Neither side tries the last column. Most calls score no better than the window that they got."""
    source = (STUDENTS / "right/tres_en_raya.py").read_text()
    spoilt = source.replace(
        "        for c in range(3):\n            if t[f][c]", "        for c in range(2):\n            if t[f][c]"
    )
    assert spoilt != source
    (tmp_path / "left_out.py").write_text(spoilt)
    findings = judged(tmp_path / "left_out.py", "minimax(tablero, 0, -inf, inf, True)").findings
    assert "cut-too-early" in {finding.name for finding in findings}


def test_a_square_where_nobody_may_play_is_at_most_likely(tmp_path):
    """With "#" it could not be a square: here it looks empty, and the program knows that the game ends without it."""
    source = (STUDENTS / "wrong/cut_too_early_3.py").read_text().replace("range(9)", "range(8)")
    (tmp_path / "closed.py").write_text(source.replace('if " " not in b:', 'if " " not in b[:8]:'))
    assert not any(finding.certain for finding in judged(tmp_path / "closed.py", "minimax(board, True)").findings)


def test_a_root_with_two_moves_is_not_told_that_it_takes_the_worse_one():
    """With two moves the one without the best score has the worst: the move alone does not tell which of them is wanted."""
    assert not judged(STUDENTS / "right/flat_tighter.py", "best(list('.' * 16), 'X', 4)").findings


TWO_MOVES = """
import numpy as np

def max_value(n):
    return -9 if n > 9 else max(min_value(n + 1), min_value(n + 2 + n % 3))

def min_value(n):
    return 9 - n if n > 9 else min(max_value(n + 1), max_value(n + 2 + n % 3))

def choose(n):
    one, two = VALUE(n + 1), VALUE(n + 2)
    CHOICE
"""
IN_ORDER = "best = None\n    for move, score in (('one', one), ('two', two)):\n        if best is None or score > best:"
IN_ORDER += "\n            best, chosen = score, move\n    return chosen"
IN_BRANCHES = "return 'one' if one > two else 'two'"
IN_AN_ARRAY = "return ['one', 'two'][np.argmax([one, two])]"  # NaN is the largest
AMONG_EQUALS = "return [move for move, score in (('one', one), ('two', two)) if score == max(one, two)][0]"  # NaN equals nothing


@pytest.mark.parametrize(
    ("value", "choice", "found"),
    [
        ("min_value", IN_ORDER, []),
        ("max_value", IN_ORDER.replace("best = None", "best = -99"), [("sides-do-not-alternate", True)]),
        ("max_value", IN_ORDER.replace("best = None", "best = 99").replace("score > best", "score < best"), []),
        ("max_value", IN_BRANCHES, [("sides-do-not-alternate", False)]),
        ("min_value", IN_BRANCHES, []),
        ("max_value", IN_AN_ARRAY, [("sides-do-not-alternate", False)]),
        ("min_value", IN_AN_ARRAY, []),
        ("min_value", AMONG_EQUALS, []),
    ],
)
def test_the_side_of_a_root_with_two_moves_follows_from_a_score_that_is_no_number(value, choice, found, tmp_path):
    path = tmp_path / "two.py"
    path.write_text(TWO_MOVES.replace("VALUE", value).replace("CHOICE", choice))
    findings = judged(path, "choose(2)").findings
    assert [(finding.name, finding.certain) for finding in findings] == found


@pytest.mark.parametrize("is_repaired", [False, True])
def test_a_win_that_counts_as_lost_because_of_a_threat_is_found_on_boards_of_our_own(is_repaired, tmp_path):
    """No call of the search meets such a board: only the first one of a game may. Its pieces are members of an Enum."""
    (entry,) = (program for program in PROGRAMS if program["file"] == "wrong/terminal_not_tested_4.py")
    source = (STUDENTS / entry["file"]).read_text()
    (patch,) = entry["patch"]
    (tmp_path / "threats.py").write_text(source.replace(patch["old"], patch["new"]) if is_repaired else source)
    findings = judged(tmp_path / "threats.py", entry["call"]).findings
    assert [(finding.name, finding.certain) for finding in findings] == [("terminal-not-tested", False)][is_repaired:]
    assert all("it never searches the move" in finding.sentence for finding in findings)


def test_a_tie_that_takes_a_bound_is_proved_by_searching_that_move_alone():
    judgement = judged(STUDENTS / "wrong/tie_takes_bound_1.py", "best_move(board)")
    (finding,) = judgement.findings
    assert finding.certain
    assert re.fullmatch(r"searched alone, the move .+ scores .+, and another move scores .+", finding.proof)


def repaired():
    """The wrong programs with their one mistake taken out, that is, right ones; every sixth in the quick run."""
    alone = [program for program in PROGRAMS if program["mistake"] is not None]
    for number, program in enumerate(alone):
        yield pytest.param(program, id=program["file"], marks=[] if number % 16 == 0 else [pytest.mark.slow])


@pytest.mark.parametrize("program", list(repaired()))
def test_a_repaired_program_is_not_blamed(program, tmp_path):
    source = (STUDENTS / program["file"]).read_text()
    for change in program["patch"]:
        source = source.replace(change["old"], change["new"])
    for beside in (STUDENTS / program["file"]).parent.glob("*.py"):
        (tmp_path / beside.name).write_text(beside.read_text())
    path = tmp_path / f"repaired_{Path(program['file']).name}"
    path.write_text(source)
    assert [finding for finding in judged(path, program["call"]).findings if finding.certain] == []


def test_every_mistake_has_a_problem_in_one_sentence_and_a_fix():
    for name, (problem, fix) in MISTAKES.items():
        assert problem.startswith("Your "), name
        assert problem.endswith("."), name
        assert problem.count(". ") == 0, name
        assert problem.lower().count("your") == 1, name  # another reader gets "The" instead
        assert fix.endswith("."), name
    assert {other for follows in CONSEQUENCES.values() for other in follows} | set(CONSEQUENCES) <= set(MISTAKES)
    for program in PROGRAMS:
        assert program["mistake"] is None or program["mistake"] in MISTAKES
        assert set(program["variants"]) <= set(VARIANTS)
