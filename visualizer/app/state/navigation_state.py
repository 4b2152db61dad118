"""Addresses that survive a visit to another page (the links of the menu clear them), and the one search that pages share.

Step and Compare are two views of one search: each opens with the position that was last shown on either. Play opens with it too,
unless a game is under way there; then that game stays, and a button offers the search. On Step and Compare a button offers the
position of the game. An address that says what it wants is meant as it is.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from engine import Question
from engine.games.capabilities import single_digits
from engine.games.positions import read_moves
from engine.matches.players import Human
from visualizer.app.forms.tree_form import ask_for_missing_tree
from visualizer.app.state.cross_page import Address, from_play, same_place, to_compare, to_play, to_step
from visualizer.app.state.notices import fell_back
from visualizer.app.state.url_params import Playing, parameters_of, position_words, read_comparing, read_playing, read_search
from visualizer.narration.escapes import page_markdown


def come_back(page: str) -> None:
    """Restore what the page showed when it was left for another, or what is shown elsewhere since. A bare address on the same
    page is meant as it is. The page ends here if a tree is wanted that the server does not have (any more)."""
    if not st.query_params and st.session_state.get("page") not in (None, page):
        st.query_params.from_dict(_opened(page, st.session_state.get(f"last {page}", {})))
    st.session_state["page"] = page
    ask_for_missing_tree()


def keep_address(page: str, without: tuple[str, ...] = ()) -> None:
    """Remember what the page shows; `without` what the browser remembers better."""
    shown = st.query_params.to_dict()
    st.session_state[f"last {page}"] = {name: text for name, text in shown.items() if name not in without}


def fall_back(page: str, wrong: str, parameters: dict[str, str]) -> None:
    """If something is wrong with the address, show the usual one instead and say so, for as long as that is shown."""
    if wrong:
        st.query_params.from_dict(parameters)
        st.session_state[f"notice {page}"] = parameters, fell_back(wrong)
    noticed, words = st.session_state.get(f"notice {page}", (None, ""))
    if noticed == parameters:
        st.warning(words, icon=":material/link_off:")
    else:
        st.session_state.pop(f"notice {page}", None)


# ---- one search


def share_search(search: Question) -> None:
    """What Step or Compare shows, for the other pages."""
    st.session_state["search"] = search


def share_game(playing: Playing) -> None:
    """What Play shows, for the other pages."""
    st.session_state["game"] = playing


def offer_game(page: str) -> None:
    """On Step and Compare: a button that takes the position of the game on Play, if it is another one."""
    playing: Playing | None = st.session_state.get("game")
    if playing is None or not playing.moves:
        return
    position = from_play(playing)
    if not same_place(position, st.session_state["search"]):
        taken = parameters_of(position) if page == "step" else to_compare(position, st.query_params.to_dict())
        _offer("Take the position on Play", position, st.query_params.from_dict, taken)


def offer_search() -> None:
    """On Play: a button that begins a game where the search on Step and Compare does, if this one began elsewhere."""
    search: Question | None = st.session_state.get("search")
    begun: Question | None = st.session_state.get("begun", (None, {}))[0]
    if search is None or any(same_place(place, search) for place in (begun, from_play(st.session_state["game"])) if place):
        return
    if (taken := to_play(search)) is not None:
        _offer("Play from the search on Step", search, _begin, search, taken)


def _offer(label: str, position: Question, taken: Callable[..., None], *arguments: Any) -> None:
    words = page_markdown(" · ".join(position_words(position)))
    st.button(label, icon=":material/input:", type="tertiary", help=words, on_click=taken, args=arguments, key="take")


def _begin(search: Question, address: Address) -> None:
    """A game on Play from the position of a search."""
    st.session_state["begun"] = search, address
    st.query_params.from_dict(address)


def _opened(page: str, last: Address) -> Address:
    """The address of a page that is opened by the menu."""
    search: Question | None = st.session_state.get("search")
    if search is None:
        return last
    if page == "step" and not (last and same_place(read_search(last)[0], search)):
        return to_step(search, last)
    if page == "compare" and not (last and same_place(read_comparing(last)[0].search, search)):
        return to_compare(search, last)
    if page == "play" and not _under_way(last) and (taken := to_play(search)) is not None:
        st.session_state["begun"] = search, taken
        return taken
    return last


def _under_way(last: Address) -> bool:
    """Whether a person has made a move in the game that Play showed last, or it was not begun by us."""
    if not last:
        return False
    match = read_playing(last)[0].match()
    begun = st.session_state.get("begun", (None, {}))[1]
    same = all(begun.get(name, "") == last.get(name, "") for name in ("game", "first", "max", "min"))
    before = len(read_moves(begun.get("moves", ""), single_digits(match.game))) if same else 0
    return any(isinstance(replace(match, moves=match.moves[:ply]).player, Human) for ply in range(before, len(match.moves)))
