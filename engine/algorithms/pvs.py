"""Principal variation search (Marsland and Campbell 1982), also known as NegaScout (Reinefeld 1983).

The first move is assumed to be the best. Every later move is only probed with a null window: is it better? If so, it is
searched again with the whole window. The search is in alphabeta_core.py, which defines null windows.
"""

from typing import Any

from engine.algorithms.alphabeta_core import create_pass_runner
from engine.algorithms.spec import CUT_ON_EQUAL, LADDER, LINK, ORDER, QUIESCENCE, TABLE_OPTIONS, WINDOWS, WITH_TABLE, Algorithm
from engine.algorithms.templates import Rule, Rules
from engine.algorithms.windowed_pseudocode import make_search_pseudocode

PROBE_RULES: Rules = {
    "sentence": [
        Rule(
            "return.repeated.inside",
            {"step": "return", "repeated": True},
            "{Move} comes back from its probe with {known}. That lies inside the window {alpha} to {beta}, which is wider than "
            "the probe's, so the move is searched again with that window.",
        ),
    ]
}


def run_pvs(game: Any, record: Any, state: Any, plies: int, options: Any) -> float:
    """Run the search, as `Algorithm.run`."""
    return create_pass_runner(game, record, options, table=options["table"], scout=True).run_pass(state, plies)


PVS = Algorithm(
    name="pvs",
    title="principal variation search",
    line="ask of later moves only whether they are better, and search again those that are",
    run=run_pvs,
    code=make_search_pseudocode("pvs", scout=True),
    words=PROBE_RULES,
    columns=(*WINDOWS, LINK),
    options=(CUT_ON_EQUAL, ORDER, QUIESCENCE, WITH_TABLE, *TABLE_OPTIONS),
    laws=("value", "first of equals", "within alpha-beta", "windows nest", "kernel"),
    kernel=LADDER,
)
