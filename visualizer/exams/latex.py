"""Exam sheets for pdflatex: text that a teacher can change, trees in TikZ."""

import unicodedata

from visualizer.drawing.paper import PAPERS
from visualizer.drawing.scene import to_tikz
from visualizer.exams.exercise_drawing import tree_sketch
from visualizer.exams.sheet import Exam, ExamTask
from visualizer.narration.escapes import latex, plain, typed

HEAD = r"""\documentclass[%s]{article}
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
LAST_LETTER = 0x17F  # of those that the fonts of T1 have, and that pdflatex reads as they are
TO_WRITE = r"\vspace{1.6em}%s \hrulefill" + "\n\n"


def exam_latex(exam: Exam, solved: bool) -> str:
    """The sheets, or the key: first a table of all keys, then the sheets solved."""
    options = PAPERS[exam.paper].latex + (",landscape" if exam.turned else "")
    pages = [_keys(exam)] if solved else []
    for variant, tasks in enumerate(exam.sheets, start=1):
        head = f"\\section*{{{_words(exam.heading(variant, solved))}}}\n\n" + ("" if solved else NAME_LINE % exam.total)
        pages.append(head + "\n".join(_task(task, solved) for task in tasks))
    return HEAD % options + "\\clearpage\n".join(pages) + "\\end{document}\n"


def letters_lacking(text: str) -> str:
    """What pdflatex does not know without further packages."""
    text = unicodedata.normalize("NFC", plain(text))
    return "".join(dict.fromkeys(letter for letter in text if letter != "?" and _words(letter) == "?"))


def _words(text: str) -> str:
    """A text escaped, but for letters with accents."""
    return "".join(
        character if character.isalpha() and ord(character) <= LAST_LETTER else latex(character)
        for character in unicodedata.normalize("NFC", plain(text))
    )


def _task(task: ExamTask, solved: bool) -> str:
    """A task stays whole."""
    picture = to_tikz(tree_sketch(task.exercise, solved))
    lines = [] if solved else [TO_WRITE % _words(line) for line in task.lines]
    keys = [f"\\textbf{{{_words(text)}}}\n\n" for text in (f"Key: {task.key}", task.remark) if text] if solved else []
    return (
        f"\\begin{{minipage}}{{\\textwidth}}\\parskip=6pt\n\\subsection*{{{_words(task.title)}}}\n{_words(task.prompt)}\n\n"
        f"\\begin{{lrbox}}{{\\plybox}}\n{picture}\\end{{lrbox}}\n\\centerline{{\\plyfit}}\n\n"
        + "".join([*lines, *keys])
        + "\\end{minipage}\n"
    )


def _keys(exam: Exam) -> str:
    wide = f"\\dimexpr(\\textwidth-40pt-{2 * exam.trees + 2}\\tabcolsep)/{exam.trees}\\relax"  # 40pt: the number of the variant
    columns = "l" + f"p{{{wide}}}" * exam.trees
    head = " & ".join(["Variant", *(f"Tree {place}" for place in range(1, exam.trees + 1))])
    rows = [
        " & ".join([str(variant), *(f"\\raggedright {_words(task.key)}" for task in tasks)]) + r" \tabularnewline\hline"
        for variant, tasks in enumerate(exam.sheets, start=1)
    ]
    table = "\n".join([f"\\begin{{longtable}}[l]{{{columns}}}", head + r" \\ \hline", r"\endhead", *rows, r"\end{longtable}"])
    command = f"\\raggedright {typed(_words(exam.command))}\\par"
    return f"\\section*{{{_words(exam.title)}: keys}}\n{{\\footnotesize\n{table}\n{command}}}\n"
