// How the viewer uses the room it has: it ends where the window ends, and what is drawn grows with it.

const BELOW = 18; // px left free under the viewer: the margin of the page
const NARROW = 760; // px of the window: below, everything stands in one column and the page scrolls
const LETTERS = [40, 53]; // of a line of code: fewer are not worth a smaller column, longer lines go on below
const STEADY = { width: 840, height: 380 }; // px of the tree at which it is drawn as large as it is designed
const IN_A_LECTURE = { width: 500, height: 330 };
const FLAT = 0.72; // height by width: in a flatter place board and window stand side by side
const TYPE = 12.5; // px: the size of code that drawings are designed for
const LEAST_TYPE = 12; // px of a sentence

/** Tell the style sheet how high the viewer may be, and how long and wide the code is. */
export function takeRoom(root, lines) {
  const longest = Math.max(...lines.map((line) => line.length));
  const widest = Math.min(Math.max(longest, LETTERS[0]), LETTERS[1]);
  set(root, "--widest", widest);
  set(root, "--lines", lines.reduce((sum, line) => sum + Math.ceil(Math.max(line.length, 1) / widest), 0));
  if (!root.classList.contains("lecture")) set(root, "--room", `${Math.floor(window.innerHeight - topOf(root) - BELOW)}px`);
}

function set(root, name, value) {
  if (root.style.getPropertyValue(name) !== String(value)) root.style.setProperty(name, value);
}

/** How far an element is from the top of its page, wherever that is scrolled to. */
function topOf(element) {
  let top = element.getBoundingClientRect().top;
  for (let at = above(element); at; at = above(at)) top += at.scrollTop;
  return top;
}

function above(element) {
  return element.parentElement ?? element.getRootNode().host;
}

/** How much larger than designed the tree is drawn: a large screen is looked at from far away. */
export function magnification(canvas, lecture) {
  if (window.innerWidth <= NARROW) return 1;
  const { width, height } = lecture ? IN_A_LECTURE : STEADY;
  return Math.min(Math.max(Math.min(canvas.clientWidth / width, canvas.clientHeight / height), 1), 4);
}

/** Board and window side by side where the board gets larger by it. */
export function arrangePosition(position) {
  position.classList.toggle("beside", position.clientHeight < FLAT * position.clientWidth);
}

/** The width of a panel in pixels as large as the type in it: what is drawn that wide has letters of the same size as the code. */
export function widthInType(panel, code) {
  return Math.min(Math.max((panel.clientWidth * TYPE) / parseFloat(getComputedStyle(code).fontSize), 170), 420);
}

/** A sentence too long for the lines kept free for it gets smaller type: what is below does not move. */
export function fitSentence(place) {
  place.style.fontSize = "";
  if (place.scrollHeight <= place.clientHeight) return;
  let size = parseFloat(getComputedStyle(place).fontSize);
  while (place.scrollHeight > place.clientHeight + 1 && size > LEAST_TYPE) place.style.fontSize = `${--size}px`;
}

/** Scroll a panel so far that an element in it is seen. */
export function keepInSight(panel, element) {
  if (!element) return;
  const outer = panel.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  if (inner.top < outer.top) panel.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) panel.scrollTop += inner.bottom - outer.bottom;
}
