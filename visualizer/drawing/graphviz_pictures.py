"""DOT as a picture, drawn by Graphviz (the libraries in pygraphviz; nothing to install) in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path

from engine.core.errors import PlyscopeError

PROCESS = Path(__file__).with_name("graphviz_process.py")
SECONDS = 60
DPI = 192
LEAST_DPI = 64  # Graphviz shrinks what is wider than 32,767 pixels; below this the labels cannot be read
BEGINS = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}


class DrawingFailed(PlyscopeError):
    """Graphviz gave no picture."""


def render(graph: bytes, kind: str, seconds: float = SECONDS, layout: str = "dot") -> bytes:
    """DOT as a picture, laid out by one of Graphviz's programs; an error if Graphviz fails, takes too long or gives nothing."""
    command = [sys.executable, "-P", str(PROCESS), kind, str(DPI), layout]
    try:
        done = subprocess.run(command, input=graph, capture_output=True, timeout=seconds, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise DrawingFailed(f"Graphviz did not finish the .{kind} within {seconds:g} s: narrow the view, or take .svg") from None
    if done.returncode != 0 or not done.stdout.startswith(BEGINS[kind]):
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        raise DrawingFailed(f"Graphviz could not draw the .{kind} ({said[0][:200]}): narrow the view, or take .svg")
    shrunk = re.search(rb"Scaling by ([0-9.]+) to fit", done.stderr)
    if shrunk and DPI * float(shrunk[1]) < LEAST_DPI:
        raise DrawingFailed(f"this is too wide for a .{kind} that can be read: narrow the view, or take .pdf or .svg")
    return done.stdout
