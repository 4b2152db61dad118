"""Copy link and QR code, on every page."""

import pytest


@pytest.mark.parametrize(
    ("address", "ready"), [("?game=connect4&depth=2", ".ps[data-step] .main"), ("about", "text=Terms and symbols")]
)
def test_the_link_of_a_page_is_copied_and_shown_as_a_qr_code(visit, address, ready):
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
    page.keyboard.press("Enter")
    dialog = page.locator(".page-link dialog[open]")
    dialog.locator("svg").wait_for()
    assert dialog.locator(".address").text_content().split("?")[0] == page.url.split("?")[0]
    assert dialog.locator("svg").evaluate("svg => getComputedStyle(svg).backgroundColor") == "rgb(255, 255, 255)"
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
