// The legend below the tree of a search in iterations.

const PATH = "path of this iteration";
const NUMBERS = "visits, then the mean for the side that moved into it";

/** The symbols that a view of a search has. */
export function legendHtml({ hasChance }, viewName) {
  const parts = viewName === "overview" ? [
    `in a bar: move, ${NUMBERS}`,
    "width: share of the visits",
    "<b style=\"color:#0072B2\">■</b> good for MAX",
    "<b style=\"color:#D55E00\">■</b> good for MIN",
    `□ outlined: ${PATH}`,
  ] : [
    "<b style=\"color:#0072B2\">▲</b> MAX to move",
    "<b style=\"color:#D55E00\">▼</b> MIN to move",
    ...(hasChance ? ["● chance"] : []),
    "□ game over",
    `below a node: ${NUMBERS}`,
    `<i class="line"></i> ${PATH}`,
    "★ best move: most visits so far",
  ];
  return parts.map((part) => `<span>${part}</span>`).join("");
}
