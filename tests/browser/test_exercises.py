"""Exercises in a browser: every kind solved right and wrong, one with only the keyboard, on one page that is loaded once."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.learning.exercise import EXERCISE_TYPES, answer_key, make_exercise
from engine.learning.exercise_types import mistake
from engine.learning.summary import read_summary
from tests.browser.viewer import number_text
from visualizer.app.sections.lesson_files import load_lessons
from visualizer.narration.call_narration import list_call_events

CARD = ".ps.learn"
READY = f"{CARD}[data-exercise]"


def wait_for_exercise(page, kind, seed, difficulty):
    """Wait until an exercise is shown, and return it."""
    expect(page.locator(CARD)).to_have_attribute("data-exercise", f"{kind} {seed} {difficulty}")
    return make_exercise(kind, seed, difficulty)


def locate_node(page, row):
    return page.locator(f'.learn .node[data-row="{row}"]')


def give_answer(page, exercise, answer):
    """Answer with the mouse, or by typing into fields."""
    answer_format = EXERCISE_TYPES[exercise.kind].answer_format
    for part, value in answer.items():
        if answer_format == "number":
            locate_node(page, part).locator("input").fill(number_text(value))
        elif answer_format in ("window", "visits"):
            for end, bound in enumerate(value):
                locate_node(page, part).locator("input").nth(end).fill(number_text(bound).replace("∞", "i"))
        elif answer_format == "mark":
            if "marked" not in locate_node(page, part).get_attribute("class"):
                locate_node(page, part).click()
        elif answer_format == "child":
            locate_node(page, exercise.full_tree.child_rows(int(part))[value]).click()
        elif answer_format == "order":
            for index in reversed(value):
                locate_node(page, exercise.full_tree.child_rows(int(part))[index]).click()
        elif answer_format == "count":
            page.locator(f'.learn .fields input[data-part="{part}"]').fill(str(value))
        elif answer_format == "call" or value:
            locate_node(page, value).click()
        else:
            page.get_by_role("button", name="No cutoff").click()


def wrong_answer(exercise):
    """Return an answer with every part wrong."""
    right = answer_key(exercise)
    part = next(iter(right))
    answer_format = EXERCISE_TYPES[exercise.kind].answer_format
    if answer_format == "number":
        return {name: value + 1 for name, value in right.items()}
    if answer_format == "visits":
        return {name: (value[0] + 1, value[1]) for name, value in right.items()}
    if answer_format == "window":
        return {name: (value[1], value[0]) for name, value in right.items()}
    if answer_format == "mark":
        return {next(name for name in EXERCISE_TYPES[exercise.kind].allowed_parts(exercise) if name not in right): True}
    if answer_format == "child":
        values = [child.value for child in exercise.full_tree[0].children]
        if exercise.kind == "ucb":
            return {"0": (right["0"] + 1) % len(values)}
        return {"0": values.index(min(values) if exercise.full_tree[0].maximizing else max(values))}
    if answer_format == "order":
        return {}
    if answer_format == "count":
        return right | {"expanded": right["expanded"] - 1}
    return {part: right[part] + 1 if right[part] == 0 else 0}


def check_answer(page, right):
    page.get_by_role("button", name="Check").click()
    expect(page.locator(f".learn .feedback.{'right' if right else 'wrong'}")).to_be_visible()


def step_to_the_mistake(page, exercise):
    """The recorded search is shown as it was when it went wrong, and goes on from there."""
    panel = page.locator(".learn .calls")
    expect(panel).to_have_css("position", "static")  # it covers no verdict
    page.get_by_role("button", name="Show me").click()
    expect(panel).to_have_css("position", "sticky")
    event_text = page.locator(".learn [data-part=event]")
    wrong_row = answer_key(exercise)["call"]
    place = next(number for number, event in enumerate(list_call_events(exercise)) if event.wrong)
    expect(event_text).to_have_text(list_call_events(exercise)[place].words)
    expect(locate_node(page, wrong_row)).to_have_class(re.compile("current"))
    page.get_by_role("button", name="One call back").click()
    expect(event_text).to_have_text(list_call_events(exercise)[place - 1].words)
    page.get_by_label("Position in the recorded search").press("Home")
    expect(page.locator(".learn .node.pending")).to_have_count(len(mistake.faulty_search(exercise)) - 1)
    page.get_by_role("button", name="Go to the mistake").click()
    expect(event_text).to_have_text(list_call_events(exercise)[place].words)
    page.get_by_role("button", name="Back to the answers").click()
    expect(page.get_by_role("button", name="Back to the answers")).to_be_hidden()  # the answers are shown
    expect(page.locator(".learn .node.pending")).to_have_count(0)
    expect(page.locator(".learn .feedback")).to_be_in_viewport()


def test_every_kind_is_solved_wrong_and_right(visit):
    page = visit("learn?exercise=values&seed=4&difficulty=1", ready=READY)
    seed, answered = 4, 0
    for kind, exercise_type in EXERCISE_TYPES.items():
        page.get_by_role("group", name="Kinds of exercises").get_by_role("button", name=exercise_type.title).click()
        exercise = wait_for_exercise(page, kind, seed, 1)
        give_answer(page, exercise, wrong_answer(exercise))
        check_answer(page, right=False)
        expect(page.locator(".learn .corrections li").first).to_contain_text(re.compile(r"\w+.*\."))
        if kind == "mistake":
            step_to_the_mistake(page, exercise)
            page.get_by_role("button", name="Try again").click()
            give_answer(page, exercise, answer_key(exercise))
            check_answer(page, right=True)
            expect(page.locator(".learn .feedback")).to_contain_text("The mistake in this program:")
            expect(page.locator(".learn .feedback")).to_contain_text("The summary keeps your first answer: 0 of 1.")
        page.get_by_role("button", name=re.compile("^Next")).click()
        seed += 1
        exercise = wait_for_exercise(page, kind, seed, 1)
        page.wait_for_url(re.compile(f"exercise={kind}&seed={seed}&difficulty=1"))
        give_answer(page, exercise, answer_key(exercise))
        check_answer(page, right=True)
        expect(page.locator(".learn .corrections li")).to_have_count(0)
        answered += 2
        expect(page.locator(".learn .progress")).to_contain_text(f"{answered} exercises")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").blur()
    with page.expect_download() as waited:
        page.get_by_role("button", name="Download summary").click()
    checked = read_summary(Path(waited.value.path()).read_bytes())
    assert checked.is_consistent
    assert checked.learner == "Ada"
    assert [regraded.grade.solved for regraded in checked.exercises] == [False, True] * len(EXERCISE_TYPES)
    page.reload()  # the browser remembers; a verdict of before is not said again
    expect(page.locator(".learn .progress")).to_contain_text(f"{answered} exercises")
    expect(page.locator(".learn .feedback")).to_be_empty()
    other = page.context.new_page()  # a second tab: what it forgets is not brought back by the first
    other.goto(page.url)
    expect(other.locator(".learn .progress")).to_contain_text(f"{answered} exercises")
    other.get_by_role("button", name="Delete all").click()
    other.get_by_role("button", name="Really delete all?").click()
    expect(page.locator(".learn .progress")).to_contain_text("stored only in this browser")


def test_an_answer_is_still_there_after_another_kind_of_exercise(visit):
    page = visit("learn?exercise=values&seed=4&difficulty=1", ready=READY)
    kinds = page.get_by_role("group", name="Kinds of exercises")
    locate_node(page, 0).locator("input").fill("7")
    kinds.get_by_role("button", name="What is pruned?").click()
    exercise = wait_for_exercise(page, "pruned", 4, 1)
    give_answer(page, exercise, wrong_answer(exercise))
    check_answer(page, right=False)
    kinds.get_by_role("button", name="Back up the values").click()
    wait_for_exercise(page, "values", 4, 1)
    expect(locate_node(page, 0).locator("input")).to_have_value("7")
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    page.get_by_role("link", name="About").click()  # the same for an answer that is not graded yet
    page.get_by_role("link", name="Learn").click()
    wait_for_exercise(page, "values", 4, 1)
    expect(locate_node(page, 0).locator("input")).to_have_value("7")
    kinds.get_by_role("button", name="What is pruned?").click()
    wait_for_exercise(page, "pruned", 4, 1)
    expect(page.locator(".learn .feedback.wrong")).to_be_visible()


FRAME_COLOUR = "element => getComputedStyle(element).boxShadow.match(/rgb[^)]*[)]/g).at(-1)"
GREEN, RED = "rgb(0, 158, 115)", "rgb(179, 38, 30)"


def test_a_wrong_reply_has_a_red_frame_and_the_right_one_a_green_frame(visit):
    def answer_wrong(seed, after):
        page = visit(f"learn?exercise=cut&seed={seed}&difficulty=1", ready=READY)
        give_answer(page, make_exercise("cut", seed, 1), {"after": after})
        element = locate_node(page, after) if after else page.locator("[data-none]")
        assert element.evaluate(FRAME_COLOUR) not in (GREEN, RED)  # nothing is said before the grade
        check_answer(page, right=False)
        assert element.evaluate(FRAME_COLOUR) == RED
        return page

    right = {seed: answer_key(make_exercise("cut", seed, 1))["after"] for seed in range(1, 40)}
    without = next(seed for seed, after in right.items() if not after)
    none = answer_wrong(without, 2).locator("[data-none]")
    assert none.evaluate(FRAME_COLOUR) == GREEN
    expect(none).to_contain_text("✓")
    cut = next(seed for seed, after in right.items() if after)
    assert locate_node(answer_wrong(cut, 0), right[cut]).evaluate(FRAME_COLOUR) == GREEN


def test_by_keyboard_alone_with_hints_and_show_me(visit):
    page = visit("learn?exercise=pruned&seed=4&difficulty=1", ready=READY)
    locate_node(page, 0).focus()
    for pressed in ("ArrowDown", "ArrowRight", "ArrowDown", "Space"):  # marks the first child of the second move: wrong
        page.keyboard.press(pressed)
    expect(page.locator(".learn .node.marked")).to_have_count(1)
    page.keyboard.press("Space")
    expect(page.locator(".learn .node.marked")).to_have_count(0)
    hint = page.get_by_role("button", name=re.compile("^Hint"))
    for number in (1, 2, 3):
        hint.press("Enter")
        expect(page.locator(".learn .feedback")).to_contain_text(f"Hint {number} of 3")
    locate_node(page, 0).focus()
    for pressed in ("ArrowDown", "ArrowRight", "Space", "Control+Enter"):  # the node itself: too much
        page.keyboard.press(pressed)
    expect(page.locator(".learn .feedback.wrong")).to_contain_text("are marked, too. But the search visits them")
    page.get_by_role("button", name="Show me").first.press("Enter")
    page.locator(".ps[data-step] .main").wait_for()
    page.wait_for_url(re.compile("game=random-tree"))
    exercise = make_exercise("pruned", 4, 1)
    stored = json.loads(page.evaluate("localStorage.getItem('plyscope.learn')"))["exercises"]
    assert [(answer["points"], answer["hints"]) for answer in stored] == [(0, 3)]
    page.get_by_role("button", name="Back to the exercise").click()
    expect(page.locator(CARD)).to_have_attribute("data-exercise", "pruned 4 1")
    expect(page.locator(".learn .node")).to_have_count(len(exercise.full_tree))
    expect(page.locator(".learn .feedback.wrong")).to_contain_text(
        "are marked, too. But the search visits them"
    )  # as it was left
    expect(page.locator(".learn .node.marked")).to_have_count(4)
    page.get_by_role("button", name="Back up the values").press("Enter")
    values = answer_key(wait_for_exercise(page, "values", 4, 1))
    locate_node(page, 0).locator("input").focus()
    for value in values.values():
        page.keyboard.type(f"{value:.0f}")
        page.keyboard.press("Enter")  # to the next field, and at the end to be checked
    expect(page.locator(".learn .feedback.right")).to_be_visible()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    again = wait_for_exercise(page, "values", 5, 1)
    give_answer(page, again, answer_key(again))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next, harder")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_exercise(page, "values", 6, 2)
    page.go_back()
    wait_for_exercise(page, "values", 5, 1)


TOPS = """() => [...document.querySelectorAll(".learn .tree, .learn .actions, .learn .feedback, .learn .progress, .lesson-marks")]
  .map((element) => Math.round(element.getBoundingClientRect().top))"""


def test_nothing_moves_when_an_exercise_is_solved_and_wrong_input_is_shown_in_its_field(visit):
    page = visit("learn?lesson=minimax&screen=8", ready=READY)
    exercise = load_lessons()["minimax"].screens[7].exercise
    give_answer(page, exercise, answer_key(exercise))
    field = page.locator(".learn .node input").first
    right = field.input_value()
    field.fill("-1234567890")
    assert field.evaluate("(input) => getComputedStyle(input).fontSize") == "11px"
    field.fill("abc")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".learn .feedback")).to_contain_text("'abc' is not a number: write a number such as 7 or -3.")
    expect(field).to_have_class(re.compile("wrong"))
    expect(field).to_be_focused()
    field.fill(right)
    before = page.evaluate(TOPS)
    check_answer(page, right=True)
    expect(page.get_by_text("Solved: 8 of 8")).to_be_visible()
    assert page.evaluate(TOPS) == before


COVERED_LABELS = """(tree) => {
  const boxes = [...tree.querySelectorAll(".node")].map((node) => node.getBoundingClientRect());
  return [...tree.querySelectorAll("svg text")].filter((text) => {
    const label = text.getBoundingClientRect();
    const [top, bottom] = [label.top + label.height / 4, label.bottom - label.height / 4]; // of its digits
    return boxes.some((box) => Math.min(label.right, box.right) - Math.max(label.left, box.left) > 1
      && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1);
  }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("kind", ["values", "window", "backup"])
def test_no_node_covers_the_name_of_a_move(visit, kind):
    for difficulty in (1, 5):
        address = f"learn?exercise={kind}&seed=5&difficulty={difficulty}"
        page = visit(address, ready=READY, viewport={"width": 1280, "height": 720})
        assert page.locator(".learn .tree").evaluate(COVERED_LABELS) == []


def test_keys_are_named_only_where_there_is_a_keyboard(visit):
    for options, is_shown in (({"has_touch": True, "is_mobile": True}, False), ({}, True)):
        page = visit("learn?exercise=pruned&seed=4", ready=READY, viewport={"width": 1000, "height": 740}, **options)
        assert page.get_by_text("press Space to mark it").is_visible() == is_shown


def test_on_a_phone_the_page_does_not_move_sideways(visit):
    page = visit("learn?exercise=values&seed=4&difficulty=5", ready=READY, viewport={"width": 380, "height": 740}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.locator(".learn .scroll").evaluate("(scroll) => scroll.scrollWidth <= scroll.clientWidth")  # nor does the tree
    expect(page.get_by_text("This tree is drawn sideways")).to_be_visible()
    locate_node(page, 0).locator("input").tap()
    page.keyboard.type("3")
    page.get_by_role("button", name="Check").tap()
    expect(page.locator(".learn .feedback")).to_contain_text("are still empty")
    page.get_by_role("button", name="Check").tap()
    expect(page.locator(".learn .feedback.wrong, .learn .feedback.right")).to_be_visible()
