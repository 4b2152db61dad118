from .position import Position


def solve(position: Position, lower: int = -2, upper: int = 2) -> int:
    """The result with best play, for crosses."""
    result = position.result()
    if result is not None:
        return result
    if position.crosses_to_move:
        best = -2
        for cell in position.empty():
            best = max(best, solve(position.after(cell), max(lower, best), upper))
            if best >= upper:
                return best
    else:
        best = 2
        for cell in position.empty():
            best = min(best, solve(position.after(cell), lower, min(upper, best)))
            if best <= lower:
                return best
    return best
