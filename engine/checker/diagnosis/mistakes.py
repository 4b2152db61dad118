"""The mistakes of a search and its legitimate variants: names and explanations for second-year students."""

from typing import NamedTuple


class Mistake(NamedTuple):
    """A mistake in words for the author of the program."""

    problem: str  # one sentence that begins with "Your"
    fix: str

    @property
    def general_problem(self) -> str:
        """Return the problem for a reader who has not written the program.

        >>> MISTAKES["no-cutoff"].general_problem
        'The search has alpha and beta, but it never skips a move.'
        """
        return "The " + self.problem.removeprefix("Your ")


MISTAKES = {
    "root-fresh-window": Mistake(
        "Your loop over the first moves gives every move the same window: the answer is right, but fewer moves are cut off.",
        "Pass the best score so far to the next move: as alpha if MAX moves first, as beta if MIN does. "
        "Then take a later move only if its score is strictly better.",
    ),
    "window-not-passed": Mistake(
        "Your recursive calls get a window that is too wide.",
        "Pass on the alpha and beta that the loop has just updated.",
    ),
    "window-not-updated": Mistake(
        "Your search passes on a bound that it never updates.",
        "After each move raise alpha to the best score at MAX, and lower beta to it at MIN.",
    ),
    "wrong-bound-updated": Mistake(
        "Your search changes the other side's bound.",
        "Raise alpha at MAX and lower beta at MIN, never the other way round.",
    ),
    "wrong-bound-compared": Mistake(
        "Your cutoff compares with the wrong bound, or the wrong way round.",
        "Stop at MAX when the score reaches beta, and at MIN when the score falls to alpha.",
    ),
    "cut-too-early": Mistake(
        "Your loop over the moves skips moves although no cutoff allows it, so it may miss a better move.",
        "Try every legal move, leave the loop early only when alpha >= beta, and return the best score so far.",
    ),
    "no-cutoff": Mistake(
        "Your search has alpha and beta, but it never skips a move.",
        "Leave the loop as soon as alpha >= beta.",
    ),
    "inner-break": Mistake(
        "Your cutoff leaves only the inner one of two loops, so the next row of squares is still searched.",
        "Leave both loops: return from the function, or test the cutoff again in the outer loop.",
    ),
    "window-swapped": Mistake(
        "Your recursive call passes the window in the wrong order or with the wrong signs.",
        "Pass (alpha, beta); in negamax pass (-beta, -alpha).",
    ),
    "bound-loosened": Mistake(
        "Your search moves a bound back after a worse move.",
        "Let alpha only rise and beta only fall: alpha = max(alpha, score), beta = min(beta, score).",
    ),
    "calls-plain-minimax": Mistake(
        "Your function with alpha and beta calls a search without them, so nothing below is cut off.",
        "Call the search with alpha and beta instead, and pass the window on.",
    ),
    "sides-swapped": Mistake(
        "Your search takes the smallest score for MAX, or the largest for MIN, so it plays for the other side.",
        "Take the maximum at MAX and the minimum at MIN. Start the best score at -inf for MAX and at +inf for MIN.",
    ),
    "sides-do-not-alternate": Mistake(
        "Your search lets one side move twice in a row, or gives both sides the same pieces.",
        "Pass the other side to the recursive call, and play that side's pieces there.",
    ),
    "sign-lost": Mistake(
        "Your negamax uses a score from the wrong side: a minus sign is missing.",
        "Negate the score of every recursive call, and score a leaf for the side to move.",
    ),
    "leaf-viewpoint": Mistake(
        "Your leaves are scored from the wrong side.",
        "Score every leaf from MAX's side, whichever side is to move.",
    ),
    "returns-last-child": Mistake(
        "Your search returns the score of the last move, not the best one.",
        "Keep the best score in a variable, and return it after the loop.",
    ),
    "returns-too-soon": Mistake(
        "Your function returns inside the loop, so it tries only the first move.",
        "Return after the loop, not inside it.",
    ),
    "value-unexplained": Mistake(
        "Your search returns a score that is not the best score of its moves.",
        "Return the best score of the moves that were tried, and nothing else.",
    ),
    "starts-at-zero": Mistake(
        "Your starting value for the best score (or the window) is too tight: real scores lie beyond it.",
        "Start the best score at -inf for MAX and at +inf for MIN, and the window at (-inf, +inf).",
    ),
    "depth-not-reduced": Mistake(
        "Your search passes the depth on unchanged, so the depth does not end it.",
        "Pass depth - 1, or depth + 1 if the depth counts up.",
    ),
    "depth-by-two": Mistake(
        "Your search changes the depth by two for one move.",
        "Change the depth in one place only.",
    ),
    "off-by-one": Mistake(
        "Your search looks one move too far, or one move too short.",
        "End the search at depth 0. If the loop over the first moves has played a move, count it.",
    ),
    "terminal-not-tested": Mistake(
        "Your search does not notice that the game is over.",
        "Test for a won or full board, and return its score, before looking for moves.",
    ),
    "depth-before-win": Mistake(
        "Your search gives a won board its heuristic value at the depth limit.",
        "Test for the end of the game first, then for the depth.",
    ),
    "win-lines-missing": Mistake(
        "Your test for a win misses some lines.",
        "Test every row, every column and both diagonals.",
    ),
    "not-undone": Mistake(
        "Your search does not always take its move back, so later moves are tried on a wrong board.",
        "Take the move back right after the recursive call, before any break or return.",
    ),
    "shared-board": Mistake(
        "Your moves share one board, so later moves see the pieces of earlier ones.",
        "Give each move a real copy of the board, such as copy.deepcopy(board).",
    ),
    "searched-twice": Mistake(
        "Your program searches the same move twice.",
        "Call the search once, and keep the score in a variable.",
    ),
    "move-not-tracked": Mistake(
        "Your search does not return the move with the best score.",
        "Store the move where the best score is stored.",
    ),
    "move-overwritten": Mistake(
        "Your best move is stored in one place that deeper calls overwrite.",
        "Let only the outermost call set it.",
    ),
    "no-move-when-lost": Mistake(
        "Your search returns no move when every move loses.",
        "Start below the worst score, or with the first move as the best one.",
    ),
    "tie-takes-bound": Mistake(
        "Your root accepts an equal score that is only a bound.",
        "Take a later move only if its score is strictly better.",
    ),
    "table-wrong": Mistake(
        "Your table answers with a score that was found for another depth, side or window.",
        "Store depth, side and bound with the score, and use an entry only where they fit.",
    ),
    "evaluation-inconsistent": Mistake(
        "Your evaluation gives the same leaf different scores.",
        "Compute the score from the position alone, without chance.",
    ),
    "weights-forgotten": Mistake(
        "Your chance node does not weigh its outcomes with their probabilities.",
        "Multiply each score with the probability of its outcome, and add up; the probabilities add up to 1.",
    ),
    "integer-division": Mistake(
        "Your chance node rounds its average to a whole number.",
        "Divide with / and keep the fraction.",
    ),
    "average-over-pruned": Mistake(
        "Your chance node averages only some outcomes, or bounds instead of scores.",
        "Search every outcome of a chance node with an open window, or use bounds as Star1 does.",
    ),
    "chance-cut": Mistake(
        "Your chance node is cut off although the remaining outcomes could still change its average.",
        "Cut off at a chance node only if even the best (or worst) scores of the remaining outcomes cannot matter, as in Star1.",
    ),
    "average-missing": Mistake(
        "Your expectimax takes the best or the worst score of a random opponent's moves, not their average.",
        "Return the sum of probability times score for an opponent that moves at random.",
    ),
    "round-cut-short": Mistake(
        "Your search looks at too little: its depth counts moves of single agents instead of rounds, or a round ends too early.",
        "Let every agent move, one after the other, and change the depth once in a round.",
    ),
    "evaluation-ignores-sides": Mistake(
        "Your evaluation counts a piece alike for both sides.",
        "Add the value of MAX's pieces, and subtract the value of MIN's.",
    ),
    "extra-turn-ignored": Mistake(
        "Your search lets the opponent move after a move that gives another turn.",
        "Keep the side to move in that case.",
    ),
    "slow-win": Mistake(
        "Your search likes a slow win as much as a fast one, which is not wrong but makes games longer.",
        "Let the score of a win depend on the depth.",
    ),
    "terminal-wrong-player": Mistake(
        "Your test for the end of the game asks about the wrong player or the wrong board: the search ends too late or too soon.",
        "After a move ask if the side that has just moved has won, on the board of this call.",
    ),
    "missing-return": Mistake(
        "Your function returns nothing in some cases.",
        "Return a score on every way through the function, after a recursive call too.",
    ),
    "raises": Mistake(
        "Your search stops with an error.",
        "Mend the line that the error names, then check again.",
    ),
    "infinite-or-huge": Mistake(
        "Your search does not come to an end.",
        "Test for the end of the game, and reduce the depth in every call.",
    ),
}
MISSED_CUTOFFS = {"no-cutoff", "inner-break"}
WIDE_WINDOWS = {"root-fresh-window", "window-not-passed", "window-not-updated", "bound-loosened"}


