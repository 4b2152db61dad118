"""The page Play, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from engine import Trace, connect, search
from engine.matches.match import Match, search_hints
from tests.browser.test_contrast import MIN_TEXT_CONTRAST, TEXT_CONTRASTS
from tests.browser.viewer import at_step, number_text

PHONE = {"width": 380, "height": 740}
MIN_HINT_PX = 14  # of a line
LINES_OF_TEXT = """(heading) => {
  const lines = new Map(), walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < node.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      lines.set(top, (lines.get(top) ?? "") + node.data[at]);
    }
  }
  return [...lines.values()].map((line) => line.replaceAll("\u00a0", " ").trim()).filter(Boolean);
}"""
SMALL = "connect:rows=4,cols=4,connect=3"


def wait_for_moves(page, moves):
    page.wait_for_url(re.compile(f"moves={moves}"))


def play(page, move):
    page.locator(f'.board-picker .target[data-move="{move}"]').click()


HAS_REPLIED = """(moves) => new URLSearchParams(location.search).get("moves")?.length >= moves + 2
  || document.body.innerText.includes("Games on this page so far")"""


def test_a_whole_game_against_the_search(visit):
    """Tic-tac-toe to the end: the search never loses, and the result is counted."""
    page = visit("play?game=tictactoe&max=human&min=search:depth=9", ready=".board-picker svg")
    for _ in range(5):
        page.get_by_text("your turn").or_(page.get_by_text("wins")).or_(page.get_by_text("A draw")).first.wait_for()
        if not page.get_by_text("your turn").count():
            break
        moves = re.search(r"moves=(\d*)", page.url)
        taken = set(moves[1]) if moves else set()
        free = next(square for square in "402681357" if square not in taken)
        play(page, free)
        page.wait_for_function(HAS_REPLIED, arg=len(taken))
    page.get_by_text("Games on this page so far").wait_for()
    expect(page.get_by_text("A draw").or_(page.get_by_text("MIN wins")).first).to_be_visible()


def test_a_tree_of_numbers_is_drawn_and_its_moves_are_clicked_there(visit):
    page = visit("play?game=tree:[[3,12,8],[2,4,6],[14,5,2]]", ready=".tree-board canvas")
    page.get_by_text("your turn, click a move").wait_for()
    expect(page.locator(".tree-board .target")).to_have_count(3)
    play(page, 1)
    page.get_by_text("This leaf is worth 2 to MAX").wait_for()
    wait_for_moves(page, "10")
    expect(page.locator(".tree-board canvas")).to_be_visible()
    expect(page.locator(".tree-board .target")).to_have_count(0)  # the browser draws the tree after the words above it


def test_undo_takes_back_both_moves_and_a_full_column_says_so(visit):
    page = visit("play?game=connect4&moves=000000&max=human&min=search:depth=2", ready=".board-picker svg")
    play(page, 0)
    page.get_by_text("Column 0 is full: try another.").wait_for()
    play(page, 3)
    wait_for_moves(page, r"0000003\d")
    page.get_by_role("button", name="Undo").click()
    wait_for_moves(page, "000000&")


@pytest.mark.slow
def test_the_back_button_takes_back_both_moves(visit):
    page = visit("play?game=connect4&moves=33&first=max&max=human&min=search:depth=2", ready=".board-picker svg")
    play(page, 4)
    wait_for_moves(page, r"334\d")
    page.go_back()
    wait_for_moves(page, "33&")
    page.get_by_text("your turn").wait_for()


def test_see_why_opens_the_search_that_chose_the_move(visit):
    page = visit("play?game=connect4&moves=3&max=human&min=search:depth=3", ready=".board-picker svg")
    wait_for_moves(page, r"3\d")
    chosen = re.search(r"moves=3(\d)", page.url)[1]
    page.get_by_role("button", name="See why").click()
    page.locator(".st-key-reason").get_by_text(f"the best move for MIN is column {chosen}").wait_for()
    page.get_by_role("button", name="Open the search").click()
    page.locator(".ps[data-step] .main").wait_for()
    assert "moves=3&" in page.url
    tree = search(connect(), "3", 3, first="max")
    at_step(page, len(Trace(tree)) - 1)  # where it is decided
    page.get_by_text(f"the best move for MIN is column {chosen}").first.wait_for()
    page.go_back()  # one entry of the history: the game is as it was
    page.locator(".board-picker svg").wait_for()
    assert re.search(rf"/play\?.*moves=3{chosen}", page.url)
    assert "min=search" in page.url


def test_hints_show_the_value_of_every_column(visit):
    page = visit("play?game=connect4&moves=&max=human&min=search:depth=3", ready=".board-picker svg")
    page.get_by_text("Hints").click()
    page.locator(".board-picker .hint.best").first.wait_for()
    hints = page.locator(".board-picker .hint").all_text_contents()
    assert hints == [number_text(hint.value) for hint in search_hints(Match(connect()), 3)]


def test_a_move_by_keyboard(visit):
    page = visit("play?game=connect4&max=human&min=random:seed=1", ready=".board-picker svg")
    page.locator(".board-picker .board").focus()
    page.keyboard.press("5")
    wait_for_moves(page, r"5\d")


def test_the_evaluation_bar_stands_beside_the_board_and_says_who_wins(visit):
    page = visit("play?game=connect4&moves=1460263026002213432204&max=human&min=human", ready=".board-picker svg")
    bar = page.locator(".board-picker .bar")
    assert not bar.is_visible()
    page.get_by_text("Evaluation bar").click()
    page.locator('.board-picker .bar[aria-label="Evaluation bar. Exact result: MAX wins in 9 moves"]').wait_for()
    page.get_by_text("Exact result: MAX wins in 9 moves").wait_for()
    frame, beside = page.locator(".board-picker .frame").bounding_box(), bar.bounding_box()
    assert 0 < frame["x"] - beside["x"] - beside["width"] < 30
    assert abs(frame["y"] - beside["y"]) < 5
    assert abs(frame["height"] - beside["height"]) < 8
    play(page, 0)
    page.locator('.board-picker .bar[aria-label="Evaluation bar. Exact result: MIN wins in 6 moves"]').wait_for()
    assert min(bar.locator(".label").evaluate_all(TEXT_CONTRASTS)) >= MIN_TEXT_CONTRAST


def test_a_position_that_is_not_solved_has_an_empty_bar(visit):
    page = visit("play?game=connect4&moves=&max=human&min=human", ready=".board-picker svg")
    page.get_by_text("Evaluation bar").click()
    page.locator('.board-picker .bar.unsolved[aria-label^="Evaluation bar. Not solved"]').wait_for()
    page.get_by_text("Not solved yet: the solver starts 8 moves from now. Hints show estimates.").wait_for()


def test_the_board_and_the_bar_follow_the_move_of_the_list(visit):
    page = visit(f"play?game={SMALL}&moves=31301332&max=human&min=human", ready=".board-picker svg")
    page.get_by_role("button", name="Analyse this game").click()
    moves = page.locator(".move-list button")
    moves.first.wait_for()
    discs = page.locator(".board-picker .board circle[fill]")
    expect(discs).to_have_count(8)
    page.locator(".move-list .mark.bad").first.click()
    page.get_by_text(re.compile("After move [1-7] of 8")).wait_for()
    move_number = int(re.search(r"After move (\d)", page.locator("h3").first.text_content())[1])
    page.locator(".st-key-reviewed_move").get_by_text(f"{move_number}. column").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text(f"After move {move_number + 1} of 8").wait_for()
    expect(discs).to_have_count(move_number + 1)
    friend = visit(page.url.split("/")[-1], ready=".move-list")
    friend.get_by_text(f"After move {move_number + 1} of 8").wait_for()  # the link holds the move that is looked at
    page.keyboard.press("Home")
    page.get_by_text("The start of the game").wait_for()
    expect(discs).to_have_count(0)
    expect(page.locator('.board-picker .bar[aria-label^="Evaluation bar. Exact result"]')).to_be_visible()


def test_on_a_phone_the_board_stays_in_sight_when_a_move_is_chosen(visit):
    page = visit("play?game=tictactoe&moves=01438&max=human&min=human", ready=".board-picker svg", viewport=PHONE)
    page.get_by_role("button", name="Analyse this game").click()
    page.locator(".move-list button").first.wait_for()
    page.get_by_text("Of 5 judged moves, 1 gave away a win or a draw").scroll_into_view_if_needed()
    page.locator('.move-list button[data-ply="2"]').click()
    page.get_by_text("After move 2 of 5").wait_for()
    page.get_by_text("2. square 1?? draws → loses for MIN; square 4 was right.").wait_for()
    expect(page.locator(".board-picker .board")).to_be_in_viewport(ratio=0.9)
    expect(page.locator('.move-list button[data-ply="2"]')).to_be_in_viewport()
    board, chosen = (page.locator(one).bounding_box() for one in (".board-picker .board", '.move-list button[data-ply="2"]'))
    assert board["y"] + board["height"] <= chosen["y"]  # nothing is covered


def test_see_why_and_hints_both_come_to_an_end(visit):
    """A visitor has one job at a time: the two used to cancel each other."""
    page = visit("play?game=othello:size=6&moves=8,19&max=human&min=search:depth=7", ready=".board-picker svg")
    page.get_by_text("your turn").wait_for()
    page.get_by_text("Hints").click()
    page.get_by_role("button", name="See why").click()
    page.locator(".st-key-reason").get_by_text("the best move for MIN").first.wait_for()
    page.locator(".board-picker .hint.best").first.wait_for()


def test_play_says_who_is_blue(visit):
    page = visit("play?game=connect4&max=human&min=search:depth=4", ready=".board-picker svg")
    page.get_by_text("▲ MAX, blue (you) against ▼ MIN, orange (alpha-beta, 4 moves ahead)").wait_for()
    page = visit("play?game=against-random:tictactoe", ready=".board-picker svg")
    page.get_by_text("▼ MIN, orange (moves drawn at random)").wait_for()


def test_the_heading_has_one_line_and_a_state_in_words_stands_below_it(visit):
    screen = {"width": 1280, "height": 720}
    page = visit("play?game=othello", ready=".board-picker svg", viewport=screen)
    heading = page.get_by_role("heading", name="MAX to move: your turn, click the board · ▲ 2 : 2 ▼")
    assert heading.locator("span").first.evaluate("(words) => words.getClientRects().length") == 1
    page.goto(page.url.split("?")[0] + "?game=pig")
    state = page.locator(".board-picker pre")
    state.wait_for()
    assert abs(state.bounding_box()["x"] - page.get_by_role("heading").first.bounding_box()["x"]) < 3


def test_a_large_screen_has_a_large_board_with_readable_hints(visit):
    page = visit("play?game=connect4", ready=".board-picker svg", viewport={"width": 1920, "height": 1080})
    assert page.locator(".board-picker svg").bounding_box()["height"] > 600
    page = visit("play?game=othello&moves=19,18,17,20&min=search:depth=2", ready=".board-picker svg", viewport=PHONE)
    heading = page.get_by_role("heading", name="MAX to move: your turn")
    assert heading.evaluate(LINES_OF_TEXT)[-1].endswith("· ▲ 4 : 4 ▼")  # not torn
    page.get_by_text("Hints").click()
    hint = page.locator(".board-picker .hint.best").first
    assert hint.bounding_box()["height"] > MIN_HINT_PX


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rolls_of_the_dice_are_read(visit, theme):
    page = visit("play?game=pig&moves=0,2,0,1,0,1,0,2,0,2,0,3,1,0,3,0,1", ready=".stMarkdownBadge >> nth=0", color_scheme=theme)
    badges = page.locator(".stMarkdownBadge")
    for _ in range(100):  # the style of the page may come after the badges
        if min(badges.evaluate_all(TEXT_CONTRASTS)) >= MIN_TEXT_CONTRAST:
            break
        page.wait_for_timeout(100)
    assert min(badges.evaluate_all(TEXT_CONTRASTS)) >= MIN_TEXT_CONTRAST
