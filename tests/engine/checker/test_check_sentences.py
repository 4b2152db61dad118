"""Every sentence about a program is true of its record: numbers, calls, windows, moves, boards, lines and proofs.

The programs are those of tests/students, and right ones of them that were spoilt at random. A sentence that no reader here
knows fails the test, so that a new sentence needs a proof.
"""

import ast
import copy
import random
import re
import signal

import pytest

from engine.checker.diagnosis.board_rules import find_known_boards, find_lines
from engine.checker.diagnosis.evidence import format_number
from engine.checker.diagnosis.judge import judge_search
from engine.checker.diagnosis.mistakes import MISTAKES
from engine.checker.verdict import WASTEFUL_MISTAKES
from tests.engine.checker.test_diagnosis import PROGRAMS, STUDENTS, check_verdict, quick_or_slow, record_search

NUMBER = r"-?(?:inf|[\d.]+(?:e[+-]?\d+)?)"
PLACE = r"(?:(\d+) moves? later in the game, )?(?:(?:in|called by) ([\w.]+) \(line (\d+)\): )?"
SECONDS = 60  # for one spoilt program; it is left out if it takes longer


def number(text):
    return float(text.rstrip(".,"))


def is_score(text, value):
    """Return True if a number in a sentence is the number of the record, as sentences show it."""
    return text == format_number(value)


def own_window(program, row):
    window = program.window(row)
    return {window, (-window[1], -window[0])}


def has_window(program, row, low, high):
    return any((low, high) == (format_number(one[0]), format_number(one[1])) for one in own_window(program, row))


def scores_below(program, row):
    return [program.values[child] for child in program.children[row]]


def check_narrowed(program, row, low, high, left, right):
    """The window of a call is wider than the one that the calls before it have left."""
    assert has_window(program, row, low, high)
    assert number(left) >= number(low)
    assert number(right) <= number(high)
    assert (left, right) != (low, high)
    parent = program.calls.parent[row]
    above = program.children[parent] if parent >= 0 else [at for at in range(row) if program.calls.parent[at] < 0]
    known = {format_number(sign * program.values[at]) for at in above if at < row for sign in (1, -1)}
    bounds = {format_number(sign * bound) for sign in (1, -1) for bound in (program.window(parent) if parent >= 0 else ())}
    assert {left, right} - {low, high} <= known | bounds


def check_reached(program, row, alpha, beta, above):
    assert program.calls.parent[row] == int(above)
    assert number(alpha) >= number(beta)
    below = [at for at in program.children[int(above)] if at < row]
    known = {format_number(sign * program.values[at]) for at in below for sign in (1, -1)}
    bounds = {format_number(sign * bound) for sign in (1, -1) for bound in program.window(int(above))}
    assert {alpha, beta} <= known | bounds


def check_same_move(program, row, other):
    assert int(other) < row
    assert program.calls.parent[int(other)] == program.calls.parent[row]
    assert program.board(int(other)) == program.board(row)


def check_moves_and_value(program, row, scores, value):
    shown = scores.removesuffix(" …").split(", ")
    below = scores_below(program, row)
    assert any(shown == [format_number(sign * score) for score in below[: len(shown)]] for sign in (1, -1))
    assert is_score(value, program.values[row])


def check_depths(program, row, depth, above):
    assert is_score(depth, program.argument(row, "depth"))
    assert is_score(above, program.argument(program.calls.parent[row], "depth"))


def check_line(program, row, piece, length, squares, moves):
    board = find_known_boards(program).boards[row]
    named = [tuple(map(int, square.split(", "))) for square in re.findall(r"\((\d+, \d+)\)", squares)]
    assert len(named) == int(length)
    assert {repr(board.pieces[square]) for square in named} == {piece}
    assert any(set(named) == found for _, found in find_lines(board.pieces, int(length)))
    assert len(program.children[row]) == int(moves)


def check_both_take(program, row, word, other):
    assert program.calls.parent[int(other)] == row
    for at in (row, int(other)):
        scores = scores_below(program, at)
        if len(set(scores)) > 1 and program.window(at) is None:
            assert program.values[at] == (max(scores) if word == "largest" else min(scores))


def check_table(program, row, other, value, *_):
    assert is_score(value, program.values[row])
    assert program.values[int(other)] == program.values[row]
    assert program.is_leaf(row)
    assert program.children[int(other)]


def check_leaf(program, row, value, *_):
    assert program.is_leaf(row)
    assert is_score(value, program.values[row])


def check_leaf_pair(program, row, value, other_value, other):
    check_leaf(program, row, value)
    assert is_score(other_value, program.values[int(other)])


def check_calls_made(program, row, calls, *_):
    assert len(program.children[row]) >= 1 or int(calls) >= 1


