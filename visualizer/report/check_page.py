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
from engine.checker.verdict import NOT_RUN, NOTHING_FOUND, VERDICTS, Difference, Finding, Verdict
from engine.tree.tree import SearchTree
from visualizer.api import to_svg
from visualizer.drawing.view import View, select_items
from visualizer.narration.check_messages import (
    DIFFERENCE_SIDE_NAMES,
    describe_certainty,
    describe_first_call,
    describe_first_difference,
    describe_fix,
    describe_place,
    describe_problem,
    describe_proof,
    describe_run,
    describe_verdict,
    explain_mistake,
    find_board,
    find_tree_row,
    quote_source,
    reference_rows,
)
from visualizer.narration.escapes import escape_xml, sanitize_line
from visualizer.narration.numbers import format_number
from visualizer.narration.sentences import sentence
from visualizer.report.blocks import Heading, Paragraph, Table, Verbatim
from visualizer.report.html import render_html_block, render_html_page

MAX_CHILDREN = 12
LONG_NAMES_CSS = "h1,h2,h3,p,li{overflow-wrap:anywhere}\n"  # names of files may be longer than a line
LONG_TEXTS_CSS = "@media screen{pre{max-height:26rem;overflow-y:auto}}\n"  # the output of a program may have thousands of lines
MAX_PICTURE_NODES = 60  # of a picture
MAX_PRINTED_CHARS = 5_000  # characters
MAX_MISTAKE_COLUMNS = 6  # with more mistakes one column lists them


def render_program_page(checked: CheckedProgram) -> str:
    """Return the report on one program."""
    verdict, answer = checked
    body = [
        render_html_block(Heading(verdict.file, 1)),
        render_html_block(Paragraph(f"{describe_verdict(verdict).capitalize()}.", strong=True)),
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
            _render_picture(tree, View(max_depth=2), "The first calls."),
        ]
        body += [_render_source(source) for source in answer.sources]
    body += [
        _render_section("Checked", verdict.looked_at),
        _render_section("Not checked", verdict.not_looked_at),
    ]
    if answer.tried:
        body.append(_render_section("Starts that did not work", answer.tried))
    if answer.prints.strip():
        body += [
            render_html_block(Heading("Output of the program")),
            render_html_block(Verbatim(answer.prints[:MAX_PRINTED_CHARS])),
        ]
    return render_html_page(f"{verdict.file}: {describe_verdict(verdict)}", "".join(body), LONG_NAMES_CSS + LONG_TEXTS_CSS)


def _render_finding(finding: Finding, answer: Answer, columns: CallColumns, tree: SearchTree) -> str:
    parts = [
        render_html_block(Heading(f"{finding.name} ({describe_certainty(finding)})")),
        render_html_block(Paragraph(describe_problem(finding), strong=True)),
    ]
    if place := describe_place(finding):
        parts.append(render_html_block(Heading(place, 3)))
    if quoted := quote_source(finding, answer):
        parts.append(render_html_block(Verbatim(quoted)))
    parts.append(render_html_block(Paragraph(describe_first_call(finding, answer, columns))))
    if board := find_board(finding, columns):
        parts.append(render_html_block(Verbatim(board)))
    parts += [render_html_block(Paragraph(text)) for text in (describe_proof(finding), describe_fix(finding)) if text]
    row = find_tree_row(finding, has_extra_root(answer))
    if 0 <= row < len(tree):
        parts += [_render_step(tree, row), _render_picture(tree, _view_around(tree, row), "The call and the calls it made.")]
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
    parts = [render_html_block(table if tree.windows else table.drop_columns("window"))] if rows else []
    if node.status != "open":
        trace = tree.timeline
        step = trace[trace.leave(row)]
        parts.append(render_html_block(Paragraph(f"Step {step.number:,}: {sentence(step)}")))
    return "".join(parts)


def find_readable_view(tree: SearchTree, row: int) -> View | None:
    """Return the view of a call and the calls below it. None if it is too large for a picture."""
    view = _view_around(tree, row)
    return view if len(select_items(tree, view)) <= 4 * MAX_PICTURE_NODES else None


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
    summary = render_html_block(Heading("Compared with our own search")) + render_html_block(Table("", ["", ""], rows, (0, 1)))
    return summary if ours.difference is None else summary + _render_difference(ours.difference)


