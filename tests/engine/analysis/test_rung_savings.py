"""Rung against rung: contenders as text, counts of every rung, and what each saves over the one before."""

import itertools
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import compare, connect, literal, preset, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.algorithms.variants import make_variant, read_variant, read_variants, variant_title
from engine.analysis.comparison import plan_comparison
from engine.analysis.rung_savings import RUNG_MEASURES, find_most_complete_depth, list_rung_steps, rung_steps_by_depth
from engine.analysis.time_estimate import estimate_seconds
from engine.core.errors import PlyscopeError
from tests.support import toy_algorithms
from tests.support.games import TEXTBOOK, Countdown
from tests.support.marks import examples
from visualizer import report
from visualizer.cli.output import compare_output
from visualizer.drawing import ladder_chart
from visualizer.drawing.scene import Label, right_edge
from visualizer.narration.ladder_messages import describe_climb, describe_share
from visualizer.report import content, tables
from visualizer.report.blocks import Chart, Heading, Paragraph, Table

RUNGS = ["minimax", "alphabeta", "alphabeta:strict", "toy-pvs", "toy-deepening", "toy-deepening:no-table:begin=2"]


@pytest.fixture(autouse=True)
def registered_toys(monkeypatch):
    toy_algorithms.register_toys(monkeypatch)


@pytest.fixture(scope="module")
def rung_comparison():
    with pytest.MonkeyPatch.context() as patch:
        toy_algorithms.register_toys(patch)
        yield compare(preset("k-tables"), "3", "1-3", RUNGS, repeat=1, keep_nodes=report.MAX_FIGURE_NODES)


# ---- contenders


@st.composite
def random_variants(draw):
    name = draw(st.sampled_from(sorted(ALGORITHMS)))
    options = [option for option in ALGORITHMS[name].options if not option.shared]
    chosen = draw(st.lists(st.sampled_from(options), unique=True)) if options else []
    return make_variant(name, **{option.name: draw(value_of(option)) for option in chosen})


def value_of(option):
    if option.is_switch:
        return st.booleans()
    if option.choices:
        return st.sampled_from(option.choices)
    if option.optional or isinstance(option.default, float):
        return st.floats(option.minimum, option.maximum, allow_nan=False, allow_infinity=False)
    return st.integers(int(max(option.minimum, -(10**6))), int(min(option.maximum, 10**6)))


@given(random_variants())
def test_a_contender_is_what_its_text_says(one):
    assert read_variant(one.text) == one
    assert one.title.startswith(ALGORITHMS[one.algorithm].title)
    assert "," not in one.text  # that stands between two of them


def test_contenders_as_text():
    one = read_variant(" toy-deepening : begin=3 : no-table ")
    assert one.text == "toy-deepening:no-table:begin=3"  # options stand as they are declared
    assert one.title == "toy deepening (without a table, from K=3 on)"
    assert [two.algorithm for two in read_variants("alphabeta,alphabeta:strict")] == ["alphabeta"] * 2
    assert variant_title("alphabeta:strict=0") == "alpha-beta (strict=0)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("alfabeta", "did you mean 'alphabeta'"),
        ("alphabeta:strikt", "did you mean 'strict'"),
        ("alphabeta:", "no option of alphabeta ''"),
        ("alphabeta:strict=maybe", "write 0 or 1"),
        ("alphabeta:strict:strict", "names strict twice"),
        ("alphabeta:published", "there is no option of alphabeta 'published'"),
        ("toy-deepening:begin", "has no value: write begin=1"),
        ("toy-deepening:begin=0", "a whole number from 1 up to 100"),
        ("", "there is no algorithm ''"),
        (None, "there is no algorithm None"),
    ],
)
def test_bad_contenders_are_told(text, words):
    with pytest.raises(PlyscopeError, match=re.escape(words)):
        read_variant(text)


def test_the_same_search_under_two_names_is_refused():
    with pytest.raises(PlyscopeError, match="alphabeta and alphabeta:strict are the same search here"):
        compare(tictactoe(), "40", "1", "alphabeta,alphabeta:strict", 1, cut_on_equal=False)
    with pytest.raises(PlyscopeError, match="name each once"):
        compare(tictactoe(), "40", "1", "alphabeta:strict, alphabeta : strict", 1)
    with pytest.raises(PlyscopeError, match="applies to the whole comparison: choose it there"):
        make_variant("alphabeta", as_published=True)


