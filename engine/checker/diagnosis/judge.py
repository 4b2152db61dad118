"""Judge a recorded search: its variants, its mistakes, what was checked and what could not be.

Each topic has a module, and each mistake is found in one of them.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from engine.checker.diagnosis import backup, boards, cutoffs, depths, game_rules, leaves, moves, root, sides, tables, windows
from engine.checker.diagnosis.changed_scores import locate_changed_scores
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.mistakes import CONSEQUENCES
from engine.checker.diagnosis.node_facts import NodeFacts
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.variants import find_variants
from engine.checker.diagnosis.wasted_calls import locate_wasted_calls
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.later_positions import LaterSearch, iterate_later_searches
from engine.checker.verdict import CHOICE_NOT_CHECKED, Finding

MAX_LATER_IF_ONE_SCORE, MAX_LATER_SEARCHES = 4, 2  # searches later in the game
ROOT_MISTAKES = {"tie-takes-bound", "no-move-when-lost", "move-not-tracked", "move-overwritten", "off-by-one"}
ROOT_WINDOW_MISTAKES = {"window-not-passed", "window-not-updated", "no-cutoff"}


class Judgement(NamedTuple):
    """The variants, findings and checks of one search."""

    variants: list[str]
    findings: list[Finding]
    looked_at: list[str]
    not_looked_at: list[str]
    one_score: bool = False  # it was only seen to give one score


def judge_search(program: WatchedProgram, stopped: str = "") -> Judgement:
    """Judge a search. `stopped` says why it did not end by itself, if so."""
    found = _judge_record(program, stopped)
    one_score, inner = found.one_score, bool(program.runs_with_loops())
    if not stopped and (one_score or not any(finding.certain for finding in found.findings)):
        for later in iterate_later_searches(program, MAX_LATER_IF_ONE_SCORE if one_score else MAX_LATER_SEARCHES):
            seen = [finding for finding in _judge_record(later.program, later=True).findings if finding.certain or one_score]
            found = _merge_later_findings(
                found, later, [finding for finding in seen if not (inner and finding.name in ROOT_MISTAKES)]
            )
    return found


def _judge_record(program: WatchedProgram, stopped: str = "", later: bool = False) -> Judgement:
    """Judge the recorded search alone, without later positions."""
    search = SearchContext(program, stopped, later)
    findings = [locate_changed_scores(search, finding) for finding in _merge_suspicions(list(_check_search(search)))]
    findings = locate_wasted_calls(search, findings)
    one_score = len(set(program.leaf_values)) <= 1
    return Judgement(find_variants(search), findings, list(_list_checked(search)), list(_list_unchecked(search)), one_score)


def _merge_later_findings(found: Judgement, later: LaterSearch, seen: list[Finding]) -> Judgement:
    """Add the findings of a later search. They are at no row of the record.

    Uncertain findings from a search with only one score are dropped.
    """
    where = f"{later.plies} move{'s' if later.plies > 1 else ''} later in the game"
    shown = [finding._replace(row=NO_ROW, times=1, cost="", sentence=f"{where}: {finding.sentence}") for finding in seen]
    known = [finding for finding in found.findings if finding.certain or not found.one_score]
    findings = {finding.name: finding for finding in sorted((*shown, *reversed(known)), key=lambda finding: finding.certain)}
    follow = _find_consequences({name: finding.certain for name, finding in findings.items()})
    left = [finding for name, finding in findings.items() if name not in follow]
    return found._replace(
        findings=sorted(left, key=lambda finding: not finding.certain),
        looked_at=[*found.looked_at, f"the search {where}, where scores differ: {len(later.program.calls):,} calls"],
        one_score=False,
    )


def _check_search(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the suspicions of all checks."""
    yield from _check_nodes(search)
    for facts in search.roots:
        yield from root.check_root_loop(search, facts)
    yield from backup.check_single_children(search)
    yield from backup.check_recorded_scores(search)
    yield from sides.check_sides(search)
    yield from depths.check_depth_steps(search)
    yield from moves.check_stored_move(search)
    yield from sides.check_extra_turns(search)
    yield from windows.check_root_window(search)
    yield from windows.check_plain_calls(search)
    yield from boards.check_undone_moves(search)
    yield from leaves.check_other_side(search)
    yield from leaves.check_consistency(search)
    yield from leaves.check_winner_signs(search)
    yield from leaves.check_winner_scores(search)
    yield from tables.check_table_answers(search)
    yield from game_rules.check_game_rules(search)
    if search.stopped:
        yield Suspicion("infinite-or-huge", 0, search.stopped, certain="recursion" in search.stopped)


def _check_nodes(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the suspicions of all examined nodes. The outermost call may open its window again on purpose."""
    at_top = [facts for facts in search.nodes if search.program.calls.parent[facts.row] < 0]
    below = [facts for facts in search.nodes if search.program.calls.parent[facts.row] >= 0]
    deeper = [suspicion for facts in below for suspicion in _check_node(search, facts)]
    seen = {suspicion.name for suspicion in deeper}
    yield from deeper
    for facts in at_top:  # the outermost call may open its window again on purpose
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


def _merge_suspicions(seen: list[Suspicion]) -> list[Finding]:
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
        findings.append(Finding(name, best.certain, best.row, times, best.sentence))
    return sorted(findings, key=lambda finding: (not finding.certain, finding.row))


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


def _list_checked(search: SearchContext) -> Iterator[str]:
    """Yield a sentence for everything that was checked."""
    for facts in search.facts:
        yield f"{facts.node.name} at call {facts.row}, run with chosen scores for its {facts.children} moves"
    yield f"{len(search.keys):,} calls against those they made"
    if search.known is not None:
        yield f"the rules of {search.known.name} on every board"


def _list_unchecked(search: SearchContext) -> Iterator[str]:
    """Yield a sentence for everything that could not be checked."""
    if not any(facts.known for facts in search.facts):
        yield f"{CHOICE_NOT_CHECKED}: no call could be run alone"
    if search.known is None:
        yield "the rules of the game: the board is none that we know"
    if not search.program.calls.runs:
        yield "the loop over the root's moves: the search was called directly"
    if not any(search.program.children):
        yield "the calls below the first: the search made none"
