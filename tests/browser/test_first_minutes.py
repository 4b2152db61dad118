"""What somebody sees who opens the app for the first time: words on the buttons, nothing covered, and no dead ends."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_labels import SPY
from tests.browser.viewer import open_form, press_keys, read_sentence, wait_for_frames

PHONE = {"width": 380, "height": 740}
PILL_EDGE = 6  # px between the words of a pill and its edge
TRIANGLE = 15  # px: half of a node at most
SILENT_BUTTONS = """(buttons) => buttons.filter((button) => button.checkVisibility()
  && !button.innerText.trim() && !(button.title && button.ariaLabel)).map((button) => button.outerHTML)"""
CLIPPED_FIELDS = """(fields) => fields.flatMap((field) => [...field.querySelectorAll("input")]).filter((input) => {
  const style = getComputedStyle(input), pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  return pen.measureText(input.value).width > input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
}).map((input) => input.value)"""


def test_the_first_page_explains_itself(visit):
    page = visit("", viewport={"width": 1280, "height": 720}, color_scheme="dark")
    page.get_by_text("Step through the search below, or choose an example").wait_for()
    assert "there is a cutoff: columns 4, 5 and 6 are skipped" in read_sentence(page)
    expect(page.locator("[data-part=count]")).to_have_text(re.compile("3 nodes saved$"))
    caption = page.locator("[data-part=timelineCaption]")
    expect(caption).to_have_text("Paused at the first cutoff. Press Play to go on.")
    words = ("Back", "Play", "Next", "Next cutoff")
    assert [text for text in page.locator(".buttons button:visible").all_inner_texts() if text] == list(words)
    assert page.locator(".ps button").evaluate_all(SILENT_BUTTONS) == []
    expect(page.get_by_role("link", name="Play a game")).to_be_visible()  # not just Play, which is a button here
    expect(page.get_by_role("button", name="Exact result")).to_have_count(0)  # this position is too early to solve

    page.evaluate(SPY)  # the comparison at the cutoff ends before the next move
    press_keys(page, "ArrowLeft")
    expect(caption).to_have_text("Timeline: each bar is a node, pink if cut off. Click to go there.")
    press_keys(page, "ArrowRight")
    wait_for_frames(page)
    labels = page.evaluate("window.labels")
    pill = next(label for label in labels if label["text"].startswith("30 ≥"))
    names = [label for label in labels if label["text"] == "2" and label["top"] < pill["top"]]
    above = max(names, key=lambda label: label["top"])
    assert pill["right"] + PILL_EDGE <= above["left"] - TRIANGLE

    page.get_by_role("button", name="Download").click()
    page.get_by_text("Dark colours, like this page.").wait_for()
    assert page.get_by_test_id("stPopoverBody").locator("strong").all_inner_texts() == ["Overview", "Tree", "Animation"]
    page.emulate_media(color_scheme="light")  # the system's theme changes while the page is open: the page follows
    page.get_by_text("Light colours, like this page.").wait_for()
    page.keyboard.press("Escape")
    open_form(page)
    fields = page.get_by_test_id("stPopoverBody").get_by_test_id("stSelectbox")
    fields.nth(3).wait_for()
    page.get_by_text("MAX (blue) to move: click the board").wait_for()
    assert fields.evaluate_all(CLIPPED_FIELDS) == []
    expect(fields.nth(1).locator("input")).to_have_value("segment powers")  # words, not segments:power


def test_an_unknown_address_and_a_blocked_clipboard_are_no_dead_ends(visit):
    page = visit("nothing")
    page.get_by_text("There is no page at this address").wait_for()
    assert page.get_by_role("dialog").count() == 0
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = () => false; null")
    page.get_by_role("button", name="Copy link").click()
    dialog = page.locator(".page-link dialog[open]")
    expect(dialog).to_contain_text("copy it with Ctrl+C")
    assert page.evaluate("getSelection().toString()") == page.url


def test_the_cause_of_a_cutoff_does_not_cover_its_node_at_the_left_edge(visit):
    page = visit("?game=tictactoe&moves=0426&view=whole&step=0", viewport={"width": 380, "height": 740})
    page.evaluate(SPY)
    press_keys(page, "n")
    wait_for_frames(page)
    labels, rings = page.evaluate("[window.labels, window.rings]")
    source = next(label for label in labels if label["text"] == "α = 1")
    for x, y, radius in rings:
        across = min(source["right"] + PILL_EDGE, x + radius) - max(source["left"] - PILL_EDGE, x - radius)
        down = min(source["bottom"], y + radius) - max(source["top"], y - radius)
        assert min(across, down) <= 1, (source, x, y, radius)


@pytest.mark.parametrize(
    ("address", "ready"), [("?game=connect4&depth=2", ".ps[data-step] .main"), ("about", "text=Terms and symbols")]
)
def test_the_link_of_a_page_is_copied_and_shown(visit, address, ready):
    page = visit(address, ready=ready)
    offset = "block => [...block.children].find((child) => child.offsetHeight > 0).offsetTop - block.offsetTop"
    assert page.locator(".stMainBlockContainer > .stVerticalBlock").first.evaluate(offset) == 0  # the buttons take no room
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy = page.get_by_role("button", name="Copy link")
    copy.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Link copied. It works only on this computer").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.keyboard.press("Tab")
    expect(page.locator(".page-link .said")).to_be_empty()  # it covers the page only until the user goes on
    page.keyboard.press("Enter")
    dialog = page.locator(".page-link dialog[open]")
    expect(dialog.locator(".note")).to_contain_text("plyscope app --host 0.0.0.0")
    assert dialog.locator("svg").count() == 0  # only this computer can open the address
    assert dialog.locator(".address").text_content().split("?")[0] == page.url.split("?")[0]
    page.set_viewport_size({"width": 380, "height": 740})
    assert dialog.locator(".address").evaluate("(words) => words.scrollHeight <= words.clientHeight + 1")
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")


def test_the_menu_of_a_phone_closes_when_a_page_is_chosen_or_beside_it_is_tapped(visit):
    page = visit("play?game=connect4", ready=".board-picker svg", viewport=PHONE)
    page.get_by_role("button", name="Copy link").wait_for()
    menu = page.get_by_test_id("stSidebarCollapseButton")
    page.get_by_test_id("stExpandSidebarButton").click()
    menu.wait_for()
    board = page.locator(".board-picker svg").bounding_box()
    page.mouse.click(board["x"] + board["width"] - 20, board["y"] + board["height"] / 2)
    menu.wait_for(state="detached")
    assert "moves=" not in page.url  # no disc was dropped
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").get_by_text("Learn").click()
    page.wait_for_url("**/learn*")
    menu.wait_for(state="detached")
