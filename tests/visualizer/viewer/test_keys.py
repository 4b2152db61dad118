"""The keys of the viewer are declared once. `python -m tests.visualizer.viewer.test_keys` writes them into the guide."""

import pytest

from tests.support.paths import ROOT
from visualizer.app.views.about import _page_text
from visualizer.viewer.keys import KEYS_MODULE, fill_keys_table, keys_table, viewer_keys

GUIDE = ROOT / "visualizer" / "README.md"
MARKER = "<!-- keys -->"


def test_every_declared_key_is_read():
    text = KEYS_MODULE.read_text(encoding="utf-8")
    assert len(viewer_keys()) == text.count('"does":') > 10
    labels = [label for row in viewer_keys() for label in row.labels]
    assert len(labels) == len(set(labels))


def test_the_about_page_lists_the_keys():
    assert keys_table() in _page_text()


def test_the_table_is_put_between_its_markers():
    assert fill_keys_table(f"a\n{MARKER}\nold\n<!-- /keys -->\nb") == f"a\n{MARKER}\n{keys_table()}<!-- /keys -->\nb"
    assert fill_keys_table("a text without markers") == "a text without markers"


@pytest.mark.skipif(not GUIDE.exists() or MARKER not in GUIDE.read_text(encoding="utf-8"), reason="the guide has no keys")
def test_the_guide_lists_the_keys():
    text = GUIDE.read_text(encoding="utf-8")
    assert text == fill_keys_table(text), "run python -m tests.visualizer.viewer.test_keys"
    assert keys_table() in text


if __name__ == "__main__":
    GUIDE.write_text(fill_keys_table(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
