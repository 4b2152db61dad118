"""A search of millions of nodes on Step, in a real browser: it is stepped through and zoomed into like a small one."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine import connect, search
from engine.tree.trace import Trace
from tests.browser.viewer import VIEW, at_step, press_keys, step_of
from visualizer.narration.sentences import sentence

SEARCH = "?game=connect4&moves=3&algorithm=alphabeta&depth=11"
MIN_NODES = 5_000_000
WHOLE_PICTURE = f"() => {VIEW}.largeTree?.pictures.cells.whole"
FINE_PICTURE = f"""([least]) => {{
    const {{ treeCamera: {{ camera }}, largeTree: {{ pictures }} }} = {VIEW};
    const detail = pictures.cells.detail;
    return camera.scale > least && detail && Math.abs(detail.scale / camera.scale - 1) < 0.02;
}}"""
PLACE_OF = f"""([number, size]) => {{
    const view = {VIEW};
    const {{ camera }} = view.treeCamera;
    const x = (number + size / 2) * camera.scale + camera.shift;
    const canvas = view.part("tree");
    for (let y = 0; y < canvas.clientHeight; y++) {{
        if (view.nearest(x, y) === number) return [x * canvas.magnification, (y + 2) * canvas.magnification];
    }}
    return null;
}}"""


@pytest.fixture(scope="module")
def trace():
    tree = search(connect(), "3", depth=11)
    assert len(tree) > MIN_NODES
    return Trace(tree)


def shows_step(page, trace, number):
    """The page shows this step, with the words of the engine."""
    at_step(page, number)
    expect(page.locator("[data-part=sentence]")).to_have_text(sentence(trace[number]))


def test_millions_of_nodes_are_stepped_through_like_a_few(visit, trace):
    start = len(trace) // 2
    page = visit(f"{SEARCH}&view=path&step={start}")
    shows_step(page, trace, start)
    expected = start
    jumps = {
        "ArrowRight": lambda step: step + 1,
        "ArrowLeft": lambda step: step - 1,
        "n": lambda step: trace.next("cutoff", step),
        "p": lambda step: trace.previous("cutoff", step),
        "l": lambda step: trace.next("evaluate", step),
        "u": lambda step: trace.leave(trace[step].node) + 1,
    }
    for key in ("ArrowRight", "ArrowLeft", "n", "n", "p", "l", "u", "u", "ArrowRight", "u", "u", "n"):
        expected = jumps[key](expected)
        press_keys(page, key)
        shows_step(page, trace, expected)
    page.locator("[data-part=timeline]").click(position={"x": 200, "y": 20})
    page.wait_for_function(f"() => {VIEW}.t < {start} && {VIEW}.t !== {expected}")
    shows_step(page, trace, step_of(page))
    press_keys(page, "End")
    shows_step(page, trace, len(trace) - 1)
    press_keys(page, "Home")
    shows_step(page, trace, 0)
    press_keys(page, "l")
    page.locator("[data-part=explain]").click()
    expect(page.locator("[data-part=breakdown]")).to_contain_text("Why")
    page.locator("[data-tab=stack]").click()
    expect(page.locator("[data-part=stack]")).to_contain_text("root")


def test_an_overview_of_millions_is_zoomed_and_opens_any_node(visit, trace):
    tree = trace.tree
    page = visit(f"{SEARCH}&step={len(trace) // 2}")
    expect(page.locator("[data-view=overview]")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(WHOLE_PICTURE)
    assert page.evaluate(f"{VIEW}.tree.count") < 20_000  # only a block is here
    classes = page.evaluate(f"{VIEW}.largeTree.pictures.cells.whole.classes")
    assert sum(one["count"] for one in classes) == len(tree)
    assert next(one["count"] for one in classes if one["label"].startswith("cutoff")) == tree.cutoffs
    press_keys(page, *["+"] * 12)
    page.wait_for_function(FINE_PICTURE, arg=[1e-3])
    page.wait_for_function("() => location.search.includes('cam=')")
    page.reload()
    page.locator(".ps[data-step]").wait_for()
    page.wait_for_function(FINE_PICTURE, arg=[1e-3])
    at_step(page, len(trace) // 2)
    press_keys(page, "0")
    page.wait_for_function(f"() => !{VIEW}.treeCamera.aim")
    page.get_by_test_id("stPopoverButton").filter(has_text="Download").click()
    with page.expect_download() as downloading:
        page.get_by_test_id("stDownloadButton").filter(has_text=".png").first.click()
    assert downloading.value.suggested_filename.endswith("-overview.png")
    assert Path(downloading.value.path()).read_bytes().startswith(b"\x89PNG")
    page.keyboard.press("Escape")
    row = tree.child_rows(0)[3]
    page.wait_for_function(f"() => ({PLACE_OF})([{row}, {tree[row].size}])")
    x, y = page.evaluate(PLACE_OF, [row, tree[row].size])
    canvas = page.locator("[data-part=tree]")
    canvas.hover(position={"x": x, "y": y})
    expect(page.locator("[data-part=tip]")).to_contain_text(f"{tree[row].size - 1:,} nodes below")
    canvas.click(position={"x": x, "y": y})
    expect(page.locator("[data-view=path]")).to_have_attribute("aria-pressed", "true")
    shows_step(page, trace, trace.enter(row))


@pytest.mark.slow
def test_an_old_link_to_a_part_opens_its_node(visit, trace):
    row = trace.tree.child_rows(0)[1]
    shows_step(visit(f"{SEARCH}&focus={row}"), trace, trace.leave(row))
