"""The page Step, in a browser."""

import random
import re
import time
from pathlib import Path

import pygraphviz
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.viewer import (
    EXAMPLE,
    VIEW,
    at_step,
    number_text,
    open_form,
    press_keys,
    read_sentence,
    step_of,
    wait_for_frames,
)
from visualizer.narration.sentences import sentence

LEVELS = 58  # px beside the tree, for the names of its levels


def test_it_opens_at_the_first_cutoff_and_says_why(visit, sample_trace):
    page = visit()
    first = sample_trace.next("cutoff", 0)
    at_step(page, first)
    assert read_sentence(page) == sentence(sample_trace[first])
    assert " skipped." in read_sentence(page)
    press_keys(page, "ArrowRight")
    page.wait_for_url(re.compile("game=connect4&moves=4354.*step="))  # a link that is copied names its game


def test_an_old_link_without_a_game_opens_the_search_it_was_copied_from(visit, trace):
    page = visit("?step=300")
    assert read_sentence(page) == sentence(trace[300])


def test_the_first_page_says_what_to_do_and_who_is_blue(visit):
    page = visit(viewport={"width": 380, "height": 740})
    page.get_by_text("See how a program searches ahead in a game.").wait_for()
    page.get_by_text("Blue is MAX, orange is MIN. Step through the search below, or choose an example:").wait_for()
    page.get_by_text("K=3 (3 moves ahead)").wait_for()
    read_after_content = "(name) => getComputedStyle(document.querySelector(`[data-testid=${name}]`), '::after').content"
    assert page.evaluate(read_after_content, "stExpandSidebarButton") == '"Menu"'
    assert page.evaluate(read_after_content, "stToolbar") == '"Plyscope · Step"'
    page.locator("[data-part=legendButton]").click()
    expect(page.locator("[data-part=legend]")).to_contain_text(re.compile(r"MAX \(blue\)\s*MIN \(orange\)"))
    expect(page.locator("[data-part=legend]")).to_contain_text("cutoff: the moves left cannot change the result")


def test_it_plays_by_itself_and_stops_at_the_first_cutoff(visit, sample_trace):
    page = visit(reduced_motion="no-preference")
    page.locator("[data-part=speed]").select_option("60")
    at_step(page, sample_trace.next("cutoff", 0))
    time.sleep(0.4)
    assert step_of(page) == sample_trace.next("cutoff", 0)


def test_keys(visit, trace):
    page = visit(EXAMPLE + "&step=10")
    for keys, number in [
        (["ArrowRight", "ArrowRight", "ArrowLeft"], 11),
        (["Home"], 0),
        (["n"], trace.next("cutoff", 0)),
        (["n", "p"], trace.next("cutoff", 0)),
        (["End"], len(trace) - 1),
        (["ArrowRight"], len(trace) - 1),
        (["Home", "o"], len(trace) - 1),
    ]:
        press_keys(page, *keys)
        at_step(page, number)


def test_space_plays_and_pauses(visit):
    page = visit(EXAMPLE + "&step=10")
    page.locator("[data-part=speed]").select_option("60")
    press_keys(page, " ")
    page.wait_for_function(f"() => {VIEW}.t > 20")
    press_keys(page, " ")
    page.wait_for_function(f"() => !{VIEW}.playing")
    wait_for_frames(page)
    stopped = step_of(page)
    time.sleep(0.3)
    assert step_of(page) == stopped


@pytest.mark.slow
def test_the_time_line_scrubs(visit, trace):
    page = visit(EXAMPLE + "&step=0")
    box = page.locator("[data-part=timeline]").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 40)
    expect(page.locator(".ps[data-step]")).not_to_have_attribute("data-step", "0")
    assert abs(step_of(page) - len(trace) / 2) < 5


def test_sentence_board_and_window_are_the_engines_at_random_steps(visit, trace):
    page = visit(EXAMPLE + "&step=0")
    shuffle = random.Random(5)
    for number in sorted(shuffle.sample(range(len(trace)), 12)):
        box = page.locator("[data-part=timeline]").bounding_box()
        page.mouse.click(box["x"] + number / (len(trace) - 1) * box["width"], box["y"] + 40)
        wait_for_frames(page)
        step = trace[step_of(page)]
        assert read_sentence(page) == sentence(step)
        node = step.child if step.kind == "return" else step.node
        discs = page.locator("[data-part=board] circle[fill]").count()
        assert discs == (node.state.max_discs | node.state.min_discs).bit_count()
        window = page.locator("[data-part=window]").inner_text()
        for letter, bound in (("α", step.alpha), ("β", step.beta)):
            assert f"{letter} {number_text(bound)}" in window


