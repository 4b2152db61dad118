"""What browser tests do with the viewer: look at its step and its words, and press its keys."""

from playwright.sync_api import expect

MAX_WAIT_SECONDS = 120_000  # milliseconds for anything awaited: many times what a machine with a load of 20 needs
EXAMPLE = "?game=k-tables&moves=3&algorithm=alphabeta&depth=3"
SHADOW_ROOTS = "[...document.querySelectorAll('*')].map((e) => e.shadowRoot)"
VIEW = f"{SHADOW_ROOTS}.find((root) => root?.querySelector('.ps .main, .minimax-overlay'))?.view"
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

expect.set_options(timeout=MAX_WAIT_SECONDS)


def step_of(page):
    return int(page.locator(".ps[data-step]").get_attribute("data-step"))


def at_step(page, number):
    expect(page.locator(".ps[data-step]")).to_have_attribute("data-step", str(number))


def read_sentence(page):
    return page.locator("[data-part=sentence]").inner_text()


def wait_for_frames(page):
    """Wait until the browser has drawn what was asked for so far."""
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def press_keys(page, *keys):
    page.locator(".ps[data-step]").focus()
    for key in keys:
        page.keyboard.press(key)


def number_text(value):
    return {float("inf"): "∞", float("-inf"): "−∞"}.get(value) or f"{value:.4f}".rstrip("0").rstrip(".").replace("-", "−")


def open_form(page):
    """The form behind Change."""
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.locator(".board-picker svg").wait_for()
