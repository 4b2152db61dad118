"""One program cannot spoil a class run: the others get the verdicts they get alone, and no files change."""

import hashlib
import hmac
import json
import os
import sys
from subprocess import Popen

import msgspec
import psutil
import pytest

from engine.checker.check import check
from engine.checker.doubtful_lines import find_doubtful_lines
from engine.checker.recording import wire_format
from engine.checker.sandbox.launcher import INVALID_ANSWER, decode_answer, decode_message, run_worker
from engine.checker.sandbox.program_files import read_program_files
from engine.checker.sandbox.worker_protocol import CONTRADICTION, SIGNATURE, Answer, CheckRequest, encode_message
from engine.checker.verdict import Finding
from tests.support import hostile_programs, processes
from tests.support.hostile_programs import ALL, EVASIONS, FORGERIES, evasion, forgery, source
from tests.support.marks import mostly_slow
from tests.test_architecture import ROOT

if sys.platform == "win32":
    pytest.skip("these programs use what POSIX has", allow_module_level=True)

RIGHT = """
def minimax(n, maximizing):
    if n <= 0:
        return -1 if maximizing else 1
    values = [minimax(n - take, not maximizing) for take in (1, 2) if take <= n]
    return max(values) if maximizing else min(values)
print(minimax(7, True))
"""
WRONG = RIGHT.replace("min(values)", "max(values)")
QUICK = ["replace", "link in", "dir_fd", "dir_fd and a link", "sqlite", "killpg", "kill itself", "garbage on all pipes"]
QUICK += ["rows that lie", "flood", "long sum in C", "raises its limit", "disk in many files", "udp sendmsg", "gethostbyname"]
QUICK += ["prints half characters"]
CASES = {"one of each": QUICK}
CASES |= {
    name: [program for program in getattr(hostile_programs, name) if program not in QUICK]
    for name in ("FILES", "PROCESSES", "PIPES", "LIMITS", "NETWORK", "GAMES")
}


