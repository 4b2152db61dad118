"""MTD(f) and its two extremes (Plaat, Schaeffer, Pijls and de Bruin, Best-first fixed-depth minimax algorithms, 1996).

Every pass asks one thing with a null window: is the value at least so much? The answer is a bound of the value, and the next pass
asks at that bound. When the lower bound has reached the upper one, that is the value. A table that keeps every row's bounds makes
later passes cheap; it answers, but moves stay in their order.

Begun from infinity this is SSS* (Stockman 1979): it evaluates the same leaves in the same order. Begun from minus infinity it is
DUAL* (Marsland, Reinefeld and Schaeffer 1987).
"""

from typing import Any

from engine.algorithms.alphabeta_core import windowed
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
    depth_limit,
)
from engine.algorithms.templates import Code, CodeLine, Rule, Rules
from engine.algorithms.windowed_pseudocode import inner_code
from engine.games.capabilities import neighbour
from engine.record.columns import INFINITY

GUESSED = "the first guess is asked about"
LOWERED = "the last pass lowered the upper bound, so that is asked about"
RAISED = "the last pass raised the lower bound, so the next number above it is asked about"

PROVED = (
    "The search is done: pass {pass} proves that the root is worth {known}. Now the lower bound and the upper bound are both "
    "{value}, so that is its value."
)
WORDS: Rules = {
    "sentence": [
        Rule(
            "enter.pass.null",
            {"step": "enter", "root": True},
            "Pass {pass} starts at the root with {side} to move: {why}. The window {alpha} to {beta} is a null window, which "
            "asks only one thing: is the root worth {asked}?",
        ),
        Rule(
            "driver.met",
            {"step": "driver", "pass": "last", "stopped": "", "best": True},
            PROVED + " The best move for {side} is {move}.",
        ),
        Rule(
            "driver.met without a move",
            {"step": "driver", "pass": "last", "stopped": ""},
            PROVED,
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


def code(name: str, guess: str) -> Code:
    """The pseudo-code, with what g is at first."""
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
        *inner_code("alphabeta", table=True, scout=False),
    ]


def mtd(game: Any, record: Any, state: Any, plies: int, options: Any, guess: float) -> float:
    """The value of the position, by null windows, the first at the guess."""
    search = windowed(game, record, options, table=True, hash_move=False)
    g, lower, upper, why = guess, -INFINITY, INFINITY, GUESSED
    while lower < upper:
        beta = neighbour(game, g, up=True) if g == lower else g
        record.begin_pass(depth_limit(plies), why)
        g = search.run_pass(state, plies, (neighbour(game, beta, up=False), beta))
        if g < beta:
            upper, why = g, LOWERED
        else:
            lower, why = g, RAISED
    return g


def mtdf(game: Any, record: Any, state: Any, plies: int, options: Any) -> float:
    """The readable text, `Algorithm.run`."""
    return mtd(game, record, state, plies, options, options["guess"] or 0.0)


LAWS = ("value", "within alpha-beta", "answers", "no leaf twice", "windows nest", "kernel")
COLUMNS = (*WINDOWS, LINK)
OPTIONS = (ORDER, QUIESCENCE, ALL_SLOTS, REPLACE, DRAFT)

MTDF = Algorithm(
    name="mtdf",
    title="MTD(f)",
    line="ask with null windows whether the value is at least so much, until both bounds meet",
    run=mtdf,
    code=code("mtdf", "guess"),
    words=WORDS,
    columns=COLUMNS,
    options=(GUESS, *OPTIONS),
    laws=LAWS,
    kernel=LADDER,
)
