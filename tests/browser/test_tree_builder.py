"""A tree of one's own: built by clicking and by keys at full width, opened from a file, and searched."""

import re
from urllib.parse import unquote

from playwright.sync_api import expect

from engine import literal
from tests.support.processes import wait_until
from visualizer.app.state.large_trees import page_game_text

TREE = "?game=tree:[[3,12],[2,4]]"
READY = ".tree-builder .node"
WIDE_TREE = str([[[10 * row + leaf - 15 for leaf in range(5)] for row in (0, 1)]] * 3).replace(" ", "")  # 30 leaves
URL_HAS = "game => decodeURIComponent(location.search.replaceAll('+', ' ')).includes(game)"


def locate_node(page, path):
    return page.locator(f'.tree-builder .node[data-path="{path}"]')


def open_builder(visit, way, **options):
    page = visit(TREE, **options)
    page.get_by_role("button", name="Change game or position").click()
    page.get_by_test_id("stPopoverBody").get_by_text(way, exact=True).first.click()
    return page


def search_tree(page, game, button="Search"):
    page.get_by_role("button", name=button, exact=button == "Search").click()
    page.wait_for_function(URL_HAS, arg=game)


def test_a_tree_is_built_by_clicking(visit):
    page = open_builder(visit, "Build")
    locate_node(page, "1").click()
    assert "/build?game=" in page.url
    page.get_by_role("button", name="Add child").click()
    field = page.locator('.tree-builder [data-part="value"]')
    field.fill("-7.5")
    field.press("Enter")
    expect(locate_node(page, "1,2")).to_have_attribute("title", "−7.5")
    locate_node(page, "0,0").click()
    page.locator('.tree-builder [data-part="name"]').fill("<b>x")
    page.locator('.tree-builder [data-part="move"]').fill("go")
    page.locator('.tree-builder [data-part="move"]').press("Enter")
    locate_node(page, "1,1").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(READY)).to_have_count(7)
    page.get_by_role("button", name="Delete").click()
    page.locator(".tree-builder").get_by_role("button", name="Undo").click()
    expect(page.locator(READY)).to_have_count(7)
    built = 'tree:[[{"name":"<b>x","move":"go","value":3},12],[2,-7.5]]'
    page.wait_for_function(URL_HAS, arg=built)
    page.reload()  # the link of the page contains the tree
    expect(page.locator(READY)).to_have_count(7)
    locate_node(page, "1,1").click()
    field.fill("5")
    field.press("Enter")
    search_tree(page, built.replace("-7.5", "5"), "Step through it")  # the tree as it is now, not as it was opened
    page.locator(".ps[data-step]").wait_for()
    page.get_by_text("6 nodes").first.wait_for()
    page.go_back()  # one entry for all edits
    expect(page.locator(READY)).to_have_count(7)
    page.go_back()
    page.locator(".ps[data-step]").wait_for()


def test_a_tree_is_built_by_keys_and_by_touch_on_a_phone_and_practised(visit):
    page = visit("learn?exercise=values&seed=4", ".learn[data-exercise]", viewport={"width": 380, "height": 740}, has_touch=True)
    page.get_by_role("button", name="Build a tree").tap()
    page.get_by_text("2 × 2", exact=True).tap()
    expect(page.locator(READY)).to_have_count(7)
    locate_node(page, "").tap()
    page.locator(".tree-builder .drawing").focus()
    for key in ("ArrowDown", "ArrowDown", "+", "9", "Enter"):
        page.keyboard.press(key)
    expect(locate_node(page, "0,0,0")).to_have_attribute("title", "9")
    for key in ("ArrowUp", "s", "Delete", "Delete", "u", "Delete"):
        page.keyboard.press(key)
    page.wait_for_function(URL_HAS, arg="tree:[")
    field = page.locator('.tree-builder [data-part="value"]')
    locate_node(page, "0,0,0").tap()
    field.fill("-123456789.5")
    field.press("Enter")
    expect(locate_node(page, "0,0,0")).to_have_attribute("title", "−123456789.5")
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert field.evaluate("(input) => input.scrollWidth <= input.clientWidth")
    page.get_by_role("button", name="Practise").tap()
    page.locator(".learn .node").first.wait_for()
    assert "exercise=values&game=tree" in unquote(page.url)


CLICK_AND_EDIT = """(drawing) => {
  [...document.querySelectorAll("button")].find((button) => button.innerText.trim() === "3 × 3").click();
  drawing.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
}"""


def test_a_key_right_after_a_template_does_not_bring_the_old_tree_back(visit):
    page = visit("build" + TREE, f"{READY} >> nth=0")
    drawing, canvas = page.locator(".tree-builder .drawing"), page.locator(".tree-builder canvas")
    drawing.evaluate(CLICK_AND_EDIT)  # the key comes before the template: it edits the old tree
    expect(page.locator(READY)).to_have_count(13)
    page.wait_for_function(URL_HAS, arg="tree:[[0,0,0],[0,0,0],[0,0,0]]")
    drawing.press("+")
    expect(page.locator(READY)).to_have_count(14)
    page.wait_for_function(URL_HAS, arg="tree:[[0,0,0],[0,0,0],[0,0,0],0]")
    light = canvas.evaluate("canvas => canvas.toDataURL()")
    page.emulate_media(color_scheme="dark")  # the picture follows at once
    wait_until(lambda: canvas.evaluate("canvas => canvas.toDataURL()") != light, "the picture is drawn in the dark theme")
    expect(page.locator(READY)).to_have_count(14)


