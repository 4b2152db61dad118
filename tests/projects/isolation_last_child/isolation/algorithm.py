def minimax(position, depth, max_player):
    won = position.winner("A" if max_player else "B")
    if won is not None:
        return (100 if won == "A" else -100), position
    if depth == 0:
        return position.evaluate(), position
    if max_player:
        maxEval = float("-inf")
        best_move = None
        for move in position.children("A"):
            evaluation = minimax(move, depth - 1, False)[0]
            maxEval = evaluation
            best_move = move
        return maxEval, best_move
    minEval = float("inf")
    best_move = None
    for move in position.children("B"):
        evaluation = minimax(move, depth - 1, True)[0]
        minEval = min(minEval, evaluation)
        if minEval == evaluation:
            best_move = move
    return minEval, best_move
