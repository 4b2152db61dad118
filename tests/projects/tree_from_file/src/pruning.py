def alpha_beta(tree, node, alpha, beta, is_max):
    if not isinstance(node, str):
        return node
    value = float("-inf") if is_max else float("inf")
    for child in tree[node]:
        score = alpha_beta(tree, child, alpha, beta, not is_max)
        if is_max:
            value = max(value, score)
            alpha = max(alpha, value)
        else:
            value = min(value, score)
            beta = min(beta, value)
        if beta <= alpha:
            break
    return value
