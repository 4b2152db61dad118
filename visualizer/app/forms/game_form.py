"""The part of a form that asks for a game: its kind, then its options. What is still possible survives a change."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.games.game_types import ChoiceField, Kind, NumberField
from engine.games.registry import KINDS
from visualizer.app.forms.form_migration import carried_game
from visualizer.app.forms.tree_form import TreeDraft, ask_for_tree, say_if_kept
from visualizer.app.state.large_trees import game_on_page, text_on_page
from visualizer.app.state.notices import say_lost
from visualizer.narration.escapes import page_markdown
from visualizer.narration.glossary import kind_of_text

KEPT_DRAFTS = 20


@dataclass
class GameDraft:
    """The game that is being put together. It is kept beside the widgets: those that are not shown forget theirs."""

    kind: str
    games: dict[str, str]  # by kind: the last game that could be read
    options: dict[str, dict[str, Any]] = field(default_factory=dict)  # by kind: what was chosen last
    tree: TreeDraft = field(default_factory=TreeDraft)
    version: int = 0  # of the field with the kind: a tree that is opened or written may be of another


def draft_of(store: str, salt: str, new: Any) -> Any:
    """What a form has been told; `new` if it is a new form. The forms used last are remembered."""
    drafts = st.session_state.setdefault(store, {})
    draft = drafts.setdefault(salt, new)
    while len(drafts) > KEPT_DRAFTS:
        del drafts[next(iter(drafts))]
    return draft


def ask_for_game(current: str, salt: str) -> str:
    """A kind of game and its parameters, as the text that this very game has everywhere."""
    draft = draft_of("game drafts", salt, GameDraft(kind_of_text(current), {kind_of_text(current): current}))
    text = _ask_for_text(draft, salt)
    try:
        text = text_on_page(game_on_page(text))
        draft.games[draft.kind] = text
        say_if_kept(text, draft.tree)
    except PlyscopeError:  # what is wrong with it is said where it is read
        pass
    return text


def readable(text: str) -> Any:
    """The game, or None after saying what is wrong with it."""
    try:
        return game_on_page(text)
    except PlyscopeError as error:
        st.error(page_markdown(str(error)))
        return None


def _ask_for_text(draft: GameDraft, salt: str) -> str:
    _follow_text(draft)
    names, key = list(KINDS), f"kind {salt} {draft.version}"
    name = st.selectbox("Game", names, index=names.index(draft.kind), format_func=lambda name: KINDS[name].label, key=key)
    if name not in draft.games:
        draft.games[name] = carried_game(name, draft.games[draft.kind])
    draft.kind, kind = name, KINDS[name]
    hint = kind.line if kind.hint is None else kind.hint
    if hint:
        st.caption(page_markdown(_sentence(hint)))
    if kind.rest is not None and kind.rest.is_tree:
        return ask_for_tree(kind, draft.games[name], draft.tree, lambda text: draft.games.update({name: text}), salt)
    if kind.rest is not None:
        rest = draft.games[name].partition(":")[2]
        return f"{name}:{st.text_input(kind.rest.label, rest, key=f'{name} {salt}', help=kind.rest.help).strip()}"
    if name not in draft.options:
        draft.options[name] = kind.values(game_on_page(draft.games[name]))
    return kind.write(_ask_for_options(kind, draft.options[name], f"{salt} {name}"))


def _follow_text(draft: GameDraft) -> None:
    """The text of a game may say that it is of another kind than was chosen: a tree says who moves first."""
    text = draft.games[draft.kind]
    if (said := kind_of_text(text)) != draft.kind:
        del draft.games[draft.kind]
        draft.kind, draft.games[said] = said, text
        draft.version += 1


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."


def _ask_for_options(kind: Kind, wanted: dict[str, Any], salt: str) -> dict[str, Any]:
    """What is chosen now. `wanted` is what was chosen last, and learns it where it is possible."""
    chosen: dict[str, Any] = {}
    for row in kind.form:
        for name, place in zip(row, st.columns(len(row)), strict=True):
            asked, before = kind.field(name), wanted[name]
            with place:
                if isinstance(asked, NumberField):
                    chosen[name] = _ask_for_number(asked, wanted, chosen, salt)
                else:
                    chosen[name] = _ask_for_choice(asked, wanted, chosen, salt)
            _follow(kind, wanted, name, before)
        for asked in map(kind.field, row):
            if isinstance(asked, ChoiceField) and asked.below and asked.lines:
                st.caption(page_markdown(_sentence(asked.lines[chosen[asked.name]])))
    return chosen


def _follow(kind: Kind, wanted: dict[str, Any], name: str, before: int) -> None:
    """Numbers that are equal to this one until they are chosen by themselves."""
    for other in kind.fields:
        if isinstance(other, NumberField) and other.follows == name and wanted[other.name] == before:
            wanted[other.name] = wanted[name]


def _ask_for_number(asked: NumberField, wanted: dict[str, Any], chosen: dict[str, Any], salt: str) -> int:
    """A number, never more than is possible with what else has been chosen."""
    most = asked.most_with(chosen)
    depends = callable(asked.most)
    fitting = min(wanted[asked.name], most) if depends else wanted[asked.name]
    key = f"{asked.name} {salt} {most if depends else ''}"
    number: int = st.number_input(asked.label, asked.least, max(most, fitting), fitting, key=key, help=asked.help)
    if number == fitting < wanted[asked.name]:
        say_lost(asked.lost.format(most=most))
    else:
        wanted[asked.name] = number
    return number


def _ask_for_choice(asked: ChoiceField, wanted: dict[str, Any], chosen: dict[str, Any], salt: str) -> str:
    """One of what is possible with what else has been chosen, or a text that fits."""
    listed, before = asked.choices_with(chosen), wanted[asked.name]
    typed = asked.fits is not None and asked.fits(before, chosen)
    fitting = before if before in listed or typed else asked.usual
    shown = listed if fitting in listed else [*listed, fitting]
    lines = {} if asked.below or not asked.lines else asked.lines
    answer = st.selectbox(
        asked.label,
        shown,
        shown.index(fitting),
        format_func=lambda choice: f"{choice}: {lines[choice]}" if choice in lines else choice,
        accept_new_options=asked.fits is not None,
        key=f"{asked.name} {salt} {listed} {fitting}",
        help=asked.help,
    )
    choice = asked.usual if answer is None else str(answer)
    if choice == fitting != before:
        say_lost(asked.lost.format(value=before))
    elif choice in listed or (asked.fits is not None and asked.fits(choice, chosen)):
        wanted[asked.name] = choice
    return choice