def test_the_link_follows_the_step_and_opens_there_again(visit):
    page = visit(EXAMPLE + "&step=300")
    at_step(page, 300)
    press_keys(page, "ArrowRight")
    page.wait_for_url(re.compile("step=301"))
    page.reload()
    page.locator(".ps[data-step]").wait_for()
    at_step(page, 301)


def test_stepping_causes_no_server_traffic(visit):
    page = visit(EXAMPLE + "&step=0")
    page.wait_for_load_state("networkidle")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    press_keys(page, *["ArrowRight"] * 30)
    at_step(page, 30)
    time.sleep(0.6)
    assert requests == []


def test_a_click_on_a_node_shows_what_was_recorded(visit):
    page = visit(EXAMPLE + "&step=700")
    box = page.locator("[data-part=tree]").bounding_box()
    for height in range(44, 140, 8):  # below the buttons
        page.mouse.click(box["x"] + (box["width"] + LEVELS) / 2, box["y"] + height)
        wait_for_frames(page)
        if page.locator("[data-part=node] dd").count():
            break
    fields = page.locator("[data-part=node]")
    expect(fields).to_contain_text("window on entry")
    expect(fields).to_contain_text("234")


def test_an_example_and_the_whole_tree(visit):
    page = visit()
    page.get_by_text("Textbook tree").click()
    page.get_by_text("to the end · 11 nodes").wait_for()
    page.wait_for_url(re.compile("game=tree"))
    page.locator('[data-view=whole][aria-pressed="true"]').wait_for()


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
    page = visit(EXAMPLE)
    page.get_by_test_id("stPopoverButton").filter(has_text="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=".dot", exact=True).click()
    assert download.value.suggested_filename == "k-tables-3-K3-alphabeta.dot"
    graph = pygraphviz.AGraph(string=Path(download.value.path()).read_text())
    assert len([node for node in graph.nodes() if node.startswith("n")]) == 234
    page.get_by_role("spinbutton", name="Last step").fill("2")
    page.get_by_role("spinbutton", name="Last step").press("Enter")
    page.get_by_text("3 frames").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name=".gif", exact=True).click()
    assert download.value.suggested_filename == "k-tables-3-K3-alphabeta.gif"
    with Image.open(download.value.path()) as animation:
        assert animation.n_frames == 3


@pytest.mark.slow
def test_two_visitors_do_not_see_each_other(visit):
    one, other = visit(EXAMPLE + "&step=5"), visit("?game=tictactoe&moves=4081&algorithm=minimax&depth=2&step=7")
    press_keys(one, "ArrowRight")
    at_step(one, 6)
    at_step(other, 7)
    assert "k-tables" in one.inner_text("body")
    assert "after 4, 0, 8, 1 · minimax" in other.inner_text("body")


def test_a_long_search_can_be_cancelled(visit):
    page = visit("?game=connect:rows=9,cols=9,connect=4&moves=&algorithm=minimax&depth=5", ready=None)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("The search was cancelled").wait_for()
    expect(page.get_by_role("button", name="Search again")).to_be_visible()


@pytest.mark.slow
def test_back_from_another_page_restores_search_and_step(visit):
    page = visit(EXAMPLE.replace("depth=3", "depth=2") + "&step=19")
    at_step(page, 19)
    press_keys(page, "ArrowRight")
    page.wait_for_url(re.compile("step=20"))
    page.get_by_role("link", name="About").click()
    page.get_by_text("Terms and symbols").wait_for()
    page.get_by_role("link", name="Step").click()
    page.get_by_text("K=2 (2 moves ahead) · 44 nodes").wait_for()
    at_step(page, 20)


def open_predict_mode(visit, address):
    page = visit(address)
    page.locator("[data-part=speed]").select_option("1000")
    page.locator("[data-part=more] summary").click()
    page.locator('[data-mode="predict"]').click()
    return page, page.locator("[data-part=prediction]")


def test_a_prediction_stops_at_its_outcome_and_goes_on_when_asked(visit, trace):
    page, box = open_predict_mode(visit, EXAMPLE + "&step=0")
    for number in range(1, 20):
        expect(box).to_contain_text("?")
        question_step = step_of(page)
        about_cut = "be cut off here?" in box.inner_text()
        cut = trace[question_step + 1].kind == "cutoff"
        page.keyboard.press("2" if about_cut and not cut else "1")
        outcome = question_step + (1 if about_cut else 2)
        at_step(page, outcome)
        expect(box).to_contain_text(f"of {number} correct")
        time.sleep(0.5)
        assert step_of(page) == outcome  # it waits
        assert read_sentence(page) == sentence(trace[outcome])
        if cut:
            reason = r"Correct\. −?\d+ ≤ α = −?\d+, so the remaining moves cannot change the result\."
            assert re.match(reason, box.inner_text())
        if number % 2:
            page.keyboard.press("Enter")
        else:
            box.get_by_role("button", name="Continue").click()
        if cut:
            expect(box).to_contain_text("?")
            assert step_of(page) >= outcome
            return
    pytest.fail("no cutoff in twenty questions")


