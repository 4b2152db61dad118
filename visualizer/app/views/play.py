"""The page "Play": a person against the search, or two players to watch."""

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from engine.algorithms import find_algorithm
from engine.games.boards import find_board
from engine.games.capabilities import Outcome, drawn_side, has_leaf_values_only
from engine.matches.game_review import solve_hints
from engine.matches.match import CHANCE_SIDE, Match
from engine.matches.move_choice import can_look_less_far
from engine.matches.players import HumanPlayer, PerfectPlayer, RandomPlayer, SearchPlayer, player_text
from visualizer.app.forms.match_forms import ask_for_players
from visualizer.app.sections.draws import show_draws
from visualizer.app.sections.truth_hints import (
    ask_for_evaluation_bar,
    evaluation_bar,
    explain_hints,
    looked_at_match,
    show_game_review,
)
from visualizer.app.state.background_search import forget_job, is_job_running
from visualizer.app.state.jobs import max_search_nodes
from visualizer.app.state.large_trees import page_game_name, page_game_text
from visualizer.app.state.lazy_sections import lazy_popover
from visualizer.app.state.move_search import SearchCancelled, make_choice_work, offer_move_reason, poll_answer
from visualizer.app.state.navigation_state import offer_search, remember_params, replace_bad_params, restore_page, share_game
from visualizer.app.state.url_params import MAX_PLAYER_PLIES, MatchParams, read_match_params
from visualizer.drawing.theme import TURN_SIGNS
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.move_reasons import describe_depth, describe_shortened_depth
from visualizer.narration.move_text import describe_moves
from visualizer.narration.numbers import format_number
from visualizer.narration.player_messages import player_title
from visualizer.pool.weighted_lru import WeightedLRU
from visualizer.pool.work_types import CallWithProgress
from visualizer.viewer.board_picker import EvaluationBar, MoveValue, show_board_picker

SIDE_LABELS = {"max": "▲ MAX", "min": "▼ MIN", CHANCE_SIDE: f"{TURN_SIGNS[-1]} chance"}
SIDE_COLOURS = {"max": "blue", "min": "orange"}
HINT_DEPTH = 4
MAX_CACHED_MOVES = 10_000
NO_BREAK_SPACE = "\u00a0"


class ChosenMove(NamedTuple):
    """A computer's move. `shortened_to` is the depth it searched to, if its own depth was too deep."""

    move: int
    shortened_to: int | None


def page() -> None:
    restore_page("play")
    before, wrong = read_match_params(st.query_params.to_dict())
    before = _add_pending_moves(before)
    replace_bad_params("play", wrong, before.parameters())
    head = st.container(horizontal=True, vertical_alignment="center")
    board, beside = st.columns([3, 2], gap="large")
    with beside:
        playing = _play_computer_move(before)  # first, so that this run already shows a quick answer
    remember_params("play")
    share_game(playing)
    match = playing.match()
    with head:
        st.markdown(f"**{escape_page_markdown(page_game_name(match.game))}** · {escape_page_markdown(_format_players(match))}")
        lazy_popover("Change", ":material/tune:", f"change {replace(playing, moves='')}", ask_for_players, playing, open_game)
        offer_search()
    with beside:
        if match.is_finished:
            show_game_review(match, lambda ply: _open_mistake(playing, match, ply), _human_side(match))
        is_explaining = _show_controls(playing, match)
        _show_tally(playing, match)
    with board:
        shown = looked_at_match(match)
        _show_status(match, shown)
        show_draws(shown)
        wants_hints = st.session_state.get("hinting") and isinstance(match.player, HumanPlayer) and not match.is_finished
        values = _find_hints(match) if wants_hints and not is_explaining else None  # one job at a time
        bar = evaluation_bar(shown, values, is_explaining or is_job_running(_hint_key(match)))
        _show_board(playing, shown, values, bar, locked=match.is_finished)
    if playing != before and not match.is_finished and not isinstance(match.player, HumanPlayer):
        st.rerun()  # the other computer is to move


def open_game(playing: MatchParams) -> None:
    """Show another game, or another move of this one, and run the page again."""
    _set_game(playing)
    st.rerun()


def _set_game(playing: MatchParams) -> None:
    """Show this game, at this move.

    Moves that a computer will answer are pending: they enter the URL together with the answer, so that Back takes both back.
    """
    match = playing.match()
    if match.is_finished or isinstance(match.player, HumanPlayer) or not match.moves:
        _set_url_params(playing)
    else:
        st.session_state["pending"] = playing


def _set_url_params(playing: MatchParams) -> None:
    """Put the game into the URL."""
    st.session_state.pop("pending", None)
    st.query_params.from_dict(playing.parameters())


def _add_pending_moves(playing: MatchParams) -> MatchParams:
    """Return the same game with the moves that are not in the URL yet."""
    pending: MatchParams | None = st.session_state.get("pending")
    if pending is not None and replace(pending, moves=playing.moves) == playing and pending.moves.startswith(playing.moves):
        return pending
    st.session_state.pop("pending", None)
    return playing