# ---- rows


def test_every_rung_has_the_counts_of_its_own_search(rung_comparison):
    assert rung_comparison.algorithms == tuple(RUNGS)
    assert not rung_comparison.disagreements
    for row in rung_comparison.rows:
        one = read_variant(row.algorithm)
        tree = search(preset("k-tables"), "3", row.depth, one.algorithm, **one.options)
        for name, number in tree.statistics()._asdict().items():
            assert getattr(row, name) == number, (row.algorithm, name)
        assert (row.value, row.best_move) == (tree.root.value, tree.root.best_move)
    assert rung_comparison.row(3, "alphabeta").expanded != rung_comparison.row(3, "alphabeta:strict").expanded


def test_options_for_all_and_those_of_one():
    comparison = compare(
        tictactoe(), "40", "3", "minimax,alphabeta,alphabeta:strict=0,toy-deepening:begin=2", 1, cut_on_equal=False
    )
    assert comparison.questions[3, "alphabeta"].options["cut_on_equal"] is False
    assert comparison.questions[3, "alphabeta:strict=0"].options["cut_on_equal"] is True
    assert [(option.name, value) for option, value in comparison.chosen] == [("cut_on_equal", False)]
    assert (
        "--algorithms minimax,alphabeta,alphabeta:strict=0,toy-deepening:begin=2 --repeat 1 --strict"
        in content.format_command(comparison)
    )


def test_rows_for_machines_have_the_counts_and_the_options(rung_comparison):
    answer = json.loads(report.render_comparison(rung_comparison, ".json"))
    rows = {(row["depth"], row["algorithm"]): row for row in answer["rows"]}
    assert rows[3, "toy-pvs"]["researches"] == rung_comparison.row(3, "toy-pvs").researches > 0
    assert "researches" not in rows[3, "alphabeta"]  # nothing where it says nothing
    assert rows[2, "toy-deepening:no-table:begin=2"]["options"] == {"table": False, "begin": 2}
    assert answer["held_back"] == ["minimax", "alphabeta", "alphabeta:strict"]
    climbed = [rung for rung in answer["ladder"] if rung["depth"] == 3]
    assert [(rung["before"], rung["algorithm"]) for rung in climbed] == list(itertools.pairwise(RUNGS))
    assert climbed[0]["calls"] == rung_comparison.row(3, "alphabeta").expanded / 400
    head = report.render_comparison(rung_comparison, ".csv").decode().splitlines()[0]
    assert "distinct,evaluations,table_hits,researches,passes" in head
    assert "distinct" not in report.render_comparison(compare(tictactoe(), "40", "1", repeat=1), ".csv").decode()


def test_counts_that_say_nothing_are_not_shown(rung_comparison):
    table = tables.calls_table(rung_comparison)
    cells = {(row[0], row[1]): dict(zip(table.head, row, strict=True)) for row in table.rows}
    assert cells["3", "alpha-beta"]["distinct"] == cells["3", "alpha-beta"]["calls"] == "234"
    assert (cells["3", "alpha-beta"]["re-searches"], cells["3", "alpha-beta"]["passes"]) == ("–", "–")
    assert (cells["3", "toy PVS"]["re-searches"], cells["3", "toy deepening"]["passes"]) == ("32", "3")
    assert not tables.calls_table(compare(tictactoe(), "40", "1-2", repeat=1)).rows


# ---- the ladder


@pytest.mark.parametrize("measure", RUNG_MEASURES)
def test_what_all_rungs_save_together_is_what_the_last_saves_over_the_first(rung_comparison, measure):
    for depth, steps in rung_steps_by_depth(rung_comparison).items():
        first, last = (RUNG_MEASURES[measure](rung_comparison.row(depth, name)) for name in (RUNGS[0], RUNGS[-1]))
        product = 1.0
        for step in steps:
            product *= step.share(measure)
        assert product == pytest.approx(last / first)


def test_the_ladder_says_when_a_rung_costs_more(rung_comparison):
    words = [describe_climb(step) for step in list_rung_steps(rung_comparison, 3)]
    assert words[0] == "alpha-beta makes 234 calls, 41.5% fewer than minimax, and 189 static evaluations, 44.9% fewer."
    assert words[1].startswith("alpha-beta (strict cutoffs) makes 258 calls, 10.3% more than alpha-beta")
    assert "as many as" in describe_climb(list_rung_steps(rung_comparison, 1)[0])
    assert find_most_complete_depth(rung_steps_by_depth(rung_comparison)) == 3


