"""Convert the usual statements of Python 2, line by line, so that such a program can be checked. Lines keep their numbers."""

import ast
import re
from typing import Any, NamedTuple

MAX_CHANGED_LINES = 500
PRINT_PATTERN = re.compile(r"^(?P<head>(?:.*?[:;])?\s*)print\b(?!\s*[=(])(?P<rest>.*)$", re.DOTALL)
LINE_REWRITES = [
    (re.compile(r"\bexcept\s+(?P<kinds>[\w.]+|\([^)]*\))\s*,\s*(?P<name>\w+)\s*:"), r"except \g<kinds> as \g<name>:"),
    (re.compile(r"\braise\s+(?P<kind>[\w.]+)\s*,\s*(?P<text>[^\n]+)"), r"raise \g<kind>(\g<text>)"),
    (re.compile(r"<>"), "!="),
    (re.compile(r"(?<![\w.])0(?P<digits>[0-7]+)(?![\w.])"), r"0o\g<digits>"),
    (re.compile(r"(?<![\w.])(?P<digits>\d+)[lL]\b"), r"\g<digits>"),
    (re.compile(r"\bexec\s+(?P<code>[^(\n][^\n]*)"), r"exec(\g<code>)"),
    (re.compile(r"`(?P<inside>[^`\n]+)`"), r"repr(\g<inside>)"),
]
NAME_REWRITES = [
    (re.compile(r"(?<!\w)(?P<thing>[\w.]+)\.has_key\((?P<key>(?:[^()]|\([^()]*\))*)\)"), r"(\g<key> in \g<thing>)"),
    (re.compile(r"\.iter(?P<what>items|keys|values)\(\)"), r".\g<what>()"),
    (re.compile(r"\bsys\.maxint\b"), "sys.maxsize"),
    (re.compile(r"(?<![\w.])(?P<thing>(?:\w+\.)*\w+)\.(?P<what>keys|values|items)\(\)"), r"list(\g<thing>.\g<what>())"),
]


OLD_NAMES = {"raw_input", "xrange", "basestring", "unichr", "unicode", "cmp", "reduce", "long"}
OLD_MODULES = {"Tkinter", "StringIO", "cPickle", "Queue", "urllib2", "ConfigParser", "tkMessageBox", "cStringIO"}


class ConvertedSource(NamedTuple):
    """A source in Python 3, and the numbers of the lines that were changed."""

    text: str
    lines: list[int]


def convert_source(source: str) -> ConvertedSource | None:
    """Return a program of Python 2 as Python 3, or None if it cannot be converted line by line.

    >>> convert_source("if x:\\n    print 'a', x\\n")
    ConvertedSource(text="if x:\\n    print('a', x)\\n", lines=[2])
    """
    lines = source.expandtabs(8).replace("\r\n", "\n").split("\n")
    changed: set[int] = set()
    for _ in range(MAX_CHANGED_LINES):
        try:
            ast.parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            number = (getattr(error, "lineno", None) or 0) - 1
            if not 0 <= number < len(lines) or not _convert_line(lines, number):
                return None
            changed.add(number + 1)
            continue
        return ConvertedSource(rewrite_names("\n".join(lines)), sorted(changed))
    return None


def is_old_source(source: str, tree: ast.Module) -> bool:
    """Return True if a program that can be parsed uses names that only Python 2 has.

    One that catches the missing name itself runs in both.

    >>> [is_old_source(text, ast.parse(text)) for text in ("raw_input('?')", "input('?')")]
    [True, False]
    """
    if "import *" in source or "NameError" in source or "ImportError" in source or "version_info" in source:
        return False
    nodes = [*ast.walk(tree)]
    bound = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {
        alias.asname or alias.name for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names
    }
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    used = {node.id for node in nodes if isinstance(node, ast.Name)} - bound
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return bool(used & OLD_NAMES or imported & OLD_MODULES)


def rewrite_names(source: str) -> str:
    """Return a source with the methods and names of Python 2 replaced.

    >>> rewrite_names("if seen.has_key((board, side)):")
    'if ((board, side) in seen):'
    """
    for pattern, replacement in NAME_REWRITES:
        source = pattern.sub(replacement, source)
    return source


def _convert_line(lines: list[str], number: int) -> bool:
    """Convert the statement at a line. Return False if nothing fits."""
    end = number + 1
    while end < len(lines) and end < number + 30 and (lines[end - 1].rstrip().endswith("\\") or _is_open(lines[number:end])):
        end += 1
    text = "\n".join(lines[number:end])
    new = _convert_print(text)
    if new == text:
        for pattern, replacement in LINE_REWRITES:
            new = pattern.sub(replacement, new)
    if new == text:
        return False
    lines[number:end] = new.split("\n")
    return True


def _is_open(lines: list[str]) -> bool:
    text = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"|#.*", "", "\n".join(lines))
    return sum(text.count(sign) for sign in "([{") > sum(text.count(sign) for sign in ")]}")


def _convert_print(text: str) -> str:
    """Return `print a, b` as a call. A comma at the end keeps the line open, `>>f` names a file."""
    found = PRINT_PATTERN.match(text)
    if found is None:
        return text
    rest, comment = _split_comment(found["rest"].strip())
    options = ""
    if target := re.match(r">>\s*([\w.]+)\s*,?\s*", rest):
        rest, options = rest[target.end() :], f", file={target[1]}"
    if rest.endswith(","):
        rest, options = rest[:-1], f"{options}, end=' '"
    call = f"print({rest}{options if rest else options.lstrip(', ')})"
    return f"{found['head']}{call}{comment}"


def _split_comment(text: str) -> tuple[str, str]:
    bare = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", lambda found: "_" * len(found[0]), text)
    place = bare.find("#")
    return (text, "") if place < 0 or "\n" in text else (text[:place].rstrip(), f"  {text[place:]}")


# ---- names and division


def make_names() -> dict[str, Any]:
    """Return the builtins of Python 2 that a converted program may use."""
    from functools import reduce

    return {
        "xrange": range,
        "raw_input": lambda prompt="": input(prompt),
        "unicode": str,
        "basestring": str,
        "long": int,
        "unichr": chr,
        "reduce": reduce,
        "cmp": lambda left, right: (left > right) - (left < right),
        "range": lambda *bounds: list(range(*bounds)),
        "map": lambda function, *parts: list(map(function, *parts)),
        "filter": lambda function, parts: list(filter(function, parts)),
        "zip": lambda *parts: list(zip(*parts, strict=False)),
        DIVISION_NAME: divide,
    }


DIVISION_NAME = "__plyscope_divide__"


def divide(left: Any, right: Any) -> Any:
    """Divide as Python 2 does: two whole numbers give a whole number."""
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


class DivisionConverter(ast.NodeTransformer):
    """Replaces `/` by `divide`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.copy_location(ast.Call(ast.Name(DIVISION_NAME, ast.Load()), [node.left, node.right], []), node)
