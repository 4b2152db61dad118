"""A tree on pages of paper: parts side by side, in reading order, and what explains them on the first page."""

from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.legends import legend_of_parts
from visualizer.drawing.paging import PaperParts, numbered
from visualizer.drawing.paper import Paper
from visualizer.drawing.pdf_pages import text_width, wrapped
from visualizer.drawing.scene import POINT, Item, Label, Sketch, placed
from visualizer.drawing.view import View, shown
from visualizer.drawing.view_scene import view_sketch
from visualizer.narration.captions import IN_PARTS, part_title, result, title

# sizes in pixels
MARGIN = 45  # 12 mm, as .html asks for
SCALE = 0.8  # of a part on paper: its smallest letters are 6 points high
TITLE, TEXT, SMALL = 18, 13, 11  # letters
LINE = 1.3  # of the letters' size
GAP = 18  # between parts
NARROWEST = 170  # of a heading


class _Flow:
    """Pages that are filled from left to right and from top to bottom."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width / POINT, height / POINT
        self.wide, self.bottom = self.width - 2 * MARGIN, self.height - MARGIN - SMALL * LINE
        self.pages: list[list[Item]] = [[]]
        self.parts: list[list[int]] = [[]]  # of each page
        self.x, self.y, self.row = 0.0, float(MARGIN), 0.0  # `row`: the height of what stands side by side there

    def write(self, text: str, size: int, bold: bool = False, colour: str = "text") -> None:
        for line in wrapped(text, size, self.wide, bold):
            self.y += size * LINE
            self.pages[-1].append(Label(MARGIN, self.y - size * (LINE - 1), line, colour, size, "start", bold))

    def add(self, number: int, heading: str, picture: Sketch) -> None:
        room = self.bottom - (MARGIN if self.parts[-1] else self.y + SMALL * LINE)  # the first of a page stays there
        scale = min(SCALE, self.wide / picture.width, room / picture.height)
        wide = max(picture.width * scale, min(text_width(heading, SMALL, True), NARROWEST))
        lines = wrapped(heading, SMALL, wide, True)
        above = len(lines) * SMALL * LINE
        high = above + picture.height * scale
        if self.x and self.x + wide > self.wide:
            self.new_row()
        if self.y + high > self.bottom and self.parts[-1]:
            self.pages.append([])
            self.parts.append([])
            self.x, self.y, self.row = 0.0, float(MARGIN), 0.0
        left = MARGIN + self.x
        for down, line in enumerate(lines, start=1):
            self.pages[-1].append(Label(left, self.y + down * SMALL * LINE - 3, line, "text", SMALL, "start", True))
        self.pages[-1] += [placed(item, left, self.y + above, scale) for item in picture.items]
        self.parts[-1].append(number)
        self.x, self.row = self.x + wide + GAP, max(self.row, high)

    def new_row(self) -> None:
        self.x, self.y, self.row = 0.0, self.y + self.row + GAP, 0.0

    def finished(self, name: str) -> Iterator[Sketch]:
        """The pages with their numbers."""
        y = self.height - MARGIN
        for number, (items, parts) in enumerate(zip(self.pages, self.parts, strict=True), start=1):
            held = f"part {parts[0]}" if len(parts) == 1 else f"parts {parts[0]} to {parts[-1]}"
            foot = Label(MARGIN + self.wide, y, f"page {number} of {len(self.pages)}: {held}", "muted", SMALL, "end")
            feet = [foot] if len(self.pages) > 1 else []
            yield Sketch(name, int(self.width), int(self.height), (*items, *feet))


def part_pages(tree: SearchTree, whole: View, found: PaperParts, paper: Paper, windows: bool = True) -> list[Sketch]:
    """Lay out the parts of a view on pages. The first begins with what was searched and how the pictures are read."""
    views = found.views
    flow = _Flow(*paper.sides(found.turned))
    flow.write(title(tree), TITLE, True)
    flow.write(result(tree, whole.is_whole), TEXT)
    if len(views) > 1:
        flow.write(IN_PARTS.format(parts=len(views)), TEXT)
    flow.write(legend_of_parts(tree, views), SMALL, colour="muted")
    flow.y += GAP
    for number, view, elsewhere in numbered(views):
        heading = part_title(tree, view.root, number, len(views)) if len(views) > 1 else ""
        flow.add(number, heading, view_sketch(shown(tree, view), windows, elsewhere))
        if number == 1:
            flow.new_row()
    return list(flow.finished(title(tree)))
