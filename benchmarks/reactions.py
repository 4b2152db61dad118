"""Measure the CPU milliseconds of one reaction of the app in the server process: `python benchmarks/reactions.py`.

Measured twice: over the websocket of a running server, as a browser does it (the CPU time of all threads of its process), and in
this process by AppTest, which adds its own work and leaves out navigation and sending.
"""

import argparse
import asyncio
import cProfile
import pstats
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest

from benchmarks.visitor import Visitor, visiting
from visualizer.app.server import FIRST_VISITOR_SECONDS
from visualizer.app.streamlit_compat import cache_component_scan

STEP = {"game": "k-tables", "moves": "3", "algorithm": "alphabeta", "depth": "3"}
LARGE = {"game": "k-tables", "moves": "3", "algorithm": "minimax", "depth": "6"}
COMPARE = {"game": "k-tables", "moves": "3", "depths": "1-5", "repeat": "3"}
TOURNAMENT = {"game": "connect-m"}
PLAY = {"game": "connect4", "moves": "", "first": "max", "max": "human", "min": "search:depth=4,faster"}
LEARN = {"exercise": "pruned", "seed": "7", "difficulty": "4"}
ANSWER = {"id": "pruned 7 4", "answer": {"3": True}}
WANTED = {
    "an answer on Learn": 15,
    "a hint on Learn": 15,
    "Step again": 10,
    "a move on Play": 15,
    "Compare again": 15,
    "About again": 5,
}
PAGES: dict[str, dict[str, str]] = {"step": STEP, "compare": COMPARE, "tournament": TOURNAMENT, "play": PLAY, "about": {}}
TICKS = 100  # a second, in which the system counts a process's time


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=40)
    options.add_argument("--profile", choices=PAGES, help="where the time of a page goes, by AppTest")
    chosen = options.parse_args()
    if chosen.profile:
        profile(chosen.profile, chosen.runs)
        return
    measured = asyncio.run(over_the_websocket(chosen.runs))
    alone = {f"{page.capitalize()} again": by_apptest(page, chosen.runs) for page in PAGES}
    print("| one reaction, ms of processor time in the server | websocket | target | AppTest | sent |\n|---|--:|--:|--:|--:|")
    for name, (milliseconds, kilobytes) in measured.items():
        by_test = f"{alone[name]:.1f}" if name in alone else ""
        print(f"| {name} | {milliseconds:.1f} | {WANTED.get(name, '')} | {by_test} | {kilobytes:,.0f} kB |")


# ---- a server of our own


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[int, int]]:
    """Start a server and yield its port and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "visualizer.cli.main", "app", "--no-browser", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while not answers(port):
            await asyncio.sleep(0.1)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait(20)


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def used(process: int) -> float:
    """Return the CPU seconds that a process has used, including its finished threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def settled(process: int) -> None:
    """Wait until a server has finished loading after its start."""
    await asyncio.sleep(FIRST_VISITOR_SECONDS)
    before = 0.0
    while used(process) - before > 0.05:
        before = used(process)
        await asyncio.sleep(1)


async def over_the_websocket(runs: int) -> dict[str, tuple[float, float]]:
    """Return for each reaction the milliseconds and the kilobytes sent."""
    found: dict[str, tuple[float, float]] = {}
    async with serving() as (port, process), visiting(port) as visitor:
        await settled(process)

        async def measure(name: str, react: Callable[[], Awaitable[Any]], times: int = runs) -> None:
            await react()
            before, sent = used(process), visitor.received
            for _ in range(times):
                await react()
            found[name] = 1000 * (used(process) - before) / times, (visitor.received - sent) / times / 1000

        depths = cycle("23")
        await visitor.open("", **STEP)
        await measure("Step again", visitor.run)
        await measure("Step, another known search", lambda: other_step(visitor, depths))
        await visitor.open("", **LARGE)
        await measure("Step again, 137,256 nodes", visitor.run)
        await visitor.open("compare", **COMPARE)
        await measure("Compare again", visitor.run)
        await visitor.open("tournament", **TOURNAMENT)
        await measure("Tournament again", visitor.run)
        await visitor.open("play", **PLAY)
        await measure("Play again", visitor.run)
        found["a move on Play"] = await moves(visitor, process, runs)
        await visitor.open("learn", **LEARN)
        await measure("an answer on Learn", lambda: visitor.send("exercise", "answer", ANSWER))
        await measure("a hint on Learn", lambda: visitor.send("exercise", "hint", {**ANSWER, "number": 3}))
        await visitor.open("about")
        await measure("About again", visitor.run)
    return found


async def other_step(visitor: Visitor, depths: Iterator[str]) -> None:
    await visitor.open("", **{**STEP, "depth": next(depths)})


async def moves(visitor: Visitor, process: int, times: int) -> tuple[float, float]:
    """Make moves in several games, each until the computer has answered."""
    seconds = sent = 0.0
    for number in range(times):
        ply = 2 * (number % 5)
        if ply == 0:
            await visitor.open("play", **PLAY)
        before, received = used(process), visitor.received
        await visitor.send("board_picker", "move", {"move": (ply + number // 5) % 7, "ply": ply})
        seconds, sent = seconds + used(process) - before, sent + visitor.received - received
    return 1000 * seconds / times, sent / times / 1000


# ---- in this process


def opened(page: str) -> AppTest:
    """Return a page that has finished running, without the navigation around it."""
    cache_component_scan()
    app = AppTest.from_string(f"from visualizer.app.views import {page}\n{page}.page()", default_timeout=60)
    for name, value in PAGES[page].items():
        app.query_params[name] = value
    app.run()
    while "job" in app.session_state:
        app.run()
    return app


def by_apptest(page: str, runs: int) -> float:
    app = opened(page)
    began = time.process_time()
    for _ in range(runs):
        app.run()
    return 1000 * (time.process_time() - began) / runs


def profile(page: str, runs: int) -> None:
    app, profiler = opened(page), cProfile.Profile(time.thread_time)
    run = ScriptRunner._run_script

    def profiled(runner: Any, data: Any) -> None:
        profiler.enable()
        run(runner, data)
        profiler.disable()

    ScriptRunner._run_script = profiled  # type: ignore[method-assign]
    for _ in range(runs):
        app.run()
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(40)


if __name__ == "__main__":
    main()
