"""Recognize a Monte Carlo tree search by the names of its phases. It is a loop, so no function needs to call itself."""

import re
from collections.abc import Iterable

from engine.checker.discovery.search_finder import FoundSearch, ProgramFunction
from engine.checker.recording.argument_roles import to_snake_case

PHASE_PATTERNS = (
    r"^_*(select|selection|tree_?policy|traverse)",
    r"^_*expan[ds]",
    r"simul|roll_?out|play_?out|default_?policy",
    r"back_?prop|back_?up|^_*update",
)
RULE_PATTERN = r"uct|ucb|mcts|monte_?carlo"
MIN_NAMES = 3  # of the phases and the rule of selection


def is_monte_carlo(names: Iterable[str]) -> bool:
    """Return True if functions with these names make a Monte Carlo tree search.

    >>> is_monte_carlo(["MCTS.select", "MCTS.expand", "MCTS.rollout"]), is_monte_carlo(["select_move", "minimax"])
    (True, False)
    """
    plain = [to_snake_case(name.rpartition(".")[2]) for name in names]
    return sum(any(re.search(pattern, name) for name in plain) for pattern in (*PHASE_PATTERNS, RULE_PATTERN)) >= MIN_NAMES


def find_phases(functions: dict[str, ProgramFunction]) -> FoundSearch | None:
    """Return the functions of the phases as a search, with the functions around that run them in a loop, or None."""
    if not is_monte_carlo(functions):
        return None
    phases = []
    for pattern in PHASE_PATTERNS:
        fitting = [name for name, one in functions.items() if re.search(pattern, to_snake_case(one.plain_name))]
        phases += [name for name in fitting if name not in phases][:1]
    around = [name for name, one in functions.items() if name not in phases and len(one.calls & set(phases)) > 1]
    return FoundSearch(tuple(phases), tuple(around)) if len(phases) >= MIN_NAMES and around else None
