"""A comparison as JSON and CSV, for other programs."""

import json
from typing import Any

from engine.analysis.alignment import PRUNED_ALGORITHM
from engine.analysis.comparison_result import Comparison, Level, Row, Seconds
from engine.analysis.rung_savings import RUNG_MEASURES, RungStep, rung_steps_by_depth
from engine.games.registry import game_text
from engine.tree.counting import EXTRA_COUNTS
from visualizer.narration.captions import EXPANDED_NOTE, describe_game
from visualizer.narration.escapes import format_csv_table, sanitize_line
from visualizer.narration.numbers import json_number
from visualizer.narration.sentences import sentence
from visualizer.report.content import describe_timing, format_command

COUNT_FIELDS = ("expanded", "leaves", "terminals", "cutoffs", "skipped")
TIME_FIELDS = {"seconds": "alone", "seconds_recorded": "recorded", "seconds_written": "written"}
CSV_ONLY_FIELDS = ("published", "best_first", "knuth_moore", "saved", "minimal")


def to_dict(comparison: Comparison) -> dict[str, Any]:
    """Return everything, as the JSON of `plyscope compare`."""
    return {
        "game": game_text(comparison.game) or describe_game(comparison.game),
        "position": comparison.position,
        "agree": not comparison.disagreements,
        "complete": comparison.complete,
        "stopped": comparison.stopped or None,
        "rows": [
            {**_row_record(row), "options": comparison.questions[row.depth, row.algorithm].options} for row in comparison.rows
        ],
        "levels": [_level_record(level) for level in comparison.levels],
        "ladder": [_climb_record(depth, step) for depth, steps in rung_steps_by_depth(comparison).items() for step in steps],
        "repeat": comparison.repeat,
        **comparison.options,
        "compiled": comparison.compiled,
        "held_back": list(comparison.held_back),
        "counting": EXPANDED_NOTE,
        "protocol": describe_timing(comparison),
        "command": format_command(comparison),
    }


def to_json(comparison: Comparison) -> str:
    return json.dumps(to_dict(comparison), indent=1, allow_nan=False) + "\n"


def _row_record(row: Row) -> dict[str, Any]:
    times = {name: getattr(row, figure) for name, figure in TIME_FIELDS.items()}
    return {
        "depth": row.depth,
        "algorithm": row.algorithm,
        **{name: getattr(row, name) for name in COUNT_FIELDS},
        "value": json_number(row.value),
        "best_move": row.best_move,
        **{name: figure.median if figure else None for name, figure in times.items()},
        **{f"{name}_range": _seconds_range(figure) for name, figure in times.items()},
        "best_move_name": sanitize_line(row.best_move_name),
        "effective_branching": row.effective_branching,
        "cutoffs_by_rank": list(row.cutoffs_by_rank),
        "node_types": row.node_types._asdict() if row.node_types else None,
        "published": row.published._asdict() if row.published else None,
        **dict(row.extra),
        "note": row.note,
        "about": row.about,
    }


def _seconds_range(figure: Seconds | None) -> list[float] | None:
    return [figure.minimum, figure.maximum] if figure else None


def _level_record(level: Level) -> dict[str, Any]:

    return {
        "depth": level.depth,
        "agree": level.agree,
        "saved": level.saved,
        "best_first": level.best_first._asdict() if level.best_first else None,
        "knuth_moore": level.knuth_moore._asdict() if level.knuth_moore else None,
        "minimal": level.minimal._asdict() if level.minimal else None,
        "cutoffs": [
            {
                "node": int(saving.node),
                "step": saving.step,
                "saved": saving.saved,
                "moves": saving.node.moves,
                "sentence": sanitize_line(sentence(saving.node.tree.timeline[saving.step])),
            }
            for saving in level.savings
        ],
        "note": sanitize_line(level.note),
    }


def _climb_record(depth: int | None, step: RungStep) -> dict[str, Any]:
    """Return the shares of a rung: its measures divided by those of the rung before."""
    names = {"depth": depth, "algorithm": step.row.algorithm, "before": step.before.algorithm}
    return {**names, **{measure: step.share(measure) for measure in RUNG_MEASURES}}


def to_csv(comparison: Comparison) -> str:
    """Return a row per depth and algorithm. A time is three columns: median, least, most. A cell without a measurement is
    empty.
    """
    spread = [f"{name}_{end}" for name in TIME_FIELDS for end in ("least", "most")]
    extra = EXTRA_COUNTS if any(row.extra for row in comparison.rows) else ()
    names = [
        "depth",
        "algorithm",
        *COUNT_FIELDS,
        "value",
        "best_move",
        *TIME_FIELDS,
        *spread,
        *CSV_ONLY_FIELDS,
        *extra,
        "best_move_name",
        "note",
    ]
    table: list[list[Any]] = [names]
    for row in comparison.rows:
        level = comparison.level(row.depth)
        cells = {**{name: getattr(row, name) for name in extra}, **_row_record(row)}
        for name in TIME_FIELDS:
            cells[f"{name}_least"], cells[f"{name}_most"] = cells[f"{name}_range"] or (None, None)
        cells["published"] = row.published.expanded if row.published else None
        cells["best_first"] = level.best_first.nodes if level and level.best_first else None
        cells["knuth_moore"] = level.knuth_moore.nodes if level and level.knuth_moore else None
        cells["minimal"] = level.minimal.nodes if level and level.minimal else None
        cells["saved"] = level.saved if level and row.algorithm == PRUNED_ALGORITHM else None
        table.append([cells[name] for name in names])
    return format_csv_table(table)
