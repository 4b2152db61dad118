"""The overview on Step, in a real browser: what it draws, what a click opens, and what a link keeps."""

from playwright.sync_api import expect

from engine import preset, search
from engine.tree.trace import Trace
from tests.browser.viewer import VIEW, at_step, press_keys

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
