"""Run the search again with and without a change, and compare scores and calls.

The search runs twice without a change first. If these two runs differ, chance decides, and nothing can be proved.
"""

from collections.abc import Callable
from functools import cached_property
from time import process_time
from typing import Any, NamedTuple

from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import format_number
from engine.checker.diagnosis.leaves import RANDOM_NAMES
from engine.checker.diagnosis.node_facts import MAX, MIN
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.discovery import source_analysis
from engine.checker.experiments.interventions import (
    Intervention,
    OtherFunction,
)
from engine.checker.experiments.replay import (
    ROOT_NUMBER,
    SEEDS,
    Change,
    ReplayedCall,
    SearchRun,
    find_start,
    run_search_again,
)
from engine.checker.recording.observations import is_late

MAX_PROOF_SECONDS = 10.0  # for all proofs of a search
MAX_LATER_PROOF_SECONDS = 4.0
MIN_COUNTED_CALLS = 5  # by which a count differs; a smaller difference may be that of two moves


class Experiment(NamedTuple):
    """The result of an experiment: what it proves, or if it shows that nothing is wrong."""

    proof: str = ""
    harmless: bool = False  # without the suspected mistake everything stays the same


NOT_POSSIBLE = Experiment()


class ProofRunner:
    """Runs the experiments of one search. Each is made once."""

    def __init__(self, search: SearchContext):
        self.search = search
        self.program = search.program
        self.until = process_time() + (MAX_LATER_PROOF_SECONDS if search.later else MAX_PROOF_SECONDS)

    @cached_property
    def plain(self) -> SearchRun | None:
        """Return the search without a change. It is None if it cannot be run, or if chance decides."""
        one, other = self._plain_runs
        return one if one is not None and other is not None and one.outermost == other.outermost else None

    @cached_property
    def _plain_runs(self) -> tuple[SearchRun | None, SearchRun | None]:
        one = self.run(None, SEEDS[0])
        return one, None if one is None else self.run(None, SEEDS[1])

    @cached_property
    def counted(self) -> SearchRun | None:
        """Return the search without a change if the number of its calls does not depend on chance.

        A search that is too large to be run again is the recorded one.
        """
        one, other = self._plain_runs
        if one is not None and other is not None:
            return one if (one.outermost, one.calls) == (other.outermost, other.calls) else None
        if source_analysis.has_any_name(self.program.tree, RANDOM_NAMES) or not self.program.complete:
            return None
        return read_recorded_run(self.program)

    def run(self, change: Change | None, seed: int = SEEDS[0]) -> SearchRun | None:
        return None if is_late(self.until) else run_search_again(self.program, change, seed)

    # ---- the two kinds of proof

    def compare_scores(self, intervention: Intervention) -> Experiment:
        """Run the search with a change. It proves something if a score changes."""
        plain = self.plain
        changed = None if plain is None else self.run(intervention.apply)
        if plain is None or changed is None:
            return NOT_POSSIBLE
        if changed.outermost != plain.outermost:
            return Experiment(f"{intervention.words} the same search {_describe_other_scores(plain, changed)}")
        if not intervention.exact or changed.scores == plain.scores:
            return Experiment(harmless=True)
        if changed.calls != plain.calls:
            return Experiment(f"{intervention.words} the same search makes {changed.calls:,} calls instead of {plain.calls:,}")
        return Experiment(f"{intervention.words} calls of the same search return other scores")

    def compare_calls(self, words: str, change: Change) -> Experiment:
        """Run the search with a change. It proves something if the answer is the same after fewer calls."""
        plain = self.counted
        changed = None if plain is None else self.run(change)
        if plain is None or changed is None or not self._is_same_answer(plain, changed) or changed.calls >= plain.calls:
            return NOT_POSSIBLE
        return Experiment(
            f"{words} the same search gives the same answer with {changed.calls:,} calls instead of {plain.calls:,}"
        )

    def _is_same_answer(self, plain: SearchRun, changed: SearchRun) -> bool:
        if not is_same_result(plain.result, changed.result, plain.calls - changed.calls):
            return False
        fold = self.fold_of_root
        if fold == 0 or not self.has_root_loop:
            return self.has_root_loop or plain.outermost == changed.outermost
        choose = min if self.search.negamax or fold == -1 else max
        return _choose_known(choose, plain.outermost) == _choose_known(choose, changed.outermost)

    # ---- the sides of calls

    @cached_property
    def has_root_loop(self) -> bool:
        start = find_start(self.program)
        return start is not None and start.is_root

    @cached_property
    def fold_of_root(self) -> int:
        """Return 1 if the loop over the first moves takes the best score for MAX, -1 for MIN, 0 if it is not known."""
        folds = {facts.fold for facts in self.search.roots}
        if self.search.negamax:
            return 1 if folds == {MIN} else 0
        return 1 if folds == {MAX} else -1 if folds == {MIN} else 0

    @cached_property
    def _folds(self) -> dict[Any, str]:
        return self.search.known_folds()

    def find_fold(self, call: ReplayedCall) -> int:
        """Return 1 for a call of MAX, -1 for one of MIN, 0 if it is not known."""
        if call.number == ROOT_NUMBER:
            return self.fold_of_root
        if self.search.negamax:
            return 1
        fold = self._folds.get(self.search.key_of_call(call.number, call.argument("side"), call.level))
        return {MAX: 1, MIN: -1}.get(fold or "", 0)

    def find_other_side(self, call: ReplayedCall) -> Any:
        """Return the other side for a call that has the side of its caller, else None."""
        above = call.above
        if above is None or self.find_fold(above) == 0 or self.find_fold(above) != self.find_fold(call):
            return None
        if len(self.program.calls.functions) == 2:
            names = [len(function.arguments) for function in self.program.calls.functions]
            return OtherFunction(1 - call.number) if names[0] == names[1] else None
        side = call.argument("side")
        if isinstance(side, bool):
            return not side
        known = {
            value
            for row in range(min(len(self.program.calls), 2000))
            if (value := self.program.argument(row, "side")) is not None
        }
        others = known - {side}
        return next(iter(others)) if len(others) == 1 and side is not None else None


