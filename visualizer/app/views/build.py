"""The page "Build": a tree that is built by clicking, at full width. Step, Learn and the forms lead here."""

import re
from functools import partial
from typing import Any

import streamlit as st

from engine import PlyscopeError, Question
from engine.games.capabilities import whole_tree
from engine.games.tree_formats.json_trees import write_one_line
from engine.games.tree_formats.tree_utils import count_nodes
from engine.learning.user_trees import why_no_exercise
from visualizer.app.forms.tree_form import TreeDraft, can_be_built, show_file_controls
from visualizer.app.sections.practice import tree_params
from visualizer.app.state.large_trees import MAX_LINK_CHARS, page_game_text, read_page_game
from visualizer.app.state.lazy_sections import lazy_expander
from visualizer.app.state.navigation_state import remember_params, replace_bad_params, restore_page
from visualizer.app.state.url_params import read_search_params, search_params
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.numbers import format_count
from visualizer.viewer.page_redirect import redirect_to_page, redirect_to_step
from visualizer.viewer.tree_builder import MAX_BUILDER_NODES, show_tree_builder

TEMPLATES = {
    "Textbook tree": "[[3,12,8],[2,4,6],[14,5,2]]",
    "2 × 2": "[[0,0],[0,0]]",
    "2 × 2 × 2": "[[[0,0],[0,0]],[[0,0],[0,0]]]",
    "3 × 3": "[[0,0,0],[0,0,0],[0,0,0]]",
    "3 × 3 × 3": "[[[0,0,0],[0,0,0],[0,0,0]],[[0,0,0],[0,0,0],[0,0,0]],[[0,0,0],[0,0,0],[0,0,0]]]",
}
FIRST_LABELS = {"tree": "MAX first", "tree-min": "MIN first"}  # by the name of the game type
DEFAULT_GAME = f"tree:{TEMPLATES['Textbook tree']}"


def page() -> None:
    restore_page("build")
    question, wrong = _read_question()
    remember_params("build", changed={"game": built} if (built := _built_game()) else None)
    replace_bad_params("build", wrong, {"game": DEFAULT_GAME})
    tree = whole_tree(question.game)
    assert tree is not None  # noqa: S101 - _read_question returns only trees
    kind = "tree-min" if tree.first == "min" else "tree"
    st.markdown("Build a tree: click a node, then add children or type a value. The link of this page contains the tree.")
    if can_be_built(question.game):
        text = write_one_line(tree.tree)
        _show_choices(kind, text)
        handle_built = partial(_set_built_game, kind)
        show_tree_builder(_unfinished_tree()[0] or text, kind == "tree", f"build {kind}", handle_built, _find_edition())
    else:
        _show_choices(kind, "")
        size = format_count(count_nodes(tree.tree), "node")
        st.warning(f"This tree has {size}. The builder takes up to {MAX_BUILDER_NODES}: start with a smaller one.")
    _show_actions(question)
    lazy_expander("Files", ":material/folder_open:", "build files", _show_files)


def _read_question() -> tuple[Question, str]:
    """Return the search of the URL, with the default tree if it has no tree of its own, and an error message."""
    question, wrong = read_search_params({**st.query_params.to_dict(), "game": _shown_game(), "moves": ""})
    if whole_tree(question.game) is None:
        return read_search_params({"game": DEFAULT_GAME})[0], wrong
    return question, wrong


def _show_choices(kind: str, text: str) -> None:
    """Show who moves first, and the trees to start with. `text` is empty if the tree is too large for the builder.

    The keys contain what is shown. If the widgets were set instead, a browser that has not heard of it yet would send the old
    choice with the next edit, as if the user had made it again.
    """
    template = next((label for label, template in TEMPLATES.items() if template == text), None)
    first_key, template_key = f"first to move {kind} {_find_edition()}", f"template {template} {_find_edition()}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "First to move",
            list(FIRST_LABELS),
            default=kind,
            format_func=FIRST_LABELS.__getitem__,
            key=first_key,
            on_change=lambda: _replace_game(f"{st.session_state[first_key] or kind}:{text}"),
            label_visibility="collapsed",
            disabled=not text,
        )
        st.pills(
            "Start with",
            list(TEMPLATES),
            default=template,
            key=template_key,
            on_change=lambda: _replace_game(f"{kind}:{TEMPLATES.get(st.session_state[template_key] or '', text)}"),
            label_visibility="collapsed",
            width="content",
        )


