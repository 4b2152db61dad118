"""The form that asks for a search or a comparison. Values that still make sense survive every change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from engine import PlyscopeError, Question
from engine.algorithms import ALGORITHMS
from engine.core.parsing import depth_text
from engine.games.capabilities import default_depth, has_single_digit_moves, move_input_hint
from engine.games.positions import name_moves, read_moves, read_position, write_moves
from visualizer.app.forms.form_migration import MigratedText, migrate_depths, migrate_moves
from visualizer.app.forms.game_form import ask_for_game, get_draft, try_read_game
from visualizer.app.forms.option_form import ask_for_options
from visualizer.app.forms.variant_form import ask_for_variants, describe_expected_wait
from visualizer.app.state.background_search import estimate_nodes, max_search_nodes
from visualizer.app.state.large_trees import page_game_text, read_page_game
from visualizer.app.state.notices import show_lost_notice
from visualizer.app.state.url_params import (
    MAX_REPEATS,
    ComparisonParams,
    default_depths,
    read_comparison_params,
    read_search_params,
    search_key,
    search_params,
)
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.move_text import describe_moves
from visualizer.pool.work_types import ESTIMATE_TOLERANCE
from visualizer.viewer.board_picker import show_board_picker

FIRST_NAMES = {"": "as usual", "max": "MAX", "min": "MIN"}
FIRST_HELP = "As usual: MAX; in the presets whose computer is MAX, the side that makes it MAX's turn now."


class ChosenText(NamedTuple):
    """A text that the user chose, and the game it was meant for."""

    game: str
    text: str


class Expectation(NamedTuple):
    """A line about the search to come. If it is not final, it is updated while it is shown."""

    words: str
    is_final: bool = True


@dataclass
class SearchDraft:
    """The values of the form. They are stored beside the widgets: hidden widgets lose their values."""

    game: str  # the last one that could be read
    moves: ChosenText
    depths: ChosenText
    options: dict[str, Any]
    version: int = 0  # of the field with the moves: the board changes them too


def ask_for_search(question: Question, asked: Callable[[Question], None]) -> None:
    """Show the form of a search. Call `asked` with the question that the user wants."""
    chosen = _show_form(
        search_key(question),
        question,
        depth_text(question.depth),
        lambda game: depth_text(default_depth(game)),
        lambda *form: _ask_for_algorithm(question, *form),
        read_search_params,
        "Search",
        _expect_nodes,
    )
    if chosen is not None:
        asked(chosen)


def ask_for_comparison(comparing: ComparisonParams, asked: Callable[[ComparisonParams], None]) -> None:
    """Show the form of a comparison. Call `asked` with the comparison that the user wants."""
    chosen = _show_form(
        comparing.key,
        comparing.search,
        comparing.depths,
        default_depths,
        lambda *form: _ask_for_depths(comparing, *form),
        read_comparison_params,
        "Compare",
        lambda wanted: Expectation(describe_expected_wait(wanted)),
    )
    if chosen is not None:
        asked(chosen)


def _show_form(
    salt: str,
    question: Question,
    depths: str,
    usual: Callable[[Any], str],
    how: Callable[[str, str, Callable[[str], None]], dict[str, str]],
    read: Callable[[Mapping[str, str]], tuple[Any, str]],
    label: str,
    expect: Callable[[Any], Expectation],
) -> Any:
    """Show the form: game, position on a board, options, and the widgets of `how`. Return the result when the button is pressed.

    `how` returns URL parameters; `read` turns all URL parameters into the result. `depths` are those of the current question,
    `usual` returns those of a game. `salt` names the question: a new question needs new widgets, or old choices would come back.
    """
    game = page_game_text(question.game)
    new = SearchDraft(game, ChosenText(game, question.position_text or ""), ChosenText(game, depths), question.options)
    draft = get_draft("drafts", salt, new)
    with st.container(key="ask"):
        left, right = st.columns([1, 1], gap="medium")
        with left:
            text = ask_for_game(game, salt)
            known = try_read_game(text) is not None
            draft.game = text = text if known else draft.game
            played = read_page_game(text)
            moves = _migrate_moves(draft, played)
            wished = _migrate_depths(draft, played, moves.text, usual(played))
            rest = how(wished.text, f"{salt} {text}", lambda typed: _set_depths(draft, text, typed))
            show_lost_notice(wished.lost)
            wanted = _ask_for_rules(question.replace(algorithm=rest.get("algorithm", question.algorithm)), draft, played, salt)
            wrong = read({**search_params(wanted), **rest, "moves": ""})[1]
            if wrong:
                st.error(escape_page_markdown(wrong))
        with right:
            wanted = ask_for_position(wanted, draft, played, f"{salt} {text}", moves)
            checked, unplayable = read({**search_params(wanted), **rest})
            ready = known and not wrong and not unplayable  # what is wrong with the moves stands beside the board
            with st.container(horizontal=True, vertical_alignment="center"):
                pressed = st.button(label, type="primary", disabled=not ready, key=f"{label} {salt}")
                if ready:
                    _show_expectation(checked, expect)
    return checked if pressed and ready else None


def _migrate_moves(draft: SearchDraft, played: Any) -> MigratedText:
    if draft.moves.game == draft.game:
        return MigratedText(draft.moves.text)
    return migrate_moves(draft.moves.text, read_page_game(draft.moves.game), played)


def _migrate_depths(draft: SearchDraft, played: Any, moves: str, usual: str) -> MigratedText:
    if draft.depths.game == draft.game:
        return MigratedText(draft.depths.text)
    return migrate_depths(draft.depths.text, read_page_game(draft.depths.game), played, moves, usual)


def _set_depths(draft: SearchDraft, game: str, typed: str) -> None:
    draft.depths = ChosenText(game, typed.strip().lower())


def _ask_for_algorithm(question: Question, depth: str, salt: str, typed: Callable[[str], None]) -> dict[str, str]:
    """Ask for the algorithm and the depth."""
    left, right = st.columns(2)
    algorithm = left.selectbox(
        "Algorithm",
        ALGORITHMS,
        index=list(ALGORITHMS).index(question.algorithm),
        format_func=lambda name: ALGORITHMS[name].title,
        key=f"algorithm {search_key(question)}",
    )
    key = f"K {salt}"
    words = (
        "K: how many moves (plies) the search looks ahead. 0 evaluates the position itself; end searches to the end of the game."
    )
    plies = right.text_input("K", depth, key=key, on_change=lambda: typed(st.session_state[key]), help=words)
    st.caption(f"{capitalize_first(ALGORITHMS[algorithm].title)}: {ALGORITHMS[algorithm].line}. K: plies to look ahead, or end.")
    return {"algorithm": algorithm, "depth": plies.strip().lower() or "nothing"}


def _ask_for_depths(comparing: ComparisonParams, depths: str, salt: str, typed: Callable[[str], None]) -> dict[str, str]:
    """Ask for the depths, the number of timed runs, and the variants to compare."""
    left, right = st.columns(2)
    key = f"depths {salt}"
    words = "Every K that is compared: 1-6, or 2,4,6; trees of numbers: end"
    chosen = left.text_input("Depths K", depths, key=key, on_change=lambda: typed(st.session_state[key]), help=words)
    words = "Each search is run so many times; the median of the times is shown"
    repeat = right.number_input("Timed runs", 1, MAX_REPEATS, comparing.repeat, key=f"repeat {comparing.key}", help=words)
    return {"depths": chosen.strip().lower(), "repeat": str(repeat), "algorithms": ask_for_variants(comparing)}


def _ask_for_rules(question: Question, draft: SearchDraft, played: Any, salt: str) -> Question:
    """Ask who moved first, and for the options of the algorithm."""
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


def ask_for_position(question: Question, draft: SearchDraft, played: Any, salt: str, moves: MigratedText) -> Question:
    """Ask for the moves so far: typed, or made on the board."""
    state = before = None
    listed = _parse_moves(moves.text, played)
    made = listed or []
    try:
        state = read_position(played, moves.text or None, question.first)
        if made:
            last = write_moves(made[:-1], has_single_digit_moves(played))
            before = read_position(played, last, question.first)
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)))
        made = []

    def set_moves(moves: list[int]) -> None:
        draft.moves = ChosenText(draft.game, write_moves(moves, has_single_digit_moves(played)))
        draft.version += 1

    def set_typed_moves() -> None:
        draft.moves = ChosenText(draft.game, _normalize_moves(st.session_state[key], played))

    if state is not None:
        with st.container(key="position"):
            show_board_picker(
                played, state, f"board {salt}", lambda move: set_moves([*made, move]), ply=len(made), before=before,
                locked=listed is None,
            )  # fmt: skip
    show_lost_notice(moves.lost)
    key = f"moves {salt} {draft.version}"  # a new widget when the board has changed the moves
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Moves so far", _format_moves(moves.text, played), key=key, on_change=set_typed_moves, help=move_input_hint(played)
        )
        st.button("Undo", icon=":material/undo:", on_click=set_moves, args=(made[:-1],), disabled=not made, key=f"undo {salt}")
    if name_moves(played, made) != list(map(str, made)):
        st.caption(escape_page_markdown(describe_moves(played, moves.text)))
    return question.replace(position=moves.text or None)


def _parse_moves(text: str, played: Any) -> list[int] | None:
    """Return the moves of a position; None if the text is not a list of moves."""
    try:
        return read_moves(text, has_single_digit_moves(played))
    except PlyscopeError:
        return None


def _normalize_moves(typed: str, played: Any) -> str:
    """Return the moves as the URL writes them. A text that cannot be read stays as it is; an error says so later."""
    listed = _parse_moves(typed, played)
    return typed.strip() if listed is None else write_moves(listed, has_single_digit_moves(played))


def _format_moves(moves: str, played: Any) -> str:
    listed = _parse_moves(moves, played)
    return moves if listed is None else ", ".join(map(str, listed))


def _show_expectation(wanted: Any, expect: Callable[[Any], Expectation]) -> None:
    try:
        expected = expect(wanted)
    except PlyscopeError as error:
        st.caption(f":material/error: {escape_page_markdown(str(error))}")
        return
    if expected.is_final:
        st.caption(expected.words)
    else:
        _refine_expectation(wanted, expect)


@st.fragment(run_every=1.0)
def _refine_expectation(wanted: Any, expect: Callable[[Any], Expectation]) -> None:
    """Update the line while the server counts. Only this fragment runs again."""
    expected = expect(wanted)
    st.caption(expected.words if expected.is_final else f"{expected.words}, counting …")


def _expect_nodes(question: Question) -> Expectation:
    """Return a line about the size of a search."""
    expected, is_final = estimate_nodes(question)
    much = (
        f": more than the {max_search_nodes():,} of this page" if expected.nodes > ESTIMATE_TOLERANCE * max_search_nodes() else ""
    )
    return Expectation(f"{expected}{much}", is_final)
