"""Cleanup of the metadata that Streamlit keeps for widgets that a page no longer shows.

Streamlit frees a widget's value but keeps its metadata until the session ends: callbacks and everything bound to them, even
trees. Our keys name what is shown, so every search leaves its widgets behind; a hundred visitors left 7,000 to 10,000 a minute.
Their metadata can be removed: after a restart, too, browsers name widgets that the server does not know.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from visualizer.app.streamlit_compat import known_widgets


@contextmanager
def clean_up_widgets() -> Iterator[None]:
    """Run the whole page, then remove the metadata of widgets that were known before and not shown again.

    A run that is cut short has not shown everything, and removes nothing.
    """
    metadata, ids, keys = known_widgets()
    before = dict(metadata)
    yield
    for widget, facts in before.items():
        if metadata.get(widget) is facts:
            del metadata[widget]
            key = keys.pop(widget, None)
            if key is not None and ids.get(key) == widget:  # otherwise the key belongs to another widget now
                del ids[key]
