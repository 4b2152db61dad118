"""Check that MAX and MIN move in turn: by the folds, by names, by the pieces on the board."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.context import ROOT_MOVER, SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.node_facts import MAX, MIN, NodeFacts
from engine.checker.diagnosis.turns import has_several_agents
from engine.checker.discovery import source_analysis
from engine.checker.recording.argument_roles import read_side_flag, to_snake_case


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
                    proof=facts.describe_tests(),
                )
    if swapped:
        return
    if search.negamax:
        yield from _check_negamax_sides(search)
        yield from _check_placed_pieces(search)
        return
    if not search.has_side_argument:
        yield from _check_one_sided_search(search, folds)
    elif not has_several_agents(search):
        yield from _check_next_sides(search, folds)
    yield from _check_placed_pieces(search)


def _check_next_sides(search: SearchContext, folds: dict[Any, str]) -> Iterator[Suspicion]:
    """Yield nodes whose calls are all for the same side, if that side never gives the turn to the other one."""
    for facts in search.facts:
        if not facts.known or facts.negated or facts.children < 2 or (facts.is_fold_guessed and search.later):
            continue
        below = [folds.get(search.child_key(facts, call)) for call in facts.direct.child_calls]
        if not below or any(fold != facts.fold for fold in below):
            continue
        seen = _same_side_suspicion(facts, folds)
        of_roots = {mover for mover in search.turning_movers if mover[0] == ROOT_MOVER}
        is_root = facts.node.snapshot.is_root
        has_turned = bool(of_roots - search.root_movers) if is_root else search.mover(facts.row) in search.turning_movers
        if seen.name == "sign-lost" or not has_turned:  # otherwise the other side is next in other calls: extra turns
            yield seen._replace(certain=seen.certain and not facts.is_fold_guessed)


def _check_one_sided_search(search: SearchContext, folds: dict[Any, str]) -> Iterator[Suspicion]:
    """Yield a search whose calls all take the largest score, on every level, and which has no code for the smallest one.

    The position alone tells which side is to move, so that a search with code for both sides is not judged.
    """
    nodes = [facts for facts in search.nodes if facts.known and not facts.negated]
    levels = {search.program.calls.depth[facts.row] % 2 for facts in nodes}
    if len(levels) < 2 or set(folds.values()) != {MAX} or any(facts.fold != MAX for facts in nodes):
        return
    functions = [search.program.functions.get(watched.name) for watched in search.program.calls.functions]
    if any(function is None or source_analysis.can_minimize(function) for function in functions):
        return
    yield Suspicion(
        "sign-lost",
        nodes[0].row,
        "every call takes the largest score of its moves as it is, so the opponent's best move counts as good",
        certain=False,  # in a game for one player that would be right
        function=nodes[0].node.name,
    )


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
        if facts.fold == MAX and not facts.is_fold_guessed:
            yield Suspicion("sign-lost", facts.row, "it takes the largest of the opponent's scores", function=facts.node.name)


def side_by_name(search: SearchContext, facts: NodeFacts) -> str | None:
    """Return MAX or MIN if a name says so, else None."""
    plain = to_snake_case(facts.node.name.rpartition(".")[2])
    is_max, is_min = (re.search(rf"(^|_){word}", plain) is not None for word in ("max", "min"))
    if is_max != is_min and not ("max" in plain and "min" in plain):
        return MAX if is_max else MIN
    side_role = search.program.roles[facts.node.snapshot.number].side
    flag = None if side_role is None else read_side_flag(side_role, facts.node.argument("side"))
    return None if flag is None else MAX if flag else MIN


def _check_placed_pieces(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a call if both sides put the same piece on the board, or one side both pieces."""
    placed = _find_placed_pieces(search)
    calls = search.program.calls
    pieces: dict[int, set[Any]] = defaultdict(set)
    for parent, piece in placed.items():
        pieces[calls.depth[parent] % 2].add(piece)
    if len(pieces) == 2 and pieces[0] == pieces[1] and len(pieces[0]) == 1:
        first = [next(row for row in placed if calls.depth[row] % 2 == level) for level in (0, 1)]
        yield Suspicion(
            "sides-do-not-alternate",
            max(first),
            f"MAX and MIN both put the piece {next(iter(pieces[0]))} on the board",
        )
    elif not search.negamax and len(placed) > 1:
        yield from _check_pieces_of_a_side(search, placed)


def _check_pieces_of_a_side(search: SearchContext, placed: dict[int, str]) -> Iterator[Suspicion]:
    """Yield a call for MAX (or MIN) that puts another piece on the board than an earlier call for this side.

    Each outermost call is looked at alone: the program may search for one side after the other.
    """
    folds, outermost = search.known_folds(), _find_outermost_rows(search)
    first: dict[Any, int] = {}
    for row, piece in placed.items():
        fold = folds.get(search.key(row))
        if fold is None:
            continue
        earlier = first.setdefault((outermost[row], fold), row)
        if placed[earlier] != piece:
            side = "MAX" if fold == MAX else "MIN"
            yield Suspicion(
                "sides-do-not-alternate",
                row,
                f"this call for {side} puts the piece {piece} on the board, but call {earlier}, for {side} too, puts "
                f"{placed[earlier]}",
                certain=False,  # in some games a side may choose its piece
                function=search.program.row_function(row),
            )
            return


def _find_outermost_rows(search: SearchContext) -> list[int]:
    """Return the outermost call around each row."""
    found: list[int] = []
    for row, parent in enumerate(search.program.calls.parent):
        found.append(row if parent < 0 else found[parent])
    return found


def _find_placed_pieces(search: SearchContext) -> dict[int, str]:
    """Return the piece that each call puts on the board by its moves. It is empty if a call has moves with both pieces."""
    if search.known is None:
        return {}
    placed: dict[int, str] = {}
    for row, board in enumerate(search.known.boards):
        parent = search.program.calls.parent[row]
        above = search.known.boards[parent] if parent >= 0 else None
        if board is None or above is None or not above.pieces.items() <= board.pieces.items():
            continue
        new = [piece for square, piece in board.pieces.items() if square not in above.pieces]
        if len(new) == 1 and placed.setdefault(parent, repr(new[0])) != repr(new[0]):
            return {}
    return dict(sorted(placed.items()))
