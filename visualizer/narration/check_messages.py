"""Texts about a checked program of a student, for the command line, reports and the page."""

import re
import textwrap

from engine.checker.diagnosis.mistakes import MISTAKES, VARIANTS
from engine.checker.recording.wire_format import CallColumns
from engine.checker.sandbox.worker_protocol import Answer
from engine.checker.verdict import (
    NOT_RUN,
    NOTHING_FOUND,
    SUSPICIOUS,
    WASTEFUL,
    WASTEFUL_MISTAKES,
    WRONG,
    Difference,
    Finding,
    ReferenceComparison,
    Verdict,
)
from visualizer.narration.numbers import format_count, format_number

NAME_SIGNS = "_(["  # in a word that is a name of a program
QUOTED_LINES = 3  # of the source, with the line to look at in the middle
RECORDED_ONLY = "a Monte Carlo tree search: recorded, not judged"
MAX_QUOTED_CHARS = 160  # of one of them
ROLE_WORDS = {
    "state": "the position",
    "depth": "the depth",
    "alpha": "alpha",
    "beta": "beta",
    "side": "the side to move",
}
HEADLINES = {
    NOTHING_FOUND: "nothing wrong was found",
    WRONG: "something is wrong",
    SUSPICIOUS: "something looks wrong",
    WASTEFUL: "the search wastes calls",
    NOT_RUN: "the program could not be run",
}


def describe_verdict(verdict: Verdict) -> str:
    """Return the headline. Where nothing wrong was found it says how much was looked at, and what was not."""
    if verdict.verdict != NOTHING_FOUND:
        return HEADLINES[verdict.verdict]
    if verdict.is_only_recorded:
        return RECORDED_ONLY
    positions = "one position" if verdict.positions == 1 else f"{verdict.positions} positions"
    missing = list_missing_topics(verdict)
    headline = f"{HEADLINES[NOTHING_FOUND]} in {verdict.calls:,} calls from {positions}"
    return f"{headline}; not looked at: {', '.join(missing)}" if missing else headline


def capitalize_reason(reason: str) -> str:
    """Return a reason as a sentence of its own. One that begins with a call or a name of the program keeps its first letter.

    >>> capitalize_reason("no call could be run alone"), capitalize_reason("minimax(board, 4): stopped")
    ('No call could be run alone', 'minimax(board, 4): stopped')
    """
    first = reason.partition(" ")[0]
    return reason[:1].upper() + reason[1:] if first.isalpha() and first.islower() else reason


def list_missing_topics(verdict: Verdict) -> list[str]:
    """Return what was not looked at, without the reasons.

    >>> list_missing_topics(Verdict("ai.py", not_looked_at=["the rules of the game: this game is not known"]))
    ['the rules of the game']
    """
    return list(dict.fromkeys(line.partition(":")[0] for line in verdict.not_looked_at))


def describe_run(verdict: Verdict, answer: Answer) -> list[str]:
    """Return lines on the run: the call, the functions, the meaning of their arguments, the number of calls."""
    lines = [f"run: {answer.started}{f' = {answer.result}' if answer.result not in ('', 'None') else ''}; {verdict.rows:,} calls"]
    for name, roles in verdict.roles.items():
        known = ", ".join(f"{role} = {argument}" for role, argument in roles._asdict().items() if argument is not None)
        lines.append(f"{name}: {known or 'no argument was recognized'}")
    if answer.root is not None:
        lines.append(f"loop over the first moves: {answer.root.name}")
    lines.append(f"score: {verdict.score or 'not found'}{', negated from call to call (negamax)' if verdict.negamax else ''}")
    if verdict.variants:
        lines.append(f"variants: {', '.join(verdict.variants)}")
    if answer.pretended:
        lines.append(_describe_stand_ins(answer.pretended))
    return [*lines, *map(describe_doubt, verdict.doubts)]


def describe_start(verdict: Verdict, answer: Answer) -> str:
    """Say in one sentence what was run."""
    return f"What was run: {answer.started}. It made {format_count(verdict.rows, 'call')}."


