"""Exam sheets for pdflatex: text that a teacher can change, and trees in TikZ."""

import unicodedata

from visualizer.drawing.paper import PAPERS
from visualizer.drawing.scene import to_tikz
from visualizer.exams.exercise_drawing import draw_exercise_tree
from visualizer.exams.sheet import Exam, ExamTask
from visualizer.narration.escapes import escape_latex, escape_ligatures, sanitize_line

PREAMBLE = r"""\documentclass[%s]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage[margin=2cm]{geometry}
\usepackage{graphicx}
\usepackage{longtable}
\usepackage{tikz}
\parindent=0pt
\parskip=6pt
\newsavebox\plybox
\newcommand{\plyfit}{\ifdim\wd\plybox>\textwidth \resizebox{\textwidth}{!}{\usebox\plybox}\else\usebox\plybox\fi}
\begin{document}
"""
NAME_LINE = r"Name: \hrulefill\quad Points: \underline{\hspace{4em}} of %d" + "\n\n"
MAX_LETTER_CODE = 0x17F  # of those that the fonts of T1 have, and that pdflatex reads as they are
ANSWER_LINE = r"\vspace{1.6em}%s \hrulefill" + "\n\n"


def exam_latex(exam: Exam, solved: bool) -> str:
    """Return the sheets, or the key: first a table of all keys, then the solved sheets."""
    options = PAPERS[exam.paper].latex + (",landscape" if exam.turned else "")
    pages = [_key_table(exam)] if solved else []
    for variant, tasks in enumerate(exam.sheets, start=1):
        head = f"\\section*{{{_escape_text(exam.heading(variant, solved))}}}\n\n" + ("" if solved else NAME_LINE % exam.total)
        pages.append(head + "\n".join(_task_latex(task, solved) for task in tasks))
    return PREAMBLE % options + "\\clearpage\n".join(pages) + "\\end{document}\n"


def find_unsupported_letters(text: str) -> str:
    """Return the letters that pdflatex does not know without further packages."""
    text = unicodedata.normalize("NFC", sanitize_line(text))
    return "".join(dict.fromkeys(letter for letter in text if letter != "?" and _escape_text(letter) == "?"))


def _escape_text(text: str) -> str:
    """Escape a text, except for letters with accents."""
    return "".join(
        character if character.isalpha() and ord(character) <= MAX_LETTER_CODE else escape_latex(character)
        for character in unicodedata.normalize("NFC", sanitize_line(text))
    )


def _task_latex(task: ExamTask, solved: bool) -> str:
    """Return a task as a block that no page break divides."""
    picture = to_tikz(draw_exercise_tree(task.exercise, solved))
    lines = [] if solved else [ANSWER_LINE % _escape_text(line) for line in task.lines]
    keys = [f"\\textbf{{{_escape_text(text)}}}\n\n" for text in (f"Key: {task.key}", task.remark) if text] if solved else []
    return (
        f"\\begin{{minipage}}{{\\textwidth}}\\parskip=6pt\n\\subsection*{{{_escape_text(task.title)}}}\n{_escape_text(task.prompt)}\n\n"
        f"\\begin{{lrbox}}{{\\plybox}}\n{picture}\\end{{lrbox}}\n\\centerline{{\\plyfit}}\n\n"
        + "".join([*lines, *keys])
        + "\\end{minipage}\n"
    )


def _key_table(exam: Exam) -> str:
    wide = f"\\dimexpr(\\textwidth-40pt-{2 * exam.trees + 2}\\tabcolsep)/{exam.trees}\\relax"  # 40pt: the number of the variant
    columns = "l" + f"p{{{wide}}}" * exam.trees
    head = " & ".join(["Variant", *(f"Tree {place}" for place in range(1, exam.trees + 1))])
    rows = [
        " & ".join([str(variant), *(f"\\raggedright {_escape_text(task.key)}" for task in tasks)]) + r" \tabularnewline\hline"
        for variant, tasks in enumerate(exam.sheets, start=1)
    ]
    table = "\n".join([f"\\begin{{longtable}}[l]{{{columns}}}", head + r" \\ \hline", r"\endhead", *rows, r"\end{longtable}"])
    command = f"\\raggedright {escape_ligatures(_escape_text(exam.command))}\\par"
    return f"\\section*{{{_escape_text(exam.title)}: keys}}\n{{\\footnotesize\n{table}\n{command}}}\n"
