"""The session that a page runs for, and whether its browser is still connected."""

from collections.abc import Callable

from visualizer.app.streamlit_compat import current_run, is_connected


def current_session() -> tuple[str, Callable[[], bool]]:
    """Return the id of this page's session, and a function that tells if it is connected.

    Any thread may call the function, however busy the server is.
    """
    context = current_run()
    session = "" if context is None else context.session_id

    def is_session_connected() -> bool:
        try:
            return is_connected(session)
        except RuntimeError:  # there is no server (any more)
            return True

    return session, is_session_connected