def _open_mistake(playing: MatchParams, match: Match, ply: int) -> None:
    """Open the position before a person's move, or after a computer's move, which the computer would only repeat."""
    before = replace(match, moves=match.moves[:ply])
    _set_game(
        playing.with_moves_of(before if isinstance(before.player, HumanPlayer) else replace(match, moves=match.moves[: ply + 1]))
    )


# ---- display


def _format_players(match: Match) -> str:
    labels = {"max": _player_label(match.max_player), "min": _player_label(match.min_player)}
    if drawn := drawn_side(match.game):
        labels[drawn] = "moves drawn at random"
    return " against ".join(f"{SIDE_LABELS[side]}, {SIDE_COLOURS[side]} ({labels[side]})" for side in labels)


def _player_label(player: Any) -> str:
    if isinstance(player, HumanPlayer):
        return "you"
    if isinstance(player, RandomPlayer):
        return "random"
    if isinstance(player, PerfectPlayer):
        return "perfect"
    if not isinstance(player, SearchPlayer) or player.iterates:
        return player_title(player)
    return f"{find_algorithm(player.algorithm).title}, {describe_depth(player.depth)}"


def _show_board(
    playing: MatchParams, match: Match, values: dict[int, MoveValue] | None, bar: EvaluationBar | None, locked: bool
) -> None:
    end = match.outcome
    show_board_picker(
        match.game,
        match.state,
        f"board of {replace(playing, moves='')}",
        lambda move: _set_game(playing.with_moves_of(match.play(move))),
        ply=len(match.moves),
        before=match.previous_match and match.previous_match.state,
        line=sorted(end.line) if end else (),
        values=values,
        locked=locked or not isinstance(match.player, HumanPlayer),
        falling=True,
        bar=bar,
        made=match.moves,
    )


def _show_status(match: Match, shown: Match) -> None:
    """Show whose move it is, how the game ended, or which move of it is shown."""
    end = match.outcome
    if len(shown.moves) < len(match.moves):
        words = f"After move {len(shown.moves)} of {len(match.moves)}" if shown.moves else "The start of the game"
    elif end is None:
        words = f"{SIDE_LABELS[match.side]} to move{_describe_turn(match)}"
    else:
        words = _format_result(match, end)
    if shown.scores is not None:
        score = f"{TURN_SIGNS[1]} {shown.scores[0]} : {shown.scores[1]} {TURN_SIGNS[0]}"
        words += f"{NO_BREAK_SPACE}· {score.replace(' ', NO_BREAK_SPACE)}"
    st.subheader(words, anchor=False)


def _describe_turn(match: Match) -> str:
    """Return "your turn" for a person, with what to do at the first move."""
    if not isinstance(match.player, HumanPlayer):
        return " …"
    if match.undo().moves != match.moves:
        return ": your turn"
    return f": your turn, click {'the board' if find_board(match.game, match.state) else 'a move'}"


def _human_side(match: Match) -> str:
    """Return the side of the only person who plays, or "" if two persons or none play."""
    humans = [side for side, player in (("max", match.max_player), ("min", match.min_player)) if isinstance(player, HumanPlayer)]
    return humans[0] if len(humans) == 1 else ""


def _format_result(match: Match, end: Outcome) -> str:
    if has_leaf_values_only(match.game):
        return f"This leaf is worth {format_number(end.value)} to MAX"
    if not end.winner:
        return "A draw"
    you = _human_side(match)
    return f"{SIDE_LABELS[end.winner]} wins{'' if not you else ': you have won' if you == end.winner else ': you have lost'}"


def _show_controls(playing: MatchParams, match: Match) -> bool:
    """Show the buttons for undo, new game and hints, the reason of the last search, and the moves so far.

    Return True while the reason is searched.
    """
    earlier, new = match.undo(), playing.new_game(st.session_state.get("games", 0))
    undone = earlier.moves == match.moves
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Undo", icon=":material/undo:", on_click=_set_game, args=(playing.with_moves_of(earlier),), disabled=undone)
        st.button("New game", icon=":material/replay:", on_click=_begin_game, args=(new,))
        words = "The value of every move: exact result if solved within a second, otherwise the search's estimate"
        hinting = st.toggle("Hints", st.session_state.get("hinting", False), key="hints", help=words)
        st.session_state["hinting"] = hinting  # the widget loses its value on another page
        ask_for_evaluation_bar(match)
    if hinting:
        explain_hints(match, hint_depth(match))
    before_search = _find_last_search(match)
    is_explaining = False
    if before_search is not None:
        is_explaining = offer_move_reason(playing, before_search, match.moves[len(before_search.moves)], _human_side(match))
    if (
        before_search is not None
        and (chosen := move_cache().get(playing.with_moves_of(before_search))) is not None
        and chosen.shortened_to is not None
    ):
        st.caption(f"{SIDE_LABELS[before_search.side]}: {describe_shortened_depth(chosen.shortened_to)}")
    if match.position:
        held = "" if "pending" in st.session_state else " The address of this page contains the game: *Copy link* copies it."
        moves = describe_moves(match.game, match.position)
        end = "" if moves.endswith("…") else "."
        st.caption(f"Moves so far: {escape_page_markdown(moves)}{end}{held}")
    return is_explaining


