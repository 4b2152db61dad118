"""Lessons: all files can be read, every number is true, every question has a right answer, and no URL breaks the page."""

import json
import math
import re
import shutil
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from engine.algorithms import find_algorithm
from engine.core.errors import PlyscopeError
from engine.learning.exercise import answer_key, grade_answer
from tests.support.marks import examples
from tests.support.paths import ROOT, TESTS
from tests.support.processes import MAX_WAIT_SECONDS, wait_until
from visualizer.app.sections.front_matter import BadLesson
from visualizer.app.sections.lesson_answers import (
    find_faults,
    list_texts,
    remove_proofs,
    reply_to_node,
    reply_to_number,
    right_choice,
    right_nodes,
    right_number,
)
from visualizer.app.sections.lesson_facts import (
    NoSuchFact,
    evaluate_fact,
    find_rows,
    find_step,
    is_claim_true,
    question_from_params,
    read_number,
    search_from_params,
)
from visualizer.app.sections.lesson_files import (
    CHOICE_KEYS,
    LESSON_FOLDER,
    MISTAKE_KEYS,
    QUESTION_TYPES,
    list_languages,
    load_lessons,
    read_lesson,
)
from visualizer.app.sections.lessons import describe_lesson_search

APP = ROOT / "visualizer" / "app" / "main.py"
STUB = TESTS / "support" / "lessons_stub"
SCREENS = [screen for lesson in load_lessons().values() for screen in lesson.screens]
NAMES = ["minimax", "window", "cutoff", "order", "minimal-tree", "horizon", "real-programs", "chance", "monte-carlo"]
TEXTBOOK = {"game": "tree:[[3,12,8],[2,4,6],[14,5,2]]"}

ONE_SCREEN = """\
---
lesson: A
about: B
---

---
screen: C
game: tree:[[3,12],[2,4]]
question: D?
answer: value of [0]
reason: Yes, {3 = value of [0]}.
hint: No.
---
There are {4 = leaves with algorithm=minimax} leaves.
"""


EXERCISE = """\
---
lesson: A
about: B
---

---
screen: C
exercise: values
seed: 7
difficulty: 1
---
Your turn.
"""


# ---- the lessons are true


def test_there_are_nine_lessons_of_five_to_eight_screens():
    assert list(load_lessons()) == NAMES
    assert all(5 <= len(lesson.screens) <= 8 for lesson in load_lessons().values())


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen.file}:{screen.line}")
def test_every_number_is_proved_and_every_question_can_be_answered(screen):
    assert find_faults(screen) == []
    if screen.exercise is not None:
        assert grade_answer(screen.exercise, answer_key(screen.exercise)).solved
        return
    tree = search_from_params(screen.search)
    assert 0 <= find_step(screen.step.text, tree) < len(tree.timeline)
    assert tree.expanded <= 10_000  # a screen is there at once
    if screen.kind == "answer":
        assert reply_to_number(screen, right_number(screen)) == screen.reason
        assert reply_to_number(screen, 987654321.0) == screen.hint
    elif screen.kind == "click":
        assert right_nodes(screen)
        assert all(reply_to_node(screen, row) == screen.reason for row in right_nodes(screen))
        assert reply_to_node(screen, 10**9) == screen.hint
    else:
        assert 0 <= right_choice(screen) < len(screen.choices)


def test_learners_never_see_a_proof():
    for screen in SCREENS:
        for entry in list_texts(screen):
            assert not re.search(r"[{}]", remove_proofs(entry.text)), entry


def test_the_right_choice_is_not_always_in_the_same_place():
    places = [right_choice(screen) for screen in SCREENS if screen.kind == "choices"]
    assert max(places.count(place) for place in set(places)) < 0.7 * len(places)


