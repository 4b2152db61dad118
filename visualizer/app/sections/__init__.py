"""Parts of pages: lessons, exercises, comparisons, the truth. A view puts them together."""
