"""Prove a mistake: take it away from outside, run the search again, and compare. A mistake without a proof is only likely."""

import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.depths import find_depth_step
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.node_facts import OPEN_WINDOW
from engine.checker.diagnosis.program_view import WatchedProgram, Window, find_outermost_copy
from engine.checker.experiments.interventions import (
    COPIED_BOARDS,
    EMPTY_TABLES,
    OPEN_WINDOWS,
    RESTORED_BOARDS,
    Intervention,
    add_depth,
    change_side,
    find_holder,
    keep_first_result,
    narrow_windows,
    negate_scores,
    protect_value,
    skip_refuted_moves,
    step_depth,
)
from engine.checker.experiments.proof_runner import NOT_POSSIBLE, Experiment, ProofRunner
from engine.checker.experiments.replay import (
    Change,
    Perform,
    ReplayedCall,
    exceeds_levels,
)
from engine.checker.experiments.root_move_check import find_missed_score
from engine.checker.experiments.rule_proofs import prove_by_asking_other_side, prove_by_lost_line, prove_by_more_depth
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case
from engine.checker.recording.observations import observed
from engine.checker.recording.state_encoding import is_number

MORE_LEVELS = 2  # times the usual number of nested calls


# ---- the experiments, by mistake

Prover = Callable[[ProofRunner, Suspicion], Experiment]


