"""What Streamlit keeps of widgets that a page shows no longer.

It forgets their values, but until the visitor leaves not what it was told of them: callbacks, and what is bound to those, trees
too. Our keys say what is shown, so every search leaves its widgets behind; a hundred visitors left 7,000 to 10,000 a minute. They
can be forgotten: after a restart, too, browsers name widgets that a server has never heard of.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from visualizer.app.streamlit_compat import known_widgets


@contextmanager
def forgetting_vanished() -> Iterator[None]:
    """Around a run of the whole page: what was known before it and not told again in it is forgotten. A run that is cut short has
    not shown everything, and forgets nothing."""
    told, ids, keys = known_widgets()
    before = dict(told)
    yield
    for widget, facts in before.items():
        if told.get(widget) is facts:
            del told[widget]
            key = keys.pop(widget, None)
            if key is not None and ids.get(key) == widget:  # else it names another one now
                del ids[key]
