"""Judge a recorded search: its variants, its mistakes, and which checks were possible.

Each topic has a module, and each mistake is found in one of them.
"""

import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.checker.diagnosis import (
    backup,
    boards,
    crashes,
    cutoffs,
    depths,
    game_rules,
    leaves,
    moves,
    root,
    sides,
    tables,
    windows,
)
from engine.checker.diagnosis.changed_scores import locate_changed_scores
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.interventions import (
    COPIED_BOARDS,
    EMPTY_TABLES,
    OPEN_WINDOWS,
    RESTORED_BOARDS,
    try_intervention,
)
from engine.checker.diagnosis.mistakes import CONSEQUENCES
from engine.checker.diagnosis.node_facts import NodeFacts
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.variants import find_variants
from engine.checker.diagnosis.wasted_calls import locate_wasted_calls
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.later_positions import LaterSearch, iterate_later_searches
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.checker.verdict import Finding, Unchecked

MAX_LATER_IF_ONE_SCORE, MAX_LATER_SEARCHES = 4, 2  # from positions later in the game
ROOT_MISTAKES = {"tie-takes-bound", "no-move-when-lost", "move-not-tracked", "move-overwritten", "off-by-one"}
PROOFS = {
    "not-undone": COPIED_BOARDS,
    "shared-board": RESTORED_BOARDS,
    "table-wrong": EMPTY_TABLES,
    "window-swapped": OPEN_WINDOWS,
}
LIKELY_IF_UNCHANGED = {"window-swapped", "table-wrong", "shared-board"}  # another search may show them
ROOT_WINDOW_MISTAKES = {"window-not-passed", "window-not-updated", "no-cutoff"}


class Judgement(NamedTuple):
    """The variants, findings and checks of one search."""

    variants: list[str]
    findings: list[Finding]
    looked_at: list[str]
    not_looked_at: list[str]
    one_score: bool = False  # all evaluated positions have the same score
    calls: int = 0  # of all searches, those from later positions too
    positions: int = 1  # that were searched


def judge_search(program: WatchedProgram, stopped: StoppedRun | None = None) -> Judgement:
    """Judge a search. `stopped` says why it ended early, if it did."""
    found = _judge_record(program, stopped)
    one_score, inner = found.one_score, bool(program.runs_with_loops())
    if not stopped and (one_score or not any(finding.certain for finding in found.findings)):
        for later in iterate_later_searches(program, MAX_LATER_IF_ONE_SCORE if one_score else MAX_LATER_SEARCHES):
            seen = [finding for finding in _judge_record(later.program, later=True).findings if finding.certain or one_score]
            found = _merge_later_findings(
                found, later, [finding for finding in seen if not (inner and finding.name in ROOT_MISTAKES)]
            )
    return found


def _judge_record(program: WatchedProgram, stopped: StoppedRun | None = None, later: bool = False) -> Judgement:
    """Judge the recorded search alone, without later positions."""
    search = SearchContext(program, stopped, later)
    findings = [locate_changed_scores(search, finding) for finding in _merge_suspicions(search, _try_proofs(search))]
    findings = locate_wasted_calls(search, findings)
    one_score = len(set(program.leaf_values)) <= 1
    return Judgement(
        find_variants(search), findings, list(_list_checked(search)), list(_list_unchecked(search)), one_score, len(program.calls)
    )


def _merge_later_findings(found: Judgement, later: LaterSearch, seen: list[Finding]) -> Judgement:
    """Add the findings of a later search. They are at no row of the record.

    Uncertain findings from a search with only one score are dropped.
    """
    where = f"{later.plies} move{'s' if later.plies > 1 else ''} later in the game"
    shown = [finding._replace(row=NO_ROW, times=1, cost="", sentence=f"{where}, {finding.sentence}") for finding in seen]
    known = [finding for finding in found.findings if finding.certain or not found.one_score]
    findings = {finding.name: finding for finding in sorted((*shown, *reversed(known)), key=lambda finding: finding.certain)}
    follow = _find_consequences({name: finding.certain for name, finding in findings.items()})
    left = [finding for name, finding in findings.items() if name not in follow]
    return found._replace(
        findings=sorted(left, key=lambda finding: not finding.certain),
        looked_at=[*found.looked_at, f"the search {where}, where scores differ: {len(later.program.calls):,} calls"],
        one_score=False,
        calls=found.calls + len(later.program.calls),
        positions=found.positions + 1,
    )


def _try_proofs(search: SearchContext) -> list[Suspicion]:
    """Return the suspicions. Those that an intervention can prove are proved, dropped if it changes nothing, or only likely."""
    seen = list(_check_search(search))
    tried = {
        intervention.name: try_intervention(search.program, intervention)
        for intervention in {PROOFS[suspicion.name] for suspicion in seen if suspicion.name in PROOFS}
    }
    if "not-undone" in {suspicion.name for suspicion in seen} and any(facts.piled for facts in search.facts):
        copied = tried[COPIED_BOARDS.name]
        if copied is None or not copied.changed:
            tried[COPIED_BOARDS.name] = try_intervention(search.program, RESTORED_BOARDS)
    proved = []
    for suspicion in seen:
        if suspicion.name not in PROOFS:
            proved.append(suspicion)
        elif (experiment := tried[PROOFS[suspicion.name].name]) is None:
            proved.append(suspicion._replace(certain=False))
        elif experiment.changed:
            proved.append(suspicion._replace(proof=experiment.proof))
        elif suspicion.name in LIKELY_IF_UNCHANGED:
            proved.append(suspicion._replace(certain=False))
    return proved


