""" "True or false?" on the page Compare: a learner judges claims about the rungs, and sees the searches that decide."""

import streamlit as st

from engine.algorithms.variants import read_variant, variant_title
from engine.analysis.claim_trials import Trial
from engine.analysis.claims import CLAIMS, Claim
from engine.core.parsing import depth_text
from visualizer.app.sections.compared_trees import open_step
from visualizer.app.state.background_search import wait_for_answer
from visualizer.app.state.url_params import search_params
from visualizer.narration.claim_messages import describe_example, describe_measures, describe_random_trials, describe_verdict
from visualizer.narration.escapes import escape_page_markdown
from visualizer.pool.work_types import TryClaim
from visualizer.viewer.search_overlay import search_overlay_component

CLAIMS_BY_NAME = {claim.name: claim for claim in CLAIMS}
FALSE, TRUE = "False", "True"


def offer_quiz() -> None:
    """Show the button that opens the quiz. The URL names its claim; without a claim the quiz is closed."""
    if st.query_params.get("claim") not in CLAIMS_BY_NAME:
        st.button("Quiz: true or false?", icon=":material/quiz:", on_click=_open_quiz)


def show_quiz() -> None:
    """Show the quiz if the URL names a claim."""
    if (claim := CLAIMS_BY_NAME.get(st.query_params.get("claim", ""))) is not None:
        with st.container(border=True):
            _ask_claim(claim)


def _open_quiz() -> None:
    judged = st.session_state.get("judged claims", {})
    _open_claim(next((claim.name for claim in CLAIMS if claim.name not in judged), CLAIMS[0].name))


def _close_quiz() -> None:
    st.query_params.pop("claim", None)


def _ask_claim(claim: Claim) -> None:
    judged: dict[str, bool] = st.session_state.setdefault("judged claims", {})
    place = CLAIMS.index(claim)
    right = sum(answer == CLAIMS_BY_NAME[name].true for name, answer in judged.items())
    st.caption(f"Claim {place + 1} of {len(CLAIMS)} · {len(judged)} answered, {right} correct")
    st.markdown(f"#### {escape_page_markdown(claim.statement)}")
    with st.container(horizontal=True):
        for text, answer in ((TRUE, True), (FALSE, False)):
            chosen = judged.get(claim.name) is answer
            st.button(
                text, key=f"claim {claim.name} {text}", type="primary" if chosen else "secondary", on_click=_judge_claim,
                args=(claim.name, answer),
            )  # fmt: skip
        for text, icon, other in (("Previous", "arrow_back", place - 1), ("Next claim", "arrow_forward", place + 1)):
            name = CLAIMS[other % len(CLAIMS)].name
            st.button(
                text,
                icon=f":material/{icon}:",
                type="tertiary",
                key=f"to {text} {claim.name}",
                on_click=_open_claim,
                args=(name,),
            )
        st.button("Close the quiz", icon=":material/close:", type="tertiary", on_click=_close_quiz)
    if claim.name in judged:
        _show_verdict(claim, judged[claim.name])


def _judge_claim(name: str, answer: bool) -> None:
    st.session_state["judged claims"][name] = answer
    _open_claim(name)


def _open_claim(name: str) -> None:
    st.query_params["claim"] = name


def _show_verdict(claim: Claim, answer: bool) -> None:
    """Show the verdict, its numbers, and both trees of the example."""
    trial = try_claim(claim.name)
    verdict, right = f"**{describe_verdict(trial, answer)}** {escape_page_markdown(claim.why)}", answer == trial.true
    (st.success if right else st.warning)(verdict, icon=f":material/{'check' if right else 'close'}:")
    shown = "This example refutes it" if not trial.holds else "It holds in this example"
    example = escape_page_markdown(describe_example(claim))
    st.markdown(f"{shown}: {example}. {escape_page_markdown(describe_measures(claim, trial))} {describe_random_trials(trial)}")
    one, other = claim.variant_texts
    questions = [tree.question for tree in (trial.overlay.left.tree, trial.overlay.right.tree)]
    opened = search_overlay_component(
        trial.overlay, (variant_title(one), variant_title(other)), f"claim {claim.name}", small=True
    )
    if opened is not None:
        path, in_left = opened
        open_step(questions[0 if in_left else 1], trial.overlay.step_at(path, in_left))
    with st.container(horizontal=True):
        for text, question in zip((one, other), questions, strict=True):
            if st.button(
                f"Step through {escape_page_markdown(variant_title(text))}",
                key=f"step {claim.name} {text}",
                icon=":material/footprint:",
            ):
                open_step(question, 0)
        if st.button("Compare both on this example", key=f"compare {claim.name}", icon=":material/balance:"):
            st.query_params.from_dict(claim_params(claim))
            st.rerun(scope="app")


def claim_params(claim: Claim) -> dict[str, str]:
    """Return the URL parameters of Compare for both variants of a claim on its example."""
    both, K = ",".join(read_variant(text).text for text in claim.variant_texts), depth_text(claim.depth)
    shared = {name: text for name, text in search_params(claim.example).items() if name not in ("algorithm", "depth")}
    return {**shared, "depths": K, "repeat": "1", "algorithms": both, "pair": both, "K": K, "claim": claim.name}


@st.cache_resource(max_entries=len(CLAIMS), show_spinner="Searching …")
def try_claim(name: str) -> Trial:
    """Return the result of the real searches that decide a claim. It is the same for everybody."""
    answer: Trial = wait_for_answer(("claim", name), TryClaim(name))
    return answer