def describe_details(verdict: Verdict, answer: Answer) -> list[str]:
    """Return lines on the run in plain words, for the page: the result, the arguments, how the search works."""
    lines = [f"The search returned {answer.result}."] if answer.result not in ("", "None") else []
    for name, roles in verdict.roles.items():
        found = {role: argument for role, argument in roles._asdict().items() if argument is not None}
        known = [f"{argument} is {ROLE_WORDS[role]}" for role, argument in found.items() if argument != role]
        same = [argument for role, argument in found.items() if argument == role]
        known += [f"{' and '.join(same)} {'are' if len(same) > 1 else 'is'} what the name says"] * bool(same)
        lines.append(f"{name}: {', '.join(known) or 'no argument was recognized'}.")
    if answer.root is not None:
        lines.append(f"The loop over the first moves is in {answer.root.name}.")
    place = verdict.score.replace("result", "the result", 1) if verdict.score else "not found"
    lines.append(f"The score of a call: {place}{', negated from call to call (negamax)' if verdict.negamax else ''}.")
    lines += [VARIANTS[name] for name in verdict.variants if name in VARIANTS]
    if answer.pretended:
        lines.append(f"{_capitalize(_describe_stand_ins(answer.pretended))}.")
    return [*lines, *(_capitalize(describe_doubt(line)) for line in verdict.doubts)]


def describe_failure(verdict: Verdict, answer: Answer) -> list[str]:
    """Return lines on a program that could not be run: the search, what was tried, the stand-ins, a command to type."""
    lines = [f"found: {', '.join(answer.functions)} ({answer.place})"] if answer.place else []
    lines += [f"tried: {attempt}" for attempt in answer.tried]
    if answer.pretended:
        lines.append(_describe_stand_ins(answer.pretended))
    return lines + ([f"try: {verdict.hint}"] if verdict.hint else [])


def describe_doubt(line: str) -> str:
    """Describe a line that may reach into the checker.

    >>> describe_doubt("ai.py:3 looks into the memory")
    'read this line: ai.py:3 looks into the memory'
    """
    return f"read this line: {line}"


def _describe_stand_ins(packages: list[str]) -> str:
    """Describe the packages that were not imported.

    >>> _describe_stand_ins(["pygame"]), _describe_stand_ins(["numba", "pygame"])
    ('pygame was replaced by a stand-in', 'numba, pygame were replaced by stand-ins')
    """
    return f"{', '.join(packages)} {'was replaced by a stand-in' if len(packages) == 1 else 'were replaced by stand-ins'}"


def reference_rows(ours: ReferenceComparison) -> list[tuple[str, str]]:
    """Return the comparison with our own search of the position, as pairs of a name and a text."""
    words = {True: "the same", False: "different", None: "not comparable"}
    return [
        ("value", words[ours.value_equal]),
        ("move", words[ours.move_equal]),
        ("calls", f"{ours.nodes:,}; our search: {ours.reference_nodes:,}"),
        ("comparison", ours.convention),
    ]


def describe_first_difference(found: Difference) -> str:
    """Describe the first difference between the two searches."""
    at = f"at call {found.row:,}" if found.row >= 0 else "at the first position"
    return f"The two searches first differ {at}: {found.what}."


DIFFERENCE_SIDE_NAMES = ("your program", "our search")


