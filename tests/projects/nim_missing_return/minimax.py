def value(pile, computer):
    """1 if the computer wins. Who takes the last match wins."""
    if pile == 0:
        return -1 if computer else 1
    scores = [value(pile - n, not computer) for n in (1, 2, 3) if n <= pile]
    if computer:
        return max(scores)
    min(scores)
