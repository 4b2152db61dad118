"""The app in a real browser: Debian's chromium, driven by playwright. Skipped with a message where there is none."""

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from engine import Trace, connect, preset, search
from visualizer.explain import sentence

REQUIRED = os.environ.get("PLYSCOPE_BROWSER") == "required"  # set in CI: a missing browser is a failure there
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
VIEW = "[...document.querySelectorAll('*')].map((e) => e.shadowRoot).find((r) => r?.querySelector('.ps .main, .duo'))?.view"
EXAMPLE = "?game=k-tables&moves=3&algorithm=alphabeta&depth=3"

if not CHROMIUM and not REQUIRED:
    pytest.skip("no chromium here: the browser tests are skipped", allow_module_level=True)


@pytest.fixture(scope="module")
def trace():
    return Trace(search(preset("k-tables"), "3", depth=3))


@pytest.fixture(scope="module")
def server():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "visualizer.cli", "app", "--no-browser", "--port", str(port)])
    address = f"http://127.0.0.1:{port}/"
    for _ in range(150):
        try:
            urllib.request.urlopen(address + "_stcore/health", timeout=1)
            break
        except OSError:
            time.sleep(0.2)
    yield address
    process.terminate()
    process.wait(10)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser, server):
    """Opens a page; at the end, nothing may have gone wrong in it or gone out of it."""
    contexts, faults = [], []

    def visit(address="", ready=".ps[data-step]", **options):
        options = {"viewport": {"width": 1400, "height": 900}, "reduced_motion": "reduce", **options}
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(request.url) if leaves(request.url) else None)
        page.goto(server + address)
        page.locator(ready).wait_for(timeout=30_000)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert faults == []


def leaves(url):
    return not re.match(r"(http|ws)://127\.0\.0\.1|data:|blob:", url)


def step_of(page):
    return int(page.locator(".ps").get_attribute("data-step"))


def at_step(page, number):
    from playwright.sync_api import expect

    expect(page.locator(".ps")).to_have_attribute("data-step", str(number), timeout=10_000)


def said(page):
    return page.locator("[data-part=sentence]").inner_text()


def press(page, *keys):
    page.locator(".ps").focus()
    for key in keys:
        page.keyboard.press(key)


def test_it_opens_at_the_first_cutoff_and_says_why(visit, trace):
    page = visit()
    first = trace.next_cutoff(0)
    at_step(page, first)
    assert said(page) == sentence(trace[first])
    assert "not looked at" in said(page)


def test_it_plays_by_itself_and_stops_at_the_first_cutoff(visit, trace):
    page = visit(reduced_motion="no-preference")
    page.locator("[data-part=speed]").select_option("60")
    at_step(page, trace.next_cutoff(0))
    time.sleep(0.4)
    assert step_of(page) == trace.next_cutoff(0)


def test_keys(visit, trace):
    page = visit(EXAMPLE + "&step=10")
    for keys, number in [
        (["ArrowRight", "ArrowRight", "ArrowLeft"], 11),
        (["Home"], 0),
        (["n"], trace.next_cutoff(0)),
        (["n", "p"], trace.next_cutoff(0)),
        (["End"], len(trace) - 1),
        (["ArrowRight"], len(trace) - 1),
        (["Home", "o"], len(trace) - 1),
    ]:
        press(page, *keys)
        at_step(page, number)


def test_space_plays_and_pauses(visit):
    page = visit(EXAMPLE + "&step=10")
    page.locator("[data-part=speed]").select_option("60")
    press(page, " ")
    time.sleep(0.8)
    press(page, " ")
    time.sleep(0.2)
    stopped = step_of(page)
    assert 20 < stopped < 120
    time.sleep(0.3)
    assert step_of(page) == stopped


def test_the_time_line_scrubs(visit, trace):
    page = visit(EXAMPLE + "&step=0")
    box = page.locator("[data-part=timeline]").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    time.sleep(0.3)
    assert abs(step_of(page) - len(trace) / 2) < 5


