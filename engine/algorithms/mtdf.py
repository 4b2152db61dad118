"""MTD(f) and its two extremes (Plaat, Schaeffer, Pijls and de Bruin, Best-first fixed-depth minimax algorithms, 1996).

Every pass asks one question with a null window: is the value at least this much? The answer is a bound of the value, and the
next pass tests that bound. When the lower bound has reached the upper one, that is the value. A table that keeps the bounds
of every row makes later passes cheap. It answers calls but does not reorder moves.

Started from infinity this is SSS* (Stockman 1979): it evaluates the same leaves in the same order. Started from minus
infinity it is DUAL* (Marsland, Reinefeld and Schaeffer 1987).
"""

from typing import Any

from engine.algorithms.alphabeta_core_pseudocode import make_search_pseudocode
from engine.algorithms.pass_runner import PassRunner
from engine.algorithms.spec import (
    ALL_SLOTS,
    DRAFT,
    GUESS,
    LADDER,
    LINK,
    ORDER,
    QUIESCENCE,
    REPLACE,
    WINDOWS,
    Algorithm,
)
from engine.algorithms.templates import CodeLine, Pseudocode, Rule, Rules
from engine.games.capabilities import adjacent_value
from engine.record.columns import INFINITY

REASON_GUESSED = "it tests the first guess"
REASON_LOWERED = "the last pass lowered the upper bound, so this one tests that bound"
REASON_RAISED = "the last pass raised the lower bound, so this one tests the next number above it"

PROVED_TEXT = (
    "The search is done: pass {pass} proves that the root is worth {known}. The lower and the upper bound are now both "
    "{value}, so the value is exactly {value}."
)
MTD_RULES: Rules = {
    "sentence": [
        Rule(
            "enter.pass.null",
            {"step": "enter", "root": True},
            "Pass {pass} starts at the root with {side} to move: {why}. The null window {alpha} to {beta} "
            "asks one question: is the root worth {asked}?",
        ),
        Rule(
            "driver.met",
            {"step": "driver", "pass": "last", "stopped": "", "best": True},
            PROVED_TEXT + " The best move for {side} is {move}.",
        ),
        Rule(
            "driver.met without a move",
            {"step": "driver", "pass": "last", "stopped": ""},
            PROVED_TEXT,
        ),
        Rule(
            "driver.low",
            {"step": "driver", "fails": "low"},
            "Pass {pass} fails low, so the answer is no: the root is worth {known}. The new upper bound is {value}.",
        ),
        Rule(
            "driver.high",
            {"step": "driver", "fails": "high"},
            "Pass {pass} fails high, so the answer is yes: the root is worth {known}. The new lower bound is {value}.",
        ),
    ]
}


def make_pseudocode(name: str, guess: str) -> Pseudocode:
    """Return the pseudo-code, with the initial value of g."""
    return [
        CodeLine(f"{name}(root, plies)" if guess != "guess" else f"{name}(root, plies, guess)"),
        CodeLine(f"  g ← {guess}; lower ← −∞; upper ← ∞"),
        CodeLine("  while lower < upper:"),
        CodeLine("    β ← next above g if g = lower, else g"),
        CodeLine("    g ← alphabeta(root, plies, next below β, β)"),
        CodeLine("    if g < β: upper ← g", {"step": "driver", "fails": "low"}, "upper = {value}"),
        CodeLine("    else: lower ← g", {"step": "driver"}, "lower = {value}"),
        CodeLine("  return g"),
        CodeLine(""),
        *make_search_pseudocode("alphabeta", table=True, scout=False),
    ]


def run_mtd(runner: PassRunner, game: Any, state: Any, plies: int, guess: float) -> float:
    """Return the value of the position by passes with null windows. The first tests the guess."""
    g, lower, upper, why = guess, -INFINITY, INFINITY, REASON_GUESSED
    while lower < upper:
        beta = adjacent_value(game, g, up=True) if g == lower else g
        g = runner.run_pass(state, plies, (adjacent_value(game, beta, up=False), beta), why)
        if g < beta:
            upper, why = g, REASON_LOWERED
        else:
            lower, why = g, REASON_RAISED
    return g


def run_mtdf(runner: PassRunner, game: Any, state: Any, plies: int, options: Any) -> float:
    """Run the search, as `Algorithm.run_passes`."""
    return run_mtd(runner, game, state, plies, options["guess"] or 0.0)


MTD_LAWS = ("value", "within alpha-beta", "answers", "no leaf twice", "windows nest", "kernel")
MTD_ADDITIONS = {"table": True, "hash_move": False}
MTD_COLUMNS = (*WINDOWS, LINK)
MTD_OPTIONS = (ORDER, QUIESCENCE, ALL_SLOTS, REPLACE, DRAFT)

MTDF = Algorithm(
    name="mtdf",
    title="MTD(f)",
    line="narrow the bounds of the value with null windows until they meet",
    run_passes=run_mtdf,
    additions=MTD_ADDITIONS,
    code=make_pseudocode("mtdf", "guess"),
    words=MTD_RULES,
    columns=MTD_COLUMNS,
    options=(GUESS, *MTD_OPTIONS),
    laws=MTD_LAWS,
    kernel=LADDER,
)
