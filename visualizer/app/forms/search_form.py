"""The form that asks for a search, shared by the pages. Whatever still makes sense survives every change in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from engine import PlyscopeError, Question
from engine.algorithms import ALGORITHMS
from engine.core.parsing import plies
from engine.games.capabilities import default_depth, how_to_type, single_digits
from engine.games.positions import names_of_moves, read_moves, read_position, write_moves
from visualizer.app.forms.form_migration import Carried, carried_depths, carried_moves
from visualizer.app.forms.game_form import ask_for_game, draft_of, readable
from visualizer.app.forms.option_form import ask_for_options
from visualizer.app.forms.variant_form import ask_for_contenders, expected_wait
from visualizer.app.state.background_search import expected_nodes, searched_most
from visualizer.app.state.large_trees import game_on_page, text_on_page
from visualizer.app.state.notices import say_lost
from visualizer.app.state.url_params import (
    MOST_REPEATS,
    Comparing,
    key_of,
    parameters_of,
    read_comparing,
    read_search,
    usual_depths,
)
from visualizer.narration.escapes import page_markdown
from visualizer.narration.ladder_messages import capital
from visualizer.narration.move_text import spoken_moves
from visualizer.pool.work_types import DOUBT
from visualizer.viewer.board_picker import picker

FIRST_NAMES = {"": "as usual", "max": "MAX", "min": "MIN"}
FIRST_HELP = "As usual: MAX; in the presets whose computer is MAX, the side that makes it MAX's turn now."


class Wish(NamedTuple):
    """A text that the user chose, and the game it was meant for."""

    game: str
    text: str


class Expectation(NamedTuple):
    """A line about the search to come; one that is not final is refined while it is shown."""

    words: str
    is_final: bool = True


@dataclass
class Draft:
    """What the form has been told. It is kept beside the widgets: those that are not shown forget theirs."""

    game: str  # the last one that could be read
    moves: Wish
    depths: Wish
    options: dict[str, Any]
    version: int = 0  # of the field with the moves: the board changes them too


def ask_for_search(question: Question, asked: Callable[[Question], None]) -> None:
    """The widgets; `asked` is called with the question that the user wants."""
    chosen = _form(
        key_of(question),
        question,
        plies(question.depth),
        lambda game: plies(default_depth(game)),
        lambda *form: _ask_how(question, *form),
        read_search,
        "Search",
        _nodes_to_expect,
    )
    if chosen is not None:
        asked(chosen)


def ask_for_comparison(comparing: Comparing, asked: Callable[[Comparing], None]) -> None:
    """The same for a comparison."""
    chosen = _form(
        comparing.key,
        comparing.search,
        comparing.depths,
        usual_depths,
        lambda *form: _ask_how_deep(comparing, *form),
        read_comparing,
        "Compare",
        lambda wanted: Expectation(expected_wait(wanted)),
    )
    if chosen is not None:
        asked(chosen)


def _form(
    salt: str,
    question: Question,
    depths: str,
    usual: Callable[[Any], str],
    how: Callable[[str, str, Callable[[str], None]], dict[str, str]],
    read: Callable[[Mapping[str, str]], tuple[Any, str]],
    label: str,
    expect: Callable[[Any], Expectation],
) -> Any:
    """Game and position on a board, what else changes a search, and what `how` asks for, as parts of an address; `read` turns
    them into what is wanted. That is returned when the button is pressed. `depths` are those of the current question, `usual`
    those of a game. `salt` names the question: new widgets for a new one, or old choices would come back."""
    game = text_on_page(question.game)
    new = Draft(game, Wish(game, question.position_text or ""), Wish(game, depths), question.options)
    draft = draft_of("drafts", salt, new)
    with st.container(key="ask"):
        left, right = st.columns([1, 1], gap="medium")
        with left:
            text = ask_for_game(game, salt)
            known = readable(text) is not None
            draft.game = text = text if known else draft.game
            played = game_on_page(text)
            moves = _carried_moves(draft, played)
            wished = _carried_depths(draft, played, moves.text, usual(played))
            rest = how(wished.text, f"{salt} {text}", lambda typed: _wish_depths(draft, text, typed))
            say_lost(wished.lost)
            wanted = _ask_for_rules(question.replace(algorithm=rest.get("algorithm", question.algorithm)), draft, played, salt)
            wrong = read({**parameters_of(wanted), **rest, "moves": ""})[1]
            if wrong:
                st.error(page_markdown(wrong))
        with right:
            wanted = ask_for_position(wanted, draft, played, f"{salt} {text}", moves)
            checked, unplayable = read({**parameters_of(wanted), **rest})
            ready = known and not wrong and not unplayable  # what is wrong with the moves stands beside the board
            with st.container(horizontal=True, vertical_alignment="center"):
                pressed = st.button(label, type="primary", disabled=not ready, key=f"{label} {salt}")
                if ready:
                    _say_what_to_expect(checked, expect)
    return checked if pressed and ready else None


def _carried_moves(draft: Draft, played: Any) -> Carried:
    if draft.moves.game == draft.game:
        return Carried(draft.moves.text)
    return carried_moves(draft.moves.text, game_on_page(draft.moves.game), played)


def _carried_depths(draft: Draft, played: Any, moves: str, usual: str) -> Carried:
    if draft.depths.game == draft.game:
        return Carried(draft.depths.text)
    return carried_depths(draft.depths.text, game_on_page(draft.depths.game), played, moves, usual)


def _wish_depths(draft: Draft, game: str, typed: str) -> None:
    draft.depths = Wish(game, typed.strip().lower())


def _ask_how(question: Question, depth: str, salt: str, typed: Callable[[str], None]) -> dict[str, str]:
    """Algorithm and depth."""
    left, right = st.columns(2)
    algorithm = left.selectbox(
        "Algorithm",
        ALGORITHMS,
        index=list(ALGORITHMS).index(question.algorithm),
        format_func=lambda name: ALGORITHMS[name].title,
        key=f"algorithm {key_of(question)}",
    )
    key = f"K {salt}"
    words = (
        "K: how many moves (plies) the search looks ahead. 0 evaluates the position itself; end searches to the end of the game."
    )
    plies = right.text_input("K", depth, key=key, on_change=lambda: typed(st.session_state[key]), help=words)
    st.caption(f"{capital(ALGORITHMS[algorithm].title)}: {ALGORITHMS[algorithm].line}. K: plies to look ahead, or end.")
    return {"algorithm": algorithm, "depth": plies.strip().lower() or "nothing"}


def _ask_how_deep(comparing: Comparing, depths: str, salt: str, typed: Callable[[str], None]) -> dict[str, str]:
    """Depths, how often each search is timed, and what is compared."""
    left, right = st.columns(2)
    key = f"depths {salt}"
    words = "Every K that is compared: 1-6, or 2,4,6; trees of numbers: end"
    chosen = left.text_input("Depths K", depths, key=key, on_change=lambda: typed(st.session_state[key]), help=words)
    words = "Each search is run so many times; the median of the times is shown"
    repeat = right.number_input("Timed runs", 1, MOST_REPEATS, comparing.repeat, key=f"repeat {comparing.key}", help=words)
    return {"depths": chosen.strip().lower(), "repeat": str(repeat), "algorithms": ask_for_contenders(comparing)}


def _ask_for_rules(question: Question, draft: Draft, played: Any, salt: str) -> Question:
    """Who moved first, and the options of the algorithm."""
    sides = list(FIRST_NAMES)
    first = st.segmented_control(
        "Who moved first",
        sides,
        default=question.first or "",
        format_func=FIRST_NAMES.__getitem__,
        key=f"first {salt}",
        help=FIRST_HELP,
    )
    options = ask_for_options([question.algorithm], draft.options, played, salt)
    return question.replace(game=played, position=None, first=first or None, **options)


def ask_for_position(question: Question, draft: Draft, played: Any, salt: str, moves: Carried) -> Question:
    """The moves so far: typed, or made on the board."""
    state = before = None
    listed = _listed(moves.text, played)
    made = listed or []
    try:
        state = read_position(played, moves.text or None, question.first)
        if made:
            last = write_moves(made[:-1], single_digits(played))
            before = read_position(played, last, question.first)
    except PlyscopeError as error:
        st.error(page_markdown(str(error)))
        made = []

    def change(moves: list[int]) -> None:
        draft.moves = Wish(draft.game, write_moves(moves, single_digits(played)))
        draft.version += 1

    def typed() -> None:
        draft.moves = Wish(draft.game, _normal(st.session_state[key], played))

    if state is not None:
        with st.container(key="position"):
            picker(
                played, state, f"board {salt}", lambda move: change([*made, move]), ply=len(made), before=before,
                locked=listed is None,
            )  # fmt: skip
    say_lost(moves.lost)
    key = f"moves {salt} {draft.version}"  # a new widget when the board has changed the moves
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Moves so far", _with_commas(moves.text, played), key=key, on_change=typed, help=how_to_type(played))
        st.button("Undo", icon=":material/undo:", on_click=change, args=(made[:-1],), disabled=not made, key=f"undo {salt}")
    if names_of_moves(played, made) != list(map(str, made)):
        st.caption(page_markdown(spoken_moves(played, moves.text)))
    return question.replace(position=moves.text or None)


def _listed(text: str, played: Any) -> list[int] | None:
    """The moves of a position; None if it is no list of moves."""
    try:
        return read_moves(text, single_digits(played))
    except PlyscopeError:
        return None


def _normal(typed: str, played: Any) -> str:
    """The moves as an address writes them; what cannot be read stays as it is, and is told."""
    listed = _listed(typed, played)
    return typed.strip() if listed is None else write_moves(listed, single_digits(played))


def _with_commas(moves: str, played: Any) -> str:
    listed = _listed(moves, played)
    return moves if listed is None else ", ".join(map(str, listed))


def _say_what_to_expect(wanted: Any, expect: Callable[[Any], Expectation]) -> None:
    try:
        expected = expect(wanted)
    except PlyscopeError as error:
        st.caption(f":material/error: {page_markdown(str(error))}")
        return
    if expected.is_final:
        st.caption(expected.words)
    else:
        _refine_what_to_expect(wanted, expect)


@st.fragment(run_every=1.0)
def _refine_what_to_expect(wanted: Any, expect: Callable[[Any], Expectation]) -> None:
    """Only this line runs again while the server counts."""
    expected = expect(wanted)
    st.caption(expected.words if expected.is_final else f"{expected.words}, counting …")


def _nodes_to_expect(question: Question) -> Expectation:
    """Say how large a search will be."""
    expected, is_final = expected_nodes(question)
    much = f": more than the {searched_most():,} of this page" if expected.nodes > DOUBT * searched_most() else ""
    return Expectation(f"{expected}{much}", is_final)