def test_sentence_board_and_window_are_the_engines_at_random_steps(visit, trace):
    page = visit(EXAMPLE + "&step=0")
    shuffle = random.Random(5)
    for number in sorted(shuffle.sample(range(len(trace)), 12)):
        box = page.locator("[data-part=timeline]").bounding_box()
        page.mouse.click(box["x"] + number / (len(trace) - 1) * box["width"], box["y"] + 40)
        time.sleep(0.15)
        step = trace[step_of(page)]
        assert said(page) == sentence(step)
        shown = step.child if step.kind == "return" else step.node
        discs = page.locator("[data-part=board] circle[fill]").count()
        assert discs == (shown.state.max_discs | shown.state.min_discs).bit_count()
        window = page.locator("[data-part=window]").inner_text()
        for letter, bound in (("α", step.alpha), ("β", step.beta)):
            assert f"{letter} {number_text(bound)}" in window


def number_text(value):
    return {float("inf"): "∞", float("-inf"): "−∞"}.get(value) or f"{value:.0f}".replace("-", "−")


def test_the_link_follows_the_step_and_opens_there_again(visit):
    page = visit(EXAMPLE + "&step=300")
    at_step(page, 300)
    press(page, "ArrowRight")
    page.wait_for_url(re.compile("step=301"), timeout=5000)
    page.reload()
    page.locator(".ps[data-step]").wait_for(timeout=30_000)
    at_step(page, 301)


def test_stepping_causes_no_server_traffic(visit):
    page = visit(EXAMPLE + "&step=0")
    time.sleep(1)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    press(page, *["ArrowRight"] * 30)
    at_step(page, 30)
    time.sleep(0.6)
    assert requests == []


def test_a_click_on_a_node_shows_what_was_recorded(visit):
    page = visit(EXAMPLE + "&step=700")
    box = page.locator("[data-part=tree]").bounding_box()
    for height in range(20, 120, 8):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + height)
        if page.locator("[data-part=node] dd").count():
            break
    fields = page.locator("[data-part=node]").inner_text()
    assert "window on entry" in fields
    assert "234" in fields


def test_an_example_and_the_whole_tree(visit):
    page = visit()
    page.get_by_text("Textbook tree").click()
    page.get_by_text("to the end · 11 nodes").wait_for(timeout=10_000)
    page.wait_for_url(re.compile("game=tree"), timeout=5000)
    page.locator('[data-view=whole][aria-pressed="true"]').wait_for(timeout=10_000)


def test_dark_theme(visit):
    page = visit(color_scheme="dark")
    colour = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert max(map(int, re.findall(r"\d+", colour)[:3])) < 60


