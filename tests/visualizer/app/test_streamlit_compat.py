"""Streamlit has the private parts that streamlit_compat.py uses, in the version that pyproject.toml allows."""

import tomllib
from importlib import import_module
from importlib.metadata import version

import pytest

from tests.support.paths import ROOT
from visualizer.app.streamlit_compat import TESTED_VERSION

WHAT_TO_DO = (
    "Streamlit has changed: check every function of visualizer/app/streamlit_compat.py against the new version, run "
    "tests/visualizer/app and tests/browser, then raise TESTED_VERSION there and the cap in pyproject.toml"
)
PRIVATE_PARTS = {
    "streamlit.commands.navigation": ["send_page_not_found"],
    "streamlit.config": ["get_options_for_section"],
    "streamlit.file_util": ["get_static_dir"],
    "streamlit.components.v2.manifest_scanner": ["scan_component_manifests"],
    "streamlit.runtime.runtime": [
        "Runtime.instance",
        "Runtime.is_active_session",
        "Runtime.uploaded_file_mgr",
        "Runtime.media_file_mgr",
    ],
    "streamlit.runtime.session_manager": ["SessionManager.get_active_session_info", "SessionManager.num_active_sessions"],
    "streamlit.runtime.media_file_manager": ["MediaFileManager.add"],
    "streamlit.runtime.memory_uploaded_file_manager": ["MemoryUploadedFileManager"],
    "streamlit.runtime.scriptrunner": ["ScriptRunContext", "add_script_run_ctx", "get_script_run_ctx"],
    "streamlit.runtime.state.session_state": ["WStates.__getitem__", "WStates.set_widget_from_proto", "Serialized", "Value"],
    "streamlit.runtime.uploaded_file_manager": ["UploadedFile", "UploadedFileRec", "UploadFileUrlInfo"],
    "streamlit.web.cli": ["main"],
}


def test_streamlit_is_the_version_that_was_tested():
    assert version("streamlit").startswith(f"{TESTED_VERSION}."), WHAT_TO_DO


def test_the_project_allows_the_tested_version_only():
    major, minor = map(int, TESTED_VERSION.split("."))
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert f"streamlit>={TESTED_VERSION},<{major}.{minor + 1}" in dependencies, WHAT_TO_DO


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in PRIVATE_PARTS.items() for name in names])
def test_streamlit_has_the_private_part(module, name):
    part = import_module(module)
    for piece in name.split("."):
        assert hasattr(part, piece), f"{module} has no {name} any more. {WHAT_TO_DO}"
        part = getattr(part, piece)
