"""The pictures of the tree on the page Step: what is written in them, read from the canvas."""

import pytest
from playwright.sync_api import expect

from tests.browser.viewer import EXAMPLE, VIEW, at_step, press_keys, wait_for_frames
from tests.support.marks import mostly_slow

TEXTBOOK = "?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end"
CUT = 17  # the step of its cutoff
SPY = """
const real = CanvasRenderingContext2D.prototype.fillText;
window.drawn = [];
CanvasRenderingContext2D.prototype.clearRect = ((clear) => function (...box) {
  if (this.canvas.dataset.part === "tree") window.drawn = [];
  return clear.apply(this, box);
})(CanvasRenderingContext2D.prototype.clearRect);
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]);
  const width = this.measureText(text).width;
  const left = this.textAlign === "center" ? x - width / 2 : this.textAlign === "right" ? x - width : x;
  const box = { text, size, left, right: left + width, top: y - size, bottom: y };
  if (this.canvas.dataset.part === "tree") window.drawn.push(box);
  return real.call(this, text, x, y);
};
null;
"""


@pytest.fixture
def drawn(visit):
    """Opens a page; the labels of its tree after a step, in one of the views."""

    def drawn(address, step, view, **options):
        page = visit(f"{address}&step={step - 1}", **options)
        page.evaluate(SPY)
        page.locator(f"[data-view={view}]").click()
        press_keys(page, "ArrowRight")
        at_step(page, step)
        wait_for_frames(page)
        return page, page.evaluate("window.drawn")

    return drawn


def label_texts(labels):
    return [label["text"] for label in labels]


@pytest.mark.slow
@pytest.mark.parametrize("step", [301, 117])
def test_labels_of_the_path_view_are_readable(drawn, step):
    """Every text drawn at K=3 is at least 10 px, and none lies on another."""
    _, labels = drawn(EXAMPLE, step, "path")
    assert len(labels) > 20
    assert min(label["size"] for label in labels) >= 10
    for index, one in enumerate(labels):
        for other in labels[:index]:
            apart = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"], (one, other)


@pytest.mark.parametrize("view", ["path", "whole"])
def test_a_cutoff_shows_what_is_compared_where_the_bound_comes_from_and_what_ancestors_are_sure_of(drawn, view):
    _, labels = drawn(TEXTBOOK, CUT, view)
    assert {"2 ≤ α = 3", "α = 3", "≥ 3 so far"} <= set(label_texts(labels))
    assert {"▲ ", "MAX", "▼ ", "MIN", "depth 0", "depth 1", "depth 2"} <= set(label_texts(labels))


@pytest.mark.parametrize(("view", "ghosts"), [("path", {"would be 4", "would be 6"}), ("whole", {"(4)", "(6)"})])
def test_skipped_moves_show_their_true_values_once_they_are_skipped(drawn, view, ghosts):
    page, labels = drawn(TEXTBOOK, CUT, view)
    assert ghosts <= set(label_texts(labels))
    press_keys(page, "ArrowLeft")
    at_step(page, CUT - 1)
    page.wait_for_function("() => !window.drawn.some((label) => /^would be|^[(]/.test(label.text))")


@pytest.mark.parametrize("view", mostly_slow(["path", "whole"], quick=1))
def test_what_an_ancestor_is_sure_of_has_the_sign_of_its_side(drawn, view):
    game = "?game=tree:[[[8,5],[3,2]],[[6,7],[4,1]]]&moves=&depth=end"
    _, labels = drawn(game, 16, view)  # MAX, first of all, then MIN have a value
    assert "≤ 8 so far" in label_texts(labels)
    assert not any("≥ 8 so far" in text for text in label_texts(labels))


def test_a_cut_node_that_is_pointed_at_shows_its_cause_at_any_later_step(drawn):
    page, labels = drawn(TEXTBOOK, 30, "whole")
    assert "2 ≤ α = 3" not in label_texts(labels)
    x = page.evaluate(f"(({{ layout, camera }}) => layout.x[5] * camera.scale + camera.shift)({VIEW}.treeCamera)")
    y = next(label["bottom"] for label in labels if label["text"] == "depth 1") - 13
    larger = page.evaluate(f"{VIEW}.part('tree').magnification")
    box = page.locator("[data-part=tree]").bounding_box()
    page.mouse.move(box["x"] + x * larger, box["y"] + y * larger)
    page.wait_for_function("() => window.drawn.some((label) => label.text === '2 ≤ α = 3')")
    expect(page.locator("[data-part=tip] .cutoff-reason")).to_contain_text("MIN can already get 2 here")
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] + 200)
    page.wait_for_function("() => !window.drawn.some((label) => label.text === '2 ≤ α = 3')")


def test_why_a_leaf_is_worth_its_value_in_words_and_on_the_board(visit):
    page = visit(EXAMPLE + "&step=4")
    page.get_by_role("button", name="Why 5?").first.click()
    expect(page.locator("[data-part=breakdown]")).to_contain_text("5 for MAX is the sum of these parts: MAX +17, MIN −12.")
    row_of_max = page.locator("[data-part=breakdown] li", has_text="MAX has a chain of 1 along a row with 4 free cells: 1 × 4")
    row_of_max.hover()
    expect(page.locator("[data-part=board] .part")).to_have_count(1)
    page.mouse.move(5, 5)
    expect(page.locator("[data-part=board] .part")).to_have_count(0)
    at_step(page, 4)
    press_keys(page, "ArrowRight")
    expect(page.locator("[data-part=explain]")).to_be_hidden()


def test_no_leaf_of_a_literal_tree_is_asked_why(visit):
    page = visit(TEXTBOOK + "&step=3")
    expect(page.locator("[data-part=explain]")).to_be_hidden()


def test_the_legend_names_the_marks_in_use_and_stays_closed(visit):
    page = visit(TEXTBOOK + f"&step={CUT}")
    legend = page.locator("[data-part=legend]")
    expect(legend).to_contain_text("cause of the cutoff")
    expect(legend).not_to_contain_text("best line")
    page.locator("[data-part=bestLine]").click()
    expect(legend).to_contain_text("best line")
    page.get_by_role("button", name="Hide the legend").click()
    expect(legend).to_be_hidden()
    page.reload()
    page.locator(".ps[data-step]").wait_for()
    expect(legend).to_be_hidden()
    page.locator("[data-part=legendButton]").click()
    expect(legend).to_be_visible()
