"""Exam sheets as one HTML page for printing, without external files."""

from visualizer.drawing.paper import PAPERS
from visualizer.drawing.scene import to_svg
from visualizer.exams.exercise_drawing import draw_exercise_tree, draw_legend
from visualizer.exams.sheet import Exam, ExamTask
from visualizer.narration.escapes import escape_xml
from visualizer.report.blocks import Table
from visualizer.report.html import render_html_block, render_html_page

EXAM_CSS = (
    ".sheet{break-after:page}.sheet:last-child{break-after:auto}.task{break-inside:avoid;margin:1.6rem 0}\n"
    ".head{display:flex;gap:2rem;margin:1.6rem 0}.name{flex:1;border-bottom:1px solid}\n"
    ".task svg{display:block;margin:.6rem auto}.write{border-bottom:1px solid;margin:1.8rem 0 0}.keyed{font-weight:bold}\n"
    ".legend svg{display:block;max-width:100%;height:auto}\n"
)


def find_unsupported_letters(text: str) -> str:
    """Return no letters: a browser finds a font for every letter."""
    return ""


def exam_html(exam: Exam, solved: bool) -> str:
    """Return the sheets, or the key: first a table of all keys, then the solved sheets."""
    orientation = " landscape" if exam.is_landscape else ""
    css = f"@page{{size:{PAPERS[exam.paper].css}{orientation}}}\n{EXAM_CSS}"
    sheets = [
        f'<section class="sheet">\n<h1>{escape_xml(exam.heading(variant, solved))}</h1>\n'
        + ("" if solved else _sheet_head(exam))
        + f'<div class="legend">{to_svg(draw_legend(exam.kinds))}</div>\n'
        + "".join(_task_html(task, solved) for task in tasks)
        + "</section>\n"
        for variant, tasks in enumerate(exam.sheets, start=1)
    ]
    return render_html_page(exam.title, (_key_table(exam) if solved else "") + "".join(sheets), css)


def _sheet_head(exam: Exam) -> str:
    return f'<div class="head"><span class="name">Name: </span><span>Points: ________ of {exam.total}</span></div>\n'


def _task_html(task: ExamTask, solved: bool) -> str:
    lines = [] if solved else [f'<p class="write">{escape_xml(line)}</p>\n' for line in task.lines]
    keys = [f'<p class="keyed">{escape_xml(text)}</p>\n' for text in (f"Key: {task.key}", task.remark) if text] if solved else []
    picture = to_svg(draw_exercise_tree(task.exercise, solved))
    title, prompt = escape_xml(task.title), escape_xml(task.prompt)
    return f'<div class="task">\n<h2>{title}</h2>\n<p>{prompt}</p>\n{picture}{"".join([*lines, *keys])}</div>\n'


def _key_table(exam: Exam) -> str:
    head = ["Variant", *(f"Tree {number}" for number in range(1, exam.trees + 1))]
    rows = [[str(variant), *(task.key for task in tasks)] for variant, tasks in enumerate(exam.sheets, start=1)]
    table = render_html_block(Table("", head, rows, tuple(range(1, exam.trees + 1))))
    title, command = escape_xml(exam.title), escape_xml(exam.command)
    return f'<section class="sheet">\n<h1>{title}: keys</h1>\n{table}<p>{command}</p>\n</section>\n'
