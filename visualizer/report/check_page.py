"""What `plyscope check` found, as one page: of one program with every finding, its board, its step and the tree around it; of
many programs a table of who has which mistake. Runs no script, loads nothing."""

from collections import Counter

from engine.checker.check import CheckedProgram
from engine.checker.recorded_tree import has_row_above, tree_of
from engine.checker.recording.wire_format import SeenColumns, unpacked
from engine.checker.run_file import title
from engine.checker.sandbox.worker_protocol import Answer, Source
from engine.checker.verdict import NOT_RUN, Difference, Finding, Verdict
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree
from visualizer.api import to_svg
from visualizer.drawing.view import View, shown
from visualizer.narration.check_messages import (
    HEADLINES,
    beside_ours,
    board_at,
    explained,
    first_shown,
    how_sure,
    parting,
    row_in_tree,
    what_was_run,
)
from visualizer.narration.escapes import plain, xml
from visualizer.narration.numbers import number
from visualizer.narration.sentences import sentence
from visualizer.report.blocks import Heading, Paragraph, Table, Verbatim
from visualizer.report.html import block_html, page_html

MOST_CHILDREN = 12
MOST_DRAWN = 60  # nodes of a picture
MOST_PRINTED = 5_000  # characters
MOST_COLUMNS = 6  # mistakes that have a column each in a table of many programs


def program_page(checked: CheckedProgram) -> str:
    """The report on one program."""
    verdict, answer = checked
    body = [
        block_html(Heading(verdict.file, 1)),
        block_html(Paragraph(f"{HEADLINES[verdict.verdict].capitalize()}.", strong=True)),
    ]
    if verdict.reason:
        body.append(block_html(Paragraph(verdict.reason)))
    if answer.rows is not None:
        columns = unpacked(answer.rows)
        tree = tree_of(title(verdict.file, answer), answer)
        body += [
            _list(what_was_run(verdict, answer)),
            *(_finding(finding, answer, columns, tree) for finding in verdict.findings),
        ]
        body += [
            _reference(verdict),
            block_html(Heading("The search")),
            _counts(tree),
            _picture(tree, View(max_depth=2), "Its top."),
        ]
        body += [_source(source) for source in answer.sources]
    body += [_listed("What was looked at", verdict.looked_at), _listed("What could not be looked at", verdict.not_looked_at)]
    if answer.tried:
        body.append(_listed("Starts that were tried before", answer.tried))
    if answer.prints.strip():
        body += [block_html(Heading("What it printed")), block_html(Verbatim(answer.prints[:MOST_PRINTED]))]
    return page_html(f"{verdict.file}: {HEADLINES[verdict.verdict]}", "".join(body))


def _finding(finding: Finding, answer: Answer, columns: SeenColumns, tree: SearchTree) -> str:
    parts = [
        block_html(Heading(f"{finding.name} ({how_sure(finding)})")),
        block_html(Paragraph(explained(finding))),
        block_html(Paragraph(first_shown(finding, answer, columns))),
    ]
    if board := board_at(finding.row, columns):
        parts.append(block_html(Verbatim(board)))
    row = row_in_tree(finding, has_row_above(answer))
    if 0 <= row < len(tree):
        parts += [_step(tree, row), _picture(tree, _around(tree, row), "The call, with those it made.")]
    return "".join(parts)


def _step(tree: SearchTree, row: int) -> str:
    """The calls that a call made, one after the other, and how it was left."""
    node = tree[row]
    rows = [
        [
            str(int(child)),
            child.move_name,
            f"{number(child.alpha)} to {number(child.beta)}",
            f"{child.bound_sign}{number(child.value)}",
        ]
        for child in node.children[:MOST_CHILDREN]
    ]
    table = Table("", ["row", "move", "window", "value"], rows, (1,))
    told = [block_html(table if tree.windows else table.without("window"))] if rows else []
    if node.status != "open":
        trace = Trace(tree)
        step = trace[trace.leave(row)]
        told.append(block_html(Paragraph(f"Step {step.number:,}: {sentence(step)}")))
    return "".join(told)


def _around(tree: SearchTree, row: int) -> View:
    below = len(tree.child_rows(row))
    return View(root=row, max_depth=1) if below else View(root=int(tree[row].parent) if row else 0, max_depth=1)


