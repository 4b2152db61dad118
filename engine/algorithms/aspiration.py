"""Alpha-beta with an aspiration window (Slate and Atkin 1977; Marsland 1986).

The value is guessed, and searched for only between guess - width and guess + width. If it lies outside, the side that failed is
opened fully, and the whole search is made again. Without a guess that is the static value of the position, or 0 where only leaves
have values.
"""

from typing import Any

from engine.algorithms.alphabeta_core import Window, Windowed, windowed
from engine.algorithms.spec import CUT_ON_EQUAL, GUESS, LADDER, ORDER, QUIESCENCE, WIDTH, WINDOWS, Algorithm, depth_limit
from engine.algorithms.templates import CodeLine, Rule, Rules, When
from engine.algorithms.windowed_pseudocode import inner_code
from engine.games.capabilities import only_leaves_count
from engine.games.protocol import static_value
from engine.record.columns import INFINITY

GUESSED = "the value is guessed to lie between these"
FAILED_LOW = "the last pass failed low, so the lower end is opened"
FAILED_HIGH = "the last pass failed high, so the upper end is opened"

CODE = [
    CodeLine("aspiration(root, plies, guess, width)"),
    CodeLine("  α ← guess − width; β ← guess + width"),
    CodeLine("  value ← alphabeta(root, plies, α, β)", {"step": "driver", "fails": ""}, "{value}"),
    CodeLine("  if value ≤ α: again with α ← −∞", {"step": "driver", "fails": "low"}, "{value} failed low"),
    CodeLine("  if value ≥ β: again with β ← ∞", {"step": "driver", "fails": "high"}, "{value} failed high"),
    CodeLine("  return value"),
    CodeLine(""),
    *inner_code("alphabeta", table=False, scout=False),
]
LOW = "Pass {pass} fails low: the root is worth {known}, not above {alpha}, the lower end of its window. "
HIGH = "Pass {pass} fails high: the root is worth {known}, not below {beta}, the upper end of its window. "
ONLY_A_BOUND = "The search cannot tell this from a bound, so "
NOT_KNOWN = "The value is not known yet, so "
OPEN_LOW = "the lower end is opened and the root is searched again."
OPEN_HIGH = "the upper end is opened and the root is searched again."
FAILS_LOW: When = {"step": "driver", "fails": "low", "stopped": ""}
FAILS_HIGH: When = {"step": "driver", "fails": "high", "stopped": ""}
WORDS_OF_ASPIRATION: Rules = {
    "sentence": [
        Rule("driver.failed low with the value", {**FAILS_LOW, "bound": "exact"}, LOW + ONLY_A_BOUND + OPEN_LOW),
        Rule("driver.failed high with the value", {**FAILS_HIGH, "bound": "exact"}, HIGH + ONLY_A_BOUND + OPEN_HIGH),
        Rule("driver.failed low", FAILS_LOW, LOW + NOT_KNOWN + OPEN_LOW),
        Rule("driver.failed high", FAILS_HIGH, HIGH + NOT_KNOWN + OPEN_HIGH),
    ]
}


def first_guess(game: Any, record: Any, state: Any, guess: float | None) -> float:
    """The guess that was given, or the static value of the position, an evaluation; 0 where only leaves have values."""
    if guess is not None:
        return guess
    if only_leaves_count(game) and not game.is_over(state):
        return 0.0
    record.count_evaluations(1)
    return static_value(game, state)


def aspire(search: Windowed, state: Any, plies: int, guess: float, width: float, why: str = GUESSED) -> float:
    """The value of the position, by passes with a window around the guess, one side of which is opened when it fails."""
    window: Window = (guess - width, guess + width)
    if not window[0] < window[1]:  # no width, or one that a number so large does not feel
        window = (-INFINITY, INFINITY)
    while True:
        search.record.begin_pass(depth_limit(plies), why)
        value = search.run_pass(state, plies, window)
        if value <= window[0]:
            window, why = (-INFINITY, window[1]), FAILED_LOW
        elif value >= window[1]:
            window, why = (window[0], INFINITY), FAILED_HIGH
        else:
            return value


def aspiration(game: Any, record: Any, state: Any, plies: int, options: Any) -> float:
    """The readable text, `Algorithm.run`."""
    guess = first_guess(game, record, state, options["guess"])
    return aspire(windowed(game, record, options), state, plies, guess, options["width"])


ASPIRATION = Algorithm(
    name="aspiration",
    title="aspiration search",
    line="guess the value, search around it, and again if it lies outside",
    run=aspiration,
    code=CODE,
    words=WORDS_OF_ASPIRATION,
    columns=WINDOWS,
    options=(GUESS, WIDTH, CUT_ON_EQUAL, ORDER, QUIESCENCE),
    laws=("value", "first of equals", "within alpha-beta", "windows nest", "kernel"),
    kernel=LADDER,
)