FINDING_TITLES = {  # for buttons and captions; JSON and CSV keep the names
    "root-fresh-window": "First moves share one window",
    "window-not-passed": "Window is not passed on",
    "window-not-updated": "Bound is never updated",
    "wrong-bound-updated": "Wrong bound is changed",
    "wrong-bound-compared": "Cutoff uses the wrong bound",
    "cut-too-early": "Skips moves without a cutoff",
    "no-cutoff": "No cutoff",
    "inner-break": "Cutoff leaves only one loop",
    "window-swapped": "Window is swapped",
    "bound-loosened": "Bound moves back",
    "calls-plain-minimax": "Calls a search without a window",
    "sides-swapped": "MAX and MIN are swapped",
    "sides-do-not-alternate": "Sides do not take turns",
    "sign-lost": "Minus sign is missing",
    "leaf-viewpoint": "Leaves are scored for the wrong side",
    "returns-last-child": "Returns the last score",
    "returns-too-soon": "Returns after the first move",
    "value-unexplained": "Score is not the best of the moves",
    "starts-at-zero": "Starting value is too tight",
    "depth-not-reduced": "Depth does not change",
    "depth-by-two": "Depth changes by two",
    "off-by-one": "One move too far or too short",
    "terminal-not-tested": "End of the game is not noticed",
    "depth-before-win": "Depth limit hides a win",
    "win-lines-missing": "Test for a win misses lines",
    "not-undone": "Move is not taken back",
    "shared-board": "Moves share one board",
    "searched-twice": "Same move is searched twice",
    "move-not-tracked": "Best move is not returned",
    "move-overwritten": "Best move is overwritten",
    "no-move-when-lost": "No move when every move loses",
    "tie-takes-bound": "Tie is broken by a bound",
    "table-wrong": "Table gives a wrong score",
    "evaluation-inconsistent": "Evaluation is not consistent",
    "weights-forgotten": "Outcomes are not weighed",
    "integer-division": "Average is rounded",
    "average-over-pruned": "Average over pruned outcomes",
    "chance-cut": "Cutoff at a chance node",
    "average-missing": "Average is missing",
    "round-cut-short": "Rounds are cut short",
    "evaluation-ignores-sides": "Evaluation ignores the sides",
    "extra-turn-ignored": "Extra turn is ignored",
    "slow-win": "Slow win counts as much as a fast one",
    "terminal-wrong-player": "End of the game asks the wrong player",
    "missing-return": "Nothing is returned",
    "raises": "Search stops with an error",
    "infinite-or-huge": "Search does not end",
}


def finding_title(name: str) -> str:
    """Return the title of a finding.

    >>> finding_title("no-cutoff"), finding_title("from-a-later-version")
    ('No cutoff', 'From a later version')
    """
    return FINDING_TITLES.get(name) or _capitalize(name.replace("-", " "))


def describe_problem(finding: Finding) -> str:
    """Say what is wrong with the program. The words of a likely finding leave room for doubt."""
    mistake = MISTAKES.get(finding.name)
    if mistake is None:
        return ""
    return mistake.problem if finding.certain else f"It looks as if your {mistake.problem.removeprefix('Your ')}"


def describe_place(finding: Finding) -> str:
    """Return the file and the line to look at, or an empty text if the line is not known.

    >>> describe_place(Finding("no-cutoff", True, 0, 1, "", file="ai.py", line=12))
    'ai.py:12'
    """
    return f"{finding.file}:{finding.line}" if finding.file and finding.line else ""


def quote_source(finding: Finding, answer: Answer) -> str:
    """Return the line to look at between its neighbours, with line numbers. It is empty if the source is not known."""
    fitting = (
        source
        for source in answer.sources
        if source.file in ("", finding.file) and 0 <= finding.line - source.first_line < len(source.lines)
    )
    source = next(fitting, None)
    if source is None or not finding.line:
        return ""
    at = finding.line - source.first_line
    first = max(0, min(at - 1, len(source.lines) - QUOTED_LINES))
    quoted = source.lines[first : first + QUOTED_LINES]
    width = len(str(source.first_line + first + QUOTED_LINES))
    return "\n".join(
        f"{'>' if first + number == at else ' '} {source.first_line + first + number:{width}}  {line}"[:MAX_QUOTED_CHARS]
        for number, line in enumerate(textwrap.dedent("\n".join(quoted).expandtabs(4)).split("\n"))
    )


def describe_proof(finding: Finding) -> str:
    """Say how a finding was proved. It is empty if there was no experiment."""
    return f"Proof: {format_windows(_capitalize(finding.proof).rstrip('.'))}." if finding.proof else ""


