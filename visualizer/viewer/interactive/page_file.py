"""One HTML file that shows a component without a server: markup, styles, modules and data are inside it.

The file loads nothing. Its content security policy allows only its own script and styles, by their hashes. Data is compressed
and written as base64, and `assets/hosts/file/` reads it. A browser without JavaScript shows a static picture instead.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from visualizer.drawing.document_heads import HTML_FOOT, html_head
from visualizer.narration.escapes import escape_xml
from visualizer.viewer.component_files import read_css, read_html
from visualizer.viewer.module_joiner import ASSETS, join_modules

HOST = "file"
PAGE_CSS = ASSETS / "hosts" / HOST / f"{HOST}.css"
POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; style-src-attr 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
NO_SCRIPT_NOTE = "This page needs JavaScript. Without it, it only shows this:"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_END_OF_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)


def write_page(
    component: str,
    title: str,
    summary: str,
    settings: Mapping[str, Any],
    data: Mapping[str, bytes],
    static: str,
    host: str = HOST,
) -> str:
    """Return the text of the file. `data` is read by name in the browser; `static` is markup for browsers without JavaScript.

    `host` is the module that shows the component.
    """
    css = PAGE_CSS.read_text(encoding="utf-8") + read_css(component)
    script = join_modules(host, component, main=f"joined.{host}.openPage(joined.{component});")
    if _END_OF_SCRIPT.search(script):
        raise ValueError("a module has text that would end the script of the page")
    styles = [f"\n{css}", *_STYLE.findall(static)]
    policy = POLICY.format(scripts=hash_source(script), styles=" ".join(map(hash_source, styles)))
    blocks = {"settings": json.dumps(settings).encode(), **data}
    embedded = "".join(f'<script type="text/plain" id="{name}">{_pack(block)}</script>\n' for name, block in blocks.items())
    return (
        f"{html_head(title, css, policy)}"
        f'<header>\n<h1>{escape_xml(title)}</h1>\n<p>{escape_xml(summary)}</p>\n<button id="theme" hidden></button>\n</header>\n'
        f'<noscript>\n<p>{NO_SCRIPT_NOTE}</p>\n<div class="picture">\n{static}</div>\n</noscript>\n'
        f"<main hidden>\n{read_html(component)}</main>\n"
        f'{embedded}<script type="module">{script}</script>\n'
        f"{HTML_FOOT}"
    )


def hash_source(text: str) -> str:
    """Return the source of a content security policy that allows this script or style only.

    >>> hash_source("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _pack(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, mtime=0)).decode()
