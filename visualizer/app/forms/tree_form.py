"""The part of a form that asks for a tree: written, built by clicking, or from a file."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from engine import PlyscopeError, literal
from engine.games.capabilities import game_size, whole_tree
from engine.games.game_types import Kind
from engine.games.interning import GameSize
from engine.games.tree_formats import EXTENSIONS, FORMATS, Format, read_tree
from engine.games.tree_formats.diagnostics import MAX_BYTES
from engine.games.tree_formats.json_trees import one_line
from engine.games.tree_formats.tree_utils import has_names, number_of_nodes
from visualizer.app.state.large_trees import LONGEST, TreeNotHere, digest_in, game_on_page, is_missing, put_on_page, text_on_page
from visualizer.app.state.uploads import take_upload
from visualizer.narration.escapes import page_markdown
from visualizer.narration.ladder_messages import capital
from visualizer.viewer.tree_builder import MOST_NODES, builder

WRITE, BUILD, FILE = "Write", "Build", "File"
UPLOAD_MB = 5
DOT_NODE, DOT_CHARACTER = 40, 1.25  # bytes for each node, and for each character of the tree as short as it can be; measured


@dataclass
class TreeDraft:
    """What was typed, which stays as it was typed, and what was wrong with a file."""

    typed: str | None = None
    refused: str = ""
    uploads: int = 0  # each gets a new field
    version: int = 0  # of the field with the text: a tree that comes another way gets a new one

    def forget_typed(self) -> None:
        self.typed, self.version = None, self.version + 1


def ask_for_tree(kind: Kind, known: str, draft: TreeDraft, keep: Callable[[str], None], salt: str) -> str:
    """The text of a game of this kind. `known` is the last that could be read; `keep` is told of one that was built or opened."""

    def take(text: str) -> None:
        draft.forget_typed()
        draft.refused = ""
        keep(text)

    way = st.segmented_control("How", [WRITE, BUILD, FILE], default=WRITE, key=f"way {salt}", label_visibility="collapsed")
    if way == BUILD:
        _build(known, take, salt)
    elif way == FILE:
        _open_and_save(known, draft, take, salt)
    elif (typed := _write(kind, known, draft, salt)) is not None:
        return f"{known.partition(':')[0]}:{typed}"
    return known


def say_if_kept(text: str, draft: TreeDraft) -> None:
    """Where a tree is that is too long for a link. It is not written into the field again."""
    if digest_in(text):
        if draft.typed is not None:
            draft.forget_typed()
        size = game_size(game_on_page(text))
        assert size is not None  # noqa: S101 - only such are kept
        st.caption(
            f":material/memory: This tree of {size.nodes:,} nodes has {size.characters:,} characters; links hold "
            f"{LONGEST:,}. The server keeps it while it is used: whoever has the link sees it. "
            "Save it as a file (*File*) to have it later."
        )


def _write(kind: Kind, known: str, draft: TreeDraft, salt: str) -> str | None:
    """What is typed. A tree that is too long to be shown stays until another is typed: None."""
    asked = kind.rest
    assert asked is not None  # noqa: S101 - only such kinds are asked for here
    is_long = bool(digest_in(known)) or len(known) > LONGEST
    key = f"tree {salt} {draft.version}"
    if key not in st.session_state:  # nor while something else was shown here
        st.session_state[key] = draft.typed if draft.typed is not None else "" if is_long else known.partition(":")[2]
    typed: str = st.text_area(asked.label, key=key, help=asked.help)
    draft.typed = None if is_long and not typed.strip() else typed
    return None if draft.typed is None else typed.strip()


def _build(known: str, take: Callable[[str], None], salt: str) -> None:
    tree = whole_tree(game_on_page(known))
    if tree is None or number_of_nodes(tree.tree) > MOST_NODES:
        st.caption(f"A tree to build has {MOST_NODES} nodes at most: write larger ones, or open a file.")
        return
    prefix = known.partition(":")[0]
    builder(one_line(tree.tree), tree.first == "max", f"build {salt}", lambda text: take(f"{prefix}:{text}"))


def _open_and_save(known: str, draft: TreeDraft, take: Callable[[str], None], salt: str) -> None:
    tree = whole_tree(game_on_page(known))
    if tree is None:
        return
    _ask_for_file(tree.first or "max", draft, lambda game: take(text_on_page(game)), salt)
    st.caption(page_markdown(f"Save the tree of {number_of_nodes(tree.tree):,} nodes:"))
    say_if_too_long_as_dot(game_size(game_on_page(known)))
    named = has_names(tree.tree)
    with st.container(horizontal=True):
        for form in FORMATS.values():
            if form.names or not named:
                st.download_button(
                    f"{form.label} ({form.extension})",
                    partial(_written, known, form),
                    f"tree{form.extension}",
                    form.media_type,
                    on_click="ignore",
                    key=f"save {form.extension} {salt}",
                )


def say_if_too_long_as_dot(size: GameSize | None) -> None:
    """Of all formats DOT takes most."""
    most = 0 if size is None else DOT_NODE * size.nodes + DOT_CHARACTER * size.characters
    if most > MAX_BYTES:
        st.caption(
            f"As DOT it takes about {most / 1e6:.0f} MB, and files of up to {MAX_BYTES / 1e6:.0f} MB are opened here: other "
            "programs can read that, Plyscope the other formats."
        )


def _written(known: str, form: Format) -> str:
    """A tree as a file, when it is asked for."""
    tree = whole_tree(game_on_page(known))
    return form.write(tree.tree, tree.first or "max") if tree is not None else ""


def _ask_for_file(first: str, draft: TreeDraft, take: Callable[[Any], None], salt: str) -> None:
    """A field for a file; `take` is told of the game in it. `first` moves at the root unless the file says who does."""
    key = f"upload {salt} {draft.uploads}"

    def opened() -> None:
        upload = take_upload(key)
        if upload is None:
            return
        data, name = upload
        draft.uploads += 1
        try:
            read = read_tree(data)
            take(put_on_page(literal(read.tree, read.first or first)))
            draft.refused = ""
        except PlyscopeError as error:
            draft.refused = f"{name[:60]}: {error}"

    st.file_uploader(
        "A file with a tree: nested lists, indented text, JSON or DOT",
        type=[extension[1:] for extension in EXTENSIONS],
        key=key,
        max_upload_size=UPLOAD_MB,
        on_change=opened,
    )
    if draft.refused:
        st.error(page_markdown(draft.refused))


def ask_for_missing_tree() -> None:
    """If the address wants a tree that this server does not have: say so, ask for its file, and end the page."""
    wanted = st.query_params.get("game", "")
    if not is_missing(wanted):
        return

    def found(game: Any) -> None:
        if text_on_page(game) != wanted:
            st.query_params.from_dict({"game": text_on_page(game)})

    st.warning(page_markdown(capital(str(TreeNotHere())) + "."), icon=":material/link_off:")
    draft = st.session_state.setdefault("missing tree", TreeDraft())
    _ask_for_file("min" if wanted.startswith("tree-min:") else "max", draft, found, "missing")
    st.button("Go on without it", icon=":material/arrow_forward:", on_click=st.query_params.clear)
    st.stop()
