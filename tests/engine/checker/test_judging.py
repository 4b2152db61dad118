"""The judge's own process has the record and the observations alone. A report that does not fit together gives no verdict."""

import contextlib
import copy
import enum
import math
import threading
import time
from collections import namedtuple
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.checker import judging
from engine.checker.check import check
from engine.checker.recording import observations
from engine.checker.recording.observations import (
    EndOfObservations,
    Noting,
    Observation,
    OtherObservation,
    encode_value,
    observe,
    observing,
)
from engine.checker.recording.plain_values import BadValue, HiddenValue, decode_value
from engine.checker.sandbox import launcher, worker_protocol
from engine.checker.sandbox.program_source import CopyFailed, ProgramSource, copy_program
from engine.checker.sandbox.worker_protocol import CheckRequest, decompress_report

WRONG = b"""
def minimax(n, maximizing):
    if n <= 0:
        return -1 if maximizing else 1
    values = [minimax(n - take, not maximizing) for take in (1, 2) if take <= n]
    return max(values)
print(minimax(7, True))
"""
REQUEST = CheckRequest("student.py", seconds=10, files={"student.py": WRONG}, target="student.py")
Pair = namedtuple("Pair", ["left", "right"])


class Piece(enum.Enum):
    X = "x"


class Side(enum.IntEnum):
    MAX = 1


class Silent(enum.Enum):
    X = 1

    def __str__(self):
        raise ValueError


class Square:
    """A key of a board. Equal ones are the same square."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return hash(self.number)


@pytest.fixture(scope="module")
def reported():
    """The report of a program whose MIN takes the largest score."""
    message = launcher._run_program(REQUEST, launcher.time.monotonic(), lambda: False)
    assert message.failure is None
    return decompress_report(message.report)


@pytest.fixture
def report(reported):
    return copy.deepcopy(reported)


@pytest.fixture
def judge(tmp_path):
    source = ProgramSource(REQUEST, *copy_program(REQUEST, tmp_path))
    return lambda report, passed=1.0, until=math.inf: judging.judge_report(REQUEST, source, report, passed, until)


def test_the_verdict_is_made_of_the_report_alone(report, judge, tmp_path):
    answer = judge(report)
    assert [(finding.name, finding.certain) for finding in answer.findings] == [("sides-swapped", True)]
    assert answer.rows.count == report.record.count
    assert not (tmp_path / "program" / "student.py").with_suffix(".pyc").exists()


def test_a_full_disk_is_no_error_of_the_program(tmp_path):
    (tmp_path / "program").write_text("no folder")
    with pytest.raises(CopyFailed, match="cannot be copied into a temporary folder: "):
        copy_program(REQUEST, tmp_path)


def test_a_report_is_read_as_it_was_sent(report):
    sent = msgspec.msgpack.decode(worker_protocol.encode_message(report), type=worker_protocol.WorkerMessage)
    assert decompress_report(sent.report) == report
    with pytest.raises(msgspec.DecodeError):
        decompress_report(sent.report[:-9])
    report.prints = "half \ud800"
    sent = msgspec.msgpack.decode(worker_protocol.encode_message(report), type=worker_protocol.WorkerMessage)
    assert decompress_report(sent.report).prints == "half ?"


def drop_last(report):
    report.observations.pop()


def drop_all_for_lack_of_time(report):
    report.observations, report.judge_end = [], judging.TIME_OUT


def add_one(report):
    report.observations.append(report.observations[-1])


def swap_two(report):
    names = [one.name for one in report.observations]
    other = next(place for place, name in enumerate(names) if name != names[0])
    report.observations[0], report.observations[other] = report.observations[other], report.observations[0]


def blank_all(report):
    report.observations = [Observation(one.name, encode_value(None)) for one in report.observations]


def damage_one(report):
    report.observations[0] = Observation(report.observations[0].name, b"\xc1")


@pytest.mark.parametrize("change", [drop_last, drop_all_for_lack_of_time, add_one, swap_two, blank_all, damage_one])
def test_observations_that_do_not_fit_give_no_verdict(report, judge, change):
    change(report)
    with pytest.raises((OtherObservation, BadValue)):
        judge(report)


def test_a_judge_without_time_says_so(report, judge):
    report.observations, report.judge_end = report.observations[:5], judging.TIME_OUT
    assert judge(report, passed=9.0).not_looked_at[-1].endswith(judging.TIME_OUT)


def test_a_judge_that_works_for_too_long_answers_with_what_it_has(report, judge, monkeypatch):
    """On a busy computer the time may end between two observations. Before, the whole verdict was lost."""

    def judge_slowly(program, stopped, keep):
        keep(judge_search(program, stopped))
        while True:
            pass

    judge_search = judging.judge_search
    monkeypatch.setattr(judging, "judge_search", judge_slowly)
    answer = judge(report, until=time.monotonic() + 2)
    assert [(finding.name, finding.certain) for finding in answer.findings] == [("sides-swapped", True)]
    assert answer.not_looked_at[-1].endswith(judging.TIME_OUT)


def test_a_judge_without_any_time_answers(report, judge):
    answer = judge(report, until=time.monotonic() - 1)
    assert answer.rows.count == report.record.count
    assert answer.not_looked_at[-1].endswith(judging.TIME_OUT)


def empty_column(record):
    record.columns["parent"] = b""


def later_parent(record):
    record.columns["parent"] = record.columns["parent"][:-4] + b"\x7f\0\0\0"


def unknown_function(record):
    record.functions[0] = ("other", *record.functions[0][1:])


def fewer_arguments(record):
    record.arguments = encode_value([])


def other_copies(record):
    record.copies = encode_value([1, 2])


def more_rows(record):
    record.count += 1


def end_before_beginning(record):
    record.columns["end"] = bytes(len(record.columns["end"]))


def negative_count(record):
    record.count = -5


def copy_of_other_types(record):
    record.copies = msgspec.msgpack.encode(
        ["l", ["r", "CallSnapshot", "a", "b", None, ["t"], ["d"], ["l"], 0, None, True, ["l"], 0.0]]
    )


LIES = [
    negative_count,
    copy_of_other_types,
    empty_column,
    later_parent,
    unknown_function,
    fewer_arguments,
    other_copies,
    more_rows,
    end_before_beginning,
]


@pytest.mark.parametrize("change", LIES)
def test_a_record_that_does_not_fit_gives_no_verdict(report, judge, change):
    change(report.record)
    with pytest.raises(BadValue):
        judge(report)


def test_a_judge_that_reads_nothing_does_not_stop_the_check(monkeypatch, tmp_path):
    monkeypatch.setattr(launcher, "JUDGE", "tests.support.children.sleeper")
    answers = []

    def ask():
        with launcher._running_process(launcher.JUDGE, str(tmp_path)) as judge:
            request = msgspec.structs.replace(REQUEST, given_at=time.monotonic())
            answers.append(launcher._ask_judge(judge, str(tmp_path), request, bytes(1 << 20), lambda: True))

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(20)
    assert [answer.failed for answer in answers] == [launcher.CANCELLED]


def test_a_report_that_is_too_large_is_refused_in_the_worker(report, monkeypatch):
    monkeypatch.setattr(worker_protocol, "MAX_ANSWER_BYTES", 200)
    sent = msgspec.msgpack.decode(worker_protocol.encode_message(report), type=worker_protocol.WorkerMessage)
    assert (sent.failure.failed, sent.report) == (worker_protocol.TOO_LARGE, b"")


def test_observations_end_when_they_are_too_large(monkeypatch):
    monkeypatch.setattr(observations, "MAX_NOTED_BYTES", 5)
    noting = Noting()
    with observing(noting):
        observe("text", lambda: "four")
        with pytest.raises(EndOfObservations):
            observe("text", lambda: "four")
    assert (len(noting.noted), noting.room < 0) == (1, True)


PLAIN_SEARCH = """
{before}
def minimax({board}, maximizing):
    n = {read}
    if n <= 0:
        return -1 if maximizing else 1
    {chain}
    values = [minimax({make}, not maximizing) for take in (1, 2) if take <= n]
    return max(values)
