"""The sentence for a step.

This is the one place that owns the words, but for those that a game has for its moves and an algorithm for its steps. Which words
are said is written as rules over the facts of the step (step_facts.py): `rules_of` gives those of a search, for the browser too,
where `viewer/assets/model/sentences.js` fills the same slots. Values are MAX's throughout.
"""

from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.as_published import WORDS as WORDS_AS_PUBLISHED
from engine.algorithms.templates import Rule, Rules, merged
from engine.games.capabilities import words_of
from engine.games.protocol import Replies
from engine.record.columns import NONE
from engine.tree.node import Node
from engine.tree.trace import ANSWER, DRIVER, ENTER, LEAVE, LEAVE_CUT, RETURN, Step
from engine.tree.tree import SearchTree
from visualizer.narration.numbers import counted, telling_apart
from visualizer.narration.rules import chosen, said
from visualizer.narration.step_facts import MOST_LISTED, NAMED, facts_of, link_of, numbers_of, plies_deeper

ONLY_KNOWN = "{all}. {because}, all that is known is that this node is worth {known}: "
BEFORE = "This position has been searched before, {deep}, at node {entry}. "
DONE = "The search is done: the root is worth {known}"

RULES: Rules = {
    "": [Rule("", {}, "{sentence}{advice}{begins}{stopped}")],
    "sentence": [
        # a node is entered: by what is known of its window
        Rule(
            "enter.root.minimax",
            {"step": "enter", "root": True, "pass": "only", "windows": False},
            "The search starts at the root with {side} to move.",
        ),
        Rule(
            "enter.root",
            {"step": "enter", "root": True, "pass": "only"},
            "The search starts at the root with {side} to move. Nothing is known yet: the window is {alpha} to {beta}.",
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
            "{mover} tries {move} with a probe: the window {alpha} to {beta} is narrower than what is sure, "
            "and a value outside of it may be only a bound.",
        ),
        Rule(
            "enter.below",
            {"step": "enter", "call": "below"},
            "{mover} tries {move}, below a probe: the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.guessed",
            {"step": "enter", "alpha": "open", "beta": "open", "guessed": True},
            "{mover} tries {move}. Nothing has narrowed the window yet that this pass began with: it is {alpha} to {beta}.",
        ),
        Rule(
            "enter.full",
            {"step": "enter", "alpha": "open", "beta": "open"},
            "{mover} tries {move}. Neither side is sure of anything yet: the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.alpha",
            {"step": "enter", "beta": "open"},
            "{mover} tries {move}. MAX is already sure of at least {alpha}: the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.beta",
            {"step": "enter", "alpha": "open"},
            "{mover} tries {move}. MIN is already sure of at most {beta}: the window is {alpha} to {beta}.",
        ),
        Rule(
            "enter.both",
            {"step": "enter"},
            "{mover} tries {move}. MAX is already sure of at least {alpha}, MIN of at most {beta}: "
            "the window is {alpha} to {beta}.",
        ),
        # a leaf is evaluated
        Rule("evaluate.terminal", {"step": "evaluate", "status": "terminal"}, "{over} {value}."),
        Rule(
            "evaluate.quiet",
            {"step": "evaluate", "status": "horizon", "beyond": True, "quiet": True},
            "Beyond the depth limit K = {K} only noisy moves are searched, and there is none here, so this position is "
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
            "The depth limit K = {K} is reached, so this position is evaluated: its value is {value}.",
        ),
        # the table answers
        Rule(
            "table.exact",
            {"step": "table", "linked": True, "bound": "exact"},
            BEFORE + "The table knows its value, {value}, so there is nothing to search.",
        ),
        Rule(
            "table.lower",
            {"step": "table", "linked": True, "bound": "lower", "reaches": "beta"},
            BEFORE
            + "The table knows that it is worth at least {value}. That is not below beta, {beta}, which is all that matters "
            "here, so there is nothing to search.",
        ),
        Rule(
            "table.upper",
            {"step": "table", "linked": True, "bound": "upper", "reaches": "alpha"},
            BEFORE
            + "The table knows that it is worth at most {value}. That is not above alpha, {alpha}, which is all that matters "
            "here, so there is nothing to search.",
        ),
        Rule("table", {"step": "table"}, "This position has been searched before. The table answers: it is worth {known}."),
        # a child comes back
        Rule(
            "return.repeated",
            {"step": "return", "repeated": True},
            "{Move} comes back with {known}. It is searched again with another window before anything changes here.",
        ),
        Rule(
            "return.first",
            {"step": "return", "first": True},
            "{Move} comes back with {known}, the first value for {side} here.{window}",
        ),
        Rule(
            "return.open.improves",
            {"step": "return", "bound": "open", "improves": True},
            "{Move} comes back with {known}. The value here is now {best}.{window}",
        ),
        Rule("return.open", {"step": "return", "bound": "open"}, "{Move} comes back with {known}. Nothing changes."),
        Rule(
            "return.may improve",
            {"step": "return", "improves": True, "proved": False},
            "{Move} comes back with {known}. That may be better for {side} than {before}, "
            "so the value here is now {best}.{window}",
        ),
        Rule(
            "return.improves",
            {"step": "return", "improves": True},
            "{Move} comes back with {known}, better for {side} than {before}: the value here is now {best}.{window}",
        ),
        Rule(
            "return.bound",
            {"step": "return", "proved": False},
            "{Move} comes back with {known}: it cannot be better for {side} than {best}, so nothing changes.",
        ),
        Rule(
            "return.worse than pat",
            {"step": "return", "equal": False, "pat": True},
            "{Move} comes back with {known}, worse for {side} than to stand pat with {best}: nothing changes.",
        ),
        Rule(
            "return.same",
            {"step": "return", "equal": False},
            "{Move} comes back with {known}, worse for {side} than {best}: nothing changes.",
        ),
        Rule(
            "return.as good as pat",
            {"step": "return", "pat": True},
            "{Move} comes back with {known} as well: a tie, so {side} still stands pat and nothing changes.",
        ),
        Rule(
            "return.tie",
            {"step": "return", "kept": True},
            "{Move} comes back with {known} as well: a tie, so {side} keeps the earlier move and nothing changes.",
        ),
        Rule(
            "return.proved",
            {"step": "return"},
            "{Move} comes back with {known}. Until now {best} was only the best that {side} could hope for; "
            "this move is sure to bring that much. The number stays the same.",
        ),
        # a node is cut off
        Rule(
            "cutoff.amiss",
            {"step": "cutoff", "amiss": True},
            "{side} has got {best} here, but {value} is given back, and {skipped} not looked at.",
        ),
        Rule(
            "cutoff.no window",
            {"step": "cutoff", "windows": False},
            "{holds}, and {skipped} not looked at. The record has no window that says why.",
        ),
        Rule(
            "cutoff.window",
            {"step": "cutoff", "cause": ""},
            "{holds}, which reaches {bound}, the end of the window that {whole} "
            "began with. How far beyond is not asked, so {skipped} not looked at.",
        ),
        Rule(
            "cutoff.probe",
            {"step": "cutoff", "cause": "probe"},
            "{holds}, which reaches {bound}, the end of the window of this probe: "
            "its question is answered, so {skipped} not looked at.",
        ),
        Rule(
            "cutoff.below",
            {"step": "cutoff", "cause": "below"},
            "{holds}, which reaches {bound}, the end of the window of a probe further up. "
            "How far beyond is not asked, so {skipped} not looked at.",
        ),
        Rule(
            "cutoff.tie",
            {"step": "cutoff", "equal": True},
            "{holds}, and {other} is sure of {bound} {by} {where}; "
            "here {other} cannot do better than that, so {skipped} not looked at.",
        ),
        Rule(
            "cutoff.better",
            {"step": "cutoff"},
            "{holds}, but {other} is sure of {bound} {by} {where}; "
            "{other} will never allow this node, so {skipped} not looked at.",
        ),
        # a node is left whose subtree was not sent to the browser
        Rule(
            "hidden",
            {"step": "leave", "hidden": True},
            "{side} gets {known} here. The {count} nodes below are not shown: open this subtree to see them.",
        ),
        # a node is left after its last move
        Rule(
            "leave.amiss",
            {"step": "leave", "amiss": True},
            "{all}, and the best of them brings {side} {best}. But {value} is given back.",
        ),
        Rule(
            "leave.open",
            {"step": "leave", "bound": "open"},
            "{all}, and this node gives back {known}.",
        ),
        Rule(
            "leave.hope",
            {"step": "leave", "best": False},
            ONLY_KNOWN + "that is the best {side} could hope for here, and no single move is sure to bring it.",
        ),
        Rule(
            "leave.root.pat",
            {"step": "leave", "root": True, "pass": "only", "pat": True},
            DONE + ", which {side} gets {by}.",
        ),
        Rule(
            "leave.root",
            {"step": "leave", "root": True, "pass": "only"},
            DONE + ", and the best move for {side} is {move}.",
        ),
        Rule(
            "leave.pat",
            {"step": "leave", "bound": "exact", "pat": True},
            "{all}, and none is better for {side} than to stand pat: this node is worth {known}.",
        ),
        Rule(
            "leave.exact",
            {"step": "leave", "bound": "exact"},
            "{all}: the best for {side} is {move}, and this node is worth {known}.",
        ),
        Rule("leave.bound", {"step": "leave"}, ONLY_KNOWN + "{side} gets that {by}."),
        # the root of a pass comes back to what made the passes
        Rule(
            "driver.done",
            {"step": "driver", "pass": "last", "stopped": "", "bound": "exact", "best": True},
            DONE + ", and the best move for {side} is {move}.",
        ),
        Rule(
            "driver.bound",
            {"step": "driver", "pass": "last", "stopped": "", "best": True},
            DONE + ", which {side} gets {by}.",
        ),
        Rule(
            "driver.pat",
            {"step": "driver", "pass": "last", "stopped": "", "pat": True},
            DONE + ", which {side} gets {by}.",
        ),
        Rule("driver.hope", {"step": "driver", "pass": "last", "stopped": ""}, DONE + "."),
        Rule("driver.next", {"step": "driver"}, "Pass {pass} is over: the root is worth {known}."),
    ],
    "deep": [Rule("deep.same", {"draft": "same"}, "just as deep"), Rule("deep.deeper", {}, "{deeper} deeper")],
    "advice": [
        Rule(
            "advice.entry",
            {"advised": True},
            " The table has an entry of this position, from node {entry}: the move that it recommends is tried first.",
        ),
        Rule("advice.none", {}, ""),
    ],
    "begins": [  # with standing pat
        Rule(
            "begins.limit",
            {"step": "enter", "stands": True, "beyond": False},
            " The depth limit K = {K} is reached, but there are noisy moves. {side} stands pat with {static}, the static value, "
            "to begin with, and only noisy moves are tried.",
        ),
        Rule(
            "begins.beyond",
            {"step": "enter", "stands": True},
            " {side} stands pat with {static} to begin with, and only noisy moves are tried.",
        ),
        Rule("begins.not", {}, ""),
    ],
    "all": [
        Rule("all.noisy", {"stands": True}, "All noisy moves have been looked at"),
        Rule("all.moves", {}, "All moves have been looked at"),
    ],
    "holds": [
        Rule("holds.pat", {"pat": True}, "{side} stands pat with {value} here"),
        Rule("holds.move", {}, "{side} already holds {value} here"),
    ],
    "by": [  # and, else, the words of the game for a move
        Rule("by.pat", {"step": "cutoff", "sure by": "pat"}, "by standing pat"),
        Rule("by.own pat", {"step": "leave", "pat": True}, "by standing pat"),
        Rule("by.driver pat", {"step": "driver", "pat": True}, "by standing pat"),
    ],
    "because": [Rule("because", {}, "Because of cutoffs further down")],
    "whole": [Rule("whole.search", {"pass": "only"}, "the whole search"), Rule("whole.pass", {}, "this pass")],
    "window": [  # what a value that comes back does to it
        Rule("window.alpha", {"narrows": "alpha"}, " That raises alpha, what MAX is sure of, to {alpha}."),
        Rule("window.beta", {"narrows": "beta"}, " That lowers beta, what MIN is sure of, to {beta}."),
        Rule("window.minimax", {"windows": False}, ""),
        Rule("window.below", {"side": "max", "alpha": "sure"}, " MAX is sure of {alpha} elsewhere, so alpha stays."),
        Rule("window.above", {"side": "min", "beta": "sure"}, " MIN is sure of {beta} elsewhere, so beta stays."),
        Rule("window.stays", {}, " The window stays {alpha} to {beta}."),
    ],
    "known": [  # what a value proves
        Rule("known.lower", {"bound": "lower"}, "at least {value}"),
        Rule("known.upper", {"bound": "upper"}, "at most {value}"),
        Rule("known.exact", {"bound": "exact"}, "{value}"),
        Rule("known.open", {"bound": "open"}, "{value}, which proves nothing by itself"),
    ],
    "side": [Rule("side.max", {"side": "max"}, "MAX"), Rule("side.min", {"side": "min"}, "MIN")],
    "other": [Rule("other.min", {"side": "max"}, "MIN"), Rule("other.max", {"side": "min"}, "MAX")],
    "mover": [Rule("mover.max", {"mover": "max"}, "MAX"), Rule("mover.min", {"mover": "min"}, "MIN")],
    "where": [  # the other side has a choice
        Rule("where.root", {"cause": "root"}, "at the root"),
        Rule("where.path", {"cause": "path"}, "at node {node} (after {path})"),
    ],
    "names": [  # of the skipped moves
        Rule("names.one", {"skipped": "one"}, "{last}"),
        Rule("names.few", {"skipped": "few"}, "{first} and {last}"),
        Rule("names.many", {"skipped": "many"}, "{first} and {more} more"),
    ],
    "stopped": [  # the last step of a search that did not come to its end
        Rule("stopped.not", {"stopped": ""}, ""),
        Rule("stopped.node limit", {"stopped": "node limit"}, " Here the search was stopped: it had reached its limit of nodes."),
        Rule(
            "stopped.memory limit",
            {"stopped": "memory limit"},
            " Here the search was stopped: its tree had taken as much memory as it may.",
        ),
        Rule("stopped.cancelled", {"stopped": "cancelled"}, " Here the search was stopped: it was cancelled."),
        Rule("stopped.interrupted", {"stopped": "interrupted"}, " Here the search was stopped: it was interrupted."),
        Rule("stopped.broken off", {"stopped": "broken off"}, " Here the record ends: the program came no further."),
    ],
}

