"""The page Compare with any set of rungs: tables, charts, choices and URLs."""

import pytest

from engine import Question, compare, literal, preset
from engine.algorithms.variants import read_variant, variant_title
from engine.analysis.claims import CLAIMS
from engine.analysis.comparison import plan_comparison
from tests.support import toy_algorithms
from tests.visualizer.app.test_pages import open_page, settings_of, tree_viewers, wait_for_job
from visualizer.app.forms.variant_form import describe_expected_wait
from visualizer.app.sections.claims import claim_params
from visualizer.app.sections.compared_trees import VariantPair, read_pair
from visualizer.app.sections.comparison_charts import explain_missing_charts
from visualizer.app.state.cross_page import compare_page_params, is_same_position
from visualizer.app.state.url_params import MAX_VARIANTS, ComparisonParams, read_comparison_params

RUNGS = "minimax,alphabeta:strict,alphabeta"
PAGE = {"game": "k-tables", "moves": "3", "depths": "1-3", "repeat": "1"}


@pytest.fixture(autouse=True)
def registered_toys(monkeypatch):
    toy_algorithms.register_toys(monkeypatch)


def find_widget(app, label):
    return next(
        each
        for kind in ("selectbox", "multiselect", "button_group", "toggle", "button")
        for each in app.get(kind)
        if each.label == label
    )


@pytest.fixture(scope="module")
def rungs_page():
    return open_page("compare", {**PAGE, "algorithms": RUNGS, "pair": "alphabeta:strict,alphabeta", "K": "2"})


def test_the_table_and_the_ladder_show_any_rungs(rungs_page):
    assert rungs_page.dataframe[0].value["algorithm"].tolist()[:3] == ["minimax", "alpha-beta (strict cutoffs)", "alpha-beta"]
    ladder = next(text.value for text in rungs_page.markdown if "makes" in text.value)
    assert "than minimax" in ladder.replace("\\", "")
    assert any("rung can cost more" in caption.value for caption in rungs_page.caption)
    assert not rungs_page.error


def test_the_pair_in_the_url_is_drawn_and_stays_there(rungs_page):
    settings = settings_of(rungs_page)
    assert (settings["left"], settings["right"]) == ("alpha-beta (strict cutoffs)", "alpha-beta")
    assert rungs_page.query_params["pair"] == "alphabeta:strict,alphabeta"
    assert rungs_page.query_params["K"] == "2"


def test_another_pair_is_chosen_on_the_page():
    app = open_page("compare", {**PAGE, "algorithms": RUNGS})
    assert "pair" not in app.query_params  # minimax and alpha-beta, as usual
    assert "left" not in settings_of(app)  # with their time and their cutoffs
    find_widget(app, "Left").set_value("alphabeta").run()
    wait_for_job(app)
    assert app.query_params["pair"] == "alphabeta,minimax"
    assert settings_of(app)["left"] == "alpha-beta"


@pytest.mark.parametrize(
    "pair", ["", "alphabeta", "alphabeta,alphabeta", "alphabeta,table", "a,b,c", "<b>,x", "minimax,alphabeta"]
)
def test_a_pair_that_is_not_compared_falls_back_to_the_default(pair):
    comparison = plan_comparison(preset("k-tables"), "3", "1-2", RUNGS)
    assert read_pair({"pair": pair, "K": "x" * 99}, comparison)[:2] == ("minimax", "alphabeta")
    assert read_pair({"pair": "alphabeta,minimax", "K": "2"}, comparison) == VariantPair("alphabeta", "minimax", "2")


def test_a_notice_names_rungs_without_a_compiled_version():
    app = open_page("compare", {**PAGE, "depths": "1-2", "algorithms": "alphabeta,toy-pvs,toy-deepening"})
    assert any("have no compiled version for this game" in info.value.replace("\\", "") for info in app.info)
    assert "re-searches" in app.dataframe[1].value.columns
    assert not app.error


def test_the_url_names_the_compared_algorithms():
    comparing, wrong = read_comparison_params({**PAGE, "algorithms": " toy-deepening : begin=2 , alphabeta "})
    assert (comparing.algorithms, wrong) == (("toy-deepening:begin=2", "alphabeta"), "")
    assert comparing.parameters()["algorithms"] == "toy-deepening:begin=2,alphabeta"
    assert "algorithms" not in ComparisonParams().parameters()
    assert read_comparison_params(comparing.parameters()) == (comparing, "")
    many = ",".join(f"toy-deepening:begin={K}" for K in range(1, MAX_VARIANTS + 2))
    for text, words in (("alphabeta:killer", "no option of alphabeta"), ("x", "no algorithm 'x'"), (many, "choose at most 12")):
        assert words in read_comparison_params({**PAGE, "algorithms": text})[1]


