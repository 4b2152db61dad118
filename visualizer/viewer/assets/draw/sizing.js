// Sizes: the viewer ends where the window ends, or has a fixed height in a notebook. Its pictures and type grow with it.

const BOTTOM_MARGIN = 18; // px left free under the viewer: the margin of the page
const PAGE_BAR = 70; // px of the bar with the pages
const MIN_HEIGHT = 430; // px: in a lower window the page scrolls
const WIDTHS = [760, 1000, 1200, 1500]; // px: the class `to-760` says that the viewer has at most that width
const NARROW = WIDTHS[0]; // px: in less width there is one column, and the page scrolls
const LOW = 520; // px: in a lower cell the tree needs the space of the legend
const PAGE_PER_VIEWER = 1.25; // the height of a page in heights of its viewer
const CODE_CHARS = [40, 53]; // minimum and maximum width of the code; longer lines are wrapped
const DESIGN_SIZE = { width: 840, height: 380 }; // px: at this size the tree is drawn at scale 1
const LECTURE_DESIGN_SIZE = { width: 500, height: 330 };
const FLAT_RATIO = 0.72; // height / width: below it, board and window stand side by side
const DESIGN_TYPE = 12.5; // px: the size of code that drawings are designed for
const MIN_TYPE = 12; // px of a sentence
const MIN_CODE_TYPE = 11.5; // px, as in tree_viewer.css
const EASY_CODE_TYPE = 14; // px
const LINE_HEIGHT = 1.36; // of code
const MIN_CODE_LINES = 10;
const TABS_AND_VARIABLES = 74; // px
const MIN_POSITION = 130; // px of the board and the window
const POSITION_SHARE = 0.24; // of the height
const VARIABLES = 2.1; // in sizes of the type of the code: the line above it
const WINDOW_HEIGHTS = [0, 6.4, 9.6]; // in sizes of the type: without a window, with one, with a second line
const GAPS = 12; // px around the tabs and the timeline
const LECTURE_CODE_SHARE = 0.52; // of the height

/** Set the CSS variables for the space of the viewer and the size of its code. Return the number of code lines that have room. Without
 *  `fixedHeight` the viewer ends where the window ends; with it, it has the width of its element. `windowLines` are those of the
 *  picture of the window: 0, 1 or 2. */
export function setSizes(root, lines, fixedHeight, windowLines = 1) {
  const lecture = root.classList.contains("lecture");
  const inCell = fixedHeight !== undefined && !lecture;
  const width = inCell ? root.clientWidth : window.innerWidth;
  const height = inCell ? fixedHeight : lecture ? window.innerHeight : heightToEndOfWindow(root);
  for (const widest of WIDTHS) root.classList.toggle(`to-${widest}`, width <= widest);
  root.classList.toggle("in-cell", inCell);
  root.classList.toggle("low", inCell && height < LOW);
  setVariable(root, "--space-width", inCell ? `${width}px` : "");
  setVariable(root, "--space-height", inCell ? `${height * PAGE_PER_VIEWER}px` : "");
  const longest = Math.max(...lines.map((line) => line.length));
  const widest = Math.min(Math.max(longest, CODE_CHARS[0]), CODE_CHARS[1]);
  setVariable(root, "--code-chars", widest);
  const free = root.classList.contains("boardless") && !lecture ? height - heightBesideCode(root) : null; // else the board has room, too
  const besides = VARIABLES + WINDOW_HEIGHTS[windowLines]; // what grows with the type
  const room = width <= NARROW ? Infinity : free === null ? codeRoom(height - textHeight(root), lecture) : boardlessRoom(free, besides, height);
  const shown = Math.min(lines.reduce((sum, line) => sum + Math.ceil(Math.max(line.length, 1) / widest), 0), room);
  setVariable(root, "--code-lines", shown);
  setVariable(root, "--boardless-code-height", free === null ? "" : `${(free * shown * LINE_HEIGHT) / ((shown + 1) * LINE_HEIGHT + besides)}px`);
  if (!lecture) setVariable(root, "--viewer-height", `${height}px`);
  setVariable(root, "--letter-width", `${letterWidth(root.querySelector('[data-part="code"]'))}px`);
  return room;
}

