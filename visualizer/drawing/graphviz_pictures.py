"""Pictures drawn by Graphviz from DOT, in a process of its own. It uses the libraries in pygraphviz, so
Graphviz itself need not be installed.
"""

import re
import subprocess
import sys
from pathlib import Path

from engine.core.errors import PlyscopeError

PROCESS_SCRIPT = Path(__file__).with_name("graphviz_process.py")
TIMEOUT_SECONDS = 60
DPI = 192
MIN_DPI = 64  # Graphviz shrinks pictures wider than 32,767 pixels; below this scale the labels cannot be read
FILE_SIGNATURES = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}


class DrawingFailed(PlyscopeError):
    """Graphviz did not make a picture."""


def render_dot(graph: bytes, kind: str, seconds: float = TIMEOUT_SECONDS, layout: str = "dot") -> bytes:
    """Return DOT as a picture, laid out by one of Graphviz's programs. Raise DrawingFailed if it fails or takes too long."""
    command = [sys.executable, "-P", str(PROCESS_SCRIPT), kind, str(DPI), layout]
    try:
        done = subprocess.run(command, input=graph, capture_output=True, timeout=seconds, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise DrawingFailed(f"Graphviz did not finish the .{kind} within {seconds:g} s: narrow the view, or write .svg") from None
    if done.returncode != 0 or not done.stdout.startswith(FILE_SIGNATURES[kind]):
        messages = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise DrawingFailed(f"Graphviz could not draw the .{kind} ({messages[0][:200]}): narrow the view, or write .svg")
    shrunk = re.search(rb"Scaling by ([0-9.]+) to fit", done.stderr)
    if shrunk and DPI * float(shrunk[1]) < MIN_DPI:
        raise DrawingFailed(f"the picture is too wide for a readable .{kind}: narrow the view, or write .pdf or .svg")
    return done.stdout
