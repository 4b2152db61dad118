"""Alpha-beta with what the rungs above it add, each of which can be left out: a table, probes, an order of moves, quiescence.

Without any of them it is alphabeta.py, row for row. The modules of the rungs say which of them they use, drive the passes, and
have the pseudo-code of the literature.

- **Table** (Plaat and others 1996, AlphaBetaWithMemory): see transposition_table.py. The move of an entry is tried first unless
  `hash_move` is off.
- **Probes** (Marsland and Campbell 1982, principal variation search; Reinefeld 1983, NegaScout): the first move is searched with
  the window as it is. Every later one is probed with the null window at the bound of the side to move: MAX (alpha, the next
  number above alpha), MIN (the next number below beta, beta), never wider than the window, and the whole window while that
  bound is infinite. If the value lies strictly inside (alpha, beta) and the probe was narrower than that, the move is searched
  again with (alpha, beta) as it is then. A leaf is a call like any other. `declarations.neighbour` knows the next number.
- **Quiescence**: beyond the horizon noisy moves are searched, see quiescence.py. The value that they bring to the row at the
  horizon goes into the table as that of any row with no plies left.
- **Principal line**: without a table iterative deepening tries the best line of the last depth first, as long as the path
  follows it.
"""

from collections.abc import Mapping
from typing import Any

from engine.algorithms.move_ordering import GAME, Ordering, Path
from engine.algorithms.quiescence import noisy_replies, quiesce
from engine.algorithms.refutation import refuted
from engine.algorithms.spec import check_stack
from engine.algorithms.transposition_table import Transpositions
from engine.games.capabilities import neighbour, table_key
from engine.games.protocol import Game, after_move, legal_moves, max_to_move, move_codes, static_value, tried_in_turn
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TABLE, TERMINAL
from engine.record.recorder import Record, Tally

Window = tuple[float, float]
FULL: Window = (-INFINITY, INFINITY)


class Windowed:
    """A search with windows, over all of its passes."""

    def __init__(
        self,
        game: Game,
        record: Record | Tally,
        options: Mapping[str, Any],
        table: bool = False,
        scout: bool = False,
        hash_move: bool = True,
    ):
        self.game, self.record = game, record
        self.cut_on_equal = options.get("cut_on_equal", True)
        self.ordering = Ordering(options.get("order", GAME), game, record)
        self.table = Transpositions(options["slots"], options["replace"], options["draft"], self.cut_on_equal) if table else None
        self.scout, self.hash_move = scout, hash_move
        self.quiescence = options.get("quiescence", 0)  # plies beyond the horizon
        self.principal: Path = ()  # a line that is tried first; who drives the passes sets it
        self._lines: dict[int, Path] = {}  # the best line so far of the latest call at each depth, below it

    def run_pass(self, state: Any, plies: int, window: Window = FULL) -> float:
        """One whole search."""
        self.ordering.begin_pass()
        return self.search(state, plies, *window)

    @property
    def best_line(self) -> Path:
        """The best line of the last pass, as far as it was searched."""
        return self._lines[0]

    def search(
        self, state: Any, remaining: int, alpha: float, beta: float, path: Path = (), move: int = NONE, probe: int = NONE
    ) -> float:
        """Value of `state` for MAX, fail-soft: a value <= alpha is an upper bound, >= beta a lower bound, between them exact."""
        game, record, table, depth = self.game, self.record, self.table, len(path)
        maximizing = max_to_move(game, state)
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
        if self.quiescence and remaining == 0 and (noisy := noisy_replies(game, state, self.quiescence)):
            value = quiesce(game, record, node, state, noisy, self.quiescence, depth, alpha, beta, self.cut_on_equal)
            if table is not None:
                table.store(key, 0, value, window, None, node)
            return value
        if over or remaining == 0:
            value = static_value(game, state, record)
            if table is not None:
                table.store_leaf(key, remaining, value, node)
            return record.leave(node, TERMINAL if over else HORIZON, value)
        check_stack(depth)

        if advice is None and table is None and path == self.principal[:depth] != self.principal:
            advice = self.principal[depth]
        replies = legal_moves(game, state)
        moves = list(zip(move_codes(replies), replies, strict=True))
        order = self.ordering.ordered(state, moves, path, remaining, maximizing, advice)
        better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
        best, status, skipped = None, EXHAUSTED, 0
        for tried, code, reply in tried_in_turn(game, state, replies, node, order):
            child, first = after_move(game, state, reply), record.next_row
            asked = self.null_window(maximizing, alpha, beta) if self.scout and tried > 1 else (alpha, beta)
            score = self.search(child, remaining - 1, *asked, (*path, code), code)
            if alpha < score < beta and asked != (alpha, beta):
                score = self.search(child, remaining - 1, alpha, beta, (*path, code), code, first)
            if best is None or better(value, score) != value:
                value, best, self._lines[depth] = score, code, (code, *self._lines[depth + 1])
            if tried < len(moves) and refuted(maximizing, value, alpha, beta, self.cut_on_equal):
                status, skipped = CUTOFF, len(moves) - tried
                self.ordering.cutoff(depth, remaining, maximizing, code)
                break
            if maximizing:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        if table is not None:
            table.store(key, remaining, value, window, best, node)
        return record.leave(node, status, value, skipped)

    def null_window(self, maximizing: bool, alpha: float, beta: float) -> Window:
        """The window of a probe: is this move better for the side to move than what it has?"""
        if maximizing:
            return (alpha, min(beta, neighbour(self.game, alpha, up=True))) if alpha > -INFINITY else (alpha, beta)
        return (max(alpha, neighbour(self.game, beta, up=False)), beta) if beta < INFINITY else (alpha, beta)


def windowed(
    game: Game, record: Any, options: Mapping[str, Any], table: bool = False, scout: bool = False, hash_move: bool = True
) -> Any:
    """What makes the passes that a driver asks for: the text above, or a record that searches by itself, which is the kernel."""
    if hasattr(record, "windowed"):
        return record.windowed(table, scout, hash_move)
    return Windowed(game, record, options, table, scout, hash_move)
