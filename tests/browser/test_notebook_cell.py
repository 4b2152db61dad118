"""The viewer in a notebook cell: its state is that of the model, and it fits the cell."""

import pytest
from playwright.sync_api import expect

from engine import Trace, literal, preset, search
from tests.browser.notebook_hosts import open_cell  # noqa: F401 - a fixture
from tests.browser.viewer import at_step, number_text, press_keys
from visualizer.viewer.breakdown_data import build_breakdown


def read_state(page):
    return page.evaluate("['step', 'view', 'selection'].map((name) => model.get(name))")


def wait_for_state(page, step, view, selection):
    page.wait_for_function(
        "(wanted) => JSON.stringify(['step', 'view', 'selection'].map((name) => model.get(name))) === JSON.stringify(wanted)",
        arg=[step, view, selection],
    )


def test_python_and_the_browser_see_the_same_state(open_cell):  # noqa: F811 - a fixture
    tree = search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    page = open_cell(tree.view(step=17, view="path", selection=5))
    at_step(page, 17)
    wait_for_state(page, 17, "path", 5)
    press_keys(page, "ArrowRight")
    page.locator("[data-view=whole]").click()
    wait_for_state(page, 18, "whole", 5)
    page.evaluate("() => { model.set('step', 3); model.set('view', 'text'); model.set('selection', null); }")  # as Python does
    at_step(page, 3)
    expect(page.locator("[data-view=text]")).to_have_attribute("aria-pressed", "true")
    wait_for_state(page, 3, "text", None)
    page.evaluate("model.set('selection', 1)")
    expect(page.locator("[data-tab=node]")).to_have_attribute("aria-selected", "true")
    wait_for_state(page, 3, "text", 1)
    page.evaluate("unmount()")
    expect(page.locator(".ps")).to_have_count(0)
    assert page.evaluate("Object.values(model.listeners).flat().length") == 0


def test_the_kernel_is_asked_why(open_cell):  # noqa: F811
    tree = search(preset("k-tables"), "3", depth=2)
    leaf = next(step for step in Trace(tree) if step.kind == "evaluate")
    page = open_cell(tree.view(step=leaf.number))
    page.locator("[data-part=explain]").click()
    assert page.evaluate("model.sent") == [{"request": "why", "node": int(leaf.node)}]
    answer = {"breakdown": build_breakdown(tree, int(leaf.node))}
    page.evaluate("(answer) => model.listeners['msg:custom'].forEach((listener) => listener(answer))", answer)
    expect(page.locator(".breakdown h4")).to_have_text(f"Why {number_text(leaf.value)}?")


@pytest.mark.parametrize("width", [400, 930, 1400])
def test_the_viewer_fits_its_cell_and_not_the_window(open_cell, width):  # noqa: F811
    page = open_cell(
        search(preset("k-tables"), "3", depth=3).view(step=17, height=420),
        width=f"{width}px",
        viewport={"width": 1600, "height": 900},
    )
    box = page.locator(".ps").bounding_box()
    assert box["width"] == width
    assert page.evaluate("document.documentElement.scrollWidth") <= 1600
    if width > 760:
        assert box["height"] == 420
    parts = [page.locator(f"[data-part={name}]").bounding_box() for name in ("sentence", "stage", "buttons", "timeline")]
    assert all(part["x"] >= box["x"] and part["x"] + part["width"] <= box["x"] + box["width"] + 1 for part in parts)
    assert parts[1]["height"] > 170
    page.keyboard.press("Tab")
    press_keys(page, "f")
    expect(page.locator(".ps.lecture")).to_be_visible()
    assert page.locator(".ps").bounding_box()["width"] == 1600
