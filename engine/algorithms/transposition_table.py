"""The transposition table: the results of earlier calls of a position, for later calls of the same position.

An entry belongs to one position and the plies left to search there (`remaining`). It holds the proved bounds of the value,
at least `lower` and at most `upper`, the row that proved each, and the best move of the call that stored last. It has two bounds
because MTD(f) and SSS* prove one in one pass and the other in the next (Plaat, Schaeffer, Pijls and de Bruin, Best-first
fixed-depth minimax algorithms, 1996); a single value with its type is the case of equal or of one-sided bounds.

The definitions are exact, so that a compiled search can do the same:

- **Key.** It distinguishes positions: `capabilities.table_key`. An entry holds its whole key and never answers for another one.
- **Slot.** With `slots` = 0 everything is kept: a key has an entry for each `remaining`. The one with the given `remaining` is
  found, or else the one that the rule of replacement would have left (`draft="deeper"`: always that one). Otherwise a whole
  number k stands for the key (the key itself if it is one, else 8 bytes of BLAKE2b of its repr), and its slot is
  ((k * 0x9E3779B97F4A7C15 mod 2^64) >> 32) * slots >> 32.
- **Answer.** An entry of the same key and the same `remaining` (`draft="deeper"`: or more) answers a call with the window
  (alpha, beta): EXACT if lower = upper; else LOWER if lower >= beta; else UPPER if upper <= alpha (with strict cutoffs > and <).
  The linked row is the one that proved that bound; for an exact answer the later of the two.
- **Order.** An entry of the same key that does not answer, of any `remaining`, gives the move to try first, if it has one. The
  linked row is then the later of its two rows.
- **Store.** Every call that is not answered stores when it is left, leaves too: a leaf lower = upper = its value; any other call
  with the window on entry (alpha, beta) and the value v: upper = v if v <= alpha, lower = v if v >= beta, both otherwise; the
  unknown bound is infinite. Its move is the first that gave the best value; a leaf has none.
- **Replacement.** An empty slot is filled. An entry of the same key and the same `remaining` is narrowed: each bound becomes the
  new one with its row where that is strictly tighter, the move always. Any other entry is replaced if `replace="always"`, and
  with `replace="depth"` if the new `remaining` is at least the old one.
"""

from hashlib import blake2b
from typing import Any, NamedTuple

from engine.record.columns import EXACT, INFINITY, LOWER, NONE, UPPER

GOLDEN_MULTIPLIER = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio, odd: spreads keys that are near each other (Knuth)
WORD_MASK = 2**64 - 1


class TableEntry(NamedTuple):
    """The bounds of one position, `remaining` plies deep."""

    key: Any
    remaining: int
    lower: float
    upper: float
    lower_row: int  # the call that proved it
    upper_row: int
    move: int | None  # its recorded code; None for a leaf

    @property
    def row(self) -> int:
        """Return the later of the two rows."""
        return max(self.lower_row, self.upper_row)


class TableAnswer(NamedTuple):
    """An answer of the table, which replaces a search."""

    value: float
    bound: int  # EXACT, LOWER or UPPER
    row: int  # the call that proved it


class TranspositionTable:
    """The table of one search, over all of its passes."""

    def __init__(self, slots: int = 0, replace: str = "depth", draft: str = "equal", cut_on_equal: bool = True):
        self.slots = slots
        self.always, self.deeper, self.cut_on_equal = replace == "always", draft == "deeper", cut_on_equal
        self._keeps_all_depths = slots == 0 and not self.deeper
        self._entries: dict[Any, TableEntry] = {}  # by slot; without a limit by key, and by depth if all are kept
        self._surviving_depth: dict[Any, int] = {}  # by key, if all depths are kept: the depth that replacement would leave

    def find(self, key: Any, remaining: int) -> TableEntry | None:
        """Return the entry of this position: of the same depth if there is one, else of another depth."""
        entry = self._entries.get(self._entry_key(key, remaining))
        if entry is None and key in self._surviving_depth:
            entry = self._entries[self._entry_key(key, self._surviving_depth[key])]
        return entry if entry is not None and entry.key == key else None

    def answer(self, entry: TableEntry | None, remaining: int, alpha: float, beta: float) -> TableAnswer | None:
        """Return the entry's answer to a call with this window; None if the position must be searched."""
        if entry is None or entry.remaining < remaining or (entry.remaining > remaining and not self.deeper):
            return None
        if entry.lower == entry.upper:
            return TableAnswer(entry.lower, EXACT, entry.row)
        if entry.lower > beta or (self.cut_on_equal and entry.lower == beta):
            return TableAnswer(entry.lower, LOWER, entry.lower_row)
        if entry.upper < alpha or (self.cut_on_equal and entry.upper == alpha):
            return TableAnswer(entry.upper, UPPER, entry.upper_row)
        return None

    def store_leaf(self, key: Any, remaining: int, value: float, row: int) -> None:
        """Store the value of a leaf."""
        self._put_entry(TableEntry(key, remaining, value, value, row, row, None))

    def store(self, key: Any, remaining: int, value: float, window: tuple[float, float], move: int | None, row: int) -> None:
        """Store the bounds that a call with this window proved."""
        alpha, beta = window
        lower, lower_row = (-INFINITY, NONE) if value <= alpha else (value, row)
        upper, upper_row = (INFINITY, NONE) if value >= beta else (value, row)
        self._put_entry(TableEntry(key, remaining, lower, upper, lower_row, upper_row, move))

    def _put_entry(self, new: TableEntry) -> None:
        place = self._entry_key(new.key, new.remaining)
        old = self._entries.get(place)
        if self._keeps_all_depths and (self.always or new.remaining >= self._surviving_depth.get(new.key, 0)):
            self._surviving_depth[new.key] = new.remaining
        if old is not None and old.remaining == new.remaining and old.key == new.key:
            new = _narrow_entry(old, new)
        elif old is not None and new.remaining < old.remaining and not self.always:
            return
        self._entries[place] = new

    def _entry_key(self, key: Any, remaining: int) -> Any:
        return compute_slot(key, self.slots) if self.slots else (key, remaining) if self._keeps_all_depths else key


def _narrow_entry(old: TableEntry, new: TableEntry) -> TableEntry:
    """Return the tighter bounds of both entries, with the move of the new one."""
    if new.lower <= old.lower:
        new = new._replace(lower=old.lower, lower_row=old.lower_row)
    if new.upper >= old.upper:
        new = new._replace(upper=old.upper, upper_row=old.upper_row)
    return new


def compute_slot(key: Any, slots: int) -> int:
    """Return the slot of a key, the same in every run of Python.

    >>> compute_slot(1, 8), compute_slot(2, 8), compute_slot("a position", 8)
    (4, 1, 0)
    """
    number = key if isinstance(key, int) else int.from_bytes(blake2b(repr(key).encode(), digest_size=8).digest(), "little")
    return ((number * GOLDEN_MULTIPLIER & WORD_MASK) >> 32) * slots >> 32