def fingerprint(folder):
    """Everything in a folder: contents, rights, times."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.parametrize("case", mostly_slow(CASES, 1))
def test_a_class_survives_every_program(tmp_path, case):
    handed_in, outside, temporary = tmp_path / "class", tmp_path / "class" / "outside", tmp_path / "tmp"
    outside.mkdir(parents=True)
    temporary.mkdir()
    outside.joinpath("into_tmp").symlink_to(temporary)
    victim = handed_in / "zz_last.py"
    victim.write_text(WRONG)
    handed_in.joinpath("a_first.py").write_text(RIGHT)
    files = ["a_first.py"]
    for number, name in enumerate(CASES[case]):
        handed_in.joinpath(f"b{number}.py").write_text(source(ALL[name], victim, outside))
        files.append(f"b{number}.py")
    before = fingerprint(handed_in)
    done = processes.run(
        [sys.executable, "-m", "visualizer.cli.main", "check", *files, "zz_last.py", "--json", "--seconds", "2"],
        cwd=handed_in,
        env={**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)},
    )
    assert done.stderr == ""
    assert done.returncode == 1
    verdicts = json.loads(done.stdout)
    assert [verdict["file"] for verdict in verdicts] == [*files, "zz_last.py"]
    assert (verdicts[0]["verdict"], verdicts[-1]["verdict"]) == ("nothing wrong found", "wrong")
    assert [finding["name"] for finding in verdicts[-1]["findings"]] == ["sides-swapped"]
    for verdict in verdicts[1:-1]:
        assert verdict["verdict"] in ("suspicious", "nothing wrong found", "not run", "wrong")
        assert verdict["reason"] or verdict["findings"]
    assert fingerprint(handed_in) == before
    assert list(temporary.iterdir()) == []


def watched(tmp_path, harm, **options):
    path = tmp_path / "student.py"
    path.write_text(source(harm, tmp_path / "victim", tmp_path / "outside"))
    return run_worker(CheckRequest(str(path), **{"seconds": 2, **options}))


def test_a_program_that_never_leaves_c_is_ended_and_its_real_time_is_reported(tmp_path):
    failed = watched(tmp_path, "sum(range(10 ** 12))").failed
    seconds, _, rest = failed.removeprefix("the program was stopped after ").partition(" seconds on line ")
    assert 2 <= float(seconds) < 20  # not 3 x 2 + 20
    assert rest.startswith("12; it could not be interrupted")


def test_the_answer_of_a_program_is_read_within_bounds(tmp_path):
    before = psutil.Process().memory_info().rss
    assert "sends more than 32 MB" in watched(tmp_path, "while True: send(b'x' * 10 ** 6)", seconds=20).failed
    assert psutil.Process().memory_info().rss - before < 300 << 20


def test_a_program_may_use_its_own_folder(tmp_path):
    harm = (
        "import shutil, tempfile, dbm\n"
        "    with tempfile.TemporaryDirectory() as d: open(os.path.join(d, 'x'), 'w').write('y')\n"
        "    os.makedirs('a/b', exist_ok=True); open('a/b/c', 'w').write('d'); os.replace('a/b/c', 'c'); shutil.rmtree('a')\n"
        "    os.symlink('c', 'l'); print(open('l').read(), open(os.devnull, 'w').write('x'))\n"
        "    os.remove('l'); os.makedirs('c.d'); os.rmdir('c.d')"
    )
    answer = watched(tmp_path, harm, seconds=10)
    assert (answer.failed, answer.stopped) == ("", "")
    assert "d 1" in answer.prints


def test_a_program_runs_with_the_files_beside_it_at_the_start(tmp_path):
    path = tmp_path / "student.py"
    path.write_text("import rules\nfrom pack.deep import more\nopen('board.txt')\n")
    (tmp_path / "pack").mkdir()
    for name, content in {
        "rules.py": "x = 1",
        "pack/deep.py": "more = 1",
        "board.txt": "..",
        "other.py": "",
        "b.txt": "",
    }.items():
        tmp_path.joinpath(name).write_text(content)
    assert set(read_program_files(path)) == {"student.py", "rules.py", "pack/deep.py", "board.txt", "other.py", "b.txt"}
    (tmp_path / "alone").mkdir()
    for name in ("first.py", "second.py"):
        (tmp_path / "alone" / name).write_text("import numpy\n")
    assert set(read_program_files(tmp_path / "alone" / "first.py")) == {"first.py"}  # no part of a project
    assert read_program_files(tmp_path / "none.py") == {}
    os.mkfifo(tmp_path / "pipe.py")
    assert read_program_files(tmp_path / "pipe.py") == {}


def test_data_beside_a_program_can_be_read(tmp_path):
    (tmp_path / "depth.txt").write_text("3")
    assert watched(tmp_path, "print('depth', open('depth.txt').read())", seconds=10).prints.count("depth 3") > 0


@pytest.mark.parametrize(("end", "code"), [(processes.press_ctrl_c, 130), (Popen.terminate, -15), (Popen.kill, -9)])
def test_nothing_is_left_behind_however_the_check_ends(tmp_path, end, code):
    path = tmp_path / "endless.py"
    path.write_text("def minimax(s, depth):\n    sum(range(10 ** 12))\n    return minimax(s, depth)\nminimax(0, 9)\n")
    command = [sys.executable, "-m", "visualizer.cli.main", "check", str(path)]
    temporary = {**os.environ, "TMPDIR": str(tmp_path)}  # a killed check cannot remove its folder
    with processes.start_process(command, env=temporary) as checking:
        parent = psutil.Process(checking.pid)
        child = processes.find_worker(parent)
        processes.wait_until(lambda: child.cpu_times().user > 0.5, "it runs")
        assert os.getsid(child.pid) != os.getsid(checking.pid)
        end(checking)
        processes.wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, "it has ended")
        assert checking.wait(processes.MAX_WAIT_SECONDS) == code


@pytest.mark.parametrize("name", mostly_slow(FORGERIES, 3))
def test_no_program_forges_a_good_verdict(name):
    text = forgery(FORGERIES[name])
    verdict, answer = check(CheckRequest("student.py", seconds=10, files={"student.py": text.encode()}, target="student.py"))
    assert verdict.verdict in ("not run", "wrong"), (verdict.verdict, answer.notes)
    reasons = (
        "the program changes its checker (",
        INVALID_ANSWER,
        CONTRADICTION,
        "may not look for the objects",
        "may not open /proc/self/mem",
        "its calls could not be made again: the program raised",
    )
    assert verdict.verdict == "wrong" or any(reason in verdict.reason for reason in reasons), verdict.reason
    assert verdict.doubts or name in ("patches a library",)  # and a person is told where to look


@pytest.mark.parametrize("name", mostly_slow(EVASIONS, 3))
def test_no_program_passes_because_it_cannot_be_judged(name):
    text = evasion(*EVASIONS[name])
    verdict, _ = check(CheckRequest("student.py", seconds=4, files={"student.py": text.encode()}, target="student.py"))
    assert verdict.verdict in ("wrong", "suspicious") or not verdict.is_judged, verdict
    assert CONTRADICTION not in verdict.reason


def test_a_right_program_raises_no_doubt():
    assert find_doubtful_lines({"right.py": RIGHT.encode(), "wrong.py": WRONG.encode(), "data.txt": b"ctypes"}) == []
    found = find_doubtful_lines({"a/b.py": b"import math\n\nimport ctypes\n" + b"x = sys._getframe(1)\n" * 9})
    assert [str(line) for line in found][:2] == ["a/b.py:3 looks into the memory", "a/b.py:4 looks at the calls above it"]
    assert len(found) == 5


def test_only_a_signed_and_consistent_answer_is_read():
    key = b"k" * 32

    def sign(content):
        return hmac.digest(key, content, SIGNATURE) + content

    failed = encode_message(Answer(failed="why"))
    assert decode_message(sign(failed), key).failure.failed == "why"
    forged = [failed, sign(failed)[1:], sign(failed) + b"x", b"", sign(b"x"), sign(b"\x80")[:-1]]
    assert {decode_message(content, key).failure.failed for content in forged} == {INVALID_ANSWER}
    rows = wire_format.CompressedCalls(9, *[b"x"] * 8, 3)
    lies = [Answer(functions=["x"], rows=rows), Answer(findings=[Finding("x", True, 10**9, -1, "y")]), Answer()]
    assert {decode_answer(msgspec.msgpack.encode(lie)).failed for lie in lies} == {INVALID_ANSWER}
