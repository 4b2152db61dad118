"""The heads of HTML pages and LaTeX documents. Each document passes in its own styles."""

from collections.abc import Sequence

from visualizer.narration.escapes import escape_xml

STATIC_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # no script, nothing is loaded
HTML_FOOT = "</body>\n</html>\n"
LATEX_FOOT = "\\end{document}\n"


def html_head(title: str, css: str, policy: str = STATIC_PAGE_POLICY) -> str:
    """Return the beginning of a page, up to its body. `policy` is its content security policy."""
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape_xml(title)}</title>
<style>
{css}</style>
</head>
<body>
"""


def latex_head(paper: str, layout: str, packages: Sequence[str], setup: str) -> str:
    """Return the preamble of an article and the beginning of its body.

    `paper` are options of the class, `layout` options of geometry. `setup` comes after the packages.
    """
    used = "".join(f"\\usepackage{{{package}}}\n" for package in packages)
    return (
        f"\\documentclass[{paper}]{{article}}\n"
        "\\usepackage[T1]{fontenc}\n"
        "\\usepackage{textcomp}\n"
        f"\\usepackage[{layout}]{{geometry}}\n"
        "\\usepackage{graphicx}\n"
        f"{used}{setup}"
        "\\begin{document}\n"
    )
