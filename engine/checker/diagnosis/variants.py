"""Find the variants of a search, named as in mistakes.py."""

from engine.checker.diagnosis.black_box import answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import is_close
from engine.checker.diagnosis.node_facts import BELOW, LOW, NodeFacts
from engine.checker.discovery import source_analysis
from engine.checker.recording.state_encoding import is_number


def find_variants(search: SearchContext) -> list[str]:
    program, known = search.program, [facts for facts in search.nodes if facts.known]
    found = [
        "mcts"
        if search.is_sampled_tree
        else "expectimax"
        if search.is_chance_game
        else "alphabeta"
        if program.has_windows
        else "minimax"
    ]
    if search.negamax:
        found.append("negamax")
    if len(program.calls.functions) == 2:
        found.append("pair")
    windowed = [facts for facts in known if facts.windows and facts.returned_below is not None]
    below = [(facts.returned_below or 0.0, facts.span) for facts in windowed]
    if any(is_close(value, LOW * span) for value, span in below):
        found.append("fail-hard")
    elif any(is_close(value, BELOW * span) for value, span in below):
        found.append("fail-soft")
    cutting = [facts for facts in windowed if facts.tried_above < facts.children]
    if cutting:
        found.append("equal-cut" if all(facts.tried_at < facts.children for facts in cutting) else "strict-cut")
    if search.roots:
        found.append("root-loop")
    steps = search.depth_steps()
    if steps and all(step > 0 for step in steps):
        found.append("depth-up")
    if steps and all(step < 0 for step in steps):
        found.append("depth-down")
    if known and not isinstance(known[0].direct.board, (int, str)):
        found.append("undo" if any(facts.in_place for facts in known) else "copy")
    if not any(isinstance(result, (tuple, dict)) for result in program.calls.results[:100]):
        found.append("no-move")
    if any(len(set(map(repr, facts.ties))) > 1 for facts in search.facts):
        found.append("random-ties")
    if any(len({call.depth for call in facts.direct.child_calls}) > 1 for facts in search.roots):
        found.append("iterative")
    if _uses_table(search):
        found.append("table")
    if any(source_analysis.has_sorting(program.functions, watched.name) for watched in program.calls.functions):
        found.append("ordering")
    if _is_ended_by_depth(search, known):
        found.append("own-evaluation")
    return found


def _uses_table(search: SearchContext) -> bool:
    """Return True if boards that were searched before, with the same depth, are answered without a search."""
    searched = set()
    for row, key in enumerate(search.keys):
        whole = (key, search.program.argument(row, "depth"))
        if search.program.children[row]:
            searched.add(whole)
        elif whole in searched:
            return True
    return False


def _is_ended_by_depth(search: SearchContext, known: list[NodeFacts]) -> bool:
    """Return True if a node makes no calls at the depth of the deepest leaves."""
    depths = [search.program.argument(row, "depth") for row in range(len(search.program.calls)) if search.program.is_leaf(row)]
    numbers = [depth for depth in depths if is_number(depth)]
    steps = search.depth_steps()
    if not numbers or not steps or not known:
        return False
    last = min(numbers) if max(steps) < 0 else max(numbers)
    outcome = known[0].node.run(answer_always(0.0), overrides={"depth": last})
    return not outcome.failed and not outcome.child_calls
