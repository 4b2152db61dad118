"""The condition of a cutoff: a node is left although moves are untried."""


def is_refuted(maximizing: bool, value: float, alpha: float, beta: float, cut_on_equal: bool) -> bool:
    """Return True if the other side has an alternative elsewhere that is at least as good, so that it never allows this node."""
    if value == (beta if maximizing else alpha):
        return cut_on_equal
    return value > beta if maximizing else value < alpha
