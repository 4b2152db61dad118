"""The sentences for the steps of a search in iterations: what happens, and the numbers that decide it.

Numbers have as many digits as they need: a sum must be the sum of its parts as they are written, and numbers that differ must
look different.
"""

from decimal import ROUND_HALF_EVEN, Decimal

from engine.algorithms import find_algorithm
from engine.algorithms.templates import Pseudocode
from engine.games.capabilities import move_phrase
from engine.games.chance_outcomes import format_probability, has_chance
from engine.record.iteration_record import MAX_OUTCOME
from engine.tree.iteration_timeline import BACKUP, EXPAND, SELECT, Candidate, Count, IterationStep
from engine.tree.node import Node
from engine.tree.tree import SearchTree
from engine.tree.visits import is_max_moving_into
from visualizer.narration.ladder_messages import capitalize_first

MIN_DIGITS, MAX_DIGITS = 2, 15  # after the point
FORMULA_DIGITS = 3
MAX_MEAN_DIGITS = 12  # beyond them a mean changes only because sums are rounded
RESULTS = {0: "MIN wins", 1: "a draw", 2: "MAX wins"}


def iteration_sentence(step: IterationStep) -> str:
    """Return the sentence for a step.

    >>> from engine import connect, search
    >>> timeline = search(connect(), algorithm="mcts", iterations=50, seed=7).timeline
    >>> iteration_sentence(timeline[timeline.find(40, "expand")])
    'Column 2 is added: one of 3 untried moves, drawn at random.'
    """
    if step.kind == SELECT:
        return _describe_selection(step)
    if step.kind == EXPAND:
        return _describe_expansion(step)
    return _describe_backup(step) if step.kind == BACKUP else _describe_simulation(step)


def _describe_selection(step: IterationStep) -> str:
    if step.child is not None and step.node.turn == "chance":
        return f"Chance brings {_move(step.child)} with probability {format_probability(step.child.probability)}."
    chosen = next(candidate for candidate in step.candidates if candidate.node == step.child)
    name = capitalize_first(_move(chosen.node))
    others = [candidate for candidate in step.candidates if candidate.node != step.child and not candidate.proven]
    if not others:
        why = "the only move that is not proven" if len(step.candidates) > 1 else "the only move"
        return f"{name} is chosen: it is {why}."
    second = max(others, key=lambda candidate: candidate.sum)
    digits = _find_digits(chosen, second)
    own, other = (_write_sum(candidate, digits) for candidate in (chosen, second))
    if chosen.sum == second.sum:
        return f"{name} is chosen: {own}, as much as {_move(second.node)}; the move that was added first is taken."
    than = "more than" if digits < MAX_DIGITS else "hardly more than"
    return f"{name} is chosen: {own}, {than} {_move(second.node)}'s {other}."


def _describe_expansion(step: IterationStep) -> str:
    is_chance = step.node.turn == "chance"
    if step.child is None and is_chance:
        return f"All {step.untried} outcomes are added." if step.untried > 1 else "The only outcome is added."
    if step.child is None:
        return f"All {step.untried} moves are added." if step.untried > 1 else "The only move is added."
    name = capitalize_first(_move(step.child))
    if is_chance:
        probability = format_probability(step.child.probability)
        return f"{name}, which has probability {probability}, is drawn for the first time and added."
    if step.untried == 1:
        return f"{name} is added: it was the only untried move."
    return f"{name} is added: one of {step.untried} untried moves, drawn at random."


def _describe_simulation(step: IterationStep) -> str:
    outcome = step.outcome or 0
    is_whole = isinstance(step.outcome, int)
    result = RESULTS[int(outcome)] if is_whole else f"the result counts {_write(outcome / MAX_OUTCOME, MIN_DIGITS)} for MAX"
    if step.node.status == "terminal":
        return f"The game is over here: {result}."
    if step.playout == 0:
        return f"The evaluation counts {_write(outcome / MAX_OUTCOME, MIN_DIGITS)} for MAX."
    ply, plies = ("ply", "plies") if step.node.tree.has_chance else ("move", "moves")
    moves = f"One random {ply} leads" if step.playout == 1 else f"{step.playout} random {plies} lead"
    return f"{moves} to the end: {result}."


def _describe_backup(step: IterationStep) -> str:
    before, after = step.before or Count(0, 0), step.after or Count(0, 0)
    side = "MAX" if is_max_moving_into(step.node) else "MIN"
    where = "The root" if step.node.depth == 0 else capitalize_first(_move(step.node))
    if before.visits == 0:
        return f"{where} has its first visit, and its mean for {side} is {_write(after.mean, MIN_DIGITS)}."
    looks = (tuple(_write(count.mean, digits) for count in (before, after)) for digits in range(MIN_DIGITS, MAX_MEAN_DIGITS + 1))
    old, new = next((pair for pair in looks if pair[0] != pair[1]), (_write(after.mean, MIN_DIGITS),) * 2)
    change = f"stays {new}" if old == new else f"goes from {old} to {new}"
    words = f"{where} has {after.visits:,} visits instead of {before.visits:,}, and its mean for {side} {change}."
    return f"{_describe_choice(step.node.tree)} {words}" if _is_last(step) else words


def _is_last(step: IterationStep) -> bool:
    return step.node.depth == 0 and step.iteration == step.node.tree.iterations


