"""The Markdown guides of the project: their `plyscope` commands, the files that those need, and their links."""

import re
import shlex
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from tests.support.paths import ROOT

SKIPPED_FOLDERS = {"node_modules", "build", "dist", "venv"}
FENCE = re.compile(r"^ *(?P<mark>```+|~~~+) *(?P<language>[\w-]*)[^\n]*\n(?P<body>.*?)^ *(?P=mark) *$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|^ *\[[^\]]+\]: *<?([^\s>]+)|(?:href|src)=\"([^\"]*)\"", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
HTML_ANCHOR = re.compile(r"<[^>]* (?:id|name)=\"([^\"]+)\"")


class Command(NamedTuple):
    """A line of a guide that begins with `plyscope`."""

    arguments: tuple[str, ...]  # without `plyscope` itself
    line: str


@cache
def markdown_files():
    """Return all Markdown files of the project."""
    return [path for path in sorted(ROOT.rglob("*.md")) if not any(map(_is_skipped, path.relative_to(ROOT).parts[:-1]))]


def _is_skipped(folder):
    return folder in SKIPPED_FOLDERS or (folder.startswith(".") and folder != ".github")


def guide_files():
    """Return the files whose commands must run: all but the changelog and the files of the tests."""
    return [path for path in markdown_files() if path.relative_to(ROOT).parts[0] not in ("CHANGELOG.md", "tests")]


def command_blocks(path):
    """Return the commands of each `sh` block that has any, by its place (README.md:12)."""
    text, found = path.read_text(encoding="utf-8"), {}
    for block in FENCE.finditer(text):
        if block["language"] == "sh" and (commands := list(parse_commands(block["body"]))):
            found[f"{path.relative_to(ROOT).as_posix()}:{text.count(chr(10), 0, block.start()) + 1}"] = commands
    return found


def parse_commands(body):
    for line in body.replace("\\\n", " ").splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if words[:1] == ["plyscope"]:
            assert not {"|", "||", ">", ">>", "<", "&&", "&", ";"} & set(words), f"only plain commands can be run: {line.strip()}"
            yield Command(tuple(words[1:]), line.strip())


# ---- links


def relative_links(path):
    """Return the links of a Markdown file that lead to files of the project or to headings."""
    text = INLINE_CODE.sub("", FENCE.sub("", path.read_text(encoding="utf-8")))
    targets = ["".join(groups) for groups in LINK.findall(text)]
    return [target for target in targets if not re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE)]


def broken_links(path):
    """Return the relative links of a Markdown file whose file or heading does not exist."""
    return [link for link in relative_links(path) if not _leads_somewhere(path, link)]


def _leads_somewhere(path, link):
    file, _, anchor = unquote(link).partition("#")
    target = (path.parent / file).resolve() if file else path
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in list_anchors(target))


@cache
def list_anchors(path):
    """Return the names of the headings of a Markdown file, as GitHub makes them, and its HTML anchors."""
    text, found = FENCE.sub("", path.read_text(encoding="utf-8")), set()
    for heading in HEADING.findall(text):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        found.add(next(name for name in [name, *(f"{name}-{number}" for number in range(1, 100))] if name not in found))
    return found | set(HTML_ANCHOR.findall(text))


# ---- commands: the files they read, and small budgets

