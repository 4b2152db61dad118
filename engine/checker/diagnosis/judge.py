"""Judge a recorded search: its variants, its mistakes, and which checks were possible.

Each topic has a module, and each mistake is found in one of them.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
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
    turns,
    windows,
)
from engine.checker.diagnosis.board_rules import find_grid
from engine.checker.diagnosis.changed_scores import locate_changed_scores
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, describe_own_crash
from engine.checker.diagnosis.mistakes import CONSEQUENCES
from engine.checker.diagnosis.node_facts import MAX, MIN, NodeFacts
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.variants import find_variants
from engine.checker.diagnosis.wasted_calls import locate_wasted_calls
from engine.checker.experiments.chance_nodes import check_chance_nodes
from engine.checker.experiments.constructed_lines import check_constructed_lines
from engine.checker.experiments.fixed_end_test import check_fixed_end_tests
from engine.checker.experiments.piece_owners import check_piece_owners
from engine.checker.experiments.proofs import prove_suspicions
from engine.checker.experiments.untried_moves import check_untried_moves, describe_compared_moves
from engine.checker.recording.board_texts import format_board
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.later_positions import LaterSearch, iterate_later_roots, iterate_later_searches
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.checker.verdict import WASTEFUL_MISTAKES, Finding, Unchecked

MAX_LATER_IF_ONE_SCORE, MAX_LATER_SEARCHES, MAX_LATER_ROOTS = 4, 2, 6  # from positions later in the game
MAX_LATER_IF_KNOWN = 4  # if the rules of the game are known
MAX_BOARD_CHARS = 1_000
MIN_ENDLESS_DEPTH = 100  # nested calls of a search that was stopped
ROOT_MISTAKES = {"tie-takes-bound", "no-move-when-lost", "move-not-tracked", "move-overwritten", "off-by-one"}
ONE_CALL_MISTAKES = {
    "returns-last-child",
    "starts-at-zero",
    "move-not-tracked",
    "no-move-when-lost",
}  # proved with chosen scores for one call
RULE_MISTAKES = {"win-lines-missing", "terminal-not-tested", "terminal-wrong-player", "depth-before-win"}  # need a real board
BOARD_MISTAKES = RULE_MISTAKES | {"no-move-when-lost"}  # may follow from a board of the wrong size
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
    strong: frozenset[str] = frozenset()  # mistakes that would be certain if an experiment could prove them
    tested_sides: Mapping[int, bool] = MappingProxyType({})  # rows that took the largest (True) or smallest of chosen scores


Keep = Callable[[Judgement], None]


def judge_search(program: WatchedProgram, stopped: StoppedRun | None = None, keep: Keep | None = None) -> Judgement:
    """Judge a search. `stopped` says why it ended early, if it did. `keep` gets each judgement that is complete so far."""
    keep = keep or (lambda judgement: None)
    search = SearchContext(program, stopped)
    found = _judge_record(search, keep)
    keep(found._replace(not_looked_at=[*found.not_looked_at, Unchecked.LATER_POSITIONS]))
    if (stopped and not stopped.is_too_large) or search.is_chance_game or search.is_sampled_tree:
        return found
    if found.one_score or not any(finding.certain and finding.name not in WASTEFUL_MISTAKES for finding in found.findings):
        scores: set[float] = set()
        for later in _iterate_later(search, found.one_score):
            scores |= set(later.program.leaf_values)
            found = _judge_later(search, found, later)
            keep(found)
        found = _judge_infinite_losses(search, found, scores)
    return found


def _judge_infinite_losses(search: SearchContext, found: Judgement, scores: set[float]) -> Judgement:
    """Add the calls of the recorded search that return no move if every move loses, if only later scores are infinite."""
    if not any(map(math.isinf, scores)) or any(map(math.isinf, search.program.leaf_values)):
        return found
    suspected = list(moves.check_infinite_losses(search))
    known = {finding.name for finding in found.findings}
    new = [one for one in _merge_suspicions(search, suspected, frozenset()) if one.name not in known]
    return found._replace(findings=sorted((*found.findings, *new), key=lambda finding: not finding.certain))


def _iterate_later(search: SearchContext, one_score: bool) -> Iterator[LaterSearch]:
    is_over = None if search.known is None else search.known.has_line
    usual = MAX_LATER_SEARCHES if search.known is None else MAX_LATER_IF_KNOWN
    yield from iterate_later_searches(search.program, MAX_LATER_IF_ONE_SCORE if one_score else usual, is_over)
    yield from iterate_later_roots(search.program, MAX_LATER_ROOTS, is_over)


def _judge_later(search: SearchContext, found: Judgement, later: LaterSearch) -> Judgement:
    """Judge a search at a later position, and add its findings."""
    may_fall = search.known is not None or find_grid(search.program.board(0)) is None  # on a full board all pieces seem to
    context = SearchContext(later.program, later=True, turning_movers=search.turning_movers, may_fall=may_fall)
    seen = _judge_record(context)
    left_out = ROOT_MISTAKES if search.program.runs_with_loops() and not later.program.calls.runs else set()
    left_out = left_out | (ROOT_WINDOW_MISTAKES if later.is_deeper else set())
    if any(finding.name == "sides-swapped" for finding in found.findings):
        left_out = left_out | {"sides-swapped"}  # a small search may show one of two swapped sides
    fitting = [
        finding
        for finding in seen.findings
        if (finding.certain or found.one_score or finding.name in seen.strong) and finding.name not in left_out
    ]
    return _merge_later_findings(found, later, [finding._replace(board=_show_board(later, finding)) for finding in fitting])


def _show_board(later: LaterSearch, finding: Finding) -> str:
    """Return the board of a finding as text: of the call, or the first one for the loop over the root's moves."""
    calls, roles = later.program.calls, later.program.roles
    is_of_root = bool(calls.runs) and finding.name in ROOT_MISTAKES
    return (calls.runs[0].board if is_of_root else format_board(calls, roles, finding.row))[:MAX_BOARD_CHARS]


