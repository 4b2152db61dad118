"""Texts about a checked program of a student, for the command line, reports and the page."""

from engine.checker.diagnosis.mistakes import MISTAKES
from engine.checker.recording.wire_format import CallColumns
from engine.checker.sandbox.worker_protocol import Answer
from engine.checker.verdict import NOT_RUN, RIGHT, UNSURE, WRONG, Difference, Finding, ReferenceComparison, Verdict
from visualizer.narration.numbers import format_number

HEADLINES = {
    RIGHT: "nothing wrong was found",
    WRONG: "something is wrong",
    UNSURE: "nothing certain can be said",
    NOT_RUN: "it could not be run",
}


def describe_run(verdict: Verdict, answer: Answer) -> list[str]:
    """Return lines on the run: the call, the functions, the meaning of their arguments, the number of calls."""
    lines = [f"run: {answer.started}{f' = {answer.result}' if answer.result not in ('', 'None') else ''}; {verdict.rows:,} calls"]
    for name, roles in verdict.roles.items():
        known = ", ".join(f"{role} = {argument}" for role, argument in roles._asdict().items() if argument is not None)
        lines.append(f"{name}: {known or 'no argument is understood'}")
    if answer.root is not None:
        lines.append(f"the loop over the first moves: {answer.root.name}")
    lines.append(f"score: {verdict.score or 'not found'}{', negated from call to call (negamax)' if verdict.negamax else ''}")
    if verdict.variants:
        lines.append(f"written as: {', '.join(verdict.variants)}")
    if answer.pretended:
        lines.append(f"only pretended to be there: {', '.join(answer.pretended)}")
    return lines


def reference_rows(ours: ReferenceComparison) -> list[tuple[str, str]]:
    """Return the comparison with our own search of the position, as pairs of a name and a text."""
    words = {True: "the same", False: "another one", None: "not comparable"}
    return [
        ("value", words[ours.value_equal]),
        ("move", words[ours.move_equal]),
        ("calls", f"{ours.nodes:,}; ours: {ours.reference_nodes:,}"),
        ("counted", ours.convention),
    ]


def describe_first_difference(found: Difference) -> str:
    """Describe the first difference between the two searches."""
    at = f"at call {found.row:,}" if found.row >= 0 else "at the first position"
    return f"The two part first {at}: {found.what}."


def explain_mistake(finding: Finding) -> str:
    """Explain the mistake in two sentences."""
    return MISTAKES.get(finding.name, "")


def describe_certainty(finding: Finding) -> str:
    """Return how certain a finding is, and how often it occurs."""
    return f"{'certain' if finding.certain else 'likely'}{f', {finding.times:,} times' if finding.times > 1 else ''}"


def describe_first_call(finding: Finding, answer: Answer, columns: CallColumns) -> str:
    """Describe the first call with the mistake: its window, the fault, and its cost."""
    said = finding.sentence[:1].upper() + finding.sentence[1:].rstrip(".")
    return f"{_describe_call(finding.row, answer, columns)}{said}.{f' Wasted: {finding.cost}.' if finding.cost else ''}"


def _describe_call(row: int, answer: Answer, columns: CallColumns) -> str:
    if not 0 <= row < len(columns.depth):
        return ""
    window = ""
    if any(roles.alpha for roles in answer.roles.values()):
        window = f" with the window {format_number(columns.alpha[row])} to {format_number(columns.beta[row])}"
    return f"First at call {row:,}{window}: "


def find_board(row: int, columns: CallColumns) -> str:
    """Return the board at a call as text, or an empty text if there is none."""
    return columns.boards[columns.board[row]] if 0 <= row < len(columns.depth) else ""


ROOT_MISTAKES = ("root-fresh-window", "tie-takes-bound")  # mistakes of the loop over the first moves


def find_tree_row(finding: Finding, row_above: bool) -> int:
    """Return the row of a finding in the tree, which may have a row above all calls. It is below 0 if there is none."""
    if finding.row < 0:
        return finding.row
    return 0 if row_above and finding.name in ROOT_MISTAKES else finding.row + row_above