def is_same_result(one: Any, other: Any, fewer: int) -> bool:
    """Return True if two results are equal, except for a count of the calls: one search has made `fewer` calls.

    >>> is_same_result((3, 120), (3, 80), 40), is_same_result((3, 120), (2, 80), 40)
    (True, False)
    """
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(is_same_result(*pair, fewer) for pair in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return all(is_same_result(part, other[name], fewer) for name, part in one.items())
    is_count = type(one) is int and type(other) is int and fewer >= MIN_COUNTED_CALLS and one - other == fewer
    return bool(one == other) or is_count


def read_recorded_run(program: WatchedProgram) -> SearchRun | None:
    """Return the recorded search from the start that is used for running it again."""
    start, calls = find_start(program), program.calls
    if start is None:
        return None
    first, end, result = (
        (calls.runs[start.number].first, calls.runs[start.number].end, calls.runs[start.number].result)
        if start.is_root
        else (start.row, calls.end[start.row], calls.results[start.row])
    )
    outermost = [program.values[row] for row in range(first, end) if calls.parent[row] < 0]
    return SearchRun([], outermost, end - first, result) if end > first else None


def _choose_known(choose: Callable[[list[Any]], Any], scores: list[Any]) -> Any:
    known = [score for score in scores if score is not None]
    return choose(known) if known else None


def _describe_other_scores(plain: SearchRun, changed: SearchRun) -> str:
    old, new = next((pair for pair in zip(plain.outermost, changed.outermost, strict=False) if pair[0] != pair[1]), (None, None))
    if old is None or new is None:
        return "takes another course"
    return f"finds the score {format_number(new)} instead of {format_number(old)}"
