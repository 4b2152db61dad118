"""Lessons in a browser: answered by mouse and keyboard, and opened by links."""

import re

from playwright.sync_api import expect

from engine.learning.exercise import answer_key
from tests.browser.test_exercises import check_answer, give_answer, wait_for_exercise
from tests.browser.viewer import VIEW, press_keys
from tests.support.processes import wait_until
from visualizer.app.sections.lesson_files import load_lessons

PLACE = """(row) => {
  const view = VIEW, tree = view.part("tree"), around = tree.getBoundingClientRect(), zoom = tree.magnification ?? 1;
  const hits = [];
  for (let y = 0; y < around.height; y += 4)
    for (let x = 0; x < around.width; x += 4)
      if (view.nearest(x / zoom, y / zoom) === row) hits.push([around.x + x, around.y + y]);
  return hits[Math.floor(hits.length / 2)];
}""".replace("VIEW", VIEW)


def click_node(page, row):
    page.wait_for_function(f"() => {VIEW}?.nearest")
    x, y = page.evaluate(PLACE, row)
    page.mouse.click(x, y)


def test_a_lesson_by_mouse_and_keyboard(visit):
    page = visit("learn?lesson=minimax")
    click_node(page, 0)
    expect(page.get_by_text("That is the root")).to_be_visible()
    press_keys(page, "Home", "ArrowRight", "Enter")  # the first MIN node
    expect(page.get_by_text("A triangle that points down is a MIN node.")).to_be_visible()
    click_node(page, 5)
    expect(page).to_have_url(re.compile("answer=5"))
    page.get_by_role("button", name="Next", exact=True).or_(page.get_by_role("button", name="arrow_forward Next")).first.click()
    expect(page.get_by_role("heading", name="The leaves")).to_be_visible()
    page.get_by_role("textbox", name="Number").fill("9")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Minimax never skips a leaf")).to_be_visible()
    page.get_by_role("radio", name="6").or_(page.get_by_role("button", name="6", exact=True)).first.click()
    expect(page.get_by_role("heading", name="The best move")).to_be_visible()
    page.get_by_text("The left one").click()
    expect(page.get_by_text("It guarantees MAX the value of the root")).to_be_visible()
    page.reload()
    expect(page.get_by_text("It guarantees MAX the value of the root")).to_be_visible()
    expect(page.get_by_text("Solved: 1, 2, 6 of 8")).to_be_visible()
    page.get_by_role("radio", name="8").or_(page.get_by_role("button", name="8", exact=True)).first.click()
    exercise = load_lessons()["minimax"].screens[7].exercise
    wait_for_exercise(page, exercise.kind, exercise.seed, exercise.difficulty)
    expect(page.get_by_role("group", name="Kinds of exercises")).to_be_hidden()
    give_answer(page, exercise, answer_key(exercise))
    check_answer(page, right=True)
    expect(page.get_by_text("Solved: 1, 2, 6, 8 of 8")).to_be_visible()
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_text("Two sides want opposite things")).to_be_visible()
    expect(page.get_by_text("Minimax 4 of 8")).to_be_visible()


PINK_PIXELS = """(strip) => {
  const { data } = strip.getContext("2d").getImageData(0, 0, strip.width, strip.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] - data[at + 1] > 60 && data[at + 2] - data[at + 1] > 30) count++;
  return count;
}"""


def test_the_timeline_does_not_give_the_answer_away(visit):
    page = visit("learn?lesson=cutoff&screen=1")
    strip = page.locator("canvas[data-part=timeline]")
    wait_until(lambda: strip.evaluate("(strip) => strip.width > 300"), "the timeline is laid out")
    assert strip.evaluate(PINK_PIXELS) == 0
    label = page.get_by_text("Yes", exact=True)
    circle = page.get_by_test_id("stRadio").locator("label > div").first
    middles = [box["y"] + box["height"] / 2 for box in (circle.bounding_box(), label.bounding_box())]
    assert abs(middles[0] - middles[1]) < 3  # the circle is beside its label
    page.get_by_text("No", exact=True).click()
    expect(page.get_by_text("Right. MAX already has a move")).to_be_visible()
    wait_until(lambda: strip.evaluate(PINK_PIXELS) > 20, "the cutoff is shown after the answer")


