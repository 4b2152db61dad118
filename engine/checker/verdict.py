"""The verdict on a recorded search. Its JSON is that of `plyscope check --json`."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from engine.checker.recording.argument_roles import ArgumentRoles

NOTHING_FOUND, WRONG, SUSPICIOUS, WASTEFUL, NOT_RUN = "nothing wrong found", "wrong", "suspicious", "wasteful", "not run"
VERDICTS = (WRONG, SUSPICIOUS, WASTEFUL, NOTHING_FOUND, NOT_RUN)
WASTEFUL_MISTAKES = {  # the answer stays right, but the search makes too many calls
    "root-fresh-window",
    "window-not-passed",
    "window-not-updated",
    "bound-loosened",
    "no-cutoff",
    "inner-break",
    "calls-plain-minimax",
    "searched-twice",
}


class Unchecked(StrEnum):
    """A check that was not possible. The values are stored in run files: a changed one is not recognized in older files."""

    MOVE_CHOICE = "how a call chooses among its moves: no call could be run alone"
    GAME_RULES = "the rules of the game: this game is not known"
    ROOT_LOOP = "the loop over the root's moves: the search was called directly"
    CHILD_CALLS = "the calls below the first: the search made none"
    SCORES = "everything: the calls return no number"
    CALLS_AGAIN = "the calls one by one: the program could not be stopped"
    LATER_POSITIONS = "positions later in the game: no time was left"
    PROOFS = "proofs by experiment: no time was left"
    CHANCE = "the choice of moves: the search averages the scores of chance moves, and only its averages are judged"
    TREE_OF_SAMPLES = "the choice of moves: this is a Monte Carlo tree search, and such searches are not judged"


CHOICE_UNCHECKED = {Unchecked.MOVE_CHOICE, Unchecked.SCORES, Unchecked.CALLS_AGAIN, Unchecked.TREE_OF_SAMPLES}


class Finding(NamedTuple):
    """A mistake, named as in diagnosis/mistakes.py, with its evidence."""

    name: str
    certain: bool  # proved by an experiment; otherwise a pattern that a right program could show by chance
    row: int  # the first call with the mistake; -1 if there is no such call
    times: int  # the number of calls with the mistake
    sentence: str  # the function, and the evidence with numbers
    cost: str = ""  # the wasted calls, or the changed score
    file: str = ""  # the file to look at, relative to the checked folder; "" if it is not known
    line: int = 0  # the line to look at, counted from 1; 0 if it is not known
    proof: str = ""  # the intervention that proved it, and what changed
    board: str = ""  # the board of a call that is not in the record: from a position later in the game


class DifferenceSide(NamedTuple):
    """A position as one of the two searches has it."""

    board: str
    words: str  # what the search does there


class Difference(NamedTuple):
    """The first difference of two searches. Everything before it, in the order of the student's calls, is the same."""

    row: int  # the call of the student's search; -1: the loop over the first moves
    our_row: int  # the row of our search
    what: str
    theirs: DifferenceSide
    ours: DifferenceSide


class ReferenceComparison(NamedTuple):
    """A student's search compared with ours of the same position."""

    value_equal: bool
    move_equal: bool | None  # None: the program returns no move
    nodes: int
    reference_nodes: int
    convention: str  # how the two searches were compared
    difference: Difference | None = None  # the first one; None: there is none, or the boards could not be compared

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as dicts and lists for JSON."""
        found = self.difference
        sides = {} if found is None else {"theirs": found.theirs._asdict(), "ours": found.ours._asdict()}
        return {**self._asdict(), "difference": None if found is None else {**found._asdict(), **sides}}


@dataclass
class Verdict:
    """The results of `plyscope check` for one file."""

    file: str
    functions: list[str] = field(default_factory=list)
    roles: dict[str, ArgumentRoles] = field(default_factory=dict)
    score: str = ""
    negamax: bool = False
    rows: int = 0
    calls: int = 0  # all judged calls, those from later positions too
    positions: int = 0  # that were searched
    complete: bool = False
    verdict: str = NOT_RUN
    reason: str = ""  # why it could not be run, or why little could be checked
    variants: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)  # what was checked
    not_looked_at: list[str] = field(default_factory=list)  # what could not be checked, each with its reason
    reference: ReferenceComparison | None = None
    hint: str = ""  # a command to type, if the program could not be run
    stand_ins: list[str] = field(default_factory=list)  # packages that were replaced
    doubts: list[str] = field(default_factory=list)  # lines that may reach into the checker, each with its reason

    @property
    def is_only_recorded(self) -> bool:
        """Return True for a Monte Carlo tree search in which nothing was found: its choice of moves is not judged."""
        return self.verdict == NOTHING_FOUND and Unchecked.TREE_OF_SAMPLES in self.not_looked_at

    @property
    def is_judged(self) -> bool:
        """Return False if nothing was found because nothing could be judged, or not the choice of moves."""
        if self.verdict != NOTHING_FOUND:
            return self.verdict != NOT_RUN
        return bool(self.looked_at) and CHOICE_UNCHECKED.isdisjoint(self.not_looked_at)

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as dicts and lists: the contract of `--json`."""
        return {
            "file": self.file,
            "functions": self.functions,
            "roles": {name: roles._asdict() for name, roles in self.roles.items()},
            "score": self.score,
            "negamax": self.negamax,
            "rows": self.rows,
            "calls": self.calls,
            "positions": self.positions,
            "complete": self.complete,
            "verdict": self.verdict,
            "reason": self.reason,
            "variants": self.variants,
            "findings": [finding._asdict() for finding in self.findings],
            "looked_at": self.looked_at,
            "not_looked_at": self.not_looked_at,
            "reference": None if self.reference is None else self.reference.as_json(),
            "stand_ins": self.stand_ins,
            "doubts": self.doubts,
            "try": self.hint,
        }
