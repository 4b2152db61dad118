"""A visitor's session does not grow with the number of pages shown."""

from streamlit.testing.v1 import AppTest

from engine import Question, connect
from tests.support.processes import MAX_WAIT_SECONDS
from tests.visualizer.app.test_pages import APP, wait_for_job
from visualizer.app.state.url_params import search_params
from visualizer.app.streamlit_compat import known_widgets


def open_with_params(app, parameters):
    app.query_params.clear()
    app.query_params.update(parameters)
    app.run()
    wait_for_job(app)


def count_known_widgets(monkeypatch):
    """How many widgets, keys and names of them are known when a page begins."""
    seen = []

    def counted():
        known = known_widgets()
        seen.append(tuple(map(len, known)))
        return known

    monkeypatch.setattr("visualizer.app.state.widget_cleanup.known_widgets", counted)
    return seen


def test_metadata_of_widgets_that_are_no_longer_shown_is_removed(monkeypatch):
    seen = count_known_widgets(monkeypatch)
    app = AppTest.from_file(str(APP), default_timeout=MAX_WAIT_SECONDS)
    for column in range(7):
        open_with_params(app, search_params(Question(connect(), str(column), depth=2)))
    first = seen[1]
    assert all(first)  # a version of Streamlit that has them elsewhere would have none
    assert all(known <= few + 1 for later in seen[2:] for known, few in zip(later, first, strict=True))


def test_widgets_that_are_shown_again_still_work(monkeypatch):
    seen = count_known_widgets(monkeypatch)
    app = AppTest.from_file(str(APP), default_timeout=MAX_WAIT_SECONDS)
    open_with_params(app, {})
    app.run()
    before = seen[-1]
    app.run()
    assert seen[-1] == before
    app.button_group(key="example").select("Nim").run()
    wait_for_job(app)
    assert app.query_params["game"] == "nim:1,2,3"
