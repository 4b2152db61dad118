"""Choose the place of the score among several numbers in a result: the number that a call compares for its moves."""

from engine.checker.diagnosis.black_box import BlackBox
from engine.checker.diagnosis.node_facts import NodeFacts, examine_node
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, list_score_paths
from engine.checker.recording.call_recorder import RecordedCalls

MAX_TESTED_NODES = 3
MAX_PATHS = 4


def choose_score(calls: RecordedCalls, roles: list[ArgumentRoles], usual: ScorePath) -> ScorePath:
    """Return the usual place, or another one if only there a call returns the best of the numbers of its moves."""
    others = [path for path in list_score_paths(calls) if path != usual][:MAX_PATHS]
    for path in [usual, *others] if others else []:
        if _is_best_returned(WatchedProgram(calls, roles, path)):
            return path
    return usual


def _is_best_returned(program: WatchedProgram) -> bool:
    """Return True if a call returns the largest or smallest score of its moves when these are chosen from outside."""
    copies = [copy for copy in program.calls.snapshots.calls if not copy.is_root and program.children[copy.row]]
    for copy in copies[:MAX_TESTED_NODES]:
        facts = examine_node(BlackBox(program, copy), program.span, _worst_score)
        if facts is not None and facts.known:
            return True
    return False


def _worst_score(facts: NodeFacts) -> float:
    return -facts.span
