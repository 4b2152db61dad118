"""A visitor's own program on the page "Your search": the editor, how it is run, its progress, and what changed."""

from typing import Any, NamedTuple

import streamlit as st

from engine.checker.check import CheckedProgram
from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.checker.verdict import Finding
from engine.core.errors import PlyscopeError
from visualizer.app.programs.examples import CHANGES, EXAMPLE_FILE, read_example
from visualizer.app.programs.program_files import (
    MAX_TEXT_CHARS,
    MAX_TOTAL_BYTES,
    PASTED_NAME,
    BadProgram,
    Program,
    is_edit,
    read_program,
)
from visualizer.app.programs.program_runs import BUDGET_SECONDS, MAX_SECONDS, ProgramRun, run_queue
from visualizer.app.programs.search_preview import SearchPreview, preview_program, preview_search
from visualizer.app.state.program_access import are_programs_allowed, are_programs_isolated, find_visitor, has_right_token
from visualizer.app.state.session import current_session
from visualizer.app.state.uploads import take_uploads
from visualizer.narration.check_messages import describe_failure, describe_verdict, finding_title
from visualizer.narration.escapes import escape_page_markdown, sanitize_line
from visualizer.narration.numbers import format_count
from visualizer.viewer.code_editor import LineMark, show_code_editor

EDITOR_KEY, EXAMPLE = "program editor", "program example"
PROGRAM, VERSION, RUN, RESULT, JUDGED, BEFORE, OPTIONS, PROBLEM = (
    f"program {name}" for name in ("files", "version", "run", "result", "judged", "before", "options", "problem")
)
ROLE_NAMES = tuple(ArgumentRoles()._asdict())
AS_FOUND = "as found"
POLL_SECONDS = 0.5


class RunSummary(NamedTuple):
    """The findings and the counts of a run, to compare with the next one."""

    findings: dict[str, bool]  # by name: certain
    calls: int


def can_run_programs() -> bool:
    """Return True if this visitor may run programs on this server."""
    return has_right_token(dict(st.context.cookies))


def explain_missing_token() -> None:
    """Say how to run programs, on a server that does it for visitors with its token."""
    if are_programs_allowed():
        owner = "of your course" if are_programs_isolated() else "that Plyscope printed when it started"
        st.info(f"To run a program here, open the address with a token {owner}.", icon=":material/key:")


def show_program_form(open_finding: Any, selected: int) -> None:
    """Show everything about the program except its verdict. `open_finding` is called with the number of a clicked finding."""
    program = st.session_state.setdefault(PROGRAM, Program({PASTED_NAME: b""}, PASTED_NAME))
    run: ProgramRun | None = st.session_state.get(RUN)
    if problem := st.session_state.get(PROBLEM):
        st.error(escape_page_markdown(problem), icon=":material/error:")
    is_judged = st.session_state.get(JUDGED) == program.files
    findings = _list_findings() if is_judged else []  # their lines are those of the program that was run
    marked = [number for number, finding in enumerate(findings) if finding.line and _is_in_file(finding, program.shown)]
    kinds = {True: "certain", False: "likely"}
    marks = [
        LineMark(findings[n].line, kinds[findings[n].certain], sanitize_line(finding_title(findings[n].name))) for n in marked
    ]
    if not marks and (seen := preview_search(program.text)).problem and seen.line:
        marks = [LineMark(seen.line, "certain", "not valid Python")]
    show_code_editor(
        program.files,
        program.shown,
        f"{st.session_state.get(VERSION, 0)} {program.shown}",
        marks,
        EDITOR_KEY,
        _start_run,
        lambda number: open_finding(marked[number]) if marked else None,
        _choose_file,
        _open_files,
        _restore_files,
        MAX_TEXT_CHARS,
        MAX_TOTAL_BYTES,
        locked=run is not None,
        scroll_to=findings[selected].line if selected in marked else 0,
    )
    if st.session_state.get(RESULT) is not None and not is_judged:
        st.caption("The result shown is that of the last run, before your change.")
    if run is not None:
        _show_progress()
        return
    _show_search(program)
    _show_failure()
    _show_changes()


# ---- the files