@given(st.integers(1, 10**6), st.integers(1, 10**6))
@examples(200)
def test_words_for_a_share_never_turn_it_round(before, now):
    words = describe_share(now / before)
    assert ("fewer" in words or words.startswith("1/")) == (now < before)
    assert ("more" in words or "times as many" in words) == (now > before)
    assert "100% fewer" not in words


def test_there_is_no_ladder_of_minimax_and_alpha_beta_alone():
    plain = compare(literal(TEXTBOOK), repeat=1)
    assert rung_steps_by_depth(plain) == {}
    assert ladder_chart.draw_chart(plain, "") is None
    assert not any(isinstance(block, Heading) and "ladder" in block.text for block in content.build_report(plain))
    one = compare(literal(TEXTBOOK), None, None, "toy-pvs", 1)
    assert rung_steps_by_depth(one) == {}


def test_a_rung_that_was_not_run_is_left_out():
    comparison = compare(connect(), None, [2, 6], "minimax,alphabeta,alphabeta:strict", 1, max_nodes=50_000)
    assert [len(steps) for steps in rung_steps_by_depth(comparison).values()] == [2, 1]
    assert find_most_complete_depth(rung_steps_by_depth(comparison)) == 2


def test_the_report_has_the_ladder(rung_comparison):
    blocks = list(content.build_report(rung_comparison))
    at = next(place for place, block in enumerate(blocks) if isinstance(block, Heading) and "ladder" in block.text)
    chart, paragraph, table = blocks[at + 1 : at + 4]
    assert (type(chart), type(paragraph), type(table)) == (Chart, Paragraph, Table)
    assert "10.3% more than alpha-beta" in paragraph.text
    assert len(table.rows) == 3 * len(RUNGS)
    for extension in report.FORMATS:
        assert report.render_comparison(rung_comparison, extension)
    text = report.render_comparison(rung_comparison, ".md").decode()
    assert re.search(r"alpha-beta \(strict cutoffs\) +\|#{40}\+{4}  258 calls, 10\.3% more", text)
    assert "70% fewer" not in text  # that is K=4


def test_pictures_of_the_ladder_fit(rung_comparison):
    drawn = ladder_chart.draw_chart(rung_comparison, "a title")
    assert all(0 <= right_edge(item) <= drawn.width for item in drawn.items)
    assert all(item.x >= 0 for item in drawn.items if isinstance(item, Label))
    charts = content.comparison_chart.draw_chart(rung_comparison, "a title")
    assert all(right_edge(item) <= charts.width for item in charts.items)
    marks = [(series.colour, series.mark) for series in content.comparison_chart.build_plots(rung_comparison)[0].series]
    assert len(set(marks)) == len(marks) == len(RUNGS) + 2


# ---- what cannot run compiled


def test_one_without_a_compiled_version_holds_the_others_back(rung_comparison):
    words = content.explain_held_back(rung_comparison)
    assert words.startswith("Toy PVS, toy deepening and toy deepening (without a table, from K=2 on) have no compiled version")
    assert "so minimax, alpha-beta and alpha-beta (strict cutoffs) run uncompiled too" in words
    assert words in content.describe_timing(rung_comparison)
    for text in ("alphabeta", "minimax,alphabeta"):
        plan = plan_comparison(preset("k-tables"), "3", "1", text)
        assert (plan.compiled, plan.held_back, content.explain_held_back(plan)) == (True, (), "")
    alone = plan_comparison(Countdown(), None, "1", "alphabeta,toy-pvs")  # none of them could
    assert (alone.compiled, alone.held_back) == (False, ())


def test_what_takes_minutes_is_announced(capsys):
    long = plan_comparison(connect(), None, "1-10", "alphabeta,toy-pvs")
    assert estimate_seconds(long) > 60
    compare_output.warn_if_slow(long)
    errors = capsys.readouterr().err
    assert re.match(r"plyscope: this takes about [\d,]+ minutes; Ctrl-C keeps the finished rows\. Toy PVS has no", errors)
    for short in (
        plan_comparison(connect(), None, "1-10", "minimax,alphabeta"),
        plan_comparison(connect(), None, "1-3", "alphabeta,toy-pvs"),
    ):
        assert estimate_seconds(short) == 0
        compare_output.warn_if_slow(short)
        assert capsys.readouterr().err == ""