@pytest.mark.parametrize("quirk", ["k-tables", "threats", "long-state", "full-depth", "connect-m"])
def test_a_lesson_is_about_all_five_programs(quirk):
    assert any(screen.search.get("game") == quirk for screen in load_lessons()["real-programs"].screens)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{4 = leaves", "{5 = leaves", "line 14: the text says 5, but leaves with algorithm=minimax is 4"),
        ("{4 = leaves with algorithm=minimax}", "4", "line 14: 4 has no proof: write {4 = fact}"),
        ("value of [0]\nreason", "value of [7]\nreason", "line 10: the search does not visit [7]"),
        ("value of [0]\nreason", "colour of [0]\nreason", "line 10: there is no fact 'colour of [0]'"),
        ("value of [0]\nreason", "side of [0]\nreason", "line 10: 'side of [0]' is not a number but MIN"),
        ("{3 = value", "{4 = value", "line 11: the text says 4, but value of [0] is 3"),
        ("tree:[[3,12],[2,4]]", "nothing", "nothing"),
        ("hint: No.", "hint: No.\nmistakes:\n- answer: value of [0]\n  reply: Never shown.", "line 14: 'value of [0]' is right"),
        ("question: D?", "question: D?\nstep: third cutoff", "no third cutoff"),
    ],
)
def test_wrong_statements_are_found_with_file_and_line(old, new, message):
    assert old in ONE_SCREEN
    (screen,) = read_lesson(ONE_SCREEN.replace(old, new), "en/9-x.md").screens
    try:
        faults = find_faults(screen)
    except BadLesson as error:
        faults = [str(error)]
    assert any(message in fault for fault in faults), faults


def test_a_digit_in_the_name_of_an_algorithm_needs_no_proof():
    for reason, fault in (
        ("Star1 finds it.", None),
        ("Star1 visits 4.", "4 has no proof"),
        ("Star12 finds it.", "12 has no proof"),
        ("Connect 4 has 7 columns.", "7 has no proof"),
        ("This is Connect 4.", None),
    ):
        (screen,) = read_lesson(ONE_SCREEN.replace("reason: Yes, {3 = value of [0]}.", f"reason: {reason}"), "x.md").screens
        assert find_faults(screen) == ([f"x.md, line 11: {fault}: write {{{fault.split()[0]} = fact}}"] if fault else [])


def test_exactly_one_choice_must_be_right():
    choices = "choices:\n" + "".join(
        f"- choice: {choice}\n  right if: {claim}\n  reply: Yes.\n"
        for choice, claim in (("3", "value of [0] = 3"), ("More", "value of [0] > 2"))
    )
    two = ONE_SCREEN.replace("answer: value of [0]", choices)
    (screen,) = read_lesson(two, "x.md").screens
    assert find_faults(screen) == ["x.md, line 6: 2 choices of this screen are right: exactly one must be"]


# ---- facts


def test_facts_are_those_of_the_record():
    assert evaluate_fact("nodes", TEXTBOOK) == 11
    assert evaluate_fact("leaves with algorithm=minimax - leaves", TEXTBOOK) == 2
    assert evaluate_fact("side of first cutoff", TEXTBOOK) == "MIN"
    assert evaluate_fact("bound of [1]", TEXTBOOK) == "upper"
    assert evaluate_fact("visited of [1,1]", TEXTBOOK) == "no"
    assert evaluate_fact("alpha of []", TEXTBOOK) == float("-inf")
    assert evaluate_fact("minimal leaves", TEXTBOOK) == 5
    assert is_claim_true("value of [1] < alpha of [1]", TEXTBOOK)
    assert find_rows("cutoffs", search_from_params(TEXTBOOK)) == find_rows("[1]", search_from_params(TEXTBOOK)) == {5}
    assert (
        find_rows("below [2]", search_from_params(TEXTBOOK))
        == find_rows("children of [2]", search_from_params(TEXTBOOK))
        == {8, 9, 10}
    )


@pytest.mark.parametrize(
    "fact",
    ["", "value of", "value of [", "nodes with algorithm", "side + 1", "value of [1,1]", "nodes with game=nothing", "eval(1)"],
)
def test_unknown_facts_are_refused_with_a_message(fact):
    with pytest.raises(NoSuchFact, match=r".+"):
        evaluate_fact(fact, TEXTBOOK)