def _prove_by_copies(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    copied = runner.compare_scores(COPIED_BOARDS)
    if any(facts.piled for facts in runner.search.facts) and not copied.proof:
        return runner.compare_scores(RESTORED_BOARDS)
    return copied


def _prove_by_restored_boards(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    found = runner.compare_scores(RESTORED_BOARDS)
    return found if found.proof else NOT_POSSIBLE  # another search may show it


def _prove_by_empty_tables(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    found = runner.compare_scores(EMPTY_TABLES)
    return found if found.proof else NOT_POSSIBLE


def _prove_by_open_windows(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    """Prove that moves are wrongly skipped: without a window the score changes, or a skipped move is better."""
    found = runner.compare_scores(OPEN_WINDOWS) if runner.program.has_windows else NOT_POSSIBLE
    if found.proof:
        return found
    facts = next((facts for facts in runner.search.nodes if facts.row == suspicion.row), None)
    return NOT_POSSIBLE if facts is None else Experiment(find_missed_score(runner.search, facts))


def _prove_by_whole_outcomes(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    found = runner.compare_scores(OPEN_WINDOWS)
    return found if found.proof else NOT_POSSIBLE  # another search may show it


def _prove_by_narrow_windows(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    words = "with the window that the earlier moves have left"
    found = runner.compare_calls(words, narrow_windows(runner.find_fold, runner.search.negamax))
    if found.proof or suspicion.name != "root-fresh-window":
        return found
    words += ", and room for equal scores,"  # a root that takes the last of equal moves
    return runner.compare_calls(words, narrow_windows(runner.find_fold, runner.search.negamax, keep_ties=True))


def _prove_by_right_windows(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    found = _prove_by_open_windows(runner, suspicion)
    return found if found.proof else _prove_by_narrow_windows(runner, suspicion)


def _prove_by_skipping(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    change = skip_refuted_moves(runner.find_fold, runner.search.negamax)
    return runner.compare_calls("with these moves skipped from outside", change)


def _prove_by_first_results(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    return runner.compare_calls("with the score of the first call used again", keep_first_result)


def _prove_by_depth_steps(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    """Run the search with a depth that changes by one. An endless search has no plain run to compare with."""
    if suspicion.name == "depth-not-reduced" and suspicion.certain and _is_depth_limit(runner):
        return Experiment(harmless=True)
    step = find_depth_step(runner.program) or -1
    words = f"with a depth that {'falls' if step < 0 else 'rises'} by one in every call"
    changed = runner.run(step_depth(step))
    if changed is None:
        return NOT_POSSIBLE
    calls = runner.plain.calls if runner.plain is not None else len(runner.program.calls)
    if runner.plain is None and runner.program.complete:
        return NOT_POSSIBLE
    if changed.calls == calls:
        return NOT_POSSIBLE
    more = "" if runner.plain is not None else "more than "
    return Experiment(f"{words} the same search makes {changed.calls:,} calls instead of {more}{calls:,}")


def _is_depth_limit(runner: ProofRunner) -> bool:
    """Return True if the search ends elsewhere with another depth in all calls: then it is a limit that stays the same."""
    start = find_outermost_copy(runner.program)
    depth: Any = None if start is None else BlackBox(runner.program, start).argument("depth")
    if runner.plain is None or not is_number(depth):
        return False
    other = runner.run(add_depth(-1 if depth > 1 else 1))
    return other is None or other.calls != runner.plain.calls  # None: it is too large with more depth


def _prove_by_minus_signs(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    found = runner.compare_scores(Intervention("with the opposite score from every call", negate_scores, exact=False))
    return found if found.proof else NOT_POSSIBLE


def _prove_by_other_side(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    if not runner.search.has_side_argument:
        return NOT_POSSIBLE
    found = runner.compare_scores(
        Intervention("with the other side in these calls", change_side(runner.find_other_side), exact=False)
    )
    return found if found.proof else NOT_POSSIBLE


def _prove_by_protection(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    """Run the search, and restore the stored move after each inner call: it ends with another move."""
    found = _find_stored_values(runner, suspicion.subject)
    if found is None:
        return NOT_POSSIBLE
    last, protected = found
    return Experiment(f"without what the inner calls store, {suspicion.subject} is {protected} at the end instead of {last}")


@observed
def _find_stored_values(runner: ProofRunner, name: str) -> tuple[str, str] | None:
    """Return what a name holds after the search, and after one whose inner calls do not change it. Return None if it is equal."""
    kept: dict[str, Any] = {}

    def read_last(protect: bool) -> Change:
        inner = protect_value(name)

        def apply(call: ReplayedCall, perform: Callable[[ReplayedCall], Any]) -> Any:
            result = inner(call, perform) if protect else perform(call)
            if call.level == 0:
                kept["protected" if protect else "plain"] = read_value(call, name)
            return result

        return apply

    if any(runner.run(read_last(protect)) is None for protect in (False, True)) or kept["plain"] == kept["protected"]:
        return None
    return repr(kept["plain"]), repr(kept["protected"])


def read_value(call: ReplayedCall, name: str) -> Any:
    """Return a global, or an attribute of an argument of a call."""
    owner, _, attribute = name.rpartition(".")
    return find_holder(call, owner).get(attribute)


def _prove_by_redirection(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    """Make the calls of the search without a window with the function that has one, and give it the window."""
    program = runner.program
    caller = next((copy for copy in program.calls.snapshots.calls if copy.is_root), None)
    if caller is None or runner.search.negamax:
        return NOT_POSSIBLE
    run = program.calls.runs[caller.number]
    bounds = [find_named_argument(role, run.arguments) for role in ("alpha", "beta")]

    def apply(call: ReplayedCall, perform: Perform) -> Any:
        known = dict(zip(program.calls.functions[call.number].arguments, call.arguments, strict=False))
        call.window_given = narrow_window(call.above, runner.find_fold)
        known |= {name: bound for name, bound in zip(bounds, call.window_given, strict=True) if name is not None}
        call.other = caller.function, [known[name] for name in run.arguments]
        return perform(call)

    return runner.compare_calls(f"with these calls made by {run.name} itself", apply)


def find_named_argument(role: str, names: Sequence[str]) -> str | None:
    """Return the first name that fits a role, or None."""
    return next((name for name in names if re.search(ROLE_PATTERNS[role], to_snake_case(name)) and len(name) > 1), None)


def narrow_window(above: ReplayedCall | None, find_fold: Callable[[ReplayedCall], int]) -> Window:
    """Return the window that the calls of a caller so far have left, if the caller itself was given a window."""
    alpha, beta = OPEN_WINDOW if above is None or above.window_given is None else above.window_given
    fold = 0 if above is None else find_fold(above)
    for score in [] if above is None else [score for score in above.scores if score is not None]:
        alpha, beta = (max(alpha, score), beta) if fold == 1 else (alpha, min(beta, score)) if fold == -1 else (alpha, beta)
    return alpha, beta


def _prove_by_first_move(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    """Give the first move the best and the worst score: no other move is tried. Or search the moves one by one."""
    facts = next((facts for facts in runner.search.nodes if facts.row == suspicion.row), None)
    if facts is None:
        facts = next((facts for facts in runner.search.nodes if facts.node.name == suspicion.function), None)
    if facts is None:
        return NOT_POSSIBLE
    if missed := find_missed_score(runner.search, facts):
        return Experiment(missed)
    scores = (10.0 * facts.span, -10.0 * facts.span)
    window = runner.search.open_window_for(facts)
    tried = {facts.node.run(answer_always(score), window=window).children for score in scores}
    if tried != {1}:
        return NOT_POSSIBLE
    return Experiment(
        f"with the score {format_number(scores[0])} and with {format_number(scores[1])} for its first move it tries no other"
    )


def _prove_test_for_end(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    return Experiment(prove_by_lost_line(runner.search, suspicion))


def _prove_wrong_player(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    return Experiment(prove_by_asking_other_side(runner.search, suspicion))


def _prove_hidden_win(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    return Experiment(prove_by_more_depth(runner.search, suspicion))


def _prove_by_more_levels(runner: ProofRunner, suspicion: Suspicion) -> Experiment:
    return Experiment(describe_endless_recursion(runner.program))


@observed
def describe_endless_recursion(program: WatchedProgram) -> str:
    """Run an endless search again with twice as many nested calls allowed. Return the proof, or "" if it ends."""
    levels = MORE_LEVELS * sys.getrecursionlimit()
    return (
        f"made again with up to {levels:,} nested calls of functions, it does not end either"
        if exceeds_levels(program, levels)
        else ""
    )


PROVERS: dict[str, Prover] = {
    "infinite-or-huge": _prove_by_more_levels,
    "calls-plain-minimax": _prove_by_redirection,
    "win-lines-missing": _prove_test_for_end,
    "terminal-not-tested": _prove_test_for_end,
    "terminal-wrong-player": _prove_wrong_player,
    "depth-before-win": _prove_hidden_win,
    "sign-lost": _prove_by_minus_signs,
    "returns-too-soon": _prove_by_first_move,
    "starts-at-zero": _prove_by_open_windows,
    "not-undone": _prove_by_copies,
    "shared-board": _prove_by_restored_boards,
    "table-wrong": _prove_by_empty_tables,
    "window-swapped": _prove_by_open_windows,
    "wrong-bound-updated": _prove_by_right_windows,
    "wrong-bound-compared": _prove_by_open_windows,
    "cut-too-early": _prove_by_open_windows,
    "average-over-pruned": _prove_by_whole_outcomes,
    "root-fresh-window": _prove_by_narrow_windows,
    "window-not-passed": _prove_by_narrow_windows,
    "window-not-updated": _prove_by_narrow_windows,
    "bound-loosened": _prove_by_narrow_windows,
    "no-cutoff": _prove_by_skipping,
    "inner-break": _prove_by_skipping,
    "searched-twice": _prove_by_first_results,
    "depth-not-reduced": _prove_by_depth_steps,
    "depth-by-two": _prove_by_depth_steps,
    "sides-do-not-alternate": _prove_by_other_side,
    "move-overwritten": _prove_by_protection,
}


def prove_suspicions(search: SearchContext, seen: list[Suspicion]) -> list[Suspicion]:
    """Return the suspicions. Those without a proof are only likely, and those that prove to be harmless are left out."""
    runner = ProofRunner(search)
    made: dict[Any, Experiment] = {}
    proved = []
    for suspicion in seen:
        if suspicion.certain and not suspicion.proof:
            prover = PROVERS.get(suspicion.name)
            key = (prover, suspicion.subject)
            if key not in made:
                made[key] = NOT_POSSIBLE if prover is None else prover(runner, suspicion)
            found = made[key]
            if found.harmless:
                continue
            suspicion = suspicion._replace(certain=bool(found.proof), proof=found.proof)
        proved.append(suspicion)
    return proved