RULES_OF_TABLES: Rules = {  # for searches that a table answered somewhere
    "because": [Rule("because.table", {}, "Because of cutoffs further down or of bounds that the table keeps")],
}

TOLD_APART = {  # the numbers of a step that must not look equal where they are not
    "enter": ("alpha", "beta", "static"),
    "evaluate": ("value", "alpha", "beta"),
    "table": ("value", "alpha", "beta"),
    "return": ("value", "best", "before", "alpha", "beta"),
    "cutoff": ("value", "best", "bound"),
    "leave": ("value", "static"),  # and those of all moves, the best among them
    "driver": ("value", "alpha", "beta"),
}


def sentence(step: Step) -> str:
    """What happens in the step, and why."""
    return said(rules_of(step.node.tree), "", facts_of(step), slots_of(step))


def rule_of(step: Step) -> Rule:
    """The rule that chooses the sentence."""
    return chosen(rules_of(step.node.tree)["sentence"], facts_of(step))


def rules_of(tree: SearchTree) -> Rules:
    """The rules that go with a search: what its algorithm has to say comes first."""
    own = ALGORITHMS[tree.algorithm].words, WORDS_AS_PUBLISHED.get(tree.quirk, {}), RULES_OF_TABLES if tree.table_hits else {}
    return merged(*own, RULES, words_of_moves(tree.game))


