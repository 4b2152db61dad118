"""Empty boards of the usual kinds, for a search whose program does not show a board."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.checker.discovery.search_finder import ProgramFunction

EMPTY_NAMES = r"empty|blank|vacio|vide|leer|vazio|none|free|neutral"
EMPTY_VALUES = (0, " ", "", "-", ".", "_", None, "0", "*", "#", "e", "E")
ROW_NAMES = r"^(n_?|num_?|max_?|board_?)?(rows?|row_?count|height|hoehe|filas|lignes|linhas)(_?count)?$"
COLUMN_NAMES = r"^(n_?|num_?|max_?|board_?)?(cols?|columns?|column_?count|col_?count|width|breite|columnas|colonnes)(_?count)?$"
SIZE_NAMES = r"^(n|size|board_?size|dim|dimension|grid_?size|tam|taille)$"
ATTRIBUTE_VALUES = {  # usual attributes of observations and configurations
    r"^(columns|cols|width)$": "7",
    r"^(rows|height)$": "6",
    r"^in_?a_?row$": "4",
    r"^(mark|player|turn|current_?player)$": "1",
    r"^(board|grid|cells)$": "[0] * 42",
    r"^(step|move_?count)$": "0",
    r"time": "1000000.0",
}


NUMBER_OPERATIONS = (ast.Add, ast.Sub, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.RShift, ast.LShift, ast.FloorDiv)


@dataclass
class ArgumentUse:
    """The uses of an argument in the functions of a program."""

    attributes: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)  # attributes that are called
    index_levels: int = 0  # 2 for board[row][column]
    has_pairs: bool = False  # board[row, column]
    is_called: bool = False
    is_number: bool = False
    is_text: bool = False  # board[:move] + piece + board[move + 1:]
    cells: Counter[Any] = field(default_factory=Counter)  # constants that cells are compared with
    compared: Counter[Any] = field(default_factory=Counter)  # constants that it is compared with itself

    @property
    def is_plain(self) -> bool:
        """Return True if it is used as a number or as a mark, not as an object."""
        return not self.attributes and not self.index_levels and not self.is_called and (self.is_number or bool(self.compared))


def collect_use(function: ProgramFunction, name: str, functions: dict[str, ProgramFunction], levels: int = 2) -> ArgumentUse:
    """Return how a function uses an argument, with the functions that it passes the argument to."""
    use = ArgumentUse()
    for node in ast.walk(function.node):
        if isinstance(node, ast.Attribute) and _is_name(node.value, name):
            use.attributes.add(node.attr)
        elif isinstance(node, ast.Subscript):
            levels_here, first = 0, node
            while isinstance(first, ast.Subscript):
                levels_here, first = levels_here + 1, first.value  # type: ignore[assignment]
            if _is_name(first, name):
                use.index_levels = max(use.index_levels, levels_here)
                use.has_pairs = use.has_pairs or isinstance(node.slice, ast.Tuple)
        elif isinstance(node, ast.Compare):
            _count_cells(use, node, name)
        elif isinstance(node, ast.BinOp) and (_is_name(node.left, name) or _is_name(node.right, name)):
            use.is_number = use.is_number or isinstance(node.op, NUMBER_OPERATIONS)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            use.is_text = use.is_text or (_is_slice(node.left, name) and isinstance(node.right, (ast.Name, ast.Constant)))
        elif isinstance(node, ast.Call):
            if _is_name(node.func, name):
                use.is_called = True
            elif isinstance(node.func, ast.Attribute) and _is_name(node.func.value, name):
                use.called.add(node.func.attr)
            if levels:
                _add_passed_use(use, node, name, functions, levels)
    return use


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_slice(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and _is_name(node.value, name)


def _count_cells(use: ArgumentUse, node: ast.Compare, name: str) -> None:
    sides = [node.left, *node.comparators]
    if any(_is_name(side, name) for side in sides):
        use.compared.update(side.value for side in sides if isinstance(side, ast.Constant))
    if any(
        isinstance(side, ast.Subscript) and name in {part.id for part in ast.walk(side) if isinstance(part, ast.Name)}
        for side in sides
    ):
        use.cells.update(side.value for side in sides if isinstance(side, ast.Constant))
        use.cells.update(f"name {side.id}" for side in sides if isinstance(side, ast.Name))


def _add_passed_use(use: ArgumentUse, call: ast.Call, name: str, functions: dict[str, ProgramFunction], levels: int) -> None:
    called = getattr(call.func, "id", getattr(call.func, "attr", ""))
    for place, value in enumerate(call.args):
        if _is_name(value, name):
            for other in functions.values():
                if other.plain_name == called and place < len(other.arguments):
                    more = collect_use(other, other.arguments[place], functions, levels - 1)
                    use.attributes |= more.attributes
                    use.called |= more.called
                    use.index_levels = max(use.index_levels, more.index_levels)
                    use.has_pairs = use.has_pairs or more.has_pairs
                    use.is_number = use.is_number or more.is_number
                    use.is_text = use.is_text or more.is_text
                    use.compared += more.compared
                    use.cells += more.cells


def iterate_boards(use: ArgumentUse, names: dict[str, Any], tree: ast.Module) -> Iterator[str]:
    """Yield the texts of empty boards that fit a use, the most probable first."""
    if use.attributes and not use.index_levels and not use.called:
        values = {attribute: _attribute_value(attribute) for attribute in sorted(use.attributes)}
        yield f"__import__('types').SimpleNamespace({', '.join(f'{name}={value}' for name, value in values.items())})"
        return
    empties = _find_empty_cells(use, names, tree)
    sizes = _find_sizes(names, tree)
    uses_numpy = use.has_pairs or bool(use.attributes & {"shape", "copy", "sum", "T", "flatten", "size"}) or "np" in names
    for rows, columns in sizes:
        for empty in empties:
            array = (
                f"__import__('numpy').zeros(({rows}, {columns}), dtype=int)"
                if empty == "0"
                else f"__import__('numpy').full(({rows}, {columns}), {empty})"
            )
            grid = f"[[{empty}] * {columns} for _ in range({rows})]"
            if use.is_text and empty.startswith("'"):
                yield f"{empty} * {rows * columns}"
            elif use.has_pairs:
                yield array
            elif use.index_levels >= 2:
                yield from (array, grid) if uses_numpy else (grid, array)
            elif use.index_levels == 1:
                yield f"[{empty}] * {rows * columns}"
                if empty.startswith("'"):
                    yield f"{empty} * {rows * columns}"
                yield grid
            elif not use.is_number:
                yield from (array, grid) if uses_numpy else (grid, f"[{empty}] * {rows * columns}")
    if use.is_number or not use.index_levels:
        yield from ("7", "10", "0")


def _attribute_value(attribute: str) -> str:
    return next((value for pattern, value in ATTRIBUTE_VALUES.items() if re.search(pattern, attribute.lower())), "0")


def _find_empty_cells(use: ArgumentUse, names: dict[str, Any], tree: ast.Module) -> list[str]:
    named = [name for name in names if re.search(EMPTY_NAMES, name.lower()) and _is_cell(names[name])]
    compared = [cell for cell, _ in use.cells.most_common() if cell in EMPTY_VALUES and not isinstance(cell, bool)]
    texts = [*named[:1], *(repr(cell) for cell in compared)]
    if not texts:
        constants = Counter(node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and _is_cell(node.value))
        texts = [repr(cell) for cell, _ in constants.most_common(12) if cell in EMPTY_VALUES and not isinstance(cell, bool)][:2]
    return list(dict.fromkeys([*texts, "0"]))[:3]


def _is_cell(value: Any) -> bool:
    return value is None or (isinstance(value, (int, str)) and (isinstance(value, int) or len(value) <= 1))


def _find_sizes(names: dict[str, Any], tree: ast.Module) -> list[tuple[int, int]]:
    numbers = {name.lower(): value for name, value in names.items() if type(value) is int and 2 < value < 20}
    rows = next((value for name, value in numbers.items() if re.search(ROW_NAMES, name)), None)
    columns = next((value for name, value in numbers.items() if re.search(COLUMN_NAMES, name)), None)
    size = next((value for name, value in numbers.items() if re.search(SIZE_NAMES, name)), None)
    found: list[tuple[int, int]] = []
    if rows or columns:
        found.append((rows or columns or 0, columns or rows or 0))
    if size:
        found.append((size, size))
    literal = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is int}
    loops = {
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and _is_name(node.func, "range")
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Constant)
    }
    guesses = [
        ((3, 3), bool(loops & {3, 9}) and not loops & {6, 7}),  # lists of winning squares have a 6 and a 7, too
        ((6, 7), {6, 7} <= literal),
        ((8, 8), 8 in literal),
        ((3, 3), 3 in literal or 9 in literal),
        ((6, 7), True),
        ((3, 3), True),
    ]
    if 42 in literal:
        guesses.insert(0, ((6, 7), True))
    return list(dict.fromkeys([*found, *(board for board, fits in guesses if fits)]))[:3]
