"""Judge the recorded search of a program.

The process of the program judges it first, to learn what the judge wants to see, and sends the record with these
observations. The judge's own process then gives the verdict. It has none of the program's code in it.
"""

from collections.abc import Callable
from time import monotonic

from engine.checker.answer_builder import build_answer, clear_missing_rows, find_roles
from engine.checker.diagnosis.crashes import is_own_exception
from engine.checker.diagnosis.evidence import describe_own_crash
from engine.checker.diagnosis.judge import Judgement, judge_search
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.score_choice import choose_score
from engine.checker.experiments.proofs import describe_endless_recursion
from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, find_score
from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls
from engine.checker.recording.observations import (
    EndOfObservations,
    Observation,
    OtherObservation,
    OutOfTime,
    Reading,
    observing,
    out_of_time_at,
)
from engine.checker.recording.plain_values import BadValue
from engine.checker.recording.record_transfer import unpack_record
from engine.checker.sandbox.program_source import ProgramSource
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest, SearchReport
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.checker.verdict import Finding, Unchecked

TIME_OUT, MEMORY_OUT = "the time ran out", "the memory ran out"
MAX_END_CHARS = 300
BUILD_SHARE = 4  # an answer takes this many times as long to build as its record takes to read
MIN_TIME_SHARE = 0.5  # of the seconds of a run, for a report that says that they were too few


class SearchJudge:
    """Judges one search: first which number of a result is the score, then the search."""

    def __init__(self, source: ProgramSource, calls: RecordedCalls, corrected: dict[str, str], report: SearchReport):
        self.source, self.calls, self.report = source, calls, report
        self.roles: list[ArgumentRoles] = find_roles(calls, corrected)
        self.score: ScorePath | None = find_score(calls)  # the usual place, until another one is chosen
        self.stopped: StoppedRun | None = report.stopped_run
        self.kept: list[Judgement] = []  # those that are complete so far, the best one last
        self.crash = ""  # of ours

    @property
    def judgement(self) -> Judgement:
        """Return the best judgement so far."""
        return self.kept[-1] if self.kept else Judgement([], [], [], [], positions=0)

    def list_outcome(self) -> list[str]:
        """Return what was found, and what could not be checked: the same in both processes."""
        found = [f"{finding.name}{'' if finding.certain else '?'} at {finding.row}" for finding in self.judgement.findings]
        return [*found, *map(str, self.judgement.not_looked_at), *([self.crash] if self.crash else [])]

    @property
    def makes_calls(self) -> bool:
        """Return True if calls of the program are made again, so that it needs limits."""
        return self.score is not None and not self.report.left_behind and not self.source.search.is_monte_carlo

    def choose_score(self) -> None:
        """Choose the place of the score. If results have several numbers, calls are made again to see which one counts."""
        if self.score is not None:
            self.score = choose_score(self.calls, self.roles, self.score)

    def judge(self) -> None:
        """Judge the search. An error of ours loses nothing that was found before."""
        try:
            self.kept.append(self._judge())
        except Exception as error:  # ours: those of the program are caught where its calls are made again
            self.crash = describe_own_crash(error)

    def _judge(self) -> Judgement:
        if self.source.search.is_monte_carlo:
            findings = [self._report_error()] if self._has_own_error else []
            return Judgement(["mcts"], findings, [], [Unchecked.TREE_OF_SAMPLES], positions=0)
        if self.score is None:
            return Judgement([], self._judge_without_scores(), [], [Unchecked.SCORES], positions=0)
        if self.report.left_behind:
            return Judgement([], [], [], [Unchecked.CALLS_AGAIN], positions=0)
        return judge_search(self._watched_program(self.score), self.stopped, self.kept.append)

    def _watched_program(self, score: ScorePath) -> WatchedProgram:
        functions = self.source.list_placed_functions()
        return WatchedProgram(self.calls, self.roles, score, self.source.tree, self.stopped is None, functions)

    def _judge_without_scores(self) -> list[Finding]:
        stopped = self.stopped
        if stopped is not None and stopped.cause is StopCause.ENDLESS_RECURSION:
            return [self._report_endless(stopped.sentence, describe_endless_recursion(self._watched_program(ScorePath())))]
        if stopped is not None and stopped.is_too_large and all(end == NO_ROW for end in self.calls.end):
            return [self._report_endless(f"{stopped.sentence}, and none of its calls had returned", "")]
        return [self._report_error()] if self._has_own_error else []

    @property
    def _has_own_error(self) -> bool:
        return self.stopped is not None and is_own_exception(self.stopped, self.source.tree)

    def _report_endless(self, sentence: str, proof: str) -> Finding:
        name = self.calls.functions[self.calls.function[0]].name
        line = self.source.functions[name].node.lineno
        where = f"in {name} (line {line}): {sentence}"
        return Finding("infinite-or-huge", bool(proof), 0, 1, where, file=self.source.file_name(name), line=line, proof=proof)

    def _report_error(self) -> Finding:
        """Return the finding that the search stops with an error, at the last line of its file that was running."""
        assert self.stopped is not None  # noqa: S101 - by the callers
        name = self.calls.functions[self.calls.function[-1]].name
        line = self.report.error_line or self.source.functions[name].node.lineno
        proof, file = self.report.error_proof, self.source.file_name(name)
        return Finding("raises", bool(proof), len(self.calls) - 1, 1, self.stopped.sentence, file=file, line=line, proof=proof)


