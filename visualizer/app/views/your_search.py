"""The page "Your search": a user's own program. It runs here on one's own machine; elsewhere its recorded run can be opened."""

import os
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from engine.checker.recording.wire_format import CallColumns, decompress_columns
from engine.checker.run_file import MAX_RUN_FILE_BYTES, OpenedRun
from engine.checker.verdict import NOT_RUN, NOTHING_FOUND, SUSPICIOUS, WASTEFUL, WRONG, Finding, ReferenceComparison
from visualizer.app.sections.program_form import (
    can_run_programs,
    explain_missing_token,
    show_program_form,
    show_program_sources,
)
from visualizer.app.state.lazy_sections import offer_tree_download
from visualizer.app.state.navigation_state import restore_page
from visualizer.app.state.opened_runs import OpenedFile, open_run
from visualizer.app.state.uploads import take_upload
from visualizer.narration.check_messages import (
    DIFFERENCE_SIDE_NAMES,
    capitalize_reason,
    describe_certainty,
    describe_details,
    describe_first_call,
    describe_first_difference,
    describe_fix,
    describe_place,
    describe_problem,
    describe_proof,
    describe_start,
    describe_verdict,
    find_board,
    find_tree_row,
    finding_title,
    quote_source,
    reference_rows,
)
from visualizer.narration.escapes import escape_page_markdown, sanitize_line
from visualizer.viewer.tree_viewer import show_viewer
from visualizer.viewer.viewport import find_visible_part, result_step

RUN_FILE_VARIABLE = "PLYSCOPE_RUN"  # the file that `plyscope check --open` has written
VERDICT_BOXES = {
    WRONG: st.error,
    SUSPICIOUS: st.warning,
    WASTEFUL: st.warning,
    NOTHING_FOUND: st.success,
    NOT_RUN: st.warning,
}
MAX_FINDING_BUTTONS = 20
MAX_NARROW_BOARD_CHARS = 6  # a board that fits beside the words of its finding
MAX_OUTPUT_LINES, LONG_OUTPUT_PX = 15, 360  # longer output scrolls


def page() -> None:
    restore_page("your_search")
    st.header("Your search")
    opened = _find_opened_run()
    run = None if opened is None else opened.run
    if can_run_programs():
        _show_program(run, "" if opened is None else opened.key)
        return
    if opened is not None and run is not None:
        _show_verdict(run)
        _show_findings(run, opened.key)
        _show_details(run, opened.key)
        _show_tree(run, opened.key)
        return
    explain_missing_token()
    _explain_usage()
    _ask_for_file()
    if opened is not None:
        st.error(escape_page_markdown(f"{opened.name} cannot be opened: {opened.refused}"), icon=":material/error:")


def _show_program(run: OpenedRun | None, key: str) -> None:
    """Show the verdict on the last run, below it the editor beside the findings, and below them the search."""
    shown: FindingSelection = st.session_state.get(f"shown {key}", FindingSelection())
    show_program_sources()
    if run is not None:
        _show_verdict(run)
    left, right = st.columns(2, gap="medium") if run is not None else (st.container(), None)
    with left:
        show_program_form(lambda number: _select_finding(key, FindingSelection(number, None, shown.times + 1)), shown.finding)
        if run is not None:
            _show_details(run, key)
    if run is not None and right is not None:
        with right:
            _show_findings(run, key)
        _show_tree(run, key)


def _explain_usage() -> None:
    st.markdown(
        "Plyscope runs the minimax or alpha-beta search of your own program, unchanged, and tells you what is wrong: the "
        "function, the first call, its board and its window, and what to change. Your program runs only on your machine, from "
        "the command line:"
    )
    st.code("plyscope check my_connect4.py -o run.json", language=None)
    st.markdown(
        "Then open run\\.json below to see the verdict, every finding and the whole search, step by step\\. "
        "`plyscope check my_connect4.py --open` does both\\. If the search is not found or not started, say how to call it: "
        '`--call "minimax(board, 4, -inf, inf, True)"`\\.'
    )


def _ask_for_file() -> None:
    key = f"run file {st.session_state.get('run files', 0)}"
    st.file_uploader(
        "A file written by plyscope check -o run.json",
        type=["json"],
        key=key,
        max_upload_size=5,
        on_change=_open_file,
        args=(key,),
    )


