"""A tree of one's own: built by clicking and by keys, opened from a file, and searched."""

import re
from urllib.parse import unquote

from playwright.sync_api import expect

from engine import literal
from visualizer.app.state.large_trees import page_game_text

TREE = "?game=tree:[[3,12],[2,4]]"


def node(page, path):
    return page.locator(f'.build .node[data-path="{path}"]')


def opened(visit, way, **options):
    page = visit(TREE, **options)
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_text(way, exact=True).click()
    return page


def searched(page, game):
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_function("game => decodeURIComponent(location.search.replaceAll('+', ' ')).includes(game)", arg=game)


def test_a_tree_is_built_by_clicking(visit):
    page = opened(visit, "Build")
    node(page, "1").click()
    page.get_by_role("button", name="Add child").click()
    field = page.locator('.build [data-part="value"]')
    field.fill("-7.5")
    field.press("Enter")
    node(page, "1,2").get_by_text("−7.5").wait_for()
    node(page, "0,0").click()
    page.locator('.build [data-part="name"]').fill("<b>x")
    page.locator('.build [data-part="move"]').fill("go")
    page.locator('.build [data-part="move"]').press("Enter")
    node(page, "1,1").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".build .node")).to_have_count(7)
    page.get_by_role("button", name="Delete").click()
    page.locator(".build").get_by_role("button", name="Undo").click()
    expect(page.locator(".build .node")).to_have_count(7)
    searched(page, 'tree:[[{"name":"<b>x","move":"go","value":3},12],[2,-7.5]]')
    page.get_by_text("6 nodes").first.wait_for()


def test_a_tree_is_built_by_keys_and_by_touch(visit):
    page = opened(visit, "Build", viewport={"width": 380, "height": 800}, has_touch=True)
    node(page, "").tap()
    page.locator(".build .drawing").focus()
    for key in ("ArrowDown", "ArrowDown", "+", "9", "Enter"):
        page.keyboard.press(key)
    node(page, "0,0,0").get_by_text("9").wait_for()
    for key in ("ArrowUp", "ArrowRight", "Delete", "u", "Delete"):
        page.keyboard.press(key)
    expect(page.locator(".build .node")).to_have_count(5)
    searched(page, "tree:[[[9],12]]")


def test_a_file_is_opened_and_what_is_wrong_with_it_is_told(visit, tmp_path):
    page = opened(visit, "File")
    upload = page.get_by_test_id("stFileUploaderDropzoneInput").first
    upload.set_input_files({"name": "bad.txt", "mimeType": "text/plain", "buffer": b"MIN\n  a: 3\n  b: x\n"})
    page.get_by_text("line 3, column 6: 'x' is no number").wait_for()
    upload.set_input_files({"name": "good.txt", "mimeType": "text/plain", "buffer": b"MIN\n  a: 3\n  b: 2\n"})
    page.get_by_text("Save the tree of 3 nodes").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="indented text").click()
    download.value.save_as(tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == "MIN\n  a: 3\n  b: 2\n"
    searched(page, 'tree-min:[{"name":"a","value":3},{"name":"b","value":2}]')
    assert re.search("tree-min", unquote(page.url))


def test_a_file_that_is_too_long_for_a_link_is_searched_and_asked_for_where_it_is_missing(visit):
    leaves = [[100_000 + 20 * row + leaf for leaf in range(20)] for row in range(150)]
    file = {"name": "large.tree", "mimeType": "text/plain", "buffer": str(leaves).encode()}
    link = page_game_text(literal(leaves))  # known beforehand: it is a digest of the tree
    page = visit(f"?game={link}&algorithm=minimax&depth=end", ready="", viewport={"width": 380, "height": 800})
    page.get_by_text("this server does not have it").wait_for()
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    page.get_by_text("3,151 nodes").first.wait_for()
    page.locator(".ps[data-step]").wait_for()
    assert link in unquote(page.url)
