"""The page "Your search": what `plyscope check` has seen of a program of the user's own. Nothing of that program runs here."""

import os
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from engine.checker.recording.wire_format import SeenColumns, unpacked
from engine.checker.run_file import LARGEST_FILE, OpenedRun
from engine.checker.verdict import NOT_RUN, RIGHT, UNSURE, WRONG, AgainstOurs, Finding
from visualizer.app.state.lazy_sections import offer_tree
from visualizer.app.state.navigation_state import come_back
from visualizer.app.state.opened_runs import RunOnPage, open_run
from visualizer.app.state.uploads import take_upload
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
from visualizer.narration.escapes import page_markdown, plain
from visualizer.viewer.tree_viewer import viewer
from visualizer.viewer.viewport import leave_step, part_of

OPENED_AT_START = "PLYSCOPE_RUN"  # the file that `plyscope check --open` has written
BOXES = {WRONG: st.error, RIGHT: st.success, UNSURE: st.warning, NOT_RUN: st.warning}
MOST_BUTTONS = 20


def page() -> None:
    come_back("your_search")
    st.header("Your search")
    opened = _chosen()
    if opened is not None and opened.run is not None:
        _show(opened.run, opened.key)
        return
    _ask_for_file()
    if opened is not None:
        st.error(page_markdown(f"{opened.name} cannot be opened: {opened.refused}"), icon=":material/error:")
    _explain()


def _explain() -> None:
    st.markdown(
        "Plyscope watches the minimax or alpha-beta of a program that you have written, without changing it, and says what is "
        "wrong with it: with the call where it shows first, its board and its window. Your program runs on your machine only, "
        "from the command line:"
    )
    st.code("plyscope check my_connect4.py -o run.json", language="bash")
    st.markdown(
        "Then open run\\.json above: the verdict, every finding and the whole search, step by step\\. "
        "`plyscope check my_connect4.py --open` does both\\. If the search is not found or not started, say how it is called: "
        '`--call "minimax(board, 4, -inf, inf, True)"`\\.'
    )


def _ask_for_file() -> None:
    key = f"run file {st.session_state.get('run files', 0)}"
    st.file_uploader(
        "A file that plyscope check -o run.json has written",
        type=["json"],
        key=key,
        max_upload_size=5,
        on_change=_open_file,
        args=(key,),
    )


def _open_file(key: str) -> None:
    """Open an uploaded file. It stays open when the page is left for another."""
    upload = take_upload(key)
    if upload is not None:
        st.session_state["run files"] = st.session_state.get("run files", 0) + 1
        st.session_state["run opened"] = None  # the file before makes room
        st.session_state["run opened"] = open_run(*upload)


def _chosen() -> RunOnPage | None:
    """Return the file that the user has opened, or the one the app was started with."""
    at_start = os.environ.get(OPENED_AT_START)
    if "run opened" not in st.session_state and at_start:
        path = Path(at_start)
        if path.is_file() and path.stat().st_size <= LARGEST_FILE:
            st.session_state["run opened"] = open_run(path.read_bytes(), path.name)
    opened: RunOnPage | None = st.session_state.get("run opened")
    return opened


class LookedAt(NamedTuple):
    """What of a file is looked at: a finding, and the row where the tree is opened; `times` how often that was asked for."""

    finding: int = 0
    row: int | None = None  # None: that of the finding
    times: int = 0


def _show(run: OpenedRun, key: str) -> None:
    verdict, answer, tree, shift = run
    words = f"**{page_markdown(verdict.file)}**: {HEADLINES[verdict.verdict]}"
    BOXES[verdict.verdict](f"{words}. {page_markdown(verdict.reason)}" if verdict.reason else f"{words}.")
    shown: LookedAt = st.session_state.get(f"shown {key}", LookedAt())
    rows = [row_in_tree(finding, bool(shift)) for finding in verdict.findings]
    if len(rows) > 1:
        _offer_findings(verdict.findings[:MOST_BUTTONS], shown, key)
    if rows and answer.rows is not None:
        _tell(run, verdict.findings[shown.finding], rows[shown.finding], unpacked(answer.rows), shown, key)
    if verdict.reference is not None:
        _tell_reference(verdict.reference, shift, shown, key)
    _more(run, key)
    asked = shown.row if shown.row is not None else rows[shown.finding] if rows else -1
    row = asked if 0 <= asked < len(tree) else None
    part = part_of(tree, row or 0)
    step = None if row is None else leave_step(tree, part, row)
    viewer(tree, part, None, step, key=f"run {key} {row} {shown.times}")


