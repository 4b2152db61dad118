"""The pseudo-code of alphabeta_core.py: alpha-beta, and the lines that a table, probes and quiescence add to it."""

from engine.algorithms.templates import (
    HORIZON_LINE,
    MAX_VALUE_LINE,
    MIN_VALUE_LINE,
    TERMINAL_LINE,
    CodeLine,
    Pseudocode,
    select_lines,
)

WITH_TABLE, WITH_SCOUT, WITHOUT_SCOUT = ("table", True), ("scout", True), ("scout", False)


def make_search_pseudocode(name: str, **parts: bool) -> Pseudocode:
    """Return the lines of the search function.

    `parts` names options whose lines are always there (table=True) or never (scout=False). Other lines depend on the option of
    that name.
    """
    call = f"{name}(after move, plies − 1, "
    again = "      if α < score < β: score ← re-search with α, β"
    lines = [
        CodeLine(f"{name}(state, plies, α, β)", {"step": "enter"}, "α = {alpha}, β = {beta}"),
        CodeLine("  if an entry of this depth is enough: return it", {"step": "table"}, "returns {value}", WITH_TABLE),
        TERMINAL_LINE,
        HORIZON_LINE,
        CodeLine("  if MAX is to move:"),
        CodeLine("    value ← −∞"),
        CodeLine("    for each legal move:"),
        CodeLine(f"      score ← {call}α, β)", option=WITHOUT_SCOUT),
        CodeLine("      γ ← β if it is the first, else next above α", option=WITH_SCOUT),
        CodeLine(f"      score ← {call}α, γ)", option=WITH_SCOUT),
        CodeLine(again, {"step": "return", "side": "max", "repeated": True}, "{alpha} < {value} < {beta}", WITH_SCOUT),
        MAX_VALUE_LINE,
        CodeLine("      α ← max(α, value)", {"step": "return", "side": "max"}, "max({old}, {value}) = {alpha}"),
        CodeLine("      if value ≥ β: stop", {"step": "cutoff", "side": "max"}, "{value} ≥ β = {bound}"),
        CodeLine("  else, MIN is to move:"),
        CodeLine("    value ← ∞"),
        CodeLine("    for each legal move:"),
        CodeLine(f"      score ← {call}α, β)", option=WITHOUT_SCOUT),
        CodeLine("      γ ← α if it is the first, else next below β", option=WITH_SCOUT),
        CodeLine(f"      score ← {call}γ, β)", option=WITH_SCOUT),
        CodeLine(again, {"step": "return", "side": "min", "repeated": True}, "{alpha} < {value} < {beta}", WITH_SCOUT),
        MIN_VALUE_LINE,
        CodeLine("      β ← min(β, value)", {"step": "return", "side": "min"}, "min({old}, {value}) = {beta}"),
        CodeLine("      if value ≤ α: stop", {"step": "cutoff", "side": "min"}, "{value} ≤ α = {bound}"),
        CodeLine("  store value, bound and best move", option=WITH_TABLE),
        CodeLine("  return value", {"step": "leave"}, "returns {value}"),
    ]
    return select_lines(lines, parts)
