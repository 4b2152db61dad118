"""Searches that choose moves, on behalf of a page, and why they chose them."""

from typing import Any, NamedTuple

import streamlit as st

from engine import PlyscopeError
from engine.games.capabilities import spoken_move
from engine.matches.match import Match
from engine.matches.players import Choice
from visualizer.app.state.background_search import awaited, searched_most
from visualizer.app.state.jobs import ThinkingJob
from visualizer.app.state.large_trees import text_on_page
from visualizer.app.state.url_params import parameters_of
from visualizer.narration.escapes import page_markdown
from visualizer.narration.move_reasons import COMMAND, explanation
from visualizer.pool.pool import the_pool
from visualizer.pool.tasks import Work
from visualizer.pool.work_types import Ask
from visualizer.viewer.page_redirect import leap_to_step
from visualizer.viewer.viewport import leave_step, part_of

SEE_WHY = "Says why the computer made its last move, and opens the search that chose it"


class Cancelled(Exception):
    """The user did not want to wait."""


def thought(key: Any, words: str, work: Work) -> Any:
    """What a search answers; None while it thinks, or after saying why there is no answer."""
    try:
        job = awaited(key, lambda: ThinkingJob(key, work), lambda job: (None, f"{words}: {job.nodes:,} nodes"))
    except PlyscopeError as error:
        st.error(page_markdown(str(error)), icon=":material/error:")
        return None
    if job is not None and job.timed_out:
        st.error(f"This took more than {the_pool().limits.seconds:g} seconds, the most that this server thinks: lower the depth.")
        return None
    if job is not None and job.answer is None:
        raise Cancelled
    return None if job is None else job.answer


def choosing(match: Match) -> Work:
    """What the player to move wants to play."""
    return Ask(match.choose, options={"max_nodes": searched_most(), "may_shorten": True})


class Reason(NamedTuple):
    """Why a move was made."""

    key: Any
    sentences: list[str]
    parameters: dict[str, str]  # of the page Step, at the decision


def see_why(key: Any, match: Match, played: int) -> None:
    """A button; pressed, it says why a search chose the next move of a match, and offers that search. `key` names the move,
    `played` is the one that was made: in a position that was set up it need not be the one that a search would choose."""
    if st.button("See why", icon=":material/footprint:", help=SEE_WHY, key=f"why {key}"):
        st.session_state["why"] = key
    if st.session_state.get("why") == key and (choice := _chosen(key, match)) is not None:
        st.session_state.pop("why")
        st.session_state["reason"] = Reason(key, _sentences(choice, match, played), _decision(choice))
    reason: Reason | None = st.session_state.get("reason")
    if reason is not None and reason.key == key:
        _say(reason)


def _chosen(key: Any, match: Match) -> Choice | None:
    try:
        choice: Choice | None = thought(("why", key), "Searching again", choosing(match))
    except Cancelled:
        st.session_state.pop("why")
        return None
    return choice


def _sentences(choice: Choice, match: Match, played: int) -> list[str]:
    sentences = list(filter(None, explanation(choice)))
    if choice.move == played:
        return sentences
    made, better = (spoken_move(match.game, match.name_of(move)) for move in (played, choice.move))
    return [f"This search did not choose {made}: the position was set up. It chooses {better}.", *sentences]


def _decision(choice: Choice) -> dict[str, str]:
    """The address of the search at the step that leaves its root: there it is decided."""
    if choice.tree is None or choice.question is None or not text_on_page(choice.question.game):
        return {}
    step = leave_step(choice.tree, part_of(choice.tree), int(choice.tree.root))
    return {**parameters_of(choice.question), "step": str(step)}


def _say(reason: Reason) -> None:
    """What was decided first, then what came back for each move."""
    told = [sentence for sentence in reason.sentences if not sentence.startswith((" ", COMMAND))]
    moves = [sentence.strip() for sentence in reason.sentences if sentence.startswith(" ")]
    commands = [sentence.removeprefix(COMMAND) for sentence in reason.sentences if sentence.startswith(COMMAND)]
    with st.container(border=True, key="reason"):
        st.markdown("  \n".join(map(page_markdown, told)))
        opens = bool(reason.parameters)  # not where the game that counts wins only has no text
        if opens and st.button("Open the search", icon=":material/account_tree:", key=f"open {reason.key}"):
            leap_to_step(reason.parameters)
        st.markdown("\n".join(f"- {page_markdown(sentence)}" for sentence in moves))
        for command in commands:
            st.caption("The same search on the command line:")
            st.code(command, language=None, wrap_lines=True)
