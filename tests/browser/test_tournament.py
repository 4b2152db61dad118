"""The page Tournament, in a browser."""

import re

import pytest
from playwright.sync_api import expect


def test_a_cell_opens_its_game_and_a_move_its_search(visit):
    page = visit("tournament?game=connect-m&sizes=4&depths=1-2&games=3", ready=".heatmap td button >> nth=0")
    cells = page.locator(".heatmap td button")
    expect(cells).to_have_text(["draw", "draw", "draw", "draw"])  # a star on every cell says nothing
    page.get_by_text("4 of 4 cells have the same winner as the published heat maps, which are in the student report").wait_for()
    light = cells.first.evaluate("cell => getComputedStyle(cell).backgroundColor")
    page.emulate_media(color_scheme="dark")  # the colours follow at once
    expect(cells.first).not_to_have_css("background-color", light)
    cells.nth(1).click()
    page.get_by_text("MAX with K=1 against MIN with K=2").wait_for()
    page.locator(".board-picker svg").wait_for()
    expect(page.locator(".board-picker svg")).to_be_in_viewport(ratio=0.95)
    expect(page.locator(".board-picker circle[fill]")).to_have_count(16)
    slider = page.get_by_role("slider", name="Move")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".board-picker circle[fill]")).to_have_count(15)
    page.get_by_role("button", name="See why").click()
    page.get_by_text("It searched 1 move ahead").wait_for()
    page.get_by_role("button", name="Open the search").click()
    page.locator(".ps[data-step] .main").wait_for()
    assert "depth=1" in page.url  # MAX made move 15, and looks one move ahead


def test_a_large_screen_has_large_cells(visit):
    for width, height, least in ((1280, 720, 74), (1920, 1080, 100)):
        page = visit("tournament", ready=".heatmap td button >> nth=15", viewport={"width": width, "height": height})
        assert page.locator(".heatmap td button").first.bounding_box()["width"] >= least


def test_drawn_games_are_whole_numbers(visit):
    page = visit("tournament", ready=".heatmap td button >> nth=15", viewport={"width": 1280, "height": 720})
    page.get_by_text("Draws", exact=True).click()
    page.get_by_text("games drawn").wait_for()
    axis = page.locator("[data-testid=stVegaLiteChart] .role-axis-label").first.locator("text")
    assert all(text.isdigit() for text in axis.all_text_contents())


@pytest.mark.slow
def test_many_games_run_on_all_cores_and_can_be_cancelled(visit):
    page = visit("tournament?game=connect4&sizes=&depths=3-5&games=100&openings=4", ready=None)
    page.get_by_text("games played").wait_for()
    page.locator(".heatmap td button[disabled]").first.wait_for()  # no cell can be opened before all games are played
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("different games are played").wait_for()
    before = int(re.match(r"[\d,]+", page.get_by_text("different games are played").inner_text())[0].replace(",", ""))
    page.get_by_role("button", name="Play the rest").click()
    page.get_by_text("games played").wait_for()
    counts = re.search(r"([\d,]+) of ([\d,]+)", page.get_by_text("games played").inner_text())
    finished, games = (int(count.replace(",", "")) for count in counts.groups())
    assert games > finished >= before > 0  # it goes on, and does not begin anew
