"""The results of `plyscope check` as one HTML page, without scripts or external files.

For one program it has every finding with its board, its step and the tree around it. For many programs it has a table of their
mistakes.
"""

from collections import Counter

from engine.checker.check import CheckedProgram
from engine.checker.recorded_tree import build_tree, has_extra_root
from engine.checker.recording.wire_format import CallColumns, decompress_columns
from engine.checker.run_file import run_title
from engine.checker.sandbox.worker_protocol import Answer, FunctionSource
from engine.checker.verdict import NOT_RUN, Difference, Finding, Verdict
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree
from visualizer.api import to_svg
from visualizer.drawing.view import View, select_items
from visualizer.narration.check_messages import (
    HEADLINES,
    describe_certainty,
    describe_first_call,
    describe_first_difference,
    describe_run,
    explain_mistake,
    find_board,
    find_tree_row,
    reference_rows,
)
from visualizer.narration.escapes import escape_xml, sanitize_line
from visualizer.narration.numbers import format_number
from visualizer.narration.sentences import sentence
from visualizer.report.blocks import Heading, Paragraph, Table, Verbatim
from visualizer.report.html import render_html_block, render_html_page

MAX_CHILDREN = 12
MAX_PICTURE_NODES = 60  # nodes of a picture
MAX_PRINTED_CHARS = 5_000  # characters
MAX_MISTAKE_COLUMNS = 6  # mistakes that have a column each in a table of many programs


def render_program_page(checked: CheckedProgram) -> str:
    """Return the report on one program."""
    verdict, answer = checked
    body = [
        render_html_block(Heading(verdict.file, 1)),
        render_html_block(Paragraph(f"{HEADLINES[verdict.verdict].capitalize()}.", strong=True)),
    ]
    if verdict.reason:
        body.append(render_html_block(Paragraph(verdict.reason)))
    if answer.rows is not None:
        columns = decompress_columns(answer.rows)
        tree = build_tree(run_title(verdict.file, answer), answer)
        body += [
            _render_list(describe_run(verdict, answer)),
            *(_render_finding(finding, answer, columns, tree) for finding in verdict.findings),
        ]
        body += [
            _render_reference(verdict),
            render_html_block(Heading("The search")),
            _render_counts(tree),
            _render_picture(tree, View(max_depth=2), "Its top."),
        ]
        body += [_render_source(source) for source in answer.sources]
    body += [
        _render_section("What was looked at", verdict.looked_at),
        _render_section("What could not be looked at", verdict.not_looked_at),
    ]
    if answer.tried:
        body.append(_render_section("Starts that were tried before", answer.tried))
    if answer.prints.strip():
        body += [render_html_block(Heading("What it printed")), render_html_block(Verbatim(answer.prints[:MAX_PRINTED_CHARS]))]
    return render_html_page(f"{verdict.file}: {HEADLINES[verdict.verdict]}", "".join(body))


def _render_finding(finding: Finding, answer: Answer, columns: CallColumns, tree: SearchTree) -> str:
    parts = [
        render_html_block(Heading(f"{finding.name} ({describe_certainty(finding)})")),
        render_html_block(Paragraph(explain_mistake(finding))),
        render_html_block(Paragraph(describe_first_call(finding, answer, columns))),
    ]
    if board := find_board(finding.row, columns):
        parts.append(render_html_block(Verbatim(board)))
    row = find_tree_row(finding, has_extra_root(answer))
    if 0 <= row < len(tree):
        parts += [_render_step(tree, row), _render_picture(tree, _view_around(tree, row), "The call, with those it made.")]
    return "".join(parts)


def _render_step(tree: SearchTree, row: int) -> str:
    """Return the calls that a call made, in order, and the sentence for its end."""
    node = tree[row]
    rows = [
        [
            str(int(child)),
            child.move_name,
            f"{format_number(child.alpha)} to {format_number(child.beta)}",
            f"{child.bound_sign}{format_number(child.value)}",
        ]
        for child in node.children[:MAX_CHILDREN]
    ]
    table = Table("", ["row", "move", "window", "value"], rows, (1,))
    told = [render_html_block(table if tree.windows else table.drop_columns("window"))] if rows else []
    if node.status != "open":
        trace = Trace(tree)
        step = trace[trace.leave(row)]
        told.append(render_html_block(Paragraph(f"Step {step.number:,}: {sentence(step)}")))
    return "".join(told)


def _view_around(tree: SearchTree, row: int) -> View:
    below = len(tree.child_rows(row))
    return View(root=row, max_depth=1) if below else View(root=int(tree[row].parent) if row else 0, max_depth=1)


