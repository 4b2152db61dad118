"""What a claim comes to, in words: the verdict and the numbers of real searches."""

from engine.algorithms.variants import title_of
from engine.analysis.claim_trials import Trial
from engine.analysis.claims import Claim
from visualizer.narration.captions import where
from visualizer.narration.ladder_messages import capital
from visualizer.narration.numbers import number

VERBS = {  # by measure: what a search does, with how many of what
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
ONE = {" calls": " call", " different nodes": " node", " different leaves": " leaf", " static evaluations": " static evaluation"}
ONE[" passes"] = " pass"


def numbers_words(claim: Claim, trial: Trial) -> str:
    """The measure of both contenders in the example."""
    one, other = (title_of(text) for text in claim.contenders)
    first, second = trial.numbers
    said = VERBS[claim.measure].format(number(first))
    if first == 1:
        for many, single in ONE.items():
            said = said.replace(many, single)
    words = f"{capital(one)} {said}, {other} {number(second)}"
    if isinstance(trial.one, frozenset):
        words += f"; {number(len(trial.one & trial.other))} are the same"
    return f"{words}."


def example_words(claim: Claim) -> str:
    """The position that shows it."""
    asked, typed = claim.example, claim.game.removeprefix("tree:")
    parts = [typed] if typed != claim.game else where(asked.game, asked.position_text, asked.first)
    return ", ".join(parts if claim.depth is None else [*parts, f"K={claim.depth}"])


def random_words(trial: Trial) -> str:
    """How it went on random trees."""
    tried = f"{trial.tried} random trees that were searched just now"
    if trial.held == trial.tried:
        return f"On {tried} it is so{', too.' if trial.holds else ', and yet one example is enough to refute it.'}"
    if trial.held == 0:
        return f"It is so on none of {tried}."
    return f"Of {tried} it is so on {trial.held}, and not on {trial.tried - trial.held}."


def verdict_words(trial: Trial, answer: bool) -> str:
    """Whether the learner was right: what was refuted is false, and what nothing refuted true (those are laws, which are tried on
    thousands of trees by our tests)."""
    return f"{'Right' if answer == trial.true else 'No'}: this is {'true' if trial.true else 'false'}."
