"""The process in which a student's program runs: `python -m engine.checker.sandbox.worker_main FOLDER` reads a WatchWish
from its input and writes an Answer to its output. Whatever the program does, an answer is tried."""

import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import msgspec

from engine.checker.answer_builder import kept_findings, roles_in, told
from engine.checker.diagnosis.judge import Judgement, judge
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.discovery.argument_synthesis import Start
from engine.checker.discovery.entry_points import changing_globals, holds_state, is_boundary, starts
from engine.checker.discovery.search_finder import Found, Function, find_search, functions_of
from engine.checker.recording.argument_roles import Roles, Score, score_in
from engine.checker.recording.call_recorder import NOTHING, Calls, watched, watched_root
from engine.checker.recording.state_display import shown
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.launcher import GRACE, longest
from engine.checker.sandbox.loader import LoadedProgram, harmless, importing_from, load, parse
from engine.checker.sandbox.module_state import KeptMemory
from engine.checker.sandbox.worker_protocol import Answer, Source, WatchWish
from engine.checker.verdict import Finding
from engine.core.errors import PlyscopeError

SPARE = resource_limits.STUBBORN + 1.5  # seconds after its limit until a program is ended that cannot be interrupted
CORES = 2  # that a program may keep busy all the time
IDLE = 5.0  # seconds after which a start that has not come to the search is given up
ONE_GUESS = 15.0  # and one that was only guessed
LATER = (50, 20_000)  # rows of a search that is looked at instead of one that is too large
LONGEST_SOURCE = 400  # lines
NOT_OURS = {"numpy", "msgspec"}  # modules that stay, whatever a file beside the program is called


class FirstSearchDone(BaseException):
    """The first search of a program is over; what it would do next is not looked at."""


def main() -> None:
    folder = Path(sys.argv[1])
    wish = msgspec.json.decode(sys.stdin.buffer.readline(), type=WatchWish)
    lifeline, out, words = os.dup(0), os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(2), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.dont_write_bytecode = True
    path = _own_copy(wish, folder)
    resource_limits.end_without_the_parent(lifeline)
    resource_limits.limit_forever(wish.memory, CORES * longest(wish))
    resource_limits.confine(folder)
    try:
        answer = Session(wish, path, words).answer()
    except PlyscopeError as error:
        answer = Answer(failed=str(error))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        what = f"{type(error).__name__}: {str(error)[:200]}; {where}"
        answer = Answer(failed=f"watching it failed ({what}): the program does something that the watcher does not know")
    out.write(_encoded(answer))
    out.close()
    resource_limits.END(0)  # threads of the program, if it has any, end here


def _own_copy(wish: WatchWish, folder: Path) -> Path:
    """Write the files of the program into its folder and go there; the path of the program."""
    if not wish.files:
        return Path(wish.file)  # cannot be read: it will be said why
    copy = folder / "program"
    for name, content in wish.files.items():
        copy.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        copy.joinpath(name).write_bytes(content)
    os.chdir(copy)
    return copy / next(iter(wish.files))


def _encoded(answer: Answer) -> bytes:
    """The answer for the pipe; a program may print half characters, which no encoding knows."""
    try:
        return msgspec.msgpack.encode(answer)
    except UnicodeError:
        return msgspec.msgpack.encode(msgspec.convert(_whole_characters(msgspec.to_builtins(answer)), Answer))


def _whole_characters(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_whole_characters(key): _whole_characters(one) for key, one in value.items()}
    return [_whole_characters(one) for one in value] if isinstance(value, (list, tuple)) else value