def judge_report(request: CheckRequest, source: ProgramSource, report: SearchReport, passed: float, until: float) -> Answer:
    """Return the answer for a recorded search. Raise BadValue or OtherObservation if the report contradicts itself.

    `passed` are the seconds from the command to the report, and the judge ends at `until`.
    """
    began = monotonic()
    calls = unpack_record(report.record)
    until -= BUILD_SHARE * (monotonic() - began)  # on a busy computer the answer takes longer, too
    known = source.functions.keys()
    if not len(calls) or not known >= {*(function.name for function in calls.functions), *(run.name for run in calls.runs)}:
        raise BadValue("the process of the program sent calls of unknown functions")
    judge = SearchJudge(source, calls, request.roles, report)
    usual = judge.score
    if not report.left_behind:
        _read_observations(judge.choose_score, report.score_observations, report.is_score_unsure, until)
    if report.is_score_unsure:
        judge.score = usual
    may_end = bool(report.judge_end) and (report.judge_end != TIME_OUT or passed >= MIN_TIME_SHARE * request.seconds)
    is_complete = _read_observations(judge.judge, report.observations, may_end, until)
    is_other = is_complete and not report.judge_end and judge.list_outcome() != report.outcome
    if is_other or judge.crash not in ("", report.judge_end):
        raise OtherObservation(f"judged there: {', '.join(report.outcome)}; judged here: {', '.join(judge.list_outcome())}"[:300])
    return _build_answer(source, judge, judge.crash or ("" if is_complete else report.judge_end[:MAX_END_CHARS] or TIME_OUT))


def _read_observations(work: Callable[[], None], noted: list[Observation], may_end: bool, until: float) -> bool:
    """Do something with observations that were noted. Return False if it could not be finished.

    Raise OtherObservation if there are too many observations, or too few although they do not end early.
    """
    reading = Reading(noted, until)
    try:
        with observing(reading), out_of_time_at(until):
            work()
    except OutOfTime:
        return False
    except EndOfObservations:
        if not may_end:
            raise OtherObservation("some observations are missing") from None
        return False
    if reading.left:
        raise OtherObservation("there are too many observations")
    return True


def _build_answer(source: ProgramSource, judge: SearchJudge, end: str) -> Answer:
    report, calls = judge.report, judge.calls
    answer = build_answer(calls, judge.roles, judge.score, judge.judgement.tested_sides)
    answer.functions = list(source.found.functions)
    names = [*(function.name for function in calls.functions), *([answer.root.name] if answer.root else [])]
    answer.sources = [source.read_source(name) for name in names]
    answer.place = source.place(source.found.functions[0])
    answer.started, answer.tried, answer.result = report.started, report.tried, report.result
    answer.stopped = "" if judge.stopped is None else judge.stopped.sentence
    answer.seconds, answer.prints, answer.notes, answer.pretended = report.seconds, report.prints, report.notes, report.pretended
    judgement = judge.judgement
    answer.variants, answer.one_score, answer.looked_at = judgement.variants, judgement.one_score, judgement.looked_at
    answer.not_looked_at = list(map(str, judgement.not_looked_at))
    answer.calls, answer.positions = judgement.calls, judgement.positions
    answer.findings = clear_missing_rows(judgement.findings, answer.rows.count if answer.rows is not None else 0)
    if end:
        what = "some of the calls" if judge.kept else "the calls one by one"
        answer.not_looked_at.append(f"{what}: {end}")
    _add_repaired_errors(source, report, answer)
    return answer


def _add_repaired_errors(source: ProgramSource, report: SearchReport, answer: Answer) -> None:
    """Add the errors of names that were missing, before all other findings. The record is of the repaired program."""
    if not report.repaired:
        return
    first = report.repaired[0]
    names = ", ".join(dict.fromkeys(one.name for one in report.repaired))
    files = ", ".join(dict.fromkeys(one.file for one in report.repaired))
    proof = f"{first.proof}; with {names} of {files} the search goes on, and that search was recorded"
    file, times = source.file_name(source.found.functions[0]), len(report.repaired)
    error = Finding("raises", True, NO_ROW, times, first.sentence, file=file, line=first.line, proof=proof)
    answer.findings = [error, *(finding for finding in answer.findings if finding.name != "raises")]
