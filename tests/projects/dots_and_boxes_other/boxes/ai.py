from rules import EDGES, closed_by


def minimax(drawn, lead, depth, alpha, beta, my_turn):
    """The lead of the computer after best play."""
    free = [edge for edge in EDGES if edge not in drawn]
    if not free or depth == 0:
        return lead
    best = -99 if my_turn else 99
    for edge in free:
        boxes = closed_by(drawn, edge)
        again = boxes > 0
        new_lead = lead + boxes if my_turn else lead - boxes
        value = minimax(drawn | {edge}, new_lead, depth - 1, alpha, beta, not my_turn)
        if my_turn:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def choose_edge(drawn):
    best, choice, alpha = -99, None, -99
    for edge in EDGES:
        if edge in drawn:
            continue
        boxes = closed_by(drawn, edge)
        value = minimax(drawn | {edge}, boxes, 3, alpha, 99, boxes > 0)
        if value > best:
            best, choice = value, edge
        alpha = max(alpha, best)
    return choice
