"""Iterative deepening (Slate and Atkin 1977; Korf 1985): searches to 1, 2, ..., K plies, each of which orders the next.

With a table, which is the usual, the move that was best in the last pass is tried first wherever the position comes again;
without one that is done along the best line only. `scout` probes later moves as principal variation search does, and `width` has
each pass search around the value of the last one as aspiration search does. A tree in which only leaves have values, and a search
without a depth limit, are searched at once, in a single pass.
"""

from typing import Any

from engine.algorithms.alphabeta_core import windowed
from engine.algorithms.aspiration import WORDS_OF_ASPIRATION, aspire
from engine.algorithms.pvs import WORDS_OF_PROBES
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
from engine.algorithms.templates import CodeLine, Rules, merged
from engine.algorithms.windowed_pseudocode import inner_code
from engine.games.capabilities import only_leaves_count

AT_ONCE = "at once, since there is nothing to deepen"
CODE = [
    CodeLine("iterative(root, plies)"),
    CodeLine("  for K from 1 to plies:"),
    CodeLine("    value ← search(root, K, −∞, ∞)", {"step": "driver", "fails": ""}, "{value}"),
    CodeLine("    again with the side open that failed", {"step": "driver"}, "{value}"),
    CodeLine("  return value"),
    CodeLine(""),
    *inner_code("search"),
]
WORDS: Rules = merged(WORDS_OF_ASPIRATION, WORDS_OF_PROBES)


def to_depth(K: int) -> str:
    """Why a pass is made."""
    return f"to {K} {'ply' if K == 1 else 'plies'}"


def iterative(game: Any, record: Any, state: Any, plies: int, options: Any) -> float:
    """The readable text, `Algorithm.run`."""
    search = windowed(game, record, options, table=options["table"], scout=options["scout"])
    if plies > MAX_DEPTH or plies == 0 or only_leaves_count(game):
        return aspire(search, state, plies, 0.0, 0.0, AT_ONCE)
    value, width = 0.0, 0.0
    for K in range(1, plies + 1):
        value = aspire(search, state, K, value, width, to_depth(K))
        width, search.principal = options["width"], search.best_line
    return value


ITERATIVE = Algorithm(
    name="iterative",
    title="iterative deepening",
    line="search to 1, 2, ..., K plies, the best move of the last time first",
    run=iterative,
    code=CODE,
    words=WORDS,
    columns=(*WINDOWS, LINK),
    options=(TABLE, SCOUT, NO_WIDTH, ORDER, QUIESCENCE, *TABLE_OPTIONS),
    laws=("value", "answers", "windows nest", "kernel"),
    kernel=LADDER,
)
