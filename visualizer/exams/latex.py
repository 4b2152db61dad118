"""Exam sheets for pdflatex: text that a teacher can edit, and trees in TikZ."""

import unicodedata

from visualizer.drawing.document_heads import LATEX_FOOT, latex_head
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.scene import to_tikz
from visualizer.exams.exercise_drawing import draw_exercise_tree, draw_legend
from visualizer.exams.sheet import Exam, ExamTask
from visualizer.narration.escapes import escape_latex, escape_ligatures, sanitize_line

SETUP = r"""\parindent=0pt
\parskip=6pt
\newsavebox\plybox
\newcommand{\plyfit}{\ifdim\wd\plybox>\textwidth \resizebox{\textwidth}{!}{\usebox\plybox}\else\usebox\plybox\fi}
"""
NAME_LINE = r"Name: \hrulefill\quad Points: \underline{\hspace{4em}} of %d" + "\n\n"
MAX_LETTER_CODE = 0x17F  # letters up to here are in the T1 fonts and can be written as they are
ANSWER_LINE = r"\vspace{1.6em}%s \hrulefill" + "\n\n"


def exam_latex(exam: Exam, solved: bool) -> str:
    """Return the sheets, or the key: first a table of all keys, then the solved sheets."""
    options = PAPERS[exam.paper].latex + (",landscape" if exam.is_landscape else "")
    pages = [_key_table(exam)] if solved else []
    legend = f"\\begin{{lrbox}}{{\\plybox}}\n{to_tikz(draw_legend(exam.kinds))}\\end{{lrbox}}\n\\noindent\\plyfit\n\n\\bigskip\n"
    for variant, tasks in enumerate(exam.sheets, start=1):
        head = f"\\section*{{{_escape_text(exam.heading(variant, solved))}}}\n\n" + ("" if solved else NAME_LINE % exam.total)
        pages.append(head + legend + "\n\\bigskip\n".join(_task_latex(task, solved) for task in tasks))
    document_head = latex_head(options, "margin=2cm", ["longtable", "tikz"], SETUP)
    return document_head + "\\clearpage\n".join(pages) + LATEX_FOOT


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
    """Return a task as a block without page breaks."""
    picture = to_tikz(draw_exercise_tree(task.exercise, solved))
    lines = [] if solved else [ANSWER_LINE % _escape_text(line) for line in task.lines]
    keys = [f"\\textbf{{{_escape_text(text)}}}\n\n" for text in (f"Key: {task.key}", task.remark) if text] if solved else []
    return (
        f"\\begin{{minipage}}{{\\textwidth}}\\parskip=6pt\n\\subsection*{{{_escape_text(task.title)}}}\n{_escape_text(task.prompt)}\n\n"
        f"\\begin{{lrbox}}{{\\plybox}}\n{picture}\\end{{lrbox}}\n\\medskip\\centerline{{\\plyfit}}\\medskip\n\n"
        + "".join([*lines, *keys])
        + "\\end{minipage}\n"
    )


def _key_table(exam: Exam) -> str:
    wide = f"\\dimexpr(\\textwidth-40pt-{2 * exam.trees + 2}\\tabcolsep)/{exam.trees}\\relax"  # 40pt: the number of the variant
    columns = "l" + f"p{{{wide}}}" * exam.trees
    head = " & ".join(["Variant", *(f"Tree {number}" for number in range(1, exam.trees + 1))])
    rows = [
        " & ".join([str(variant), *(f"\\raggedright {_escape_text(task.key)}" for task in tasks)]) + r" \tabularnewline\hline"
        for variant, tasks in enumerate(exam.sheets, start=1)
    ]
    table = "\n".join([f"\\begin{{longtable}}[l]{{{columns}}}", head + r" \\ \hline", r"\endhead", *rows, r"\end{longtable}"])
    command = f"\\raggedright {escape_ligatures(_escape_text(exam.command))}\\par"
    return f"\\section*{{{_escape_text(exam.title)}: keys}}\n{{\\footnotesize\n{table}\n{command}}}\n"
