"""Exam sheets as PDF: every task whole on a page, every variant on pages of its own."""

from itertools import groupby

from visualizer.drawing.pdf_pages import lacking, text_width, to_pdf, wrapped
from visualizer.drawing.scene import POINT, Item, Label, Line, Sketch, placed
from visualizer.exams.exercise_drawing import SOLVED, tree_sketch
from visualizer.exams.sheet import MARGIN, Exam, ExamTask

# sizes in pixels
TITLE, HEADING, TEXT, SMALL = 20, 16, 14, 12  # letters
LINE = 1.32  # of the letters' size
WRITING = 34  # from one line to write on to the next
AFTER_TASK = 26
COLUMN_GAP = 14
SMALLEST = 0.3  # of its size: no tree is drawn smaller


def exam_pdf(exam: Exam, solved: bool) -> bytes:
    """The file."""
    return to_pdf(exam_pages(exam, solved), *exam.size, exam.title)


def letters_lacking(text: str) -> str:
    """What a page cannot show of a text."""
    return lacking(text)


def exam_pages(exam: Exam, solved: bool) -> list[Sketch]:
    """The sheets, or the key: first a table of all keys, then the sheets solved."""
    width, height = exam.size
    paper = _Pages(width / POINT, height / POINT)
    if solved:
        _table(paper, exam)
    for variant, tasks in enumerate(exam.sheets, start=1):
        heading = exam.heading(variant, solved)
        paper.new_page(heading)
        _head(paper, exam, heading, solved)
        for task in tasks:
            _task(paper, task, heading, solved)
    paper.number()
    return [Sketch(exam.title, int(paper.width), int(paper.height), tuple(items)) for items in paper.pages]


class _Pages:
    """Pages that are filled from the top."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width, height
        self.pages: list[list[Item]] = []
        self.headings: list[str] = []
        self.y = 0.0

    @property
    def wide(self) -> float:
        return self.width - 2 * MARGIN

    @property
    def left(self) -> float:
        """How much room is left on the page."""
        return self.height - MARGIN - self.y

    def new_page(self, heading: str) -> None:
        self.pages.append([])
        self.headings.append(heading)
        self.y = MARGIN

    def add(self, *items: Item) -> None:
        self.pages[-1] += items

    def write(self, text: str, size: int, bold: bool = False, colour: str = "text") -> None:
        for line in wrapped(text, size, self.wide, bold):
            self.y += size * LINE
            self.add(Label(MARGIN, self.y - size * (LINE - 1), line, colour, size, "start", bold))

    def number(self) -> None:
        """Below each page: its number, and which variant it belongs to."""
        y = self.height - MARGIN / 2 - SMALL
        for heading, pages in groupby(zip(self.pages, self.headings, strict=True), lambda page: page[1]):
            for place, (items, _) in enumerate(pages, start=1):
                items.append(Label(self.width - MARGIN, y, f"{heading}, page {place}", "muted", SMALL, "end"))


def _head(paper: _Pages, exam: Exam, heading: str, solved: bool) -> None:
    paper.write(heading, TITLE, True)
    if solved:
        paper.y += 10
        return
    paper.y += WRITING
    points = f"Points: ________ of {exam.total}"
    paper.add(Label(MARGIN, paper.y, "Name:", "text", TEXT), Label(MARGIN + paper.wide, paper.y, points, "text", TEXT, "end"))
    end = MARGIN + paper.wide - text_width(points, TEXT) - 24
    paper.add(Line(((MARGIN + 48, paper.y + 2), (end, paper.y + 2)), "edge"))
    paper.y += 16


def _task(paper: _Pages, task: ExamTask, heading: str, solved: bool) -> None:
    sketch = tree_sketch(task.exercise, solved)
    notes = [text for text in (f"Key: {task.key}", task.remark) if text] if solved else []
    words = TEXT * LINE * len(wrapped(task.prompt, TEXT, paper.wide)) + HEADING * LINE + 12
    below = (
        sum(SMALL * LINE * len(wrapped(note, SMALL, paper.wide, True)) for note in notes) if solved else WRITING * len(task.lines)
    )
    scale = min(1.0, paper.wide / sketch.width)
    if words + sketch.height * scale + below > paper.left and paper.y > MARGIN:
        paper.new_page(heading)
    scale = max(SMALLEST, min(scale, (paper.left - words - below) / sketch.height))
    paper.write(task.title, HEADING, True)
    paper.y += 2
    paper.write(task.prompt, TEXT)
    paper.y += 10
    paper.add(*(placed(item, MARGIN + (paper.wide - sketch.width * scale) / 2, paper.y, scale) for item in sketch.items))
    paper.y += sketch.height * scale
    for note in notes:
        paper.write(note, SMALL, True, SOLVED)
    for words_before in [] if solved else task.lines:
        paper.y += WRITING
        paper.add(Label(MARGIN, paper.y, words_before, "text", TEXT))
        start = MARGIN + text_width(words_before, TEXT) + 8
        paper.add(Line(((start, paper.y + 2), (MARGIN + paper.wide, paper.y + 2)), "edge"))
    paper.y += AFTER_TASK


# ---- the table of keys


def _table(paper: _Pages, exam: Exam) -> None:
    """A row for each variant, a column for each tree, and the command that makes them again; the head stands on every page."""
    heading = f"{exam.title}: keys"
    first = 60.0
    column = (paper.wide - first) / exam.trees

    def begin() -> None:
        paper.new_page(heading)
        paper.write(heading, TITLE, True)
        paper.y += 26
        names = ["Variant", *(f"Tree {place}" for place in range(1, exam.trees + 1))]
        for place, name in enumerate(names):
            paper.add(Label(MARGIN + (first + (place - 1) * column if place else 0), paper.y, name, "text", SMALL, "start", True))
        paper.y += 6

    begin()
    for variant, tasks in enumerate(exam.sheets, start=1):
        cells = [wrapped(task.key, SMALL, column - COLUMN_GAP) for task in tasks]
        tall = max(map(len, cells)) * SMALL * LINE + 8
        if tall > paper.left and paper.y > MARGIN + 80:
            begin()
        paper.add(Line(((MARGIN, paper.y), (MARGIN + paper.wide, paper.y)), "edge"))
        paper.add(Label(MARGIN, paper.y + SMALL * LINE, str(variant), "text", SMALL))
        for place, lines in enumerate(cells):
            for down, line in enumerate(lines, start=1):
                paper.add(Label(MARGIN + first + place * column, paper.y + down * SMALL * LINE, line, "text", SMALL))
        paper.y += tall
    if SMALL * LINE * len(wrapped(exam.command, SMALL, paper.wide)) > paper.left:
        begin()
    paper.y += 8
    paper.write(exam.command, SMALL, colour="muted")
