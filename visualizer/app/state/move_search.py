"""Searches that choose moves for a page, and the reasons for their choices."""

from typing import Any, NamedTuple

import streamlit as st

from engine import PlyscopeError
from engine.games.capabilities import move_phrase
from engine.matches.match import Match
from engine.matches.move_choice import Choice
from engine.matches.move_effects import find_effects
from visualizer.app.state.background_search import is_job_running, poll_job
from visualizer.app.state.jobs import AnswerJob, max_search_nodes
from visualizer.app.state.large_trees import page_game_text
from visualizer.app.state.url_params import search_params
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.move_reasons import COMMAND_INTRO, describe_effects, explain_choice
from visualizer.pool.pool import current_pool
from visualizer.pool.tasks import Work
from visualizer.pool.work_types import CallWithProgress
from visualizer.viewer.page_redirect import redirect_to_step
from visualizer.viewer.viewport import find_visible_part, leave_step

SEE_WHY_HELP = "Explains the computer's last move, and opens the search that chose it"


class SearchCancelled(Exception):
    """The user cancelled the search."""


def poll_answer(key: Any, words: str, work: Work) -> Any:
    """Return the answer of a search; None while it runs, or after a message if there is no answer. Raise SearchCancelled."""
    try:
        job = poll_job(key, lambda: AnswerJob(key, work), lambda job: (None, f"{words}: {job.nodes:,} nodes"))
    except PlyscopeError as error:
        st.error(escape_page_markdown(str(error)), icon=":material/error:")
        return None
    if job is not None and job.timed_out:
        st.error(f"This took more than {current_pool().limits.seconds:g} seconds, the limit of this server: lower the depth.")
        return None
    if job is not None and job.answer is None:
        raise SearchCancelled
    return None if job is None else job.answer


def make_choice_work(match: Match) -> Work:
    """Return the work of choosing a move for the player to move."""
    return CallWithProgress(match.choose, options={"max_nodes": max_search_nodes(), "may_shorten": True})


class MoveReason(NamedTuple):
    """The reason for a move."""

    key: Any
    sentences: list[str]
    parameters: dict[str, str]  # of the page Step, at the decision


def offer_move_reason(key: Any, match: Match, played: int, you: str = "") -> bool:
    """Show a button that explains why a search chose the next move of a match, and offers that search. Return True while it runs.

    `key` names the move. `played` is the move that was made: in a position that was set up, a search may choose another one.
    `you` is the side of the only person, if any.
    """
    if st.button("See why", icon=":material/footprint:", help=SEE_WHY_HELP, key=f"why {key}"):
        st.session_state["why"] = key
    if st.session_state.get("why") == key and (choice := _poll_choice(key, match)) is not None:
        st.session_state.pop("why")
        st.session_state["reason"] = MoveReason(key, _explain_choice(choice, match, played, you), _decision_params(choice))
    reason: MoveReason | None = st.session_state.get("reason")
    if reason is not None and reason.key == key:
        _show_reason(reason)
    return is_job_running(("why", key))


def _poll_choice(key: Any, match: Match) -> Choice | None:
    try:
        choice: Choice | None = poll_answer(("why", key), "Searching again", make_choice_work(match))
    except SearchCancelled:
        st.session_state.pop("why")
        return None
    return choice


def _explain_choice(choice: Choice, match: Match, played: int, you: str = "") -> list[str]:
    effects = find_effects(match.game, match.state, choice.move)
    seen = [] if effects is None else describe_effects(match.game, effects, match.side, you)
    sentences = [*seen, *filter(None, explain_choice(choice))]
    if choice.move == played:
        return sentences
    made, better = (move_phrase(match.game, match.legal_move_name(move)) for move in (played, choice.move))
    return [f"This search did not choose {made}: the position was set up. It chooses {better}.", *sentences]


def _decision_params(choice: Choice) -> dict[str, str]:
    """Return the URL parameters of the search, where the move is decided: as it leaves its root, or in its last iteration."""
    if choice.tree is None or choice.question is None or not page_game_text(choice.question.game):
        return {}
    if choice.tree.has_iterations:
        return {**search_params(choice.question), "iteration": str(choice.tree.root.visits)}
    step = leave_step(choice.tree, find_visible_part(choice.tree), int(choice.tree.root))
    return {**search_params(choice.question), "step": str(step)}


def _show_reason(reason: MoveReason) -> None:
    """Show the decision first, then the value of each move."""
    decision = [sentence for sentence in reason.sentences if not sentence.startswith((" ", COMMAND_INTRO))]
    moves = [sentence.strip() for sentence in reason.sentences if sentence.startswith(" ")]
    commands = [sentence.removeprefix(COMMAND_INTRO) for sentence in reason.sentences if sentence.startswith(COMMAND_INTRO)]
    with st.container(border=True, key="reason"):
        st.markdown("  \n".join(map(escape_page_markdown, decision)))
        opens = bool(reason.parameters)  # not where the game that counts wins only has no text
        if opens and st.button("Open the search", icon=":material/account_tree:", key=f"open {reason.key}"):
            redirect_to_step(reason.parameters)
        st.markdown("\n".join(f"- {escape_page_markdown(sentence)}" for sentence in moves))
        for command in commands:
            st.caption("The same search on the command line:")
            st.code(command, language=None, wrap_lines=True)
