ROWS, COLUMNS = 2, 2
EDGES = tuple([("h", r, c) for r in range(ROWS + 1) for c in range(COLUMNS)] + [("v", r, c) for r in range(ROWS) for c in range(COLUMNS + 1)])


def sides_of(row, column):
    return {("h", row, column), ("h", row + 1, column), ("v", row, column), ("v", row, column + 1)}


def closed_by(drawn, edge):
    """How many boxes this edge closes."""
    after = drawn | {edge}
    return sum(1 for r in range(ROWS) for c in range(COLUMNS) if edge in sides_of(r, c) and sides_of(r, c) <= after)
