"""Measure a search of 50 million nodes in a real browser: first picture, steps, jumps, zoom and frames.

    python benchmarks/huge_browser.py [--depth 12] [--screenshot FILE]

It starts the app and headless Chromium. Times are from the request to the second frame after the new picture, so they include
two frames of 17 ms. It ends with exit code 1 if the browser shows another number of nodes than the engine expands.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from visualizer.app.server import reserve_port

VIEW = "[...document.querySelectorAll('*')].map((e) => e.shadowRoot).find((root) => root?.querySelector('.ps .main'))?.view"
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
MAX_WAIT_MS = 300_000
REPEATS = 40
MEASURE = f"""async (repeats) => {{
  const view = {VIEW};
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const until = async (isThere) => {{
    const start = performance.now();
    while (!isThere()) await new Promise((done) => setTimeout(done, 1));
    await frames();
    return performance.now() - start;
  }};
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const taken = {{ "jump to a step": [], "next cutoff": [], "one step": [], "zoom": [], "frame while dragging": [] }};
  for (let run = 0; run < repeats; run++) {{
    const step = Math.floor(random() * view.steps.length);
    view.go(step);
    taken["jump to a step"].push(await until(() => view.t === step));
    view.goToKind("next", "cutoff");
    taken["next cutoff"].push(await until(() => view.t !== step));
    const next = view.t + 1;
    view.go(next);
    taken["one step"].push(await until(() => view.t === next));
  }}
  const {{ pictures, facts }} = view.largeTree;
  const aim = (middle, across) => {{
    view.treeCamera.aim = {{ middle, across }};
    view.treeCamera.stay();
    view.saveState();
    view.drawPicture();
  }};
  view.setView("overview");
  for (let run = 0; run < repeats; run++) {{
    const old = pictures.cells.detail;
    aim(random() * facts.rows, Math.max(20, facts.rows ** random()));
    taken["zoom"].push(await until(() => pictures.cells.detail !== old));
  }}
  for (let run = 0, last = performance.now(); run < 2 * repeats; run++) {{
    aim(facts.rows / 2 + (run * facts.rows) / 2000, facts.rows / 10);
    await new Promise((done) => requestAnimationFrame(done));
    taken["frame while dragging"].push(performance.now() - last);
    last = performance.now();
  }}
  return {{ taken, heap: performance.memory.usedJSHeapSize, nodes: view.tree.meta.expanded, steps: view.steps.length }};
}}"""

CLOCK = """import sys
if "visualizer.pool.worker" in sys.orig_argv:
    import time
    from visualizer.pool import work_types
    search = work_types.search
    def search_with_clock(*arguments, **options):
        tree = search(*arguments, **options)
        open({path!r}, "w").write(str(time.time()))
        return tree
    work_types.search = search_with_clock
"""  # as sitecustomize.py: a worker writes when its latest search ended


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--screenshot")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder)) as address, opened_page() as page:
        waiting = open_search(page, Path(folder), f"{address}?game=connect4&moves=&algorithm=alphabeta&depth={arguments.depth}")
        found = page.evaluate(MEASURE, REPEATS)
        if arguments.screenshot:
            page.screenshot(path=arguments.screenshot)
    print(f"Connect 4, alpha-beta, K = {arguments.depth}: {found['nodes']:,} nodes, {found['steps']:,} steps\n")
    print(f"| | median | p95 |\n|---|--:|--:|\n| first picture after the end of the search | {waiting:.2f} s | |")
    for words, times in found["taken"].items():
        ordered = sorted(times)
        print(f"| {words} | {ordered[len(ordered) // 2]:.0f} ms | {ordered[int(len(ordered) * 0.95)]:.0f} ms |")
    print(f"| heap of the browser | {found['heap'] / 1e6:.0f} MB | |")
    return int(found["nodes"] != count_nodes(arguments.depth))


def count_nodes(depth: int) -> int:
    """Count the nodes of the same search with the command line."""
    command = [sys.executable, "-m", "visualizer.cli.main", "search", "connect4", "--depth", str(depth), "--json"]
    counted = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return int(counted["expanded"])


@contextmanager
def running_app(folder: Path):
    """Start the app, and yield its address. Its workers write to `folder` when a search has ended."""
    (folder / "sitecustomize.py").write_text(CLOCK.format(path=str(folder / "ended")))
    with reserve_port("127.0.0.1", 0) as reserved:
        port = reserved.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    command = [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--port", str(port)]
    paths = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": paths})
    try:
        until = time.monotonic() + MAX_WAIT_MS / 1000
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{address}_stcore/health").close()
                break
            except OSError:
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait()


@contextmanager
def opened_page():
    """Yield a page of headless Chromium."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=next(filter(None, map(shutil.which, names))), args=FLAGS)
        page = browser.new_page(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
        page.set_default_timeout(MAX_WAIT_MS)
        yield page
        browser.close()


def open_search(page: Page, folder: Path, address: str) -> float:
    """Open a search, and return the seconds from its end to the picture of the whole search."""
    page.goto(address)
    page.wait_for_function(f"() => {VIEW}?.largeTree?.pictures.cells.whole")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return time.time() - float((folder / "ended").read_text())


if __name__ == "__main__":
    sys.exit(main())
