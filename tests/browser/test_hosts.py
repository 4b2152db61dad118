"""One viewer, everywhere: the same scenario in every host. A host is a fixture that opens the textbook tree."""

import pytest
from playwright.sync_api import expect

from engine import Trace, compare, literal, preset, search
from engine.learning.exercise import answer_key, make_exercise
from tests.browser.notebook_hosts import (  # noqa: F401 - fixtures
    in_a_cell,
    in_jupyterlab,
    in_marimo,
    in_notebook_7,
    jupyterlab,
    open_cell,
    open_notebook,
)
from tests.browser.viewer import at_step, number_text, press_keys, read_sentence
from visualizer import export, sentence
from visualizer.viewer.interactive.exercise_page import write_exercise
from visualizer.viewer.interactive.pair_page import write_pair

TREE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
DARK_ENOUGH = 40  # of 255
BACKGROUNDS = """(node) => {
  while (!node.view) node = node.parentNode ?? node.host;
  return [node.view.theme.background, getComputedStyle(node.view.root).backgroundColor];
}"""  # of the tree and of all around it


@pytest.fixture(scope="module")
def trace():
    return Trace(search(literal(TREE)))


@pytest.fixture
def on_the_page(visit):
    """The Streamlit page."""
    return lambda **options: visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&algorithm=alphabeta", **options)


@pytest.fixture
def in_a_file(open_page, trace, tmp_path):
    """One file, opened from the disk without a network."""
    export(trace.tree, tmp_path / "tree.html", interactive=True)
    return lambda **options: open_page((tmp_path / "tree.html").as_uri(), offline=True, **options)


@pytest.mark.parametrize("width", [780, 1000])
def test_all_tools_are_in_a_narrow_page(in_a_file, width):
    page = in_a_file(viewport={"width": width, "height": 700})
    tools = page.locator(".tools button:visible")
    assert tools.count() > 6
    boxes = [tool.bounding_box() for tool in tools.all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)


NOTEBOOKS = ["in_jupyterlab", "in_notebook_7", "in_marimo"]
HOSTS = ["on_the_page", "in_a_file", "in_a_cell", *(pytest.param(host, marks=pytest.mark.slow) for host in NOTEBOOKS)]


@pytest.mark.parametrize("host", HOSTS)
def test_the_viewer_does_the_same_in_every_host(host, request, trace):
    page = request.getfixturevalue(host)(color_scheme="dark", reduced_motion="no-preference")
    first_cutoff = next(step.number for step in trace if step.kind == "cutoff")
    at_step(page, first_cutoff)  # it has played up to here
    assert read_sentence(page) == sentence(trace[first_cutoff])
    middle = len(trace) // 2
    scrub(page, middle / (len(trace) - 1))
    at_step(page, middle)
    assert read_sentence(page) == sentence(trace[middle])
    predict(page)
    press_keys(page, "Home", "n")
    at_step(page, first_cutoff)
    press_keys(page, "f")
    expect(page.locator(".ps.lecture")).to_be_visible()
    page.keyboard.press("ArrowRight")
    at_step(page, first_cutoff + 1)
    page.keyboard.press("Escape")
    expect(page.locator(".ps.lecture")).to_have_count(0)
    for colour in page.locator(".ps[data-step]").evaluate(BACKGROUNDS):
        assert brightness(colour) < DARK_ENOUGH


def scrub(page, share):
    """Press the timeline at a share of its width."""
    box = page.locator("[data-part=timeline]").bounding_box()
    page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)


def predict(page):
    """Answer one question, and end the questions."""
    more = page.locator("[data-part=more] summary")
    more.click()
    page.locator("[data-mode=predict]").click()
    expect(page.locator("[data-part=question]")).to_contain_text("?")
    page.keyboard.press("1")
    expect(page.locator("[data-part=question]")).to_contain_text("of 1 correct")
    more.click()
    page.locator("[data-mode=predict]").click()
    expect(page.locator("[data-part=prediction]")).to_be_hidden()