def _picture(tree: SearchTree, view: View, caption: str) -> str:
    while len(shown(tree, view)) > MOST_DRAWN and (view.max_depth or 0) > 1:
        view = View(root=view.root, max_depth=(view.max_depth or 1) - 1)
    if len(shown(tree, view)) > 4 * MOST_DRAWN:
        return ""
    return f"<figure>\n{to_svg(tree, view)}<figcaption>{xml(caption)}</figcaption>\n</figure>\n"


def _counts(tree: SearchTree) -> str:
    names = ("depth", "expanded", "leaves", "cutoffs")
    rows = [[f"{row[name]:,}" for name in names] for row in tree.per_depth]
    return block_html(Table("Calls by depth; a cutoff is a call whose value reached its bound.", list(names), rows))


def _source(source: Source) -> str:
    lines = [f"{source.first_line + at:4d}  {line}" for at, line in enumerate(source.lines)]
    return block_html(Heading(source.name, 3)) + block_html(Verbatim("\n".join(map(plain, lines))))


def _reference(verdict: Verdict) -> str:
    ours = verdict.reference
    if ours is None:
        return ""
    rows = [[name, words] for name, words in beside_ours(ours)]
    told = block_html(Heading("Beside our own search")) + block_html(Table("", ["", ""], rows, (0, 1)))
    return told if ours.difference is None else told + _side_by_side(ours.difference)


def _side_by_side(found: Difference) -> str:
    sides = [("theirs", found.theirs), ("ours", found.ours)]
    cells = "".join(
        f'<div><p class="caption">{name}: {xml(side.words)}</p>\n{block_html(Verbatim(side.board))}</div>\n'
        for name, side in sides
    )
    return block_html(Paragraph(parting(found))) + f'<div class="pair">\n{cells}</div>\n'


def _listed(heading: str, lines: list[str]) -> str:
    return block_html(Heading(heading)) + _list(lines) if lines else ""


def _list(lines: list[str]) -> str:
    return "<ul>\n" + "".join(f"<li>{xml(line)}</li>\n" for line in lines) + "</ul>\n"


# ---- many programs


def class_page(all_checked: list[CheckedProgram]) -> str:
    """A teacher's table: who has which mistake; below it every finding in a sentence."""
    verdicts = [checked.verdict for checked in all_checked]
    times = Counter(finding.name for verdict in verdicts for finding in verdict.findings)
    names = [name for name, _ in times.most_common()]
    columns = names if len(names) <= MOST_COLUMNS else ["mistakes"]
    rows = [
        [
            verdict.file,
            verdict.verdict,
            f"{verdict.rows:,}" if verdict.rows else "–",
            *([_mark(verdict, name) for name in names] if columns is names else [_marks(verdict)]),
        ]
        for verdict in verdicts
    ]
    words = Counter(verdict.verdict for verdict in verdicts)
    summary = ", ".join(f"{count} {word}" for word, count in words.most_common())
    body = [
        block_html(Heading(f"{len(verdicts)} programs", 1)),
        block_html(Paragraph(f"{summary}.", strong=True)),
        block_html(
            Table("● certain, ○ likely", ["program", "verdict", "calls", *columns], rows, (0, 1, *range(3, 3 + len(columns))))
        ),
        _listed("Mistakes", [f"{name} ({times[name]}): {explained(Finding(name, True, -1, 1, ''))}" for name in names]),
    ]
    for verdict in verdicts:
        lines = [f"{finding.name} ({how_sure(finding)}): {finding.sentence}" for finding in verdict.findings]
        lines += [verdict.reason] if verdict.reason and verdict.verdict == NOT_RUN else []
        if lines:
            body += [block_html(Heading(verdict.file, 3)), _list(lines)]
    return page_html(f"{len(verdicts)} programs", "".join(body))


def _marks(verdict: Verdict) -> str:
    return ", ".join(f"{_mark(verdict, name)} {name}" for name in dict.fromkeys(finding.name for finding in verdict.findings))


def _mark(verdict: Verdict, name: str) -> str:
    found = [finding for finding in verdict.findings if finding.name == name]
    return "" if not found else "●" if any(finding.certain for finding in found) else "○"
