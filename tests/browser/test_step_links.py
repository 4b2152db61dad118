"""A link to the page Step opens what was seen."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.viewer import EXAMPLE, VIEW, at_step, press_keys
from visualizer.viewer.module_joiner import ASSETS
from visualizer.viewer.viewer_params import ITERATION_PARAMS, VIEWER_PARAM_NAMES, VIEWER_PARAMS

SEEN = f"""() => {{
  const view = {VIEW};
  const {{ viewName, tab, selected, t, treeCamera: {{ camera }} }} = view;
  return {{ viewName, tab, selected, t, camera: [camera?.scale, camera?.shift].map((x) => x && Math.round(x * 10) / 10),
    folded: [...view.folded], best: Boolean(view.principal), lecture: view.lecture.on }};
}}"""


def viewer_params(url):
    return {name: texts[0] for name, texts in parse_qs(urlsplit(url).query).items() if name in VIEWER_PARAM_NAMES}


def fold_node(page, row):
    page.evaluate(f"{VIEW}.select({row})")
    page.locator("[data-node-action=fold]").click()


def test_a_link_opens_what_was_seen(visit):
    page = visit(f"step{EXAMPLE}&step=300")
    assert urlsplit(page.url).path == "/"  # the first page has no name of its own
    fold_node(page, 1)
    page.locator("[data-part=plus]").click()
    page.locator("[data-part=plus]").click()
    page.locator("[data-part=bestLine]").click()  # shows all of it
    page.locator("[data-part=plus]").click()
    page.locator("[data-tab=stack]").click()
    press_keys(page, "ArrowRight")
    at_step(page, 301)
    page.wait_for_url(re.compile("step=301"))
    assert viewer_params(page.url).keys() == {"step", "view", "cam", "fold", "tab", "node", "best"}
    seen = page.evaluate(SEEN)
    assert (seen["viewName"], seen["folded"], seen["tab"], seen["selected"], seen["best"]) == ("whole", [1], "stack", 1, True)
    other = visit("?" + urlsplit(page.url).query)  # somebody else opens it
    at_step(other, 301)
    assert other.evaluate(SEEN) == seen
    smaller = visit("?" + urlsplit(page.url).query, viewport={"width": 1024, "height": 768})
    at_step(smaller, 301)
    middles = [
        open.evaluate(f"(() => {{ const {{ middle, across }} = {VIEW}.treeCamera.aim; return [middle, across] }})()")
        for open in (page, smaller)
    ]
    assert middles[0] == pytest.approx(middles[1], abs=0.01)


def test_a_lecture_can_be_linked_and_left(visit, trace):
    page = visit(EXAMPLE + "&step=300&view=text&lecture=1")
    page.locator(".ps.lecture").wait_for()
    expect(page.locator("[data-part=text]")).to_be_visible()
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.search.includes('lecture')")
    assert viewer_params(page.url) == {"step": "300", "view": "text"}


@pytest.mark.slow
def test_the_back_button_returns_to_what_was_seen(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-view=text]").click()
    page.locator("[data-tab=stack]").click()
    page.wait_for_url(re.compile("tab=stack"))
    page.get_by_test_id("stButtonGroup").get_by_text("Textbook tree").click()
    page.wait_for_url(re.compile("game=tree"))
    page.locator('[data-view=whole][aria-pressed="true"]').wait_for()
    assert not {"view", "tab"} & viewer_params(page.url).keys()  # another tree is seen as usual
    page.go_back()
    page.locator('[data-view=text][aria-pressed="true"]').wait_for()
    at_step(page, 300)
    assert page.evaluate(SEEN)["tab"] == "stack"


@pytest.mark.slow
def test_another_page_and_back_is_seen_as_before(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-view=text]").click()
    page.wait_for_url(re.compile("view=text"))
    page.get_by_role("link", name="About").click()
    page.get_by_text("Terms and symbols").wait_for()
    page.get_by_role("link", name="Step").click()
    page.locator('[data-view=text][aria-pressed="true"]').wait_for()
    at_step(page, 300)


def test_what_a_link_says_wrongly_is_told_and_left_out(visit):
    page = visit(EXAMPLE + "&step=300&view=<b>&cam=1e9,0&fold=99999&tab=stack&node=-1")
    note = page.locator("[data-part=toast]")
    expect(note).to_have_text("Parts of this link could not be used: view, cam, fold, node")
    at_step(page, 300)
    assert page.evaluate(SEEN)["tab"] == "stack"
    page.wait_for_function("() => !location.search.includes('cam')")


@pytest.mark.slow
def test_a_camera_from_far_away_still_shows_the_tree(visit):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&step=17&cam=-99999,0.001")
    scale, shift = page.evaluate(SEEN)["camera"]
    assert scale <= 400
    assert 0 <= 8 * scale + shift <= 1400 or 0 <= shift <= 1400


def test_every_parameter_has_a_codec_and_a_field_in_the_browser():
    codecs = re.findall(r"^  (\w+): \{", (ASSETS / "input/url_codec.js").read_text(), re.MULTILINE)
    saved = (ASSETS / "components/tree_viewer/saved_state.js").read_text()
    collected = saved[saved.index("function collectState") :].partition("\n  };")[0]
    state = re.findall(r"^    (\w+)(?=[,:])", collected, re.MULTILINE)
    assert {parameter.codec for parameter in (*VIEWER_PARAMS, *ITERATION_PARAMS)} == {*codecs}
    assert {parameter.field for parameter in VIEWER_PARAMS} == {*state}
    iterations = (ASSETS / "components/iteration_viewer/iteration_state.js").read_text()
    written = re.search(r"const state = \{(.*?)\}", iterations)[1] + "".join(re.findall(r"state\.(\w+ =)", iterations))
    assert {parameter.field for parameter in ITERATION_PARAMS} == {*re.findall(r"(\w+)(?=: | =)", written)}
