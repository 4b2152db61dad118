"""The tidy tree layout: parents centred over their children, subtrees as close as they fit.

It is linear in the number of nodes. Each subtree remembers its outlines by threads from a node to the next one along the
outline, so
two subtrees are compared only as deep as the shallower one reaches (Reingold and Tilford; Walker; Buchheim, Jünger and
Leipert made it linear for any number of children; van der Ploeg's way to find which sibling an outline belongs to).
"""

import numpy as np
from numba.extending import register_jitable

from engine.compiled.numba_compat import CompiledRowFunction

NO_ITEM = -1


def lay_out_tree(depth: np.ndarray, width: np.ndarray | None = None) -> np.ndarray:
    """Return the x of the middle of each item, with the leftmost edge at 0. Items are in pre-order; without widths each is
    1 wide.
    """
    width = np.ones(1) if width is None else width.astype(np.float64)
    items = len(depth)
    # from numpy, because its zeros cost nothing until they are touched
    spread = np.zeros((items, 2))
    sums = np.zeros((items, 2))
    x = np.empty(items)
    leftmost = _lay_out_items(depth, int(depth.max()), width, spread, sums, x)
    x -= leftmost
    return x


@CompiledRowFunction
def _lay_out_items(depth, deepest, width, spread, sums, own):
    """Fill in `own`, first with places relative to the parents, then with x. Return the leftmost edge.

    `spread` collects shift and change of siblings that are to be spread, `sums` the moves from a subtree's root down to the
    deepest items of its outlines.
    """
    items = len(depth)
    same = len(width) == 1
    on_right, next_sibling = np.empty(items, np.int32), np.empty(items, np.int32)  # on_right: last child or thread
    max_children = _link_siblings(depth, deepest, on_right, next_sibling)

    # x of an item = own + the sum of `moved` from it up to the root; a thread keeps this sum right for its outline
    moved = np.empty(items)
    on_left = np.empty(items, np.int32)  # first child or thread
    low_left, low_right = np.empty(items, np.int32), np.empty(items, np.int32)  # deepest items of the two outlines
    is_spread = False
    lows, owners = (
        np.empty(max_children + 1, np.int32),
        np.empty(max_children + 1, np.int32),
    )  # which sibling is seen from the right, by depth
    children = np.empty(max_children + 1, np.int32)

    for item in range(items - 1, -1, -1):
        moved[item] = own[item] = 0.0
        if on_right[item] == NO_ITEM:
            on_left[item] = NO_ITEM
            low_left[item] = low_right[item] = item
            continue
        on_left[item] = item + 1
        child = item + 1
        count = 0
        height = 0
        while child != NO_ITEM:
            children[count] = child
            low = np.int32(depth[low_left[child]])
            if count > 0:
                at = height - 1
                left, right = children[count - 1], child
                left_sum, right_sum = moved[left], moved[right]
                while True:  # down the right outline of what is placed and the left outline of the new subtree
                    while depth[left] > lows[at]:
                        at -= 1
                    gap = width[0] if same else (width[left] + width[right]) / 2
                    overlap = left_sum + own[left] + gap - right_sum - own[right]
                    if overlap > 0:
                        right_sum += overlap
                        moved[child] += overlap
                        sums[child, 0] += overlap
                        sums[child, 1] += overlap
                        owner = owners[at]
                        between = count - owner
                        if between > 1:  # spread what lies between
                            is_spread = True
                            spread[children[owner + 1], 0] += overlap / between
                            spread[child, 0] -= overlap / between
                            spread[child, 1] -= overlap - overlap / between
                    left, right = on_right[left], on_left[right]
                    if left == NO_ITEM or right == NO_ITEM:
                        break
                    left_sum += moved[left]
                    right_sum += moved[right]
                first = children[0]
                if left == NO_ITEM and right != NO_ITEM:  # the new subtree is deeper: the left outline goes on in it
                    bottom = low_left[first]
                    on_left[bottom] = right
                    difference = right_sum - sums[first, 0]
                    moved[bottom] += difference
                    own[bottom] -= difference
                    low_left[first], sums[first, 0] = low_left[child], sums[child, 0]
                elif left != NO_ITEM and right == NO_ITEM:  # it is shallower: its right outline goes on in what is to the left
                    bottom = low_right[child]
                    previous = children[count - 1]
                    on_right[bottom] = left
                    difference = left_sum - sums[child, 1]
                    moved[bottom] += difference
                    own[bottom] -= difference
                    low_right[child], sums[child, 1] = low_right[previous], sums[previous, 1]
            while height > 0 and low >= lows[height - 1]:
                height -= 1
            lows[height], owners[height] = low, count
            height += 1
            count += 1
            child = next_sibling[child]
        first, final = children[0], children[count - 1]
        own[item] = (own[first] + moved[first] + own[final] + moved[final]) / 2
        low_left[item], sums[item, 0] = low_left[first], sums[first, 0]
        low_right[item], sums[item, 1] = low_right[final], sums[final, 1]
    return _add_up_moves(depth, deepest, width, own, moved, spread, is_spread)


@register_jitable
def _link_siblings(depth, deepest, last_child, next_sibling):
    """Fill in last children and next siblings. Return the largest number of children of an item."""
    latest = np.full(deepest + 2, NO_ITEM, np.int32)  # the latest item at each depth
    counts = np.zeros(deepest + 2, np.int32)
    max_children = 0
    for item in range(len(depth)):
        last_child[item] = next_sibling[item] = NO_ITEM
        level = np.int64(depth[item])
        if level > 0:
            last_child[latest[level - 1]] = item
            if latest[level] != NO_ITEM:
                next_sibling[latest[level]] = item
            counts[level] += 1
            max_children = max(max_children, counts[level])
        latest[level] = item
        latest[level + 1] = NO_ITEM
        counts[level + 1] = 0
    return max_children


@register_jitable
def _add_up_moves(depth, deepest, width, own, moved, spread, is_spread):
    """Turn `own` into x: add up the moves from the root down, and the spreading of siblings from left to right. Return the
    leftmost edge.
    """
    sums, steps, extras = np.zeros(deepest + 2), np.zeros(deepest + 2), np.zeros(deepest + 2)
    leftmost = np.inf
    for item in range(len(depth)):
        level = np.int64(depth[item])
        above = sums[level - 1] if level > 0 else 0.0
        sums[level] = above + moved[item]
        if is_spread:
            steps[level] += spread[item, 0]
            extras[level] += steps[level] + spread[item, 1]
            sums[level] += extras[level]
            steps[level + 1] = extras[level + 1] = 0.0
        own[item] += sums[level]
        leftmost = min(leftmost, own[item] - width[0 if len(width) == 1 else item] / 2)
    return leftmost
