"""The pictures of the README, from the running app: `python benchmarks/screenshots.py` (needs chromium)."""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from engine import Trace, preset, search
from tests.browser.conftest import find_free_port
from tests.browser.viewer import FLAGS

CUTOFF = Trace(search(preset("k-tables"), "3", depth=3)).next("cutoff", 300)
FOLDER = Path(__file__).parent.parent / ".screenshots"
SIZES = {"step": (1400, 900), "compare": (1280, 960), "play": (1280, 720), "tournament": (1280, 740), "learn": (1280, 800)}


def at_a_cutoff(page: Page) -> None:
    page.locator(".ps[data-step]").wait_for()


def with_hints(page: Page) -> None:
    page.locator(".board-picker svg").wait_for()
    page.get_by_text("Hints").click()
    page.locator(".board-picker .hint.best").first.wait_for()


def both_trees(page: Page) -> None:
    page.locator(".minimax-overlay[data-step]").wait_for()
    page.get_by_text("Two trees compared").evaluate("heading => heading.scrollIntoView({ block: 'start' })")


def graded_exercise(page: Page) -> None:
    page.locator('.learn .node[data-row="12"]').click()
    page.get_by_role("button", name="Check").click()
    page.locator(".learn .feedback.wrong").wait_for()


def heat_maps(page: Page) -> None:
    page.locator(".heatmap td button").nth(63).wait_for()


PICTURES = {
    "step": (f"?game=k-tables&moves=3&algorithm=alphabeta&depth=3&step={CUTOFF}", at_a_cutoff),
    "compare": ("compare?game=k-tables&moves=3&depths=1-4&repeat=1", both_trees),
    "play": ("play?game=connect4&moves=3324&first=max&max=human&min=search:depth=4", with_hints),
    "tournament": ("tournament?game=connect-m", heat_maps),
    "learn": ("learn?exercise=pruned&seed=2&difficulty=2", graded_exercise),
}


def main() -> None:
    """Take all screenshots, or those that are named: `python benchmarks/screenshots.py learn`."""
    wanted = {name: PICTURES[name] for name in sys.argv[1:] or PICTURES}
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("no chromium here")
    FOLDER.mkdir(exist_ok=True)
    port = find_free_port()
    with sync_playwright() as driver, tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--port", str(port)]
        server = subprocess.Popen(command, stdout=log, stderr=log)
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(reduced_motion="reduce", device_scale_factor=1)
        for name, (address, ready) in wanted.items():
            width, height = SIZES[name]
            page.set_viewport_size({"width": width, "height": height})
            open_page(page, f"http://127.0.0.1:{port}/{address}")
            ready(page)
            page.wait_for_timeout(800)
            page.screenshot(path=FOLDER / f"{name}.png")
            print(f"{name}.png")
        browser.close()
        server.terminate()


def open_page(page: Page, address: str) -> None:
    """Wait until the server answers."""
    for _ in range(200):
        try:
            page.goto(address)
            return
        except Exception:
            time.sleep(0.1)
    sys.exit("the app did not start")


if __name__ == "__main__":
    main()
