"""Write the report of a session: the recorded search for the judge, or why there is none."""

from typing import TYPE_CHECKING

from engine.checker.discovery.argument_facts import describe_missing_objects
from engine.checker.discovery.argument_synthesis import EntryPoint
from engine.checker.discovery.project import MIN_SEARCH_SCORE
from engine.checker.discovery.search_finder import score_group
from engine.checker.judging import MEMORY_OUT, TIME_OUT, SearchJudge
from engine.checker.recording.observations import Noting, observing
from engine.checker.recording.record_transfer import pack_record
from engine.checker.recording.state_display import format_state
from engine.checker.sandbox.import_stubs import AbsorbingStub
from engine.checker.sandbox.own_errors import find_last_line, prove_own_error
from engine.checker.sandbox.search_starter import FailedStart, Guess
from engine.checker.sandbox.worker_protocol import Answer, SearchReport
from engine.checker.stopped_run import StopCause, StoppedRun

if TYPE_CHECKING:
    from engine.checker.sandbox.check_session import CheckSession

MAX_SCORE_SECONDS = 4.0  # to see which number of a result is the score
MAX_SHOWN_TRIES = 6
MAX_SHOWN_NOTES = 2
MAX_FAILURE_CHARS = 400
MAX_RESULT_CHARS = 200
ENDS = {StopCause.TIME_LIMIT: TIME_OUT, StopCause.STILL_RUNNING: TIME_OUT, StopCause.MEMORY_LIMIT: MEMORY_OUT}


class ReportWriter:
    """Writes the report of one session, or why there is none."""

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
            place=self.session.source.place(self.session.found.functions[0]),
            tried=[attempt.short_text for attempt in failed[:MAX_SHOWN_TRIES]],
            prints=self.session.prints.text,
            notes=[*self.session.project.notes, *self.session.program.notes],
            pretended=self._list_stand_ins(),
            hint=self._choose_hint(guesses),
            others=self._list_other_searches(),
        )

    def build_report(self, start: EntryPoint, failed: list[FailedStart], stopped: StoppedRun | None) -> SearchReport | Answer:
        """Build the report on a recorded search, with what the judge wants to see of the program, or say why there is none."""
        session = self.session
        report = SearchReport(
            record=pack_record(session.calls),
            started=start.text,
            tried=[attempt.text for attempt in failed],
            result=format_state(session.result)[:MAX_RESULT_CHARS],
            seconds=session.seconds,
            stop_cause=None if stopped is None else stopped.cause,
            stop_detail="" if stopped is None else stopped.detail,
            error_line=find_last_line(None if stopped is None else stopped.error, session.path),
            error_proof=prove_own_error(session, None if stopped is None else stopped.error),
            left_behind=session.left_behind,
            repaired=session.repaired,
            notes=[*session.project.notes, *(session.program.notes if session.program is not None else [])],
            pretended=self._list_stand_ins(),
        )
        failure = self._observe(report)
        report.prints = session.prints.text
        return Answer(failed=failure, prints=report.prints) if failure else report

    def _observe(self, report: SearchReport) -> str:
        """Judge the search, to note what the judge wants to see. Return why that is not possible, or "".

        Calls of the program are made again, with the same limits.
        """
        session, judge = self.session, SearchJudge(self.session.source, self.session.calls, self.session.request.roles, report)
        session.calls.when_left, session.calls.max_rows = None, 2 * session.request.max_rows
        scores, judgement = Noting(), Noting()
        if judge.score is not None and not report.left_behind:
            usual = judge.score
            with observing(scores):
                if session.run_limited(judge.choose_score, MAX_SCORE_SECONDS) is not None:
                    judge.score, report.is_score_unsure = usual, True
        report.left_behind = session.left_behind
        ended = None
        with observing(judgement):
            if judge.makes_calls:
                ended = session.run_limited(judge.judge, session.request.seconds)
            else:
                judge.judge()
        report.judge_end = judge.crash if ended is None else MEMORY_OUT if judgement.room < 0 else ENDS.get(ended.cause, "")
        report.outcome = judge.list_outcome()
        report.score_observations, report.observations = list(scores.noted), list(judgement.noted)
        return "" if ended is None or report.judge_end else f"its calls could not be made again: {ended.sentence}"

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

    def _list_stand_ins(self) -> list[str]:
        return [] if self.session.program is None else sorted({name.partition(".")[0] for name in self.session.program.stubs})