start = 7
print(minimax({start}, True))
"""
NESTED = "def nest():\n    x = []\n    for _ in range(400): x = [x]\n    return x"
SQUARES = """class Square:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __hash__(self): return hash(self.n)"""
UNUSUAL_PROGRAMS = {
    "a board of 400 lists in each other": (NESTED, "board", "board[0]", "", "[n - take, nest()]", "[7, nest()]"),
    "a chain of 250 tests": ("", "n", "n", "if n == 99: pass" + "\n    elif n == 98: pass" * 250, "n - take", "7"),
    "objects as keys": (
        SQUARES,
        "b",
        "b[Square(1)]",
        "",
        "{**b, Square(1): n - take}",
        "{Square(n): 7 * (n == 1) for n in range(4)}",
    ),
}


@pytest.mark.parametrize("name", UNUSUAL_PROGRAMS)
def test_an_unusual_program_is_judged_as_others(name):
    before, board, read, chain, make, start = UNUSUAL_PROGRAMS[name]
    text = PLAIN_SEARCH.format(before=before, board=board, read=read, chain=chain, make=make, start=start)
    verdict, _ = check(CheckRequest("student.py", seconds=10, files={"student.py": text.encode()}, target="student.py"))
    assert [(finding.name, finding.certain) for finding in verdict.findings] == [("sides-swapped", True)], verdict.reason


def test_a_forged_report_is_named_in_the_verdict(report, monkeypatch):
    drop_last(report)
    content = msgspec.msgpack.decode(worker_protocol.encode_message(report), type=worker_protocol.WorkerMessage)
    monkeypatch.setattr(launcher, "_run_program", lambda *_: content)
    assert launcher.run_worker(REQUEST).failed.startswith(worker_protocol.CONTRADICTION)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner), st.lists(inner).map(tuple), st.dictionaries(PLAIN, inner), st.sets(PLAIN), st.frozensets(PLAIN)
    ),
)


@given(VALUES)
def test_plain_values_stay_what_they_are(value):
    found = decode_value(encode_value(value))
    assert (found, type(found)) == (value, type(value))


def test_values_of_a_program_become_plain():
    piece, side = decode_value(encode_value([Piece.X, Side.MAX]))
    assert (piece.name, piece.value, repr(piece), isinstance(piece, enum.Enum)) == ("X", "x", "<Piece.X: 'x'>", True)
    assert (side == 1, repr(side), str(side)) == (True, repr(Side.MAX), str(Side.MAX))
    assert decode_value(encode_value(Piece.X)) is piece
    assert str(decode_value(encode_value(Silent.X))) == "X"
    board = decode_value(encode_value({Square(1): "X", Square(2): "O"}))
    assert (list(board.values()), board == decode_value(encode_value({Square(1): "X", Square(2): "O"}))) == (["X", "O"], True)
    assert decode_value(encode_value((np.int64(3), np.float64(0.5), Pair(1, 2), "\ud800"))) == (3, 0.5, (1, 2), "?")
    assert isinstance(decode_value(encode_value(Path("x"))), HiddenValue)


@given(st.binary())
def test_any_bytes_are_a_value_or_refused(content):
    with contextlib.suppress(BadValue):
        decode_value(content)
