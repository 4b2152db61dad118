"""The sentence for a step.

This module holds all templates, except a game's phrases for its moves and an algorithm's templates for its steps. Rules over
the facts of the step (step_facts.py) choose the template. `rules_for_tree` returns the rules of a search. The browser gets the
same rules, and `viewer/assets/model/sentences.js` fills the same slots. Values are always from MAX's side.
"""

from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.as_published import QUIRK_RULES as WORDS_AS_PUBLISHED
from engine.algorithms.templates import Rule, Rules, merge_rules
from engine.core.stop_reason import StopReason
from engine.games.capabilities import game_phrases, program_sources
from engine.games.chance_outcomes import format_probability
from engine.games.protocol import MovesByCode
from engine.record.columns import NONE
from engine.tree.iteration_timeline import IterationStep
from engine.tree.node import Node
from engine.tree.trace import DRIVER, ENTER, LEAVE, LEAVE_CUT, RETURN, TABLE_ANSWER, Step
from engine.tree.tree import SearchTree
from visualizer.narration.chance_rules import CHANCE_RULES
from visualizer.narration.iteration_sentences import iteration_sentence
from visualizer.narration.numbers import distinct_formatter, format_count
from visualizer.narration.rules import choose_rule, format_part
from visualizer.narration.step_facts import (
    MAX_LISTED_MOVES,
    SHORTENED_LIST_MOVES,
    collect_facts,
    collect_numbers,
    collect_probabilities,
    expectation_after,
    extra_plies,
    linked_row,
)
from visualizer.narration.stop_messages import STOP_EXPLANATIONS

BOUND_INTRO = "{all}. {because}, only a bound is known: this node is worth {known}. "
REPEATED_INTRO = "This position was already searched {deep} at node {entry}. "
DONE_INTRO = "The search is done: the root is worth {known}"

