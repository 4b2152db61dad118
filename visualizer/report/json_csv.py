"""A comparison for machines: JSON and CSV."""

import json
from typing import Any

from engine.analysis.alignment import PRUNED
from engine.analysis.comparison_result import Comparison, Level, Row, Seconds
from engine.analysis.rung_savings import MEASURES, Climb, ladder
from engine.games.registry import game_text
from engine.tree.counting import EXTRA
from visualizer.narration.captions import COUNTING, where
from visualizer.narration.escapes import csv_table, plain
from visualizer.narration.numbers import json_number
from visualizer.narration.sentences import sentence
from visualizer.report.content import command, protocol

COUNTS = ("expanded", "leaves", "terminals", "cutoffs", "skipped")
TIMES = {"seconds": "alone", "seconds_recorded": "recorded", "seconds_written": "written"}
CSV_ONLY = ("published", "best_first", "knuth_moore", "saved", "minimal")


def as_dict(comparison: Comparison) -> dict[str, Any]:
    """Everything, as the JSON of `plyscope compare`."""
    return {
        "game": game_text(comparison.game) or where(comparison.game, None, None)[0],
        "position": comparison.position,
        "agree": not comparison.disagreements,
        "complete": comparison.complete,
        "stopped": comparison.stopped or None,
        "rows": [{**_row(row), "options": comparison.questions[row.depth, row.algorithm].options} for row in comparison.rows],
        "levels": [_level(level) for level in comparison.levels],
        "ladder": [_climb(depth, step) for depth, steps in ladder(comparison).items() for step in steps],
        "repeat": comparison.repeat,
        **comparison.options,
        "compiled": comparison.compiled,
        "held_back": list(comparison.held_back),
        "counting": COUNTING,
        "protocol": protocol(comparison),
        "command": command(comparison),
    }


def to_json(comparison: Comparison) -> str:
    return json.dumps(as_dict(comparison), indent=1, allow_nan=False) + "\n"


def _row(row: Row) -> dict[str, Any]:
    times = {name: getattr(row, figure) for name, figure in TIMES.items()}
    return {
        "depth": row.depth,
        "algorithm": row.algorithm,
        **{name: getattr(row, name) for name in COUNTS},
        "value": json_number(row.value),
        "best_move": row.best_move,
        **{name: figure.median if figure else None for name, figure in times.items()},
        **{f"{name}_range": _range(figure) for name, figure in times.items()},
        "best_move_name": plain(row.best_move_name),
        "effective_branching": row.effective_branching,
        "cutoffs_by_rank": list(row.cutoffs_by_rank),
        "node_types": row.node_types._asdict() if row.node_types else None,
        "published": row.published._asdict() if row.published else None,
        **dict(row.extra),
        "note": row.note,
        "about": row.about,
    }


def _range(figure: Seconds | None) -> list[float] | None:
    return [figure.least, figure.most] if figure else None


def _level(level: Level) -> dict[str, Any]:
    from engine.tree.trace import Trace

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
                "sentence": plain(sentence(Trace(saving.node.tree)[saving.step])),
            }
            for saving in level.savings
        ],
        "note": plain(level.note),
    }


def _climb(depth: int | None, step: Climb) -> dict[str, Any]:
    """What a rung needs of the one before it."""
    names = {"depth": depth, "algorithm": step.row.algorithm, "before": step.before.algorithm}
    return {**names, **{measure: step.share(measure) for measure in MEASURES}}


def to_csv(comparison: Comparison) -> str:
    """A row per depth and algorithm; a time is three columns: median, least, most. What was not measured is empty."""
    spread = [f"{name}_{end}" for name in TIMES for end in ("least", "most")]
    extra = EXTRA if any(row.extra for row in comparison.rows) else ()
    names = ["depth", "algorithm", *COUNTS, "value", "best_move", *TIMES, *spread, *CSV_ONLY, *extra, "best_move_name", "note"]
    table: list[list[Any]] = [names]
    for row in comparison.rows:
        level = comparison.level(row.depth)
        cells = {**{name: getattr(row, name) for name in extra}, **_row(row)}
        for name in TIMES:
            cells[f"{name}_least"], cells[f"{name}_most"] = cells[f"{name}_range"] or (None, None)
        cells["published"] = row.published.expanded if row.published else None
        cells["best_first"] = level.best_first.nodes if level and level.best_first else None
        cells["knuth_moore"] = level.knuth_moore.nodes if level and level.knuth_moore else None
        cells["minimal"] = level.minimal.nodes if level and level.minimal else None
        cells["saved"] = level.saved if level and row.algorithm == PRUNED else None
        table.append([cells[name] for name in names])
    return csv_table(table)
