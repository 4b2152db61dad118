"""The page "Play": a person against the search, or two players to watch."""

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.games.capabilities import Outcome, only_leaves_count
from engine.matches.game_review import true_hints
from engine.matches.match import Match
from engine.matches.players import Human, PerfectPlayer, RandomPlayer, SearchPlayer, can_look_less_far, player_text
from visualizer.app.forms.match_forms import ask_for_players
from visualizer.app.sections.truth_hints import ask_for_bar, evaluation_bar, show_true_line, tell_hints
from visualizer.app.state.background_search import done_with, is_awaited, searched_most
from visualizer.app.state.large_trees import name_on_page, text_on_page
from visualizer.app.state.lazy_sections import behind
from visualizer.app.state.move_search import Cancelled, choosing, see_why, thought
from visualizer.app.state.navigation_state import come_back, fall_back, keep_address, offer_search, share_game
from visualizer.app.state.url_params import MOST_PLIES, Playing, read_playing
from visualizer.narration.escapes import page_markdown
from visualizer.narration.move_reasons import shortened_words
from visualizer.narration.move_text import spoken_moves
from visualizer.narration.numbers import counted, number
from visualizer.pool.work_types import Ask
from visualizer.viewer.board_picker import EvaluationBar, Worth, picker
from visualizer.viewer.weighted_lru import Recent

SIDES = {"max": "▲ MAX", "min": "▼ MIN"}
HINT_DEPTH = 4
KEPT_MOVES = 10_000


class ChosenMove(NamedTuple):
    """A move of a computer, and how far it looked ahead where its own depth was too deep."""

    move: int
    shortened_to: int | None


def page() -> None:
    come_back("play")
    before, wrong = read_playing(st.query_params.to_dict())
    before = _pending(before)
    fall_back("play", wrong, before.parameters())
    head = st.container(horizontal=True, vertical_alignment="center")
    board, beside = st.columns([3, 2], gap="large")
    with beside:
        playing = _answered(before)  # first, so that an answer that comes soon is shown by this run already
    keep_address("play")
    share_game(playing)
    match = playing.match()
    with head:
        st.markdown(f"**{page_markdown(name_on_page(match.game))}** · {page_markdown(_versus(match))}")
        behind("Change", ":material/tune:", f"change {replace(playing, moves='')}", ask_for_players, playing, open_game)
        offer_search()
    with beside:
        _offer(playing, match)
        _tally(playing, match)
        if match.over:
            show_true_line(match, lambda ply: _open_mistake(playing, match, ply))
    with board:
        _tell(match)
        values = _hints(match) if st.session_state.get("hinting") and isinstance(match.player, Human) and not match.over else None
        _board(playing, match, values, evaluation_bar(match, values))
    if playing != before and not match.over and not isinstance(match.player, Human):
        st.rerun()  # the other computer is to move


def open_game(playing: Playing) -> None:
    """Show another game, or another move of this one, and run the page again."""
    _go_to(playing)
    st.rerun()


def _go_to(playing: Playing) -> None:
    """The address says which game is shown, and at which move; but moves that a computer will answer go there with the answer,
    so that Back takes both back. Until then they are pending."""
    match = playing.match()
    if match.over or isinstance(match.player, Human) or not match.moves:
        _put_in_address(playing)
    else:
        st.session_state["pending"] = playing


def _put_in_address(playing: Playing) -> None:
    st.session_state.pop("pending", None)
    st.query_params.from_dict(playing.parameters())


def _pending(playing: Playing) -> Playing:
    """The same game with the moves that are not in the address yet."""
    pending: Playing | None = st.session_state.get("pending")
    if pending is not None and replace(pending, moves=playing.moves) == playing and pending.moves.startswith(playing.moves):
        return pending
    st.session_state.pop("pending", None)
    return playing


