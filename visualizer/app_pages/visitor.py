"""Whether the browser that a page was made for is still there."""

from collections.abc import Callable

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx


def connection() -> Callable[[], bool]:
    """Asked from any thread, says whether the visitor of this page is connected, however slow the server is."""
    context = get_script_run_ctx()
    session = "" if context is None else context.session_id

    def is_there() -> bool:
        return not Runtime.exists() or bool(Runtime.instance().is_active_session(session))

    return is_there
