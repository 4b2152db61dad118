"""Write the answer of a session: the judged search, or why there is none."""

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.checker.answer_builder import build_answer, clear_missing_rows, find_roles
from engine.checker.diagnosis.crashes import is_own_exception
from engine.checker.diagnosis.evidence import describe_own_crash
from engine.checker.diagnosis.judge import Judgement, judge_search
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.score_choice import choose_score
from engine.checker.discovery.argument_facts import describe_missing_objects
from engine.checker.discovery.argument_synthesis import EntryPoint
from engine.checker.discovery.project import MIN_SEARCH_SCORE
from engine.checker.discovery.search_finder import score_group
from engine.checker.experiments.proofs import describe_endless_recursion
from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, find_score
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.state_display import format_state
from engine.checker.sandbox.import_stubs import AbsorbingStub
from engine.checker.sandbox.own_errors import find_last_line, prove_own_error
from engine.checker.sandbox.search_starter import FailedStart, Guess
from engine.checker.sandbox.worker_protocol import Answer, FunctionSource
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.checker.verdict import Finding, Unchecked

if TYPE_CHECKING:
    from engine.checker.sandbox.check_session import CheckSession

MAX_SCORE_SECONDS = 4.0  # to see which number of a result is the score
MAX_SHOWN_TRIES = 6
MAX_SHOWN_NOTES = 2
MAX_FAILURE_CHARS = 400
MAX_SOURCE_LINES, MAX_LINE_CHARS = 400, 500


