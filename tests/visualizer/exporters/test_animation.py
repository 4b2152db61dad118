"""Animations: the frames, their limits, and the files."""

import sys
from itertools import combinations
from pathlib import Path
from subprocess import DEVNULL, PIPE

import numpy as np
import pytest
from PIL import Image

from engine import ALGORITHMS, Trace, connect, literal, nim, preset, search, tictactoe
from engine.core.errors import UnknownName
from tests.support.processes import MAX_WAIT_SECONDS, press_ctrl_c, run_command, start_process, wait_until
from visualizer import View, export
from visualizer.drawing.frames.path_scene import LEVEL_NAME_WIDTH
from visualizer.drawing.frames.step_frame import MARGIN, StepFrames
from visualizer.drawing.pdf_pages import ANCHOR_SHARES, text_width
from visualizer.drawing.scene import Label, Line, Shape
from visualizer.drawing.size_limits import TooLarge
from visualizer.drawing.theme import THEMES
from visualizer.drawing.view import select_items
from visualizer.exporters.animation import BadAnimation, choose_steps, frame_colours, view_steps
from visualizer.narration.sentences import sentence

SMALL = (320, 240)
TEXTBOOK_CUTOFF = 17
CAPITAL_HEIGHT = 0.72  # of the font size


@pytest.fixture(scope="module")
def textbook_tree():
    return search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))


def frame_labels(tree, number, size=(1280, 720)):
    scene = StepFrames(Trace(tree), tree.height, size).draw_step(number)
    return [item.text for item in scene.items if isinstance(item, Label)]


def test_a_cutoff_is_a_bar_as_in_the_viewer(textbook_tree):
    """Nodes that are done are filled, and a bar of the ground crosses those that a cutoff left. No outline is dashed."""
    items = StepFrames(Trace(textbook_tree), textbook_tree.height, (1280, 720)).draw_step(TEXTBOOK_CUTOFF + 1).items
    bars = [item for item in items if isinstance(item, Line) and item.colour == "ground"]
    assert len(bars) == 1
    assert not [item for item in items if isinstance(item, Line) and item.dashed and item.colour != "edge"]
    assert not {"minfill", "maxfill"} & {item.colour for item in items if isinstance(item, Shape)}


@pytest.mark.parametrize("extension", [".gif", ".webp"])
def test_there_is_a_frame_for_each_step(textbook_tree, extension, tmp_path):
    path = tmp_path / f"search{extension}"
    assert export(textbook_tree, path, steps=(10, 19), size=SMALL) == path.stat().st_size
    with Image.open(path) as animation:
        assert (animation.format, animation.size, animation.n_frames) == (extension[1:].upper(), SMALL, 10)
        assert animation.info["loop"] == 0
    first = path.read_bytes()
    export(textbook_tree, path, steps=(10, 19), size=SMALL)
    assert path.read_bytes() == first


def test_both_formats_have_the_same_pixels(textbook_tree, tmp_path):
    for extension in (".gif", ".webp"):
        export(textbook_tree, tmp_path / f"x{extension}", steps=(15, 19), size=SMALL)
    with Image.open(tmp_path / "x.gif") as gif, Image.open(tmp_path / "x.webp") as webp:
        for frame in range(5):
            gif.seek(frame)
            webp.seek(frame)
            assert np.array_equal(np.asarray(gif.convert("RGB")), np.asarray(webp.convert("RGB")))


def test_a_frame_shows_values_window_cutoff_code_and_sentence(textbook_tree):
    step = Trace(textbook_tree)[TEXTBOOK_CUTOFF]
    assert step.kind == "cutoff"
    labels = frame_labels(textbook_tree, TEXTBOOK_CUTOFF)
    assert sentence(step).startswith(labels[-2])
    assert {"2 ≤ α = 3", "α = 3", "≥ 3", "if value ≤ α: return value", "MAX", "MIN", "step 17 of 31"} <= set(labels)
    assert "[−∞, 3]" in frame_labels(textbook_tree, 4)
    assert "12" not in frame_labels(textbook_tree, 4)  # it is not known yet


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("extension", [".gif", ".webp"])
def test_colours_are_those_of_the_theme(textbook_tree, tmp_path, extension, theme):
    export(textbook_tree, tmp_path / f"x{extension}", steps=(17, 17), theme=theme)
    with Image.open(tmp_path / f"x{extension}") as animation:
        seen = {colour for _, colour in animation.convert("RGB").getcolors()}
    palette = THEMES[theme]
    assert seen <= set(frame_colours(palette))
    for colour in (palette.background, palette.text, *palette.lines[:2]):
        assert tuple(bytes.fromhex(colour[1:])) in seen


def test_an_unknown_theme_is_an_error(textbook_tree, tmp_path):
    with pytest.raises(UnknownName, match="light, dark"):
        export(textbook_tree, tmp_path / "x.gif", theme="blue")


SEARCHES = {
    **{name: lambda name=name: search(tictactoe(), "40263", algorithm=name) for name in ALGORITHMS},
    "quiescence": lambda: search(connect(), "41634065", depth=1, quiescence=4),
    "many moves": lambda: search(nim([30, 30]), depth=1),
    "as published": lambda: search(preset("threats"), "3342", depth=2, as_published=True),
    "one node": lambda: search(literal(7)),
    "deep": lambda: search(connect(), "3", depth=6, max_nodes=200),
    "long names": lambda: search(nim([3, 4, 5]), depth=4),
    "stopped": lambda: search(tictactoe(), depth=4, max_nodes=50),
}