RULES: Rules = {
    "": [Rule("", {}, "{sentence}{advice}{begins}{stopped}")],
    "sentence": [
        # a node is entered: the rules differ by its window
        Rule(
            "enter.root.minimax",
            {"step": "enter", "root": True, "pass": "only", "windows": False},
            "The search starts at the root with {side} to move.",
        ),
        Rule(
            "enter.root",
            {"step": "enter", "root": True, "pass": "only"},
            "The search starts at the root with {side} to move. Nothing is known yet, so the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.pass.minimax",
            {"step": "enter", "root": True, "windows": False},
            "Pass {pass} starts at the root with {side} to move: {why}.",
        ),
        Rule(
            "enter.pass",
            {"step": "enter", "root": True},
            "Pass {pass} starts at the root with {side} to move: {why}. The window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.minimax",
            {"step": "enter", "windows": False},
            "{mover} tries {move}, and the search goes down to depth {depth}.",
        ),
        Rule(
            "enter.again",
            {"step": "enter", "call": "again"},
            "{mover} searches {move} again, now with the window {alpha} to {beta}.",
        ),
        Rule(
            "enter.probe",
            {"step": "enter", "call": "probe"},
            "{mover} probes {move} with the narrower window {alpha} to {beta}. A result outside it may be only a bound.",
        ),
        Rule(
            "enter.below",
            {"step": "enter", "call": "below"},
            "{mover} tries {move} inside a probe. The window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.guessed",
            {"step": "enter", "alpha": "open", "beta": "open", "guessed": True},
            "{mover} tries {move}. The window is still the one that this pass started with: {alpha} to {beta}.",
        ),
        Rule(
            "enter.full",
            {"step": "enter", "alpha": "open", "beta": "open"},
            "{mover} tries {move}. Neither side is sure of anything yet, so the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.alpha",
            {"step": "enter", "beta": "open"},
            "{mover} tries {move}. MAX is already sure of at least {alpha}, so the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.beta",
            {"step": "enter", "alpha": "open"},
            "{mover} tries {move}. MIN is already sure of at most {beta}, so the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.both",
            {"step": "enter"},
            "{mover} tries {move}. MAX is already sure of at least {alpha} and MIN of at most {beta}, "
            "so the window is {alpha} to {beta}.",
        ),
        # a leaf is evaluated
        Rule("evaluate.terminal", {"step": "evaluate", "status": "terminal"}, "{over} {value}."),
        Rule(
            "evaluate.quiet",
            {"step": "evaluate", "status": "horizon", "beyond": True, "quiet": True},
            "Beyond the depth limit K = {K} only noisy moves are searched. There are none here, so this position is "
            "evaluated: its value is {value}.",
        ),
        Rule(
            "evaluate.limit",
            {"step": "evaluate", "status": "horizon", "beyond": True},
            "The search goes at most {further} beyond the depth limit K = {K}, so this position is evaluated: "
            "its value is {value}.",
        ),
        Rule(
            "evaluate.horizon",
            {"step": "evaluate", "status": "horizon"},
            "The depth limit{limit} is reached, so this position is evaluated: its value is {value}.",
        ),
        # the table answers
        Rule(
            "table.exact",
            {"step": "table", "linked": True, "bound": "exact"},
            REPEATED_INTRO + "The table has its value, {value}, so there is nothing to search.",
        ),
        Rule(
            "table.lower",
            {"step": "table", "linked": True, "bound": "lower", "reaches": "beta"},
            REPEATED_INTRO + "The table proves at least {value}. That reaches beta, {beta}, so there is nothing to search.",
        ),
        Rule(
            "table.upper",
            {"step": "table", "linked": True, "bound": "upper", "reaches": "alpha"},
            REPEATED_INTRO
            + "The table proves at most {value}. That does not exceed alpha, {alpha}, so there is nothing to search.",
        ),
        Rule("table", {"step": "table"}, "This position was already searched. The table answers: it is worth {known}."),
        # a child returns
        Rule(
            "return.repeated",
            {"step": "return", "repeated": True},
            "{Move} returns {known}. Nothing changes here until it is searched again with another window.",
        ),
        Rule(
            "return.first",
            {"step": "return", "first": True},
            "{Move} returns {known}, the first value for {side} here.{window}",
        ),
        Rule(
            "return.open.improves",
            {"step": "return", "bound": "open", "improves": True},
            "{Move} returns {known}. The value here is now {best}.{window}",
        ),
        Rule("return.open", {"step": "return", "bound": "open"}, "{Move} returns {known}. Nothing changes."),
        Rule(
            "return.may improve",
            {"step": "return", "improves": True, "proved": False},
            "{Move} returns {known}. That may be better for {side} than {before}, so the value here is now {best}.{window}",
        ),
        Rule(
            "return.improves",
            {"step": "return", "improves": True},
            "{Move} returns {known}. That is better for {side} than {before}, so the value here is now {best}.{window}",
        ),
        Rule(
            "return.bound",
            {"step": "return", "proved": False},
            "{Move} returns {known}. It cannot be better for {side} than {best}, so nothing changes.",
        ),
        Rule(
            "return.worse than pat",
            {"step": "return", "equal": False, "pat": True},
            "{Move} returns {known}. That is worse for {side} than standing pat with {best}, so nothing changes.",
        ),
        Rule(
            "return.same",
            {"step": "return", "equal": False},
            "{Move} returns {known}. That is worse for {side} than {best}, so nothing changes.",
        ),
        Rule(
            "return.as good as pat",
            {"step": "return", "pat": True},
            "{Move} returns {known}. That is a tie, so {side} still stands pat and nothing changes.",
        ),
        Rule(
            "return.tie",
            {"step": "return", "kept": True},
            "{Move} returns {known}. That is a tie, so {side} keeps the earlier move and nothing changes.",
        ),
        Rule(
            "return.proved",
            {"step": "return"},
            "{Move} returns {known}. Until now {best} was only the best that {side} could hope for; "
            "this move guarantees it. The number stays the same.",
        ),
        # a node is cut off
        Rule(
            "cutoff.amiss",
            {"step": "cutoff", "amiss": True},
            "{side} got {best} here, but the node returns {value}, and {skipped} skipped.",
        ),
        Rule(
            "cutoff.no window",
            {"step": "cutoff", "windows": False},
            "{holds}, and {skipped} skipped. The record has no window that explains why.",
        ),
        Rule(
            "cutoff.window",
            {"step": "cutoff", "cause": ""},
            "{holds}. That reaches {bound}, the end of the window that {whole} started with. "
            "Anything beyond it does not matter, so {cutoff}.",
        ),
        Rule(
            "cutoff.probe",
            {"step": "cutoff", "cause": "probe"},
            "{holds}. That reaches {bound}, the end of this probe's window. This answers the probe, so {cutoff}.",
        ),
        Rule(
            "cutoff.below",
            {"step": "cutoff", "cause": "below"},
            "{holds}. That reaches {bound}, the end of the window of a probe further up. "
            "Anything beyond it does not matter, so {cutoff}.",
        ),
        Rule(
            "cutoff.tie",
            {"step": "cutoff", "equal": True},
            "{holds}, and {where} {other} is sure of {bound} {by}. {other} cannot do better here, so {cutoff}.",
        ),
        Rule(
            "cutoff.better",
            {"step": "cutoff"},
            "{holds}, but {where} {other} is sure of {bound} {by}. {other} will never let play reach this node, so {cutoff}.",
        ),
        # a node is left, but its subtree was not sent to the browser
        Rule(
            "hidden",
            {"step": "leave", "hidden": True},
            "{side} gets {known} here. The {count} nodes below are not shown: open this subtree to see them.",
        ),
        # a node is left after its last move
        Rule(
            "leave.amiss",
            {"step": "leave", "amiss": True},
            "{all}. The best of them brings {side} {best}, but the node returns {value}.",
        ),
        Rule(
            "leave.open",
            {"step": "leave", "bound": "open"},
            "{all}. This node returns {known}.",
        ),
        Rule(
            "leave.hope",
            {"step": "leave", "best": False},
            BOUND_INTRO + "That is the best {side} could hope for here; no single move guarantees it.",
        ),
        Rule(
            "leave.root.pat",
            {"step": "leave", "root": True, "pass": "only", "pat": True},
            DONE_INTRO + ", which {side} gets {by}.",
        ),
        Rule(
            "leave.root",
            {"step": "leave", "root": True, "pass": "only"},
            DONE_INTRO + ", and the best move for {side} is {move}.",
        ),
        Rule(
            "leave.pat",
            {"step": "leave", "bound": "exact", "pat": True},
            "{all}. None is better for {side} than standing pat, so this node is worth {known}.",
        ),
        Rule(
            "leave.exact",
            {"step": "leave", "bound": "exact"},
            "{all}. The best for {side} is {move}, so this node is worth {known}.",
        ),
        Rule("leave.bound", {"step": "leave"}, BOUND_INTRO + "{side} gets that {by}."),
        # the root of a pass returns to the driver
        Rule(
            "driver.done",
            {"step": "driver", "pass": "last", "stopped": "", "bound": "exact", "best": True},
            DONE_INTRO + ", and the best move for {side} is {move}.",
        ),
        Rule(
            "driver.bound",
            {"step": "driver", "pass": "last", "stopped": "", "best": True},
            DONE_INTRO + ", which {side} gets {by}.",
        ),
        Rule(
            "driver.pat",
            {"step": "driver", "pass": "last", "stopped": "", "pat": True},
            DONE_INTRO + ", which {side} gets {by}.",
        ),
        Rule("driver.hope", {"step": "driver", "pass": "last", "stopped": ""}, DONE_INTRO + "."),
        Rule("driver.next", {"step": "driver"}, "Pass {pass} is over: the root is worth {known}."),
    ],
    "deep": [Rule("deep.same", {"draft": "same"}, "to the same depth"), Rule("deep.deeper", {}, "{deeper} deeper")],
    "advice": [
        Rule(
            "advice.entry",
            {"advised": True},
            " The table has an entry for this position, from node {entry}: the move that it recommends is tried first.",
        ),
        Rule("advice.none", {}, ""),
    ],
    "begins": [  # the node begins with standing pat
        Rule(
            "begins.limit",
            {"step": "enter", "stands": True, "beyond": False},
            " The depth limit K = {K} is reached, but there are noisy moves. {side} stands pat with {static}, the static "
            "evaluation, and then tries only noisy moves.",
        ),
        Rule(
            "begins.beyond",
            {"step": "enter", "stands": True},
            " {side} stands pat with {static} and then tries only noisy moves.",
        ),
        Rule("begins.not", {}, ""),
    ],
    "all": [
        Rule("all.noisy", {"stands": True}, "All noisy moves have been searched"),
        Rule("all.moves", {}, "All moves have been searched"),
    ],
    "holds": [
        Rule("holds.pat", {"pat": True}, "{side} stands pat with {value} here"),
        Rule("holds.move", {}, "{side} can already get {value} here"),
    ],
    "cutoff": [Rule("cutoff", {}, "there is a cutoff: {skipped} skipped")],
    "by": [  # otherwise the game's phrase for a move as a means
        Rule("by.own pat", {"step": "leave", "pat": True}, "by standing pat"),
        Rule("by.other pat", {"step": "cutoff", "sure by": "pat"}, "by standing pat"),
        Rule("by.driver pat", {"step": "driver", "pat": True}, "by standing pat"),
    ],
    "because": [Rule("because", {}, "Because of cutoffs further down")],
    "whole": [Rule("whole.search", {"pass": "only"}, "the whole search"), Rule("whole.pass", {}, "this pass")],
    "window": [  # the effect of a returned value on it
        Rule("window.alpha", {"narrows": "alpha"}, " This raises alpha, the value MAX is sure of, to {alpha}."),
        Rule("window.beta", {"narrows": "beta"}, " This lowers beta, the value MIN is sure of, to {beta}."),
        Rule("window.minimax", {"windows": False}, ""),
        Rule(
            "window.below",
            {"side": "max", "alpha": "sure"},
            " MAX is already sure of {alpha} elsewhere, so alpha stays the same.",
        ),
        Rule(
            "window.above", {"side": "min", "beta": "sure"}, " MIN is already sure of {beta} elsewhere, so beta stays the same."
        ),
        Rule("window.stays", {}, " The window stays {alpha} to {beta}."),
    ],
    "known": [  # the value with the bound that it proves
        Rule("known.lower", {"bound": "lower"}, "at least {value}"),
        Rule("known.upper", {"bound": "upper"}, "at most {value}"),
        Rule("known.exact", {"bound": "exact"}, "{value}"),
        Rule("known.open", {"bound": "open"}, "{value}, which proves nothing by itself"),
    ],
    "side": [
        Rule("side.max", {"side": "max"}, "MAX"),
        Rule("side.min", {"side": "min"}, "MIN"),
        Rule("side.chance", {}, "chance"),
    ],
    "other": [Rule("other.min", {"side": "max"}, "MIN"), Rule("other.max", {}, "MAX")],
    "mover": [
        Rule("mover.max", {"mover": "max"}, "MAX"),
        Rule("mover.min", {}, "MIN"),  # chance has rules of its own
    ],
    "where": [  # the node where the other side has a better choice
        Rule("where.root", {"cause": "root"}, "at the root"),
        Rule("where.path", {"cause": "path"}, "{earlier} earlier"),
    ],
    "names": [  # of the skipped moves
        Rule("names.one", {"skipped": "one"}, "{last}"),
        Rule("names.few", {"skipped": "few"}, "{first} and {last}"),
        Rule("names.many", {"skipped": "many"}, "{first} and {more} more"),
    ],
    "stopped": [  # the last step of a search that is not complete
        Rule("stopped.not", {"stopped": StopReason.NOT_STOPPED}, ""),
        *(
            Rule(f"stopped.{reason}", {"stopped": reason}, f" The search stopped here: {explanation}.")
            for reason, explanation in STOP_EXPLANATIONS.items()
        ),
    ],
}

