"""The part of a form that asks for a game: its type, then its options. Options that are still possible survive a change."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.games.game_types import ChoiceField, GameType, NumberField
from engine.games.registry import GAME_TYPES
from visualizer.app.forms.form_migration import migrate_game
from visualizer.app.forms.tree_form import TreeDraft, ask_for_tree, warn_if_too_long_for_link
from visualizer.app.state.large_trees import page_game_text, read_page_game
from visualizer.app.state.notices import show_lost_notice
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.glossary import game_type_name

MAX_DRAFTS = 20


@dataclass
class GameDraft:
    """The game that a form is putting together. It is stored beside the widgets: hidden widgets lose their values."""

    kind: str
    games: dict[str, str]  # by kind: the last game that could be read
    options: dict[str, dict[str, Any]] = field(default_factory=dict)  # by kind: what was chosen last
    tree: TreeDraft = field(default_factory=TreeDraft)
    version: int = 0  # of the field with the kind: a tree that is opened or written may be of another


def get_draft(store: str, salt: str, new: Any) -> Any:
    """Return the draft of a form; `new` if the form is new. The most recent forms are remembered."""
    drafts = st.session_state.setdefault(store, {})
    draft = drafts.setdefault(salt, new)
    while len(drafts) > MAX_DRAFTS:
        del drafts[next(iter(drafts))]
    return draft


def ask_for_game(current: str, salt: str) -> str:
    """Ask for a game type and its options. Return the text of the game."""
    draft = get_draft("game drafts", salt, GameDraft(game_type_name(current), {game_type_name(current): current}))
    text = _ask_for_game_text(draft, salt)
    try:
        text = page_game_text(read_page_game(text))
        draft.games[draft.kind] = text
        warn_if_too_long_for_link(text, draft.tree)
    except PlyscopeError:  # what is wrong with it is said where it is read
        pass
    return text


def try_read_game(text: str) -> Any:
    """Return the game of a text; None, with an error message, if it cannot be read."""
    try:
        return read_page_game(text)
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)))
        return None


def _ask_for_game_text(draft: GameDraft, salt: str) -> str:
    _sync_game_type(draft)
    names, key = list(GAME_TYPES), f"kind {salt} {draft.version}"
    name = st.selectbox("Game", names, index=names.index(draft.kind), format_func=lambda name: GAME_TYPES[name].label, key=key)
    if name not in draft.games:
        draft.games[name] = migrate_game(name, draft.games[draft.kind])
    draft.kind, kind = name, GAME_TYPES[name]
    hint = kind.line if kind.hint is None else kind.hint
    if hint:
        st.caption(escape_page_markdown(_format_sentence(hint)))
    if kind.rest is not None and kind.rest.is_tree:
        return ask_for_tree(kind, draft.games[name], draft.tree, lambda text: draft.games.update({name: text}), salt)
    if kind.rest is not None:
        rest = draft.games[name].partition(":")[2]
        return f"{name}:{st.text_input(kind.rest.label, rest, key=f'{name} {salt}', help=kind.rest.help).strip()}"
    if name not in draft.options:
        draft.options[name] = kind.values(read_page_game(draft.games[name]))
    return kind.write(_ask_for_options(kind, draft.options[name], f"{salt} {name}"))


def _sync_game_type(draft: GameDraft) -> None:
    """Change the game type if the text of the game names another one: a tree says who moves first."""
    text, rest = draft.games[draft.kind], GAME_TYPES[draft.kind].rest
    if rest is not None and rest.is_tree and (said := game_type_name(text)) != draft.kind:
        del draft.games[draft.kind]
        draft.kind, draft.games[said] = said, text
        draft.version += 1


def _format_sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."


def _ask_for_options(kind: GameType, wanted: dict[str, Any], salt: str) -> dict[str, Any]:
    """Return the options chosen now. `wanted` has those chosen last, and is updated where the choice is possible."""
    chosen: dict[str, Any] = {}
    for row in kind.form:
        for name, place in zip(row, st.columns(len(row)), strict=True):
            asked, before = kind.find_field(name), wanted[name]
            with place:
                if isinstance(asked, NumberField):
                    chosen[name] = _ask_for_number(asked, wanted, chosen, salt)
                else:
                    chosen[name] = _ask_for_choice(asked, wanted, chosen, salt)
            _sync_following_numbers(kind, wanted, name, before)
        for asked in map(kind.find_field, row):
            if isinstance(asked, ChoiceField) and asked.below and asked.lines:
                st.caption(escape_page_markdown(_format_sentence(asked.lines[chosen[asked.name]])))
    return chosen


def _sync_following_numbers(kind: GameType, wanted: dict[str, Any], name: str, before: int) -> None:
    """Update the numbers that follow this one: they are equal to it until they are chosen themselves."""
    for other in kind.fields:
        if isinstance(other, NumberField) and other.follows == name and wanted[other.name] == before:
            wanted[other.name] = wanted[name]


def _ask_for_number(asked: NumberField, wanted: dict[str, Any], chosen: dict[str, Any], salt: str) -> int:
    """Ask for a number, at most what the other options allow."""
    most = asked.max_allowed(chosen)
    depends = callable(asked.most)
    fitting = min(wanted[asked.name], most) if depends else wanted[asked.name]
    key = f"{asked.name} {salt} {most if depends else ''}"
    number: int = st.number_input(asked.label, asked.least, max(most, fitting), fitting, key=key, help=asked.help)
    if number == fitting < wanted[asked.name]:
        show_lost_notice(asked.lost.format(most=most))
    else:
        wanted[asked.name] = number
    return number


def _ask_for_choice(asked: ChoiceField, wanted: dict[str, Any], chosen: dict[str, Any], salt: str) -> str:
    """Ask for one of the choices that the other options allow, or a text that fits."""
    listed, before = asked.allowed_choices(chosen), wanted[asked.name]
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
        show_lost_notice(asked.lost.format(value=before))
    elif choice in listed or (asked.fits is not None and asked.fits(choice, chosen)):
        wanted[asked.name] = choice
    return choice
