"""Notebooks as hosts of the viewer, as fixtures: a stand-in for a notebook's model, real JupyterLab, Notebook 7 and marimo.

They are not among the packages for development: `pip install notebook marimo`, then `pytest -m slow tests/browser/test_hosts.py`.
Not tested: VS Code and Colab.
"""

import base64
import json
import os
import sys
from functools import partial
from importlib.util import find_spec

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import find_free_port, wait_until_healthy
from tests.browser.viewer import MAX_WAIT_SECONDS
from tests.support.processes import start_process

HOW_TO_INSTALL = "pip install notebook marimo"
SOURCE = "from engine import literal, search\nsearch(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))"
MARIMO_SOURCE = """import marimo
app = marimo.App()


@app.cell
def _():
    {}
    return
"""
CELL = """<!DOCTYPE html>
<style>
  body {{ color: #222; background: #fff }}
  @media (prefers-color-scheme: dark) {{ body {{ color: #fff; background: #111 }} }}
</style>
<div id="cell" style="width: {width}"></div>
<script type="module">
  class Model {{
    listeners = {{}};
    sent = [];
    constructor(state) {{ this.state = state; }}
    get(name) {{ return this.state[name]; }}
    set(name, value) {{
      const isNew = this.state[name] !== value;
      this.state[name] = value;
      if (isNew) (this.listeners[`change:${{name}}`] ?? []).forEach((listener) => listener());
    }}
    on(event, listener) {{ (this.listeners[event] ??= []).push(listener); }}
    off(event, listener) {{ this.listeners[event] = this.listeners[event].filter((other) => other !== listener); }}
    save_changes() {{ this.saved = (this.saved ?? 0) + 1; }}
    send(content) {{ this.sent.push(content); }}
  }}
  const state = {state};
  const bytes = Uint8Array.from(atob(state.payload), (letter) => letter.charCodeAt(0));
  window.model = new Model({{ ...state, payload: new DataView(bytes.buffer) }});
  const address = URL.createObjectURL(new Blob([{module}], {{ type: "text/javascript" }}));
  const {{ default: widget }} = await import(address);
  window.unmount = widget.render({{ model: window.model, el: document.getElementById("cell") }});
</script>
"""


@pytest.fixture
def open_cell(open_page, tmp_path):
    """Opens a widget in a page that has no more than the protocol of anywidget asks for."""

    def open_cell(view, width="auto", **options):
        names = ("step", "view", "selection", "height", "_saved")
        state = {"payload": base64.b64encode(view.payload).decode()} | {name: getattr(view, name) for name in names}
        module = json.dumps(view._esm).replace("</", "<\\/")
        page = tmp_path / "cell.html"
        page.write_text(CELL.format(width=width, state=json.dumps(state), module=module))
        return open_page(page.as_uri(), **options)

    return open_cell


@pytest.fixture
def in_a_cell(open_cell, trace):
    return lambda **options: open_cell(trace.tree.view(), **options)


@pytest.fixture(scope="package")
def jupyterlab(tmp_path_factory):
    """The folder and the address of a JupyterLab that shows no news and follows the colours of the system."""
    if find_spec("jupyterlab") is None:
        pytest.skip(f"no JupyterLab here: {HOW_TO_INSTALL}")
    folder = tmp_path_factory.mktemp("jupyterlab")
    config = folder / "config" / "labconfig"
    config.mkdir(parents=True)
    news, themes = "@jupyterlab/apputils-extension:announcements", "@jupyterlab/apputils-extension:themes"
    (config / "page_config.json").write_text(json.dumps({"disabledExtensions": {news: True}}))
    (config / "default_setting_overrides.json").write_text(json.dumps({themes: {"adaptive-theme": True}}))
    own = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython"}
    own |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces"}
    port = find_free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token="]
    environment = {**os.environ, **{name: str(folder / path) for name, path in own.items()}}
    with start_process([*command, f"--ServerApp.root_dir={folder}"], env=environment) as process:
        address = f"http://127.0.0.1:{port}/"
        wait_until_healthy(address, process, "api")
        yield folder, address
        process.terminate()  # it ends its kernels
        process.wait(MAX_WAIT_SECONDS / 1000)


@pytest.fixture
def open_notebook(jupyterlab, open_page):
    """Opens a notebook with one cell, and runs it."""
    folder, address = jupyterlab
    import nbformat  # takes a second, and every worker of the tests reads this module

    cell = nbformat.v4.new_code_cell(SOURCE)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel}), folder / "tree.ipynb")

    def open_notebook(path, idle, **options):
        page = open_page(f"{address}{path}/tree.ipynb", ready=".jp-CodeCell .cm-content", **options)
        expect(page.locator(idle)).to_be_visible()  # the kernel is ready
        page.locator(".jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Shift+Enter")
        page.locator(".ps[data-step]").wait_for()
        return page

    return open_notebook


@pytest.fixture
def in_jupyterlab(open_notebook):
    return partial(open_notebook, "lab/tree", "text=| Idle")


@pytest.fixture
def in_notebook_7(open_notebook):
    if find_spec("notebook") is None:
        pytest.skip(f"no Notebook 7 here: {HOW_TO_INSTALL}")
    return partial(open_notebook, "notebooks", ".jp-Notebook-ExecutionIndicator[data-status=idle]")


@pytest.fixture
def in_marimo(open_page, tmp_path):
    """Opens a page of marimo with one cell."""
    if find_spec("marimo") is None:
        pytest.skip(f"no marimo here: {HOW_TO_INSTALL}")
    (tmp_path / "tree.py").write_text(MARIMO_SOURCE.format(SOURCE.replace("\n", "\n    ")))
    (tmp_path / ".marimo.toml").write_text('[display]\ntheme = "system"\n')
    port = find_free_port()
    command = [sys.executable, "-m", "marimo", "-q", "run", "tree.py", "--headless", "--no-token", f"--port={port}"]
    with start_process(command, cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}) as process:
        wait_until_healthy(f"http://127.0.0.1:{port}/", process, "health")
        opened = []
        yield lambda **options: opened.append(open_page(f"http://127.0.0.1:{port}/", **options)) or opened[-1]
        for page in opened:
            page.goto("about:blank")  # or it would miss its server
        process.terminate()
        process.wait(MAX_WAIT_SECONDS / 1000)
