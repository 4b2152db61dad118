"""The page Step on screens of all sizes: what belongs together is seen together."""

import pytest
from playwright.sync_api import expect

from tests.browser.viewer import EXAMPLE, at_step, press_keys, step_of
from tests.support.marks import mostly_slow

SCREENS = [(1024, 768), (1280, 720), (1366, 768), (1920, 1080)]
GAMES = {
    "Connect": (EXAMPLE, ["tree", "sentence", "board", "window", "timeline"]),
    "tic-tac-toe": ("?game=tictactoe&moves=4081&depth=5", ["tree", "sentence", "board", "window", "timeline"]),
    "nim": ("?game=nim:1,2,3&moves=&depth=end", ["tree", "sentence", "board", "window", "timeline"]),
    "literal": ("?game=tree:[[3,12,8],[2,4,6],[14,5,2]]&moves=&depth=end", ["tree", "sentence", "window", "timeline"]),
}
BOXES = """() => {
  const root = [...document.querySelectorAll('*')].map((e) => e.shadowRoot).find((r) => r?.querySelector('.ps .main'));
  const boxes = {};
  for (const part of root.querySelectorAll('[data-part], .line.current')) {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    boxes[part.dataset.part ?? 'lit'] = { left, top, right, bottom, cut: part.scrollWidth > part.clientWidth + 1 };
  }
  return boxes;
}"""
SCROLLED = """() => [...document.querySelectorAll('section, main, body')]
  .filter((e) => e.clientHeight && e.scrollHeight > e.clientHeight + 1).map((e) => e.dataset.testid ?? e.tagName)"""


PART = (
    "[...document.querySelectorAll('*')].map((e) => e.shadowRoot).find((r) => r?.querySelector('.ps .main'))"
    ".querySelector('[data-part=\"{}\"]')"
)


def open_at_cutoff(visit, game, width=1280, height=720):
    address, parts = GAMES[game]
    page = visit(address + "&step=0", viewport={"width": width, "height": height})
    press_keys(page, "n")
    expect(page.locator("[data-part=sentence]")).to_contain_text(" skipped.")
    page.wait_for_timeout(300)  # sizes settle within some frames
    return page, parts


def iterate_screens(page):
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(400)
        yield width, height


def check_all_visible(page, parts, width, height):
    boxes = page.evaluate(BOXES)
    for part in [*parts, "lit"]:
        box = boxes[part]
        assert 0 <= box["left"] <= box["right"] - 20 <= width - 20, (part, width)
        assert 0 <= box["top"] <= box["bottom"] - 10 <= height - 10, (part, width)
        assert not box["cut"], (part, width)
    assert not boxes["panels"]["cut"]
    assert not boxes["code"]["cut"]
    check_current_line_visible(boxes)
    return boxes


def check_current_line_visible(boxes):
    panel, lit = boxes["panels"], boxes["lit"]
    assert panel["top"] - 1 <= lit["top"] <= lit["bottom"] <= panel["bottom"] + 1


def height_of(box):
    return box["bottom"] - box["top"]


@pytest.mark.parametrize("game", mostly_slow(GAMES, quick=1))
def test_a_cutoff_is_seen_at_once(visit, game):
    """Tree, sentence, board, window and the running line, and nothing is to be scrolled to."""
    page, parts = open_at_cutoff(visit, game)
    for width, height in iterate_screens(page):
        boxes = check_all_visible(page, parts, width, height)
        assert height_of(boxes["tree"]) > 0.38 * height
        assert page.evaluate(SCROLLED) == []


def test_a_wide_screen_is_used(visit):
    page, _ = open_at_cutoff(visit, "Connect", 1920, 1080)
    boxes = page.evaluate(BOXES)
    assert boxes["aside"]["right"] > 1850
    assert boxes["tree"]["right"] - boxes["tree"]["left"] > 1150
    assert height_of(boxes["board"]) > 320
    assert page.evaluate(f"parseFloat(getComputedStyle({PART.format('code')}).fontSize)") >= 16


def test_a_wide_screen_has_large_print_in_every_panel(visit):
    page = visit("?game=connect4&moves=4354&algorithm=table&depth=3&step=60", viewport={"width": 1920, "height": 1080})
    for tab, text in (("stack", "td"), ("node", "dd"), ("table", "td"), ("marks", "select")):
        page.locator(f"[data-tab={tab}]").click()
        size = page.locator(f"[data-panel={tab}] {text}").first.evaluate("(text) => parseFloat(getComputedStyle(text).fontSize)")
        assert size >= 15, tab


