"""The page Compare, in a browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine import Trace, preset, search
from engine.analysis.alignment import Alignment
from engine.analysis.overlay import Overlay
from tests.browser.viewer import VIEW, at_step, press_keys, read_sentence
from tests.support.processes import wait_until
from visualizer.narration.sentences import sentence

COMPARISON = "compare?game=k-tables&moves=3&depths=1-3&repeat=1"


@pytest.mark.slow
def test_the_top_cutoff_of_a_comparison_opens_at_its_step(visit, trace):
    page = visit(COMPARISON, ready=".minimax-overlay[data-step]")
    best = Alignment(search(preset("k-tables"), "3", 3, "minimax"), trace.tree).largest_savings(1)[0]
    page.get_by_text(f"{best.saved} nodes").wait_for()
    page.locator(".cutoff-list button").first.click()
    page.wait_for_url(re.compile(f"step={best.step}"))
    page.locator(".ps[data-step] .main").wait_for()
    at_step(page, best.step)
    assert read_sentence(page) == sentence(trace[best.step])
    page.go_back()
    page.locator(".minimax-overlay[data-step]").wait_for()
    assert "depths=1-3" in page.url


def test_both_trees_share_time_and_say_what_a_cutoff_saved(visit, trace):
    page = visit(COMPARISON, ready=".minimax-overlay[data-step]")
    at_step(page, len(trace) - 1)
    expect(page.locator("[data-part=minimaxCount]")).to_contain_text("400 of 400")
    expect(page.locator("[data-part=alphabetaCount]")).to_contain_text("166 nodes saved")
    press_keys(page, "Home", "n")
    first = trace.next("cutoff", 0)
    at_step(page, first)
    assert read_sentence(page) == sentence(trace[first])
    page.get_by_role("button", name="Open this cutoff step by step").click()
    page.wait_for_url(re.compile(f"step={first}"))


def test_both_trees_are_dragged_together(visit):
    page = visit(COMPARISON, ready=".minimax-overlay[data-step]")
    before = page.wait_for_function(f"() => {VIEW}.camera?.shift").json_value()
    canvas = page.locator(".minimax-overlay canvas[data-part=alphabeta]")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 240, box["y"] + 100, steps=4)
    page.mouse.up()
    page.wait_for_function(f"() => Math.abs({VIEW}.camera.shift - ({before} - 60)) < 2")


@pytest.mark.slow
def test_a_click_on_a_cutoff_says_what_it_saved(visit, trace):
    page = visit(COMPARISON, ready=".minimax-overlay[data-step]")
    page.evaluate(f"{VIEW}.select({VIEW}.rows[{int(trace.tree.pruned.nonzero()[0][0])}])")
    page.get_by_text("That skips 3 nodes").first.wait_for()


@pytest.mark.slow
def test_a_report_is_downloaded(visit):
    page = visit(COMPARISON, ready=".minimax-overlay[data-step]")
    page.get_by_test_id("stPopoverButton").filter(has_text="Download").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=".md", exact=True).click()
    text = Path(download.value.path()).read_text()
    assert "| 3 | alpha-beta |" in text.replace("  ", " ")


def test_a_comparison_shows_its_rows_as_they_come_and_keeps_them_when_cancelled(visit):
    page = visit("compare?game=tictactoe&moves=&depths=1-9&repeat=5", ready="[data-testid=stDataFrame]")
    page.get_by_test_id("stDataFrame").hover()
    expect(page.locator(".st-key-rows_so_far [data-testid=stElementToolbar]")).to_have_count(1)
    expect(page.locator(".st-key-rows_so_far [data-testid=stElementToolbar]")).to_be_hidden()  # it would cover Cancel
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("The comparison was stopped").wait_for()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()


def test_the_whole_table_is_seen_at_1024_pixels(visit):
    page = visit(COMPARISON, ready=".minimax-overlay", viewport={"width": 1024, "height": 768})
    table = page.locator("[data-testid=stDataFrame] .dvn-scroller").first
    table.wait_for()
    wait_until(lambda: table.evaluate("e => e.scrollWidth - e.clientWidth") <= 1, "the table fits")


@pytest.mark.slow
def test_the_numbers_below_the_rungs_of_the_solver_are_short(visit):
    address = "compare?game=connect4&moves=1460263026002213432204&depths=1&repeat=1"
    page = visit(address, ready=".minimax-overlay", viewport={"width": 380, "height": 740})
    page.get_by_text("Solved rung by rung").click()
    page.get_by_text("1M", exact=True).wait_for()
    axis = page.locator("[data-testid=stExpander] .role-axis-label").filter(has_text="1M").locator("text")
    assert max(map(len, axis.all_text_contents())) <= 4  # 100k: they stand side by side on a phone


@pytest.mark.slow
def test_the_buttons_that_open_cutoffs_stand_in_line(visit):
    page = visit(COMPARISON, ready=".minimax-overlay")
    buttons = page.locator(".cutoff-list button")
    buttons.first.wait_for()
    places = [button.bounding_box()["x"] for button in buttons.all()]
    assert len(places) > 3
    assert max(places) - min(places) < 1


RUNGS = "&algorithms=minimax,alphabeta:strict,alphabeta&pair=alphabeta:strict,alphabeta&K=3"


def test_two_trees_part_and_each_difference_opens_at_its_step(visit):
    page = visit(COMPARISON + RUNGS, ready=".search-overlay[data-selected]")
    strict, equal = (search(preset("k-tables"), "3", 3, cut_on_equal=rule) for rule in (False, True))
    over = Overlay(strict, equal)
    page.get_by_text(f"{over.left.distinct} paths, {over.only_left} of them only here").wait_for()
    press_keys(page, "Home")  # both begin at one time, which counts their calls
    expect(page.locator(".search-overlay")).to_have_attribute("data-step", "0")
    press_keys(page, "ArrowRight", "ArrowRight")
    said_so_far = "After 2 calls of each search: alpha-beta (strict cutoffs) has visited 2 paths; alpha-beta has visited 2 paths."
    expect(page.locator(".search-overlay [data-part=sentence]")).to_have_text(said_so_far)
    press_keys(page, "n")
    expect(page.locator(".search-overlay")).to_have_attribute("data-step", str(max(len(strict), len(equal))))
    first = int(over.topmost_differences[0])
    page.locator(f'.search-overlay[data-selected="{first}"]').wait_for()
    described = page.locator(".search-overlay [data-part=sentence]")
    expect(described).to_contain_text("only alpha-beta (strict cutoffs) visits this path")
    page.get_by_role("button", name="Why not in alpha-beta?").click()
    parting = over.step_at(first, in_left=False)
    page.wait_for_url(re.compile(f"step={parting}(&|$)"))
    page.locator(".ps[data-step] .main").wait_for()
    at_step(page, parting)
    assert read_sentence(page) == sentence(Trace(equal)[parting])
    page.go_back()
    page.locator(".search-overlay[data-selected]").wait_for()
    assert "pair=alphabeta" in page.url


@pytest.mark.slow
def test_a_claim_is_judged_and_its_counterexample_is_stepped_through(visit):
    page = visit("compare?game=k-tables&moves=3&depths=1&repeat=1&claim=pvs-calls", ready=".minimax-overlay[data-step]")
    page.get_by_role("button", name="True", exact=True).click()
    page.get_by_text("No: this is false").wait_for()
    page.locator(".search-overlay.small[data-selected]").wait_for()
    page.get_by_role("button", name="Step through principal variation search").click()
    page.wait_for_url(re.compile("algorithm=pvs"))
    page.locator(".ps[data-step] .main").wait_for()
    at_step(page, 0)