def _open_mistake(playing: Playing, match: Match, ply: int) -> None:
    """The position before a person's move; after one of the computer, which would only make it again."""
    before = replace(match, moves=match.moves[:ply])
    _go_to(playing.at(before if isinstance(before.player, Human) else replace(match, moves=match.moves[: ply + 1])))


# ---- what is seen


def _versus(match: Match) -> str:
    return f"{SIDES['max']} {_name(match.max_player)} against {SIDES['min']} {_name(match.min_player)}"


def _name(player: Any) -> str:
    if isinstance(player, Human):
        return "(you)"
    if isinstance(player, RandomPlayer):
        return "(random)"
    if isinstance(player, PerfectPlayer):
        return "(perfect)"
    return f"({ALGORITHMS[player.algorithm].title}, {'to the end' if player.depth is None else f'K={player.depth}'})"


def _board(playing: Playing, match: Match, values: dict[int, Worth] | None, bar: EvaluationBar | None) -> None:
    end = match.outcome
    picker(
        match.game,
        match.state,
        f"board of {replace(playing, moves='')}",
        lambda move: _go_to(playing.at(match.play(move))),
        ply=len(match.moves),
        before=match.before and match.before.state,
        line=sorted(end.line) if end else (),
        values=values,
        locked=match.over or not isinstance(match.player, Human),
        falling=True,
        bar=bar,
    )


def _tell(match: Match) -> None:
    """Whose move it is, or how it ended."""
    end = match.outcome
    if end is None:
        words = f"{SIDES[match.side]} to move{': your turn' if isinstance(match.player, Human) else ' …'}"
    else:
        words = _result(match, end)
    if match.scores is not None:
        words += f" · {SIDES['max']} {match.scores[0]} : {match.scores[1]} {SIDES['min']}"
    st.subheader(words, anchor=False)


def _you(match: Match) -> str:
    """The side of the only person who plays; empty if there are two, or none."""
    humans = [side for side, player in (("max", match.max_player), ("min", match.min_player)) if isinstance(player, Human)]
    return humans[0] if len(humans) == 1 else ""


def _result(match: Match, end: Outcome) -> str:
    if only_leaves_count(match.game):
        return f"This leaf is worth {number(end.value)} to MAX"
    if not end.winner:
        return "A draw"
    you = _you(match)
    return f"{SIDES[end.winner]} wins{'' if not you else ': you have won' if you == end.winner else ': you have lost'}"


def _offer(playing: Playing, match: Match) -> None:
    """What can be done besides playing."""
    earlier, new = match.undo(), playing.begun(st.session_state.get("games", 0))
    undone = earlier.moves == match.moves
    with st.container(horizontal=True):
        st.button("Undo", icon=":material/undo:", on_click=_go_to, args=(playing.at(earlier),), disabled=undone)
        st.button("New game", icon=":material/replay:", on_click=_begin, args=(new,))
        words = "What every move brings: in truth where that is found in a second, else what a search believes"
        hinting = st.toggle("Hints", st.session_state.get("hinting", False), key="hints", help=words)
        st.session_state["hinting"] = hinting  # the widget forgets it on another page
        ask_for_bar(match)
    if hinting:
        tell_hints(match, hint_depth(match))
    asked = _last_search(match)
    if asked is not None:
        see_why(playing, asked, match.moves[len(asked.moves)])
    if asked is not None and (chosen := chosen_moves().get(playing.at(asked))) is not None and chosen.shortened_to is not None:
        st.caption(f"{SIDES[asked.side]}: {shortened_words(chosen.shortened_to)}")
    if match.position:
        held = "" if "pending" in st.session_state else " The address holds the game: send it to go on elsewhere."
        st.caption(f"Moves so far: {page_markdown(spoken_moves(match.game, match.position))}.{held}")


def _begin(playing: Playing) -> None:
    st.session_state["games"] = st.session_state.get("games", 0) + 1
    st.session_state.pop("counted", None)  # the same game once more counts once more
    _go_to(playing)


