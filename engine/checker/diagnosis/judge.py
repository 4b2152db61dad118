"""The verdict on a watched search: its variants, its mistakes, what was looked at and what could not be.

Each topic has a module, and each mistake is found in one of them.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from engine.checker.diagnosis import backup, boards, cutoffs, depths, game_rules, leaves, moves, root, sides, tables, windows
from engine.checker.diagnosis.changed_scores import with_shown_rows
from engine.checker.diagnosis.context import Examined
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.mistakes import FOLLOWS
from engine.checker.diagnosis.node_facts import Facts
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.variants import variants_of
from engine.checker.diagnosis.wasted_calls import with_rows
from engine.checker.recording.call_recorder import NOTHING
from engine.checker.recording.later_positions import LaterSearch, telling_searches
from engine.checker.verdict import NOT_SEEN_TO_CHOOSE, Finding

LATER_OF_ONE_SCORE, LATER = 4, 2  # searches later in the game
OF_THE_ROOT = {"tie-takes-bound", "no-move-when-lost", "move-not-tracked", "move-overwritten", "off-by-one"}
ROOTS_OWN = {"window-not-passed", "window-not-updated", "no-cutoff"}


class Judgement(NamedTuple):
    variants: list[str]
    findings: list[Finding]
    looked_at: list[str]
    not_looked_at: list[str]
    one_score: bool = False  # it was only seen to give one score


def judge(program: WatchedProgram, stopped: str = "") -> Judgement:
    """Everything that can be said. `stopped` says why the search did not come to its end, if it did not."""
    found = _judged(program, stopped)
    one_score, inner = found.one_score, bool(program.runs_with_loops())
    if not stopped and (one_score or not any(finding.certain for finding in found.findings)):
        for later in telling_searches(program, LATER_OF_ONE_SCORE if one_score else LATER):
            seen = [finding for finding in _judged(later.program, later=True).findings if finding.certain or one_score]
            found = _with_later(found, later, [finding for finding in seen if not (inner and finding.name in OF_THE_ROOT)])
    return found


def _judged(program: WatchedProgram, stopped: str = "", later: bool = False) -> Judgement:
    search = Examined(program, stopped, later)
    findings = [with_shown_rows(search, finding) for finding in _together(list(_suspicions(search)))]
    findings = with_rows(search, findings)
    one_score = len(set(program.leaf_values)) <= 1
    return Judgement(variants_of(search), findings, list(_looked_at(search)), list(_not_looked_at(search)), one_score)


def _with_later(found: Judgement, later: LaterSearch, seen: list[Finding]) -> Judgement:
    """What was found, and what was seen in a later search: at no call of the record. Guesses from one score are left to it."""
    where = f"{later.plies} move{'s' if later.plies > 1 else ''} later in the game"
    shown = [finding._replace(row=NOTHING, times=1, cost="", sentence=f"{where}: {finding.sentence}") for finding in seen]
    known = [finding for finding in found.findings if finding.certain or not found.one_score]
    findings = {finding.name: finding for finding in sorted((*shown, *reversed(known)), key=lambda finding: finding.certain)}
    follow = _following({name: finding.certain for name, finding in findings.items()})
    left = [finding for name, finding in findings.items() if name not in follow]
    return found._replace(
        findings=sorted(left, key=lambda finding: not finding.certain),
        looked_at=[*found.looked_at, f"the search {where}, where scores differ: {len(later.program.calls):,} calls"],
        one_score=False,
    )


def _suspicions(search: Examined) -> Iterator[Suspicion]:
    yield from _of_all_nodes(search)
    for facts in search.roots:
        yield from root.of_root(search, facts)
    yield from backup.too_soon(search)
    yield from backup.against_children(search)
    yield from sides.of_search(search)
    yield from depths.of_search(search)
    yield from moves.kept_outside(search)
    yield from sides.extra_turns(search)
    yield from windows.at_the_root(search)
    yield from windows.plain_below(search)
    yield from boards.left_changed(search)
    yield from leaves.turned(search)
    yield from leaves.inconsistent(search)
    yield from leaves.of_the_mover(search)
    yield from leaves.of_the_loser(search)
    yield from tables.of_search(search)
    yield from game_rules.of_search(search)
    if search.stopped:
        yield Suspicion("infinite-or-huge", 0, search.stopped, certain="recursion" in search.stopped)


def _of_all_nodes(search: Examined) -> Iterator[Suspicion]:
    at_top = [facts for facts in search.nodes if search.program.calls.parent[facts.row] < 0]
    below = [facts for facts in search.nodes if search.program.calls.parent[facts.row] >= 0]
    deeper = [suspicion for facts in below for suspicion in _of_node(search, facts)]
    seen = {suspicion.name for suspicion in deeper}
    yield from deeper
    for facts in at_top:  # the outermost call may open its window again on purpose
        yield from (
            suspicion
            for suspicion in _of_node(search, facts)
            if suspicion.name not in ROOTS_OWN or suspicion.name in seen or not below
        )


def _of_node(search: Examined, facts: Facts) -> Iterator[Suspicion]:
    yield from boards.piled(search, facts)
    yield from cutoffs.asked_twice(facts)
    yield from cutoffs.stops_early(search, facts)
    yield from backup.of_node(search, facts)
    if not facts.known:
        return
    yield from moves.of_node(search, facts)
    if facts.windows and not windows.switched_off(facts):
        swapped = list(windows.swapped(facts))
        yield from swapped
        if not swapped:
            yield from windows.handed_on(search, facts)
            yield from cutoffs.of_node(search, facts)


def _together(seen: list[Suspicion]) -> list[Finding]:
    """One finding for each mistake; none for those that follow from another."""
    by_name: dict[str, list[Suspicion]] = defaultdict(list)
    for suspicion in seen:
        by_name[suspicion.name].append(suspicion)
    follow = _following({name: any(suspicion.certain for suspicion in found) for name, found in by_name.items()})
    findings = []
    for name, found in by_name.items():
        if name in follow:
            continue
        best = min(found, key=lambda suspicion: (not suspicion.certain, suspicion.row))
        times = len({suspicion.row for suspicion in found})
        findings.append(Finding(name, best.certain, best.row, times, best.sentence))
    return sorted(findings, key=lambda finding: (not finding.certain, finding.row))


def _following(certain: dict[str, bool]) -> set[str]:
    """The names that are consequences of others; what is certain follows only from what is certain. `certain` says it of each."""
    return {
        name for name in certain for other in certain if name in FOLLOWS.get(other, ()) and (certain[other] or not certain[name])
    }


def _looked_at(search: Examined) -> Iterator[str]:
    for facts in search.facts:
        yield f"{facts.node.name} at call {facts.row}, run with chosen scores for its {facts.children} moves"
    yield f"{len(search.keys):,} calls against those they made"
    if search.known is not None:
        yield f"the rules of {search.known.name} on every board"


def _not_looked_at(search: Examined) -> Iterator[str]:
    if not any(facts.known for facts in search.facts):
        yield f"{NOT_SEEN_TO_CHOOSE}: no call could be run alone"
    if search.known is None:
        yield "the rules of the game: the board is none that we know"
    if not search.program.calls.runs:
        yield "the loop over the root's moves: the search was called directly"
    if not any(search.program.children):
        yield "the calls below the first: the search made none"
