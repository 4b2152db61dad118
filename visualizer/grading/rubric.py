"""Rubrics: the points of a checked program, in a TOML file."""

from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from engine.checker.diagnosis.mistakes import MISTAKES
from engine.checker.verdict import WASTEFUL_MISTAKES
from engine.core.errors import PlyscopeError, UnknownName

DEFAULT_RUBRIC_FILE = files(__package__) / "default_rubric.toml"
MAX_RUBRIC_BYTES = 200_000
MAX_POSITIONS = 20
DEFAULT_DEDUCTIONS = {"wrong": 4.0, "wasteful": 1.0}

Points = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=10**9)]


class BadRubric(PlyscopeError):
    """A rubric that cannot be used."""


class RubricPosition(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One run of the program, with the conditions that it has to meet."""

    name: str
    call: str | None = None
    function: str | None = None
    points: Points = 0.0  # of each condition
    max_calls: Count | None = None
    min_calls: Count | None = None
    game: str | None = None
    moves: str | None = None
    first: Literal["max", "min"] | None = None
    same_value: bool = False
    same_move: bool = False

    @property
    def conditions(self) -> list[str]:
        """Return the names of the conditions."""
        counts = [name for name in ("max_calls", "min_calls") if getattr(self, name) is not None]
        return counts + [name for name in ("same_value", "same_move") if getattr(self, name)]


START = RubricPosition("as the program starts itself")


class Rubric(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The points of a checked program."""

    points: Points = 10.0
    not_run: Literal["full", "none"] = "full"
    visibility: Literal["visible", "hidden", "after_due_date", "after_published"] = "visible"
    seconds: Annotated[float, msgspec.Meta(ge=1, le=3600)] = 60.0
    deductions: dict[str, Points] = {}  # by finding or severity, where it differs from the default
    positions: tuple[RubricPosition, ...] = ()

    @property
    def runs(self) -> tuple[RubricPosition, ...]:
        """Return the positions, or the start of the program itself if there are none."""
        return self.positions or (START,)

    @property
    def total(self) -> float:
        """Return the most points that a program can get."""
        return self.points + sum(position.points * len(position.conditions) for position in self.positions)

    def find_deduction(self, name: str) -> float:
        """Return the points that a certain finding costs.

        >>> Rubric().find_deduction("sides-swapped"), Rubric(deductions={"slow-win": 0}).find_deduction("slow-win")
        (4.0, 0)
        """
        severity = "wasteful" if name in WASTEFUL_MISTAKES else "wrong"
        return self.deductions.get(name, self.deductions.get(severity, DEFAULT_DEDUCTIONS[severity]))


def read_rubric(path: str | Path | None) -> Rubric:
    """Read a rubric file. Without a file return the default."""
    if path is None:
        return Rubric()
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_RUBRIC_BYTES + 1)
    except OSError as error:
        raise BadRubric(f"the rubric {str(path)!r} cannot be read: {error.strerror or error}") from None
    return parse_rubric(data, Path(path).name)


def parse_rubric(data: bytes, name: str) -> Rubric:
    """Parse the text of a rubric file. Raise BadRubric if something in it is unknown or impossible."""
    if len(data) > MAX_RUBRIC_BYTES:
        raise BadRubric(f"the rubric {name!r} has more than {MAX_RUBRIC_BYTES:,} bytes")
    try:
        rubric = msgspec.toml.decode(data, type=Rubric)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadRubric(f"the rubric {name!r} cannot be used: {error}") from None
    for finding in rubric.deductions:
        if finding not in MISTAKES and finding not in DEFAULT_DEDUCTIONS:
            raise UnknownName(f"finding in the deductions of {name!r}", finding, (*DEFAULT_DEDUCTIONS, *MISTAKES))
    if len(rubric.positions) > MAX_POSITIONS:
        raise BadRubric(f"the rubric {name!r} has {len(rubric.positions)} positions: use at most {MAX_POSITIONS}")
    for position in rubric.positions:
        if (position.same_value or position.same_move) and position.game is None:
            raise BadRubric(f"the position {position.name!r} of {name!r} has same_value or same_move, so it needs a game")
    return rubric


def read_rubric_template() -> str:
    """Return the default rubric as a file with comments."""
    return DEFAULT_RUBRIC_FILE.read_text(encoding="utf-8")
