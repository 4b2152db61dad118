"""Who a page is made for, and whether that browser is still there."""

from collections.abc import Callable

from visualizer.app.streamlit_compat import current_run, is_connected


def visitor() -> tuple[str, Callable[[], bool]]:
    """The name of this page's visitor, and what says, asked from any thread, whether they are connected, however slow the server
    is."""
    context = current_run()
    session = "" if context is None else context.session_id

    def is_there() -> bool:
        try:
            return is_connected(session)
        except RuntimeError:  # there is no server (any more)
            return True

    return session, is_there
