"""The overview on Step, in a real browser: what it draws, what a click opens, and what a link keeps.

A search of millions of nodes is stepped through and zoomed into like a small one.
"""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine import connect, preset, search
from engine.tree.breakpoints import Breakpoint, count_stops, next_stop
from engine.tree.trace import Trace
from tests.browser.viewer import VIEW, at_step, press_keys, step_of
from visualizer.narration.sentences import sentence

LARGE = "?game=k-tables&moves=3&algorithm=alphabeta&depth=7"  # more nodes than MIN_OVERVIEW_NODES in overview_panel.js
SMALL = "?game=k-tables&moves=3&algorithm=alphabeta&depth=4&view=overview&step=40"
NODE_AT = f"""([row]) => {{
    const view = {VIEW};
    const {{ layout, camera }} = view.treeCamera;
    const {{ left, right }} = layout.reach(row);
    const canvas = view.part("tree");
    const x = (left + right) / 2 * camera.scale + camera.shift;
    for (let y = 0; y < canvas.clientHeight; y++) {{
        if (view.nearest(x, y) === row) return [x * canvas.magnification, (y + 3) * canvas.magnification];
    }}
    return null;
}}"""
SHOWN_PART = f"{VIEW}.treeCamera.shownPart()"
MILLIONS = "?game=connect4&moves=3&algorithm=alphabeta&depth=11"
MIN_NODES = 5_000_000
WHOLE_PICTURE = f"() => {VIEW}.largeTree?.pictures.cells.whole"
FINE_PICTURE = f"""([least]) => {{
    const {{ treeCamera: {{ camera }}, largeTree: {{ pictures }} }} = {VIEW};
    const detail = pictures.cells.detail;
    return camera.scale > least && detail && Math.abs(detail.scale / camera.scale - 1) < 0.02;
}}"""
SAVED_CAMERA = """() => {
    const saved = new URLSearchParams(location.search).get("cam");
    const isSame = saved && saved === window.lastSaved?.text;
    if (!isSame) window.lastSaved = { text: saved, at: Date.now() };
    return isSame && Date.now() - window.lastSaved.at > 2000;  // the address follows the camera with a delay
}"""
DROP_TREE_ONCE = f"""() => {{
    const {{ host }} = {VIEW};
    const [send, fetchFromServer] = [host.request, window.fetch];
    host.request = (wish, ...rest) => {{
        window.wish = wish;
        send(wish, ...rest);
    }};
    window.treeQueries = [];
    window.fetch = (address, ...rest) => {{
        if (!String(address).includes("plyscope-tree")) return fetchFromServer(address, ...rest);
        treeQueries.push(address);
        if (treeQueries.length > 1) return fetchFromServer(address, ...rest);
        return Promise.resolve(new Response(null, {{ status: 404 }}));
    }};
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


def is_pressed(page, view):
    expect(page.locator(f"[data-view={view}]")).to_have_attribute("aria-pressed", "true")


def test_a_large_search_opens_with_its_overview(visit):
    page = visit(f"{LARGE}&step=0")
    is_pressed(page, "overview")
    assert page.evaluate(f"{VIEW}.tree.count") > 20_000
    expect(page.locator("[data-part=legend]")).to_contain_text("cutoff")
    press_keys(page, "v", "v", "v", "v")
    is_pressed(page, "whole")


def test_a_click_on_a_bar_opens_the_path_at_the_step_that_entered_the_node(visit):
    tree = search(preset("k-tables"), "3", 4)
    row = tree.child_rows(0)[-1]
    page = visit(SMALL)
    is_pressed(page, "overview")
    x, y = page.evaluate(NODE_AT, [row])
    canvas = page.locator("[data-part=tree]")
    canvas.hover(position={"x": x, "y": y})
    expect(page.locator("[data-part=tip]")).to_contain_text(f"{tree[row].size - 1:,} nodes below")
    canvas.click(position={"x": x, "y": y})
    is_pressed(page, "path")
    at_step(page, Trace(tree).enter(row))


def test_a_link_keeps_zoom_and_colour(visit):
    page = visit(SMALL)
    page.locator("[data-part=legend] select").select_option("value")
    expect(page.locator("[data-part=legend]")).to_contain_text("as the root")
    press_keys(page, "+", "+")
    page.wait_for_function("() => location.search.includes('cam=') && location.search.includes('colour=value')")
    page.reload()
    page.locator(".ps[data-step]").wait_for()
    is_pressed(page, "overview")
    expect(page.locator("[data-part=legend] select")).to_have_value("value")
    page.wait_for_function(f"() => {VIEW}.treeCamera.shownPart()?.to < 1")
    before = page.evaluate(SHOWN_PART)
    box = page.locator("[data-part=timeline]").bounding_box()
    x, y = box["x"] + (before["from"] + before["to"]) / 2 * box["width"], box["y"] + 20
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + box["width"] / 10, y, steps=3)
    page.mouse.up()
    after = page.evaluate(SHOWN_PART)
    assert after["from"] - before["from"] == pytest.approx(0.1, abs=0.01), "the frame on the timeline can be dragged"
    at_step(page, 40)


def test_a_brushed_range_restricts_cutoffs_and_counts_and_stays_in_the_link(visit):
    tree = search(preset("k-tables"), "3", 4)
    trace = Trace(tree)
    page = visit(SMALL)
    is_pressed(page, "overview")
    box = page.locator("[data-part=tree]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.keyboard.down("Shift")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page.locator("[data-part=range]")).to_contain_text("Nodes")
    first, last = page.evaluate(f"[{VIEW}.stepRange.current.first, {VIEW}.stepRange.current.last]")
    assert 0 < first < last < len(tree)
    counts = page.locator("[data-part=count]")
    expect(counts).to_contain_text(f"in the range {last - first} nodes · {tree.pruned[first:last].sum()} cutoffs")
    at_step(page, 40)
    press_keys(page, "n")
    at_step(page, trace.next("cutoff", trace.enter(first) - 1))
    press_keys(page, "End", "p")
    at_step(page, trace.previous("cutoff", trace.enter(last)))
    press_keys(page, "n")
    expect(page.locator("[data-part=toast]")).to_contain_text("no next cutoff in this range")
    page.wait_for_function(f"() => location.search.includes('range={first}-{last}')")
    page.reload()
    expect(page.locator("[data-part=range]")).to_be_visible()
    page.locator("[data-part=range]").click()
    expect(counts).not_to_contain_text("range")


def test_predictions_are_not_given_away(visit):
    page = visit(SMALL)
    page.locator("[data-part=more] summary").click()
    page.locator("[data-mode=predict]").click()
    x, y = page.evaluate(NODE_AT, [search(preset("k-tables"), "3", 4).child_rows(0)[-1]])
    page.locator("[data-part=tree]").hover(position={"x": x, "y": y})
    expect(page.locator("[data-part=tip]")).not_to_have_class("tip shown")


# ---- millions of nodes


@pytest.fixture(scope="module")
def trace():
    """The search of MILLIONS."""
    tree = search(connect(), "3", depth=11)
    assert len(tree) > MIN_NODES
    return Trace(tree)


def shows_step(page, trace, number):
    """The page shows this step, with the words of the engine."""
    at_step(page, number)
    expect(page.locator("[data-part=sentence]")).to_have_text(sentence(trace[number]))


def test_millions_of_nodes_are_stepped_through_like_a_few(visit, trace):
    start = len(trace) // 2
    page = visit(f"{MILLIONS}&view=path&step={start}")
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


def test_breakpoints_pause_anywhere_in_millions_of_nodes(visit, trace):
    start, value = len(trace) // 2, 30
    stops = [Breakpoint("depth", 1), Breakpoint("value", value)]
    page = visit(f"{MILLIONS}&view=path&step={start}&tab=marks")
    at_step(page, start)
    page.locator("[data-tab=marks]").click()
    for kind, at in stops:
        page.locator("[data-part=stopKind]").select_option(kind)
        page.locator("[data-part=stopAt]").fill(str(at))
        page.locator("[data-part=stopAt]").press("Enter")
        words = f"{kind} {at} ({count_stops(trace, Breakpoint(kind, at)):,} steps)"
        expect(page.locator("[data-part=stops]")).to_contain_text(words)
    page.evaluate(f"Object.assign({VIEW}, {{ speed: 1e9 }})")
    for _ in range(2):
        expected = min(next_stop(trace, stop, start) for stop in stops)
        page.locator("[data-action=play]").click()
        shows_step(page, trace, expected)
        start = expected


def test_an_overview_of_millions_is_zoomed_and_opens_any_node(visit, trace):
    tree = trace.tree
    page = visit(f"{MILLIONS}&step={len(trace) // 2}")
    expect(page.locator("[data-view=overview]")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(WHOLE_PICTURE)
    assert page.evaluate(f"{VIEW}.tree.count") < 20_000  # only a block is here
    classes = page.evaluate(f"{VIEW}.largeTree.pictures.cells.whole.classes")
    assert sum(one["count"] for one in classes) == len(tree)
    assert next(one["count"] for one in classes if one["label"].startswith("cutoff")) == tree.cutoffs
    press_keys(page, *["+"] * 12)
    page.wait_for_function(FINE_PICTURE, arg=[1e-3])
    page.wait_for_function(SAVED_CAMERA)
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


def test_a_tree_that_the_server_has_dropped_is_made_again(visit, trace):
    """The viewer tells the page, which runs again and makes the tree, and asks until it is there."""
    start = len(trace) // 2
    page = visit(f"{MILLIONS}&view=path&step={start}")
    shows_step(page, trace, start)
    page.evaluate(DROP_TREE_ONCE)
    page.evaluate(f"(step) => {VIEW}.go(step)", start // 2)
    shows_step(page, trace, start // 2)
    assert page.evaluate("wish") == "lost"
    assert page.evaluate("treeQueries.length") > 1


@pytest.mark.slow
def test_an_old_link_to_a_part_opens_its_node(visit, trace):
    row = trace.tree.child_rows(0)[1]
    shows_step(visit(f"{MILLIONS}&focus={row}"), trace, trace.leave(row))


def test_the_picture_beside_minimax_is_read_on_a_phone(visit):
    page = visit("?game=k-tables&moves=3&algorithm=alphabeta&depth=5", viewport={"width": 380, "height": 740})
    page.get_by_role("button", name="Beside minimax").click()
    picture = page.get_by_role("dialog").locator("img")
    assert picture.evaluate("(picture) => picture.getBoundingClientRect().width") >= 600  # it is scrolled
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
