"""Back returns to what was there, page by page."""

import pytest
from playwright.sync_api import expect

HEADINGS = {
    "Play": "MAX to move",
    "Compare": "minimax and alpha-beta",
    "Learn": "Only this browser remembers",
    "About": "Terms and symbols",
}
PLACE = "() => [location.pathname, ...new URLSearchParams(location.search)].join()"  # in whichever way its letters are written


def open_page(page, name):
    page.get_by_role("link", name=name).click()
    page.get_by_text(HEADINGS[name]).first.wait_for()


def history_length(page):
    return page.evaluate("history.length")


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == "Play" else pytest.mark.slow) for name in HEADINGS])
def test_a_page_of_the_menu_is_one_entry_of_the_history(visit, name):
    page = visit("?game=nim:1,2,3&moves=&algorithm=alphabeta&depth=end&step=5")
    result_line, before = page.get_by_text("to the end · 249 nodes"), history_length(page)
    expect(result_line).to_be_visible()
    place = page.evaluate(PLACE)
    open_page(page, name)
    assert history_length(page) == before + 1
    page.go_back()
    expect(result_line).to_be_visible()
    page.wait_for_function(f"(place) => ({PLACE})() === place", arg=place)


@pytest.mark.slow
def test_every_entry_is_a_page_that_was_seen(visit):
    page = visit("?game=nim:1,2,3&moves=&algorithm=alphabeta&depth=end&step=5")
    for name in HEADINGS:
        open_page(page, name)
    for name in [*HEADINGS][-2::-1]:
        page.go_back()
        page.get_by_text(HEADINGS[name]).first.wait_for()
    page.go_back()
    expect(page.get_by_text("to the end · 249 nodes")).to_be_visible()
