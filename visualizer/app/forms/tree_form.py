"""The part of a form that asks for a tree: written, from a file, or built on the page Build."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.core.file_names import make_file_name
from engine.games.capabilities import game_size, whole_tree
from engine.games.game_types import GameType
from engine.games.interning import GameSize
from engine.games.registry import read_tree_file
from engine.games.tree_formats import EXTENSIONS, FORMATS, Format
from engine.games.tree_formats.diagnostics import MAX_BYTES
from engine.games.tree_formats.tree_utils import count_nodes, has_names
from visualizer.app.state.large_trees import (
    MAX_LINK_CHARS,
    MissingTree,
    is_tree_missing,
    page_game_text,
    read_page_game,
    store_if_large,
    tree_digest,
)
from visualizer.app.state.uploads import take_upload
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.viewer.page_redirect import redirect_to_page
from visualizer.viewer.tree_builder import MAX_BUILDER_NODES

WRITE, FILE = "Write", "File"
BUILD_ICON = ":material/account_tree:"
MAX_UPLOAD_MB = 5
DOT_NODE_BYTES, DOT_CHARACTER_BYTES = (
    40,
    1.25,
)  # bytes per node, and per character of the shortest text of the tree; measured


@dataclass
class TreeDraft:
    """The typed text, unchanged, and the error message of a file."""

    typed: str | None = None
    refused: str = ""
    uploads: int = 0  # each upload gets a new widget
    version: int = 0  # of the text widget: a tree from elsewhere needs a new one

    def forget_typed(self) -> None:
        self.typed, self.version = None, self.version + 1


def ask_for_tree(kind: GameType, known: str, draft: TreeDraft, keep: Callable[[str], None], salt: str) -> str:
    """Return the text of a game of this type. `known` is the last readable one. `keep` receives one that was built or opened."""

    def use_text(text: str) -> None:
        draft.forget_typed()
        draft.refused = ""
        keep(text)

    with st.container(horizontal=True, vertical_alignment="center"):
        way = st.segmented_control("How", [WRITE, FILE], default=WRITE, key=f"way {salt}", label_visibility="collapsed")
        _offer_builder(known, salt)
    if way == FILE:
        show_file_controls(known, draft, use_text, salt)
    elif (typed := _ask_for_tree_text(kind, known, draft, salt)) is not None:
        return f"{known.partition(':')[0]}:{typed}"
    return known


def warn_if_too_long_for_link(text: str, draft: TreeDraft) -> None:
    """Say that the server stores a tree that is too long for a link. It is not written into the field again."""
    if tree_digest(text):
        if draft.typed is not None:
            draft.forget_typed()
        size = game_size(read_page_game(text))
        assert size is not None  # noqa: S101 - only such trees are stored
        st.caption(
            f":material/memory: This tree of {size.nodes:,} nodes has {size.characters:,} characters, and links hold "
            f"{MAX_LINK_CHARS:,}. The server stores it while it is in use. Everybody who has the link can see it. "
            "Save it as a file (*File*) to keep it."
        )


def _ask_for_tree_text(kind: GameType, known: str, draft: TreeDraft, salt: str) -> str | None:
    """Return the typed text. Return None for a tree that is too long to be shown, until another one is typed."""
    field = kind.rest
    assert field is not None  # noqa: S101 - only called for such types
    is_long = bool(tree_digest(known)) or len(known) > MAX_LINK_CHARS
    key = f"tree {salt} {draft.version}"
    if key not in st.session_state:  # hidden widgets lose their values
        st.session_state[key] = draft.typed if draft.typed is not None else "" if is_long else known.partition(":")[2]
    typed: str = st.text_area(field.label, key=key, help=field.help)
    draft.typed = None if is_long and not typed.strip() else typed
    return None if draft.typed is None else typed.strip()


def _offer_builder(known: str, salt: str) -> None:
    """Show a button that opens the tree on the page Build."""
    is_small = can_be_built(read_page_game(known))
    help_text = "Opens the tree builder" if is_small else f"The builder takes trees of up to {MAX_BUILDER_NODES} numbers"
    if st.button("Build", icon=BUILD_ICON, help=help_text, disabled=not is_small, key=f"build {salt}"):
        redirect_to_page("build", {"game": known})


def can_be_built(game: Any) -> bool:
    """Return True if the builder takes this game: a tree that is not too large."""
    tree = whole_tree(game)
    return tree is not None and count_nodes(tree.tree) <= MAX_BUILDER_NODES


def show_file_controls(known: str, draft: TreeDraft, take: Callable[[str], None], salt: str) -> None:
    """Show a field to open a file, and buttons to save the tree. `take` receives the text of an opened tree."""
    tree = whole_tree(read_page_game(known))
    first = "max" if tree is None else tree.first or "max"
    _ask_for_file(first, draft, lambda game: take(page_game_text(game)), salt)
    if tree is None:
        return
    st.caption(escape_page_markdown(f"Save the tree of {count_nodes(tree.tree):,} nodes:"))
    warn_if_too_long_as_dot(game_size(read_page_game(known)))
    named = has_names(tree.tree)
    with st.container(horizontal=True):
        for form in FORMATS.values():
            if form.names or not named:
                st.download_button(
                    f"{form.label} ({form.extension})",
                    partial(_write_tree, known, form),
                    make_file_name(["tree", f"{count_nodes(tree.tree)}nodes"], form.extension),
                    form.media_type,
                    on_click="ignore",
                    key=f"save {form.extension} {salt}",
                )


def warn_if_too_long_as_dot(size: GameSize | None) -> None:
    """Warn if the tree as DOT is larger than the files that can be opened. DOT is the longest format."""
    dot_bytes = 0 if size is None else DOT_NODE_BYTES * size.nodes + DOT_CHARACTER_BYTES * size.characters
    if dot_bytes > MAX_BYTES:
        st.caption(
            f"As DOT it takes about {dot_bytes / 1e6:.0f} MB, and Plyscope opens files of up to {MAX_BYTES / 1e6:.0f} MB. "
            "To open it here again, save it in another format."
        )


def _write_tree(known: str, form: Format) -> str:
    """Return a tree as the content of a file. Called when the file is asked for."""
    tree = whole_tree(read_page_game(known))
    return form.write(tree.tree, tree.first or "max") if tree is not None else ""


def _ask_for_file(first: str, draft: TreeDraft, take: Callable[[Any], None], salt: str) -> None:
    """Show a field for a file. `take` receives the game in it. `first` moves at the root unless the file says who does."""
    key = f"upload {salt} {draft.uploads}"

    def open_file() -> None:
        upload = take_upload(key)
        if upload is None:
            return
        data, name = upload
        draft.uploads += 1
        try:
            take(_check_link_length(store_if_large(read_tree_file(data, first))))
            draft.refused = ""
        except PlyscopeError as error:
            draft.refused = f"{name[:60]}: {error}"

    st.file_uploader(
        "A file with a tree: nested lists, indented text, JSON, DOT or .test of CS188",
        type=[extension[1:] for extension in EXTENSIONS],
        key=key,
        max_upload_size=MAX_UPLOAD_MB,
        on_change=open_file,
    )
    if draft.refused:
        st.error(escape_page_markdown(draft.refused))


def _check_link_length(game: Any) -> Any:
    """Return the game. Raise PlyscopeError if its text is too long for a link and the server does not store it."""
    length = len(page_game_text(game))
    if length > MAX_LINK_CHARS:
        raise PlyscopeError(f"its text has {length:,} characters, and a page takes {MAX_LINK_CHARS:,}: use `plyscope search`")
    return game


def ask_for_missing_tree() -> None:
    """If the URL names a tree that this server does not have, say so, ask for its file, and end the page."""
    wanted = st.query_params.get("game", "")
    if not is_tree_missing(wanted):
        return

    def use_game(game: Any) -> None:
        if page_game_text(game) != wanted:
            st.query_params.from_dict({"game": page_game_text(game)})

    st.warning(escape_page_markdown(capitalize_first(str(MissingTree())) + "."), icon=":material/link_off:")
    draft = st.session_state.setdefault("missing tree", TreeDraft())
    _ask_for_file("min" if wanted.startswith("tree-min:") else "max", draft, use_game, "missing")
    st.button("Continue without it", icon=":material/arrow_forward:", on_click=st.query_params.clear)
    st.stop()
