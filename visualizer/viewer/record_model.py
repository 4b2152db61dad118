"""The declarations of the record for the browser: statuses, turns and how they look, bounds, flags and columns, as a JavaScript
module.

`python -m visualizer.viewer.record_model` writes assets/model/record_model.js; a test compares the two.
"""

import json
from pathlib import Path

from engine.record.columns import (
    BOUND_BITS,
    BOUND_NAMES,
    BOUND_SHIFT,
    COLUMN_SPECS,
    MAY_STAND_PAT,
    STANDS_PAT,
    STATUS_BITS,
    STATUS_NAMES,
    TURN_BITS,
    TURN_NAMES,
    TURN_SHIFT,
)
from visualizer.drawing.theme import DARK, LIGHT, TURN_SIGNS, TURN_TITLES

RECORD_MODEL_FILE = Path(__file__).parent / "assets" / "model" / "record_model.js"
HEADING = "// Written by visualizer/viewer/record_model.py from columns.py and theme.py: change it there.\n\n"


def record_model_js() -> str:
    """Return the module: a constant for each status and turn, their names, the layout of the flags, and the columns."""
    constants: dict[str, object] = {
        "STATUS_NAMES": STATUS_NAMES,
        **{name.upper(): code for code, name in enumerate(STATUS_NAMES)},
        "STATUS_BITS": STATUS_BITS,
        "TURN_NAMES": TURN_NAMES,
        **{name.upper(): code for code, name in enumerate(TURN_NAMES)},
        "TURNS": {
            name: {"title": title, "sign": sign, "colour": colour, "onDark": on_dark}
            for name, title, sign, colour, on_dark in zip(
                TURN_NAMES, TURN_TITLES, TURN_SIGNS, LIGHT.lines, DARK.lines, strict=True
            )
        },
        "TURN_SHIFT": TURN_SHIFT,
        "TURN_BITS": TURN_BITS,
        "BOUND_NAMES": BOUND_NAMES,
        "BOUND_SHIFT": BOUND_SHIFT,
        "BOUND_BITS": BOUND_BITS,
        "STANDS_PAT": STANDS_PAT,
        "MAY_STAND_PAT": MAY_STAND_PAT,
        "COLUMN_NAMES": tuple(COLUMN_SPECS),
        "OPTIONAL_COLUMNS": tuple(name for name, spec in COLUMN_SPECS.items() if spec.optional),
    }
    return HEADING + "".join(
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in constants.items()
    )


if __name__ == "__main__":
    RECORD_MODEL_FILE.write_text(record_model_js(), encoding="utf-8")
