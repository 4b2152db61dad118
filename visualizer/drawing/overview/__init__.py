"""The overview: a whole search in one picture, of any size. x is the order of visiting, y the depth.

A node is a bar from its row to the end of its subtree. Bars narrower than a pixel are merged into cells, one for each pixel and
depth, which count them by class. So nothing disappears: a single cutoff among a thousand nodes is a share of its cell.
"""