ONLY_PARSED = {"app", "play"}  # they do not end by themselves
BUDGETS = {
    "compare": ("--repeat", "1", "--max-nodes", "200000"),
    "evaluate": ("--positions", "3", "--depths", "1-2"),
    "exam": ("--variants", "2"),
    "tournament": ("--games", "1", "--depths", "1-2", "--jobs", "1"),
}
WRITING_OPTIONS = {"-o", "--output", "--key", "--store"}
TREE_TEXTS = {
    ".txt": "MAX\n  a1 -> MIN\n    3\n    12\n  a2 -> 8\n",
    ".tree": "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
    ".json": '{"children": [{"move": "a1", "children": [3, 12]}, {"move": "a2", "children": [8]}]}',
    ".dot": "digraph { A -> B; B -> {x y}; A -> C; C [label=8]; x [value=3]; y [value=12]; }",
}
STUDENT_PROGRAM = """
from math import inf

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    return next((board[a] for a, b, c in LINES if board[a] != " " and board[a] == board[b] == board[c]), None)


def minimax(board, depth, alpha, beta, maximizing):
    if winner(board):
        return 1 if winner(board) == "X" else -1
    if depth == 0 or " " not in board:
        return 0
    value = -inf if maximizing else inf
    for move in [cell for cell in range(9) if board[cell] == " "]:
        child = board[:move] + ("X" if maximizing else "O") + board[move + 1 :]
        score = minimax(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            value, alpha = max(value, score), max(alpha, score)
        else:
            value, beta = min(value, score), min(beta, score)
        if alpha >= beta:
            break
    return value


board = "X      O "
print(minimax(board, 9, -inf, inf, True))
"""


def small_arguments(arguments):
    """Return the arguments with a small budget. Of an option that is given twice the last value counts."""
    name = arguments[0]
    if name == "solve" and "--rungs" in arguments:
        return [*arguments, "--max-nodes", "20000"]
    if name == "tournament" and "--player" in arguments:  # named players have no depths
        return [*arguments, "--games", "1", "--jobs", "1"]
    return [*arguments, *BUDGETS.get(name, ())]


def is_run(arguments):
    """Return False for a command that is only parsed: it does not end by itself, or takes long whatever it is given."""
    return bool(arguments) and arguments[0] not in ONLY_PARSED and list(arguments) not in (["reproduce"], ["reproduce", "--json"])


def expand_patterns(arguments, folder):
    """Replace *.py by the names of files, as a shell does."""
    return [
        name for word in arguments for name in (sorted(path.name for path in folder.glob(word)) if _is_pattern(word) else [word])
    ]


def _is_pattern(word):
    return re.fullmatch(r"\*\.\w+", word) is not None


def write_needed_files(arguments, folder):
    """Write the files that a command reads and that the commands before it have not written."""
    name, *rest = arguments
    for before, word in zip([name, *rest], rest, strict=False):
        if before in WRITING_OPTIONS or word.startswith("-"):
            continue
        for file in [f"{stem}{word[1:]}" for stem in ("ada", "ben")] if _is_pattern(word) else [word]:
            path, colon, _ = file.partition(":")
            target = folder / path
            if not target.exists() and (content := _project_file(path) or _file_content(name, target.suffix, bool(colon))):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)


def _project_file(path):
    """Return the content of a file of the project that a command names by its path, or nothing."""
    return (ROOT / path).read_bytes() if "/" in path and (ROOT / path).is_file() else b""


def _file_content(command, suffix, is_game):
    if suffix == ".py" and command == "check" and not is_game:
        return STUDENT_PROGRAM.encode()
    if suffix == ".py":
        return (ROOT / "visualizer/cli/examples/sticks.py").read_bytes()
    if suffix == ".jsonl":
        return b'{"plyscope_trace": 1}\n{"id": 0, "side": "max", "value": 5}\n{"id": 1, "parent": 0, "side": "min", "value": 5}\n'
    if suffix == ".json" and command == "grade":
        return write_sample_summary()
    if suffix == ".parquet":
        return _tree_file()
    return TREE_TEXTS.get(suffix, "").encode() if command in ("search", "compare", "tournament") else b""


def write_sample_summary():
    from engine.learning.exercise import make_exercise
    from engine.learning.summary import record_answer, write_summary
    from tests.support.exercises import encode_answers

    return write_summary(encode_answers([record_answer(make_exercise("values", 1))]), "Ada")


def _tree_file():
    import tempfile

    from engine import preset, search
    from visualizer import export

    with tempfile.TemporaryDirectory() as folder:
        export(search(preset("k-tables"), "3", depth=3), Path(folder, "tree.parquet"))
        return Path(folder, "tree.parquet").read_bytes()
