"""Connect boards as texts and in forms: any board, the usual one, and the presets."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from engine.core.errors import PlyscopeError
from engine.games.connect.evaluations import EVALUATIONS
from engine.games.connect.parsing import ORDERS, OWN_ORDER, order_text, read_order
from engine.games.connect.rules import RULE_LINES, Connect, connect
from engine.games.game_types import ChoiceField, Chosen, Field, Kind, NumberField, one_line
from engine.games.presets import PRESETS, PUBLISHED_SIZES, SCORINGS, preset

MOST_ASKED = 12  # rows and columns in a form; texts may have more
PLURAL = "Connect boards"
WHOLE_BOARD = ("rows", "cols")
PRESET_ROWS = {  # what a form asks for besides evaluation and child order: the others have one board only
    "full-depth": ("rows", "cols", "connect"),
    "connect-m": ("size", "connect"),
    "threats": ("rows", "cols", "connect"),
}


def board_of(chosen: Chosen) -> tuple[int, int]:
    """Rows and columns of what is being chosen; 6 x 7 where they are not asked for."""
    return (chosen["size"], chosen["size"]) if "size" in chosen else (chosen.get("rows", 6), chosen.get("cols", 7))


def _longest_line(chosen: Chosen) -> int:
    return max(2, *board_of(chosen))


def _defined(chosen: Chosen) -> list[str]:
    """The evaluations that are defined on the board."""
    rows, cols = board_of(chosen)
    return [name for name in EVALUATIONS if _works(connect, rows, cols, min(4, max(rows, cols)), evaluation=name)]


def _order_fits(order: str, chosen: Chosen) -> bool:
    return _works(read_order, order, board_of(chosen)[1])


def _works(make: Callable[..., Any], *arguments: Any, **options: Any) -> bool:
    try:
        make(*arguments, **options)
    except PlyscopeError:
        return False
    return True


ROWS = NumberField("rows", "Rows", 1, MOST_ASKED)
COLUMNS = NumberField("cols", "Columns", 1, MOST_ASKED)
SIZE = NumberField("size", "Size", 3, 10, value=lambda game: game.rows)
IN_A_LINE = NumberField("connect", "In a line", 2, _longest_line, lost="No more than {most} in a line fit on this board.")
RULE = ChoiceField("rule", "Rule", tuple(RULE_LINES), "first", lines=RULE_LINES, list_title="Rules of Connect boards (rule=)")
EVALUATION = ChoiceField(
    "evaluation",
    "Evaluation",
    _defined,
    connect().evaluation,
    help="What a position at depth K is worth, when the game is not over.",
    lost="{value} is made for 6 rows × 7 columns.",
    lines={name: one_line(make) for name, make in EVALUATIONS.items()},
    below=True,
    list_title="Evaluations of Connect boards (--evaluation), what a position at depth K is worth to MAX",
)
ORDER = ChoiceField(
    "order",
    "Child order",
    (OWN_ORDER, *ORDERS),
    OWN_ORDER,
    help="The order in which the search tries the columns. left: from left to right. centre: from the centre outwards; "
    "good moves first make more cutoffs. Or all columns, as 3-2-4-1-5-0-6.",
    own=OWN_ORDER,
    fits=_order_fits,
    lost="The child order {value} is for another number of columns.",
    value=lambda game: game.given_order,
)
SCORING = ChoiceField("scoring", "Scoring", SCORINGS, SCORINGS[0])


def _with_scoring(parts: dict[str, str]) -> dict[str, str]:
    """The evaluation of connect-m as its text has it."""
    others = {name: value for name, value in parts.items() if name != "evaluation"}
    return {**others, "scoring": "power"} if parts.get("evaluation") == "segments:power" else parts


def _any_board(before: Any) -> str | None:
    """The same board and rules without a preset."""
    if not isinstance(before, Connect):
        return None
    return connect(
        before.rows, before.cols, before.connect, before.rule, before.evaluation, order_text(before.max_order, before.min_order)
    ).name


def _usual_board(before: Any) -> str | None:
    """The same evaluation and child order on the usual board."""
    if not isinstance(before, Connect) or before.preset:
        return None
    return connect(
        evaluation=before.evaluation, order=order_text(before.max_order, before.min_order) if before.cols == 7 else "left"
    ).name


def _preset_kind(name: str) -> Kind:
    line = one_line(PRESETS[name])
    sizes: tuple[Field, ...] = (ROWS, COLUMNS, IN_A_LINE)
    if name == "connect-m":
        sizes = (SIZE, replace(IN_A_LINE, follows="size"), SCORING)
    asked = PRESET_ROWS.get(name)
    return Kind(
        name,
        f"{name} ({line[:1].lower()}{line[1:].partition(';')[0]})",
        line,
        partial(preset, name),
        fields=(*sizes, EVALUATION, ORDER),
        form=(*([asked] if asked else []), ("evaluation", "order")),
        plural=PLURAL,
        noun=f"the preset {name}",
        published=True,
        square=("size",) if name == "connect-m" else WHOLE_BOARD,
        sizes=None if asked is None else PUBLISHED_SIZES if name == "connect-m" else "",
        rewrite=_with_scoring if name == "connect-m" else dict,
    )


FIELDS: tuple[Field, ...] = (ROWS, COLUMNS, IN_A_LINE, RULE, EVALUATION, ORDER)
KINDS = (
    Kind(
        "connect4",
        "Connect 4",
        "6 rows x 7 columns, the first four in a line win",
        connect,
        fields=FIELDS,
        form=(("evaluation", "order"),),
        plural=PLURAL,
        noun="connect",
        square=WHOLE_BOARD,
        sizes="",
        like=_usual_board,
    ),
    *map(_preset_kind, PRESETS),
    Kind(
        "connect",
        "Connect, any board",
        "any board and rule; also evaluation=, order= (left, centre, or 3-2-4-1-0)",
        connect,
        example="connect:rows=4,cols=5,connect=4,rule=first",
        fields=FIELDS,
        form=(("rows", "cols", "connect"), ("rule",), ("evaluation", "order")),
        plural=PLURAL,
        hint="",
        square=WHOLE_BOARD,
        sizes="",
        like=_any_board,
    ),
)
