"""Files that are opened on a page, and programs that run there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.checker.check import check
from engine.checker.run_file import write_run_file
from engine.checker.sandbox.worker_protocol import CheckRequest
from tests.browser.test_contrast import MIN_TEXT_CONTRAST, TEXT_CONTRASTS
from tests.support.processes import start_process
from visualizer.narration.check_messages import HEADLINES

PROGRAM = Path(__file__).parent.parent / "students" / "right" / "nim_negamax.py"


@pytest.fixture(scope="module")
def checked_program():
    return check(CheckRequest(str(PROGRAM)))


def open_file(page, name, data):
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": data}
    )


def test_a_run_is_opened_after_a_file_that_is_none(visit, checked_program):
    page = visit("your_search", ready="[data-testid=stFileUploader]")
    open_file(page, "bad.json", b"{}")
    expect(page.get_by_text("bad.json cannot be opened")).to_be_visible()
    open_file(page, "run.json", write_run_file(checked_program.verdict.file, checked_program.answer))
    expect(page.get_by_text(HEADLINES[checked_program.verdict.verdict]).first).to_be_visible()
    page.locator(".ps[data-step]").wait_for()
    page.get_by_role("button", name="Another file").click()
    open_file(page, "other.json", b"[]")
    expect(page.get_by_text("other.json cannot be opened")).to_be_visible()


TRACE = (
    '{"plyscope_trace": 1, "game": "two moves"}\n{"id": 0, "side": "max"}\n{"id": 1, "parent": 0, "side": "min", "value": 3}\n'
)


def test_a_trace_is_opened_on_step(visit):
    page = visit("")
    page.get_by_role("button", name="Published student programs").click()
    open_file(page, "bad.jsonl", b"{}")
    expect(page.get_by_text("bad.jsonl cannot be opened: line 1 is not the header of a trace")).to_be_visible()
    open_file(page, "trace.jsonl", TRACE.encode())
    expect(page.get_by_text("two moves").first).to_be_visible()
    expect(page.locator(".ps[data-step]")).to_be_visible()
    page.wait_for_url(re.compile("run="))


def drop_file(place, name, text):
    place.evaluate(
        """(pane, [name, text]) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name));
            for (const kind of ["dragover", "drop"]) pane.dispatchEvent(new DragEvent(kind, { dataTransfer, cancelable: true }));
        }""",
        [name, text],
    )


@pytest.fixture
def program_page():
    """The address of Your search with the token of a server of its own."""
    command = [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser"]
    with start_process(command, stdout=subprocess.PIPE, text=True) as process:
        found = re.search(r"(http://127\.0\.0\.1:\d+/)(\?token=[\w-]+)", process.stdout.readline())
        yield f"{found[1]}your_search{found[2]}"


@pytest.mark.slow
def test_a_program_is_run_changed_and_run_again(open_page, program_page):
    page = open_page(program_page, ready=".code-editor", viewport={"width": 1280, "height": 720})
    assert "token" not in page.url
    drop_file(page.locator(".code-editor .pane"), "nim.py", PROGRAM.read_text())
    expect(page.get_by_text("Search: negamax in line")).to_be_visible()
    page.get_by_text("Window is lost").click()
    label = page.locator(".code-editor .marks .certain")
    expect(label).to_have_text("Window is not passed on")
    pane, words = page.locator(".code-editor .pane").bounding_box(), label.locator("span").bounding_box()
    assert words["x"] + words["width"] <= pane["x"] + pane["width"]  # in view, though its line is long
    page.locator(".ps[data-step]").wait_for()
    text = page.locator(".code-editor textarea")
    text.fill(text.input_value().replace("depth - 1, -inf, inf", "depth - 1, alpha, beta"))
    expect(page.locator(".code-editor .marks .certain")).to_have_count(0)
    text.press("Control+Enter")
    expect(page.get_by_text("No longer found: Window is not passed on.")).to_be_visible()
    text.fill("while True: pass")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".code-editor textarea")).to_be_editable()
    text.fill("x = 'typed, never run'")
    page.get_by_role("link", name="Learn").click()
    page.get_by_role("link", name="Your search").click()
    expect(text).to_have_value("x = 'typed, never run'")
    page.reload()
    expect(text).to_have_value("x = 'typed, never run'")
    drop_file(page.locator(".code-editor .pane"), "nim.py", PROGRAM.read_text())
    expect(text).to_have_value(re.compile("negamax"))


def test_the_search_of_a_pasted_program_is_found_before_it_runs(open_page, program_page):
    page = open_page(program_page, ready=".code-editor")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", PROGRAM.read_text())
    text = page.locator(".code-editor textarea")
    text.press("Control+v")
    expect(page.get_by_text("Search: negamax in line")).to_be_visible()
    expect(text).to_have_value(PROGRAM.read_text())
    expect(page.get_by_role("button", name="How it is run")).to_be_visible()


def test_a_click_anywhere_in_the_empty_editor_writes_there_and_running_it_says_that_it_is_empty(open_page, program_page):
    page = open_page(program_page, ready=".code-editor", viewport={"width": 1280, "height": 720})
    pane, text = page.locator(".code-editor .pane"), page.locator(".code-editor textarea")
    box = pane.bounding_box()
    expect(text).to_have_attribute("placeholder", re.compile("Python"))
    for x, y in ((box["width"] / 2, box["height"] - 20), (10, box["height"] - 20)):  # the sheet, and the line numbers
        text.evaluate("text => text.blur()")
        pane.click(position={"x": x, "y": y})
        expect(text).to_be_focused()
    assert text.evaluate("text => getComputedStyle(text).outlineStyle") == "none"  # the pane has the outline
    assert pane.evaluate("pane => getComputedStyle(pane).outlineStyle") == "solid"
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("The editor is empty. Paste a Python program")).to_be_visible()


def test_the_verdict_is_above_the_editor_and_a_call_is_scrolled_to(open_page, program_page):
    page = open_page(program_page, ready=".code-editor", viewport={"width": 380, "height": 740})
    page.get_by_text("Returns too soon").click()
    verdict = page.get_by_text("The explanation is below.")
    expect(verdict).to_contain_text("(line ")
    expect(page.get_by_text("What was run: ")).to_be_visible()
    assert verdict.bounding_box()["y"] < page.locator(".code-editor").bounding_box()["y"]
    viewer = page.locator(".ps[data-step]")
    viewer.wait_for()
    expect(viewer).not_to_be_in_viewport()
    page.get_by_role("button", name="Show this call").click()
    expect(viewer).to_be_in_viewport(ratio=0.5)
    page.get_by_role("button", name="Details of the run").click()
    expect(page.get_by_text("is the position")).to_be_visible()
    expect(page.get_by_text("variants:")).to_have_count(0)


def read_files(page):
    """The names of the files in the editor's list, and the one that is shown."""
    field = page.locator(".code-editor [data-part=file]")
    return field.locator("option").all_inner_texts(), field.input_value()