def _begin_game(playing: MatchParams) -> None:
    st.session_state["games"] = st.session_state.get("games", 0) + 1
    st.session_state.pop("counted", None)  # the same game played again counts again
    _set_game(playing)


def _show_tally(playing: MatchParams, match: Match) -> None:
    """Show wins, draws and losses since the page was opened. Every game counts once."""
    tally: dict[str, int] = st.session_state.setdefault("tally", {"max": 0, "": 0, "min": 0})
    if has_leaf_values_only(match.game):
        return  # nobody wins at a leaf
    if match.outcome is not None and st.session_state.get("counted") != playing:
        st.session_state["counted"] = playing
        tally[match.outcome.winner] += 1
    if any(tally.values()):
        mine = _human_side(match)
        one, other = ("min", "max") if mine == "min" else ("max", "min")
        names = ("you won", "you lost") if mine else (f"{SIDE_LABELS[one]} won", f"{SIDE_LABELS[other]} won")
        st.caption(f"Games on this page so far: {names[0]} {tally[one]}, {names[1]} {tally[other]}, {tally['']} drawn.")


# ---- the computer


def _play_computer_move(playing: MatchParams) -> MatchParams:
    """Return the game after the computer's move, if it has chosen one. Else return the same game: the computer is thinking."""
    match = playing.match()
    if match.is_finished or isinstance(match.player, HumanPlayer):
        return playing
    if st.session_state.get("paused") == playing:
        st.button("Continue", icon=":material/play_arrow:", on_click=st.session_state.pop, args=("paused", None))
        return playing
    if match.is_chance:
        return _draw_outcomes(playing)
    chosen = move_cache().get(playing)
    if chosen is None:
        try:
            choice = poll_answer(("move", playing), f"{SIDE_LABELS[match.side]} is thinking", make_choice_work(match))
        except SearchCancelled:
            st.session_state["paused"] = playing
            _set_url_params(playing)
            st.rerun()
        if choice is None:
            if not is_job_running(("move", playing)):
                _set_url_params(playing)
                _offer_shallower_player(playing, match)
            return playing
        chosen = ChosenMove(choice.move, choice.shortened_to)
        if choice.truth or not isinstance(match.player, PerfectPlayer):  # with more time the solver may find more
            move_cache().put(playing, chosen)
    else:
        forget_job(("move", playing))
    return _draw_outcomes(playing.with_moves_of(match.play(chosen.move)))


def _draw_outcomes(playing: MatchParams) -> MatchParams:
    """Open a game, first drawing for chance as long as it is to move."""
    match = playing.match()
    while match.is_chance and (drawn := match.choose()) is not None:
        match = match.play(drawn.move)
    after = playing.with_moves_of(match)
    _set_game(after)
    return after


def _offer_shallower_player(playing: MatchParams, match: Match) -> None:
    """Offer to continue with a shallower player after a search that took too long."""
    player = match.player
    if isinstance(player, SearchPlayer) and can_look_less_far(player, match.game):
        depth = min(player.depth or MAX_PLAYER_PLIES, MAX_PLAYER_PLIES) // 2 or 1
        shallower = player_text(player.replace(depth=depth))
        instead = replace(playing, max_player=shallower) if match.side == "max" else replace(playing, min_player=shallower)
        label = f"Continue with a player that looks {describe_depth(depth)}"
        st.button(label, icon=":material/play_arrow:", on_click=_set_url_params, args=(instead,))


@st.cache_resource(show_spinner=False)
def move_cache() -> WeightedLRU[ChosenMove]:
    """Return the cache of the computers' moves, shared by all visitors.

    In the same position a computer plays the same move again, even a random player.
    """
    return WeightedLRU(MAX_CACHED_MOVES)


def _find_hints(match: Match) -> dict[int, MoveValue] | None:
    """Return the value of each move. The last position's values are cached."""
    depth, key = hint_depth(match), _hint_key(match)
    known = st.session_state.setdefault("hinted", {})
    if key not in known:
        try:
            found = poll_answer(
                key, "Evaluating every move", CallWithProgress(solve_hints, (match, depth), {"max_nodes": max_search_nodes()})
            )
        except SearchCancelled:
            found = None
        if found is None:
            return None
        known.clear()
        known[key] = {hint.move: MoveValue(hint.value, hint.best, hint.truth, hint.comes_to) for hint in found}
    return known[key]


def _hint_key(match: Match) -> tuple[Any, ...]:
    return "hints", page_game_text(match.game), match.moves, match.first, hint_depth(match)


def hint_depth(match: Match) -> int | None:
    """Return the depth to which hints are searched: the opponent's."""
    player = match.min_player if match.side == "max" else match.max_player
    if has_leaf_values_only(match.game):
        return None
    return player.depth if isinstance(player, SearchPlayer) and not player.iterates else HINT_DEPTH


def _find_last_search(match: Match) -> Match | None:
    """Return the match before the last move that a search chose."""
    earlier = match.previous_match
    while earlier is not None and not isinstance(earlier.player, SearchPlayer):
        earlier = earlier.previous_match
    return earlier
