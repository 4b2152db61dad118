"""Trees that the server opened from files when it started (`plyscope app --open`). They stay in memory while it runs."""

import hashlib
from urllib.parse import urlencode

from engine import PlyscopeError, Question, SearchTree
from engine.analysis.node_estimate import NodeEstimate
from engine.games.capabilities import declared_name
from engine.tree.external_tree import ExternalGame
from visualizer.app.state.url_params import read_search_params, search_params
from visualizer.pool.work_types import SearchOutcome

RUN_PARAM = "run"  # names the search of another program by its digest
_OPENED: dict[Question, SearchOutcome] = {}
_OPENED_RUNS: dict[str, SearchTree] = {}  # searches of other programs, by their digests


class NotLinkable(PlyscopeError):
    """A tree whose search no link can name, so that no page can show it."""


def open_tree(tree: SearchTree) -> str:
    """Keep a tree, and return the part of the address that shows it on Step."""
    if isinstance(tree.game, ExternalGame):
        digest = compute_digest(tree)
        _OPENED_RUNS[digest] = tree
        return f"?{urlencode({RUN_PARAM: digest})}"
    parameters = {} if tree.question.position_text is None else search_params(tree.question)
    question, problem = read_search_params(parameters)
    if not parameters or problem or search_params(question) != parameters:
        raise NotLinkable(
            "this tree cannot be opened in the app, because no link can name its game and position: "
            "draw it with `plyscope export`, for example --view overview -o overview.svg"
        )
    _OPENED[question] = SearchOutcome(NodeEstimate(tree.expanded), tree)
    return f"?{urlencode(parameters)}"


def find_opened_tree(question: Question) -> SearchOutcome | None:
    """Return the tree of a search if it was opened from a file."""
    return _OPENED.get(question)


def find_opened_run(digest: str) -> SearchTree | None:
    """Return the search of another program that was opened from a file."""
    return _OPENED_RUNS.get(digest)


def compute_digest(tree: SearchTree) -> str:
    """Return the digest that names the search of another program in a link."""
    found = hashlib.sha256(declared_name(tree.game).encode())
    for column in tree.columns:
        found.update(column.tobytes())
    return found.hexdigest()[:16]