def _offer_findings(findings: list[Finding], shown: LookedAt, key: str) -> None:
    """A button for each finding; the tree opens at its call."""
    with st.container(horizontal=True):
        for number, finding in enumerate(findings):
            st.button(
                f"{_mark(finding)} {page_markdown(finding.name)}",
                key=f"finding {number} {key}",
                type="primary" if number == shown.finding else "secondary",
                on_click=_look_at,
                args=(key, LookedAt(number, None, shown.times + 1)),
            )


def _look_at(key: str, shown: LookedAt) -> None:
    st.session_state[f"shown {key}"] = shown


def _mark(finding: Finding) -> str:
    return ":material/cancel:" if finding.certain else ":material/help:"


def _tell(run: OpenedRun, finding: Finding, row: int, columns: SeenColumns, shown: LookedAt, key: str) -> None:
    """A finding with its board, and the way to its call."""
    with st.container(border=True):
        words, board = st.columns([3, 1])
        with words:
            colour = "red" if finding.certain else "orange"
            st.markdown(f":{colour}[{_mark(finding)}] **{page_markdown(finding.name)}** ({how_sure(finding)})")
            st.markdown(page_markdown(explained(finding)))
            st.markdown(page_markdown(first_shown(finding, run.answer, columns)))
            if row >= 0:
                _offer_call(row, shown, f"show {key}", key)
        if text := board_at(finding.row, columns):
            _board(board, text)


def _offer_call(row: int, shown: LookedAt, name: str, key: str) -> None:
    asked = shown._replace(row=row, times=shown.times + 1)
    st.button("Show this call", icon=":material/footprint:", key=name, type="tertiary", on_click=_look_at, args=(key, asked))


def _tell_reference(ours: AgainstOurs, shift: int, shown: LookedAt, key: str) -> None:
    """The search beside one of ours, and the place where the two part."""
    with st.container(border=True):
        st.markdown(":material/balance: **Beside our own search**")
        st.markdown("\n".join(f"- {name}: {page_markdown(words)}" for name, words in beside_ours(ours)))
        if (found := ours.difference) is None:
            return
        st.markdown(page_markdown(parting(found)))
        for column, name, side in zip(st.columns(2), ("theirs", "ours"), (found.theirs, found.ours), strict=True):
            column.caption(page_markdown(f"{name}: {side.words}"))
            _board(column, side.board)
        _offer_call(found.row + shift, shown, f"part {key}", key)


def _board(place: Any, text: str) -> None:
    place.code("\n".join(plain(line) for line in text.splitlines()), language=None)


def _more(run: OpenedRun, key: str) -> None:
    """What else there is to know, and another file."""
    verdict, answer, tree, _ = run
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("What was run", icon=":material/info:"):
            st.markdown("\n".join(f"- {page_markdown(line)}" for line in what_was_run(verdict, answer)))
            for title, lines in (("Looked at", verdict.looked_at), ("Not looked at", verdict.not_looked_at)):
                if lines:
                    st.markdown(f"**{title}**\n" + "\n".join(f"- {page_markdown(line)}" for line in lines))
        with st.popover("The program's search", icon=":material/code:"):
            for source in answer.sources:
                st.caption(page_markdown(f"{source.name}, line {source.first_line}"))
                st.code("\n".join(plain(line.expandtabs()) for line in source.lines), language="python")
        if answer.prints.strip():
            with st.popover("What it printed", icon=":material/terminal:"):
                st.code("\n".join(plain(line) for line in answer.prints[:5_000].splitlines()), language=None)
        offer_tree(tree, key)
        with st.popover("Another file", icon=":material/upload_file:"):
            _ask_for_file()
