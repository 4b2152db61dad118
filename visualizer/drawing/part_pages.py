"""The pages of a tree on paper: its parts side by side, in reading order. The first page begins with the legend."""

from collections.abc import Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.legends import parts_legend
from visualizer.drawing.paging import PaperParts, number_parts
from visualizer.drawing.paper import Paper
from visualizer.drawing.pdf_pages import text_width, wrap_to_width
from visualizer.drawing.scene import POINTS_PER_PIXEL, Item, Label, Scene, place_item
from visualizer.drawing.view import View, select_items
from visualizer.drawing.view_scene import draw_view
from visualizer.narration.captions import PARTS_NOTE, part_title, search_title, summarize_result

# sizes in pixels
MARGIN = 45  # 12 mm, as in .html
PART_SCALE = 0.8  # of a part on paper: its smallest letters are 6 points high
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 18, 13, 11  # letters
LINE_SPACING = 1.3  # of the letters' size
PART_GAP = 18  # between parts
MIN_HEADING_WIDTH = 170  # of a heading


class _PageFlow:
    """Pages that are filled from left to right and from top to bottom."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width / POINTS_PER_PIXEL, height / POINTS_PER_PIXEL
        self.content_width, self.bottom = self.width - 2 * MARGIN, self.height - MARGIN - SMALL_SIZE * LINE_SPACING
        self.pages: list[list[Item]] = [[]]
        self.parts: list[list[int]] = [[]]  # of each page
        self.x, self.y, self.row = 0.0, float(MARGIN), 0.0  # `row`: the height of the current row of parts

    def write_text(self, text: str, size: int, bold: bool = False, colour: str = "text") -> None:
        for line in wrap_to_width(text, size, self.content_width, bold):
            self.y += size * LINE_SPACING
            self.pages[-1].append(Label(MARGIN, self.y - size * (LINE_SPACING - 1), line, colour, size, "start", bold))

    def add_part(self, number: int, heading: str, picture: Scene) -> None:
        room = self.bottom - (
            MARGIN if self.parts[-1] else self.y + SMALL_SIZE * LINE_SPACING
        )  # the first part of a page stays on it
        scale = min(PART_SCALE, self.content_width / picture.width, room / picture.height)
        wide = max(picture.width * scale, min(text_width(heading, SMALL_SIZE, True), MIN_HEADING_WIDTH))
        lines = wrap_to_width(heading, SMALL_SIZE, wide, True)
        above = len(lines) * SMALL_SIZE * LINE_SPACING
        high = above + picture.height * scale
        if self.x and self.x + wide > self.content_width:
            self.start_row()
        if self.y + high > self.bottom and self.parts[-1]:
            self.pages.append([])
            self.parts.append([])
            self.x, self.y, self.row = 0.0, float(MARGIN), 0.0
        left = MARGIN + self.x
        for down, line in enumerate(lines, start=1):
            self.pages[-1].append(
                Label(left, self.y + down * SMALL_SIZE * LINE_SPACING - 3, line, "text", SMALL_SIZE, "start", True)
            )
        self.pages[-1] += [place_item(item, left, self.y + above, scale) for item in picture.items]
        self.parts[-1].append(number)
        self.x, self.row = self.x + wide + PART_GAP, max(self.row, high)

    def start_row(self) -> None:
        self.x, self.y, self.row = 0.0, self.y + self.row + PART_GAP, 0.0

    def build_pages(self, name: str) -> Iterator[Scene]:
        """Yield the pages with their page numbers."""
        y = self.height - MARGIN
        for number, (items, parts) in enumerate(zip(self.pages, self.parts, strict=True), start=1):
            held = f"part {parts[0]}" if len(parts) == 1 else f"parts {parts[0]} to {parts[-1]}"
            foot = Label(
                MARGIN + self.content_width, y, f"page {number} of {len(self.pages)}: {held}", "muted", SMALL_SIZE, "end"
            )
            feet = [foot] if len(self.pages) > 1 else []
            yield Scene(name, int(self.width), int(self.height), (*items, *feet))


def lay_out_pages(tree: SearchTree, whole: View, found: PaperParts, paper: Paper, windows: bool = True) -> list[Scene]:
    """Lay out the parts of a view on pages. The first begins with the question, the result and the legend."""
    views = found.views
    flow = _PageFlow(*paper.page_size(found.turned))
    flow.write_text(search_title(tree), TITLE_SIZE, True)
    flow.write_text(summarize_result(tree, whole.is_whole), TEXT_SIZE)
    if len(views) > 1:
        flow.write_text(PARTS_NOTE.format(parts=len(views)), TEXT_SIZE)
    flow.write_text(parts_legend(tree, views), SMALL_SIZE, colour="muted")
    flow.y += PART_GAP
    for number, view, elsewhere in number_parts(views):
        heading = part_title(tree, view.root, number, len(views)) if len(views) > 1 else ""
        flow.add_part(number, heading, draw_view(select_items(tree, view), windows, elsewhere))
        if number == 1:
            flow.start_row()
    return list(flow.build_pages(search_title(tree)))
