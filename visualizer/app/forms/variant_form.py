"""The widgets that ask what is to be compared, and how long that will take."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.algorithms.variants import contender, title_of
from engine.analysis.comparison import planned
from visualizer.app.forms.game_form import draft_of
from visualizer.app.forms.option_form import ask_for_options
from visualizer.app.state.background_search import answered, searched_most, shelf
from visualizer.app.state.url_params import MOST_CONTENDERS, Comparing
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted
from visualizer.pool.pool import the_pool
from visualizer.pool.work_types import ExpectTime
from visualizer.report.content import held_back

LONG = 60  # seconds from which on minutes are told


@dataclass
class ContenderDraft:
    """What the widgets have been told."""

    chosen: list[str]
    added: list[str]  # those with options of their own
    options: dict[str, Any] = field(default_factory=dict)


def ask_for_contenders(comparing: Comparing) -> str:
    """What is compared, as an address has it: algorithms, and any of them with options of its own."""
    own = [text for text in comparing.algorithms if text not in ALGORITHMS]
    draft = draft_of("contender drafts", comparing.key, ContenderDraft(list(comparing.algorithms), own))
    key = f"contenders {comparing.key}"
    st.session_state.setdefault(key, draft.chosen)
    chosen = st.multiselect(
        "Compared, rung by rung",
        [*ALGORITHMS, *draft.added],
        format_func=title_of,
        max_selections=MOST_CONTENDERS,
        key=key,
        help="In this order: the ladder shows what each saves over the one before it, or costs more.",
    )
    draft.chosen = chosen
    if st.toggle("Add one with options of its own", key=f"add {comparing.key}"):
        _ask_for_one(comparing, draft, key)
    return ",".join(chosen) or "nothing"


def _ask_for_one(comparing: Comparing, draft: ContenderDraft, key: str) -> None:
    """An algorithm and its options; Add puts it among the others."""
    with st.container(border=True):
        name = st.selectbox("Algorithm", ALGORITHMS, 1, format_func=title_of, key=f"added {comparing.key}")
        facts = ALGORITHMS[name]
        salt = f"of its own {comparing.key} {name}"
        answers = ask_for_options([name], draft.options, comparing.search.game, salt, shared=False)
        text = contender(name, **{key: value for key, value in answers.items() if value != facts.option(key).default}).text

        def add() -> None:
            if text not in ALGORITHMS and text not in draft.added:
                draft.added.append(text)
            if text not in st.session_state[key]:
                st.session_state[key] = [*st.session_state[key], text][:MOST_CONTENDERS]

        st.button("Add", icon=":material/add:", on_click=add, key=f"add it {comparing.key}", help=page_markdown(title_of(text)))


def asked_of(comparing: Comparing) -> dict[str, Any]:
    """What a comparison is asked for, beside its position."""
    asked = {"depths": comparing.depths, "algorithms": comparing.algorithms, "repeat": comparing.repeat}
    return {**asked, "max_nodes": searched_most()}


def who_holds_back(comparing: Comparing) -> str:
    """Why it runs by readable texts although some of it could run compiled; empty if it does not."""
    return page_markdown(held_back(planned(comparing.search, **asked_of(comparing))))


def expected_wait(comparing: Comparing) -> str:
    """What is to be said before a comparison runs by readable texts, and how long it will take; empty for what runs compiled."""
    if planned(comparing.search, **asked_of(comparing)).compiled:
        return ""
    seconds = shelf().get(("wait", comparing))
    if seconds is None:
        seconds = answered(("wait", comparing), ExpectTime(comparing.search, asked_of(comparing)))
        shelf().put(("wait", comparing), seconds)
    words = [who_holds_back(comparing)]
    if seconds >= LONG:
        most = the_pool().limits.seconds
        words.append(f"That would take about {counted(round(seconds / 60), 'minute')}; after {most:g} seconds it is stopped.")
    return " ".join(filter(None, words))