def test_the_line_that_explains_the_colours_of_the_timeline_is_whole(visit):
    page = visit("?game=connect4&moves=4354&algorithm=table&depth=4&step=300", viewport={"width": 1280, "height": 720})
    caption = page.locator("[data-part=timelineCaption]")
    expect(caption).to_have_text("Timeline: each bar is a node, pink if cut off, green if from the table. Click to go there.")
    assert caption.evaluate("(line) => line.scrollWidth <= line.clientWidth")


def test_a_tree_of_numbers_needs_no_board(visit):
    page, _ = open_at_cutoff(visit, "literal")
    expect(page.locator("[data-part=board]")).to_be_hidden()
    boxes = page.evaluate(BOXES)
    with_board = open_at_cutoff(visit, "Connect")[0].evaluate(BOXES)
    assert height_of(boxes["tree"]) > height_of(with_board["tree"]) + 40
    assert height_of(boxes["code"]) > height_of(with_board["code"])


CHANCE = '[5,{"chance":[{"p":"1/2","children":[4,9]},{"p":"1/2","children":[3,8]}]}]'
LONG_CODE = {
    "passes": "?game=connect4&moves=&algorithm=mtdf&depth=4",
    "noisy moves": "?game=connect4&moves=41634065&algorithm=alphabeta&depth=2&quiescence=4",
    "everything": "?game=connect4&moves=41634065&algorithm=engine&depth=3&quiescence=4",
    "long numbers": "?game=long-state&depth=4",
    "numbers only": "?game=tree:[[3,12,8],[2,4,6],[14,5,2]]",
    "outcomes": f"?game=tree:{CHANCE}&algorithm=star2",
    "a race with a die": "?game=pig:target=12,die=3&algorithm=star1&depth=5",
}
CLIPPED = """() => {
  const root = [...document.querySelectorAll('*')].map((e) => e.shadowRoot).find((r) => r?.querySelector('.ps .main'));
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const [panels, position, explain] = ['panels', 'position', 'explain'].map(part);
  const drawn = part('window').firstElementChild.getBoundingClientRect(), outer = position.getBoundingClientRect();
  const button = explain.getBoundingClientRect();
  return [
    panels.scrollHeight > panels.clientHeight + 1 && 'code',
    (drawn.top < outer.top - 1 || drawn.bottom > outer.bottom + 1) && 'window',
    !explain.hidden && button.top < drawn.bottom - 1 && button.left < drawn.right && 'button over the window',
    button.bottom > outer.bottom + 1 && 'button',
  ].filter(Boolean);
}"""


