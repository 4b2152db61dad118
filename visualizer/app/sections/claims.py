"""True or false? On the page Compare: a learner judges claims about the rungs, and sees the searches that decide."""

import streamlit as st

from engine.algorithms.variants import read_contender, title_of
from engine.analysis.claim_trials import Trial
from engine.analysis.claims import CLAIMS, Claim
from engine.core.parsing import plies
from visualizer.app.sections.compared_trees import open_step
from visualizer.app.state.background_search import answered
from visualizer.app.state.lazy_sections import below
from visualizer.app.state.url_params import parameters_of
from visualizer.narration.claim_messages import example_words, numbers_words, random_words, verdict_words
from visualizer.narration.escapes import page_markdown
from visualizer.pool.work_types import TryClaim
from visualizer.viewer.search_overlay import two_sets

BY_NAME = {claim.name: claim for claim in CLAIMS}
FALSE, TRUE = "False", "True"


def offer_claims() -> None:
    """The section; a link that names a claim opens it."""
    named = st.query_params.get("claim") in BY_NAME
    below("True or false?", ":material/quiz:", "claims", _ask, expanded=named)


def _ask() -> None:
    judged: dict[str, bool] = st.session_state.setdefault("judged claims", {})
    claim = BY_NAME.get(st.query_params.get("claim", "")) or next((one for one in CLAIMS if one.name not in judged), CLAIMS[0])
    place = CLAIMS.index(claim)
    right = sum(answer == BY_NAME[name].true for name, answer in judged.items())
    st.caption(f"Claim {place + 1} of {len(CLAIMS)} · judged {len(judged)}, {right} of them rightly")
    st.markdown(f"#### {page_markdown(claim.statement)}")
    with st.container(horizontal=True):
        for text, answer in ((TRUE, True), (FALSE, False)):
            chosen = judged.get(claim.name) is answer
            st.button(
                text, key=f"claim {claim.name} {text}", type="primary" if chosen else "secondary", on_click=_judge,
                args=(claim.name, answer),
            )  # fmt: skip
        for text, icon, other in (("Previous", "arrow_back", place - 1), ("Next claim", "arrow_forward", place + 1)):
            name = CLAIMS[other % len(CLAIMS)].name
            st.button(text, icon=f":material/{icon}:", type="tertiary", key=f"to {text} {claim.name}", on_click=_go, args=(name,))
    if claim.name in judged:
        _tell(claim, judged[claim.name])


def _judge(name: str, answer: bool) -> None:
    st.session_state["judged claims"][name] = answer
    _go(name)


def _go(name: str) -> None:
    st.query_params["claim"] = name


def _tell(claim: Claim, answer: bool) -> None:
    """The verdict, its numbers, and both trees of the example."""
    trial = tried(claim.name)
    said, right = f"**{verdict_words(trial, answer)}** {page_markdown(claim.why)}", answer == trial.true
    (st.success if right else st.warning)(said, icon=f":material/{'check' if right else 'close'}:")
    shown = "This refutes it" if not trial.holds else "In this example it is so"
    example = page_markdown(example_words(claim))
    st.markdown(f"{shown}: {example}. {page_markdown(numbers_words(claim, trial))} {random_words(trial)}")
    one, other = claim.contenders
    questions = [tree.question for tree in (trial.overlay.left.tree, trial.overlay.right.tree)]
    opened = two_sets(trial.overlay, (title_of(one), title_of(other)), f"claim {claim.name}", small=True)
    if opened is not None:
        path, in_left = opened
        open_step(questions[0 if in_left else 1], trial.overlay.step_at(path, in_left))
    with st.container(horizontal=True):
        for text, question in zip((one, other), questions, strict=True):
            if st.button(
                f"Step through {page_markdown(title_of(text))}", key=f"step {claim.name} {text}", icon=":material/footprint:"
            ):
                open_step(question, 0)
        if st.button("Compare them on it", key=f"compare {claim.name}", icon=":material/balance:"):
            st.query_params.from_dict(address_of(claim))
            st.rerun(scope="app")


def address_of(claim: Claim) -> dict[str, str]:
    """The page Compare with both contenders on the example."""
    both, K = ",".join(read_contender(text).text for text in claim.contenders), plies(claim.depth)
    shared = {name: text for name, text in parameters_of(claim.example).items() if name not in ("algorithm", "depth")}
    return {**shared, "depths": K, "repeat": "1", "algorithms": both, "pair": both, "K": K, "claim": claim.name}


@st.cache_resource(max_entries=len(CLAIMS), show_spinner="Searching …")
def tried(name: str) -> Trial:
    """What real searches say of a claim; the same for everybody."""
    answer: Trial = answered(("claim", name), TryClaim(name))
    return answer
