"""`plyscope check -o run.json`: what was seen of a program, as a file that the app opens. Everything in it is checked."""

from typing import NamedTuple

import msgspec

from engine.checker.check import verdict_of
from engine.checker.recorded_tree import has_row_above, tree_of
from engine.checker.recording.wire_format import BadRun
from engine.checker.sandbox.worker_protocol import Answer
from engine.checker.verdict import AgainstOurs, Verdict
from engine.tree.tree import SearchTree

VERSION = 1
LARGEST_FILE = 5_000_000  # bytes
LONGEST_TEXT = 120_000  # characters of what a program printed
MOST_WORDS = 2_000  # characters of any other text
MOST_LISTED = 500


class RunFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The file."""

    plyscope_run: int
    file: str
    answer: Answer
    reference: AgainstOurs | None = None


class OpenedRun(NamedTuple):
    """A file that was read: what is said, what it rests on, the tree, and how many of its rows stand before the first call."""

    verdict: Verdict
    answer: Answer
    tree: SearchTree
    shift: int


def to_run_file(file: str, answer: Answer, reference: AgainstOurs | None = None) -> bytes:
    """What was seen, as JSON."""
    return msgspec.json.encode(RunFile(VERSION, file, answer, reference))


def read_run_file(data: bytes) -> OpenedRun:
    """What `to_run_file` wrote; BadRun where it is anything else."""
    if len(data) > LARGEST_FILE:
        raise BadRun(f"the file has {len(data):,} bytes: {LARGEST_FILE:,} are the most")
    try:
        found = msgspec.json.decode(data, type=RunFile)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadRun(f"this is no file of plyscope check -o run.json ({str(error)[:120]})") from None
    if found.plyscope_run != VERSION:
        raise BadRun(f"the file is of version {found.plyscope_run}, and this Plyscope reads version {VERSION}")
    answer = found.answer
    _check(found.file, answer, found.reference)
    tree = tree_of(title(found.file, answer), answer)
    verdict = verdict_of(found.file, answer)
    verdict.reference = found.reference
    return OpenedRun(verdict, answer, tree, int(has_row_above(answer)))


def title(file: str, answer: Answer) -> str:
    return f"{', '.join(answer.functions)[:60]} in {file}"


def _check(file: str, answer: Answer, reference: AgainstOurs | None) -> None:
    if answer.rows is None:
        raise BadRun(f"nothing was seen of this program: {answer.failed[:200] or 'the file has no calls'}")
    texts = [file, answer.score, answer.started, answer.stopped, answer.result, answer.failed, *answer.functions, *answer.tried,
             *answer.notes, *answer.pretended, *answer.variants, *answer.looked_at, *answer.not_looked_at]  # fmt: skip
    texts += [text for finding in answer.findings for text in (finding.name, finding.sentence, finding.cost)]
    texts += list(answer.roles)
    texts += [name for roles in answer.roles.values() for name in roles if name is not None]
    texts += [line for source in answer.sources for line in (source.name, *source.lines)]
    if reference is not None:
        texts += [reference.convention]
        if (found := reference.difference) is not None:
            texts += [found.what, *found.theirs, *found.ours]
            if not -1 <= found.row < answer.rows.count:
                raise BadRun("the file parts from our search at a call that is not there")
    if answer.root is not None:
        texts += [answer.root.name, answer.root.board, answer.root.result]
    if len(texts) > 20 * MOST_LISTED or any(len(text) > MOST_WORDS for text in texts) or len(answer.prints) > LONGEST_TEXT:
        raise BadRun("the file holds a text that is too long")
    if not answer.functions or not answer.sources or len(answer.findings) > MOST_LISTED:
        raise BadRun("the file names no function, or too many findings")
    if any(not -1 <= finding.row < answer.rows.count or finding.times < 0 for finding in answer.findings):
        raise BadRun("a finding of the file is at a call that is not there")
    if not 0 <= answer.seconds < 1e6:
        raise BadRun("the file says no possible time")