def sentences_json(tree: SearchTree) -> dict[str, Any]:
    """All that the browser needs to write the same sentences."""
    rules = {part: [rule._asdict() for rule in rules] for part, rules in rules_of(tree).items()}
    return {"rules": rules, "toldApart": TOLD_APART, "mostListed": MOST_LISTED, "named": NAMED}


def in_words(bound: str, value: str) -> str:
    """A value with what it proves.

    >>> in_words("lower", "3"), in_words("exact", "3")
    ('at least 3', '3')
    """
    return said(RULES, "known", {"bound": bound}, {"value": value})


def words_of_moves(game: Any) -> Rules:
    words = words_of(game)
    return {
        "move": [Rule("move", {}, words.move)],
        "Move": [Rule("Move", {}, words.move[:1].upper() + words.move[1:])],
        "by": [Rule("by", {}, words.by)],
        "skipped": [
            Rule("skipped.unknown", {"skipped": "unknown"}, "whatever moves are left are"),
            Rule("skipped.one", {"skipped": "one"}, words.one),
            Rule("skipped.many", {}, words.many),
        ],
        "over": [Rule("over", {}, words.over)],
    }


def slots_of(step: Step) -> dict[str, str]:
    """What goes into the slots that have no rules."""
    node, numbers = step.node, numbers_of(step)
    compared = [numbers[name] for name in TOLD_APART[step.kind] if name in numbers]
    of_moves = set(node.child_values if step.kind == LEAVE else ())
    written = telling_apart(*compared, *of_moves, window=(node.alpha, node.beta))
    slots = {name: written(value) for name, value in numbers.items()}
    slots["asked"] = _asked(slots["alpha"], slots["beta"])
    slots |= {
        "depth": str(node.depth),
        "further": counted(node.tree.quiescence, "ply", "plies"),
        "entry": f"{link_of(node):,}",
        **_pass(node),
    }
    if step.kind == ANSWER and link_of(node) != NONE:
        slots["deeper"] = counted(plies_deeper(node), "ply", "plies")
    if (moved := _moved(step)) is not None:
        slots["name"] = moved.move_name
    if step.cause is not None:
        slots |= {"node": f"{int(step.cause.ancestor):,}", "path": _path(step.cause.ancestor)}
    if step.kind == LEAVE_CUT:
        slots |= _listed(step)
    return slots