def _describe_choice(tree: SearchTree) -> str:
    """Return the move that the search chooses at its end, and why.

    >>> from engine import nim, search
    >>> _describe_choice(search(nim([2, 1]), algorithm="mcts", iterations=50))
    'MCTS chooses taking 1 from heap 0: it has most visits, 41 of 50.'
    """
    best, title = tree.root.best_child, find_algorithm(tree.algorithm).title
    if best is None:
        return "The search is done."
    if best.visits == max(child.visits for child in tree.root.children):
        return f"{title} chooses {_move(best)}: it has most visits, {best.visits:,} of {tree.iterations:,}."
    return f"{title} chooses {_move(best)}: it is proven best."


def iteration_code(tree: SearchTree) -> Pseudocode:
    """Return the pseudo-code of a search in iterations."""
    return find_algorithm(tree.algorithm).pseudocode({**tree.question.options, "has_chance": has_chance(tree.game)})


def find_iteration_line(step: IterationStep) -> int:
    """Return the line of the pseudo-code that a step is at."""
    lines = iteration_code(step.node.tree)
    return next(place for place, line in enumerate(lines) if line.when == {"step": step.kind})


def write_line_numbers(step: IterationStep) -> str:
    """Return the numbers of a step that are shown beside its line of code.

    >>> from engine import connect, search
    >>> timeline = search(connect(), algorithm="mcts", iterations=50, seed=7).timeline
    >>> write_line_numbers(timeline[timeline.find(40, "expand")])
    'column 2'
    """
    if step.kind == SELECT:
        return (
            "" if not step.candidates else _write(max(one.sum for one in step.candidates if one.node == step.child), MIN_DIGITS)
        )
    if step.kind == EXPAND:
        return f"{step.untried} moves" if step.child is None else _move(step.child)
    if step.kind == BACKUP:
        visits, mean = step.after or Count(0, 0)
        return f"n = {visits:,}, mean {_write(mean, MIN_DIGITS)}"
    return f"{_write((step.outcome or 0) / MAX_OUTCOME, 1 if isinstance(step.outcome, int) else MIN_DIGITS)} for MAX"


def write_formula(step: IterationStep) -> str:
    """Return the formula of a selection with the numbers of the chosen child; empty where nothing is computed.

    >>> from engine import connect, search
    >>> timeline = search(connect(), algorithm="mcts", iterations=50, seed=7).timeline
    >>> write_formula(timeline[timeline.find(40, "select")])
    '0.600 + 1.4 · √(ln 39 / 5) = 1.798'
    """
    chosen = next((one for one in step.candidates if one.node == step.child), None)
    if chosen is None:
        return ""
    tree, c = step.node.tree, f"{step.node.tree.question.options['c']:g}"
    here = tree.replay.count(step.node, step.iteration - 1)[0]
    mean, total = (_write(number, FORMULA_DIGITS) for number in (chosen.mean, chosen.sum))
    if len(tree.columns.prior):
        bonus = f"{c} · {_write(chosen.node.prior, FORMULA_DIGITS)} · √{here} / (1 + {chosen.visits})"
    else:
        bonus = f"{c} · √(ln {here} / {chosen.visits})"
    return f"{mean} + {bonus} = {total}"


def write_rule(step: IterationStep) -> str:
    """Return the sum that a selection compares, as a formula of the mean and n of a child; empty where nothing is computed.

    >>> from engine import connect, search
    >>> timeline = search(connect(), algorithm="mcts", iterations=50, seed=7).timeline
    >>> write_rule(timeline[timeline.find(40, "select")])
    'mean + 1.4 · √(ln 39 / n)'
    """
    if not step.candidates:
        return ""
    tree = step.node.tree
    c, here = f"{tree.question.options['c']:g}", tree.replay.count(step.node, step.iteration - 1)[0]
    return f"mean + {c} · prior · √{here} / (1 + n)" if len(tree.columns.prior) else f"mean + {c} · √(ln {here} / n)"


def node_phrase(node: Node) -> str:
    """Return a node, named by the move that led to it, as it stands in the middle of a sentence."""
    return "the root" if node.depth == 0 else _move(node)


def _move(node: Node) -> str:
    if node.parent.turn == "chance":
        return f"outcome {node.move_name}"
    return move_phrase(node.tree.game, node.move_name)


def _find_digits(chosen: Candidate, second: Candidate) -> int:
    """Return the number of digits with which both sums are right as they are written, and differ if they are different."""
    for digits in range(MIN_DIGITS, MAX_DIGITS):
        pair = [_round(candidate.sum, digits) for candidate in (chosen, second)]
        parts = [_round(candidate.mean, digits) + _round(candidate.bonus, digits) for candidate in (chosen, second)]
        if pair == parts and (chosen.sum == second.sum or pair[0] > pair[1]):
            return digits
    return MAX_DIGITS


def _write_sum(candidate: Candidate, digits: int) -> str:
    parts = (_write(number, digits) for number in (candidate.mean, candidate.bonus, candidate.sum))
    return "{} + {} = {}".format(*parts)


def _write(number: float, digits: int) -> str:
    return f"{_round(number, digits):f}"


def _round(number: float, digits: int) -> Decimal:
    return Decimal(number).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_EVEN)