def test_probabilities_that_do_not_add_up_to_one_stay_in_the_builder_and_are_not_searched(visit):
    game = 'tree:[{"chance":[{"p":"1/2","value":10},{"p":"1/2","value":-20}]},[3,5]]'
    page = visit(f"build?game={game}", f"{READY} >> nth=0")
    probability, step = page.locator('.tree-builder [data-part="p"]'), page.get_by_role("button", name="Step through it")
    locate_node(page, "0,0").click()
    probability.fill("70%")
    step.click(force=True)  # the click makes the field change first
    expect(step).to_be_disabled()
    expect(page.get_by_role("button", name="Practise")).to_be_disabled()
    expect(probability).to_have_value("0.7")
    expect(page.locator(".tree-builder [role=status]")).to_contain_text("do not add up to 1")
    assert "/build" in page.url
    page.get_by_role("link", name="About").click()
    page.get_by_role("link", name="Build").click()
    locate_node(page, "0,0").click()
    expect(probability).to_have_value("0.7")  # not lost
    page.get_by_role("button", name="Set the other to 0.3").click()
    page.wait_for_function(URL_HAS, arg='{"p":"0.7","value":10},{"p":"0.3","value":-20}')
    search_tree(page, '{"p":"0.7","value":10},{"p":"0.3","value":-20}', "Step through it")
    page.locator(".ps[data-step]").wait_for()


def test_a_template_can_be_undone(visit):
    page = visit("build" + TREE, f"{READY} >> nth=0")
    page.locator(".tree-builder .drawing").press("+")
    expect(page.locator(READY)).to_have_count(8)
    page.get_by_text("3 × 3", exact=True).click()
    expect(page.locator(READY)).to_have_count(13)
    undo = page.locator(".tree-builder").get_by_role("button", name="Undo")
    undo.click()
    expect(page.locator(READY)).to_have_count(8)
    page.wait_for_function(URL_HAS, arg="tree:[[3,12],[2,4],0]")
    undo.click()
    expect(page.locator(READY)).to_have_count(7)
    search_tree(page, "tree:[[3,12],[2,4]]", "Step through it")
    page.locator(".ps[data-step]").wait_for()


def test_thirty_leaves_fit_and_look_like_every_other_tree(visit):
    page = visit(f"build?game=tree:{WIDE_TREE}", f"{READY}.selected", viewport={"width": 1280, "height": 720})
    expect(page.locator(".tree-builder .leaf")).to_have_count(30)
    assert page.locator(".tree-builder .drawing").evaluate("(drawing) => drawing.scrollWidth <= drawing.clientWidth")
    assert page.locator(".tree-builder .drawing").evaluate("(drawing) => drawing.getBoundingClientRect().bottom") <= 720
    leaf = page.locator(".tree-builder .leaf").first
    colours = """(leaf) => {
      const canvas = leaf.closest(".drawing")?.querySelector("canvas");
      if (!canvas?.clientWidth) return []; // it is being replaced
      const ratio = canvas.width / canvas.clientWidth;
      const box = leaf.getBoundingClientRect(), around = canvas.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2 - around.x, box.y + 20 - around.y];
      return [...canvas.getContext("2d").getImageData(x * ratio, y * ratio, 1, 1).data].slice(0, 3);
    }"""
    assert leaf.evaluate(colours) == [0xD5, 0x5E, 0x00]  # a filled triangle of MIN
    page.get_by_text("MIN first").click()
    page.wait_for_function(URL_HAS, arg="tree-min:[[[")
    wait_until(lambda: leaf.evaluate(colours) == [0x00, 0x72, 0xB2], "the leaves are MAX's")


def test_a_file_is_opened_and_what_is_wrong_with_it_is_told(visit, tmp_path):
    page = open_builder(visit, "File")
    upload = page.get_by_test_id("stFileUploaderDropzoneInput").first
    upload.set_input_files({"name": "bad.txt", "mimeType": "text/plain", "buffer": b"MIN\n  a: 3\n  b: x\n"})
    page.get_by_text("line 3, column 6: 'x' is not a number").wait_for()
    upload.set_input_files({"name": "good.txt", "mimeType": "text/plain", "buffer": b"MIN\n  a: 3\n  b: 2\n"})
    page.get_by_text("Save the tree of 3 nodes").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="indented text").click()
    download.value.save_as(tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == "MIN\n  a: 3\n  b: 2\n"
    search_tree(page, 'tree-min:[{"name":"a","value":3},{"name":"b","value":2}]')
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