def _render_difference(found: Difference) -> str:
    sides = zip(DIFFERENCE_SIDE_NAMES, (found.theirs, found.ours), strict=True)
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
    """Return a teacher's table of the mistakes of each program. Below it equal mistakes are grouped."""
    verdicts = [checked.verdict for checked in all_checked]
    programs = Counter(name for verdict in verdicts for name in {finding.name for finding in verdict.findings})
    names = sorted(programs, key=lambda name: (-programs[name], name))
    columns = names if len(names) <= MAX_MISTAKE_COLUMNS else ["mistakes"]
    rows = [
        [
            verdict.file,
            verdict.verdict,
            f"{verdict.calls:,}" if verdict.rows else "–",
            *([_mistake_mark(verdict, name) for name in names] if columns is names else [_list_mistakes(verdict)]),
        ]
        for verdict in verdicts
    ]
    words = Counter(verdict.verdict for verdict in verdicts)
    summary = ", ".join(f"{words[word]} {word}" for word in VERDICTS if words[word])
    body = [
        render_html_block(Heading(f"{len(verdicts)} programs", 1)),
        render_html_block(Paragraph(f"{summary}.", strong=True)),
        render_html_block(
            Table("● certain, ○ likely", ["program", "verdict", "calls", *columns], rows, (0, 1, *range(3, 3 + len(columns))))
        ),
        *(_render_mistake(name, verdicts) for name in names),
        _render_section("Nothing wrong found: what was not looked at", [_list_gaps(one) for one in verdicts if _has_gaps(one)]),
        _render_section(
            "Programs that could not be run",
            [f"{verdict.file}: {verdict.reason}" for verdict in verdicts if verdict.verdict == NOT_RUN],
        ),
    ]
    return render_html_page(f"{len(verdicts)} programs", "".join(body), LONG_NAMES_CSS)


def _has_gaps(verdict: Verdict) -> bool:
    return verdict.verdict == NOTHING_FOUND and bool(verdict.reason or verdict.not_looked_at)


def _list_gaps(verdict: Verdict) -> str:
    """Return the program with what could not be checked, so that nobody takes the verdict for a proof."""
    gaps = [verdict.reason, *(gap for gap in verdict.not_looked_at if gap.partition(":")[0] not in verdict.reason)]
    return f"{verdict.file}: {'; '.join(gap for gap in gaps if gap)}"


def _render_mistake(name: str, verdicts: list[Verdict]) -> str:
    """Return a mistake in words, and every program that makes it, with the line and what was seen."""
    made = [(verdict, finding) for verdict in verdicts for finding in verdict.findings if finding.name == name]
    count = len({id(verdict) for verdict, _ in made})
    lines = [
        f"{_locate_in_program(verdict, finding)}, {describe_certainty(finding)}: {finding.sentence}" for verdict, finding in made
    ]
    heading = render_html_block(Heading(f"{name}: {count} program{'s' if count > 1 else ''}"))
    return heading + render_html_block(Paragraph(explain_mistake(name))) + _render_list(lines)


def _locate_in_program(verdict: Verdict, finding: Finding) -> str:
    """Return the program with the line to look at, and with the file if the program has several."""
    place = describe_place(finding)
    if finding.file == verdict.file and place:
        return place
    return f"{verdict.file} ({place})" if place else verdict.file


CLASS_COLUMNS = (
    "program", "verdict", "calls", "positions", "mistake", "certain", "times", "file", "line", "seen", "proof", "cost", "reason",
)  # fmt: skip


def list_class_rows(all_checked: list[CheckedProgram]) -> list[list[object]]:
    """Return the rows of a class as a table, with a head: one row for each finding, and one for a program without any."""
    rows: list[list[object]] = [list(CLASS_COLUMNS)]
    for verdict, _ in all_checked:
        program = [verdict.file, verdict.verdict, verdict.calls, verdict.positions]
        findings = [_list_cells(finding) for finding in verdict.findings] or [[None] * (len(CLASS_COLUMNS) - len(program) - 1)]
        rows += [[*program, *finding, verdict.reason] for finding in findings]
    return rows


def _list_cells(finding: Finding) -> list[object]:
    certain = "yes" if finding.certain else "no"
    place = [finding.file, finding.line or None]
    return [finding.name, certain, finding.times, *place, finding.sentence, finding.proof, finding.cost]


def _list_mistakes(verdict: Verdict) -> str:
    return ", ".join(
        f"{_mistake_mark(verdict, name)} {name}" for name in dict.fromkeys(finding.name for finding in verdict.findings)
    )


def _mistake_mark(verdict: Verdict, name: str) -> str:
    found = [finding for finding in verdict.findings if finding.name == name]
    return "" if not found else "●" if any(finding.certain for finding in found) else "○"