class AnswerWriter:
    """Writes the answer of one session."""

    def __init__(self, session: "CheckSession"):
        self.session = session

    def build_failure(self, failed: list[FailedStart], guesses: list[Guess]) -> Answer:
        """Build the answer if no start has worked: what was found, what was tried, and a call to type."""
        assert self.session.program is not None  # noqa: S101 - loaded before
        search = ", ".join(self.session.found.functions)
        if self.session.request.call is not None:
            why = failed[0].reason if failed else "it cannot be evaluated"
            failure = f"--call {self.session.request.call!r} does not reach {search}: {why}"
        elif isinstance(vars(self.session.program.module).get(self.session.found.functions[0].partition(".")[0]), AbsorbingStub):
            failure = f"{search} cannot be defined ({'; '.join(self.session.program.notes[:MAX_SHOWN_NOTES])})"
        else:
            searching = [self.session.functions[name] for name in self.session.found.functions]
            missing = describe_missing_objects(searching, list(self.session.project.modules.values()))
            why = failed[0].text if failed else missing
            failure = f"no way to start {search} was found" + (f" ({why})" if why else "")
        return Answer(
            failed=failure[:MAX_FAILURE_CHARS],
            functions=list(self.session.found.functions),
            place=self._place(self.session.found.functions[0]),
            tried=[attempt.short_text for attempt in failed[:MAX_SHOWN_TRIES]],
            prints=self.session.prints.text,
            notes=[*self.session.project.notes, *self.session.program.notes],
            pretended=self._list_stand_ins(),
            hint=self._choose_hint(guesses),
            others=self._list_other_searches(),
        )

    def build_answer(self, start: EntryPoint, failed: list[FailedStart], stopped: StoppedRun | None) -> Answer:
        roles = find_roles(self.session.calls, self.session.request.roles)
        score = self._find_score(roles)
        answer = build_answer(self.session.calls, roles, score)
        answer.functions = list(self.session.found.functions)
        names = [*(function.name for function in self.session.calls.functions), *([answer.root.name] if answer.root else [])]
        answer.sources = [self._read_source(name) for name in names]
        answer.started, answer.tried = start.text, [attempt.text for attempt in failed]
        answer.stopped = "" if stopped is None else stopped.sentence
        answer.result, answer.seconds, answer.prints = (
            format_state(self.session.result)[:200],
            self.session.seconds,
            self.session.prints.text,
        )
        answer.notes = [*self.session.project.notes, *(self.session.program.notes if self.session.program is not None else [])]
        answer.pretended, answer.place = self._list_stand_ins(), self._place(self.session.found.functions[0])
        self._add_judgement(roles, score, stopped, answer)
        self._add_repaired_errors(answer)
        return answer

    def _find_score(self, roles: list[ArgumentRoles]) -> ScorePath | None:
        """Return the place of the score. If results have several numbers, calls are made again to see which one counts."""
        usual = find_score(self.session.calls)
        if usual is None or self.session.left_behind:
            return usual
        chosen = [usual]
        when_left, self.session.calls.when_left = self.session.calls.when_left, None
        self.session.run_limited(lambda: chosen.append(choose_score(self.session.calls, roles, usual)), MAX_SCORE_SECONDS)
        self.session.calls.when_left = when_left
        return chosen[-1]

    def _add_judgement(
        self, roles: list[ArgumentRoles], score: ScorePath | None, stopped: StoppedRun | None, answer: Answer
    ) -> None:
        """Add the judgement to the answer. The judge makes some calls of the program again, with the same limits."""
        if self.session.search.is_monte_carlo:
            answer.variants, answer.not_looked_at = ["mcts"], [Unchecked.TREE_OF_SAMPLES]
            if stopped is not None and is_own_exception(stopped, self.session.tree):
                answer.findings.append(self._report_error(stopped))
            return
        if score is None:
            answer.not_looked_at.append(Unchecked.SCORES)
            if stopped is not None and stopped.cause is StopCause.ENDLESS_RECURSION:
                program = WatchedProgram(self.session.calls, roles, ScorePath(), self.session.tree, False)
                answer.findings.append(self._report_endless(stopped.sentence, describe_endless_recursion(program)))
            elif stopped is not None and stopped.is_too_large and all(end == NO_ROW for end in self.session.calls.end):
                answer.findings.append(self._report_endless(f"{stopped.sentence}, and none of its calls had returned", ""))
            elif stopped is not None and is_own_exception(stopped, self.session.tree):
                answer.findings.append(self._report_error(stopped))
            return
        if self.session.left_behind:
            answer.not_looked_at.append(Unchecked.CALLS_AGAIN)
            return
        found: list[Judgement] = []
        self.session.calls.when_left, self.session.calls.max_rows = None, 2 * self.session.request.max_rows
        functions = {name: replace(function, file=self._file_name(name)) for name, function in self.session.functions.items()}
        program = WatchedProgram(self.session.calls, roles, score, self.session.tree, stopped is None, functions)
        crashes: list[str] = []

        def judge() -> None:
            try:
                found.append(judge_search(program, stopped, found.append))
            except Exception as error:  # ours: those of the program are caught where its calls are made again
                crashes.append(describe_own_crash(error))

        ended = self.session.run_limited(judge, self.session.request.seconds)
        if found:
            judgement = found[-1]
            answer.variants, answer.findings, answer.one_score = judgement.variants, judgement.findings, judgement.one_score
            answer.looked_at, answer.not_looked_at = judgement.looked_at, judgement.not_looked_at
            answer.calls, answer.positions = judgement.calls, judgement.positions
            answer.findings = clear_missing_rows(answer.findings, answer.rows.count if answer.rows is not None else 0)
        if ended is not None or crashes:
            what = "some of the calls" if found else "the calls one by one"
            answer.not_looked_at.append(f"{what}: {crashes[0] if crashes else 'the time ran out'}")

    def _add_repaired_errors(self, answer: Answer) -> None:
        """Add the errors of names that were missing, before all other findings. The record is of the repaired program."""
        if self.session.repaired:
            first = self.session.repaired[0]
            names, files = (
                ", ".join(dict.fromkeys(column))
                for column in zip(*((one.name, one.file) for one in self.session.repaired), strict=True)
            )
            proof = f"{first.proof}; with {names} of {files} the search goes on, and that search was recorded"
            file, times = self._file_name(self.session.found.functions[0]), len(self.session.repaired)
            error = Finding("raises", True, NO_ROW, times, first.sentence, file=file, line=first.line, proof=proof)
            answer.findings = [error, *(finding for finding in answer.findings if finding.name != "raises")]

    def _report_endless(self, sentence: str, proof: str) -> Finding:
        name = self.session.calls.functions[self.session.calls.function[0]].name
        line = self.session.functions[name].node.lineno
        where = f"in {name} (line {line}): {sentence}"
        return Finding("infinite-or-huge", bool(proof), 0, 1, where, file=self._file_name(name), line=line, proof=proof)

    def _report_error(self, stopped: StoppedRun) -> Finding:
        """Return the finding that the search stops with an error, at the last line of its file that was running."""
        name = self.session.calls.functions[self.session.calls.function[-1]].name
        line = find_last_line(stopped.error, self.session.path) or self.session.functions[name].node.lineno
        proof = prove_own_error(self.session, stopped.error)
        row = len(self.session.calls) - 1
        return Finding("raises", bool(proof), row, 1, stopped.sentence, file=self._file_name(name), line=line, proof=proof)

    def _choose_hint(self, guesses: list[Guess]) -> str:
        """Return the call that came nearest to the search, of those that can be typed; of several the shortest."""
        if self.session.request.call is not None:
            return ""
        typed = [guess for guess in guesses if guess[1].call]
        best = max(typed, key=lambda guess: (guess[0], -len(guess[1].call)), default=None)
        return best[1].call if best is not None else ""

    def _list_other_searches(self) -> list[str]:
        """Return other functions of the file that look like a search. There are none if the user has chosen one."""
        if self.session.request.call is not None or self.session.request.function is not None:
            return []
        groups = [group for group in self.session.found.others if score_group(group, self.session.functions) >= MIN_SEARCH_SCORE]
        return [group[0] for group in groups]

    def _place(self, name: str) -> str:
        return f"{self._file_name(name)}, line {self.session.functions[name].node.lineno}"

    def _file_name(self, name: str) -> str:
        path = self.session.files.get(name, self.session.path)
        return (
            path.relative_to(self.session.project.root).as_posix()
            if path.is_relative_to(self.session.project.root)
            else path.name
        )

    def _list_stand_ins(self) -> list[str]:
        return [] if self.session.program is None else sorted({name.partition(".")[0] for name in self.session.program.stubs})

    def _read_source(self, name: str) -> FunctionSource:
        node, path = self.session.functions[name].node, self.session.files.get(name, self.session.path)
        lines = path.read_text(errors="replace").splitlines()[node.lineno - 1 : node.end_lineno]
        return FunctionSource(
            name, node.lineno, [line[:MAX_LINE_CHARS] for line in lines[:MAX_SOURCE_LINES]], self._file_name(name)
        )
