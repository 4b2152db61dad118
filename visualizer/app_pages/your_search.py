"""The page "Your search": what `plyscope check` has seen of a program of the user's own. Nothing of that program runs here."""

import hashlib
import os
from pathlib import Path

import streamlit as st

from engine.errors import PlyscopeError
from engine.watching.rows import SeenColumns, unpacked
from engine.watching.run_file import LARGEST_FILE, OpenedRun, read_run_file
from engine.watching.verdict import NOT_RUN, RIGHT, UNSURE, WRONG, Finding
from visualizer.app_pages.address_memory import come_back
from visualizer.app_pages.opened import offer_tree
from visualizer.text.check_words import HEADLINES, board_at, explained, first_shown, how_sure, row_in_tree, what_was_run
from visualizer.text.escapes import page_markdown, plain
from visualizer.viewer.tree_viewer import viewer
from visualizer.viewer.visible_part import leave_step, part_of

OPENED_AT_START = "PLYSCOPE_RUN"  # the file that `plyscope check --open` has written
STYLE = "<style>.block-container { max-width: 2600px; }</style>"  # a tree uses what room there is
BOXES = {WRONG: st.error, RIGHT: st.success, UNSURE: st.warning, NOT_RUN: st.warning}
MOST_BUTTONS = 20


def page() -> None:
    st.html(STYLE)
    come_back("your_search")
    st.header("Your search")
    data, name = _chosen()
    if data is None:
        _explain()
        return
    try:
        run = _read(data)
    except PlyscopeError as error:
        st.error(page_markdown(f"{name} cannot be opened: {error}"), icon=":material/error:")
        _explain()
        return
    _show(run, hashlib.sha256(data).hexdigest()[:16])


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


def _chosen() -> tuple[bytes | None, str]:
    """The file that the user has given, or the one the app was started with."""
    given = st.file_uploader(
        "A file that plyscope check -o run.json has written", type=["json"], key="run file", max_upload_size=5
    )
    if given is not None:
        return given.getvalue(), given.name
    at_start = os.environ.get(OPENED_AT_START)
    if not at_start or not Path(at_start).is_file() or Path(at_start).stat().st_size > LARGEST_FILE:
        return None, ""
    return Path(at_start).read_bytes(), Path(at_start).name


def _read(data: bytes) -> OpenedRun:
    """The file, read once for as long as it is shown; nobody else sees it."""
    known = st.session_state.get("run")
    if known is None or known[0] != data:
        known = st.session_state["run"] = (data, read_run_file(data))
    return known[1]


def _show(run: OpenedRun, key: str) -> None:
    verdict, answer, tree, shift = run
    words = f"**{page_markdown(verdict.file)}**: {HEADLINES[verdict.verdict]}"
    BOXES[verdict.verdict](f"{words}. {page_markdown(verdict.reason)}" if verdict.reason else f"{words}.")
    columns = unpacked(answer.rows) if answer.rows is not None else None
    chosen = st.session_state.get(f"row {key}", row_in_tree(verdict.findings[0], bool(shift)) if verdict.findings else -1)
    for number, finding in enumerate(verdict.findings[:MOST_BUTTONS]):
        if columns is not None and _tell(run, finding, columns, f"{key} {number}"):
            chosen = st.session_state[f"row {key}"] = row_in_tree(finding, bool(shift))
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
    row = chosen if 0 <= chosen < len(tree) else None
    part = part_of(tree, row or 0)
    viewer(tree, part, None, None if row is None else leave_step(tree, part, row), key=f"run {key} {row}")


def _tell(run: OpenedRun, finding: Finding, columns: SeenColumns, key: str) -> bool:
    """A finding with its board; whether its step is asked for."""
    with st.container(border=True):
        mark = ":red[:material/cancel:]" if finding.certain else ":orange[:material/help:]"
        st.markdown(f"{mark} **{page_markdown(finding.name)}** ({how_sure(finding)})")
        words, board = st.columns([3, 1])
        with words:
            st.markdown(page_markdown(explained(finding)))
            st.markdown(page_markdown(first_shown(finding, run.answer, columns)))
            asked = st.button("Show this call", icon=":material/footprint:", key=f"show {key}", type="tertiary")
        if text := board_at(finding.row, columns):
            board.code("\n".join(plain(line) for line in text.splitlines()), language=None)
    return asked and finding.row >= 0