TABLE_RULES: Rules = {  # for searches with table hits
    "because": [Rule("because.table", {}, "Because of cutoffs further down or bounds in the table")],
}

PROGRAM_RULES: Rules = {  # for recorded programs: whether a call had other moves is not known
    "all": [Rule("all.program", {}, "This call tries no more moves")],
}

DISTINCT_NUMBERS = {  # numbers of a step that must look different if they differ
    "enter": ("alpha", "beta", "static"),
    "evaluate": ("value", "alpha", "beta"),
    "table": ("value", "alpha", "beta"),
    "return": ("value", "best", "before", "alpha", "beta", "low", "high"),
    "cutoff": ("value", "best", "bound"),
    "leave": ("value", "static"),  # and the values of all moves
    "driver": ("value", "alpha", "beta"),
}


def sentence(step: Step | IterationStep) -> str:
    """Return the sentence for a step: what happens, and why."""
    if isinstance(step, IterationStep):
        return iteration_sentence(step)
    return format_part(rules_for_tree(step.node.tree), "", collect_facts(step), slot_texts(step))


def sentence_rule(step: Step) -> Rule:
    """Return the rule that chooses the sentence."""
    return choose_rule(rules_for_tree(step.node.tree)["sentence"], collect_facts(step))


def rules_for_tree(tree: SearchTree) -> Rules:
    """Return the rules for a search. Those of its algorithm come first."""
    drawn = CHANCE_RULES if len(tree.columns.weight) else {}
    specific = ALGORITHMS[tree.algorithm].words, WORDS_AS_PUBLISHED.get(tree.quirk, {}), TABLE_RULES if tree.table_hits else {}
    own = PROGRAM_RULES if program_sources(tree.game) else {}
    return merge_rules(drawn, *specific, own, RULES, move_rules(tree.game))


