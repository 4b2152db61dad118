"""Exam sheets as one page that loads nothing, made to be printed."""

from visualizer.drawing.paper import PAPERS
from visualizer.drawing.scene import to_svg
from visualizer.exams.exercise_drawing import tree_sketch
from visualizer.exams.sheet import Exam, ExamTask
from visualizer.narration.escapes import xml
from visualizer.report.blocks import Table
from visualizer.report.html import block_html, page_html

CSS = (
    ".sheet{break-after:page}.sheet:last-child{break-after:auto}.task{break-inside:avoid;margin:1.6rem 0}"
    ".head{display:flex;gap:2rem;margin:1.6rem 0}.name{flex:1;border-bottom:1px solid}.task svg{display:block;margin:.6rem auto}"
    ".write{border-bottom:1px solid;margin:1.8rem 0 0}.keyed{font-weight:bold}"
)


def letters_lacking(text: str) -> str:
    """A browser finds fonts for everything."""
    return ""


def exam_html(exam: Exam, solved: bool) -> str:
    """The sheets, or the key: first a table of all keys, then the sheets solved."""
    turned = " landscape" if exam.turned else ""
    style = f"<style>@page{{size:{PAPERS[exam.paper].css}{turned}}}{CSS}</style>\n"
    sheets = [
        f'<section class="sheet">\n<h1>{xml(exam.heading(variant, solved))}</h1>\n'
        + ("" if solved else _head(exam))
        + "".join(_task(task, solved) for task in tasks)
        + "</section>\n"
        for variant, tasks in enumerate(exam.sheets, start=1)
    ]
    return page_html(exam.title, style + (_keys(exam) if solved else "") + "".join(sheets))


def _head(exam: Exam) -> str:
    return f'<div class="head"><span class="name">Name: </span><span>Points: ________ of {exam.total}</span></div>\n'


def _task(task: ExamTask, solved: bool) -> str:
    lines = [] if solved else [f'<p class="write">{xml(line)}</p>\n' for line in task.lines]
    keys = [f'<p class="keyed">{xml(text)}</p>\n' for text in (f"Key: {task.key}", task.remark) if text] if solved else []
    picture = to_svg(tree_sketch(task.exercise, solved))
    return (
        f'<div class="task">\n<h2>{xml(task.title)}</h2>\n<p>{xml(task.prompt)}</p>\n{picture}{"".join([*lines, *keys])}</div>\n'
    )


def _keys(exam: Exam) -> str:
    head = ["Variant", *(f"Tree {place}" for place in range(1, exam.trees + 1))]
    rows = [[str(variant), *(task.key for task in tasks)] for variant, tasks in enumerate(exam.sheets, start=1)]
    table = block_html(Table("", head, rows, tuple(range(1, exam.trees + 1))))
    return f'<section class="sheet">\n<h1>{xml(exam.title)}: keys</h1>\n{table}<p>{xml(exam.command)}</p>\n</section>\n'
