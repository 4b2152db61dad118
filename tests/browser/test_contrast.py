"""Contrast: words and lines stand out from its background, in the light theme and in the dark one."""

import pytest

from tests.browser.viewer import wait_for_frames

MIN_TEXT_CONTRAST, MIN_LINE_CONTRAST = 4.5, 3  # of WCAG 2.1, 1.4.3 and 1.4.11
THEMES = ("light", "dark")
TREE = "?game=tree:[[3,12,8],[2,4,6],[14,5,2]]"
COLOURS = """
const dot = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
const read = (colour) => {
  dot.clearRect(0, 0, 1, 1);
  dot.fillStyle = colour;
  dot.fillRect(0, 0, 1, 1);
  return [...dot.getImageData(0, 0, 1, 1).data];
};
const over = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] / 255 + ground[i] * (1 - top[3] / 255)).concat(255);
const light = (colour) => [0.2126, 0.7152, 0.0722].reduce((sum, share, i) => {
  const part = colour[i] / 255;
  return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
}, 0);
const contrast = (one, other) => {
  const [dark, bright] = [light(one), light(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
};
const ground = (element) => {
  const layers = [];
  for (; element; element = element.parentElement ?? element.getRootNode().host) {
    layers.push(read(getComputedStyle(element).backgroundColor));
    if (layers.at(-1)[3] === 255) break;
  }
  return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 255]);
};
"""
TEXT_CONTRASTS = f"""(elements) => {{ {COLOURS}
  const opacity = (element) => {{
    const around = element.parentElement ?? element.getRootNode().host;
    return getComputedStyle(element).opacity * (around ? opacity(around) : 1);
  }};
  const drawn = (element) => read(getComputedStyle(element).color).map((part, i) => i < 3 ? part : part * opacity(element));
  return elements.flatMap((element) => [element, ...element.querySelectorAll('*')])
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
    .map((element) => contrast(over(drawn(element), ground(element)), ground(element)));
}}"""
# of each row of pixels between two heights, the colour that stands out most; `colourful` leaves out shades of grey
LINE_CONTRASTS = f"""(canvas, [left, right, top, bottom, colourful]) => {{ {COLOURS}
  const paper = read(getComputedStyle(canvas).getPropertyValue('--st-background-color'));
  const scale = canvas.width / canvas.clientWidth;
  const [x, y, width, height] = [left, top, right - left, bottom - top].map((length) => Math.round(length * scale));
  const {{ data }} = canvas.getContext('2d').getImageData(x, y, width, height);
  return Array.from({{ length: height }}, (_, row) => Math.max(1, ...Array.from({{ length: width }}, (_, at) => {{
    const colour = [...data.slice((row * width + at) * 4, (row * width + at) * 4 + 4)];
    const shade = Math.max(...colour.slice(0, 3)) - Math.min(...colour.slice(0, 3));
    return colourful && shade < 60 ? 1 : contrast(over(colour, paper), paper);
  }})));
}}"""
BUTTONS = "[data-testid=stBaseButton-primary]:not(:disabled), [data-tag]"


@pytest.mark.parametrize("theme", THEMES)
def test_words_on_coloured_buttons_and_tags_are_read(visit, theme):
    page = visit("compare?game=connect4&moves=4354&depths=1-2", ready=None, color_scheme=theme)
    page.get_by_test_id("stPopoverButton").filter(has_text="Change").click()
    page.locator("[data-tag] >> nth=1").wait_for()
    page.get_by_test_id("stBaseButton-primary").first.wait_for()
    contrasts = page.locator(BUTTONS).evaluate_all(TEXT_CONTRASTS)
    assert len(contrasts) >= 3  # two tags and a button
    assert min(contrasts) >= MIN_TEXT_CONTRAST


SMALL_PRINT = {  # the address of a page, and where its words are
    "captions": ("play?game=connect4&moves=3334", "[data-testid=stCaptionContainer]"),
    "a command": ("learn?sheets=1", "[data-testid=stCode] code"),
    "solved screens": ("learn?lesson=minimax&screen=3&answer=3", ".lesson-marks"),
    "the legend of MCTS": ("?game=tictactoe&algorithm=mcts", ".ps .legend"),
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SMALL_PRINT)
def test_small_print_is_read(visit, name, theme):
    address, place = SMALL_PRINT[name]
    page = visit(address, ready=f"{place} >> nth=0", color_scheme=theme)
    contrasts = page.locator(place).evaluate_all(TEXT_CONTRASTS)
    wanted = MIN_LINE_CONTRAST if name.startswith("the legend") else MIN_TEXT_CONTRAST  # it has signs in the colours of the sides
    assert min(contrasts) >= wanted


@pytest.mark.parametrize("theme", THEMES)
def test_words_of_charts_have_the_colour_of_text(visit, theme):
    page = visit("compare?game=connect4&moves=4354&depths=1-2&repeat=1", ready=None, color_scheme=theme)
    words = page.locator("[data-testid=stVegaLiteChart] :is(.role-axis-label, .role-axis-title, .role-legend-label) text")
    words.first.wait_for()
    assert words.evaluate_all("all => all.every((text) => getComputedStyle(text).fill === getComputedStyle(text).color)")


@pytest.mark.parametrize("theme", THEMES)
def test_words_on_the_cells_of_a_tournament_are_read(visit, theme):
    page = visit("tournament?game=connect4&depths=1-3&games=1", ready=".heatmap td button >> nth=8", color_scheme=theme)
    page.locator(".heatmap td button:not([disabled]) >> nth=8").wait_for()
    assert min(page.locator(".heatmap td button").evaluate_all(TEXT_CONTRASTS)) >= MIN_TEXT_CONTRAST


@pytest.mark.parametrize("theme", THEMES)
def test_lines_to_nodes_that_are_not_visited_are_seen(visit, theme):
    page = visit(f"{TREE}&step=0&view=whole", viewport={"width": 1280, "height": 720}, color_scheme=theme)
    wait_for_frames(page)
    canvas = page.locator("canvas[data-part=tree]")
    middle = canvas.evaluate("(canvas) => (canvas.clientWidth + 58) / 2")  # the root, right of the names of levels
    rows = canvas.evaluate(LINE_CONTRASTS, [middle - 20, middle + 20, 110, 170, False])  # the line to its second move
    assert min(rows) >= MIN_LINE_CONTRAST


@pytest.mark.parametrize("theme", THEMES)
def test_outlines_of_a_tree_that_is_built_are_seen(visit, theme):
    page = visit("build", ready=".tree-builder canvas", color_scheme=theme)
    wait_for_frames(page)
    canvas = page.locator(".tree-builder canvas")
    width = canvas.evaluate("(canvas) => canvas.clientWidth")
    rows = canvas.evaluate(LINE_CONTRASTS, [width / 2, width / 2 + 60, 18, 42, True])  # the root
    assert max(rows) >= MIN_LINE_CONTRAST