def sentences_json(tree: SearchTree) -> dict[str, Any]:
    """Return the data that the browser needs to write the same sentences."""
    rules = {part: [rule._asdict() for rule in rules] for part, rules in rules_for_tree(tree).items()}
    return {"rules": rules, "toldApart": DISTINCT_NUMBERS, "mostListed": MAX_LISTED_MOVES, "named": SHORTENED_LIST_MOVES}


def describe_value(bound: str, value: str) -> str:
    """Describe a value with the bound that it proves.

    >>> describe_value("lower", "3"), describe_value("exact", "3")
    ('at least 3', '3')
    """
    return format_part(RULES, "known", {"bound": bound}, {"value": value})


def move_rules(game: Any) -> Rules:
    """Return the rules made of the game's phrases for its moves."""
    words = game_phrases(game)
    return {
        "move": [Rule("move", {}, words.move)],
        "Move": [Rule("Move", {}, words.move[:1].upper() + words.move[1:])],
        "by": [Rule("by", {}, words.by)],
        "skipped": [
            Rule("skipped.unknown", {"skipped": "unknown"}, "all remaining moves are"),
            Rule("skipped.one", {"skipped": "one"}, words.one),
            Rule("skipped.many", {}, words.many),
        ],
        "over": [Rule("over", {}, words.over)],
    }