def test_facts_of_iterations_are_those_of_the_tree():
    search = {"game": "tree:[0.5,[1,1,0]]", "algorithm": "mcts", "iterations": "20", "seed": "1"}
    tree = search_from_params(search)
    left = next(child for child in tree.root.children if child.move == 0)
    assert (
        evaluate_fact("visits of [0]", search) + evaluate_fact("visits of [1]", search)
        == evaluate_fact("iterations", search)
        == 20
    )
    assert evaluate_fact("mean of [0]", search) == 0.5
    assert evaluate_fact("sum of [0]", search) == round(0.5 + 1.4 * math.sqrt(math.log(20) / left.visits), 2)
    assert evaluate_fact("c with c=0", search) == 0
    step = tree.timeline[find_step("iteration 7 backup", tree)]
    assert (step.iteration, step.kind) == (7, "backup")
    for fact in ("visits of [0]", "mean of [0]", "sum of [0]", "iterations", "c"):
        with pytest.raises(PlyscopeError):
            evaluate_fact(fact, TEXTBOOK)
    with pytest.raises(NoSuchFact, match="does not run in iterations"):
        find_step("iteration 7", search_from_params(TEXTBOOK))


@examples(200)
@given(st.text("0123456789−-∞,. ٣e+x", max_size=40))
def test_typed_text_is_a_number_or_none(text):
    assert read_number(text) is None or isinstance(read_number(text), float)


# ---- files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hello", "line 1: a lesson begins with a line ---"),
        ("---\nlesson: A\n", "line 1: the block of settings that begins here has no closing ---"),
        ("---\nlesson: A\nabout: B\n---\n", "0 screens"),
        ("---\n---\n" * 22, "21 screens"),
        (ONE_SCREEN.replace("lesson: A\nabout: B\n", ""), "line 1: the block that begins here has no settings"),
        (ONE_SCREEN.replace("lesson: A\nabout: B\n", "[lesson, about]\n"), "line 1: the block that begins here has no settings"),
        (ONE_SCREEN.replace("about: B\n", ""), "line 1: about is missing"),
        (ONE_SCREEN.replace("about: B", "about:"), "line 1: about is missing"),
        (ONE_SCREEN.replace("about: B", "about: B\npractise: chess"), "line 4: there is no exercise 'chess'"),
        (ONE_SCREEN.replace("game: ", "gmae: "), "line 8: there is no setting 'gmae'"),
        (ONE_SCREEN.replace("game: ", "? [a]\n: "), "line 8: there is no setting ''"),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\nhint: No."), "line 13: hint appears twice"),
        (ONE_SCREEN.replace("hint: No.\n", ""), "line 6: hint is missing"),
        (ONE_SCREEN.replace("hint: No.", "hint:\n- No."), "line 13: hint takes one value, not a list"),
        (ONE_SCREEN.replace("hint: No.", "hint: {a: b}"), "line 12: hint takes one value, not a list"),
        (ONE_SCREEN.replace("answer: value of [0]\n", ""), "line 6: a screen asks one question"),
        (ONE_SCREEN.replace("hint: No.", "click: [0]\nhint: No."), "line 6: a screen asks one question"),
        (
            ONE_SCREEN.replace("hint: No.", "hint: No.\nmistakes: 4"),
            "line 13: mistakes takes a list, and each entry has answer and reply",
        ),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\nmistakes:\n- 4"), "line 14: mistakes takes a list"),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\nmistakes: []"), "line 13: mistakes has too few entries: write 1 or more"),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\nmistakes:\n- answer: 4"), "line 14: reply is missing"),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\nmistakes:\n- answer: 4\n  why: No."), "line 15: there is no setting 'why'"),
        (ONE_SCREEN.replace("hint: No.", "hint: No: never"), "line 12: not valid YAML (mapping values are not allowed here)"),
        (ONE_SCREEN.replace("question: D?", "question: {3 = value} D?"), "line 9: not valid YAML"),
        (ONE_SCREEN.replace("hint: No.", "hint No."), "line 12: not valid YAML (could not find expected ':')"),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\x07"), "line 12: not valid YAML (special characters are not allowed)"),
        (ONE_SCREEN.replace("hint: No.", 'hint: "\\UFFFFFFFF"'), "line 6: an escape in the block that begins here"),
        (ONE_SCREEN.replace("hint: No.", "hint: &a No.\nstep: *a"), "line 13: not valid YAML (aliases are not allowed)"),
        (ONE_SCREEN.replace("hint: No.", "hint: " + "[" * 90_000), "line 12: not valid YAML (too many levels of nesting)"),
        (
            ONE_SCREEN.replace("hint: No.", "hint: !!python/object/apply:os.getcwd []\nseed: 7"),
            "line 13: seed belongs to an exercise",
        ),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\nview: upside down"), "line 13: there is no view"),
        (ONE_SCREEN.replace("hint: No.", "hint: No.\nseed: 7"), "line 13: seed belongs to an exercise, and this screen has none"),
        (EXERCISE.replace("seed: 7\n", ""), "line 6: seed is missing"),
        (EXERCISE.replace("seed: 7", "seed: x"), "line 9: the seed 'x' is not a whole number"),
        (
            EXERCISE.replace("difficulty: 1", "difficulty: 6"),
            "line 8: there is no difficulty 6: choose a whole number from 1 to 5",
        ),
        (EXERCISE.replace("exercise: values", "exercise: valeus"), "line 8: there is no kind of exercise 'valeus'"),
        (
            EXERCISE.replace("seed: 7", "seed: 7\nmistakes:\n- No."),
            "line 11: an exercise has its own tree and question: leave out mistakes",
        ),
        (ONE_SCREEN.rpartition("There")[0], "the text of the screen is missing"),
        ("x" * 100_001, "at most 100,000"),
    ],
)
def test_bad_files_are_refused_with_their_line(text, message):
    with pytest.raises(BadLesson, match=re.escape(message)):
        read_lesson(text, "en/9-x.md")