def _judge_record(search: SearchContext, keep: Keep | None = None) -> Judgement:
    """Judge the recorded search alone, without later positions."""
    program = search.program
    suspected = list(_check_search(search))
    strong = frozenset(suspicion.name for suspicion in suspected if suspicion.certain)
    judgement = Judgement(
        variants=find_variants(search),
        findings=_merge_suspicions(search, [suspicion._replace(certain=False) for suspicion in suspected], strong),
        looked_at=list(_list_checked(search)),
        not_looked_at=list(_list_unchecked(search)),
        one_score=len(set(program.leaf_values)) <= 1,
        calls=len(program.calls),
        strong=strong,
        tested_sides=_read_tested_sides(search),
    )
    if keep is not None:
        keep(judgement._replace(not_looked_at=[*judgement.not_looked_at, Unchecked.PROOFS]))
    findings = _merge_suspicions(search, prove_suspicions(search, suspected), strong)
    findings = [locate_changed_scores(search, finding) for finding in findings]
    return judgement._replace(findings=locate_wasted_calls(search, findings))


def _read_tested_sides(search: SearchContext) -> dict[int, bool]:
    tested = [facts for facts in search.nodes if facts.known and not facts.negated and not facts.is_fold_guessed]
    return {facts.row: facts.fold == MAX for facts in tested if facts.fold in (MAX, MIN)}


def _merge_later_findings(found: Judgement, later: LaterSearch, seen: list[Finding]) -> Judgement:
    """Add the findings of a later search. They are at no row of the record.

    Weak findings from a search with only one score are dropped.
    """
    where = f"{later.plies} move{'s' if later.plies > 1 else ''} later in the game"
    shown = [finding._replace(row=NO_ROW, times=1, cost="", sentence=f"{where}, {finding.sentence}") for finding in seen]
    known = [finding for finding in found.findings if finding.certain or not found.one_score or finding.name in found.strong]
    findings = {finding.name: finding for finding in sorted((*shown, *reversed(known)), key=lambda finding: finding.certain)}
    follow = _find_consequences({name: finding.certain for name, finding in findings.items()})
    left = [finding for name, finding in findings.items() if name not in follow]
    return found._replace(
        findings=sorted(left, key=lambda finding: not finding.certain),
        looked_at=_add_later_check(found.looked_at, where, len(later.program.calls)),
        one_score=False,
        calls=found.calls + len(later.program.calls),
        positions=found.positions + 1,
    )