/** The width of a letter of the code as this browser draws it. */
function letterWidth(code) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = getComputedStyle(code).font;
  return pen.measureText("0").width;
}

/** The height that the viewer may take. One that stands below other things (the class `tall`) fills the window when it is scrolled to. */
function heightToEndOfWindow(root) {
  if (root.classList.contains("tall")) return Math.max(window.innerHeight - PAGE_BAR - BOTTOM_MARGIN, MIN_HEIGHT);
  return Math.max(Math.floor(window.innerHeight - topOf(root) - BOTTOM_MARGIN), MIN_HEIGHT);
}

/** The height of the text of the state, which games without a board have. */
function textHeight(root) {
  return root.querySelector('[data-part="state"]')?.offsetHeight ?? 0;
}

/** The smallest type of code that is easy to read in a viewer of this height. */
function easyType(height) {
  return Math.max(MIN_CODE_TYPE, Math.min(EASY_CODE_TYPE, height / 64));
}

/** The lines of code that have room beside the tree, at the smallest type that is easy to read. The board has room, too. */
function codeRoom(height, lecture) {
  const free = lecture ? height * LECTURE_CODE_SHARE : height - TABS_AND_VARIABLES - Math.max(MIN_POSITION, height * POSITION_SHARE);
  return Math.max(Math.floor(free / (easyType(height) * LINE_HEIGHT)) - 1, MIN_CODE_LINES); // the numbers of a line may need a line of their own
}

/** The same without a board: `besides` is what else grows with the type. */
function boardlessRoom(free, besides, height) {
  const type = easyType(height);
  return Math.max(Math.floor((free / type - besides) / LINE_HEIGHT) - 1, MIN_CODE_LINES);
}

/** The height of the tabs, the text of the state and the timeline, which are above and below the code if there is no board. */
function heightBesideCode(root) {
  const parts = [".tabs", "aside [data-part=timelineCaption]", "aside [data-part=timeline]"].map((part) => root.querySelector(part)?.offsetHeight ?? 0);
  return parts.reduce((sum, part) => sum + part, textHeight(root) + GAPS);
}

function setVariable(root, name, value) {
  if (root.style.getPropertyValue(name) !== String(value)) root.style.setProperty(name, value); // an empty text removes it
}

/** The distance of an element from the top of its page, however that is scrolled. */
function topOf(element) {
  let top = element.getBoundingClientRect().top;
  for (let at = parentOf(element); at; at = parentOf(at)) top += at.scrollTop;
  return top;
}

function parentOf(element) {
  return element.parentElement ?? element.getRootNode().host;
}

/** The scale of the tree: large screens are seen from far away. */
export function magnification(canvas, lecture) {
  if (canvas.closest(`.to-${NARROW}`)) return 1;
  const { width, height } = lecture ? LECTURE_DESIGN_SIZE : DESIGN_SIZE;
  return Math.min(Math.max(Math.min(canvas.clientWidth / width, canvas.clientHeight / height), 1), 4);
}

/** Put board and window side by side if that makes the board larger. */
export function arrangePosition(position) {
  position.classList.toggle("side-by-side", position.clientHeight < FLAT_RATIO * position.clientWidth);
}

/** The width of a panel in units of its type, so that drawings in it have letters as large as the code. */
export function widthInType(panel, code) {
  return Math.min(Math.max((panel.clientWidth * DESIGN_TYPE) / parseFloat(getComputedStyle(code).fontSize), 170), 420);
}

/** Shrink the type of a sentence that is too long for its lines, so that nothing below it moves. */
export function fitSentence(place) {
  place.style.fontSize = "";
  if (place.scrollHeight <= place.clientHeight) return;
  let size = parseFloat(getComputedStyle(place).fontSize);
  while (place.scrollHeight > place.clientHeight + 1 && size > MIN_TYPE) place.style.fontSize = `${--size}px`;
}

/** Scroll a panel until an element in it is visible below the `head` that stays at its top. */
export function scrollIntoPanel(panel, element, head) {
  if (!element) return;
  const outer = panel.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  const top = outer.top + head.offsetHeight;
  if (inner.top < top) panel.scrollTop -= top - inner.top;
  else if (inner.bottom > outer.bottom) panel.scrollTop += inner.bottom - outer.bottom;
}
