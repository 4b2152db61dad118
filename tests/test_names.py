"""Names and docstrings: functions are verbs or the noun they return, and docstrings say what a function does."""

import ast
from functools import cache

from tests.test_architecture import ENGINE, ROOT, VISUALIZER, name_of, parse_module

MAX_ONE_WORD_SHARE = 0.11
MAX_ONE_WORD_HELPER_SHARE = 0.18  # the methods of games, and functions within tests
VAGUE_HELPERS = {"said", "told", "asked", "shown", "done", "made", "kept", "begun", "opened", "alone", "some", "here", "same"}
MIN_IMPERATIVE_SHARE = 0.8
ARTICLES = {"A", "An", "The", "It", "That", "Those", "All", "Each", "Every", "One", "Two", "Only", "Same", "No", "Nothing"}
NOT_A_VERB = ARTICLES | {"As", "At", "By", "For", "From", "If", "In", "Of", "On", "Where", "Which", "Why"}
RIDDLES = {"What", "Whether", "Who", "Whoever", "Whatever", "How"}


@cache
def find_functions():
    """Return the functions of ours with their files."""
    return [
        (path, node)
        for path in [*ENGINE, *VISUALIZER]
        for node in ast.walk(parse_module(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("__")
    ]


def find_helpers():
    """Return the names of the helpers of tests."""
    tests = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if not {"projects", "students", "checker"} & set(path.parts)  # programs of others, and tests that are yet to be renamed
    ]
    return {
        node.name
        for path in tests
        for node in ast.walk(parse_module(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith(("test_", "__"))
    }


def first_words():
    """Yield the first word of every docstring of a function, and where it stands."""
    for path, node in find_functions():
        if text := ast.get_docstring(node):
            yield text.split()[0].strip("`.,:;"), f"{name_of(path)}:{node.lineno} {node.name}"


def test_most_names_of_functions_are_more_than_one_word():
    names = {node.name.strip("_") for _, node in find_functions()}
    assert len(names) > 1000
    assert sum("_" not in name for name in names) <= MAX_ONE_WORD_SHARE * len(names)


def test_helpers_of_tests_say_what_they_do():
    helpers = find_helpers()
    assert len(helpers) > 400
    assert sum("_" not in name.strip("_") for name in helpers) <= MAX_ONE_WORD_HELPER_SHARE * len(helpers)
    assert not VAGUE_HELPERS & helpers


def test_no_docstring_of_a_function_is_a_riddle():
    assert not [where for word, where in first_words() if word in RIDDLES]


def test_docstrings_of_functions_begin_with_a_verb():
    words = [word for word, _ in first_words()]
    assert len(words) > 1000
    assert sum(word not in NOT_A_VERB for word in words) >= MIN_IMPERATIVE_SHARE * len(words)
