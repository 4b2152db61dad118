"""Searches in iterations on the page Step."""

import re

from playwright.sync_api import expect

from engine import search, tictactoe
from engine.tree.iteration_timeline import BACKUP, SELECT
from tests.browser.viewer import at_step, press_keys, read_sentence, step_of, wait_for_frames
from visualizer.narration.iteration_sentences import iteration_sentence

CHART = "[data-testid=stVegaLiteChart]"
CUT_TEXTS = """(charts) => charts.flatMap((chart) => {
  const { left, right } = chart.getBoundingClientRect();
  return [...chart.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < left || box.right > right;
  }).map((text) => text.textContent);
})"""
ADDRESS = "?game=tictactoe&moves=&algorithm=mcts&iterations=60&seed=7"


def test_a_prediction_hides_a_step_until_it_is_answered(visit):
    timeline = search(tictactoe(), algorithm="mcts", iterations=60, seed=7).timeline
    page = visit(f"{ADDRESS}&iteration=31&phase=simulate&marks=[[3,%22start%22]]")
    expect(page.locator("[data-part=bookmarks]")).to_contain_text("iteration 1, back up 2: start")
    page.locator("summary").filter(has_text="More").click()
    page.locator("[data-mode=predict]").click()
    box = page.locator("[data-part=prediction]")
    kinds = set()
    for _ in range(3):
        expect(box.locator("kbd").first).to_have_text("key 1")
        wait_for_frames(page)
        step = timeline[step_of(page)]
        kinds.add(step.kind)
        assert read_sentence(page) != iteration_sentence(step)
        press_keys(page, "1")
        expect(box).to_contain_text(re.compile("Correct|Not quite"))
        expect(page.locator("[data-part=sentence]")).to_have_text(iteration_sentence(step))
        at_step(page, step.number)
        press_keys(page, "Enter")
    assert kinds == {SELECT, BACKUP}


def test_a_link_shows_no_other_step_before_its_own(server, visitors):
    page = visitors.comes().new_page()
    asked = []

    def hold(route):
        asked.append(route)

    page.route("**/block?iteration=60", hold)
    page.goto(f"{server}{ADDRESS}&iteration=60&phase=backup")
    expect(page.locator("[data-action=play]").first).to_be_visible()
    page.wait_for_timeout(200)  # time for a wrong step to be drawn
    assert (len(asked), page.locator(".ps[data-step]").count(), read_sentence(page)) == (1, 0, "")
    asked[0].continue_()
    expect(page.locator(".ps")).to_have_attribute("data-iteration", "60")
    expect(page.locator(".ps")).to_have_attribute("data-phase", "backup")


def test_more_iterations_go_on_from_where_the_search_stopped(visit):
    page = visit(f"{ADDRESS}&iteration=60&phase=backup")
    last = read_sentence(page)
    page.get_by_role("button", name="1,000 more iterations").click()
    expect(page.locator("[data-part=count]", has_text="of 1,060")).to_be_visible()
    expect(page.locator(".ps.iterations")).to_have_count(1)  # the viewer of the shorter search goes a moment later
    page.locator("[data-tab=marks]").click()
    page.locator("[data-part=iterationNumber]").fill("60")
    page.locator("[data-part=iterationForm] button").click()
    expect(page.locator(".ps.iterations")).to_have_attribute("data-iteration", "60")
    page.locator("button[data-phase=backup]").click()
    expect(page.locator("[data-part=sentence]")).to_have_text(last)
    press_keys(page, "Home", "g")
    expect(page.locator("[data-part=toast]")).to_have_text(re.compile(r"Most visits now: square \d"))


def test_the_charts_over_time_are_whole_and_their_buttons_cover_no_title(visit):
    page = visit("?game=connect4&moves=4354&algorithm=mcts&iterations=2000&seed=7", viewport={"width": 1280, "height": 720})
    page.get_by_text("Over time").click()
    charts = page.locator(f"{CHART} svg.marks")
    expect(charts).to_have_count(3)
    assert charts.evaluate_all(CUT_TEXTS) == []
    page.locator(CHART).first.hover()
    title = page.get_by_text("the most visited move changes").bounding_box()
    buttons = page.get_by_test_id("stElementToolbar").first.bounding_box()
    assert title["x"] + title["width"] <= buttons["x"]


def test_a_playout_without_boards_shows_the_counts_that_its_result_will_change(visit):
    page = visit("?game=pig:target=12,die=3&algorithm=mcts&iterations=300&iteration=200&phase=simulate")
    rows = page.locator("[data-part=numbers] table.counts tr")
    expect(rows.last).to_have_text(re.compile(r"^root\s*199\s*0\.\d{3}$"))
    assert "→" not in rows.last.inner_text()
