"""The rungs beyond alpha-beta on the page Step: passes, table hits, re-searches, equal positions, the table."""

import re

import pytest
from playwright.sync_api import expect

from engine import connect, preset, search
from engine.algorithms import ALGORITHMS
from engine.record.columns import NONE, TABLE
from engine.tree.trace import Trace
from tests.browser.viewer import VIEW, at_step, open_form, press_keys, read_sentence
from tests.support.marks import mostly_slow
from visualizer.narration.sentences import sentence

LINK = "?game=k-tables&moves=3&depth=3&algorithm="
RUNGS = [name for name in ALGORITHMS if name not in ("minimax", "alphabeta")]


def record_search(rung, depth=3):
    return search(preset("k-tables"), "3", depth, rung)


def go_to_step(page, step):
    page.evaluate(f"(step) => {VIEW}.go(step)", step)
    at_step(page, step)


@pytest.mark.parametrize("rung", mostly_slow(["mtdf", *(rung for rung in RUNGS if rung != "mtdf")], quick=1))
def test_every_rung_steps_is_seen_in_every_way_and_asks(visit, rung):
    tree = record_search(rung)
    trace = Trace(tree)
    page = visit(f"{LINK}{rung}&step={len(trace) // 2}")
    at_step(page, len(trace) // 2)
    assert read_sentence(page) == sentence(trace[len(trace) // 2])
    press_keys(page, "End")
    at_step(page, len(trace) - 1)
    assert read_sentence(page) == sentence(trace[-1])
    expect(page.locator("[data-part=passes]")).to_be_visible(visible=bool(tree.notes))
    options = tree.question.options
    expect(page.locator("[data-tab=table]")).to_be_visible(visible=options.get("table", "slots" in options))
    for view in ("whole", "graph", "text", "path"):
        page.locator(f"[data-view={view}]").click()
        expect(page.locator(f"[data-view={view}]")).to_have_attribute("aria-pressed", "true")
    press_keys(page, "Home", "b")
    expect(page.locator("[data-part=bookmarks] li")).to_have_count(1)
    page.get_by_text("More", exact=True).click()
    page.locator("[data-mode=predict]").click()
    expect(page.locator("[data-part=question]")).not_to_be_empty()


def test_one_pass_alone_is_kept_in_the_link(visit):
    tree = record_search("iterative")
    page = visit(f"{LINK}iterative&view=whole&step=5")
    passes = page.locator("[data-part=passes] button")
    expect(passes).to_have_count(len(tree.passes) + 1)
    expect(passes.first).to_have_attribute("aria-pressed", "true")
    passes.nth(2).click()
    at_step(page, Trace(tree).enter(tree.roots[1]))  # the time goes to the pass that is asked for
    page.wait_for_url(re.compile("pass=2"))
    assert page.evaluate(f"() => {VIEW}.treeCamera.layout.levels[0].length") == 1
    page.reload()
    page.locator(".ps[data-step]").wait_for()
    expect(passes.nth(2)).to_have_attribute("aria-pressed", "true")
    press_keys(page, "End")  # and the pass that is shown follows the time
    expect(passes.last).to_have_attribute("aria-pressed", "true")
    passes.first.click()
    page.wait_for_function(f"() => {VIEW}.treeCamera.layout?.levels[0].length === {len(tree.passes)}")
    press_keys(page, "f", "t")  # in a lecture they are there as well, and keys do it
    expect(passes.last).to_be_visible()
    expect(passes.last).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-view=whole]")).to_be_hidden()
    press_keys(page, "t")
    expect(passes.first).to_have_attribute("aria-pressed", "true")


def test_a_table_hit_names_its_source_and_leads_there(visit):
    tree = record_search("table", 4)
    trace = Trace(tree)
    step = trace.next("table", 400)
    hit = trace[step].node
    page = visit(f"?game=k-tables&moves=3&depth=4&algorithm=table&tab=node&view=whole&step={step}")
    row = page.locator("[data-part=node] dd").filter(has_text=f"node {int(hit.link)},")
    expect(row).to_contain_text("same remaining depth")
    link = page.evaluate(f"() => {VIEW}.tree.source({int(hit)})")
    assert link == int(hit.link) == tree.columns.link[hit] != NONE
    row.locator("button").click()
    at_step(page, trace.leave(link))
    expect(page.locator("[data-part=node]")).not_to_contain_text("has answered")  # that is still to come
    page.wait_for_url(re.compile(f"node={link}"))
    go_to_step(page, step)
    page.evaluate(f"(row) => {VIEW}.select(row)", link)
    expect(page.locator("[data-part=node]")).to_contain_text(f"node {int(hit)}")


def test_the_table_is_a_panel_at_the_step(visit):
    tree = record_search("table", 4)
    page = visit("?game=k-tables&moves=3&depth=4&algorithm=table&tab=table&step=0")
    panel = page.locator("[data-part=table]")
    expect(panel).to_contain_text("0 entries in 1,048,576 slots")
    press_keys(page, "End")
    expect(panel).to_contain_text(f"{int((tree.status == TABLE).sum())} hits")
    expect(panel.locator("tbody tr")).to_have_count(200)
    expect(panel).to_contain_text("Only the latest 200 are listed.")
    panel.locator("tbody button").nth(3).click()
    expect(page.locator(".ps[data-step]")).not_to_have_attribute("data-step", str(len(Trace(tree)) - 1))


def test_equal_positions_are_one_node(visit):
    page = visit("?game=tictactoe&moves=40&depth=3&algorithm=table&view=graph&step=30")
    page.wait_for_function(f"() => {VIEW}.treeCamera.layout?.positions")
    drawn, known = page.evaluate(f"() => [{VIEW}.treeCamera.layout.positions.length, {VIEW}.tree.meta.positions]")
    assert drawn == known < page.evaluate(f"() => {VIEW}.tree.count")
    without = visit("?game=tictactoe&moves=4081&depth=5&algorithm=alphabeta&view=whole&step=30")
    assert not without.evaluate(f"() => {VIEW}.tree.columns.position")  # sent to those who look at them
    without.locator("[data-view=graph]").click()
    without.wait_for_function(f"() => {VIEW}.treeCamera.layout?.positions")
    assert without.evaluate(f"() => {VIEW}.treeCamera.layout.positions.length === {VIEW}.tree.meta.positions && {VIEW}.t === 30")
    refused = visit("?game=connect4&depth=6&algorithm=alphabeta&view=graph&step=30")
    assert "up to 2,000 positions" in refused.evaluate(f"() => {VIEW}.treeCamera.buildGraph(0)")


def test_the_ruler_shows_null_windows_failures_and_the_bounds_of_the_root(visit):
    tree = record_search("mtdf")
    trace = Trace(tree)
    page = visit(f"{LINK}mtdf&step={trace.leave(0)}")
    ruler = page.locator("[data-part=window]")
    expect(ruler).to_contain_text("null window")
    fails = "low" if tree.value[0] <= tree.alpha[0] else "high"
    expect(ruler).to_contain_text(f"fails {fails}")
    expect(ruler).to_contain_text("f−")
    press_keys(page, "End")
    expect(ruler).to_contain_text("root =")


@pytest.mark.slow
def test_quiescence_is_seen_beyond_the_horizon(visit):
    tree = search(connect(), "41634065", 1, quiescence=4)
    trace = Trace(tree)
    alone = next(node for node in tree if node.pruned and node.size == 1)
    page = visit("?game=connect4&moves=41634065&depth=1&algorithm=alphabeta&quiescence=4&step=1")
    for step in (trace.enter(tree.root.children[3]), trace.leave(alone), len(trace) - 1):
        go_to_step(page, step)
        assert read_sentence(page) == sentence(trace[step])
    go_to_step(page, trace.leave(alone))
    page.locator("[data-tab=node]").click()
    expect(page.locator("[data-part=node]")).to_contain_text("stands pat with")
    for view in ("whole", "text", "path"):
        page.locator(f"[data-view={view}]").click()
        expect(page.locator(f"[data-view={view}]")).to_have_attribute("aria-pressed", "true")
    open_form(page)
    expect(page.get_by_label("Quiescence", exact=True)).to_have_value("4")
