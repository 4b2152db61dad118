"""Measure the viewer in a real browser: `python benchmarks/viewer.py` (needs chromium)."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import Page, sync_playwright

from engine import preset, search
from engine.analysis.alignment import Alignment
from tests.browser.conftest import find_free_port, wait_until_healthy
from tests.browser.viewer import FLAGS, VIEW
from visualizer.viewer.payload import build_payload

LARGE = "?game=k-tables&moves=3&algorithm=minimax&depth=6&step=0"  # 137,256 nodes
SMALL = "?game=k-tables&moves=3&algorithm=alphabeta&depth=3&step=0"
PAINTS = f"""() => {{
  const view = {VIEW};
  const nextFrame = window.requestAnimationFrame;
  window.requestAnimationFrame = (paint) => {{ paint(); return 0; }}; // paint at once, to measure painting alone
  const times = Array.from({{ length: 40 }}, () => {{
    const began = performance.now();
    view.t = (view.t + 9973) % view.steps.length;
    view.draw();
    return performance.now() - began;
  }});
  window.requestAnimationFrame = nextFrame;
  return times;
}}"""
FRAMES = f"""async () => {{
  const view = {VIEW};
  view.speed = 1000;
  view.t = 1000;
  view.until = view.steps.length - 1;
  view.play();
  let frames = 0;
  const began = performance.now();
  while (performance.now() - began < 2000) {{
    await new Promise(requestAnimationFrame);
    frames++;
  }}
  view.pause();
  return frames / 2;
}}"""


def painted(page: Page, address: str) -> float:
    began = time.perf_counter()
    page.goto(address)
    page.locator(".ps[data-step]").wait_for(timeout=60_000)
    return time.perf_counter() - began


def changed_depth(page: Page, address: str, depth: str) -> float:
    """Return the seconds from the click on Search to the painted tree."""
    painted(page, address)
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.get_by_role("textbox", name="Depth K", exact=True).fill(depth)
    page.keyboard.press("Enter")
    page.get_by_text("15,415 nodes").wait_for(timeout=10_000)
    began = time.perf_counter()
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_function(f"() => {VIEW}?.tree?.meta.K === {depth}")
    return time.perf_counter() - began


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("no chromium here")
    port = find_free_port()
    address = f"http://127.0.0.1:{port}/"
    with sync_playwright() as driver, tempfile.TemporaryFile() as log:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
        began = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--port", str(port)], stdout=log, stderr=log
        )
        wait_until_healthy(address, server)  # as `plyscope` does before it opens a browser
        page.goto(address)
        page.locator(".ps[data-step]").wait_for(timeout=60_000)
        first = time.perf_counter() - began
        painted(page, address + SMALL)
        larger = painted(page, address + LARGE)
        path = statistics.median(page.evaluate(PAINTS))
        frames_path = page.evaluate(FRAMES)
        page.locator("[data-view=whole]").click()
        whole = statistics.median(page.evaluate(PAINTS))
        frames_whole = page.evaluate(FRAMES)
        changed = changed_depth(page, address + SMALL, "6")
        browser.close()
        server.terminate()
    tree = search(preset("k-tables"), "3", depth=6, algorithm="alphabeta")
    spared = Alignment(search(preset("k-tables"), "3", depth=6, algorithm="minimax"), tree).spared
    size = len(build_payload(tree, None, spared)) / len(tree)
    rows = [
        ("from `plyscope` to the first painted tree", f"{first:.1f} s", "3 s"),
        ("a page with 137,256 nodes, painted", f"{larger:.1f} s", "2 s"),
        ("K changed from 3 to 6 in the form, painted", f"{changed:.1f} s", "2 s"),
        ("a step there, path view / whole tree", f"{path:.0f} ms / {whole:.0f} ms", "30 ms"),
        ("playing there, path view / whole tree", f"{frames_path:.0f} / {frames_whole:.0f} frames/s", "at least 50"),
        ("payload of alpha-beta, K=6", f"{size:.1f} bytes per node", "24"),
    ]
    print("| viewer, headless chromium without a graphics card | measured | target |")
    print("|---|--:|--:|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
