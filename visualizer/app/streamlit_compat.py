"""The private parts of Streamlit that the app uses. No other module touches them.

pyproject.toml caps Streamlit to the minor version that these parts were checked with. tests/visualizer/app/
test_streamlit_compat.py says what to look at when it changes. Styles and scripts also rely on Streamlit's data-testid
attributes: `git grep st[A-Z] visualizer/app/main.py visualizer/viewer/assets`.
"""

import re
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any
from weakref import WeakValueDictionary

from streamlit import config, file_util
from streamlit.commands import navigation
from streamlit.errors import Error as StreamlitError
from streamlit.runtime import Runtime, memory_uploaded_file_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import ScriptRunContext, add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.session_state import Serialized, Value, WStates
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec, UploadFileUrlInfo

__all__ = [
    "MemoryUploadedFileManager",
    "ScriptRunContext",
    "UploadFileUrlInfo",
    "UploadedFile",
    "UploadedFileRec",
    "cache_component_scan",
    "cache_config_sections",
    "current_run",
    "first_page",
    "had_misfit_values",
    "had_unknown_page",
    "hold_media_file",
    "ignore_misfit_values",
    "ignore_unknown_pages",
    "is_connected",
    "known_widgets",
    "run_streamlit",
    "shows_uploader",
    "upload_store",
    "use_upload_store",
]

TESTED_VERSION = "1.67"
ELEMENT_ID = "$$"  # prefix of all element ids
MISFIT_ERRORS = (TypeError, ValueError, ArithmeticError, AttributeError, LookupError, RecursionError, StreamlitError)
NUMBER_VALUES = {"int_value", "double_value"}  # a number field declares one type and may send the other
UPLOADER_VALUE = "file_uploader_state_value"  # the value type of a file uploader


def run_streamlit(arguments: Sequence[str]) -> None:
    """Run the command `streamlit` in this process, until it ends."""
    from streamlit.web import cli

    sys.argv = ["streamlit", *arguments]
    cli.main(standalone_mode=False)


def cache_component_scan() -> None:
    """Look for components in the installed packages once, not in every run of an AppTest: that is most of its time."""
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def current_run() -> ScriptRunContext | None:
    """Return the run of a page that this thread works for."""
    return get_script_run_ctx(suppress_warning=True)


def is_connected(session_id: str) -> bool:
    """Return True if the browser tab of a session is open. Raise RuntimeError where no server runs."""
    return bool(Runtime.instance().is_active_session(session_id))


def known_widgets() -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Return the metadata of this session's widgets by id, their ids by key, and their keys by id.

    The dicts are Streamlit's own. They are empty if a version of Streamlit has them elsewhere.
    """
    context = current_run()
    return _known_widgets(context and context.session_state)


def _known_widgets(state: Any) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    while isinstance(state, SafeSessionState):
        state = state._state
    metadata = getattr(getattr(state, "_new_widget_state", None), "widget_metadata", {})
    mapper = getattr(state, "_key_id_mapper", None)
    return metadata, getattr(mapper, "_key_id_mapping", {}), getattr(mapper, "_id_key_mapping", {})


def count_visitors() -> int:
    """Return the number of browser tabs that are connected to this server, at least one."""
    manager = getattr(Runtime.instance(), "_session_mgr", None) if Runtime.exists() else None
    return 1 if manager is None else max(1, manager.num_active_sessions())  # an AppTest has none


def shows_uploader(session_id: str) -> bool:
    """Return True if the page of a session shows a file uploader."""
    active = Runtime.instance()._session_mgr.get_active_session_info(session_id)
    if active is None:
        return False
    metadata, _, _ = _known_widgets(active.session.session_state)
    return any(widget.value_type == UPLOADER_VALUE for widget in tuple(metadata.values()))


def use_upload_store(store: type[MemoryUploadedFileManager]) -> None:
    """Let the server that is started next keep uploaded files in a `store`."""
    memory_uploaded_file_manager.MemoryUploadedFileManager = store  # type: ignore[misc]


def upload_store() -> Any:
    """Return the store of uploaded files of this page's server, or of a test that runs the page."""
    context = current_run()
    return Runtime.instance().uploaded_file_mgr if context is None else context.uploaded_file_mgr


