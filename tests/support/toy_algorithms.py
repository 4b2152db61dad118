"""Algorithms that use every part of the model: re-searches with links, several passes, answers of a table, options."""

from engine.algorithms import ALGORITHMS, alphabeta
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import CUT_ON_EQUAL, LINK, MAX_DEPTH, WINDOWS, Algorithm, Option, check_recursion_depth
from engine.algorithms.templates import CodeLine
from engine.games.protocol import is_max_to_move, iterate_moves, legal_moves, move_codes, play_move, static_value
from engine.record.columns import CUTOFF, EXACT, EXHAUSTED, HORIZON, INFINITY, LOWER, NONE, TABLE, TERMINAL, UPPER


def pvs(game, record, state, remaining, options, depth=0, move=NONE, alpha=-INFINITY, beta=INFINITY, link=NONE):
    """Principal variation search: later moves are only asked whether they are better; if they are, they are searched again."""
    maximizing = is_max_to_move(game, state)
    node = record.enter(move, depth, alpha, beta, maximizing, link)
    if game.is_over(state) or remaining == 0:
        return record.leave(node, TERMINAL if game.is_over(state) else HORIZON, static_value(game, state, record))
    check_recursion_depth(depth)
    better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
    replies = legal_moves(game, state)
    for tried, code, reply in iterate_moves(game, state, replies, node):
        child, window, probe = play_move(game, state, reply), (alpha, beta), record.next_row
        asked = window if tried == 1 else null_window(maximizing, alpha, beta)
        score = pvs(game, record, child, remaining - 1, options, depth + 1, code, *asked)
        if alpha < score < beta and asked != window:
            score = pvs(game, record, child, remaining - 1, options, depth + 1, code, *window, probe)
        value = better(value, score)
        if tried < len(replies) and is_refuted(maximizing, value, alpha, beta, options["cut_on_equal"]):
            return record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
        alpha, beta = (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))
    return record.leave(node, EXHAUSTED, value)


def null_window(maximizing, alpha, beta):
    if maximizing:
        return (alpha, min(beta, alpha + 1)) if alpha > -INFINITY else (alpha, beta)
    return (max(alpha, beta - 1), beta) if beta < INFINITY else (alpha, beta)


class Deepening:
    """Alpha-beta to 1, 2, ... plies with a table that answers and orders the moves."""

    def __init__(self, game, record, options):
        self.game, self.record, self.options = game, record, options
        self.entries = {}  # by state: (remaining, bound, value, best move, row)

    def run(self, state, plies):
        to_the_end = plies > MAX_DEPTH
        first = (
            plies if hasattr(self.game, "check_depth") else min(self.options["begin"], plies)
        )  # a literal tree is not cut short
        for K in (plies, plies) if to_the_end else range(first, plies + 1):
            self.record.begin_pass(None if to_the_end else K, f"to {'the end' if to_the_end else K}")
            value = self.search(state, K, 0, NONE, -INFINITY, INFINITY)
        return value

    def search(self, state, remaining, depth, move, alpha, beta):
        game, record = self.game, self.record
        maximizing = is_max_to_move(game, state)
        known = self.entries.get(repr(state)) if self.options["table"] else None
        node = record.enter(move, depth, alpha, beta, maximizing, known[4] if known else NONE)
        if known and depth > 0 and is_entry_usable(known, remaining, alpha, beta):
            return record.leave(node, TABLE, known[2], bound=known[1])
        if game.is_over(state) or remaining == 0:
            value = static_value(game, state, record)
            self.entries[repr(state)] = remaining, EXACT, value, None, node
            return record.leave(node, TERMINAL if game.is_over(state) else HORIZON, value)
        check_recursion_depth(depth)
        better, value, best = (max, -INFINITY, None) if maximizing else (min, INFINITY, None)
        low, high = alpha, beta
        replies = legal_moves(game, state)
        pairs = sorted(zip(move_codes(replies), replies, strict=True), key=lambda pair: bool(known) and pair[0] != known[3])
        for tried, (code, reply) in enumerate(pairs, start=1):
            score = self.search(play_move(game, state, reply), remaining - 1, depth + 1, code, alpha, beta)
            best = code if better(value, score) != value else best
            value = better(value, score)
            if tried < len(pairs) and is_refuted(maximizing, value, alpha, beta, True):
                self.entries[repr(state)] = remaining, LOWER if maximizing else UPPER, value, best, node
                return record.leave(node, CUTOFF, value, skipped=len(pairs) - tried)
            alpha, beta = (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))
        bound = UPPER if value <= low else LOWER if value >= high else EXACT
        self.entries[repr(state)] = remaining, bound, value, best, node
        return record.leave(node, EXHAUSTED, value)


def is_entry_usable(known, remaining, alpha, beta):
    deep, bound, value = known[:3]
    return deep == remaining and (bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha))


CODE = [
    CodeLine("for each pass:", {"step": "driver"}),
    *alphabeta.PSEUDOCODE[:1],
    CodeLine("  if the table answers: return that", {"step": "table"}, "returns {value}"),
    *alphabeta.PSEUDOCODE[1:],
]

PVS = Algorithm(
    name="toy-pvs",
    title="toy PVS",
    line="probe later moves with a null window",
    run=pvs,
    code=alphabeta.PSEUDOCODE,
    columns=(*WINDOWS, LINK),
    options=(CUT_ON_EQUAL,),
    laws=("value", "first of equals", "windows nest"),
)
DEEPENING = Algorithm(
    name="toy-deepening",
    title="toy deepening",
    line="alpha-beta to 1, 2, ... plies with a table",
    run=lambda game, record, state, plies, options: Deepening(game, record, options).run(state, plies),
    code=CODE,
    columns=(*WINDOWS, LINK),
    options=(
        Option("table", True, "Without a table", "Nothing is kept between calls.", "without a table", link="no-table"),
        Option("begin", 1, "Begin with K", "The depth of the first pass.", "from K={value} on", minimum=1, maximum=100),
    ),
    laws=("value", "windows nest"),
)
TOYS = (PVS, DEEPENING)


def register_toys(patch):
    """As long as the monkeypatch lasts the toys are algorithms like any other."""
    for toy in TOYS:
        patch.setitem(ALGORITHMS, toy.name, toy)


def without_windows(game, record, state, plies, options, depth=0, move=NONE, bound=-INFINITY, skipped=1):
    """Cuts at MIN below what MAX has, and hands no window to the record."""
    maximizing = game.maximizing(state)
    node = record.enter(move, depth, -INFINITY, INFINITY, maximizing)
    if game.is_over(state):
        return record.leave(node, TERMINAL, game.evaluate(state))
    values: list[float] = []
    moves = game.moves(state)
    for code in moves:
        below = max([bound, *values]) if maximizing else -INFINITY
        values.append(without_windows(game, record, game.play(state, code), plies, options, depth + 1, code, below, skipped))
        if not maximizing and values[-1] <= bound and len(values) < len(moves):
            return record.leave(node, CUTOFF, min(values), skipped=skipped * (len(moves) - len(values)))
    return record.leave(node, EXHAUSTED, (max if maximizing else min)(values))
