"""What is said about a student's search that was watched: on the command line, in reports and on the page."""

from engine.checker.diagnosis.mistakes import MISTAKES
from engine.checker.recording.wire_format import SeenColumns
from engine.checker.sandbox.worker_protocol import Answer
from engine.checker.verdict import NOT_RUN, RIGHT, UNSURE, WRONG, AgainstOurs, Difference, Finding, Verdict
from visualizer.narration.numbers import number

HEADLINES = {
    RIGHT: "nothing wrong was found",
    WRONG: "something is wrong",
    UNSURE: "nothing certain can be said",
    NOT_RUN: "it could not be run",
}


def what_was_run(verdict: Verdict, answer: Answer) -> list[str]:
    """The call, the functions, what their arguments mean, how many calls that made."""
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


def beside_ours(ours: AgainstOurs) -> list[tuple[str, str]]:
    """What our own search of the position says, as names and words."""
    words = {True: "the same", False: "another one", None: "not comparable"}
    return [
        ("value", words[ours.value_equal]),
        ("move", words[ours.move_equal]),
        ("calls", f"{ours.nodes:,}; ours: {ours.reference_nodes:,}"),
        ("counted", ours.convention),
    ]


def parting(found: Difference) -> str:
    """Where the two searches part."""
    at = f"at call {found.row:,}" if found.row >= 0 else "at the first position"
    return f"The two part first {at}: {found.what}."


def explained(finding: Finding) -> str:
    """What the mistake is, in two sentences."""
    return MISTAKES.get(finding.name, "")


def how_sure(finding: Finding) -> str:
    return f"{'certain' if finding.certain else 'likely'}{f', {finding.times:,} times' if finding.times > 1 else ''}"


def first_shown(finding: Finding, answer: Answer, columns: SeenColumns) -> str:
    """The call where it shows, with its window; what is wrong there; what it cost."""
    said = finding.sentence[:1].upper() + finding.sentence[1:].rstrip(".")
    return f"{_where(finding.row, answer, columns)}{said}.{f' Wasted: {finding.cost}.' if finding.cost else ''}"


def _where(row: int, answer: Answer, columns: SeenColumns) -> str:
    if not 0 <= row < len(columns.depth):
        return ""
    window = ""
    if any(roles.alpha for roles in answer.roles.values()):
        window = f" with the window {number(columns.alpha[row])} to {number(columns.beta[row])}"
    return f"First at call {row:,}{window}: "


def board_at(row: int, columns: SeenColumns) -> str:
    """The board at a call, as text; empty where there is none."""
    return columns.boards[columns.board[row]] if 0 <= row < len(columns.depth) else ""


OF_THE_ROOT = ("root-fresh-window", "tie-takes-bound")  # mistakes of the loop over the first moves


def row_in_tree(finding: Finding, row_above: bool) -> int:
    """Where a finding shows in the tree, which may have a row above all calls; below 0 where it shows nowhere."""
    if finding.row < 0:
        return finding.row
    return 0 if row_above and finding.name in OF_THE_ROOT else finding.row + row_above