@examples(300)
@given(
    st.lists(
        st.sampled_from(
            [
                *ONE_SCREEN.splitlines(),
                "- a: b",
                "- answer: 4",
                "  reply: d",
                "  more",
                "mistakes:",
                "choices:",
                "# c",
                ":",
                "- ",
                "- [",
                "}",
                "hint: >",
            ]
        ),
        max_size=30,
    )
)
def test_every_file_is_a_lesson_or_refused(lines):
    with suppress(BadLesson):
        assert read_lesson("\n".join(lines), "x.md").screens


def test_a_text_may_take_several_lines_and_comments_are_skipped():
    for written in ("D\n  and more?", ">\n  D\n  and more?", "'D and more?'"):
        text = ONE_SCREEN.replace("question: D?", f"# not shown\nquestion: {written}  # nor this")
        if written.startswith(">"):
            text = text.replace("  # nor this", "")
        assert read_lesson(text, "x.md").screens[0].question.text == "D and more?"


def test_values_are_read_as_they_are_written():
    text = ONE_SCREEN.replace("game:", "moves: 0010\nstrict: 1\ndepth: 2\ngame:").replace(
        "answer: value of [0]", "click: [ 0,1 ]"
    )
    screen = read_lesson(text.replace("screen: C", "screen: No"), "x.md").screens[0]
    assert screen.search == {"game": "tree:[[3,12],[2,4]]", "moves": "0010", "strict": "1", "depth": "2"}
    assert (screen.title, screen.answer.text) == ("No", "[ 0,1 ]")


def test_the_guide_for_teachers_names_every_question_type_and_key():
    guide = (LESSON_FOLDER / "README.md").read_text()
    assert all(f"`{name}`" in guide for name in (*QUESTION_TYPES, *CHOICE_KEYS, *MISTAKE_KEYS))


