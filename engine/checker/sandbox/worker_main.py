"""The worker process: `python -m engine.checker.sandbox.worker_main FOLDER`.

It reads a CheckRequest from its input and writes an Answer to its output, whatever the program does.
"""

import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import msgspec

from engine.checker.answer_builder import build_answer, clear_missing_rows, find_roles
from engine.checker.diagnosis.judge import Judgement, judge_search
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.discovery.argument_synthesis import EntryPoint
from engine.checker.discovery.entry_points import find_changing_globals, find_entry_points, has_state_argument, is_move_chooser
from engine.checker.discovery.search_finder import FoundSearch, ProgramFunction, find_functions, find_search
from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, find_score
from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls, record_function, record_root_function
from engine.checker.recording.state_display import format_state
from engine.checker.sandbox import resource_limits
from engine.checker.sandbox.launcher import GRACE_SECONDS, max_worker_seconds
from engine.checker.sandbox.loader import LoadedProgram, installed_finders, load_program, noninteractive_mode, parse_file
from engine.checker.sandbox.module_state import ModuleSnapshot
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest, FunctionSource
from engine.checker.verdict import Finding
from engine.core.errors import PlyscopeError

WATCHDOG_SPARE_SECONDS = (
    resource_limits.MAX_STOP_SECONDS + 1.5
)  # seconds after its limit until a program is ended that cannot be interrupted
MAX_CORES = 2  # that a program may keep busy all the time
MAX_IDLE_SECONDS = 5.0  # seconds after which a start that has not come to the search is given up
MAX_GUESS_SECONDS = 15.0  # and one that was only guessed
LATER_ROWS_RANGE = (50, 20_000)  # rows of a search that is looked at instead of one that is too large
MAX_SOURCE_LINES = 400  # lines
PROTECTED_MODULES = {"numpy", "msgspec"}  # modules that stay, whatever a file beside the program is called


class FirstSearchDone(BaseException):
    """The first search of a program is over. The rest of the program is not run."""


def main() -> None:
    folder = Path(sys.argv[1])
    wish = msgspec.json.decode(sys.stdin.buffer.readline(), type=CheckRequest)
    lifeline, out, words = os.dup(0), os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(2), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.dont_write_bytecode = True
    path = _copy_program(wish, folder)
    resource_limits.exit_with_parent(lifeline)
    resource_limits.set_hard_limits(wish.memory, MAX_CORES * max_worker_seconds(wish))
    resource_limits.confine_process(folder)
    try:
        answer = CheckSession(wish, path, words).answer()
    except PlyscopeError as error:
        answer = Answer(failed=str(error))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        what = f"{type(error).__name__}: {str(error)[:200]}; {where}"
        answer = Answer(failed=f"watching it failed ({what}): the program does something that the watcher does not know")
    out.write(_encode_answer(answer))
    out.close()
    resource_limits.EXIT_PROCESS(0)  # threads of the program, if it has any, end here


def _copy_program(wish: CheckRequest, folder: Path) -> Path:
    """Write the files of the program into its folder and go there. Return the path of the program."""
    if not wish.files:
        return Path(wish.file)  # cannot be read: it will be said why
    copy = folder / "program"
    for name, content in wish.files.items():
        copy.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        copy.joinpath(name).write_bytes(content)
    os.chdir(copy)
    return copy / next(iter(wish.files))


def _encode_answer(answer: Answer) -> bytes:
    """Encode the answer for the pipe. Lone surrogates in the output of a program are replaced."""
    try:
        return msgspec.msgpack.encode(answer)
    except UnicodeError:
        return msgspec.msgpack.encode(msgspec.convert(_replace_surrogates(msgspec.to_builtins(answer)), Answer))


def _replace_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(one) for key, one in value.items()}
    return [_replace_surrogates(one) for one in value] if isinstance(value, (list, tuple)) else value


