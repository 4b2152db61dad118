"""In the path view no line runs through a label and no ring around a node, and labels keep apart, on a phone either."""

from itertools import combinations

import pytest

from tests.browser.viewer import VIEW, at_step, press_keys, wait_for_frames
from tests.support.marks import mostly_slow

SPY = """
const pen = CanvasRenderingContext2D.prototype, path = Path2D.prototype;
const ways = new WeakMap();
window.labels = []; window.lines = []; window.rings = [];
const wrap = (owner, name, also) => {
  const real = owner[name];
  owner[name] = function (...given) { also.call(this, ...given); return real.apply(this, given); };
};
const ours = (it) => it.canvas.dataset.part === "tree";
wrap(pen, "clearRect", function () { if (ours(this)) window.labels = [], window.lines = [], window.rings = []; });
wrap(path, "moveTo", function (x, y) { ways.set(this, [...(ways.get(this) ?? []), [null, x, y]]); });
const goOn = function (x, y) { const way = ways.get(this); way.push([way.at(-1).slice(-2), x, y]); };
wrap(path, "lineTo", goOn);
wrap(path, "quadraticCurveTo", function (a, b, x, y) { goOn.call(this, x, y); });
wrap(pen, "stroke", function (way) {
  if (ours(this) && way instanceof Path2D) window.lines.push(...(ways.get(way) ?? []).filter(([from]) => from));
});
wrap(pen, "arc", function (x, y, radius) { if (ours(this)) window.rings.push([x, y, radius]); });
wrap(pen, "fillText", function (text, x, y) {
  if (!ours(this)) return;
  const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]);
  const { width } = this.measureText(text);
  const left = this.textAlign === "center" ? x - width / 2 : this.textAlign === "right" ? x - width : x;
  window.labels.push({ text, left, right: left + width, top: y - size * 0.72, bottom: y });
});
null;
"""
PLACES = {
    "tic-tac-toe": ("?game=tictactoe&moves=402&algorithm=alphabeta&depth=5", 200, 1280),
    "tic-tac-toe on a phone": ("?game=tictactoe&moves=402&algorithm=alphabeta&depth=5", 200, 380),
    "k-tables on a phone": ("?game=k-tables&moves=3&algorithm=alphabeta&depth=4", 300, 380),
    "the start of k-tables on a phone": ("?game=k-tables&moves=3&algorithm=alphabeta&depth=4", 12, 380),
    "the edge of a phone": ("?game=k-tables&moves=3&algorithm=alphabeta&depth=3", 22, 380),
}


CROWDED = {
    "bounds on a phone": ("?game=connect4&moves=&algorithm=alphabeta&depth=4", 300, 380),
    "a leaf of a pass on a phone": ("?game=connect4&moves=&algorithm=mtdf&depth=4", 401, 380),
    "passes on a phone": ("?game=connect4&moves=&algorithm=mtdf&depth=4", 2180, 380),
    "probes on a phone": ("?game=connect4&moves=&algorithm=pvs&depth=4", 300, 380),
    "a leaf of a pass": ("?game=connect4&moves=&algorithm=mtdf&depth=4", 401, 1280),
    "the bound that a pass started with": ("?game=connect4&moves=4354&algorithm=mtdf&depth=3", 15, 1280),
    "three lines beside a node": ("?game=connect4&moves=4354&algorithm=table&depth=4", 300, 1280),
    "the two labels of a cutoff": ("?game=long-state&depth=4", 43, 1280),
}


WHOLE_TREES = {
    "a bound left of its node": ("?game=nim:1,2,3", 31, 1280),
    "the move of the current node": ("?game=pig:target=12,die=3&algorithm=star1&depth=5", 60, 1280),
    "the value of the current node": ("?game=tictactoe&moves=4081&algorithm=alphabeta&depth=5", 18, 1280),
    "passes on a phone": ("?game=connect4&moves=&algorithm=mtdf&depth=4", 2180, 380),
}


def draw_step_labels(visit, address, step, width, view="path"):
    page = visit(f"{address}&step={step - 1}", viewport={"width": width, "height": 800})
    page.evaluate(SPY)
    page.locator(f"[data-view={view}]").click()
    press_keys(page, "ArrowRight")
    at_step(page, step)
    wait_for_frames(page)
    labels, lines, rings = page.evaluate("[window.labels, window.lines, window.rings]")
    assert len(labels) > 10
    return page, labels, lines, rings