VARIANTS = {
    "minimax": "No window: every move is searched.",
    "expectimax": "Chance moves count with the average of their scores.",
    "mcts": "Monte Carlo tree search: recorded, not judged.",
    "alphabeta": "Alpha and beta cut off moves that cannot matter.",
    "negamax": "One rule for both sides: the best of the negated scores.",
    "pair": "Two functions, one for MAX and one for MIN.",
    "fail-hard": "Returns the bound instead of a score outside the window.",
    "fail-soft": "Returns scores outside the window unchanged.",
    "strict-cut": "Cuts off only beyond the bound, not at an equal score.",
    "equal-cut": "Cuts off at an equal score too.",
    "root-loop": "A separate loop over the first moves.",
    "depth-up": "The depth counts up.",
    "depth-down": "The depth counts down.",
    "undo": "Moves are made on one board and taken back.",
    "copy": "Every move gets its own board.",
    "no-move": "Only the score is returned.",
    "random-ties": "Chooses at random among equal moves.",
    "iterative": "Repeats the search with growing depth.",
    "table": "Stores the scores of positions and uses them again.",
    "ordering": "Promising moves are searched first.",
    "own-evaluation": "Scores positions at the depth limit with a heuristic.",
}
CONSEQUENCES = {  # mistakes that follow from another one, and are not reported beside it
    "infinite-or-huge": {"depth-not-reduced"},
    "missing-return": {"raises", "infinite-or-huge", "sides-swapped"},
    "not-undone": {
        "shared-board",
        "terminal-not-tested",
        "table-wrong",
        "evaluation-inconsistent",
        "move-not-tracked",
        "win-lines-missing",
    },
    "shared-board": {"not-undone", "terminal-not-tested", "table-wrong", "evaluation-inconsistent", "win-lines-missing"},
    "returns-too-soon": {
        "cut-too-early",
        "inner-break",
        "no-cutoff",
        "returns-last-child",
        "move-not-tracked",
        "wrong-bound-compared",
    },
    "returns-last-child": {"move-not-tracked", "starts-at-zero", "no-cutoff", "sides-swapped"},
    "window-swapped": {
        "window-not-passed",
        "window-not-updated",
        "wrong-bound-updated",
        "bound-loosened",
        "no-cutoff",
        "inner-break",
        "root-fresh-window",
    },
    "window-not-updated": {"no-cutoff", "wrong-bound-compared", "window-not-passed", "inner-break"},
    "wrong-bound-updated": {
        "no-cutoff",
        "wrong-bound-compared",
        "cut-too-early",
        "window-not-updated",
        "window-not-passed",
        "inner-break",
    },
    "bound-loosened": {"window-not-passed", "window-not-updated", "inner-break"},
    "window-not-passed": {"root-fresh-window", "inner-break", "no-cutoff"},
    "inner-break": {"no-cutoff"},
    "cut-too-early": {"inner-break", "no-move-when-lost"},
    "no-cutoff": {"wrong-bound-compared"},
    "wrong-bound-compared": {"cut-too-early", "no-cutoff", "inner-break", "returns-too-soon"},
    "chance-cut": {"average-over-pruned"},
    "sides-swapped": {"sides-do-not-alternate", "leaf-viewpoint"},
    "sides-do-not-alternate": {"leaf-viewpoint", "sign-lost", "terminal-not-tested"},
    "sign-lost": {"window-swapped", "sides-swapped", "sides-do-not-alternate", "leaf-viewpoint"},
    "starts-at-zero": {"no-move-when-lost"},
    "move-not-tracked": {"no-move-when-lost"},
    "win-lines-missing": {"terminal-not-tested", "depth-before-win"},
    "terminal-not-tested": {"depth-before-win", "leaf-viewpoint"},
    "terminal-wrong-player": {"terminal-not-tested", "win-lines-missing", "depth-before-win"},
}