# ---- languages


def test_missing_translations_are_shown_in_english(tmp_path):
    shutil.copytree(LESSON_FOLDER, tmp_path, dirs_exist_ok=True)
    shutil.copytree(STUB, tmp_path, dirs_exist_ok=True)
    assert list_languages(tmp_path)[0] == "en"
    assert "de" in list_languages(tmp_path)
    german = load_lessons("de", tmp_path)
    assert list(german) == NAMES
    assert german["window"].title == "Das Fenster"
    assert german["cutoff"].title == load_lessons("en", tmp_path)["cutoff"].title
    for name in ("minimax", "window"):
        assert [fault for screen in german[name].screens for fault in find_faults(screen)] == []
    assert shared_settings(german["minimax"]) == shared_settings(
        load_lessons()["minimax"]
    )  # a complete lesson, translated by the rules of the README
    assert german["minimax"].screens[0].title == "Zwei Seiten"
    assert load_lessons("../../etc", tmp_path)["window"].title == "The window"


def shared_settings(lesson):
    """Return the settings that must be the same in every language."""
    return [(screen.search, screen.step.text, screen.kind, screen.answer.text, screen.exercise) for screen in lesson.screens]


@pytest.mark.parametrize("language", list_languages())
def test_a_translation_shows_and_asks_the_same(language):
    for name, lesson in load_lessons(language).items():
        assert shared_settings(lesson) == shared_settings(load_lessons()[name])


# ---- the page


def open_lesson(**parameters):
    """Open the section of the page Learn."""
    page = AppTest.from_string(
        "from visualizer.app.sections import lessons\nlessons.show_lesson_section()", default_timeout=MAX_WAIT_SECONDS
    )
    return visit_lesson(page, **parameters)


def visit_lesson(page, **parameters):
    for name in list(page.query_params):
        del page.query_params[name]
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    wait_until(lambda: "job" not in page.session_state or "job" not in page.run().session_state, "the search has ended")
    assert not page.exception, page.exception
    return page


def list_replies(page):
    return [element.value for element in (*page.success, *page.warning)]


def find_button(page, label):
    return next(button for button in page.button if button.label == label)


def test_a_choice_gets_its_reply_and_stays_in_the_url():
    page = open_lesson(lesson="minimax", screen="4")
    screen = load_lessons()["minimax"].screens[3]
    assert list_replies(page) == []
    page.radio[0].set_value("1").run()
    assert page.query_params["answer"] == "1"
    assert [element.value for element in page.warning] == [remove_proofs(screen.choices[0].reply.text)]
    page.radio[0].set_value("3").run()
    assert [element.value for element in page.success] == [remove_proofs(screen.choices[2].reply.text)]
    find_button(page, "Next").click().run()
    assert "answer" not in page.query_params
    assert page.query_params["screen"] == "5"
    assert list_replies(page) == []


def component_data(page, name):
    """Return the data of one of our components."""
    (found,) = [element for element in page.get("bidi_component") if name in element.proto.id]
    return json.loads(found.proto.json)


def test_an_exercise_is_done_in_place_and_offers_no_other():
    page = open_lesson(lesson="minimax", screen="8")
    screen = load_lessons()["minimax"].screens[7]
    sent = component_data(page, "exercise")
    assert sent["exercise"]["id"] == f"values {screen.exercise.seed} {screen.exercise.difficulty}"
    assert sent["screen"] == ["minimax", 8]
    assert page.query_params["lesson"] == "minimax"


def test_the_browser_gets_the_solved_screen():
    assert component_data(open_lesson(), "marks")["here"] is None
    for answer, solved in (("", False), ("1", False), ("3", True), ("4", False)):
        sent = component_data(open_lesson(lesson="minimax", screen="4", answer=answer), "marks")
        assert (sent["here"], sent["solved"]) == (["minimax", 4], solved)
        assert sent["lessons"] == [{"name": "minimax", "title": "Minimax", "screens": 8}]


