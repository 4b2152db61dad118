"""The part of a form that asks for a game: its type, then its options. Options that are still possible survive a change."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

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

FIRST_FIELD_WIDTH = 1.09  # of a row, beside the others: names of evaluations are longer than those of orders
MAX_DRAFTS = 20


@dataclass
class GameDraft:
    """The game that a form is putting together. It is stored beside the widgets: hidden widgets lose their values."""

    kind: str
    games: dict[str, str]  # by type: the last readable game
    options: dict[str, dict[str, Any]] = field(default_factory=dict)  # by type: the last choices
    tree: TreeDraft = field(default_factory=TreeDraft)
    version: int = 0  # of the widget for the type: a tree that is opened or written may have another type


class MoveListing(NamedTuple):
    """The order in which a game lists its moves, as a form asks for it."""

    field: ChoiceField
    choices: list[str]
    chosen: str
    explain: Callable[[str], str]  # says why a typed order is not possible; empty if it is
    choose: Callable[[str], None]


def get_draft(store: str, salt: str, new: Any) -> Any:
    """Return the draft of a form; `new` if the form is new. The most recent forms are remembered."""
    drafts = st.session_state.setdefault(store, {})
    draft = drafts.setdefault(salt, new)
    while len(drafts) > MAX_DRAFTS:
        del drafts[next(iter(drafts))]
    return draft


def ask_for_game(current: str, salt: str, with_order: bool = True) -> str:
    """Ask for a game type and its options. Return the text of the game.

    The order of moves is offered only if it is wanted; `find_move_listing` returns it.
    """
    draft = get_draft("game drafts", salt, GameDraft(game_type_name(current), {game_type_name(current): current}))
    text = _ask_for_game_text(draft, salt, with_order)
    try:
        text = page_game_text(read_page_game(text))
        draft.games[draft.kind] = text
        warn_if_too_long_for_link(text, draft.tree)
    except PlyscopeError:  # try_read_game shows the error
        pass
    return text


def find_move_listing(salt: str) -> MoveListing | None:
    """Return the order of moves of the game that a form has asked for; None if the game has one order only."""
    draft: GameDraft = st.session_state["game drafts"][salt]
    kind = GAME_TYPES[draft.kind]
    field = next((one for one in kind.fields if isinstance(one, ChoiceField) and one.orders_moves), None)
    if field is None or draft.kind not in draft.options:
        return None
    options = draft.options[draft.kind]

    def explain(typed: str) -> str:
        try:
            read_page_game(kind.write({**options, field.name: typed}))
        except PlyscopeError as error:
            return str(error)
        return ""

    def choose(order: str) -> None:
        options[field.name] = order

    return MoveListing(field, field.allowed_choices(options), _find_fitting_choice(field, options, options), explain, choose)


def try_read_game(text: str) -> Any:
    """Return the game of a text; None, with an error message, if it cannot be read."""
    try:
        return read_page_game(text)
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)))
        return None


def _ask_for_game_text(draft: GameDraft, salt: str, with_order: bool) -> str:
    _sync_game_type(draft)
    names = list(GAME_TYPES)
    key = f"kind {salt} {draft.version}"
    name = st.selectbox("Game", names, index=names.index(draft.kind), format_func=_format_game_type, key=key)
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
    return kind.write(_ask_for_options(kind, draft.options[name], f"{salt} {name}", with_order))


def _format_game_type(name: str) -> str:
    """Return the name of a game type in the list. A published program also shows the name of its preset."""
    label = GAME_TYPES[name].label
    return f"{label} ({name})" if GAME_TYPES[name].published else label


def _sync_game_type(draft: GameDraft) -> None:
    """Change the game type if the text of the game names another one: a tree says who moves first."""
    text, rest = draft.games[draft.kind], GAME_TYPES[draft.kind].rest
    if rest is not None and rest.is_tree and (named_type := game_type_name(text)) != draft.kind:
        del draft.games[draft.kind]
        draft.kind, draft.games[named_type] = named_type, text
        draft.version += 1


def _format_sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."


def _ask_for_options(kind: GameType, wanted: dict[str, Any], salt: str, with_order: bool) -> dict[str, Any]:
    """Return the options chosen now. `wanted` has those chosen last, and is updated where the choice is possible."""
    chosen: dict[str, Any] = {}
    fields = {name: kind.find_field(name) for row in kind.form for name in row}
    hidden = {name: one for name, one in fields.items() if isinstance(one, ChoiceField) and one.orders_moves and not with_order}
    for row in filter(None, ([name for name in names if name not in hidden] for names in kind.form)):
        widths = [FIRST_FIELD_WIDTH, *[1.0] * (len(row) - 1)]
        for name, place in zip(row, st.columns(widths), strict=True):
            field, before = kind.find_field(name), wanted[name]
            with place:
                if isinstance(field, NumberField):
                    chosen[name] = _ask_for_number(field, wanted, chosen, salt)
                else:
                    chosen[name] = _ask_for_choice(field, wanted, chosen, salt)
            _sync_following_numbers(kind, wanted, name, before)
        for field in map(kind.find_field, row):
            if isinstance(field, ChoiceField) and field.below and field.lines:
                st.caption(escape_page_markdown(_format_sentence(field.lines[chosen[field.name]])))
    for name, one in hidden.items():
        chosen[name] = _find_fitting_choice(one, wanted, chosen)
        if chosen[name] != wanted[name]:
            show_lost_notice(one.lost.format(value=wanted[name]))
    return chosen


def _sync_following_numbers(kind: GameType, wanted: dict[str, Any], name: str, before: int) -> None:
    """Update the numbers that follow this one: they are equal to it until they are chosen themselves."""
    for other in kind.fields:
        if isinstance(other, NumberField) and other.follows == name and wanted[other.name] == before:
            wanted[other.name] = wanted[name]


def _ask_for_number(field: NumberField, wanted: dict[str, Any], chosen: dict[str, Any], salt: str) -> int:
    """Ask for a number, at most what the other options allow."""
    maximum = field.max_allowed(chosen)
    depends = callable(field.maximum)
    fitting = min(wanted[field.name], maximum) if depends else wanted[field.name]
    key = f"{field.name} {salt} {maximum if depends else ''}"
    number: int = st.number_input(field.label, field.minimum, max(maximum, fitting), fitting, key=key, help=field.help)
    if number == fitting < wanted[field.name]:
        show_lost_notice(field.lost.format(maximum=maximum))
    else:
        wanted[field.name] = number
    return number


def _ask_for_choice(field: ChoiceField, wanted: dict[str, Any], chosen: dict[str, Any], salt: str) -> str:
    """Ask for one of the choices that the other options allow, or a text that fits."""
    listed, before = field.allowed_choices(chosen), wanted[field.name]
    fitting = _find_fitting_choice(field, wanted, chosen)
    shown = listed if fitting in listed else [*listed, fitting]
    lines, titles = {} if field.below or not field.lines else field.lines, field.titles or {}
    answer = st.selectbox(
        field.label,
        shown,
        shown.index(fitting),
        format_func=lambda choice: f"{choice}: {lines[choice]}" if choice in lines else titles.get(choice, choice),
        accept_new_options=field.fits is not None,
        key=f"{field.name} {salt} {listed} {fitting}",
        help=field.help,
    )
    choice = field.usual if answer is None else str(answer)
    if choice == fitting != before:
        show_lost_notice(field.lost.format(value=before))
    elif choice in listed or (field.fits is not None and field.fits(choice, chosen)):
        wanted[field.name] = choice
    return choice


def _find_fitting_choice(field: ChoiceField, wanted: dict[str, Any], chosen: dict[str, Any]) -> str:
    """Return the choice made last if the other options allow it, and the usual one otherwise."""
    before: str = wanted[field.name]
    typed = field.fits is not None and field.fits(before, chosen)
    return before if before in field.allowed_choices(chosen) or typed else field.usual
