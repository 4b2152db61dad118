"""The mistakes of a search and its legitimate variants: names and explanations for second-year students."""

MISTAKES = {
    "root-fresh-window": "The loop over the root's moves gives every move the same window, not the best score found so far. "
    "The answer stays right, but the search cuts off much less than it could.",
    "window-not-passed": "The calls below get a window that was not narrowed by the moves before them. "
    "Pass on the alpha and beta that the loop has just updated.",
    "window-not-updated": "Alpha and beta are handed on but never raised or lowered. "
    "After each move MAX must raise alpha to its best score, and MIN must lower beta.",
    "wrong-bound-updated": "A node changes the bound of the other side. "
    "MAX raises alpha, MIN lowers beta, never the other way round.",
    "wrong-bound-compared": "The cutoff compares with the wrong bound, or the comparison is turned round. "
    "MAX may stop when its score reaches beta, MIN when its score falls to alpha.",
    "cut-too-early": "The loop over the moves stops though the score still lies inside the window. "
    "A move that was skipped could have been better.",
    "no-cutoff": "There are alpha and beta, but no move is ever skipped. Leave the loop as soon as alpha >= beta.",
    "inner-break": "The cutoff leaves only the inner one of two loops. "
    "The moves of the next row of squares are searched all the same.",
    "window-swapped": "The window arrives below in the wrong order or with the wrong signs. "
    "Pass (alpha, beta); in negamax pass (-beta, -alpha).",
    "bound-loosened": "A worse move moves the bound back. "
    "Alpha may only rise and beta may only fall: take the maximum, or the minimum.",
    "calls-plain-minimax": "The function with alpha and beta calls another one without them, so nothing below is cut off. "
    "It must call itself.",
    "sides-swapped": "MAX takes the smallest score, or MIN the largest. The computer plays for the other side.",
    "sides-do-not-alternate": "The same side moves twice in a row. After MAX it is MIN's turn, and after MIN it is MAX's.",
    "sign-lost": "In negamax the score of a call is the opponent's and must be negated. "
    "A leaf must be scored for the side to move.",
    "leaf-viewpoint": "A leaf is scored for the side to move, but the nodes above take max and min in turn. "
    "In minimax every leaf must be scored for the same side.",
    "returns-last-child": "The score of the last move comes back, not the best one. Keep the best score and return that.",
    "returns-too-soon": "The function returns inside the loop: only the first move is ever tried. "
    "Move the return behind the loop.",
    "starts-at-zero": "The best score starts at a number that real scores can fall short of. "
    "Start at minus infinity for MAX and at plus infinity for MIN.",
    "depth-not-reduced": "The depth is handed on unchanged, so it never ends the search. Pass depth - 1.",
    "depth-by-two": "The depth changes by two at every move. Change it in one place only.",
    "off-by-one": "The search looks one move further, or less far, than it was asked to. "
    "The loop over the root's moves has already played one of them.",
    "terminal-not-tested": "The search goes on after the game is over. Test for a won or full board before looking for moves.",
    "depth-before-win": "At depth 0 a won board gets its heuristic value. "
    "Test for the end of the game first, then for the depth.",
    "win-lines-missing": "Some winning lines are not seen. Test every row, every column and both diagonals.",
    "not-undone": "The move is not taken back on every way out of the loop. Later moves are tried on a wrong board.",
    "shared-board": "The moves share one board because the copy is not deep enough. Later moves see the pieces of earlier ones.",
    "searched-twice": "The function calls itself twice for the same move. Keep the score in a variable.",
    "move-not-tracked": "The move that is returned is not the one with the best score. "
    "Store the move where the best score is stored.",
    "move-overwritten": "The best move is kept in one place that deeper calls overwrite. Only the root may set it.",
    "no-move-when-lost": "When every move loses, no move is returned. Start below the worst score, or with the first move.",
    "tie-takes-bound": "The root accepts an equal score though it is only a bound. "
    "Take a later move only if it is strictly better.",
    "table-wrong": "The table answers with a score that was found for another depth, side or window. Store these with the score.",
    "evaluation-inconsistent": "One and the same leaf gets different scores. "
    "The search compares numbers that do not fit together.",
    "extra-turn-ignored": "A move that gives another turn is searched as if the opponent were next. Keep the side in that case.",
    "slow-win": "A slow win counts as much as a fast one. Take the depth into account: it is not wrong, but the game drags on.",
    "infinite-or-huge": "The search does not come to an end. Test for the end of the game, and reduce the depth.",
}


def first_sentence(text: str) -> str:
    """Return the part of an explanation that says what is wrong, without the advice.

    >>> first_sentence(MISTAKES["no-cutoff"])
    'There are alpha and beta, but no move is ever skipped.'
    """
    return text.partition(". ")[0].rstrip(".") + "."


VARIANTS = {
    "minimax": "No window: every move is searched.",
    "alphabeta": "Alpha and beta cut off moves that cannot matter.",
    "negamax": "One rule for both sides: the best of the negated scores.",
    "pair": "Two functions, one for MAX and one for MIN.",
    "fail-hard": "Scores outside of the window come back as its bounds.",
    "fail-soft": "Scores outside of the window come back as they are.",
    "strict-cut": "Cuts off only beyond the bound: equal scores are searched on.",
    "equal-cut": "Cuts off at the bound already.",
    "root-loop": "A loop of its own over the root's moves.",
    "depth-up": "The depth counts up.",
    "depth-down": "The depth counts down.",
    "undo": "Moves are made on one board and taken back.",
    "copy": "Every move gets a board of its own.",
    "no-move": "Only the score is returned.",
    "random-ties": "Among equal moves chance decides.",
    "iterative": "Searches deeper and deeper.",
    "table": "Scores of positions are kept and used again.",
    "ordering": "Promising moves are searched first.",
    "own-evaluation": "A heuristic value where the depth ends.",
}
CONSEQUENCES = {  # a mistake, and its consequences, which are not reported beside it
    "infinite-or-huge": {"depth-not-reduced"},
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
        "root-fresh-window",
    },
    "window-not-updated": {"no-cutoff", "wrong-bound-compared", "window-not-passed"},
    "wrong-bound-updated": {"no-cutoff", "wrong-bound-compared", "cut-too-early", "window-not-updated", "window-not-passed"},
    "bound-loosened": {"window-not-passed", "window-not-updated"},
    "window-not-passed": {"root-fresh-window"},
    "inner-break": {"no-cutoff"},
    "cut-too-early": {"inner-break"},
    "no-cutoff": {"wrong-bound-compared"},
    "wrong-bound-compared": {"cut-too-early", "no-cutoff", "inner-break", "returns-too-soon"},
    "sides-swapped": {"sides-do-not-alternate", "leaf-viewpoint"},
    "sides-do-not-alternate": {"leaf-viewpoint", "sign-lost", "terminal-not-tested"},
    "sign-lost": {"window-swapped", "sides-swapped", "sides-do-not-alternate", "leaf-viewpoint"},
    "starts-at-zero": {"no-move-when-lost"},
    "move-not-tracked": {"no-move-when-lost"},
    "win-lines-missing": {"terminal-not-tested", "depth-before-win"},
    "terminal-not-tested": {"depth-before-win"},
}