def test_the_algorithm_of_step_is_compared_with_the_default_ones():
    question = Question(preset("k-tables"), "3", 2, "toy-deepening", begin=2)
    address = compare_page_params(question, {})
    assert read_comparison_params(address)[0].algorithms == ("minimax", "alphabeta", "toy-deepening:begin=2")
    assert compare_page_params(question, {**PAGE, "algorithms": "pvs,mtdf"})["algorithms"] == "pvs,mtdf"  # as it was
    assert "algorithms" not in compare_page_params(question.replace(algorithm="alphabeta"), {})
    assert is_same_position(question, question.replace(algorithm="alphabeta"))
    strict = Question(preset("k-tables"), "3", 2, cut_on_equal=False)
    assert not is_same_position(question, strict)
    assert read_comparison_params(compare_page_params(strict, {}))[0].search.options["cut_on_equal"] is False


def test_an_algorithm_with_its_own_options_is_added_in_the_form():
    app = open_page("compare", {**PAGE, "depths": "1-2"})
    find_widget(app, "Add an algorithm with its own options").set_value(True).run()
    widgets = [toggle for toggle in app.toggle if toggle.label == "Cut only when strictly better"]
    widgets[0].set_value(True).run()
    find_widget(app, "Add").click().run()
    assert find_widget(app, "Algorithms to compare").value == ["minimax", "alphabeta", "alphabeta:strict"]
    find_widget(app, "Compare").click().run()
    wait_for_job(app)
    assert app.query_params["algorithms"] == "minimax,alphabeta,alphabeta:strict"
    assert variant_title("alphabeta:strict") in app.dataframe[0].value["algorithm"].tolist()


def test_the_form_warns_of_comparisons_that_take_minutes():
    search = ComparisonParams().search.replace(game=preset("k-tables"))
    assert describe_expected_wait(ComparisonParams(search, "1-6")) == ""
    words = describe_expected_wait(ComparisonParams(search, "1-12", 3, ("alphabeta", "toy-pvs"))).replace("\\", "")
    assert words.startswith("Toy PVS has no compiled version for this game")
    assert "minutes, and the server stops it after" in words


# ---- true or false


def test_an_answer_to_a_claim_shows_a_verdict_with_measured_numbers():
    app = open_page("compare", {**PAGE, "depths": "1", "claim": "pvs-calls"})
    assert len(tree_viewers(app)) == 1  # no tree tells the answer before
    find_widget(app, "True").click().run()
    assert "No: this is false" in app.warning[0].value
    page_text = " ".join(text.value.replace("\\", "") for text in app.markdown)
    assert "This example refutes it: [0,1]. Principal variation search makes 4 calls, alpha-beta 3." in page_text
    assert len(tree_viewers(app)) == 2
    find_widget(app, "False").click().run()
    assert "Right: this is false" in app.success[0].value
    assert any("1 answered, 1 correct" in caption.value for caption in app.caption)
    find_widget(app, "Next claim").click().run()
    assert app.query_params["claim"] == "pvs-fewer-leaves"
    assert not app.success


def test_a_claim_is_compared_on_its_example():
    app = open_page("compare", {**PAGE, "depths": "1", "claim": "sss-dual"})
    find_widget(app, "False").click().run()
    find_widget(app, "Compare both on this example").click().run()
    wait_for_job(app)
    assert (app.query_params["algorithms"], app.query_params["claim"]) == ("sss,dual", "sss-dual")
    assert set(app.dataframe[0].value["algorithm"]) == {"SSS*", "DUAL*"}
    assert not app.error


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_the_url_of_every_claim_is_a_comparison(claim):
    address = claim_params(claim)
    comparing, wrong = read_comparison_params(address)
    assert (wrong, comparing.algorithms) == ("", tuple(read_variant(text).text for text in claim.variant_texts))
    comparison = plan_comparison(comparing.search, depths=comparing.depths, algorithms=comparing.algorithms)
    assert read_pair(address, comparison) == VariantPair(*comparing.algorithms, address["K"])


def test_the_quiz_is_opened_and_closed_by_a_button():
    def shows_claim():
        return any(CLAIMS[0].statement[:20] in text.value for text in app.markdown)

    app = open_page("compare", {**PAGE, "depths": "1", "claim": "<script>"})
    assert not shows_claim()
    find_widget(app, "Quiz: true or false?").click().run()
    assert app.query_params["claim"] == CLAIMS[0].name
    assert shows_claim()
    find_widget(app, "Close the quiz").click().run()
    assert not shows_claim()
    assert "claim" not in app.query_params
    assert not app.error


@pytest.mark.parametrize(
    ("game", "depths", "words"),
    [
        (literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), None, "minimax 13, alpha-beta 11. All searches go to the end of the tree"),
        (preset("k-tables"), [2], "minimax 57, alpha-beta 44. One depth makes no chart: choose several"),
    ],
)
def test_one_depth_is_a_sentence_and_no_chart(game, depths, words):
    moves = "3" if depths else None
    assert explain_missing_charts(compare(game, moves, depths=depths, repeat=1)).startswith(f"Nodes expanded: {words}")


def test_several_depths_have_charts():
    assert explain_missing_charts(compare(preset("k-tables"), "3", depths=[1, 2], repeat=1)) == ""
