"""Who gets the keys on the page Step."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.viewer import EXAMPLE, at_step, step_of

FOCUSED = "() => document.activeElement?.shadowRoot?.querySelector('.ps .main') != null"


def test_after_an_example_keys_go_to_the_viewer(visit):
    page = visit(EXAMPLE + "&step=10")
    page.get_by_test_id("stButtonGroup").get_by_text("Textbook tree").click()
    page.wait_for_url(re.compile("game=tree"))
    page.locator(".ps.boardless").wait_for()  # the tree of numbers, no longer the board
    page.wait_for_function(FOCUSED)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press(" ")
    page.wait_for_function(
        "() => [...document.querySelectorAll('*')].some((e) => e.shadowRoot?.querySelector('.ps[data-step=\"3\"]'))"
    )
    assert "game=tree" in page.url
    page.keyboard.press("Home")
    page.get_by_test_id("stButtonGroup").get_by_text("Textbook tree").click()  # the same again
    page.wait_for_timeout(1000)
    page.keyboard.press("ArrowRight")
    at_step(page, 1)


def test_space_plays_after_any_click_in_the_viewer(visit):
    page = visit(EXAMPLE + "&step=10")
    page.locator("[data-part=speed]").select_option("1")
    for place in (
        '[data-action="forward"]', '[data-tab="node"]', '[data-view="whole"]', "[data-part=legendButton]", "[data-part=bestLine]",
        "[data-part=more] summary", "[data-part=speed]", "[data-part=sentence]", "[data-part=timeline]", "[data-part=board]",
    ):  # fmt: skip
        page.locator(".buttons " * place.startswith("[data-action") + place).click()
        if place == "[data-part=speed]":
            page.keyboard.press("Escape")  # closes the list
        page.keyboard.press(" ")
        expect(page.locator('.buttons [data-action="play"]'), place).to_have_text("Pause")
        page.keyboard.press(" ")
        expect(page.locator('.buttons [data-action="play"]'), place).to_have_text("Play")
    button = page.locator('.buttons [data-action="forward"]')
    before = step_of(page)
    button.focus()
    page.keyboard.press(" ")  # a button that the keyboard has reached keeps its space bar
    at_step(page, before + 1)


@pytest.mark.slow
def test_after_the_form_keys_go_to_the_viewer(visit):
    page = visit(EXAMPLE + "&step=10")
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.locator(".board-picker svg").wait_for()
    page.get_by_role("textbox", name="Depth K", exact=True).fill("2")
    page.keyboard.press("Enter")
    page.get_by_text("44 nodes", exact=True).wait_for()
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(re.compile("depth=2"))
    expect(page.locator(".board-picker svg")).to_have_count(0)
    page.wait_for_timeout(2500)  # whatever else wants the focus has had it
    page.wait_for_function(FOCUSED)
    before = step_of(page)
    page.keyboard.press("ArrowRight")
    at_step(page, before + 1)


@pytest.mark.slow
def test_nobody_loses_the_keys_while_typing(visit):
    """A search that ends while the form is open shows itself, and the form keeps the focus."""
    page = visit("?game=connect:rows=9,cols=10,connect=4&moves=&algorithm=alphabeta&depth=6", ready=None)
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    typing = page.get_by_role("textbox", name="Depth K", exact=True)
    typing.click()
    page.locator(".ps[data-step] .main").wait_for()
    page.wait_for_timeout(2500)
    page.keyboard.type("8")
    expect(typing).to_have_value(re.compile("8"))
