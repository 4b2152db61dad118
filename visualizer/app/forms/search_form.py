"""The form that asks for a search or a comparison. Values that still make sense survive every change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from engine import PlyscopeError, Question
from engine.algorithms import ALGORITHMS, ITERATIVE_ALGORITHMS, find_algorithm
from engine.algorithms.spec import ORDER
from engine.core.parsing import depth_text
from engine.games.boards import find_board
from engine.games.capabilities import declared_algorithm, default_depth, has_single_digit_moves, move_input_hint
from engine.games.chance_outcomes import has_chance
from engine.games.positions import name_moves, read_moves, read_position, write_moves
from engine.searcher import list_suitable_algorithms
from visualizer.app.forms.form_migration import MigratedText, migrate_depths, migrate_moves
from visualizer.app.forms.game_form import ask_for_game, find_move_listing, get_draft, try_read_game
from visualizer.app.forms.option_form import ask_for_options
from visualizer.app.forms.order_form import ask_for_order
from visualizer.app.forms.variant_form import ask_for_variants, describe_expected_wait
from visualizer.app.state.background_search import estimate_nodes
from visualizer.app.state.jobs import max_search_nodes
from visualizer.app.state.large_trees import page_game_text, read_page_game
from visualizer.app.state.notices import show_lost_notice
from visualizer.app.state.url_params import (
    MAX_REPEATS,
    NOTHING_ENTERED,
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
FIRST_HELP = (
    "As usual: MAX made the first of the moves so far. In presets whose computer is MAX: the side that makes it MAX's turn now."
)


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

    game: str  # the last readable one
    moves: ChosenText
    depths: ChosenText
    options: dict[str, Any]
    version: int = 0  # of the widget for the moves: the board changes them too
    legal: ChosenText | None = None  # the last position that could be shown


def ask_for_search(question: Question, on_submit: Callable[[Question], None]) -> None:
    """Show the form of a search. Call `on_submit` with the question that the user wants."""
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
        on_submit(chosen)


def ask_for_comparison(comparing: ComparisonParams, on_submit: Callable[[ComparisonParams], None]) -> None:
    """Show the form of a comparison. Call `on_submit` with the comparison that the user wants."""
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
        on_submit(chosen)


def _show_form(
    salt: str,
    question: Question,
    depths: str,
    usual: Callable[[Any], str],
    ask_method: Callable[[Any, str, str, Callable[[str], None]], dict[str, str]],
    read: Callable[[Mapping[str, str]], tuple[Any, str]],
    label: str,
    expect: Callable[[Any], Expectation],
) -> Any:
    """Show the form: game, position on a board, options, and the widgets of `ask_method`. Return the result once it is submitted.

    `ask_method` returns URL parameters. `read` turns all URL parameters into the result. `depths` are the current ones, `usual`
    returns the default ones of a game. `salt` names the search: another search needs new widgets, or old choices would come back.
    """
    game = page_game_text(question.game)
    new = SearchDraft(game, ChosenText(game, question.position_text or ""), ChosenText(game, depths), question.options)
    draft = get_draft("drafts", salt, new)
    with st.container(key="ask"):
        left, right = st.columns([1, 1], gap="medium")
        with left:
            text = ask_for_game(game, salt, with_order=False)
            known = try_read_game(text) is not None
            draft.game = text = text if known else draft.game
            played = read_page_game(text)
            moves = _migrate_moves(draft, played)
            migrated = _migrate_depths(draft, played, moves.text, usual(played))
            rest = ask_method(played, migrated.text, f"{salt} {text}", lambda typed: _set_depths(draft, text, typed))
            place_of_error = st.empty()  # below the depth, which is in sight
            show_lost_notice(migrated.lost)
            asked = question.replace(algorithm=rest.get("algorithm", question.algorithm))
            wanted, misordered = _ask_for_rules(asked, draft, played, salt, compared="algorithm" not in rest)
            wrong = read({**search_params(wanted), **rest, "moves": ""})[1]
            if wrong:
                place_of_error.error(escape_page_markdown(wrong))
        with right, st.container(key="ask-position"):
            wanted = ask_for_position(wanted, draft, played, f"{salt} {text}", moves)
            checked, unplayable = read({**search_params(wanted), **rest})
            ready = known and not misordered and not wrong and not unplayable  # errors in the moves are shown beside the board
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


def _ask_for_algorithm(question: Question, game: Any, depth: str, salt: str, typed: Callable[[str], None]) -> dict[str, str]:
    """Ask for the algorithm and the depth."""
    left, right = st.columns([3, 1])  # the names are long, K is short
    suitable = list_suitable_algorithms(game, with_iterations=True)
    changed = page_game_text(game) != page_game_text(question.game)
    wanted = (declared_algorithm(game)[0] if changed else "") or question.algorithm
    algorithm = left.selectbox(
        "Algorithm",
        suitable,
        index=suitable.index(wanted) if wanted in suitable else 0,
        format_func=lambda name: find_algorithm(name).title,
        key=f"algorithm {search_key(question)}{' with chance' if has_chance(game) else ''}{declared_algorithm(game)[0]}",
    )
    if algorithm in ITERATIVE_ALGORITHMS:
        st.caption(f"{ITERATIVE_ALGORITHMS[algorithm].title}: {ITERATIVE_ALGORITHMS[algorithm].line}. It has no depth limit.")
        return {"algorithm": algorithm}
    key = f"K {salt}"
    words = 'How many moves the search looks ahead. 0 evaluates the position itself; "end" searches to the end of the game.'
    plies = right.text_input("Depth K", depth, key=key, on_change=lambda: typed(st.session_state[key]), help=words)
    st.caption(f"{capitalize_first(ALGORITHMS[algorithm].title)}: {ALGORITHMS[algorithm].line}. K: how many moves ahead, or end.")
    return {"algorithm": algorithm, "depth": plies.strip().lower() or NOTHING_ENTERED}


def _ask_for_depths(
    comparing: ComparisonParams, game: Any, depths: str, salt: str, typed: Callable[[str], None]
) -> dict[str, str]:
    """Ask for the depths, the number of timed runs, and the variants to compare."""
    left, right = st.columns(2)
    key = f"depths {salt}"
    words = "How many moves the searches look ahead, such as 1-6 or 2,4,6. Trees of numbers: end"
    chosen = left.text_input("Depths K", depths, key=key, on_change=lambda: typed(st.session_state[key]), help=words)
    words = "How often each search runs. The table shows the median time."
    repeat = right.number_input("Timed runs", 1, MAX_REPEATS, comparing.repeat, key=f"repeat {comparing.key}", help=words)
    return {"depths": chosen.strip().lower(), "repeat": str(repeat), "algorithms": ask_for_variants(comparing, game)}


def _ask_for_rules(question: Question, draft: SearchDraft, played: Any, salt: str, compared: bool) -> tuple[Question, str]:
    """Ask who moved first, and for the options of the algorithm, or those of all algorithms that are `compared`.

    Return the question, and why its order of moves is not possible; empty if it is.
    """
    sides = list(FIRST_NAMES)
    first = st.segmented_control(
        "Who moved first",
        sides,
        default=question.first or "",
        format_func=FIRST_NAMES.__getitem__,
        key=f"first {salt}",
        help=FIRST_HELP,
    )
    declared = {option.name: option for option in find_algorithm(question.algorithm).options}
    misordered = ask_for_order(find_move_listing(salt), declared.get(ORDER.name), draft.options, salt)
    asked = [ORDER.name] if ORDER.name in declared else []
    options = ask_for_options([question.algorithm], draft.options, played, salt, compared=compared, asked=asked)
    return question.replace(game=played, position=None, first=first or None, **options), misordered


def ask_for_position(question: Question, draft: SearchDraft, played: Any, salt: str, moves: MigratedText) -> Question:
    """Ask for the moves so far: typed, or made on the board."""
    shown, wrong = _find_legal_position(moves.text, played, question.first, draft)
    listed = None if shown is None else _parse_moves(shown, played)
    made = listed or []

    def set_moves(moves: list[int]) -> None:
        draft.moves = ChosenText(draft.game, write_moves(moves, has_single_digit_moves(played)))
        draft.version += 1

    def set_typed_moves() -> None:
        draft.moves = ChosenText(draft.game, _normalize_moves(st.session_state[key], played))

    if shown is not None:
        state = read_position(played, shown or None, question.first)
        last = write_moves(made[:-1], has_single_digit_moves(played))
        before = read_position(played, last, question.first) if made else None
        with st.container(key="position"):
            show_board_picker(
                played, state, f"board {salt}", lambda move: set_moves([*made, move]), ply=len(made), before=before,
                locked=listed is None, made=made,
            )  # fmt: skip
        if not wrong and not played.is_over(state):
            side = "MAX (blue) to move" if played.maximizing(state) else "MIN (orange) to move"
            st.caption(f"{side}: click {'a move' if find_board(played, state) is None else 'the board'}", text_alignment="center")
    if wrong:
        st.error(escape_page_markdown(capitalize_first(wrong)))
    show_lost_notice(moves.lost)
    key = f"moves {salt} {draft.version}"  # a new widget when the board has changed the moves
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Moves so far", _format_moves(moves.text, played), key=key, on_change=set_typed_moves, help=move_input_hint(played)
        )
        earlier = made if wrong else made[:-1]
        st.button(
            "Undo", icon=":material/undo:", on_click=set_moves, args=(earlier,), disabled=not (made or wrong), key=f"undo {salt}"
        )
    if name_moves(played, made) != list(map(str, made)):
        st.caption(escape_page_markdown(describe_moves(played, moves.text)))
    return question.replace(position=moves.text or None)


def _find_legal_position(text: str, played: Any, first: str | None, draft: SearchDraft) -> tuple[str | None, str]:
    """Return the position to show, and an error message if the text is not a legal position.

    After a bad move it is the position before that move. After a text that cannot be read it is the last one that could.
    """
    wrong = _explain_illegal(text, played, first)
    listed = _parse_moves(text, played)
    earlier = [draft.legal.text if draft.legal is not None and draft.legal.game == draft.game else ""]
    if listed is not None:
        earlier = [write_moves(listed[:count], has_single_digit_moves(played)) for count in range(len(listed))][::-1]
    shown = text if not wrong else next((one for one in [*earlier, ""] if not _explain_illegal(one, played, first)), None)
    if shown is not None:
        draft.legal = ChosenText(draft.game, shown)
    return shown, wrong


def _explain_illegal(text: str, played: Any, first: str | None) -> str:
    """Say why a text is not a legal position; empty if it is one."""
    try:
        read_position(played, text or None, first)
    except PlyscopeError as error:
        return str(error)
    return ""


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
    """Update the line while the server counts. Only this fragment runs again, until the page shows the final line instead."""
    expected = expect(wanted)
    if expected.is_final:
        st.rerun()
    st.caption(f"{expected.words}, counting …")


def _expect_nodes(question: Question) -> Expectation:
    """Return a line about the size of a search."""
    expected, is_final = estimate_nodes(question)
    excess = (
        f": more than the limit of this page, {max_search_nodes():,}"
        if expected.nodes > ESTIMATE_TOLERANCE * max_search_nodes()
        else ""
    )
    return Expectation(f"{expected}{excess}", is_final)