@pytest.mark.parametrize("what", mostly_slow(LONG_CODE, quick=1))
def test_long_code_and_the_window_are_never_clipped(visit, what):
    page = visit(LONG_CODE[what] + "&step=0", viewport={"width": 1280, "height": 720})
    for width, height in ((1280, 720), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        press_keys(page, "Home")
        for key in ("Home", *["ArrowRight"] * 6, "l", "l", "n", "ArrowRight", "ArrowRight", "End"):
            page.keyboard.press(key)
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            assert page.evaluate(CLIPPED) == [], (width, step_of(page))
    page.set_viewport_size({"width": 1920, "height": 1080})
    if what == "passes":
        assert page.evaluate(f"parseFloat(getComputedStyle({PART.format('passes')}.lastElementChild).fontSize)") >= 16
        assert page.locator("[data-part=passes] button").all_inner_texts()[1:3] == ["1 [−1, 0]", "2 [−11, −10]"]


def test_code_is_laid_out_again_when_its_font_has_come(visit):
    page = visit(EXAMPLE + "&step=0", viewport={"width": 1280, "height": 720})
    width = f"{PART.format('code')}.closest('.ps').style.getPropertyValue('--letter-width')"
    wide = page.evaluate(width)
    page.evaluate(f"{PART.format('code')}.closest('.ps').style.setProperty('--letter-width', '1px')")  # of the font before
    page.evaluate("document.fonts.dispatchEvent(new Event('loadingdone'))")
    page.wait_for_function(f"(wide) => {width} === wide", arg=wide)


def test_the_buttons_of_passes_are_whole_beside_those_for_zooming(visit):
    page = visit(LONG_CODE["passes"] + "&step=2180&view=whole", viewport={"width": 1280, "height": 720})
    strip = page.locator("[data-part=passes]")
    expect(strip.locator("button")).to_have_count(6)
    assert strip.evaluate("(strip) => strip.scrollWidth <= strip.clientWidth")


def test_long_code_on_a_phone_is_wrapped_between_its_parts(visit):
    page = visit(LONG_CODE["everything"] + "&step=0", viewport={"width": 380, "height": 740})
    page.locator(".ps pre .part").first.wait_for()
    broken = "parts => parts.filter((part) => part.getClientRects()[0].height > 2 * parseFloat(getComputedStyle(part).fontSize))"
    assert page.locator(".ps pre .part").evaluate_all(f"parts => ({broken})(parts).map((part) => part.innerText)") == []


# ---- lecture mode


@pytest.mark.parametrize("game", mostly_slow(GAMES, quick=1))
def test_a_lecture_fills_the_screen(visit, game):
    page, parts = open_at_cutoff(visit, game)
    before = page.evaluate(BOXES)
    size = f"parseFloat(getComputedStyle({PART.format('sentence')}).fontSize)"
    normal = page.evaluate(size)
    page.keyboard.press("f")
    page.locator(".ps.lecture").wait_for()
    for width, height in iterate_screens(page):
        boxes = check_all_visible(page, parts, width, height)
        assert boxes["sentence"]["top"] < 0.05 * height
        assert boxes["timeline"]["bottom"] > 0.95 * height
        assert height_of(boxes["tree"]) > 1.15 * height_of(before["tree"])
        assert page.evaluate(size) > 1.15 * normal
        for covered in ("stHeader", "stButtonGroup", "stPopoverButton"):
            assert is_covered(page, covered), covered
    for hidden in (".buttons", ".tools", ".tabs"):
        expect(page.locator(f".ps {hidden}")).to_be_hidden()


def is_covered(page, name):
    box = page.get_by_test_id(name).first.bounding_box()
    point = [box["x"] + min(box["width"], 300) / 2, box["y"] + box["height"] / 2]
    return page.evaluate("(point) => document.elementFromPoint(...point).shadowRoot !== null", point)


def test_a_lecture_is_given_by_keys(visit, trace):
    page = visit(EXAMPLE + "&step=0", viewport={"width": 1280, "height": 720})
    page.locator("[data-part=more] summary").click()
    page.locator("[data-mode=lecture]").click()
    page.locator(".ps.lecture").wait_for()
    page.keyboard.press("n")
    at_step(page, trace.next("cutoff", 0))
    page.keyboard.press("v")
    expect(page.locator("[data-view=whole]")).to_have_attribute("aria-pressed", "true")
    page.evaluate("document.activeElement.blur()")  # wherever the focus is, the keys are heard
    page.keyboard.press("ArrowRight")
    at_step(page, trace.next("cutoff", 0) + 1)
    page.keyboard.press("Escape")
    expect(page.locator(".ps.lecture")).to_have_count(0)
    expect(page.get_by_test_id("stButtonGroup")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    at_step(page, trace.next("cutoff", 0))


@pytest.mark.slow
def test_a_lecture_can_have_the_whole_screen(visit):
    page = visit(EXAMPLE + "&step=5", viewport={"width": 1280, "height": 720})
    press_keys(page, "f", "f")
    page.wait_for_function("() => document.fullscreenElement !== null")
    assert is_covered(page, "stButtonGroup")
    page.keyboard.press("ArrowRight")
    at_step(page, 6)
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.fullscreenElement === null")
    expect(page.locator(".ps.lecture")).to_have_count(0)


@pytest.mark.slow
def test_the_reminder_of_the_keys_can_be_dismissed_for_good(visit):
    page = visit(EXAMPLE + "&step=5", viewport={"width": 1280, "height": 720})
    reminder = page.locator("[data-part=reminder]")
    assert not reminder.is_visible()
    press_keys(page, "f")
    reminder.wait_for()
    page.keyboard.press("h")
    expect(reminder).not_to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.locator(".ps.lecture").wait_for()
    assert not reminder.is_visible()


@pytest.mark.slow
def test_every_running_line_of_a_lecture_is_in_sight(visit, trace):
    page = visit(EXAMPLE + "&step=0", viewport={"width": 1024, "height": 600})
    press_keys(page, "f")
    for step in range(40):
        at_step(page, step)
        check_current_line_visible(page.evaluate(BOXES))
        page.keyboard.press("ArrowRight")


# ---- the controls


def test_play_and_forward_do_not_look_alike(visit):
    page = visit(EXAMPLE + "&step=0")
    play, forward = (page.locator(f".buttons [data-action={name}]") for name in ("play", "forward"))
    assert (play.inner_text(), forward.inner_text()) == ("Play", "Next")
    assert 'fill="currentColor"' in play.inner_html()
    assert 'fill="none"' in forward.inner_html()
    weights = [button.evaluate("button => Number(getComputedStyle(button).fontWeight)") for button in (play, forward)]
    assert weights[0] > weights[1]
    play.click()
    expect(play).to_have_text("Pause")


@pytest.mark.slow
def test_speeds_are_said_in_words(visit):
    page = visit(EXAMPLE + "&step=0")
    speeds = page.locator("[data-part=speed] option").all_inner_texts()
    assert speeds == [f"{count} a second" for count in ("1 step", "4 steps", "15 steps", "60 steps", "1,000 steps")]


# ---- a phone


@pytest.mark.slow
def test_the_tree_on_a_phone_stays_where_it_is(visit, trace):
    page = visit(EXAMPLE + "&step=0", viewport={"width": 380, "height": 800})
    places = set()
    for step in range(1, 60):
        press_keys(page, "ArrowRight")
        at_step(page, step)
        box = page.evaluate(BOXES)["tree"]
        places.add((box["top"], box["bottom"]))
    assert len(places) == 1


def test_on_a_phone_the_buttons_cover_nothing_before_the_tree_is_reached(visit):
    page = visit(EXAMPLE + "&step=5", viewport={"width": 380, "height": 300})
    buttons = page.locator(".controls .buttons")
    expect(buttons).to_be_hidden()
    page.locator("[data-part=tree]").scroll_into_view_if_needed()
    expect(buttons).to_be_visible()


def test_on_a_phone_every_control_and_every_answer_is_in_sight(visit):
    page = visit(f"{EXAMPLE}&step=60&range=20-90&tab=marks", viewport={"width": 380, "height": 740})
    expect(page.locator("[data-part=range]")).to_be_in_viewport(ratio=1)
    tops = page.locator(".tools button:visible").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    assert max(tops) - min(tops) < 5  # one row leaves room for the board
    page.locator("[data-part=stopAt]").fill("two")
    page.locator("[data-part=stopForm] button").click()
    expect(page.locator("[data-part=toast]")).to_contain_text("is not a number")
    expect(page.locator("[data-part=toast]")).to_be_in_viewport(ratio=1)
    page.locator("[data-part=more] summary").click()
    page.locator("[data-mode=help]").click()
    expect(page.locator(".ps dialog button")).to_be_in_viewport(ratio=1)


def test_the_answers_of_a_prediction_stay_in_its_box_on_a_phone(visit):
    address = "?game=tictactoe&moves=&algorithm=mcts&iterations=60&seed=7&iteration=31&phase=select"
    page = visit(address, viewport={"width": 380, "height": 740})
    page.locator("[data-part=more] summary").click()
    page.locator("[data-mode=predict]").click()
    page.locator("[data-part=choices] button").nth(2).wait_for()
    assert page.locator("[data-part=prediction]").evaluate("(box) => box.scrollWidth <= box.clientWidth")


def test_a_lecture_on_a_phone_has_buttons(visit):
    page = visit(EXAMPLE + "&step=5&lecture=1", viewport={"width": 380, "height": 800})
    page.locator(".ps.lecture").wait_for()
    page.locator(".buttons [data-action=forward]").click()
    at_step(page, 6)
    page.get_by_role("button", name="Leave", exact=True).first.click()
    expect(page.locator(".ps.lecture")).to_have_count(0)


def test_a_timeline_without_room_is_no_error(visit):
    """A page that is laid out gives it no height for a moment. A fault would be noticed when the test ends."""
    page, _ = open_at_cutoff(visit, "literal")
    page.locator("[data-part=timeline]").evaluate("canvas => canvas.style.setProperty('height', '0', 'important')")
    step = step_of(page)
    press_keys(page, "ArrowRight")
    at_step(page, step + 1)


def test_a_game_without_a_board_shows_its_state_in_words(visit):
    page = visit("?game=pig:target=6,die=3&depth=4&step=1")
    expect(page.locator("[data-part=state]")).to_have_text("MAX 0, MIN 0, turn total 0: MAX rolls")
    press_keys(page, "ArrowRight")
    expect(page.locator("[data-part=state]")).to_have_text("MAX 0, MIN 0, turn total 0: MIN to move")
    assert not page.evaluate(BOXES)["state"]["cut"]
