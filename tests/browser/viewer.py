"""What browser tests do with the viewer: look at its step and its words, and press its keys."""

from playwright.sync_api import expect

PATIENCE = 120_000  # milliseconds for anything awaited: many times what a machine with a load of 20 needs
EXAMPLE = "?game=k-tables&moves=3&algorithm=alphabeta&depth=3"
VIEW = "[...document.querySelectorAll('*')].map((e) => e.shadowRoot).find((r) => r?.querySelector('.ps .main, .duo'))?.view"
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

expect.set_options(timeout=PATIENCE)


def step_of(page):
    return int(page.locator(".ps").get_attribute("data-step"))


def at_step(page, number):
    expect(page.locator(".ps")).to_have_attribute("data-step", str(number))


def said(page):
    return page.locator("[data-part=sentence]").inner_text()


def press(page, *keys):
    page.locator(".ps").focus()
    for key in keys:
        page.keyboard.press(key)


def number_text(value):
    return {float("inf"): "∞", float("-inf"): "−∞"}.get(value) or f"{value:.0f}".replace("-", "−")


def open_form(page):
    """The form behind Change."""
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.locator(".pick svg").wait_for()
