"""Starts the app's server."""

import socket
import sys
from pathlib import Path
from threading import Thread

USUAL_PORT = 8501


def serve(host: str, port: int | None, open_browser: bool) -> None:
    """Run the app until Ctrl-C."""
    from streamlit.web import cli

    chosen = port if port is not None else free_port(host)
    address = f"[{host}]" if ":" in host else host
    Thread(target=warm_up, daemon=True).start()
    print(f"Plyscope runs at http://{address}:{chosen} - stop it with Ctrl-C.", flush=True)
    sys.argv = [
        "streamlit",
        "run",
        str(Path(__file__).with_name("app.py")),
        f"--server.port={chosen}",
        f"--server.address={host}",
        f"--server.headless={'false' if open_browser else 'true'}",
    ]
    cli.main()


def warm_up() -> None:
    """Load what the first page needs while the server and the browser start: the first search is seen sooner."""
    from engine import estimate, search
    from engine.alignment import Alignment
    from visualizer.choices import Setup
    from visualizer.viewer.payload import payload

    question = Setup().question()
    estimate(**question)
    tree = search(**question)
    payload(tree, None, Alignment(search(**{**question, "algorithm": "minimax"}), tree).saved)
    import visualizer.app_pages.step  # noqa: F401 - for those who come later


def free_port(host: str) -> int:
    """The usual port, or any free one if that is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (USUAL_PORT, 0):
        with socket.socket(family) as probe:
            try:
                probe.bind((host, wanted))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    return USUAL_PORT