def _set_built_game(kind: str, built: str, edition: int) -> None:
    """Remember a tree of the builder. Put it into the URL if it is too long for a link.

    The browser writes shorter ones itself. Writing them here too could bring an older tree back after quick edits. An edit of
    an older edition comes too late: the user has chosen another tree meanwhile.
    """
    text = f"{kind}:{built}"
    if edition != _find_edition():
        return
    if problem := _find_problem(text):
        st.session_state["unfinished tree"] = _shown_game(), built, problem
        return
    st.session_state.pop("unfinished tree", None)
    if len(text) > MAX_LINK_CHARS:
        _set_game(text)
    else:
        st.session_state["built game"] = _linked_game(), text


def _replace_game(text: str) -> None:
    """Show another tree. The builder starts anew with it, even if the user has built the same tree before."""
    st.session_state["build edition"] = _find_edition() + 1
    st.session_state.pop("unfinished tree", None)
    _set_game(text)


def _find_edition() -> int:
    """Return the number of the tree that was chosen last. The builder sends it with every edit."""
    edition: int = st.session_state.get("build edition", 0)
    return edition


def _set_game(text: str) -> None:
    """Put a tree into the URL."""
    game = _read_game(text)
    if game and (st.query_params.get("game") != game or _built_game()):
        st.session_state.pop("built game", None)
        st.query_params["game"] = game


def _read_game(text: str) -> str:
    """Return the text of a tree for the URL, "" if it is wrong: it comes from a browser and is not trusted."""
    try:
        return page_game_text(read_page_game(text))
    except PlyscopeError:
        return ""


def _find_problem(text: str) -> str:
    """Return why a tree of the builder cannot be searched, "" if it can."""
    try:
        read_page_game(text)
    except PlyscopeError as error:
        return capitalize_first(re.sub(r"^line \d+, column \d+: ", "", str(error))) + "."
    return ""


def _linked_game() -> str:
    return st.query_params.get("game", DEFAULT_GAME)


def _built_game() -> str:
    """Return the tree that the user has built since this link was opened, or "".

    Streamlit goes on to report the link that was opened: it does not see what the builder writes into the URL.
    """
    linked, built = st.session_state.get("built game", ("", ""))
    return built if linked == _linked_game() else ""


def _shown_game() -> str:
    return _built_game() or _linked_game()


def _unfinished_tree() -> tuple[str, str]:
    """Return the tree in the builder and why it cannot be searched, for example probabilities that do not add up to 1.

    Both are "" if it can be searched. Otherwise the URL still has the last tree that could be.
    """
    finished, text, problem = st.session_state.get("unfinished tree", ("", "", ""))
    return (text, problem) if finished == _shown_game() else ("", "")


def _show_actions(question: Question) -> None:
    """Show the buttons that use the tree. They are off while it cannot be searched."""
    _, unfinished = _unfinished_tree()
    with st.container(horizontal=True, vertical_alignment="center"):
        help_text = escape_page_markdown(unfinished) or None
        if (
            st.button("Step through it", icon=":material/footprint:", type="primary", disabled=bool(unfinished), help=help_text)
            and not unfinished
        ):
            redirect_to_step(search_params(question))
        reason = unfinished or why_no_exercise(question.game)
        if (
            st.button(
                "Practise",
                icon=":material/school:",
                disabled=bool(reason),
                help=escape_page_markdown(reason) if reason else "Exercises about this tree",
            )
            and not reason
        ):
            redirect_to_page("learn", {"exercise": "values", **tree_params(question)})


def _show_files() -> None:
    known = _shown_game()
    draft: Any = st.session_state.setdefault("build draft", TreeDraft())
    _, problem = _unfinished_tree()
    if problem:
        st.caption(escape_page_markdown(f"{problem} Files contain the tree before."))
    show_file_controls(known, draft, _replace_game, "build")
