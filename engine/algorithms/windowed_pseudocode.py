"""The pseudo-code of alphabeta_core.py: alpha-beta, and the lines that a table, probes and quiescence add to it."""

from engine.algorithms.templates import HORIZON_LINE, MAX_VALUE_LINE, MIN_VALUE_LINE, TERMINAL_LINE, Code, CodeLine, fitting

WITH_TABLE, SCOUT, PLAIN = ("table", True), ("scout", True), ("scout", False)


def inner_code(name: str, **parts: bool) -> Code:
    """The lines of the function that searches. `parts` says what is always there (table=True) or never (scout=False); what it
    does not name depends on the option of that name."""
    call = f"{name}(after move, plies − 1, "
    again = "      if α < score < β: score ← again with α, β"
    lines = [
        CodeLine(f"{name}(state, plies, α, β)", {"step": "enter"}, "α = {alpha}, β = {beta}"),
        CodeLine("  if the table proves enough, as deep: return that", {"step": "table"}, "returns {value}", WITH_TABLE),
        TERMINAL_LINE,
        HORIZON_LINE,
        CodeLine("  if MAX is to move:"),
        CodeLine("    value ← −∞"),
        CodeLine("    for each legal move:"),
        CodeLine(f"      score ← {call}α, β)", option=PLAIN),
        CodeLine("      γ ← β if it is the first, else next above α", option=SCOUT),
        CodeLine(f"      score ← {call}α, γ)", option=SCOUT),
        CodeLine(again, {"step": "return", "side": "max", "repeated": True}, "{alpha} < {value} < {beta}", SCOUT),
        MAX_VALUE_LINE,
        CodeLine("      α ← max(α, value)", {"step": "return", "side": "max"}, "max({old}, {value}) = {alpha}"),
        CodeLine("      if value ≥ β: stop", {"step": "cutoff", "side": "max"}, "{value} ≥ β = {bound}"),
        CodeLine("  else, MIN is to move:"),
        CodeLine("    value ← ∞"),
        CodeLine("    for each legal move:"),
        CodeLine(f"      score ← {call}α, β)", option=PLAIN),
        CodeLine("      γ ← α if it is the first, else next below β", option=SCOUT),
        CodeLine(f"      score ← {call}γ, β)", option=SCOUT),
        CodeLine(again, {"step": "return", "side": "min", "repeated": True}, "{alpha} < {value} < {beta}", SCOUT),
        MIN_VALUE_LINE,
        CodeLine("      β ← min(β, value)", {"step": "return", "side": "min"}, "min({old}, {value}) = {beta}"),
        CodeLine("      if value ≤ α: stop", {"step": "cutoff", "side": "min"}, "{value} ≤ α = {bound}"),
        CodeLine("  keep value, what it proves and the best move", option=WITH_TABLE),
        CodeLine("  return value", {"step": "leave"}, "returns {value}"),
    ]
    return fitting(lines, parts)
