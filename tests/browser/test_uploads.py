"""Files that are opened on a page."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.checker.check import check
from engine.checker.run_file import write_run_file
from engine.checker.sandbox.worker_protocol import CheckRequest
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
