"""Move ordering: the order in which the moves of a node are tried. It is the option `order` of every algorithm with windows.

A move that the table or the last pass recommends is tried before all others. The rest is sorted by one of these orders, and
moves that it does not distinguish stay in the order of the game. The definitions are exact, so that a compiled search can do the
same:

- **game**: as the game lists them.
- **centre**: those nearest to the middle first. If the game declares `centre_distance(move)` (Connect: by column), by that,
  else by the index in the list of legal moves: the i-th of n, from 0, is |2 i - (n - 1)| from the middle.
- **static**: by the static value of the position after the move, best for the side to move first. Each of these counts as an
  evaluation. Where only leaves have values, other positions count as 0 here, and no evaluation is counted.
- **killer**: each ply (the root is 0) has two killers, the moves that last caused a cutoff at a node of that ply. They are
  tried first, the newer one before the older, where they are legal. When a node is left by a cutoff, the move that caused it
  becomes the newer killer of its ply and the one that was becomes the older; if it is the newer one already, nothing changes.
  Every pass begins without killers. (Akl and Newborn, The principal continuation and the killer heuristic, 1977)
- **history**: each side has a weight for each move, 0 at first. When a node is left by a cutoff with r plies remaining, the move
  that caused it gets r * r more. Moves of greater weight come first. Weights are kept from pass to pass. (Schaeffer, The history
  heuristic and alpha-beta search enhancements in practice, 1989)
- **killer-history**: killers as above, then the others by history; both are kept up to date.
- **best**: an oracle. The best move first, the first of equals, by the values of minimax as deep as the search still goes; the
  others as the game lists them. This gives the smallest tree that ordering can give, for comparison. The positions that the
  oracle visits are not counted. It refuses searches with too many of them.

A cutoff is defined as in the record: moves were left untried. A move is identified by its recorded code
(`protocol.move_codes`).
"""

from collections import defaultdict
from typing import Any

from engine.algorithms.pass_runner import Path
from engine.algorithms.spec import check_recursion_depth
from engine.core.errors import BadLimit
from engine.games.capabilities import centre_distance, has_leaf_values_only, table_key
from engine.games.protocol import Game, is_max_to_move, legal_moves, move_codes, play_move, static_value
from engine.record.columns import INFINITY
from engine.record.recorder import NodeCounter, Record

GAME, CENTRE, STATIC, KILLER, HISTORY, KILLER_HISTORY, BEST = (
    "game",
    "centre",
    "static",
    "killer",
    "history",
    "killer-history",
    "best",
)
ORDERS = (GAME, CENTRE, STATIC, KILLER, HISTORY, KILLER_HISTORY, BEST)
KILLERS_PER_PLY = 2
MAX_ORACLE_POSITIONS = 200_000  # of one search; takes some seconds

Move = tuple[int, Any]  # the recorded code of a move, and the move


class MoveOrdering:
    """The move ordering of one search, with its killers and history so far."""

    def __init__(self, name: str, game: Game, record: Record | NodeCounter):
        self.name, self.game, self.record = name, game, record
        self.learns = name in (KILLER, HISTORY, KILLER_HISTORY)
        self.killers: dict[int, list[int]] = {}  # by ply, the newer one first
        self.weights: dict[tuple[bool, int], int] = defaultdict(int)  # by side and move
        self._oracle = Oracle(game) if name == BEST else None

    def begin_pass(self) -> None:
        """Forget the killers."""
        self.killers.clear()

    def learn_cutoff(self, depth: int, remaining: int, maximizing: bool, code: int) -> None:
        """Learn that this move caused a cutoff for the side to move."""
        if not self.learns:
            return
        self.weights[maximizing, code] += remaining * remaining
        killers = self.killers.setdefault(depth, [])
        if killers[:1] != [code]:
            self.killers[depth] = [code, *killers][:KILLERS_PER_PLY]

    def order_moves(
        self, state: Any, moves: list[Move], path: Path, remaining: int, maximizing: bool, first: int | None = None
    ) -> list[Move]:
        """Return the moves in the order in which they are tried; `first` is the recommended one."""
        keys = self._sort_keys(state, moves, path, remaining, maximizing)
        if keys is not None:
            moves = [move for _, move in sorted(zip(keys, moves, strict=True), key=lambda pair: pair[0])]
        if first is not None:
            moves.sort(key=lambda move: move[0] != first)
        return moves

    def _sort_keys(self, state: Any, moves: list[Move], path: Path, remaining: int, maximizing: bool) -> list[Any] | None:
        """Return the sort keys of the moves, least first, or None to leave the moves as they are."""
        codes = [code for code, _ in moves]
        if self.name == CENTRE:
            return [centre_distance(self.game, move, place, len(moves)) for place, (_, move) in enumerate(moves)]
        if self.name == STATIC:
            values = [self._evaluate_child(play_move(self.game, state, move)) for _, move in moves]
            return [-value for value in values] if maximizing else values
        if self._oracle is not None:
            best = self._oracle.find_best_move(state, path, moves, remaining, maximizing)
            return [code != best for code in codes]
        if self.learns:
            weights = [0 if self.name == KILLER else -self.weights[maximizing, code] for code in codes]
            killers = [] if self.name == HISTORY else self.killers.get(len(path), [])
            return [
                (killers.index(code) if code in killers else KILLERS_PER_PLY, weight)
                for code, weight in zip(codes, weights, strict=True)
            ]
        return None

    def _evaluate_child(self, state: Any) -> float:
        if has_leaf_values_only(self.game) and not self.game.is_over(state):
            return 0.0
        self.record.count_evaluations(1)
        return static_value(self.game, state, self.record)


class Oracle:
    """The true value of every position, found by searching it."""

    def __init__(self, game: Game):
        self.game, self.positions_seen = game, 0
        self._values: dict[Any, float] = {}

    def find_best_move(self, state: Any, path: Path, moves: list[Move], remaining: int, maximizing: bool) -> int:
        """Return the recorded code of the first of the best moves."""
        values = [self.minimax_value(play_move(self.game, state, move), (*path, code), remaining - 1) for code, move in moves]
        return moves[values.index(max(values) if maximizing else min(values))][0]

    def minimax_value(self, state: Any, path: Path, remaining: int) -> float:
        """Return the minimax value to this number of plies."""
        game, key = self.game, (table_key(self.game, state, path), remaining)
        if key in self._values:
            return self._values[key]
        self.positions_seen += 1
        if self.positions_seen > MAX_ORACLE_POSITIONS:
            raise BadLimit(
                f"order=best searches every position first, and there are more than {MAX_ORACLE_POSITIONS:,} here: "
                "lower the depth, or choose another order"
            )
        if remaining == 0 or game.is_over(state):
            value = static_value(game, state)
        else:
            check_recursion_depth(len(path))
            better, value = (max, -INFINITY) if is_max_to_move(game, state) else (min, INFINITY)
            replies = legal_moves(game, state)
            for code, move in zip(move_codes(replies), replies, strict=True):
                value = better(value, self.minimax_value(play_move(game, state, move), (*path, code), remaining - 1))
        self._values[key] = value
        return value