def check_tested_lines(program, row, piece, lines, length, missed, squares):
    assert 0 < int(missed) < int(lines)
    first = squares.partition(";")[0].removesuffix(" …")
    assert len(re.findall(r"\(\d+, \d+\)", first)) == int(length)


def nothing_more(program, row, *_):
    """The sentence has no number of the record: it describes a test with chosen scores, or the source."""


N = rf"({NUMBER})"
SENTENCES = [
    (rf"the window of this call is \({N}, {N}\), but the moves before it have narrowed it to \({N}, {N}\)", check_narrowed),
    (rf"this move is searched although alpha = {N} has reached beta = {N} in call (\d+)", check_reached),
    (r"this call searches the same move as call (\d+)", check_same_move),
    (r"its moves score (.+), but it returns (.+), which is better than any of them", check_moves_and_value),
    (r"its moves score (.+), and it returns the last score, (.+)", check_moves_and_value),
    (r"this is a call for (?:MAX|MIN), its moves score (.+), but it returns (.+)", check_moves_and_value),
    (rf"the depth of this call is {N}, and the depth of its caller is {N}", check_depths),
    (r"(.+) has (\d+) in a row \((.+): row and column from 0\), but the search goes on with (\d+) moves", check_line),
    (
        r"tested with (.+) on each of (\d+) lines of (\d+), the search goes on for (\d+) of them \((.+): row .+\)",
        check_tested_lines,
    ),
    (rf"tested with (?:.+) on a line of \d+ at the depth limit, it scores {N}", nothing_more),
    (r"this call takes the (largest|smallest) score, and so does call (\d+) below it: one side moves twice", check_both_take),
    (rf"call (\d+) found the score {N} (at depth .+|in the window .+|, but there the other side is .+)", check_table),
    (rf"call (\d+) found the score {N}, but there the other side is to move on the same board", check_table),
    (rf"this leaf scores {N} for the side to move, and the opposite if the other side is to move", check_leaf),
    (rf"this leaf scores {N} whichever side is to move: in negamax the sign must change", check_leaf),
    (rf"this leaf scores {N}, but the same board scores {N} in call (\d+)", check_leaf_pair),
    (rf"the search ends here with the score {N}, but nobody has \d+ in a row and the board is not full", check_leaf),
    (rf"the board is full, but its score is {N}", check_leaf),
    (
        rf"(?:there is no move here|this call searches none of .+), and it returns {N}(?:, the starting .+|: every leaf .+)",
        check_leaf,
    ),
    (rf"the move before this call has won, but the score {N} is bad for the side that made it", check_leaf),
    (
        rf"(?:wins of .+ both get a (?:positive|negative) score, such as) {N}: the score does not tell which side has won",
        check_leaf,
    ),
    (r"this call makes (\d+) calls? and returns nothing", check_calls_made),
    (r"tested with .+", nothing_more),
    (r"if every move scores .+, it returns .+", nothing_more),
    (r"every (?:move|call) .+", nothing_more),
    (r"(?:it|both sides|for some scores|each move|after a (?:cutoff|move)|among moves|MAX and MIN|by its name) .+", nothing_more),
    (
        r"(?:there is no move here, and it returns a bound|the state says|the search|this call|agent \d+|a worse move) .+",
        nothing_more,
    ),
    (r"the (?:program|recursion|depth|board|function|calls) .+", nothing_more),
    (r".+ has won, but the score at depth .+", nothing_more),
]


def prove_finding(program, finding, lines):
    """Assert everything that a finding says."""
    place = re.match(PLACE, finding.sentence)
    rest = finding.sentence[place.end() :]
    if place[3]:
        assert f"def {place[2].rpartition('.')[2]}(" in lines[int(place[3]) - 1]
    assert finding.name in MISTAKES
    assert finding.times >= 1
    assert -1 <= finding.row < len(program.calls)
    assert 0 < finding.line <= len(lines)
    assert bool(finding.proof) == finding.certain, "a finding is certain if and only if it has a proof"
    reader = next(((found, check) for pattern, check in SENTENCES if (found := re.fullmatch(pattern, rest))), None)
    assert reader is not None, f"no test knows this sentence: {rest}"
    if place[1] is None and finding.row >= 0:
        reader[1](program, finding.row, *reader[0].groups())
        prove_cost(program, finding)
    else:
        assert finding.row == -1
    prove_counts(program, finding, later=place[1] is not None)


def prove_cost(program, finding):
    if wasted := re.fullmatch(r"([\d,]+) of ([\d,]+) calls", finding.cost):
        few, every = (int(part.replace(",", "")) for part in wasted.groups())
        assert 0 < few < every == len(program.calls)
    elif finding.cost:
        value, best = re.fullmatch(
            rf"the outermost call returns {N}, but the minimax value of its leaves is {N}", finding.cost
        ).groups()
        assert value != best
        assert is_score(value, program.values[0])