def test_predictions_end_with_a_summary(visit):
    page, box = open_predict_mode(visit, "?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&step=0")
    answered = 0
    while True:
        expect(box).to_be_visible()
        if "The search is done." in box.inner_text():
            break
        if "?" in box.inner_text():
            answered += 1
            page.keyboard.press("1")
            expect(box).to_contain_text(f"of {answered} correct")
        page.keyboard.press("Enter")
        page.wait_for_timeout(150)
    words = re.search(
        r"(\d+) predictions: (\d+) right, (\d+) wrong\. Right by kind: cutoffs \d of \d, values \d of \d\.", box.inner_text()
    )
    assert words is not None, box.inner_text()
    total, right, wrong = map(int, words.groups())
    assert (total, right + wrong) == (answered, answered)
    page.keyboard.press("Enter")
    expect(box).to_contain_text("?")


def test_the_card_at_the_pointer_does_not_repeat_the_tab(visit):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&step=20")
    box = page.locator("[data-part=tree]").bounding_box()
    root = (box["x"] + (box["width"] + LEVELS) / 2, box["y"] + 58)
    page.mouse.move(*root)
    tip = page.locator("[data-part=tip]")
    expect(tip).to_have_text(re.compile("MAX to move, the root.*being searched"))
    page.mouse.click(*root)
    page.mouse.move(root[0] + 2, root[1])
    expect(page.locator("[data-part=node] dl")).to_contain_text("window on entry")
    expect(tip).not_to_be_visible()


@pytest.mark.slow
def test_help_opens_and_closes(visit):
    page = visit()
    page.locator("[data-part=more] summary").click()
    page.locator('[data-mode="help"]').click()
    expect(page.get_by_text("Nodes are all visited nodes")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Nodes are all visited nodes")).to_be_hidden()


def test_help_opens_at_its_top_again(visit):
    page = visit(EXAMPLE + "&step=10", viewport={"width": 380, "height": 740})
    help = page.locator("[data-part=help]")
    for _ in range(2):
        page.locator("[data-part=more] summary").click()
        page.locator('[data-mode="help"]').click()
        assert help.evaluate("(dialog) => dialog.scrollTop") == 0
        help.get_by_role("button", name="Close").click()  # it is at the end


def test_nothing_runs_out_of_its_column(visit):
    page = visit(EXAMPLE + "&step=300")
    for width in (1400, 1200, 1000, 900, 800):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        main = page.locator(".main").bounding_box()
        for part in (".controls", "[data-part=count]", "[data-part=more]"):
            box = page.locator(part).bounding_box()
            assert box["x"] + box["width"] <= main["x"] + main["width"] + 1, (width, part)


@pytest.mark.slow
def test_the_menu_works_on_a_phone_and_gives_the_keys_back(visit):
    page = visit(EXAMPLE + "&step=300", viewport={"width": 380, "height": 800})
    page.locator("[data-part=more] summary").click()
    page.locator('[data-mode="lecture"]').click()
    page.keyboard.press("ArrowRight")
    at_step(page, 301)


@pytest.mark.slow
def test_a_double_click_does_not_move_the_time(visit):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&step=20")
    box = page.locator("[data-part=tree]").bounding_box()
    page.mouse.dblclick(box["x"] + (box["width"] + LEVELS) / 2, box["y"] + 58)
    time.sleep(0.3)
    assert step_of(page) == 20


@pytest.mark.slow
def test_predict_asks_minimax_for_the_value_that_returns(visit):
    page, box = open_predict_mode(visit, "?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&algorithm=minimax&depth=end&step=0")
    expect(box).to_contain_text("Which value will that node return?")
    choices = page.locator("[data-part=choices] button")
    assert [re.sub(r"\s+key \d", "", text) for text in choices.all_inner_texts()] == ["3", "8", "12"]
    choices.nth(1).click()
    expect(box).to_contain_text('Not quite, the answer is "3". MIN takes the smallest of 3, 12 and 8. (0 of 1 correct)')
    page.keyboard.press("ArrowLeft")  # elsewhere the outcome is not shown
    expect(box).not_to_be_visible()


def test_the_tree_can_be_read_as_text(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-view=text]").click()
    current = page.locator("[data-part=text] li[aria-current]")
    expect(current.first).to_contain_text("being searched")
    expect(page.locator("[data-part=text] li")).to_have_count(22)


def test_a_bookmark_is_kept_in_the_link(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-tab=marks]").click()
    page.locator("[data-part=note]").fill("why <b>here</b>?")
    page.get_by_role("button", name="Bookmark", exact=True).click()
    press_keys(page, "Home")
    page.wait_for_url(re.compile("step=0.*marks=|marks=.*step=0"))
    page.reload()
    page.locator(".ps[data-step]").wait_for()
    page.locator("[data-tab=marks]").click()
    page.get_by_role("button", name="step 300: why <b>here</b>?", exact=True).click()
    at_step(page, 300)


@pytest.mark.slow
def test_playing_stops_at_a_breakpoint(visit, trace):
    page = visit(EXAMPLE + "&step=0")
    page.locator("[data-tab=marks]").click()
    page.locator("[data-part=stopKind]").select_option("node")
    page.locator("[data-part=stopAt]").fill("99999")
    page.get_by_role("button", name="Add").click()
    page.get_by_text("There is no node 99999 in the tree shown here").first.wait_for()
    page.locator("[data-part=stopAt]").fill("20")
    page.get_by_role("button", name="Add").click()
    page.locator("[data-part=speed]").select_option("1000")
    press_keys(page, " ")
    at_step(page, trace.enter(20))
    press_keys(page, " ")
    at_step(page, trace.leave(20))


@pytest.mark.slow
def test_the_selected_subtree_can_be_exported(visit, trace):
    page = visit(EXAMPLE + f"&step={trace.enter(1)}")
    page.locator("[data-tab=node]").click()
    page.locator("[data-node-action=export]").click()
    page.get_by_text("Node 1, after 0").wait_for()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name=".dot", exact=True).click()
    graph = pygraphviz.AGraph(string=Path(download.value.path()).read_text())
    assert len([node for node in graph.nodes() if node.startswith("n")]) == trace.tree[1].size
    at_step(page, trace.enter(1))  # the server has run the page again: the time stays