def _asked(alpha: str, beta: str) -> str:
    """What a null window asks of a value.

    >>> _asked("2", "3"), _asked("3", "just above 3"), _asked("−∞", "−∞+1")
    ('at least 3', 'more than 3', 'more than −∞')
    """
    return f"more than {alpha}" if beta in (f"just above {alpha}", f"{alpha}+1") else f"at least {beta}"


def _moved(step: Step) -> Node | None:
    """The node that the move leads to which the sentence is about."""
    if step.kind == LEAVE_CUT:
        return step.cause.child if step.cause else None
    if step.kind == LEAVE:
        return step.node.proving_child
    if step.kind == DRIVER:
        return step.node.best_child
    return step.child if step.kind == RETURN else step.node if step.kind == ENTER and step.node.depth > 0 else None


def _pass(node: Node) -> dict[str, str]:
    """The pass that the node belongs to: its number, its depth limit, and why it was made."""
    place = node.tree.pass_number(node)
    made = node.tree.passes[place]
    return {"pass": str(place + 1), "K": str(made.K), "why": made.why}


def _path(node: Node) -> str:
    names = [row.move_name for row in node.path[1:]]
    return ", ".join(names if len(names) <= MOST_LISTED else ["…", *names[-NAMED:]])


def _listed(step: Step) -> dict[str, str]:
    """The skipped moves; of a search that was only watched they may not be known."""
    replies = Replies(step.node.tree.game, step.node.state) if step.skipped_moves else None
    names = [replies.name(code) for code in step.skipped_moves] if replies else []
    first = names[:NAMED] if len(names) > MOST_LISTED else names[:-1]
    return {"first": ", ".join(first), "last": "".join(names[-1:]), "more": str(len(names) - NAMED)}