def _tally(playing: Playing, match: Match) -> None:
    """Wins, draws and losses since the page was opened; every game counts once."""
    tally: dict[str, int] = st.session_state.setdefault("tally", {"max": 0, "": 0, "min": 0})
    if match.outcome is not None and st.session_state.get("counted") != playing:
        st.session_state["counted"] = playing
        tally[match.outcome.winner] += 1
    if any(tally.values()):
        mine = _you(match)
        one, other = ("min", "max") if mine == "min" else ("max", "min")
        names = ("you won", "you lost") if mine else (SIDES[one], SIDES[other])
        st.caption(f"Since this page was opened: {names[0]} {tally[one]}, drawn {tally['']}, {names[1]} {tally[other]}.")


# ---- the computer


def _answered(playing: Playing) -> Playing:
    """The game after the move of the computer that is to move, if it has chosen one; else the same game, and it thinks."""
    match = playing.match()
    if match.over or isinstance(match.player, Human):
        return playing
    if st.session_state.get("paused") == playing:
        st.button("Go on", icon=":material/play_arrow:", on_click=st.session_state.pop, args=("paused", None))
        return playing
    chosen = chosen_moves().get(playing)
    if chosen is None:
        try:
            choice = thought(("move", playing), f"{SIDES[match.side]} is thinking", choosing(match))
        except Cancelled:
            st.session_state["paused"] = playing
            _put_in_address(playing)
            st.rerun()
        if choice is None:
            if not is_awaited(("move", playing)):
                _put_in_address(playing)
                _offer_shallower(playing, match)
            return playing
        chosen = ChosenMove(choice.move, choice.shortened_to)
        if choice.truth or not isinstance(match.player, PerfectPlayer):  # the solver may find more where it has more time
            chosen_moves().put(playing, chosen, 1)
    else:
        done_with(("move", playing))
    after = playing.at(match.play(chosen.move))
    _go_to(after)
    return after


def _offer_shallower(playing: Playing, match: Match) -> None:
    """Offer to go on with a player that looks less far ahead, after a search that took too long."""
    player = match.player
    if isinstance(player, SearchPlayer) and can_look_less_far(player, match.game):
        depth = min(player.depth or MOST_PLIES, MOST_PLIES) // 2 or 1
        instead = replace(playing, **{f"{match.side}_player": player_text(player.replace(depth=depth))})
        label = f"Go on with a player that looks {counted(depth, 'ply', 'plies')} ahead"
        st.button(label, icon=":material/play_arrow:", on_click=_put_in_address, args=(instead,))


@st.cache_resource(show_spinner=False)
def chosen_moves() -> Recent[ChosenMove]:
    """What computers have played, for all visitors: in the same place they play the same again, also those who play by chance."""
    return Recent(KEPT_MOVES)


def _hints(match: Match) -> dict[int, Worth] | None:
    """The value of each move, kept for the position."""
    depth = hint_depth(match)
    known = st.session_state.setdefault("hinted", {})
    key = ("hints", text_on_page(match.game), match.moves, match.first, depth)
    if key not in known:
        try:
            found = thought(key, "Looking at every move", Ask(true_hints, (match, depth), {"max_nodes": searched_most()}))
        except Cancelled:
            found = None
        if found is None:
            return None
        known.clear()
        known[key] = {hint.move: Worth(hint.value, hint.best, hint.truth, hint.comes_to) for hint in found}
    return known[key]


def hint_depth(match: Match) -> int | None:
    """As deep as the opponent looks."""
    player = match.min_player if match.side == "max" else match.max_player
    return player.depth if isinstance(player, SearchPlayer) else HINT_DEPTH


def _last_search(match: Match) -> Match | None:
    """The match before the last move that a search chose."""
    earlier = match.before
    while earlier is not None and not isinstance(earlier.player, SearchPlayer):
        earlier = earlier.before
    return earlier
