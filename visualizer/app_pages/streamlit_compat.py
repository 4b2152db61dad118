"""The private parts of Streamlit that the app uses. No other module touches them.

Written for Streamlit 1.67. Tests that fail when a new version has them elsewhere: test_vanished, test_held_files, test_uploads.
"""

from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

from streamlit import config, file_util
from streamlit.runtime import Runtime, memory_uploaded_file_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import ScriptRunContext, add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec, UploadFileUrlInfo

__all__ = [
    "MemoryUploadedFileManager",
    "ScriptRunContext",
    "UploadFileUrlInfo",
    "UploadedFile",
    "UploadedFileRec",
    "cache_config_sections",
    "current_run",
    "first_page",
    "hold_media_file",
    "is_connected",
    "known_widgets",
    "shows_uploader",
    "upload_store",
    "use_upload_store",
]

UPLOADER_VALUE = "file_uploader_state_value"  # the value type of a file uploader


def current_run() -> ScriptRunContext | None:
    """Return the run of a page that this thread works for."""
    return get_script_run_ctx(suppress_warning=True)


def is_connected(session_id: str) -> bool:
    """Return True if the browser tab of a session is open. Raise RuntimeError where no server runs."""
    return bool(Runtime.instance().is_active_session(session_id))


def known_widgets() -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Return the metadata of this session's widgets by id, their ids by key, and their keys by id. The dicts are Streamlit's own;
    they are empty where a version of Streamlit has them elsewhere."""
    context = current_run()
    return _known_widgets(context and context.session_state)


def _known_widgets(state: Any) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    while isinstance(state, SafeSessionState):
        state = state._state
    metadata = getattr(getattr(state, "_new_widget_state", None), "widget_metadata", {})
    mapper = getattr(state, "_key_id_mapper", None)
    return metadata, getattr(mapper, "_key_id_mapping", {}), getattr(mapper, "_id_key_mapping", {})


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

    def add() -> None:
        files = Runtime.instance().media_file_mgr
        added.append(files.add(data, media_type, f"held {name}", name, is_for_static_download=True))

    thread = Thread(target=add)  # Streamlit asks the thread whose file it is
    add_script_run_ctx(thread, run)
    thread.start()
    thread.join()
    return added[0]


def cache_config_sections() -> None:
    """Read the options of a section once: Streamlit reads all of them six times in every run of a page."""
    config.get_options_for_section = cache(config.get_options_for_section)


def first_page() -> bytes:
    """Return the HTML page that Streamlit serves at every address."""
    return (Path(file_util.get_static_dir()) / "index.html").read_bytes()