def test_the_files_of_a_program_are_kept_as_they_are_typed_and_loaded_again(open_page, program_page):
    page = open_page(program_page, ready=".code-editor")
    text = page.locator(".code-editor textarea")
    page.get_by_role("button", name="Open files").click()
    files = [("ai.py", b"def minimax(board, depth):\n    return 0\n"), ("board.py", b"SIZE = 3\n")]
    uploads = [{"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files]
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(uploads)
    expect(text).to_have_value(re.compile("minimax"))
    page.keyboard.press("Escape")
    text.fill("# edited, never run")
    page.locator(".code-editor [data-part=file]").select_option("board.py")
    expect(text).to_have_value("SIZE = 3\n")
    text.fill("SIZE = 4")
    page.locator(".code-editor [data-part=file]").select_option("ai.py")
    expect(text).to_have_value("# edited, never run")
    text.fill("# typed last")
    page.reload()
    expect(text).to_have_value("# typed last")
    expect(page.locator(".code-editor [data-part=file] option")).to_have_count(2)
    assert read_files(page) == (["ai.py", "board.py"], "ai.py")
    assert min(page.locator(".code-editor .gutter span").evaluate_all(TEXT_CONTRASTS)) >= MIN_TEXT_CONTRAST
    page.locator(".code-editor [data-part=file]").select_option("board.py")
    expect(text).to_have_value("SIZE = 4")
    page.locator(".code-editor [data-part=file]").select_option("ai.py")
    expect(text).to_have_value("# typed last")
