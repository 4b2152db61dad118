"""Exam sheets as PDF: no task is divided by a page break, and every variant begins on a new page."""

from itertools import groupby

from visualizer.drawing.pdf_pages import find_unsupported_characters, text_width, to_pdf, wrap_to_width
from visualizer.drawing.scene import POINTS_PER_PIXEL, Item, Label, Line, Scene, place_item, to_svg
from visualizer.exams.exercise_drawing import SOLUTION_COLOUR, draw_exercise_tree, draw_legend
from visualizer.exams.sheet import PAGE_MARGIN, Exam, ExamTask

# sizes in pixels
TITLE_SIZE, HEADING_SIZE, TEXT_SIZE, SMALL_SIZE = 20, 16, 14, 12  # letters
LINE_SPACING = 1.32  # of the letters' size
ANSWER_LINE_HEIGHT = 34  # from one line to write on to the next
TASK_GAP = 26
COLUMN_GAP = 14
MIN_TREE_SCALE = 0.3  # of its size: no tree is drawn smaller


def exam_pdf(exam: Exam, solved: bool) -> bytes:
    """Return the sheets or the key as a PDF file."""
    return to_pdf(lay_out_exam(exam, solved), *exam.size, exam.title)


def exam_preview(exam: Exam, solved: bool) -> bytes:
    """Return the first page of the first sheet as SVG, or of its key.

    Browsers have other fonts than the file, so every text is given its width.
    """
    page = _lay_out_sheets(exam, solved, exam.sheets[:1])[0]
    widths = (text_width(item.text, item.size, item.bold) for item in page.items if isinstance(item, Label))
    before, *texts = to_svg(page).split("<text ")
    sized = [
        f'<text textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs" {text}'
        for width, text in zip(widths, texts, strict=True)
    ]
    return (before + "".join(sized)).encode()


def find_unsupported_letters(text: str) -> str:
    """Return the letters of a text that a page cannot show."""
    return find_unsupported_characters(text)


def lay_out_exam(exam: Exam, solved: bool) -> list[Scene]:
    """Return the pages of the sheets, or of the key: first a table of all keys, then the solved sheets."""
    return _lay_out_sheets(exam, solved, exam.sheets, has_key_table=solved)


def _lay_out_sheets(exam: Exam, solved: bool, sheets: list[list[ExamTask]], has_key_table: bool = False) -> list[Scene]:
    width, height = exam.size
    paper = _PageWriter(width / POINTS_PER_PIXEL, height / POINTS_PER_PIXEL)
    if has_key_table:
        _write_key_table(paper, exam)
    for variant, tasks in enumerate(sheets, start=1):
        heading = exam.heading(variant, solved)
        paper.new_page(heading)
        _write_head(paper, exam, heading, solved)
        for task in tasks:
            _write_task(paper, task, heading, solved)
    paper.number_pages()
    return [Scene(exam.title, int(paper.width), int(paper.height), tuple(items)) for items in paper.pages]