def _render_picture(tree: SearchTree, view: View, caption: str) -> str:
    while len(select_items(tree, view)) > MAX_PICTURE_NODES and (view.max_depth or 0) > 1:
        view = View(root=view.root, max_depth=(view.max_depth or 1) - 1)
    if len(select_items(tree, view)) > 4 * MAX_PICTURE_NODES:
        return ""
    return f"<figure>\n{to_svg(tree, view)}<figcaption>{escape_xml(caption)}</figcaption>\n</figure>\n"


def _render_counts(tree: SearchTree) -> str:
    names = ("depth", "expanded", "leaves", "cutoffs")
    rows = [[f"{row[name]:,}" for name in names] for row in tree.per_depth]
    return render_html_block(Table("Calls by depth; a cutoff is a call whose value reached its bound.", list(names), rows))


def _render_source(source: FunctionSource) -> str:
    lines = [f"{source.first_line + at:4d}  {line}" for at, line in enumerate(source.lines)]
    return render_html_block(Heading(source.name, 3)) + render_html_block(Verbatim("\n".join(map(sanitize_line, lines))))


def _render_reference(verdict: Verdict) -> str:
    ours = verdict.reference
    if ours is None:
        return ""
    rows = [[name, words] for name, words in reference_rows(ours)]
    told = render_html_block(Heading("Beside our own search")) + render_html_block(Table("", ["", ""], rows, (0, 1)))
    return told if ours.difference is None else told + _render_difference(ours.difference)


def _render_difference(found: Difference) -> str:
    sides = [("theirs", found.theirs), ("ours", found.ours)]
    cells = "".join(
        f'<div><p class="caption">{name}: {escape_xml(side.words)}</p>\n{render_html_block(Verbatim(side.board))}</div>\n'
        for name, side in sides
    )
    return render_html_block(Paragraph(describe_first_difference(found))) + f'<div class="pair">\n{cells}</div>\n'


def _render_section(heading: str, lines: list[str]) -> str:
    return render_html_block(Heading(heading)) + _render_list(lines) if lines else ""


def _render_list(lines: list[str]) -> str:
    return "<ul>\n" + "".join(f"<li>{escape_xml(line)}</li>\n" for line in lines) + "</ul>\n"


# ---- many programs


def render_class_page(all_checked: list[CheckedProgram]) -> str:
    """Return a teacher's table of the mistakes of each program, and below it every finding in a sentence."""
    verdicts = [checked.verdict for checked in all_checked]
    times = Counter(finding.name for verdict in verdicts for finding in verdict.findings)
    names = [name for name, _ in times.most_common()]
    columns = names if len(names) <= MAX_MISTAKE_COLUMNS else ["mistakes"]
    rows = [
        [
            verdict.file,
            verdict.verdict,
            f"{verdict.rows:,}" if verdict.rows else "–",
            *([_mistake_mark(verdict, name) for name in names] if columns is names else [_list_mistakes(verdict)]),
        ]
        for verdict in verdicts
    ]
    words = Counter(verdict.verdict for verdict in verdicts)
    summary = ", ".join(f"{count} {word}" for word, count in words.most_common())
    body = [
        render_html_block(Heading(f"{len(verdicts)} programs", 1)),
        render_html_block(Paragraph(f"{summary}.", strong=True)),
        render_html_block(
            Table("● certain, ○ likely", ["program", "verdict", "calls", *columns], rows, (0, 1, *range(3, 3 + len(columns))))
        ),
        _render_section(
            "Mistakes", [f"{name} ({times[name]}): {explain_mistake(Finding(name, True, -1, 1, ''))}" for name in names]
        ),
    ]
    for verdict in verdicts:
        lines = [f"{finding.name} ({describe_certainty(finding)}): {finding.sentence}" for finding in verdict.findings]
        lines += [verdict.reason] if verdict.reason and verdict.verdict == NOT_RUN else []
        if lines:
            body += [render_html_block(Heading(verdict.file, 3)), _render_list(lines)]
    return render_html_page(f"{len(verdicts)} programs", "".join(body))


def _list_mistakes(verdict: Verdict) -> str:
    return ", ".join(
        f"{_mistake_mark(verdict, name)} {name}" for name in dict.fromkeys(finding.name for finding in verdict.findings)
    )


def _mistake_mark(verdict: Verdict, name: str) -> str:
    found = [finding for finding in verdict.findings if finding.name == name]
    return "" if not found else "●" if any(finding.certain for finding in found) else "○"