def label_ends(label):
    width = text_width(label.text, label.size, label.bold)
    left = label.x - width * ANCHOR_SHARES[label.anchor]
    return (left, label.y - label.size), (left + width, label.y)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("size", [(1280, 720), (320, 240)])
def test_every_search_is_drawn_within_its_frame(name, size):
    tree = SEARCHES[name]()
    frames = StepFrames(Trace(tree), tree.height, size)
    for number in range(0, len(Trace(tree)), max(1, len(Trace(tree)) // 12)):
        scene = frames.draw_step(number)
        for item in scene.items:
            points = label_ends(item) if isinstance(item, Label) else item.points
            assert all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in points)
        nodes = [item for item in scene.items if isinstance(item, Shape) and min(item.points)[0] > MARGIN + LEVEL_NAME_WIDTH]
        assert nodes


@pytest.mark.parametrize("name", SEARCHES)
def test_no_text_covers_another(name):
    tree = SEARCHES[name]()
    frames = StepFrames(Trace(tree), tree.height, (1280, 720))
    for number in range(0, min(len(Trace(tree)), 400), 7):
        texts = [item for item in frames.draw_step(number).items if isinstance(item, Label)]
        for one, other in combinations(texts, 2):
            (left, _), (right, low) = label_ends(one)
            (other_left, _), (other_right, other_low) = label_ends(other)
            beside = right <= other_left + 1 or other_right <= left + 1
            above = low <= other_low - CAPITAL_HEIGHT * other.size + 1 or other_low <= low - CAPITAL_HEIGHT * one.size + 1
            assert beside or above, (number, one.text, other.text)


def test_a_view_shows_the_steps_of_its_nodes(textbook_tree):
    trace = Trace(textbook_tree)
    for view in (View(max_depth=1), View(root=5), View(first=4), View(principal=True)):
        rows = set(view_rows(textbook_tree, view))
        expected = [
            step.number
            for step in trace
            if step.node in rows and (step.child is None or step.child in rows) and step.node >= view.root
        ]
        assert list(view_steps(textbook_tree, view)) == expected
    assert list(view_steps(textbook_tree)) == list(range(len(trace)))


def view_rows(tree, view):
    return select_items(tree, view).nodes.tolist()


def test_a_search_of_several_passes_is_shown_as_a_whole():
    tree = search(tictactoe(), "40263", algorithm="mtdf")
    assert list(view_steps(tree, View(max_depth=20))) == list(range(len(Trace(tree))))
    assert "pass 2 of 2, step 92 of 92" in frame_labels(tree, 92)


def test_limits_are_said_in_one_sentence(textbook_tree, tmp_path):
    tree = search(preset("k-tables"), "3", depth=3)
    words = r"at most 400 frames, and this one would have 701: choose steps \(--steps 0-399, in Python steps=\(0, 399\)\)"
    with pytest.raises(TooLarge, match=words):
        export(tree, tmp_path / "x.gif")
    for style, words in (
        ({"steps": (5, 2)}, "backwards: write 2-5"),
        ({"steps": (40, 50)}, r"there is no step 40: the search has the steps 0-31"),
        ({"steps": "a-b"}, "'a-b' is not a range of steps: write the first and the last one, such as 0-80"),
        ({"steps": 7}, "7 is not a range of steps"),
        ({"size": (10, 10)}, "a frame cannot have 10x10 pixels: choose 320x240 to 3840x2160"),
        ({"size": "large"}, "'large' is not a size: write width and height in pixels, such as 1280x720"),
    ):
        with pytest.raises(BadAnimation, match=words):
            export(textbook_tree, tmp_path / "x.gif", **style)
    assert list(tmp_path.iterdir()) == []
    assert choose_steps(textbook_tree, None, (30, 90)) == [30, 31]


def test_a_hundred_frames_are_under_five_megabytes(tmp_path):
    tree = search(preset("k-tables"), "3", depth=3)
    drawn = []
    assert export(tree, tmp_path / "x.gif", steps=(300, 399), on_frame=lambda *frame: drawn.append(frame)) < 5_000_000
    assert drawn == [(number, 100) for number in range(1, 101)]


def test_a_cancelled_animation_leaves_no_file(tmp_path):
    command = [sys.executable, "-m", "visualizer.cli.main", "search", "k-tables", "--moves", "3", "--steps", "0-399"]
    with start_process([*command, "-o", str(tmp_path / "x.webp")], stdout=DEVNULL, stderr=PIPE) as process:
        wait_until(lambda: list(tmp_path.iterdir()), "the temporary file")
        press_ctrl_c(process)
        assert process.wait(MAX_WAIT_SECONDS) == 130
        assert b"Traceback" not in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_makes_animations(tmp_path):
    tree, first_file, again = (str(tmp_path / name) for name in ("run.parquet", "search.gif", "again.gif"))
    style = ["--steps", "0-3", "--size", "400x300"]
    assert run_command("search", "tree:[[3,12],[2,4]]", "-o", tree, "-o", first_file, *style).returncode == 0
    with Image.open(first_file) as animation:
        assert (animation.size, animation.n_frames) == ((400, 300), 4)
    assert run_command("export", tree, "-o", again, *style).returncode == 0
    assert Path(again).read_bytes() == Path(first_file).read_bytes()
    refused = run_command("search", "nim:3,4", "-o", str(tmp_path / "x.gif"), "--steps", "9-1")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "the steps '9-1' are backwards: write 1-9" in refused.stderr