def _check_search(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the suspicions of all checks. A check that crashes is a mistake of ours: it is noted, and the others go on."""
    for check in CHECKS:
        try:
            yield from list(check(search))
        except Exception as error:  # our own
            where = traceback.extract_tb(error.__traceback__)[-1]
            search.crashes.append(
                f"{check.__name__.strip('_').replace('_', ' ')}: Plyscope could not look at this (please report): "
                f"{type(error).__name__}: {str(error)[:80]} ({Path(where.filename).name}, line {where.lineno})"
            )


def _check_roots(search: SearchContext) -> Iterator[Suspicion]:
    for facts in search.roots:
        yield from root.check_root_loop(search, facts)


def _check_end(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a search that reached a limit."""
    if search.stopped is not None and search.stopped.cause is not StopCause.EXCEPTION:
        certain = search.stopped.cause is StopCause.ENDLESS_RECURSION
        yield Suspicion("infinite-or-huge", 0, search.stopped.sentence, certain)


def _check_nodes(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the suspicions of all examined nodes. The outermost call may open its window again on purpose."""
    at_top = [facts for facts in search.nodes if search.program.calls.parent[facts.row] < 0]
    below = [facts for facts in search.nodes if search.program.calls.parent[facts.row] >= 0]
    deeper = [suspicion for facts in below for suspicion in _check_node(search, facts)]
    seen = {suspicion.name for suspicion in deeper}
    yield from deeper
    for facts in at_top:
        yield from (
            suspicion
            for suspicion in _check_node(search, facts)
            if suspicion.name not in ROOT_WINDOW_MISTAKES or suspicion.name in seen or not below
        )


def _check_node(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    yield from boards.check_shared_boards(search, facts)
    yield from cutoffs.check_repeated_calls(facts)
    yield from cutoffs.check_early_stops(search, facts)
    yield from backup.check_returned_score(search, facts)
    if not facts.known:
        return
    yield from moves.check_returned_move(search, facts)
    if facts.windows and not windows.is_cutoff_optional(facts):
        swapped = list(windows.check_window_order(facts))
        yield from swapped
        if not swapped:
            yield from windows.check_passed_windows(search, facts)
            yield from cutoffs.check_cutoffs(search, facts)


def _merge_suspicions(search: SearchContext, seen: list[Suspicion]) -> list[Finding]:
    """Merge suspicions into one finding for each mistake. Drop mistakes that follow from another."""
    by_name: dict[str, list[Suspicion]] = defaultdict(list)
    for suspicion in seen:
        by_name[suspicion.name].append(suspicion)
    follow = _find_consequences({name: any(suspicion.certain for suspicion in found) for name, found in by_name.items()})
    findings = []
    for name, found in by_name.items():
        if name in follow:
            continue
        best = min(found, key=lambda suspicion: (not suspicion.certain, suspicion.row))
        times = len({suspicion.row for suspicion in found})
        function = best.function or search.program.row_function(best.row)
        sentence = f"{search.locate_function(function)}: {best.sentence}"
        file, line = search.choose_place(name, function, _find_calls(search, best.row, function))
        findings.append(Finding(name, best.certain, best.row, times, sentence, file=file, line=line, proof=best.proof))
    return sorted(findings, key=lambda finding: (not finding.certain, finding.row))


def _find_calls(search: SearchContext, row: int, function: str) -> list[int]:
    """Return the calls that a row makes, or those that the loop over the first moves makes."""
    loop = next((rows for run, rows in search.program.runs_with_loops() if run.name == function), None)
    return loop if loop is not None else search.program.children[row] if row >= 0 else []


def _find_consequences(certain: dict[str, bool]) -> set[str]:
    """Return the mistakes that are consequences of others. `certain` tells for each mistake if it is certain.

    A certain mistake follows only from a certain one.
    """
    return {
        name
        for name in certain
        for other in certain
        if name in CONSEQUENCES.get(other, ()) and (certain[other] or not certain[name])
    }


CHECKS: tuple[Callable[[SearchContext], Iterator[Suspicion]], ...] = (
    _check_nodes,
    _check_roots,
    backup.check_single_children,
    backup.check_recorded_scores,
    sides.check_sides,
    depths.check_depth_steps,
    moves.check_stored_move,
    sides.check_extra_turns,
    windows.check_root_window,
    windows.check_plain_calls,
    boards.check_undone_moves,
    leaves.check_other_side,
    leaves.check_consistency,
    leaves.check_winner_signs,
    leaves.check_winner_scores,
    tables.check_table_answers,
    game_rules.check_game_rules,
    crashes.check_missing_returns,
    crashes.check_exceptions,
    _check_end,
)


def _list_checked(search: SearchContext) -> Iterator[str]:
    """Yield a sentence for everything that was checked."""
    for facts in search.facts:
        yield f"{facts.node.name} at call {facts.row}, tested with chosen scores for its {facts.children} moves"
    yield f"{len(search.keys):,} calls, each compared with the calls it made"
    if search.known is not None:
        yield f"the rules of {search.known.name} on every board"


def _list_unchecked(search: SearchContext) -> Iterator[str]:
    """Yield a sentence for everything that could not be checked."""
    yield from search.crashes
    if not any(facts.known for facts in search.facts):
        yield Unchecked.MOVE_CHOICE
    if search.known is None:
        yield Unchecked.GAME_RULES
    if not search.program.calls.runs:
        yield Unchecked.ROOT_LOOP
    if not any(search.program.children):
        yield Unchecked.CHILD_CALLS
