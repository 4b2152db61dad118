"""Texts about a claim: the verdict, and the numbers of real searches."""

from engine.algorithms.variants import variant_title
from engine.analysis.claim_trials import Trial
from engine.analysis.claims import Claim
from visualizer.narration.captions import position_parts
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.numbers import format_number

MEASURE_PHRASES = {  # by measure, with the number to fill in
    "calls": "makes {} calls",
    "nodes": "visits {} different nodes",
    "leaves": "evaluates {} different leaves",
    "number of leaves": "evaluates {} different leaves",
    "evaluations": "makes {} static evaluations",
    "re-searches": "searches {} calls again",
    "passes": "makes {} passes",
    "calls of the last pass": "makes {} calls in its last pass",
    "value": "finds the value {}",
    "rounded value": "finds the value {}",
    "best move": "chooses move {}",
}
SINGULAR_FORMS = {
    " calls": " call",
    " different nodes": " node",
    " different leaves": " leaf",
    " static evaluations": " static evaluation",
}
SINGULAR_FORMS[" passes"] = " pass"


def describe_measures(claim: Claim, trial: Trial) -> str:
    """Describe the measure of both variants in the example."""
    first_title, second_title = (variant_title(text) for text in claim.variant_texts)
    first, second = trial.numbers
    phrase = MEASURE_PHRASES[claim.measure].format(format_number(first))
    if first == 1:
        for many, single in SINGULAR_FORMS.items():
            phrase = phrase.replace(many, single)
    summary = f"{capitalize_first(first_title)} {phrase}, {second_title} {format_number(second)}"
    if isinstance(trial.one, frozenset):
        summary += f"; {format_number(len(trial.one & trial.other))} are the same"
    return f"{summary}."


def describe_example(claim: Claim) -> str:
    """Describe the position that decides the claim."""
    question, tree_text = claim.example, claim.game.removeprefix("tree:")
    parts = [tree_text] if tree_text != claim.game else position_parts(question.game, question.position_text, question.first)
    return ", ".join(parts if claim.depth is None else [*parts, f"K={claim.depth}"])


def describe_random_trials(trial: Trial) -> str:
    """Describe the results on random trees."""
    tried = f"{trial.tried} random trees"
    if trial.held == trial.tried:
        return f"It holds on {tried}{' too.' if trial.holds else ', but one counterexample is enough to refute it.'}"
    if trial.held == 0:
        return f"It holds on none of {tried}."
    return f"It holds on {trial.held} of {tried}, and fails on {trial.tried - trial.held}."


def describe_verdict(trial: Trial, answer: bool) -> str:
    """Say whether the learner was right.

    A claim is false if a search refuted it, otherwise true. True claims are laws, which our tests check on thousands of trees.
    """
    return f"{'Right' if answer == trial.true else 'No'}: this is {'true' if trial.true else 'false'}."
