"""When a node can be left although moves are untried."""


def refuted(maximizing: bool, value: float, alpha: float, beta: float, cut_on_equal: bool) -> bool:
    """Whether the other side has something at least as good elsewhere, so that it will never let this node happen."""
    if value == (beta if maximizing else alpha):
        return cut_on_equal
    return value > beta if maximizing else value < alpha
