"""A class at one server: `python -m benchmarks.classroom` (`--short` to try it), over the protocol that browsers speak.

Every visitor opens the app, looks for two to eight seconds, does the next thing, and fetches the trees that its browser would not
have yet. Half of the searches are exercises that others look at too, half are the visitor's own. A reaction is measured from the
click to the end of what it set off, the last run of the page; fetching a tree or a file counts as one of its own.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.reactions import serving
from benchmarks.visitor import Refused, Visitor, visiting

THINKING = (2.0, 8.0)  # seconds between an answer and the next click
EXERCISES = 30  # different searches that the whole class looks at
LARGE = {"game": "connect4", "moves": "", "algorithm": "alphabeta", "depth": "11"}  # stopped at the five million nodes of a page
Action = Callable[[Visitor, random.Random], Awaitable[None]]


@dataclass
class Observed:
    """The measurements of a lesson."""

    waited: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    health: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)  # MB, of the server and its workers

    def row(self, name: str) -> str:
        kept = self.memory[len(self.memory) // 4 :] or [0.0]
        growth = 100 * (kept[-1] / kept[0] - 1) if kept[0] else 0.0
        waits = [f"{share(self.waited, part):.2f} s" for part in (50, 95, 99)]
        server = [f"{share(self.health, 99):.2f} s", f"{kept[-1]:,.0f} MB", f"{growth:+.1f} %"] if self.health else ["", "", ""]
        cells = [name, str(len(self.waited)), *waits, str(self.errors.total()), *server]
        return f"| {' | '.join(cells)} |"


HEAD = "| visitors | reactions | p50 | p95 | p99 | errors | health p99 | memory | growth |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|"


def share(numbers: list[float], percent: int) -> float:
    """Return a percentile."""
    return statistics.quantiles(numbers, n=100, method="inclusive")[percent - 1] if len(numbers) > 1 else sum(numbers)


# ---- what visitors do


def search_of(chance: random.Random) -> dict[str, str]:
    """Search: some hundred to some ten thousand nodes."""
    rows, cols = chance.randint(4, 6), chance.randint(4, 7)
    moves = "".join(str(chance.randrange(cols)) for _ in range(chance.randint(0, 3)))
    algorithm = chance.choice(["alphabeta", "alphabeta", "minimax"])
    return {
        "game": f"connect:rows={rows},cols={cols},connect=4",
        "moves": moves,
        "algorithm": algorithm,
        "depth": str(chance.randint(2, 5)),
    }


def asked(chance: random.Random) -> dict[str, str]:
    """Answer an exercise, or run an own search."""
    return search_of(random.Random(chance.randrange(EXERCISES)) if chance.random() < 0.5 else chance)


async def step(visitor: Visitor, chance: random.Random) -> None:
    await visitor.open("", **asked(chance))
    await visitor.fetch_trees()


async def change(visitor: Visitor, chance: random.Random) -> None:
    """Open the form, fill it in and send it."""
    await visitor.open("", **asked(chance))
    await visitor.toggle("popover", "Change game or position")
    await visitor.type("Depth K", str(chance.randint(2, 5)))
    await visitor.press("Search")
    await visitor.fetch_trees()


async def export(visitor: Visitor, chance: random.Random) -> None:
    await visitor.open("", **asked(chance))
    await visitor.toggle("popover", "Download")
    await visitor.download(chance.choice([".svg", ".dot", ".json", ".html"]))


async def compare(visitor: Visitor, chance: random.Random) -> None:
    question = asked(chance)
    await visitor.open("compare", game=question["game"], moves=question["moves"], depths="1-4", repeat="1")
    await visitor.fetch_trees()


async def play(visitor: Visitor, chance: random.Random) -> None:
    await visitor.open(
        "play", game="connect4", moves="", first="max", max="human", min=f"search:depth={chance.randint(2, 5)},faster"
    )
    for ply in range(0, 6, 2):
        await visitor.send("board_picker", "move", {"move": chance.randrange(7), "ply": ply})


async def tournament(visitor: Visitor, chance: random.Random) -> None:
    await visitor.open("tournament", game="connect-m", sizes="3-4", depths=f"1-{chance.randint(2, 3)}", games="1")


async def about(visitor: Visitor, chance: random.Random) -> None:
    await visitor.open("about")


ACTIONS: dict[Action, int] = {step: 45, play: 20, change: 10, compare: 10, export: 5, about: 5, tournament: 5}


# ---- a lesson


async def lesson(port: int, process: int, visitors: int, seconds: float, seed: int = 0) -> Observed:
    """Run this many visitors for this long."""
    seen, until = Observed(), time.monotonic() + seconds
    async with asyncio.TaskGroup() as everybody:
        everybody.create_task(look_at_server(port, process, until, seen))
        for number in range(visitors):
            everybody.create_task(attend(port, random.Random(seed * 10_000 + number), until, seen))
    return seen


async def attend(port: int, chance: random.Random, until: float, seen: Observed) -> None:
    await asyncio.sleep(chance.uniform(0, THINKING[1]))
    try:
        async with visiting(port) as visitor:
            while time.monotonic() < until:
                action = chance.choices([*ACTIONS], [*ACTIONS.values()])[0]
                await observed(action, visitor, chance, seen)
                await asyncio.sleep(chance.uniform(*THINKING))
    except OSError as error:
        seen.errors[f"connection: {error}"] += 1


async def observed(action: Action, visitor: Visitor, chance: random.Random, seen: Observed) -> None:
    try:
        await action(visitor, chance)
    except (Refused, TimeoutError) as error:
        seen.errors[f"{action.__name__}: {error or 'no answer'}"] += 1
    seen.waited.extend(visitor.waited)
    visitor.waited.clear()


async def look_at_server(port: int, process: int, until: float, seen: Observed) -> None:
    """Measure four times a second if the server answers, and its memory."""
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /_stcore/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            await reader.read()
            writer.close()
        except OSError as error:
            seen.errors[f"health: {error}"] += 1
        seen.health.append(time.monotonic() - began)
        seen.memory.append(megabytes(process))
        await asyncio.sleep(0.25)


def megabytes(process: int) -> float:
    """Return the memory of a process and its children: private memory, and their share of shared memory."""
    listed = [process, *(int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    total = 0
    for one in listed:
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except OSError:  # it has ended in the meantime
            continue
        total += next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    return total / 1024


async def burst(port: int, visitors: int, seconds: float) -> Observed:
    """Let all visitors open the same page within some seconds. Return their waiting times."""
    seen = Observed()

    async def come(number: int) -> None:
        await asyncio.sleep(seconds * number / visitors)
        try:
            async with visiting(port) as visitor:
                await observed(step, visitor, random.Random(number % EXERCISES), seen)
        except OSError as error:
            seen.errors[f"connection: {error}"] += 1

    async with asyncio.TaskGroup() as everybody:
        for number in range(visitors):
            everybody.create_task(come(number))
    return seen


async def beside_large_searches(port: int, process: int, searchers: int, visitors: int, seconds: float) -> Observed:
    """Let some visitors start different searches of five million nodes at once. Measure how long the others wait."""

    async def search(number: int) -> None:
        try:
            async with visiting(port) as visitor:
                moves = f"{number % 7}{number // 7}"
                await visitor.open("", **{**LARGE, "moves": moves})
        except (OSError, Refused, TimeoutError):
            return  # they may wait long: only the others are measured

    searching = [asyncio.create_task(search(number)) for number in range(searchers)]
    seen = await lesson(port, process, visitors, seconds, seed=7)
    for task in searching:
        task.cancel()
    await asyncio.gather(*searching, return_exceptions=True)
    return seen


async def beside_large_tree(visitors: int, seconds: float, depth: int) -> int:
    """Let one visitor move through the overview and the steps of a large tree, beside a class. Return the number of its nodes."""
    async with serving() as (port, process), visiting(port) as owner:
        print(HEAD, flush=True)
        await owner.open("", **{**LARGE, "depth": str(depth)})
        facts, seen = owner.tree_facts, Observed()
        owner.waited.clear()
        moving = asyncio.create_task(_look_around(owner, facts, seen))
        tell(
            await lesson(port, process, visitors, seconds, seed=visitors),
            f"{visitors}, beside one tree of {facts['rows']:,} nodes",
        )
        moving.cancel()
        await asyncio.gather(moving, return_exceptions=True)
        tell(seen, "the queries about that tree")
    return int(facts["rows"])


async def _look_around(visitor: Visitor, facts: dict[str, int], seen: Observed) -> None:
    """Zoom, jump and step without a pause of more than half a second."""
    chance = random.Random(1)
    while True:
        width = int(facts["rows"] ** chance.random())
        first = chance.randrange(facts["rows"] - width + 1)
        step = chance.randrange(facts["steps"])
        try:
            await visitor.ask_tree("overview", first=first, last=first + width, pixels=1366, colour="how-left")
            await visitor.ask_tree("block", step=step, before=1000, after=3000)
            await visitor.ask_tree("step", step=step, direction="next", kind="cutoff")
        except (Refused, TimeoutError) as error:
            seen.errors[str(error) or "no answer"] += 1
        seen.waited.extend(visitor.waited)
        visitor.waited.clear()
        await asyncio.sleep(chance.uniform(0, 0.5))


async def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sessions", default="20,50,100,200")
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--short", action="store_true", help="a few visitors for some seconds")
    chosen = options.parse_args()
    sizes, seconds, many = [int(size) for size in chosen.sessions.split(",")], chosen.seconds, 100
    if chosen.short:
        sizes, seconds, many = [5], 15.0, 10
    async with serving() as (port, process):
        print(HEAD, flush=True)
        for visitors in sizes:
            tell(await lesson(port, process, visitors, seconds, seed=visitors), f"{visitors}")
        tell(await burst(port, many, 3.0), f"a burst of {many} in 3 s")
        tell(
            await beside_large_searches(port, process, many // 5, many // 5, seconds / 2),
            f"{many // 5}, beside {many // 5} large searches",
        )


def tell(seen: Observed, name: str) -> None:
    print(seen.row(name), flush=True)
    for error, times in seen.errors.most_common(5):
        print(f"<!-- {times} x {error} -->", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
