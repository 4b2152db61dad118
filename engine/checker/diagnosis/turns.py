"""Check turns: games with several agents and their rounds, extra turns, and the turn that the state itself holds."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.node_facts import MAX, MIN
from engine.checker.recording.argument_roles import to_snake_case
from engine.checker.recording.state_encoding import is_number
from engine.checker.stand_ins.pacman_stub import ROUND_METHOD, is_maze, read_agent_to_move

TURN_PATTERN = r"turn|turno|player|to_?move|joueur|spieler|jugador|jogador|side|vez|zug|tour|who|current"
NEXT_TURN_PATTERN = r"again|extra|turn|another|next_?player|next_?side|free|bonus|otra|encore|nochmal|keep"
AGENT_PATTERN = r"agent|player|turn|index|ghost|who|side|idx"
EXPECTATION_PATTERN = r"expect"  # in the name of a search that averages
MAX_AGENTS = 8


def has_several_agents(search: SearchContext) -> bool:
    """Return True if an argument counts through three or more agents: 0, 1, 2, 0, …"""
    return find_agent_argument(search) is not None


def find_agent_argument(search: SearchContext) -> tuple[int, int] | None:
    """Return the function and the index of the argument that counts through three or more agents, or None."""
    calls = search.program.calls
    for number, watched in enumerate(calls.functions):
        for place, name in enumerate(watched.arguments):
            if name in search.program.roles[number][1:4]:
                continue
            values = {
                calls.arguments[row][place]
                for row in range(min(len(calls), MAX_COMPARED_ROWS))
                if calls.function[row] == number and isinstance(calls.arguments[row][place], int)
            }
            if (
                3 <= len(values | {0}) <= MAX_AGENTS
                and values <= set(range(MAX_AGENTS))
                and re.search(AGENT_PATTERN, name.lower())
            ):
                return number, place
    return None


def check_agents(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a cycle of agents in which one opponent takes the largest score and another one the smallest."""
    found = find_agent_argument(search)
    if found is None or search.negamax:
        return
    number, place = found
    folds: dict[Any, set[str]] = defaultdict(set)
    rows: dict[Any, int] = {}
    for facts in search.nodes:
        if facts.known and facts.node.snapshot.number == number:
            agent = search.program.calls.arguments[facts.row][place]
            folds[agent].add(facts.fold)
            rows.setdefault(agent, facts.row)
    first, last = min(folds, default=None), max(folds, default=None)  # the last number may stand for the first agent again
    others = {agent: next(iter(seen)) for agent, seen in folds.items() if agent not in (first, last) and len(seen) == 1}
    if first is not None and set(others.values()) == {MAX, MIN} and folds[first] == {MAX}:
        odd = min(agent for agent, fold in others.items() if fold == MAX)
        other = min(agent for agent, fold in others.items() if fold == MIN)
        yield Suspicion(
            "sides-swapped",
            rows[odd],
            f"agent {odd} takes the largest score of its moves, but agent {other} takes the smallest",
            certain=False,  # they may play in two teams
        )


def counts_rounds(search: SearchContext) -> bool:
    """Return True if the depth may count rounds: there are several agents, or positions that take the agent with its move."""
    functions = [search.program.functions.get(watched.name) for watched in search.program.calls.functions]
    parts = [part for function in functions if function is not None for part in ast.walk(function.node)]
    return has_several_agents(search) or any(isinstance(part, ast.Attribute) and part.attr == ROUND_METHOD for part in parts)