def test_a_number_gets_the_reply_to_its_mistake():
    page = open_lesson(lesson="minimax", screen="3")
    screen = load_lessons()["minimax"].screens[2]
    for typed, reply in (("12", screen.mistakes[0].reply), ("7", screen.hint), (" 3 ", screen.reason)):
        page.text_input[0].set_value(typed).run()
        assert list_replies(page) == [remove_proofs(reply.text)]
    page.text_input[0].set_value("three").run()
    assert list_replies(page) == []
    assert "is not a number" in page.info[0].value


def test_the_caption_does_not_call_a_lessons_tree_the_users_own():
    for lesson in load_lessons().values():
        for screen in lesson.screens:
            if screen.exercise is None:
                caption = describe_lesson_search(question_from_params(screen.search))
                assert "your own" not in caption
                assert find_algorithm(screen.search.get("algorithm", "alphabeta")).title in caption


def test_the_last_screen_offers_an_exercise_and_the_next_lesson():
    page = open_lesson(lesson="cutoff", screen="8")
    find_button(page, "Next lesson").click().run()
    assert (page.query_params["lesson"], page.query_params["screen"]) == ("order", "1")
    visit_lesson(page, lesson="cutoff", screen="8")
    find_button(page, "Practise").click()
    page.run()
    assert page.query_params["exercise"] == "pruned"
    assert "lesson" not in page.query_params


def test_the_language_can_be_chosen_if_there_are_several(monkeypatch, tmp_path):
    shutil.copytree(LESSON_FOLDER, tmp_path, dirs_exist_ok=True)
    shutil.copytree(STUB, tmp_path, dirs_exist_ok=True)
    from visualizer.app.sections import lessons as section

    monkeypatch.setattr(section, "list_languages", lambda: list_languages(tmp_path))
    monkeypatch.setattr(section, "load_lessons", lambda language="en": load_lessons(language, tmp_path))
    page = open_lesson()
    page.button_group[0].set_value("de").run()
    assert page.query_params["language"] == "de"
    find_button(page, "Open")  # the list is there
    assert any("Das Fenster" in text.value for text in page.markdown)
    next(one for one in page.button if one.key == "open window").click().run()
    assert page.query_params["language"] == "de"
    assert any("MAX hat etwas sicher" in text.value for text in page.markdown)


URLS = [
    {},
    {"lesson": ""},
    {"lesson": "nothing"},
    {"lesson": "<script>alert(1)</script>"},
    {"lesson": "minimax"},
    {"lesson": "minimax", "screen": "0"},
    {"lesson": "minimax", "screen": "99999999999999"},
    {"lesson": "minimax", "screen": "-1", "answer": "1"},
    {"lesson": "minimax", "screen": "1", "answer": "999999"},
    {"lesson": "minimax", "screen": "1", "answer": "[](x)"},
    {"lesson": "minimax", "screen": "3", "answer": "∞"},
    {"lesson": "minimax", "screen": "4", "answer": "77", "step": "99999999"},
    {"lesson": "real-programs", "screen": "7", "language": "../en", "step": "x"},
    {"lesson": "horizon", "screen": "7", "answer": "2", "view": "whole", "node": "9"},
]


def test_no_url_breaks_a_lesson_in_any_order():
    page = open_lesson()
    for parameters in [*URLS, *reversed(URLS)]:
        visit_lesson(page, **parameters)
        assert not page.error


@pytest.mark.slow
def test_every_screen_opens_with_every_answer():
    page = open_lesson()
    for name, lesson in load_lessons().items():
        for place, screen in enumerate(lesson.screens, start=1):
            for answer in ("1", "2", "3"):
                visit_lesson(page, lesson=name, screen=str(place), answer=answer)
                assert not page.error, (screen.file, screen.line)
                has_no_reply = screen.kind == "exercise" or (screen.kind == "choices" and int(answer) > len(screen.choices))
                assert len(list_replies(page)) == (0 if has_no_reply else 1)
