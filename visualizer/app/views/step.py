"""The page "Step": one search, step by step."""

import msgspec
import streamlit as st

from engine import Question, SearchTree
from engine.record.columns import ROOT
from engine.record.recorder import CANCELLED, MEMORY_LIMIT
from visualizer.app.forms.search_form import ask_for_search
from visualizer.app.sections.downloads import offer_downloads
from visualizer.app.sections.practice import offer_practice
from visualizer.app.sections.truth import offer_truth
from visualizer.app.state.background_search import searched, spared_nodes
from visualizer.app.state.lazy_sections import behind, offer_tree
from visualizer.app.state.navigation_state import come_back, fall_back, keep_address, offer_game, share_search
from visualizer.app.state.url_params import EXAMPLE_LINES, EXAMPLES, key_of, parameters_of, read_search, words_of
from visualizer.narration.captions import notes_on
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted
from visualizer.viewer.evaluation_breakdown import tell_reasons
from visualizer.viewer.tree_viewer import viewer
from visualizer.viewer.viewport import VisiblePart, leave_step, part_of, too_many_skipped

LONGEST_HEADLINE = 120  # characters
IN_THE_BROWSER = ("step", "marks", "view", "cam", "fold", "tab", "node", "pass", "best", "lecture")  # how the tree is seen
ABOUT_EXAMPLES = "\n".join(f"- **{name}**: {page_markdown(line)}." for name, line in EXAMPLE_LINES.items())


def page() -> None:
    come_back("step")
    question, wrong = read_search(st.query_params.to_dict())
    key = key_of(question)
    keep_address("step", without=IN_THE_BROWSER)  # these change there without the server
    fall_back("step", wrong, parameters_of(question))
    share_search(question)
    st.session_state["example"] = next((name for name, example in EXAMPLES.items() if example == question), None)
    st.pills("Examples", list(EXAMPLES), label_visibility="collapsed", key="example", on_change=_open_example)
    head = st.container(horizontal=True, vertical_alignment="center")
    tree = searched(question)  # before the head is filled, so that it says at once how large the tree is
    too_many = "" if tree is None else too_many_skipped(tree)
    with head:
        _head(question, key, tree, downloads=not too_many)
    if tree is None:
        return
    if too_many:
        st.info(too_many, icon=":material/forest:")
        return
    if not tree.complete:
        why = {MEMORY_LIMIT: "the server has no memory for more", CANCELLED: "its time was up"}.get(
            tree.stopped, "the most this page searches"
        )
        st.warning(f"The search was stopped at {tree.expanded:,} nodes, {why}: what follows is its beginning.")
    for note in notes_on(tree):
        st.caption(page_markdown(note))
    _show(tree, question, key)


def _head(question: Question, key: str, tree: SearchTree | None, downloads: bool) -> None:
    """What is searched, and what can be done with it."""
    counts = "" if tree is None else f" · {counted(tree.expanded, 'node')}{'' if tree.complete else ' so far'}"
    st.markdown(f"**{page_markdown(_short(words_of(question)))}**{counts}")
    behind("Change", ":material/tune:", f"change {key}", ask_for_search, question, open_search)
    if tree is not None and downloads:
        offer_tree(tree, key)
        offer_truth(tree, key)
        offer_practice(question)
    with st.popover("Examples", icon=":material/help:", type="tertiary"):
        st.markdown(ABOUT_EXAMPLES)
    offer_game("step")


def _short(words: str) -> str:
    """One line: the leaves of a large literal tree are not all named."""
    return words if len(words) <= LONGEST_HEADLINE else f"{words[:60]}…{words[-40:]}"


def _show(tree: SearchTree, question: Question, key: str) -> None:
    focus, no_focus = _number("focus", len(tree) - 1, "node")
    part = part_of(tree, focus or ROOT)
    if part is not None:
        _say_what_is_shown(tree, part, focus or ROOT)
    shown = len(tree) if part is None else len(part.rows)
    step, no_step = _number("step", 3 * shown - 2 + bool(tree.notes), "step")
    for wrong in (no_focus, no_step, _wrong_marks()):
        if wrong:
            st.warning(page_markdown(wrong), icon=":material/link_off:")
    if step is None and focus is not None:
        step = leave_step(tree, part, focus)
    wish, node = viewer(tree, part, spared_nodes(question), step, key=f"{key} {focus if part else ROOT}")
    if wish == "open" and node != focus:
        _focus(node)
        st.rerun()
    if wish == "export":
        _export(tree, node)
    if wish == "why":
        tell_reasons(tree, node)


def _say_what_is_shown(tree: SearchTree, part: VisiblePart, focus: int) -> None:
    where = "from the root" if focus == ROOT else f"around node {focus:,}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f":material/forest: {tree.expanded:,} nodes are too many to step through at once. Shown {where}: "
            f"{len(part.rows):,} nodes, {counted(part.levels, 'ply', 'plies')} deep. "
            "A node marked +12k hides 12,000 nodes: select it and open it."
        )
        if focus != ROOT:
            st.button("Back to the root", icon=":material/vertical_align_top:", on_click=_focus, args=(ROOT,), type="tertiary")


def _focus(node: int) -> None:
    for name in IN_THE_BROWSER:
        st.query_params.pop(name, None)
    if node == ROOT:
        st.query_params.pop("focus", None)
    else:
        st.query_params["focus"] = str(node)


@st.dialog("Export a subtree")
def _export(tree: SearchTree, node: int) -> None:
    names = ", ".join(tree[row].move_name for row in tree.path(node)[1:])
    st.markdown(f"Node {node:,}, {page_markdown(f'after {names}') if names else 'the root'}: {counted(tree[node].size, 'node')}.")
    offer_downloads(tree, node, "the dialog")


def _open_example() -> None:
    if example := st.session_state.get("example"):
        st.query_params.from_dict(parameters_of(EXAMPLES[example]))


def open_search(question: Question) -> None:
    """Show another search: the address says which."""
    st.query_params.from_dict(parameters_of(question))
    st.rerun()


def _number(name: str, most: int, thing: str) -> tuple[int | None, str]:
    """A whole number of the address up to `most`, and what was wrong with it."""
    text = st.query_params.get(name, "")
    if text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= most:
        return int(text), ""
    return None, f"There is no {thing} {text[:20]!r} here: there are 0 to {most:,}." if text else ""


def _wrong_marks() -> str:
    try:
        msgspec.json.decode(st.query_params.get("marks", "[]"), type=list[tuple[int, str]])
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return "The bookmarks of this link could not be read: they are left out."
    return ""