def _open_file(key: str) -> None:
    """Open an uploaded file. It stays open when the user goes to another page."""
    upload = take_upload(key)
    if upload is not None:
        st.session_state["run files"] = st.session_state.get("run files", 0) + 1
        st.session_state["run opened"] = None  # frees the memory of the file before
        st.session_state["run opened"] = open_run(*upload)


def _find_opened_run() -> OpenedFile | None:
    """Return the file that the user has opened, or the one that the app was started with."""
    at_start = os.environ.get(RUN_FILE_VARIABLE)
    if "run opened" not in st.session_state and at_start:
        path = Path(at_start)
        if path.is_file() and path.stat().st_size <= MAX_RUN_FILE_BYTES:
            st.session_state["run opened"] = open_run(path.read_bytes(), path.name)
    opened: OpenedFile | None = st.session_state.get("run opened")
    return opened


class FindingSelection(NamedTuple):
    """The selected finding, and the row where the tree opens. `times` counts the selections."""

    finding: int = 0
    row: int | None = None  # None: the row of the finding
    times: int = 0


def _show_verdict(run: OpenedRun) -> None:
    """Show the verdict on a run, its first problem, and what was run."""
    verdict, answer = run.verdict, run.answer
    words = f"**{escape_page_markdown(verdict.file)}**: {describe_verdict(verdict)}."
    is_unsure = verdict.verdict == NOTHING_FOUND and bool(verdict.reason)  # little could be checked
    box = st.info if is_unsure else VERDICT_BOXES[verdict.verdict]
    sentences = [words]
    if verdict.reason:
        sentences.append(f"{escape_page_markdown(capitalize_reason(verdict.reason).rstrip('.'))}.")
    if verdict.findings:
        at = f" (line {verdict.findings[0].line})" if verdict.findings[0].line else ""
        problem = describe_problem(verdict.findings[0]).rstrip(".")
        sentences.append(escape_page_markdown(f"{problem}{at}. The explanation is below."))
    box(" ".join(sentences))
    st.caption(escape_page_markdown(describe_start(verdict, answer)))


def _show_findings(run: OpenedRun, key: str) -> None:
    """Show the findings of a run, one at a time, and the comparison with our own search."""
    verdict, answer, _, shift = run
    shown: FindingSelection = st.session_state.get(f"shown {key}", FindingSelection())
    rows = [find_tree_row(finding, bool(shift)) for finding in verdict.findings]
    if len(rows) > 1:
        _offer_findings(verdict.findings[:MAX_FINDING_BUTTONS], shown, key)
    if rows and answer.rows is not None:
        _show_finding(run, verdict.findings[shown.finding], rows[shown.finding], decompress_columns(answer.rows), shown, key)
    if verdict.reference is not None:
        _show_reference(verdict.reference, shift, shown, key)


def _show_tree(run: OpenedRun, key: str) -> None:
    """Show the recorded search, at the call of the selected finding."""
    verdict, _, tree, shift = run
    shown: FindingSelection = st.session_state.get(f"shown {key}", FindingSelection())
    rows = [find_tree_row(finding, bool(shift)) for finding in verdict.findings]
    asked = shown.row if shown.row is not None else rows[shown.finding] if rows else -1
    row = asked if 0 <= asked < len(tree) else None
    part = find_visible_part(tree, row or 0)
    step = None if row is None else result_step(tree, part, row)
    show_viewer(tree, part, None, step, key=f"run {key} {row} {shown.times}", tall=True, reveal=shown.row is not None)


def _offer_findings(findings: list[Finding], shown: FindingSelection, key: str) -> None:
    """Show a button for each finding. It opens the tree at the call of the finding."""
    with st.container(horizontal=True):
        for number, finding in enumerate(findings):
            st.button(
                f"{_finding_icon(finding)} {escape_page_markdown(finding_title(finding.name))}",
                key=f"finding {number} {key}",
                type="primary" if number == shown.finding else "secondary",
                on_click=_select_finding,
                args=(key, FindingSelection(number, None, shown.times + 1)),
            )


