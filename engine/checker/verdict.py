"""The verdict on a recorded search. Its JSON is that of `plyscope check --json`."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.checker.recording.argument_roles import ArgumentRoles

RIGHT, WRONG, UNSURE, NOT_RUN = "right", "wrong", "unsure", "not run"
CHOICE_NOT_CHECKED = "how a call chooses among its moves"


class Finding(NamedTuple):
    """A mistake, named as in diagnosis/mistakes.py, with its evidence."""

    name: str
    certain: bool  # a contradiction on record; otherwise a pattern that a right program could show by chance
    row: int  # the call where it shows first; -1 where no single call does
    times: int  # how often it shows
    sentence: str  # what is wrong there, with the numbers
    cost: str = ""  # what it cost (calls) or changed (value, move)


class DifferenceSide(NamedTuple):
    """A position as one of the two searches has it."""

    board: str
    words: str  # what happens to it there


class Difference(NamedTuple):
    """The first difference of two searches. Everything before it, in the order of the student's calls, is the same."""

    row: int  # the call of the student's search; -1: the loop over the first moves
    our_row: int  # of ours
    what: str
    theirs: DifferenceSide
    ours: DifferenceSide


class ReferenceComparison(NamedTuple):
    """A student's search compared with ours of the same position."""

    value_equal: bool
    move_equal: bool | None  # None: the program returns no move
    nodes: int
    reference_nodes: int
    convention: str  # how the program counts plies and nodes, sorted out first
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
    complete: bool = False
    verdict: str = NOT_RUN
    reason: str = ""  # why it could not be run, or why nothing certain can be said
    variants: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)  # what was checked
    not_looked_at: list[str] = field(default_factory=list)  # and what could not be, each with its reason
    reference: ReferenceComparison | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as dicts and lists: the contract of `--json`."""
        return {
            "file": self.file,
            "functions": self.functions,
            "roles": {name: roles._asdict() for name, roles in self.roles.items()},
            "score": self.score,
            "negamax": self.negamax,
            "rows": self.rows,
            "complete": self.complete,
            "verdict": self.verdict,
            "reason": self.reason,
            "variants": self.variants,
            "findings": [finding._asdict() for finding in self.findings],
            "looked_at": self.looked_at,
            "not_looked_at": self.not_looked_at,
            "reference": None if self.reference is None else self.reference.as_json(),
        }
