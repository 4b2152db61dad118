"""`plyscope check -o run.json`: a recorded run as a file that the app opens. Everything in it is checked when it is read."""

from typing import NamedTuple

import msgspec

from engine.checker.check import build_verdict
from engine.checker.recorded_tree import build_tree, has_extra_root
from engine.checker.recording.wire_format import BadRun
from engine.checker.sandbox.worker_protocol import Answer
from engine.checker.verdict import ReferenceComparison, Verdict
from engine.tree.tree import SearchTree

FORMAT_VERSION = 1
MAX_RUN_FILE_BYTES = 5_000_000
MAX_OUTPUT_CHARS = 120_000  # of the output of the program
MAX_TEXT_CHARS = 2_000  # of any other text
MAX_FINDINGS = 500


class RunFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The content of a run file."""

    plyscope_run: int
    file: str
    answer: Answer
    reference: ReferenceComparison | None = None


class OpenedRun(NamedTuple):
    """A run file that was read: verdict, answer, tree, and the number of tree rows before the first call."""

    verdict: Verdict
    answer: Answer
    tree: SearchTree
    shift: int


def write_run_file(file: str, answer: Answer, reference: ReferenceComparison | None = None) -> bytes:
    """Return a recorded run as JSON."""
    return msgspec.json.encode(RunFile(FORMAT_VERSION, file, answer, reference))


def read_run_file(data: bytes) -> OpenedRun:
    """Read what `write_run_file` wrote. Raise BadRun for anything else."""
    if len(data) > MAX_RUN_FILE_BYTES:
        raise BadRun(f"the file has {len(data):,} bytes: at most {MAX_RUN_FILE_BYTES:,} are possible")
    try:
        found = msgspec.json.decode(data, type=RunFile)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadRun(f"this is not a file of plyscope check -o run.json ({str(error)[:120]})") from None
    if found.plyscope_run != FORMAT_VERSION:
        raise BadRun(f"the file has version {found.plyscope_run}, but this Plyscope reads version {FORMAT_VERSION}")
    answer = found.answer
    _check_answer(found.file, answer, found.reference)
    tree = build_tree(run_title(found.file, answer), answer)
    verdict = build_verdict(found.file, answer)
    verdict.reference = found.reference
    return OpenedRun(verdict, answer, tree, int(has_extra_root(answer)))


def run_title(file: str, answer: Answer) -> str:
    """Return the title of the tree: the functions and the file."""
    return f"{', '.join(answer.functions)[:60]} in {file}"


def _check_answer(file: str, answer: Answer, reference: ReferenceComparison | None) -> None:
    """Raise BadRun if a text is too long or a finding is at a call that does not exist."""
    if answer.rows is None:
        raise BadRun(f"no search was recorded: {answer.failed[:200] or 'the file has no calls'}")
    texts = [file, answer.score, answer.started, answer.stopped, answer.result, answer.failed, *answer.functions, *answer.tried,
             *answer.notes, *answer.pretended, *answer.variants, *answer.looked_at, *answer.not_looked_at]  # fmt: skip
    texts += [
        text
        for finding in answer.findings
        for text in (finding.name, finding.sentence, finding.cost, finding.file, finding.proof, finding.board)
    ]
    texts += list(answer.roles)
    texts += [name for roles in answer.roles.values() for name in roles if name is not None]
    texts += [line for source in answer.sources for line in (source.name, source.file, *source.lines)]
    if reference is not None:
        texts += [reference.convention]
        if (found := reference.difference) is not None:
            texts += [found.what, *found.theirs, *found.ours]
            if not -1 <= found.row < answer.rows.count:
                raise BadRun("the first difference of the file is at a call that does not exist")
    if answer.root is not None:
        texts += [answer.root.name, answer.root.board, answer.root.result]
    if (
        len(texts) > 20 * MAX_FINDINGS
        or any(len(text) > MAX_TEXT_CHARS for text in texts)
        or len(answer.prints) > MAX_OUTPUT_CHARS
    ):
        raise BadRun("a text in the file is too long")
    if not answer.functions or not answer.sources or len(answer.findings) > MAX_FINDINGS:
        raise BadRun("the file has no function, or too many findings")
    if any(not -1 <= finding.row < answer.rows.count or finding.times < 0 for finding in answer.findings):
        raise BadRun("a finding of the file is at a call that does not exist")
    if any(finding.line < 0 for finding in answer.findings):
        raise BadRun("a finding of the file is at a line that does not exist")
    if not 0 <= answer.seconds < 1e6:
        raise BadRun("the running time in the file is impossible")