class Session:
    """One program, watched."""

    def __init__(self, wish: WatchWish, path: Path, words: TextIO):
        self.wish = wish
        self.path = path
        self.words = words  # for where it was when it had to be ended
        resource_limits.end_after(GRACE, words)
        self.tree = parse(self.path)
        self.lines = self.path.read_text(errors="replace").splitlines()
        self.functions: dict[str, Function] = functions_of(self.tree)
        self.found: Found = find_search(self.tree, wish.function, wish.call)
        self.calls = Calls(most_rows=wish.most_rows)
        self.calls.when_left = self._left
        self.prints = resource_limits.Prints()
        self.program: LoadedProgram | None = None
        self.own = False  # whether the program runs by itself
        self.changing: Callable[[], Any] | None = None
        self.result: Any = None
        self.left_behind = False  # it could not be stopped, and runs on

    # ---- watching

    def _watch(self, name: str) -> Callable[[Any], Any]:
        around = watched if name in self.found.functions else watched_root
        also = None if holds_state(self.functions[name]) else self._globals
        return lambda function: around(self.calls, name, function, also)

    def _globals(self) -> Any:
        return None if self.changing is None else self.changing()

    def _left(self) -> None:
        """An outermost call, or the function around it, has come back."""
        if not self.own or any(run.end == NOTHING for run in self.calls.runs):
            return
        if len(self.calls) > 1 and self.program is None:
            self.calls.asleep = True  # while it is being loaded: the rest of it is needed
        elif len(self.calls) > 1:
            raise FirstSearchDone
        else:
            self.calls.forget()  # one call is no search: the game was over, say

    # ---- running

    def answer(self) -> Answer:
        with resource_limits.tame(self.prints), harmless():
            resource_limits.same_chance()
            self.own = True
            begun = time.perf_counter()
            ended = self._limited(self._load, self.wish.seconds)
            self.seconds = time.perf_counter() - begun
            if len(self.calls) > 1 and self.wish.call is None:
                return self._told(Start("the program as it is loaded", _load_again, True), [], ended)
            if self.program is None:
                return Answer(failed=f"{self.path.name} cannot be loaded: {ended}", prints=self.prints.text)
            self.changing = changing_globals(self.program, self.functions)
            with importing_from(self.program.finders):
                tried, start, stopped = self._run()
                if start is None:
                    return Answer(failed=self._not_started(tried), tried=tried, prints=self.prints.text, notes=self.program.notes)
                return self._told(start, tried, stopped)

    def _load(self) -> None:
        _make_room_for(self.path.parent)
        names = [*self.found.functions, *(name for name in self.found.roots if is_boundary(self.functions[name]))]
        lines = {self.functions[name].node.lineno: name for name in names}
        self.program = load(self.path, self.wish.call, lines, self._watch)

    def _limited(self, work: Callable[[], Any], seconds: float, gives_up: Callable[[float], bool] | None = None) -> str:
        resource_limits.end_after(seconds + SPARE, self.words)
        ended = resource_limits.run_limited(work, seconds, self.wish.memory, gives_up)
        resource_limits.end_after(GRACE, self.words)
        if ended.endswith(resource_limits.LEFT_BEHIND):
            self.left_behind = True
            self.calls.asleep = True
            self.calls = self.calls.copied()  # the program may still write into its own
        self.calls.settle()
        return ended

    def _run(self) -> tuple[list[str], Start | None, str]:
        """Try one start after the other until calls are recorded; the starts that came to nothing, the one that did, and why it
        ended early."""
        assert self.program is not None  # noqa: S101 - loaded before
        tried: list[str] = []
        last: tuple[Start, str] | None = None
        for start in starts(self.program, self.found, self.functions, self.wish.call):
            if self.left_behind:
                break
            if last is not None and not start.guessed:
                continue
            memory = KeptMemory(self.program.module)
            stopped = self._try(start)
            rows = len(self.calls)
            if rows and (rows > 1 or not start.guessed):
                if stopped.startswith("it was stopped") and (later := self._later(start)) is not None:
                    start, stopped = later, self._try(later)
                if not stopped or not start.guessed:
                    return tried, start, stopped
                last = start, stopped
            tried.append(f"{start.words}: {stopped or 'it does not come to the search'}")
            memory.put_back() if start.guessed else None
        if last is None:
            return tried, None, ""
        self._try(last[0])  # too large, all of them: the smallest tells most
        return tried[:-1], *last

    def _try(self, start: Start) -> str:
        self.calls.forget()
        self.prints.forget()
        self.own, self.result = start.own, None
        resource_limits.same_chance()
        done: list[bool] = []

        def work() -> None:
            try:
                self.result = start.run()
            except FirstSearchDone:
                done.append(True)

        begun = time.perf_counter()
        seconds = min(self.wish.seconds, ONE_GUESS) if start.guessed else self.wish.seconds
        gives_up = None if self.wish.call is not None else (lambda passed: passed > IDLE and len(self.calls) == 0)
        ended = self._limited(work, seconds, gives_up)
        self.seconds = time.perf_counter() - begun
        self.own = False
        if ended.startswith("it was stopped after") and self.seconds < seconds:
            ended = f"it does not come to the search in {IDLE:g} seconds"
        return "" if done else ended

    def _later(self, start: Start) -> Start | None:
        """The same search later in the game, where the whole of it was too large: the largest call of it that came to an end. Not
        where the user has chosen the start, nor where windows show what the root does with them."""
        ended = [kept for kept in self.calls.kept.calls if not kept.is_root and self.calls.end[kept.row] != NOTHING]
        sizes = {kept.row: self.calls.end[kept.row] - kept.row for kept in ended}
        fitting = [kept for kept in ended if LATER[0] <= sizes[kept.row] <= LATER[1]]
        if self.wish.call is not None or not fitting or any(roles.alpha for roles in roles_in(self.calls)):
            return None
        chosen = max(fitting, key=lambda kept: sizes[kept.row])
        name = self.calls.functions[chosen.number].name

        def run() -> Any:
            with chosen.made_again() as arguments:
                return self._watch(name)(chosen.function)(*arguments)

        return Start(f"{start.words}, which is too large: {name} later in the game (its call {chosen.row:,})", run, False)

    def _not_started(self, tried: list[str]) -> str:
        search = ", ".join(self.found.functions)
        if self.wish.call is not None:
            return f"--call {self.wish.call!r} does not come to {search}: {tried[0].partition(': ')[2]}"
        said = "; ".join(tried[:4])
        arguments = ", ".join(self.functions[self.found.functions[0]].arguments)
        example = f"{self.functions[self.found.functions[0]].plain_name}({arguments})"
        return f"no start was found for {search}{f' ({said})' if said else ''}: say how it is called, --call '{example}'"

    # ---- telling

    def _told(self, start: Start, tried: list[str], stopped: str) -> Answer:
        roles = roles_in(self.calls, self.wish.roles)
        score = score_in(self.calls)
        answer = told(self.calls, roles, score)
        answer.functions = list(self.found.functions)
        names = [*(function.name for function in self.calls.functions), *([answer.root.name] if answer.root else [])]
        answer.sources = [self._source(name) for name in names]
        answer.started, answer.tried, answer.stopped = start.words, tried, stopped
        answer.result, answer.seconds, answer.prints = shown(self.result)[:200], self.seconds, self.prints.text
        if self.program is not None:
            answer.notes = self.program.notes
            answer.pretended = sorted({name.partition(".")[0] for name in self.program.stubs})
        self._judge(roles, score, stopped, answer)
        return answer

    def _judge(self, roles: list[Roles], score: Score | None, stopped: str, answer: Answer) -> None:
        """What the judge says; it makes some calls of the program again, with the same limits."""
        if score is None:
            answer.not_looked_at.append("everything: no number was found in what the calls return")
            if "recursion" in stopped:
                answer.findings.append(Finding("infinite-or-huge", True, 0, 1, stopped))
            return
        if self.left_behind:
            answer.not_looked_at.append("the calls one by one: the program could not be stopped, so none was made again")
            return
        found: list[Judgement] = []
        self.calls.when_left, self.calls.most_rows = None, 2 * self.wish.most_rows
        program = WatchedProgram(self.calls, roles, score, self.tree, not stopped)
        ended = self._limited(lambda: found.append(judge(program, stopped)), self.wish.seconds)
        if found:
            answer.variants, answer.findings, answer.looked_at, answer.not_looked_at, answer.one_score = found[0]
            answer.findings = kept_findings(answer.findings, answer.rows.count if answer.rows is not None else 0)
        else:
            answer.not_looked_at.append(f"the calls one by one: {ended or 'nothing came of it'}")

    def _source(self, name: str) -> Source:
        node = self.functions[name].node
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        return Source(name, node.lineno, lines[:LONGEST_SOURCE])


def _load_again() -> None:
    """A search that ran while its program was loaded cannot be run again by a call."""


def _make_room_for(folder: Path) -> None:
    """Files beside the program may be called like modules that are loaded here; for the program they come first."""
    for file in folder.glob("*.py"):
        name = file.stem
        if name in sys.modules and name not in sys.stdlib_module_names and name not in NOT_OURS:
            for loaded in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
                del sys.modules[loaded]


if __name__ == "__main__":
    main()