def _add_later_check(looked_at: list[str], where: str, calls: int) -> list[str]:
    """Add a search at a later position. Searches as many moves later share a line: it has the calls of each.

    >>> _add_later_check(["the search 2 moves later, where scores differ: 61 calls"], "2 moves later", 26)
    ['the search 2 moves later, where scores differ: 61, then 26 calls']
    """
    words = f"the search {where}, where scores differ: "
    others = [line for line in looked_at if not line.startswith(words)]
    before = [line.removeprefix(words).removesuffix(" calls") for line in looked_at if line.startswith(words)]
    return [*others, f"{words}{', then '.join([*before, f'{calls:,}'])} calls"]


def _check_search(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the suspicions of all checks. A check that crashes is a mistake of ours: it is noted, and the others go on."""
    for check in CHECKS_OF_ANY_SEARCH if search.is_chance_game or search.is_sampled_tree else CHECKS:
        try:
            yield from list(check(search))
        except Exception as error:  # our own
            search.crashes.append(f"{check.__name__.strip('_').replace('_', ' ')}: {describe_own_crash(error)}")


def _check_roots(search: SearchContext) -> Iterator[Suspicion]:
    for facts in search.roots:
        yield from root.check_root_loop(search, facts)


def _check_end(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a search that reached a limit."""
    if search.stopped is not None and search.stopped.cause is not StopCause.EXCEPTION:
        certain = search.stopped.cause is StopCause.ENDLESS_RECURSION
        if certain or max(search.program.calls.depth) >= MIN_ENDLESS_DEPTH:
            yield Suspicion("infinite-or-huge", 0, search.stopped.sentence, certain)


def _check_nodes(search: SearchContext) -> Iterator[Suspicion]:
    """Yield the suspicions of all examined nodes. The outermost call may open its window again on purpose."""
    at_top = [facts for facts in search.nodes if search.program.calls.parent[facts.row] < 0]
    below = [facts for facts in search.nodes if search.program.calls.parent[facts.row] >= 0]
    found = [(facts, list(_check_node(search, facts))) for facts in (*below, *at_top)]
    seen = {suspicion.name for _, suspicions in found[: len(below)] for suspicion in suspicions}
    for place, (facts, suspicions) in enumerate(found):
        for suspicion in suspicions:
            if place < len(below) or suspicion.name not in ROOT_WINDOW_MISTAKES or suspicion.name in seen or not below:
                agreed = suspicion.name not in ONE_CALL_MISTAKES or _agree_on(search, facts, found, suspicion.name)
                if suspicion.name == "move-not-tracked" and not agreed and moves.is_random_move(facts):
                    continue  # a first move by chance: its other calls choose the best one
                yield suspicion._replace(certain=suspicion.certain and agreed)


def _agree_on(search: SearchContext, facts: NodeFacts, found: list[tuple[NodeFacts, list[Suspicion]]], name: str) -> bool:
    """Return True if all tested calls of the same function and side with several moves show a mistake, not only one."""
    same = [
        any(suspicion.name == name for suspicion in suspicions)
        for other, suspicions in found
        if other.children > 1 and other.known == facts.known and search.key(other.row) == search.key(facts.row)
    ]
    return all(same)


def _check_node(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    yield from boards.check_shared_boards(search, facts)
    yield from cutoffs.check_repeated_calls(search, facts)
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


def _merge_suspicions(search: SearchContext, seen: list[Suspicion], strong: frozenset[str]) -> list[Finding]:
    """Merge suspicions into one finding for each mistake. Drop mistakes that follow from another.

    `strong` are mistakes that were certain before the proofs: they count as causes even if no experiment can prove them.
    """
    by_name: dict[str, list[Suspicion]] = defaultdict(list)
    for suspicion in seen:
        by_name[suspicion.name].append(suspicion)
    follow = _find_consequences(
        {name: name in strong or any(suspicion.certain for suspicion in found) for name, found in by_name.items()}
    )
    findings = []
    for name, found in by_name.items():
        if name in follow:
            continue
        best = min(found, key=lambda suspicion: (not suspicion.certain, suspicion.row))
        times = len({suspicion.row for suspicion in found})
        function = best.function or search.program.row_function(best.row)
        sentence = f"{search.locate_function(function)}: {best.sentence}"
        file, line = search.choose_place(best.place or name, function, _find_calls(search, best.row, function))
        is_certain = best.certain and bool(best.proof)  # without a proof nothing is certain
        is_certain = is_certain and not (name in BOARD_MISTAKES and search.program.calls.is_board_guessed)
        findings.append(Finding(name, is_certain, best.row, times, sentence, "", file, line, best.proof if is_certain else ""))
    return sorted(findings, key=lambda finding: (not finding.certain, finding.row))


def _find_calls(search: SearchContext, row: int, function: str) -> list[int]:
    """Return the calls that a row makes, or those that the loop over the first moves makes."""
    loop = next((rows for run, rows in search.program.runs_with_loops() if run.name == function), None)
    return loop if loop is not None else search.program.children[row] if row >= 0 else []


def _find_consequences(certain: dict[str, bool]) -> set[str]:
    """Return the mistakes that are consequences of others. `certain` tells for each mistake if it is certain.

    A certain mistake follows only from a certain one. Of two that may follow from each other the first one stays.
    """
    follow: set[str] = set()
    for other, is_certain in certain.items():
        for name in CONSEQUENCES.get(other, set()) & certain.keys():
            is_mutual = other in CONSEQUENCES.get(name, ()) and other in follow
            if (is_certain or not certain[name]) and not is_mutual:
                follow.add(name)
    return follow


CHECKS: tuple[Callable[[SearchContext], Iterator[Suspicion]], ...] = (
    _check_nodes,
    _check_roots,
    backup.check_single_children,
    backup.check_recorded_scores,
    backup.check_recorded_sides,
    sides.check_sides,
    depths.check_depth_steps,
    moves.check_stored_move,
    moves.check_missing_moves,
    turns.check_extra_turns,
    turns.check_unused_turns,
    turns.check_agents,
    turns.check_rounds,
    turns.check_missing_average,
    windows.check_root_window,
    windows.check_plain_calls,
    boards.check_undone_moves,
    leaves.check_other_side,
    leaves.check_consistency,
    check_piece_owners,
    leaves.check_winner_signs,
    leaves.check_winner_scores,
    tables.check_table_answers,
    game_rules.check_game_rules,
    check_constructed_lines,
    check_fixed_end_tests,
    check_untried_moves,
    crashes.check_missing_returns,
    crashes.check_exceptions,
    _check_end,
)


CHECKS_OF_ANY_SEARCH = (
    check_chance_nodes,
    turns.check_rounds,
    boards.check_undone_moves,
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
        yield f"where a game of {search.known.name} ends, on every board"
    if compared := describe_compared_moves(search):
        yield compared


def _list_unchecked(search: SearchContext) -> Iterator[str]:
    """Yield a sentence for everything that could not be checked."""
    yield from search.crashes
    if search.is_chance_game:
        yield Unchecked.CHANCE
    if search.is_sampled_tree:
        yield Unchecked.TREE_OF_SAMPLES
    if not any(facts.known for facts in search.facts):
        yield Unchecked.MOVE_CHOICE
    if search.known is None:
        yield Unchecked.GAME_RULES
    if not search.program.calls.runs:
        yield Unchecked.ROOT_LOOP
    if not any(search.program.children):
        yield Unchecked.CHILD_CALLS
