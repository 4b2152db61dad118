// The legend below the tree of a search in iterations.

import { SIDE } from "../../draw/formatting.js";

const PATH = "path of this iteration";

/** The symbols that a view of a search has. `rootSide` is the side that the mean of the root is for, `hasMeans` says whether means have room
 *  below the nodes, `hasMore` whether there are nodes that are not drawn. */
export function legendHtml({ hasChance, rootSide, hasMeans = true, hasMore = false }, viewName) {
  const means = `visits, then the mean for the side that moved there (at the root: ${rootSide})`;
  const parts = viewName === "overview" ? [
    `in a bar: move, ${means}`,
    "width: share of the visits",
    `<b style="color:${SIDE.max}">■</b> good for MAX`,
    `<b style="color:${SIDE.min}">■</b> good for MIN`,
    `□ outlined: ${PATH}`,
  ] : [
    `<b style="color:${SIDE.max}">▲</b> MAX to move`,
    `<b style="color:${SIDE.min}">▼</b> MIN to move`,
    ...(hasChance ? ["● chance"] : []),
    "□ game over",
    `below a node: ${hasMeans ? means : "visits; the means are under Numbers, there is no room here"}`,
    `<i class="line"></i> ${PATH}`,
    "★ best move: most visits so far",
    ...(hasMore ? ["nodes with few visits are not drawn: + shows more"] : []),
  ];
  return parts.map((part) => `<span>${part}</span>`).join("");
}
