"""Starts the app's server."""

import gc
import os
import socket
import sys
import time
import urllib.request
import webbrowser
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from engine.core.errors import PlyscopeError
from engine.core.memory_budget import keep_to
from visualizer.app.request_guard import Access, use_access
from visualizer.background_compiler import compile_behind, wait_until_compiled
from visualizer.compile_cache import search_for_page, write_files
from visualizer.pool.limits import Limits

if TYPE_CHECKING:
    from visualizer.pool.pool import Threads

USUAL_PORT = 8501
SHORT = 3.0  # seconds that a start takes without a word
FIRST_LOOK = 4.0  # seconds in which the first visitor has the server alone
TIDY_EVERY = 60.0  # seconds: everybody waits for that, so it is not left to chance
GARBAGE = (5_000, 20, 1_000_000)  # when new objects are looked through, when their elders, and, by chance, never: all
DRAWN = (".svg", ".dot", ".json", ".html", ".txt")  # formats that between them run all that is compiled for files
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - addresses that mean all of this machine's, and one of them


class BadAddress(PlyscopeError):
    """A host or a port that the server cannot listen on."""


def serve(
    host: str, port: int | None, open_browser: bool, page: str = "", limits: Limits | None = None, access: Access | None = None
) -> None:
    """Run the app until Ctrl-C; `page` is the path of the one that the browser opens."""
    use_access(access or Access(host))
    chosen = free_port(host) if port is None else checked_port(host, port)
    from visualizer.pool.factory import pool_for
    from visualizer.pool.pool import use

    with closing(pool_for(limits or Limits())) as pool:  # its processes import while this one compiles
        use(pool)
        keep_to(pool.limits.one_tree)  # what takes a moment only is searched in this process
        get_ready(pool)
        _serve(host, chosen, open_browser, page)


def get_ready(pool: "Threads") -> None:
    """Do everything that the first visitor would wait for."""

    def warm_all() -> None:
        warm_up()
        pool.warm_up()

    warming = Thread(target=warm_all, daemon=True)
    warming.start()
    import streamlit.starlette  # noqa: F401 - takes its time

    warming.join(SHORT)
    if warming.is_alive():
        print("Getting ready; the very first time this takes some seconds …", file=sys.stderr, flush=True)
        warming.join()
    compile_behind()
    settle_memory()


def _serve(host: str, chosen: int, open_browser: bool, page: str) -> None:
    from streamlit.web import cli

    Thread(target=accompany, args=(host, chosen, open_browser, page), daemon=True).start()
    sys.argv = [
        "streamlit",
        "run",
        str(Path(__file__).with_name("asgi.py")),
        f"--server.port={chosen}",
        f"--server.address={host}",
        "--server.headless=true",  # the browser is opened here; and nothing is asked on the terminal
        "--server.showEmailPrompt=false",
        "--logger.hideWelcomeMessage=true",
        "--logger.level=warning",
    ]
    with suppress(KeyboardInterrupt, click.Abort):  # that is how one stops it
        cli.main(standalone_mode=False)
    say("Stopped.")


def accompany(host: str, port: int, open_browser: bool, page: str) -> None:
    """What is done beside the server for as long as it runs."""
    announce(host, port, open_browser, page)
    time.sleep(FIRST_LOOK)
    wait_until_compiled()
    warm_up_the_rest()
    settle_memory()
    while True:
        time.sleep(TIDY_EVERY)
        gc.collect()


def announce(host: str, port: int, open_browser: bool, page: str) -> None:
    """Say where the app runs, and open it, as soon as it answers."""
    reached = EVERYWHERE.get(host, host)
    address = f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"
    while not answers(address):
        time.sleep(0.05)
    others = ", and at the other addresses of this machine" if host in EVERYWHERE else ""
    say(f"Plyscope runs at {address}{others} - stop it with Ctrl-C.")
    if open_browser:
        webbrowser.open(f"{address}/{page}" if page else address)


def say(words: str) -> None:
    """Print something. A server runs on where nobody reads it: a closed stream, a full disk."""
    try:
        print(words, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:  # noqa: S310 - an address of our own
            return answer.status == 200
    except OSError:
        return False


def warm_up() -> None:
    """Load what the first page needs, before anyone can ask for it."""
    search_for_page()
    import visualizer.app.views.step  # noqa: F401 - for those who come later


def warm_up_the_rest() -> None:
    """Load what other pages and files need: not in the middle of a lesson, where everybody would wait for it."""
    from visualizer.app.state.navigation import PAGES, module_of

    import_module("pandas")  # Streamlit does, for the first component with small data
    for name in PAGES:
        module_of(name)
    write_files(DRAWN)


def settle_memory() -> None:
    """Keep what was imported out of every later garbage collection, and old objects out of those that come by chance: these hold
    up all visitors, with a hundred of them for some tenths of a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


def free_port(host: str) -> int:
    """The usual port, or any free one if that is taken."""
    try:
        return checked_port(host, USUAL_PORT)
    except BadAddress:
        return checked_port(host, 0)


def checked_port(host: str, port: int) -> int:
    """The port, if the server can listen on it; 0 finds a free one."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            if os.name != "nt":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: a port just left is free
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except (socket.gaierror, UnicodeError):
        raise BadAddress(f"there is no address {host[:60]!r} to listen on: leave out --host, or give 0.0.0.0 for all") from None
    except OSError as error:
        why = os.strerror(error.errno).lower() if error.errno else str(error)
        if port == 0:
            raise BadAddress(f"cannot listen on {host[:60]} ({why}): leave out --host, or give 0.0.0.0 for all") from None
        raise BadAddress(f"cannot listen on port {port} of {host[:60]} ({why}): without --port, a free one is taken") from None
