"""Alpha-beta with an aspiration window (Slate and Atkin 1977; Marsland 1986).

The search guesses the value and looks for it only between guess - width and guess + width. If it lies outside, the side that
failed is opened fully and the whole search is repeated. The default guess is the static value of the position, or 0 where only
leaves have values.
"""

from typing import Any

from engine.algorithms.alphabeta_core import AlphaBetaSearch, Window, create_pass_runner
from engine.algorithms.spec import CUT_ON_EQUAL, GUESS, LADDER, ORDER, QUIESCENCE, WIDTH, WINDOWS, Algorithm, depth_limit
from engine.algorithms.templates import CodeLine, Conditions, Rule, Rules
from engine.algorithms.windowed_pseudocode import make_search_pseudocode
from engine.games.capabilities import has_leaf_values_only
from engine.games.protocol import static_value
from engine.record.columns import INFINITY

REASON_GUESSED = "the value is guessed to lie between these"
REASON_FAILED_LOW = "the last pass failed low, so the lower end is opened"
REASON_FAILED_HIGH = "the last pass failed high, so the upper end is opened"

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
FAILS_LOW_TEXT = "Pass {pass} fails low: the root is worth {known}, not above {alpha}, the lower end of its window. "
FAILS_HIGH_TEXT = "Pass {pass} fails high: the root is worth {known}, not below {beta}, the upper end of its window. "
ONLY_A_BOUND_TEXT = "The search cannot tell this from a bound, so "
NOT_KNOWN_TEXT = "The value is not known yet, so "
OPEN_LOW_TEXT = "the lower end is opened and the root is searched again."
OPEN_HIGH_TEXT = "the upper end is opened and the root is searched again."
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


def choose_first_guess(game: Any, record: Any, state: Any, guess: float | None) -> float:
    """Return the given guess, or the static value of the position, which counts as an evaluation. Return 0 where only leaves
    have values.
    """
    if guess is not None:
        return guess
    if has_leaf_values_only(game) and not game.is_over(state):
        return 0.0
    record.count_evaluations(1)
    return static_value(game, state)


def search_around_guess(
    search: AlphaBetaSearch, state: Any, plies: int, guess: float, width: float, why: str = REASON_GUESSED
) -> float:
    """Return the value of the position, by passes with a window around the guess. If a pass fails, that side is opened."""
    window: Window = (guess - width, guess + width)
    if not window[0] < window[1]:  # no width, or one that a number so large does not feel
        window = (-INFINITY, INFINITY)
    while True:
        search.record.begin_pass(depth_limit(plies), why)
        value = search.run_pass(state, plies, window)
        if value <= window[0]:
            window, why = (-INFINITY, window[1]), REASON_FAILED_LOW
        elif value >= window[1]:
            window, why = (window[0], INFINITY), REASON_FAILED_HIGH
        else:
            return value


def run_aspiration(game: Any, record: Any, state: Any, plies: int, options: Any) -> float:
    """Run the search, as `Algorithm.run`."""
    guess = choose_first_guess(game, record, state, options["guess"])
    return search_around_guess(create_pass_runner(game, record, options), state, plies, guess, options["width"])


ASPIRATION = Algorithm(
    name="aspiration",
    title="aspiration search",
    line="guess the value, search around it, and again if it lies outside",
    run=run_aspiration,
    code=PSEUDOCODE,
    words=ASPIRATION_RULES,
    columns=WINDOWS,
    options=(GUESS, WIDTH, CUT_ON_EQUAL, ORDER, QUIESCENCE),
    laws=("value", "first of equals", "within alpha-beta", "windows nest", "kernel"),
    kernel=LADDER,
)
