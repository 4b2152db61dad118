"""True or false? Claims about the rungs of the ladder, each with a search that shows it.

A claim compares a measure of one variant with the same measure of another, so it can be tested on any game. A false one is
refuted by its own example, a true one holds on every tree (test_claims.py tries thousands). They come from the
literature and from students.

The example of a false claim is the smallest tree that refutes it: the one with the fewest nodes, of these the one whose
leaves have the smallest sum (whole numbers from 0), of these the first as text. MAX moves first and has at least one move;
outcomes of chance are equally likely. If
no tree can refute it, because that takes repeated positions or static values, the example is a position of a game.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.algorithms.variants import read_variant
from engine.games.chance_outcomes import has_chance
from engine.games.registry import read_game
from engine.question import Question
from engine.searcher import search
from engine.tree.tree import SearchTree

VALUE_PLACEHOLDER = "{value}"  # in a variant: the true value of the example


def _move_paths(tree: SearchTree, rows: Any) -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(tree[row].moves) for row in rows)


def _last_pass_paths(tree: SearchTree) -> frozenset[tuple[int, ...]]:
    return _move_paths(tree, range(tree.roots[-1], len(tree)))


MEASURES: dict[str, Callable[[SearchTree], Any]] = {
    "calls": lambda tree: tree.expanded,
    "nodes": lambda tree: _move_paths(tree, range(len(tree))),  # distinct ones, by the moves that lead to them
    "leaves": lambda tree: _move_paths(tree, (row for row in range(len(tree)) if tree[row].is_leaf)),
    "number of leaves": lambda tree: len(MEASURES["leaves"](tree)),
    "evaluations": lambda tree: tree.statistics().evaluations,
    "re-searches": lambda tree: tree.statistics().researches,
    "passes": lambda tree: len(tree.passes),
    "calls of the last pass": lambda tree: len(tree) - tree.roots[-1],
    "value": lambda tree: tree.root.value,
    "rounded value": lambda tree: round(tree.root.value, 9) + 0.0,  # where chance moves, values are sums of fractions
    "best move": lambda tree: tree.root.best_move,
}
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {"at most": operator.le, "within": operator.le, "equal": operator.eq}


@dataclass(frozen=True)
class Claim:
    """A claim: `measure` of `one` is in `relation` to that of `other`, always (true) or not (false)."""

    name: str  # in links
    statement: str  # as the learner reads it
    true: bool
    why: str  # the explanation
    one: str  # variants, as engine.algorithms.variants reads them
    other: str
    measure: str  # of MEASURES
    relation: str  # of RELATIONS
    game: str  # the example; for a false claim the smallest tree that refutes it, if there is one
    moves: str = ""
    depth: int | None = None

    @property
    def example(self) -> Question:
        """Return the position of the example, to be searched by both variants."""
        return Question(read_game(self.game), self.moves or None, self.depth)

    @property
    def has_chance(self) -> bool:
        """Return True if the claim is about games in which chance moves."""
        return has_chance(self.example.game)

    @property
    def variant_texts(self) -> tuple[str, str]:
        """Return the two variants of the example, with its true value inserted where needed."""
        return tuple(_insert_value(text, self.example) for text in (self.one, self.other))  # type: ignore[return-value]

    def trees(self, question: Question | None = None) -> tuple[SearchTree, SearchTree]:
        """Return the two searches of the example, or of another position."""
        position = question or self.example
        found = []
        for text in (self.one, self.other):
            variant = read_variant(_insert_value(text, position))
            found.append(search(position.replace(algorithm=variant.algorithm, **variant.options)))
        return found[0], found[1]

    def holds(self, question: Question | None = None) -> bool:
        """Return True if the relation holds in the example, or in another position."""
        one, other = map(MEASURES[self.measure], self.trees(question))
        return RELATIONS[self.relation](one, other)


def _insert_value(text: str, question: Question) -> str:
    if VALUE_PLACEHOLDER not in text:
        return text
    return text.replace(VALUE_PLACEHOLDER, repr(search(question.replace(algorithm="minimax")).root.value))


WORKED_EXAMPLE = "tree:[[[[41,5],[12,90]],[[101,80],[20,30]]],[[[34,80],[36,35]],[[50,36],[25,3]]]]"
STAR2_EXAMPLE = 'tree:[1,{"chance":[{"p":"1/2","value":0},{"p":"1/2","children":[2,0]}]}]'

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "same-value",
        "Principal variation search finds the same value as alpha-beta.",
        True,
        "A move that the probe finds better is searched again, so no value is taken from a bound alone.",
        *("pvs", "alphabeta", "value", "equal", WORKED_EXAMPLE),
    ),
    Claim(
        "pvs-same-nodes",
        "Principal variation search visits the same nodes as alpha-beta.",
        False,
        "It visits no node that alpha-beta skips. But a probe cuts off sooner, so it may skip more.",
        *("pvs", "alphabeta", "nodes", "equal", "tree:[0,[[1,0],0]]"),
    ),
    Claim(
        "pvs-within",
        "Every node that principal variation search visits is visited by alpha-beta too.",
        True,
        "Its windows lie inside those of alpha-beta, and a narrower window visits fewer nodes.",
        *("pvs", "alphabeta", "nodes", "within", WORKED_EXAMPLE),
    ),
    Claim(
        "pvs-calls",
        "Principal variation search never makes more calls than alpha-beta.",
        False,
        "A re-search calls nodes again. Probes pay off if the first move is usually the best.",
        *("pvs", "alphabeta", "calls", "at most", "tree:[0,1]"),
    ),
    Claim(
        "pvs-fewer-leaves",
        "Principal variation search evaluates all the leaves that alpha-beta evaluates.",
        False,
        "It can do with fewer: the null window cuts where the full window does not.",
        *("alphabeta", "pvs", "leaves", "within", "tree:[0,[[1,0],0]]"),
    ),
    Claim(
        "pvs-best-first",
        "With the best child first everywhere, principal variation search never searches a move again.",
        True,
        "No later move is better, so no probe is followed by a re-search. It makes as many calls as alpha-beta.",
        *("pvs:order=best", "alphabeta:order=best", "calls", "equal", "tree:[[[3,17],[2,12]],[[15,25],[0,2]]]"),
    ),
    Claim(
        "sss-leaves",
        "SSS* evaluates no leaf that alpha-beta does not evaluate.",
        True,
        "Stockman proved it. For a long time SSS* was therefore thought to be the better algorithm.",
        *("sss", "alphabeta", "leaves", "within", WORKED_EXAMPLE),
    ),
    Claim(
        "sss-pvs",
        "SSS* never needs more leaves than principal variation search.",
        False,
        "It never needs more leaves than alpha-beta. But principal variation search, with its null windows, may need even fewer.",
        *("sss", "pvs", "number of leaves", "at most", "tree:[0,[[1,0],0]]"),
    ),
    Claim(
        "sss-dual",
        "SSS* never needs more leaves than DUAL*.",
        False,
        "SSS* comes down to the value, DUAL* up to it. Which way is shorter depends on the tree.",
        *("sss", "dual", "number of leaves", "at most", "tree:[[[1,0],0]]"),
    ),
    Claim(
        "mtd-within",
        "Every node that MTD(f) visits, in any pass, is visited by alpha-beta too.",
        True,
        "This holds for any guess: each null window visits a part of the nodes that the full window visits.",
        *("mtdf:guess=7", "alphabeta", "nodes", "within", WORKED_EXAMPLE),
    ),
    Claim(
        "mtd-calls",
        "MTD(f) never makes more calls than alpha-beta, all passes together.",
        False,
        "Even the best guess takes two passes, one for each bound, and their calls add up.",
        *("mtdf", "alphabeta", "calls", "at most", "tree:[0]"),
    ),
    Claim(
        "mtd-two-passes",
        "If the guess is the value, MTD(f) needs two passes.",
        True,
        "One pass proves the lower bound, the other the upper bound. SSS* never needs fewer.",
        *(f"mtdf:guess={VALUE_PLACEHOLDER}", "sss", "passes", "at most", WORKED_EXAMPLE),
    ),
    Claim(
        "mtd-value-sss",
        "If the guess is the value, MTD(f) needs no more leaves than SSS*.",
        False,
        "A perfect guess saves passes, but not always leaves.",
        *(f"mtdf:guess={VALUE_PLACEHOLDER}", "sss", "number of leaves", "at most", "tree:[[[[0,0],1],0]]"),
    ),
    Claim(
        "mtd-value-any",
        "The best guess for MTD(f) is the value itself: any other guess costs at least as many leaves.",
        False,
        "A wrong guess can lead to the cheaper of two proofs.",
        *(f"mtdf:guess={VALUE_PLACEHOLDER}", "mtdf:guess=0", "number of leaves", "at most", "tree:[[[1,2],0],2]"),
    ),
    Claim(
        "mtd-value-pvs",
        "If the guess is the value, MTD(f) visits only nodes that principal variation search visits.",
        False,
        "The windows of principal variation search come from its first moves, those of MTD(f) from its guess.",
        *(f"mtdf:guess={VALUE_PLACEHOLDER}", "pvs", "nodes", "within", "tree:[0,[[1,0],0],2]"),
    ),
    Claim(
        "aspiration-free",
        "A failed aspiration window costs nothing.",
        False,
        "The whole search is repeated.",
        *("aspiration:guess=9:width=1", "alphabeta", "calls", "at most", "tree:[0]"),
    ),
    Claim(
        "aspiration-inside",
        "With the value inside its window, aspiration search never makes more calls than alpha-beta.",
        True,
        "A narrower window visits a part of the nodes that the full window visits, and nothing is searched again.",
        *(f"aspiration:guess={VALUE_PLACEHOLDER}:width=1", "alphabeta", "calls", "at most", WORKED_EXAMPLE),
    ),
    Claim(
        "aspiration-within",
        "Every node that aspiration search visits is visited by alpha-beta, even if the window fails.",
        True,
        "Each pass visits a part of the nodes that the full window visits. The cost is that nodes are visited again.",
        *("aspiration:guess=99:width=1", "alphabeta", "nodes", "within", WORKED_EXAMPLE),
    ),
    Claim(
        "killers-free",
        "Killer moves never cost nodes.",
        False,
        "A move that is best at one node may be bad at another. On average killer moves save a lot.",
        *("alphabeta:order=killer", "alphabeta", "calls", "at most", "tree:[0,[1,0,0],[0,1]]"),
    ),
    Claim(
        "history-free",
        "The history heuristic never costs nodes.",
        False,
        "A move that is best at one node may be bad at another. On average the history heuristic saves a lot.",
        *("alphabeta:order=history", "alphabeta", "calls", "at most", "tree:[0,[1,0,0],[0,1]]"),
    ),
    Claim(
        "strict-more",
        "Cutting only on strictly better values never visits fewer nodes than cutting on equal ones.",
        True,
        "Every strict cutoff is also a cutoff if equal values cut.",
        *("alphabeta", "alphabeta:strict", "nodes", "within", "tree:[[0,0],[0,0]]"),
    ),
    Claim(
        "strict-minimal",
        "With the best child first, strict cutoffs evaluate as few leaves as cutoffs on equal values.",
        False,
        "Where values are equal, none is strictly better, so there is no cutoff.",
        *("alphabeta:strict:order=best", "alphabeta:order=best", "number of leaves", "equal", "tree:[0,[0,0]]"),
    ),
    Claim(
        "minimax-leaves",
        "Alpha-beta never evaluates a leaf that minimax does not evaluate, and finds the same best move.",
        True,
        "It is minimax without the moves that cannot change the result.",
        *("alphabeta", "minimax", "leaves", "within", WORKED_EXAMPLE),
    ),
    Claim(
        "table-tree",
        "In a tree where no position occurs twice, a table changes nothing.",
        True,
        "No stored entry is ever needed again.",
        *("table", "alphabeta", "calls", "equal", WORKED_EXAMPLE),
    ),
    Claim(
        "table-value",
        "A table with room for a single position still gives the right value.",
        True,
        "Every entry stores its whole key. It may be lost, but it never answers for another position.",
        *("table:slots=1", "alphabeta", "value", "equal", "connect:rows=4,cols=4,connect=3", "", 6),
    ),
    Claim(
        "table-larger",
        "A larger table never makes more calls.",
        False,
        "With another number of slots, other positions share a slot. The overwritten entry may be the one that is needed next. "
        "Usually a larger table saves calls.",
        *("table:slots=4", "table:slots=3", "calls", "at most", "tictactoe", "40825", 4),
    ),
    Claim(
        "table-deeper",
        "Table entries of deeper searches may answer: the value stays that of a search to depth K.",
        False,
        "Such an entry knows more than K plies show, here that MIN wins. If all is searched to the end, the claim is true.",
        *("table:draft=deeper", "alphabeta", "value", "equal", "nim:2,3,1", "", 5),
    ),
    Claim(
        "deepening-last",
        "The last pass of iterative deepening never makes more calls than alpha-beta: it tries the best moves so far first.",
        False,
        "The best move at one depth need not be good one ply deeper. Usually it is, and then the last pass is much smaller.",
        *("iterative:no-table", "alphabeta", "calls of the last pass", "at most", "connect:rows=4,cols=4,connect=3", "", 2),
    ),
    Claim(
        "mtd-once",
        "MTD(f) with a table that keeps everything evaluates no leaf twice.",
        True,
        "The table knows the leaves of earlier passes, so there are at most as many evaluations as with alpha-beta.",
        *("mtdf", "alphabeta", "evaluations", "at most", WORKED_EXAMPLE),
    ),
    Claim(
        "star2-fewer",
        "Star2 never evaluates more leaves than Star1: its probes make the bounds narrower first.",
        False,
        "A probe looks at a leaf before the outcomes on its left. If one of those already proves the cutoff, the probe was for "
        "nothing. On average Star2 evaluates fewer.",
        *("star2", "star1", "evaluations", "at most", STAR2_EXAMPLE),
    ),
    Claim(
        "star1-value",
        "Star1 finds the same value as expectiminimax, though it does not look at every outcome.",
        True,
        "It leaves a chance node only if no value of the remaining outcomes could bring the expectation into the window.",
        *("star1", "expectiminimax", "rounded value", "equal", STAR2_EXAMPLE),
    ),
)