def test_a_number_is_checked_by_a_button_and_next_stays_in_its_place(visit):
    page = visit("learn?lesson=minimax&screen=2")
    page.locator("[data-test-script-state=notRunning]").wait_for()  # a page that is still being made may forget what is typed
    page.get_by_role("textbox", name="Number").fill("9")
    expect(page.get_by_text("/20")).to_have_count(0)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.get_by_text("Minimax never skips a leaf")).to_be_visible()
    place = page.get_by_role("button", name=re.compile("Next$")).first.bounding_box()
    page.get_by_role("radio", name="8").or_(page.get_by_role("button", name="8", exact=True)).first.click()
    page.locator(".ps.learn[data-exercise]").wait_for()
    following = page.get_by_role("button", name=re.compile("Next$")).first
    expect(following).to_be_disabled()  # the second click of a double click does nothing
    assert following.bounding_box() == place


def test_the_card_of_a_solved_lesson_says_so(visit):
    page = visit("learn", ready="text=Two sides want opposite things")
    solved = {"minimax": list(range(1, 9)), "cutoff": [1, 2]}
    page.evaluate("(marks) => localStorage.setItem('plyscope.lessons', JSON.stringify(marks))", solved)
    page.reload()
    expect(page.get_by_text("✓ All screens are solved.")).to_have_count(1)
    expect(page.get_by_text("2 of 8 solved")).to_have_count(1)


def test_on_a_phone_the_reply_to_a_tap_is_in_sight(visit):
    page = visit("learn?lesson=minimax", viewport={"width": 380, "height": 740}, has_touch=True, is_mobile=True)
    expect(page.get_by_text("Or use the keys")).to_be_hidden()
    expect(page.locator("[data-part=timelineCaption]")).to_contain_text("Tap to go there.")
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, main.scrollHeight - main.clientHeight - 100)")
    page.wait_for_function(f"() => {VIEW}?.nearest")
    page.touchscreen.tap(*page.evaluate(PLACE, 5))
    expect(page.get_by_text("A triangle that points down is a MIN node.")).to_be_in_viewport(ratio=1)


def test_a_link_opens_its_screen_where_it_should(visit):
    page = visit("learn?lesson=cutoff&screen=2")
    expect(page.get_by_role("heading", name="The cause")).to_be_visible()
    expect(page.locator(".ps[data-step]")).to_have_attribute("data-step", "17")
    expect(page.locator(".ps .tabs")).to_be_hidden()


def test_a_link_to_no_lesson_leads_to_the_list_and_the_other_sections(visit):
    page = visit("learn?lesson=nothing", ready="text=There is no lesson 'nothing'")
    expect(page.get_by_text("Two sides want opposite things")).to_be_visible()
    expect(page.get_by_text("Exam sheets", exact=True)).to_be_visible()


def test_a_lesson_fits_a_projector(visit):
    page = visit("learn?lesson=cutoff&screen=3", viewport={"width": 1920, "height": 1080})
    ruler = page.locator(".ps .window svg")
    expect(ruler).to_be_visible()
    assert ruler.evaluate("(ruler) => ruler.getBoundingClientRect().right") <= 1920


def test_exam_sheets_are_downloaded(visit, tmp_path):
    page = visit("learn?sheets=1", ready="text=Exercises on paper")
    buttons = page.get_by_test_id("stDownloadButton").get_by_role("button")
    for place, name in ((0, "exam-seed7.pdf"), (3, "exam-seed7-key.pdf")):
        with page.expect_download() as waiting:
            buttons.nth(place).click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(b"%PDF-1.")
    page.get_by_text("Lessons", exact=True).click()
    expect(page.get_by_text("Two sides want opposite things")).to_be_visible()


def test_all_kinds_that_are_chosen_for_an_exam_are_seen_on_a_phone(visit):
    page = visit("learn?sheets=1", ready="[data-tag] >> nth=2", viewport={"width": 380, "height": 740})
    tags = page.get_by_test_id("stMultiSelectTagsContainer")
    assert tags.evaluate("tags => tags.scrollWidth <= tags.clientWidth")
    below = page.get_by_text("Exercises per sheet").bounding_box()
    last = page.locator("[data-tag]").last.bounding_box()
    assert last["y"] + last["height"] < below["y"]


def test_a_lesson_on_mcts_opens_at_its_iteration(visit):
    page = visit("learn?lesson=monte-carlo&screen=2")
    expect(page.locator(".ps")).to_have_attribute("data-phase", "simulate")
    expect(page.locator("[data-part=sentence]")).to_contain_text("MIN wins")
    press_keys(page, "ArrowRight")
    expect(page.locator(".ps")).to_have_attribute("data-phase", "backup")
    page.get_by_text("No, it wins").click()
    expect(page.get_by_text("Yes. Minimax finds that MAX wins after it.")).to_be_visible()
    expect(page.locator(".ps")).to_have_attribute("data-phase", "backup")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.get_by_role("heading", name="Back up")).to_be_visible()
