"""URL parameters that survive a visit to another page (the menu's links clear them), and the search that pages share.

Step and Compare are two views of one search: each opens with the position last shown on either. Play opens with it too, unless
a game is under way there; then that game stays, and a button offers the search. On Step and Compare a button offers the
position of the game. A URL with parameters of its own is used as it is. The tree of an exercise, which "Show me" opens on Step,
is not shared.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from engine import Question
from engine.games.capabilities import has_single_digit_moves
from engine.games.positions import read_moves
from engine.matches.players import HumanPlayer
from visualizer.app.forms.tree_form import ask_for_missing_tree
from visualizer.app.state.cross_page import (
    UrlParams,
    compare_page_params,
    is_same_position,
    play_page_params,
    question_from_match,
    step_page_params,
)
from visualizer.app.state.frame_mode import frame_params
from visualizer.app.state.notices import format_bad_link
from visualizer.app.state.url_params import (
    MatchParams,
    describe_position,
    read_comparison_params,
    read_match_params,
    read_search_params,
    search_params,
)
from visualizer.narration.escapes import escape_page_markdown


def restore_page(page: str) -> None:
    """Restore what the page showed last, or the position that another page shows since.

    A URL without parameters on the same page is used as it is. The page ends here if it needs a tree that the server does not
    have.
    """
    if not st.query_params and st.session_state.get("page") not in (None, page):
        st.query_params.from_dict(_initial_params(page, st.session_state.get(f"last {page}", {})))
    st.session_state["page"] = page
    ask_for_missing_tree()


def remember_params(page: str, without: tuple[str, ...] = (), changed: UrlParams | None = None) -> None:
    """Remember the URL parameters of the page, `without` those that the browser remembers, with those that it has `changed`."""
    shown = st.query_params.to_dict() | (changed or {})
    st.session_state[f"last {page}"] = {name: text for name, text in shown.items() if name not in without}


def replace_bad_params(page: str, wrong: str, parameters: dict[str, str]) -> None:
    """Replace URL parameters that are wrong by the default ones. Show a warning as long as those are shown."""
    if wrong:
        st.query_params.from_dict(parameters | frame_params())
        st.session_state[f"notice {page}"] = parameters, format_bad_link(wrong)
    noticed, words = st.session_state.get(f"notice {page}", (None, ""))
    if noticed == parameters:
        st.warning(words, icon=":material/link_off:")
    else:
        st.session_state.pop(f"notice {page}", None)


# ---- one search


def share_search(search: Question) -> None:
    """Store the search of Step or Compare for the other pages."""
    st.session_state["search"] = search


def share_game(playing: MatchParams) -> None:
    """Store the game of Play for the other pages."""
    st.session_state["game"] = playing


def offer_game(page: str, shown: Question) -> None:
    """Show a button on Step or Compare that takes the position of the game on Play, if it is another one than `shown`."""
    playing: MatchParams | None = st.session_state.get("game")
    if playing is None or not playing.moves:
        return
    position = question_from_match(playing)
    if not is_same_position(position, shown):
        taken = search_params(position) if page == "step" else compare_page_params(position, st.query_params.to_dict())
        _offer_position("Use the position from Play", position, st.query_params.from_dict, taken)


def offer_search() -> None:
    """Show a button on Play that begins a game at the position of Step and Compare, if this game began elsewhere."""
    search: Question | None = st.session_state.get("search")
    begun: Question | None = st.session_state.get("begun", (None, {}))[0]
    if search is None or any(
        is_same_position(place, search) for place in (begun, question_from_match(st.session_state["game"])) if place
    ):
        return
    if (taken := play_page_params(search)) is not None:
        _offer_position("Play from the position on Step", search, _begin_game, search, taken)


def _offer_position(label: str, position: Question, taken: Callable[..., None], *arguments: Any) -> None:
    words = escape_page_markdown(" · ".join(describe_position(position)))
    st.button(label, icon=":material/input:", type="tertiary", help=words, on_click=taken, args=arguments, key="take")


def _begin_game(search: Question, address: UrlParams) -> None:
    """Begin a game on Play from the position of a search."""
    st.session_state["begun"] = search, address
    st.query_params.from_dict(address)


def _initial_params(page: str, last: UrlParams) -> UrlParams:
    """Return the URL parameters of a page that the menu opens."""
    search: Question | None = st.session_state.get("search")
    if search is None:
        return last
    if page == "step" and not (last and is_same_position(read_search_params(last)[0], search)):
        return step_page_params(search, last)
    if page == "compare" and not (last and is_same_position(read_comparison_params(last)[0].search, search)):
        return compare_page_params(search, last)
    if page == "play" and not _is_game_under_way(last) and (taken := play_page_params(search)) is not None:
        st.session_state["begun"] = search, taken
        return taken
    return last


def _is_game_under_way(last: UrlParams) -> bool:
    """Return True if a person has moved in the game that Play showed last, counted from where we began it."""
    if not last:
        return False
    match = read_match_params(last)[0].match()
    begun = st.session_state.get("begun", (None, {}))[1]
    same = all(begun.get(name, "") == last.get(name, "") for name in ("game", "first", "max", "min"))
    before = len(read_moves(begun.get("moves", ""), has_single_digit_moves(match.game))) if same else 0
    return any(isinstance(replace(match, moves=match.moves[:ply]).player, HumanPlayer) for ply in range(before, len(match.moves)))