class CheckSession:
    """The check of one program."""

    def __init__(self, wish: CheckRequest, path: Path, words: TextIO):
        self.wish = wish
        self.path = path
        self.words = words  # for where it was when it had to be ended
        resource_limits.set_watchdog(GRACE_SECONDS, words)
        self.tree = parse_file(self.path)
        self.lines = self.path.read_text(errors="replace").splitlines()
        self.functions: dict[str, ProgramFunction] = find_functions(self.tree)
        self.found: FoundSearch = find_search(self.tree, wish.function, wish.call)
        self.calls = RecordedCalls(most_rows=wish.most_rows)
        self.calls.when_left = self._end_first_search
        self.prints = resource_limits.CapturedOutput()
        self.program: LoadedProgram | None = None
        self.own = False  # whether the program runs by itself
        self.changing: Callable[[], Any] | None = None
        self.result: Any = None
        self.left_behind = False  # it could not be stopped, and runs on

    # ---- watching

    def _make_wrapper(self, name: str) -> Callable[[Any], Any]:
        around = record_function if name in self.found.functions else record_root_function
        also = None if has_state_argument(self.functions[name]) else self._read_changing_globals
        return lambda function: around(self.calls, name, function, also)

    def _read_changing_globals(self) -> Any:
        return None if self.changing is None else self.changing()

    def _end_first_search(self) -> None:
        """End the first search: an outermost call, or the function around it, has returned."""
        if not self.own or any(run.end == NO_ROW for run in self.calls.runs):
            return
        if len(self.calls) > 1 and self.program is None:
            self.calls.asleep = True  # while it is being loaded: the rest of it is needed
        elif len(self.calls) > 1:
            raise FirstSearchDone
        else:
            self.calls.clear()  # one call is no search: the game was over, say

    # ---- running

    def answer(self) -> Answer:
        with resource_limits.patched_runtime(self.prints), noninteractive_mode():
            resource_limits.seed_random()
            self.own = True
            begun = time.perf_counter()
            ended = self._run_limited(self._load_program, self.wish.seconds)
            self.seconds = time.perf_counter() - begun
            if len(self.calls) > 1 and self.wish.call is None:
                return self._build_answer(EntryPoint("the program as it is loaded", _do_nothing, True), [], ended)
            if self.program is None:
                return Answer(failed=f"{self.path.name} cannot be loaded: {ended}", prints=self.prints.text)
            self.changing = find_changing_globals(self.program, self.functions)
            with installed_finders(self.program.finders):
                tried, start, stopped = self._try_entry_points()
                if start is None:
                    return Answer(
                        failed=self._describe_failed_starts(tried), tried=tried, prints=self.prints.text, notes=self.program.notes
                    )
                return self._build_answer(start, tried, stopped)

    def _load_program(self) -> None:
        _unload_shadowed_modules(self.path.parent)
        names = [*self.found.functions, *(name for name in self.found.roots if is_move_chooser(self.functions[name]))]
        lines = {self.functions[name].node.lineno: name for name in names}
        self.program = load_program(self.path, self.wish.call, lines, self._make_wrapper)

    def _run_limited(self, work: Callable[[], Any], seconds: float, gives_up: Callable[[float], bool] | None = None) -> str:
        resource_limits.set_watchdog(seconds + WATCHDOG_SPARE_SECONDS, self.words)
        ended = resource_limits.run_with_limits(work, seconds, self.wish.memory, gives_up)
        resource_limits.set_watchdog(GRACE_SECONDS, self.words)
        if ended.endswith(resource_limits.STILL_RUNNING_SUFFIX):
            self.left_behind = True
            self.calls.asleep = True
            self.calls = self.calls.copy_columns()  # the program may still write into its own
        self.calls.drop_partial_rows()
        return ended

    def _try_entry_points(self) -> tuple[list[str], EntryPoint | None, str]:
        """Try entry points until calls are recorded.

        Return the failed ones, the one that worked, and why it ended early.
        """
        assert self.program is not None  # noqa: S101 - loaded before
        tried: list[str] = []
        last: tuple[EntryPoint, str] | None = None
        for start in find_entry_points(self.program, self.found, self.functions, self.wish.call):
            if self.left_behind:
                break
            if last is not None and not start.guessed:
                continue
            memory = ModuleSnapshot(self.program.module)
            stopped = self._try_entry_point(start)
            rows = len(self.calls)
            if rows and (rows > 1 or not start.guessed):
                if stopped.startswith("it was stopped") and (later := self._choose_later_start(start)) is not None:
                    start, stopped = later, self._try_entry_point(later)
                if not stopped or not start.guessed:
                    return tried, start, stopped
                last = start, stopped
            tried.append(f"{start.words}: {stopped or 'it does not come to the search'}")
            memory.restore_state() if start.guessed else None
        if last is None:
            return tried, None, ""
        self._try_entry_point(last[0])  # too large, all of them: the smallest tells most
        return tried[:-1], *last

    def _try_entry_point(self, start: EntryPoint) -> str:
        self.calls.clear()
        self.prints.clear()
        self.own, self.result = start.own, None
        resource_limits.seed_random()
        done: list[bool] = []

        def work() -> None:
            try:
                self.result = start.run()
            except FirstSearchDone:
                done.append(True)

        begun = time.perf_counter()
        seconds = min(self.wish.seconds, MAX_GUESS_SECONDS) if start.guessed else self.wish.seconds
        gives_up = None if self.wish.call is not None else (lambda passed: passed > MAX_IDLE_SECONDS and len(self.calls) == 0)
        ended = self._run_limited(work, seconds, gives_up)
        self.seconds = time.perf_counter() - begun
        self.own = False
        if ended.startswith("it was stopped after") and self.seconds < seconds:
            ended = f"it does not come to the search in {MAX_IDLE_SECONDS:g} seconds"
        return "" if done else ended

    def _choose_later_start(self, start: EntryPoint) -> EntryPoint | None:
        """Return an entry point later in the game, for a search that is too large: its largest call that returned.

        Return None if the user has chosen the start, or if the search has windows: there the root's windows matter.
        """
        ended = [kept for kept in self.calls.kept.calls if not kept.is_root and self.calls.end[kept.row] != NO_ROW]
        sizes = {kept.row: self.calls.end[kept.row] - kept.row for kept in ended}
        fitting = [kept for kept in ended if LATER_ROWS_RANGE[0] <= sizes[kept.row] <= LATER_ROWS_RANGE[1]]
        if self.wish.call is not None or not fitting or any(roles.alpha for roles in find_roles(self.calls)):
            return None
        chosen = max(fitting, key=lambda kept: sizes[kept.row])
        name = self.calls.functions[chosen.number].name

        def run() -> Any:
            with chosen.restored_context() as arguments:
                return self._make_wrapper(name)(chosen.function)(*arguments)

        return EntryPoint(f"{start.words}, which is too large: {name} later in the game (its call {chosen.row:,})", run, False)

    def _describe_failed_starts(self, tried: list[str]) -> str:
        search = ", ".join(self.found.functions)
        if self.wish.call is not None:
            return f"--call {self.wish.call!r} does not come to {search}: {tried[0].partition(': ')[2]}"
        said = "; ".join(tried[:4])
        arguments = ", ".join(self.functions[self.found.functions[0]].arguments)
        example = f"{self.functions[self.found.functions[0]].plain_name}({arguments})"
        return f"no start was found for {search}{f' ({said})' if said else ''}: say how it is called, --call '{example}'"

    # ---- telling

    def _build_answer(self, start: EntryPoint, tried: list[str], stopped: str) -> Answer:
        roles = find_roles(self.calls, self.wish.roles)
        score = find_score(self.calls)
        answer = build_answer(self.calls, roles, score)
        answer.functions = list(self.found.functions)
        names = [*(function.name for function in self.calls.functions), *([answer.root.name] if answer.root else [])]
        answer.sources = [self._read_source(name) for name in names]
        answer.started, answer.tried, answer.stopped = start.words, tried, stopped
        answer.result, answer.seconds, answer.prints = format_state(self.result)[:200], self.seconds, self.prints.text
        if self.program is not None:
            answer.notes = self.program.notes
            answer.pretended = sorted({name.partition(".")[0] for name in self.program.stubs})
        self._add_judgement(roles, score, stopped, answer)
        return answer

    def _add_judgement(self, roles: list[ArgumentRoles], score: ScorePath | None, stopped: str, answer: Answer) -> None:
        """Add the judgement to the answer. The judge makes some calls of the program again, with the same limits."""
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
        ended = self._run_limited(lambda: found.append(judge_search(program, stopped)), self.wish.seconds)
        if found:
            answer.variants, answer.findings, answer.looked_at, answer.not_looked_at, answer.one_score = found[0]
            answer.findings = clear_missing_rows(answer.findings, answer.rows.count if answer.rows is not None else 0)
        else:
            answer.not_looked_at.append(f"the calls one by one: {ended or 'nothing came of it'}")

    def _read_source(self, name: str) -> FunctionSource:
        node = self.functions[name].node
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        return FunctionSource(name, node.lineno, lines[:MAX_SOURCE_LINES])


def _do_nothing() -> None:
    """Do nothing: a search that ran while its program was loaded cannot be run again by a call."""


def _unload_shadowed_modules(folder: Path) -> None:
    """Unload modules that have the same name as files beside the program. For the program its own files come first."""
    for file in folder.glob("*.py"):
        name = file.stem
        if name in sys.modules and name not in sys.stdlib_module_names and name not in PROTECTED_MODULES:
            for loaded in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
                del sys.modules[loaded]


if __name__ == "__main__":
    main()
