"""The app's server: start, warm-up, garbage collection and the choice of a port."""

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
from engine.core.memory_budget import set_process_limit
from visualizer.app.request_guard import Access, is_loopback, use_access
from visualizer.app.state.program_access import TOKEN_PARAM, allow_programs
from visualizer.background_compiler import start_background_compile, wait_until_compiled
from visualizer.compile_cache import run_first_page, write_files
from visualizer.pool.limits import Limits

if TYPE_CHECKING:
    from visualizer.pool.pool import ThreadPool

DEFAULT_PORT = 8501
QUIET_START_SECONDS = 3.0  # a longer start prints a message
FIRST_VISITOR_SECONDS = 4.0  # no background work while the first page loads
GC_INTERVAL_SECONDS = 60.0  # a full collection stops all visitors, so it is scheduled
GC_THRESHOLDS = (5_000, 20, 1_000_000)  # of the three generations; the oldest is never collected automatically
WARM_UP_FORMATS = (".svg", ".dot", ".json", ".html", ".txt")  # together they run all compiled code for files
WILDCARD_HOSTS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - wildcard addresses, and where to reach them


class BadAddress(PlyscopeError):
    """A host or a port that the server cannot listen on."""


def serve(
    host: str,
    port: int | None,
    open_browser: bool,
    page: str = "",
    limits: Limits | None = None,
    access: Access | None = None,
    run_programs: bool = False,
) -> None:
    """Run the app until Ctrl-C. The browser opens the page with the path `page`.

    With `run_programs` it runs programs of all visitors who have its token. Raise BarrierMissing if they cannot be isolated.
    """
    if run_programs:
        from engine.checker.sandbox.barrier_trial import try_barrier

        try_barrier()
    use_access(access or Access(host))
    reserved = reserve_free_port(host) if port is None else reserve_port(host, port)
    chosen = int(reserved.getsockname()[1])
    is_own_machine = is_loopback(host) and not (access and (access.allowed_hosts or access.embedded_in))
    if run_programs or is_own_machine:
        page = add_token(page, allow_programs(chosen, is_isolated=run_programs))
    from visualizer.pool.factory import create_pool
    from visualizer.pool.pool import use_pool

    with reserved, closing(create_pool(limits or Limits())) as pool:  # its workers import while this process compiles
        use_pool(pool)
        set_process_limit(pool.limits.max_tree_bytes)  # short searches run in this process
        prepare_server(pool)
        reserved.close()
        _run_streamlit(host, chosen, open_browser, page)


def prepare_server(pool: "ThreadPool") -> None:
    """Load and compile everything that the first visitor would wait for."""

    def warm_all() -> None:
        warm_up()
        pool.warm_up()

    warming = Thread(target=warm_all, daemon=True)
    warming.start()
    import streamlit.starlette  # noqa: F401 - slow, so it runs beside the warm-up

    warming.join(QUIET_START_SECONDS)
    if warming.is_alive():
        print("Getting ready. The first start takes some seconds …", file=sys.stderr, flush=True)
        warming.join()
    start_background_compile()
    tune_garbage_collector()


def _run_streamlit(host: str, chosen: int, open_browser: bool, page: str) -> None:
    from visualizer.app.streamlit_compat import run_streamlit

    Thread(target=run_housekeeping, args=(host, chosen, open_browser, page), daemon=True).start()
    arguments = [
        "run",
        str(Path(__file__).with_name("asgi.py")),
        f"--server.port={chosen}",
        f"--server.address={host}",
        "--server.headless=true",  # this module opens the browser; no prompt on the terminal
        "--server.showEmailPrompt=false",
        "--logger.hideWelcomeMessage=true",
        "--logger.level=warning",
    ]
    with suppress(KeyboardInterrupt, click.Abort):  # Ctrl-C stops the server
        run_streamlit(arguments)
    say("Stopped.")


def run_housekeeping(host: str, port: int, open_browser: bool, page: str) -> None:
    """Announce the server, warm up the other pages, then collect garbage at regular intervals."""
    announce_address(host, port, open_browser, page)
    time.sleep(FIRST_VISITOR_SECONDS)
    wait_until_compiled()
    warm_up_other_pages()
    tune_garbage_collector()
    while True:
        time.sleep(GC_INTERVAL_SECONDS)
        gc.collect()


def announce_address(host: str, port: int, open_browser: bool, page: str) -> None:
    """Wait until the app answers, then print its address and open the browser."""
    reached = WILDCARD_HOSTS.get(host, host)
    address = f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"
    while not is_answering(address):
        time.sleep(0.05)
    others = ", and at the other addresses of this machine" if host in WILDCARD_HOSTS else ""
    shown = f"{address}/{page}" if page else address
    say(f"Plyscope runs at {shown}{others} - stop it with Ctrl-C.")
    if open_browser:
        webbrowser.open(shown)


def add_token(page: str, token: str) -> str:
    """Return the page with the token that lets its visitor run programs.

    >>> add_token("", "abc"), add_token("?game=nim:3", "abc"), add_token("your_search", "abc")
    ('?token=abc', '?game=nim:3&token=abc', 'your_search?token=abc')
    """
    return f"{page}{'&' if '?' in page else '?'}{TOKEN_PARAM}={token}"


def say(words: str) -> None:
    """Print a line. Ignore errors such as a closed stream or a full disk."""
    try:
        print(words, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_answering(address: str) -> bool:
    """Return True if the server at this address is healthy."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:  # noqa: S310 - our own address
            return answer.status == 200
    except OSError:
        return False


def warm_up() -> None:
    """Load everything that the first page needs."""
    run_first_page()
    import visualizer.app.views.step  # noqa: F401 - loaded for later visitors


def warm_up_other_pages() -> None:
    """Load everything that the other pages and the files need. During a lesson everybody would wait for it."""
    from visualizer.app.pages import PAGE_ICONS, import_page

    import_module("pandas")  # Streamlit does, for the first component with small data
    for name in PAGE_ICONS:
        import_page(name)
    write_files(WARM_UP_FORMATS)


def tune_garbage_collector() -> None:
    """Exclude imported objects from garbage collection, and old objects from automatic collections.

    A full collection stops all visitors: with a hundred of them, for some tenths of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def reserve_free_port(host: str) -> socket.socket:
    """Return a socket that listens on the default port, or on any free one if it is taken."""
    try:
        return reserve_port(host, DEFAULT_PORT)
    except BadAddress:
        return reserve_port(host, 0)


def reserve_port(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the port, so that no other server takes it meanwhile; 0 finds a free one.

    Close it before the server starts. Raise BadAddress if the server cannot listen there.
    """
    reserved = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if os.name != "nt":  # as the server does: a port that was just closed is free
            reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind((host, port))
        reserved.listen()
        return reserved
    except (socket.gaierror, UnicodeError):
        reserved.close()
        raise BadAddress(f"there is no address {host[:60]!r} to listen on: leave out --host, or give 0.0.0.0 for all") from None
    except OSError as error:
        reserved.close()
        why = os.strerror(error.errno).lower() if error.errno else str(error)
        if port == 0:
            raise BadAddress(f"cannot listen on {host[:60]} ({why}): leave out --host, or give 0.0.0.0 for all") from None
        raise BadAddress(f"cannot listen on port {port} of {host[:60]} ({why}): leave out --port to use a free one") from None