def prove_counts(program, finding, later):
    """The numbers of a proof: a search without waste makes fewer calls, and the larger number is that of the record."""
    if found := re.search(r"the same answer with ([\d,]+) calls instead of ([\d,]+)", finding.proof):
        few, many = (int(part.replace(",", "")) for part in found.groups())
        assert few < many
        tops = [row for row in range(len(program.calls)) if program.calls.parent[row] < 0]
        assert later or many in {
            len(program.calls),
            program.calls.end[tops[0]],
            *(run.end - run.first for run in program.calls.runs),
        }
    if found := re.search(rf"finds the score {N} instead of {N}", finding.proof):
        assert found[1] != found[2]
        assert later or found[2] in {format_number(value) for value in program.values if value is not None}


def prove_all(path, call):
    """Judge a program and prove every sentence. Return the judgement."""
    program, stopped = record_search(path, call)
    if len(program.calls) == 0 or program.score is None:
        return None
    judgement = judge_search(program, stopped)
    lines = path.read_text().splitlines()
    assert not [line for line in judgement.not_looked_at if "please report" in line]
    names = [finding.name for finding in judgement.findings]
    assert len(names) == len(set(names))
    for finding in judgement.findings:
        prove_finding(program, finding, lines)
    return judgement


@pytest.mark.parametrize("program", list(quick_or_slow()))
def test_the_verdict_on_a_student_is_right_and_every_sentence_is_true(program):
    judgement = prove_all(STUDENTS / program["file"], program["call"])
    check_verdict(program, judgement)
    if program["mistake"] in WASTEFUL_MISTAKES:
        assert all(finding.name in WASTEFUL_MISTAKES for finding in judgement.findings if finding.certain)


# ---- right programs, spoilt at random

SWAPPED_NAMES = {"alpha": "beta", "beta": "alpha", "max": "min", "min": "max", "alfa": "beta"}
OTHER_SIGNS = {ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.GtE: ast.Gt, ast.LtE: ast.Lt, ast.Eq: ast.NotEq}


class RandomChange(ast.NodeTransformer):
    """Changes the node with a number: a name, a comparison, a sign, a small number, a break."""

    def __init__(self, place):
        self.place, self.seen = place, -1

    def is_here(self):
        self.seen += 1
        return self.seen == self.place

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in SWAPPED_NAMES and self.is_here():
            return ast.copy_location(ast.Name(SWAPPED_NAMES[node.id], ast.Load()), node)
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        if type(node.ops[0]) in OTHER_SIGNS and self.is_here():
            node.ops[0] = OTHER_SIGNS[type(node.ops[0])]()
        return node

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return node.operand if isinstance(node.op, (ast.USub, ast.Not)) and self.is_here() else node

    def visit_Constant(self, node):
        if type(node.value) is int and node.value in (1, 2) and self.is_here():
            return ast.copy_location(ast.Constant(node.value - 1), node)
        return node

    def visit_Break(self, node):
        return ast.copy_location(ast.Pass(), node) if self.is_here() else node


def calls_itself(function):
    called = [part.func for part in ast.walk(function) if isinstance(part, ast.Call)]
    return function.name in {getattr(name, "id", getattr(name, "attr", "")) for name in called}


def spoil_source(source, chance):
    """Return the source with one change in a function that calls itself, or None if there is nothing to change."""
    tree = ast.parse(source)
    searches = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(
            isinstance(part, ast.Call) and getattr(part.func, "id", getattr(part.func, "attr", "")) == node.name
            for part in ast.walk(node)
        )
    ]
    if not searches:
        return None
    node = searches[0]
    counter = RandomChange(-2)
    counter.visit(copy.deepcopy(node))
    if counter.seen < 0:
        return None
    RandomChange(chance.randrange(counter.seen + 1)).visit(node)
    return ast.unparse(ast.fix_missing_locations(tree))


class TooSlow(BaseException):
    """A spoilt program takes too long. Not an Exception: the program must not catch it."""


@pytest.fixture
def limited_time():
    def give_up(*_):
        raise TooSlow

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


RIGHT = [program for program in PROGRAMS if program["mistake"] is None]
SPOILT = [
    *range(6),
    *(pytest.param(number, marks=pytest.mark.slow) for number in range(6, 26)),
    *(pytest.param(number, marks=[pytest.mark.slow, pytest.mark.manual]) for number in range(26, 150)),
]


@pytest.mark.parametrize("number", SPOILT)
def test_every_sentence_about_a_spoilt_program_is_true(number, tmp_path, limited_time):
    chance = random.Random(number)
    program = RIGHT[number % len(RIGHT)]
    spoilt = spoil_source((STUDENTS / program["file"]).read_text(), chance)
    if spoilt is None:
        return
    (tmp_path / "spoilt.py").write_text(spoilt)
    try:
        prove_all(tmp_path / "spoilt.py", program["call"])
    except (TooSlow, SystemExit):
        pytest.skip("this spoilt program takes too long")
