"""The quirks of the five published programs. `as_published=True` restores the quirk of a preset (algorithms/as_published.py).

- `no full-board test` (k-tables): the board may be full with plies left. Such a node has no children and returns
  its initial value: the least int, -2147483648 (at MIN the greatest). The root window is made of the same two ints.
- `fresh root windows` (threats): every child of the root is searched with the full window, so nothing is pruned between them.
- `as typed` (full-depth): a MIN node's value starts at 0; a won or full board with plies left is worth 0; and after a cutoff
  the node returns the score of its last child instead of its value.
- `doubled links` (long-state): every child of a MIN node is linked twice, and the links are counted: see analysis/statistics.py.
"""

NO_FULL_BOARD_TEST = "no full-board test"
FRESH_ROOT_WINDOWS = "fresh root windows"
AS_TYPED = "as typed"
DOUBLED_LINKS = "doubled links"

QUIRK_DESCRIPTIONS = {  # shown beside the option as_published
    "": "This program has no quirk.",
    NO_FULL_BOARD_TEST: "No full-board test: a full board with plies left is worth −2147483648.",
    FRESH_ROOT_WINDOWS: "Every root move is searched with a fresh window, so earlier root moves cause no cutoffs in later ones.",
    AS_TYPED: "The pseudo-code as typed: MIN starts at 0, and a finished game with plies left is worth 0.",
    DOUBLED_LINKS: "The search is the same; only the counting differs.",
}
