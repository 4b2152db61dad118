"""The sentences of searches in which chance moves. They come before the usual rules.

Below a chance node the ends of a window do not say what a side is sure of: they say which values keep the expectation of the
chance node inside its own window. So these rules do not claim the first.
"""

from engine.algorithms.templates import Conditions, Rule, Rules

DRAWN: Conditions = {"drawn": True}
ENTER: Conditions = {"drawn": True, "step": "enter", "root": False}
RETURN: Conditions = {"drawn": True, "step": "return"}
CHANCE_LEAVE: Conditions = {"drawn": True, "step": "leave", "side": "chance"}
CHANCE_CUTOFF: Conditions = {"drawn": True, "step": "cutoff", "side": "chance"}
OUTCOME = "Chance brings {move} with probability {weight}"
LEAST = "at least {sum}{value}, {above} {bound}, so {left}."
MOST = "at most {sum}{value}, {below} {bound}, so {left}."

CHANCE_RULES: Rules = {
    "sentence": [
        Rule("chance.enter.minimax", {**ENTER, "mover": "chance", "windows": False}, OUTCOME + "."),
        Rule(
            "chance.enter.probe",
            {**ENTER, "mover": "chance", "status": "probe"},
            OUTCOME + ". It is only probed: one move after it is searched, with the window {alpha} to {beta}.",
        ),
        Rule(
            "chance.enter.again",
            {**ENTER, "mover": "chance", "call": "again"},
            OUTCOME + ". After its probe it is searched in full, with the window {alpha} to {beta}.",
        ),
        Rule("chance.enter", {**ENTER, "mover": "chance"}, OUTCOME + ". The window for it is {alpha} to {beta}."),
        Rule("chance.enter.move", {**ENTER, "windows": True}, "{mover} tries {move}. The window is {alpha} to {beta}."),
        Rule(
            "chance.table",
            {"drawn": True, "step": "table"},
            "The probe found the value of this node, {value}, at node {entry}, so it is not searched again.",
        ),
        Rule(
            "chance.return.probe",
            {**RETURN, "side": "chance", "repeated": True},
            "The probe shows that {move} brings {known}.{between}",
        ),
        Rule(
            "chance.return.sum",
            {**RETURN, "side": "chance", "bound": "exact"},
            "{Move} has probability {weight} and brings {value}. "
            "The sum of probability times value is now {best}{among}.{between}",
        ),
        Rule(
            "chance.return.bound",
            {**RETURN, "side": "chance"},
            "{Move} has probability {weight} and brings {known}. That decides this chance node.",
        ),
        Rule(
            "chance.cutoff.high",
            {**CHANCE_CUTOFF, "fails": "high", "adds": True},
            "Even if the remaining {rest} brought only {extreme}, the expectation would be " + LEAST,
        ),
        Rule(
            "chance.cutoff.low",
            {**CHANCE_CUTOFF, "fails": "low", "adds": True},
            "Even if the remaining {rest} brought {extreme}, the expectation would be " + MOST,
        ),
        Rule(
            "chance.cutoff.bounds.high",
            {**CHANCE_CUTOFF, "fails": "high"},
            "The bounds that are known now make the expectation " + LEAST,
        ),
        Rule(
            "chance.cutoff.bounds.low",
            {**CHANCE_CUTOFF, "fails": "low"},
            "The bounds that are known now make the expectation " + MOST,
        ),
        Rule(
            "chance.cutoff.below",
            {"drawn": True, "step": "cutoff", "cause": "below"},
            "{holds}. That reaches {bound}, the end of the window that a chance node above set. "
            "Anything beyond it does not matter, so {skipped} skipped.",
        ),
        Rule(
            "chance.cutoff.outcome",
            {"drawn": True, "step": "cutoff", "cause": "probe"},
            "{holds}. That reaches {bound}, the end of the window for this outcome. "
            "Anything beyond it does not matter, so {skipped} skipped.",
        ),
        Rule(
            "chance.hidden",
            {**CHANCE_LEAVE, "hidden": True},
            "The expectation is {known} here. The {count} nodes below are not shown.",
        ),
        Rule(
            "chance.leave.probe",
            {"drawn": True, "step": "leave", "status": "probe"},
            "One move is enough for the probe: this node is worth {known}.",
        ),
        Rule(
            "chance.leave.root",
            {**CHANCE_LEAVE, "root": True},
            "The search is done: the expectation at the root is {known}. Chance moves there, so there is no best move.",
        ),
        Rule("chance.leave.exact", {**CHANCE_LEAVE, "bound": "exact"}, "All outcomes are known. The expectation is {value}."),
        Rule(
            "chance.leave", CHANCE_LEAVE, "The last outcome takes the expectation out of the window: this node is worth {known}."
        ),
    ],
    "among": [
        Rule("chance.among", {"left": "known"}, ", from {counted} of {outcomes} outcomes"),
        Rule("chance.among.all", {}, ""),
    ],
    "between": [
        Rule("chance.between", {"range": "open"}, " The expectation is between {low} and {high}."),
        Rule("chance.between.settled", {"range": "settled"}, " The expectation is {low}, whatever the others bring."),
        Rule("chance.between.unknown", {}, ""),
    ],
    "sum": [
        Rule("chance.sum", {"adds": True}, "{total} + {rest} · {extreme} = "),
        Rule("chance.sum.unknown", {}, ""),
    ],
    "above": [Rule("chance.above.equal", {"equal": True}, "no less than β ="), Rule("chance.above", {}, "above β =")],
    "below": [Rule("chance.below.equal", {"equal": True}, "no more than α ="), Rule("chance.below", {}, "below α =")],
    "window": [
        Rule("chance.window.alpha", {**DRAWN, "narrows": "alpha"}, " This raises alpha to {alpha}."),
        Rule("chance.window.beta", {**DRAWN, "narrows": "beta"}, " This lowers beta to {beta}."),
        Rule("chance.window", DRAWN, ""),
    ],
    "move": [
        Rule("chance.move.enter", {"step": "enter", "mover": "chance"}, "outcome {name}"),
        Rule("chance.move.return", {"step": "return", "side": "chance"}, "outcome {name}"),
    ],
    "Move": [Rule("chance.Move", {"step": "return", "side": "chance"}, "Outcome {name}")],
    "left": [
        Rule("chance.left.probes", {"probed": "all"}, "no outcome is searched in full"),
        Rule("chance.left", {}, "{skipped} skipped"),
    ],
    "skipped": [
        Rule("chance.skipped.one", {"side": "chance", "skipped": "one"}, "outcome {names} is"),
        Rule("chance.skipped.many", {"side": "chance"}, "the outcomes {names} are"),
    ],
}