@pytest.mark.parametrize("name", mostly_slow(CROWDED, quick=1))
def test_labels_keep_apart(visit, name):
    _, labels, _, _ = draw_step_labels(visit, *CROWDED[name])
    for one, other in combinations([label for label in labels if label["text"].strip()], 2):
        across = min(one["right"], other["right"]) - max(one["left"], other["left"])
        down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
        assert across <= 1 or down <= 1, (one, other)


ITERATIONS = {
    "one move at the root": ("?game=pig:target=12,die=3&algorithm=mcts&iterations=300&seed=0&iteration=200&phase=simulate", 1280),
    "nine moves on a phone": ("?game=tictactoe&moves=&algorithm=mcts&iterations=60&seed=7&iteration=31&phase=select", 380),
}


@pytest.mark.parametrize("name", ITERATIONS)
def test_labels_of_iterations_keep_apart(visit, name):
    address, width = ITERATIONS[name]
    page = visit(address, viewport={"width": width, "height": 720})
    page.evaluate(SPY)
    page.locator("[data-part=legendButton]").click()  # draws
    wait_for_frames(page)
    labels = page.evaluate("window.labels")
    assert len(labels) > 10
    assert "roll" in [label["text"] for label in labels] or width == 380
    for one, other in combinations(labels, 2):
        across = min(one["right"], other["right"]) - max(one["left"], other["left"])
        down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
        assert across <= 1 or down <= 1, (one, other)


def test_passes_close_together_are_named_by_their_numbers(visit):
    _, labels, _, _ = draw_step_labels(visit, *CROWDED["passes on a phone"])
    texts = [label["text"] for label in labels]
    assert {"1", "2", "3", "4", "5"} <= {*texts}
    assert not [text for text in texts if text.startswith("pass")]  # "pass 4" beside "5" reads as "pass 45"


def test_the_sum_at_a_chance_node_is_not_covered_by_the_next_node(visit):
    address = "?game=against-random:tictactoe&algorithm=expectiminimax&depth=3"
    _, labels, _, nodes = draw_step_labels(visit, address, 40, 1366)
    [label] = [label for label in labels if label["text"].startswith("sum 0 (1 of 8)")]
    for x, y, radius in nodes:
        covers = x + radius > label["left"] and x - radius < label["right"]
        assert not (covers and y + radius > label["top"] and y - radius < label["bottom"]), (label, x, y, radius)


def test_what_a_node_is_sure_of_is_so_far_also_where_the_next_node_is_near(visit):
    _, labels, _, _ = draw_step_labels(visit, "?game=connect4&moves=4354&algorithm=alphabeta&depth=3", 60, 1280)
    [bound] = [label for label in labels if label["text"] == "≥ −430"]
    [words] = [label for label in labels if label["text"] == "so far"]
    assert words["left"] == bound["left"]
    assert words["top"] >= bound["bottom"]


@pytest.mark.parametrize("name", WHOLE_TREES)
def test_labels_of_the_whole_tree_keep_clear_of_nodes_and_rings(visit, name):
    page, labels, _, rings = draw_step_labels(visit, *WHOLE_TREES[name], view="whole")
    first = f"(({{ layout, camera }}) => layout.x[layout.levels[2][0]] * camera.scale + camera.shift)({VIEW}.treeCamera)"
    for label in labels:
        if label["text"] == "≥ 0 so far":  # of the first node of its level
            assert label["right"] < page.evaluate(first)
        for x, y, radius in rings:
            across = min(label["right"], x + radius) - max(label["left"], x - radius)
            assert across <= 1 or label["top"] >= y + radius - 2 or label["bottom"] <= y - radius + 2, (label, x, y, radius)
    passes = [label for label in labels if label["text"].startswith("pass ")]
    for one, other in combinations(passes, 2):
        assert one["right"] <= other["left"] or other["right"] <= one["left"]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLACES)
def test_no_line_runs_through_a_label(visit, name):
    page, labels, lines, rings = draw_step_labels(visit, *PLACES[name])
    canvas = page.locator("canvas[data-part=tree]").bounding_box()["width"]
    assert all(label["left"] >= 0 and label["right"] <= canvas for label in labels)
    assert len(lines) > 10
    for label in labels:
        for (x, y), to_x, to_y in lines:
            for at in range(101):
                on_x, on_y = x + (to_x - x) * at / 100, y + (to_y - y) * at / 100
                inside = label["left"] < on_x < label["right"] and label["top"] < on_y < label["bottom"]
                assert not inside, (label, x, y, to_x, to_y)
        for x, y, radius in rings:
            near_x = min(max(x, label["left"]), label["right"])
            near_y = min(max(y, label["top"]), label["bottom"])
            assert (near_x - x) ** 2 + (near_y - y) ** 2 >= (radius - 1) ** 2, (label, x, y, radius)