def brightness(colour):
    """Return the brightest part of a colour, #rrggbb or rgb(…)."""
    if colour.startswith("#"):
        return max(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return max(int(part) for part in colour.strip("rgba() ").split(",")[:3])


def test_in_a_file_keys_work_before_any_click_and_the_address_keeps_the_step(in_a_file, trace):
    page = in_a_file()
    first_cutoff = next(step.number for step in trace if step.kind == "cutoff")
    at_step(page, first_cutoff)
    page.keyboard.press("ArrowRight")
    at_step(page, first_cutoff + 1)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("End")
    at_step(page, len(trace) - 1)
    page.wait_for_function(f"() => location.hash === '#step={len(trace) - 1}'")
    page.evaluate("location.hash = 'step=3&view=path'")
    at_step(page, 3)
    expect(page.locator("[data-view=path]")).to_have_attribute("aria-pressed", "true")
    for button in ("export", "open", "why"):  # no server could answer
        expect(page.locator(f"[data-node-action={button}]")).to_be_hidden()
    page.locator("#theme").click()
    assert brightness(page.evaluate("getComputedStyle(document.body).backgroundColor")) < DARK_ENOUGH


def test_a_file_explains_values_of_leaves(open_page, tmp_path):
    tree = search(preset("k-tables"), "3", depth=2)
    export(tree, tmp_path / "tree.html", interactive=True)
    leaf = next(step for step in Trace(tree) if step.kind == "evaluate")
    page = open_page(f"{(tmp_path / 'tree.html').as_uri()}#step={leaf.number}", offline=True)
    page.locator("[data-part=explain]").click()
    value = number_text(leaf.value)
    expect(page.locator(".breakdown h4")).to_have_text(f"Why {value}?")
    expect(page.locator(".breakdown li").first).to_be_visible()


@pytest.mark.slow
def test_the_page_offers_its_search_as_a_file(on_the_page, open_page, trace, tmp_path):
    page = on_the_page()
    page.get_by_test_id("stPopoverButton").filter(has_text="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Interactive page").click()
    assert download.value.suggested_filename == "tree-alphabeta-interactive.html"
    download.value.save_as(tmp_path / "tree.html")
    opened = open_page((tmp_path / "tree.html").as_uri(), offline=True)
    assert read_sentence(opened) == read_sentence(page)


def test_without_javascript_a_file_shows_a_picture(browser, trace, tmp_path):
    export(trace.tree, tmp_path / "tree.html", interactive=True)
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((tmp_path / "tree.html").as_uri())
    expect(page.locator("svg.ply")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    assert page.locator("svg.ply .max").first.evaluate("e => getComputedStyle(e).stroke") == "rgb(0, 114, 178)"
    page.context.close()


def test_an_exercise_in_a_file_is_graded_there(open_page, tmp_path):
    exercise = make_exercise("pruned", 7)
    (tmp_path / "exercise.html").write_bytes(write_exercise(exercise))
    page = open_page((tmp_path / "exercise.html").as_uri(), ready=".learn .node >> nth=0", offline=True)
    page.locator("[data-action=check]").click()
    expect(page.locator(".feedback")).to_contain_text(f"0 of {len(answer_key(exercise))} point")
    expect(page.locator(".corrections li").first).to_contain_text("never visited")
    page.locator("[data-action=clear]").click()
    for part in answer_key(exercise):
        node = page.locator(".tree .node").nth(int(part))
        if node.get_attribute("aria-pressed") != "true":
            node.click()
    page.locator("[data-action=check]").click()
    expect(page.locator(".feedback")).to_contain_text(" right.")
    for action in ("hint", "new", "next", "summary"):
        expect(page.locator(f"[data-action={action}]")).to_be_hidden()


@pytest.mark.parametrize("algorithms", ["minimax,alphabeta", "alphabeta,pvs"])
def test_two_searches_in_a_file_are_stepped_together(open_page, tmp_path, algorithms):
    (tmp_path / "pair.html").write_bytes(write_pair(compare(literal(TREE), None, None, algorithms, repeat=1)))
    page = open_page((tmp_path / "pair.html").as_uri(), ready=".two-panes[data-step]", offline=True)
    page.keyboard.press("Home")  # before any click
    at_step(page, 0)
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    assert read_sentence(page)
    for canvas in page.locator("canvas").all():
        expect(canvas).to_be_visible()


def test_a_frame_shows_the_viewer_without_navigation(visit, trace):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&algorithm=alphabeta&frame=1&step=3")
    at_step(page, 3)
    for part in ("stHeader", "stButtonGroup", "stPopoverButton"):
        expect(page.get_by_test_id(part).locator("visible=true")).to_have_count(0)
    press_keys(page, "End")
    at_step(page, len(trace) - 1)
    page.wait_for_function(f"() => location.search.includes('frame=1') && location.search.includes('step={len(trace) - 1}')")
    link = page.get_by_role("link", name="Open in Plyscope")
    assert "frame" not in link.get_attribute("href")
    assert "game=tree" in link.get_attribute("href")