def test_a_narrow_window_has_everything_within_reach(visit):
    page = visit(EXAMPLE + "&step=300", viewport={"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    bar = page.locator(".controls").bounding_box()
    assert bar["y"] + bar["height"] <= 801
    page.locator('[data-action="forward"]').click()
    at_step(page, 301)


def test_a_download_is_what_the_exporter_writes(visit):
    import pygraphviz

    page = visit(EXAMPLE)
    page.get_by_test_id("stPopoverButton").filter(has_text="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=".dot", exact=True).click()
    graph = pygraphviz.AGraph(string=Path(download.value.path()).read_text())
    assert len([node for node in graph.nodes() if node.startswith("n")]) == 234


def test_two_visitors_do_not_see_each_other(visit):
    one, other = visit(EXAMPLE + "&step=5"), visit("?game=tictactoe&moves=4081&algorithm=minimax&depth=2&step=7")
    press(one, "ArrowRight")
    at_step(one, 6)
    at_step(other, 7)
    assert "k-tables" in one.inner_text("body")
    assert "tictactoe" in other.inner_text("body")


def test_a_long_search_can_be_cancelled(browser, server):
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.goto(server + "?game=connect:rows=9,cols=9,connect=4&moves=&algorithm=minimax&depth=5")
    page.get_by_role("button", name="Cancel").click(timeout=20_000)
    page.get_by_text("The search was cancelled").wait_for(timeout=10_000)
    assert page.get_by_role("button", name="Search again").is_visible()
    context.close()


def test_back_from_another_page_restores_search_and_step(visit):
    page = visit(EXAMPLE.replace("depth=3", "depth=2") + "&step=19")
    at_step(page, 19)
    press(page, "ArrowRight")
    page.wait_for_url(re.compile("step=20"), timeout=5000)
    page.get_by_role("link", name="About").click()
    page.get_by_text("What you see").wait_for(timeout=10_000)
    page.get_by_role("link", name="Step").click()
    page.get_by_text("K=2 · 44 nodes").wait_for(timeout=10_000)
    at_step(page, 20)


def test_predict_asks_before_each_decision(visit, trace):
    from playwright.sync_api import expect

    page = visit(EXAMPLE + "&step=0")
    page.locator("[data-part=speed]").select_option("1000")
    page.locator("[data-part=more] summary").click()
    page.locator('[data-mode="predict"]').click()
    question = page.locator("[data-part=ask]")
    for number in range(1, 20):
        question.wait_for(timeout=5000)
        asked = step_of(page)
        about_cut = "be cut off here?" in question.inner_text()
        answer = "Yes" if trace[asked + 1].kind == "cutoff" else "No"
        (question.get_by_role("button", name=answer) if about_cut else question.get_by_role("button").first).click()
        expect(page.locator(".ps")).not_to_have_attribute("data-step", str(asked))
        question.get_by_text(re.compile(rf"of {number} right")).wait_for(timeout=10_000)
        if about_cut:
            assert "Right" in question.inner_text()
            assert step_of(page) > asked
            return
    pytest.fail("no question about a cutoff in twenty")


def test_help_opens_and_closes(visit):
    page = visit()
    page.locator("[data-part=more] summary").click()
    page.locator('[data-mode="help"]').click()
    assert page.get_by_text("Every visited node").is_visible()
    page.get_by_role("button", name="Close").click()
    assert not page.get_by_text("Every visited node").is_visible()


def test_labels_of_the_path_view_are_readable(visit):
    """Every text drawn at K=3 is at least 10 px, and none lies on another."""
    spy = """
    const real = CanvasRenderingContext2D.prototype.fillText;
    window.drawn = [];
    CanvasRenderingContext2D.prototype.clearRect = ((clear) => function (...box) {
      if (this.canvas.dataset.part === "tree") window.drawn = [];
      return clear.apply(this, box);
    })(CanvasRenderingContext2D.prototype.clearRect);
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      const size = parseFloat(this.font.match(/([\\d.]+)px/)[1]);
      const width = this.measureText(text).width;
      const left = this.textAlign === "center" ? x - width / 2 : x;
      const box = { text, size, left, right: left + width, top: y - size, bottom: y };
      if (this.canvas.dataset.part === "tree") window.drawn.push(box);
      return real.call(this, text, x, y);
    };
    null;
    """
    page = visit(EXAMPLE + "&step=300")
    page.evaluate(spy)
    press(page, "ArrowRight")
    at_step(page, 301)
    time.sleep(0.3)
    labels = page.evaluate("window.drawn")
    assert len(labels) > 20
    assert min(label["size"] for label in labels) >= 10
    for index, one in enumerate(labels):
        for other in labels[:index]:
            apart = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"], (one, other)


@pytest.mark.parametrize("width", [800, 900, 1000, 1200, 1400])
def test_nothing_runs_out_of_its_column(visit, width):
    page = visit(EXAMPLE + "&step=300", viewport={"width": width, "height": 800})
    main = page.locator(".main").bounding_box()
    for part in (".controls", "[data-part=count]", "[data-part=more]"):
        box = page.locator(part).bounding_box()
        assert box["x"] + box["width"] <= main["x"] + main["width"] + 1, part


def test_the_menu_works_on_a_phone_and_gives_the_keys_back(visit):
    page = visit(EXAMPLE + "&step=300", viewport={"width": 380, "height": 800})
    page.locator("[data-part=more] summary").click()
    page.locator('[data-mode="lecture"]').click(timeout=5000)
    page.keyboard.press("ArrowRight")
    at_step(page, 301)


def test_a_double_click_does_not_move_the_time(visit):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&step=20")
    box = page.locator("[data-part=tree]").bounding_box()
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + 36)
    time.sleep(0.3)
    assert step_of(page) == 20


def test_predict_asks_minimax_for_the_value_that_returns(visit):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&algorithm=minimax&depth=end&step=0")
    page.locator("[data-part=more] summary").click()
    page.locator('[data-mode="predict"]').click()
    page.get_by_text("Which value will that node return?").wait_for(timeout=5000)
    choices = page.locator("[data-part=choices] button")
    assert choices.all_inner_texts() == ["3", "8", "12"]
    choices.get_by_text("8", exact=True).click()
    page.get_by_text('Not quite: "3" (0 of 1 right)').wait_for(timeout=10_000)


def test_the_tree_can_be_read_as_text(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-view=text]").click()
    current = page.locator("[data-part=text] li[aria-current]")
    assert "being searched" in current.first.inner_text()
    assert page.locator("[data-part=text] li").count() == 22


def test_a_bookmark_is_kept_in_the_link(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-tab=marks]").click()
    page.locator("[data-part=note]").fill("why <b>here</b>?")
    page.get_by_role("button", name="Bookmark", exact=True).click()
    press(page, "Home")
    page.wait_for_url(re.compile("step=0.*marks=|marks=.*step=0"), timeout=5000)
    page.reload()
    page.locator(".ps[data-step]").wait_for(timeout=30_000)
    page.locator("[data-tab=marks]").click()
    page.get_by_role("button", name="step 300: why <b>here</b>?", exact=True).click()
    at_step(page, 300)


def test_playing_stops_at_a_breakpoint(visit, trace):
    page = visit(EXAMPLE + "&step=0")
    page.locator("[data-tab=marks]").click()
    page.locator("[data-part=stopKind]").select_option("node")
    page.locator("[data-part=stopAt]").fill("99999")
    page.get_by_role("button", name="Add").click()
    page.get_by_text("No node 99999 is shown here").first.wait_for(timeout=5000)
    page.locator("[data-part=stopAt]").fill("20")
    page.get_by_role("button", name="Add").click()
    page.locator("[data-part=speed]").select_option("1000")
    press(page, " ")
    at_step(page, trace.enter_step(20))
    press(page, " ")
    at_step(page, trace.leave_step(20))


def test_the_selected_subtree_can_be_exported(visit, trace):
    import pygraphviz

    page = visit(EXAMPLE + f"&step={trace.enter_step(1)}")
    page.locator("[data-tab=node]").click()
    page.locator("[data-node=export]").click()
    page.get_by_text("Node 1, after 0").wait_for(timeout=10_000)
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name=".dot", exact=True).click()
    graph = pygraphviz.AGraph(string=Path(download.value.path()).read_text())
    assert len([node for node in graph.nodes() if node.startswith("n")]) == trace.tree[1].size
    at_step(page, trace.enter_step(1))  # the server has run the page again: the time stays


def test_a_subtree_folds_into_one_node(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-tab=stack]").click()
    page.locator("[data-tab=node]").click()
    press(page, "Home")
    page.locator("[data-node=fold]").click()
    page.locator("[data-node=fold]").get_by_text("Unfold").wait_for(timeout=5000)
    assert page.locator("[data-view=whole]").get_attribute("aria-pressed") == "true"


def test_a_large_tree_is_shown_through_a_view_that_opens_further(visit):
    from visualizer.viewer.part import leave_step, part_of

    tree = search(connect(), "", depth=9)
    part = part_of(tree)
    folded = int(part.rows[part.hidden.nonzero()[0][0]])
    page = visit(f"?game=connect4&moves=&algorithm=alphabeta&depth=9&step={leave_step(tree, part, folded)}")
    page.get_by_text("too many to step through at once").wait_for(timeout=20_000)
    assert f"of {tree.expanded:,} nodes" in page.locator("[data-part=count]").inner_text()
    assert f"The {tree[folded].size - 1:,} nodes below are not shown" in said(page)
    page.locator("[data-tab=node]").click()
    page.locator("[data-node=open]").click()
    page.wait_for_url(re.compile(f"focus={folded}"), timeout=10_000)
    page.get_by_role("button", name="Back to the root").click(timeout=10_000)
    page.get_by_text("Shown from the root").wait_for(timeout=10_000)


def test_a_phone_has_the_rare_buttons_under_more(visit, trace):
    page = visit(EXAMPLE + "&step=300", viewport={"width": 380, "height": 800})
    bar = page.locator(".controls")
    assert [b.get_attribute("data-action") for b in bar.locator(".buttons button:visible").all()] == [
        "back",
        "play",
        "forward",
        "nextCut",
    ]
    assert bar.locator("summary").bounding_box()["x"] + bar.locator("summary").bounding_box()["width"] <= 380
    page.locator("[data-part=more] summary").click()
    page.locator('[data-part=rest] [data-action="last"]').click()
    at_step(page, len(trace) - 1)


def open_form(page):
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.locator(".pick svg").wait_for(timeout=15_000)


def typed_moves(page):
    return page.get_by_role("textbox", name="Moves so far")


def test_a_position_is_made_by_dropping_discs(visit):
    from playwright.sync_api import expect

    page = visit(EXAMPLE + "&step=300")
    open_form(page)
    for move, moves in (("4", "34"), ("4", "344")):
        page.locator(f'.pick .target[data-move="{move}"]').click()
        expect(typed_moves(page)).to_have_value(moves, timeout=10_000)
        page.locator(".pick circle[fill]").nth(len(moves) - 1).wait_for(timeout=10_000)
    page.get_by_role("button", name="Undo").click()
    expect(typed_moves(page)).to_have_value("34", timeout=10_000)
    page.get_by_text("about 224 nodes").wait_for(timeout=10_000)
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("after 34 · alpha-beta · K=3 · 224 nodes").wait_for(timeout=10_000)
    page.wait_for_url(re.compile("moves=34"), timeout=5000)
    assert "step=300" not in page.url  # another search begins anew
    expect(page.locator(".pick svg")).to_have_count(0)  # the form is closed


def test_a_board_of_any_size_is_set_up_by_widgets(visit):
    page = visit(EXAMPLE + "&step=300")
    open_form(page)
    page.get_by_test_id("stSelectbox").first.click()
    page.get_by_role("option", name="Connect, any board").click()
    page.get_by_label("Columns").fill("5")
    page.keyboard.press("Enter")
    page.locator('.pick .target[data-move="6"]').wait_for(state="detached", timeout=10_000)
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(re.compile("cols(=|%3D)5"), timeout=10_000)


def test_the_nodes_saved_add_up_to_the_difference_of_the_counts(visit):
    page = visit(EXAMPLE + "&step=0")
    assert "0 saved" in page.locator("[data-part=count]").inner_text()
    press(page, "End")
    page.get_by_text(f"{400 - 234} saved").wait_for(timeout=5000)


# ---- Compare

COMPARISON = "compare?game=k-tables&moves=3&depths=1-3&repeat=1"


def test_the_top_cutoff_of_a_comparison_opens_at_its_step(visit, trace):
    from engine.alignment import Alignment

    page = visit(COMPARISON, ready=".duo[data-step]")
    best = Alignment(search(preset("k-tables"), "3", 3, "minimax"), trace.tree).most_valuable(1)[0]
    page.get_by_text(f"{best.saved} nodes").wait_for(timeout=10_000)
    page.get_by_role("button", name="Open", exact=True).first.click()
    page.wait_for_url(re.compile(f"step={best.step}"), timeout=10_000)
    page.locator(".ps[data-step] .main").wait_for(timeout=10_000)
    at_step(page, best.step)
    assert said(page) == sentence(trace[best.step])
    page.go_back()
    page.locator(".duo[data-step]").wait_for(timeout=20_000)
    assert "depths=1-3" in page.url


def test_both_trees_share_time_and_say_what_a_cutoff_saved(visit, trace):
    page = visit(COMPARISON, ready=".duo[data-step]")
    at_step(page, len(trace) - 1)
    assert "400 of 400" in page.locator("[data-part=minimaxCount]").inner_text()
    assert "166 saved" in page.locator("[data-part=alphabetaCount]").inner_text()
    press(page, "Home", "n")
    first = trace.next_cutoff(0)
    at_step(page, first)
    assert said(page) == sentence(trace[first])
    page.get_by_role("button", name="Open this cutoff step by step").click()
    page.wait_for_url(re.compile(f"step={first}"), timeout=10_000)


def test_a_click_on_a_cutoff_says_what_it_saved(visit, trace):
    page = visit(COMPARISON, ready=".duo[data-step]")
    page.evaluate(f"{VIEW}.select({VIEW}.rows[{int(trace.tree.pruned.nonzero()[0][0])}])")
    page.get_by_text("That saves 3 nodes").first.wait_for(timeout=5000)


def test_a_report_is_downloaded(visit):
    page = visit(COMPARISON, ready=".duo[data-step]")
    page.get_by_test_id("stPopoverButton").filter(has_text="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=".md", exact=True).click()
    text = Path(download.value.path()).read_text()
    assert "| 3 | alpha-beta |" in text.replace("  ", " ")


def test_a_comparison_shows_its_rows_as_they_come_and_keeps_them_when_cancelled(browser, server):
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.goto(server + "compare?game=tictactoe&moves=&depths=1-9&repeat=5")
    page.get_by_role("button", name="Cancel").click(timeout=20_000)
    page.get_by_text("The comparison was stopped").wait_for(timeout=10_000)
    assert page.get_by_role("button", name="Run it again").is_visible()
    context.close()


# ---- what fresh eyes found


def test_the_form_keeps_the_position_when_the_page_has_run_again(visit):
    from playwright.sync_api import expect

    page = visit(EXAMPLE + "&step=50")
    page.locator("[data-tab=node]").click()
    page.locator("[data-node=export]").click()
    page.get_by_text("Export a subtree").wait_for(timeout=10_000)
    page.keyboard.press("Escape")
    open_form(page)
    expect(typed_moves(page)).to_have_value("3")


def test_the_fitted_tree_stays_where_it_is(visit):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&step=0")
    shift = page.evaluate(f"{VIEW}.camera.shift")
    press(page, *["ArrowRight"] * 31)
    at_step(page, 31)
    assert page.evaluate(f"{VIEW}.camera.shift") == shift


def test_the_back_button_returns_to_the_first_example(visit):
    page = visit()
    page.get_by_text("Nim", exact=True).click()
    page.get_by_text("nim:1,2,3").first.wait_for(timeout=10_000)
    page.go_back()
    page.get_by_text("k-tables · after 3").wait_for(timeout=10_000)


def test_an_example_can_be_opened_again(visit):
    page = visit(EXAMPLE.replace("depth=3", "depth=2") + "&step=5")
    page.get_by_test_id("stButtonGroup").get_by_text("k-tables", exact=True).click()
    page.get_by_text("K=3 · 234 nodes").wait_for(timeout=10_000)


def test_another_search_can_be_asked_for_while_one_runs(browser, server):
    context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(server + "?game=connect:rows=9,cols=11,connect=4&moves=&algorithm=minimax&depth=6")
    page.get_by_role("button", name="Cancel").wait_for(timeout=20_000)
    open_form(page)
    page.get_by_role("textbox", name="K", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.get_by_text("about 133 nodes").wait_for(timeout=10_000)
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("K=2 · 133 nodes").wait_for(timeout=10_000)
    context.close()


@pytest.mark.parametrize("link", ["&step=abc", "&step=99999", "&focus=9999", "&marks=[", "&strict=yes"])
def test_every_bad_part_of_a_link_is_told(visit, link):
    page = visit(EXAMPLE + link)
    assert page.get_by_test_id("stAlert").count() == 1


def test_keys_work_from_the_start(visit):
    page = visit(EXAMPLE + "&step=10")
    page.keyboard.press("ArrowRight")
    at_step(page, 11)


# ---- Play


def told_moves(page, moves):
    page.wait_for_url(re.compile(f"moves={moves}"), timeout=20_000)


def play(page, move):
    page.locator(f'.pick .target[data-move="{move}"]').click()


def test_a_whole_game_against_the_search(visit):
    """Tic-tac-toe to the end: the search never loses, and the result is counted."""
    page = visit("play?game=tictactoe&max=human&min=search:depth=9", ready=".pick svg")
    for _ in range(5):
        page.get_by_text("your turn").or_(page.get_by_text("wins")).or_(page.get_by_text("A draw")).first.wait_for(timeout=20_000)
        if not page.get_by_text("your turn").count():
            break
        moves = re.search(r"moves=(\d*)", page.url)
        taken = set(moves[1]) if moves else set()
        free = next(square for square in "402681357" if square not in taken)
        play(page, free)
        page.wait_for_function("moves => !location.search.includes(`moves=${moves}&`)", arg="".join(moves[1] if moves else ""))
        page.wait_for_timeout(600)
    page.get_by_text("Since this page was opened").wait_for(timeout=10_000)
    assert page.get_by_text("A draw").or_(page.get_by_text("MIN wins")).first.is_visible()


def test_undo_takes_back_both_moves_and_a_full_column_says_so(visit):
    page = visit("play?game=connect4&moves=000000&max=human&min=search:depth=2", ready=".pick svg")
    play(page, 0)
    page.get_by_text("Column 0 is full: try another.").wait_for(timeout=5000)
    play(page, 3)
    told_moves(page, r"0000003\d")
    page.get_by_role("button", name="Undo").click()
    told_moves(page, "000000&")


def test_the_back_button_takes_back_both_moves(visit):
    page = visit("play?game=connect4&moves=33&first=max&max=human&min=search:depth=2", ready=".pick svg")
    play(page, 4)
    told_moves(page, r"334\d")
    page.go_back()
    told_moves(page, "33&")
    page.get_by_text("your turn").wait_for(timeout=10_000)


def test_see_why_opens_the_search_that_chose_the_move(visit):
    page = visit("play?game=connect4&moves=3&max=human&min=search:depth=3", ready=".pick svg")
    told_moves(page, r"3\d")
    chosen = re.search(r"moves=3(\d)", page.url)[1]
    page.get_by_role("button", name="See why").click()
    page.locator(".ps[data-step] .main").wait_for(timeout=20_000)
    assert "moves=3&" in page.url
    page.locator(".ps[data-step]").wait_for(timeout=10_000)
    press(page, "End")
    page.get_by_text(f"the best move for MIN is column {chosen}").first.wait_for(timeout=5000)
    page.go_back()  # one entry of the history: the game is as it was
    page.locator(".pick svg").wait_for(timeout=10_000)
    assert re.search(rf"/play\?.*moves=3{chosen}", page.url)
    assert "min=search" in page.url


def test_hints_show_the_value_of_every_column(visit):
    from engine import connect
    from engine.match import Match, hints

    page = visit("play?game=connect4&moves=&max=human&min=search:depth=3", ready=".pick svg")
    page.get_by_text("Hints").click()
    page.locator(".pick .hint.best").first.wait_for(timeout=20_000)
    shown = page.locator(".pick .hint").all_text_contents()
    assert shown == [number_text(hint.value) for hint in hints(Match(connect()), 3)]


def test_a_move_by_keyboard(visit):
    page = visit("play?game=connect4&max=human&min=random:seed=1", ready=".pick svg")
    page.locator(".pick .board").focus()
    page.keyboard.press("5")
    told_moves(page, r"5\d")


# ---- Tournament


def test_a_cell_opens_its_game_and_a_move_its_search(visit):
    page = visit("tournament?game=connect-m&sizes=4&depths=1-2&games=3", ready=".heat td button >> nth=0")
    cells = page.locator(".heat td button")
    assert cells.all_inner_texts() == ["D:3*", "D:3*", "D:3*", "D:3*"]
    cells.nth(1).click()
    page.get_by_text("MAX at depth 1 against MIN at depth 2").wait_for(timeout=10_000)
    page.locator(".pick svg").wait_for(timeout=10_000)
    assert page.locator(".pick circle[fill]").count() == 16
    slider = page.get_by_role("slider", name="Move")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.locator(".pick circle[fill]").nth(15).wait_for(state="detached", timeout=10_000)
    page.get_by_role("button", name="See why").click()
    page.locator(".ps[data-step] .main").wait_for(timeout=20_000)
    assert "depth=1" in page.url  # MAX made move 15, and looks one ply ahead


def test_many_games_run_on_all_cores_and_can_be_cancelled(browser, server):
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.goto(server + "tournament?game=connect4&sizes=&depths=3-5&games=100&openings=4")
    page.get_by_text("games played").wait_for(timeout=30_000)
    page.wait_for_timeout(3000)
    page.get_by_role("button", name="Cancel").click(timeout=20_000)
    page.get_by_text("games were not played").wait_for(timeout=20_000)
    left = int(re.match(r"[\d,]+", page.get_by_text("games were not played").inner_text())[0].replace(",", ""))
    page.get_by_role("button", name="Play the rest").click()
    page.get_by_text("games played").wait_for(timeout=20_000)
    counts = re.search(r"([\d,]+) of ([\d,]+)", page.get_by_text("games played").inner_text())
    done, games = (int(count.replace(",", "")) for count in counts.groups())
    assert done >= games - left > 0  # it goes on, and does not begin anew
    context.close()
