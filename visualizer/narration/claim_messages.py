"""Texts about a claim: the verdict, and the numbers of real searches."""

from engine.algorithms.variants import variant_title
from engine.analysis.claim_trials import Trial
from engine.analysis.claims import Claim
from visualizer.narration.captions import position_parts
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.numbers import format_number

MEASURE_PHRASES = {  # by measure: what a search does, with how many of what
    "calls": "makes {} calls",
    "nodes": "visits {} different nodes",
    "leaves": "evaluates {} different leaves",
    "number of leaves": "evaluates {} different leaves",
    "evaluations": "makes {} static evaluations",
    "re-searches": "searches {} calls again",
    "passes": "makes {} passes",
    "calls of the last pass": "makes {} calls in its last pass",
    "value": "finds the value {}",
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
    one, other = (variant_title(text) for text in claim.variant_texts)
    first, second = trial.numbers
    said = MEASURE_PHRASES[claim.measure].format(format_number(first))
    if first == 1:
        for many, single in SINGULAR_FORMS.items():
            said = said.replace(many, single)
    words = f"{capitalize_first(one)} {said}, {other} {format_number(second)}"
    if isinstance(trial.one, frozenset):
        words += f"; {format_number(len(trial.one & trial.other))} are the same"
    return f"{words}."


def describe_example(claim: Claim) -> str:
    """Describe the position that decides the claim."""
    asked, typed = claim.example, claim.game.removeprefix("tree:")
    parts = [typed] if typed != claim.game else position_parts(asked.game, asked.position_text, asked.first)
    return ", ".join(parts if claim.depth is None else [*parts, f"K={claim.depth}"])


def describe_random_trials(trial: Trial) -> str:
    """Describe the results on random trees."""
    tried = f"{trial.tried} random trees that were searched just now"
    if trial.held == trial.tried:
        return f"On {tried} it is so{', too.' if trial.holds else ', and yet one example is enough to refute it.'}"
    if trial.held == 0:
        return f"It is so on none of {tried}."
    return f"Of {tried} it is so on {trial.held}, and not on {trial.tried - trial.held}."


def describe_verdict(trial: Trial, answer: bool) -> str:
    """Return whether the learner was right.

    A claim is false if something refuted it, otherwise true. The true ones are laws, which our tests try on thousands of trees.
    """
    return f"{'Right' if answer == trial.true else 'No'}: this is {'true' if trial.true else 'false'}."
