"""The widgets that ask which variants to compare, and the expected time of a comparison."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.algorithms.variants import make_variant, variant_title
from engine.analysis.comparison import default_comparison, plan_comparison
from engine.games.chance_outcomes import has_chance
from engine.searcher import list_suitable_algorithms
from visualizer.app.forms.game_form import get_draft
from visualizer.app.forms.option_form import ask_for_options
from visualizer.app.state.background_search import answer_cache, wait_for_answer
from visualizer.app.state.jobs import max_search_nodes
from visualizer.app.state.url_params import MAX_VARIANTS, NOTHING_ENTERED, ComparisonParams
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.numbers import format_count
from visualizer.pool.pool import current_pool
from visualizer.pool.work_types import EstimateTime
from visualizer.report.content import explain_held_back

LONG_WAIT_SECONDS = 60  # longer waits are announced in minutes


@dataclass
class VariantDraft:
    """The values of the widgets."""

    chosen: list[str]
    added: list[str]  # variants with their own options
    options: dict[str, Any] = field(default_factory=dict)


def ask_for_variants(comparing: ComparisonParams, game: Any) -> str:
    """Ask for the variants to compare: algorithms, some with options of their own. Return them as a URL parameter."""
    own = [text for text in comparing.algorithms if text not in ALGORITHMS]
    draft = get_draft("contender drafts", comparing.key, VariantDraft(list(comparing.algorithms), own))
    with_chance, offered = has_chance(game), list_suitable_algorithms(game)
    offered += [] if with_chance else [text for text in comparing.algorithms if text in ALGORITHMS and text not in offered]
    fitting = [text for text in draft.chosen if text in (*offered, *draft.added)]
    key = f"contenders {comparing.key}{' with chance' if with_chance else ''}"
    st.session_state.setdefault(key, fitting or list(default_comparison(game)))
    chosen = st.multiselect(
        "Algorithms to compare",
        [*offered, *draft.added],
        format_func=variant_title,
        max_selections=MAX_VARIANTS,
        key=key,
        help="The ladder shows, in this order, how much each one saves or costs compared with the one before it.",
    )
    draft.chosen = chosen
    if st.toggle("Add an algorithm with its own options", key=f"add {comparing.key}"):
        _ask_for_variant(comparing, draft, key, offered)
    return ",".join(chosen) or NOTHING_ENTERED


def _ask_for_variant(comparing: ComparisonParams, draft: VariantDraft, key: str, offered: list[str]) -> None:
    """Ask for an algorithm and its options. The button Add puts it among the others."""
    with st.container(border=True):
        name = st.selectbox("Algorithm", offered, min(1, len(offered) - 1), format_func=variant_title, key=f"added {key}")
        facts = ALGORITHMS[name]
        salt = f"of its own {comparing.key} {name}"
        answers = ask_for_options([name], draft.options, comparing.search.game, salt, shared=False)
        text = make_variant(name, **{key: value for key, value in answers.items() if value != facts.option(key).default}).text

        def add_variant() -> None:
            if text not in ALGORITHMS and text not in draft.added:
                draft.added.append(text)
            if text not in st.session_state[key]:
                st.session_state[key] = [*st.session_state[key], text][:MAX_VARIANTS]

        st.button(
            "Add",
            icon=":material/add:",
            on_click=add_variant,
            key=f"add it {comparing.key}",
            help=escape_page_markdown(variant_title(text)),
        )


def comparison_arguments(comparing: ComparisonParams) -> dict[str, Any]:
    """Return the arguments of a comparison, except its position."""
    arguments = {"depths": comparing.depths, "algorithms": comparing.algorithms, "repeat": comparing.repeat}
    return {**arguments, "max_nodes": max_search_nodes()}


def explain_readable_run(comparing: ComparisonParams) -> str:
    """Say why a comparison runs the readable algorithms although some could run compiled; empty if it does not."""
    return escape_page_markdown(explain_held_back(plan_comparison(comparing.search, **comparison_arguments(comparing))))


def describe_expected_wait(comparing: ComparisonParams) -> str:
    """Say how long a comparison takes that runs the readable algorithms, and why it does; empty if it runs compiled."""
    if plan_comparison(comparing.search, **comparison_arguments(comparing)).compiled:
        return ""
    seconds = answer_cache().get(("wait", comparing))
    if seconds is None:
        seconds = wait_for_answer(("wait", comparing), EstimateTime(comparing.search, comparison_arguments(comparing)))
        answer_cache().put(("wait", comparing), seconds)
    words = [explain_readable_run(comparing)]
    if seconds >= LONG_WAIT_SECONDS:
        limit = current_pool().limits.seconds
        words.append(
            f"This takes about {format_count(round(seconds / 60), 'minute')}, and the server stops it after {limit:g} seconds."
        )
    return " ".join(filter(None, words))
