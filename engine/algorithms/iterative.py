"""Iterative deepening (Slate and Atkin 1977; Korf 1985): searches to 1, 2, ..., K plies, each of which orders the next.

With a table, the default, the best move of the last pass is tried first wherever the position occurs again. Without one this
is done along the best line only. `scout` probes later moves as principal variation search does. `width` makes each pass
search around the value of the last one as aspiration search does. A tree in which only leaves have values, and a search
without a depth limit, are searched in a single pass.
"""

from typing import Any

from engine.algorithms.alphabeta_core import create_pass_runner
from engine.algorithms.aspiration import ASPIRATION_RULES, search_around_guess
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
from engine.algorithms.windowed_pseudocode import make_search_pseudocode
from engine.games.capabilities import has_leaf_values_only

REASON_AT_ONCE = "at once, since there is nothing to deepen"
PSEUDOCODE = [
    CodeLine("iterative(root, plies)"),
    CodeLine("  for K from 1 to plies:"),
    CodeLine("    value ← search(root, K, −∞, ∞)", {"step": "driver", "fails": ""}, "{value}"),
    CodeLine("    again with the side open that failed", {"step": "driver"}, "{value}"),
    CodeLine("  return value"),
    CodeLine(""),
    *make_search_pseudocode("search"),
]
ITERATIVE_RULES: Rules = merge_rules(ASPIRATION_RULES, PROBE_RULES)


def pass_reason(K: int) -> str:
    """Return the reason for the pass to depth K."""
    return f"to {K} {'ply' if K == 1 else 'plies'}"


def run_iterative(game: Any, record: Any, state: Any, plies: int, options: Any) -> float:
    """Run the search, as `Algorithm.run`."""
    search = create_pass_runner(game, record, options, table=options["table"], scout=options["scout"])
    if plies > MAX_DEPTH or plies == 0 or has_leaf_values_only(game):
        return search_around_guess(search, state, plies, 0.0, 0.0, REASON_AT_ONCE)
    value, width = 0.0, 0.0
    for K in range(1, plies + 1):
        value = search_around_guess(search, state, K, value, width, pass_reason(K))
        width, search.principal = options["width"], search.best_line
    return value


ITERATIVE = Algorithm(
    name="iterative",
    title="iterative deepening",
    line="search to 1, 2, ..., K plies, the best move of the last time first",
    run=run_iterative,
    code=PSEUDOCODE,
    words=ITERATIVE_RULES,
    columns=(*WINDOWS, LINK),
    options=(TABLE, SCOUT, NO_WIDTH, ORDER, QUIESCENCE, *TABLE_OPTIONS),
    laws=("value", "answers", "windows nest", "kernel"),
    kernel=LADDER,
)