def check_rounds(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a search of the maze whose depth changes several times in a round, or that ends in the middle of a round."""
    calls, agents = search.program.calls, _list_agents(search)
    changing: dict[int, int] = {}  # each agent whose moves change the depth, with the first call that does
    for row, _agent in enumerate(agents):
        depth, before = (search.program.argument(which, "depth") for which in (row, calls.parent[row]))
        if calls.parent[row] >= 0 and is_number(depth) and is_number(before) and depth != before:
            changing.setdefault(agents[calls.parent[row]], calls.parent[row])
    leaves = [row for row in range(len(agents)) if search.program.is_leaf(row)]
    waiting = [row for row in leaves if agents[row]]
    if len(changing) > 1:
        row = changing[min(agent for agent in changing if agent)]
        yield Suspicion(
            "round-cut-short",
            row,
            f"the depth changes at the moves of {len(changing)} agents, so it counts moves, not rounds",
            certain=False,  # a course may count moves
        )
    elif waiting:
        yield Suspicion(
            "round-cut-short",
            waiting[0],
            f"it evaluates this position although agent {agents[waiting[0]]} has not moved in this round; {len(waiting)} of "
            f"{len(leaves)} leaves are like that",
            certain=False,
        )


def _list_agents(search: SearchContext) -> list[int]:
    """Return the agent to move in each call of the maze. It is 0 everywhere in any other game."""
    first = search.program.board(0) if len(search.program.calls) else None
    rows = range(min(len(search.program.calls), MAX_COMPARED_ROWS)) if is_maze(first) else ()
    return [read_agent_to_move(search.program.board(row)) for row in rows]


def check_missing_average(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a search that is called expectimax although each of its tested calls takes the best or the worst score."""
    tested = [facts for facts in search.nodes if facts.children > 1]
    named = [facts for facts in tested if re.search(EXPECTATION_PATTERN, to_snake_case(facts.node.name))]
    if named and not search.is_chance_game and all(facts.known for facts in tested):
        facts = named[-1]
        yield Suspicion(
            "average-missing",
            facts.row,
            f"it returns the {facts.fold}imum of its scores, like every call that was tested: none returns an average",
            certain=False,
        )


def check_extra_turns(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that ignore the turn in the state: the same turn is maximized in one call and minimized in another."""
    folds = search.known_folds()
    if search.negamax or not search.has_explicit_sides or set(folds.values()) != {MAX, MIN}:
        return
    seen: dict[str, dict[Any, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for row in range(min(len(search.program.calls), 5000)):
        board, fold = search.program.board(row), folds.get(search.key(row))
        attributes = board[1] if isinstance(board, list) and len(board) == 2 and isinstance(board[1], dict) else {}
        for name, value in attributes.items():
            if fold is not None and re.search(TURN_PATTERN, to_snake_case(str(name))) and isinstance(value, (str, int)):
                seen[name][value].setdefault(fold, row)
    for name, turns in seen.items():
        if len(turns) == 2 and all(len(found) == 2 for found in turns.values()):
            row = max(next(iter(turns.values())).values())
            yield Suspicion(
                "extra-turn-ignored",
                row,
                f"the state says {name} = {_read_turn(search.program.board(row), name)!r}, but this call plays "
                "for the other side",
            )


def _read_turn(board: Any, name: str) -> Any:
    return board[1].get(name) if isinstance(board, list) and len(board) == 2 and isinstance(board[1], dict) else None


def check_unused_turns(search: SearchContext) -> Iterator[Suspicion]:
    """Yield functions that find out which side is next and never use it."""
    for number, watched in enumerate(search.program.calls.functions):
        function = search.program.functions.get(watched.name)
        row = next((row for row, which in enumerate(search.program.calls.function) if which == number), None)
        if function is None or row is None:
            continue
        names = [node for node in ast.walk(function.node) if isinstance(node, ast.Name)]
        read = {node.id for node in names if not isinstance(node.ctx, ast.Store)}
        unused = [node.id for node in names if isinstance(node.ctx, ast.Store) and node.id not in read]
        for name in dict.fromkeys(unused):
            if re.search(NEXT_TURN_PATTERN, to_snake_case(name)):
                yield Suspicion(
                    "extra-turn-ignored",
                    row,
                    f"it sets {name} and never uses it, so the other side is always next",
                    certain=False,
                )
