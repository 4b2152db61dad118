"""Programs on "Your search": bounded files, a token that no other site can send, one run at a time, findings at their lines."""

import asyncio
import io
import json
import threading
import time
import zipfile
from types import SimpleNamespace

import msgspec
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from streamlit.testing.v1 import AppTest

from engine.checker.check import check
from engine.checker.sandbox import barrier_trial, kernel_barrier
from engine.checker.sandbox.kernel_barrier import BarrierMissing
from engine.checker.sandbox.launcher import CANCELLED
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.core.errors import PlyscopeError
from tests.support.processes import MAX_WAIT_SECONDS, wait_until
from visualizer.app import server
from visualizer.app.programs import program_files, program_runs, search_preview
from visualizer.app.programs.examples import CHANGES, EXAMPLE_FILE, read_example
from visualizer.app.programs.program_files import MAX_FILES, PASTED_NAME, BadProgram, Program, read_program
from visualizer.app.programs.program_runs import ProgramRun, RunQueue
from visualizer.app.programs.search_preview import MAX_PARSED_CHARS, preview_program, preview_search
from visualizer.app.request_guard import Access
from visualizer.app.sections import program_form
from visualizer.app.state import program_access
from visualizer.app.views import your_search
from visualizer.cli.command_line import plyscope
from visualizer.viewer.code_editor import _read_dropped

# ---- the token


@pytest.fixture
def token():
    yield program_access.allow_programs(8501)
    program_access.forbid_programs()


async def say_if_allowed(scope, receive, send):
    await PlainTextResponse(str(program_access.has_right_token(Request(scope).cookies)))(scope, receive, send)