class _PageWriter:
    """Pages that are filled from the top."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width, height
        self.pages: list[list[Item]] = []
        self.headings: list[str] = []
        self.y = 0.0

    @property
    def content_width(self) -> float:
        return self.width - 2 * PAGE_MARGIN

    @property
    def height_left(self) -> float:
        """Return the height that is left on the page."""
        return self.height - PAGE_MARGIN - self.y

    def new_page(self, heading: str) -> None:
        self.pages.append([])
        self.headings.append(heading)
        self.y = PAGE_MARGIN

    def add_items(self, *items: Item) -> None:
        self.pages[-1] += items

    def write_text(self, text: str, size: int, bold: bool = False, colour: str = "text") -> None:
        for line in wrap_to_width(text, size, self.content_width, bold):
            self.y += size * LINE_SPACING
            self.add_items(Label(PAGE_MARGIN, self.y - size * (LINE_SPACING - 1), line, colour, size, "start", bold))

    def number_pages(self) -> None:
        """Write below each page its number and its heading, which names the variant."""
        y = self.height - PAGE_MARGIN / 2 - SMALL_SIZE
        for heading, pages in groupby(zip(self.pages, self.headings, strict=True), lambda page: page[1]):
            for place, (items, _) in enumerate(pages, start=1):
                items.append(Label(self.width - PAGE_MARGIN, y, f"{heading}, page {place}", "muted", SMALL_SIZE, "end"))


def _write_head(paper: _PageWriter, exam: Exam, heading: str, solved: bool) -> None:
    paper.write_text(heading, TITLE_SIZE, True)
    if solved:
        _write_legend(paper, exam)
        return
    paper.y += ANSWER_LINE_HEIGHT
    points = f"Points: ________ of {exam.total}"
    paper.add_items(
        Label(PAGE_MARGIN, paper.y, "Name:", "text", TEXT_SIZE),
        Label(PAGE_MARGIN + paper.content_width, paper.y, points, "text", TEXT_SIZE, "end"),
    )
    end = PAGE_MARGIN + paper.content_width - text_width(points, TEXT_SIZE) - 24
    paper.add_items(Line(((PAGE_MARGIN + 48, paper.y + 2), (end, paper.y + 2)), "edge"))
    _write_legend(paper, exam)


def _write_legend(paper: _PageWriter, exam: Exam) -> None:
    legend = draw_legend(exam.kinds)
    paper.y += 14
    paper.add_items(*(place_item(item, PAGE_MARGIN, paper.y, 1) for item in legend.items))
    paper.y += legend.height + 10


def _write_task(paper: _PageWriter, task: ExamTask, heading: str, solved: bool) -> None:
    picture = draw_exercise_tree(task.exercise, solved)
    notes = [text for text in (f"Key: {task.key}", task.remark) if text] if solved else []
    text_height = (
        TEXT_SIZE * LINE_SPACING * len(wrap_to_width(task.prompt, TEXT_SIZE, paper.content_width))
        + HEADING_SIZE * LINE_SPACING
        + 12
    )
    height_below = (
        sum(SMALL_SIZE * LINE_SPACING * len(wrap_to_width(note, SMALL_SIZE, paper.content_width, True)) for note in notes)
        if solved
        else ANSWER_LINE_HEIGHT * len(task.lines)
    )
    scale = min(1.0, paper.content_width / picture.width)
    if text_height + picture.height * scale + height_below > paper.height_left and paper.y > PAGE_MARGIN:
        paper.new_page(heading)
    scale = max(MIN_TREE_SCALE, min(scale, (paper.height_left - text_height - height_below) / picture.height))
    paper.write_text(task.title, HEADING_SIZE, True)
    paper.y += 2
    paper.write_text(task.prompt, TEXT_SIZE)
    paper.y += 10
    paper.add_items(
        *(
            place_item(item, PAGE_MARGIN + (paper.content_width - picture.width * scale) / 2, paper.y, scale)
            for item in picture.items
        )
    )
    paper.y += picture.height * scale
    for note in notes:
        paper.write_text(note, SMALL_SIZE, True, SOLUTION_COLOUR)
    for words_before in [] if solved else task.lines:
        paper.y += ANSWER_LINE_HEIGHT
        paper.add_items(Label(PAGE_MARGIN, paper.y, words_before, "text", TEXT_SIZE))
        start = PAGE_MARGIN + text_width(words_before, TEXT_SIZE) + 8
        paper.add_items(Line(((start, paper.y + 2), (PAGE_MARGIN + paper.content_width, paper.y + 2)), "edge"))
    paper.y += TASK_GAP


# ---- the table of keys


def _write_key_table(paper: _PageWriter, exam: Exam) -> None:
    """Write a table with a row for each variant and a column for each tree, then the command that makes the same exam again.

    The head of the table is on every page.
    """
    heading = f"{exam.title}: keys"
    first = 60.0
    column = (paper.content_width - first) / exam.trees

    def begin() -> None:
        paper.new_page(heading)
        paper.write_text(heading, TITLE_SIZE, True)
        paper.y += 26
        names = ["Variant", *(f"Tree {place}" for place in range(1, exam.trees + 1))]
        for place, name in enumerate(names):
            paper.add_items(
                Label(
                    PAGE_MARGIN + (first + (place - 1) * column if place else 0), paper.y, name, "text", SMALL_SIZE, "start", True
                )
            )
        paper.y += 6

    begin()
    for variant, tasks in enumerate(exam.sheets, start=1):
        cells = [wrap_to_width(task.key, SMALL_SIZE, column - COLUMN_GAP) for task in tasks]
        tall = max(map(len, cells)) * SMALL_SIZE * LINE_SPACING + 8
        if tall > paper.height_left and paper.y > PAGE_MARGIN + 80:
            begin()
        paper.add_items(Line(((PAGE_MARGIN, paper.y), (PAGE_MARGIN + paper.content_width, paper.y)), "edge"))
        paper.add_items(Label(PAGE_MARGIN, paper.y + SMALL_SIZE * LINE_SPACING, str(variant), "text", SMALL_SIZE))
        for place, lines in enumerate(cells):
            for down, line in enumerate(lines, start=1):
                paper.add_items(
                    Label(
                        PAGE_MARGIN + first + place * column, paper.y + down * SMALL_SIZE * LINE_SPACING, line, "text", SMALL_SIZE
                    )
                )
        paper.y += tall
    if SMALL_SIZE * LINE_SPACING * len(wrap_to_width(exam.command, SMALL_SIZE, paper.content_width)) > paper.height_left:
        begin()
    paper.y += 8
    paper.write_text(exam.command, SMALL_SIZE, colour="muted")