@pytest.mark.slow
def test_a_subtree_folds_into_one_node(visit):
    page = visit(EXAMPLE + "&step=300")
    page.locator("[data-tab=stack]").click()
    page.locator("[data-tab=node]").click()
    press_keys(page, "Home")
    page.locator("[data-node-action=fold]").click()
    page.locator("[data-node-action=fold]").get_by_text("Unfold").wait_for()
    expect(page.locator("[data-view=whole]")).to_have_attribute("aria-pressed", "true")


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
    page.locator('[data-part=menuActions] [data-action="last"]').click()
    at_step(page, len(trace) - 1)


def test_the_nodes_saved_add_up_to_the_difference_of_the_counts(visit):
    page = visit(EXAMPLE + "&step=0")
    expect(page.locator("[data-part=count]")).to_contain_text("0 nodes saved")
    press_keys(page, "End")
    page.get_by_text(f"{400 - 234} nodes saved").wait_for()


@pytest.mark.slow
def test_the_fitted_tree_stays_where_it_is(visit):
    page = visit("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end&step=0")
    shift = page.evaluate(f"{VIEW}.treeCamera.camera.shift")
    press_keys(page, *["ArrowRight"] * 31)
    at_step(page, 31)
    assert page.evaluate(f"{VIEW}.treeCamera.camera.shift") == shift


@pytest.mark.slow
def test_the_back_button_returns_to_the_first_example(visit):
    page = visit()
    page.get_by_text("Nim", exact=True).click()
    page.get_by_text("Nim 1, 2, 3").first.wait_for()
    page.go_back()
    page.get_by_text("Connect 4 · after 4, 3, 5, 4").wait_for()


@pytest.mark.slow
def test_an_example_can_be_opened_again(visit):
    page = visit(EXAMPLE.replace("depth=3", "depth=2") + "&step=5")
    page.get_by_role("button", name="Published student programs").click()
    page.get_by_text("Node counts for each K").click()
    page.get_by_text("K=3 (3 moves ahead) · 234 nodes").wait_for()


@pytest.mark.slow
def test_another_search_can_be_asked_for_while_one_runs(visit):
    page = visit("?game=connect:rows=9,cols=11,connect=4&moves=&algorithm=minimax&depth=6", ready=None)
    page.get_by_role("button", name="Cancel").wait_for()
    open_form(page)
    page.get_by_role("textbox", name="Depth K", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.get_by_text("133 nodes", exact=True).wait_for()
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("K=2 (2 moves ahead) · 133 nodes").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("link", ["&step=abc", "&step=99999", "&focus=9999", "&marks=[", "&strict=yes"])
def test_every_bad_part_of_a_link_is_told(visit, link):
    page = visit(EXAMPLE + link)
    expect(page.get_by_test_id("stAlert")).to_have_count(1)


def test_keys_work_from_the_start(visit):
    page = visit(EXAMPLE + "&step=10")
    page.keyboard.press("ArrowRight")
    at_step(page, 11)
