"""The part of a form that asks for a tree: written, built by clicking, or from a file."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from engine import PlyscopeError, literal
from engine.games.declarations import whole_tree
from engine.games.kinds import Kind
from engine.games.registry import game_text, read_game
from engine.games.tree_texts import EXTENSIONS, FORMATS, read_tree
from engine.games.tree_texts.json_trees import one_line
from engine.games.tree_texts.shapes import has_names, number_of_nodes
from visualizer.text.escapes import page_markdown
from visualizer.viewer.tree_builder import MOST_NODES, builder

WRITE, BUILD, FILE = "Write", "Build", "File"
UPLOAD_MB = 5


@dataclass
class TreeDraft:
    """What was typed, which stays as it was typed, and what was wrong with a file."""

    typed: str | None = None
    refused: str = ""
    uploads: int = 0  # each gets a new field


def ask_for_tree(kind: Kind, known: str, draft: TreeDraft, keep: Callable[[str], None], salt: str) -> str:
    """The text of a game of this kind. `known` is the last that could be read; `keep` is told of one that was built or opened."""

    def take(text: str) -> None:
        draft.typed, draft.refused = None, ""
        keep(text)

    way = st.segmented_control("How", [WRITE, BUILD, FILE], default=WRITE, key=f"way {salt}", label_visibility="collapsed")
    if way == BUILD:
        _build(known, take, salt)
    elif way == FILE:
        _open_and_save(known, draft, take, salt)
    else:
        return f"{known.partition(':')[0]}:{_write(kind, known, draft, salt)}"
    return known


def _write(kind: Kind, known: str, draft: TreeDraft, salt: str) -> str:
    asked = kind.rest
    assert asked is not None  # noqa: S101 - only such kinds are asked for here
    shown = known.partition(":")[2] if draft.typed is None else draft.typed
    draft.typed = st.text_area(asked.label, shown, key=f"tree {salt} {hash(shown)}", help=asked.help)
    return draft.typed.strip()


def _build(known: str, take: Callable[[str], None], salt: str) -> None:
    tree = whole_tree(read_game(known))
    if tree is None or number_of_nodes(tree.tree) > MOST_NODES:
        st.caption(f"A tree to build has {MOST_NODES} nodes at most: write larger ones, or open a file.")
        return
    prefix = known.partition(":")[0]
    builder(one_line(tree.tree), tree.first == "max", f"build {salt}", lambda text: take(f"{prefix}:{text}"))


def _open_and_save(known: str, draft: TreeDraft, take: Callable[[str], None], salt: str) -> None:
    tree = whole_tree(read_game(known))
    if tree is None:
        return
    key, first = f"upload {salt} {draft.uploads}", tree.first or "max"

    def opened() -> None:
        given = st.session_state[key]
        if given is None:
            return
        draft.uploads += 1
        try:
            read = read_tree(given.getvalue())
            take(game_text(literal(read.tree, read.first or first)))
        except PlyscopeError as error:
            draft.refused = f"{given.name[:60]}: {error}"

    st.file_uploader(
        "A file with a tree: nested lists, indented text, JSON or DOT",
        type=[extension[1:] for extension in EXTENSIONS],
        key=key,
        max_upload_size=UPLOAD_MB,
        on_change=opened,
    )
    if draft.refused:
        st.error(page_markdown(draft.refused))
    st.caption(page_markdown(f"Save the tree of {number_of_nodes(tree.tree):,} nodes:"))
    with st.container(horizontal=True):
        for form in FORMATS.values():
            if form.names or not has_names(tree.tree):
                st.download_button(
                    f"{form.label} ({form.extension})",
                    form.write(tree.tree, first),
                    f"tree{form.extension}",
                    form.media_type,
                    on_click="ignore",
                    key=f"save {form.extension} {salt}",
                )
