"""Find the search in a student's program: functions that call themselves, or each other in a cycle.

Calls are followed by name. The search is the cycle whose functions are called minimax, alphabeta, max_value … in any
spelling, or whose arguments are called alpha, beta, depth … Among several it is the requested one, else the one with
the best names. Its callers are its roots. If one function of a cycle only dispatches to the others, each position is one
call of that function.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.core.errors import PlyscopeError

FUNCTION_NAME_SCORES = [  # patterns for names of functions in snake case, each with its weight
    (
        r"minimax|mini_?max|min_?max|maxi_?min|alpha_?beta|alfa_?beta|ab_?prun|nega_?max|nega_?scout|expecti?_?max|pvs|principal",
        12,
    ),
    (r"(max|min)_?(value|valor|wert|valeur|val|play|move|node|player|search|turn|agent|step|level|score|eval)", 10),
    (r"(value|valor|wert|valeur)_?(max|min)|(best|mejor|beste|meilleur)_?(max|min)", 9),
    (r"maximi[sz]e|minimi[sz]e|maximi[sz]ar|minimi[sz]ar|maximi[sz]er|minimi[sz]er|maximieren|minimieren|maxi|mini", 9),
    (r"^(max|min)$|^ab$|_ab$|^(max|min)_|_(max|min)$", 7),
    (r"search|suche|buscar|busqueda|recherche|cerca|pesquisa|look_?ahead", 4),
    (r"best|mejor|beste|meilleur|score|evaluate|value|solve|think|ki\b|_ia|_ai", 2),
    (r"flood|fill|dfs|bfs|count|check|win|print|draw|copy|merge|sort|quick|fact|fib|hanoi|valid|input", -8),
]
ARGUMENT_NAME_SCORES = [
    (r"^(alpha|alfa|a|alph|lower|low|best_?(max|alpha|low)|maxi?_?so_?far|unten)$", 4),
    (r"^(beta|b|bet|upper|high|best_?(min|beta|high)|mini?_?so_?far|oben)$", 4),
    (r"depth|tiefe|profond|prof$|^ply|plies|level|niveau|nivel|profundidad|profundidade|ebene|^d$|livello|remaining|limit", 3),
    (r"maxim|is_?max|^max|player|spieler|joueur|jugador|jogador|turn|turno|tour|colou?r|farbe|side|seite|zug", 2),
    (r"board|brett|plateau|tablero|tabuleiro|state|zustand|etat|estado|grid|node|game|spielfeld|position|stellung|feld", 2),
]


@dataclass
class ProgramFunction:
    """A function, method or closure of the program."""

    name: str  # Class.method, outer.inner
    node: ast.FunctionDef
    owner: str = ""  # the class it is a method of
    calls: set[str] = field(default_factory=set)  # names of functions of the program
    file: str = ""  # relative to the checked folder; "" if it is not known

    @property
    def plain_name(self) -> str:
        """Return the name without the class or function around it."""
        return self.node.name

    @property
    def arguments(self) -> list[str]:
        """Return the names of the arguments, without `self`."""
        listed = self.node.args
        names = [argument.arg for argument in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs)]
        return names[1:] if self.owner and names[:1] in (["self"], ["cls"], ["this"]) else names


@dataclass(frozen=True)
class FoundSearch:
    """The functions of a search, and those that call it from outside."""

    functions: tuple[str, ...]
    roots: tuple[str, ...]
    others: tuple[tuple[str, ...], ...] = ()  # other cycles


class NoSearchFound(PlyscopeError):
    """The program has no function that calls itself."""


def find_functions(tree: ast.Module) -> dict[str, ProgramFunction]:
    """Return all functions by their full names, each with the functions of the program that it calls."""
    found = {function.name: function for function in _iterate_functions(tree, "", "")}
    by_plain: dict[str, list[ProgramFunction]] = {}
    for function in found.values():
        by_plain.setdefault(function.plain_name, []).append(function)
    for function in found.values():
        aliases = _find_aliases(function.node)
        for call in _iterate_calls(function.node):
            meant = aliases.get(call.func.id, [call.func]) if isinstance(call.func, ast.Name) else [call.func]
            function.calls |= {called.name for one in meant for called in _resolve_call(one, function, by_plain)}
    return found


def _find_aliases(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """Return what local names stand for that are set to a function: `node = max_node if … else min_node`."""
    aliases: dict[str, list[ast.expr]] = {}
    for node in _iterate_nodes(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Name, ast.Attribute, ast.IfExp)):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    aliases.setdefault(target.id, []).append(node.value)
    return aliases


def _iterate_functions(node: ast.AST, prefix: str, owner: str) -> Iterator[ProgramFunction]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield ProgramFunction(prefix + child.name, child, owner)
            yield from _iterate_functions(child, f"{prefix}{child.name}.", "")
        elif isinstance(child, ast.ClassDef):
            yield from _iterate_functions(child, f"{prefix}{child.name}.", child.name)
        else:
            yield from _iterate_functions(child, prefix, owner)


def _iterate_calls(function: ast.FunctionDef) -> Iterator[ast.Call]:
    """Yield the calls in a function, without those in functions that it defines. Calls in lambdas are included."""
    for node in _iterate_nodes(function):
        if isinstance(node, ast.Call):
            yield node


def _iterate_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, without functions and classes that it defines."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        yield node
        waiting.extend(ast.iter_child_nodes(node))


def _resolve_call(called: ast.expr, caller: ProgramFunction, by_plain: dict[str, list[ProgramFunction]]) -> list[ProgramFunction]:
    """Return the functions that an expression may mean when it is called.

    For a name it is the one in scope, for `x.name` the methods of that name, for `f if … else g` both.
    """
    if isinstance(called, ast.IfExp):
        return [function for branch in (called.body, called.orelse) for function in _resolve_call(branch, caller, by_plain)]
    if isinstance(called, ast.Name):
        named = [function for function in by_plain.get(called.id, []) if not function.owner]
        inside = [
            function for function in named if "." in function.name and caller.name.startswith(function.name.rpartition(".")[0])
        ]
        return inside or [function for function in named if "." not in function.name]
    if isinstance(called, ast.Attribute):
        methods = [function for function in by_plain.get(called.attr, []) if function.owner]
        if isinstance(called.value, ast.Name) and called.value.id in ("self", "cls", "this") and caller.owner:
            own = [function for function in methods if function.owner == caller.owner]
            return own or methods
        return methods or [function for function in by_plain.get(called.attr, []) if "." not in function.name]
    return []


def find_search(tree: ast.Module, wanted: str | None = None, call: str | None = None) -> FoundSearch:
    """Return the search: a cycle of functions.

    `wanted` names one of its functions. `call` is an expression that leads to it. Raise NoSearchFound if there is none.
    """
    functions = find_functions(tree)
    circles = find_recursive_groups(functions)
    if wanted is not None:
        named = [name for name in functions if name == wanted or functions[name].plain_name == wanted]
        if not named:
            raise NoSearchFound(f"there is no function {wanted!r}: the functions are {', '.join(functions) or 'none'}")
        circles = [circle for circle in circles if set(circle) & set(named)]
        if not circles:
            raise NoSearchFound(f"{wanted!r} is not a search: it does not call itself, directly or through others")
    if not circles:
        raise NoSearchFound("no function calls itself, directly or through others, so there is no search to check")
    named_in_call = _find_named_functions(call, functions) if call is not None else set()
    reached = named_in_call.union(*(find_reachable(name, functions) for name in named_in_call))
    ranked = sorted(
        circles,
        key=lambda circle: (
            not named_in_call & set(circle),
            not reached & set(circle),
            -score_group(circle, functions),
            functions[circle[0]].node.lineno,
        ),
    )
    best = _select_position_functions(ranked[0], functions)
    roots = [name for name, function in functions.items() if function.calls & set(best) and name not in ranked[0]]
    return FoundSearch(best, tuple(roots), tuple(ranked[1:]))


def _find_named_functions(call: str, functions: dict[str, ProgramFunction]) -> set[str]:
    """Return the functions that a call names."""
    try:
        nodes = [*ast.walk(ast.parse(call, mode="eval"))]
    except (SyntaxError, ValueError):  # reported when the call is run
        return set()
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return {
        function.name
        for function in functions.values()
        if function.plain_name in (attributes if function.owner else names | attributes if "." not in function.name else ())
    }


def _select_position_functions(circle: tuple[str, ...], functions: dict[str, ProgramFunction]) -> tuple[str, ...]:
    """Return the functions of a cycle whose calls are positions.

    These are all of them, or the only dispatcher, if each other function tries its moves by calling the dispatcher.
    """
    loops = {name: has_loop(functions[name]) for name in circle}
    handing_on = [name for name in circle if not loops[name] and name not in functions[name].calls]
    others = set(circle) - set(handing_on)
    if len(handing_on) == 1 and others and all(functions[name].calls & set(circle) == set(handing_on) for name in others):
        return tuple(handing_on)
    return circle


def find_recursive_groups(functions: dict[str, ProgramFunction]) -> list[tuple[str, ...]]:
    """Return the groups of functions that reach each other and themselves by calls, in the order of the file."""
    reached = {name: find_reachable(name, functions) for name in functions}
    circles = {
        tuple(
            sorted((other for other in reached[name] if name in reached[other]), key=lambda other: functions[other].node.lineno)
        )
        for name in functions
        if name in reached[name]
    }
    return sorted(circles, key=lambda circle: functions[circle[0]].node.lineno)


def find_reachable(name: str, functions: dict[str, ProgramFunction]) -> set[str]:
    """Return the names of all functions that are reached from one by calls."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        new = functions[waiting.pop()].calls - reached
        reached |= new
        waiting.extend(new)
    return reached


def score_group(circle: tuple[str, ...], functions: dict[str, ProgramFunction]) -> float:
    """Return a score: how much the names in a cycle look like a game-tree search."""
    return sum(_score_function(functions[name]) for name in circle) / len(circle) + (1 if len(circle) == 2 else 0)


def _score_function(function: ProgramFunction) -> float:
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", function.plain_name).lower()
    points = max((weight for pattern, weight in FUNCTION_NAME_SCORES if weight > 0 and re.search(pattern, name)), default=0)
    points += min(
        (weight for pattern, weight in FUNCTION_NAME_SCORES if weight < 0 and re.search(pattern, name) and points < 7), default=0
    )
    spelled = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", argument).lower() for argument in function.arguments]
    points += sum(weight for pattern, weight in ARGUMENT_NAME_SCORES if any(re.search(pattern, argument) for argument in spelled))
    return points + (2 if has_loop(function) else -2)


def has_loop(function: ProgramFunction) -> bool:
    return any(isinstance(node, (ast.For, ast.While, ast.comprehension)) for node in ast.walk(function.node))
