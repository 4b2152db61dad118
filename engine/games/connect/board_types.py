"""The game types of Connect boards and their form fields: any board, the standard one, and the presets."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from engine.core.errors import PlyscopeError
from engine.games.connect.board_options import NAMED_ORDERS, OWN_ORDER, format_child_orders, read_child_orders
from engine.games.connect.evaluations import EVALUATIONS
from engine.games.connect.rules import RULE_DESCRIPTIONS, Connect, connect
from engine.games.game_types import ChoiceField, ChosenOptions, Field, GameType, NumberField, docstring_summary
from engine.games.presets import PRESETS, PUBLISHED_SIZES, SCORINGS, preset

MAX_FORM_SIDE = 12  # rows and columns in a form; texts may have more
PLURAL = "Connect boards"
SIZE_OPTIONS = ("rows", "cols")
PRESET_LABELS = {  # the topic of each published student program
    "full-depth": "Full depth on a small board",
    "connect-m": "M in a row on N × N",
    "long-state": "The board as one number",
    "threats": "Evaluation by threats",
    "k-tables": "Node counts for each K",
}
PRESET_FORM_FIELDS = {  # fields besides evaluation and child order; the other presets have a single board
    "full-depth": ("rows", "cols", "connect"),
    "connect-m": ("size", "connect"),
    "threats": ("rows", "cols", "connect"),
}


def chosen_board_size(chosen: ChosenOptions) -> tuple[int, int]:
    """Return rows and columns of the chosen board; 6 x 7 if there is no choice."""
    return (chosen["size"], chosen["size"]) if "size" in chosen else (chosen.get("rows", 6), chosen.get("cols", 7))


def _max_line_length(chosen: ChosenOptions) -> int:
    return max(2, *chosen_board_size(chosen))


def _list_defined_evaluations(chosen: ChosenOptions) -> list[str]:
    """Return the evaluations that are defined on the chosen board."""
    rows, cols = chosen_board_size(chosen)
    return [name for name in EVALUATIONS if _can_make(connect, rows, cols, min(4, max(rows, cols)), evaluation=name)]


def _is_order_possible(order: str, chosen: ChosenOptions) -> bool:
    return _can_make(read_child_orders, order, chosen_board_size(chosen)[1])


def _can_make(make: Callable[..., Any], *arguments: Any, **options: Any) -> bool:
    try:
        make(*arguments, **options)
    except PlyscopeError:
        return False
    return True


ROWS = NumberField("rows", "Rows", 1, MAX_FORM_SIDE)
COLUMNS = NumberField("cols", "Columns", 1, MAX_FORM_SIDE)
SIZE = NumberField("size", "Size", 3, 10, value=lambda game: game.rows)
IN_A_ROW = NumberField("connect", "In a row", 2, _max_line_length, lost="At most {maximum} in a row fit on this board.")
RULE = ChoiceField(
    "rule", "Rule", tuple(RULE_DESCRIPTIONS), "first", lines=RULE_DESCRIPTIONS, list_title="Rules of Connect boards (rule=)"
)
EVALUATION = ChoiceField(
    "evaluation",
    "Evaluation",
    _list_defined_evaluations,
    connect().evaluation,
    help="The value of a position at the depth limit K, unless the game is over.",
    lost="{value} is only defined on 6 rows × 7 columns.",
    lines={name: docstring_summary(make) for name, make in EVALUATIONS.items()},
    titles={"segments:power": "segment powers", "segments:linear": "segment sums"},
    below=True,
    list_title="Evaluation functions of Connect boards (--evaluation): the value for MAX of a position at the depth limit",
)
ORDER = ChoiceField(
    "order",
    "Order of columns",
    (OWN_ORDER, *NAMED_ORDERS),
    OWN_ORDER,
    help="The order in which the game lists its columns. Every algorithm tries them in this order, unless its option says which "
    "moves come first. left: left to right. centre: from the centre outwards, which often makes more cutoffs. Or list all "
    "columns: 3-2-4-1-5-0-6.",
    own=OWN_ORDER,
    fits=_is_order_possible,
    lost="The order of columns {value} is for another number of columns.",
    value=lambda game: game.order_option,
    orders_moves=True,
)
SCORING = ChoiceField("scoring", "Scoring", SCORINGS, SCORINGS[0])


def _write_scoring_option(parts: dict[str, str]) -> dict[str, str]:
    """Write the evaluation segments:power of connect-m as scoring=power."""
    others = {name: value for name, value in parts.items() if name != "evaluation"}
    return {**others, "scoring": "power"} if parts.get("evaluation") == "segments:power" else parts


def _text_without_preset(before: Any) -> str | None:
    """Return the text of the same board and rules without a preset."""
    if not isinstance(before, Connect):
        return None
    return connect(
        before.rows,
        before.cols,
        before.connect,
        before.rule,
        before.evaluation,
        format_child_orders(before.max_order, before.min_order),
    ).name


def _text_on_standard_board(before: Any) -> str | None:
    """Return the text of the same evaluation and child order on the standard board."""
    if not isinstance(before, Connect) or before.preset:
        return None
    return connect(
        evaluation=before.evaluation,
        order=format_child_orders(before.max_order, before.min_order) if before.cols == 7 else "left",
    ).name


def _make_preset_type(name: str) -> GameType:
    line = docstring_summary(PRESETS[name])
    sizes: tuple[Field, ...] = (ROWS, COLUMNS, IN_A_ROW)
    if name == "connect-m":
        sizes = (SIZE, replace(IN_A_ROW, follows="size"), SCORING)
    form_fields = PRESET_FORM_FIELDS.get(name)
    return GameType(
        name,
        PRESET_LABELS[name],
        line,
        partial(preset, name),
        fields=(*sizes, EVALUATION, ORDER),
        form=(*([form_fields] if form_fields else []), ("evaluation", "order")),
        plural=PLURAL,
        noun=f"the preset {name}",
        published=True,
        square=("size",) if name == "connect-m" else SIZE_OPTIONS,
        sizes=None if form_fields is None else PUBLISHED_SIZES if name == "connect-m" else "",
        rewrite=_write_scoring_option if name == "connect-m" else dict,
    )


FIELDS: tuple[Field, ...] = (ROWS, COLUMNS, IN_A_ROW, RULE, EVALUATION, ORDER)
GAME_TYPES = (
    GameType(
        "connect4",
        "Connect 4",
        "6 rows x 7 columns; first to get four in a row wins",
        connect,
        fields=FIELDS,
        form=(("evaluation", "order"),),
        plural=PLURAL,
        noun="connect",
        square=SIZE_OPTIONS,
        sizes="",
        like=_text_on_standard_board,
    ),
    *map(_make_preset_type, PRESETS),
    GameType(
        "connect",
        "Connect, any board",
        "any board and rule; also evaluation=, order= (left, centre, or 3-2-4-1-0)",
        connect,
        example="connect:rows=4,cols=5,connect=4,rule=first",
        fields=FIELDS,
        form=(("rows", "cols", "connect"), ("rule",), ("evaluation", "order")),
        plural=PLURAL,
        hint="",
        square=SIZE_OPTIONS,
        sizes="",
        like=_text_without_preset,
    ),
)
