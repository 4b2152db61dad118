"""A game and an algorithm that the project does not have, on a page of their own: it steps, with boards that can be clicked."""

import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine import ALGORITHMS, Trace, search
from tests.browser.conftest import find_free_port, wait_until_healthy
from tests.browser.viewer import read_sentence
from tests.support.flips import SHOWN_DEPTH, Flips
from tests.support.processes import start_process
from tests.support.toy_algorithms import PVS
from visualizer.narration.sentences import sentence

COLOURS = {1: "#0072B2", 2: "#D55E00"}
DISCS = """(board) => [...board.querySelectorAll(":is(:not(.preview) > circle[fill], :scope > circle[fill])")].map((disc) => {
  const column = (disc.getAttribute("cx") - 30) / 60, row = (disc.getAttribute("cy") - 30) / 60;
  return [5 * row + column, disc.getAttribute("fill")];
})"""


@pytest.fixture(scope="module")
def server():
    """The address of the page."""
    port = find_free_port()
    options = [
        f"--server.port={port}",
        "--server.address=127.0.0.1",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
    ]
    page = str(Path(__file__).with_name("flips_page.py"))
    with start_process([sys.executable, "-m", "streamlit", "run", page, *options], cwd=Path(__file__).parents[2]) as process:
        wait_until_healthy(f"http://127.0.0.1:{port}/", process)
        yield f"http://127.0.0.1:{port}/"


def discs_of(state):
    return {cell: COLOURS[content] for cell, content in enumerate(state[0]) if content}


def drawn_discs(board):
    return {round(cell): re.sub(r"var\(--\w+, (.*)\)", r"\1", colour) for cell, colour in board.evaluate(DISCS)}


def test_a_game_of_ones_own_steps_with_its_board_and_is_played_by_clicks(visit, monkeypatch):
    """On one page, one after the other: boards at steps, why a leaf is worth its value, and moves by clicks."""
    monkeypatch.setitem(ALGORITHMS, PVS.name, PVS)
    page, game = visit(), Flips()
    check_steps_and_boards(page, Trace(search(game, depth=SHOWN_DEPTH, algorithm=PVS.name)))
    check_breakdown(page)
    is_played(page.locator(".board-picker [data-part=board]"), game, game.start(), ["b1", "c1"])


def check_steps_and_boards(page, trace):
    viewer = page.locator(".ps[data-step]")
    board = viewer.locator("[data-part=board]")
    for number in range(11):
        expect(viewer).to_have_attribute("data-step", str(number))
        step = trace[number]
        assert read_sentence(page) == sentence(step)
        assert drawn_discs(board) == discs_of((step.child if step.kind == "return" else step.node).state)
        if number < 10:
            viewer.press("ArrowRight")


def check_breakdown(page):
    page.get_by_role("button", name="Why").first.click()
    line = page.locator("[data-part=breakdown] li", has_text="discs of MAX")
    line.hover()
    expect(page.locator(".ps[data-step] [data-part=board] .part").first).to_be_visible()


def is_played(board, game, state, moves):
    for move in moves:
        target = board.locator(f'.target[data-move="{game.moves(state).index(move)}"]')
        target.hover()
        assert len(drawn_discs(board.locator(".preview"))) == 1 + len(game.turned(state, game.cell_of(move)))
        target.click()
        state = game.play(state, move)
        expect(board.locator("> svg > circle[fill]")).to_have_count(len(discs_of(state)))
        assert drawn_discs(board) == discs_of(state)
