"""Alpha-beta with the additions of the higher rungs, each optional: a table, probes, a move order, quiescence.

Without any of them it is alphabeta.py, row for row. The module of each rung chooses the additions, runs the passes, and
contains the pseudo-code of the literature.

- **Table** (Plaat and others 1996, AlphaBetaWithMemory): see transposition_table.py. The move of an entry is tried first unless
  `hash_move` is off.
- **Probes** (Marsland and Campbell 1982, principal variation search; Reinefeld 1983, NegaScout): the first move is searched with
  the window as it is. Every later one is probed with the null window at the bound of the side to move: MAX (alpha, the next
  number above alpha), MIN (the next number below beta, beta), never wider than the window, and the whole window while that
  bound is infinite. If the value lies strictly inside (alpha, beta) and the probe was narrower than that, the move is searched
  again with the current (alpha, beta). A leaf is a call like any other. `capabilities.adjacent_value` returns the next number.
- **Quiescence**: beyond the horizon noisy moves are searched, see quiescence.py. The value of the row at the horizon is then
  stored in the table like that of any row with no plies left.
- **Principal line**: without a table iterative deepening tries the best line of the last depth first, as long as the path
  follows it.
"""

from collections.abc import Mapping
from typing import Any

from engine.algorithms.move_ordering import GAME, MoveOrdering
from engine.algorithms.pass_runner import FULL_WINDOW, Additions, Path, Window
from engine.algorithms.quiescence import find_noisy_moves, quiesce
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import check_recursion_depth, depth_limit
from engine.algorithms.transposition_table import TranspositionTable
from engine.games.capabilities import adjacent_value, table_key
from engine.games.protocol import Game, is_max_to_move, iterate_moves, legal_moves, move_codes, play_move, static_value
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TABLE, TERMINAL
from engine.record.recorder import NodeCounter, Record

NO_ADDITIONS = Additions()


class AlphaBetaSearch:
    """An alpha-beta search with its additions, over all of its passes: the readable `PassRunner`."""

    def __init__(
        self,
        game: Game,
        record: Record | NodeCounter,
        options: Mapping[str, Any],
        additions: Additions = NO_ADDITIONS,
    ):
        self.game, self.record = game, record
        self.cut_on_equal = options.get("cut_on_equal", True)
        self.ordering = MoveOrdering(options.get("order", GAME), game, record)
        self.table = None
        if additions.table:
            self.table = TranspositionTable(options["slots"], options["replace"], options["draft"], self.cut_on_equal)
        self.scout, self.hash_move = additions.scout, additions.hash_move
        self.quiescence = options.get("quiescence", 0)  # plies beyond the horizon
        self.principal: Path = ()  # the line that is tried first, set by the algorithm
        self._lines: dict[int, Path] = {}  # by depth: the best line so far below the latest call

    def run_pass(self, root: Any, plies: int, window: Window = FULL_WINDOW, why: str = "") -> float:
        """Run one complete search and return its value. `why` is the reason of the pass; a search of a single pass has none."""
        if why:
            self.record.begin_pass(depth_limit(plies), why)
        self.ordering.begin_pass()
        return self.search(root, plies, *window)

    @property
    def best_line(self) -> Path:
        """Return the best line of the last pass, as far as it was searched."""
        return self._lines[0]

    def count_evaluations(self, positions: int) -> None:
        """Count evaluations that are not nodes."""
        self.record.count_evaluations(positions)

    def search(
        self, state: Any, remaining: int, alpha: float, beta: float, path: Path = (), move: int = NONE, probe: int = NONE
    ) -> float:
        """Return the value of `state` for MAX, fail-soft: <= alpha is an upper bound, >= beta a lower bound, between them
        exact.
        """
        game, record, table, depth = self.game, self.record, self.table, len(path)
        maximizing = is_max_to_move(game, state)
        window, key, entry, answer = (alpha, beta), None, None, None
        if table is not None:
            key = table_key(game, state, path)
            entry = table.find(key, remaining)
            answer = table.answer(entry, remaining, alpha, beta)
        advice = entry.move if entry is not None and self.hash_move else None
        link = answer.row if answer else probe if probe != NONE else entry.row if entry and advice is not None else NONE
        node = record.enter(move, depth, alpha, beta, maximizing, link)
        self._lines[depth] = ()
        if answer is not None:
            return record.leave(node, TABLE, answer.value, bound=answer.bound)
        over = game.is_over(state)
        if self.quiescence and remaining == 0 and (noisy := find_noisy_moves(game, state, self.quiescence)):
            value = quiesce(game, record, node, state, noisy, self.quiescence, depth, alpha, beta, self.cut_on_equal)
            if table is not None:
                table.store(key, 0, value, window, None, node)
            return value
        if over or remaining == 0:
            value = static_value(game, state, record)
            if table is not None:
                table.store_leaf(key, remaining, value, node)
            return record.leave(node, TERMINAL if over else HORIZON, value)
        check_recursion_depth(depth)

        if advice is None and table is None and path == self.principal[:depth] != self.principal:
            advice = self.principal[depth]
        replies = legal_moves(game, state)
        moves = list(zip(move_codes(replies), replies, strict=True))
        order = self.ordering.order_moves(state, moves, path, remaining, maximizing, advice)
        better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
        best, status, skipped = None, EXHAUSTED, 0
        for tried, code, reply in iterate_moves(game, state, replies, node, order):
            child, first = play_move(game, state, reply), record.next_row
            child_window = self.null_window(maximizing, alpha, beta) if self.scout and tried > 1 else (alpha, beta)
            score = self.search(child, remaining - 1, *child_window, (*path, code), code)
            if alpha < score < beta and child_window != (alpha, beta):
                score = self.search(child, remaining - 1, alpha, beta, (*path, code), code, first)
            if best is None or better(value, score) != value:
                value, best, self._lines[depth] = score, code, (code, *self._lines[depth + 1])
            if tried < len(moves) and is_refuted(maximizing, value, alpha, beta, self.cut_on_equal):
                status, skipped = CUTOFF, len(moves) - tried
                self.ordering.learn_cutoff(depth, remaining, maximizing, code)
                break
            if maximizing:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if table is not None:
            table.store(key, remaining, value, window, best, node)
        return record.leave(node, status, value, skipped)

    def null_window(self, maximizing: bool, alpha: float, beta: float) -> Window:
        """Return the window of a probe, which asks: is this move better for the side to move than its best so far?"""
        if maximizing:
            return (alpha, min(beta, adjacent_value(self.game, alpha, up=True))) if alpha > -INFINITY else (alpha, beta)
        return (max(alpha, adjacent_value(self.game, beta, up=False)), beta) if beta < INFINITY else (alpha, beta)
