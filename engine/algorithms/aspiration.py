"""Alpha-beta with an aspiration window (Slate and Atkin 1977; Marsland 1986).

The search guesses the value and looks for it only between guess - width and guess + width. If it lies outside, the side that
failed is opened fully and the whole search is repeated. The default guess is the static value of the position, or 0 where only
leaves have values.
"""

from typing import Any

from engine.algorithms.alphabeta_core_pseudocode import make_search_pseudocode
from engine.algorithms.pass_runner import FULL_WINDOW, PassRunner, Window
from engine.algorithms.spec import CUT_ON_EQUAL, GUESS, LADDER, ORDER, QUIESCENCE, WIDTH, WINDOWS, Algorithm
from engine.algorithms.templates import CodeLine, Conditions, Rule, Rules
from engine.games.capabilities import has_leaf_values_only
from engine.games.protocol import static_value
from engine.record.columns import INFINITY

REASON_GUESSED = "its window is set around the guess"
REASON_FAILED_LOW = "the last pass failed low, so alpha is now −∞"
REASON_FAILED_HIGH = "the last pass failed high, so beta is now ∞"

PSEUDOCODE = [
    CodeLine("aspiration(root, plies, guess, width)"),
    CodeLine("  α ← guess − width; β ← guess + width"),
    CodeLine("  value ← alphabeta(root, plies, α, β)", {"step": "driver", "fails": ""}, "{value}"),
    CodeLine("  if value ≤ α: again with α ← −∞", {"step": "driver", "fails": "low"}, "{value} failed low"),
    CodeLine("  if value ≥ β: again with β ← ∞", {"step": "driver", "fails": "high"}, "{value} failed high"),
    CodeLine("  return value"),
    CodeLine(""),
    *make_search_pseudocode("alphabeta", table=False, scout=False),
]
FAILS_LOW_TEXT = "Pass {pass} fails low: the root is worth {known}, which is not above alpha, {alpha}. "
FAILS_HIGH_TEXT = "Pass {pass} fails high: the root is worth {known}, which is not below beta, {beta}. "
ONLY_A_BOUND_TEXT = "The search cannot tell this from a bound, so "
NOT_KNOWN_TEXT = "The value is not known yet, so "
OPEN_LOW_TEXT = "alpha becomes −∞ and the root is searched again."
OPEN_HIGH_TEXT = "beta becomes ∞ and the root is searched again."
FAILS_LOW: Conditions = {"step": "driver", "fails": "low", "stopped": ""}
FAILS_HIGH: Conditions = {"step": "driver", "fails": "high", "stopped": ""}
ASPIRATION_RULES: Rules = {
    "sentence": [
        Rule(
            "driver.failed low with the value",
            {**FAILS_LOW, "bound": "exact"},
            FAILS_LOW_TEXT + ONLY_A_BOUND_TEXT + OPEN_LOW_TEXT,
        ),
        Rule(
            "driver.failed high with the value",
            {**FAILS_HIGH, "bound": "exact"},
            FAILS_HIGH_TEXT + ONLY_A_BOUND_TEXT + OPEN_HIGH_TEXT,
        ),
        Rule("driver.failed low", FAILS_LOW, FAILS_LOW_TEXT + NOT_KNOWN_TEXT + OPEN_LOW_TEXT),
        Rule("driver.failed high", FAILS_HIGH, FAILS_HIGH_TEXT + NOT_KNOWN_TEXT + OPEN_HIGH_TEXT),
    ]
}


def choose_first_guess(runner: PassRunner, game: Any, state: Any, guess: float | None) -> float:
    """Return the given guess, or the static value of the position, which counts as an evaluation. Return 0 where only leaves
    have values.
    """
    if guess is not None:
        return guess
    if has_leaf_values_only(game) and not game.is_over(state):
        return 0.0
    runner.count_evaluations(1)
    return static_value(game, state)


def search_around_guess(
    runner: PassRunner, state: Any, plies: int, guess: float, width: float, why: str = REASON_GUESSED
) -> float:
    """Return the value of the position, by passes with a window around the guess. If a pass fails, that side is opened."""
    window: Window = (guess - width, guess + width)
    if not window[0] < window[1]:  # width 0, or too small to change a number this large
        window = FULL_WINDOW
    while True:
        value = runner.run_pass(state, plies, window, why)
        if value <= window[0]:
            window, why = (-INFINITY, window[1]), REASON_FAILED_LOW
        elif value >= window[1]:
            window, why = (window[0], INFINITY), REASON_FAILED_HIGH
        else:
            return value


def run_aspiration(runner: PassRunner, game: Any, state: Any, plies: int, options: Any) -> float:
    """Run the search, as `Algorithm.run_passes`."""
    guess = choose_first_guess(runner, game, state, options["guess"])
    return search_around_guess(runner, state, plies, guess, options["width"])


ASPIRATION = Algorithm(
    name="aspiration",
    title="aspiration search",
    line="guess the value, search around the guess, and search again if the value lies outside",
    run_passes=run_aspiration,
    code=PSEUDOCODE,
    words=ASPIRATION_RULES,
    columns=WINDOWS,
    options=(GUESS, WIDTH, CUT_ON_EQUAL, ORDER, QUIESCENCE),
    laws=("value", "first of equals", "within alpha-beta", "windows nest", "kernel"),
    kernel=LADDER,
)
