"""Forms, and what pages have in common, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.viewer import EXAMPLE, open_form
from tests.support.marks import mostly_slow


def moves_field(page):
    return page.get_by_role("textbox", name="Moves so far")


def test_a_position_is_made_by_dropping_discs(visit):
    page = visit(EXAMPLE + "&step=300")
    open_form(page)
    for move, moves in (("4", "3, 4"), ("4", "3, 4, 4")):
        page.locator(f'.board-picker .target[data-move="{move}"]').click()
        expect(moves_field(page)).to_have_value(moves)
        page.locator(".board-picker circle[fill]").nth(moves.count(",")).wait_for()
    page.get_by_role("button", name="Undo").click()
    expect(moves_field(page)).to_have_value("3, 4")
    page.get_by_text("224 nodes", exact=True).wait_for()
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_text("after 3, 4 · alpha-beta · K=3 (3 moves ahead) · 224 nodes").wait_for()
    page.wait_for_url(re.compile("moves=34"))
    assert "step=300" not in page.url  # another search begins anew
    expect(page.locator(".board-picker svg")).to_have_count(0)  # the form is closed


def test_a_small_window_shows_that_the_form_goes_on_and_keeps_the_board(visit):
    page = visit(EXAMPLE + "&step=300", viewport={"width": 1280, "height": 720})
    open_form(page)
    hint = "getComputedStyle(document.querySelector('.st-key-ask'), '::after').opacity"
    page.wait_for_function(f"() => {hint} === '1'")
    colour = "getComputedStyle(document.querySelector('.st-key-ask'), '::after').backgroundColor"
    assert page.evaluate(colour) == "oklch(1 0 258)"  # no label shines through it
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => {colour} === 'oklch(0.2 0.014 258)'")
    moves_field(page).fill("3, 9")
    page.keyboard.press("Enter")
    page.get_by_text("There is no column 9").wait_for()
    expect(page.locator(".board-picker circle[fill]")).to_have_count(1)
    page.get_by_test_id("stPopoverBody").evaluate("(body) => body.scrollTo(0, body.scrollHeight)")
    page.wait_for_function(f"() => {hint} === '0'")
    page.get_by_role("button", name="Undo").click()  # it does not scroll away
    expect(moves_field(page)).to_have_value("3")


TREES = ["[[[[[1,2]]]]]", "[[[3,12],[8,2]],[[4,6],5]]", "[[3,12,8],[2,4,6],[14,5,2]]"]


@pytest.mark.parametrize("tree", mostly_slow(TREES, quick=1))
def test_the_form_of_a_tree_keeps_its_button_in_sight(visit, tree):
    page = visit(f"?game=tree:{tree}&step=3", viewport={"width": 1280, "height": 720})
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.locator(".tree-board .target").first.wait_for()
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_in_viewport(ratio=0.95)


def test_a_wide_tree_is_scrolled_to_its_current_node(visit):
    page = visit("?game=random-tree", viewport={"width": 1280, "height": 720})
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.locator(".tree-board .target").first.wait_for()
    assert page.locator(".tree-board").evaluate("(board) => board.scrollWidth > board.clientWidth && board.scrollLeft > 0")


def test_what_is_wrong_is_told_where_it_is_seen(visit):
    page = visit("?game=connect4&moves=4354&algorithm=alphabeta&depth=3", viewport={"width": 380, "height": 740})
    open_form(page)
    field = page.get_by_role("textbox", name="Depth K")
    field.fill("banana")
    field.press("Enter")
    reason = page.get_by_text("'banana' is not a depth limit")
    reason.wait_for()
    between = reason.bounding_box()["y"] - field.bounding_box()["y"]
    assert 0 < between < 150  # beside what is wrong
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(reason).to_be_in_viewport(ratio=1)


def test_the_order_of_moves_can_be_typed_and_a_wrong_one_is_explained(visit):
    page = visit("?game=connect4&moves=33&depth=3&algorithm=alphabeta&step=30")
    open_form(page)
    order = page.get_by_role("combobox", name="Order of moves")
    order.fill("0-1-2")
    page.keyboard.press("Enter")
    page.get_by_text("must name each of the columns 0 to 6 once").wait_for()
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_disabled()
    order.fill("6-5-4-3-2-1-0")
    page.keyboard.press("Enter")
    expect(page.get_by_text("must name each of the columns 0 to 6 once")).to_have_count(0)
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(re.compile("order(=|%3D)6-5-4-3-2-1-0"))


@pytest.mark.parametrize("address", [EXAMPLE + "&step=300", "?game=connect4&depth=3&step=30"])
def test_a_board_of_any_size_is_set_up_by_widgets(visit, address):
    page = visit(address)
    open_form(page)
    page.get_by_test_id("stSelectbox").first.click()
    page.get_by_role("option", name="Connect, any board").click()
    page.get_by_label("Columns", exact=True).fill("5")
    page.keyboard.press("Enter")
    expect(page.locator('.board-picker .target[data-move="6"]')).to_have_count(0)  # the old board stays for a moment
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(re.compile("cols(=|%3D)5"))


@pytest.mark.slow
def test_the_form_keeps_the_position_when_the_page_has_run_again(visit):
    page = visit(EXAMPLE + "&step=50")
    page.locator("[data-tab=node]").click()
    page.locator("[data-node-action=export]").click()
    page.get_by_text("Export a subtree").wait_for()
    page.keyboard.press("Escape")
    open_form(page)
    expect(moves_field(page)).to_have_value("3")


def test_another_evaluation_keeps_position_and_k(visit):
    page = visit("?game=k-tables&moves=31&algorithm=minimax&depth=2&step=0")
    open_form(page)
    page.get_by_role("textbox", name="Depth K", exact=True).fill("4")
    page.keyboard.press("Enter")
    page.get_by_role("combobox", name="Evaluation").click()
    page.get_by_role("option", name="lines").click()
    page.get_by_text("Four cells in a line").wait_for()
    expect(moves_field(page)).to_have_value("3, 1")
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(re.compile("depth=4"))
    assert "moves=31" in page.url


def test_one_search_goes_from_page_to_page(visit):
    page = visit("?game=connect4&moves=31&algorithm=alphabeta&depth=2&step=0")
    page.get_by_role("link", name="Compare").click()
    page.wait_for_url(re.compile(r"compare\?.*moves=31"))
    page.get_by_text("Connect 4 · after 3, 1").wait_for()
    page.get_by_role("link", name="Play").click()
    page.wait_for_url(re.compile(r"play\?.*moves=31"))
    page.get_by_text("your turn").wait_for()
    page.locator('.board-picker .target[data-move="2"]').click()
    page.wait_for_url(re.compile(r"play\?.*moves=312\d"))
    page.get_by_role("link", name="Step").click()
    page.get_by_text("Connect 4 · after 3, 1").wait_for()
    page.get_by_role("button", name="Use the position from Play").click()
    page.get_by_text("Connect 4 · after 3, 1, 2").wait_for()
    page.wait_for_url(re.compile(r"moves=312\d"))
    page.get_by_role("link", name="Play").click()  # a game under way stays
    page.wait_for_url(re.compile(r"play\?.*moves=312\d"))