def show_program_sources() -> None:
    """Show the examples, and the field for files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.pills("Examples", list(CHANGES), key=EXAMPLE, label_visibility="collapsed", on_change=_open_example)
        with st.popover("Open files", icon=":material/upload_file:"):
            key = f"program upload {st.session_state.get(VERSION, 0)}"
            st.file_uploader(
                "One or more .py files, a notebook (.ipynb), or a .zip with a folder",
                type=["py", "ipynb", "zip"],
                accept_multiple_files=True,
                key=key,
                max_upload_size=5,
                on_change=_open_uploads,
                args=(key,),
            )


def _open_example() -> None:
    if name := st.session_state.get(EXAMPLE):
        _set_program(Program({EXAMPLE_FILE: read_example(name).encode()}, EXAMPLE_FILE))
        _submit_run()


def _open_uploads(key: str) -> None:
    _open_files([(name, data) for data, name in take_uploads(key)])


def _open_files(files: list[tuple[str, bytes]]) -> None:
    try:
        _set_program(read_program(files))
        st.session_state[EXAMPLE] = None
    except BadProgram as error:
        st.session_state[PROBLEM] = str(error)
        st.session_state[VERSION] = st.session_state.get(VERSION, 0) + 1


def _set_program(program: Program) -> None:
    _cancel_run()
    for name in (RESULT, JUDGED, BEFORE, OPTIONS, PROBLEM, "run opened"):
        st.session_state.pop(name, None)
    st.session_state[PROGRAM] = program
    st.session_state[VERSION] = st.session_state.get(VERSION, 0) + 1


def _choose_file(name: str, text: str) -> None:
    """Show another file. The text of the one that was shown is kept as it is now."""
    program: Program = st.session_state[PROGRAM]
    try:
        st.session_state[PROGRAM] = program.replace_text(_check_text(text)).show(name)
        st.session_state.pop(PROBLEM, None)
    except BadProgram as error:
        st.session_state[PROBLEM] = str(error)


def _restore_files(files: list[tuple[str, bytes]], shown: str) -> None:
    """Open the files that the browser has kept. If that fails, its editor goes on to show the text."""
    try:
        _set_program(read_program(files).show(shown))
    except BadProgram as error:
        st.session_state[PROBLEM] = str(error)


def _check_text(text: str) -> str:
    if len(text) > MAX_TEXT_CHARS:
        raise BadProgram(f"the program has more than {MAX_TEXT_CHARS:,} characters")
    return text


# ---- running


def _start_run(text: str) -> None:
    """Run the text of the editor. A text that is no edit of what ran before is another program, without its name and result."""
    st.session_state.pop(PROBLEM, None)
    before: Program = st.session_state[PROGRAM]
    try:
        program = before.replace_text(_check_text(text))
    except BadProgram as error:
        st.session_state[PROBLEM] = str(error)
        return
    if not program.text.strip():
        st.session_state[PROBLEM] = "The editor is empty. Paste a Python program, open its files, or choose an example."
        return
    if program != before:
        st.session_state[EXAMPLE] = None
    if is_edit(before.text, text) or not before.text:
        st.session_state[PROGRAM] = program
    else:
        _set_program(program if len(program.files) > 1 else Program({PASTED_NAME: program.files[program.shown]}, PASTED_NAME))
    _submit_run()


def _submit_run() -> None:
    if not can_run_programs() or st.session_state.get(RUN) is not None:  # one at a time
        return
    program: Program = st.session_state[PROGRAM]
    options = st.session_state.get(OPTIONS, {})
    request = CheckRequest(
        program.shown,
        options.get("function"),
        options.get("call"),
        options.get("roles", {}),
        MAX_SECONDS,
        files=program.files,
        target=program.shown,
        isolated=are_programs_isolated(),
    )
    session, is_connected = current_session()
    visitor = find_visitor(dict(st.context.cookies)) if are_programs_isolated() else session  # at home each tab may run one
    run = ProgramRun(request, visitor, is_connected)
    try:
        run_queue().submit(run)
        st.session_state[RUN] = run
    except PlyscopeError as error:
        st.session_state[PROBLEM] = str(error)


def _cancel_run() -> None:
    run: ProgramRun | None = st.session_state.pop(RUN, None)
    if run is not None:
        run.cancel()


@st.fragment(run_every=POLL_SECONDS)
def _show_progress() -> None:
    run: ProgramRun | None = st.session_state.get(RUN)
    if run is None:
        return
    if run.wait(0):
        _finish_run(run)
        st.rerun()
    waiting = run_queue().place(run)
    words = (
        f"Waiting: {format_count(waiting, 'program')} before yours"
        if waiting
        else f"Running: {run.seconds:.0f} of at most {MAX_SECONDS:.0f} seconds"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(run.seconds / MAX_SECONDS, 1.0), words)
        if st.button("Cancel", icon=":material/stop_circle:", key="program cancel"):
            _cancel_run()
            st.rerun()  # the whole page: the editor takes changes again


def _finish_run(run: ProgramRun) -> None:
    """Keep the result of a run that has ended, and the summary of the one before."""
    st.session_state.pop(RUN, None)
    before: CheckedProgram | None = st.session_state.get(RESULT)
    if before is not None and before.answer.rows is not None:
        st.session_state[BEFORE] = _summarize(before)
    st.session_state["run opened"] = None  # frees the memory of the run before
    st.session_state[RESULT], st.session_state[JUDGED] = run.checked, run.request.files
    opened = st.session_state["run opened"] = run.open_result()
    if run.failed:
        st.session_state[PROBLEM] = run.failed
    elif opened is not None and opened.refused:
        st.session_state[PROBLEM] = f"the program ran, but its recorded search cannot be shown: {opened.refused}"
        st.session_state[RESULT] = None  # it may be large


# ---- what was found


def _show_search(program: Program) -> None:
    """Say which search was found, and offer what can be chosen instead."""
    options = st.session_state.get(OPTIONS, {})
    if not program.text.strip():
        st.caption("Paste your minimax or alpha-beta program in Python above, open its files, or choose an example.")
        return
    seen = preview_program(program, options.get("function"))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(escape_page_markdown(f"Search: {seen.sentence.rstrip('.?')}."))
        if seen.all_functions:
            with st.popover("How it is run", icon=":material/tune:"):
                _ask_for_options(seen, options)
    st.caption(
        f"It runs in a process of its own: {MAX_SECONDS:.0f} seconds, 1 GB of memory, no network, a temporary folder."
        + (f" Your programs may run for {BUDGET_SECONDS / 60:.0f} minutes an hour." if are_programs_isolated() else "")
    )


def _ask_for_options(seen: SearchPreview, options: dict[str, Any]) -> None:
    version = st.session_state.get(VERSION, 0)

    def choose(label: str, choices: tuple[str, ...], chosen: str | None, found: str | None = None) -> str | None:
        listed = [AS_FOUND, *choices]
        at = listed.index(chosen) if chosen in listed else 0
        words = AS_FOUND if found is None else f"{AS_FOUND}: {found}"
        answer = st.selectbox(
            label, listed, at, key=f"program option {label} {version}", format_func=lambda one: words if one == AS_FOUND else one
        )
        return None if answer == AS_FOUND else answer

    function = choose("Function that searches", seen.all_functions, options.get("function"))
    call = choose("Call that starts it", seen.calls, options.get("call"))
    found = _find_roles()
    roles = {
        role: choose(f"Role: {role}", seen.arguments, options.get("roles", {}).get(role), found.get(role)) for role in ROLE_NAMES
    }
    chosen = {"function": function, "call": call, "roles": {role: name for role, name in roles.items() if name}}
    if chosen != {"function": None, "call": None, "roles": {}} or options:
        st.session_state[OPTIONS] = chosen
    st.button("Run again", key="program again", on_click=_submit_run)


def _find_roles() -> dict[str, str]:
    """Return the arguments by their roles, as the last run has understood them."""
    result: CheckedProgram | None = st.session_state.get(RESULT)
    found = next(iter(result.verdict.roles.values()), None) if result is not None else None
    return {} if found is None else {role: name or "none" for role, name in found._asdict().items()}


def _show_failure() -> None:
    """Say why a program could not be run."""
    result: CheckedProgram | None = st.session_state.get(RESULT)
    if result is None or result.answer.rows is not None:
        return
    verdict, answer = result
    st.warning(escape_page_markdown(f"{describe_verdict(verdict).capitalize()}: {verdict.reason}."), icon=":material/warning:")
    lines = [line for line in describe_failure(verdict, answer) if not line.startswith("try: ")]
    st.markdown("\n".join(f"- {escape_page_markdown(line)}" for line in lines))
    if answer.hint:
        was_tried = any(line.startswith(answer.hint) for line in answer.tried)
        if was_tried:
            st.markdown("Add a line at the end of the program that starts the search at a position with moves. It has this form:")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.code(sanitize_line(answer.hint), language="python")
            if not was_tried:
                st.button("Try this call", key="program hint", on_click=_try_call, args=(answer.hint,))


def _try_call(call: str) -> None:
    st.session_state[OPTIONS] = {**st.session_state.get(OPTIONS, {}), "call": call}
    _submit_run()


def _show_changes() -> None:
    """Say what changed since the run before."""
    before, result = st.session_state.get(BEFORE), st.session_state.get(RESULT)
    if before is None or result is None or result.answer.rows is None:
        return
    st.info(escape_page_markdown(describe_changes(before, _summarize(result))), icon=":material/compare_arrows:")


def describe_changes(before: RunSummary, after: RunSummary) -> str:
    """Return what changed between two runs, in one line.

    >>> describe_changes(RunSummary({"no-cutoff": True}, 90), RunSummary({"starts-at-zero": False}, 50))
    'Compared with the run before. No longer found: No cutoff. New: Starting value is too tight. Calls: 90 before, 50 now.'
    """
    gone = [finding_title(name) for name in before.findings if name not in after.findings]
    new = [finding_title(name) for name in after.findings if name not in before.findings]
    parts = [f"No longer found: {', '.join(gone)}"] * bool(gone) + [f"New: {', '.join(new)}"] * bool(new)
    if not parts:
        parts = ["The findings are the same"]
    calls = (
        f"Calls: {before.calls:,} before, {after.calls:,} now"
        if before.calls != after.calls
        else f"Calls: {after.calls:,}, as before"
    )
    return f"Compared with the run before. {'. '.join([*parts, calls])}."


def _summarize(checked: CheckedProgram) -> RunSummary:
    return RunSummary({finding.name: finding.certain for finding in checked.verdict.findings}, checked.verdict.rows)


def _list_findings() -> list[Finding]:
    result: CheckedProgram | None = st.session_state.get(RESULT)
    return [] if result is None else result.verdict.findings


def _is_in_file(finding: Finding, shown: str) -> bool:
    return finding.file in ("", shown) or shown.endswith(f"/{finding.file}")
