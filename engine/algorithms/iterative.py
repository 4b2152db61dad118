"""Iterative deepening (Slate and Atkin 1977; Korf 1985): searches to 1, 2, ..., K plies, each of which orders the next.

With a table, the default, the best move of the last pass is tried first wherever the position occurs again. Without one this
is done along the best line only. `scout` probes later moves as principal variation search does. `width` makes each pass
search around the value of the last one as aspiration search does. A tree in which only leaves have values, and a search
without a depth limit, are searched in a single pass.
"""

from typing import Any

from engine.algorithms.alphabeta_core_pseudocode import make_search_pseudocode
from engine.algorithms.aspiration import ASPIRATION_RULES, search_around_guess
from engine.algorithms.pass_runner import PassRunner
from engine.algorithms.pvs import PROBE_RULES
from engine.algorithms.spec import (
    LADDER,
    LINK,
    MAX_DEPTH,
    NO_WIDTH,
    ORDER,
    QUIESCENCE,
    SCOUT,
    TABLE,
    TABLE_OPTIONS,
    WINDOWS,
    Algorithm,
)
from engine.algorithms.templates import CodeLine, Rules, merge_rules
from engine.games.capabilities import has_leaf_values_only

REASON_AT_ONCE = "there is nothing to deepen"
PSEUDOCODE = [
    CodeLine("iterative(root, plies)"),
    CodeLine("  for K from 1 to plies:"),
    CodeLine("    value ← search(root, K, −∞, ∞)", {"step": "driver", "fails": ""}, "{value}"),
    CodeLine("    if it failed: again with that side open", {"step": "driver"}, "{value}"),
    CodeLine("  return value"),
    CodeLine(""),
    *make_search_pseudocode("search"),
]
ITERATIVE_RULES: Rules = merge_rules(ASPIRATION_RULES, PROBE_RULES)


def pass_reason(K: int) -> str:
    """Return the reason for the pass to depth K."""
    return f"it searches {K} {'ply' if K == 1 else 'plies'} deep"


def run_iterative(runner: PassRunner, game: Any, state: Any, plies: int, options: Any) -> float:
    """Run the search, as `Algorithm.run_passes`."""
    if plies > MAX_DEPTH or plies == 0 or has_leaf_values_only(game):
        return search_around_guess(runner, state, plies, 0.0, 0.0, REASON_AT_ONCE)
    value, width = 0.0, 0.0
    for K in range(1, plies + 1):
        value = search_around_guess(runner, state, K, value, width, pass_reason(K))
        width, runner.principal = options["width"], runner.best_line
    return value


ITERATIVE = Algorithm(
    name="iterative",
    title="iterative deepening",
    line="search to 1, 2, ..., K plies, and try the last best move first",
    run_passes=run_iterative,
    code=PSEUDOCODE,
    words=ITERATIVE_RULES,
    columns=(*WINDOWS, LINK),
    options=(TABLE, SCOUT, NO_WIDTH, ORDER, QUIESCENCE, *TABLE_OPTIONS),
    laws=("value", "answers", "windows nest", "kernel"),
    kernel=LADDER,
)