def hold_media_file(run: ScriptRunContext, data: bytes, media_type: str, name: str) -> str:
    """Keep a file for the visitor of a run of a page, in place of their last one of this name. Return its address."""
    added = []

    def add_file() -> None:
        files = Runtime.instance().media_file_mgr
        added.append(files.add(data, media_type, f"held {name}", name, is_for_static_download=True))

    thread = Thread(target=add_file)  # Streamlit asks the thread whose file it is
    add_script_run_ctx(thread, run)
    thread.start()
    thread.join()
    return added[0]


def cache_config_sections() -> None:
    """Read the options of a section once: Streamlit reads all of them six times in every run of a page."""
    config.get_options_for_section = cache(config.get_options_for_section)


BASE_SCRIPT = b"""<script>
      window.__streamlit = { BACKEND_BASE_URL: new URL("./", window.location.href).href }
    </script>
    """  # without it Streamlit looks for its server below the address of the page first, and browsers note two errors
SERVICE_LINK = re.compile(rb'<link rel="service-desc"[^>]*>')  # of an API that is closed


@cache
def first_page() -> bytes:
    """Return the HTML page for the address of every page: Streamlit's own, with the address of the server in it."""
    page = (Path(file_util.get_static_dir()) / "index.html").read_bytes()
    return SERVICE_LINK.sub(b"", page).replace(b"<script", BASE_SCRIPT + b"<script", 1)


_misfit_runs: WeakValueDictionary[int, ScriptRunContext] = WeakValueDictionary()  # runs of pages, by their id()


def ignore_misfit_values() -> None:
    """Let a widget keep its default value if the browser sends one that it cannot read: another type, or damaged JSON."""
    read, receive = WStates.__getitem__, WStates.set_widget_from_proto

    def read_fitting(self: WStates, widget_id: str) -> Any:
        state, metadata = self.states.get(widget_id), self.widget_metadata.get(widget_id)
        if not isinstance(state, Serialized) or metadata is None:
            return read(self, widget_id)
        sent = state.value.WhichOneof("value")
        try:
            if (
                sent is None or metadata.value_type in (None, sent) or {sent, metadata.value_type} <= NUMBER_VALUES
            ):  # None: a widget that the visitor has emptied
                return read(self, widget_id)
        except MISFIT_ERRORS:
            pass
        if (run := current_run()) is not None:
            _misfit_runs[id(run)] = run
        self.states[widget_id] = Value(metadata.deserializer(None))
        return read(self, widget_id)

    def receive_named(self: WStates, state: Any) -> None:
        if state.id.startswith(ELEMENT_ID):
            receive(self, state)

    WStates.__getitem__ = read_fitting  # type: ignore[method-assign]
    WStates.set_widget_from_proto = receive_named  # type: ignore[method-assign, assignment]


def had_misfit_values() -> bool:
    """Return True if a value was ignored in this run of a page, and forget that."""
    run = current_run()
    return run is not None and _misfit_runs.pop(id(run), None) is not None


_lost_runs: WeakValueDictionary[int, ScriptRunContext] = WeakValueDictionary()  # runs of pages, by their id()


def ignore_unknown_pages() -> None:
    """Let an address without a page open the first page. Streamlit shows a dialog about source files as well."""

    def remember_run(ctx: ScriptRunContext) -> None:
        _lost_runs[id(ctx)] = ctx

    navigation.send_page_not_found = remember_run


def had_unknown_page() -> bool:
    """Return True if the address of this run of the app has no page, and forget that."""
    run = current_run()
    return run is not None and _lost_runs.pop(id(run), None) is not None
