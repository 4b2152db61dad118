"""The verdict on a watched search: its variants, its mistakes, what was looked at and what could not be."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from engine.watching import clues
from engine.watching.audit import (
    Suspicion,
    against_rules,
    inconsistent_leaves,
    leaves_of_the_mover,
    number,
    position_keys,
    starts_returned,
    wrong_tables,
)
from engine.watching.calls import is_number, kept_result
from engine.watching.catalogue import FOLLOWS
from engine.watching.examining import BELOW, HIGH, INSIDE, LAST, LOW, MAX, MIN, OPEN, WORSE, Facts, examine
from engine.watching.finding import Function, telling
from engine.watching.known_boards import known_boards
from engine.watching.probes import BlackBox, always, left_on, one_by_one, without
from engine.watching.reading import WatchedProgram, Window, cells, changed, parts_changed
from engine.watching.roles import NAMES, spelled
from engine.watching.verdict import Finding
from engine.watching.windows_on_record import Movers, calls_needed, cuts_not_taken, loose_windows

MOST_EXAMINED = 10  # nodes
NOT_CUT = {"no-cutoff", "inner-break"}
WASTEFUL = NOT_CUT | {"root-fresh-window", "window-not-passed", "window-not-updated", "bound-loosened"}
SEVERAL = 3  # calls, for a pattern to be one
A_SEARCH = 8  # how telling the names of a search are
MOST_COMPARED = 3000  # rows whose boards are compared
TURN = r"turn|turno|player|to_?move|joueur|spieler|jugador|jogador|side|vez|zug|tour|who|current"
ROOTS_OWN = {"window-not-passed", "window-not-updated", "no-cutoff"}


class Judgement(NamedTuple):
    variants: list[str]
    findings: list[Finding]
    looked_at: list[str]
    not_looked_at: list[str]


def judge(program: WatchedProgram, stopped: str = "") -> Judgement:
    """Everything that can be said. `stopped` says why the search did not come to its end, if it did not."""
    return _Judge(program, stopped).judgement()


class _Judge:
    def __init__(self, program: WatchedProgram, stopped: str):
        self.program = program
        self.stopped = stopped
        self.looked_at: list[str] = []
        self.not_looked_at: list[str] = []
        self.facts = self._examined()
        self.roots = [facts for facts in self.facts if facts.node.kept.is_root]
        self.nodes = [facts for facts in self.facts if not facts.node.kept.is_root]
        self.negamax = any(facts.known and facts.negated for facts in self.nodes)
        self.known = known_boards(program)
        self.keys = position_keys(program)

    # ---- what is examined

    def _examined(self) -> list[Facts]:
        chosen: list[BlackBox] = []
        times: dict[Any, int] = defaultdict(int)
        for kept in self.program.calls.kept.calls:
            if kept.is_root:
                run = self.program.calls.runs[kept.number]
                rows = [rows for other, rows in self.program.runs_with_loops() if other is run]
                key: Any = ("root", run.name)
                if not rows:
                    continue
            else:
                if not self.program.children[kept.row]:
                    continue
                key = self._key(kept.row)
            if times[key] < 2 or (times[key] < 3 and len(times) == 1):
                times[key] += 1
                chosen.append(BlackBox(self.program, kept))
        found = []
        for node in chosen[:MOST_EXAMINED]:
            facts = examine(node, self.program.span, self._worst, self._open_window())
            if facts is not None:
                found.append(facts)
        return found

    def _key(self, row: int) -> Any:
        function = self.program.calls.function[row]
        side = self.program.argument(row, "side")
        if side is None or self._side_is_constant:
            return (function, None, self.program.calls.depth[row] % 2)
        return (function, side, 0)

    @cached_property
    def _side_is_constant(self) -> bool:
        sides = {repr(self.program.argument(row, "side")) for row in range(min(len(self.program.calls), 500))}
        return len(sides) == 1

    def _child_key(self, facts: Facts, asked: Any) -> Any:
        if asked.side is None or self._side_is_constant:
            level = -1 if facts.node.kept.is_root else self.program.calls.depth[facts.row]
            return (asked.function, None, (level + 1) % 2)
        return (asked.function, asked.side, 0)

    def _worst(self, facts: Facts) -> float:
        leaves = self.program.leaf_values or [0]
        if facts.negated or (facts.node.kept.is_root and facts.fold == MIN):
            return -self.program.span
        return min(leaves) if facts.sign == 1 else -max(leaves)

    def _open_window(self) -> Window:
        for row in range(len(self.program.calls)):
            if self.program.calls.parent[row] < 0:
                window = self.program.window(row)
                if window is not None and window[0] <= -0.9 * self.program.span and window[1] >= 0.9 * self.program.span:
                    return window
                return OPEN
        return OPEN

    # ---- together

    def judgement(self) -> Judgement:
        seen = list(self._suspicions())
        findings = self.with_rows(_together(seen))
        self._say_what_was_looked_at()
        if not any(self.program.children):
            self.not_looked_at.append("the calls below the first: the search made none")
        return Judgement(self._variants(), findings, self.looked_at, self.not_looked_at)

    def _suspicions(self) -> Iterator[Suspicion]:
        at_top = [facts for facts in self.nodes if self.program.calls.parent[facts.row] < 0]
        below = [facts for facts in self.nodes if self.program.calls.parent[facts.row] >= 0]
        deeper = [suspicion for facts in below for suspicion in self._of_node(facts)]
        seen = {suspicion.name for suspicion in deeper}
        yield from deeper
        for facts in at_top:  # the outermost call may open its window again on purpose
            yield from (
                suspicion
                for suspicion in self._of_node(facts)
                if suspicion.name not in ROOTS_OWN or suspicion.name in seen or not below
            )
        for facts in self.roots:
            yield from self._of_root(facts)
        yield from self._too_soon()
        yield from self._sides()
        yield from self._depths()
        yield from self._moves_kept_outside()
        yield from self._extra_turns()
        yield from self._root_windows()
        yield from self._plain_below()
        yield from self._boards_left()
        yield from self._leaves_turned()
        yield from inconsistent_leaves(self.program, self.keys)
        if clues.has_table(self.program.tree):
            yield from wrong_tables(self.program, self.keys, {})
        if self.known is not None:
            yield from against_rules(self.program, self.known)
            yield from leaves_of_the_mover(self.program, self.known, self.negamax)
        yield from starts_returned(self.program, self._starts())
        if self.stopped:
            yield Suspicion("infinite-or-huge", 0, self.stopped, certain="recursion" in self.stopped)

    def _starts(self) -> dict[int, float]:
        """By row, the number that its best score starts at."""
        by_key = {self._key(facts.row): facts.starts_at for facts in self.nodes if facts.known and facts.starts_at is not None}
        rows = range(min(len(self.program.calls), len(self.keys)))
        return {row: start for row in rows if (start := by_key.get(self._key(row))) is not None}

    # ---- the record

    def _sides_of_rows(self) -> Movers | None:
        """Who is to move in each row; None where that is not clear everywhere."""
        if self.negamax:
            top = bool(self.roots)
            return Movers([(level + top) % 2 == 0 for level in self.program.calls.depth], True)
        folds = self._folds()
        found = [folds.get(self._key(row)) for row in range(len(self.program.calls))]
        clear = all(fold is not None or not below for fold, below in zip(found, self.program.children, strict=True))
        return Movers([fold == MAX for fold in found], False) if clear else None

    def _on_record(self, name: str, sides: Movers) -> list[Suspicion]:
        """Where a mistake shows in the record, row by row."""
        program = self.program
        if name == "root-fresh-window":
            loops = program.runs_with_loops()[:1]
            is_max = self._root_is_max()
            return [
                seen
                for _, rows in loops
                for seen in loose_windows(program, sides, name, sides.window(program, rows[0]) or OPEN, is_max, rows)
            ]
        rows = [row for row in range(min(len(program.calls), MOST_COMPARED)) if program.children[row]]
        if name in NOT_CUT:
            return [seen for row in rows for seen in cuts_not_taken(program, sides, name, row)]
        windows = [(row, sides.window(program, row)) for row in rows]
        return [
            seen
            for row, window in windows
            if window is not None
            for seen in loose_windows(program, sides, name, window, sides.maximizing[row], program.children[row])
        ]

    def _root_is_max(self) -> bool:
        return self.negamax or not self.roots or self.roots[0].fold != MIN

    def _cost(self, sides: Movers) -> str:
        """What the mistake cost in calls, all of the record counted."""
        calls = self.program.calls
        tops = [row for row in range(len(calls)) if calls.parent[row] < 0]
        loops = self.program.runs_with_loops()
        if len(tops) > 1 and (len(loops) != 1 or loops[0][1] != tops):
            return ""
        needed = calls_needed(self.program, sides, tops, self._root_is_max())
        return f"{len(calls) - needed:,} of {len(calls):,} calls" if needed is not None and needed < len(calls) else ""

    def with_rows(self, findings: list[Finding]) -> list[Finding]:
        """The findings that only waste calls, with the rows where they show and what they cost."""
        sides = self._sides_of_rows() if any(finding.name in WASTEFUL for finding in findings) else None
        if sides is None:
            return findings
        told = []
        for finding in findings:
            if finding.name in WASTEFUL:
                seen = self._on_record(finding.name, sides)
                if seen:
                    finding = finding._replace(row=seen[0].row, times=len(seen), sentence=seen[0].sentence)
                finding = finding._replace(cost=self._cost(sides))
            told.append(finding)
        return told

    # ---- one node

    def _of_node(self, facts: Facts) -> Iterator[Suspicion]:
        yield from self._boards(facts)
        if facts.fold == LAST and facts.children > 1:
            yield Suspicion(
                "returns-last-child",
                facts.row,
                "with other numbers for its moves it returned the last one every time, not the best",
            )
        yield from self._asked_twice(facts)
        yield from self._stops(facts)
        if not facts.known:
            yield from self._heeds_nobody(facts)
            return
        if facts.start is not None:
            yield Suspicion(
                "starts-at-zero",
                facts.row,
                f"where every move scores {number(facts.start_below)}, it returns {number(facts.start)}: better than any of them",
            )
        yield from self._moves(facts)
        if facts.windows:
            swapped = list(self._swapped(facts))
            yield from swapped
            if not swapped:
                yield from self._windows(facts)
                yield from self._cutoffs(facts)

    def _heeds_nobody(self, facts: Facts) -> Iterator[Suspicion]:
        values = {facts.rising.value, facts.falling.value, facts.direct.value}
        if facts.children > 1 and len(values) == 1 and None not in values and not facts.stops_early:
            yield Suspicion(
                "sides-swapped",
                facts.row,
                f"whatever its moves score, it returns {number(values.pop())}: no score is ever better than what it starts at",
                certain=False,
            )

    def _boards(self, facts: Facts) -> Iterator[Suspicion]:
        if facts.piled:
            state = None if facts.node.kept.is_root else self.program.roles[facts.node.kept.number].state
            function = self.program.functions.get(facts.node.name)
            plain = [name.rpartition(".")[2] for name in (watched.name for watched in self.program.calls.functions)]
            own = function is not None and clues.passes_its_own(function, plain, state or "")
            yield Suspicion(
                "not-undone" if own or not state else "shared-board",
                facts.row,
                "each of its moves is tried on a board that still has the moves tried before it",
            )
        elif facts.left_after_cut and facts.in_place and not facts.left:
            yield Suspicion("not-undone", facts.row, "when it leaves by a cutoff, the last move stays on the board")

    def _asked_twice(self, facts: Facts) -> Iterator[Suspicion]:
        if facts.children < 2:
            return
        again = {}
        for outcome in (facts.direct, facts.rising, facts.falling):
            asked = [(call.function, call.child, call.window, call.depth, call.side) for call in outcome.asked]
            again[len(asked)] = len(asked) - len(set(asked))
        doubled = all(times * 2 == calls for calls, times in again.items())
        if doubled or (any(again.values()) and len(again) > 1):
            yield Suspicion(
                "searched-twice",
                facts.row,
                f"it has {facts.children} moves and makes {max(again)} calls: the same move is searched again",
            )

    def _given_open(self, facts: Facts) -> Window | None:
        return None if facts.node.place("alpha") is None else self._open_window()

    # ---- windows

    def _swapped(self, facts: Facts) -> Iterator[Suspicion]:
        alpha, beta = facts.window_given(LOW * facts.span, HIGH * facts.span)
        raw = facts.raw_windows[0] if facts.raw_windows else (alpha, beta)
        right = (-beta, -alpha) if facts.negated else (alpha, beta)
        wrong = {(beta, alpha), (-alpha, -beta), (alpha, beta), (-beta, -alpha)} - {right}
        if raw in wrong or (raw[0] >= raw[1] and alpha < beta):
            yield Suspicion(
                "window-swapped",
                facts.row,
                f"with the window {_said((alpha, beta))} it passes {_said(raw)} on, not {_said(right)}",
            )

    def _windows(self, facts: Facts) -> Iterator[Suspicion]:
        span = facts.span
        low, high, inside, worse = LOW * span, HIGH * span, INSIDE * span, WORSE * span
        better, below = facts.windows[0], facts.windows[1]
        if not better:
            return
        first = better[0]
        if first[0] < low - 1e-9 * span or first[1] > high + 1e-9 * span:
            yield Suspicion(
                "window-not-passed",
                facts.row,
                f"with the window {_said((low, high))} its first move gets {_said(first)} (from the side of the mover)",
            )
            return
        if len(below) > 1 and below[1][0] < low - 1e-9 * span:
            yield Suspicion(
                "bound-loosened",
                facts.row,
                f"a move of {number(below[1][0])}, worse than the bound {number(low)}, moves the bound there",
            )
            return
        if len(better) < 2:
            return
        second = better[1]
        if (
            second[0] >= second[1]
            or second[1] > high + 1e-9 * span
            or (_near(second[1], inside) and second[0] < inside - 1e-9 * span)
        ):
            yield Suspicion(
                "wrong-bound-updated",
                facts.row,
                f"after a move of {number(inside)} the window {_said((low, high))} becomes {_said(second)} (from the side of "
                "the mover): the other side's bound was moved",
            )
        elif second[0] < inside - 1e-9 * span:
            yield self._not_narrowed(facts, (low, high), inside, second)
        elif len(better) > 2 and better[2][0] < inside - 1e-9 * span:
            yield Suspicion(
                "bound-loosened",
                facts.row,
                f"after moves of {number(inside)} and {number(worse)} the bound is {number(better[2][0])}: "
                "the worse move has moved it back",
            )

    def _not_narrowed(self, facts: Facts, window: Window, inside: float, second: Window) -> Suspicion:
        roles = self.program.roles[facts.node.kept.number]
        function = self.program.functions.get(facts.node.name)
        bound = roles.alpha if facts.sign == 1 else roles.beta
        elsewhere = any(_narrows(other) for other in self.nodes)
        assigned = elsewhere or (function is not None and bound is not None and clues.is_assigned(function, bound))
        return Suspicion(
            "window-not-passed" if assigned else "window-not-updated",
            facts.row,
            f"after a move of {number(inside)} in the window {_said(window)} the next move gets {_said(second)}: "
            f"its lower bound should be {number(inside)} (from the side of the mover)",
        )

    def _cutoffs(self, facts: Facts) -> Iterator[Suspicion]:
        moves = facts.children
        high = number(HIGH * facts.span)
        early = min(facts.asked_inside, facts.asked_below, facts.asked_just_below_high) < moves
        if early:
            at_low = facts.asked_just_above_low < moves and facts.asked_below == moves
            wrong = facts.asked_above == moves or at_low or facts.asked_below < moves
            stops_at = BELOW if facts.asked_below < moves else INSIDE if facts.asked_inside < moves else HIGH - 0.06
            yield Suspicion(
                "wrong-bound-compared" if wrong else "cut-too-early",
                facts.row,
                f"in the window ({number(LOW * facts.span)}, {high}) it stops after a move of "
                f"{number(stops_at * facts.span)} and skips moves (from the side of the mover)",
                self._stops_at_real_scores(facts) or facts.span * 0.06 > 1,
            )
        elif facts.asked_above == moves:
            yield Suspicion(
                "no-cutoff",
                facts.row,
                f"after a move of {number(0.7 * facts.span)}, beyond the bound {high}, it still tries all {moves}",
            )
        elif facts.asked_above > 1:
            yield Suspicion(
                "inner-break",
                facts.row,
                f"after a move beyond the bound it tries {facts.asked_above - 1} more of its {moves} moves before it stops",
            )

    def _stops(self, facts: Facts) -> Iterator[Suspicion]:
        """Children that are skipped though no window asks for it."""
        number_ = facts.node.kept.number
        rows = [row for row, below in enumerate(self.program.children) if below and self.program.calls.function[row] == number_]
        one_each = all(len(self.program.children[row]) == 1 for row in rows)
        if facts.stops_early and facts.children > 1:
            name = "wrong-bound-compared" if facts.window_decides else "returns-too-soon" if one_each else "cut-too-early"
            yield Suspicion(
                name,
                facts.row,
                f"of its {facts.children} moves it tries only {min(facts.rising.children, facts.falling.children)} "
                "for some scores, though the window is open",
                self._stops_at_real_scores(facts),
            )

    def _stops_at_real_scores(self, facts: Facts) -> bool:
        """Whether it also stops at a score of the program's own that is neither its best nor its worst."""
        between = [score for score in sorted(set(self.program.leaf_values))[1:-1] if abs(score) < 0.9 * self.program.span]
        return any(
            facts.node.run(always(score), window=self._given_open(facts)).children < facts.children
            for score in between[:: max(1, len(between) // 12)]
        )

    # ---- moves

    def _moves(self, facts: Facts) -> Iterator[Suspicion]:
        different = len(set(map(repr, facts.moves)))
        if facts.children < 2 or not facts.moves:
            return
        if different == len(facts.moves):
            yield from self._lost(facts)
            yield from self._ties(facts)
        elif different == 1 and facts.children > 2 and self._carried_up(facts):
            if self._from_the_leaf(facts):
                yield Suspicion(
                    "move-not-tracked",
                    facts.row,
                    "the move that comes back is the last one before a leaf, not the first of the best line",
                )
        elif different == 1 and facts.children > 2:
            move = facts.moves[0]
            if move is not None and not facts.node.kept.is_root:
                yield Suspicion(
                    "move-not-tracked",
                    facts.row,
                    f"whichever of its {facts.children} moves is the best, it returns the move {_shown(move)}",
                    certain=self._is_move(facts, move),
                )

    def _carried_up(self, facts: Facts) -> bool:
        """Whether what is returned for the move comes from the call below: a path, the state at the leaf."""
        again = facts.node.run(lambda child: facts.shown(0.1 * facts.span), window=self._given_open(facts), template=1)
        return repr(facts.move_in(again)) != repr(facts.moves[0])

    def _from_the_leaf(self, facts: Facts) -> bool:
        """Whether the move comes from a leaf that knows only its own last move: leaves below one child return different ones."""
        if not facts.node.is_outermost or facts.node.kept.is_root:
            return False
        for child in self.program.children[facts.row]:
            rows = [row for row in range(child, self.program.calls.end[child]) if self.program.is_leaf(row)]
            moves = [without(self.program.calls.results[row], self.program.score.keys) for row in rows]
            plain = all(isinstance(move, int) or (isinstance(move, tuple) and len(move) == 2) for move in moves)
            levels = {self.program.calls.depth[row] for row in rows}
            if plain and len(levels) > 1 and len(set(map(repr, moves))) > 2:
                return True
        return False

    def _is_move(self, facts: Facts, value: Any) -> bool:
        """Whether a value is the number of a square or a column where one of the moves was made, or the state after it."""
        if isinstance(value, (bytes, tuple)):
            return True
        where: set[Any] = set()
        old = cells(facts.direct.board)
        for asked in facts.direct.asked:
            for place, new in changed(facts.direct.board, asked.board).items():
                where |= {place, *place}
                if is_number(new) and is_number(old.get(place)):
                    where |= {new - old[place], old[place] - new}
        return value in where

    def _lost(self, facts: Facts) -> Iterator[Suspicion]:
        nothing = {
            repr(without(kept_result(kept.result), self.program.score.keys))
            for kept in self.program.calls.kept.calls
            if kept.is_leaf
        }
        known = {self._worst(facts)} | {facts.shown(score) for score in self.program.constants_returned()}
        for good, move in facts.lost:
            is_none = move in (None, -1, (), "", (-1, -1)) or (not facts.node.kept.is_root and repr(move) in nothing)
            if is_none and not any(repr(move) == repr(other) for other in facts.moves):
                yield Suspicion(
                    "no-move-when-lost",
                    facts.row,
                    f"where every move scores {number(facts.shown(good))}, it returns {_shown(move)} for the move",
                    certain=good in known,
                )
                return

    def _ties(self, facts: Facts) -> Iterator[Suspicion]:
        """A root that takes a later one of equal moves, where equal may mean worse."""
        if not facts.node.is_outermost or not facts.windows or len(facts.windows[0]) < 2 or not self._equal_may_be_bound():
            return
        if self._later_ties(facts) and _near(facts.windows[0][1][0], INSIDE * facts.span):
            yield Suspicion(
                "tie-takes-bound",
                facts.row,
                "among moves of the same score it takes a later one, but that score is only a bound: the move may be worse",
            )

    def _later_ties(self, facts: Facts) -> bool:
        return any(repr(move) != repr(facts.moves[0]) for move in facts.ties)

    def _equal_may_be_bound(self) -> bool:
        return any(
            facts.asked_at < facts.children
            or (facts.returned_below is not None and _near(facts.returned_below, LOW * facts.span))
            for facts in self.nodes
            if facts.windows
        )

    def _moves_kept_outside(self) -> Iterator[Suspicion]:
        """A move in a global or an attribute that deeper calls set as well."""
        top = [facts for facts in self.nodes if self.program.calls.parent[facts.row] < 0]
        deeper = [facts for facts in self.nodes if self.program.calls.parent[facts.row] >= 0]
        for facts in top:
            for name, values in facts.noted.items():
                if len(set(map(repr, values))) < len(values) or facts.children < 2:
                    continue
                writer = next((other for other in deeper if len(set(map(repr, other.noted.get(name, [])))) > 1), None)
                if writer is not None and not self._written_last(facts, name):
                    yield Suspicion(
                        "move-overwritten", writer.row, f"{name} is set by this call too, not only by the outermost one"
                    )

    def _written_last(self, facts: Facts, name: str) -> bool:
        """Whether the outermost call sets it after the calls below, whatever they have put there."""
        values = [facts.shown(facts.span * (0.5 - 0.05 * child)) for child in range(facts.children)]
        outcome = facts.node.run(
            lambda child: values[min(child, len(values) - 1)], window=self._given_open(facts), disturbed=name
        )
        return outcome.world.get(name) != facts.node.MARK

    # ---- the loop over the root's moves

    def _of_root(self, facts: Facts) -> Iterator[Suspicion]:
        yield from self._boards(facts)
        yield from self._asked_twice(facts)
        arguments = [spelled(name) for name in facts.node.names]
        if not self.program.has_windows and all(
            any(re.search(NAMES[role], name) and len(name) > 1 for name in arguments) for role in ("alpha", "beta")
        ):
            yield Suspicion(
                "calls-plain-minimax",
                facts.row,
                f"{facts.node.name} has alpha and beta, but it calls a search that has no window",
            )
        if not facts.known:
            choices = set(self._root_choices(facts))
            if len(choices) == 1 and "None" not in choices:
                yield Suspicion(
                    "move-not-tracked",
                    facts.row,
                    f"whichever of its moves is the best, it returns {choices.pop()}",
                    certain=False,
                )
            return
        yield from self._moves(facts)
        windows = facts.windows[0] if facts.windows else []
        inner_narrow = any(_narrows(other) for other in self.nodes)
        if len(windows) > 2 and _near(windows[1][0], INSIDE * facts.span) and _near(windows[2][0], WORSE * facts.span):
            yield Suspicion("bound-loosened", facts.row, "a worse move of the root moves the bound back")
        elif (
            len(windows) > 1
            and windows[1] == windows[0]
            and windows[0][0] < INSIDE * facts.span
            and inner_narrow
            and not self._later_ties(facts)  # who lets chance decide among equal moves needs their exact scores
        ):
            yield Suspicion(
                "root-fresh-window",
                facts.row,
                f"every move of the root gets the window {_said(facts.raw_windows[0])}, whatever was scored before it",
            )
        yield from self._root_depth(facts)

    def _root_choices(self, facts: Facts) -> Iterator[str]:
        for best in range(facts.children):
            for sign in (1, -1):
                scores = [sign * facts.span * (0.7 if child == best else 0.01 * child) for child in range(facts.children)]
                yield facts.node.run(one_by_one(scores)).choice

    def _root_depth(self, facts: Facts) -> Iterator[Suspicion]:
        run = self.program.calls.runs[facts.node.kept.number]
        for name, value in zip(run.arguments, run.given, strict=False):
            if re.search(NAMES["depth"], spelled(name)) and isinstance(value, int) and not isinstance(value, bool):
                below = {asked.depth for asked in facts.direct.asked}
                if below == {value} and self._steps() == {-1}:
                    yield Suspicion(
                        "off-by-one",
                        facts.row,
                        f"{run.name} is asked for {value} moves, plays one and then searches {value} more",
                        certain=False,
                    )

    # ---- sides, depth, returns

    def _too_soon(self) -> Iterator[Suspicion]:
        inner = [row for row, below in enumerate(self.program.children) if below]
        searched = {facts.node.name for facts in self.nodes if facts.children == 1}
        plain = [watched.name.rpartition(".")[2] for watched in self.program.calls.functions]
        for number_, watched in enumerate(self.program.calls.functions):
            rows = [row for row in inner if self.program.calls.function[row] == number_]
            function = self.program.functions.get(watched.name)
            if rows and watched.name in searched and all(len(self.program.children[row]) == 1 for row in rows):
                at_once = function is not None and clues.leaves_loop_at_once(function, plain)
                if not at_once and len(rows) < SEVERAL:
                    continue
                yield Suspicion("returns-too-soon", rows[0], "only its first move is tried, in every call", certain=at_once)

    def _steps(self) -> set[Any]:
        return {
            asked.depth - facts.node.given("depth")
            for facts in self.nodes
            for asked in facts.direct.asked
            if isinstance(asked.depth, (int, float)) and isinstance(facts.node.given("depth"), (int, float))
        }

    def _depths(self) -> Iterator[Suspicion]:
        by_key: dict[Any, set[Any]] = defaultdict(set)
        first: dict[Any, Facts] = {}
        for facts in self.nodes:
            given = facts.node.given("depth")
            for asked in facts.direct.asked:
                if is_number(asked.depth) and is_number(given):
                    by_key[self._key(facts.row)].add(asked.depth - given)
                    first.setdefault(self._key(facts.row), facts)
        steps = set().union(*by_key.values()) if by_key else set()
        if steps == {0}:
            facts = next(iter(first.values()))
            ends = facts.node.run(lambda child: 0.0, given={"depth": 0}).children == 0
            yield Suspicion(
                "depth-not-reduced",
                facts.row,
                f"the depth {number(facts.node.given('depth'))} is handed on unchanged",
                certain=ends,
            )
            return
        for key, found in by_key.items():
            facts = first[key]
            said = (
                f"the depth goes from {number(facts.node.given('depth'))} to {number(facts.direct.asked[0].depth)} with one move"
            )
            if found in ({-2}, {2}) and steps <= {-2, -1, 1, 2}:
                yield Suspicion("depth-by-two", facts.row, said)
            elif found == {0} and steps in ({-1, 0}, {0, 1}):
                yield Suspicion("depth-not-reduced", facts.row, said, certain=False)  # it may count whole rounds
        yield from self._last_depth(steps)

    def _last_depth(self, steps: set[Any]) -> Iterator[Suspicion]:
        """A depth that counts down and ends the search at 1, on boards that have moves."""
        if steps != {-1} or self.roots:
            return
        depths = [self.program.argument(row, "depth") for row in range(len(self.program.calls))]
        last = [kept for kept in self.program.calls.kept.calls if not kept.is_root and kept.is_leaf and depths[kept.row] == 1]
        if not last or min(depth for depth in depths if is_number(depth)) < 1:
            return
        if any(BlackBox(self.program, kept).run(always(0.0), given={"depth": 2}).asked for kept in last):
            yield Suspicion(
                "off-by-one",
                last[0].row,
                "the search ends where the depth is still 1: one move earlier than it was asked for",
                certain=False,
            )

    def _folds(self) -> dict[Any, str]:
        found: dict[Any, set[str]] = defaultdict(set)
        for facts in self.nodes:
            if facts.known:
                found[self._key(facts.row)].add(facts.fold)
        return {key: folds.pop() for key, folds in found.items() if len(folds) == 1}

    def _sides(self) -> Iterator[Suspicion]:
        folds = self._folds()
        swapped = False
        for facts in self.nodes:
            if facts.known and not facts.negated:
                meant = self._meant(facts)
                if meant is not None and meant != facts.fold:
                    swapped = True
                    yield Suspicion(
                        "sides-swapped",
                        facts.row,
                        f"this is a call for {'MAX' if meant == MAX else 'MIN'} by its name, but it returns the "
                        f"{'smallest' if facts.fold == MIN else 'largest'} of its moves' scores",
                    )
        if swapped:
            return
        if self.negamax:
            yield from self._sides_of_negamax()
            return
        for facts in self.facts:
            if not facts.known or facts.negated:
                continue
            below = [folds.get(self._child_key(facts, asked)) for asked in facts.direct.asked]
            if below and all(fold == facts.fold for fold in below):
                yield self._same_side_twice(facts, folds)
        yield from self._same_piece_twice()

    def _same_side_twice(self, facts: Facts, folds: dict[Any, str]) -> Suspicion:
        side = facts.node.given("side")
        turned = side is not None and all(asked.side != side for asked in facts.direct.asked)
        if turned and set(folds.values()) == {MAX}:
            return Suspicion(
                "sign-lost",
                facts.row,
                "both sides take the largest score, and the score of a call is not negated: nobody plays MIN",
            )
        word = "largest" if facts.fold == MAX else "smallest"
        return Suspicion(
            "sides-do-not-alternate",
            facts.row,
            f"this call takes the {word} score, and so do the calls below it: one side moves twice",
        )

    def _sides_of_negamax(self) -> Iterator[Suspicion]:
        for facts in self.nodes:
            side = facts.node.given("side")
            if (
                side is not None
                and facts.negated
                and all(asked.side == side for asked in facts.direct.asked)
                and self._side_is_constant
            ):
                yield Suspicion("sides-do-not-alternate", facts.row, f"the side {side!r} is handed on unchanged")
        if any(roles.side is None for roles in self.program.roles) or not all(
            facts.negated for facts in self.nodes if facts.known
        ):
            return  # a side may move twice
        for facts in self.roots:
            if facts.fold == MAX:
                yield Suspicion("sign-lost", facts.row, "the root takes the largest of scores that are the opponent's")

    def _meant(self, facts: Facts) -> str | None:
        """MAX or MIN, where a name says so."""
        plain = spelled(facts.node.name.rpartition(".")[2])
        is_max, is_min = (re.search(rf"(^|_){word}", plain) is not None for word in ("max", "min"))
        if is_max != is_min and not ("max" in plain and "min" in plain):
            return MAX if is_max else MIN
        side_role = self.program.roles[facts.node.kept.number].side
        side = facts.node.given("side")
        if side_role is not None and isinstance(side, bool):
            name = spelled(side_role)
            if "maxi" in name or "is_max" in name or "ist_max" in name:
                return MAX if side else MIN
            if "mini" in name or "is_min" in name:
                return MIN if side else MAX
        return None

    def _same_piece_twice(self) -> Iterator[Suspicion]:
        """Whether the same piece appears on the board whoever moves."""
        if self.known is None:
            return
        pieces: dict[int, set[Any]] = defaultdict(set)
        first: dict[int, int] = {}
        for row, board in enumerate(self.known.boards):
            parent = self.program.calls.parent[row]
            above = self.known.boards[parent] if parent >= 0 else None
            if board is None or above is None:
                continue
            new = {square: piece for square, piece in board.pieces.items() if square not in above.pieces}
            if len(new) == 1:
                level = self.program.calls.depth[row] % 2
                pieces[level] |= set(map(repr, new.values()))
                first.setdefault(level, row)
        if len(pieces) == 2 and pieces[0] == pieces[1] and len(pieces[0]) == 1:
            yield Suspicion(
                "sides-do-not-alternate",
                max(first.values()),
                f"the piece {next(iter(pieces[0]))} appears on the board whoever moves",
            )

    def _root_windows(self) -> Iterator[Suspicion]:
        """An outermost call whose score lies outside of its window: the true one is not known."""
        calls = self.program.calls
        outermost = [row for row in range(len(calls)) if calls.parent[row] < 0]
        if self.roots or len(outermost) != 1:
            return  # a loop over the root's moves narrows the window, and others try again
        window, value = self.program.window(outermost[0]), self.program.values[outermost[0]]
        if window is not None and value is not None and window[0] < window[1] and not window[0] <= value <= window[1]:
            yield Suspicion(
                "starts-at-zero",
                outermost[0],
                f"the search starts with the window {_said(window)}, but its score {number(value)} lies outside of it",
            )

    def _extra_turns(self) -> Iterator[Suspicion]:
        """States that say whose turn it is, and calls that do not heed it: the same turn, maximised here and minimised there."""
        folds = self._folds()
        told = len(self.program.calls.functions) > 1 or not (self._side_is_constant or self.program.roles[0].side is None)
        if self.negamax or not told or set(folds.values()) != {MAX, MIN}:
            return
        seen: dict[str, dict[Any, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
        for row in range(min(len(self.program.calls), 5000)):
            board, fold = self.program.board(row), folds.get(self._key(row))
            attributes = board[1] if isinstance(board, list) and len(board) == 2 and isinstance(board[1], dict) else {}
            for name, value in attributes.items():
                if fold is not None and re.search(TURN, spelled(str(name))) and isinstance(value, (str, int)):
                    seen[name][value].setdefault(fold, row)
        for name, turns in seen.items():
            if len(turns) == 2 and all(len(found) == 2 for found in turns.values()):
                row = max(next(iter(turns.values())).values())
                yield Suspicion(
                    "extra-turn-ignored",
                    row,
                    f"the state says {name} = {_turn(self.program.board(row), name)!r}, but this call plays for the other side",
                )

    def _plain_below(self) -> Iterator[Suspicion]:
        """A function with a window whose loop calls a search without one."""
        functions = self.program.functions
        for number_, watched in enumerate(self.program.calls.functions):
            function = functions.get(watched.name)
            if function is None or not _has_window(function):
                continue
            for name in function.calls - {watched.name}:
                other = functions[name]
                ours = {known.name for known in self.program.calls.functions}
                searches = name in other.calls and name not in ours and telling((name,), functions) >= A_SEARCH
                if searches and not _has_window(other) and clues.calls_in_loop(function, [other.plain_name]):
                    yield Suspicion(
                        "calls-plain-minimax",
                        next((row for row, which in enumerate(self.program.calls.function) if which == number_), 0),
                        f"{watched.name} has alpha and beta, but its loop calls {name}, which has none",
                    )

    def _boards_left(self) -> Iterator[Suspicion]:
        """Calls that leave the one board otherwise than they found it, and so do those that made them."""
        if not any(asked.same_object for facts in self.nodes for asked in facts.direct.asked):
            return
        calls = self.program.calls
        moved = set().union(
            *(parts_changed(changed(facts.direct.board, asked.board)) for facts in self.nodes for asked in facts.direct.asked)
        )
        for row in range(min(len(calls), MOST_COMPARED)):
            if calls.end[row] < 0 or calls.before[row] == calls.after[row]:
                continue
            parent = calls.parent[row]
            outer = row if parent < 0 else parent
            if all(
                parts_changed(left_on(self.program.board(which), self.program.board(which, at_end=True))) & moved
                for which in (row, outer)
            ):
                yield Suspicion("not-undone", row, "the board at the end of this call is not the one that it was given")

    # ---- leaves

    def _leaves_turned(self) -> Iterator[Suspicion]:
        """Leaves scored once more as if the other side were to move."""
        sides = defaultdict(set)
        for row in range(min(len(self.program.calls), 2000)):
            sides[self.program.calls.function[row]].add(self.program.argument(row, "side"))
        turned, same = [], []
        depths = [self.program.argument(row, "depth") for row in range(len(self.program.calls)) if self.program.is_leaf(row)]
        horizon = {min(depths), max(depths)} if depths and all(isinstance(depth, (int, float)) for depth in depths) else set()
        for kept in self.program.calls.kept.calls:
            if kept.is_root or not kept.is_leaf or self.program.argument(kept.row, "depth") not in horizon:
                continue
            if self.known is not None and (self.known.lines(kept.row) or self.known.is_full(kept.row)):
                continue
            value = self.program.values[kept.row]
            others = sides[kept.number] - {self.program.argument(kept.row, "side")}
            if not value or not math.isfinite(value) or len(others) != 1 or None in sides[kept.number]:
                continue
            outcome = BlackBox(self.program, kept).run(lambda child: math.nan, given={"side": others.pop()})
            if outcome.failed or outcome.asked or outcome.value is None:
                continue
            if outcome.value == -value:
                turned.append(kept.row)
            elif outcome.value == value:
                same.append(kept.row)
        if turned and not same and not self.negamax and any(facts.known for facts in self.nodes):
            row = turned[0]
            yield Suspicion(
                "leaf-viewpoint",
                row,
                f"this leaf is scored {number(self.program.values[row])}, and {number(-self.program.values[row])} "
                "if the other side is to move",
                certain=len(turned) > 1,
            )
        if same and not turned and self.negamax:
            row = same[0]
            yield Suspicion(
                "sign-lost",
                row,
                f"this leaf is scored {number(self.program.values[row])} whoever is to move: in negamax it must change its sign",
                certain=len(same) > 1,
            )

    # ---- variants

    def _variants(self) -> list[str]:
        program, known = self.program, [facts for facts in self.nodes if facts.known]
        found = ["alphabeta" if program.has_windows else "minimax"]
        if self.negamax:
            found.append("negamax")
        if len(program.calls.functions) == 2:
            found.append("pair")
        windowed = [facts for facts in known if facts.windows and facts.returned_below is not None]
        below = [(facts.returned_below or 0.0, facts.span) for facts in windowed]
        if any(_near(value, LOW * span) for value, span in below):
            found.append("fail-hard")
        elif any(_near(value, BELOW * span) for value, span in below):
            found.append("fail-soft")
        cutting = [facts for facts in windowed if facts.asked_above < facts.children]
        if cutting:
            found.append("equal-cut" if all(facts.asked_at < facts.children for facts in cutting) else "strict-cut")
        if self.roots:
            found.append("root-loop")
        steps = self._steps()
        if steps and all(step > 0 for step in steps):
            found.append("depth-up")
        if steps and all(step < 0 for step in steps):
            found.append("depth-down")
        if known and not isinstance(known[0].direct.board, (int, str)):
            found.append("undo" if any(facts.in_place for facts in known) else "copy")
        if not any(isinstance(result, (tuple, dict)) for result in program.calls.results[:100]):
            found.append("no-move")
        if any(len(set(map(repr, facts.ties))) > 1 for facts in self.facts):
            found.append("random-ties")
        if any(len({asked.depth for asked in facts.direct.asked}) > 1 for facts in self.roots):
            found.append("iterative")
        if self._uses_table():
            found.append("table")
        if any(clues.sorts(program.functions, watched.name) for watched in program.calls.functions):
            found.append("ordering")
        if self._ends_by_depth(known):
            found.append("own-evaluation")
        return found

    def _uses_table(self) -> bool:
        """Whether calls are answered without a search for boards that were searched before, with the same depth."""
        searched = set()
        for row, key in enumerate(self.keys):
            whole = (key, self.program.argument(row, "depth"))
            if self.program.children[row]:
                searched.add(whole)
            elif whole in searched:
                return True
        return False

    def _ends_by_depth(self, known: list[Facts]) -> bool:
        """Whether a node makes no calls once the depth is that of the deepest leaves."""
        depths = [self.program.argument(row, "depth") for row in range(len(self.program.calls)) if self.program.is_leaf(row)]
        numbers = [depth for depth in depths if is_number(depth)]
        steps = self._steps()
        if not numbers or not steps or not known:
            return False
        last = min(numbers) if max(steps) < 0 else max(numbers)
        outcome = known[0].node.run(always(0.0), given={"depth": last})
        return not outcome.failed and not outcome.asked

    def _say_what_was_looked_at(self) -> None:
        for facts in self.facts:
            self.looked_at.append(f"{facts.node.name} at call {facts.row}, run with chosen scores for its {facts.children} moves")
        self.looked_at.append(f"{len(self.keys):,} calls against those they made")
        if self.known is not None:
            self.looked_at.append(f"the rules of {self.known.name} on every board")
        if not any(facts.known for facts in self.facts):
            self.not_looked_at.append("how a call chooses among its moves: no call could be run alone")
        if self.known is None:
            self.not_looked_at.append("the rules of the game: the board is none that we know")
        if not self.program.calls.runs:
            self.not_looked_at.append("the loop over the root's moves: the search was called directly")


def _has_window(function: Function) -> bool:
    names = [spelled(name) for name in function.arguments]
    return all(any(re.search(NAMES[role], name) for name in names) for role in ("alpha", "beta"))


def _turn(board: Any, name: str) -> Any:
    return board[1].get(name) if isinstance(board, list) and len(board) == 2 and isinstance(board[1], dict) else None


def _narrows(facts: Facts) -> bool:
    """Whether a better move narrows the window of the next."""
    return bool(facts.windows) and len(facts.windows[0]) > 1 and facts.windows[0][1][0] >= INSIDE * facts.span - 1e-9 * facts.span


def _near(one: float, other: float) -> bool:
    return one == other or (math.isfinite(one) and math.isfinite(other) and abs(one - other) <= 1e-9 * max(abs(one), abs(other)))


def _shown(move: Any) -> str:
    """A move in a sentence; the photograph of a state has no short text."""
    return "the same state" if isinstance(move, bytes) else repr(move)


def _said(window: Window) -> str:
    return f"({number(window[0])}, {number(window[1])})"


def _together(seen: list[Suspicion]) -> list[Finding]:
    """One finding for each mistake; none for those that follow from another."""
    by_name: dict[str, list[Suspicion]] = defaultdict(list)
    for suspicion in seen:
        by_name[suspicion.name].append(suspicion)
    certain = {name for name, found in by_name.items() if any(suspicion.certain for suspicion in found)}
    explained = {other for name in certain for other in FOLLOWS.get(name, ())} | {
        other for name in by_name for other in FOLLOWS.get(name, ()) if other not in certain
    }
    findings = []
    for name, found in by_name.items():
        if name in explained and not (name in certain and all(name not in FOLLOWS.get(other, ()) for other in certain)):
            continue
        best = min(found, key=lambda suspicion: (not suspicion.certain, suspicion.row))
        times = len({suspicion.row for suspicion in found})
        findings.append(Finding(name, best.certain, best.row, times, best.sentence))
    return sorted(findings, key=lambda finding: (not finding.certain, finding.row))