def send_request(path, query="", cookie=""):
    """Return the status, the headers and the body of an answer."""
    headers = [(b"host", b"127.0.0.1:8501")] + ([(b"cookie", cookie.encode())] if cookie else [])
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": headers}
    sent = []

    async def send(message):
        sent.append(message)

    asyncio.run(program_access.TokenGuard(say_if_allowed)(scope, None, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, sent[1]["body"].decode()


def test_the_token_becomes_a_cookie_and_leaves_the_address(token):
    status, headers, _ = send_request("/your_search", f"step=3&token={token}&game=nim%3A3")
    assert (status, headers["location"]) == (303, "./your_search?step=3&game=nim%3A3")
    cookie, *attributes = headers["set-cookie"].split("; ")
    assert {"httponly", "samesite=strict"} <= {attribute.lower() for attribute in attributes}
    assert send_request("/your_search", cookie=cookie)[2] == "True"


@pytest.mark.parametrize("wrong", ["", "wrong", "x" * 5000, "%ff%00"])
def test_a_wrong_token_gives_no_cookie(token, wrong):
    status, headers, _ = send_request("/", f"token={wrong}")
    assert (status, headers["location"]) == (303, "./")
    assert "set-cookie" not in headers
    assert send_request("/", cookie=f"plyscope_token_8501={wrong[:50]}")[2] == "False"


def test_a_visitor_who_comes_again_is_the_same_and_nobody_can_be_another(token):
    def read_cookie(cookie=""):
        return send_request("/", f"token={token}", cookie)[1]["set-cookie"].split("; ")[0]

    first = read_cookie()
    assert token not in first
    assert read_cookie(first) == first
    assert read_cookie() != first
    forged = first.replace("=", "=0", 1)
    assert send_request("/", cookie=forged)[2] == "False"
    assert read_cookie(forged) not in (first, forged)


def test_without_a_token_nobody_runs_programs(token):
    program_access.forbid_programs()
    assert send_request("/", cookie=f"plyscope_token_8501={token}")[2] == "False"
    assert send_request("/", cookie="plyscope_token_8501=")[2] == "False"


# ---- files


def make_zip(files, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def test_a_zip_is_a_program_with_its_folders():
    files = {"game/board.py": b"x = 1", "game/ai.py": b"def minimax(): pass", "__MACOSX/x": b"", "game/.git/config": b""}
    program = read_program([("project.zip", make_zip(files))])
    assert set(program.files) == {"game/board.py", "game/ai.py"}
    assert program.shown == "game/ai.py"


def test_a_notebook_is_its_code_cells():
    cells = [
        {"cell_type": "code", "source": ["def minimax():\n", "    pass"]},
        {"cell_type": "markdown", "source": "# text"},
        {"cell_type": "code", "source": "%matplotlib inline\n!ls", "outputs": []},
    ]
    program = read_program([("search.ipynb", json.dumps({"cells": cells, "nbformat": 4}).encode())])
    assert program.shown == "search.py"
    assert program.text == "def minimax():\n    pass\n\n# %matplotlib inline\n# !ls"


@pytest.mark.parametrize(
    ("uploads", "words"),
    [
        ([("a.txt", b"x")], "no Python file"),
        ([("a.zip", b"no zip")], "is not a zip file"),
        ([("a.zip", make_zip({"../../home/x.py": b"x"}))], "is not the name of a file"),
        ([("a.zip", make_zip({"/etc/x.py": b"x"}))], "is not the name of a file"),
        ([("a.zip", make_zip({"big.py": b"0" * 60_000_000}))], "more than"),  # 60 kB packed
        ([("a.zip", make_zip({"a.py": b"x = 1"}, zipfile.ZIP_BZIP2))], "packed in an unusual way"),
        ([("a.zip", make_zip({"a.py": b"x = 1"}, zipfile.ZIP_LZMA))], "packed in an unusual way"),
        ([("a.zip", make_zip({f"{n}.py": b"x" for n in range(MAX_FILES + 1)}))], "more than"),
        ([(f"{n}.py", b"x" * 3_000_000) for n in range(2)], "may have"),
        ([("a.ipynb", b"[" * 100_000)], "is not a notebook"),
        ([("a.py", b"x" * (program_files.MAX_TEXT_CHARS + 1))], "characters"),
        ([("x\x00.py", b"x")], "is not the name"),
    ],
)
def test_files_that_are_not_a_program_are_refused(uploads, words):
    with pytest.raises(BadProgram, match=words):
        read_program(uploads)


# ---- before it runs


def test_the_search_is_found_in_the_text():
    seen = preview_search(read_example("A correct program"))
    assert seen.sentence == "minimax in line 14: board, depth, alpha, beta, maximizing"
    assert seen.calls == ("minimax(board, 6, -inf, inf, True)",)
    assert "winner" in seen.all_functions


def test_the_search_is_found_in_another_file_than_the_one_in_the_editor():
    files = {"main.py": b"import ai\n", "board.py": b"x = 1", "ai.py": b"def minimax(b):\n    return minimax(b)\n"}
    assert preview_program(Program(files, "main.py")).sentence == "minimax in ai.py, line 1: b"
    assert preview_program(Program({"main.py": b"import ai\n"}, "main.py")).problem


@pytest.mark.parametrize(
    "sent", [None, 7, "text", [["a.py", "no base64!"]], [["a.py"]], [[7, "YQ=="]], [["a.py", "YWJj" * 10]], {"a": "b"}]
)
def test_other_messages_than_dropped_files_are_ignored(sent):
    assert _read_dropped(sent, 20) == []
    assert _read_dropped([["a.py", "YQ=="]], 20) == [("a.py", b"a")]


@pytest.mark.parametrize("text", ["def f(:", "x = 1", "(" * 5000, "\x00", "-" * 200_000 + "1", "lambda: " * 2000 + "1"])
def test_a_text_without_a_search_is_no_error(text):
    assert preview_search(text).problem


@pytest.mark.parametrize(
    "text", ["".join(f"def f{n}(x): return f{n + 1}(x)\n" for n in range(3000)), f"x = f'{'{1}' * 150_000}'", "f(1)\n" * 90_000]
)
def test_a_text_that_takes_long_to_read_is_not_read_by_the_server(text, monkeypatch):
    monkeypatch.setattr(search_preview, "find_search", lambda *arguments: pytest.fail("it is read"))
    if len(text) > MAX_PARSED_CHARS:
        monkeypatch.setattr(search_preview.ast, "parse", lambda text: pytest.fail("it is parsed"))
    assert "when it runs" in preview_search(text).problem


def test_the_examples_differ_in_one_place():
    texts = [read_example(name) for name in CHANGES]
    assert len(texts) == len(set(texts)) == 6
    assert sum(change is None for change in CHANGES.values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_the_wrong_examples_are_wrong_and_the_right_one_is_right(name):
    files = {EXAMPLE_FILE: read_example(name).encode()}
    verdict = check(CheckRequest(EXAMPLE_FILE, files=files, target=EXAMPLE_FILE)).verdict
    assert [finding.certain for finding in verdict.findings] == ([] if CHANGES[name] is None else [True])
    assert all(finding.line for finding in verdict.findings)


# ---- runs


class WaitingRun(ProgramRun):
    """A run that waits to be let go."""

    def __init__(self, order, visitor="", is_connected=lambda: True):
        super().__init__(CheckRequest("x.py"), visitor, is_connected)
        self.order, self.go, self.begun = order, threading.Event(), threading.Event()

    def run(self):
        self.order.append(self)
        self.begun.set()
        self.go.wait(MAX_WAIT_SECONDS)
        self._done.set()


def test_runs_are_served_in_order_and_some_at_a_time():
    queue, order = RunQueue(1), []
    runs = [WaitingRun(order) for _ in range(3)]
    for run in runs:
        queue.submit(run)
    assert runs[0].begun.wait(MAX_WAIT_SECONDS)
    assert [queue.place(run) for run in runs] == [0, 1, 2]
    runs[1].cancel()
    for run in runs:
        run.go.set()
        assert run.wait(MAX_WAIT_SECONDS)
    assert order == [runs[0], runs[2]]


def test_too_many_waiting_programs_are_refused(monkeypatch):
    monkeypatch.setattr(program_runs, "MAX_WAITING", 1)
    queue, order = RunQueue(1), []
    runs = [WaitingRun(order) for _ in range(3)]
    queue.submit(runs[0])
    assert runs[0].begun.wait(MAX_WAIT_SECONDS)
    queue.submit(runs[1])
    with pytest.raises(ValueError, match="too many programs"):
        queue.submit(runs[2])
    for run in runs:
        run.go.set()


def run_to_the_end(queue, run, seconds=0.0):
    """Run a program that seems to take some seconds."""
    queue.submit(run)
    assert run.begun.wait(MAX_WAIT_SECONDS)
    run._began = time.monotonic() - seconds
    run.go.set()
    wait_until(lambda: run not in queue._running, "the run has ended")


def test_the_visitor_who_used_the_least_time_comes_next():
    queue, order = RunQueue(1), []
    run_to_the_end(queue, WaitingRun([], "busy"), seconds=30)
    blocking, busy, first, second = (WaitingRun(order, name) for name in ("x", "busy", "first", "second"))
    for run in (blocking, busy, first, second):
        queue.submit(run)
    assert blocking.begun.wait(MAX_WAIT_SECONDS)
    assert [queue.place(run) for run in (busy, first, second)] == [3, 1, 2]
    for run in (blocking, busy, first, second):
        run.go.set()
    assert busy.wait(MAX_WAIT_SECONDS)
    assert order == [blocking, first, second, busy]


def test_one_program_of_a_visitor_runs_at_a_time():
    queue = RunQueue(2)
    one, other, next_one = WaitingRun([], "me"), WaitingRun([], "you"), WaitingRun([], "me")
    queue.submit(one)
    queue.submit(other)
    with pytest.raises(PlyscopeError, match="one program runs for a visitor at a time"):
        queue.submit(next_one)
    one.cancel()
    queue.submit(next_one)
    for run in (one, other, next_one):
        run.go.set()


def test_a_visitor_who_used_up_the_budget_waits_until_its_runs_are_an_hour_old(monkeypatch):
    queue = RunQueue(1, budget=100)
    run_to_the_end(queue, WaitingRun([], "me"), seconds=90)
    run_to_the_end(queue, WaitingRun([], "me"), seconds=30)
    with pytest.raises(PlyscopeError, match=r"run for 120 seconds .* limit of this server is 100: try again in 60 minutes"):
        queue.submit(WaitingRun([], "me"))
    run_to_the_end(queue, WaitingRun([], "you"))
    later = time.monotonic() + program_runs.BUDGET_PERIOD_SECONDS
    monkeypatch.setattr(program_runs.time, "monotonic", lambda: later)
    run_to_the_end(queue, WaitingRun([], "me"))


def test_a_program_whose_visitor_has_left_is_not_run():
    queue, order = RunQueue(1), []
    first, left = WaitingRun(order), WaitingRun(order, "me", is_connected=lambda: False)
    queue.submit(first)
    queue.submit(left)
    first.go.set()
    assert left.wait(MAX_WAIT_SECONDS)
    assert order == [first]


def test_a_program_that_never_ends_can_be_cancelled():
    run = ProgramRun(
        CheckRequest("x.py", files={"x.py": b"def f(n):\n    return f(n) if n else 0\nwhile True: pass\n"}, target="x.py")
    )
    RunQueue(1).submit(run)
    wait_until(lambda: run._began, "the program runs")
    run.cancel()
    assert run.wait(MAX_WAIT_SECONDS)
    assert run.checked.answer.failed == CANCELLED


# ---- a server for others


def test_a_server_for_others_runs_no_program_without_the_barrier(monkeypatch):
    monkeypatch.setattr(kernel_barrier, "landlock_version", lambda: 0)
    monkeypatch.setattr(kernel_barrier.sys, "platform", "linux")
    with pytest.raises(BarrierMissing, match=r"isolated here: Landlock version 3 \(Linux 6.2; this kernel has none\)"):
        plyscope.main(["app", "--host", "0.0.0.0", "--no-browser", "--run-programs"], standalone_mode=False)
    assert not program_access.are_programs_allowed()


@pytest.mark.parametrize(
    ("host", "run_programs", "names", "wanted"),
    [("127.0.0.1", False, (), (True, False)), ("127.0.0.1", True, (), (True, True)), ("0.0.0.0", True, (), (True, True)),
     ("0.0.0.0", False, (), (False, False)), ("127.0.0.1", False, ("x.org",), (False, False))],
)  # fmt: skip
def test_programs_run_at_home_and_isolated_on_demand(monkeypatch, host, run_programs, names, wanted):
    seen = []

    def stop(*_):
        seen.append((program_access.are_programs_allowed(), program_access.are_programs_isolated()))
        raise KeyboardInterrupt

    monkeypatch.setattr(barrier_trial, "try_barrier", lambda: None)
    monkeypatch.setattr("visualizer.pool.factory.create_pool", stop)
    with pytest.raises(KeyboardInterrupt):
        server.serve(host, 0, False, access=Access(host, names), run_programs=run_programs)
    program_access.forbid_programs()
    assert seen == [wanted]


# ---- the page


def run_page():
    from visualizer.app.views.your_search import page

    page()


def test_a_run_shows_its_findings_at_their_lines_and_the_next_one_what_changed(monkeypatch):
    for module in (program_form, your_search):
        monkeypatch.setattr(module, "can_run_programs", lambda: True)
    app = AppTest.from_function(run_page, default_timeout=MAX_WAIT_SECONDS)
    app.run()
    assert not app.exception
    app.button_group[0].select("Window is lost").run()
    finish_run(app)
    assert not app.exception
    assert any("wastes calls" in box.value for box in app.warning)
    editor = read_editor(app)
    assert [mark["kind"] for mark in editor["marks"]] == ["certain"]
    app.button_group[0].select("A correct program").run()
    finish_run(app)
    assert read_editor(app)["marks"] == []
    assert any("nothing wrong was found" in box.value for box in app.success)


def test_a_run_that_cannot_be_shown_says_why(monkeypatch):
    for module in (program_form, your_search):
        monkeypatch.setattr(module, "can_run_programs", lambda: True)
    right = check(
        CheckRequest(EXAMPLE_FILE, files={EXAMPLE_FILE: read_example("A correct program").encode()}, target=EXAMPLE_FILE)
    )
    run = ProgramRun(CheckRequest(EXAMPLE_FILE, files={EXAMPLE_FILE: b"x = 1"}))
    run.checked = right._replace(answer=msgspec.structs.replace(right.answer, prints="x" * 10_000_000))
    run._done.set()
    app = AppTest.from_function(run_page, default_timeout=MAX_WAIT_SECONDS)
    app.session_state[program_form.RUN] = run
    app.run()
    assert not app.exception
    assert any("its recorded search cannot be shown" in box.value for box in app.error)
    assert app.session_state[program_form.RESULT] is None


def test_a_syntax_error_is_marked_at_its_line(monkeypatch):
    for module in (program_form, your_search):
        monkeypatch.setattr(module, "can_run_programs", lambda: True)
    app = AppTest.from_function(run_page, default_timeout=MAX_WAIT_SECONDS)
    app.session_state[program_form.PROGRAM] = Program({"a.py": b"import math\ndef minimax(board, depth)\n    return 0\n"}, "a.py")
    app.run()
    assert not app.exception
    [mark] = read_editor(app)["marks"]
    assert (mark["line"], mark["words"]) == (2, "not valid Python")


@pytest.mark.parametrize(
    ("change", "name", "keeps_result"),
    [
        (lambda text: text, EXAMPLE_FILE, True),
        (lambda text: text.replace("-inf, inf", "alpha, beta"), EXAMPLE_FILE, True),
        (lambda text: "def negamax(board):\n    return 1\n\nnegamax([])\n", PASTED_NAME, False),
    ],
    ids=["the same", "an edit", "another program"],
)
def test_a_text_that_is_no_edit_of_the_example_has_neither_its_name_nor_its_result(monkeypatch, change, name, keeps_result):
    text = read_example("Window is lost")
    state = {
        program_form.PROGRAM: Program({EXAMPLE_FILE: text.encode()}, EXAMPLE_FILE),
        program_form.RESULT: "the result",
        program_form.EXAMPLE: "Window is lost",
    }
    monkeypatch.setattr(program_form, "st", SimpleNamespace(session_state=state))
    monkeypatch.setattr(program_form, "_submit_run", lambda: None)
    program_form._start_run(change(text))
    assert state[program_form.PROGRAM] == Program({name: change(text).encode()}, name)
    assert (program_form.RESULT in state) == keeps_result
    assert state[program_form.EXAMPLE] == ("Window is lost" if change(text) == text else None)


def finish_run(app):
    run = app.session_state[program_form.RUN]
    assert run.wait(MAX_WAIT_SECONDS)
    app.run()


def read_editor(app):
    sent = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.component_name.endswith("code_editor")]
    return sent[0]


def test_without_the_token_the_page_explains_how_to_check_a_program(monkeypatch):
    app = AppTest.from_function(run_page, default_timeout=MAX_WAIT_SECONDS)
    app.run()
    assert any("plyscope check my_connect4.py" in code.value for code in app.code)
    assert not app.get("bidi_component")