def describe_fix(finding: Finding) -> str:
    """Say what to change."""
    mistake = MISTAKES.get(finding.name)
    return "" if mistake is None else f"What to change: {mistake.fix}"


def explain_mistake(name: str) -> str:
    """Explain a mistake to a reader who has not written the program, such as a teacher."""
    mistake = MISTAKES.get(name)
    return "" if mistake is None else f"{mistake.general_problem} {mistake.fix}"


def describe_certainty(finding: Finding) -> str:
    """Return how certain a finding is, and how often it occurs."""
    return f"{'certain' if finding.certain else 'likely'}{f', {finding.times:,} times' if finding.times > 1 else ''}"


def describe_first_call(finding: Finding, answer: Answer, columns: CallColumns) -> str:
    """Describe the first call with the mistake: the call, the function, the evidence, and what it cost."""
    place = _describe_call(finding, answer, columns)
    sentence = _capitalize(f"{place}, {finding.sentence}" if place else finding.sentence)
    return f"{format_windows(sentence.rstrip('.'))}.{_describe_cost(finding)}"


def format_windows(sentence: str) -> str:
    """Write the windows of a sentence as the viewer does.

    >>> format_windows("the window of this call is (-inf, 3), but the move (0, 1) has narrowed it to (-1, 3)")
    'the window of this call is −∞ to 3, but the move (0, 1) has narrowed it to −1 to 3'
    """
    words = r"(?<=window )|(?<=window of this call is )|(?<=narrowed it to )|(?<=passes on )|(?<=becomes )|(?<=gets )"
    number = r"(-?inf|-?[\d.]+(?:e[+-]?\d+)?)"
    windows = rf"(?:{words})\({number}, {number}\)|\((-inf), {number}\)|\({number}, (inf)\)"
    sentence = re.sub(windows, lambda seen: " to ".join(filter(None, seen.groups())).replace("-", "−"), sentence)
    return re.sub(r"(?<!\w)([-−]?)inf\b", lambda seen: "−∞" if seen[1] else "∞", sentence)


def _describe_cost(finding: Finding) -> str:
    if not finding.cost:
        return ""
    return f" Wasted: {finding.cost}." if finding.name in WASTEFUL_MISTAKES else f" {_capitalize(finding.cost)}."


def _capitalize(sentence: str) -> str:
    """Begin a sentence with a capital letter, but not a name of the program.

    >>> _capitalize("nothing defines it"), _capitalize("max_value takes 3 arguments")
    ('Nothing defines it', 'max_value takes 3 arguments')
    """
    if not set(NAME_SIGNS).isdisjoint(sentence.partition(" ")[0]):
        return sentence
    return sentence[:1].upper() + sentence[1:]


def _describe_call(finding: Finding, answer: Answer, columns: CallColumns) -> str:
    row = finding.row
    if not 0 <= row < len(columns.depth):
        return ""
    window = ""
    if any(roles.alpha for roles in answer.roles.values()) and "the window of this call is" not in finding.sentence:
        window = f" (window {format_number(columns.alpha[row])} to {format_number(columns.beta[row])})"
    return f"{'first ' if finding.times > 1 else ''}at call {row:,}{window}"


def find_board(finding: Finding, columns: CallColumns) -> str:
    """Return the board at the call of a finding as text, or an empty text if there is none."""
    row = finding.row
    return finding.board or (columns.boards[columns.board[row]] if 0 <= row < len(columns.depth) else "")


ROOT_MISTAKES = ("root-fresh-window", "tie-takes-bound")  # mistakes of the loop over the first moves


def find_tree_row(finding: Finding, row_above: bool) -> int:
    """Return the row of a finding in the tree, which may have a row above all calls. It is below 0 if there is none."""
    if finding.row < 0:
        return finding.row
    return 0 if row_above and finding.name in ROOT_MISTAKES else finding.row + row_above
