"""The page "Step": one search, step by step."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import streamlit as st

from engine import PlyscopeError, Question, SearchTree
from engine.core.stop_reason import StopReason
from engine.record.columns import ROOT
from visualizer.app.forms.search_form import ask_for_search
from visualizer.app.sections.downloads import offer_downloads
from visualizer.app.sections.iterations import offer_more_iterations
from visualizer.app.sections.practice import is_shown_for_exercise, offer_builder, offer_practice, offer_way_back
from visualizer.app.sections.published_programs import BUTTON_LABEL, ICON, choose_program
from visualizer.app.sections.search_curves import offer_search_curves
from visualizer.app.sections.search_overviews import offer_saved_work
from visualizer.app.sections.truth import offer_truth
from visualizer.app.state.background_search import poll_tree, spared_nodes
from visualizer.app.state.frame_mode import is_framed
from visualizer.app.state.lazy_sections import lazy_popover, offer_tree_download
from visualizer.app.state.navigation_state import offer_game, remember_params, replace_bad_params, restore_page, share_search
from visualizer.app.state.opened_runs import open_trace
from visualizer.app.state.opened_trees import RUN_PARAM, compute_digest, find_opened_run
from visualizer.app.state.uploads import take_upload
from visualizer.app.state.url_params import (
    EXAMPLE_DESCRIPTIONS,
    EXAMPLES,
    PUBLISHED_EXAMPLES,
    describe_search,
    read_search_params,
    search_key,
    search_params,
)
from visualizer.narration.captions import list_tree_notes, search_title
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.glossary import DEPTH_TERM
from visualizer.narration.numbers import format_count
from visualizer.narration.stop_messages import STOP_EXPLANATIONS
from visualizer.viewer.evaluation_breakdown import send_breakdown
from visualizer.viewer.iterations.iteration_viewer import show_iterations
from visualizer.viewer.tree_viewer import can_show_large_trees, show_large_tree, show_viewer
from visualizer.viewer.viewer_params import VIEWER_PARAM_NAMES
from visualizer.viewer.viewport import MAX_VISIBLE_NODES, VisiblePart, find_visible_part, last_step, leave_step, why_not_drawable

OPENED_TRACE, REFUSED_TRACE, NEW_TRACE = "trace opened", "trace refused", "trace new"
MAX_HEADLINE_CHARS = 120  # characters
INTRODUCTION = (
    ":small[**See how a program searches ahead in a game.** Blue is MAX, orange is MIN. "
    "Step through the search below, or choose an example:]"
)
INTRODUCTION_WIDTH = 440  # px: two lines, which leave room for the examples in the same row
HELP = "\n".join(
    (
        "This page shows one search, step by step. Choose an example, or press **Change game or position** for one of your own. "
        "Blue is MAX, who wants a high value. Orange is MIN, who wants a low one. "
        f"{DEPTH_TERM}. "
        "A **cutoff** leaves a position early: the moves that are left cannot change "
        "the result. Alpha (α) is what MAX is already sure of, beta (β) what MIN is sure of; together they are the **window**. "
        "The page *About* explains the symbols and the keys.\n",
        *(f"- **{name}**: {escape_page_markdown(line)}." for name, line in EXAMPLE_DESCRIPTIONS.items()),
        "- **Published student programs**: five Connect 4 programs with the figures of their reports.",
    )
)


def page() -> None:
    restore_page("step")
    if RUN_PARAM in st.query_params:
        _show_opened_run(st.query_params[RUN_PARAM])
        return
    question, wrong = read_search_params(st.query_params.to_dict())
    key = search_key(question)
    if not is_shown_for_exercise(question):
        remember_params("step", without=VIEWER_PARAM_NAMES)  # these change in the browser
        share_search(question)
    replace_bad_params("step", wrong, search_params(question))
    if not is_framed():
        _show_examples(question, key)
    head = st.container(horizontal=True, vertical_alignment="center")
    tree = poll_tree(question)  # before the head, which shows the size of the tree
    too_many = "" if tree is None else why_not_drawable(tree)
    with head:
        if is_framed():
            _show_frame_head(question)
        else:
            _show_head(question, key, tree, downloads=not too_many)
    if tree is None:
        return
    if too_many:
        st.info(too_many, icon=":material/forest:")
        return
    if not tree.complete:
        explanations = STOP_EXPLANATIONS | {StopReason.CANCELLED: "its time was up"}
        st.warning(f"The search stopped after {tree.expanded:,} nodes: {explanations[tree.stopped]}. This is the tree so far.")
    for note in list_tree_notes(tree):
        st.caption(escape_page_markdown(note))
    if tree.has_iterations:
        show_iterations(tree, key, **_link_settings(question))
        offer_search_curves(tree, key)
    else:
        _show_tree(tree, question, key)


def _show_opened_run(digest: str) -> None:
    """Show the search of another program, from a file that this tab or the server has opened."""
    opened: OpenedTrace | None = st.session_state.get(OPENED_TRACE)
    tree = opened.tree if opened is not None and opened.digest == digest else find_opened_run(digest)
    if tree is None:
        st.info(
            "This tab does not have the tree of this link: open its file below, or with `plyscope app --open`.",
            icon=":material/forest:",
        )
        _ask_for_trace()
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        title = escape_page_markdown(_shorten_headline(search_title(tree)))
        st.markdown(f"**{title}** · {format_count(tree.expanded, 'node')}{'' if tree.complete else ' so far'}")
        offer_tree_download(tree, digest)
    for note in list_tree_notes(tree):
        st.caption(escape_page_markdown(note))
    focus, _ = _read_number_param("focus", len(tree) - 1, "node")
    is_large = len(tree) > MAX_VISIBLE_NODES and can_show_large_trees()
    part = None if is_large else find_visible_part(tree, focus or ROOT)
    step, no_step = _read_number_param("step", len(tree.timeline) - 1 if is_large else last_step(tree, part), "step")
    if no_step:
        st.warning(escape_page_markdown(no_step), icon=":material/link_off:")
    if is_large:
        show_large_tree(tree, None, step, key=digest)
        return
    if part is not None:
        _show_part_caption(tree, part, focus or ROOT)
    request, node = show_viewer(tree, part, None, step, key=f"{digest} {focus if part else ROOT}")
    if request == "open" and node != focus:
        _set_focus(node)
        st.rerun()
    if request == "export":
        _export_subtree(tree, node)


class OpenedTrace(NamedTuple):
    """The search of another program that this tab has opened from a file."""

    digest: str
    tree: SearchTree


def _ask_for_trace() -> None:
    """Ask for a search trace. It stays in memory until the tab is closed or opens another one."""
    if refused := st.session_state.get(REFUSED_TRACE):
        st.error(escape_page_markdown(refused), icon=":material/error:")
    key = f"trace file {st.session_state.get('trace files', 0)}"
    words = "A search of your own program, recorded as a trace (.jsonl)"
    st.file_uploader(words, type=["jsonl"], key=key, max_upload_size=5, on_change=_open_trace, args=(key,))
    if st.session_state.pop(NEW_TRACE, False):
        st.query_params.from_dict({RUN_PARAM: st.session_state[OPENED_TRACE].digest})
        st.rerun()  # the whole page


def _open_trace(key: str) -> None:
    upload = take_upload(key)
    if upload is None:
        return
    st.session_state["trace files"] = st.session_state.get("trace files", 0) + 1
    st.session_state.pop(REFUSED_TRACE, None)
    try:
        st.session_state[OPENED_TRACE] = None  # frees the memory of the one before
        tree = open_trace(upload[0])
        st.session_state[OPENED_TRACE] = OpenedTrace(compute_digest(tree), tree)
        st.session_state[NEW_TRACE] = True
    except PlyscopeError as error:
        st.session_state[REFUSED_TRACE] = f"{upload[1]} cannot be opened: {error}"


def _show_examples(question: Question, key: str) -> None:
    """Show the examples: chips for the games, and the published student programs behind a button."""
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(key="introduction", width=INTRODUCTION_WIDTH):
            st.markdown(INTRODUCTION)
        st.session_state["example"] = _find_example(EXAMPLES, question)
        st.pills("Examples", EXAMPLES, label_visibility="collapsed", key="example", on_change=_open_example, width="content")
        lazy_popover(BUTTON_LABEL, ICON, f"programs {key}", _ask_for_program, question, key)
        with st.popover("Help", icon=":material/help:", type="tertiary"):
            st.markdown(HELP)


def _find_example(examples: Mapping[str, Question], question: Question) -> str | None:
    return next((name for name, example in examples.items() if example == question), None)


def _ask_for_program(question: Question, key: str) -> None:
    shown = _find_example(PUBLISHED_EXAMPLES, question)
    chosen = choose_program(PUBLISHED_EXAMPLES, shown, key)
    if chosen is not None:
        open_search(PUBLISHED_EXAMPLES[chosen])
    _ask_for_trace()


def _show_head(question: Question, key: str, tree: SearchTree | None, downloads: bool) -> None:
    """Show the title of the search, and the buttons for what can be done with it."""
    counts = "" if tree is None else f" · {format_count(tree.expanded, 'node')}{'' if tree.complete else ' so far'}"
    ahead = "" if question.depth is None else f" ({format_count(question.depth, 'move')} ahead)"
    st.markdown(f"**{escape_page_markdown(_shorten_headline(describe_search(question)))}**{ahead}{counts}")
    lazy_popover("Change game or position", ":material/tune:", f"change {key}", ask_for_search, question, open_search)
    if tree is not None and tree.has_iterations:
        offer_more_iterations(tree, key, open_search)
    if tree is not None and downloads:
        offer_tree_download(tree, key)
        offer_truth(tree, key)
        offer_saved_work(question, len(tree), spared_nodes(question))
        offer_practice(question)
        offer_builder(question)
    offer_way_back(question)
    offer_game("step", question)


def _show_frame_head(question: Question) -> None:
    """Show the title of the search, and a link to the page with navigation."""
    title = escape_page_markdown(_shorten_headline(describe_search(question)))
    st.markdown(f"**{title}** · [Open in Plyscope](?{urlencode(search_params(question))})")


def _shorten_headline(words: str) -> str:
    """Shorten a title to one line: a large literal tree has too many leaves to list."""
    return words if len(words) <= MAX_HEADLINE_CHARS else f"{words[:60]}…{words[-40:]}"


def _show_tree(tree: SearchTree, question: Question, key: str) -> None:
    focus, no_focus = _read_number_param("focus", len(tree) - 1, "node")
    if len(tree) > MAX_VISIBLE_NODES and can_show_large_trees():
        _show_large_tree(tree, question, key, focus)
        return
    part = find_visible_part(tree, focus or ROOT)
    if part is not None:
        _show_part_caption(tree, part, focus or ROOT)
    step, no_step = _read_number_param("step", last_step(tree, part), "step")
    for wrong in (no_focus, no_step, _check_bookmarks()):
        if wrong:
            st.warning(escape_page_markdown(wrong), icon=":material/link_off:")
    if step is None and focus is not None:
        step = leave_step(tree, part, focus)
    settings = _link_settings(question)
    request, node = show_viewer(tree, part, spared_nodes(question), step, key=f"{key} {focus if part else ROOT}", **settings)
    if request == "open" and node != focus:
        _set_focus(node)
        st.rerun()
    if request == "export":
        _export_subtree(tree, node)
    if request == "why":
        send_breakdown(tree, node)


def _show_large_tree(tree: SearchTree, question: Question, key: str, focus: int | None) -> None:
    """Show a tree of which the browser gets only what it shows. `focus` is a node of an old link."""
    step, no_step = _read_number_param("step", len(tree.timeline) - 1, "step")
    for wrong in (no_step, _check_bookmarks()):
        if wrong:
            st.warning(escape_page_markdown(wrong), icon=":material/link_off:")
    if step is None and focus is not None:
        step = leave_step(tree, None, focus)
    request, node = show_large_tree(tree, spared_nodes(question), step, key=key, **_link_settings(question))
    if request == "export":
        _export_subtree(tree, node)


def _link_settings(question: Question) -> dict[str, Any]:
    """Return the parameters of the search, if the URL lacks them: the browser adds them to its link."""
    return {} if "game" in st.query_params else {"search": search_params(question)}


def _show_part_caption(tree: SearchTree, part: VisiblePart, focus: int) -> None:
    where = "from the root" if focus == ROOT else f"around node {focus:,}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f":material/forest: {tree.expanded:,} nodes are too many to step through at once. Shown {where}: "
            f"{len(part.rows):,} nodes, {format_count(part.levels, 'level')} below. "
            "A node marked +12k hides 12,000 nodes: select it and open it."
        )
        if focus != ROOT:
            st.button(
                "Back to the root", icon=":material/vertical_align_top:", on_click=_set_focus, args=(ROOT,), type="tertiary"
            )


def _set_focus(node: int) -> None:
    for name in VIEWER_PARAM_NAMES:
        st.query_params.pop(name, None)
    if node == ROOT:
        st.query_params.pop("focus", None)
    else:
        st.query_params["focus"] = str(node)


@st.dialog("Export a subtree")
def _export_subtree(tree: SearchTree, node: int) -> None:
    names = ", ".join(tree[row].move_name for row in tree.path(node)[1:])
    where = escape_page_markdown(f"after {names}") if names else "the root"
    st.markdown(f"Node {node:,}, {where}: {format_count(tree[node].size, 'node')}.")
    offer_downloads(tree, node, "the dialog")


def _open_example() -> None:
    if example := st.session_state.get("example"):
        st.query_params.from_dict(search_params(EXAMPLES[example]))


def open_search(question: Question) -> None:
    """Show another search, by setting its URL parameters."""
    st.query_params.from_dict(search_params(question))
    st.rerun()


def _read_number_param(name: str, maximum: int, thing: str) -> tuple[int | None, str]:
    """Read a whole number up to `maximum` from the URL. Return it or None, and a message if it is wrong."""
    text = st.query_params.get(name, "")
    if text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= maximum:
        return int(text), ""
    return None, f"There is no {thing} {text[:20]!r}: choose 0-{maximum:,}." if text else ""


def _check_bookmarks() -> str:
    try:
        msgspec.json.decode(st.query_params.get("marks", "[]"), type=list[tuple[int, str]])
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return "The bookmarks of this link could not be read and are left out."
    return ""
