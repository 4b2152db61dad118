"""Who a page is made for, and whether that browser is still there."""

from collections.abc import Callable

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def visitor() -> tuple[str, Callable[[], bool]]:
    """The name of this page's visitor, and what says, asked from any thread, whether they are connected, however slow the server
    is."""
    context = get_script_run_ctx(suppress_warning=True)
    session = "" if context is None else context.session_id

    def is_there() -> bool:
        try:
            return bool(Runtime.instance().is_active_session(session))
        except RuntimeError:  # there is no server (any more)
            return True

    return session, is_there
