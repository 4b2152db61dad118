"""Check that MAX and MIN move in turn: by the folds, by names, by the pieces on the board."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.node_facts import MAX, MIN, NodeFacts
from engine.checker.recording.argument_roles import to_snake_case

TURN_PATTERN = r"turn|turno|player|to_?move|joueur|spieler|jugador|jogador|side|vez|zug|tour|who|current"

AGENT_PATTERN = r"agent|player|turn|index|ghost|who|side|idx"
MAX_AGENTS = 8


def check_sides(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that play for the wrong side, or for the same side twice."""
    folds = search.known_folds()
    swapped = False
    for facts in search.nodes:
        if facts.known and not facts.negated:
            side = side_by_name(search, facts)
            if side is not None and side != facts.fold:
                swapped = True
                yield Suspicion(
                    "sides-swapped",
                    facts.row,
                    f"by its name this is a call for {'MAX' if side == MAX else 'MIN'}, but it returns the "
                    f"{'smallest' if facts.fold == MIN else 'largest'} score of its moves",
                )
    if swapped:
        return
    if search.negamax:
        yield from _check_negamax_sides(search)
        return
    several = has_several_agents(search)
    turning = {
        facts.fold
        for facts in search.nodes
        if any(folds.get(search.child_key(facts, call), facts.fold) != facts.fold for call in facts.direct.child_calls)
    }
    for facts in search.facts:
        if not facts.known or facts.negated or several:
            continue
        if facts in search.nodes and facts.fold in turning:
            continue  # in other calls the other side is next: extra turns, or more than two players
        below = [folds.get(search.child_key(facts, call)) for call in facts.direct.child_calls]
        if below and all(fold == facts.fold for fold in below):
            yield _same_side_suspicion(facts, folds)
    yield from _check_placed_pieces(search)


def has_several_agents(search: SearchContext) -> bool:
    """Return True if an argument counts through three or more agents: 0, 1, 2, 0, …"""
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
                return True
    return False


def _same_side_suspicion(facts: NodeFacts, folds: dict[Any, str]) -> Suspicion:
    side = facts.node.argument("side")
    turned = side is not None and all(call.side != side for call in facts.direct.child_calls)
    if turned and set(folds.values()) == {MAX}:
        return Suspicion(
            "sign-lost",
            facts.row,
            "both sides take the largest score, and the score of a call is not negated, so no side plays MIN",
        )
    word = "largest" if facts.fold == MAX else "smallest"
    return Suspicion(
        "sides-do-not-alternate",
        facts.row,
        f"this call takes the {word} score, and so do the calls below it: one side moves twice",
        function=facts.node.name,
    )


def _check_negamax_sides(search: SearchContext) -> Iterator[Suspicion]:
    for facts in search.nodes:
        side = facts.node.argument("side")
        if (
            side is not None
            and facts.negated
            and all(call.side == side for call in facts.direct.child_calls)
            and search.side_is_constant
        ):
            yield Suspicion("sides-do-not-alternate", facts.row, f"it passes the side {side!r} on unchanged")
    if any(roles.side is None for roles in search.program.roles) or not all(
        facts.negated for facts in search.nodes if facts.known
    ):
        return  # a side may move twice
    for facts in search.roots:
        if facts.fold == MAX:
            yield Suspicion("sign-lost", facts.row, "it takes the largest of the opponent's scores", function=facts.node.name)


def side_by_name(search: SearchContext, facts: NodeFacts) -> str | None:
    """Return MAX or MIN if a name says so, else None."""
    plain = to_snake_case(facts.node.name.rpartition(".")[2])
    is_max, is_min = (re.search(rf"(^|_){word}", plain) is not None for word in ("max", "min"))
    if is_max != is_min and not ("max" in plain and "min" in plain):
        return MAX if is_max else MIN
    side_role = search.program.roles[facts.node.snapshot.number].side
    side = facts.node.argument("side")
    if side_role is not None and isinstance(side, bool):
        name = to_snake_case(side_role)
        if "maxi" in name or "is_max" in name or "ist_max" in name:
            return MAX if side else MIN
        if "mini" in name or "is_min" in name:
            return MIN if side else MAX
    return None


def _check_placed_pieces(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a call if both sides put the same piece on the board."""
    if search.known is None:
        return
    pieces: dict[int, set[Any]] = defaultdict(set)
    first: dict[int, int] = {}
    for row, board in enumerate(search.known.boards):
        parent = search.program.calls.parent[row]
        above = search.known.boards[parent] if parent >= 0 else None
        if board is None or above is None:
            continue
        new = {square: piece for square, piece in board.pieces.items() if square not in above.pieces}
        if len(new) == 1:
            level = search.program.calls.depth[row] % 2
            pieces[level] |= set(map(repr, new.values()))
            first.setdefault(level, row)
    if len(pieces) == 2 and pieces[0] == pieces[1] and len(pieces[0]) == 1:
        yield Suspicion(
            "sides-do-not-alternate",
            max(first.values()),
            f"MAX and MIN both put the piece {next(iter(pieces[0]))} on the board",
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
