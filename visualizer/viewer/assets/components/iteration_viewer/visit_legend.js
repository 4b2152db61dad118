// The legend below the tree of a search in iterations.

/** The symbols that a search has. */
export function legendHtml({ hasChance }) {
  const parts = [
    "<b style=\"color:#0072B2\">▲</b> MAX to move",
    "<b style=\"color:#D55E00\">▼</b> MIN to move",
    ...(hasChance ? ["● chance"] : []),
    "□ game over",
    "below a node: visits, then the mean for the side that moved into it",
    "<i class=\"line\"></i> path of this iteration",
    "★ best move: most visits so far",
  ];
  return parts.map((part) => `<span>${part}</span>`).join("");
}