def _select_finding(key: str, shown: FindingSelection) -> None:
    st.session_state[f"shown {key}"] = shown


def _finding_icon(finding: Finding) -> str:
    return ":material/cancel:" if finding.certain else ":material/help:"


def _show_finding(run: OpenedRun, finding: Finding, row: int, columns: CallColumns, shown: FindingSelection, key: str) -> None:
    """Show a finding with its board and a button that opens its call."""
    with st.container(border=True):
        text = find_board(finding, columns)
        is_narrow = bool(text) and max(map(len, text.splitlines())) <= MAX_NARROW_BOARD_CHARS
        words, beside = st.columns([3, 1]) if is_narrow else (st.container(), None)
        with words:
            colour = "red" if finding.certain else "orange"
            st.markdown(f":{colour}[{_finding_icon(finding)}] **{escape_page_markdown(describe_problem(finding))}**")
            st.caption(escape_page_markdown(f"{finding_title(finding.name)} ({describe_certainty(finding)})"))
            if place := describe_place(finding):
                st.markdown(f"**{escape_page_markdown(place)}**")
            if quoted := quote_source(finding, run.answer):
                st.code("\n".join(sanitize_line(line) for line in quoted.splitlines()), language=None, wrap_lines=True)
            st.markdown(escape_page_markdown(describe_first_call(finding, run.answer, columns)))
            if text:
                _show_board(beside or st, text)
            for sentence in filter(None, (describe_proof(finding), describe_fix(finding))):
                st.markdown(escape_page_markdown(sentence))
            if row >= 0:
                _offer_call(row, shown, f"show {key}", key)


def _offer_call(row: int, shown: FindingSelection, name: str, key: str) -> None:
    asked = shown._replace(row=row, times=shown.times + 1)
    st.button(
        "Show this call", icon=":material/footprint:", key=name, type="tertiary", on_click=_select_finding, args=(key, asked)
    )


def _show_reference(ours: ReferenceComparison, shift: int, shown: FindingSelection, key: str) -> None:
    """Show the comparison with our own search, and the place where the two differ first."""
    with st.container(border=True):
        st.markdown(":material/balance: **Compared with our own search**")
        st.markdown("\n".join(f"- {name}: {escape_page_markdown(words)}" for name, words in reference_rows(ours)))
        if (found := ours.difference) is None:
            return
        st.markdown(escape_page_markdown(describe_first_difference(found)))
        for column, name, side in zip(st.columns(2), DIFFERENCE_SIDE_NAMES, (found.theirs, found.ours), strict=True):
            column.caption(escape_page_markdown(f"{name}: {side.words}"))
            _show_board(column, side.board)
        _offer_call(found.row + shift, shown, f"part {key}", key)


def _show_board(place: Any, text: str) -> None:
    place.code("\n".join(sanitize_line(line) for line in text.splitlines()), language=None)


def _show_details(run: OpenedRun, key: str) -> None:
    """Show the details: what was run, the program's source, its output, downloads, and a field for another file."""
    verdict, answer, tree, _ = run
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Details of the run", icon=":material/info:"):
            st.markdown("\n".join(f"- {escape_page_markdown(line)}" for line in describe_details(verdict, answer)))
            for title, lines in (("Checked", verdict.looked_at), ("Not checked", verdict.not_looked_at)):
                if lines:
                    st.markdown(f"**{title}**\n" + "\n".join(f"- {escape_page_markdown(line)}" for line in lines))
        with st.popover("The program's search", icon=":material/code:"):
            for source in answer.sources:
                st.caption(escape_page_markdown(f"{source.name}, line {source.first_line}"))
                st.code("\n".join(sanitize_line(line.expandtabs()) for line in source.lines), language="python")
        if answer.prints.strip():
            with st.popover("Output of the program", icon=":material/terminal:"):
                printed = answer.prints[:5_000].splitlines()
                height = LONG_OUTPUT_PX if len(printed) > MAX_OUTPUT_LINES else None
                st.code("\n".join(sanitize_line(line) for line in printed), language=None, height=height)
        offer_tree_download(tree, key)
        with st.popover("Another file", icon=":material/upload_file:"):
            _ask_for_file()