def slot_texts(step: Step) -> dict[str, str]:
    """Return the texts for the slots that have no rules."""
    node, numbers = step.node, collect_numbers(step)
    compared = [numbers[name] for name in DISTINCT_NUMBERS[step.kind] if name in numbers]
    move_values = set(node.child_values if step.kind == LEAVE else ())
    format_value = distinct_formatter(*compared, *move_values, window=(node.alpha, node.beta))
    slots = {name: format_value(value) for name, value in numbers.items()}
    slots |= {name: format_probability(p) for name, p in collect_probabilities(step).items()}
    slots["asked"] = _describe_null_window(slots["alpha"], slots["beta"])
    slots |= {
        "depth": str(node.depth),
        "further": format_count(node.tree.quiescence, "ply", "plies"),
        "entry": f"{linked_row(node):,}",
        **_pass_slots(node),
    }
    if step.kind == TABLE_ANSWER and linked_row(node) != NONE:
        slots["deeper"] = format_count(extra_plies(node), "ply", "plies")
    if (moved := _find_moved_node(step)) is not None:
        slots["name"] = moved.move_name
    if step.cause is not None:
        slots["earlier"] = format_count(node.depth - step.cause.ancestor.depth, "move")
    if step.kind == LEAVE_CUT:
        slots |= _skipped_move_slots(step)
    if step.kind == RETURN and node.turn == "chance":
        expected = expectation_after(step)
        slots |= {"counted": str(expected.counted), "outcomes": str(expected.outcomes)}
    return slots


def _describe_null_window(alpha: str, beta: str) -> str:
    """Describe the question that a null window asks about a value.

    >>> _describe_null_window("2", "3"), _describe_null_window("3", "just above 3"), _describe_null_window("−∞", "−∞+1")
    ('at least 3', 'more than 3', 'more than −∞')
    """
    return f"more than {alpha}" if beta in (f"just above {alpha}", f"{alpha}+1") else f"at least {beta}"


def _find_moved_node(step: Step) -> Node | None:
    """Return the node behind the move that the sentence is about."""
    if step.kind == LEAVE_CUT:
        return step.cause.child if step.cause else None
    if step.kind == LEAVE:
        return step.node.proving_child
    if step.kind == DRIVER:
        return step.node.best_child
    return step.child if step.kind == RETURN else step.node if step.kind == ENTER and step.node.depth > 0 else None


def _pass_slots(node: Node) -> dict[str, str]:
    """Return the slots of the node's pass: its number, its depth limit, and its reason."""
    place = node.tree.pass_number(node)
    search_pass = node.tree.passes[place]
    limit = "" if search_pass.K is None else f" K = {search_pass.K}"  # a recorded search may not tell it
    return {"pass": str(place + 1), "K": str(search_pass.K), "limit": limit, "why": search_pass.why}


def _skipped_move_slots(step: Step) -> dict[str, str]:
    """Return the slots of the skipped moves. The record of a student's program may not have them."""
    replies = MovesByCode(step.node.tree.game, step.node.state) if step.skipped_moves else None
    names = [replies.name(code) for code in step.skipped_moves] if replies else []
    first = names[:SHORTENED_LIST_MOVES] if len(names) > MAX_LISTED_MOVES else names[:-1]
    return {"first": ", ".join(first), "last": "".join(names[-1:]), "more": str(len(names) - SHORTENED_LIST_MOVES)}
