"""Python and JavaScript read statuses, turns, bounds and columns from one declaration."""

from engine.record.columns import COLUMN_SPECS, Columns
from visualizer.viewer.record_model import RECORD_MODEL_FILE, record_model_js


def test_the_browser_has_the_declarations_of_the_record():
    assert RECORD_MODEL_FILE.read_text(encoding="utf-8") == record_model_js(), "run python -m visualizer.viewer.record_model"


def test_every_column_of_the_table_is_declared():
    assert Columns._fields == tuple(COLUMN_SPECS)
